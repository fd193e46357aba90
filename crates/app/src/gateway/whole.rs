//! An answer in one piece: requested, read, audited, recorded, and only then returned.

use bytes::Bytes;
use countersign_config::Policy;
use countersign_domain::payload::AnswerEnd;
use countersign_llm::{Attempt, AttemptOutcome, Forwarded, Journal, Purpose, Usage};
use tokio_util::sync::CancellationToken;

use super::{Headers, completion::Completion, headers, upstream_error};
use crate::{
    answers::{
        Answer, AnswerError, AnswerOutcome, AnswerRefusal, Answers, Delivery, Exchange, ExchangeEnd, InspectedAnswer,
        ReleaseTerms,
    },
    key_leaks::hides_provider_key,
};

/// The response to the caller.
pub(crate) enum WholeAnswer {
    /// The provider's answer, with personal data masked if the policy asks for that. `audit_status` may be `Pending`.
    Delivered { status: u16, headers: Headers, body: Bytes, audit_status: &'static str },
    /// The provider's own error, with its status and body. Errors that a retry could resolve have been retried.
    UpstreamError { status: u16, headers: Headers, body: Bytes },
    /// The answer is withheld.
    Refused { refusal: AnswerRefusal, audit_status: &'static str },
}

/// Forwards a request and returns the answer. `gone` is cancelled when the caller disconnects.
pub(crate) async fn complete(
    answers: &Answers,
    mut exchange: Exchange,
    body: Bytes,
    policy: Policy,
    gone: CancellationToken,
) -> Result<WholeAnswer, AnswerError> {
    let journal = Journal::default();
    let models = answers.models.with_journal(&journal);
    let call = models.forward(Purpose::Gateway, &exchange.target, body, false, &answers.gateway_calls);
    let called = tokio::select! {
        called = call => called,
        () = gone.cancelled() => return cut_off(answers, exchange, AnswerError::CallerGone, &journal).await,
        () = answers.interrupted() => return cut_off(answers, exchange, AnswerError::Stopping, &journal).await,
    };
    record_gateway_calls(answers, &mut exchange, &called.attempts)?;
    match called.result {
        Ok(forwarded) => read(answers, exchange, forwarded, policy, gone).await,
        Err(error) => answers.give_up(exchange, AnswerError::Upstream(error)).await,
    }
}

/// Reads an answer whose response has begun, and concludes the exchange.
pub(super) async fn read(
    answers: &Answers,
    mut exchange: Exchange,
    mut forwarded: Forwarded,
    policy: Policy,
    gone: CancellationToken,
) -> Result<WholeAnswer, AnswerError> {
    let body = tokio::select! {
        body = forwarded.bytes() => body.map_err(AnswerError::Upstream),
        () = gone.cancelled() => Err(AnswerError::CallerGone),
        () = answers.interrupted() => Err(AnswerError::Stopping),
    };
    let status = forwarded.status;
    let headers = headers::released(std::mem::take(&mut forwarded.headers), policy);
    let body = match body {
        Ok(body) => body,
        Err(error) => {
            let outcome = match &error {
                AnswerError::Upstream(error) => error.outcome(),
                _ => AttemptOutcome::Cancelled,
            };
            return fail(answers, exchange, error, forwarded, outcome).await;
        }
    };
    if (400..600).contains(&status) {
        finish_call(answers, &mut exchange, forwarded, AttemptOutcome::of_status(status), Usage::default())?;
        let detail = format!("the provider answered with status {status}");
        exchange.add_failure(ExchangeEnd { end: AnswerEnd::Failed, detail, partial: None })?;
        answers.record(&mut exchange).await.map_err(AnswerError::NotRecorded)?;
        answers.metrics.count_failure(exchange.route(), AnswerEnd::Failed);
        let (headers, body) = upstream_error::released(headers, body, policy, answers.models.secrets());
        return Ok(WholeAnswer::UpstreamError { status, headers, body });
    }
    // A redirect isn't an answer either.
    let body_text = std::str::from_utf8(&body).ok().filter(|_| (200..300).contains(&status));
    let completion = body_text.and_then(|body| Completion::read(body, policy.is_enforced()));
    // Text that can't be read can't be audited, and an enforced policy passes on only audited text.
    let Some(mut completion) = completion.filter(|read| read.is_readable || !policy.is_enforced()) else {
        return fail(answers, exchange, AnswerError::NotACompletion, forwarded, AttemptOutcome::Malformed).await;
    };
    // Keys in plain text have already been removed from the bytes.
    if body_text.is_some_and(|body| hides_provider_key(body, answers.models.secrets())) {
        return fail(answers, exchange, AnswerError::HoldsProviderKey, forwarded, AttemptOutcome::Malformed).await;
    }
    finish_call(answers, &mut exchange, forwarded, AttemptOutcome::Ok, completion.usage)?;
    let terms = ReleaseTerms::Policy(policy);
    let text = std::mem::take(&mut completion.text);
    let inspected = InspectedAnswer::of(terms, &exchange.query, text, exchange.now()).await;
    let released = match policy.is_enforced() {
        true => completion.released(&body, &inspected.masked),
        false => Some(body),
    };
    let worker = exchange.worker(completion.model.as_deref(), completion.usage);
    let delivery = Delivery { can_mask: released.is_some(), ..Delivery::WHOLE };
    let concluded = answers.conclude(&mut exchange, Answer { inspected, worker, delivery }, terms).await?;
    let audit_status = concluded.status();
    Ok(match concluded {
        AnswerOutcome::Refused { refusal, .. } => WholeAnswer::Refused { refusal, audit_status },
        AnswerOutcome::Audited(_) | AnswerOutcome::Pending => {
            WholeAnswer::Delivered { status, headers, body: released.unwrap_or_default(), audit_status }
        }
    })
}

/// Adds the attempts of a call to the exchange's record.
pub(super) fn record_gateway_calls(
    answers: &Answers,
    exchange: &mut Exchange,
    attempts: &[Attempt],
) -> Result<(), AnswerError> {
    let target = exchange.target.clone();
    Ok(answers.record_calls(exchange, Purpose::Gateway, &target, attempts)?)
}

fn finish_call(
    answers: &Answers,
    exchange: &mut Exchange,
    forwarded: Forwarded,
    outcome: AttemptOutcome,
    usage: Usage,
) -> Result<(), AnswerError> {
    record_gateway_calls(answers, exchange, &[forwarded.finish(outcome, usage)])
}

/// Records a call that was dropped before a response began, with the attempts that had been made.
pub(super) async fn cut_off<T>(
    answers: &Answers,
    mut exchange: Exchange,
    error: AnswerError,
    journal: &Journal,
) -> Result<T, AnswerError> {
    record_gateway_calls(answers, &mut exchange, &journal.take())?;
    answers.give_up(exchange, error).await
}

/// Records that a response gave no answer, and why.
async fn fail<T>(
    answers: &Answers,
    mut exchange: Exchange,
    error: AnswerError,
    forwarded: Forwarded,
    outcome: AttemptOutcome,
) -> Result<T, AnswerError> {
    finish_call(answers, &mut exchange, forwarded, outcome, Usage::default())?;
    answers.give_up(exchange, error).await
}
