-- Audited answers, and those whose audit is not finished. Bodies stay in event_bodies.

-- One small row per AUDIT_LOG_CREATED. Nothing in it is personal but the hash of what a caller chose, and so it
-- outlives an erasure. Its indexes grow at their right edges, and end in seq, which tells equal times apart.
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

-- The status is the score's, always. Erased logs are not shown.
CREATE VIEW logs AS
SELECT e.id, b.payload ->> '$.created_at' AS created_at, b.payload ->> '$.query' AS query,
       b.payload ->> '$.response' AS response, b.payload -> '$.audit' AS audit,
       CASE WHEN e.risk_score <= 3 THEN 'Safe' WHEN e.risk_score <= 6 THEN 'Warning' ELSE 'Flagged' END AS status,
       e.seq, e.risk_score, b.payload -> '$.worker' AS worker
FROM log_entries e JOIN event_bodies b ON b.seq = e.seq;

-- Answers without a finished audit, with the newest event about each. The audit's event removes the row.
CREATE TABLE open_answers (
  log_id TEXT PRIMARY KEY,
  seq    INTEGER NOT NULL,
  state  TEXT NOT NULL CHECK (state IN ('requested', 'recorded', 'failed'))
) STRICT, WITHOUT ROWID;

CREATE INDEX open_answers_by_state ON open_answers (state, seq);

CREATE TRIGGER log_entries_no_update BEFORE UPDATE ON log_entries
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE seq = OLD.seq) OR NEW.seq IS NOT OLD.seq OR NEW.id IS NOT OLD.id
  OR NEW.created_at IS NOT OLD.created_at OR NEW.risk_score IS NOT OLD.risk_score OR NEW.idempotency IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'logs are append-only'); END;
CREATE TRIGGER log_entries_no_delete BEFORE DELETE ON log_entries
BEGIN SELECT RAISE(ABORT, 'logs are append-only'); END;
CREATE TRIGGER open_answers_no_update BEFORE UPDATE ON open_answers
WHEN NEW.log_id IS NOT OLD.log_id OR NEW.seq <= OLD.seq
BEGIN SELECT RAISE(ABORT, 'an open answer only goes on'); END;
CREATE TRIGGER open_answers_no_delete BEFORE DELETE ON open_answers
WHEN NOT EXISTS (SELECT 1 FROM log_entries WHERE id = OLD.log_id)
BEGIN SELECT RAISE(ABORT, 'an open answer ends with its audit'); END;
