//! The demo's traffic: customers with habits, several kinds of fraud, alerts from a partner bank, and queries to the worker.
//! All of it is generated from a seed, and is handled like any other traffic.

mod partner;

use std::time::Duration;

use countersign_domain::{Alert, Event, InvestigationId, NewEvent, Time, UserId};
use countersign_store::{Store, StoreError, TransactionQuery};
use countersign_transactions::{Generator, LabelledTransaction, queries};
use tokio::time::{Instant, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::answers::{Answers, Exchange, ROUTE};

const TICK: Duration = Duration::from_millis(200);
const QUERY_EVERY: Duration = Duration::from_secs(2);
const BATCH: usize = 256;
const PARTNER_ALERT_EVERY: Duration = Duration::from_secs(240);

/// Settings of the demo.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Demo {
    pub(crate) seed: u64,
    /// Transactions per second, approximately.
    pub(crate) rate: f64,
}

impl Demo {
    /// Generates traffic until told to stop or the store fails.
    pub(crate) async fn run(self, store: Store, answers: Answers, stop: CancellationToken) {
        let result = stop.run_until_cancelled(self.feed(&store, &answers)).await;
        if let Some(Err(error)) = result {
            tracing::error!(%error, "the demo's traffic stopped because the store failed");
        }
    }

    async fn feed(self, store: &Store, answers: &Answers) -> Result<(), StoreError> {
        let now = store.seams().now();
        let is_new = store.transactions(TransactionQuery { limit: 1, ..TransactionQuery::default() }).await?.is_empty();
        let mut generator = if is_new {
            let (generator, past) = Generator::demo(self.seed, now);
            let transactions = past.len();
            store_transactions(store, past).await?;
            tracing::info!(transactions, "stored the demo customers' past transactions");
            generator
        } else {
            let mut generator = Generator::demo_again(self.seed, now);
            remember(store, &mut generator).await?;
            generator
        };
        generator.begin_demo(store.seams().now(), self.rate);
        let mut queries = queries(self.seed);
        let mut next_query = Instant::now();
        let customers: Vec<UserId> = generator.customer_ids().cloned().collect();
        // Alert ids must differ from those of earlier starts.
        let run_id = format!("{:x}", store.seams().now().micros());
        store_alerts(store, partner::all(&run_id, customers.iter())).await?;
        let (mut partner_alerts, mut next_alert) = (0, Instant::now() + PARTNER_ALERT_EVERY);
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tick.tick().await;
            let due = due_transactions(&mut generator, store.seams().now());
            store_transactions(store, due).await?;
            if Instant::now() >= next_alert {
                next_alert = Instant::now() + PARTNER_ALERT_EVERY;
                partner_alerts += 1;
                let customer = customers.get(partner_alerts * 31 % customers.len().max(1));
                let next = customer.and_then(|customer| {
                    partner::next(&format!("{run_id}-{partner_alerts}"), partner_alerts, customer)
                });
                store_alerts(store, next).await?;
            }
            if Instant::now() >= next_query {
                next_query = Instant::now() + QUERY_EVERY;
                if let Some(query) = queries.next() {
                    ask(store, answers, query).await;
                }
            }
        }
    }
}

/// Tells the generator each customer's last transaction before the demo was stopped.
async fn remember(store: &Store, generator: &mut Generator) -> Result<(), StoreError> {
    let customers: Vec<UserId> = generator.customer_ids().cloned().collect();
    for user_id in customers {
        let query = TransactionQuery { user_id: Some(user_id), limit: 1, ..TransactionQuery::default() };
        for stored in store.transactions(query).await? {
            if let Ok(Event::TransactionReceived(transaction)) = stored.event() {
                generator.remember(&transaction);
            }
        }
    }
    Ok(())
}

fn due_transactions(generator: &mut Generator, now: Time) -> Vec<LabelledTransaction> {
    std::iter::from_fn(|| generator.next_live(now)).collect()
}

async fn store_transactions(store: &Store, mut labelled: Vec<LabelledTransaction>) -> Result<(), StoreError> {
    while !labelled.is_empty() {
        let rest = labelled.split_off(labelled.len().min(BATCH));
        let seams = store.seams();
        let events = labelled.into_iter().map(|LabelledTransaction { transaction, .. }| {
            let occurred_at = transaction.occurred_at;
            NewEvent::new(seams.event_id(), transaction, occurred_at, "demo", seams.correlation_id())
        });
        store.ingest(events.collect::<Result<_, _>>()?).await?;
        labelled = rest;
    }
    Ok(())
}

/// Stores alerts as the API does for an external detector.
async fn store_alerts(store: &Store, alerts: impl IntoIterator<Item = Alert>) -> Result<(), StoreError> {
    let seams = store.seams();
    let events = alerts.into_iter().map(|alert| {
        let correlation = InvestigationId::of_alert(&alert.alert_id).into();
        NewEvent::new(seams.event_id(), alert, seams.now(), "demo", correlation)
    });
    let events = events.collect::<Result<Vec<_>, _>>()?;
    if !events.is_empty() {
        store.ingest(events).await?;
    }
    Ok(())
}

async fn ask(store: &Store, answers: &Answers, query: &str) {
    let exchange = Exchange::new(store.seams(), ROUTE, "demo", query.to_owned(), answers.worker.clone());
    let stub = exchange.stub();
    let asking = {
        let answers = answers.clone();
        async move { answers.ask(exchange, None).await.map(|_| ()) }
    };
    if let Some(Err(error)) = answers.run(stub, asking).await {
        tracing::warn!(%error, "a demo query failed");
    }
}
