//! Compresses responses with gzip for callers that accept it. The dashboard's files are compressed at build time (`ui.rs`).
//!
//! The BREACH attack derives a secret from the lengths of compressed responses that contain both the secret and text chosen by
//! the attacker, who makes the victim's browser request them thousands of times. Our defences:
//! - responses with secrets (sessions, keys, sign-in) are never compressed; see `Route::may_be_compressed`;
//! - other sites can't make a browser send requests as its user: cookies are `SameSite=Strict`, the guard refuses requests from
//!   other origins, and keys travel in a header that no browser adds by itself;
//! - small responses are not compressed.
//!
//! The gateway under `/v1`, which passes the provider's bytes through unchanged, and streams are never compressed either.

use std::io::Write;

use axum::{
    body::{Body, HttpBody},
    http::{
        HeaderMap, HeaderValue,
        header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY},
    },
    response::Response,
};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http_body_util::BodyExt;

/// Smaller responses are not worth the headers.
const BYTES_MIN: u64 = 1_024;
/// Larger responses should not be in memory twice.
const BYTES_MAX: u64 = 64 << 20;
/// From this size on, compression takes so long that it should not block other requests on this thread.
const BLOCKING_FROM_BYTES: usize = 128 << 10;
/// Saves most of what a higher level would, in a fraction of the time.
const LEVEL: u32 = 4;

/// Whether the caller accepts a content coding.
pub(crate) fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let lists = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|listed| {
        let (name, weight) = listed.split_once(';').unwrap_or((listed, "q=1"));
        let weight = weight.trim().trim_start_matches("q=").parse::<f32>();
        name.trim().eq_ignore_ascii_case(coding) && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// Compresses the response, unless the caller doesn't accept that or it would save too little. Both forms carry `Vary`, so that a
/// cache doesn't serve either to the wrong caller.
pub(crate) async fn gzipped(mut response: Response, is_accepted: bool) -> Response {
    if !is_text(response.headers()) || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    // Streams have no exact size.
    let is_worth_it = response.body().size_hint().exact().is_some_and(|size| (BYTES_MIN..=BYTES_MAX).contains(&size));
    if !is_worth_it {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    if !is_accepted {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(plain) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(parts, Body::empty());
    };
    let packed = if plain.len() < BLOCKING_FROM_BYTES {
        pack(&plain)
    } else {
        let plain = plain.clone();
        tokio::task::spawn_blocking(move || pack(&plain)).await.unwrap_or_default()
    };
    match packed.filter(|packed| packed.len() < plain.len()) {
        None => Response::from_parts(parts, Body::from(plain)),
        Some(packed) => {
            parts.headers.remove(CONTENT_LENGTH);
            parts.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            Response::from_parts(parts, Body::from(packed))
        }
    }
}

fn pack(plain: &Bytes) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::new(LEVEL));
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}

fn is_text(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_stream = kind.starts_with("text/event-stream");
    !is_stream
        && ["application/json", "application/openmetrics-text", "text/"].iter().any(|known| kind.starts_with(known))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn answer(kind: &'static str, body: impl Into<Body>) -> Response {
        let mut response = Response::new(body.into());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        response
    }

    async fn encoding(response: Response) -> Option<String> {
        let response = gzipped(response, true).await;
        response.headers().get(CONTENT_ENCODING).map(|coding| coding.to_str().unwrap().to_owned())
    }

    #[tokio::test]
    async fn a_compressed_response_decompresses_to_the_original() {
        for size in [2_000, 300_000] {
            let plain = "{\"a\":1}".repeat(size / 7);
            let packed = gzipped(answer("application/json", plain.clone()), true).await;
            assert_eq!(packed.headers()[CONTENT_ENCODING], "gzip");
            assert_eq!(packed.headers()[VARY], "accept-encoding");
            let bytes = packed.into_body().collect().await.unwrap().to_bytes();
            let mut text = String::new();
            flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
            assert_eq!(text, plain);
        }
    }

    #[tokio::test]
    async fn a_response_that_could_be_compressed_carries_vary() {
        let plain = gzipped(answer("application/json", "x".repeat(5_000)), false).await;
        assert_eq!(
            (plain.headers().get(CONTENT_ENCODING), &plain.headers()[VARY]),
            (None, &"accept-encoding".parse().unwrap())
        );
        assert!(!gzipped(answer("application/pdf", "x"), false).await.headers().contains_key(VARY));
    }

    #[tokio::test]
    async fn small_streamed_compressed_and_binary_responses_are_not_compressed() {
        let long = || "x".repeat(5_000);
        assert_eq!(encoding(answer("application/json", long())).await.as_deref(), Some("gzip"));
        assert_eq!(encoding(answer("application/json", "{}")).await, None);
        assert_eq!(encoding(answer("application/pdf", long())).await, None);
        assert_eq!(encoding(answer("text/event-stream", long())).await, None);
        let pieces = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from(long()))]);
        assert_eq!(encoding(answer("application/json", Body::from_stream(pieces))).await, None);
        let mut packed = answer("text/css", long());
        packed.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("br"));
        assert_eq!(encoding(packed).await.as_deref(), Some("br"));
    }
}
