-- Investigations: whose transactions, which reports, what was said about them, and where each case stands.
--
-- Rows are derived from events in the same commit, but for two: a report's content, of which the event has the hash, and
-- the history, which the agent that needs it fills behind the log.

-- One row per transaction that the history's agent has passed. What was erased has none.
CREATE TABLE user_transactions (
  seq     INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL
) STRICT;

CREATE INDEX user_transactions_by_user ON user_transactions (user_id);

-- One row per REPORT_GENERATED. All but the first five columns go with an erasure. The current version is the greatest:
-- it is found, never marked, because a mark would have to change.
CREATE TABLE report_entries (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL,
  investigation_id   TEXT NOT NULL,
  report_type        TEXT NOT NULL CHECK (report_type IN ('internal', 'compliance', 'full')),
  version            INTEGER NOT NULL CHECK (version >= 1),
  fraud_detection_id TEXT,
  transaction_id     TEXT,
  severity           TEXT CHECK (severity IN ('MEDIUM', 'HIGH', 'CRITICAL')),
  risk_score         INTEGER CHECK (risk_score BETWEEN 0 AND 100),
  content_hash       TEXT,
  generated_at       TEXT,
  regeneration_of    TEXT
) STRICT;

CREATE UNIQUE INDEX report_entries_by_id ON report_entries (id);
CREATE UNIQUE INDEX report_entries_by_investigation ON report_entries (investigation_id, report_type, version);
CREATE UNIQUE INDEX report_entries_by_alert ON report_entries (fraud_detection_id, report_type, version);
CREATE INDEX report_entries_by_severity ON report_entries (severity, report_type);

-- The content, once. Its SHA-256 stands in the event.
CREATE TABLE report_bodies (
  seq     INTEGER PRIMARY KEY,
  content TEXT NOT NULL CHECK (octet_length(content) <= 8388608 AND json_valid(content)
                               AND json_type(content) = 'object')
) STRICT;

-- Every version; erased ones are not shown.
CREATE VIEW reports AS
SELECT e.id, e.transaction_id, e.fraud_detection_id, e.investigation_id, e.report_type, e.severity, e.risk_score,
       b.content ->> '$.executive_summary' AS executive_summary, b.content ->> '$.fraud_explanation' AS fraud_explanation,
       b.content ->> '$.timeline_narrative' AS timeline_narrative,
       b.content ->> '$.risk_justification' AS risk_justification, b.content ->> '$.markdown_content' AS markdown_content,
       b.content -> '$.structured_data' AS structured_data, e.generated_at,
       b.content ->> '$.investigation_narrative' AS investigation_narrative, e.version, e.content_hash, e.seq,
       e.regeneration_of
FROM report_entries e JOIN report_bodies b ON b.seq = e.seq;

-- One row per verdict of the supervisor. The whole verdict stands in its event. Where a row could not be stored, the
-- event says so: a verdict must not be lost for the sake of its row.
CREATE TABLE validation_entries (
  seq              INTEGER PRIMARY KEY,
  id               TEXT NOT NULL,
  report_id        TEXT NOT NULL,
  passed           INTEGER NOT NULL CHECK (passed IN (0, 1)),
  validation_score INTEGER NOT NULL CHECK (validation_score BETWEEN 0 AND 100),
  validated_at     TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX validation_entries_by_id ON validation_entries (id);
CREATE INDEX validation_entries_by_report ON validation_entries (report_id, validated_at);

CREATE VIEW report_validations AS
SELECT e.id, e.report_id, e.passed, e.validation_score,
       coalesce(b.metadata -> '$.validation.issues', b.payload -> '$.issues', '[]') AS issues,
       coalesce(b.metadata ->> '$.validation.feedback', b.payload ->> '$.feedback', b.payload ->> '$.validation_notes', '')
         AS feedback,
       coalesce(b.metadata -> '$.validation.structured_feedback', '{}') AS structured_feedback, e.validated_at, e.seq
FROM validation_entries e JOIN event_bodies b ON b.seq = e.seq;

-- One row per REVIEW_DECIDED: what a person decided stands in the event.
CREATE TABLE review_entries (
  seq              INTEGER PRIMARY KEY,
  report_id        TEXT NOT NULL,
  investigation_id TEXT
) STRICT;

CREATE INDEX review_entries_by_report ON review_entries (report_id);
CREATE INDEX review_entries_by_investigation ON review_entries (investigation_id);

-- Where each investigation stands, with the newest event about it. A row comes with an alert that will be investigated,
-- or with whatever comes first; the others tell where alert, opening, newest report and assignment stand in the log.
CREATE TABLE case_states (
  investigation_id TEXT PRIMARY KEY,
  seq              INTEGER NOT NULL,
  state            TEXT NOT NULL CHECK (state IN ('open', 'in_review', 'approved', 'sent_back', 'disposed')),
  alert_state      TEXT NOT NULL CHECK (alert_state IN ('open', 'reported', 'closed')),
  severity         TEXT CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  assigned_to      TEXT,
  report_id        TEXT,
  alert_seq        INTEGER,
  opened_seq       INTEGER,
  report_seq       INTEGER,
  assigned_seq     INTEGER
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX case_states_by_alert ON case_states (alert_seq);
CREATE INDEX case_states_by_alert_state ON case_states (alert_state, severity, alert_seq);
CREATE INDEX case_states_by_state ON case_states (state, severity, opened_seq);
CREATE INDEX case_states_by_report ON case_states (state, report_seq);

-- For lists and for correlation.
CREATE INDEX alerts_by_severity ON alerts (severity);
CREATE INDEX alerts_by_score ON alerts (severity, score);
CREATE INDEX investigations_by_user ON investigations (user_id);
CREATE INDEX investigations_by_severity ON investigations (severity);

-- Append-only, but for lawful erasure. What is there is not replaced either, also by connections on which REPLACE
-- deletes without asking.
CREATE TRIGGER user_transactions_no_replace BEFORE INSERT ON user_transactions
WHEN EXISTS (SELECT 1 FROM user_transactions WHERE seq = NEW.seq)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER user_transactions_no_update BEFORE UPDATE ON user_transactions
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;
CREATE TRIGGER user_transactions_no_delete BEFORE DELETE ON user_transactions
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;

CREATE TRIGGER report_entries_whole BEFORE INSERT ON report_entries
WHEN NEW.fraud_detection_id IS NULL OR NEW.severity IS NULL OR NEW.risk_score IS NULL OR NEW.content_hash IS NULL
  OR NEW.generated_at IS NULL
BEGIN SELECT RAISE(ABORT, 'a report needs its alert, severity, score, hash and time'); END;
CREATE TRIGGER report_entries_no_replace BEFORE INSERT ON report_entries
WHEN EXISTS (SELECT 1 FROM report_entries WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM report_entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM report_entries WHERE investigation_id = NEW.investigation_id
             AND report_type = NEW.report_type AND version = NEW.version)
  OR EXISTS (SELECT 1 FROM report_entries WHERE fraud_detection_id = NEW.fraud_detection_id
             AND report_type = NEW.report_type AND version = NEW.version)
BEGIN SELECT RAISE(ABORT, 'this version of the report is there already'); END;
CREATE TRIGGER report_entries_no_update BEFORE UPDATE ON report_entries
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq) OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id
  OR NEW.investigation_id IS NOT OLD.investigation_id OR NEW.report_type IS NOT OLD.report_type
  OR NEW.version IS NOT OLD.version OR NEW.fraud_detection_id IS NOT NULL OR NEW.transaction_id IS NOT NULL
  OR NEW.severity IS NOT NULL OR NEW.risk_score IS NOT NULL OR NEW.content_hash IS NOT NULL
  OR NEW.generated_at IS NOT NULL OR NEW.regeneration_of IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'reports are append-only'); END;
CREATE TRIGGER report_entries_no_delete BEFORE DELETE ON report_entries
BEGIN SELECT RAISE(ABORT, 'reports are append-only'); END;

CREATE TRIGGER report_bodies_no_replace BEFORE INSERT ON report_bodies
WHEN EXISTS (SELECT 1 FROM report_bodies WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a report''s content is never changed'); END;
CREATE TRIGGER report_bodies_no_update BEFORE UPDATE ON report_bodies
BEGIN SELECT RAISE(ABORT, 'a report''s content is never changed'); END;
CREATE TRIGGER report_bodies_no_delete BEFORE DELETE ON report_bodies
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'a report''s content goes only by a PAYLOAD_ERASED event that names it'); END;

CREATE TRIGGER validation_entries_no_replace BEFORE INSERT ON validation_entries
WHEN EXISTS (SELECT 1 FROM validation_entries WHERE seq = NEW.seq OR id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'validations are append-only'); END;
CREATE TRIGGER validation_entries_no_update BEFORE UPDATE ON validation_entries
BEGIN SELECT RAISE(ABORT, 'validations are append-only'); END;
CREATE TRIGGER validation_entries_no_delete BEFORE DELETE ON validation_entries
BEGIN SELECT RAISE(ABORT, 'validations are append-only'); END;

CREATE TRIGGER review_entries_no_replace BEFORE INSERT ON review_entries
WHEN EXISTS (SELECT 1 FROM review_entries WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_entries_no_update BEFORE UPDATE ON review_entries
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_entries_no_delete BEFORE DELETE ON review_entries
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;

-- A case moves on with an event about it, and forgets whom it was given to when that event is erased.
CREATE TRIGGER case_states_by_event BEFORE INSERT ON case_states
WHEN EXISTS (SELECT 1 FROM case_states WHERE investigation_id = NEW.investigation_id OR alert_seq = NEW.alert_seq)
  OR NOT EXISTS (
    SELECT 1 FROM event_log
    WHERE seq = NEW.seq AND event_type IN ('FRAUD_ALERT_CREATED', 'INVESTIGATION_CREATED', 'REPORT_GENERATED'))
BEGIN SELECT RAISE(ABORT, 'a case begins with an event'); END;
CREATE TRIGGER case_states_no_update BEFORE UPDATE ON case_states
WHEN NEW.investigation_id IS NOT OLD.investigation_id
  OR NEW.seq < OLD.seq
  OR NEW.seq > OLD.seq AND NOT EXISTS (
    SELECT 1 FROM event_log
    WHERE seq = NEW.seq AND event_type IN ('FRAUD_ALERT_CREATED', 'INVESTIGATION_CREATED', 'INVESTIGATION_ASSIGNED',
      'REPORT_GENERATED', 'REPORT_APPROVED', 'REPORT_NEEDS_REVIEW', 'SUPERVISOR_REVIEW_REQUESTED', 'REVIEW_DECIDED'))
  OR NEW.seq = OLD.seq AND (
    NEW.assigned_to IS NOT NULL OR NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.assigned_seq)
    OR NEW.state IS NOT OLD.state OR NEW.alert_state IS NOT OLD.alert_state OR NEW.severity IS NOT OLD.severity
    OR NEW.report_id IS NOT OLD.report_id OR NEW.alert_seq IS NOT OLD.alert_seq
    OR NEW.opened_seq IS NOT OLD.opened_seq OR NEW.report_seq IS NOT OLD.report_seq
    OR NEW.assigned_seq IS NOT OLD.assigned_seq)
BEGIN SELECT RAISE(ABORT, 'a case only goes on, by an event about it'); END;
CREATE TRIGGER case_states_no_delete BEFORE DELETE ON case_states
BEGIN SELECT RAISE(ABORT, 'a case is never removed'); END;
