//! What the fake can be told to do with a call, well or badly.

use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;

use crate::received::Received;

/// A behaviour of a stream that meets a call that isn't one does the nearest thing: break becomes `Truncated`, hang `Hang`,
/// an error event the provider's 500.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// The canned text; a tool call when the prompt says "call a tool"; JSON when the request asks for it.
    Answer,
    /// This text; streams send it word by word.
    Text(String),
    /// One choice for each text, whatever `n` says.
    Choices(Vec<String>),
    ToolCall {
        name: String,
        arguments: String,
    },
    /// A 200 with exactly this body.
    Json(Value),
    Raw {
        status: u16,
        content_type: String,
        body: Bytes,
        headers: Vec<(String, String)>,
    },
    /// The provider's own error body for this status.
    Status(u16),
    /// The same, and when to come back in seconds: a header (OpenAI, Anthropic) or `RetryInfo` (Gemini).
    StatusRetryAfter(u16, f64),
    /// Accepts and never answers.
    Hang,
    /// Resets the connection without an answer.
    Reset,
    /// A content-length larger than the body, then the end of the connection.
    Truncated,
    /// A complete answer whose JSON breaks off.
    MalformedJson,
    /// No choices, no candidates, no content blocks.
    Empty,
    /// A choice whose text is "".
    EmptyText,
    /// A choice without content: no parts, null content.
    EmptyParts,
    /// The model stopped itself: `SAFETY`, `content_filter`, `refusal`.
    Safety,
    /// The prompt itself was refused: `promptFeedback.blockReason` without candidates; a 400 elsewhere.
    Blocked,
    /// The canned text cut short: `MAX_TOKENS`, `length`, `max_tokens`.
    MaxTokens,
    Recitation,
    /// This many bytes of body in pieces, valid JSON only at the last byte.
    HugeBody(usize),
    /// The connection ends after this many content chunks.
    StreamBreak {
        after_chunks: usize,
    },
    /// The provider's error event after this many content chunks.
    StreamError {
        after_chunks: usize,
    },
    StreamHang {
        after_chunks: usize,
    },
    /// Exactly these content deltas.
    StreamText {
        chunks: Vec<String>,
    },
    /// Waits on tokio's clock before anything is sent.
    Delay(Duration, Box<Behaviour>),
}

/// Fails this share of the calls, in kinds that come back at once; the same seed and request number fail the same way.
pub fn mixed(seed: u64, fail_rate: f64) -> impl Fn(&Received) -> Behaviour + Send + Sync + 'static {
    move |received| fault(seed, fail_rate, received.number, 6)
}

/// Like [`mixed`], and some of the failures never answer.
pub fn mixed_with_hangs(seed: u64, fail_rate: f64) -> impl Fn(&Received) -> Behaviour + Send + Sync + 'static {
    move |received| fault(seed, fail_rate, received.number, 7)
}

fn fault(seed: u64, fail_rate: f64, number: u64, kinds: u64) -> Behaviour {
    let drawn = scramble(seed ^ scramble(number));
    // 53 bits fill a double exactly, so that rates 0 and 1 mean never and always.
    let share = (drawn >> 11) as f64 / (1_u64 << 53) as f64;
    if share >= fail_rate {
        return Behaviour::Answer;
    }
    match scramble(drawn) % kinds {
        0 => Behaviour::Status(500),
        1 => Behaviour::StatusRetryAfter(429, 1.0),
        2 => Behaviour::Status(503),
        3 => Behaviour::Reset,
        4 => Behaviour::Truncated,
        5 => Behaviour::MalformedJson,
        _ => Behaviour::Hang,
    }
}

/// SplitMix64's finaliser: neighbours in, unrelated numbers out.
fn scramble(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failures(seed: u64, fail_rate: f64) -> Vec<String> {
        let calls = (1..=2_000).map(|number| fault(seed, fail_rate, number, 6));
        calls.map(|behaviour| format!("{behaviour:?}")).filter(|name| name != "Answer").collect()
    }

    #[test]
    fn half_of_the_calls_fail_at_a_rate_of_a_half() {
        let failed = failures(7, 0.5).len();
        assert!((900..1_100).contains(&failed), "{failed} of 2,000");
        assert_eq!(failures(7, 0.0).len(), 0);
        assert_eq!(failures(7, 1.0).len(), 2_000);
    }

    #[test]
    fn the_same_seed_fails_the_same_calls_and_another_seed_fails_others() {
        assert_eq!(failures(7, 0.5), failures(7, 0.5));
        assert_ne!(failures(7, 0.5), failures(8, 0.5));
    }

    #[test]
    fn every_kind_of_failure_is_drawn_and_hangs_only_when_asked_for() {
        let mut kinds = failures(3, 1.0);
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), 6, "{kinds:?}");
        assert!(!kinds.contains(&"Hang".to_owned()));
        assert!((1..100).any(|number| matches!(fault(3, 1.0, number, 7), Behaviour::Hang)));
    }
}
