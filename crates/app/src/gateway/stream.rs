//! An answer in pieces. The request is on record before the first byte leaves, the answer before the last.
//!
//! Where a policy is only observed, events pass as they come. Where it is enforced they wait in [`Held`] until they have
//! been inspected, and to the very end where a model must judge.

use bytes::{Bytes, BytesMut};
use countersign_config::Policy;
use countersign_domain::payload::AnswerEnd;
use countersign_llm::{CallError, Forwarded, Journal, Outcome, Purpose};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{
    Headers,
    chunk::{NOTHING, Said, Transcript},
    headers,
    held::Held,
    key_watch::KeyWatch,
    plain::{self, GatewayError, PlainAnswer},
    sse::{self, Data, Event, Events},
    upstream_error,
};
use crate::answers::{Answers, End, Exchange, Judged, Refusal, Released, Ruling};

/// Events on their way to the caller; a slow one slows the provider down, not the memory up.
const EVENTS_IN_FLIGHT: usize = 32;

pub(crate) enum Opened {
    Stream {
        headers: Headers,
        events: mpsc::Receiver<Bytes>,
    },
    /// The provider answered in one piece: with an error, or because it does not stream.
    Plain(PlainAnswer),
}

/// Opens a stream. The record of the request is written while the provider is being reached.
pub(crate) async fn open(
    answers: &Answers,
    mut exchange: Exchange,
    body: Bytes,
    policy: Policy,
    gone: CancellationToken,
) -> Result<Opened, GatewayError> {
    exchange.requested()?;
    let requested = answers.store.append(exchange.take_events());
    let target = exchange.target.clone();
    let journal = Journal::default();
    let models = answers.models.noting(&journal);
    let call = async {
        tokio::select! {
            called = models.forward(Purpose::Gateway, &target, body, true, &answers.gateway_calls) => Ok(called),
            () = gone.cancelled() => Err(GatewayError::Gone),
            () = answers.abandoned() => Err(GatewayError::Stopping),
        }
    };
    let (requested, called) = tokio::join!(requested, call);
    requested.map_err(GatewayError::NotRecorded)?;
    let called = match called {
        Ok(called) => called,
        Err(error) => return plain::cut_off(answers, exchange, error, &journal).await,
    };
    exchange.called(Purpose::Gateway, &called.attempts)?;
    answers.metrics.calls(Purpose::Gateway, &exchange.target, &called.attempts);
    let forwarded = match called.result {
        Ok(forwarded) => forwarded,
        Err(error) => return plain::fail(answers, exchange, GatewayError::Upstream(error), None).await,
    };
    if !is_event_stream(&forwarded) {
        return plain::read(answers, exchange, forwarded, policy, gone).await.map(Opened::Plain);
    }
    let headers = headers::released(forwarded.headers.clone(), policy);
    let (sender, events) = mpsc::channel(EVENTS_IN_FLIGHT);
    let whole = answers.auditor.judge().is_some();
    let pump = Pump {
        answers: answers.clone(),
        exchange,
        policy,
        sender,
        held: Held::new(policy.masks(), policy.is_enforced() && whole),
        transcript: Transcript::default(),
        ready: BytesMut::new(),
        keys: KeyWatch::new(answers.models.secrets().clone()),
        is_ending: false,
        last: Vec::new(),
    };
    answers.spawn(pump.exchange.stub(), pump.run(forwarded));
    Ok(Opened::Stream { headers, events })
}

fn is_event_stream(forwarded: &Forwarded) -> bool {
    let content_type = forwarded.headers.iter().find(|(name, _)| *name == axum::http::header::CONTENT_TYPE);
    let is_stream =
        content_type.and_then(|(_, value)| value.to_str().ok()).is_some_and(|v| v.starts_with("text/event-stream"));
    (200..300).contains(&forwarded.status) && is_stream
}

/// Moves one stream from the provider to the caller.
struct Pump {
    answers: Answers,
    exchange: Exchange,
    policy: Policy,
    sender: mpsc::Sender<Bytes>,
    held: Held,
    transcript: Transcript,
    /// On its way to the caller.
    ready: BytesMut,
    keys: KeyWatch,
    /// From here on everything waits for the answer's record.
    is_ending: bool,
    /// The end of the stream, unless it is held anyway.
    last: Vec<Bytes>,
}

/// Why events stopped coming.
enum Ended {
    Whole,
    Gone,
    Stopping,
    Flagged,
    Broken(CallError),
    /// It ended without an end, or with something that can't be audited.
    BrokeOff(&'static str),
    TooLarge(&'static str),
    /// The provider said so itself, in this event.
    UpstreamError(Bytes),
}

impl Pump {
    async fn run(mut self, mut forwarded: Forwarded) {
        let ended = self.pass(&mut forwarded).await;
        let outcome = match &ended {
            Ended::Whole => Outcome::Ok,
            Ended::Gone | Ended::Stopping | Ended::Flagged => Outcome::Cancelled,
            Ended::Broken(error) => error.outcome(),
            Ended::BrokeOff(_) => Outcome::Connection,
            Ended::TooLarge(_) => Outcome::TooLarge,
            Ended::UpstreamError(_) => Outcome::ServerError,
        };
        // Lets go of the provider before anything else: nobody wants the rest.
        let attempt = [forwarded.finish(outcome, self.transcript.usage)];
        self.answers.metrics.calls(Purpose::Gateway, &self.exchange.target, &attempt);
        let concluded = match self.exchange.called(Purpose::Gateway, &attempt) {
            Ok(()) => self.conclude(ended).await,
            Err(error) => Err(error.into()),
        };
        if let Err(GatewayError::Stopping) = concluded {
            self.break_off("the server is stopping", "server_error", None).await;
        } else if let Err(error) = concluded {
            // Part of the answer has left, and its record could not be written.
            self.answers.metrics.dropped();
            tracing::error!(log_id = %self.exchange.id, %error, "a stream's record could not be written");
            self.break_off("the answer could not be recorded and breaks off here", "server_error", None).await;
        }
    }

    async fn pass(&mut self, forwarded: &mut Forwarded) -> Ended {
        let mut events = Events::default();
        loop {
            let piece = tokio::select! {
                piece = forwarded.chunk() => piece,
                () = self.sender.closed() => return Ended::Gone,
                () = self.answers.abandoned() => return Ended::Stopping,
            };
            match piece {
                Ok(Some(piece)) => events.push(&piece),
                Ok(None) => break,
                Err(error) => return Ended::Broken(error),
            }
            let ended = self.take(&mut events);
            if !self.flush().await {
                return Ended::Gone;
            }
            if let Some(ended) = ended {
                return ended;
            }
        }
        let ended = events.rest().and_then(|event| self.event(event));
        if !self.flush().await {
            return Ended::Gone;
        }
        if let Some(ended) = ended {
            return ended;
        }
        // Without `[DONE]`, but with every choice ended: some servers leave it out.
        match self.is_ending {
            true => Ended::Whole,
            false => Ended::BrokeOff("the provider's stream ended before the answer did"),
        }
    }

    /// Takes every event that is whole. `Some` at the end of the stream.
    fn take(&mut self, events: &mut Events) -> Option<Ended> {
        loop {
            match events.next() {
                Ok(None) => return None,
                Ok(Some(event)) => {
                    if let Some(ended) = self.event(event) {
                        return Some(ended);
                    }
                }
                Err(_) => return Some(Ended::TooLarge("the provider sent an event without an end")),
            }
        }
    }

    /// Takes one event. `Some` if it was the last.
    fn event(&mut self, event: Event) -> Option<Ended> {
        let (said, is_done) = match event.data() {
            Data::Text(data) if data.trim() == "[DONE]" => (Said::default(), true),
            Data::Text(data) if self.policy.is_enforced() => (self.transcript.take_strictly(&data), false),
            Data::Text(data) => (self.transcript.take(&data), false),
            Data::Nothing => (Said::default(), false),
            Data::Unreadable => (self.transcript.unreadable(&String::from_utf8_lossy(&event.0)), false),
        };
        if said.is_error || event.is_error() {
            return Some(Ended::UpstreamError(self.released_error(event)));
        }
        if matches!(event.data(), Data::Text(data) if self.keys.take(&data)) {
            return Some(Ended::BrokeOff("the provider's answer holds a key of this server and breaks off here"));
        }
        if said.is_unreadable && self.policy.is_enforced() {
            return Some(Ended::BrokeOff("the provider sent something that can't be read, so it can't be audited"));
        }
        if self.transcript.bytes() > self.answers.answer_bytes_max {
            return Some(Ended::TooLarge("the answer is larger than providers.answer_bytes_max"));
        }
        self.is_ending |= is_done || said.is_finished;
        if self.policy.is_enforced() {
            self.held.take(event, said, self.is_ending);
            match self.held.ready() {
                Ok(ready) => ready.iter().for_each(|bytes| self.ready.extend_from_slice(bytes)),
                Err(_) => return Some(Ended::Flagged),
            }
        } else if self.is_ending || self.keys.is_open() {
            self.last.push(event.0);
        } else {
            self.last.drain(..).for_each(|event| self.ready.extend_from_slice(&event));
            self.ready.extend_from_slice(&event.0);
        }
        is_done.then_some(Ended::Whole)
    }

    /// What the caller gets of an event with which the provider breaks off.
    fn released_error(&self, event: Event) -> Bytes {
        let secrets = self.answers.models.secrets();
        match event.data() {
            Data::Text(data) => {
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

    /// Everything that was said, without our own keys.
    fn said(&self) -> String {
        self.answers.models.secrets().removed(&self.transcript.text()).into_owned()
    }

    /// Sends what is ready, in one piece: what came together goes together. `false` if nobody is there.
    async fn flush(&mut self) -> bool {
        let ready = self.ready.split().freeze();
        ready.is_empty() || self.send(ready).await
    }

    /// `false` if the caller is gone, or has not read for as long as a provider may be silent.
    async fn send(&self, bytes: Bytes) -> bool {
        let patience = self.answers.gateway_calls.attempt_timeout;
        tokio::select! {
            sent = tokio::time::timeout(patience, self.sender.send(bytes)) => matches!(sent, Ok(Ok(()))),
            () = self.answers.abandoned() => false,
        }
    }

    async fn conclude(&mut self, ended: Ended) -> Result<(), GatewayError> {
        match ended {
            Ended::Whole => self.judge().await,
            Ended::Flagged => self.refuse_early().await,
            Ended::Gone => self.fail(AnswerEnd::Cancelled, "the caller went away").await,
            Ended::Stopping => {
                self.fail(AnswerEnd::Interrupted, "the server is stopping").await?;
                Err(GatewayError::Stopping)
            }
            Ended::Broken(error) => {
                self.fail(AnswerEnd::Interrupted, &format!("the provider's stream broke off: {error}")).await?;
                self.break_off("the provider's stream broke off", "upstream_error", None).await;
                Ok(())
            }
            Ended::BrokeOff(why) | Ended::TooLarge(why) => {
                self.fail(AnswerEnd::Interrupted, why).await?;
                self.break_off(why, "upstream_error", None).await;
                Ok(())
            }
            Ended::UpstreamError(event) => {
                let said = countersign_outbound::scrub(&String::from_utf8_lossy(&event), None);
                self.fail(AnswerEnd::Interrupted, &format!("the provider broke off with an error: {said}")).await?;
                self.send(event).await;
                Ok(())
            }
        }
    }

    /// The whole answer is there: judge it, record it, let its end go.
    async fn judge(&mut self) -> Result<(), GatewayError> {
        let judged = Judged::of(self.policy, &self.exchange.query, self.said(), self.exchange.now()).await;
        let is_split = self.policy.is_enforced() && (self.held.is_split() || self.transcript.is_split());
        let can_mask = !is_split && judged.masked.iter().all(|finding| self.transcript.covers(finding));
        let worker = self.exchange.worker(self.transcript.model.as_deref(), self.transcript.usage);
        let released = Released { text: self.held.released(), can_mask, is_stream: true };
        let ruled = self.answers.rule(&mut self.exchange, judged, worker, self.policy, released).await?;
        match ruled {
            (Ruling::Refuse(refusal), _) => self.refuse(refusal).await,
            (Ruling::Release, _) => {
                let last = if self.policy.is_enforced() { self.held.rest() } else { std::mem::take(&mut self.last) };
                // Whoever went away by now has the record of a whole answer.
                self.send(last.concat().into()).await;
            }
        }
        Ok(())
    }

    /// Flagged before its end: what has come so far is the answer on record.
    async fn refuse_early(&mut self) -> Result<(), GatewayError> {
        let judged = Judged::of(self.policy, &self.exchange.query, self.said(), self.exchange.now()).await;
        let worker = self.exchange.worker(self.transcript.model.as_deref(), self.transcript.usage);
        let released = Released { text: self.held.released(), can_mask: true, is_stream: true };
        self.answers.refuse(&mut self.exchange, judged, worker, Refusal::Flagged, released).await?;
        self.refuse(Refusal::Flagged).await;
        Ok(())
    }

    async fn refuse(&mut self, refusal: Refusal) {
        self.break_off(refusal.message(), "countersign_refused", Some(refusal.code())).await;
    }

    async fn fail(&mut self, end: AnswerEnd, detail: &str) -> Result<(), GatewayError> {
        let released = if self.policy.is_enforced() { self.held.released().to_owned() } else { self.said() };
        let partial = Some(released).filter(|text| text != NOTHING);
        self.exchange.failed(End { end, detail: detail.to_owned(), partial })?;
        self.answers.record_surely(&mut self.exchange).await.map_err(GatewayError::NotRecorded)?;
        self.answers.metrics.failed(self.exchange.route(), end);
        Ok(())
    }

    /// The last thing of a stream that has no end: no `[DONE]` follows.
    async fn break_off(&mut self, message: &str, error_type: &str, code: Option<&str>) {
        let error = serde_json::json!({"error": {"message": message, "type": error_type, "code": code, "param": null}});
        self.send(Bytes::from(format!("data: {error}\n\n"))).await;
    }
}
