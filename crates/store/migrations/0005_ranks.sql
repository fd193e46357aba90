-- How many alerts had the same severity and score as this one by then: its place among them, counted from 1. How many
-- there were at any position is the last place before it, whatever the number.

-- One row per FRAUD_ALERT_CREATED. Nothing in it is personal, and so it outlives an erasure.
CREATE TABLE alert_ranks (
  seq      INTEGER NOT NULL,
  severity TEXT NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
  score    INTEGER NOT NULL CHECK (score BETWEEN 0 AND 100),
  nth      INTEGER NOT NULL CHECK (nth >= 1),
  PRIMARY KEY (severity, score, seq)
) STRICT, WITHOUT ROWID;

-- For a log that was begun before there were ranks. Of what was erased by then nobody knows the severity, and it has none.
INSERT INTO alert_ranks (seq, severity, score, nth)
SELECT seq, severity, score, row_number() OVER (PARTITION BY severity, score ORDER BY seq)
FROM alerts WHERE severity IS NOT NULL;

-- The ranks stand in its place.
DROP INDEX alerts_by_score;

-- A customer's alerts are counted by severity out of the index alone.
DROP INDEX alerts_by_user;
CREATE INDEX alerts_by_user ON alerts (user_id, seq, severity);

-- Append-only. What is there is not replaced either, also by connections on which REPLACE deletes without asking.
CREATE TRIGGER alert_ranks_in_order BEFORE INSERT ON alert_ranks
WHEN EXISTS (SELECT 1 FROM alert_ranks WHERE severity = NEW.severity AND score = NEW.score AND seq >= NEW.seq)
BEGIN SELECT RAISE(ABORT, 'a rank follows those before it'); END;
CREATE TRIGGER alert_ranks_no_update BEFORE UPDATE ON alert_ranks
BEGIN SELECT RAISE(ABORT, 'ranks are append-only'); END;
CREATE TRIGGER alert_ranks_no_delete BEFORE DELETE ON alert_ranks
BEGIN SELECT RAISE(ABORT, 'ranks are append-only'); END;
