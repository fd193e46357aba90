//! Ends the records of streams that an unclean stop cut off.

use countersign_domain::{
    Event, LogId, NewEvent, StoredEvent,
    payload::{AnswerEnd, AnswerFailed},
};
use countersign_store::{OpenState, Store, StoreError};

const PAGE: usize = 256;

/// Records an interruption for every exchange that was requested and has no end. Runs before new requests are accepted.
pub(crate) async fn recover(store: &Store) -> Result<usize, StoreError> {
    let mut ended = 0;
    loop {
        let open = store.open_answers(OpenState::Requested, PAGE).await?;
        if open.is_empty() {
            return Ok(ended);
        }
        let events: Vec<NewEvent> = open.iter().map(|event| interrupted(store, event)).collect::<Result<_, _>>()?;
        ended += events.len();
        store.append(events).await?;
    }
}

fn interrupted(store: &Store, event: &StoredEvent) -> Result<NewEvent, StoreError> {
    let seams = store.seams();
    let asked = match event.event() {
        Ok(Event::AnswerRequested(asked)) => Some(asked),
        _ => None,
    };
    let failed = AnswerFailed {
        // The correlation of an exchange is its log's id, also where the body has been erased.
        log_id: asked.as_ref().map_or_else(|| LogId::from_uuid(event.correlation_id.uuid()), |asked| asked.log_id),
        model: asked.as_ref().and_then(|asked| asked.model.clone()),
        query: asked.map(|asked| asked.query),
        partial_response: None,
        end: AnswerEnd::Interrupted,
        detail: "the server stopped before the answer was whole".to_owned(),
        failed_at: seams.now(),
    };
    let made = NewEvent::new(seams.event_id(), failed, seams.now(), "answers", event.correlation_id)?;
    Ok(made.caused_by(event.event_id))
}
