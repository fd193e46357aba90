//! A streamed answer. The request is recorded before the first byte is released, and the answer before the last.
//!
//! Under `observe`, events pass as they arrive. Under `enforce`, [`HoldBack`] keeps them until they have been inspected, or until
//! the end if an auditor model must judge the answer.

use bytes::{Bytes, BytesMut};
use countersign_config::Policy;
use countersign_domain::payload::AnswerEnd;
use countersign_llm::{AttemptOutcome, CallError, Forwarded, Journal, Purpose};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{
    Headers, headers,
    hold_back::HoldBack,
    sse::{self, SseData, SseEvent, SseParser},
    transcript::{EMPTY, EventText, Transcript},
    upstream_error,
    whole::{self, WholeAnswer, record_gateway_calls},
};
use crate::{
    answers::{
        Answer, AnswerError, AnswerOutcome, AnswerRefusal, Answers, Delivery, Exchange, ExchangeEnd, InspectedAnswer,
        ReleaseTerms,
    },
    key_leaks::StreamKeyWatch,
};

/// The maximum number of pieces that wait for the caller. A slow caller slows the provider down instead of filling memory.
const PIECES_IN_FLIGHT: usize = 32;

pub(crate) enum Opened {
    Stream {
        headers: Headers,
        events: mpsc::Receiver<Bytes>,
    },
    /// The provider answered in one piece: with an error, or because it does not stream.
    Whole(WholeAnswer),
}

/// Opens a stream. The request is recorded while the provider is being called.
pub(crate) async fn open(
    answers: &Answers,
    mut exchange: Exchange,
    body: Bytes,
    policy: Policy,
    gone: CancellationToken,
) -> Result<Opened, AnswerError> {
    exchange.add_request()?;
    let requested = answers.store.append(exchange.take_events());
    let target = exchange.target.clone();
    let journal = Journal::default();
    let models = answers.models.with_journal(&journal);
    let call = async {
        tokio::select! {
            called = models.forward(Purpose::Gateway, &target, body, true, &answers.gateway_calls) => Ok(called),
            () = gone.cancelled() => Err(AnswerError::CallerGone),
            () = answers.interrupted() => Err(AnswerError::Stopping),
        }
    };
    let (requested, called) = tokio::join!(requested, call);
    requested.map_err(AnswerError::NotRecorded)?;
    let called = match called {
        Ok(called) => called,
        Err(error) => return whole::cut_off(answers, exchange, error, &journal).await,
    };
    record_gateway_calls(answers, &mut exchange, &called.attempts)?;
    let forwarded = match called.result {
        Ok(forwarded) => forwarded,
        Err(error) => return answers.give_up(exchange, AnswerError::Upstream(error)).await,
    };
    if !is_event_stream(&forwarded) {
        return whole::read(answers, exchange, forwarded, policy, gone).await.map(Opened::Whole);
    }
    let headers = headers::released(forwarded.headers.clone(), policy);
    let (sender, events) = mpsc::channel(PIECES_IN_FLIGHT);
    let is_judged = answers.auditor.judge().is_some();
    let relay = StreamRelay {
        answers: answers.clone(),
        exchange,
        policy,
        sender,
        held: HoldBack::new(policy.masks(), policy.is_enforced() && is_judged),
        transcript: Transcript::default(),
        ready: BytesMut::new(),
        keys: StreamKeyWatch::new(answers.models.secrets().clone()),
        is_ending: false,
        waiting: Vec::new(),
    };
    answers.spawn(relay.exchange.stub(), relay.run(forwarded));
    Ok(Opened::Stream { headers, events })
}

fn is_event_stream(forwarded: &Forwarded) -> bool {
    let content_type = forwarded.headers.iter().find(|(name, _)| *name == axum::http::header::CONTENT_TYPE);
    let is_stream =
        content_type.and_then(|(_, value)| value.to_str().ok()).is_some_and(|v| v.starts_with("text/event-stream"));
    (200..300).contains(&forwarded.status) && is_stream
}

/// Moves one stream from the provider to the caller.
struct StreamRelay {
    answers: Answers,
    exchange: Exchange,
    policy: Policy,
    sender: mpsc::Sender<Bytes>,
    held: HoldBack,
    transcript: Transcript,
    /// The bytes to send to the caller next.
    ready: BytesMut,
    keys: StreamKeyWatch,
    /// Whether the answer has ended. Everything after that waits for the answer's record.
    is_ending: bool,
    /// Events that wait under `observe`: the end of the stream waits for the record, and what may be the beginning of a provider's
    /// key waits for the text that follows.
    waiting: Vec<Bytes>,
}

/// How a stream ended.
enum StreamEnd {
    Whole,
    CallerGone,
    Stopping,
    Flagged,
    /// The rest could not be received.
    Failed(CallError),
    /// It stopped before the answer's end, or contained something that must not be passed on.
    Aborted(&'static str),
    TooLarge(&'static str),
    /// The provider ended the stream with an error, in this event.
    UpstreamError(Bytes),
}

impl StreamRelay {
    async fn run(mut self, mut forwarded: Forwarded) {
        let ended = self.relay_events(&mut forwarded).await;
        let outcome = match &ended {
            StreamEnd::Whole => AttemptOutcome::Ok,
            StreamEnd::CallerGone | StreamEnd::Stopping | StreamEnd::Flagged => AttemptOutcome::Cancelled,
            StreamEnd::Failed(error) => error.outcome(),
            StreamEnd::Aborted(_) => AttemptOutcome::Connection,
            StreamEnd::TooLarge(_) => AttemptOutcome::TooLarge,
            StreamEnd::UpstreamError(_) => AttemptOutcome::ServerError,
        };
        // Disconnect from the provider first, because nothing more is read.
        let attempt = [forwarded.finish(outcome, self.transcript.usage)];
        let concluded = match record_gateway_calls(&self.answers, &mut self.exchange, &attempt) {
            Ok(()) => self.conclude(ended).await,
            Err(error) => Err(error),
        };
        if let Err(AnswerError::Stopping) = concluded {
            self.break_off("the server is stopping", "server_error", None).await;
        } else if let Err(error) = concluded {
            // A part of the answer may have been sent, and its record could not be written.
            self.answers.metrics.count_unrecorded();
            tracing::error!(log_id = %self.exchange.id, %error, "a stream's record could not be written");
            self.break_off("the answer could not be recorded, so the stream ends here", "server_error", None).await;
        }
    }

    async fn relay_events(&mut self, forwarded: &mut Forwarded) -> StreamEnd {
        let mut events = SseParser::default();
        loop {
            let piece = tokio::select! {
                piece = forwarded.chunk() => piece,
                () = self.sender.closed() => return StreamEnd::CallerGone,
                () = self.answers.interrupted() => return StreamEnd::Stopping,
            };
            match piece {
                Ok(Some(piece)) => events.push(&piece),
                Ok(None) => break,
                Err(error) => return StreamEnd::Failed(error),
            }
            let ended = self.handle_events(&mut events);
            if !self.flush().await {
                return StreamEnd::CallerGone;
            }
            if let Some(ended) = ended {
                return ended;
            }
        }
        let ended = events.rest().and_then(|event| self.handle_event(event));
        if !self.flush().await {
            return StreamEnd::CallerGone;
        }
        if let Some(ended) = ended {
            return ended;
        }
        // Some servers leave out `[DONE]`. The answer is complete if every choice has ended.
        match self.is_ending {
            true => StreamEnd::Whole,
            false => StreamEnd::Aborted("the provider's stream ended before the answer did"),
        }
    }

    /// Handles every complete event received so far. `Some` at the end of the stream.
    fn handle_events(&mut self, events: &mut SseParser) -> Option<StreamEnd> {
        loop {
            match events.next() {
                Ok(None) => return None,
                Ok(Some(event)) => {
                    if let Some(ended) = self.handle_event(event) {
                        return Some(ended);
                    }
                }
                Err(_) => return Some(StreamEnd::TooLarge("the provider sent an event that is too long")),
            }
        }
    }

    /// Handles one event. `Some` if it was the last.
    fn handle_event(&mut self, event: SseEvent) -> Option<StreamEnd> {
        let (added, is_done) = match event.data() {
            SseData::Text(data) if data.trim() == "[DONE]" => (EventText::default(), true),
            SseData::Text(data) if self.policy.is_enforced() => (self.transcript.add_enforced(&data), false),
            SseData::Text(data) => (self.transcript.add(&data), false),
            SseData::Nothing => (EventText::default(), false),
            SseData::Unreadable => (self.transcript.add_unreadable(&String::from_utf8_lossy(&event.0)), false),
        };
        if added.is_error || event.is_error() {
            return Some(StreamEnd::UpstreamError(self.released_error(event)));
        }
        if matches!(event.data(), SseData::Text(data) if self.keys.completes_key(&data)) {
            return Some(StreamEnd::Aborted(
                "the provider's answer contains one of this server's provider keys, so the stream ends here",
            ));
        }
        if added.is_unreadable && self.policy.is_enforced() {
            return Some(StreamEnd::Aborted("the provider sent something that can't be read, so it can't be audited"));
        }
        if self.transcript.bytes() > self.answers.answer_bytes_max {
            return Some(StreamEnd::TooLarge("the answer is larger than providers.answer_bytes_max"));
        }
        self.is_ending |= is_done || added.is_finished;
        if self.policy.is_enforced() {
            self.held.push(event, added, self.is_ending);
            match self.held.release_settled() {
                Ok(ready) => ready.iter().for_each(|bytes| self.ready.extend_from_slice(bytes)),
                Err(_) => return Some(StreamEnd::Flagged),
            }
        } else if self.is_ending || self.keys.is_open() {
            self.waiting.push(event.0);
        } else {
            self.waiting.drain(..).for_each(|event| self.ready.extend_from_slice(&event));
            self.ready.extend_from_slice(&event.0);
        }
        is_done.then_some(StreamEnd::Whole)
    }

    /// The provider's error event, as far as it may be passed on.
    fn released_error(&self, event: SseEvent) -> Bytes {
        let secrets = self.answers.models.secrets();
        match event.data() {
            SseData::Text(data) => {
                let body = Bytes::from(data.into_owned());
                let released = upstream_error::released_text(body.clone(), self.policy, secrets);
                match released == body && !self.policy.is_enforced() {
                    true => event.0,
                    false => sse::event(&String::from_utf8_lossy(&released)),
                }
            }
            _ if self.policy.is_enforced() => sse::event(&String::from_utf8_lossy(&upstream_error::withheld())),
            _ => event.0,
        }
    }

    /// The answer's whole text, without our providers' keys.
    fn text(&self) -> String {
        self.answers.models.secrets().remove_from(&self.transcript.text()).into_owned()
    }

    /// Sends what is ready in one piece. `false` as for [`Self::send`].
    async fn flush(&mut self) -> bool {
        let ready = self.ready.split().freeze();
        ready.is_empty() || self.send(ready).await
    }

    /// `false` if the caller is gone, if it has read nothing for as long as a provider may be silent, or if the server stops.
    async fn send(&self, bytes: Bytes) -> bool {
        let limit = self.answers.gateway_calls.attempt_timeout;
        tokio::select! {
            // While the server stops, an event is still sent if there is room for it.
            biased;
            sent = tokio::time::timeout(limit, self.sender.send(bytes)) => matches!(sent, Ok(Ok(()))),
            () = self.answers.interrupted() => false,
        }
    }

    async fn conclude(&mut self, ended: StreamEnd) -> Result<(), AnswerError> {
        match ended {
            StreamEnd::Whole => self.finish().await,
            StreamEnd::Flagged => self.refuse_early().await,
            StreamEnd::CallerGone => self.fail(AnswerEnd::Cancelled, "the caller disconnected").await,
            StreamEnd::Stopping => {
                self.fail(AnswerEnd::Interrupted, "the server is stopping").await?;
                Err(AnswerError::Stopping)
            }
            StreamEnd::Failed(error) => {
                self.fail(AnswerEnd::Interrupted, &format!("the provider's stream ended unexpectedly: {error}"))
                    .await?;
                self.break_off("the provider's stream ended unexpectedly", "upstream_error", None).await;
                Ok(())
            }
            StreamEnd::Aborted(why) | StreamEnd::TooLarge(why) => {
                self.fail(AnswerEnd::Interrupted, why).await?;
                self.break_off(why, "upstream_error", None).await;
                Ok(())
            }
            StreamEnd::UpstreamError(event) => {
                let message = countersign_outbound::scrub(&String::from_utf8_lossy(&event), None);
                self.fail(AnswerEnd::Interrupted, &format!("the provider ended the stream with an error: {message}"))
                    .await?;
                self.send(event).await;
                Ok(())
            }
        }
    }

    /// Concludes the exchange of a complete answer, and sends the rest of the answer.
    async fn finish(&mut self) -> Result<(), AnswerError> {
        let terms = ReleaseTerms::Policy(self.policy);
        let inspected = InspectedAnswer::of(terms, &self.exchange.query, self.text(), self.exchange.now()).await;
        let is_split = self.policy.is_enforced() && (self.held.finish_is_split() || self.transcript.is_split());
        let can_mask = !is_split && inspected.masked.iter().all(|finding| self.transcript.covers(finding));
        let worker = self.exchange.worker(self.transcript.model.as_deref(), self.transcript.usage);
        let delivery = Delivery { sent: self.held.released(), can_mask, is_stream: true };
        let answer = Answer { inspected, worker, delivery };
        match self.answers.conclude(&mut self.exchange, answer, terms).await? {
            AnswerOutcome::Refused { refusal, .. } => self.refuse(refusal).await,
            AnswerOutcome::Audited(_) | AnswerOutcome::Pending => {
                let last = if self.policy.is_enforced() {
                    self.held.release_rest()
                } else {
                    std::mem::take(&mut self.waiting)
                };
                // Even if the caller has disconnected by now, the record holds the whole answer.
                self.send(last.concat().into()).await;
            }
        }
        Ok(())
    }

    /// Withholds an answer that was flagged before its end. The text received so far is recorded as the answer.
    async fn refuse_early(&mut self) -> Result<(), AnswerError> {
        let terms = ReleaseTerms::Policy(self.policy);
        let inspected = InspectedAnswer::of(terms, &self.exchange.query, self.text(), self.exchange.now()).await;
        let worker = self.exchange.worker(self.transcript.model.as_deref(), self.transcript.usage);
        let delivery = Delivery { sent: self.held.released(), can_mask: true, is_stream: true };
        let answer = Answer { inspected, worker, delivery };
        self.answers.refuse(&mut self.exchange, answer, AnswerRefusal::Flagged).await?;
        self.refuse(AnswerRefusal::Flagged).await;
        Ok(())
    }

    async fn refuse(&mut self, refusal: AnswerRefusal) {
        self.break_off(refusal.message(), "countersign_refused", Some(refusal.code())).await;
    }

    async fn fail(&mut self, end: AnswerEnd, detail: &str) -> Result<(), AnswerError> {
        let released = if self.policy.is_enforced() { self.held.released().to_owned() } else { self.text() };
        let partial = Some(released).filter(|text| text != EMPTY);
        self.exchange.add_failure(ExchangeEnd { end, detail: detail.to_owned(), partial })?;
        self.answers.record_with_retries(&mut self.exchange).await.map_err(AnswerError::NotRecorded)?;
        self.answers.metrics.count_failure(self.exchange.route(), end);
        Ok(())
    }

    /// Ends the stream with an error. No `[DONE]` follows.
    async fn break_off(&mut self, message: &str, error_type: &str, code: Option<&str>) {
        let error = serde_json::json!({"error": {"message": message, "type": error_type, "code": code, "param": null}});
        self.send(Bytes::from(format!("data: {error}\n\n"))).await;
    }
}
