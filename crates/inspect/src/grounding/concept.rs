//! What words and keys speak of. A fact has the concepts of its key, a figure those of the words around it; where the two
//! disagree the sentence names another fact.

macro_rules! concepts {
    ($($name:ident)*) => { concepts!(@ 0; $($name)*); };
    (@ $at:expr; $name:ident $($rest:ident)*) => {
        pub(super) const $name: u64 = 1 << ($at);
        concepts!(@ $at + 1; $($rest)*);
    };
    (@ $at:expr;) => {};
}

concepts! {
    SCORE CONTRIBUTION WEIGHT BAND THRESHOLD MAXIMUM TOTAL MEDIAN SMALLEST LARGEST AVERAGE DIFFERENCE RATIO RANGE
    PRIOR SIMILAR OMITTED TRANSACTION ALERT SIGNAL RULE COUNTRY EVENT INVESTIGATION ACCOUNT AGE OPENED FIRST LAST
    CREATED OCCURRED AMOUNT VALUE DISTANCE SPEED BASELINE POINTS FIRED ONE BEYOND
}

/// A word that says which of several facts a figure is.
pub(super) const STRONG: u64 = SCORE
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
/// Facts of these kinds want to be called by their name where the words around call something by name.
pub(super) const SPECIAL: u64 =
    BAND | THRESHOLD | MAXIMUM | WEIGHT | TOTAL | MEDIAN | SMALLEST | LARGEST | AVERAGE | DIFFERENCE;
/// Things that can be counted.
pub(super) const NOUNS: u64 = TRANSACTION | ALERT | SIGNAL | RULE | COUNTRY | EVENT | INVESTIGATION | POINTS;
/// Things and doings that a date can be of.
pub(super) const DATED_THINGS: u64 = TRANSACTION | ALERT | INVESTIGATION | ACCOUNT;
pub(super) const DATED_DOINGS: u64 = OPENED | CREATED | OCCURRED | FIRST | LAST;

/// Of a word in small letters, or a part of a key.
pub(super) fn of(word: &str) -> u64 {
    match word {
        "score" | "scored" | "scoring" => SCORE,
        "scores" => RANGE,
        "contribution" | "contributions" | "contributed" | "contributes" | "contributing" | "contribute" | "added"
        | "adds" | "add" | "adding" | "brought" => CONTRIBUTION,
        "weight" | "weights" | "weighted" | "weighs" | "weighed" => WEIGHT,
        "band" | "bands" => BAND,
        "threshold" | "thresholds" | "limit" | "limits" | "cutoff" | "allowance" => THRESHOLD,
        "maximum" | "max" => MAXIMUM | LARGEST,
        "cap" | "capped" | "ceiling" | "possible" => MAXIMUM,
        "total" | "totals" | "totalled" | "totaled" | "totalling" | "totaling" | "sum" | "sums" | "summed"
        | "combined" | "cumulative" | "aggregate" | "aggregated" | "altogether" | "together" => TOTAL,
        "median" | "typical" | "typically" | "usual" | "usually" | "normal" | "normally" | "customary" => MEDIAN,
        "smallest" | "lowest" | "minimum" | "min" => SMALLEST,
        "largest" | "highest" | "biggest" | "greatest" => LARGEST,
        "average" | "averaged" | "averages" | "averaging" | "mean" => AVERAGE,
        "difference" | "gap" | "excess" | "surplus" => DIFFERENCE,
        "ratio" | "multiple" | "times" => RATIO,
        "range" | "ranged" | "ranges" | "ranging" | "between" | "spanned" | "spans" => RANGE,
        "prior" | "previous" | "previously" | "earlier" | "past" | "preceding" | "historical" => PRIOR,
        "baseline" | "history" | "record" | "records" => BASELINE,
        "similar" | "comparable" => SIMILAR,
        "omitted" => OMITTED,
        "transaction" | "payment" | "purchase" | "transfer" | "withdrawal" | "charge" => TRANSACTION | ONE,
        "transactions" | "payments" | "purchases" | "transfers" | "withdrawals" | "charges" => TRANSACTION,
        "alert" => ALERT | ONE,
        "alerts" => ALERT,
        "signal" | "indicator" | "check" => SIGNAL | ONE,
        "signals" | "indicators" | "checks" => SIGNAL,
        "rule" | "flag" => RULE | ONE,
        "rules" | "flags" => RULE,
        "country" | "jurisdiction" => COUNTRY | ONE,
        "countries" | "jurisdictions" => COUNTRY,
        "event" | "happening" | "entry" => EVENT | ONE,
        "events" | "happenings" | "entries" | "timeline" => EVENT,
        "investigation" => INVESTIGATION | ONE,
        "investigations" => INVESTIGATION,
        "point" => POINTS | ONE,
        "points" | "pts" => POINTS,
        "account" | "accounts" => ACCOUNT,
        "age" | "aged" | "old" => AGE,
        "opened" | "opening" => OPENED,
        "first" | "earliest" => FIRST,
        "last" | "latest" => LAST,
        "created" | "raised" | "generated" | "issued" => CREATED,
        "occurred" | "happened" | "took" | "executed" | "initiated" => OCCURRED,
        "amount" | "amounts" => AMOUNT,
        "value" | "values" => VALUE,
        "z-score" | "zscore" | "deviation" | "deviations" | "reading" | "measured" | "measurement" => VALUE,
        "distance" | "km" => DISTANCE,
        "speed" | "kmh" | "km/h" => SPEED,
        "fired" | "triggered" | "held" | "fires" | "fire" | "trigger" => FIRED,
        "against" | "above" | "exceed" | "exceeds" | "exceeded" | "exceeding" | "over" | "beyond" | "than"
        | "below" | "under" | "versus" | "vs" | "least" | "most" | "allowed" | "reached" | "crossed" | "passed" => {
            BEYOND
        }
        _ => 0,
    }
}

/// A word without the ending that number and tense give it, so that `countries` meets `country`.
pub(super) fn stem(word: &str) -> &str {
    ["ies", "es", "s", "ed", "ing", "ly", "y"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.len() >= 3))
        .unwrap_or(word)
}
