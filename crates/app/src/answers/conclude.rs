//! The end of every exchange that has an answer: the answer is audited, judged by its release terms and recorded, and only then
//! released. An answer whose terms release it before a model has audited it is recorded without that audit. The worker's answers
//! and the gateway's both end here.

use countersign_domain::{
    Audit, RiskScore, RiskStatus,
    payload::{AnswerEnd, AuditLogCreated, Worker},
};
use countersign_llm::{Attempt, Journal, Purpose, Target};

use super::{
    Answers,
    error::AnswerError,
    exchange::{Exchange, ExchangeEnd},
    inspected::InspectedAnswer,
    terms::{AnswerRefusal, ReleaseTerms},
};

/// The status of an answer that a model has yet to audit.
pub(crate) const PENDING: &str = "Pending";

/// A complete answer whose release has not been decided yet.
pub(crate) struct Answer<'a> {
    pub(crate) inspected: InspectedAnswer,
    pub(crate) worker: Worker,
    pub(crate) delivery: Delivery<'a>,
}

/// How an answer reaches its caller.
#[derive(Clone, Copy)]
pub(crate) struct Delivery<'a> {
    /// The text that has already been sent to the caller.
    pub(crate) sent: &'a str,
    /// False if personal data that must be masked is in a place where it can't be, such as a tool call.
    pub(crate) can_mask: bool,
    /// Whether the answer is a stream. Parts of it may have been sent already, so writing its record is retried.
    pub(crate) is_stream: bool,
}

impl Delivery<'_> {
    /// The answer is sent in one piece, or not at all.
    pub(crate) const WHOLE: Self = Self { sent: "", can_mask: true, is_stream: false };
}

/// The recorded outcome of an answer.
pub(crate) enum AnswerOutcome {
    /// It has been audited and may be released.
    Audited(Box<AuditLogCreated>),
    /// It may be released; the model audits it afterwards.
    Pending,
    /// It is withheld.
    Refused { refusal: AnswerRefusal, status: RiskStatus },
}

impl AnswerOutcome {
    /// The answer's status, as the response header names it.
    pub(crate) fn status(&self) -> &'static str {
        match self {
            Self::Audited(log) => log.status.as_str(),
            Self::Pending => PENDING,
            Self::Refused { status, .. } => status.as_str(),
        }
    }
}

impl Answers {
    pub(crate) async fn conclude(
        &self,
        exchange: &mut Exchange,
        answer: Answer<'_>,
        terms: ReleaseTerms,
    ) -> Result<AnswerOutcome, AnswerError> {
        let Answer { mut inspected, worker, delivery } = answer;
        if !delivery.can_mask {
            let flagged =
                RiskScore::try_from(*RiskStatus::Flagged.scores().start()).unwrap_or(inspected.audit.risk_score);
            inspected.audit.risk_score = inspected.audit.risk_score.max(flagged);
            inspected.audit.details =
                "Personal data is in a place where it can't be masked, such as in a tool call.".to_owned();
            return self.refuse(exchange, Answer { inspected, worker, delivery }, AnswerRefusal::Unmaskable).await;
        }
        if self.auditor.judge().is_some() && terms.releases_before_audit() {
            exchange.add_pending_answer(inspected.text, worker, inspected.audit)?;
            self.write_record(exchange, delivery).await?;
            self.metrics.count_pending(exchange.route());
            return Ok(AnswerOutcome::Pending);
        }
        let audit = self.audit(exchange, &inspected.text, inspected.audit, delivery).await?;
        let inspected = InspectedAnswer { audit, ..inspected };
        if let Some(refusal) = terms.refusal(&inspected.audit) {
            return self.refuse(exchange, Answer { inspected, worker, delivery }, refusal).await;
        }
        let log = exchange.add_audited_answer(inspected.text, worker, inspected.audit)?;
        self.write_record(exchange, delivery).await?;
        self.metrics.count_answer(exchange.route(), log.status);
        Ok(AnswerOutcome::Audited(Box::new(log)))
    }

    /// Records an answer that is withheld, with its audit and with the part of it that had already been sent.
    pub(crate) async fn refuse(
        &self,
        exchange: &mut Exchange,
        answer: Answer<'_>,
        refusal: AnswerRefusal,
    ) -> Result<AnswerOutcome, AnswerError> {
        let Answer { inspected, worker, delivery } = answer;
        let status = inspected.audit.status();
        let audit = Audit { withheld: Some(refusal.withheld()), ..inspected.audit };
        exchange.add_audited_answer(inspected.text, worker, audit)?;
        let (end, detail) = (AnswerEnd::Refused, refusal.message().to_owned());
        exchange.add_failure(ExchangeEnd { end, detail, partial: Some(delivery.sent.to_owned()) })?;
        self.write_record(exchange, delivery).await?;
        self.metrics.count_failure(exchange.route(), end);
        Ok(AnswerOutcome::Refused { refusal, status })
    }

    /// Completes the audit with the auditor model's verdict, if a model is configured. If the server stops first, the record
    /// says that the exchange was interrupted, and which calls to the model had been made.
    async fn audit(
        &self,
        exchange: &mut Exchange,
        text: &str,
        inspected: Audit,
        delivery: Delivery<'_>,
    ) -> Result<Audit, AnswerError> {
        let Some(judge) = self.auditor.judge() else { return Ok(inspected) };
        let journal = Journal::default();
        let auditor = self.auditor.with_journal(&journal);
        let audited = tokio::select! {
            audited = auditor.audit(&exchange.query, text, inspected, exchange.marker()) => audited,
            () = self.interrupted() => {
                // The audit has been dropped and can't return its attempts, so take them from the journal.
                self.record_calls(exchange, Purpose::Auditor, judge, &journal.take())?;
                let (end, detail) = (AnswerEnd::Interrupted, "the server stopped before the answer was audited".to_owned());
                exchange.add_failure(ExchangeEnd { end, detail, partial: Some(delivery.sent.to_owned()) })?;
                self.write_record(exchange, delivery).await?;
                self.metrics.count_failure(exchange.route(), end);
                return Err(AnswerError::Stopping);
            }
        };
        self.record_calls(exchange, Purpose::Auditor, judge, &audited.attempts)?;
        Ok(audited.audit)
    }

    /// Adds the attempts of a model call to the exchange's record, and counts them.
    pub(crate) fn record_calls(
        &self,
        exchange: &mut Exchange,
        purpose: Purpose,
        target: &Target,
        attempts: &[Attempt],
    ) -> serde_json::Result<()> {
        exchange.add_calls(purpose, target, attempts)?;
        self.metrics.count_calls(purpose, target, attempts);
        Ok(())
    }

    /// Records that there is no answer, and returns why.
    pub(crate) async fn give_up<T>(&self, mut exchange: Exchange, error: AnswerError) -> Result<T, AnswerError> {
        let end = error.end();
        exchange.add_failure(ExchangeEnd { end, detail: error.to_string(), partial: None })?;
        self.record(&mut exchange).await.map_err(AnswerError::NotRecorded)?;
        self.metrics.count_failure(exchange.route(), end);
        Err(error)
    }

    async fn write_record(&self, exchange: &mut Exchange, delivery: Delivery<'_>) -> Result<(), AnswerError> {
        let written = match delivery.is_stream {
            true => self.record_with_retries(exchange).await,
            false => self.record(exchange).await,
        };
        written.map_err(AnswerError::NotRecorded)
    }
}
