//! Maps offsets of a rewritten text back to the text that it was made from.

use std::ops::Range;

/// Maps byte offsets of a rewritten text to those of its original.
#[derive(Debug, Default)]
pub(super) struct Map {
    /// Ascending; the last step is the end of both texts.
    steps: Vec<Step>,
}

/// From byte `rewritten` on, the text comes from the original at byte `original`.
#[derive(Debug, Clone, Copy)]
struct Step {
    rewritten: usize,
    original: usize,
    /// Whether the bytes up to the next step are copied from the original. Otherwise they represent, as a whole, the
    /// original up to the next step.
    is_copied: bool,
}

impl Map {
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.start(range.start)..self.end(range.end).max(self.start(range.start))
    }

    fn start(&self, at: usize) -> usize {
        match self.step(at) {
            Some(step) if step.is_copied => step.original + (at - step.rewritten),
            Some(step) => step.original,
            None => at,
        }
    }

    fn end(&self, at: usize) -> usize {
        let Some(last) = at.checked_sub(1) else { return 0 };
        match self.step(last) {
            Some(step) if step.is_copied => step.original + (at - step.rewritten),
            Some(step) => {
                let next = self.steps.partition_point(|next| next.rewritten <= step.rewritten);
                self.steps.get(next).map_or(step.original, |next| next.original)
            }
            None => at,
        }
    }

    fn step(&self, at: usize) -> Option<Step> {
        let after = self.steps.partition_point(|step| step.rewritten <= at);
        after.checked_sub(1).and_then(|n| self.steps.get(n)).copied()
    }
}

/// Rewrites a text and records where each part comes from.
pub(super) struct Rewrite<'a> {
    original: &'a str,
    /// The offset up to which the original has been copied, replaced or left out.
    read: usize,
    text: String,
    map: Map,
}

impl<'a> Rewrite<'a> {
    pub(super) fn of(original: &'a str) -> Self {
        Self { original, read: 0, text: String::with_capacity(original.len()), map: Map::default() }
    }

    /// Copies the original up to `end`.
    pub(super) fn copy_to(&mut self, end: usize) {
        let Some(copied) = self.original.get(self.read..end).filter(|copied| !copied.is_empty()) else { return };
        self.step(true);
        self.text.push_str(copied);
        self.read = end;
    }

    /// Copies the original up to `range` and writes `plain` instead of the range; an empty `plain` removes it.
    pub(super) fn replace(&mut self, range: Range<usize>, plain: &str) {
        self.copy_to(range.start);
        if !plain.is_empty() {
            // Replacing one character by another of the same length keeps every offset; all letters of a ligature map
            // to the same place.
            let single = |text: &str| text.chars().nth(1).is_none();
            let is_same =
                plain.len() == range.len() && single(plain) && self.original.get(range.clone()).is_some_and(single);
            self.step(is_same);
            self.text.push_str(plain);
        }
        self.read = range.end;
    }

    pub(super) fn finish(mut self) -> (String, Map) {
        self.copy_to(self.original.len());
        self.step(true);
        (self.text, self.map)
    }

    fn step(&mut self, is_copied: bool) {
        let (rewritten, original) = (self.text.len(), self.read);
        // A step without any text after it is redundant.
        while self.map.steps.last().is_some_and(|last| last.rewritten == rewritten) {
            self.map.steps.pop();
        }
        let expected = match self.map.steps.last() {
            Some(last) if last.is_copied => Some(last.original + (rewritten - last.rewritten)),
            Some(_) => None,
            None => Some(rewritten),
        };
        if !is_copied || expected != Some(original) {
            self.map.steps.push(Step { rewritten, original, is_copied });
        }
    }
}
