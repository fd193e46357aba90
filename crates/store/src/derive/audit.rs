//! What the row of an audit log takes from the audit.

use countersign_domain::payload::AuditLogCreated;

/// The audit's risk score. If it is missing, the log is refused, because the table requires it.
pub(super) fn risk_score(log: &AuditLogCreated) -> Option<i64> {
    log.audit.risk_score().map(|score| score.get().into())
}
