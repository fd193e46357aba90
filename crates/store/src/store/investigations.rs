//! Reading transactions, alerts and investigations. Pages are bounded by [`LIST_MAX`].

use countersign_domain::{
    AlertId, InvestigationId, Score, Severity, StoredEvent, TransactionId, UserId, payload::ReportType,
};

use super::{Store, backend::on_backend};
use crate::{
    error::Result,
    investigations::{
        AlertEntry, AlertQuery, AlertRecord, CaseState, CustomerRecord, InvestigationEntry, InvestigationQuery,
        LIST_MAX, PriorAlerts, RelatedAlerts, RelatedAlertsLimits, TransactionQuery,
    },
};

impl Store {
    /// The user's transactions before this position, newest first. Erased transactions are left out, and so are those that the
    /// agent which indexes histories hasn't reached yet.
    pub async fn history(&self, user: &UserId, before_seq: u64, limit: usize) -> Result<Vec<StoredEvent>> {
        on_backend!(self, backend => backend.history(user, before_seq, limit.min(LIST_MAX)).await)
    }

    /// The histories of several users, each before a position, in the order in which they are asked for.
    pub async fn histories(&self, of: Vec<(UserId, u64)>, limit: usize) -> Result<Vec<Vec<StoredEvent>>> {
        on_backend!(self, backend => backend.histories(of, limit.min(LIST_MAX)).await)
    }

    /// A page of transactions, newest first, without erased ones.
    pub async fn transactions(&self, query: TransactionQuery) -> Result<Vec<StoredEvent>> {
        let query = TransactionQuery { limit: query.limit.min(LIST_MAX), ..query };
        on_backend!(self, backend => backend.transactions(query).await)
    }

    /// The transaction with this id, which its sender chose, even if its body was erased.
    pub async fn transaction(&self, id: &TransactionId) -> Result<Option<StoredEvent>> {
        on_backend!(self, backend => backend.transaction(id).await)
    }

    /// The named transaction, if it is this user's, and the user's history before it, in one snapshot. If it isn't the user's,
    /// or no transaction is named, the history before `before_seq`.
    pub async fn customer_record(
        &self,
        user: &UserId,
        named: Option<&TransactionId>,
        before_seq: u64,
        limit: usize,
    ) -> Result<CustomerRecord> {
        on_backend!(self, backend => backend.customer_record(user, named, before_seq, limit.min(LIST_MAX)).await)
    }

    /// A page of alerts with their states, newest first, without erased ones.
    pub async fn alerts(&self, query: AlertQuery) -> Result<Vec<AlertEntry>> {
        let query = AlertQuery { limit: query.limit.min(LIST_MAX), ..query };
        on_backend!(self, backend => backend.alerts(query).await)
    }

    /// One alert, even if its body was erased.
    pub async fn alert(&self, id: &AlertId) -> Result<Option<AlertEntry>> {
        on_backend!(self, backend => backend.alert(id).await)
    }

    /// The user's alerts before the given one, without erased ones, in one snapshot. `None` if that alert isn't on record.
    pub async fn prior_alerts(&self, alert: &AlertId, user: &UserId, newest_max: usize) -> Result<Option<PriorAlerts>> {
        on_backend!(self, backend => backend.prior_alerts(alert, user, newest_max.min(LIST_MAX)).await)
    }

    /// The user's alerts before a position, and how many alerts of any user before it are similar to one with the severity
    /// and score `similar_to`, in one snapshot. Erased alerts count as similar, so that the number stays the same, but are not
    /// returned.
    pub async fn related_alerts(
        &self,
        user: &UserId,
        similar_to: (Severity, Score),
        before_seq: u64,
        limits: RelatedAlertsLimits,
    ) -> Result<RelatedAlerts> {
        on_backend!(self, backend => backend.related_alerts(user, similar_to, before_seq, limits.bounded()).await)
    }

    /// All data that a report about this alert is written from, in one snapshot: the customer's transactions and alerts
    /// before it, and the newest report of this type about it. `alert` is the alert's own event; `NotFound` if it is an event
    /// of another type, `Corrupt` if it was erased or can't be read.
    pub async fn alert_record(
        &self,
        alert: &StoredEvent,
        report_type: ReportType,
        history_max: usize,
        limits: RelatedAlertsLimits,
    ) -> Result<AlertRecord> {
        let (history_max, limits) = (history_max.min(LIST_MAX), limits.bounded());
        on_backend!(self, backend => backend.alert_record(alert, report_type, history_max, limits).await)
    }

    /// A page of investigations with their states, newest first, without erased ones.
    pub async fn investigations(&self, query: InvestigationQuery) -> Result<Vec<InvestigationEntry>> {
        let query = InvestigationQuery { limit: query.limit.min(LIST_MAX), ..query };
        on_backend!(self, backend => backend.investigations(query).await)
    }

    /// One investigation, even if its body was erased. `None` before it is opened.
    pub async fn investigation(&self, id: InvestigationId) -> Result<Option<InvestigationEntry>> {
        on_backend!(self, backend => backend.investigation(id).await)
    }

    /// The state of an investigation and of its reports, as of one moment. It exists from the first event about the
    /// investigation on, which is usually its alert, and so before the investigation is opened.
    pub async fn case(&self, id: InvestigationId) -> Result<Option<CaseState>> {
        on_backend!(self, backend => backend.case(id).await)
    }
}
