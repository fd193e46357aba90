//! A sum of small decision trees over numeric features, read from weights that are built into the program.
//!
//! The format: `CSGT1`, number of features (u8), number of trees (u16), base (f32), then for each tree seven splits
//! (feature u8, threshold f32) from the root down, left before right, and eight leaves (f32); little-endian. A value
//! above the threshold leads to the right.

const MAGIC: &[u8; 5] = b"CSGT1";
pub const SPLITS: usize = 7;
pub const LEAVES: usize = 8;

#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    pub splits: [(u8, f32); SPLITS],
    pub leaves: [f32; LEAVES],
}

#[derive(Debug, Clone, PartialEq)]
pub struct Trees {
    pub features: usize,
    pub base: f32,
    pub trees: Vec<Tree>,
}

impl Trees {
    /// Returns `None` if the bytes are not a model; a test of the built-in model ensures that they are.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut bytes = ByteReader(bytes.strip_prefix(MAGIC)?);
        let [features] = bytes.take()?;
        let trees = u16::from_le_bytes(bytes.take()?);
        let base = bytes.float()?;
        let trees = (0..trees).map(|_| bytes.tree(features)).collect::<Option<Vec<_>>>()?;
        bytes.0.is_empty().then_some(Self { features: usize::from(features), base, trees })
    }

    /// The raw score before the sigmoid: above 0 means yes.
    pub fn score(&self, values: &[f32]) -> f32 {
        self.base + self.trees.iter().map(|tree| tree.score(values)).sum::<f32>()
    }

    #[cfg(feature = "training")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(self.features as u8);
        bytes.extend((self.trees.len() as u16).to_le_bytes());
        bytes.extend(self.base.to_le_bytes());
        for tree in &self.trees {
            for (feature, threshold) in tree.splits {
                bytes.push(feature);
                bytes.extend(threshold.to_le_bytes());
            }
            tree.leaves.iter().for_each(|leaf| bytes.extend(leaf.to_le_bytes()));
        }
        bytes
    }
}

impl Tree {
    pub fn score(&self, values: &[f32]) -> f32 {
        let mut at = 0;
        while let Some(&(feature, threshold)) = self.splits.get(at) {
            let right = values.get(usize::from(feature)).is_some_and(|&value| value > threshold);
            at = 2 * at + 1 + usize::from(right);
        }
        self.leaves[at - SPLITS]
    }
}

struct ByteReader<'a>(&'a [u8]);

impl ByteReader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn float(&mut self) -> Option<f32> {
        self.take().map(f32::from_le_bytes)
    }

    fn tree(&mut self, features: u8) -> Option<Tree> {
        let mut tree = Tree { splits: [(0, 0.0); SPLITS], leaves: [0.0; LEAVES] };
        for split in &mut tree.splits {
            let [feature] = self.take()?;
            *split = (feature, self.float()?);
            if feature >= features {
                return None;
            }
        }
        for leaf in &mut tree.leaves {
            *leaf = self.float()?;
        }
        Some(tree)
    }
}
