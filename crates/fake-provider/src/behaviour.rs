//! Behaviours of the fake provider: the answers and faults that a test can choose.

use std::time::Duration;

use bytes::Bytes;
use countersign_text::hash::SplitMix64;
use serde_json::Value;

use crate::received::Received;

/// How the fake provider answers a call. If the call is not a stream, a behaviour of streams does the closest thing: a break
/// becomes `Truncated`, a hang `Hang`, and an error event the provider's 500.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// The canned text, a tool call if the prompt says "call a tool", or JSON if the request asks for it.
    Answer,
    /// This text. Streams send it word by word.
    Text(String),
    /// One choice for each text, regardless of `n`.
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
    /// Like `Status`, with the seconds to wait: in a header (OpenAI, Anthropic) or in `RetryInfo` (Gemini).
    StatusRetryAfter(u16, f64),
    /// Accepts the call and never answers.
    Hang,
    /// Resets the connection without an answer.
    Reset,
    /// Closes the connection before the announced content-length is reached.
    Truncated,
    /// A complete answer whose JSON breaks off.
    MalformedJson,
    /// No choices, no candidates, no content blocks.
    Empty,
    /// A choice whose text is "".
    EmptyText,
    /// A choice without content: no parts, null content.
    EmptyParts,
    /// The model stopped for safety reasons: `SAFETY`, `content_filter`, `refusal`.
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
    /// Waits, on tokio's clock, before anything is sent.
    Delay(Duration, Box<Behaviour>),
}

/// Fails this share of the calls, with faults that respond immediately. The seed and the request's number determine the fault.
pub fn mixed(seed: u64, fail_rate: f64) -> impl Fn(&Received) -> Behaviour + Send + Sync + 'static {
    move |received| fault(seed, fail_rate, received.number, 6)
}

/// Like [`mixed`], but some of the failures never respond.
pub fn mixed_with_hangs(seed: u64, fail_rate: f64) -> impl Fn(&Received) -> Behaviour + Send + Sync + 'static {
    move |received| fault(seed, fail_rate, received.number, 7)
}

fn fault(seed: u64, fail_rate: f64, number: u64, kinds: u64) -> Behaviour {
    let drawn = scramble(seed ^ scramble(number));
    // A double represents 53 bits exactly, so that rates 0 and 1 mean never and always.
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

/// The first value of a SplitMix64 generator with this seed.
fn scramble(seed: u64) -> u64 {
    SplitMix64(seed).next()
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
    fn every_kind_of_failure_occurs_and_hangs_only_on_request() {
        let mut kinds = failures(3, 1.0);
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds.len(), 6, "{kinds:?}");
        assert!(!kinds.contains(&"Hang".to_owned()));
        assert!((1..100).any(|number| matches!(fault(3, 1.0, number, 7), Behaviour::Hang)));
    }
}
