-- What is written stays. REPLACE removes the row that is in its way, and on a connection without recursive triggers it
-- does so without asking: so a row whose place is taken is refused before it is inserted. Where the store itself inserts
-- "or does nothing", so does the trigger.

CREATE TRIGGER event_log_no_replace BEFORE INSERT ON event_log
WHEN EXISTS (SELECT 1 FROM event_log WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM event_log WHERE event_id = NEW.header ->> '$.event_id')
BEGIN SELECT RAISE(ABORT, 'the event log is append-only'); END;

CREATE TRIGGER event_bodies_no_replace BEFORE INSERT ON event_bodies
WHEN EXISTS (SELECT 1 FROM event_bodies WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'event bodies are append-only'); END;

CREATE TRIGGER erasures_no_replace BEFORE INSERT ON erasures
WHEN EXISTS (SELECT 1 FROM erasures WHERE seq = NEW.seq)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER ledger_nodes_no_replace BEFORE INSERT ON ledger_nodes
WHEN EXISTS (SELECT 1 FROM ledger_nodes WHERE level = NEW.level AND idx = NEW.idx)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER transaction_ids_no_replace BEFORE INSERT ON transaction_ids
WHEN EXISTS (SELECT 1 FROM transaction_ids WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM transaction_ids WHERE transaction_id = NEW.transaction_id)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER alerts_no_replace BEFORE INSERT ON alerts
WHEN EXISTS (SELECT 1 FROM alerts WHERE seq = NEW.seq) OR EXISTS (SELECT 1 FROM alerts WHERE alert_id = NEW.alert_id)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER investigations_no_replace BEFORE INSERT ON investigations
WHEN EXISTS (SELECT 1 FROM investigations WHERE seq = NEW.seq)
  OR EXISTS (SELECT 1 FROM investigations WHERE investigation_id = NEW.investigation_id)
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER log_entries_no_replace BEFORE INSERT ON log_entries
WHEN EXISTS (SELECT 1 FROM log_entries WHERE seq = NEW.seq) OR EXISTS (SELECT 1 FROM log_entries WHERE id = NEW.id)
BEGIN SELECT RAISE(IGNORE); END;
