//! Stage 7, licence, first step: the names of the detector's signals, and idioms. An idiom is a run of words whose meaning is
//! not that of its single words: "went through" says that a payment was completed.

use countersign_text::hash::fnv64;

use crate::licence::vocabulary::{self as w, WordSense};

/// One of the names of a detector signal.
pub(super) struct SignalPhrase {
    /// Hash of the first word.
    pub(super) first: u64,
    pub(super) words: Vec<&'static str>,
    pub(super) name: &'static str,
}

impl SignalPhrase {
    pub(super) fn of(phrase: &'static str, name: &'static str) -> Self {
        let words: Vec<&str> = phrase.split(' ').collect();
        Self { first: fnv64::hash(words[0].as_bytes()), words, name }
    }
}

/// A run of words whose meaning differs from that of its single words.
pub(super) struct Idiom {
    /// Hash of the first word.
    pub(super) first: u64,
    pub(super) words: Vec<&'static str>,
    pub(super) sense: WordSense,
}

impl Idiom {
    pub(super) fn of((words, topics, acts): &(&'static str, u64, u64)) -> Self {
        let words: Vec<&str> = words.split(' ').collect();
        Self { first: fnv64::hash(words[0].as_bytes()), words, sense: WordSense { topics: *topics, acts: *acts } }
    }
}

/// The first words of all idioms and of all signal names.
pub(crate) fn multiword_openers() -> impl Iterator<Item = &'static str> {
    let runs = IDIOMS
        .iter()
        .map(|(run, ..)| *run)
        .chain(DETECTOR_SIGNALS)
        .chain(OTHER_SIGNAL_NAMES.iter().map(|(run, _)| *run));
    runs.filter_map(|run| run.split(' ').next())
}

/// The `lower` of an item that is an idiom.
pub(crate) const IDIOM: &str = "~";

pub(super) const IDIOM_HASH: u64 = fnv64::hash(IDIOM.as_bytes());

/// The names of the detector's signals.
pub(super) const DETECTOR_SIGNALS: [&str; 4] =
    ["amount deviation", "velocity anomaly", "geographic inconsistency", "rule flags"];

/// Other names of these signals, each with the signal that it refers to.
pub(super) const OTHER_SIGNAL_NAMES: &[(&str, &str)] = &[
    ("amount check", "amount deviation"),
    ("amount signal", "amount deviation"),
    ("amount indicator", "amount deviation"),
    ("deviation signal", "amount deviation"),
    ("velocity check", "velocity anomaly"),
    ("velocity signal", "velocity anomaly"),
    ("velocity indicator", "velocity anomaly"),
    ("geographic check", "geographic inconsistency"),
    ("geographic signal", "geographic inconsistency"),
    ("geographic indicator", "geographic inconsistency"),
    ("geographical inconsistency", "geographic inconsistency"),
    ("location check", "geographic inconsistency"),
    ("travel check", "geographic inconsistency"),
    ("rule check", "rule flags"),
    ("rule signal", "rule flags"),
    ("rule based signal", "rule flags"),
];

/// Idioms, each with its topics and acts.
pub(super) const IDIOMS: &[(&str, u64, u64)] = &[
    ("up to", 0, 0),
    ("went through", 0, w::COMPLETE | w::VERB),
    ("go through", 0, w::COMPLETE | w::VERB),
    ("went to", 0, w::VERB),
    ("according to", 0, 0),
    ("could not be", 0, w::NOT),
    ("could be", 0, w::COULD),
    ("would have required", 0, w::NEED | w::VERB),
    ("would have needed", 0, w::NEED | w::VERB),
    ("in all", 0, 0),
    ("until then", 0, w::PRIOR),
    ("outside sender", w::SENDER, 0),
    ("external sender", w::SENDER, 0),
    ("external source", w::SENDER, 0),
    ("make up", w::COMPOSITION, w::VERB),
    ("makes up", w::COMPOSITION, w::VERB),
    ("passed between", 0, w::VERB),
    ("stops at", w::CAP, w::VERB),
    ("stopped at", w::CAP, w::VERB),
    ("limited to", w::CAP, w::VERB),
    ("as large", 0, 0),
    ("too close in time", 0, 0),
    ("as well", 0, 0),
    ("on record", w::RECORD, w::STATE),
    ("in the record", w::RECORD, 0),
    ("part of the record", w::RECORD, w::STATE),
    ("followed from", 0, w::BECAUSE | w::VERB),
    ("follows from", 0, w::BECAUSE | w::VERB),
    ("resulted from", 0, w::BECAUSE | w::VERB),
    ("arose from", 0, w::BECAUSE | w::VERB),
    ("stemmed from", 0, w::BECAUSE | w::VERB),
    ("account holder", w::CUSTOMER, 0),
    ("account holders", w::CUSTOMER, 0),
    ("outside system", w::SENDER, 0),
    ("external system", w::SENDER, 0),
    ("risk score", w::SCORE, 0),
    ("card present", w::CHANNEL, w::CARD | w::HELD),
    ("card not present", w::CHANNEL, w::CARD | w::ONLINE),
    ("cash machine", w::CHANNEL, w::CASH),
    ("stood out", 0, w::UNUSUAL | w::VERB),
    ("stand out", 0, w::UNUSUAL | w::VERB),
    ("stands out", 0, w::UNUSUAL | w::VERB),
    ("took place", 0, w::VERB),
    ("take place", 0, w::VERB),
    ("taken place", 0, w::VERB),
    ("taking place", 0, w::VERB),
    ("takes place", 0, w::VERB),
    ("carried out", 0, w::VERB),
    ("made up of", w::COMPOSITION, w::VERB),
    ("made up", w::COMPOSITION, w::VERB),
    ("added up", 0, w::VERB),
    ("adds up", 0, w::VERB),
    ("add up", 0, w::VERB),
    ("adding up", 0, w::VERB),
    ("took up", 0, w::VERB),
    ("taken up", 0, w::VERB),
    ("in force", 0, 0),
    ("out of", 0, 0),
    ("at most", 0, w::DOWN),
    ("at least", 0, w::UP),
    ("this one included", 0, 0),
    ("from first to last", 0, 0),
    ("due to", 0, w::BECAUSE),
    ("as a result of", 0, w::BECAUSE),
    ("as a result", 0, w::THEREFORE),
    ("resulted in", 0, w::LEAD | w::VERB),
    ("resulting in", 0, w::LEAD | w::VERB),
    ("led to", 0, w::LEAD | w::VERB),
    ("leads to", 0, w::LEAD | w::VERB),
    ("leading to", 0, w::LEAD | w::VERB),
    ("gave rise to", 0, w::LEAD | w::VERB),
    ("led by", 0, w::HEAVIEST),
    ("prior to", 0, w::BEFORE),
    ("most recent", 0, w::LAST),
    ("as much as", 0, 0),
    ("not seen before", 0, w::NEW),
    ("never seen before", 0, w::NEW),
    ("more than", 0, w::UP),
    ("less than", 0, w::DOWN),
    ("fewer than", 0, w::DOWN),
    ("higher than", 0, w::UP),
    ("greater than", 0, w::UP),
    ("larger than", 0, w::UP),
    ("lower than", 0, w::DOWN),
    ("smaller than", 0, w::DOWN),
    ("in excess of", 0, w::UP),
    ("short of", 0, w::DOWN),
    ("too little history", w::HISTORY, w::ABSENT),
    ("insufficient history", w::HISTORY, w::ABSENT),
    ("not enough history", w::HISTORY, w::ABSENT),
    ("was made by", 0, w::MADE | w::VERB),
    ("were made by", 0, w::MADE | w::VERB),
    ("source of funds", w::SOURCE, 0),
    ("source of the funds", w::SOURCE, 0),
    ("destination of funds", w::DESTINATION, 0),
    ("destination of the funds", w::DESTINATION, 0),
    ("network address", w::NETWORK, 0),
    ("ip address", w::NETWORK, 0),
    ("device fingerprint", w::DEVICE, 0),
    ("cut off", w::THRESHOLD, 0),
    ("left out", 0, w::VERB),
    ("set apart", 0, w::UNUSUAL | w::VERB),
    ("first seen", w::FIRST_SEEN, w::VERB),
    ("how long", w::FIRST_SEEN, 0),
    ("in the same currency", w::SAME_CURRENCY, 0),
    ("as well as", 0, 0),
    ("rather than", 0, w::NOT),
    ("instead of", 0, w::NOT),
    ("regulatory impact", w::IMPACT, 0),
    ("structured data", w::REPORT, 0),
    ("at the same time", 0, 0),
    ("at the time", 0, 0),
    ("at that time", 0, 0),
    ("at the time of", 0, 0),
    ("over time", 0, w::FELL),
    ("made by", 0, w::MADE | w::VERB),
];
