//! Linear models over hashed features, read from weights that are built into the program.
//!
//! A model has one or more classes. A feature is any 32-bit hash, which is mapped to one of the model's buckets.
//! Weights are single bytes with one scale per class. Summation is integer arithmetic, so the same text gets the same
//! score on every machine.
//!
//! The format: `CSLM1`, log2 of the number of buckets (u8), number of classes (u8), then for each class scale and bias
//! (f32, little-endian), then the weights, bucket by bucket.

use countersign_text::hash::fnv32;

const MAGIC: &[u8; 5] = b"CSLM1";

pub struct Linear {
    mask: u32,
    classes: usize,
    scales: Vec<f32>,
    biases: Vec<f32>,
    weights: &'static [u8],
}

impl Linear {
    /// Returns `None` if the bytes are not a model; a test of each built-in model ensures that they are.
    pub fn from_bytes(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (&[log2, classes], mut rest) = rest.split_first_chunk::<2>()?;
        let (mut scales, mut biases) = (Vec::new(), Vec::new());
        for _ in 0..classes {
            let (scale, bias, after) = pair(rest)?;
            scales.push(scale);
            biases.push(bias);
            rest = after;
        }
        let buckets = 1_u32.checked_shl(u32::from(log2))?;
        let classes = usize::from(classes);
        let whole = classes > 0 && rest.len() == buckets as usize * classes;
        whole.then(|| Self { mask: buckets - 1, classes, scales, biases, weights: rest })
    }

    pub fn classes(&self) -> usize {
        self.classes
    }

    /// The weight of a feature in the first class, before scaling.
    pub fn weight(&self, feature: u32) -> i32 {
        self.weights.get(bucket(feature, self.mask) * self.classes).map_or(0, |&byte| weight(byte))
    }

    /// Adds a feature's weights to one sum per class; see [`Linear::scaled`]. The number of classes is a compile-time
    /// constant, which is several times faster; if it differs from the model's, nothing is added. The sums have room
    /// for 250 features.
    pub fn add_to<const CLASSES: usize>(&self, feature: u32, sums: &mut [i16; CLASSES]) {
        let rows = self.weights.as_chunks::<CLASSES>().0;
        if CLASSES == self.classes
            && let Some(row) = rows.get(bucket(feature, self.mask))
        {
            for class in 0..CLASSES {
                sums[class] = sums[class].saturating_add(i16::from(row[class].cast_signed()));
            }
        }
    }

    /// The scores of all classes from the sums of their weights; zeros if the number of classes differs from the
    /// model's.
    pub fn all_scaled<const CLASSES: usize>(&self, sums: &[i16; CLASSES]) -> [f32; CLASSES] {
        let mut scaled = [0.0; CLASSES];
        if let (Ok(biases), Ok(scales)) =
            (<&[f32; CLASSES]>::try_from(&self.biases[..]), <&[f32; CLASSES]>::try_from(&self.scales[..]))
        {
            for class in 0..CLASSES {
                scaled[class] = biases[class] + scales[class] * f32::from(sums[class]);
            }
        }
        scaled
    }

    /// The score of a class from the sum of its weights.
    pub fn scaled(&self, class: usize, sum: i32) -> f32 {
        let at = |values: &[f32]| values.get(class).copied().unwrap_or_default();
        at(&self.biases) + at(&self.scales) * sum as f32
    }
}

/// The index of a feature's weights. Hashes of short words differ little in their low bits, so they are mixed first.
fn bucket(feature: u32, mask: u32) -> usize {
    ((feature.wrapping_mul(0x9E37_79B1) >> 7) & mask) as usize
}

/// Converts a score to a probability from 0 to 1.
pub fn probability(score: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(score)).exp())
}

/// Combines two features into one; their order matters.
pub fn joined(a: u32, b: u32) -> u32 {
    fnv32::extend(a.rotate_left(5), b)
}

fn weight(byte: u8) -> i32 {
    i32::from(byte.cast_signed())
}

fn pair(bytes: &[u8]) -> Option<(f32, f32, &[u8])> {
    let (scale, rest) = bytes.split_first_chunk::<4>()?;
    let (bias, rest) = rest.split_first_chunk::<4>()?;
    Some((f32::from_le_bytes(*scale), f32::from_le_bytes(*bias), rest))
}

/// The mapping of features to a model's buckets, and the writer of models. Only training needs these.
#[cfg(feature = "training")]
pub mod training {
    use super::MAGIC;

    pub fn bucket(feature: u32, log2: u8) -> usize {
        super::bucket(feature, (1_u32 << log2) - 1)
    }

    /// `weights` are ordered by bucket, with one per class in each bucket.
    pub fn to_bytes(log2: u8, biases: &[f32], weights: &[f32]) -> Vec<u8> {
        let classes = biases.len();
        let largest = |class: usize| weights.iter().skip(class).step_by(classes).fold(0_f32, |a, b| a.max(b.abs()));
        let scales: Vec<f32> = (0..classes).map(|class| (largest(class) / 127.0).max(f32::MIN_POSITIVE)).collect();
        let mut bytes = MAGIC.to_vec();
        bytes.extend([log2, u8::try_from(classes).unwrap_or(u8::MAX)]);
        for (scale, bias) in scales.iter().zip(biases) {
            bytes.extend(scale.to_le_bytes());
            bytes.extend(bias.to_le_bytes());
        }
        let quantised = weights.iter().zip(scales.iter().cycle());
        bytes.extend(quantised.map(|(weight, scale)| ((weight / scale).round() as i8).cast_unsigned()));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(log2: u8, classes: u8, weights: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([log2, classes]);
        for _ in 0..classes {
            bytes.extend(0.5_f32.to_le_bytes());
            bytes.extend(1_f32.to_le_bytes());
        }
        bytes.extend(weights);
        bytes
    }

    #[test]
    fn invalid_bytes_are_rejected() {
        let good = model(1, 1, &[2, 0xFF]);
        for bytes in [&good[..4], &good[..good.len() - 1], b"CSLM2".as_slice(), b""] {
            assert!(Linear::from_bytes(bytes.to_vec().leak()).is_none());
        }
        assert!(Linear::from_bytes(model(40, 1, &[]).leak()).is_none());
        assert!(Linear::from_bytes(model(1, 0, &[]).leak()).is_none());
        assert!(Linear::from_bytes(good.leak()).is_some());
    }

    #[test]
    fn a_score_is_bias_and_scaled_weights() {
        let model = Linear::from_bytes(model(1, 1, &[2, 0xFF]).leak()).unwrap();
        let of = |feature| model.scaled(0, model.weight(feature));
        let seen: Vec<f32> = (0..64).map(of).collect();
        assert!(seen.contains(&2.0) && seen.contains(&0.5) && seen.iter().all(|s| [2.0, 0.5].contains(s)), "{seen:?}");
        assert_eq!(model.scaled(0, 0), 1.0);
        let mut sums = [0_i16];
        for _ in 0..2 {
            model.add_to(7, &mut sums);
        }
        assert_eq!(model.scaled(0, i32::from(sums[0])), 1.0 + 2.0 * (of(7) - 1.0));
    }
}
