//! Audits a text that the caller sends, without calling a worker.

use axum::{Extension, body::Body, extract::State, http::HeaderMap};
use countersign_agents::audit_of_findings;
use countersign_domain::{Audit, AuditFinding, RiskStatus, payload::Worker};
use countersign_inspect::{Scores, SentenceGrounding, audit, sentence_grounding};
use countersign_llm::Target;
use serde::{Deserialize, Serialize};

use crate::{
    answers::Exchange,
    http::edge::{
        App,
        error::{ApiError, Result},
        json::{self, Json},
        query::Params,
    },
    keys::Caller,
};

const ROUTE: &str = "/api/audit";

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = Text)]
pub(super) struct TextToAudit {
    text: String,
    /// A source that must support the text; sentences without support are reported.
    #[serde(default)]
    context: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Inspected)]
pub(super) struct TextAudit {
    risk_score: u8,
    status: RiskStatus,
    findings: Vec<AuditFinding>,
    /// The risk of each kind of finding, from 0 to 1. From 0.5 on, the text counts as having it.
    scores: Scores,
    /// Each sentence of the text, with the passage that supports it best. Only if a context was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sentences: Vec<GroundedSentence>,
    /// The complete audit, in the form in which an answer's record contains it.
    audit: Audit,
    /// The id of the audit log, if the audit was stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_id: Option<String>,
}

/// A sentence compared with the context.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Held)]
pub(super) struct GroundedSentence {
    /// In code points of the text; `end` is exclusive.
    start: usize,
    end: usize,
    /// From 0 (supported) to 1 (unsupported). From 0.5 on, the sentence counts as unsupported.
    score: f64,
    /// The most similar passage: its start and end in code points of the context.
    nearest: Option<[usize; 2]>,
    why: String,
}

impl From<SentenceGrounding> for GroundedSentence {
    fn from(sentence: SentenceGrounding) -> Self {
        let SentenceGrounding { start, end, score, nearest, why } = sentence;
        Self { start, end, score, nearest: nearest.map(|(start, end)| [start, end]), why }
    }
}

/// Inspect a text
///
/// Returns the findings of the built-in inspectors and the scores. Nothing is stored unless `store` is true.
#[utoipa::path(post, path = "/api/audit", tag = "Answers", request_body = TextToAudit,
    params(("store" = Option<bool>, Query, description = "Whether to store the audit as an audit log")),
    responses(
        (status = 200, description = "The findings and scores", body = TextAudit),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn post(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    mut params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<TextAudit>> {
    let store = params.parsed::<bool>("store", "true or false")?.unwrap_or(false);
    params.finish()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let text = json::text(&body.bytes)?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(ApiError::bad_request("the body must be one JSON object"));
    }
    let TextToAudit { text, context } = json::parse(text)?;
    if text.trim().is_empty() {
        return Err(ApiError::bad_request("text: must not be empty"));
    }
    let now = app.store.seams().now();
    let inspected = (text, context);
    // A long text takes a while, and must not delay other requests.
    let auditing = tokio::task::spawn_blocking(move || {
        let (text, context) = &inspected;
        let audited = audit(text, context.as_deref());
        let sentences = context.as_deref().map(|context| sentence_grounding(text, context)).unwrap_or_default();
        (audit_of_findings("", &audited.findings, now), audited.scores, sentences, inspected)
    });
    let (audit, scores, sentences, (text, context)) =
        auditing.await.map_err(|error| ApiError::Panicked(error.to_string()))?;
    let mut log_id = None;
    if store {
        // A log consists of a query and an answer: the text is the answer, and the context takes the place of the query.
        let query = context.unwrap_or_else(|| "(a text without a query)".to_owned());
        let mut exchange = Exchange::new(app.store.seams(), ROUTE, caller.name(), query, Target::new("none", "none"));
        let worker = Worker { provider: "none".into(), model: "none".into(), tokens_used: None, latency_ms: 0 };
        exchange.add_audited_answer(text, worker, audit.clone())?;
        app.answers.record(&mut exchange).await.map_err(ApiError::NotRecorded)?;
        log_id = Some(exchange.id.to_string());
    }
    let (risk_score, status) = (audit.risk_score.get(), audit.status());
    let sentences = sentences.into_iter().map(GroundedSentence::from).collect();
    Ok(Json(TextAudit { risk_score, status, findings: audit.findings.clone(), scores, sentences, audit, log_id }))
}
