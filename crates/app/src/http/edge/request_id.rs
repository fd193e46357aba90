//! The id of a request, which appears in its response and in its log line.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use countersign_store::Seams;

use crate::keys;

pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const REQUEST_ID_CHARS_MAX: usize = 64;

pub(crate) struct RequestIds {
    /// Distinguishes the ids of different processes.
    process: u32,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new(seams: &Seams) -> Self {
        Self { process: u32::from_ne_bytes(seams.entropy.bytes()), next: AtomicU64::new(0) }
    }

    /// The caller's id if it is safe to log, otherwise a new one.
    pub(crate) fn of(&self, headers: &HeaderMap) -> HeaderValue {
        let is_sane = |id: &&HeaderValue| {
            (1..=REQUEST_ID_CHARS_MAX).contains(&id.len())
                && id.to_str().is_ok_and(|id| id.bytes().all(|b| b.is_ascii_graphic()) && !keys::may_hold_key(id))
        };
        headers.get(REQUEST_ID).filter(is_sane).cloned().unwrap_or_else(|| self.new_id())
    }

    fn new_id(&self) -> HeaderValue {
        let id = format!("{:08x}-{:x}", self.process, self.next.fetch_add(1, Ordering::Relaxed));
        HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("none"))
    }
}
