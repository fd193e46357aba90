//! The hash that words are looked up by, a mixer that turns a hash into a choice, and maps whose keys are already hashes.
//!
//! Everything here gives the same value in every process and on every machine: weights are trained on these hashes, and choices
//! that a report or a test made must come out the same again. None of it resists an attacker who picks the input: where an attacker
//! could, use the standard library's hasher.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// FNV-1a, 32 bits.
pub mod fnv32 {
    /// The hash of the empty text.
    pub const START: u32 = 0x811c_9dc5;
    const PRIME: u32 = 0x0100_0193;

    #[inline]
    pub fn hash(bytes: &[u8]) -> u32 {
        bytes.iter().fold(START, |hash, &byte| extend(hash, byte as u32))
    }

    /// Extends a hash by one more byte or code point.
    #[inline]
    pub const fn extend(hash: u32, unit: u32) -> u32 {
        (hash ^ unit).wrapping_mul(PRIME)
    }
}

/// FNV-1a, 64 bits. Its low bits are weak: see [`mix`].
pub mod fnv64 {
    /// The hash of the empty text.
    pub const START: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    #[inline]
    pub const fn hash(bytes: &[u8]) -> u64 {
        extend(START, bytes)
    }

    /// Extends a hash by more bytes.
    #[inline]
    pub const fn extend(mut hash: u64, bytes: &[u8]) -> u64 {
        let mut at = 0;
        while at < bytes.len() {
            hash = (hash ^ bytes[at] as u64).wrapping_mul(PRIME);
            at += 1;
        }
        hash
    }
}

/// SplitMix64's finaliser: neighbouring numbers in, unrelated numbers out. A bijection.
pub const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// SplitMix64: a generator for choices that look random and are the same on every run.
#[derive(Debug, Clone)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    #[expect(clippy::should_implement_trait, reason = "a generator of numbers, never exhausted and not an iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number below `limit`; 0 if `limit` is 0. For small limits only, because taking the remainder favours small numbers slightly.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            items.swap(at, self.below(at + 1));
        }
    }
}

/// FNV-1a as the hasher of a standard map. For small fixed tables of words, where the standard hasher costs more than the rest of
/// a lookup.
#[derive(Debug, Clone, Copy)]
pub struct Fnv64(u64);

impl Default for Fnv64 {
    fn default() -> Self {
        Self(fnv64::START)
    }
}

impl Hasher for Fnv64 {
    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 = fnv64::extend(self.0, bytes);
    }
}

/// A map keyed by precomputed hashes, or by a few bytes of text as a number: hashing them again would cost more than the lookup.
pub type PrehashedMap<V> = HashMap<u32, V, BuildHasherDefault<Prehashed>>;
/// A set of such keys.
pub type PrehashedSet = std::collections::HashSet<u32, BuildHasherDefault<Prehashed>>;

/// The hasher of [`PrehashedMap`]: spreads a 32-bit hash over 64 bits, because the map takes its tags from the high bits.
#[derive(Debug, Clone, Copy, Default)]
pub struct Prehashed(u64);

impl Hasher for Prehashed {
    #[inline]
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.0 = (self.0 << 32) ^ u64::from(value);
    }

    /// For key types that contain a 64-bit hash.
    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.rotate_left(32) ^ value;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_hashes_are_the_published_ones() {
        assert_eq!(fnv32::hash(b""), 0x811c_9dc5);
        assert_eq!(fnv32::hash(b"foobar"), 0xbf9c_f968);
        assert_eq!(fnv64::hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv64::hash(b"foobar"), 0x8594_4171_f739_67e8);
        // The reference implementation's first values from seed 1234567.
        let mut numbers = SplitMix64(1_234_567);
        assert_eq!([numbers.next(), numbers.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_repeats_itself() {
        let shuffled = |seed| {
            let mut items: Vec<usize> = (0..20).collect();
            SplitMix64(seed).shuffle(&mut items);
            items
        };
        let mut sorted = shuffled(7);
        assert_eq!(shuffled(7), sorted);
        assert_ne!(shuffled(8), sorted);
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..20));
        assert_eq!(SplitMix64(7).below(0), 0);
    }

    proptest! {
        #[test]
        fn a_hash_can_be_computed_in_pieces(left in any::<Vec<u8>>(), right in any::<Vec<u8>>()) {
            let whole = [left.clone(), right.clone()].concat();
            prop_assert_eq!(fnv64::extend(fnv64::hash(&left), &right), fnv64::hash(&whole));
            let pieces = right.iter().fold(fnv32::hash(&left), |hash, &byte| fnv32::extend(hash, u32::from(byte)));
            prop_assert_eq!(pieces, fnv32::hash(&whole));
        }

        #[test]
        fn a_map_of_hashes_returns_what_was_put_in(entries in prop::collection::hash_map(any::<u32>(), any::<u8>(), 0..200)) {
            let map: PrehashedMap<u8> = entries.iter().map(|(key, value)| (*key, *value)).collect();
            prop_assert_eq!(map.len(), entries.len());
            for (key, value) in &entries {
                prop_assert_eq!(map.get(key), Some(value));
                prop_assert_eq!(map.contains_key(&!key), entries.contains_key(&!key));
            }
        }
    }
}
