-- The schema of a store on SQLite: version 9, kept in user_version.
--
-- A store is opened only if the text of every object in its schema is exactly the one below, so everything here is
-- part of the proof: a trigger that is missing or an index that was added is a finding. Changing the text of a
-- statement, even its white space, needs a new version.
--
-- Topics: the event log, the ledger, rows derived from events (transactions, alerts and investigations, audit
-- logs, reports, cases), dead letters and access keys, agents' progress.
--
-- Conventions:
--
-- Append-only. "_no_update" and "_no_delete" triggers refuse changes, except what an erasure needs. REPLACE
-- deletes the row that is in its way, and on a connection without recursive triggers it does so without asking the
-- delete trigger. So "_no_replace" triggers refuse a row whose key is taken before it is inserted. Where the store
-- itself inserts with ON CONFLICT DO NOTHING, they ignore the row instead.
--
-- Refusing a row. A statement whose triggers may abort copies every page before it changes it, to be able to undo.
-- A statement that inserts a single row is refused before it changes anything, so FAIL, which undoes nothing,
-- means the same as ABORT there and costs less. Of several rows, those before the refused one stay, as if each had
-- been inserted by itself. Updates abort.
--
-- Enumerations. For "x IN (…)" with more than two words SQLite builds a table of the words for every row. On
-- tables that events write, a CHECK therefore compares the words one by one.

-- ====================================================================================================================
-- The event log
--
-- The header is the truth of an event: the tree hashes its bytes, and the searchable columns are generated from it, so no second
-- copy can disagree. The body is stored apart, because it may have to be erased.

-- A generated column is computed for every inserted row and again for its triggers, whether it is needed or not.
-- So only columns with an index are generated; the view `events` shows the others.
CREATE TABLE event_log (
  seq            INTEGER PRIMARY KEY,
  header         TEXT NOT NULL,
  leaf_hash      BLOB NOT NULL,
  event_id       TEXT GENERATED ALWAYS AS (header ->> '$.event_id') VIRTUAL,
  event_type     TEXT GENERATED ALWAYS AS (header ->> '$.event_type') VIRTUAL,
  correlation_id TEXT GENERATED ALWAYS AS (header ->> '$.correlation_id') VIRTUAL
) STRICT;

CREATE UNIQUE INDEX event_log_by_id ON event_log (event_id);
CREATE INDEX event_log_by_type ON event_log (event_type, seq);
CREATE INDEX event_log_by_correlation ON event_log (correlation_id, seq);

CREATE TRIGGER event_log_no_replace BEFORE INSERT ON event_log
WHEN EXISTS (SELECT 1 FROM event_log WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM event_log WHERE event_id = NEW.event_id)
BEGIN SELECT RAISE(FAIL, 'the event log is append-only'); END;
CREATE TRIGGER event_log_no_update BEFORE UPDATE ON event_log
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
CREATE TRIGGER event_log_no_delete BEFORE DELETE ON event_log
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;

-- The header commits to salt, payload and metadata.
CREATE TABLE event_bodies (
  seq      INTEGER PRIMARY KEY,
  salt     BLOB NOT NULL,
  payload  TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;

CREATE TRIGGER event_bodies_no_replace BEFORE INSERT ON event_bodies
WHEN EXISTS (SELECT 1 FROM event_bodies WHERE seq = NEW.seq)
BEGIN SELECT RAISE(FAIL, 'event bodies are append-only'); END;
CREATE TRIGGER event_bodies_no_update BEFORE UPDATE ON event_bodies
BEGIN SELECT RAISE(ABORT, 'event bodies are append-only'); END;
CREATE TRIGGER event_bodies_no_delete BEFORE DELETE ON event_bodies
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'a body goes only by a PAYLOAD_ERASED event that names it'); END;

-- Which bodies were erased, and by which PAYLOAD_ERASED event. The event must name the body that is erased.
CREATE TABLE erasures (
  seq       INTEGER PRIMARY KEY,
  event_seq INTEGER NOT NULL
) STRICT;

CREATE TRIGGER erasures_named BEFORE INSERT ON erasures
WHEN NOT EXISTS (
  SELECT 1 FROM event_log l JOIN event_bodies b ON b.seq = l.seq, json_each(b.payload, '$.seqs') named
  WHERE l.seq = NEW.event_seq AND l.event_type = 'PAYLOAD_ERASED' AND named.value = NEW.seq AND NEW.seq < NEW.event_seq
)
BEGIN SELECT RAISE(ABORT, 'an erasure needs a PAYLOAD_ERASED event that names it'); END;

-- Other records are checked against these events, so they can't be erased.
CREATE TRIGGER erasures_kept BEFORE INSERT ON erasures
WHEN EXISTS (
  SELECT 1 FROM event_log
  WHERE seq = NEW.seq AND event_type IN ('PAYLOAD_ERASED', 'KEY_CHANGED', 'EVENT_DEAD_LETTERED')
)
BEGIN SELECT RAISE(ABORT, 'the record of an erasure, a key or a dead letter can''t be erased'); END;

CREATE TRIGGER erasures_no_replace BEFORE INSERT ON erasures
WHEN EXISTS (SELECT 1 FROM erasures WHERE seq = NEW.seq)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER erasures_no_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures are append-only'); END;
CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures are append-only'); END;

-- For people: an event with all its columns.
CREATE VIEW events AS
SELECT l.seq, l.event_id, l.event_type, l.header ->> '$.occurred_at' AS occurred_at,
       l.header ->> '$.recorded_at' AS recorded_at, l.header ->> '$.producer' AS producer, l.correlation_id,
       l.header ->> '$.causation_id' AS causation_id, l.header ->> '$.schema_version' AS schema_version, b.payload, b.metadata
FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq;

-- ====================================================================================================================
-- The ledger

-- The tree's right edge. Leaf hashes are in event_log. The seal is a signature of the log's key over size and
-- root, made in the commit that wrote them: without the key nobody can add events, not even after the last
-- checkpoint. It may be null in a store that was written before commits were sealed. The column is written the way
-- in which SQLite adds one to a table, because that is its text in existing stores of this version.
CREATE TABLE ledger_head (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  origin   TEXT NOT NULL,
  size     INTEGER NOT NULL,
  root     BLOB NOT NULL,
  frontier BLOB NOT NULL
, seal BLOB) STRICT;

-- Every complete subtree of 256, 65,536, … leaves.
CREATE TABLE ledger_nodes (
  level INTEGER NOT NULL,
  idx   INTEGER NOT NULL,
  hash  BLOB NOT NULL,
  PRIMARY KEY (level, idx)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER ledger_nodes_no_replace BEFORE INSERT ON ledger_nodes
WHEN EXISTS (SELECT 1 FROM ledger_nodes WHERE level = NEW.level AND idx = NEW.idx)
BEGIN SELECT RAISE(FAIL, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_nodes_no_update BEFORE UPDATE ON ledger_nodes
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_nodes_no_delete BEFORE DELETE ON ledger_nodes
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- Signed checkpoints, one per minute. The newest is also kept outside the database.
CREATE TABLE checkpoints (
  size INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;

-- ====================================================================================================================
-- Transactions
--
-- Here and below, each row of a derived table has the position (seq) of its event and is checked against it.

-- What makes a transaction unique, and nothing else: every transaction writes this table.
CREATE TABLE transaction_ids (
  seq            INTEGER PRIMARY KEY,
  transaction_id TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX transaction_ids_by_id ON transaction_ids (transaction_id);

CREATE TRIGGER transaction_ids_no_replace BEFORE INSERT ON transaction_ids
WHEN EXISTS (SELECT 1 FROM transaction_ids WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM transaction_ids WHERE transaction_id = NEW.transaction_id)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER transaction_ids_no_update BEFORE UPDATE ON transaction_ids
BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;
CREATE TRIGGER transaction_ids_no_delete BEFORE DELETE ON transaction_ids
BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;

-- For people.
CREATE VIEW transactions AS
SELECT seq, payload ->> '$.transaction_id' AS transaction_id, payload ->> '$.user_id' AS user_id,
       payload ->> '$.amount.amount' AS amount, payload ->> '$.amount.currency' AS currency,
       payload ->> '$.occurred_at' AS occurred_at, payload ->> '$.merchant' AS merchant,
       payload ->> '$.category' AS category, payload ->> '$.channel' AS channel, payload -> '$.location' AS location,
       payload ->> '$.ip_address' AS ip_address, payload ->> '$.device_fingerprint' AS device_fingerprint,
       payload ->> '$.account_opened_at' AS account_opened_at, payload -> '$.metadata' AS metadata
FROM events WHERE event_type = 'TRANSACTION_RECEIVED';

-- Users' histories: one row for each transaction that the agent which fills them has passed. It is filled behind
-- the log, because an index by user would cost more than all other rows of a transaction. Erased transactions have
-- no row.
CREATE TABLE user_transactions (
  seq     INTEGER PRIMARY KEY,
  user_id TEXT NOT NULL
) STRICT;

CREATE INDEX user_transactions_by_user ON user_transactions (user_id);

CREATE TRIGGER user_transactions_no_replace BEFORE INSERT ON user_transactions
WHEN EXISTS (SELECT 1 FROM user_transactions WHERE seq = NEW.seq)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER user_transactions_no_update BEFORE UPDATE ON user_transactions
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;
CREATE TRIGGER user_transactions_no_delete BEFORE DELETE ON user_transactions
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END;

-- ====================================================================================================================
-- Alerts and investigations
--
-- An erasure blanks everything except the id.
CREATE TABLE alerts (
  seq            INTEGER PRIMARY KEY,
  alert_id       TEXT NOT NULL,
  user_id        TEXT,
  severity       TEXT,
  score          INTEGER,
  transaction_id TEXT
) STRICT;

-- A user's alerts are counted by severity from the index alone.
CREATE UNIQUE INDEX alerts_by_id ON alerts (alert_id);
CREATE INDEX alerts_by_user ON alerts (user_id, seq, severity);
CREATE INDEX alerts_by_severity ON alerts (severity);

CREATE TRIGGER alerts_no_replace BEFORE INSERT ON alerts
WHEN EXISTS (SELECT 1 FROM alerts WHERE seq = NEW.seq) OR EXISTS (SELECT 1 FROM alerts WHERE alert_id = NEW.alert_id)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER alerts_no_update BEFORE UPDATE ON alerts
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'alerts are append-only'); END;
CREATE TRIGGER alerts_no_delete BEFORE DELETE ON alerts
BEGIN SELECT RAISE(ABORT, 'alerts are append-only'); END;

-- An alert's rank: its place, counted from 1, among the alerts with the same severity and score. So the number of
-- such alerts before any position is the rank of the last one before it. Nothing here is personal, and ranks
-- outlive an erasure.
CREATE TABLE alert_ranks (
  seq      INTEGER NOT NULL,
  severity TEXT NOT NULL CHECK (severity = 'low' OR severity = 'medium' OR severity = 'high' OR severity = 'critical'),
  score    INTEGER NOT NULL CHECK (score BETWEEN 0 AND 100),
  nth      INTEGER NOT NULL CHECK (nth >= 1),
  PRIMARY KEY (severity, score, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER alert_ranks_in_order BEFORE INSERT ON alert_ranks
WHEN EXISTS (SELECT 1 FROM alert_ranks WHERE severity = NEW.severity AND score = NEW.score AND seq >= NEW.seq)
BEGIN SELECT RAISE(FAIL, 'a rank follows those before it'); END;
CREATE TRIGGER alert_ranks_no_update BEFORE UPDATE ON alert_ranks
BEGIN SELECT RAISE(ABORT, 'ranks are append-only'); END;
CREATE TRIGGER alert_ranks_no_delete BEFORE DELETE ON alert_ranks
BEGIN SELECT RAISE(ABORT, 'ranks are append-only'); END;

CREATE TABLE investigations (
  seq              INTEGER PRIMARY KEY,
  investigation_id TEXT NOT NULL,
  alert_id         TEXT,
  user_id          TEXT,
  severity         TEXT,
  risk_score       INTEGER
) STRICT;

CREATE UNIQUE INDEX investigations_by_id ON investigations (investigation_id);
CREATE INDEX investigations_by_user ON investigations (user_id);
CREATE INDEX investigations_by_severity ON investigations (severity);

CREATE TRIGGER investigations_no_replace BEFORE INSERT ON investigations
WHEN EXISTS (SELECT 1 FROM investigations WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM investigations WHERE investigation_id = NEW.investigation_id)
BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER investigations_no_update BEFORE UPDATE ON investigations
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'investigations are append-only'); END;
CREATE TRIGGER investigations_no_delete BEFORE DELETE ON investigations
BEGIN SELECT RAISE(ABORT, 'investigations are append-only'); END;

-- ====================================================================================================================
-- Audit logs ("answers")

-- One row per AUDIT_LOG_CREATED. Nothing in it is personal except the hash of an idempotency key, so the rest
-- outlives an erasure. created_at is in microseconds. The indexes grow at their right edges and end in seq, which
-- orders equal times.
CREATE TABLE log_entries (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL,
  created_at  INTEGER NOT NULL, -- microseconds
  risk_score  INTEGER NOT NULL CHECK (risk_score BETWEEN 0 AND 10),
  idempotency TEXT
) STRICT;

CREATE UNIQUE INDEX log_entries_by_id ON log_entries (id);
CREATE INDEX log_entries_by_time ON log_entries (created_at);
CREATE INDEX log_entries_by_score ON log_entries (risk_score, created_at);
CREATE INDEX log_entries_by_idempotency ON log_entries (idempotency) WHERE idempotency IS NOT NULL;

CREATE TRIGGER log_entries_no_update BEFORE UPDATE ON log_entries
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq) OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id
  OR NEW.created_at IS NOT OLD.created_at OR NEW.risk_score IS NOT OLD.risk_score OR NEW.idempotency IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'logs are append-only'); END;
CREATE TRIGGER log_entries_no_delete BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'logs are append-only'); END;
CREATE TRIGGER log_entries_no_replace BEFORE INSERT ON log_entries
WHEN EXISTS (SELECT 1 FROM log_entries WHERE seq = NEW.seq) OR EXISTS (SELECT 1 FROM log_entries WHERE id = NEW.id)
BEGIN SELECT RAISE(IGNORE); END;

-- For people. The status follows from the score. Erased logs are not shown.
CREATE VIEW logs AS
SELECT e.id, b.payload ->> '$.created_at' AS created_at, b.payload ->> '$.query' AS query,
       b.payload ->> '$.response' AS response, b.payload -> '$.audit' AS audit,
       CASE WHEN e.risk_score <= 3 THEN 'Safe' WHEN e.risk_score <= 6 THEN 'Warning' ELSE 'Flagged' END AS status,
       e.seq, e.risk_score, b.payload -> '$.worker' AS worker
FROM log_entries e JOIN event_bodies b ON b.seq = e.seq;

-- Answers whose audit isn't finished, with the newest event about each. The audit's event removes the row.
CREATE TABLE open_answers (
  log_id TEXT PRIMARY KEY,
  seq    INTEGER NOT NULL,
  state  TEXT NOT NULL CHECK (state = 'requested' OR state = 'recorded' OR state = 'failed')
) STRICT, WITHOUT ROWID;

CREATE INDEX open_answers_by_state ON open_answers (state, seq);

CREATE TRIGGER open_answers_no_update BEFORE UPDATE ON open_answers
WHEN NEW.log_id IS NOT OLD.log_id OR NEW.seq <= OLD.seq
BEGIN SELECT RAISE(ABORT, 'an open answer only goes on'); END;
CREATE TRIGGER open_answers_no_delete BEFORE DELETE ON open_answers
WHEN NOT EXISTS (SELECT 1 FROM log_entries WHERE id = OLD.log_id)
BEGIN SELECT RAISE(ABORT, 'an open answer ends with its audit'); END;

-- ====================================================================================================================
-- Reports

-- One row per REPORT_GENERATED. An erasure leaves the first five columns. The current version is the greatest one:
-- it is looked up, not marked, because a mark would have to be changed.
CREATE TABLE report_entries (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL,
  investigation_id   TEXT NOT NULL,
  report_type        TEXT NOT NULL CHECK (report_type = 'internal' OR report_type = 'compliance' OR report_type = 'full'),
  version            INTEGER NOT NULL CHECK (version >= 1),
  fraud_detection_id TEXT,
  transaction_id     TEXT,
  severity           TEXT CHECK (severity = 'MEDIUM' OR severity = 'HIGH' OR severity = 'CRITICAL'),
  risk_score         INTEGER CHECK (risk_score BETWEEN 0 AND 100),
  content_hash       TEXT,
  generated_at       TEXT,
  regeneration_of    TEXT
) STRICT;

CREATE UNIQUE INDEX report_entries_by_id ON report_entries (id);
CREATE UNIQUE INDEX report_entries_by_investigation ON report_entries (investigation_id, report_type, version);
CREATE UNIQUE INDEX report_entries_by_alert ON report_entries (fraud_detection_id, report_type, version);
CREATE INDEX report_entries_by_severity ON report_entries (severity, report_type);

-- Columns that an erasure blanks can't be NOT NULL, so a trigger requires them.
CREATE TRIGGER report_entries_whole BEFORE INSERT ON report_entries
WHEN NEW.fraud_detection_id IS NULL OR NEW.severity IS NULL OR NEW.risk_score IS NULL OR NEW.content_hash IS NULL
  OR NEW.generated_at IS NULL
BEGIN SELECT RAISE(FAIL, 'a report needs its alert, severity, score, hash and time'); END;

CREATE TRIGGER report_entries_no_replace BEFORE INSERT ON report_entries
WHEN EXISTS (SELECT 1 FROM report_entries WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM report_entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM report_entries WHERE investigation_id = NEW.investigation_id
             AND report_type = NEW.report_type AND version = NEW.version)
  OR EXISTS (SELECT 1 FROM report_entries WHERE fraud_detection_id = NEW.fraud_detection_id
             AND report_type = NEW.report_type AND version = NEW.version)
BEGIN SELECT RAISE(FAIL, 'this version of the report is there already'); END;
CREATE TRIGGER report_entries_no_update BEFORE UPDATE ON report_entries
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq) OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id
  OR NEW.investigation_id IS NOT OLD.investigation_id OR NEW.report_type IS NOT OLD.report_type
  OR NEW.version IS NOT OLD.version OR NEW.fraud_detection_id IS NOT NULL OR NEW.transaction_id IS NOT NULL
  OR NEW.severity IS NOT NULL OR NEW.risk_score IS NOT NULL OR NEW.content_hash IS NOT NULL
  OR NEW.generated_at IS NOT NULL OR NEW.regeneration_of IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'reports are append-only'); END;
CREATE TRIGGER report_entries_no_delete BEFORE DELETE ON report_entries
BEGIN SELECT RAISE(ABORT, 'reports are append-only'); END;

-- The content, stored once. Its event has its SHA-256. The size is bounded because readers hold it in memory.
CREATE TABLE report_bodies (
  seq     INTEGER PRIMARY KEY,
  content TEXT NOT NULL CHECK (octet_length(content) <= 8388608 AND json_valid(content)
                               AND json_type(content) = 'object')
) STRICT;

CREATE TRIGGER report_bodies_no_replace BEFORE INSERT ON report_bodies
WHEN EXISTS (SELECT 1 FROM report_bodies WHERE seq = NEW.seq)
BEGIN SELECT RAISE(FAIL, 'a report''s content is never changed'); END;
CREATE TRIGGER report_bodies_no_update BEFORE UPDATE ON report_bodies
BEGIN SELECT RAISE(ABORT, 'a report''s content is never changed'); END;
CREATE TRIGGER report_bodies_no_delete BEFORE DELETE ON report_bodies
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'a report''s content goes only by a PAYLOAD_ERASED event that names it'); END;

-- For people: every version that wasn't erased.
CREATE VIEW reports AS
SELECT e.id, e.transaction_id, e.fraud_detection_id, e.investigation_id, e.report_type, e.severity, e.risk_score,
       b.content ->> '$.executive_summary' AS executive_summary, b.content ->> '$.fraud_explanation' AS fraud_explanation,
       b.content ->> '$.timeline_narrative' AS timeline_narrative,
       b.content ->> '$.risk_justification' AS risk_justification, b.content ->> '$.markdown_content' AS markdown_content,
       b.content -> '$.structured_data' AS structured_data, e.generated_at,
       b.content ->> '$.investigation_narrative' AS investigation_narrative, e.version, e.content_hash, e.seq,
       e.regeneration_of
FROM report_entries e JOIN report_bodies b ON b.seq = e.seq;

-- One row per verdict of the supervisor. The whole verdict is in its event. If a row could not be stored, the
-- event says so: a verdict must not be lost because of its row.
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

CREATE TRIGGER validation_entries_no_replace BEFORE INSERT ON validation_entries
WHEN EXISTS (SELECT 1 FROM validation_entries WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM validation_entries WHERE id = NEW.id)
BEGIN SELECT RAISE(FAIL, 'validations are append-only'); END;
CREATE TRIGGER validation_entries_no_update BEFORE UPDATE ON validation_entries
BEGIN SELECT RAISE(ABORT, 'validations are append-only'); END;
CREATE TRIGGER validation_entries_no_delete BEFORE DELETE ON validation_entries
BEGIN SELECT RAISE(ABORT, 'validations are append-only'); END;

-- For people.
CREATE VIEW report_validations AS
SELECT e.id, e.report_id, e.passed, e.validation_score,
       coalesce(b.metadata -> '$.validation.issues', b.payload -> '$.issues', '[]') AS issues,
       coalesce(b.metadata ->> '$.validation.feedback', b.payload ->> '$.feedback', b.payload ->> '$.validation_notes', '')
         AS feedback,
       coalesce(b.metadata -> '$.validation.structured_feedback', '{}') AS structured_feedback, e.validated_at, e.seq
FROM validation_entries e JOIN event_bodies b ON b.seq = e.seq;

-- One row per REVIEW_DECIDED. Who decided, and why, is in the event.
CREATE TABLE review_entries (
  seq              INTEGER PRIMARY KEY,
  report_id        TEXT NOT NULL,
  investigation_id TEXT
) STRICT;

CREATE INDEX review_entries_by_report ON review_entries (report_id);
CREATE INDEX review_entries_by_investigation ON review_entries (investigation_id);

CREATE TRIGGER review_entries_no_replace BEFORE INSERT ON review_entries
WHEN EXISTS (SELECT 1 FROM review_entries WHERE seq = NEW.seq)
BEGIN SELECT RAISE(FAIL, 'reviews are append-only'); END;
CREATE TRIGGER review_entries_no_update BEFORE UPDATE ON review_entries
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;
CREATE TRIGGER review_entries_no_delete BEFORE DELETE ON review_entries
BEGIN SELECT RAISE(ABORT, 'reviews are append-only'); END;

-- ====================================================================================================================
-- Cases
--
-- The states of investigations and their reports, moved on by events. The application's state machine decides how; the triggers
-- only make sure that an event is behind every change.

-- The state of each investigation, with the newest event about it. A row begins with an alert that will be
-- investigated, or with whatever comes first. The last four columns are the positions of alert, opening, newest
-- report and assignment.
CREATE TABLE case_states (
  investigation_id TEXT PRIMARY KEY,
  seq              INTEGER NOT NULL,
  state            TEXT NOT NULL CHECK (state = 'open' OR state = 'in_review' OR state = 'approved' OR state = 'sent_back' OR state = 'disposed'),
  alert_state      TEXT NOT NULL CHECK (alert_state = 'open' OR alert_state = 'reported' OR alert_state = 'closed'),
  severity         TEXT CHECK (severity = 'low' OR severity = 'medium' OR severity = 'high' OR severity = 'critical'),
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

-- CASE, and not IN, because the event's type is extracted from its header, which this does only once.
CREATE TRIGGER case_states_by_event BEFORE INSERT ON case_states
WHEN EXISTS (SELECT 1 FROM case_states WHERE investigation_id = NEW.investigation_id)
  OR EXISTS (SELECT 1 FROM case_states WHERE alert_seq = NEW.alert_seq)
  OR NOT EXISTS (
    SELECT 1 FROM event_log
    WHERE seq = NEW.seq AND CASE event_type WHEN 'FRAUD_ALERT_CREATED' THEN 1 WHEN 'INVESTIGATION_CREATED' THEN 1
      WHEN 'REPORT_GENERATED' THEN 1 END)
BEGIN SELECT RAISE(FAIL, 'a case begins with an event'); END;

-- A case changes with a newer event about it, or forgets its assignee when the event that named them is erased.
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

CREATE TRIGGER case_states_no_delete BEFORE DELETE ON case_states
BEGIN SELECT RAISE(ABORT, 'a case is never removed'); END;

-- The state of each report that no newer version has replaced. seq is that of its REPORT_GENERATED, as in
-- report_entries.
CREATE TABLE report_states (
  -- Of its REPORT_GENERATED, as in `report_entries`.
  seq   INTEGER PRIMARY KEY,
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'in_review' OR state = 'approved' OR state = 'sent_back'
          OR state = 'disposed')
) STRICT;

CREATE INDEX report_states_by_state ON report_states (state);

CREATE TRIGGER report_states_by_report BEFORE INSERT ON report_states
WHEN EXISTS (SELECT 1 FROM report_states WHERE seq = NEW.seq)
  OR NOT EXISTS (SELECT 1 FROM report_entries WHERE seq = NEW.seq)
BEGIN SELECT RAISE(FAIL, 'a report''s state begins with the report'); END;
CREATE TRIGGER report_states_no_update BEFORE UPDATE ON report_states
WHEN NEW.seq IS NOT OLD.seq OR OLD.state = 'disposed'
BEGIN SELECT RAISE(ABORT, 'only the state of a report that is not disposed of moves'); END;
CREATE TRIGGER report_states_no_delete BEFORE DELETE ON report_states
WHEN NOT EXISTS (SELECT 1 FROM report_entries o JOIN report_entries n ON n.investigation_id = o.investigation_id
                 WHERE o.seq = OLD.seq AND n.seq > o.seq)
BEGIN SELECT RAISE(ABORT, 'a report''s state goes only with a newer version'); END;

-- ====================================================================================================================
-- Dead letters and access keys
--
-- Their rows change, but every change is an event, and the events can't be erased. So they need no triggers.

-- Letters are paged by id, in which every index ends.
CREATE TABLE dead_letters (
  id               TEXT PRIMARY KEY,
  seq              INTEGER NOT NULL,
  agent            TEXT NOT NULL,
  event_seq        INTEGER NOT NULL,
  event_id         TEXT NOT NULL,
  event_type       TEXT NOT NULL,
  attempts         INTEGER NOT NULL,
  error            TEXT NOT NULL,
  dead_lettered_at TEXT NOT NULL,
  state            TEXT NOT NULL CHECK (state IN ('dead', 'replaying', 'replayed'))
) STRICT, WITHOUT ROWID;

CREATE INDEX dead_letters_by_agent ON dead_letters (agent);
CREATE INDEX dead_letters_by_state ON dead_letters (state);
CREATE INDEX dead_letters_by_agent_and_state ON dead_letters (agent, state);

CREATE TABLE access_keys (
  id            TEXT PRIMARY KEY,
  seq           INTEGER NOT NULL,
  name          TEXT NOT NULL,
  role          TEXT NOT NULL,
  secret_sha256 TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  expires_at    TEXT,
  revoked_at    TEXT
) STRICT, WITHOUT ROWID;

-- ====================================================================================================================
-- Agents' progress
--
-- Not part of the ledger. agent_progress and agent_done are checked against what agents left in the log; the other tables are
-- bookkeeping that nothing relies on.

-- An agent has finished every event before its mark (low), and above it those in agent_done.
CREATE TABLE agent_progress (
  agent TEXT PRIMARY KEY,
  low   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_done (
  agent TEXT NOT NULL,
  seq   INTEGER NOT NULL,
  PRIMARY KEY (agent, seq)
) STRICT, WITHOUT ROWID;

-- Attempts at events that may have been in progress when a process ended without stopping in order.
CREATE TABLE agent_attempts (
  agent    TEXT NOT NULL,
  seq      INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (agent, seq)
) STRICT, WITHOUT ROWID;

-- Heartbeats and counts.
CREATE TABLE agent_registry (
  name          TEXT PRIMARY KEY,
  state         TEXT NOT NULL,
  priority      INTEGER NOT NULL,
  paused        INTEGER NOT NULL,
  started_at    TEXT NOT NULL,
  heartbeat_at  TEXT NOT NULL,
  processed     INTEGER NOT NULL,
  failed        INTEGER NOT NULL,
  dead_lettered INTEGER NOT NULL,
  lag           INTEGER NOT NULL,
  last_error    TEXT
) STRICT, WITHOUT ROWID;

-- Whether the last process stopped in order.
CREATE TABLE process_state (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  clean_stop INTEGER NOT NULL
) STRICT;

INSERT INTO process_state (id, clean_stop) VALUES (1, 1);
