//! An answer in one piece: forwarded, read, judged, recorded, and only then given back.

use bytes::Bytes;
use countersign_config::Policy;
use countersign_domain::payload::AnswerEnd;
use countersign_llm::{CallError, Forwarded, Journal, Outcome, Purpose, Usage};
use countersign_store::StoreError;
use tokio_util::sync::CancellationToken;

use super::{Headers, answer::Answer, headers, key_watch::is_hidden_in, upstream_error};
use crate::answers::{Answers, End, Exchange, Judged, Refusal, Released, Ruling};

/// What goes back to the caller.
pub(crate) enum PlainAnswer {
    /// As upstream sent it, or with personal data masked. `verdict` is its status, or `Pending`.
    Passed { status: u16, headers: Headers, body: Bytes, verdict: &'static str },
    /// Upstream's own error, with its status and body. We have tried again already where that could help.
    UpstreamError { status: u16, headers: Headers, body: Bytes },
    /// `verdict` is the status of the answer that is withheld.
    Refused { refusal: Refusal, verdict: &'static str },
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum GatewayError {
    #[error("the provider gave no answer: {0}")]
    Upstream(CallError),
    #[error("the provider's answer is not a chat completion")]
    NotACompletion,
    #[error("the provider's answer holds a key of this server and is withheld")]
    HoldsKey,
    #[error("the caller went away")]
    Gone,
    #[error("the server is stopping")]
    Stopping,
    #[error("the answer could not be recorded and is withheld")]
    NotRecorded(#[source] StoreError),
    #[error("a record could not be written as JSON")]
    Json(#[from] serde_json::Error),
}

impl GatewayError {
    fn end(&self) -> AnswerEnd {
        match self {
            Self::Gone => AnswerEnd::Cancelled,
            Self::Stopping => AnswerEnd::Interrupted,
            _ => AnswerEnd::Failed,
        }
    }
}

/// Forwards a request and comes back with the answer. `gone` says that nobody waits for it any more.
pub(crate) async fn complete(
    answers: &Answers,
    mut exchange: Exchange,
    body: Bytes,
    policy: Policy,
    gone: CancellationToken,
) -> Result<PlainAnswer, GatewayError> {
    let journal = Journal::default();
    let models = answers.models.noting(&journal);
    let call = models.forward(Purpose::Gateway, &exchange.target, body, false, &answers.gateway_calls);
    let called = tokio::select! {
        called = call => called,
        () = gone.cancelled() => return cut_off(answers, exchange, GatewayError::Gone, &journal).await,
        () = answers.abandoned() => return cut_off(answers, exchange, GatewayError::Stopping, &journal).await,
    };
    exchange.called(Purpose::Gateway, &called.attempts)?;
    answers.metrics.calls(Purpose::Gateway, &exchange.target, &called.attempts);
    match called.result {
        Ok(forwarded) => read(answers, exchange, forwarded, policy, gone).await,
        Err(error) => fail(answers, exchange, GatewayError::Upstream(error), None).await,
    }
}

/// Reads and judges an answer that has begun to come in.
pub(super) async fn read(
    answers: &Answers,
    mut exchange: Exchange,
    mut forwarded: Forwarded,
    policy: Policy,
    gone: CancellationToken,
) -> Result<PlainAnswer, GatewayError> {
    let body = tokio::select! {
        body = forwarded.bytes() => body.map_err(GatewayError::Upstream),
        () = gone.cancelled() => Err(GatewayError::Gone),
        () = answers.abandoned() => Err(GatewayError::Stopping),
    };
    let status = forwarded.status;
    let headers = headers::released(std::mem::take(&mut forwarded.headers), policy);
    let body = match body {
        Ok(body) => body,
        Err(error) => {
            let outcome = match &error {
                GatewayError::Upstream(error) => error.outcome(),
                _ => Outcome::Cancelled,
            };
            return fail(answers, exchange, error, Some((forwarded, outcome))).await;
        }
    };
    if (400..600).contains(&status) {
        finish(answers, &mut exchange, forwarded, Outcome::of_status(status), Usage::default())?;
        let detail = format!("the provider answered with status {status}");
        exchange.failed(End { end: AnswerEnd::Failed, detail, partial: None })?;
        answers.record(&mut exchange).await.map_err(GatewayError::NotRecorded)?;
        answers.metrics.failed(exchange.route(), AnswerEnd::Failed);
        let (headers, body) = upstream_error::released(headers, body, policy, answers.models.secrets());
        return Ok(PlainAnswer::UpstreamError { status, headers, body });
    }
    // Nor is a redirect an answer.
    let body_text = std::str::from_utf8(&body).ok().filter(|_| (200..300).contains(&status));
    let answer = body_text.and_then(|body| Answer::read(body, policy.is_enforced()));
    // What can't be read can't be audited, and what must be audited is not passed on unread.
    let Some(answer) = answer.filter(|answer| answer.is_readable || !policy.is_enforced()) else {
        return fail(answers, exchange, GatewayError::NotACompletion, Some((forwarded, Outcome::Malformed))).await;
    };
    // One that stands there plainly has been removed from the bytes.
    if body_text.is_some_and(|body| is_hidden_in(body, answers.models.secrets())) {
        return fail(answers, exchange, GatewayError::HoldsKey, Some((forwarded, Outcome::Malformed))).await;
    }
    finish(answers, &mut exchange, forwarded, Outcome::Ok, answer.usage)?;
    Ok(match judge(answers, exchange, answer, &body, policy).await? {
        (Ruling::Refuse(refusal), _, verdict) => PlainAnswer::Refused { refusal, verdict },
        (Ruling::Release, body, verdict) => PlainAnswer::Passed { status, headers, body, verdict },
    })
}

/// What may be given back of an answer, after it is on record.
async fn judge(
    answers: &Answers,
    mut exchange: Exchange,
    mut answer: Answer,
    body: &Bytes,
    policy: Policy,
) -> Result<(Ruling, Bytes, &'static str), GatewayError> {
    let text = std::mem::take(&mut answer.text);
    let judged = Judged::of(policy, &exchange.query, text, exchange.now()).await;
    let body = match policy.is_enforced() {
        true => answer.released(body, &judged.masked),
        false => Some(body.clone()),
    };
    let worker = exchange.worker(answer.model.as_deref(), answer.usage);
    let released = Released { text: "", can_mask: body.is_some(), is_stream: false };
    let (ruling, verdict) = answers.rule(&mut exchange, judged, worker, policy, released).await?;
    Ok((ruling, body.unwrap_or_default(), verdict))
}

fn finish(
    answers: &Answers,
    exchange: &mut Exchange,
    forwarded: Forwarded,
    outcome: Outcome,
    usage: Usage,
) -> Result<(), GatewayError> {
    let attempt = [forwarded.finish(outcome, usage)];
    answers.metrics.calls(Purpose::Gateway, &exchange.target, &attempt);
    Ok(exchange.called(Purpose::Gateway, &attempt)?)
}

/// Records a call that was dropped before it came to anything, with the attempts that it had made.
pub(super) async fn cut_off<T>(
    answers: &Answers,
    mut exchange: Exchange,
    error: GatewayError,
    journal: &Journal,
) -> Result<T, GatewayError> {
    let attempts = journal.take();
    exchange.called(Purpose::Gateway, &attempts)?;
    answers.metrics.calls(Purpose::Gateway, &exchange.target, &attempts);
    fail(answers, exchange, error, None).await
}

/// Records that there is no answer, and why.
pub(super) async fn fail<T>(
    answers: &Answers,
    mut exchange: Exchange,
    error: GatewayError,
    call: Option<(Forwarded, Outcome)>,
) -> Result<T, GatewayError> {
    if let Some((forwarded, outcome)) = call {
        finish(answers, &mut exchange, forwarded, outcome, Usage::default())?;
    }
    let end = error.end();
    exchange.failed(End { end, detail: error.to_string(), partial: None })?;
    answers.record(&mut exchange).await.map_err(GatewayError::NotRecorded)?;
    answers.metrics.failed(exchange.route(), end);
    Err(error)
}
