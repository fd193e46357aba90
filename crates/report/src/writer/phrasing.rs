//! Chooses among several phrasings of the same facts. The choice depends on the case's ids, so a case always gets the
//! same text.

use countersign_text::hash::{fnv64, mix};

use crate::Context;

/// The choices of one case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Phrasing {
    seed: u64,
    shift: usize,
}

impl Phrasing {
    pub(super) fn of(context: &Context) -> Self {
        let transaction = context.transaction.as_ref().map_or("", |transaction| &transaction.transaction_id);
        let ids =
            [context.case.alert_id.as_str(), &context.case.investigation_id, transaction, &context.subject.user_id];
        // The separator distinguishes ("ab", "c") from ("a", "bc").
        let seed = ids.iter().fold(fnv64::START, |hash, id| fnv64::extend(fnv64::extend(hash, id.as_bytes()), b"\n"));
        Self { seed, shift: 0 }
    }

    /// The choices for the next of several similar sentences, so that neighbours differ.
    pub(super) fn shifted(self, by: usize) -> Self {
        Self { shift: self.shift + by, ..self }
    }

    /// A number below `options`. Choices with different keys are independent of each other.
    pub(super) fn choose(self, key: &str, options: usize) -> usize {
        let options = options.max(1);
        // Half of the hash fits any `usize` and leaves room for the shift. The hash is mixed first, because FNV's low
        // bits are weak.
        let mixed = usize::try_from(mix(fnv64::extend(self.seed, key.as_bytes())) >> 33).unwrap_or(0);
        (mixed + self.shift) % options
    }
}

/// Picks one of several phrasings of the same facts. Only the chosen one is formatted. The first phrasing is the key of
/// the choice.
macro_rules! one_of {
    ($phrasing:expr; $first:literal $(, $other:literal)* $(,)?) => {{
        let options: &[&dyn Fn() -> String] = &[&|| format!($first) $(, &|| format!($other))*];
        options.get($phrasing.choose($first, options.len())).map_or_else(String::new, |say| say())
    }};
}
pub(super) use one_of;
