-- Lists everything in the schema countersign, one object per row, as "kind name: definition". The file objects.txt has what this
-- lists for a schema of this version. Partitions are listed by their parents' names, with the number of those that have all of
-- the parent's parts, because there are as many as the log needs.
WITH tables AS (
  SELECT c.oid, c.relname, c.relkind, c.relrowsecurity OR c.relforcerowsecurity AS has_policies, c.relowner, c.relacl,
         c.relispartition, coalesce(c.reloptions::text, '') AS options
  FROM pg_class c WHERE c.relnamespace = 'countersign'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
), whole AS (SELECT * FROM tables WHERE NOT relispartition),
parts AS (
  SELECT t.oid, t.relname, p.relname AS parent, p.oid AS parent_oid, substring(t.relname from '_([0-9]{6})$')::bigint AS number,
         pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM tables t JOIN pg_class c ON c.oid = t.oid LEFT JOIN pg_inherits i ON i.inhrelid = t.oid
  LEFT JOIN tables p ON p.oid = i.inhparent WHERE t.relispartition
)
SELECT CASE relkind WHEN 'v' THEN 'view ' ELSE 'table ' END || relname || ': ' || relkind::text || ' ' || options
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
-- Partitions that lack something, or cover other positions than their number says.
SELECT 'partition ' || p.relname || ': of ' || coalesce(p.parent, 'nothing') || ' ' || p.bound
FROM parts p
WHERE p.parent IS NULL OR p.number IS NULL OR p.relname <> p.parent || '_' || lpad(p.number::text, 6, '0')
   OR p.bound <> format('FOR VALUES FROM (''%s'') TO (''%s'')', p.number * 33554432, (p.number + 1) * 33554432)
   OR (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.oid AND g.tgenabled = 'O' AND g.tgparentid <> 0
         AND NOT g.tgisinternal)
      <> (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.parent_oid AND NOT g.tgisinternal AND g.tgtype & 1 = 1)
   OR NOT EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = p.oid AND g.tgname = 'no_truncate' AND g.tgenabled = 'O')
   OR (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.oid AND NOT g.tgisinternal)
      <> 1 + (SELECT count(*) FROM pg_trigger g WHERE g.tgrelid = p.parent_oid AND NOT g.tgisinternal AND g.tgtype & 1 = 1)
   OR EXISTS (SELECT 1 FROM pg_index x WHERE x.indrelid = p.oid AND NOT (x.indisvalid AND x.indisready))
   OR (SELECT count(*) FROM pg_index x WHERE x.indrelid = p.oid)
      <> (SELECT count(*) FROM pg_index x WHERE x.indrelid = p.parent_oid)
   OR EXISTS (SELECT 1 FROM pg_policy y WHERE y.polrelid = p.oid)
   OR EXISTS (SELECT 1 FROM pg_rewrite r WHERE r.ev_class = p.oid)
UNION ALL
-- Rights that let others than the owner go around the triggers.
SELECT 'right to ' || a.privilege_type || ' of ' || CASE a.grantee WHEN 0 THEN 'everybody' ELSE a.grantee::regrole::text END
       || ' on ' || t.relname || ': granted'
FROM tables t CROSS JOIN LATERAL aclexplode(t.relacl) a
WHERE a.grantee <> t.relowner AND (a.grantee = 0 OR a.privilege_type IN ('TRUNCATE', 'TRIGGER', 'REFERENCES'))
UNION ALL
SELECT 'right to EXECUTE of everybody on add_partitions: granted'
FROM pg_proc p CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
WHERE p.pronamespace = 'countersign'::regnamespace AND p.proname = 'add_partitions' AND a.grantee = 0
ORDER BY 1
