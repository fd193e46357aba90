//! One witness: sends a checkpoint with its consistency proof, and says what the answer means.

use std::time::Duration;

use countersign_config::WitnessConfig;
use countersign_ledger::{AddCheckpoint, Checkpoint, Cosignature, WitnessKey};
use countersign_outbound::{Endpoint, SetupError};
use countersign_store::{Store, StoreError};
use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

const TIMEOUT: Duration = Duration::from_secs(10);
/// A witness names its size in a 409; one more round starts from there, one more if another client came between.
const ROUNDS_MAX: usize = 3;
/// How far the time of a cosignature may be from this machine's clock.
pub(crate) const COSIGNATURE_AGE_S_MAX: u64 = 300;
const TEXT: &[(&str, &str)] = &[("content-type", "text/plain; charset=utf-8")];

pub(super) struct Client {
    endpoint: Endpoint,
    key: WitnessKey,
}

/// A checkpoint that a witness cosigned.
#[derive(Debug)]
pub(super) struct Cosigned {
    pub(super) size: u64,
    pub(super) cosignature: Cosignature,
}

impl Cosigned {
    /// By the witness's clock; `None` if it claims a time that no calendar has.
    pub(super) fn at(&self) -> Option<Timestamp> {
        i64::try_from(self.cosignature.time_s).ok().and_then(|seconds| Timestamp::from_second(seconds).ok())
    }
}

/// Why there is no cosignature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Missing {
    /// It may answer later.
    Unreachable(String),
    /// It answers, but does not cosign this log.
    Refused(String),
    /// It has cosigned another history of this log than the one that is here.
    Disagrees(String),
}

impl Client {
    pub(super) fn new(witness: &WitnessConfig) -> Result<Self, SetupError> {
        let endpoint = Endpoint::new("the witness", &witness.url, "/add-checkpoint", TEXT, TIMEOUT)?;
        Ok(Self { endpoint, key: witness.key.clone() })
    }

    pub(super) fn name(&self) -> &str {
        self.key.name()
    }

    /// Has the newest checkpoint cosigned and stores the cosignature. `last_size` is what this witness cosigned last, as
    /// far as is known here; it knows better, and says so.
    pub(super) async fn submit(&self, store: &Store, last_size: u64) -> Result<Cosigned, Missing> {
        let note = store.checkpoint().ok_or_else(|| Missing::Unreachable("nothing is signed yet".into()))?;
        let opened = store.verifying_key().open(&note);
        let head = opened.map_err(|error| Missing::Unreachable(format!("the newest checkpoint: {error}")))?;
        let mut old_size = last_size.min(head.size);
        for _ in 0..ROUNDS_MAX {
            let proof = store.consistency(old_size, head.size).await.map_err(not_proven)?;
            let request = AddCheckpoint { old_size, proof, note: note.to_string() };
            let answer = self.endpoint.post_json(request.to_body()).await;
            let (status, body) = answer.map_err(|error| Missing::Unreachable(error.to_string()))?;
            let text = String::from_utf8_lossy(&body);
            match status {
                200 => return self.keep(store, &note, &head, &text).await,
                409 => old_size = known_size(&text, old_size, &head)?,
                other => return Err(refusal(other, old_size)),
            }
        }
        Err(Missing::Unreachable("it named another size each time".into()))
    }

    async fn keep(&self, store: &Store, note: &str, head: &Checkpoint, answer: &str) -> Result<Cosigned, Missing> {
        let cosignature = self.key.cosignature_in(note, answer);
        let wrong = |error| Missing::Refused(format!("its answer has no valid cosignature by its key: {error}"));
        let cosignature = cosignature.map_err(wrong)?;
        let now_s = u64::try_from(store.seams().now().millis().div_euclid(1_000)).unwrap_or(0);
        check_fresh(cosignature.time_s, now_s)?;
        let stored = store.add_cosignature(head.size, &cosignature).await;
        stored.map_err(|error| Missing::Unreachable(format!("its cosignature could not be stored: {error}")))?;
        Ok(Cosigned { size: head.size, cosignature })
    }
}

/// Somebody in the witness's place could send an old cosignature again.
fn check_fresh(time_s: u64, now_s: u64) -> Result<(), Missing> {
    let away_s = now_s.abs_diff(time_s);
    if away_s <= COSIGNATURE_AGE_S_MAX {
        return Ok(());
    }
    Err(Missing::Refused(format!(
        "its cosignature's time is {away_s} s away from this machine's clock: it may be an old one, or one of the clocks is wrong"
    )))
}

fn not_proven(error: StoreError) -> Missing {
    Missing::Unreachable(format!("the consistency proof could not be made: {error}"))
}

/// The size that a witness names in a 409, from which to go on.
fn known_size(answer: &str, old_size: u64, head: &Checkpoint) -> Result<u64, Missing> {
    let known: u64 = answer.trim().parse().map_err(|_| Missing::Unreachable("its 409 names no size".into()))?;
    if known > head.size {
        return Err(Missing::Disagrees(format!(
            "it has cosigned {known} events, and this log has {}: events are missing here",
            head.size
        )));
    }
    if known == old_size {
        return Err(Missing::Disagrees(format!("it has cosigned another history of the first {known} events")));
    }
    Ok(known)
}

fn refusal(status: u16, old_size: u64) -> Missing {
    match status {
        403 => Missing::Disagrees("it knows another key for this log's origin (403)".into()),
        404 => Missing::Refused("it does not know this log (404); add the log's public key there".into()),
        422 => Missing::Disagrees(format!("it has cosigned another history of the first {old_size} events (422)")),
        408 | 425 | 429 | 500.. => Missing::Unreachable(format!("it answers with status {status}")),
        other => Missing::Refused(format!("it answers with status {other}")),
    }
}

/// The last note that a `countersign witness` has cosigned of a log, as of now; none if it has not cosigned any.
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
    fn a_409_names_where_to_go_on_or_shows_another_history() {
        let head = Checkpoint { origin: "log".into(), size: 10, root: empty_root() };
        let check =
            |answer, old_size, expected: Result<u64, &str>| match (known_size(answer, old_size, &head), expected) {
                (Ok(size), Ok(expected)) => assert_eq!(size, expected),
                (Err(Missing::Disagrees(why)), Err(part)) => assert!(why.contains(part), "{why}"),
                (Err(Missing::Unreachable(why)), Err(part)) => assert!(why.contains(part), "{why}"),
                other => panic!("{answer}: {other:?}"),
            };
        check("7\n", 0, Ok(7));
        check("10\n", 0, Ok(10));
        check("0\n", 7, Ok(0));
        check("11\n", 7, Err("events are missing here"));
        check("7\n", 7, Err("another history"));
        check("", 7, Err("names no size"));
        check("-1", 7, Err("names no size"));
    }

    #[test]
    fn an_old_cosignature_does_not_count() {
        assert_eq!(check_fresh(1_000_000, 1_000_300), Ok(()));
        assert_eq!(check_fresh(1_000_300, 1_000_000), Ok(()), "clocks differ");
        for (time_s, now_s) in [(0, 1_000_000), (1_000_000, 1_000_301), (u64::MAX, 1_000_000)] {
            assert!(matches!(check_fresh(time_s, now_s), Err(Missing::Refused(_))), "{time_s} {now_s}");
        }
    }

    #[test]
    fn a_status_tells_a_witness_that_is_away_from_one_that_disagrees() {
        let kind = |status| match refusal(status, 3) {
            Missing::Unreachable(_) => "unreachable",
            Missing::Refused(_) => "refused",
            Missing::Disagrees(_) => "disagrees",
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
