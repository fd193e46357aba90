//! English names of months and weekdays.

/// January first.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Monday first.
pub const WEEKDAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The name of a month, 1 to 12.
pub fn month_name(month: u8) -> Option<&'static str> {
    MONTHS.get(usize::from(month).checked_sub(1)?).copied()
}

/// Reads a month as 1 to 12: its full name, its first three letters, or "Sept", in any case.
pub fn month(word: &str) -> Option<u8> {
    // Most words already differ in their first letter.
    let first = word.as_bytes().first()?.to_ascii_uppercase();
    let is_named = |name: &&str| {
        name.as_bytes()[0] == first
            && (name.eq_ignore_ascii_case(word)
                || name[..3].eq_ignore_ascii_case(word)
                || (name.len() == 9 && name[..4].eq_ignore_ascii_case(word)))
    };
    MONTHS.iter().position(is_named).and_then(|at| u8::try_from(at + 1).ok())
}

/// Reads a weekday as 0 (Monday) to 6: its full name in singular or plural, in any case.
pub fn weekday(word: &str) -> Option<u8> {
    let word = word.strip_suffix(['s', 'S']).unwrap_or(word);
    WEEKDAYS.iter().position(|name| name.eq_ignore_ascii_case(word)).and_then(|at| u8::try_from(at).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_month_is_read_in_full_and_short() {
        for (number, name) in (1..).zip(MONTHS) {
            for word in [name, &name.to_lowercase(), &name[..3], &name.to_uppercase()] {
                assert_eq!(month(word), Some(number), "{word}");
            }
            assert_eq!(month_name(number), Some(name));
        }
        assert_eq!((month("sept"), month("Sept")), (Some(9), Some(9)));
        for word in ["", "m", "ma", "marc", "octo", "janu", "augu", "mayor", "septe"] {
            assert_eq!(month(word), None, "{word}");
        }
        assert_eq!((month_name(0), month_name(13)), (None, None));
    }

    #[test]
    fn every_weekday_is_read_in_singular_and_plural() {
        for (number, name) in (0..).zip(WEEKDAYS) {
            for word in [name.to_owned(), name.to_lowercase(), format!("{name}s")] {
                assert_eq!(weekday(&word), Some(number), "{word}");
            }
        }
        for word in ["", "s", "mon", "mondayss", "day"] {
            assert_eq!(weekday(word), None, "{word}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics_and_what_is_read_is_in_range(word in "\\PC{0,12}|[a-zA-Z]{0,10}") {
            prop_assert!(month(&word).is_none_or(|month| (1..=12).contains(&month)));
            prop_assert!(weekday(&word).is_none_or(|day| day < 7));
        }
    }
}
