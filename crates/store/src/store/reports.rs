//! Reading reports, the supervisor's verdicts, people's reviews and addenda. Pages are bounded by [`LIST_MAX`].

use countersign_domain::{
    AlertId, InvestigationId, ReportId, StoredEvent,
    payload::{ReportAddendumAdded, ReportType},
};
use countersign_ledger::{Hash, HashedText};

use super::{Store, backend::on_backend};
use crate::{
    error::Result,
    investigations::{
        LIST_MAX, LastVerdict, OpenReview, RelatedAlertsLimits, ReportEntry, ReportFile, ReportQuery, Validation,
    },
};

impl Store {
    /// One version of a report, even if it was erased.
    pub async fn report(&self, id: &ReportId) -> Result<Option<ReportEntry>> {
        on_backend!(self, backend => backend.report(id).await)
    }

    /// The exact text that was stored, and the SHA-256 in hex that its event contains. `None` if the report was erased or the
    /// id is unknown.
    pub async fn report_content(&self, id: &ReportId) -> Result<Option<(String, String)>> {
        on_backend!(self, backend => backend.report_content(id).await)
    }

    /// The hash of the text that is stored now, which differs from the one in its event if the text was changed. `known` is a
    /// text that was read earlier: if the stored text is the same, its hash is not computed again. `None` as in
    /// [`Store::report_content`].
    pub async fn report_hash(&self, id: &ReportId, known: HashedText) -> Result<Option<Hash>> {
        on_backend!(self, backend => backend.report_hash(id, known).await)
    }

    /// A stored report with the alert that it is about and that alert's related alerts, in one snapshot. `None` if there is no
    /// such report, if it was erased, or if its alert isn't on record. `Corrupt` if the alert's body can't be read.
    pub async fn report_file(&self, report_id: &ReportId, limits: RelatedAlertsLimits) -> Result<Option<ReportFile>> {
        on_backend!(self, backend => backend.report_file(report_id, limits.bounded()).await)
    }

    /// A page of reports in their current versions, newest first, without erased ones.
    pub async fn reports(&self, query: ReportQuery) -> Result<Vec<ReportEntry>> {
        let query = ReportQuery { limit: query.limit.min(LIST_MAX), ..query };
        on_backend!(self, backend => backend.reports(query).await)
    }

    /// All versions of this report (same alert, same type), newest first, including erased ones. Empty for an unknown id.
    pub async fn report_versions(&self, id: &ReportId) -> Result<Vec<ReportEntry>> {
        on_backend!(self, backend => backend.report_versions(id).await)
    }

    /// The newest version of this alert's report of this type, even if it was erased: the next version must not reuse its
    /// number.
    pub async fn current_report(&self, alert: &AlertId, report_type: ReportType) -> Result<Option<ReportEntry>> {
        on_backend!(self, backend => backend.current_report(alert, report_type).await)
    }

    /// The current versions of an investigation's reports, newest first, including erased ones.
    pub async fn reports_of(&self, investigation: InvestigationId) -> Result<Vec<ReportEntry>> {
        on_backend!(self, backend => backend.reports_of(investigation).await)
    }

    /// The supervisor's verdicts on a report, newest first, without erased ones.
    pub async fn validations(&self, report_id: &ReportId) -> Result<Vec<Validation>> {
        on_backend!(self, backend => backend.validations(report_id).await)
    }

    /// The newest verdict on each report, in the order in which they are asked for. Erased verdicts are left out, and so are
    /// those whose row could not be stored.
    pub async fn last_verdicts(&self, report_ids: Vec<ReportId>) -> Result<Vec<Option<LastVerdict>>> {
        on_backend!(self, backend => backend.last_verdicts(report_ids).await)
    }

    /// People's decisions about an investigation or one of its reports, newest first: their REVIEW_DECIDED events, erased ones
    /// without a payload.
    pub async fn reviews_of(&self, investigation: InvestigationId) -> Result<Vec<StoredEvent>> {
        on_backend!(self, backend => backend.reviews_of(investigation).await)
    }

    /// The authors of a report: the people who requested this version or an earlier one, those who ever requested a report of the
    /// same type about the same alert, and the person who posted the alert. If it replaced a report of another type, that
    /// report's authors count too. Sorted, without duplicates, and without the people that erased events named.
    pub async fn report_authors(&self, id: &ReportId) -> Result<Vec<String>> {
        on_backend!(self, backend => backend.report_authors(id).await)
    }

    /// Like [`Store::report_authors`], for all reports of a case that are in review and all requests for reports that are still
    /// open. The person who posted the alert is included even if there are no such reports.
    pub async fn case_authors(&self, id: InvestigationId) -> Result<Vec<String>> {
        on_backend!(self, backend => backend.case_authors(id).await)
    }

    /// A page of what is waiting for a person's decision, newest first: every report in review, and every investigation in review
    /// that has no report yet. Investigations that are not open yet or were erased are left out.
    pub async fn open_reviews(&self, before_seq: Option<u64>, limit: usize) -> Result<Vec<OpenReview>> {
        on_backend!(self, backend => backend.open_reviews(before_seq, limit.min(LIST_MAX)).await)
    }

    /// A page of decisions, newest first, without erased ones.
    pub async fn decided_reviews(&self, before_seq: Option<u64>, limit: usize) -> Result<Vec<StoredEvent>> {
        on_backend!(self, backend => backend.decided_reviews(before_seq, limit.min(LIST_MAX)).await)
    }

    /// What people added to a report and to the versions that it replaced, oldest first, each with its position. Erased addenda
    /// are left out.
    pub async fn addenda(&self, report_id: &ReportId) -> Result<Vec<(u64, ReportAddendumAdded)>> {
        on_backend!(self, backend => backend.addenda(report_id).await)
    }
}
