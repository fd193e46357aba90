//! "Did you mean": the known name closest to a misspelt one.

/// Longer names are not compared, because the comparison is quadratic and no known name is that long.
const COMPARED_CHARS_MAX: usize = 64;

/// The closest of the known names, if it differs in few enough letters to be worth suggesting.
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = name.chars().count();
    if letters > COMPARED_CHARS_MAX {
        return None;
    }
    let tolerated = (letters / 4).clamp(1, 4);
    known
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= tolerated)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters to insert, remove or replace, or neighbours to swap. Case does not count.
fn distance(one: &str, other: &str) -> usize {
    strsim::osa_distance(&one.to_lowercase(), &other.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(one: &str, other: &str, expected: usize) {
        assert_eq!(distance(one, other), expected, "{one} to {other}");
        assert_eq!(distance(other, one), expected, "{other} to {one}");
    }

    #[test]
    fn a_swap_counts_once_and_case_does_not_count() {
        check("", "", 0);
        check("", "abc", 3);
        check("listen", "listen", 0);
        check("lisetn", "listen", 1);
        check("LISTEN", "listen", 0);
        check("listn", "listen", 1);
        check("kitten", "sitting", 3);
    }

    #[test]
    fn a_name_far_from_everything_gets_no_suggestion() {
        assert_eq!(nearest("colour", ["listen", "profile"].into_iter()), None);
        assert_eq!(nearest(&"x".repeat(10_000), ["listen"].into_iter()), None);
    }
}
