//! Scores and severities. This is the only definition of severity in the product.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::Invalid;

/// A fraud score, 0 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, utoipa::ToSchema)]
#[serde(transparent)]
#[schema(value_type = u8, minimum = 0, maximum = 100)]
pub struct Score(u8);

impl Score {
    pub const FULL: Self = Self(100);

    pub fn new(score: u8) -> Result<Self, Invalid> {
        (score <= 100).then_some(Self(score)).ok_or_else(|| Invalid::new("score", "must be from 0 to 100"))
    }

    /// A sum of points, capped at 100.
    pub fn capped(points: u32) -> Self {
        Self(points.min(100) as u8)
    }

    pub fn get(self) -> u8 {
        self.0
    }

    /// The score less some points, but at least 0.
    #[must_use]
    pub fn less(self, points: u8) -> Self {
        Self(self.0.saturating_sub(points))
    }
}

impl<'de> Deserialize<'de> for Score {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Score;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number from 0 to 100")
            }
            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Score, E> {
                let score = u8::try_from(n).ok().and_then(|n| Score::new(n).ok());
                score.ok_or_else(|| E::invalid_value(de::Unexpected::Unsigned(n), &self))
            }
            fn visit_i64<E: de::Error>(self, n: i64) -> Result<Score, E> {
                let whole = u64::try_from(n).map_err(|_| E::invalid_value(de::Unexpected::Signed(n), &self))?;
                self.visit_u64(whole)
            }
            // Some JSON writers write 75 as 75.0.
            fn visit_f64<E: de::Error>(self, n: f64) -> Result<Score, E> {
                let whole = (0..=100_u8).find(|whole| f64::from(*whole) == n);
                whole.map(Score).ok_or_else(|| E::invalid_value(de::Unexpected::Float(n), &self))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// low 0-39, medium 40-59, high 60-79, critical 80-100.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    pub fn of(score: Score) -> Self {
        match score.get() {
            0..=39 => Self::Low,
            40..=59 => Self::Medium,
            60..=79 => Self::High,
            _ => Self::Critical,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }

    /// The form that reports use.
    pub fn in_capitals(self) -> &'static str {
        match self {
            Self::Low => "LOW",
            Self::Medium => "MEDIUM",
            Self::High => "HIGH",
            Self::Critical => "CRITICAL",
        }
    }

    /// Low alerts are recorded and counted, but not investigated.
    pub fn is_investigated(self) -> bool {
        self >= Self::Medium
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Severity {
    type Err = Invalid;
    fn from_str(text: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|severity| severity.as_str().eq_ignore_ascii_case(text))
            .ok_or_else(|| Invalid::new("severity", "must be low, medium, high or critical"))
    }
}

impl Serialize for Severity {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

// Alerts have severities in lower case, reports in capitals; both are accepted everywhere.
impl<'de> Deserialize<'de> for Severity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Severity;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a severity: low, medium, high or critical")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Severity, E> {
                text.parse().map_err(|_| E::invalid_value(de::Unexpected::Other("text"), &self))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

/// Serialises severities in capitals, as the payloads about reports have them.
pub mod capitals {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::Severity;

    pub fn serialize<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(severity.in_capitals())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
        Severity::deserialize(deserializer)
    }

    pub mod optional {
        use serde::{Deserialize, Deserializer, Serialize, Serializer};

        use super::Severity;

        pub fn serialize<S: Serializer>(severity: &Option<Severity>, serializer: S) -> Result<S::Ok, S::Error> {
            severity.map(Severity::in_capitals).serialize(serializer)
        }

        pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Severity>, D::Error> {
            Option::deserialize(deserializer)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_the_severity_of_its_band() {
        for score in 0..=100 {
            let expected = match score {
                80.. => Severity::Critical,
                60.. => Severity::High,
                40.. => Severity::Medium,
                _ => Severity::Low,
            };
            assert_eq!(Severity::of(Score::new(score).unwrap()), expected, "{score}");
        }
        assert!(Score::new(101).is_err());
    }

    #[test]
    fn a_score_is_a_whole_number_from_0_to_100() {
        let read = |text: &str| serde_json::from_str::<Score>(text).map(Score::get);
        assert_eq!((read("0").unwrap(), read("100").unwrap(), read("75.0").unwrap()), (0, 100, 75));
        for bad in ["-1", "101", "75.5", "\"75\"", "null", "true", "1e300", "18446744073709551615"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn severities_are_read_in_any_case() {
        for (text, severity) in [("\"low\"", Severity::Low), ("\"HIGH\"", Severity::High)] {
            assert_eq!(serde_json::from_str::<Severity>(text).unwrap(), severity);
        }
        assert!(serde_json::from_str::<Severity>("\"severe\"").is_err());
    }
}
