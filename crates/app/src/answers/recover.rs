//! Ends the records of streams that an unclean stop cut off.

use countersign_domain::{
    Event, LogId, NewEvent, StoredEvent,
    payload::{AnswerEnd, AnswerFailed},
};
use countersign_store::{OpenState, Store, StoreError};

const PAGE: usize = 256;

/// Records an interruption for every stream that was requested and has not ended. Runs before new requests are accepted.
pub(crate) async fn recover(store: &Store) -> Result<usize, StoreError> {
    let mut ended = 0;
    loop {
        let open = store.open_answers(OpenState::Requested, PAGE).await?;
        if open.is_empty() {
            return Ok(ended);
        }
        let events: Vec<NewEvent> = open.iter().map(|event| interruption(store, event)).collect::<Result<_, _>>()?;
        ended += events.len();
        store.append(events).await?;
    }
}

/// The event that ends an exchange as interrupted.
fn interruption(store: &Store, event: &StoredEvent) -> Result<NewEvent, StoreError> {
    let seams = store.seams();
    let request = match event.event() {
        Ok(Event::AnswerRequested(request)) => Some(request),
        _ => None,
    };
    let failed = AnswerFailed {
        // The correlation of an exchange is its log's id, which is known even if the body has been erased.
        log_id: request
            .as_ref()
            .map_or_else(|| LogId::from_uuid(event.correlation_id.uuid()), |request| request.log_id),
        model: request.as_ref().and_then(|request| request.model.clone()),
        query: request.map(|request| request.query),
        partial_response: None,
        end: AnswerEnd::Interrupted,
        detail: "the server stopped before the answer was complete".to_owned(),
        failed_at: seams.now(),
    };
    let ended = NewEvent::new(seams.event_id(), failed, seams.now(), "answers", event.correlation_id)?;
    Ok(ended.caused_by(event.event_id))
}
