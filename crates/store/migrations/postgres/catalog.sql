-- Lists everything in the schema countersign, one object per row, as "kind name: definition". The file objects.txt has what this
-- lists for a schema of this version. Partitions are listed only if they differ from their table, because there are as many as the
-- log needs. Views are for people: of them, only the names are listed. So are owners, rights and settings only if they are wrong.
WITH tables AS (
  SELECT c.oid, c.relname, c.relkind, c.relrowsecurity OR c.relforcerowsecurity AS has_policies, c.relowner, c.relacl,
         c.relispartition, c.relpersistence
  FROM pg_class c WHERE c.relnamespace = 'countersign'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
), whole AS (SELECT * FROM tables WHERE NOT relispartition),
parts AS (
  -- Whatever inherits from one of the tables, in any schema.
  SELECT c.oid, c.relname, c.relnamespace, c.relpersistence, p.relname AS parent, p.oid AS parent_oid, p.relkind AS parent_kind,
         substring(c.relname from '_([0-9]{6})$')::bigint AS number, pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid JOIN whole p ON p.oid = i.inhparent
  WHERE c.relkind IN ('r', 'p', 'f')
)
SELECT CASE relkind WHEN 'v' THEN 'view ' ELSE 'table ' END || relname || ': ' || relkind::text || relpersistence::text
       || CASE WHEN has_policies THEN ' with row security' ELSE '' END
FROM whole
UNION ALL
SELECT 'column ' || t.relname || '.' || a.attname || ': ' || format_type(a.atttypid, a.atttypmod)
       || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END || coalesce(' collate ' || l.collname, '')
       || coalesce(CASE a.attgenerated WHEN 's' THEN ' generated ' ELSE ' default ' END || pg_get_expr(d.adbin, d.adrelid), '')
FROM whole t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_collation l ON l.oid = a.attcollation LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
WHERE t.relkind IN ('r', 'p')
UNION ALL
SELECT 'constraint ' || t.relname || '.' || c.conname || ': ' || pg_get_constraintdef(c.oid)
       || CASE WHEN c.convalidated THEN '' ELSE ' not validated' END
FROM whole t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype <> 'n'
UNION ALL
SELECT 'index ' || t.relname || '.' || i.relname || ': ' || pg_get_indexdef(x.indexrelid)
       || CASE WHEN x.indisvalid AND x.indisready THEN '' ELSE ' not valid' END
FROM whole t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
UNION ALL
SELECT 'trigger ' || t.relname || '.' || g.tgname || ': ' || pg_get_triggerdef(g.oid) || ' enabled ' || g.tgenabled::text
FROM whole t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
UNION ALL
SELECT 'rule ' || t.relname || '.' || r.rulename || ': ' || pg_get_ruledef(r.oid)
FROM whole t JOIN pg_rewrite r ON r.ev_class = t.oid WHERE r.rulename <> '_RETURN'
UNION ALL
SELECT 'policy ' || t.relname || '.' || p.polname || ': policy' FROM whole t JOIN pg_policy p ON p.polrelid = t.oid
UNION ALL
SELECT 'function ' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || '): ' || l.lanname || ' '
       || p.provolatile::text || CASE WHEN p.prosecdef THEN ' security definer ' ELSE ' ' END || coalesce(p.proconfig::text, '')
       || ' returns ' || pg_get_function_result(p.oid) || ' ' || p.prosrc
FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang WHERE p.pronamespace = 'countersign'::regnamespace
UNION ALL
SELECT 'type ' || y.typname || ': ' || y.typtype::text
FROM pg_type y LEFT JOIN pg_class c ON c.oid = y.typrelid
WHERE y.typnamespace = 'countersign'::regnamespace AND (y.typtype IN ('d', 'e', 'r', 'm') OR c.relkind = 'c')
UNION ALL
-- Partitions that lack something, or cover other positions than their number says.
SELECT 'partition ' || p.relname || ': of ' || p.parent || ' ' || coalesce(p.bound, '')
FROM parts p
WHERE p.relnamespace <> 'countersign'::regnamespace OR p.parent_kind <> 'p' OR p.relpersistence <> 'p' OR p.number IS NULL
   OR p.relname <> p.parent || '_' || lpad(p.number::text, 6, '0')
   OR p.bound <> format('FOR VALUES FROM (''%s'') TO (''%s'')', p.number * 33554432, (p.number + 1) * 33554432)
   OR (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.oid AND g.tgenabled = 'O' AND g.tgparentid <> 0
         AND NOT g.tgisinternal)
      <> (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.parent_oid AND NOT g.tgisinternal AND g.tgtype & 1 = 1)
   OR NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = p.oid AND g.tgname = 'no_truncate' AND g.tgenabled = 'O'
                  AND pg_get_triggerdef(g.oid) = format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON countersign.%I FOR EACH'
                      ' STATEMENT EXECUTE FUNCTION countersign.refuse(''the log is append-only'')', p.relname))
   OR (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.oid AND NOT g.tgisinternal)
      <> 1 + (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.parent_oid AND NOT g.tgisinternal AND g.tgtype & 1 = 1)
   OR EXISTS (SELECT 1 FROM pg_index x WHERE x.indrelid = p.oid AND NOT (x.indisvalid AND x.indisready))
   OR (SELECT count(*) FROM pg_index x WHERE x.indrelid = p.oid)
      <> (SELECT count(*) FROM pg_index x WHERE x.indrelid = p.parent_oid)
   OR EXISTS (SELECT 1 FROM pg_policy y WHERE y.polrelid = p.oid)
   OR EXISTS (SELECT 1 FROM pg_rewrite r WHERE r.ev_class = p.oid)
UNION ALL
-- Tables that are partitions of nothing.
SELECT 'partition ' || t.relname || ': of nothing' FROM tables t
WHERE t.relispartition AND NOT EXISTS (SELECT 1 FROM parts p WHERE p.oid = t.oid)
UNION ALL
-- Everything belongs to the schema's owner.
SELECT 'owner of ' || t.relname || ': ' || t.relowner::regrole::text
FROM tables t JOIN pg_namespace n ON n.oid = 'countersign'::regnamespace WHERE t.relowner <> n.nspowner
UNION ALL
SELECT 'owner of ' || p.proname || ': ' || p.proowner::regrole::text
FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'countersign' AND p.proowner <> n.nspowner
UNION ALL
-- Rights that let others than the owner go around the triggers, and any right of everybody.
SELECT 'right to ' || a.privilege_type || ' of ' || CASE a.grantee WHEN 0 THEN 'everybody' ELSE a.grantee::regrole::text END
       || ' on ' || t.relname || ': granted'
FROM tables t CROSS JOIN LATERAL aclexplode(t.relacl) a
WHERE a.grantee <> t.relowner AND (a.grantee = 0 OR a.privilege_type IN ('TRUNCATE', 'TRIGGER', 'REFERENCES'))
UNION ALL
SELECT 'right to ' || a.privilege_type || ' of everybody on ' || t.relname || '.' || c.attname || ': granted'
FROM tables t JOIN pg_attribute c ON c.attrelid = t.oid CROSS JOIN LATERAL aclexplode(c.attacl) a WHERE a.grantee = 0
UNION ALL
SELECT 'right to ' || a.privilege_type || ' of ' || CASE a.grantee WHEN 0 THEN 'everybody' ELSE a.grantee::regrole::text END
       || ' on the schema: granted'
FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) a
WHERE n.nspname = 'countersign' AND a.grantee <> n.nspowner AND (a.grantee = 0 OR a.privilege_type = 'CREATE')
UNION ALL
SELECT 'right to EXECUTE of everybody on add_partitions: granted'
FROM pg_proc p CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
WHERE p.pronamespace = 'countersign'::regnamespace AND p.proname = 'add_partitions' AND a.grantee = 0
UNION ALL
-- A setting that switches all triggers off.
SELECT 'setting session_replication_role: ' || setting
FROM pg_db_role_setting s CROSS JOIN LATERAL unnest(s.setconfig) AS setting
WHERE s.setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
  AND setting LIKE 'session_replication_role=%' AND setting <> 'session_replication_role=origin'
ORDER BY 1
