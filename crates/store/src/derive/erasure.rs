//! What an erasure's own event keeps of the erased events. Their bodies are gone, so without this anybody could change what is
//! still counted or shown of them.
//!
//! Nothing in it is personal, because an erasure can't be erased.

use std::collections::BTreeMap;

use countersign_domain::{InvestigationId, NewEvent, Score, Severity, investigation::Change};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Result;

/// The metadata of a PAYLOAD_ERASED.
#[derive(Serialize, Deserialize, Default)]
pub(crate) struct ErasureRecord {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_logs: Vec<KeptLog>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_rows: Vec<KeptRow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_changes: Vec<KeptChange>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) kept_ranks: Vec<KeptRank>,
}

/// The row of an audit log.
#[derive(Serialize, Deserialize, PartialEq)]
pub(crate) struct KeptLog {
    pub(crate) seq: u64,
    pub(crate) id: String,
    /// Microseconds, as in the table.
    pub(crate) created_at: i64,
    pub(crate) risk_score: i64,
}

/// The columns of a row that its table keeps, in their order.
#[derive(Serialize, Deserialize, PartialEq)]
pub(crate) struct KeptRow {
    pub(crate) table: String,
    pub(crate) seq: u64,
    pub(crate) values: Vec<Value>,
}

/// The effect of an event on an investigation.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptChange {
    pub(crate) seq: u64,
    pub(crate) investigation_id: InvestigationId,
    #[serde(flatten)]
    pub(crate) change: Change,
}

/// What an alert is ranked by.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct KeptRank {
    pub(crate) seq: u64,
    pub(crate) severity: Severity,
    pub(crate) score: Score,
}

impl ErasureRecord {
    /// Reads the metadata of a PAYLOAD_ERASED. Empty if it keeps nothing or can't be read.
    pub(crate) fn from_metadata(metadata: &str) -> Self {
        serde_json::from_str(metadata).unwrap_or_default()
    }

    pub(crate) fn metadata(&self) -> Result<String> {
        let Self { kept_logs, kept_rows, kept_changes, kept_ranks } = self;
        if kept_logs.is_empty() && kept_rows.is_empty() && kept_changes.is_empty() && kept_ranks.is_empty() {
            return Ok(NewEvent::NO_METADATA.to_owned());
        }
        Ok(serde_json::to_string(self)?)
    }
}

/// An erasure's record, by the positions of the erased events.
#[derive(Default)]
pub(crate) struct KeptByPosition {
    changes: BTreeMap<u64, KeptChange>,
    ranks: BTreeMap<u64, KeptRank>,
}

impl KeptByPosition {
    pub(crate) fn new(record: ErasureRecord) -> Self {
        Self {
            changes: record.kept_changes.into_iter().map(|change| (change.seq, change)).collect(),
            ranks: record.kept_ranks.into_iter().map(|rank| (rank.seq, rank)).collect(),
        }
    }

    pub(crate) fn change_of(&self, seq: u64) -> Option<&KeptChange> {
        self.changes.get(&seq)
    }

    pub(crate) fn rank_of(&self, seq: u64) -> Option<KeptRank> {
        self.ranks.get(&seq).copied()
    }
}
