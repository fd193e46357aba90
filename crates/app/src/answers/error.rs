//! Why an exchange has no answer.

use countersign_domain::payload::AnswerEnd;
use countersign_llm::{CallError, Target};
use countersign_store::StoreError;

/// One error for the worker's answers and the gateway's. Its text becomes the detail in the exchange's record.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnswerError {
    #[error("the worker {target} failed: {error}")]
    Worker { target: Target, error: CallError },
    /// The provider that the gateway called failed.
    #[error("the provider gave no answer: {0}")]
    Upstream(CallError),
    #[error("the provider's answer is not a chat completion")]
    NotACompletion,
    #[error("the provider's answer contains one of this server's provider keys and is withheld")]
    HoldsProviderKey,
    #[error("the caller disconnected")]
    CallerGone,
    #[error("the server is stopping")]
    Stopping,
    #[error("a request with this idempotency key is still being answered")]
    InFlight,
    #[error("this idempotency key was used before with another body")]
    IdempotencyKeyReused,
    #[error("the answer was withheld by its policy")]
    Withheld,
    #[error("the answer could not be recorded and is withheld")]
    NotRecorded(#[source] StoreError),
    #[error("a record could not be written as JSON")]
    Json(#[from] serde_json::Error),
}

impl AnswerError {
    /// How the record says that the exchange ended.
    pub(crate) fn end(&self) -> AnswerEnd {
        match self {
            Self::CallerGone => AnswerEnd::Cancelled,
            Self::Stopping => AnswerEnd::Interrupted,
            _ => AnswerEnd::Failed,
        }
    }
}
