//! The entry point to all models: finds the provider, sends a request in its format and reads the reply.

use crate::attempt::Journal;
use crate::call::CallPlan;
use crate::error::{Attempt, AttemptOutcome, CallError, CallResult};
use crate::forward::Forwarded;
use crate::prompt::{Prompt, Purpose, Reply, ReplyFormat, Usage};
use crate::provider::{CallPolicy, ModelSettings, SettingsError};
use crate::provider_state::ProviderState;
use crate::retry::RetryBudget;
use crate::secrets::Secrets;
use crate::target::Target;
use crate::wire;
use countersign_outbound::{AddressPolicy, HttpClient};
use rust_decimal::Decimal;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

/// Returns a random number in 0..1.
pub type Jitter = Arc<dyn Fn() -> f64 + Send + Sync>;
/// The wall clock, for daily budgets.
pub type Now = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// Randomness and time, passed in so that tests can control both. (The same idea as the store's `Seams`.)
#[derive(Clone)]
pub struct ModelSeams {
    pub jitter: Jitter,
    pub now: Now,
}

/// All providers. Clones share connections, limits, breakers and budgets.
#[derive(Clone)]
pub struct Models(pub(crate) Arc<Inner>, pub(crate) Option<Journal>);

pub(crate) struct Inner {
    pub(crate) providers: Vec<Arc<ProviderState>>,
    pub(crate) http: HttpClient,
    pub(crate) seams: ModelSeams,
    pub(crate) retries: RetryBudget,
    pub(crate) answer_bytes_max: usize,
    pub(crate) secrets: Secrets,
}

impl Models {
    pub fn new(settings: ModelSettings, jitter: Jitter) -> Result<Self, SettingsError> {
        Self::with_seams(settings, ModelSeams { jitter, now: Arc::new(SystemTime::now) })
    }

    pub fn with_seams(settings: ModelSettings, seams: ModelSeams) -> Result<Self, SettingsError> {
        let mut providers: Vec<Arc<ProviderState>> = Vec::with_capacity(settings.providers.len());
        for provider in &settings.providers {
            if providers.iter().any(|other| other.name == provider.name) {
                return Err(SettingsError::Duplicate(provider.name.clone()));
            }
            providers.push(Arc::new(ProviderState::new(provider, &settings.prices, seams.now.clone())?));
        }
        let secrets = Secrets::new(settings.providers.iter().filter_map(|provider| provider.key.as_ref()));
        let (http, answer_bytes_max) = (HttpClient::new(AddressPolicy::Any)?, settings.answer_bytes_max);
        let inner = Inner { providers, http, seams, retries: RetryBudget::default(), answer_bytes_max, secrets };
        Ok(Self(Arc::new(inner), None))
    }

    /// Returns a clone that also records every attempt in `journal` when it ends, even if the call is dropped.
    pub fn with_journal(&self, journal: &Journal) -> Self {
        Self(self.0.clone(), Some(journal.clone()))
    }

    pub fn provider_names(&self) -> impl Iterator<Item = &str> {
        self.0.providers.iter().map(|state| state.name.as_str())
    }

    /// The providers' keys, which must not leave this program.
    pub fn secrets(&self) -> &Secrets {
        &self.0.secrets
    }

    pub fn has_provider(&self, name: &str) -> bool {
        self.provider(name).is_some()
    }

    /// Adds tokens and money that were spent today before the start, read from the log.
    pub fn add_spent(&self, provider: &str, tokens: u64, usd: Decimal) {
        if let Some(state) = self.provider(provider) {
            state.budget.add(tokens, usd, (self.0.seams.now)());
        }
    }

    /// Sends a prompt in the provider's own format.
    pub async fn chat(
        &self,
        purpose: Purpose,
        target: &Target,
        prompt: &Prompt,
        calls: &CallPolicy,
    ) -> CallResult<Reply> {
        let plan = CallPlan::new(purpose, target, calls);
        self.send_prompt(&plan, prompt, ReplyFormat::Text, |_| Ok(())).await.map(|((), reply)| reply)
    }

    /// Sends a prompt and reads the reply. `check` runs before the attempt is recorded, so that the record has its outcome.
    pub(crate) async fn send_prompt<T>(
        &self,
        plan: &CallPlan<'_>,
        prompt: &Prompt,
        format: ReplyFormat<'_>,
        check: impl FnOnce(&Reply) -> Result<T, CallError>,
    ) -> CallResult<(T, Reply)> {
        let Some(state) = self.provider(&plan.target.provider) else {
            return CallResult::unknown(&plan.target.provider);
        };
        let request = match wire::request(state, &plan.target.model, prompt, format) {
            Ok(request) => request,
            Err(error) => return CallResult::failed(error, Vec::new()),
        };
        let CallResult { result, mut attempts } = self.send_with_retries(state, plan, &request, false).await;
        let result = match result {
            Ok(forwarded) => {
                let (result, attempt) =
                    read_and_record(state, &self.0.secrets, forwarded, format.schema().is_some(), check).await;
                attempts.push(attempt);
                result
            }
            Err(error) => Err(error),
        };
        CallResult { result, attempts }
    }

    pub(crate) fn provider(&self, name: &str) -> Option<&Arc<ProviderState>> {
        self.0.providers.iter().find(|state| state.name == name)
    }
}

/// Reads a response, and records the attempt with its outcome.
async fn read_and_record<T>(
    state: &ProviderState,
    secrets: &Secrets,
    mut forwarded: Forwarded,
    is_structured: bool,
    check: impl FnOnce(&Reply) -> Result<T, CallError>,
) -> (Result<(T, Reply), CallError>, Attempt) {
    let (usage, result) = match forwarded.bytes().await {
        Err(error) => (Usage::default(), Err(error)),
        Ok(body) if forwarded.outcome() != AttemptOutcome::Ok => {
            let (status, retry_after) = (forwarded.status, forwarded.retry_after());
            let error = wire::status_error(state, status, &body, retry_after);
            (Usage::default(), Err(error_without_secrets(secrets, error)))
        }
        Ok(body) => {
            let (usage, reply) = wire::reply(state.wire_format, &body, is_structured);
            let reply = reply.and_then(|reply| without_secrets(secrets, reply));
            (usage, reply.and_then(|reply| check(&reply).map(|value| (value, reply))))
        }
    };
    let outcome = result.as_ref().map_or_else(CallError::outcome, |_| AttemptOutcome::Ok);
    let attempt = forwarded.finish(outcome, usage);
    (result, attempt)
}

/// Removes keys that were escaped in the JSON and so only appear in the text. A disguised key can't be removed, so the reply is
/// withheld.
fn without_secrets(secrets: &Secrets, mut reply: Reply) -> Result<Reply, CallError> {
    if secrets.are_in(&reply.text) {
        reply.text = secrets.remove_from(&reply.text).into_owned();
    }
    if secrets.are_traced_in(&reply.text) { Err(CallError::HoldsProviderKey) } else { Ok(reply) }
}

/// Withholds the provider's error message if it contains a key.
fn error_without_secrets(secrets: &Secrets, mut error: CallError) -> CallError {
    if let CallError::Status { message, .. } = &mut error
        && (secrets.are_in(&*message) || secrets.are_traced_in(message))
    {
        *message = "its text contains one of this server's provider keys and is withheld".to_owned();
    }
    error
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.provider_names()).finish()
    }
}
