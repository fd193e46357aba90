//! What the row of an audit log takes from the audit.

use countersign_domain::payload::AuditLogCreated;
use serde_json::Value;

/// The audit's risk score. If it is missing, the log is refused, because the table requires it.
pub(super) fn risk_score(log: &AuditLogCreated) -> Option<i64> {
    log.audit.get("risk_score").and_then(Value::as_i64)
}
