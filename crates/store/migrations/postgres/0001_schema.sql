-- The schema of a store on Postgres: version 1, kept in the table schema_version.
--
-- It has the tables of the schema on SQLite, with the same columns, so that a store can be copied from one database to the
-- other. What differs: positions come from the program, never from a sequence; large tables are partitioned; and ids that
-- must be unique in a partitioned table have a table of their own, because Postgres can only enforce uniqueness within a
-- partition. `verify` compares every object here with the catalog, so a trigger that is missing is a finding.
--
-- Topics: helpers, the event log, the ledger, rows derived from events (transactions, alerts and investigations, audit logs,
-- reports, cases), dead letters and access keys, agents' progress, the search index, partitions.
--
-- Conventions:
--
-- Names are qualified everywhere, because a pooler may hand every transaction to another session, so no setting of a session
-- can be relied on.
--
-- Append-only. Triggers refuse changes, except what an erasure needs, and TRUNCATE. They also stop a superuser's slip; the
-- role that the program uses has no right to TRUNCATE or to change these triggers (see docs/postgres.md).
--
-- Texts are compared byte by byte, as the program compares them, whatever the database's collation is.
--
-- JSON. Only headers, which the program writes, are parsed in SQL. Payloads may contain \u0000, at which Postgres refuses to
-- parse JSON, so everything that is taken from them is taken by the program.

CREATE SCHEMA IF NOT EXISTS countersign;

CREATE TABLE countersign.schema_version (
  version    bigint PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- ====================================================================================================================
-- Helpers

-- Refuses a change, with the trigger's argument as the reason.
CREATE FUNCTION countersign.refuse() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

-- Refuses a change of a row whose event was not erased.
CREATE FUNCTION countersign.refuse_unless_erased() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM countersign.erasures WHERE seq = OLD.seq) THEN
    RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;

-- ====================================================================================================================
-- The event log
--
-- The header is the truth of an event: the tree hashes its bytes, and the searchable columns are generated from it, so no second
-- copy can disagree. The body is stored apart, because it may have to be erased.

CREATE TABLE countersign.event_log (
  seq            bigint NOT NULL CHECK (seq >= 0),
  header         text COLLATE "C" NOT NULL,
  leaf_hash      bytea NOT NULL,
  event_type     text COLLATE "C" GENERATED ALWAYS AS (header::json ->> 'event_type') STORED,
  correlation_id uuid GENERATED ALWAYS AS ((header::json ->> 'correlation_id')::uuid) STORED,
  PRIMARY KEY (seq)
) PARTITION BY RANGE (seq);

CREATE INDEX event_log_by_type ON countersign.event_log (event_type, seq);
CREATE INDEX event_log_by_correlation ON countersign.event_log (correlation_id, seq);

CREATE TRIGGER event_log_append_only BEFORE UPDATE OR DELETE ON countersign.event_log
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('the event log is append-only');
CREATE TRIGGER event_log_no_truncate BEFORE TRUNCATE ON countersign.event_log
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('the event log is append-only');

-- What makes an event's id unique.
CREATE TABLE countersign.event_ids (
  event_id uuid PRIMARY KEY,
  seq      bigint NOT NULL
);

CREATE TRIGGER event_ids_append_only BEFORE UPDATE OR DELETE ON countersign.event_ids
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('the event log is append-only');
CREATE TRIGGER event_ids_no_truncate BEFORE TRUNCATE ON countersign.event_ids
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('the event log is append-only');

-- The header commits to salt, payload and metadata.
CREATE TABLE countersign.event_bodies (
  seq      bigint NOT NULL,
  salt     bytea NOT NULL,
  payload  text COLLATE "C" NOT NULL,
  metadata text COLLATE "C" NOT NULL,
  PRIMARY KEY (seq)
) PARTITION BY RANGE (seq);

CREATE TRIGGER event_bodies_no_update BEFORE UPDATE ON countersign.event_bodies
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('event bodies are append-only');
CREATE TRIGGER event_bodies_no_delete BEFORE DELETE ON countersign.event_bodies
FOR EACH ROW EXECUTE FUNCTION countersign.refuse_unless_erased('a body goes only by a PAYLOAD_ERASED event that names it');
CREATE TRIGGER event_bodies_no_truncate BEFORE TRUNCATE ON countersign.event_bodies
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('event bodies are append-only');

-- Which bodies were erased, and by which PAYLOAD_ERASED event.
CREATE TABLE countersign.erasures (
  seq       bigint PRIMARY KEY,
  event_seq bigint NOT NULL
);

CREATE INDEX erasures_by_event ON countersign.erasures (event_seq);

-- The event must name the body that is erased; its payload begins with the list. Other records are checked against some types of
-- events, so those can't be erased. All rows of a statement are checked together, because the list may be long.
CREATE FUNCTION countersign.check_erasures() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF EXISTS (
    WITH named AS MATERIALIZED (
      SELECT e.event_seq, unnest(string_to_array(substring(b.payload from '^\{"seqs":\[([0-9,]*)\]'), ','))::bigint AS seq
      FROM (SELECT DISTINCT event_seq FROM added) e
      JOIN countersign.event_log l ON l.seq = e.event_seq AND l.event_type = 'PAYLOAD_ERASED'
      JOIN countersign.event_bodies b ON b.seq = l.seq)
    SELECT 1 FROM added a LEFT JOIN named n ON n.event_seq = a.event_seq AND n.seq = a.seq
    WHERE n.seq IS NULL OR a.seq >= a.event_seq
  ) THEN
    RAISE EXCEPTION 'an erasure needs a PAYLOAD_ERASED event that names it' USING ERRCODE = 'restrict_violation';
  END IF;
  IF EXISTS (SELECT 1 FROM added a JOIN countersign.event_log l ON l.seq = a.seq
             WHERE l.event_type IN ('PAYLOAD_ERASED', 'KEY_CHANGED', 'EVENT_DEAD_LETTERED')) THEN
    RAISE EXCEPTION 'the record of an erasure, a key or a dead letter can''t be erased' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER erasures_named AFTER INSERT ON countersign.erasures REFERENCING NEW TABLE AS added
FOR EACH STATEMENT EXECUTE FUNCTION countersign.check_erasures();
CREATE TRIGGER erasures_append_only BEFORE UPDATE OR DELETE ON countersign.erasures
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('erasures are append-only');
CREATE TRIGGER erasures_no_truncate BEFORE TRUNCATE ON countersign.erasures
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('erasures are append-only');

-- For people: an event with all its columns.
CREATE VIEW countersign.events AS
SELECT l.seq, l.header::json ->> 'event_id' AS event_id, l.event_type, l.header::json ->> 'occurred_at' AS occurred_at,
       l.header::json ->> 'recorded_at' AS recorded_at, l.header::json ->> 'producer' AS producer, l.correlation_id,
       l.header::json ->> 'causation_id' AS causation_id, l.header::json ->> 'schema_version' AS schema_version,
       b.payload, b.metadata
FROM countersign.event_log l LEFT JOIN countersign.event_bodies b ON b.seq = l.seq;

-- ====================================================================================================================
-- The ledger

-- The tree's right edge, in one row. Every commit that writes locks it first, so it also puts the commits of all processes in
-- order. The seal is a signature of the log's key over size and root, made in the commit that wrote them: without the key nobody
-- can add events, not even after the last checkpoint. The page is left mostly empty, so that a new version of the row fits
-- beside the old ones.
CREATE TABLE countersign.ledger_head (
  id       bigint PRIMARY KEY CHECK (id = 1),
  origin   text COLLATE "C" NOT NULL,
  size     bigint NOT NULL,
  root     bytea NOT NULL,
  frontier bytea NOT NULL,
  seal     bytea
) WITH (fillfactor = 10);

-- Every complete subtree of 256, 65,536, … leaves.
CREATE TABLE countersign.ledger_nodes (
  level bigint NOT NULL,
  idx   bigint NOT NULL,
  hash  bytea NOT NULL,
  PRIMARY KEY (level, idx)
);

CREATE TRIGGER ledger_nodes_append_only BEFORE UPDATE OR DELETE ON countersign.ledger_nodes
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('the ledger is append-only');
CREATE TRIGGER ledger_nodes_no_truncate BEFORE TRUNCATE ON countersign.ledger_nodes
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('the ledger is append-only');

-- Signed checkpoints, one per minute. The newest is also kept outside the database.
CREATE TABLE countersign.checkpoints (
  size bigint PRIMARY KEY,
  note text COLLATE "C" NOT NULL
);

-- ====================================================================================================================
-- Transactions
--
-- Here and below, each row of a derived table has the position (seq) of its event and is checked against it.

-- What makes a transaction unique, and nothing else: every transaction writes this table.
CREATE TABLE countersign.transaction_ids (
  seq            bigint NOT NULL,
  transaction_id text COLLATE "C" PRIMARY KEY
);

-- This index is small, because positions only grow.
CREATE INDEX transaction_ids_by_seq ON countersign.transaction_ids USING brin (seq)
WITH (pages_per_range = 16, autosummarize = on);

CREATE TRIGGER transaction_ids_append_only BEFORE UPDATE OR DELETE ON countersign.transaction_ids
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('transactions are append-only');
CREATE TRIGGER transaction_ids_no_truncate BEFORE TRUNCATE ON countersign.transaction_ids
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('transactions are append-only');

-- Users' histories: one row for each transaction that the agent which fills them has passed. It is filled behind
-- the log, because an index by user would cost more than all other rows of a transaction. Erased transactions have
-- no row.
CREATE TABLE countersign.user_transactions (
  seq     bigint PRIMARY KEY,
  user_id text COLLATE "C" NOT NULL
);

CREATE INDEX user_transactions_by_user ON countersign.user_transactions (user_id, seq);

CREATE TRIGGER user_transactions_no_update BEFORE UPDATE ON countersign.user_transactions
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('the history is append-only');
CREATE TRIGGER user_transactions_no_delete BEFORE DELETE ON countersign.user_transactions
FOR EACH ROW EXECUTE FUNCTION countersign.refuse_unless_erased('the history is append-only');
CREATE TRIGGER user_transactions_no_truncate BEFORE TRUNCATE ON countersign.user_transactions
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('the history is append-only');

-- ====================================================================================================================
-- Alerts and investigations
--
-- An erasure blanks everything except the id.
CREATE TABLE countersign.alerts (
  seq            bigint PRIMARY KEY,
  alert_id       text COLLATE "C" NOT NULL UNIQUE,
  user_id        text COLLATE "C",
  severity       text COLLATE "C",
  score          bigint,
  transaction_id text COLLATE "C"
);

-- A user's alerts are counted by severity from the index alone.
CREATE INDEX alerts_by_user ON countersign.alerts (user_id, seq, severity);
CREATE INDEX alerts_by_severity ON countersign.alerts (severity, seq);

CREATE TRIGGER alerts_no_update BEFORE UPDATE ON countersign.alerts
FOR EACH ROW EXECUTE FUNCTION countersign.refuse_unless_erased('alerts are append-only');
CREATE TRIGGER alerts_no_delete BEFORE DELETE ON countersign.alerts
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('alerts are append-only');
CREATE TRIGGER alerts_no_truncate BEFORE TRUNCATE ON countersign.alerts
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('alerts are append-only');

-- An alert's rank: its place, counted from 1, among the alerts with the same severity and score. So the number of
-- such alerts before any position is the rank of the last one before it. Nothing here is personal, and ranks
-- outlive an erasure.
CREATE TABLE countersign.alert_ranks (
  seq      bigint NOT NULL,
  severity text COLLATE "C" NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  score    bigint NOT NULL CHECK (score BETWEEN 0 AND 100),
  nth      bigint NOT NULL CHECK (nth >= 1),
  PRIMARY KEY (severity, score, seq)
);

CREATE TRIGGER alert_ranks_append_only BEFORE UPDATE OR DELETE ON countersign.alert_ranks
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('ranks are append-only');
CREATE TRIGGER alert_ranks_no_truncate BEFORE TRUNCATE ON countersign.alert_ranks
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('ranks are append-only');

CREATE TABLE countersign.investigations (
  seq              bigint PRIMARY KEY,
  investigation_id text COLLATE "C" NOT NULL UNIQUE,
  alert_id         text COLLATE "C",
  user_id          text COLLATE "C",
  severity         text COLLATE "C",
  risk_score       bigint
);

CREATE INDEX investigations_by_user ON countersign.investigations (user_id, seq);
CREATE INDEX investigations_by_severity ON countersign.investigations (severity, seq);

CREATE TRIGGER investigations_no_update BEFORE UPDATE ON countersign.investigations
FOR EACH ROW EXECUTE FUNCTION countersign.refuse_unless_erased('investigations are append-only');
CREATE TRIGGER investigations_no_delete BEFORE DELETE ON countersign.investigations
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('investigations are append-only');
CREATE TRIGGER investigations_no_truncate BEFORE TRUNCATE ON countersign.investigations
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('investigations are append-only');

-- ====================================================================================================================
-- Audit logs ("answers")

-- One row per AUDIT_LOG_CREATED. Nothing in it is personal except the hash of an idempotency key, so the rest
-- outlives an erasure. created_at is in microseconds.
CREATE TABLE countersign.log_entries (
  seq         bigint NOT NULL,
  id          text COLLATE "C" NOT NULL,
  created_at  bigint NOT NULL,
  risk_score  bigint NOT NULL CHECK (risk_score BETWEEN 0 AND 10),
  idempotency text COLLATE "C",
  PRIMARY KEY (seq)
) PARTITION BY RANGE (seq);

CREATE INDEX log_entries_by_time ON countersign.log_entries (created_at, seq);
CREATE INDEX log_entries_by_score ON countersign.log_entries (risk_score, created_at, seq);
CREATE INDEX log_entries_by_idempotency ON countersign.log_entries (idempotency, seq) WHERE idempotency IS NOT NULL;

CREATE FUNCTION countersign.check_log_update() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM countersign.erasures WHERE seq = OLD.seq)
     OR (NEW.seq, NEW.id, NEW.created_at, NEW.risk_score) IS DISTINCT FROM (OLD.seq, OLD.id, OLD.created_at, OLD.risk_score)
     OR NEW.idempotency IS NOT NULL THEN
    RAISE EXCEPTION 'logs are append-only' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER log_entries_no_update BEFORE UPDATE ON countersign.log_entries
FOR EACH ROW EXECUTE FUNCTION countersign.check_log_update();
CREATE TRIGGER log_entries_no_delete BEFORE DELETE ON countersign.log_entries
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('logs are append-only');
CREATE TRIGGER log_entries_no_truncate BEFORE TRUNCATE ON countersign.log_entries
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('logs are append-only');

-- What makes a log's id unique.
CREATE TABLE countersign.log_ids (
  id  text COLLATE "C" PRIMARY KEY,
  seq bigint NOT NULL
);

CREATE TRIGGER log_ids_append_only BEFORE UPDATE OR DELETE ON countersign.log_ids
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('logs are append-only');
CREATE TRIGGER log_ids_no_truncate BEFORE TRUNCATE ON countersign.log_ids
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('logs are append-only');

-- Answers whose audit isn't finished, with the newest event about each. The audit's event removes the row.
CREATE TABLE countersign.open_answers (
  log_id text COLLATE "C" PRIMARY KEY,
  seq    bigint NOT NULL,
  state  text COLLATE "C" NOT NULL CHECK (state IN ('requested', 'recorded', 'failed'))
);

CREATE INDEX open_answers_by_state ON countersign.open_answers (state, seq);

CREATE FUNCTION countersign.check_open_answer() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.log_id <> OLD.log_id OR NEW.seq <= OLD.seq) THEN
    RAISE EXCEPTION 'an open answer only goes on' USING ERRCODE = 'restrict_violation';
  ELSIF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM countersign.log_ids WHERE id = OLD.log_id) THEN
    RAISE EXCEPTION 'an open answer ends with its audit' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;

CREATE TRIGGER open_answers_go_on BEFORE UPDATE OR DELETE ON countersign.open_answers
FOR EACH ROW EXECUTE FUNCTION countersign.check_open_answer();
CREATE TRIGGER open_answers_no_truncate BEFORE TRUNCATE ON countersign.open_answers
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('an open answer ends with its audit');

-- ====================================================================================================================
-- Reports

-- One row per REPORT_GENERATED. An erasure leaves the first five columns. The current version is the greatest one:
-- it is looked up, not marked, because a mark would have to be changed.
CREATE TABLE countersign.report_entries (
  seq                bigint PRIMARY KEY,
  id                 text COLLATE "C" NOT NULL UNIQUE,
  investigation_id   text COLLATE "C" NOT NULL,
  report_type        text COLLATE "C" NOT NULL CHECK (report_type IN ('internal', 'compliance', 'full')),
  version            bigint NOT NULL CHECK (version >= 1),
  fraud_detection_id text COLLATE "C",
  transaction_id     text COLLATE "C",
  severity           text COLLATE "C" CHECK (severity IN ('MEDIUM', 'HIGH', 'CRITICAL')),
  risk_score         bigint CHECK (risk_score BETWEEN 0 AND 100),
  content_hash       text COLLATE "C",
  generated_at       text COLLATE "C",
  regeneration_of    text COLLATE "C",
  UNIQUE (investigation_id, report_type, version),
  UNIQUE (fraud_detection_id, report_type, version)
);

CREATE INDEX report_entries_by_severity ON countersign.report_entries (severity, report_type, seq);

-- Columns that an erasure blanks can't be NOT NULL, so a trigger requires them.
CREATE FUNCTION countersign.check_report() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.fraud_detection_id IS NULL OR NEW.severity IS NULL OR NEW.risk_score IS NULL OR NEW.content_hash IS NULL
       OR NEW.generated_at IS NULL THEN
      RAISE EXCEPTION 'a report needs its alert, severity, score, hash and time' USING ERRCODE = 'not_null_violation';
    END IF;
  ELSIF NOT EXISTS (SELECT 1 FROM countersign.erasures WHERE seq = OLD.seq)
     OR (NEW.seq, NEW.id, NEW.investigation_id, NEW.report_type, NEW.version)
        IS DISTINCT FROM (OLD.seq, OLD.id, OLD.investigation_id, OLD.report_type, OLD.version)
     OR NEW.fraud_detection_id IS NOT NULL OR NEW.transaction_id IS NOT NULL OR NEW.severity IS NOT NULL
     OR NEW.risk_score IS NOT NULL OR NEW.content_hash IS NOT NULL OR NEW.generated_at IS NOT NULL
     OR NEW.regeneration_of IS NOT NULL THEN
    RAISE EXCEPTION 'reports are append-only' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER report_entries_whole BEFORE INSERT OR UPDATE ON countersign.report_entries
FOR EACH ROW EXECUTE FUNCTION countersign.check_report();
CREATE TRIGGER report_entries_no_delete BEFORE DELETE ON countersign.report_entries
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('reports are append-only');
CREATE TRIGGER report_entries_no_truncate BEFORE TRUNCATE ON countersign.report_entries
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('reports are append-only');

-- The content, stored once. Its event has its SHA-256. The size is bounded because readers hold it in memory.
CREATE TABLE countersign.report_bodies (
  seq     bigint PRIMARY KEY,
  content text COLLATE "C" NOT NULL CHECK (octet_length(content) <= 8388608)
);

CREATE TRIGGER report_bodies_no_update BEFORE UPDATE ON countersign.report_bodies
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('a report''s content is never changed');
CREATE TRIGGER report_bodies_no_delete BEFORE DELETE ON countersign.report_bodies
FOR EACH ROW EXECUTE FUNCTION countersign.refuse_unless_erased('a report''s content goes only by a PAYLOAD_ERASED event that names it');
CREATE TRIGGER report_bodies_no_truncate BEFORE TRUNCATE ON countersign.report_bodies
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('a report''s content is never changed');

-- One row per verdict of the supervisor. The whole verdict is in its event. If a row could not be stored, the
-- event says so: a verdict must not be lost because of its row.
CREATE TABLE countersign.validation_entries (
  seq              bigint PRIMARY KEY,
  id               text COLLATE "C" NOT NULL UNIQUE,
  report_id        text COLLATE "C" NOT NULL,
  passed           bigint NOT NULL CHECK (passed IN (0, 1)),
  validation_score bigint NOT NULL CHECK (validation_score BETWEEN 0 AND 100),
  validated_at     text COLLATE "C" NOT NULL
);

CREATE INDEX validation_entries_by_report ON countersign.validation_entries (report_id, validated_at, seq);

CREATE TRIGGER validation_entries_append_only BEFORE UPDATE OR DELETE ON countersign.validation_entries
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('validations are append-only');
CREATE TRIGGER validation_entries_no_truncate BEFORE TRUNCATE ON countersign.validation_entries
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('validations are append-only');

-- One row per REVIEW_DECIDED. Who decided, and why, is in the event.
CREATE TABLE countersign.review_entries (
  seq              bigint PRIMARY KEY,
  report_id        text COLLATE "C" NOT NULL,
  investigation_id text COLLATE "C"
);

CREATE INDEX review_entries_by_report ON countersign.review_entries (report_id, seq);
CREATE INDEX review_entries_by_investigation ON countersign.review_entries (investigation_id, seq);

CREATE TRIGGER review_entries_append_only BEFORE UPDATE OR DELETE ON countersign.review_entries
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('reviews are append-only');
CREATE TRIGGER review_entries_no_truncate BEFORE TRUNCATE ON countersign.review_entries
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('reviews are append-only');

-- ====================================================================================================================
-- Cases
--
-- The states of investigations and their reports, moved on by events. The application's state machine decides how; the triggers
-- only make sure that an event is behind every change.

-- The state of each investigation, with the newest event about it. A row begins with an alert that will be
-- investigated, or with whatever comes first. The last four columns are the positions of alert, opening, newest
-- report and assignment.
CREATE TABLE countersign.case_states (
  investigation_id text COLLATE "C" PRIMARY KEY,
  seq              bigint NOT NULL,
  state            text COLLATE "C" NOT NULL CHECK (state IN ('open', 'in_review', 'approved', 'sent_back', 'disposed')),
  alert_state      text COLLATE "C" NOT NULL CHECK (alert_state IN ('open', 'reported', 'closed')),
  severity         text COLLATE "C" CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  assigned_to      text COLLATE "C",
  report_id        text COLLATE "C",
  alert_seq        bigint UNIQUE,
  opened_seq       bigint,
  report_seq       bigint,
  assigned_seq     bigint
);

CREATE INDEX case_states_by_alert_state ON countersign.case_states (alert_state, severity, alert_seq);
CREATE INDEX case_states_by_state ON countersign.case_states (state, severity, opened_seq);

-- A case begins with an event about it (or with the last of several in one commit), changes with a newer one, or forgets its assignee when the event that named them is
-- erased.
CREATE FUNCTION countersign.check_case() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF (TG_OP = 'INSERT' OR NEW.seq > OLD.seq) AND NOT EXISTS (
    SELECT 1 FROM countersign.event_log WHERE seq = NEW.seq
    AND event_type IN ('FRAUD_ALERT_CREATED', 'INVESTIGATION_CREATED', 'INVESTIGATION_ASSIGNED', 'REPORT_GENERATED',
                       'REPORT_APPROVED', 'REPORT_NEEDS_REVIEW', 'SUPERVISOR_REVIEW_REQUESTED', 'REVIEW_DECIDED')) THEN
    RAISE EXCEPTION 'a case only goes on, by an event about it' USING ERRCODE = 'restrict_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND (NEW.investigation_id <> OLD.investigation_id OR NEW.seq < OLD.seq
     OR NEW.seq = OLD.seq AND (
       NEW.assigned_to IS NOT NULL OR NOT EXISTS (SELECT 1 FROM countersign.erasures WHERE seq = OLD.assigned_seq)
       OR (NEW.state, NEW.alert_state, NEW.severity, NEW.report_id, NEW.alert_seq, NEW.opened_seq, NEW.report_seq,
           NEW.assigned_seq)
          IS DISTINCT FROM (OLD.state, OLD.alert_state, OLD.severity, OLD.report_id, OLD.alert_seq, OLD.opened_seq,
                            OLD.report_seq, OLD.assigned_seq))) THEN
    RAISE EXCEPTION 'a case only goes on, by an event about it' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER case_states_by_event BEFORE INSERT OR UPDATE ON countersign.case_states
FOR EACH ROW EXECUTE FUNCTION countersign.check_case();
CREATE TRIGGER case_states_no_delete BEFORE DELETE ON countersign.case_states
FOR EACH ROW EXECUTE FUNCTION countersign.refuse('a case is never removed');
CREATE TRIGGER case_states_no_truncate BEFORE TRUNCATE ON countersign.case_states
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('a case is never removed');

-- The state of each report that no newer version has replaced. seq is that of its REPORT_GENERATED, as in
-- report_entries.
CREATE TABLE countersign.report_states (
  seq   bigint PRIMARY KEY,
  state text COLLATE "C" NOT NULL CHECK (state IN ('open', 'in_review', 'approved', 'sent_back', 'disposed'))
);

CREATE INDEX report_states_by_state ON countersign.report_states (state, seq);

CREATE FUNCTION countersign.check_report_state() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  IF TG_OP = 'INSERT' AND NOT EXISTS (SELECT 1 FROM countersign.report_entries WHERE seq = NEW.seq) THEN
    RAISE EXCEPTION 'a report''s state begins with the report' USING ERRCODE = 'restrict_violation';
  ELSIF TG_OP = 'UPDATE' AND (NEW.seq <> OLD.seq OR OLD.state = 'disposed') THEN
    RAISE EXCEPTION 'only the state of a report that is not disposed of moves' USING ERRCODE = 'restrict_violation';
  ELSIF TG_OP = 'DELETE' AND NOT EXISTS (
    SELECT 1 FROM countersign.report_entries o
    JOIN countersign.report_entries n ON n.investigation_id = o.investigation_id
    WHERE o.seq = OLD.seq AND n.seq > o.seq) THEN
    RAISE EXCEPTION 'a report''s state goes only with a newer version' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN coalesce(NEW, OLD);
END $$;

CREATE TRIGGER report_states_by_report BEFORE INSERT OR UPDATE OR DELETE ON countersign.report_states
FOR EACH ROW EXECUTE FUNCTION countersign.check_report_state();
CREATE TRIGGER report_states_no_truncate BEFORE TRUNCATE ON countersign.report_states
FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse('a report''s state goes only with a newer version');

-- ====================================================================================================================
-- Dead letters and access keys
--
-- Their rows change, but every change is an event, and the events can't be erased. So they need no triggers.

-- Letters are paged by id, in which every index ends.
CREATE TABLE countersign.dead_letters (
  id               text COLLATE "C" PRIMARY KEY,
  seq              bigint NOT NULL,
  agent            text COLLATE "C" NOT NULL,
  event_seq        bigint NOT NULL,
  event_id         text COLLATE "C" NOT NULL,
  event_type       text COLLATE "C" NOT NULL,
  attempts         bigint NOT NULL,
  error            text COLLATE "C" NOT NULL,
  dead_lettered_at text COLLATE "C" NOT NULL,
  state            text COLLATE "C" NOT NULL CHECK (state IN ('dead', 'replaying', 'replayed'))
);

CREATE INDEX dead_letters_by_agent ON countersign.dead_letters (agent, id);
CREATE INDEX dead_letters_by_state ON countersign.dead_letters (state, id);
CREATE INDEX dead_letters_by_agent_and_state ON countersign.dead_letters (agent, state, id);

CREATE TABLE countersign.access_keys (
  id            text COLLATE "C" PRIMARY KEY,
  seq           bigint NOT NULL,
  name          text COLLATE "C" NOT NULL,
  role          text COLLATE "C" NOT NULL,
  secret_sha256 text COLLATE "C" NOT NULL,
  created_at    text COLLATE "C" NOT NULL,
  expires_at    text COLLATE "C",
  revoked_at    text COLLATE "C"
);

-- ====================================================================================================================
-- Agents' progress
--
-- Not part of the ledger. agent_progress and agent_done are checked against what agents left in the log; the other tables are
-- bookkeeping that nothing relies on. The rows change with every step, so their pages are left half empty.

-- An agent has finished every event before its mark (low), and above it those in agent_done.
CREATE TABLE countersign.agent_progress (
  agent text COLLATE "C" PRIMARY KEY,
  low   bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE countersign.agent_done (
  agent text COLLATE "C" NOT NULL,
  seq   bigint NOT NULL,
  PRIMARY KEY (agent, seq)
);

-- Attempts at events that may have been in progress when a process ended without stopping in order.
CREATE TABLE countersign.agent_attempts (
  agent    text COLLATE "C" NOT NULL,
  seq      bigint NOT NULL,
  attempts bigint NOT NULL,
  PRIMARY KEY (agent, seq)
);

-- Heartbeats and counts.
CREATE TABLE countersign.agent_registry (
  name          text COLLATE "C" PRIMARY KEY,
  state         text COLLATE "C" NOT NULL,
  priority      bigint NOT NULL,
  paused        bigint NOT NULL,
  started_at    text COLLATE "C" NOT NULL,
  heartbeat_at  text COLLATE "C" NOT NULL,
  processed     bigint NOT NULL,
  failed        bigint NOT NULL,
  dead_lettered bigint NOT NULL,
  lag           bigint NOT NULL,
  last_error    text COLLATE "C"
) WITH (fillfactor = 50);

-- Whether the last process stopped in order.
CREATE TABLE countersign.process_state (
  id         bigint PRIMARY KEY CHECK (id = 1),
  clean_stop bigint NOT NULL
);

INSERT INTO countersign.process_state (id, clean_stop) VALUES (1, 1);

-- What only one process at a time may be. A lease ends if its holder doesn't renew it. The token grows with every holder, and commits
-- check it.
CREATE TABLE countersign.leases (
  name       text COLLATE "C" PRIMARY KEY,
  holder     text COLLATE "C" NOT NULL,
  token      bigint NOT NULL,
  renewed_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- ====================================================================================================================
-- The search index
--
-- Derived, and not part of the ledger: it is filled behind the log, and rebuilt from it if it is emptied.

-- The words of logs. is_whole says whether the text has few enough words for all of them to be here.
CREATE TABLE countersign.log_words (
  seq      bigint PRIMARY KEY,
  words    tsvector NOT NULL,
  is_whole boolean NOT NULL
);

-- Without fastupdate, because every search would also read the list of pending entries.
CREATE INDEX log_words_by_word ON countersign.log_words USING gin (words) WITH (fastupdate = off);
CREATE INDEX log_words_cut_short ON countersign.log_words (seq) WHERE NOT is_whole;

-- Logs by minute, hour and day (micros is the bucket's width): the first and last position, and the number with each score.
CREATE TABLE countersign.log_counts (
  micros    bigint NOT NULL,
  start     bigint NOT NULL,
  first_seq bigint NOT NULL,
  last_seq  bigint NOT NULL,
  scores    bigint[] NOT NULL CHECK (array_length(scores, 1) = 11),
  PRIMARY KEY (micros, start)
) WITH (fillfactor = 50);

-- Up to where the log is in the index.
CREATE TABLE countersign.search_progress (
  id       bigint PRIMARY KEY CHECK (id = 1),
  next_seq bigint NOT NULL
);

INSERT INTO countersign.search_progress (id, next_seq) VALUES (1, 0);

-- ====================================================================================================================
-- Commits
--
-- The statements that every commit runs are in functions, because Postgres keeps the plans of a function's statements, and behind a
-- pooler the program can't prepare statements of its own. The functions run with the caller's rights.

-- Begins a commit: locks the tree's head, and returns it with what is needed next. Each statement sees what was committed before it
-- began, so everything after the first sees the log as it stays until the commit ends. Settings are made for this transaction only.
CREATE FUNCTION countersign.begin_commit(
  transaction_ids text[], OUT origin text, OUT size bigint, OUT root bytea, OUT frontier bytea, OUT seal bytea,
  OUT transaction text, OUT newest_header text, OUT lease_token bigint, OUT known_ids text[], OUT known_seqs bigint[]
) LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  PERFORM set_config('lock_timeout', '10s', true);
  -- A restore takes as long as it takes.
  IF current_setting('countersign.without_time_out', true) IS DISTINCT FROM 'on' THEN
    PERFORM set_config('statement_timeout', '60s', true);
    -- A process that stalls or is cut off in the middle of a commit must not keep the lock.
    PERFORM set_config('idle_in_transaction_session_timeout', '10s', true);
  END IF;
  -- The commit waits for the disk, also on a server that doesn't by default.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT h.origin, h.size, h.root, h.frontier, h.seal INTO origin, size, root, frontier, seal
  FROM countersign.ledger_head h WHERE h.id = 1 FOR UPDATE;
  transaction := pg_current_xact_id()::text;
  SELECT l.header INTO newest_header FROM countersign.event_log l WHERE l.seq = begin_commit.size - 1;
  SELECT l.token INTO lease_token FROM countersign.leases l WHERE l.name = 'server';
  IF cardinality(transaction_ids) > 0 THEN
    SELECT array_agg(t.transaction_id), array_agg(t.seq) INTO known_ids, known_seqs
    FROM countersign.transaction_ids t WHERE t.transaction_id = ANY (begin_commit.transaction_ids);
  END IF;
END $$;

-- Adds events with their bodies, nodes of the tree and transactions, and moves the tree's head.
CREATE FUNCTION countersign.add_events(
  seqs bigint[], ids text[], headers text[], leaves bytea[], salts bytea[], payloads text[], metadata text[],
  node_levels bigint[], node_indexes bigint[], node_hashes bytea[], transaction_seqs bigint[], transaction_ids text[],
  size bigint, root bytea, frontier bytea, seal bytea, announcement text
) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO countersign.event_log (seq, header, leaf_hash) SELECT * FROM unnest(seqs, headers, leaves);
  INSERT INTO countersign.event_ids (event_id, seq) SELECT n.id::uuid, n.seq FROM unnest(ids, seqs) AS n(id, seq);
  INSERT INTO countersign.event_bodies (seq, salt, payload, metadata) SELECT * FROM unnest(seqs, salts, payloads, metadata);
  IF cardinality(node_levels) > 0 THEN
    INSERT INTO countersign.ledger_nodes (level, idx, hash) SELECT * FROM unnest(node_levels, node_indexes, node_hashes);
  END IF;
  IF cardinality(transaction_seqs) > 0 THEN
    INSERT INTO countersign.transaction_ids (seq, transaction_id) SELECT * FROM unnest(transaction_seqs, transaction_ids);
  END IF;
  UPDATE countersign.ledger_head h
  SET size = add_events.size, root = add_events.root, frontier = add_events.frontier, seal = add_events.seal WHERE h.id = 1;
  PERFORM pg_notify('countersign', announcement);
END $$;

-- ====================================================================================================================
-- Partitions

-- Makes the partitions for all positions before `until`, and returns the position at which they end. It runs with the rights of
-- the schema's owner, so that the program's role needs no right to create tables. A partition is made apart and then attached,
-- which doesn't block the log's readers or writers.
CREATE FUNCTION countersign.add_partitions(until bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  width CONSTANT bigint := 33554432;
  made bigint;
  parent text;
  child text;
BEGIN
  -- One process at a time; the lock is released with the transaction.
  PERFORM pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('countersign.add_partitions'));
  SELECT count(*) * width INTO made FROM pg_catalog.pg_inherits WHERE inhparent = 'countersign.event_log'::regclass;
  WHILE made < until LOOP
    FOREACH parent IN ARRAY ARRAY['event_log', 'event_bodies', 'log_entries'] LOOP
      child := format('%s_%s', parent, lpad((made / width)::text, 6, '0'));
      EXECUTE format('CREATE TABLE countersign.%I (LIKE countersign.%I INCLUDING ALL)', child, parent);
      EXECUTE format('ALTER TABLE countersign.%I ATTACH PARTITION countersign.%I FOR VALUES FROM (%s) TO (%s)',
                     parent, child, made, made + width);
      EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON countersign.%I FOR EACH STATEMENT
                      EXECUTE FUNCTION countersign.refuse(''the log is append-only'')', child);
    END LOOP;
    made := made + width;
  END LOOP;
  RETURN made;
END $$;

REVOKE ALL ON FUNCTION countersign.add_partitions(bigint) FROM PUBLIC;
