//! Request bodies, bounded one by one and all together.
//!
//! A length that is announced is reserved before the first byte is read; a chunked body reserves as it grows. What is
//! reserved comes back when the request ends.

use std::{
    future::Future,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use axum::{body::Body, http::HeaderMap};
use bytes::{Bytes, BytesMut};
use countersign_ledger::sha256;
use http_body_util::BodyExt;

use super::error::{ApiError, Result};

/// Bytes that bodies may still take.
#[derive(Clone)]
pub(crate) struct Budget(Arc<AtomicUsize>);

/// A body in memory, with its share of the budget.
#[derive(Clone)]
pub(crate) struct Taken {
    pub(crate) bytes: Bytes,
    _share: Arc<Share>,
}

tokio::task_local! {
    /// The body that the request under way was read into, kept until the request is answered: a failure's log line says how
    /// large it was and what its hash is. Hashing every body for that would be a waste.
    static PAYLOAD: Payload;
}

/// What has been read of a request's body.
#[derive(Clone, Default)]
pub(crate) struct Payload(Arc<Mutex<Option<Taken>>>);

impl Payload {
    /// Runs the handler of one request, and keeps the body that it reads.
    pub(crate) fn scope<F: Future>(&self, handler: F) -> impl Future<Output = F::Output> {
        PAYLOAD.scope(self.clone(), handler)
    }

    /// Size and SHA-256 in hex; nothing if no whole body was read.
    pub(crate) fn digest(&self) -> Option<(usize, String)> {
        let taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = taken.as_ref().filter(|taken| !taken.bytes.is_empty());
        taken.map(|taken| (taken.bytes.len(), sha256(&taken.bytes).to_hex()))
    }

    fn keep(taken: &Taken) {
        // Some bodies are read outside a request, in tests.
        let _ = PAYLOAD.try_with(|payload| {
            *payload.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(taken.clone());
        });
    }
}

struct Share {
    budget: Budget,
    bytes: usize,
}

impl Drop for Share {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.bytes, Relaxed);
    }
}

impl Budget {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes_max)))
    }

    /// Reads a whole body of at most `bytes_max`.
    pub(crate) async fn read(&self, headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<Taken> {
        let announced = announced_length(headers)?;
        if announced.is_some_and(|length| length > bytes_max as u64) {
            return Err(too_large(bytes_max));
        }
        let mut share = Share { budget: self.clone(), bytes: 0 };
        share.grow_to(announced.and_then(|length| usize::try_from(length).ok()).unwrap_or(0))?;
        let bytes = collect(body, bytes_max, &mut share).await?;
        let taken = Taken { bytes, _share: Arc::new(share) };
        Payload::keep(&taken);
        Ok(taken)
    }
}

impl Share {
    fn grow_to(&mut self, bytes: usize) -> Result<()> {
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else { return Ok(()) };
        let taken = self.budget.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(more));
        taken.map_err(|_| ApiError::Overloaded("too many request bodies are in memory; send this one again"))?;
        self.bytes = bytes;
        Ok(())
    }
}

/// Most bodies are one frame, and those are never copied.
async fn collect(mut body: Body, bytes_max: usize, share: &mut Share) -> Result<Bytes> {
    let mut whole = match next(&mut body).await? {
        None => return Ok(Bytes::new()),
        Some(first) => Whole::One(first),
    };
    loop {
        if whole.len() > bytes_max {
            return Err(too_large(bytes_max));
        }
        share.grow_to(whole.len())?;
        match next(&mut body).await? {
            None => return Ok(whole.into_bytes()),
            Some(more) => whole = whole.with(&more, share.bytes.min(bytes_max)),
        }
    }
}

async fn next(body: &mut Body) -> Result<Option<Bytes>> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::bad_request("the body broke off before its end"))?;
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

enum Whole {
    One(Bytes),
    Many(BytesMut),
}

impl Whole {
    fn len(&self) -> usize {
        match self {
            Self::One(bytes) => bytes.len(),
            Self::Many(bytes) => bytes.len(),
        }
    }

    fn with(self, more: &[u8], expected: usize) -> Self {
        let mut bytes = match self {
            Self::Many(bytes) => bytes,
            Self::One(first) => {
                let mut bytes = BytesMut::with_capacity(expected.max(first.len() + more.len()));
                bytes.extend_from_slice(&first);
                bytes
            }
        };
        bytes.extend_from_slice(more);
        Self::Many(bytes)
    }

    fn into_bytes(self) -> Bytes {
        match self {
            Self::One(bytes) => bytes,
            Self::Many(bytes) => bytes.freeze(),
        }
    }
}

fn announced_length(headers: &HeaderMap) -> Result<Option<u64>> {
    let Some(length) = headers.get(axum::http::header::CONTENT_LENGTH) else { return Ok(None) };
    let length = length.to_str().ok().and_then(|text| text.trim().parse().ok());
    length.map(Some).ok_or_else(|| ApiError::bad_request("content-length is not a number"))
}

fn too_large(bytes_max: usize) -> ApiError {
    ApiError::TooLarge(format!("the body is larger than {bytes_max} bytes"))
}
