//! The risk of an audited answer: a score from 0 to 10, and the status that follows from it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Invalid;

#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(try_from = "u8", into = "u8")]
#[schema(value_type = u8, minimum = 0, maximum = 10)]
pub struct RiskScore(u8);

impl RiskScore {
    pub fn get(self) -> u8 {
        self.0
    }

    pub fn status(self) -> RiskStatus {
        match self.0 {
            0..=3 => RiskStatus::Safe,
            4..=6 => RiskStatus::Warning,
            _ => RiskStatus::Flagged,
        }
    }
}

impl TryFrom<u8> for RiskScore {
    type Error = Invalid;
    fn try_from(score: u8) -> Result<Self, Invalid> {
        (score <= 10).then_some(Self(score)).ok_or_else(|| Invalid::new("risk_score", "must be from 0 to 10"))
    }
}

impl From<RiskScore> for u8 {
    fn from(score: RiskScore) -> u8 {
        score.0
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, utoipa::ToSchema)]
pub enum RiskStatus {
    Safe,
    Warning,
    Flagged,
}

impl RiskStatus {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "Safe",
            Self::Warning => "Warning",
            Self::Flagged => "Flagged",
        }
    }

    /// The scores with this status.
    pub const fn scores(self) -> std::ops::RangeInclusive<u8> {
        match self {
            Self::Safe => 0..=3,
            Self::Warning => 4..=6,
            Self::Flagged => 7..=10,
        }
    }
}

impl std::str::FromStr for RiskStatus {
    type Err = Invalid;
    fn from_str(text: &str) -> Result<Self, Invalid> {
        [Self::Safe, Self::Warning, Self::Flagged]
            .into_iter()
            .find(|status| status.as_str() == text)
            .ok_or_else(|| Invalid::new("status", "is not Safe, Warning or Flagged"))
    }
}

impl fmt::Display for RiskStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_risk_score_has_one_status() {
        let statuses: Vec<_> = (0..=10).map(|n| RiskScore::try_from(n).unwrap().status().to_string()).collect();
        let expected = [vec!["Safe"; 4], vec!["Warning"; 3], vec!["Flagged"; 4]].concat();
        assert_eq!(statuses, expected);
        assert!(RiskScore::try_from(11).is_err());
        for status in [RiskStatus::Safe, RiskStatus::Warning, RiskStatus::Flagged] {
            assert!(status.scores().all(|score| RiskScore::try_from(score).unwrap().status() == status));
            assert_eq!(status.as_str().parse::<RiskStatus>().unwrap(), status);
        }
    }
}
