-- Each report has a review of its own: where every report stands that no newer version has replaced. The row of
-- `case_states` sums them up. Rows are derived from events, like those of `case_states`, and written with them.
CREATE TABLE report_states (
  -- Of its REPORT_GENERATED, as in `report_entries`.
  seq   INTEGER PRIMARY KEY,
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'in_review' OR state = 'approved' OR state = 'sent_back'
          OR state = 'disposed')
) STRICT;

CREATE INDEX report_states_by_state ON report_states (state);

-- Reports are now listed by their own state.
DROP INDEX case_states_by_report;

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

-- Cases are summed up from their reports now, so they are worked out again from their events, which is done after this.
DROP TRIGGER case_states_no_delete;
DELETE FROM case_states;
CREATE TRIGGER case_states_no_delete BEFORE DELETE ON case_states
BEGIN SELECT RAISE(ABORT, 'a case is never removed'); END;
