//! Response bodies, which may be slow, break off or never end.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::counts::OpenCall;

/// How a body ends after its last frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Complete,
    /// The connection closes instead of sending another frame.
    Break,
    Hang,
}

pub(crate) struct ResponseBody {
    frames: VecDeque<Bytes>,
    end: End,
    /// The content-length. `None` for streams.
    length_bytes: Option<u64>,
    frame_delay: Duration,
    pause: Option<Pin<Box<Sleep>>>,
    has_flushed: bool,
    /// `None` for responses that are not counted.
    open: Option<OpenCall>,
}

impl ResponseBody {
    pub(crate) fn whole(body: Bytes, open: Option<OpenCall>) -> Self {
        let length_bytes = Some(body.len() as u64);
        let frames = if body.is_empty() { VecDeque::new() } else { VecDeque::from([body]) };
        Self::new(frames, End::Complete, length_bytes, Duration::ZERO, open)
    }

    pub(crate) fn in_pieces(frames: VecDeque<Bytes>, end: End, frame_delay: Duration, open: OpenCall) -> Self {
        Self::new(frames, end, None, frame_delay, Some(open))
    }

    fn new(
        frames: VecDeque<Bytes>,
        end: End,
        length_bytes: Option<u64>,
        frame_delay: Duration,
        open: Option<OpenCall>,
    ) -> Self {
        let mut body = Self { frames, end, length_bytes, frame_delay, pause: None, has_flushed: false, open };
        body.finish_if_sent();
        body
    }

    /// Marks the call as finished once everything was sent, so that a caller that leaves now does not count as cancelled.
    fn finish_if_sent(&mut self) {
        let is_complete = self.frames.is_empty() && self.end == End::Complete;
        if is_complete && let Some(open) = &mut self.open {
            open.finish();
        }
    }

    fn poll_end(&mut self, context: &mut Context<'_>) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match self.end {
            End::Complete => Poll::Ready(None),
            End::Hang => Poll::Pending,
            // An error discards unwritten data, so yield once to let the earlier frames be written.
            End::Break if !self.has_flushed => {
                self.has_flushed = true;
                context.waker().wake_by_ref();
                Poll::Pending
            }
            End::Break => {
                if let Some(open) = &mut self.open {
                    open.finish();
                }
                Poll::Ready(Some(Err(io::Error::other("the answer breaks off here, as its behaviour says"))))
            }
        }
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let this = self.get_mut();
        if let Some(pause) = &mut this.pause {
            ready!(pause.as_mut().poll(context));
            this.pause = None;
        }
        let Some(frame) = this.frames.pop_front() else { return this.poll_end(context) };
        if !this.frame_delay.is_zero() && !this.frames.is_empty() {
            this.pause = Some(Box::pin(sleep(this.frame_delay)));
        }
        if let Some(open) = &this.open {
            open.count_bytes(frame.len());
        }
        this.finish_if_sent();
        Poll::Ready(Some(Ok(Frame::data(frame))))
    }

    fn is_end_stream(&self) -> bool {
        self.frames.is_empty() && self.end == End::Complete
    }

    fn size_hint(&self) -> SizeHint {
        self.length_bytes.map(SizeHint::with_exact).unwrap_or_default()
    }
}
