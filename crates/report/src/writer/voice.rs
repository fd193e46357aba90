//! Which of several good phrasings a case gets: chosen by the case's ids, so that it is always the same one.

use crate::Context;

#[derive(Debug, Clone, Copy)]
pub(super) struct Voice {
    seed: u64,
    shift: usize,
}

impl Voice {
    pub(super) fn of(context: &Context) -> Self {
        let transaction = context.transaction.as_ref().map_or("", |transaction| &transaction.transaction_id);
        let ids =
            [context.case.alert_id.as_str(), &context.case.investigation_id, transaction, &context.subject.user_id];
        // The separator keeps ("ab", "c") and ("a", "bc") apart.
        Self { seed: ids.iter().fold(FNV_OFFSET, |hash, id| fnv(fnv(hash, id.as_bytes()), b"\n")), shift: 0 }
    }

    /// For the second, third ... of a kind: the next phrasing each time, so that neighbours differ.
    pub(super) fn shifted(self, by: usize) -> Self {
        Self { shift: self.shift + by, ..self }
    }

    /// A number below `options`. The key keeps one choice from following another.
    pub(super) fn turn(self, key: &str, options: usize) -> usize {
        let options = options.max(1);
        // Half of the hash fits everywhere and leaves room for the shift.
        let mixed = usize::try_from(mix(fnv(self.seed, key.as_bytes())) >> 33).unwrap_or(0);
        (mixed + self.shift) % options
    }
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;

fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(FNV_PRIME))
}

/// FNV's low bits are weak, and a remainder looks at nothing else.
fn mix(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// One of several phrasings of the same facts. Only the chosen one is put together.
macro_rules! one_of {
    ($voice:expr; $first:literal $(, $other:literal)* $(,)?) => {{
        let options: &[&dyn Fn() -> String] = &[&|| format!($first) $(, &|| format!($other))*];
        options.get($voice.turn($first, options.len())).map_or_else(String::new, |say| say())
    }};
}
pub(super) use one_of;
