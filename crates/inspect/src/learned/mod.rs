//! Linear models over hashed features, read from weights that are part of the program.
//!
//! A model has one or more classes; a feature is any 32-bit hash, folded into the model's buckets. Weights are whole bytes with
//! one scale per class. Summing is integer arithmetic, so the same text gives the same score on every machine.
//!
//! The file: `CSLM1`, log2 of the buckets (u8), classes (u8), then per class scale and bias (f32, little-endian), then the
//! weights, bucket by bucket.

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
    /// `None` if these bytes are no model; a test of each model keeps that from happening.
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

    /// The weight of a feature in the first class, before it is scaled.
    pub fn weight(&self, feature: u32) -> i32 {
        self.weights.get(bucket(feature, self.mask) * self.classes).map_or(0, |&byte| weight(byte))
    }

    /// Adds a feature's weights to one sum per class; see [`Linear::scaled`]. The number of classes is known when compiling, which
    /// is several times as fast; another number adds nothing. The sums hold 250 features.
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

    /// What a sum of weights says about each class; of another number of classes, nothing.
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

    /// What a sum of weights says about a class.
    pub fn scaled(&self, class: usize, sum: i32) -> f32 {
        let at = |values: &[f32]| values.get(class).copied().unwrap_or_default();
        at(&self.biases) + at(&self.scales) * sum as f32
    }
}

/// Where a feature's weights stand. Hashes of short words differ little in their low bits: they are spread first.
fn bucket(feature: u32, mask: u32) -> usize {
    ((feature.wrapping_mul(0x9E37_79B1) >> 7) & mask) as usize
}

/// 0..1 from a score.
pub fn probability(score: f32) -> f64 {
    1.0 / (1.0 + (-f64::from(score)).exp())
}

/// One feature from two, in order.
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

/// How features map to a model's buckets, and how a model is written. Only training needs this.
#[cfg(feature = "training")]
pub mod training {
    use super::MAGIC;

    pub fn bucket(feature: u32, log2: u8) -> usize {
        super::bucket(feature, (1_u32 << log2) - 1)
    }

    /// `weights` bucket by bucket, `classes` of them in each.
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
    fn what_is_no_model_is_refused() {
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
