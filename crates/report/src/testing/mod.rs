//! Contexts for tests: three written by hand, and a generator of arbitrary ones.
//!
//! They follow the context builder's rules (one currency, contributions equal to the signals' points, oldest first), and texts
//! from outside are hostile.
//!
//! | file           | job                                                             |
//! |----------------|-----------------------------------------------------------------|
//! | `examples.rs`  | the thinnest, an ordinary and the richest case                  |
//! | `generator.rs` | proptest strategies for what varies between cases               |
//! | `assembly.rs`  | builds a consistent context from what was drawn                 |

mod assembly;
mod examples;
mod generator;

use countersign_domain::{Money, Score, Time};

pub use self::{
    examples::{ordinary, richest, thinnest},
    generator::contexts,
};

#[expect(clippy::unwrap_used, reason = "constants and ranges of this file, which is for tests alone")]
fn score(points: u8) -> Score {
    Score::new(points).unwrap()
}

#[expect(clippy::unwrap_used, reason = "constants and ranges of this file, which is for tests alone")]
fn time(seconds: i64) -> Time {
    Time::from_micros(seconds * 1_000_000).unwrap()
}

#[expect(clippy::unwrap_used, reason = "constants and ranges of this file, which is for tests alone")]
fn money(cents: u64, currency: &str) -> Money {
    let amount = if currency == "JPY" { cents.to_string() } else { format!("{}.{:02}", cents / 100, cents % 100) };
    Money::new(&amount, currency.parse().unwrap()).unwrap()
}
