//! The rules of verification for a whole database: every leaf, node, body, causal link and checkpoint, every derived row, and that
//! agents have done what their progress says.
//!
//! The rules are the same for every backend, which only answers what it has stored ([`StoredRecords`]). A server may be using the
//! store meanwhile: a store only has to be consistent within the snapshots that the rules ask for, and what is written after the
//! start is left to the next verification. `agent_registry` (heartbeats and counts), `agent_attempts` and `process_state` are
//! bookkeeping that nothing relies on, and are not checked.
//!
//! | file                                                  | job                                                        |
//! |-------------------------------------------------------|------------------------------------------------------------|
//! | `records.rs`                                          | what the rules ask a backend                               |
//! | `ledger.rs`                                           | checks `ledger_head`, checkpoints, inner nodes             |
//! | `events.rs`                                           | checks each event, and the rows that follow from one event |
//! | `tables.rs`                                           | checks keys, dead letters, erasures, rows without event    |
//! | `cases.rs`, `answers.rs`, `ranks.rs`, `history.rs`    | check the tables whose rows depend on several events       |
//! | `erasures.rs`                                         | checks and looks up what erasures keep                     |
//! | `effects.rs`                                          | reads agents' progress for its check                       |

mod answers;
mod cases;
mod effects;
mod erasures;
mod events;
mod history;
mod ledger;
mod ranks;
pub(crate) mod records;
mod tables;

use std::collections::BTreeMap;

use countersign_ledger::VerifyingKey;

use self::{cases::CasesCheck, history::HistoryCheck, ranks::RanksCheck, records::StoredRecords};
use crate::{
    anchor::Anchor,
    check::{Check, LastCheckpoint, Verification},
    derive::{access_keys::AccessKeyRow, answers::ExpectedAnswers, dead_letters::DeadLetterRow, effects::EffectsCheck},
    error::Result,
};

/// Checks the records of a database whose schema has this version. `progress` is called with the number of events that were
/// checked and the number of all events.
pub(crate) fn verify_records(
    records: &dyn StoredRecords,
    key: &VerifyingKey,
    last_checkpoint: &LastCheckpoint<'_>,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Verification {
    let mut verifier = Verifier {
        records,
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
    verifier.run(Verifier::check_storage);
    verifier.run(|v| v.check_events(progress));
    verifier.run(Verifier::check_strays);
    verifier.run(Verifier::check_own_tables);
    verifier.run(Verifier::check_nodes);
    verifier.run(Verifier::check_erasures);
    verifier.run(Verifier::check_keys);
    verifier.run(Verifier::check_dead_letters);
    verifier.run(|v| answers::compare(std::mem::take(&mut v.answers), v.records, v.size, &mut v.check));
    verifier.run(|v| v.cases.compare(v.records, v.size, &mut v.check));
    verifier.run(|v| v.ranks.find_strays(v.records, &mut v.check));
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
    verifier.check.finish(key.name().to_owned())
}

struct Verifier<'a> {
    records: &'a dyn StoredRecords,
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
        for difference in self.records.schema_differences()? {
            self.check.find(None, None, difference);
        }
        Ok(())
    }

    fn check_storage(&mut self) -> Result<()> {
        self.records.damage(&mut |what| {
            self.check.find(None, None, what);
            Ok(())
        })
    }
}
