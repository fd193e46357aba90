//! A moment in UTC with microseconds. It is written with a fixed width, so that sorting the text sorts by time.

use std::{fmt, str::FromStr};

use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::Invalid;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, utoipa::ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2026-03-01T09:30:00.000000Z")]
pub struct Time(Timestamp);

impl Time {
    /// Truncates to microseconds, because the hashed time must be exactly the stored one.
    pub fn from_timestamp(at: Timestamp) -> Self {
        let rounding = TimestampRound::new().smallest(Unit::Microsecond).mode(RoundMode::Floor);
        Self(at.round(rounding).unwrap_or(at))
    }

    pub fn from_micros(micros: i64) -> Result<Self, Invalid> {
        Timestamp::from_microsecond(micros)
            .map(Self)
            .map_err(|_| Invalid::new("time", "is outside the range of representable times"))
    }

    pub fn micros(self) -> i64 {
        self.0.as_microsecond()
    }

    pub fn millis(self) -> i64 {
        self.0.as_millisecond()
    }

    pub fn timestamp(self) -> Timestamp {
        self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.0)
    }
}

impl FromStr for Time {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let at: Timestamp =
            text.parse().map_err(|_| Invalid::new("time", "is not an RFC 3339 time such as 2026-03-01T09:30:00Z"))?;
        // RFC 3339 only has four-digit years, and the fixed width depends on that.
        let fits = (-62_167_219_200..253_402_300_800).contains(&at.as_second());
        fits.then(|| Self::from_timestamp(at)).ok_or_else(|| Invalid::new("time", "has a year outside 0000 to 9999"))
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = Time;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an RFC 3339 time such as \"2026-03-01T09:30:00Z\"")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Time, E> {
                text.parse().map_err(|_| E::invalid_value(de::Unexpected::Other("text"), &self))
            }
        }
        deserializer.deserialize_str(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(text.parse::<Time>().unwrap().to_string(), expected);
    }

    #[test]
    fn a_time_is_written_in_utc_with_six_decimals() {
        check("2026-03-01T09:30:00Z", "2026-03-01T09:30:00.000000Z");
        check("2026-03-01T09:30:00.5+02:00", "2026-03-01T07:30:00.500000Z");
        check("2026-03-01T09:30:00.123456789Z", "2026-03-01T09:30:00.123456Z");
        check("1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59.999999Z");
    }

    #[test]
    fn text_that_is_not_an_rfc_3339_time_is_refused() {
        for text in
            ["", "yesterday", "2026-03-01", "2026-13-01T00:00:00Z", "2026-03-01T09:30:00", "-009999-01-01T00:00:00Z"]
        {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }

    #[test]
    fn text_order_is_time_order() {
        let earlier: Time = "2026-03-01T09:30:00Z".parse().unwrap();
        let later: Time = "2026-03-01T09:30:00.5Z".parse().unwrap();
        assert!(earlier < later && earlier.to_string() < later.to_string());
    }
}
