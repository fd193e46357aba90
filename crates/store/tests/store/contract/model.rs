//! Random appends, steps, erasures and restarts against a small model of the store.

use std::collections::{BTreeMap, BTreeSet};

use countersign_store::{EventQuery, Ingested, Progress, Step, StepOutcome, Store, StoreError, Threading};
use proptest::prelude::*;

use crate::fixture::{Fixture, assert_good};

#[derive(Debug, Clone)]
enum Action {
    Ingest { id: u8, amount: u8 },
    Append { count: u8, fails: bool },
    Step { seq: u8, low: u8 },
    Erase { seq: u8 },
    Reopen { closes: bool },
    Sign,
    ClockBy(i8),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        4 => (0..12_u8, 1..3_u8).prop_map(|(id, amount)| Action::Ingest { id, amount }),
        3 => (1..100_u8, prop::bool::weighted(0.2)).prop_map(|(count, fails)| Action::Append { count, fails }),
        3 => (0..8_u8, 0..8_u8).prop_map(|(seq, low)| Action::Step { seq, low }),
        2 => (0..60_u8).prop_map(|seq| Action::Erase { seq }),
        1 => any::<bool>().prop_map(|closes| Action::Reopen { closes }),
        1 => Just(Action::Sign),
        1 => any::<i8>().prop_map(Action::ClockBy),
    ]
}

/// What the store should hold.
#[derive(Default)]
struct Model {
    /// The type of each event, in order.
    log: Vec<&'static str>,
    /// Position and amount of each transaction.
    taken: BTreeMap<u8, (u64, u8)>,
    erased: BTreeSet<u64>,
    done: BTreeSet<u64>,
    low: u64,
    signed: u64,
}

impl Model {
    fn size(&self) -> u64 {
        self.log.len() as u64
    }
}

struct Run {
    fixture: Fixture,
    store: Option<Store>,
    model: Model,
}

impl Run {
    fn store(&self) -> &Store {
        self.store.as_ref().unwrap()
    }

    async fn act(&mut self, action: &Action) {
        match action {
            Action::Ingest { id, amount } => self.ingest(*id, *amount).await,
            Action::Append { count, fails } => self.append(*count, *fails).await,
            Action::Step { seq, low } => self.step((*seq).into(), (*low).into()).await,
            Action::Erase { seq } => self.erase((*seq).into()).await,
            Action::Reopen { closes } => self.reopen(*closes).await,
            Action::Sign => {
                // The first signature may be over an empty log.
                let first = self.store().checkpoint().is_none();
                let signed = self.store().sign_checkpoint().await.unwrap();
                assert_eq!(signed, first || self.model.signed < self.model.size());
                self.model.signed = self.model.size();
            }
            Action::ClockBy(seconds) => self.fixture.clock.move_by_seconds((*seconds).into()),
        }
        assert_eq!(self.store().size().await.unwrap(), self.model.size());
    }

    async fn ingest(&mut self, id: u8, amount: u8) {
        let event = self.fixture.transaction(&format!("tx-{id}"), &format!("{amount}.00"));
        let taken = self.store().ingest(vec![event]).await.unwrap();
        let size = self.model.size();
        let expected = match self.model.taken.get(&id) {
            None => Ingested::Accepted { seq: size },
            Some((seq, was)) if *was == amount || self.model.erased.contains(seq) => Ingested::Duplicate { seq: *seq },
            Some((seq, _)) => Ingested::Conflict { seq: *seq },
        };
        assert_eq!(taken, [expected]);
        if matches!(expected, Ingested::Accepted { .. }) {
            self.model.taken.insert(id, (size, amount));
            self.model.log.push("TRANSACTION_RECEIVED");
        }
    }

    async fn append(&mut self, count: u8, fails: bool) {
        let mut events: Vec<_> = (0..count).map(|n| self.fixture.started(&n.to_string())).collect();
        events.extend(fails.then(|| events[0].clone()));
        let appended = self.store().append(events).await;
        if fails {
            assert!(matches!(appended, Err(StoreError::Conflict(_))), "{appended:?}");
        } else {
            assert_eq!(appended.unwrap(), self.model.size());
            self.model.log.extend((0..count).map(|_| "AGENT_STARTED"));
        }
    }

    async fn step(&mut self, seq: u64, low: u64) {
        let events = vec![self.fixture.started("step")];
        let outcome = self.store().step(Step::new("a", Progress::Lane { seq, low }, events)).await;
        let is_new = seq >= self.model.low && !self.model.done.contains(&seq);
        assert_eq!(outcome.unwrap(), if is_new { StepOutcome::Committed } else { StepOutcome::AlreadyDone });
        if is_new {
            self.model.done.insert(seq);
            self.model.low = self.model.low.max(low);
            self.model.done.retain(|seq| *seq >= low);
            self.model.log.push("AGENT_STARTED");
        }
        let (low, done) = self.store().progress("a").await.unwrap();
        assert_eq!((low, done), (self.model.low, self.model.done.iter().copied().collect()));
    }

    async fn erase(&mut self, seq: u64) {
        let erased = self.store().erase(vec![seq], "asked for", "ana").await;
        let may_erase = self.model.log.get(seq as usize).is_some_and(|event_type| *event_type != "PAYLOAD_ERASED");
        assert_eq!(erased.is_ok(), may_erase, "{erased:?}");
        if may_erase {
            self.model.erased.insert(seq);
            self.model.log.push("PAYLOAD_ERASED");
        }
    }

    async fn reopen(&mut self, closes: bool) {
        if closes {
            self.store().close().await.unwrap();
            self.model.signed = self.model.size();
        }
        self.store = None;
        self.store = Some(self.fixture.open(Threading::Inline));
        assert_eq!(self.store().has_unfinished_work().await.unwrap(), !closes);
        self.store().set_recovered();
        assert_eq!(self.store().signed_size(), self.model.signed);
    }

    async fn check(self) {
        let query = EventQuery { limit: 10_000, ..Default::default() };
        let events = self.store().events(query).await.unwrap();
        assert!(events.iter().map(|event| event.event_type.as_str()).eq(self.model.log.iter().copied()));
        let gone = events.iter().filter(|event| event.payload.is_none()).map(|event| event.seq);
        assert!(gone.eq(self.model.erased.iter().copied()));
        assert!(events.is_sorted_by_key(|event| event.recorded_at));
        let report = self.fixture.verify();
        assert_good(&report);
        let found = (report.events, report.erased, report.signed_events);
        assert_eq!(found, (self.model.size(), self.model.erased.len() as u64, self.model.signed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_work_agrees_with_the_model_and_verifies(actions in prop::collection::vec(action(), 1..50)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let fixture = Fixture::new();
            let mut run = Run { store: Some(fixture.open(Threading::Inline)), fixture, model: Model::default() };
            for action in &actions {
                run.act(action).await;
            }
            run.check().await;
        });
    }
}
