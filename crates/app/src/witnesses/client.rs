//! Sends a checkpoint with its consistency proof to one witness, and interprets the response.

use std::time::Duration;

use countersign_config::WitnessConfig;
use countersign_ledger::{AddCheckpoint, Checkpoint, Cosignature, WitnessKey};
use countersign_outbound::{Endpoint, SetupError};
use countersign_store::{Store, StoreError};
use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

const TIMEOUT: Duration = Duration::from_secs(10);
/// A 409 gives the witness's size, and the next attempt starts there. A third is needed if another client interferes.
const ATTEMPTS_MAX: usize = 3;
/// The maximum difference between a cosignature's time and this machine's clock.
pub(crate) const COSIGNATURE_AGE_S_MAX: u64 = 300;
const TEXT: &[(&str, &str)] = &[("content-type", "text/plain; charset=utf-8")];

pub(super) struct WitnessClient {
    endpoint: Endpoint,
    key: WitnessKey,
}

/// A checkpoint that a witness cosigned.
#[derive(Debug)]
pub(super) struct CosignedCheckpoint {
    pub(super) size: u64,
    pub(super) cosignature: Cosignature,
}

impl CosignedCheckpoint {
    /// The time by the witness's clock. `None` if it is not a valid date.
    pub(super) fn at(&self) -> Option<Timestamp> {
        i64::try_from(self.cosignature.time_s).ok().and_then(|seconds| Timestamp::from_second(seconds).ok())
    }
}

/// Why there is no cosignature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoCosignature {
    /// The witness may answer later.
    Unreachable(String),
    /// The witness answers but does not cosign this log.
    Refused(String),
    /// The witness has cosigned another history of this log.
    Disagrees(String),
}

impl WitnessClient {
    pub(super) fn new(witness: &WitnessConfig) -> Result<Self, SetupError> {
        let endpoint = Endpoint::new("the witness", &witness.url, "/add-checkpoint", TEXT, TIMEOUT)?;
        Ok(Self { endpoint, key: witness.key.clone() })
    }

    pub(super) fn name(&self) -> &str {
        self.key.name()
    }

    /// Gets the newest checkpoint cosigned and stores the cosignature. `last_size` is our record of what it cosigned last.
    /// If that is outdated, the witness responds with the right size.
    pub(super) async fn submit(&self, store: &Store, last_size: u64) -> Result<CosignedCheckpoint, NoCosignature> {
        let note = store.checkpoint().ok_or_else(|| NoCosignature::Unreachable("nothing is signed yet".into()))?;
        let opened = store.verifying_key().open(&note);
        let head = opened.map_err(|error| NoCosignature::Unreachable(format!("the newest checkpoint: {error}")))?;
        let mut old_size = last_size.min(head.size);
        for _ in 0..ATTEMPTS_MAX {
            let proof = store.consistency(old_size, head.size).await.map_err(not_proven)?;
            let request = AddCheckpoint { old_size, proof, note: note.to_string() };
            let answer = self.endpoint.post_json(request.to_body()).await;
            let (status, body) = answer.map_err(|error| NoCosignature::Unreachable(error.to_string()))?;
            let text = String::from_utf8_lossy(&body);
            match status {
                200 => return self.store_cosignature(store, &note, &head, &text).await,
                409 => old_size = known_size(&text, old_size, &head)?,
                other => return Err(refusal(other, old_size)),
            }
        }
        Err(NoCosignature::Unreachable("its size changed at every attempt".into()))
    }

    async fn store_cosignature(
        &self,
        store: &Store,
        note: &str,
        head: &Checkpoint,
        answer: &str,
    ) -> Result<CosignedCheckpoint, NoCosignature> {
        let cosignature = self.key.cosignature_in(note, answer);
        let wrong = |error| NoCosignature::Refused(format!("its answer has no valid cosignature by its key: {error}"));
        let cosignature = cosignature.map_err(wrong)?;
        let now_s = u64::try_from(store.seams().now().millis().div_euclid(1_000)).unwrap_or(0);
        check_fresh(cosignature.time_s, now_s)?;
        let stored = store.add_cosignature(head.size, &cosignature).await;
        stored.map_err(|error| NoCosignature::Unreachable(format!("its cosignature could not be stored: {error}")))?;
        Ok(CosignedCheckpoint { size: head.size, cosignature })
    }
}

/// Checks the time of a cosignature, because someone who impersonates the witness could replay an old one.
fn check_fresh(time_s: u64, now_s: u64) -> Result<(), NoCosignature> {
    let away_s = now_s.abs_diff(time_s);
    if away_s <= COSIGNATURE_AGE_S_MAX {
        return Ok(());
    }
    Err(NoCosignature::Refused(format!(
        "its cosignature's time differs from this machine's clock by {away_s} s: it may be an old one, or one of the clocks is wrong"
    )))
}

fn not_proven(error: StoreError) -> NoCosignature {
    NoCosignature::Unreachable(format!("the consistency proof could not be made: {error}"))
}

/// The size that a witness gives in a 409, for the next attempt.
fn known_size(answer: &str, old_size: u64, head: &Checkpoint) -> Result<u64, NoCosignature> {
    let known: u64 = answer
        .trim()
        .parse()
        .map_err(|_| NoCosignature::Unreachable("its response 409 does not state a size".into()))?;
    if known > head.size {
        return Err(NoCosignature::Disagrees(format!(
            "it has cosigned {known} events, and this log has {}: events are missing here",
            head.size
        )));
    }
    if known == old_size {
        return Err(NoCosignature::Disagrees(format!("it has cosigned another history of the first {known} events")));
    }
    Ok(known)
}

fn refusal(status: u16, old_size: u64) -> NoCosignature {
    match status {
        403 => NoCosignature::Disagrees("it knows another key for this log's origin (403)".into()),
        404 => NoCosignature::Refused("it does not know this log (404); add the log's public key there".into()),
        422 => {
            NoCosignature::Disagrees(format!("it has cosigned another history of the first {old_size} events (422)"))
        }
        408 | 425 | 429 | 500.. => NoCosignature::Unreachable(format!("it answers with status {status}")),
        other => NoCosignature::Refused(format!("it answers with status {other}")),
    }
}

/// Fetches the last checkpoint of a log that a `countersign witness` has cosigned, freshly cosigned. `None` if it has not
/// cosigned any.
pub(crate) async fn fetch_last(url: &str, origin: &str) -> Result<Option<String>, String> {
    let path = format!("/checkpoint?origin={}", utf8_percent_encode(origin, NON_ALPHANUMERIC));
    let endpoint = Endpoint::new("the witness", url, &path, &[], TIMEOUT).map_err(|error| error.to_string())?;
    match endpoint.get().await {
        Ok((200, body)) => String::from_utf8(body.to_vec()).map(Some).map_err(|_| "the answer is not text".into()),
        Ok((404, _)) => Ok(None),
        Ok((status, _)) => Err(format!("it answers with status {status}")),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use countersign_ledger::empty_root;

    use super::*;

    #[test]
    fn a_409_gives_the_next_size_or_reveals_another_history() {
        let head = Checkpoint { origin: "log".into(), size: 10, root: empty_root() };
        let check =
            |answer, old_size, expected: Result<u64, &str>| match (known_size(answer, old_size, &head), expected) {
                (Ok(size), Ok(expected)) => assert_eq!(size, expected),
                (Err(NoCosignature::Disagrees(why)), Err(part)) => assert!(why.contains(part), "{why}"),
                (Err(NoCosignature::Unreachable(why)), Err(part)) => assert!(why.contains(part), "{why}"),
                other => panic!("{answer}: {other:?}"),
            };
        check("7\n", 0, Ok(7));
        check("10\n", 0, Ok(10));
        check("0\n", 7, Ok(0));
        check("11\n", 7, Err("events are missing here"));
        check("7\n", 7, Err("another history"));
        check("", 7, Err("does not state a size"));
        check("-1", 7, Err("does not state a size"));
    }

    #[test]
    fn an_old_cosignature_does_not_count() {
        assert_eq!(check_fresh(1_000_000, 1_000_300), Ok(()));
        assert_eq!(check_fresh(1_000_300, 1_000_000), Ok(()), "clocks differ");
        for (time_s, now_s) in [(0, 1_000_000), (1_000_000, 1_000_301), (u64::MAX, 1_000_000)] {
            assert!(matches!(check_fresh(time_s, now_s), Err(NoCosignature::Refused(_))), "{time_s} {now_s}");
        }
    }

    #[test]
    fn the_status_distinguishes_an_unreachable_witness_from_one_that_disagrees() {
        let kind = |status| match refusal(status, 3) {
            NoCosignature::Unreachable(_) => "unreachable",
            NoCosignature::Refused(_) => "refused",
            NoCosignature::Disagrees(_) => "disagrees",
        };
        for (status, expected) in [
            (403, "disagrees"),
            (404, "refused"),
            (422, "disagrees"),
            (400, "refused"),
            (301, "refused"),
            (429, "unreachable"),
            (500, "unreachable"),
            (503, "unreachable"),
        ] {
            assert_eq!(kind(status), expected, "{status}");
        }
    }
}
