//! Response bodies, read up to a limit.

use crate::error::RequestError;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};

/// The whole body, or an error as soon as it is known to exceed `bytes_max`. A body of one chunk is not copied.
pub async fn read_body(mut body: Incoming, bytes_max: usize) -> Result<Bytes, RequestError> {
    let announced_bytes = body.size_hint().lower();
    if announced_bytes > bytes_max as u64 {
        return Err(RequestError::TooLarge { bytes_max });
    }
    let Some(first) = next_chunk(&mut body).await? else { return Ok(Bytes::new()) };
    if first.len() > bytes_max {
        return Err(RequestError::TooLarge { bytes_max });
    }
    let Some(second) = next_chunk(&mut body).await? else { return Ok(first) };
    let mut whole =
        BytesMut::with_capacity(first.len() + usize::try_from(announced_bytes).unwrap_or(0).max(second.len()));
    whole.extend_from_slice(&first);
    let mut next = Some(second);
    while let Some(chunk) = next {
        if whole.len() + chunk.len() > bytes_max {
            return Err(RequestError::TooLarge { bytes_max });
        }
        whole.extend_from_slice(&chunk);
        next = next_chunk(&mut body).await?;
    }
    Ok(whole.freeze())
}

/// The next chunk of a body, skipping empty ones. `None` at the end.
pub async fn next_chunk(body: &mut Incoming) -> Result<Option<Bytes>, RequestError> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Err(error)) => return Err(RequestError::from_connection(&error)),
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) if !data.is_empty() => return Ok(Some(data)),
                // Skip trailers and empty frames.
                Ok(_) | Err(_) => {}
            },
        }
    }
}
