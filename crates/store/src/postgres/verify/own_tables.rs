//! Checks the tables that only Postgres has, and what its tables can't enforce.
//!
//! `event_ids` and `log_ids` make ids unique. While the log is walked, every event and every log is looked up there by its id.
//! Besides those rows there must be no others, so the numbers of rows must be equal, and only if they differ are the rows
//! searched. `transaction_ids` is checked by the rules, but unlike on SQLite, a position may occur there more than once.

use std::cell::{Cell, RefCell};

use super::{
    answers::{Answers, Counts},
    snapshot::Snapshot,
};
use crate::{error::Result, postgres::values::Columns};

/// Further ones are dropped, because there are enough findings by then.
const DIFFERING_MAX: usize = 100;

/// What the walk has seen.
#[derive(Default)]
pub(super) struct OwnTables {
    counts: Cell<Counts>,
    differing: RefCell<Vec<(u64, String)>>,
}

struct OwnTable {
    name: &'static str,
    count: &'static str,
    /// Finds positions of rows that no event explains.
    unexplained: &'static str,
    expected: fn(Counts) -> u64,
}

const OWN_TABLES: [OwnTable; 3] = [
    OwnTable {
        name: "event_ids",
        count: "SELECT count(*) FROM countersign.event_ids",
        unexplained: "SELECT i.seq FROM countersign.event_ids i LEFT JOIN countersign.event_log l ON l.seq = i.seq
            WHERE l.header::json ->> 'event_id' IS DISTINCT FROM i.event_id::text LIMIT 10",
        expected: |counts| counts.events,
    },
    OwnTable {
        name: "log_ids",
        count: "SELECT count(*) FROM countersign.log_ids",
        unexplained: "SELECT i.seq FROM countersign.log_ids i LEFT JOIN countersign.log_entries e ON e.seq = i.seq
            WHERE e.id IS DISTINCT FROM i.id LIMIT 10",
        expected: |counts| counts.logs,
    },
    OwnTable {
        name: "transaction_ids",
        count: "SELECT count(*) FROM countersign.transaction_ids",
        unexplained: "SELECT seq FROM countersign.transaction_ids GROUP BY seq HAVING count(*) > 1 ORDER BY seq LIMIT 10",
        expected: |counts| counts.transactions,
    },
];

impl OwnTables {
    /// Begins again, before a walk.
    pub(super) fn clear(&self) {
        self.counts.take();
        self.differing.take();
    }

    pub(super) fn add(&self, answers: &Answers) {
        let (Counts { events, logs, transactions }, added) = (self.counts.get(), answers.counts);
        self.counts.set(Counts {
            events: events + added.events,
            logs: logs + added.logs,
            transactions: transactions + added.transactions,
        });
        let mut differing = self.differing.borrow_mut();
        let free = DIFFERING_MAX.saturating_sub(differing.len());
        differing.extend(answers.differing.iter().take(free).cloned());
    }

    pub(super) fn compare(
        &self,
        snapshot: &Snapshot<'_>,
        each: &mut dyn FnMut(Option<u64>, String) -> Result<()>,
    ) -> Result<()> {
        let differing = self.differing.take();
        let has_differing = !differing.is_empty();
        for (seq, what) in differing {
            each(Some(seq), what)?;
        }
        for table in OWN_TABLES {
            let (count, unexplained) = (table.count, table.unexplained);
            let rows = snapshot.ask(|session| async move { session.row(count, &[]).await?.number(0) })?;
            if rows == (table.expected)(self.counts.get()) && !has_differing {
                continue;
            }
            for row in snapshot.ask(|session| async move { session.rows(unexplained, &[]).await })? {
                let seq = u64::try_from(row.column::<i64>(0)?).ok();
                each(seq, format!("the table {} has a row that no event explains", table.name))?;
            }
        }
        Ok(())
    }
}
