-- The event log, which is also the ledger.
--
-- The header is the truth of an event: the tree hashes its bytes, and every column that is searched is generated from
-- it, so that no second copy can disagree. The body lies apart, because it may have to be erased.

CREATE TABLE event_log (
  seq            INTEGER PRIMARY KEY,
  header         TEXT NOT NULL,
  leaf_hash      BLOB NOT NULL,
  event_id       TEXT GENERATED ALWAYS AS (header ->> '$.event_id') VIRTUAL,
  event_type     TEXT GENERATED ALWAYS AS (header ->> '$.event_type') VIRTUAL,
  occurred_at    TEXT GENERATED ALWAYS AS (header ->> '$.occurred_at') VIRTUAL,
  recorded_at    TEXT GENERATED ALWAYS AS (header ->> '$.recorded_at') VIRTUAL,
  producer       TEXT GENERATED ALWAYS AS (header ->> '$.producer') VIRTUAL,
  correlation_id TEXT GENERATED ALWAYS AS (header ->> '$.correlation_id') VIRTUAL,
  causation_id   TEXT GENERATED ALWAYS AS (header ->> '$.causation_id') VIRTUAL,
  schema_version INTEGER GENERATED ALWAYS AS (header ->> '$.schema_version') VIRTUAL
) STRICT;

CREATE UNIQUE INDEX event_log_by_id ON event_log (event_id);
CREATE INDEX event_log_by_type ON event_log (event_type, seq);
CREATE INDEX event_log_by_correlation ON event_log (correlation_id, seq);

CREATE TABLE event_bodies (
  seq      INTEGER PRIMARY KEY,
  salt     BLOB NOT NULL,
  payload  TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;

-- Which bodies were erased, and by which PAYLOAD_ERASED event.
CREATE TABLE erasures (
  seq       INTEGER PRIMARY KEY,
  event_seq INTEGER NOT NULL
) STRICT;

CREATE VIEW events AS
SELECT l.seq, l.event_id, l.event_type, l.occurred_at, l.recorded_at, l.producer, l.correlation_id, l.causation_id,
       l.schema_version, b.payload, b.metadata
FROM event_log l LEFT JOIN event_bodies b ON b.seq = l.seq;

-- The tree: leaf hashes stand in event_log, the right edge here, and every 256th, 65,536th, … subtree in ledger_nodes.
CREATE TABLE ledger_head (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  origin   TEXT NOT NULL,
  size     INTEGER NOT NULL,
  root     BLOB NOT NULL,
  frontier BLOB NOT NULL
) STRICT;

CREATE TABLE ledger_nodes (
  level INTEGER NOT NULL,
  idx   INTEGER NOT NULL,
  hash  BLOB NOT NULL,
  PRIMARY KEY (level, idx)
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoints (
  size INTEGER PRIMARY KEY,
  note TEXT NOT NULL
) STRICT;

-- What people and agents look things up by. Each row is derived from the event with its seq and is checked against it.
CREATE TABLE transaction_ids (
  seq            INTEGER PRIMARY KEY,
  transaction_id TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX transaction_ids_by_id ON transaction_ids (transaction_id);

CREATE VIEW transactions AS
SELECT seq, payload ->> '$.transaction_id' AS transaction_id, payload ->> '$.user_id' AS user_id,
       payload ->> '$.amount.amount' AS amount, payload ->> '$.amount.currency' AS currency,
       payload ->> '$.occurred_at' AS occurred_at, payload ->> '$.merchant' AS merchant,
       payload ->> '$.category' AS category, payload ->> '$.channel' AS channel, payload -> '$.location' AS location,
       payload ->> '$.ip_address' AS ip_address, payload ->> '$.device_fingerprint' AS device_fingerprint,
       payload ->> '$.account_opened_at' AS account_opened_at, payload -> '$.metadata' AS metadata
FROM events WHERE event_type = 'TRANSACTION_RECEIVED';

CREATE TABLE alerts (
  seq            INTEGER PRIMARY KEY,
  alert_id       TEXT NOT NULL,
  user_id        TEXT,
  severity       TEXT,
  score          INTEGER,
  transaction_id TEXT
) STRICT;

CREATE UNIQUE INDEX alerts_by_id ON alerts (alert_id);
CREATE INDEX alerts_by_user ON alerts (user_id, seq);

CREATE TABLE investigations (
  seq              INTEGER PRIMARY KEY,
  investigation_id TEXT NOT NULL,
  alert_id         TEXT,
  user_id          TEXT,
  severity         TEXT,
  risk_score       INTEGER
) STRICT;

CREATE UNIQUE INDEX investigations_by_id ON investigations (investigation_id);

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

-- Each ends in the id, by which they are paged.
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

-- Progress of agents and of the process itself. Not part of the ledger.
CREATE TABLE agent_progress (
  agent TEXT PRIMARY KEY,
  low   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_done (
  agent TEXT NOT NULL,
  seq   INTEGER NOT NULL,
  PRIMARY KEY (agent, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_attempts (
  agent    TEXT NOT NULL,
  seq      INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  PRIMARY KEY (agent, seq)
) STRICT, WITHOUT ROWID;

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

CREATE TABLE process_state (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  clean_stop INTEGER NOT NULL
) STRICT;

INSERT INTO process_state (id, clean_stop) VALUES (1, 1);

-- Append-only.
CREATE TRIGGER event_log_no_update BEFORE UPDATE ON event_log
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;
CREATE TRIGGER event_log_no_delete BEFORE DELETE ON event_log
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;

CREATE TRIGGER event_bodies_no_update BEFORE UPDATE ON event_bodies
BEGIN SELECT RAISE(ABORT, 'event bodies are append-only'); END;
CREATE TRIGGER event_bodies_no_delete BEFORE DELETE ON event_bodies
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'a body goes only by a PAYLOAD_ERASED event that names it'); END;

CREATE TRIGGER erasures_named BEFORE INSERT ON erasures
WHEN NOT EXISTS (
  SELECT 1 FROM event_log l JOIN event_bodies b ON b.seq = l.seq, json_each(b.payload, '$.seqs') named
  WHERE l.seq = NEW.event_seq AND l.event_type = 'PAYLOAD_ERASED' AND named.value = NEW.seq AND NEW.seq < NEW.event_seq
)
BEGIN SELECT RAISE(ABORT, 'an erasure needs a PAYLOAD_ERASED event that names it'); END;
-- What others are checked against stays: erasures themselves, keys, and dead letters.
CREATE TRIGGER erasures_kept BEFORE INSERT ON erasures
WHEN EXISTS (
  SELECT 1 FROM event_log
  WHERE seq = NEW.seq AND event_type IN ('PAYLOAD_ERASED', 'KEY_CHANGED', 'EVENT_DEAD_LETTERED')
)
BEGIN SELECT RAISE(ABORT, 'the record of an erasure, a key or a dead letter can''t be erased'); END;
CREATE TRIGGER erasures_no_update BEFORE UPDATE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures are append-only'); END;
CREATE TRIGGER erasures_no_delete BEFORE DELETE ON erasures
BEGIN SELECT RAISE(ABORT, 'erasures are append-only'); END;

CREATE TRIGGER ledger_nodes_no_update BEFORE UPDATE ON ledger_nodes
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
CREATE TRIGGER ledger_nodes_no_delete BEFORE DELETE ON ledger_nodes
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- Projections change only to forget a person, together with the body they were derived from.
CREATE TRIGGER transaction_ids_no_update BEFORE UPDATE ON transaction_ids
BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;
CREATE TRIGGER transaction_ids_no_delete BEFORE DELETE ON transaction_ids
BEGIN SELECT RAISE(ABORT, 'transactions are append-only'); END;
CREATE TRIGGER alerts_no_update BEFORE UPDATE ON alerts
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'alerts are append-only'); END;
CREATE TRIGGER alerts_no_delete BEFORE DELETE ON alerts
BEGIN SELECT RAISE(ABORT, 'alerts are append-only'); END;
CREATE TRIGGER investigations_no_update BEFORE UPDATE ON investigations
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq)
BEGIN SELECT RAISE(ABORT, 'investigations are append-only'); END;
CREATE TRIGGER investigations_no_delete BEFORE DELETE ON investigations
BEGIN SELECT RAISE(ABORT, 'investigations are append-only'); END;
