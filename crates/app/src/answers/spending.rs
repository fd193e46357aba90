//! What today's model calls have cost so far, read from the log, so that a restart doesn't refill a daily budget.

use countersign_domain::{Event, EventType, Time};
use countersign_llm::Models;
use countersign_store::{EventQuery, Store, StoreError};

const DAY_MICROS: i64 = 24 * 3_600 * 1_000_000;
const PAGE: usize = 1_000;

pub(crate) async fn restore_spending(store: &Store, models: &Models) -> Result<(), StoreError> {
    let now = store.seams().now().micros();
    let midnight =
        Time::from_micros(now - now.rem_euclid(DAY_MICROS)).map_err(|e| StoreError::Corrupt(e.to_string()))?;
    let mut from_seq = first_since(store, midnight).await?;
    loop {
        let types = vec![EventType::ModelCalled];
        let events = store.events(EventQuery { from_seq, types, correlation_id: None, limit: PAGE }).await?;
        let Some(last) = events.last() else { return Ok(()) };
        from_seq = last.seq + 1;
        for event in &events {
            if let Ok(Event::ModelCalled(call)) = event.event() {
                let tokens = call.input_tokens.unwrap_or(0).saturating_add(call.output_tokens.unwrap_or(0));
                let usd = call.cost_usd.and_then(|cost| cost.parse().ok()).unwrap_or_default();
                models.add_spent(&call.provider, tokens, usd);
            }
        }
    }
}

/// The position of the first event at or after a moment. `recorded_at` never goes back, so a binary search finds it.
async fn first_since(store: &Store, since: Time) -> Result<u64, StoreError> {
    let (mut low, mut high) = (0, store.size().await?);
    while low < high {
        let middle = low + (high - low) / 2;
        let query = EventQuery { from_seq: middle, types: Vec::new(), correlation_id: None, limit: 1 };
        match store.events(query).await?.first() {
            Some(event) if event.recorded_at < since => low = event.seq + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}
