//! The state of each witness, and whether enough of them cosign.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use countersign_config::{LedgerConfig, OnMissingWitness, PublishTarget};
use serde::Serialize;
use tokio::time::Instant;

use super::client::{CosignedCheckpoint, NoCosignature};

/// A witness that has cosigned still counts for this long after its first failure, so that its restart raises no alarm.
const GRACE: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub(crate) struct WitnessStatuses(Arc<StatusesInner>);

struct StatusesInner {
    required: usize,
    on_missing: OnMissingWitness,
    each: Mutex<Vec<WitnessEntry>>,
    publish: Option<Mutex<PublishStatus>>,
}

struct WitnessEntry {
    status: WitnessStatus,
    failing_since: Option<Instant>,
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct WitnessStatus {
    /// The name of the witness's key.
    #[schema(example = "witness.example/w1")]
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) state: WitnessState,
    /// Why it has not cosigned the newest checkpoint.
    pub(crate) detail: Option<String>,
    /// The size of the last checkpoint that it cosigned for this process, in events.
    pub(crate) size: Option<u64>,
    /// The time of that cosignature, by the witness's clock.
    pub(crate) cosigned_at: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Standing)]
pub(crate) enum WitnessState {
    /// It has not been asked yet.
    Waiting,
    /// It cosigned when it was last asked.
    Current,
    Unreachable,
    /// It answers, but does not cosign this log.
    Refused,
    /// It has cosigned another history of this log.
    Disagrees,
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
pub(crate) struct PublishStatus {
    /// The file's name, or the web address without its path.
    pub(crate) target: String,
    /// The size of the last published checkpoint, in events.
    pub(crate) size: Option<u64>,
    /// Why the newest checkpoint is not published.
    pub(crate) detail: Option<String>,
}

impl WitnessStatuses {
    pub(super) fn new(config: &LedgerConfig) -> Self {
        let entry = |witness: &countersign_config::WitnessConfig| WitnessEntry {
            status: WitnessStatus {
                name: witness.key.name().to_owned(),
                url: witness.url.clone(),
                state: WitnessState::Waiting,
                detail: None,
                size: None,
                cosigned_at: None,
            },
            failing_since: None,
        };
        let publish = config.publish.as_ref().map(|publish| {
            let target = match publish {
                PublishTarget::File(path) => path.display().to_string(),
                // The path may be a secret.
                PublishTarget::Webhook(url) => url.split('/').take(3).collect::<Vec<_>>().join("/"),
            };
            Mutex::new(PublishStatus { target, size: None, detail: None })
        });
        Self(Arc::new(StatusesInner {
            required: config.witnesses_required,
            on_missing: config.on_missing_witness,
            each: Mutex::new(config.witnesses.iter().map(entry).collect()),
            publish,
        }))
    }

    pub(crate) fn required(&self) -> usize {
        self.0.required
    }

    pub(crate) fn on_missing(&self) -> OnMissingWitness {
        self.0.on_missing
    }

    pub(crate) fn all(&self) -> Vec<WitnessStatus> {
        self.each().iter().map(|entry| entry.status.clone()).collect()
    }

    pub(crate) fn publish(&self) -> Option<PublishStatus> {
        self.0.publish.as_ref().map(|status| status.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    pub(super) fn last_size(&self, at: usize) -> u64 {
        self.each().get(at).and_then(|entry| entry.status.size).unwrap_or(0)
    }

    /// Whether retrying soon would be pointless.
    pub(super) fn is_final(&self, at: usize) -> bool {
        self.each()
            .get(at)
            .is_some_and(|entry| matches!(entry.status.state, WitnessState::Refused | WitnessState::Disagrees))
    }

    /// The number of witnesses that count as cosigning.
    pub(crate) fn current(&self) -> usize {
        self.each().iter().filter(|entry| entry.counts_as_cosigning()).count()
    }

    /// What is missing, if fewer witnesses cosign than required.
    pub(crate) fn missing(&self) -> Option<String> {
        let each = self.each();
        let current = each.iter().filter(|entry| entry.counts_as_cosigning()).count();
        if current >= self.0.required {
            return None;
        }
        let others = each.iter().filter(|entry| !entry.counts_as_cosigning()).map(|entry| {
            let detail = entry.status.detail.as_deref().unwrap_or("has not answered yet");
            format!("; {} at {}: {detail}", entry.status.name, entry.status.url)
        });
        Some(format!("{current} of {} required witnesses cosign{}", self.0.required, others.collect::<String>()))
    }

    /// Whether new work must be refused because too few witnesses cosign.
    pub(crate) fn refuses_work(&self) -> bool {
        self.0.required > 0 && self.0.on_missing == OnMissingWitness::Refuse && self.current() < self.0.required
    }

    /// Records the outcome of an attempt, and logs a change of the witness's state.
    pub(super) fn record(&self, at: usize, outcome: &Result<CosignedCheckpoint, NoCosignature>) {
        let mut each = self.each();
        let Some(entry) = each.get_mut(at) else { return };
        let before = entry.status.state;
        match outcome {
            Ok(cosigned) => {
                entry.status.state = WitnessState::Current;
                entry.status.detail = None;
                entry.status.size = Some(cosigned.size);
                entry.status.cosigned_at = cosigned.at().map(|time| time.to_string());
                entry.failing_since = None;
            }
            Err(missing) => {
                let (state, detail) = match missing {
                    NoCosignature::Unreachable(why) => (WitnessState::Unreachable, why),
                    NoCosignature::Refused(why) => (WitnessState::Refused, why),
                    NoCosignature::Disagrees(why) => (WitnessState::Disagrees, why),
                };
                entry.status.state = state;
                entry.status.detail = Some(detail.clone());
                entry.failing_since.get_or_insert_with(Instant::now);
            }
        }
        if entry.status.state != before {
            log_state(&entry.status);
        }
    }

    pub(super) fn published_size(&self) -> Option<u64> {
        self.publish().filter(|status| status.detail.is_none()).and_then(|status| status.size)
    }

    pub(super) fn record_publish(&self, outcome: Result<u64, String>) {
        let Some(status) = &self.0.publish else { return };
        let mut status = status.lock().unwrap_or_else(PoisonError::into_inner);
        match outcome {
            Ok(size) => {
                status.size = Some(size);
                status.detail = None;
            }
            Err(why) => {
                if status.detail.is_none() {
                    tracing::warn!(target = status.target, why, "could not publish a checkpoint");
                }
                status.detail = Some(why);
            }
        }
    }

    fn each(&self) -> MutexGuard<'_, Vec<WitnessEntry>> {
        self.0.each.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WitnessEntry {
    fn counts_as_cosigning(&self) -> bool {
        match self.status.state {
            WitnessState::Current => true,
            WitnessState::Unreachable => {
                self.status.size.is_some() && self.failing_since.is_some_and(|since| since.elapsed() < GRACE)
            }
            WitnessState::Waiting | WitnessState::Refused | WitnessState::Disagrees => false,
        }
    }
}

fn log_state(status: &WitnessStatus) {
    let WitnessStatus { name, url, detail, .. } = status;
    let why = detail.as_deref().unwrap_or_default();
    match status.state {
        WitnessState::Waiting => {}
        WitnessState::Current => tracing::info!(name, url, "the witness cosigned the newest checkpoint"),
        WitnessState::Unreachable => tracing::warn!(name, url, why, "the witness does not answer"),
        WitnessState::Refused => tracing::warn!(name, url, why, "the witness does not cosign this log"),
        WitnessState::Disagrees => {
            tracing::error!(name, url, why, "the witness disagrees about this log's history; run `countersign verify`");
        }
    }
}

#[cfg(test)]
mod tests {
    use countersign_ledger::{Cosignature, WitnessSigningKey};

    use super::*;

    fn statuses(required: usize, on_missing_witness: OnMissingWitness) -> WitnessStatuses {
        let witness = |seed| countersign_config::WitnessConfig {
            url: format!("http://w{seed}.example"),
            key: WitnessSigningKey::from_seed(&format!("w{seed}"), &[seed; 32]).unwrap().witness_key(),
        };
        let witnesses = vec![witness(1), witness(2)];
        WitnessStatuses::new(&LedgerConfig {
            witnesses,
            witnesses_required: required,
            on_missing_witness,
            publish: None,
        })
    }

    fn cosigned(size: u64) -> Result<CosignedCheckpoint, NoCosignature> {
        Ok(CosignedCheckpoint { size, cosignature: Cosignature { time_s: 1_700_000_000, line: String::new() } })
    }

    #[tokio::test(start_paused = true)]
    async fn work_is_refused_only_if_configured_and_after_a_grace_period() {
        for (required, on_missing, refuses) in [
            (0, OnMissingWitness::Refuse, false),
            (1, OnMissingWitness::Warn, false),
            (1, OnMissingWitness::Refuse, true),
        ] {
            let statuses = statuses(required, on_missing);
            assert_eq!(statuses.refuses_work(), refuses);
            statuses.record(0, &cosigned(5));
            assert!(!statuses.refuses_work());
            statuses.record(0, &Err(NoCosignature::Unreachable("it is away".into())));
            assert!(!statuses.refuses_work());
            tokio::time::advance(GRACE).await;
            assert_eq!(statuses.refuses_work(), refuses);
            assert_eq!(statuses.missing().is_some(), required > 0);
            statuses.record(0, &cosigned(6));
            assert!(!statuses.refuses_work());
            // There is no grace period for a witness that knows another history.
            statuses.record(0, &Err(NoCosignature::Disagrees("events are missing here".into())));
            assert_eq!(statuses.refuses_work(), refuses);
        }
    }

    #[test]
    fn the_reason_names_the_missing_witnesses_and_their_errors() {
        let statuses = statuses(2, OnMissingWitness::Warn);
        statuses.record(0, &cosigned(5));
        statuses.record(1, &Err(NoCosignature::Refused("it does not know this log (404)".into())));
        let missing = statuses.missing().unwrap();
        assert_eq!(
            missing,
            "1 of 2 required witnesses cosign; w2 at http://w2.example: it does not know this log (404)"
        );
        assert_eq!((statuses.current(), statuses.last_size(0), statuses.last_size(1)), (1, 5, 0));
        assert_eq!(statuses.all()[0].cosigned_at.as_deref(), Some("2023-11-14T22:13:20Z"));
    }
}
