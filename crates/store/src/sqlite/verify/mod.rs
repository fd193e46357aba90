//! Verifies a database file: every leaf, node, body, causal link and checkpoint, every derived row, and that agents have done
//! what their progress says.
//!
//! It only reads, in short transactions, so that it can run while a server is using the store. `agent_registry` (heartbeats and
//! counts), `agent_attempts` and `process_state` are bookkeeping that nothing relies on, and are not checked. The search index is
//! checked in `search/verify.rs`.
//!
//! | file                                                  | checks                                              |
//! |-------------------------------------------------------|-----------------------------------------------------|
//! | `walk.rs`                                             | nothing: reads the events for the others            |
//! | `ledger.rs`                                           | `ledger_head`, checkpoints, inner nodes             |
//! | `events.rs`                                           | each event, and the rows that follow from one event |
//! | `tables.rs`                                           | keys, dead letters and erasures, rows without event |
//! | `cases.rs`, `answers.rs`, `ranks.rs`, `history.rs`    | the tables whose rows depend on several events      |
//! | `effects.rs`                                          | agents' progress                                    |

mod answers;
mod cases;
mod effects;
mod events;
mod history;
mod ledger;
mod ranks;
mod tables;
mod walk;

use std::{collections::BTreeMap, path::Path};

use countersign_ledger::VerifyingKey;
use rusqlite::{Connection, types::ValueRef};

use self::{cases::CasesCheck, history::HistoryCheck, ranks::RanksCheck};
use super::{readers::open_read_only, schema};
use crate::{
    anchor::Anchor,
    check::{Check, LastCheckpoint, Verification},
    derive::{access_keys::AccessKeyRow, answers::ExpectedAnswers, dead_letters::DeadLetterRow, effects::EffectsCheck},
    error::Result,
};

pub(super) use walk::walk;

/// The size of the newest checkpoint in the database. `None` if there is none or it can't be read, which the check will find.
pub(crate) fn newest_checkpoint(path: &Path) -> Result<Option<u64>> {
    let conn = open_read_only(path)?;
    Ok(conn.query_row("SELECT max(size) FROM checkpoints", [], |row| row.get(0)).unwrap_or(None))
}

/// Checks the database at `path`.
pub(crate) fn verify_database(
    path: &Path,
    key: &VerifyingKey,
    last_checkpoint: &LastCheckpoint<'_>,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    let conn = open_read_only(path)?;
    schema::check_version(&conn)?;
    let mut verifier = Verifier {
        conn: &conn,
        check: Check::new(),
        size: 0,
        keys: BTreeMap::new(),
        letters: BTreeMap::new(),
        answers: ExpectedAnswers::default(),
        history: HistoryCheck::default(),
        cases: CasesCheck::default(),
        ranks: RanksCheck::default(),
        effects: EffectsCheck::default(),
    };
    // The note is read before `ledger_head`: the log only grows, so everything that was signed must be in what is read later.
    if let LastCheckpoint::Note(note) = last_checkpoint {
        verifier.expect_note(key, note, "the last signed checkpoint", None);
    }
    for anchor in anchors {
        anchor.expect(key, &mut verifier.check);
    }
    // If damage ends one check early, the others still run.
    verifier.run(|v| v.expect_head(key));
    verifier.run(|v| v.expect_checkpoints(key, matches!(last_checkpoint, LastCheckpoint::Missing)));
    verifier.run(Verifier::check_schema);
    verifier.run(Verifier::check_file);
    verifier.run(|v| v.check_events(progress));
    verifier.run(Verifier::check_strays);
    verifier.run(Verifier::check_nodes);
    verifier.run(Verifier::check_erasures);
    verifier.run(Verifier::check_keys);
    verifier.run(Verifier::check_dead_letters);
    verifier.run(|v| answers::compare(std::mem::take(&mut v.answers), v.conn, v.size, &mut v.check));
    verifier.run(|v| v.cases.compare(v.conn, v.size, &mut v.check));
    verifier.run(|v| v.ranks.find_strays(v.conn, &mut v.check));
    verifier.effects.finish(&mut verifier.check);
    // A live store signs new events within a second. A backup is complete, and anybody may have added what isn't signed.
    let (signed, size) = (verifier.check.signed_events, verifier.size);
    if matches!(last_checkpoint, LastCheckpoint::NotKept) && signed < size {
        verifier.check.find(
            Some(signed),
            None,
            format!("is not signed, nor is any event after it: only the first {signed} of {size} are"),
        );
    }
    Ok(verifier.check.finish(key.name().to_owned()))
}

struct Verifier<'a> {
    conn: &'a Connection,
    check: Check,
    /// The number of events at the start. Events that a live store adds later are left to the next verification.
    size: u64,
    keys: BTreeMap<String, AccessKeyRow<'static>>,
    letters: BTreeMap<String, DeadLetterRow<'static>>,
    answers: ExpectedAnswers,
    history: HistoryCheck,
    cases: CasesCheck,
    ranks: RanksCheck,
    effects: EffectsCheck,
}

impl Verifier<'_> {
    /// Runs a check. Damage that ends it early is a finding too.
    fn run(&mut self, check: impl FnOnce(&mut Self) -> Result<()>) {
        if let Err(error) = check(self) {
            self.check.find(None, None, format!("the store can't be read to the end: {error}"));
        }
    }

    /// The schema must be exactly the one that this version creates.
    fn check_schema(&mut self) -> Result<()> {
        for difference in schema::differences(self.conn)? {
            self.check.find(None, None, difference);
        }
        Ok(())
    }

    /// SQLite's own check of the file: pages, and indexes against their tables.
    fn check_file(&mut self) -> Result<()> {
        let mut statement = self.conn.prepare("PRAGMA integrity_check(10)")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let line = text(row.get_ref(0)?);
            if line != "ok" {
                self.check.find(None, None, format!("the database file is damaged: {line}"));
            }
        }
        Ok(())
    }
}

pub(super) fn position_exists(conn: &Connection, seq: u64) -> Result<bool> {
    Ok(conn.prepare_cached("SELECT 1 FROM event_log WHERE seq = ?1")?.exists([seq])?)
}

fn bytes(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
        _ => &[],
    }
}

fn text(value: ValueRef<'_>) -> String {
    String::from_utf8_lossy(bytes(value)).into_owned()
}
