//! Deterministic pseudo-random choices: SplitMix64 with a seed.

use countersign_text::hash::{SplitMix64, fnv64};

#[derive(Debug, Clone)]
pub(crate) struct Chance(SplitMix64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d))
    }

    /// A generator for one named purpose. Adding a choice elsewhere does not change the choices made here.
    pub(crate) fn named(name: &str, seed: u64) -> Self {
        Self::new(fnv64::hash(name.as_bytes()) ^ seed)
    }

    /// A number below `bound`, or 0 if the bound is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound.max(1)).unwrap_or(u64::MAX);
        usize::try_from(self.0.next() % bound).unwrap_or(0)
    }

    pub(crate) fn between(&mut self, from: i64, to: i64) -> i64 {
        let width = to.abs_diff(from).saturating_add(1).max(1);
        from.saturating_add(i64::try_from(self.0.next() % width).unwrap_or(0))
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
