//! What a narrative that goes to a regulator must answer.

use countersign_domain::{
    Section,
    validation::{Fault, Point},
};
use serde::{Deserialize, Serialize};

use crate::Content;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Present,
    NotAvailable,
    Missing,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PointFinding {
    pub point: Point,
    pub state: State,
    pub parts: Vec<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Part {
    pub name: String,
    pub state: State,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
}

/// A sentence. Code points from the section's start; `end` is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Evidence {
    pub section: Section,
    pub start: usize,
    pub end: usize,
}

impl PointFinding {
    pub(super) fn fault(&self) -> Option<Fault> {
        None
    }
}

pub fn narrative(_content: &Content) -> Vec<PointFinding> {
    Vec::new()
}
