//! What the row of an audit log takes from the audit.

use countersign_domain::payload::AuditLogCreated;
use serde_json::Value;

/// The audit's risk score. `None` if it has none, and then no table takes the row and the log is refused.
pub(super) fn risk_score(log: &AuditLogCreated) -> Option<i64> {
    log.audit.get("risk_score").and_then(Value::as_i64)
}
