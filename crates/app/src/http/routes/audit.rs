//! Inspecting a text without a worker.

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
pub(super) struct Text {
    text: String,
    /// What the text should rest on: sentences that it does not support are found too.
    #[serde(default)]
    context: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Inspected {
    risk_score: u8,
    status: RiskStatus,
    findings: Vec<AuditFinding>,
    /// Risk from 0 to 1 by kind, decided at 0.5.
    scores: Scores,
    /// Each sentence of the text beside what supports it best. Only where a context was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sentences: Vec<Held>,
    /// The whole audit, as an answer's record has it.
    audit: Audit,
    /// Only of an audit that was stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    log_id: Option<String>,
}

/// A sentence held against the context.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct Held {
    /// Code points of the text; the end is exclusive.
    start: usize,
    end: usize,
    /// 1 is unsupported; decided at 0.5.
    score: f64,
    /// The nearest passage: code points of the context.
    nearest: Option<[usize; 2]>,
    why: String,
}

impl From<SentenceGrounding> for Held {
    fn from(sentence: SentenceGrounding) -> Self {
        let SentenceGrounding { start, end, score, nearest, why } = sentence;
        Self { start, end, score, nearest: nearest.map(|(start, end)| [start, end]), why }
    }
}

/// Inspect a text
///
/// What the built-in inspectors find in it, and the score. Nothing is stored unless `store=true` asks for it.
#[utoipa::path(post, path = "/api/audit", tag = "Answers", request_body = Text,
    params(("store" = Option<bool>, Query, description = "Keep it as an audit log")),
    responses(
        (status = 200, description = "Findings and score", body = Inspected),
        (status = 413, description = "Too many bytes", body = super::ErrorBody),
    ),
)]
pub(super) async fn post(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    mut params: Params,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Inspected>> {
    let store = params.parsed::<bool>("store", "true or false")?.unwrap_or(false);
    params.finish()?;
    let body = app.bodies.read(&headers, body, app.config.limits.query_bytes_max).await?;
    let text = json::text(&body.bytes)?;
    if !text.trim_ascii_start().starts_with('{') {
        return Err(ApiError::bad_request("the body must be one JSON object"));
    }
    let Text { text, context } = json::parse(text)?;
    if text.trim().is_empty() {
        return Err(ApiError::bad_request("text: must not be empty"));
    }
    let now = app.store.seams().now();
    let inspected = (text, context);
    // Long texts take a while: others don't wait for it.
    let judging = tokio::task::spawn_blocking(move || {
        let (text, context) = &inspected;
        let audited = audit(text, context.as_deref());
        let sentences = context.as_deref().map(|context| sentence_grounding(text, context)).unwrap_or_default();
        (audit_of_findings("", &audited.findings, now), audited.scores, sentences, inspected)
    });
    let (audit, scores, sentences, (text, context)) =
        judging.await.map_err(|error| ApiError::Panicked(error.to_string()))?;
    let mut log_id = None;
    if store {
        let query = context.unwrap_or_else(|| "(a text without a query)".to_owned());
        let mut exchange = Exchange::new(app.store.seams(), ROUTE, caller.name(), query, Target::new("none", "none"));
        let worker = Worker { provider: "none".into(), model: "none".into(), tokens_used: None, latency_ms: 0 };
        exchange.audited(text, worker, audit.clone())?;
        app.answers.record(&mut exchange).await.map_err(ApiError::NotRecorded)?;
        log_id = Some(exchange.id.to_string());
    }
    let (risk_score, status) = (audit.risk_score.get(), audit.status());
    let sentences = sentences.into_iter().map(Held::from).collect();
    Ok(Json(Inspected { risk_score, status, findings: audit.findings.clone(), scores, sentences, audit, log_id }))
}
