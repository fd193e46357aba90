//! The random distributions that the generator uses.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

/// An exponentially distributed number, bounded above.
pub(super) fn exponential(rng: &mut ChaCha8Rng, mean: f64) -> f64 {
    let uniform: f64 = rng.random();
    -mean * (1.0 - uniform).max(1e-12).ln()
}

/// A log-normally distributed number. `spread` is the standard deviation of its logarithm.
pub(super) fn log_normal(rng: &mut ChaCha8Rng, median: f64, spread: f64) -> f64 {
    let (radius, angle): (f64, f64) = (rng.random(), rng.random());
    let normal = (-2.0 * (1.0 - radius).max(1e-12).ln()).sqrt() * (angle * std::f64::consts::TAU).cos();
    // Beyond four standard deviations, prices would not be believable.
    median * (spread * normal.clamp(-4.0, 4.0)).exp()
}

/// A uniformly chosen item of a table, which must not be empty.
pub(super) fn pick<'a, T>(rng: &mut ChaCha8Rng, table: &'a [T]) -> &'a T {
    &table[rng.random_range(0..table.len())]
}

/// An item of a table, chosen by weight.
pub(super) fn weighted<'a, T>(rng: &mut ChaCha8Rng, table: &'a [T], weight: impl Fn(&T) -> f64) -> &'a T {
    let mut left = rng.random::<f64>() * table.iter().map(&weight).sum::<f64>();
    for item in table {
        left -= weight(item);
        if left < 0.0 {
            return item;
        }
    }
    &table[table.len() - 1]
}
