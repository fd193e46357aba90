//! Reading the context, for stage 7: the facts of a case that words can contradict without stating a figure. They are which
//! signals fired, what is on record and what is missing. Figures are facts of their own (`fact.rs`).
//!
//! | file           | job                                    |
//! |----------------|----------------------------------------|
//! | `mod.rs`       | the types                              |
//! | `read.rs`      | reads the facts from the context       |
//! | `questions.rs` | queries about a case that the rules use |

mod questions;
mod read;

use std::cmp::Ordering;

use serde_json::Value;

use super::case_figures::{CaseFigures, find};
use super::vocabulary as w;
use crate::fold::normalised;
use read::{
    can_be_quoted, counts, decimal, earlier_at, earlier_countries, equal_windows, is_too_fast, limits, new_country,
    places, route, rules, signals, timeline,
};

#[derive(Debug, Default)]
pub(crate) struct CaseFacts {
    pub(crate) signals: Vec<SignalFact>,
    pub(crate) status: PaymentStatus,
    /// Bit set of the topics that the context has facts about.
    pub(crate) present: u64,
    /// Like `present`, but for every event in the context: an earlier transaction may have a location even if this
    /// transaction has none.
    pub(crate) somewhere: u64,
    pub(crate) has_earlier_transaction: bool,
    pub(crate) has_earlier_location: bool,
    pub(crate) channel: Option<String>,
    /// Names and quotable texts by their topic, normalised (`fold::normalised`).
    pub(crate) texts: Vec<(u64, String)>,
    pub(crate) route: Option<(String, String)>,
    /// Time and amount of each event on the timeline.
    timeline: Vec<(String, Option<String>)>,
    /// The place of each transaction: time, whether it was an earlier one, country, and city (normalised by
    /// `fold::normalised`).
    places: Vec<(String, bool, String, Option<String>)>,
    /// Paths of signal details that have equal values over an hour and over a day.
    equal_windows: Vec<String>,
    largest: Option<String>,
    smallest: Option<String>,
    baseline_first: Option<String>,
    baseline_last: Option<String>,
    /// Countries of earlier transactions.
    pub(crate) earlier_countries: Vec<String>,
    /// Counts of transactions. Limits on counts are not included.
    pub(crate) counts: Vec<u64>,
    city: Option<String>,
    /// Earlier alerts by severity: low, medium, high, critical.
    pub(crate) prior_by_severity: [u64; 4],
    first_earlier: Option<String>,
    last_earlier: Option<String>,
    /// The country that is new to the customer, if it made a signal fire.
    pub(crate) new_country: Option<String>,
    /// The rules that held: normalised name (`fold::normalised`) and weight.
    pub(crate) rules: Vec<(String, u64)>,
    /// Paths of the limits in signal details, and how the limited value compares with each limit.
    pub(crate) limits: Vec<(String, Ordering)>,
    /// Whether the alert has the same id as its transaction.
    pub(crate) has_shared_id: bool,
    pub(crate) is_external: bool,
    pub(crate) has_contributions: bool,
    pub(crate) agrees_with_severity: bool,
    pub(crate) is_capped: bool,
    is_full_score: bool,
    pub(crate) sum_is_total: bool,
    /// Whether a journey was faster than its limit.
    pub(crate) is_too_fast: bool,
    /// How the transaction's amount compares with the baseline's median.
    pub(crate) to_median: Option<Ordering>,
    pub(crate) to_largest: Option<Ordering>,
    pub(crate) to_smallest: Option<Ordering>,
    pub(crate) prior_alerts: u64,
    pub(crate) similar_alerts: u64,
    pub(crate) timeline_omitted: u64,
    pub(crate) transactions: u64,
    pub(crate) baseline_countries: Vec<String>,
    pub(crate) country: Option<String>,
    pub(crate) times: CaseTimes,
    pub(crate) figures: CaseFigures,
    /// Whether the context has the shape of a case. For any other context, only figures can be checked.
    pub(crate) is_case: bool,
}

/// Times of events, as text that sorts chronologically.
#[derive(Debug, Default)]
pub(crate) struct CaseTimes {
    pub(crate) account: Option<String>,
    pub(crate) first_transaction: Option<String>,
    pub(crate) transaction: Option<String>,
    pub(crate) alert: Option<String>,
    pub(crate) investigation: Option<String>,
}

#[derive(Debug)]
pub(crate) struct SignalFact {
    pub(crate) name: String,
    pub(crate) outcome: SignalState,
    /// How the value compares with the threshold.
    pub(crate) order: Option<Ordering>,
    pub(crate) has_value: bool,
    /// Whether the signal has a value, a threshold and a unit.
    is_measured: bool,
    /// Whether the signal's own figures say that it stayed below its threshold.
    is_below_threshold: bool,
    pub(crate) has_threshold: bool,
    pub(crate) points: Option<u64>,
    pub(crate) is_new_country: bool,
    pub(crate) rules_held: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalState {
    Fired,
    Clear,
    /// The history was too short, or the signal was not applicable.
    NoResult,
    /// Reported by a sender, in the sender's own format.
    Reported,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum PaymentStatus {
    Completed,
    Attempted,
    #[default]
    NotStated,
}

impl CaseFacts {
    pub(crate) fn of(context: &Value) -> Self {
        let at = |path: &str| find(context, path).filter(|value| !value.is_null());
        let count = |path: &str| at(path).and_then(Value::as_u64).unwrap_or(0);
        let flag = |path: &str| at(path).and_then(Value::as_bool).unwrap_or(false);
        let text = |path: &str| at(path).and_then(Value::as_str).map(str::to_owned);
        let amount = |path: &str| at(path).and_then(decimal);
        let to = |path: &str| Some(amount("/transaction/amount")?.cmp(&amount(path)?));
        let signals = signals(context);
        let opened = find(context, "/timeline").and_then(Value::as_array).and_then(|events| {
            let is_opening =
                |event: &&Value| event.get("happening").and_then(Value::as_str) == Some("investigation_opened");
            events.iter().rfind(is_opening)?.get("timestamp")?.as_str().map(str::to_owned)
        });
        let earlier = |with_place: bool| {
            let events = find(context, "/timeline").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            events.iter().any(|event| {
                event.get("happening").and_then(Value::as_str) == Some("prior_transaction")
                    && (!with_place || event.get("location").is_some_and(|place| !place.is_null()))
            })
        };
        let mut case = Self {
            is_case: at("/case").is_some() && at("/score").is_some(),
            status: match at("/transaction/status").and_then(Value::as_str) {
                Some("completed") => PaymentStatus::Completed,
                Some("attempted") => PaymentStatus::Attempted,
                _ => PaymentStatus::NotStated,
            },
            has_shared_id: at("/transaction/transaction_id").is_some_and(|id| at("/case/alert_id") == Some(id)),
            is_external: at("/case/source").and_then(Value::as_str) == Some("external"),
            has_contributions: at("/score/contributions").and_then(Value::as_array).is_some_and(|all| !all.is_empty()),
            agrees_with_severity: flag("/score/agrees_with_severity"),
            is_capped: flag("/score/is_capped"),
            is_full_score: at("/score/total").is_some() && count("/score/total") == count("/score/maximum"),
            sum_is_total: count("/score/sum") == count("/score/total"),
            is_too_fast: is_too_fast(context),
            to_median: to("/baseline/median_amount"),
            to_largest: to("/baseline/largest_amount"),
            to_smallest: to("/baseline/smallest_amount"),
            prior_alerts: count("/correlation/prior_alerts"),
            similar_alerts: count("/correlation/similar_alerts"),
            timeline_omitted: count("/timeline_omitted"),
            transactions: count("/subject/transaction_count"),
            country: text("/transaction/location/country"),
            baseline_countries: at("/baseline/countries")
                .and_then(Value::as_array)
                .map(|all| all.iter().filter_map(|one| one.get("country")?.as_str().map(str::to_owned)).collect())
                .unwrap_or_default(),
            times: CaseTimes {
                account: text("/subject/account_opened_at"),
                first_transaction: text("/subject/first_transaction_at"),
                transaction: text("/transaction/occurred_at"),
                alert: text("/case/alert_created_at"),
                investigation: opened,
            },
            figures: CaseFigures::of(context),
            present: 0,
            somewhere: 0,
            has_earlier_transaction: earlier(false),
            has_earlier_location: earlier(true),
            channel: text("/transaction/channel"),
            texts: TEXTS.iter().filter_map(|(topic, path)| Some((*topic, normalised(at(path)?.as_str()?)))).collect(),
            route: route(context),
            timeline: timeline(context),
            equal_windows: equal_windows(context),
            largest: text("/baseline/largest_amount/amount"),
            smallest: text("/baseline/smallest_amount/amount"),
            baseline_first: text("/baseline/first_at"),
            baseline_last: text("/baseline/last_at"),
            earlier_countries: earlier_countries(context),
            counts: counts(context),
            city: text("/transaction/location/city").map(|city| normalised(&city)),
            places: places(context),
            prior_by_severity: ["low", "medium", "high", "critical"]
                .map(|level| count(&format!("/correlation/prior_alerts_by_severity/{level}"))),
            first_earlier: earlier_at(context, true),
            last_earlier: earlier_at(context, false),
            new_country: new_country(context),
            rules: rules(context),
            limits: limits(context),
            signals,
        };
        case.present = case.topics(&at);
        let has_place = case.has_earlier_location || !case.baseline_countries.is_empty();
        let has_travel = case.signal("geographic inconsistency").is_some();
        case.somewhere = case.present
            | if has_place || has_travel { w::LOCATION } else { 0 }
            | if case.has_earlier_transaction || case.transactions > 0 || case.signal("velocity anomaly").is_some() {
                w::TRANSACTION
            } else {
                0
            }
            | w::THRESHOLD;
        case
    }

    /// The topics that the context has facts about.
    fn topics<'v>(&self, at: &impl Fn(&str) -> Option<&'v Value>) -> u64 {
        let has = |path: &str, topic: u64| if at(path).is_some() { topic } else { 0 };
        let quotable = |path: &str, topic: u64| {
            if at(path).and_then(Value::as_str).is_some_and(can_be_quoted) { topic } else { 0 }
        };
        let any = |is: bool, topic: u64| if is { topic } else { 0 };
        has("/transaction", w::TRANSACTION | w::AMOUNT | w::CURRENCY)
            | quotable("/transaction/merchant", w::MERCHANT)
            | quotable("/transaction/category", w::CATEGORY)
            | any(self.channel.as_deref().is_some_and(|channel| channel != "other"), w::CHANNEL)
            | has("/transaction/location", w::LOCATION)
            | has("/transaction/device_fingerprint", w::DEVICE)
            | has("/transaction/ip_address", w::NETWORK)
            | has("/transaction/metadata", w::MEMO)
            | quotable("/transaction/source_of_funds", w::SOURCE)
            | quotable("/transaction/destination_of_funds", w::DESTINATION)
            | has("/baseline", w::BASELINE | w::MEDIAN)
            | has("/subject/account_opened_at", w::OPENING)
            | has("/subject/account_age_days", w::OPENING)
            | has("/case/rules_hash", w::RULES_VERSION)
            | any(!self.signals.is_empty(), w::SIGNAL)
            | any(self.signals.iter().any(|signal| signal.has_threshold), w::THRESHOLD)
            | any(self.signals.iter().any(|signal| signal.has_value), w::VALUE)
            | any(self.signals.iter().any(|signal| signal.points.is_some()), w::POINTS)
            | any(self.is_capped, w::CAP)
    }
}

/// The topics and paths of `CaseFacts::texts`.
const TEXTS: [(u64, &str); 5] = [
    (w::MERCHANT, "/transaction/merchant"),
    (w::CATEGORY, "/transaction/category"),
    (w::SOURCE, "/transaction/source_of_funds"),
    (w::DESTINATION, "/transaction/destination_of_funds"),
    (w::LOCATION, "/transaction/location/city"),
];
