//! Reads request bodies, with a limit on each and a limit on all bodies in memory.
//!
//! The length in `Content-Length` is reserved before the first byte is read; a chunked body reserves memory as it grows. The
//! reservation is released when the request ends.

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

/// The number of bytes that request bodies may still use.
#[derive(Clone)]
pub(crate) struct BodyBudget(Arc<AtomicUsize>);

/// A request body in memory, with its share of the budget.
#[derive(Clone)]
pub(crate) struct RequestBody {
    pub(crate) bytes: Bytes,
    _share: Arc<BudgetShare>,
}

tokio::task_local! {
    /// The body of the current request, kept until the request is answered. If the request fails, the log line gives the body's
    /// size and hash; the hash is only computed then.
    static KEPT_BODY: KeptBody;
}

/// The body that a request's handler has read, if any.
#[derive(Clone, Default)]
pub(crate) struct KeptBody(Arc<Mutex<Option<RequestBody>>>);

impl KeptBody {
    /// Runs the handler of one request and keeps the body that it reads.
    pub(crate) fn scope<F: Future>(&self, handler: F) -> impl Future<Output = F::Output> {
        KEPT_BODY.scope(self.clone(), handler)
    }

    /// Size and SHA-256 in hex. `None` if no complete body was read.
    pub(crate) fn digest(&self) -> Option<(usize, String)> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let body = kept.as_ref().filter(|body| !body.bytes.is_empty());
        body.map(|body| (body.bytes.len(), sha256(&body.bytes).to_hex()))
    }

    fn keep(body: &RequestBody) {
        // In tests, bodies are also read outside of a request.
        let _ = KEPT_BODY.try_with(|kept| {
            *kept.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(body.clone());
        });
    }
}

struct BudgetShare {
    budget: BodyBudget,
    bytes: usize,
}

impl Drop for BudgetShare {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.bytes, Relaxed);
    }
}

impl BodyBudget {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self(Arc::new(AtomicUsize::new(bytes_max)))
    }

    /// Reads a body of at most `bytes_max`.
    pub(crate) async fn read(&self, headers: &HeaderMap, body: Body, bytes_max: usize) -> Result<RequestBody> {
        let announced = content_length(headers)?;
        if announced.is_some_and(|length| length > bytes_max as u64) {
            return Err(too_large(bytes_max));
        }
        let mut share = BudgetShare { budget: self.clone(), bytes: 0 };
        share.grow_to(announced.and_then(|length| usize::try_from(length).ok()).unwrap_or(0))?;
        let bytes = collect(body, bytes_max, &mut share).await?;
        let body = RequestBody { bytes, _share: Arc::new(share) };
        KeptBody::keep(&body);
        Ok(body)
    }
}

impl BudgetShare {
    fn grow_to(&mut self, bytes: usize) -> Result<()> {
        let Some(more) = bytes.checked_sub(self.bytes).filter(|more| *more > 0) else { return Ok(()) };
        let taken = self.budget.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(more));
        taken.map_err(|_| ApiError::Overloaded("too many request bodies are in memory; try again"))?;
        self.bytes = bytes;
        Ok(())
    }
}

/// Most bodies arrive in one frame and are never copied.
async fn collect(mut body: Body, bytes_max: usize, share: &mut BudgetShare) -> Result<Bytes> {
    let mut whole = match next(&mut body).await? {
        None => return Ok(Bytes::new()),
        Some(first) => CollectedBody::OneFrame(first),
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
        let frame = frame.map_err(|_| ApiError::bad_request("the body ended early"))?;
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

enum CollectedBody {
    OneFrame(Bytes),
    ManyFrames(BytesMut),
}

impl CollectedBody {
    fn len(&self) -> usize {
        match self {
            Self::OneFrame(bytes) => bytes.len(),
            Self::ManyFrames(bytes) => bytes.len(),
        }
    }

    fn with(self, more: &[u8], expected: usize) -> Self {
        let mut bytes = match self {
            Self::ManyFrames(bytes) => bytes,
            Self::OneFrame(first) => {
                let mut bytes = BytesMut::with_capacity(expected.max(first.len() + more.len()));
                bytes.extend_from_slice(&first);
                bytes
            }
        };
        bytes.extend_from_slice(more);
        Self::ManyFrames(bytes)
    }

    fn into_bytes(self) -> Bytes {
        match self {
            Self::OneFrame(bytes) => bytes,
            Self::ManyFrames(bytes) => bytes.freeze(),
        }
    }
}

fn content_length(headers: &HeaderMap) -> Result<Option<u64>> {
    let Some(length) = headers.get(axum::http::header::CONTENT_LENGTH) else { return Ok(None) };
    let length = length.to_str().ok().and_then(|text| text.trim().parse().ok());
    length.map(Some).ok_or_else(|| ApiError::bad_request("content-length is not a number"))
}

fn too_large(bytes_max: usize) -> ApiError {
    ApiError::TooLarge(format!("the body is larger than {bytes_max} bytes"))
}
