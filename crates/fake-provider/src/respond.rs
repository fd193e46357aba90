//! Turns a behaviour into an HTTP response, which may be complete, streamed, broken or never sent.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use tokio::time::sleep;

use crate::behaviour::Behaviour;
use crate::body::{End, ResponseBody};
use crate::counts::OpenCall;
use crate::received::{Operation, Received};
use crate::reply::{FinishReason, ModelReply};
use crate::wire;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream; charset=utf-8";
const HUGE_PIECE_BYTES: usize = 64 << 10;

/// The error that makes hyper close the connection without a response.
#[derive(Debug)]
pub(crate) struct ConnectionReset;

impl fmt::Display for ConnectionReset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection is reset, as the behaviour says")
    }
}

impl std::error::Error for ConnectionReset {}

pub(crate) async fn respond(
    received: &Received,
    mut behaviour: Behaviour,
    mut open: OpenCall,
    chunk_delay: Duration,
) -> Result<Response<ResponseBody>, ConnectionReset> {
    while let Behaviour::Delay(delay, then) = behaviour {
        sleep(delay).await;
        behaviour = *then;
    }
    match behaviour {
        Behaviour::Hang => std::future::pending().await,
        Behaviour::StreamHang { .. } if !received.is_stream => std::future::pending().await,
        Behaviour::Reset => {
            open.finish();
            Err(ConnectionReset)
        }
        behaviour => Ok(with_headers(response_to(received, behaviour, open, chunk_delay), received)),
    }
}

fn response_to(
    received: &Received,
    behaviour: Behaviour,
    open: OpenCall,
    chunk_delay: Duration,
) -> Response<ResponseBody> {
    match behaviour {
        Behaviour::Json(body) => whole(200, JSON, wire::to_text(&body).into(), Some(open)),
        Behaviour::Raw { status, content_type, body, headers } => {
            with_extra_headers(whole(status, &content_type, body, Some(open)), headers)
        }
        Behaviour::Status(status) => error_response(received, status, None, open),
        Behaviour::StatusRetryAfter(status, after_s) => error_response(received, status, Some(after_s), open),
        Behaviour::StreamError { .. } if !received.is_stream => error_response(received, 500, None, open),
        Behaviour::HugeBody(bytes) => {
            let content_type = if received.is_stream { EVENTS } else { JSON };
            pieces(content_type, huge_body(received.is_stream, bytes), End::Complete, Duration::ZERO, open)
        }
        behaviour => model_response(received, behaviour, open, chunk_delay),
    }
}

fn model_response(
    received: &Received,
    behaviour: Behaviour,
    open: OpenCall,
    chunk_delay: Duration,
) -> Response<ResponseBody> {
    if received.operation() == Operation::Unknown {
        return error_response(received, 404, None, open);
    }
    if received.operation() == Operation::Completion
        && let Some(message) = wire::request_error(received)
    {
        let (content_type, body) = wire::error(received, 400, None, Some(message));
        return whole(400, content_type, body, Some(open));
    }
    let reply = ModelReply::new(received, behaviour.clone());
    if reply.finish == FinishReason::Blocked && !wire::answers_when_blocked(received) {
        return error_response(received, 400, None, open);
    }
    if received.is_stream {
        streamed(received, &reply, &behaviour, open, chunk_delay)
    } else {
        unary(received, &reply, &behaviour, open)
    }
}

fn unary(received: &Received, reply: &ModelReply, behaviour: &Behaviour, open: OpenCall) -> Response<ResponseBody> {
    let body: Bytes = match received.operation() {
        Operation::Models => wire::models(received).to_string().into(),
        Operation::Completion | Operation::Unknown => wire::unary(received, reply).into(),
    };
    match behaviour {
        Behaviour::Truncated | Behaviour::StreamBreak { .. } => truncated(JSON, body, open),
        Behaviour::MalformedJson => whole(200, JSON, body.slice(..body.len() * 2 / 3), Some(open)),
        _ => whole(200, JSON, body, Some(open)),
    }
}

fn streamed(
    received: &Received,
    reply: &ModelReply,
    behaviour: &Behaviour,
    open: OpenCall,
    chunk_delay: Duration,
) -> Response<ResponseBody> {
    let wire::Frames { opening, mut chunks, closing } = wire::stream(received, reply);
    let content_type = if received.wants_events() { EVENTS } else { JSON };
    let mut frames = VecDeque::from(opening);
    let end = match behaviour {
        Behaviour::StreamBreak { after_chunks } => {
            frames.extend(chunks.into_iter().take(*after_chunks));
            End::Break
        }
        Behaviour::StreamHang { after_chunks } => {
            frames.extend(chunks.into_iter().take(*after_chunks));
            End::Hang
        }
        Behaviour::StreamError { after_chunks } => {
            frames.extend(chunks.into_iter().take(*after_chunks));
            frames.push_back(wire::stream_error(received));
            End::Complete
        }
        Behaviour::MalformedJson => {
            let first = chunks.drain(..).next().unwrap_or_default();
            frames.push_back(first.slice(..first.len() / 2));
            frames.push_back(Bytes::from_static(b"\n\n"));
            End::Complete
        }
        _ => {
            frames.extend(chunks);
            frames.extend(closing);
            End::Complete
        }
    };
    if matches!(behaviour, Behaviour::Truncated) {
        let body: Vec<u8> = frames.iter().flatten().copied().collect();
        return truncated(content_type, body.into(), open);
    }
    pieces(content_type, frames, end, chunk_delay, open)
}

fn error_response(
    received: &Received,
    status: u16,
    retry_after_s: Option<f64>,
    open: OpenCall,
) -> Response<ResponseBody> {
    let (content_type, body) = wire::error(received, status, retry_after_s, None);
    let headers = wire::error_headers(received, status, retry_after_s);
    with_extra_headers(whole(status, content_type, body, Some(open)), headers)
}

pub(crate) fn whole(status: u16, content_type: &str, body: Bytes, open: Option<OpenCall>) -> Response<ResponseBody> {
    build(status, content_type, ResponseBody::whole(body, open))
}

fn pieces(
    content_type: &str,
    frames: VecDeque<Bytes>,
    end: End,
    frame_delay: Duration,
    open: OpenCall,
) -> Response<ResponseBody> {
    build(200, content_type, ResponseBody::in_pieces(frames, end, frame_delay, open))
}

fn truncated(content_type: &str, body: Bytes, open: OpenCall) -> Response<ResponseBody> {
    let length = body.len();
    let half = VecDeque::from([body.slice(..length / 2)]);
    let mut response = pieces(content_type, half, End::Break, Duration::ZERO, open);
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
    response
}

/// A JSON object of this size, which only becomes valid with the last bytes.
fn huge_body(is_stream: bool, bytes: usize) -> VecDeque<Bytes> {
    let start: &[u8] = if is_stream { b"data: {\"x_fake_padding\":\"" } else { b"{\"x_fake_padding\":\"" };
    let end: &[u8] = if is_stream { b"\"}\n\n" } else { b"\"}" };
    let padding = bytes.saturating_sub(start.len() + end.len());
    let piece = Bytes::from(vec![b'a'; HUGE_PIECE_BYTES.min(padding)]);
    let mut frames = VecDeque::from([Bytes::copy_from_slice(start)]);
    frames.extend((0..padding / HUGE_PIECE_BYTES).map(|_| piece.clone()));
    frames.push_back(piece.slice(..padding % HUGE_PIECE_BYTES));
    frames.push_back(Bytes::copy_from_slice(end));
    frames
}

fn build(status: u16, content_type: &str, body: ResponseBody) -> Response<ResponseBody> {
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Ok(content_type) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(CONTENT_TYPE, content_type);
    }
    response
}

fn with_headers(response: Response<ResponseBody>, received: &Received) -> Response<ResponseBody> {
    with_extra_headers(response, wire::headers(received))
}

fn with_extra_headers(mut response: Response<ResponseBody>, headers: Vec<(String, String)>) -> Response<ResponseBody> {
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
