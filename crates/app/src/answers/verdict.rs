//! An answer judged under a policy: released as it is, released with its personal data masked, or refused.

use countersign_agents::{Audit, AuditFinding, AuditedBy};
use countersign_config::{OnUnaudited, Policy};
use countersign_domain::{
    RiskScore, RiskStatus, Time,
    payload::{AnswerEnd, Worker},
};
use countersign_inspect::{Finding, audit_answer, mask_pii};
use countersign_llm::Purpose;

use super::{
    Answers,
    aside::inspecting,
    exchange::{End, Exchange},
};
use crate::gateway::GatewayError;

/// Of an answer whose model audit is still to come.
pub(crate) const PENDING: &str = "Pending";

/// What the inspectors made of a text: what may be released of it at most, and what they say about that.
pub(crate) struct Judged {
    /// What is stored, judged and released.
    pub(crate) text: String,
    pub(crate) audit: Audit,
    /// Personal data in the original text, in its code points; empty unless it is to be masked.
    pub(crate) masked: Vec<Finding>,
}

/// What is already known about an answer's release when it is judged.
#[derive(Clone, Copy)]
pub(crate) struct Released<'a> {
    /// What the caller has been given so far.
    pub(crate) text: &'a str,
    /// Whether what is to be masked stands where that can be done.
    pub(crate) can_mask: bool,
    /// Whether anything may have left already, so that the record must not be given up.
    pub(crate) is_stream: bool,
}

/// Whether an answer with this audit may leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ruling {
    Release,
    Refuse(Refusal),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Flagged,
    Unaudited,
    /// Personal data stands where it can't be masked, such as in the arguments of a tool call.
    Unmaskable,
}

impl Refusal {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Flagged | Self::Unmaskable => "flagged",
            Self::Unaudited => "unaudited",
        }
    }

    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Flagged => "the answer was flagged by its audit and is withheld",
            Self::Unaudited => "the answer could not be audited and is withheld",
            Self::Unmaskable => "the answer holds personal data where it can't be masked and is withheld",
        }
    }
}

impl Judged {
    pub(crate) async fn of(policy: Policy, query: &str, original: String, at: Time) -> Self {
        let query = query.to_owned();
        inspecting(original.len() + query.len(), move || Self::of_text(policy, &query, original, at)).await
    }

    fn of_text(policy: Policy, query: &str, original: String, at: Time) -> Self {
        let findings = audit_answer(&original).findings;
        let masked: Vec<Finding> = match policy.masks() {
            true => findings.iter().filter(|f| is_masked(f)).cloned().collect(),
            false => Vec::new(),
        };
        if masked.is_empty() {
            let audit = Audit::of_findings(query, &findings, at);
            return Self { text: original, audit, masked };
        }
        let released = mask_pii(&original, &masked);
        // What is left is judged as it will be read; what was hidden stays on the record.
        let mut audit = Audit::builtin(query, &released.text, at);
        audit.pii_detected = true;
        let hidden = released.spans.iter().filter_map(|(index, start, end)| {
            let finding = AuditFinding::of(masked.get(*index)?, None);
            Some(AuditFinding { start: *start, end: *end, masked: true, ..finding })
        });
        audit.findings.extend(hidden);
        audit.details = format!("{} pieces of personal data were masked. {}", masked.len(), audit.details);
        Self { text: released.text, audit, masked }
    }
}

/// What only the whole text shows is not masked: a stream could not mask it in time, and both must release the same.
pub(crate) fn is_masked(finding: &Finding) -> bool {
    finding.identifies() && finding.counts() && !finding.needs_whole_text()
}

/// Whether an answer with this audit may be released under the policy.
fn ruling(policy: Policy, audit: &Audit) -> Ruling {
    if !policy.is_enforced() {
        return Ruling::Release;
    }
    if audit.status() == RiskStatus::Flagged {
        return Ruling::Refuse(Refusal::Flagged);
    }
    match (audit.auditor, policy.on_unaudited) {
        (AuditedBy::Failed, OnUnaudited::Block) => Ruling::Refuse(Refusal::Unaudited),
        _ => Ruling::Release,
    }
}

impl Answers {
    /// Judges an answer under its policy and records it. Returns what may be done with it, and its status.
    pub(crate) async fn rule(
        &self,
        exchange: &mut Exchange,
        judged: Judged,
        worker: Worker,
        policy: Policy,
        released: Released<'_>,
    ) -> Result<(Ruling, &'static str), GatewayError> {
        if !released.can_mask {
            let mut judged = judged;
            let flagged = RiskScore::try_from(*RiskStatus::Flagged.scores().start()).unwrap_or(judged.audit.risk_score);
            judged.audit.risk_score = judged.audit.risk_score.max(flagged);
            judged.audit.details = "Personal data stands where it can't be masked, such as in a tool call.".to_owned();
            self.refuse(exchange, judged, worker, Refusal::Unmaskable, released).await?;
            return Ok((Ruling::Refuse(Refusal::Unmaskable), RiskStatus::Flagged.as_str()));
        }
        let Judged { text, mut audit, .. } = judged;
        match self.auditor.judge() {
            // The caller waits for the record, not for the audit.
            Some(_) if !policy.is_enforced() => {
                exchange.recorded(text, worker, &audit)?;
                self.keep(exchange, released).await?;
                self.metrics.pending(exchange.route());
                return Ok((Ruling::Release, PENDING));
            }
            Some(judge) => {
                let auditing = self.auditor.audit(&exchange.query, &text, audit, exchange.marker());
                let audited = tokio::select! {
                    audited = auditing => audited,
                    () = self.abandoned() => {
                        let (end, partial) = (AnswerEnd::Interrupted, Some(released.text.to_owned()));
                        let detail = "the server stopped before the answer was judged".to_owned();
                        exchange.failed(End { end, detail, partial })?;
                        self.keep(exchange, released).await?;
                        self.metrics.failed(exchange.route(), end);
                        return Err(GatewayError::Stopping);
                    }
                };
                exchange.called_at(Purpose::Auditor, judge, &audited.attempts)?;
                self.metrics.calls(Purpose::Auditor, judge, &audited.attempts);
                audit = audited.audit;
            }
            None => {}
        }
        let ruling = ruling(policy, &audit);
        let judged = Judged { text, audit, masked: Vec::new() };
        if let Ruling::Refuse(refusal) = ruling {
            let status = judged.audit.status().as_str();
            self.refuse(exchange, judged, worker, refusal, released).await?;
            return Ok((ruling, status));
        }
        let status = judged.audit.status();
        exchange.audited(judged.text, worker, &judged.audit)?;
        self.keep(exchange, released).await?;
        self.metrics.answered(exchange.route(), status);
        Ok((ruling, status.as_str()))
    }

    /// Records an answer that is withheld: its audit, and that nobody got it, or only the part that is given.
    pub(crate) async fn refuse(
        &self,
        exchange: &mut Exchange,
        judged: Judged,
        worker: Worker,
        refusal: Refusal,
        released: Released<'_>,
    ) -> Result<(), GatewayError> {
        let audit = Audit { withheld: Some(refusal.code()), ..judged.audit };
        exchange.audited(judged.text, worker, &audit)?;
        let partial = Some(released.text.to_owned());
        exchange.failed(End { end: AnswerEnd::Refused, detail: refusal.message().to_owned(), partial })?;
        self.keep(exchange, released).await?;
        self.metrics.failed(exchange.route(), AnswerEnd::Refused);
        Ok(())
    }

    async fn keep(&self, exchange: &mut Exchange, released: Released<'_>) -> Result<(), GatewayError> {
        let kept = match released.is_stream {
            true => self.record_surely(exchange).await,
            false => self.record(exchange).await,
        };
        kept.map_err(GatewayError::NotRecorded)
    }
}
