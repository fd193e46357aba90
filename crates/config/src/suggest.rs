//! "Did you mean": the known name closest to a misspelt one.

/// Longer names are not compared: nothing known is near them, and the comparison is quadratic.
const COMPARED_CHARS_MAX: usize = 64;

/// The closest of `known`, if few enough letters differ that it is worth suggesting.
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

/// Letters to insert, remove, replace or swap with their neighbour. Case does not count.
fn distance(one: &str, other: &str) -> usize {
    let one: Vec<char> = one.to_lowercase().chars().collect();
    let other: Vec<char> = other.to_lowercase().chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let mut best = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                best = best.min(before_last[j - 1] + 1);
            }
            row.push(best);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
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
