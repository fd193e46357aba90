//! The result of the narrative check: for each point its state, its parts, and the sentences that meet or break it.

use countersign_domain::{
    Section,
    validation::{Fault, NarrativePoint},
};
use serde::{Deserialize, Serialize};

use crate::validate::prose::ReportSentence;

/// The state of a point or of a part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PointState {
    /// The fact is stated. For a point that forbids something: the rule is kept.
    Present,
    /// The record lacks the fact, and the text says so.
    NotAvailable,
    /// The fact is not stated. For a point that forbids something: the rule is broken.
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PointFinding {
    pub point: NarrativePoint,
    pub state: PointState,
    pub parts: Vec<PointPart>,
    /// What is wrong, if something is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PointPart {
    pub name: String,
    pub state: PointState,
    /// The sentence that meets or breaks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Passage>,
}

/// The position of a sentence, in code points from the start of the section. `end` is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Passage {
    pub section: Section,
    pub start: usize,
    pub end: usize,
}

impl Passage {
    pub(in crate::validate) fn of(sentence: &ReportSentence<'_>) -> Self {
        Self { section: sentence.section, start: sentence.start, end: sentence.end }
    }
}

impl PointFinding {
    pub(in crate::validate) fn fault(&self) -> Option<Fault> {
        let detail = self.detail.clone()?;
        let broken = self.parts.iter().find(|part| part.state == PointState::Missing);
        let section = broken.and_then(|part| part.evidence).map(|evidence| evidence.section);
        Some(Fault::NarrativePoint { point: self.point, detail, section })
    }

    pub(super) fn of_parts(point: NarrativePoint, parts: Vec<PointPart>) -> Self {
        let missing: Vec<&str> =
            parts.iter().filter(|part| part.state == PointState::Missing).map(|part| part.name.as_str()).collect();
        let detail =
            (!missing.is_empty()).then(|| format!("neither stated nor said to be unavailable: {}", missing.join(", ")));
        let state = if detail.is_some() {
            PointState::Missing
        } else if parts.iter().all(|part| part.state == PointState::NotAvailable) {
            PointState::NotAvailable
        } else {
            PointState::Present
        };
        Self { point, state, parts, detail }
    }
}
