-- What is checked on the way of an event, and stays as it is, in a form that costs less. No row is touched.
--
-- Whether something is one of three words or more, SQLite finds out by building a table of the words, anew for every row.
-- So words are compared one by one.
--
-- What is generated from an event's header is made for every row that is inserted, and once more for its triggers, whether it is
-- needed or not. So only what has an index is; the view `events` shows the rest as before.
--
-- A statement with triggers that may have to be undone copies every page before it changes it. One that inserts a single row
-- is refused before it changes anything, so FAIL, which undoes nothing, means the same there as ABORT. Of several rows those
-- before the refused one stay, as if each had come by itself; what is there already is changed by none. Updates still abort.

DROP VIEW events;

PRAGMA writable_schema = ON;
-- None of the columns that go was stored.
UPDATE sqlite_schema SET sql = 'CREATE TABLE event_log (
  seq            INTEGER PRIMARY KEY,
  header         TEXT NOT NULL,
  leaf_hash      BLOB NOT NULL,
  event_id       TEXT GENERATED ALWAYS AS (header ->> ''$.event_id'') VIRTUAL,
  event_type     TEXT GENERATED ALWAYS AS (header ->> ''$.event_type'') VIRTUAL,
  correlation_id TEXT GENERATED ALWAYS AS (header ->> ''$.correlation_id'') VIRTUAL
) STRICT'
WHERE type = 'table' AND name = 'event_log';
UPDATE sqlite_schema SET sql = replace(sql, 'RAISE(ABORT,', 'RAISE(FAIL,')
WHERE type = 'trigger' AND name IN ('event_bodies_no_replace', 'ledger_nodes_no_replace',
  'report_entries_whole', 'report_entries_no_replace', 'report_bodies_no_replace', 'review_entries_no_replace',
  'alert_ranks_in_order');
UPDATE sqlite_schema SET sql = replace(sql, 'state IN (''requested'', ''recorded'', ''failed'')',
  'state = ''requested'' OR state = ''recorded'' OR state = ''failed''')
WHERE type = 'table' AND name = 'open_answers';
UPDATE sqlite_schema SET sql = replace(replace(sql, 'report_type IN (''internal'', ''compliance'', ''full'')',
  'report_type = ''internal'' OR report_type = ''compliance'' OR report_type = ''full'''),
  'severity IN (''MEDIUM'', ''HIGH'', ''CRITICAL'')',
  'severity = ''MEDIUM'' OR severity = ''HIGH'' OR severity = ''CRITICAL''')
WHERE type = 'table' AND name = 'report_entries';
UPDATE sqlite_schema SET sql = replace(replace(replace(sql,
  'alert_state IN (''open'', ''reported'', ''closed'')',
  'alert_state = ''open'' OR alert_state = ''reported'' OR alert_state = ''closed'''),
  'state IN (''open'', ''in_review'', ''approved'', ''sent_back'', ''disposed'')',
  'state = ''open'' OR state = ''in_review'' OR state = ''approved'' OR state = ''sent_back'' OR state = ''disposed'''),
  'severity IN (''low'', ''medium'', ''high'', ''critical'')',
  'severity = ''low'' OR severity = ''medium'' OR severity = ''high'' OR severity = ''critical''')
WHERE type = 'table' AND name = 'case_states';
UPDATE sqlite_schema SET sql = replace(sql, 'severity IN (''low'', ''medium'', ''high'', ''critical'')',
  'severity = ''low'' OR severity = ''medium'' OR severity = ''high'' OR severity = ''critical''')
WHERE type = 'table' AND name = 'alert_ranks';
PRAGMA writable_schema = RESET;

CREATE VIEW events AS
SELECT l.seq, l.event_id, l.event_type, l.header ->> '$.occurred_at' AS occurred_at,
       l.header ->> '$.recorded_at' AS recorded_at, l.header ->> '$.producer' AS producer, l.correlation_id,
       l.header ->> '$.causation_id' AS causation_id, l.header ->> '$.schema_version' AS schema_version, b.payload, b.metadata
FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq;

DROP TRIGGER event_log_no_replace;
CREATE TRIGGER event_log_no_replace BEFORE INSERT ON event_log
WHEN EXISTS (SELECT 1 FROM event_log WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM event_log WHERE event_id = NEW.event_id)
BEGIN SELECT RAISE(FAIL, 'the event log is append-only'); END;

-- An event's type is read out of its header, and so only once here.
DROP TRIGGER case_states_by_event;
CREATE TRIGGER case_states_by_event BEFORE INSERT ON case_states
WHEN EXISTS (SELECT 1 FROM case_states WHERE investigation_id = NEW.investigation_id)
  OR EXISTS (SELECT 1 FROM case_states WHERE alert_seq = NEW.alert_seq)
  OR NOT EXISTS (
    SELECT 1 FROM event_log
    WHERE seq = NEW.seq AND CASE event_type WHEN 'FRAUD_ALERT_CREATED' THEN 1 WHEN 'INVESTIGATION_CREATED' THEN 1
      WHEN 'REPORT_GENERATED' THEN 1 END)
BEGIN SELECT RAISE(FAIL, 'a case begins with an event'); END;
DROP TRIGGER case_states_no_update;
CREATE TRIGGER case_states_no_update BEFORE UPDATE ON case_states
WHEN NEW.investigation_id IS NOT OLD.investigation_id
  OR NEW.seq < OLD.seq
  OR NEW.seq > OLD.seq AND NOT EXISTS (
    SELECT 1 FROM event_log
    WHERE seq = NEW.seq AND CASE event_type WHEN 'FRAUD_ALERT_CREATED' THEN 1 WHEN 'INVESTIGATION_CREATED' THEN 1
      WHEN 'INVESTIGATION_ASSIGNED' THEN 1 WHEN 'REPORT_GENERATED' THEN 1 WHEN 'REPORT_APPROVED' THEN 1
      WHEN 'REPORT_NEEDS_REVIEW' THEN 1 WHEN 'SUPERVISOR_REVIEW_REQUESTED' THEN 1 WHEN 'REVIEW_DECIDED' THEN 1 END)
  OR NEW.seq = OLD.seq AND (
    NEW.assigned_to IS NOT NULL OR NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.assigned_seq)
    OR NEW.state IS NOT OLD.state OR NEW.alert_state IS NOT OLD.alert_state OR NEW.severity IS NOT OLD.severity
    OR NEW.report_id IS NOT OLD.report_id OR NEW.alert_seq IS NOT OLD.alert_seq
    OR NEW.opened_seq IS NOT OLD.opened_seq OR NEW.report_seq IS NOT OLD.report_seq
    OR NEW.assigned_seq IS NOT OLD.assigned_seq)
BEGIN SELECT RAISE(ABORT, 'a case only goes on, by an event about it'); END;
DROP TRIGGER validation_entries_no_replace;
CREATE TRIGGER validation_entries_no_replace BEFORE INSERT ON validation_entries
WHEN EXISTS (SELECT 1 FROM validation_entries WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM validation_entries WHERE id = NEW.id)
BEGIN SELECT RAISE(FAIL, 'validations are append-only'); END;
