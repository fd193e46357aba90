//! Fixed tables of words that are asked for every word of a text. Nobody outside decides what is in them, so a hash of a few
//! instructions is enough.

pub(super) struct Table<T> {
    /// Places in `entries`, counted from one; four times as many as there are words.
    slots: Vec<u16>,
    entries: Vec<(Box<str>, T)>,
}

impl<T: Copy> Table<T> {
    /// What is said of a word that comes again is added by `merge`.
    pub(super) fn of<S: AsRef<str>>(words: impl IntoIterator<Item = (S, T)>, merge: impl Fn(&mut T, T)) -> Self {
        let words: Vec<(S, T)> = words.into_iter().collect();
        let mut table = Self { slots: vec![0; (words.len() * 4).next_power_of_two()], entries: Vec::new() };
        for (word, of_word) in words {
            let word = word.as_ref();
            match table.find(word, hash(word)) {
                Ok(entry) => merge(&mut table.entries[entry].1, of_word),
                Err(slot) => {
                    table.entries.push((word.into(), of_word));
                    table.slots[slot] = u16::try_from(table.entries.len()).unwrap_or(0);
                }
            }
        }
        table
    }

    pub(super) fn get(&self, word: &str) -> Option<T> {
        self.get_hashed(word, hash(word))
    }

    /// For whoever has the word's hash already.
    pub(super) fn get_hashed(&self, word: &str, hash: u64) -> Option<T> {
        self.find(word, hash).ok().map(|entry| self.entries[entry].1)
    }

    /// The entry of a word, else the slot that it would have.
    fn find(&self, word: &str, hash: u64) -> Result<usize, usize> {
        let mut slot = hash as usize & (self.slots.len() - 1);
        loop {
            match usize::from(self.slots[slot]).checked_sub(1) {
                None => return Err(slot),
                Some(entry) if *self.entries[entry].0 == *word => return Ok(entry),
                Some(_) => slot = (slot + 1) & (self.slots.len() - 1),
            }
        }
    }
}

/// FNV-1a.
pub(super) const fn hash(word: &str) -> u64 {
    let (bytes, mut at, mut hash) = (word.as_bytes(), 0, 0xcbf2_9ce4_8422_2325_u64);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x100_0000_01b3);
        at += 1;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_no_other() {
        let words: Vec<String> = (0..500).map(|at| format!("word{at}")).collect();
        let table = Table::of(words.iter().zip(0_usize..), |_, _| {});
        for (at, word) in words.iter().enumerate() {
            assert_eq!(table.get(word), Some(at), "{word}");
        }
        for word in ["", "word", "word500", "Word1"] {
            assert_eq!(table.get(word), None, "{word}");
        }
    }

    #[test]
    fn what_is_said_twice_of_a_word_is_merged() {
        let table = Table::of([("past", 1), ("hour", 4), ("past", 2)], |known, more| *known |= more);
        assert_eq!((table.get("past"), table.get("hour")), (Some(3), Some(4)));
    }
}
