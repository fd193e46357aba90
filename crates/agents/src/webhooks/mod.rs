//! Notifies other systems of events: posts a short, signed notice of each event that a target subscribes to.
//!
//! A notice has its event's id, which is the same on every attempt, so that receivers can recognise duplicates. A failed
//! delivery is retried with the back-off of every agent (`runtime/handling.rs`); then the event becomes a dead letter, which
//! can be replayed. Targets don't block each other. Only the status of a response matters, and redirects are not followed. On
//! its first start the agent skips all earlier events.
//!
//! | file            | job                                                                   |
//! |-----------------|-----------------------------------------------------------------------|
//! | `mod.rs`        | which targets get an event, and what their responses mean             |
//! | `body.rs`       | the JSON body of a notice                                             |
//! | `sign.rs`       | signatures                                                            |
//! | `deliveries.rs` | which targets have received an event that is retried for others       |

mod body;
mod deliveries;
mod sign;

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use countersign_domain::{EventType, StoredEvent, Time};
use countersign_outbound::{Endpoint, RequestError, SetupError};
use countersign_store::Seams;
use futures_util::future::join_all;

use crate::runtime::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch};
use deliveries::Deliveries;
pub use sign::WebhookKey;

const AGENT: &str = "webhooks";
/// High, because deliveries mostly wait for the network, and because retries to a target that is down occupy slots.
const CONCURRENCY: usize = 64;
const TIMEOUT: Duration = Duration::from_secs(10);

/// Where to send notices, and about which events.
#[derive(Debug, Clone)]
pub struct WebhookTarget {
    pub url: String,
    pub key: WebhookKey,
    pub events: Vec<EventType>,
    /// Whether the address may be in a private network or on this machine.
    pub allow_private: bool,
}

pub struct Webhooks {
    targets: Vec<TargetClient>,
    /// The event types that at least one target subscribes to.
    wanted: Vec<EventType>,
    /// The clock, which tests control.
    seams: Seams,
    deliveries: Mutex<Deliveries>,
}

/// A target with its HTTP client.
struct TargetClient {
    /// The name in errors: number and host, without the path, which may be a secret.
    name: String,
    endpoint: Endpoint,
    key: WebhookKey,
    events: Vec<EventType>,
}

impl Webhooks {
    /// The types of event that targets can subscribe to.
    pub const EVENTS: &[EventType] = body::EVENTS;

    pub fn new(targets: Vec<WebhookTarget>, seams: Seams) -> Result<Arc<Self>, SetupError> {
        let is_wanted = |event: &&EventType| targets.iter().any(|target| target.events.contains(event));
        let wanted = Self::EVENTS.iter().filter(is_wanted).copied().collect();
        let targets = targets.into_iter().enumerate().map(|(n, target)| TargetClient::new(n + 1, target));
        let targets = targets.collect::<Result<_, _>>()?;
        Ok(Arc::new(Self { targets, wanted, seams, deliveries: Mutex::default() }))
    }

    async fn notify(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        let (id, event_type) = (event.event_id, EventType::parse(&event.event_type));
        let wants = |target: &TargetClient| event_type.is_some_and(|event_type| target.events.contains(&event_type));
        let pending: Vec<_> = {
            let deliveries = self.deliveries();
            let all = self.targets.iter().enumerate();
            all.filter(|(n, target)| wants(target) && !deliveries.has(id, *n)).collect()
        };
        if pending.is_empty() {
            return Ok(Vec::new());
        }
        let Some(body) = body::of(event, AGENT).map_err(AgentError::Permanent)? else { return Ok(Vec::new()) };
        let (id_text, now) = (id.to_string(), self.seams.now());
        let sending = pending.iter().map(|(_, target)| target.post(&id_text, now, &body));
        let (delivered, failed): (Vec<_>, Vec<_>) =
            pending.iter().zip(join_all(sending).await).partition(|(_, sent)| sent.is_ok());
        if failed.is_empty() {
            self.deliveries().forget(id);
            return Ok(Vec::new());
        }
        self.deliveries().remember(id, delivered.into_iter().map(|((n, _), _)| *n));
        Err(combined(failed.into_iter().filter_map(|(_, sent)| sent.err())))
    }

    fn deliveries(&self) -> MutexGuard<'_, Deliveries> {
        self.deliveries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Webhooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.targets.iter().map(|target| &target.name)).finish()
    }
}

impl Agent for Webhooks {
    fn name(&self) -> &'static str {
        AGENT
    }

    fn subscribes_to(&self) -> &[EventType] {
        &self.wanted
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Lanes { concurrency: CONCURRENCY }
    }

    fn starts_at_end(&self) -> bool {
        true
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(self.notify(event))
    }
}

impl TargetClient {
    fn new(number: usize, target: WebhookTarget) -> Result<Self, SetupError> {
        let WebhookTarget { url, key, events, allow_private } = target;
        let name = format!("webhook {number}");
        // The endpoint drops trailing slashes from the URL, but a receiver may need one.
        let path = if url.ends_with('/') { "/" } else { "" };
        let new_endpoint = if allow_private { Endpoint::new } else { Endpoint::new_public };
        let endpoint = new_endpoint(&name, &url, path, &[], TIMEOUT)?;
        Ok(Self { name: format!("{name} at {}", endpoint.host()), endpoint, key, events })
    }

    async fn post(&self, id: &str, now: Time, body: &[u8]) -> Result<(), AgentError> {
        let timestamp_s = now.millis().div_euclid(1_000);
        let signature = self.key.sign(id, timestamp_s, body);
        let headers =
            [("webhook-id", id), ("webhook-timestamp", &timestamp_s.to_string()), ("webhook-signature", &signature)];
        let status = self.endpoint.post_for_status(body.to_vec(), &headers).await;
        delivery_result(status).map_err(|DeliveryFailure { is_transient, what }| {
            let text = format!("{} {what}", self.name);
            if is_transient { AgentError::Transient(text) } else { AgentError::Permanent(text) }
        })
    }
}

/// Why a delivery failed.
#[derive(Debug)]
struct DeliveryFailure {
    /// Whether a later attempt may succeed.
    is_transient: bool,
    /// The reason; in the error's text, it follows the target's name.
    what: String,
}

/// Whether a response means that the notice was delivered.
fn delivery_result(status: Result<u16, RequestError>) -> Result<(), DeliveryFailure> {
    let transient = |what: String| Err(DeliveryFailure { is_transient: true, what });
    let permanent = |what: String| Err(DeliveryFailure { is_transient: false, what });
    match status {
        Ok(200..=299) => Ok(()),
        Ok(status @ 300..=399) => permanent(format!("responds with a redirect ({status}), which is not followed")),
        Ok(410) => permanent("is gone (410)".to_owned()),
        Ok(status @ (408 | 425 | 429)) => transient(format!("can't accept the notice now ({status})")),
        Ok(status @ 400..=499) => permanent(format!("refuses the notice ({status})")),
        Ok(status) => transient(format!("can't accept the notice now ({status})")),
        Err(RequestError::PrivateAddress) => permanent("is a private address, which needs `allow_private`".to_owned()),
        Err(error) => transient(format!("can't be reached: {error}")),
    }
}

/// Combines the errors of all failed deliveries. If any of them may succeed later, the event is retried.
fn combined(errors: impl Iterator<Item = AgentError>) -> AgentError {
    let errors: Vec<_> = errors.collect();
    let text = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    let is_transient = errors.iter().any(|error| !matches!(error, AgentError::Permanent(_)));
    if is_transient { AgentError::Transient(text) } else { AgentError::Permanent(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_decides_whether_a_notice_is_delivered_retried_or_dead_lettered() {
        let check =
            |status, expected| assert_eq!(delivery_result(status).map_err(|failure| failure.is_transient), expected);
        for status in [200, 201, 202, 204, 299] {
            check(Ok(status), Ok(()));
        }
        for status in [301, 302, 307, 308, 400, 401, 403, 404, 405, 409, 410, 413, 422, 451, 499] {
            check(Ok(status), Err(false));
        }
        for status in [101, 408, 425, 429, 500, 502, 503, 504, 599, 999] {
            check(Ok(status), Err(true));
        }
        check(Err(RequestError::Timeout { after_ms: 1 }), Err(true));
        check(Err(RequestError::Connection("refused".into())), Err(true));
        check(Err(RequestError::PrivateAddress), Err(false));
    }

    #[test]
    fn combined_failures_are_transient_if_any_is() {
        let gone = || AgentError::Permanent("a is gone".into());
        let down = || AgentError::Transient("b is down".into());
        assert_eq!(combined([gone(), down()].into_iter()), AgentError::Transient("a is gone; b is down".into()));
        assert_eq!(combined([gone(), gone()].into_iter()), AgentError::Permanent("a is gone; a is gone".into()));
    }
}
