-- A report that is written after its case was disposed of is disposed of too; until now it had no state. Cases and their
-- reports are worked out again from their events, which is done after this.
DROP TRIGGER report_states_no_delete;
DROP TRIGGER case_states_no_delete;
DELETE FROM report_states;
DELETE FROM case_states;
CREATE TRIGGER report_states_no_delete BEFORE DELETE ON report_states
WHEN NOT EXISTS (SELECT 1 FROM report_entries o JOIN report_entries n ON n.investigation_id = o.investigation_id
                 WHERE o.seq = OLD.seq AND n.seq > o.seq)
BEGIN SELECT RAISE(ABORT, 'a report''s state goes only with a newer version'); END;
CREATE TRIGGER case_states_no_delete BEFORE DELETE ON case_states
BEGIN SELECT RAISE(ABORT, 'a case is never removed'); END;
