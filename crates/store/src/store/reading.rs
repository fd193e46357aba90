//! Reading events, agents' progress and registry, dead letters and access keys.

use countersign_domain::{EventId, StoredEvent};

use super::{Store, backend::on_backend};
use crate::{
    error::Result,
    events::EventQuery,
    operations::{AccessKey, DeadLetter, DeadLetterQuery, RegistryEntry},
};

impl Store {
    /// A page of events, oldest first, erased ones without payload and metadata. It may contain events that [`Store::head`]
    /// doesn't count yet, because a commit is visible before it is announced.
    pub async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>> {
        on_backend!(self, backend => backend.events(query).await)
    }

    /// The event with this id, even if its body was erased. `NotFound` if there is no such event.
    pub async fn event(&self, id: EventId) -> Result<StoredEvent> {
        on_backend!(self, backend => backend.event(id).await)
    }

    /// The agent's mark (all events with a lower seq are finished) and the finished events at or above it, in order. The mark
    /// and the events may be as of different moments if the agent commits meanwhile.
    pub async fn progress(&self, agent: &'static str) -> Result<(u64, Vec<u64>)> {
        on_backend!(self, backend => backend.progress(agent).await)
    }

    /// All agents' entries in the registry, sorted by name.
    pub async fn registry(&self) -> Result<Vec<RegistryEntry>> {
        on_backend!(self, backend => backend.registry().await)
    }

    /// A page of dead letters, newest first by id. Ids begin with the time at which they were created.
    pub async fn dead_letters(&self, query: DeadLetterQuery) -> Result<Vec<DeadLetter>> {
        on_backend!(self, backend => backend.dead_letters(query).await)
    }

    /// All access keys, oldest first, including expired and revoked ones.
    pub async fn access_keys(&self) -> Result<Vec<AccessKey>> {
        on_backend!(self, backend => backend.access_keys().await)
    }
}
