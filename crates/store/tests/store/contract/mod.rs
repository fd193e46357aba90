//! The promises that every backend of the store makes. The tests run on the backend that `COUNTERSIGN_TEST_STORE` names, and
//! don't depend on which one it is.
//!
//! | file               | promises                                                                  |
//! |--------------------|---------------------------------------------------------------------------|
//! | `appending.rs`     | order, exactly once, all or nothing, erasing                              |
//! | `closing.rs`       | closing, unfinished work, waiting jobs                                    |
//! | `isolation.rs`     | what a read sees while others write                                       |
//! | `steps.rs`         | agents' steps and progress                                                |
//! | `reading.rs`       | events, dead letters, registry, access keys                               |
//! | `history.rs`       | transactions and users' histories                                         |
//! | `cases.rs`         | the states of alerts, investigations and reports                          |
//! | `ranks.rs`         | how many alerts were similar                                              |
//! | `reports.rs`       | contents, versions, verdicts                                              |
//! | `alert_records.rs` | what reports are written from and judged by                               |
//! | `addenda.rs`       | what people added to reports                                              |
//! | `report_reader.rs` | reports of a store that another process has open                          |
//! | `reviews.rs`       | people's decisions                                                        |
//! | `logs.rs`          | audit logs, search, statistics, open answers                              |
//! | `ledger.rs`        | proofs, leaves, checkpoints, the key                                      |
//! | `signing.rs`       | announcing what is signed, cosignatures                                   |
//! | `backups.rs`       | backup and restore                                                        |
//! | `bundles.rs`       | the log as a file                                                         |
//! | `verifying.rs`     | verifying with other keys, with notes from outside, and while in use      |
//! | `model.rs`, `logs_model.rs` | random work against a model                                      |

mod addenda;
mod alert_records;
mod appending;
mod backups;
pub(crate) mod bundles;
mod cases;
mod closing;
pub(crate) mod history;
mod isolation;
pub(crate) mod ledger;
pub(crate) mod logs;
mod logs_model;
mod model;
mod ranks;
mod reading;
mod report_reader;
pub(crate) mod reports;
mod reviews;
mod signing;
mod steps;
mod verifying;

use countersign_domain::{DeadLetterId, DeadLetterState, NewEvent};
use countersign_store::{DeadLetterQuery, EventQuery, Progress, Step, Store, Threading};

use crate::fixture::{Fixture, assert_good};

/// Makes two tests of each rule, one for each [`Threading`].
macro_rules! for_each_threading {
    ($($rule:ident),* $(,)?) => {
        mod threaded {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $rule() {
                super::super::check(countersign_store::Threading::Threaded, super::$rule).await;
            })*
        }
        mod inline {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $rule() {
                super::super::check(countersign_store::Threading::Inline, super::$rule).await;
            })*
        }
    };
}
use for_each_threading;

/// Runs a rule on a new store, which must verify afterwards.
async fn check<Rule>(threading: Threading, rule: impl Fn(Setup) -> Rule)
where
    Rule: Future<Output = Setup>,
{
    let setup = rule(Setup { fixture: Fixture::new(), threading }).await;
    assert_good(&setup.fixture.verify());
}

/// A store that a rule opens, as often as it likes.
struct Setup {
    fixture: Fixture,
    threading: Threading,
}

impl Setup {
    fn open(&self) -> Store {
        self.fixture.open(self.threading)
    }

    fn transactions(&self, from: usize, count: usize) -> Vec<NewEvent> {
        (from..from + count).map(|n| self.fixture.transaction(&format!("tx-{n}"), "12.50")).collect()
    }
}

fn step(progress: Progress, events: Vec<NewEvent>) -> Step {
    Step::new("stand-in", progress, events)
}

/// A store with one dead letter of an agent.
async fn with_dead_letter(setup: &Setup) -> (Store, DeadLetterId) {
    let (store, id) = (setup.open(), setup.fixture.seams.dead_letter_id());
    let transaction = setup.fixture.transaction("tx-1", "1.00");
    let letter = setup.fixture.dead_letter(id, "stand-in", 0, transaction.event_id);
    store.ingest(vec![transaction]).await.unwrap();
    store.append(vec![letter]).await.unwrap();
    (store, id)
}

async fn state_of(store: &Store, id: DeadLetterId) -> DeadLetterState {
    let query = DeadLetterQuery { limit: 100, ..Default::default() };
    store.dead_letters(query).await.unwrap().into_iter().find(|letter| letter.id == id).unwrap().state
}

async fn all(store: &Store) -> Vec<countersign_domain::StoredEvent> {
    store.events(EventQuery { limit: 20_000, ..Default::default() }).await.unwrap()
}

/// Begins a call, and stops waiting for it at once.
async fn begin<T>(call: impl Future<Output = T>) {
    tokio::select! {
        biased;
        _ = call => {}
        () = std::future::ready(()) => {}
    }
}
