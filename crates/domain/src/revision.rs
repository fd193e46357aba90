//! The changes that a reviewer's comment asks of the built-in writer, as data. `report` parses the comment, events carry the
//! result, and the writer follows it.

use serde::{Deserialize, Serialize};

use crate::{Section, payload::ReportType};

/// How the next version should differ from what the built-in writer would write otherwise.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Revision {
    /// The type of the next report, if it differs from that of the report sent back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report_type: Option<ReportType>,
    /// At most one entry per section.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<SectionRevision>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SectionRevision {
    pub section: Section,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Length>,
    /// Facts that the section must state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mention: Vec<Topic>,
}

/// A request for a longer or shorter section. The section's word range applies in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    Longer,
    Shorter,
}

macro_rules! topics {
    ($($variant:ident = $phrase:literal),* $(,)?) => {
        /// A fact of the case that a section can be asked to state.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum Topic { $($variant),* }

        impl Topic {
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The form in a sentence, such as `the merchant`.
            pub const fn phrase(self) -> &'static str {
                match self { $(Self::$variant => $phrase),* }
            }
        }
    };
}

topics! {
    Merchant = "the merchant",
    Category = "the merchant's category",
    Channel = "the channel",
    Location = "the location",
    Amount = "the amount",
    Time = "the time of the transaction",
    Status = "whether the transaction was completed",
    Funds = "the source and destination of the funds",
    Memo = "the memo",
    AccountAge = "the age of the account",
    History = "the number of earlier transactions",
    Baseline = "the baseline",
    PriorAlerts = "the prior alerts",
    SimilarAlerts = "the similar alerts",
    Thresholds = "the thresholds",
    Score = "how the score is composed",
    Severity = "the severity band",
    Rules = "the rules that held",
    Impact = "the regulatory impact",
}

impl Revision {
    pub fn is_empty(&self) -> bool {
        self.report_type.is_none() && self.sections.is_empty()
    }

    pub fn of(&self, section: Section) -> Option<&SectionRevision> {
        self.sections.iter().find(|revision| revision.section == section)
    }

    /// The entry of a section, created if missing.
    pub fn of_mut(&mut self, section: Section) -> &mut SectionRevision {
        let at = self.sections.iter().position(|revision| revision.section == section).unwrap_or_else(|| {
            self.sections.push(SectionRevision { section, length: None, mention: Vec::new() });
            self.sections.len() - 1
        });
        &mut self.sections[at]
    }
}

/// What sending a report back leads to. It is recorded with the decision, so that the log shows what the reviewer was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct RevisionPlan {
    pub writer: RevisionWriter,
    /// What the next version will do differently. Empty if no new version is written.
    pub will_change: Vec<String>,
    /// The parts of the comment that have no effect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cannot_act_on: Vec<CannotAct>,
    /// Who can act on these parts instead.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub who_can: Vec<WhoCan>,
    /// The instructions for the built-in writer.
    #[serde(default, skip_serializing_if = "Revision::is_empty")]
    pub instructions: Revision,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RevisionWriter {
    /// The built-in writer, which follows comments that it understands.
    Builtin,
    /// A model, which gets the whole comment as feedback.
    Model,
}

/// A part of a comment that the built-in writer can't act on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CannotAct {
    /// The beginning of that part, in the reviewer's words.
    pub part: String,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhoCan {
    /// A model, once one is configured as the writer.
    Model,
    /// A person, in an addendum.
    Addendum,
}

impl RevisionPlan {
    /// Whether a new version will be written.
    pub fn leads_to_a_version(&self) -> bool {
        !self.will_change.is_empty()
    }
}
