//! Facts about text that several crates need, each in one place: which characters can't be seen, which ASCII character a
//! disguised or foreign one stands for, how English writes numbers and months, and the hash that words are looked up by.
//!
//! | file           | answers                                                                    |
//! |----------------|----------------------------------------------------------------------------|
//! | `invisible.rs` | which characters a reader can't see                                        |
//! | `digits.rs`    | the value of a digit in any script                                         |
//! | `letters.rs`   | the ASCII character that a letter, a digit or a mark stands for            |
//! | `numbers.rs`   | numbers in digits, with the separators of several countries, and in words  |
//! | `calendar.rs`  | English names of months and weekdays                                       |
//! | `hash.rs`      | FNV-1a, SplitMix64, and maps whose keys are already hashes                 |
//!
//! This crate knows characters and words only. Normalising a text with a map back to its offsets is `inspect`'s `view`; what a
//! number or a date means in a sentence is up to the crate that reads the sentence.

pub mod calendar;
pub mod digits;
pub mod hash;
pub mod invisible;
pub mod letters;
pub mod numbers;
