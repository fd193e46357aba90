//! Points in time from the context, and the dates and times of day that a text uses for them. Stage 2 reads them, stage 6
//! compares them.

use countersign_domain::Time;

/// A point in time in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) day: u8,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
    pub(crate) second: u8,
    pub(crate) micros: u32,
}

impl Moment {
    /// Reads an RFC 3339 time in any zone, or a date without a time.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
            return None;
        }
        if let Some(moment) = Self::fixed(text) {
            return Some(moment);
        }
        let in_utc = if text.len() == 10 { format!("{text}T00:00:00Z") } else { text.to_owned() };
        let written = in_utc.parse::<Time>().ok()?.to_string();
        let number = |from: usize, to: usize| written.get(from..to)?.parse::<u32>().ok();
        let two_digits = |from: usize| u8::try_from(number(from, from + 2)?).ok();
        Some(Self {
            year: u16::try_from(number(0, 4)?).ok()?,
            month: two_digits(5)?,
            day: two_digits(8)?,
            hour: two_digits(11)?,
            minute: two_digits(14)?,
            second: two_digits(17)?,
            micros: number(20, 26)?,
        })
    }

    /// Fast path for the format that the product writes, `2026-03-01T09:30:12.000000Z`. The general parser costs far more.
    fn fixed(text: &str) -> Option<Self> {
        let bytes: &[u8; 27] = text.as_bytes().try_into().ok()?;
        let shape = b"0000-00-00T00:00:00.000000Z";
        let fits = |(byte, shape): (&u8, &u8)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == shape };
        if !bytes.iter().zip(shape).all(fits) {
            return None;
        }
        let number =
            |from: usize, to: usize| bytes[from..to].iter().fold(0, |all, byte| all * 10 + u32::from(byte - b'0'));
        let two_digits = |from: usize| u8::try_from(number(from, from + 2)).ok();
        let (month, day, hour, minute, second) =
            (two_digits(5)?, two_digits(8)?, two_digits(11)?, two_digits(14)?, two_digits(17)?);
        // Leave the 29th of February and the 31st of any month to the general parser, which knows the length of each
        // month.
        let is_day = (1..=28).contains(&day) || month != 2 && (29..=30).contains(&day);
        let is_plain = (1..=12).contains(&month) && is_day && hour < 24 && minute < 60 && second < 60;
        let year = u16::try_from(number(0, 4)).ok()?;
        is_plain.then_some(Self { year, month, day, hour, minute, second, micros: number(20, 26) })
    }

    /// A number that is unique to each moment.
    pub(crate) fn as_number(&self) -> u128 {
        let parts = [self.month, self.day, self.hour, self.minute, self.second].into_iter();
        let packed = parts.fold(u128::from(self.year), |all, part| all << 8 | u128::from(part));
        packed << 32 | u128::from(self.micros)
    }

    /// The day of the week; 0 is Monday.
    pub(crate) fn weekday(&self) -> Option<u8> {
        let as_i8 = |number: u8| i8::try_from(number).ok();
        let date = jiff::civil::Date::new(i16::try_from(self.year).ok()?, as_i8(self.month)?, as_i8(self.day)?).ok()?;
        u8::try_from(date.weekday().to_monday_zero_offset()).ok()
    }
}

/// The parts of a date that a text states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Date {
    pub(crate) year: Option<u16>,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
    pub(crate) weekday: Option<u8>,
    /// Whether day and month may be swapped: `01/03/2026` can be the first of March or the third of January.
    pub(crate) either_order: bool,
}

impl Date {
    pub(crate) fn matches(&self, moment: &Moment) -> bool {
        let same = |given: Option<u8>, actual: u8| given.is_none_or(|given| given == actual);
        let in_order = same(self.month, moment.month) && same(self.day, moment.day);
        let swapped = self.either_order && same(self.month, moment.day) && same(self.day, moment.month);
        self.year.is_none_or(|year| year == moment.year)
            && (in_order || swapped)
            && (self.weekday.is_none() || self.weekday == moment.weekday())
    }
}

/// A time of day, with the precision that the text states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeOfDay {
    pub(crate) hour: u8,
    pub(crate) minute: Option<u8>,
    pub(crate) second: Option<u8>,
    /// The fraction of the second in microseconds, and its number of digits in the text.
    pub(crate) fraction: Option<(u32, u32)>,
}

impl TimeOfDay {
    /// Reads `9`, `09:30`, `9.30`, `09:30:00`, `09:30:00.123`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, [':', '.']);
        let mut next = || parts.next().map(|part| part.parse::<u8>());
        let (hour, minute) = (next()?.ok()?, next().transpose().ok()?);
        let (second, fraction) = match parts.next() {
            None => (None, None),
            Some(rest) => {
                let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
                let digits: String = fraction.chars().take(6).collect();
                let count = u32::try_from(digits.len()).ok()?;
                let micros = if digits.is_empty() { 0 } else { digits.parse::<u32>().ok()? * 10_u32.pow(6 - count) };
                (Some(whole.parse::<u8>().ok()?), (count > 0).then_some((micros, count)))
            }
        };
        let is_valid = hour < 24 && minute.is_none_or(|m| m < 60) && second.is_none_or(|s| s < 60);
        is_valid.then_some(Self { hour, minute, second, fraction })
    }

    /// Converts a 12-hour time to 24 hours.
    pub(crate) fn in_half(self, is_afternoon: bool) -> Option<Self> {
        let hour = match (self.hour, is_afternoon) {
            (12, false) => 0,
            (12, true) => 12,
            (1..=11, true) => self.hour + 12,
            (1..=11, false) => self.hour,
            _ => return None,
        };
        Some(Self { hour, ..self })
    }

    pub(crate) fn matches(&self, moment: &Moment) -> bool {
        let cut = |micros: u32, digits: u32| micros / 10_u32.pow(6 - digits.min(6));
        self.hour == moment.hour
            && self.minute.is_none_or(|minute| minute == moment.minute)
            && self.second.is_none_or(|second| second == moment.second)
            && self.fraction.is_none_or(|(micros, digits)| cut(micros, digits) == cut(moment.micros, digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_their_weekday() {
        for (text, day) in [("2026-03-01", 6), ("2024-02-29", 3), ("2000-01-01", 5), ("1999-12-31T23:59:59Z", 4)] {
            assert_eq!(Moment::parse(text).unwrap().weekday(), Some(day), "{text}");
        }
        assert_eq!(Moment::parse("2026-03-01T01:00:00+02:00").unwrap().day, 28);
        assert_eq!(Moment::parse("2026-13-01"), None);
    }

    #[test]
    fn a_time_matches_to_the_precision_that_is_given() {
        let moment = Moment::parse("2026-03-01T09:30:12.345678Z").unwrap();
        for (text, matches) in [
            ("09:30", true),
            ("9.30", true),
            ("9", true),
            ("09:30:12", true),
            ("09:30:12.345", true),
            ("09:30:13", false),
            ("09:30:12.346", false),
            ("09:31", false),
        ] {
            assert_eq!(TimeOfDay::parse(text).unwrap().matches(&moment), matches, "{text}");
        }
        assert_eq!(TimeOfDay::parse("9:30").unwrap().in_half(true).unwrap().hour, 21);
        assert_eq!(TimeOfDay::parse("24:00"), None);
    }
}
