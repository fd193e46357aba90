//! One query to the worker model, from the request to the audited answer.
//!
//! The answer is returned only when its record is on disk. If the worker fails, the failure is recorded and there is no answer; if
//! the auditor fails, the answer is at least a Warning.

use countersign_domain::payload::AuditLogCreated;
use countersign_llm::{CallError, Journal, Message, Prompt, Purpose, Reply};

use super::{
    Answers,
    conclude::{Answer, AnswerOutcome, Delivery},
    error::AnswerError,
    exchange::Exchange,
    idempotency::{Idempotency, KeyClaim},
    inspected::InspectedAnswer,
    terms::ReleaseTerms,
};
use crate::key_leaks::hides_provider_key;

pub(crate) const ROUTE: &str = "/process-agent";
const SYSTEM: &str = "You are a helpful, careful assistant. Answer the user's question directly and briefly. \
    Say so when you do not know.";

/// An answer with its audit, new or from an earlier request with the same idempotency key.
pub(crate) struct AuditedAnswer {
    pub(crate) log: AuditLogCreated,
    pub(crate) is_repeat: bool,
}

impl Answers {
    pub(crate) async fn ask(
        &self,
        mut exchange: Exchange,
        idempotency: Option<Idempotency>,
    ) -> Result<AuditedAnswer, AnswerError> {
        // Held until the answer is recorded; meanwhile a second request with the same idempotency key is refused.
        let _claim = match &idempotency {
            None => None,
            Some(key) => match self.in_flight.claim(&self.store, key).await.map_err(AnswerError::NotRecorded)? {
                KeyClaim::New(claim) => Some(claim),
                KeyClaim::Answered(log) => return Ok(AuditedAnswer { log: *log, is_repeat: true }),
                KeyClaim::InFlight => return Err(AnswerError::InFlight),
                KeyClaim::Reused => return Err(AnswerError::IdempotencyKeyReused),
            },
        };
        if let Some(idempotency) = &idempotency {
            exchange.note("idempotency", idempotency.key_hash.clone());
            exchange.note("body", idempotency.body_hash.clone());
        }
        let reply = match self.call_worker(&mut exchange).await? {
            Ok(reply) => reply,
            Err(error) => return self.give_up(exchange, error).await,
        };
        let terms = ReleaseTerms::WithAudit;
        let inspected = InspectedAnswer::of(terms, &exchange.query, reply.text, exchange.now()).await;
        let worker = exchange.worker(Some(&reply.model), reply.usage);
        let answer = Answer { inspected, worker, delivery: Delivery::WHOLE };
        match self.conclude(&mut exchange, answer, terms).await? {
            AnswerOutcome::Audited(log) => Ok(AuditedAnswer { log: *log, is_repeat: false }),
            // Unreachable: `WithAudit` neither releases an answer before its audit nor refuses one. If that ever changes, the
            // answer must be withheld.
            AnswerOutcome::Pending | AnswerOutcome::Refused { .. } => Err(AnswerError::Withheld),
        }
    }

    /// Calls the worker, and adds every attempt to the exchange's record. The outer error means that the record can't be
    /// written.
    async fn call_worker(&self, exchange: &mut Exchange) -> Result<Result<Reply, AnswerError>, AnswerError> {
        let prompt = Prompt {
            system: Some(SYSTEM.to_owned()),
            messages: vec![Message::user(exchange.query.clone())],
            temperature: None,
            max_tokens: None,
        };
        let target = exchange.target.clone();
        let journal = Journal::default();
        let models = self.models.with_journal(&journal);
        let called = tokio::select! {
            called = models.chat(Purpose::Worker, &target, &prompt, &self.worker_calls) => called,
            () = self.interrupted() => {
                // The call has been dropped and can't return its attempts, so take them from the journal.
                self.record_calls(exchange, Purpose::Worker, &target, &journal.take())?;
                return Ok(Err(AnswerError::Stopping));
            }
        };
        self.record_calls(exchange, Purpose::Worker, &target, &called.attempts)?;
        let result = called.result.and_then(|reply| match hides_provider_key(&reply.text, self.models.secrets()) {
            true => Err(CallError::HoldsProviderKey),
            false => Ok(reply),
        });
        Ok(result.map_err(|error| AnswerError::Worker { target, error }))
    }
}
