//! One question to the worker, from query to verdict.
//!
//! The answer is returned only when its record is on disk. A worker that fails leaves the record of its failure and no
//! answer; an auditor that fails leaves an answer that is at least a Warning.

use countersign_agents::Audit;
use countersign_domain::payload::{AnswerEnd, AuditLogCreated};
use countersign_llm::{Attempt, CallError, Journal, Message, Prompt, Purpose, Reply, Target};
use countersign_store::StoreError;

use crate::gateway::is_hidden_in;

use super::{
    Answers,
    aside::inspecting,
    exchange::{End, Exchange},
    idempotency::{Claim, Idempotency},
};

pub(crate) const ROUTE: &str = "/process-agent";
const SYSTEM: &str = "You are a helpful, careful assistant. Answer the user's question directly and briefly. \
    Say so when you do not know.";

/// A finished audit, new or from an earlier request with the same key.
pub(crate) struct Asked {
    pub(crate) log: AuditLogCreated,
    pub(crate) is_repeat: bool,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum AskError {
    #[error("the worker {target} failed: {error}")]
    Worker { target: Target, error: CallError },
    #[error("the server is stopping")]
    Stopping,
    #[error("a request with this idempotency key is still being answered")]
    InFlight,
    #[error("this idempotency key was used before with another body")]
    KeyReused,
    #[error("the answer could not be recorded and is withheld")]
    NotRecorded(#[source] StoreError),
    #[error("a record could not be written as JSON")]
    Json(#[from] serde_json::Error),
}

impl Answers {
    pub(crate) async fn ask(
        &self,
        mut exchange: Exchange,
        idempotency: Option<Idempotency>,
    ) -> Result<Asked, AskError> {
        // Held until the answer is recorded: a second request with the same key waits for the first.
        let _claim = match &idempotency {
            None => None,
            Some(key) => match self.in_flight.claim(&self.store, key).await.map_err(AskError::NotRecorded)? {
                Claim::New(claim) => Some(claim),
                Claim::Answered(log) => return Ok(Asked { log: *log, is_repeat: true }),
                Claim::InFlight => return Err(AskError::InFlight),
                Claim::OtherBody => return Err(AskError::KeyReused),
            },
        };
        if let Some(key) = &idempotency {
            exchange.note("idempotency", key.scope.clone());
            exchange.note("body", key.body.clone());
        }
        match self.work(&mut exchange).await? {
            Ok(reply) => self.conclude(exchange, reply).await,
            Err(error) => self.give_up(exchange, error).await,
        }
    }

    /// The worker's answer, with the record of the calls that it took.
    async fn work(&self, exchange: &mut Exchange) -> Result<Result<Reply, AskError>, AskError> {
        let prompt = Prompt {
            system: Some(SYSTEM.to_owned()),
            messages: vec![Message::user(exchange.query.clone())],
            temperature: None,
            max_tokens: None,
        };
        let journal = Journal::default();
        let models = self.models.noting(&journal);
        let call = models.chat(Purpose::Worker, &exchange.target, &prompt, &self.worker_calls);
        let called = tokio::select! {
            called = call => called,
            () = self.abandoned() => {
                self.called(exchange, Purpose::Worker, &exchange.target.clone(), &journal.take())?;
                return Ok(Err(AskError::Stopping));
            }
        };
        let target = exchange.target.clone();
        self.called(exchange, Purpose::Worker, &target, &called.attempts)?;
        let result = called.result.and_then(|reply| match is_hidden_in(&reply.text, self.models.secrets()) {
            true => Err(CallError::HoldsKey),
            false => Ok(reply),
        });
        Ok(result.map_err(|error| AskError::Worker { target, error }))
    }

    async fn conclude(&self, mut exchange: Exchange, reply: Reply) -> Result<Asked, AskError> {
        let (query, response, now) = (exchange.query.clone(), reply.text.clone(), exchange.now());
        let inspect = move || Audit::builtin(&query, &response, now);
        let inspected = inspecting(exchange.query.len() + reply.text.len(), inspect).await;
        let journal = Journal::default();
        let auditor = self.auditor.noting(&journal);
        let auditing = auditor.audit(&exchange.query, &reply.text, inspected, exchange.marker());
        let audited = tokio::select! {
            audited = auditing => audited,
            () = self.abandoned() => {
                if let Some(judge) = self.auditor.judge() {
                    self.called(&mut exchange, Purpose::Auditor, judge, &journal.take())?;
                }
                return self.give_up(exchange, AskError::Stopping).await;
            }
        };
        if let Some(judge) = self.auditor.judge() {
            self.called(&mut exchange, Purpose::Auditor, judge, &audited.attempts)?;
        }
        let worker = exchange.worker(Some(&reply.model), reply.usage);
        let log = exchange.audited(reply.text, worker, &audited.audit)?;
        self.record(&mut exchange).await.map_err(AskError::NotRecorded)?;
        self.metrics.answered(ROUTE, log.status);
        Ok(Asked { log, is_repeat: false })
    }

    fn called(
        &self,
        exchange: &mut Exchange,
        purpose: Purpose,
        at: &Target,
        attempts: &[Attempt],
    ) -> Result<(), AskError> {
        exchange.called_at(purpose, at, attempts)?;
        self.metrics.calls(purpose, at, attempts);
        Ok(())
    }

    async fn give_up<T>(&self, mut exchange: Exchange, error: AskError) -> Result<T, AskError> {
        let end = match error {
            AskError::Stopping => AnswerEnd::Interrupted,
            _ => AnswerEnd::Failed,
        };
        exchange.failed(End { end, detail: error.to_string(), partial: None })?;
        self.record(&mut exchange).await.map_err(AskError::NotRecorded)?;
        self.metrics.failed(ROUTE, end);
        Err(error)
    }
}
