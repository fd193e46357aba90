//! Concepts: the things that words and keys can refer to. A fact has the concepts of its key, and a figure has those of
//! the words around it (stage 5). If they disagree, the sentence refers to another fact (stage 6). Each concept is one bit, so a
//! `u64` is a set of them.

use crate::lexicon::look_up;

macro_rules! concepts {
    ($($name:ident)*) => { concepts!(@ 0; $($name)*); };
    (@ $at:expr; $name:ident $($rest:ident)*) => {
        pub(crate) const $name: u64 = 1 << ($at);
        concepts!(@ $at + 1; $($rest)*);
    };
    (@ $at:expr;) => {};
}

concepts! {
    SCORE CONTRIBUTION WEIGHT BAND THRESHOLD MAXIMUM TOTAL MEDIAN SMALLEST LARGEST AVERAGE DIFFERENCE RATIO RANGE
    PRIOR SIMILAR OMITTED TRANSACTION ALERT SIGNAL RULE COUNTRY EVENT INVESTIGATION ACCOUNT AGE OPENED FIRST LAST
    CREATED OCCURRED AMOUNT VALUE DISTANCE SPEED BASELINE POINTS FIRED ONE BEYOND
}

// `RANGE` is a range between two values, `ONE` a singular noun, `BEYOND` a comparison with a limit.

/// Concepts that distinguish facts from each other.
pub(crate) const STRONG: u64 = SCORE
    | CONTRIBUTION
    | WEIGHT
    | BAND
    | THRESHOLD
    | MAXIMUM
    | TOTAL
    | MEDIAN
    | SMALLEST
    | LARGEST
    | AVERAGE
    | DIFFERENCE;
/// A fact with one of these concepts must be called by it if the words around the figure give it any name.
pub(crate) const SPECIAL: u64 =
    BAND | THRESHOLD | MAXIMUM | WEIGHT | TOTAL | MEDIAN | SMALLEST | LARGEST | AVERAGE | DIFFERENCE;
/// Things that can be counted.
pub(crate) const NOUNS: u64 = TRANSACTION | ALERT | SIGNAL | RULE | COUNTRY | EVENT | INVESTIGATION | POINTS;
/// Things that a date can belong to.
pub(crate) const DATED_THINGS: u64 = TRANSACTION | ALERT | INVESTIGATION | ACCOUNT;
/// Actions that a date can belong to.
pub(crate) const DATED_ACTIONS: u64 = OPENED | CREATED | OCCURRED | FIRST | LAST;

/// The concepts of a word in lower case, or of a part of a key.
pub(crate) fn of(word: &str) -> u64 {
    look_up(word).0.concepts
}

pub(crate) const WORDS: &[(u64, &str)] = &[
    (SCORE, "score scored scoring"),
    (RANGE, "scores"),
    (
        CONTRIBUTION,
        "contribution contributions contributed contributes contributing contribute added adds add adding brought",
    ),
    (WEIGHT, "weight weights weighted weighs weighed"),
    (BAND, "band bands"),
    (THRESHOLD, "threshold thresholds limit limits cutoff allowance"),
    (MAXIMUM | LARGEST, "maximum max"),
    (MAXIMUM, "cap capped ceiling possible"),
    (
        TOTAL,
        "total totals totalled totaled totalling totaling sum sums summed combined cumulative aggregate aggregated altogether together",
    ),
    (MEDIAN, "median typical typically usual usually normal normally customary"),
    (SMALLEST, "smallest lowest minimum min"),
    (LARGEST, "largest highest biggest greatest"),
    (AVERAGE, "average averaged averages averaging mean"),
    (DIFFERENCE, "difference gap excess surplus"),
    (RATIO, "ratio multiple times"),
    (RANGE, "range ranged ranges ranging between spanned spans"),
    (PRIOR, "prior previous previously earlier past preceding historical"),
    (BASELINE, "baseline history record records"),
    (SIMILAR, "similar comparable"),
    (OMITTED, "omitted"),
    (TRANSACTION | ONE, "transaction payment purchase transfer withdrawal charge"),
    (TRANSACTION, "transactions payments purchases transfers withdrawals charges"),
    (ALERT | ONE, "alert"),
    (ALERT, "alerts"),
    (SIGNAL | ONE, "signal indicator check"),
    (SIGNAL, "signals indicators checks"),
    (RULE | ONE, "rule flag"),
    (RULE, "rules flags"),
    (COUNTRY | ONE, "country jurisdiction"),
    (COUNTRY, "countries jurisdictions"),
    (EVENT | ONE, "event happening entry"),
    (EVENT, "events happenings entries timeline"),
    (INVESTIGATION | ONE, "investigation"),
    (INVESTIGATION, "investigations"),
    (POINTS | ONE, "point"),
    (POINTS, "points pts"),
    (ACCOUNT, "account accounts"),
    (AGE, "age aged old"),
    (OPENED, "opened opening"),
    (FIRST, "first earliest"),
    (LAST, "last latest"),
    (CREATED, "created raised generated issued"),
    (OCCURRED, "occurred happened took executed initiated"),
    (AMOUNT, "amount amounts"),
    (VALUE, "value values"),
    (VALUE, "z-score zscore deviation deviations reading measured measurement"),
    (DISTANCE, "distance km"),
    (SPEED, "speed kmh km/h"),
    (FIRED, "fired triggered held fires fire trigger"),
    (
        BEYOND,
        "against above exceed exceeds exceeded exceeding over beyond than below under versus vs least most allowed reached crossed passed",
    ),
];

/// A word without its plural or tense ending, so that `countries` and `country` are equal.
pub(crate) fn stem(word: &str) -> &str {
    let endings: &[&str] = match word.as_bytes().last() {
        Some(b's') => &["ies", "es", "s"],
        Some(b'd') => &["ed"],
        Some(b'g') => &["ing"],
        Some(b'y') => &["ly", "y"],
        _ => return word,
    };
    endings.iter().find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() >= 3)).unwrap_or(word)
}

/// Whether a word has this stem. Comparing the lengths first rules out most words.
pub(crate) fn has_stem(word: &str, known: &str) -> bool {
    (known.len()..=known.len() + 3).contains(&word.len()) && stem(word) == known
}
