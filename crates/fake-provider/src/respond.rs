//! Turns a behaviour into an HTTP response, which may be complete, streamed, broken or never sent.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use tokio::time::sleep;

use crate::answer::{Answer, End};
use crate::behaviour::Behaviour;
use crate::counts::OpenCall;
use crate::received::{Asked, Received};
use crate::reply::{Finish, Reply};
use crate::wire;

const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream; charset=utf-8";
const HUGE_PIECE_BYTES: usize = 64 << 10;

/// Closes the connection without a response.
#[derive(Debug)]
pub(crate) struct ConnectionReset;

impl fmt::Display for ConnectionReset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the connection is reset, as asked")
    }
}

impl std::error::Error for ConnectionReset {}

pub(crate) async fn respond(
    received: &Received,
    mut behaviour: Behaviour,
    mut open: OpenCall,
    chunk_delay: Duration,
) -> Result<Response<Answer>, ConnectionReset> {
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
        behaviour => Ok(with_headers(answered(received, behaviour, open, chunk_delay), received)),
    }
}

fn answered(received: &Received, behaviour: Behaviour, open: OpenCall, chunk_delay: Duration) -> Response<Answer> {
    match behaviour {
        Behaviour::Json(body) => whole(200, JSON, wire::written(&body).into(), Some(open)),
        Behaviour::Raw { status, content_type, body, headers } => {
            extended(whole(status, &content_type, body, Some(open)), headers)
        }
        Behaviour::Status(status) => refused(received, status, None, open),
        Behaviour::StatusRetryAfter(status, after_s) => refused(received, status, Some(after_s), open),
        Behaviour::StreamError { .. } if !received.is_stream => refused(received, 500, None, open),
        Behaviour::HugeBody(bytes) => {
            let content_type = if received.is_stream { EVENTS } else { JSON };
            pieces(content_type, huge(received.is_stream, bytes), End::Complete, Duration::ZERO, open)
        }
        behaviour => said(received, behaviour, open, chunk_delay),
    }
}

fn said(received: &Received, behaviour: Behaviour, open: OpenCall, chunk_delay: Duration) -> Response<Answer> {
    if received.asked() == Asked::Nothing {
        return refused(received, 404, None, open);
    }
    if received.asked() == Asked::Completion
        && let Some(complaint) = wire::complaint(received)
    {
        let (content_type, body) = wire::error(received, 400, None, Some(complaint));
        return whole(400, content_type, body, Some(open));
    }
    let reply = Reply::new(received, behaviour.clone());
    if reply.finish == Finish::Blocked && !wire::answers_when_blocked(received) {
        return refused(received, 400, None, open);
    }
    if received.is_stream {
        streamed(received, &reply, &behaviour, open, chunk_delay)
    } else {
        unary(received, &reply, &behaviour, open)
    }
}

fn unary(received: &Received, reply: &Reply, behaviour: &Behaviour, open: OpenCall) -> Response<Answer> {
    let body: Bytes = match received.asked() {
        Asked::Models => wire::models(received).to_string().into(),
        Asked::Completion | Asked::Nothing => wire::unary(received, reply).into(),
    };
    match behaviour {
        Behaviour::Truncated | Behaviour::StreamBreak { .. } => truncated(JSON, body, open),
        Behaviour::MalformedJson => whole(200, JSON, body.slice(..body.len() * 2 / 3), Some(open)),
        _ => whole(200, JSON, body, Some(open)),
    }
}

fn streamed(
    received: &Received,
    reply: &Reply,
    behaviour: &Behaviour,
    open: OpenCall,
    chunk_delay: Duration,
) -> Response<Answer> {
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

fn refused(received: &Received, status: u16, retry_after_s: Option<f64>, open: OpenCall) -> Response<Answer> {
    let (content_type, body) = wire::error(received, status, retry_after_s, None);
    let headers = wire::error_headers(received, status, retry_after_s);
    extended(whole(status, content_type, body, Some(open)), headers)
}

pub(crate) fn whole(status: u16, content_type: &str, body: Bytes, open: Option<OpenCall>) -> Response<Answer> {
    built(status, content_type, Answer::whole(body, open))
}

fn pieces(
    content_type: &str,
    frames: VecDeque<Bytes>,
    end: End,
    frame_delay: Duration,
    open: OpenCall,
) -> Response<Answer> {
    built(200, content_type, Answer::in_pieces(frames, end, frame_delay, open))
}

fn truncated(content_type: &str, body: Bytes, open: OpenCall) -> Response<Answer> {
    let length = body.len();
    let half = VecDeque::from([body.slice(..length / 2)]);
    let mut response = pieces(content_type, half, End::Break, Duration::ZERO, open);
    response.headers_mut().insert(CONTENT_LENGTH, length.into());
    response
}

/// One JSON string of this size, which only becomes valid with the last bytes.
fn huge(is_stream: bool, bytes: usize) -> VecDeque<Bytes> {
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

fn built(status: u16, content_type: &str, answer: Answer) -> Response<Answer> {
    let mut response = Response::new(answer);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if let Ok(content_type) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(CONTENT_TYPE, content_type);
    }
    response
}

fn with_headers(response: Response<Answer>, received: &Received) -> Response<Answer> {
    extended(response, wire::headers(received))
}

fn extended(mut response: Response<Answer>, headers: Vec<(String, String)>) -> Response<Answer> {
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
