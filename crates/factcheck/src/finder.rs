//! Stage 3, names: finds the context's ids in a text. It scans from left to right, takes the longest id at each position, and
//! finds no overlapping matches.

#[derive(Debug)]
pub(crate) struct IdFinder {
    /// Sorted.
    ids: Vec<String>,
    /// For each id, the longest other id that it starts with.
    shorter: Vec<Option<usize>>,
    /// For each byte, a bit set of those of the first `ID_BYTES_MIN` positions at which some id has that byte.
    opening: [u8; 256],
}

impl Default for IdFinder {
    fn default() -> Self {
        Self { ids: Vec::new(), shorter: Vec::new(), opening: [0; 256] }
    }
}

/// Shorter ids would match too much ordinary text.
pub(crate) const ID_BYTES_MIN: usize = 4;

impl IdFinder {
    pub(crate) fn of(mut ids: Vec<String>) -> Self {
        ids.sort_unstable();
        ids.dedup();
        let mut finder = Self::default();
        for at in 0..ids.len() {
            // The ids are sorted: a prefix of this one is the id before it, or a prefix of that.
            let mut before = at.checked_sub(1);
            while let Some(other) = before.filter(|other| !ids[at].starts_with(&ids[*other])) {
                before = finder.shorter[other];
            }
            finder.shorter.push(before);
            for (place, byte) in ids[at].bytes().take(ID_BYTES_MIN).enumerate() {
                finder.opening[usize::from(byte)] |= 1 << place;
            }
        }
        Self { ids, ..finder }
    }

    /// The start and end of each id in a text.
    pub(crate) fn find(&self, text: &str) -> Vec<(usize, usize)> {
        let is_first = |byte: &u8| self.opening[usize::from(*byte)] & 1 == 1;
        let mut found = Vec::new();
        let mut rest = text.as_bytes();
        while let Some(skipped) = rest.iter().position(is_first) {
            rest = &rest[skipped..];
            let len = if self.may_open(rest) { self.longest(rest) } else { None };
            let start = text.len() - rest.len();
            found.extend(len.map(|len| (start, start + len)));
            rest = &rest[len.unwrap_or(1)..];
        }
        found
    }

    fn may_open(&self, rest: &[u8]) -> bool {
        let has_place = |(place, byte): (usize, &u8)| self.opening[usize::from(*byte)] >> place & 1 == 1;
        rest.iter().take(ID_BYTES_MIN).enumerate().skip(1).all(has_place)
    }

    /// The length of the longest id that `rest` starts with.
    fn longest(&self, rest: &[u8]) -> Option<usize> {
        // Ids that `rest` starts with sort before it, and the last id before it starts with all of them.
        let last = self.ids.partition_point(|id| id.as_bytes() <= rest).checked_sub(1)?;
        let same = self.ids[last].bytes().zip(rest).take_while(|(a, b)| a == *b).count();
        let mut at = Some(last);
        while let Some(id) = at {
            let len = self.ids[id].len();
            if len <= same {
                return Some(len);
            }
            at = self.shorter[id];
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_id_is_found_at_each_place() {
        let finder = IdFinder::of(["tx-12", "tx-1234", "tx-12345", "alert", "12-a"].map(str::to_owned).to_vec());
        for (text, found) in [
            ("", &[][..]),
            ("tx-1", &[]),
            ("tx-12", &[(0, 5)]),
            ("tx-123", &[(0, 5)]),
            ("of tx-1234, tx-123456", &[(3, 10), (12, 20)]),
            ("tx-12-alert", &[(0, 5), (6, 11)]),
            ("ætx-12æ", &[(2, 7)]),
        ] {
            assert_eq!(finder.find(text), found, "{text}");
        }
        assert_eq!(IdFinder::default().find("tx-12"), []);
    }
}
