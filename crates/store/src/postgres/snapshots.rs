//! Reads that gather several things from one snapshot. Statements that don't depend on each other are sent together.

use countersign_domain::{AlertId, ReportId, Score, Severity, StoredEvent, TransactionId, UserId, payload::ReportType};
use countersign_ledger::{Hash, HashedText, sha256};

use super::{PostgresStore, alert_lists, history, ranks, reports, session::Session};
use crate::{
    error::Result,
    investigations::{
        AlertRecord, CustomerRecord, PriorAlerts, RelatedAlerts, RelatedAlertsLimits, ReportFile, alert_of,
    },
};

impl PostgresStore {
    pub(crate) async fn alert_record(
        &self,
        alert: &StoredEvent,
        report_type: ReportType,
        history_max: usize,
        limits: RelatedAlertsLimits,
    ) -> Result<AlertRecord> {
        let (seq, alert) = (alert.seq, alert_of(alert)?);
        self.read_snapshot(move |session| async move {
            let named = alert.metadata.transaction_id.as_ref();
            let (customer, related, current_report) = tokio::try_join!(
                history::customer_record(&session, &alert.user_id, named, seq, history_max),
                related_alerts(&session, &alert.user_id, (alert.severity, alert.score), seq, limits),
                reports::current(&session, &alert.alert_id, report_type),
            )?;
            Ok(AlertRecord { alert, customer, related, current_report })
        })
        .await
    }

    pub(crate) async fn report_file(
        &self,
        report_id: &ReportId,
        limits: RelatedAlertsLimits,
    ) -> Result<Option<ReportFile>> {
        let id = report_id.clone();
        self.read_snapshot(move |session| async move {
            let Some(stored) = reports::stored(&session, &id).await? else { return Ok(None) };
            // The alert is looked up by the id in the report's event, because the content has only a redacted form of it.
            let Some(entry) = alert_lists::alert(&session, &stored.alert_id).await? else { return Ok(None) };
            let alert = alert_of(&entry.event)?;
            let similar_to = (alert.severity, alert.score);
            let related = related_alerts(&session, &alert.user_id, similar_to, entry.event.seq, limits).await?;
            Ok(Some(ReportFile { content: stored.content, content_hash: stored.content_hash, alert, related }))
        })
        .await
    }

    pub(crate) async fn prior_alerts(
        &self,
        alert: &AlertId,
        user: &UserId,
        newest_max: usize,
    ) -> Result<Option<PriorAlerts>> {
        let (alert, user) = (alert.clone(), user.clone());
        self.read_snapshot(move |session| async move {
            let Some(entry) = alert_lists::alert(&session, &alert).await? else { return Ok(None) };
            alert_lists::prior_alerts(&session, &user, entry.event.seq, newest_max).await.map(Some)
        })
        .await
    }

    pub(crate) async fn related_alerts(
        &self,
        user: &UserId,
        similar_to: (Severity, Score),
        before_seq: u64,
        limits: RelatedAlertsLimits,
    ) -> Result<RelatedAlerts> {
        let user = user.clone();
        self.read_snapshot(move |session| async move {
            related_alerts(&session, &user, similar_to, before_seq, limits).await
        })
        .await
    }

    pub(crate) async fn customer_record(
        &self,
        user: &UserId,
        named: Option<&TransactionId>,
        before_seq: u64,
        limit: usize,
    ) -> Result<CustomerRecord> {
        let (user, named) = (user.clone(), named.cloned());
        self.read_snapshot(move |session| async move {
            history::customer_record(&session, &user, named.as_ref(), before_seq, limit).await
        })
        .await
    }

    pub(crate) async fn report_hash(&self, id: &ReportId, known: HashedText) -> Result<Option<Hash>> {
        let id = id.clone();
        let hash = move |text: &str| if text == known.text() { known.hash() } else { sha256(text.as_bytes()) };
        self.read(move |session| async move {
            let content = reports::content(&session, &id).await?;
            Ok(content.map(|(text, _)| hash(&text)))
        })
        .await
    }
}

async fn related_alerts(
    session: &Session,
    user: &UserId,
    (severity, score): (Severity, Score),
    before_seq: u64,
    limits: RelatedAlertsLimits,
) -> Result<RelatedAlerts> {
    let (prior, similar) = tokio::try_join!(
        alert_lists::prior_alerts(session, user, before_seq, limits.newest_max),
        ranks::similar(session, severity, score, limits.similar_within_points, before_seq),
    )?;
    Ok(RelatedAlerts { prior, similar })
}
