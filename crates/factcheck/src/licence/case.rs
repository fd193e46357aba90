//! The facts of a case that words speak of: which signals fired, what is on record, what is missing.
//!
//! Figures are facts of their own (`fact.rs`). This is what a sentence can be right or wrong about without a figure.

use std::cmp::Ordering;

use serde_json::Value;

use super::record::{Record, find};
use super::words as w;
use crate::fold::spoken;

const SIGNALS_MAX: usize = 64;
/// A value that misses its threshold by less than this was rounded.
const ROUNDING: f64 = 0.005;
/// Beyond this a float is no measurement that anybody could read.
const READABLE_MAX: f64 = 1e12;

#[derive(Debug, Default)]
pub(crate) struct CaseFacts {
    pub(crate) signals: Vec<SignalFact>,
    pub(crate) status: Status,
    /// Topics that the context has facts about, as bits.
    pub(crate) present: u64,
    /// The same, of anything in the context: an earlier transaction may have a location where this one has none.
    pub(crate) somewhere: u64,
    pub(crate) has_earlier_transaction: bool,
    pub(crate) has_earlier_location: bool,
    pub(crate) channel: Option<String>,
    /// Names and quotable texts by their topic, as they are spoken.
    pub(crate) texts: Vec<(u64, String)>,
    pub(crate) route: Option<(String, String)>,
    /// When, and of how much.
    timeline: Vec<(String, Option<String>)>,
    /// When earlier transactions and this one were where: country and city, as they are spoken.
    places: Vec<(String, bool, String, Option<String>)>,
    /// Details of signals whose sibling over the other window has the same value.
    equal_windows: Vec<String>,
    largest: Option<String>,
    smallest: Option<String>,
    baseline_first: Option<String>,
    baseline_last: Option<String>,
    /// Countries of earlier transactions.
    pub(crate) earlier_countries: Vec<String>,
    /// Counts of transactions that are no limits.
    pub(crate) counts: Vec<u64>,
    city: Option<String>,
    /// By severity: low, medium, high, critical.
    pub(crate) prior_by_severity: [u64; 4],
    first_earlier: Option<String>,
    last_earlier: Option<String>,
    /// The country that is new, where one made a signal fire.
    pub(crate) new_country: Option<String>,
    /// The rules that held, as they are spoken, and their weights.
    pub(crate) rules: Vec<(String, u64)>,
    /// Limits in signals' details by their path, and how what they limit stands to them.
    pub(crate) limits: Vec<(String, Ordering)>,
    /// The alert was given the id of its transaction.
    pub(crate) has_shared_id: bool,
    pub(crate) is_external: bool,
    pub(crate) has_contributions: bool,
    pub(crate) agrees_with_severity: bool,
    pub(crate) is_capped: bool,
    is_full_score: bool,
    pub(crate) sum_is_total: bool,
    /// A journey was faster than its limit.
    pub(crate) is_too_fast: bool,
    /// The transaction's amount against the baseline's.
    pub(crate) to_median: Option<Ordering>,
    pub(crate) to_largest: Option<Ordering>,
    pub(crate) to_smallest: Option<Ordering>,
    pub(crate) prior_alerts: u64,
    pub(crate) similar_alerts: u64,
    pub(crate) timeline_omitted: u64,
    pub(crate) transactions: u64,
    pub(crate) baseline_countries: Vec<String>,
    pub(crate) country: Option<String>,
    pub(crate) times: Times,
    pub(crate) record: Record,
    /// The context has the shape of a case; others hold figures only, and words about them can't be judged.
    pub(crate) is_case: bool,
}

/// When things happened, in microseconds or any other order-preserving text.
#[derive(Debug, Default)]
pub(crate) struct Times {
    pub(crate) account: Option<String>,
    pub(crate) first_transaction: Option<String>,
    pub(crate) transaction: Option<String>,
    pub(crate) alert: Option<String>,
    pub(crate) investigation: Option<String>,
}

#[derive(Debug)]
pub(crate) struct SignalFact {
    pub(crate) name: String,
    pub(crate) outcome: Outcome,
    /// Value against threshold.
    pub(crate) order: Option<Ordering>,
    pub(crate) has_value: bool,
    /// With value, threshold and unit.
    is_measured: bool,
    /// Its own figures say that it stayed below its threshold.
    is_denied: bool,
    pub(crate) has_threshold: bool,
    pub(crate) points: Option<u64>,
    pub(crate) is_new_country: bool,
    pub(crate) rules_held: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Fired,
    Clear,
    /// Too little history, or not applicable.
    NoResult,
    /// By a sender, in a shape of its own.
    Reported,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Status {
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
                Some("completed") => Status::Completed,
                Some("attempted") => Status::Attempted,
                _ => Status::NotStated,
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
            times: Times {
                account: text("/subject/account_opened_at"),
                first_transaction: text("/subject/first_transaction_at"),
                transaction: text("/transaction/occurred_at"),
                alert: text("/case/alert_created_at"),
                investigation: opened,
            },
            record: Record::of(context),
            present: 0,
            somewhere: 0,
            has_earlier_transaction: earlier(false),
            has_earlier_location: earlier(true),
            channel: text("/transaction/channel"),
            texts: TEXTS.iter().filter_map(|(topic, path)| Some((*topic, spoken(at(path)?.as_str()?)))).collect(),
            route: route(context),
            timeline: timeline(context),
            equal_windows: equal_windows(context),
            largest: text("/baseline/largest_amount/amount"),
            smallest: text("/baseline/smallest_amount/amount"),
            baseline_first: text("/baseline/first_at"),
            baseline_last: text("/baseline/last_at"),
            earlier_countries: earlier_countries(context),
            counts: counts(context),
            city: text("/transaction/location/city").map(|city| spoken(&city)),
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

    /// Whether the context has the shape of a case. Of anything else only figures can be checked.
    pub(crate) fn is_case(&self) -> bool {
        self.is_case
    }

    fn topics<'v>(&self, at: &impl Fn(&str) -> Option<&'v Value>) -> u64 {
        let has = |path: &str, topic: u64| if at(path).is_some() { topic } else { 0 };
        let said = |path: &str, topic: u64| {
            if at(path).and_then(Value::as_str).is_some_and(is_speakable) { topic } else { 0 }
        };
        let any = |is: bool, topic: u64| if is { topic } else { 0 };
        has("/transaction", w::TRANSACTION | w::AMOUNT | w::CURRENCY)
            | said("/transaction/merchant", w::MERCHANT)
            | said("/transaction/category", w::CATEGORY)
            | any(self.channel.as_deref().is_some_and(|channel| channel != "other"), w::CHANNEL)
            | has("/transaction/location", w::LOCATION)
            | has("/transaction/device_fingerprint", w::DEVICE)
            | has("/transaction/ip_address", w::NETWORK)
            | has("/transaction/metadata", w::MEMO)
            | said("/transaction/source_of_funds", w::SOURCE)
            | said("/transaction/destination_of_funds", w::DESTINATION)
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

    /// Whether a rule that is called so, or starts so, has the most or the least weight of those that held.
    pub(crate) fn is_extreme_rule(&self, said: &str, most: bool) -> bool {
        let weights = self.rules.iter().map(|(_, weight)| *weight);
        let extreme = if most { weights.max() } else { weights.min() };
        self.rules.iter().any(|(name, weight)| Some(*weight) == extreme && name.starts_with(said))
    }

    /// Whether a moment's path is of the day of the first, or the last, earlier transaction.
    pub(crate) fn is_edge_of_history(&self, path: &str, first: bool) -> bool {
        let edge = if first { &self.first_earlier } else { &self.last_earlier };
        let known =
            if first { ["/subject/first_transaction_at", "/baseline/first_at"] } else { ["/baseline/last_at", ""] };
        known.contains(&path)
            || self.moment(path).is_some_and(|moment| edge.iter().any(|edge| edge.get(..10) == moment.get(..10)))
    }

    /// Whether a moment is of the day on which the baseline begins, or ends.
    pub(crate) fn is_edge_of_baseline(&self, path: &str, first: bool) -> bool {
        let edge = if first { &self.baseline_first } else { &self.baseline_last };
        self.moment(path).is_some_and(|moment| edge.iter().any(|edge| edge.get(..10) == moment.get(..10)))
    }

    fn event(&self, path: &str) -> Option<&(String, Option<String>)> {
        self.timeline.get(path.strip_prefix("/timeline/")?.split('/').next()?.parse::<usize>().ok()?)
    }

    fn moment(&self, path: &str) -> Option<&str> {
        match path {
            "/transaction/occurred_at" => self.times.transaction.as_deref(),
            "/case/alert_created_at" => self.times.alert.as_deref(),
            "/subject/account_opened_at" => self.times.account.as_deref(),
            "/subject/first_transaction_at" => self.times.first_transaction.as_deref(),
            "/baseline/first_at" => self.baseline_first.as_deref(),
            "/baseline/last_at" => self.baseline_last.as_deref(),
            path => self.event(path).map(|event| event.0.as_str()),
        }
    }

    /// Whether an amount of the timeline is the largest of the baseline, or the smallest.
    pub(crate) fn is_extreme_amount(&self, path: &str, largest: bool) -> bool {
        let extreme = if largest { &self.largest } else { &self.smallest };
        self.event(path).and_then(|event| event.1.as_ref()).is_some_and(|amount| Some(amount) == extreme.as_ref())
    }

    /// Whether the rule that is called so has the weight at this path.
    pub(crate) fn is_weight_of(&self, path: &str, said: &str) -> bool {
        let flag = path.split("/flags/").nth(1).and_then(|rest| rest.split('/').next()?.parse::<usize>().ok());
        let Some((_, weight)) = flag.and_then(|flag| self.rules.get(flag)) else { return true };
        self.rules.iter().any(|(name, own)| own == weight && name.starts_with(said))
    }

    /// The path of an earlier transaction at this merchant, whose name is `spoken`.
    pub(crate) fn earlier_merchant(&self, name: &str) -> Option<String> {
        let event = self.record.events.iter().find(|event| event.merchant.as_deref() == Some(name))?;
        Some(format!("/timeline/{}/event", event.place))
    }

    /// Whether a count or a sum is the same over an hour and over a day.
    pub(crate) fn is_same_in_both_windows(&self, path: &str) -> bool {
        self.equal_windows.iter().any(|known| known == path)
    }

    /// Whether anything was measured: a signal at or beyond its threshold, or a rule that held on a transaction on record.
    pub(crate) fn has_evidence(&self) -> bool {
        let has_transaction = self.present & w::TRANSACTION != 0;
        let is_evidence = |signal: &SignalFact| match signal.name.as_str() {
            _ if !matches!(signal.outcome, Outcome::Fired | Outcome::Reported) || signal.is_denied => false,
            "rule flags" => signal.rules_held > 0 && has_transaction,
            "amount deviation" if self.to_median.is_some_and(Ordering::is_le) => false,
            "geographic inconsistency" if has_transaction && self.present & w::LOCATION == 0 => false,
            _ => signal.is_measured,
        };
        self.signals.iter().any(is_evidence)
    }

    /// Whether anything of the customer from before is on record.
    pub(crate) fn has_history(&self) -> bool {
        self.transactions > 0 || self.present & w::BASELINE != 0 || self.new_country.is_some()
    }

    /// Whether a moment is of the transaction's day.
    pub(crate) fn is_day_of_transaction(&self, path: &str) -> bool {
        let day = |at: Option<&str>| at.and_then(|at| at.get(..10)).map(str::to_owned);
        let own = day(self.times.transaction.as_deref());
        own.is_some() && day(self.moment(path)) == own
    }

    /// Whether a moment is of the day on which the alert was created.
    pub(crate) fn is_day_of_alert(&self, path: &str) -> bool {
        let day = |at: Option<&str>| at.and_then(|at| at.get(..10)).map(str::to_owned);
        day(self.moment(path)) == day(self.times.alert.as_deref())
    }

    /// Whether this transaction was in a country, by its code, or in a city.
    pub(crate) fn is_here(&self, place: &str) -> bool {
        self.country.as_deref() == Some(place)
            || self.city.as_deref().is_some_and(|city| !place.is_empty() && city.starts_with(place))
    }

    /// Whether an earlier transaction was there.
    pub(crate) fn was_earlier(&self, place: &str) -> bool {
        let is_it = |(_, is_earlier, country, city): &(String, bool, String, Option<String>)| {
            *is_earlier
                && (country == place
                    || city.as_deref().is_some_and(|city| !place.is_empty() && city.starts_with(place)))
        };
        self.earlier_countries.iter().any(|known| known == place) || self.places.iter().any(is_it)
    }

    /// Whether a transaction was there on the day of this moment.
    pub(crate) fn was_on(&self, path: &str, place: &str) -> bool {
        let Some(day) = self.moment(path).and_then(|at| at.get(..10)) else { return self.was_earlier(place) };
        let is_it = |(at, _, country, city): &(String, bool, String, Option<String>)| {
            at.get(..10) == Some(day)
                && (country == place
                    || city.as_deref().is_some_and(|city| !place.is_empty() && city.starts_with(place)))
        };
        let is_own = self.times.transaction.as_deref().and_then(|at| at.get(..10)) == Some(day) && self.is_here(place);
        is_own || self.places.iter().any(is_it)
    }

    pub(crate) fn signal(&self, name: &str) -> Option<usize> {
        self.signals.iter().position(|signal| signal.name == name)
    }

    /// Whether a rule of this name held.
    pub(crate) fn has_rule(&self, name: &str) -> bool {
        let said = spoken(name);
        self.rules.iter().any(|(known, _)| *known == said)
    }

    /// Whether the signals' points are the score, up to the cap.
    pub(crate) fn explains_score(&self) -> bool {
        self.has_contributions && (self.sum_is_total || self.is_capped)
    }

    /// Whether the score is all that there can be.
    pub(crate) fn is_full_score(&self) -> bool {
        self.is_full_score
    }

    pub(crate) fn is_reported(&self, signal: usize) -> bool {
        self.signals.get(signal).is_some_and(|signal| signal.outcome == Outcome::Reported)
    }

    pub(crate) fn has_result(&self, signal: usize) -> bool {
        self.signals.get(signal).is_some_and(|signal| signal.outcome != Outcome::NoResult)
    }

    pub(crate) fn fired(&self) -> impl Iterator<Item = usize> {
        let with = |(at, signal): (usize, &SignalFact)| (signal.outcome == Outcome::Fired).then_some(at);
        self.signals.iter().enumerate().filter_map(with)
    }
}

/// Whether a report could quote at least the beginning of a text: what can't be quoted is as good as not stated.
fn is_speakable(text: &str) -> bool {
    let is_letter = |c: char| {
        matches!(c,
            'A'..='Z' | 'a'..='z' | 'À'..='ſ' | 'Ά'..='ώ' | 'Ѐ'..='џ' | 'א'..='ת' | 'ء'..='ي' | 'ぁ'..='ヺ' | 'ー' | '一'..='鿿' | '가'..='힣')
            && c.is_alphabetic()
    };
    let is_quotable = |c: &char| is_letter(*c) || c.is_ascii_digit() || " .,'&-/+:()!?%@".contains(*c);
    let rest = text.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end();
    let letters = rest.chars().take(40).take_while(is_quotable).filter(|c| c.is_alphabetic()).count();
    // The first two letters of a longer name fit too many.
    let is_whole = rest.chars().count() <= 40 && rest.chars().all(|c| is_quotable(&c)) && !rest.contains("  ");
    letters > 2 || letters == 2 && is_whole
}

const TEXTS: [(u64, &str); 5] = [
    (w::MERCHANT, "/transaction/merchant"),
    (w::CATEGORY, "/transaction/category"),
    (w::SOURCE, "/transaction/source_of_funds"),
    (w::DESTINATION, "/transaction/destination_of_funds"),
    (w::LOCATION, "/transaction/location/city"),
];

fn events(context: &Value) -> &[Value] {
    find(context, "/timeline").and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

fn timeline(context: &Value) -> Vec<(String, Option<String>)> {
    let text = |event: &Value, path: &str| find(event, path).and_then(Value::as_str).map(str::to_owned);
    events(context)
        .iter()
        .map(|event| (text(event, "/timestamp").unwrap_or_default(), text(event, "/amount/amount")))
        .collect()
}

fn earlier_at(context: &Value, first: bool) -> Option<String> {
    let mut earlier = events(context)
        .iter()
        .filter(|event| event.get("happening").and_then(Value::as_str) == Some("prior_transaction"));
    let event = if first { earlier.next() } else { earlier.next_back() };
    event?.get("timestamp")?.as_str().map(str::to_owned)
}

fn earlier_countries(context: &Value) -> Vec<String> {
    let earlier = events(context)
        .iter()
        .filter(|event| event.get("happening").and_then(Value::as_str) == Some("prior_transaction"));
    let mut countries: Vec<String> =
        earlier.filter_map(|event| find(event, "/location/country")?.as_str().map(str::to_owned)).collect();
    let usual = find(context, "/baseline/countries").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    countries.extend(usual.iter().filter_map(|one| one.get("country")?.as_str().map(str::to_owned)));
    countries.extend(route(context).map(|(from, _)| from));
    countries.sort_unstable();
    countries.dedup();
    countries
}

fn places(context: &Value) -> Vec<(String, bool, String, Option<String>)> {
    let read = |event: &Value| {
        let is_earlier = event.get("happening").and_then(Value::as_str) == Some("prior_transaction");
        let at = event.get("timestamp")?.as_str()?.to_owned();
        let country = find(event, "/location/country")?.as_str()?.to_owned();
        let city = find(event, "/location/city").and_then(Value::as_str).map(spoken);
        Some((at, is_earlier, country, city))
    };
    events(context).iter().filter_map(read).collect()
}

/// What was counted, in any signal: never its limits.
fn counts(context: &Value) -> Vec<u64> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let whole = |value: &Value| {
        value.as_f64().filter(|value| *value >= 0.0 && value.fract() == 0.0 && *value < 1e15).map(|value| value as u64)
    };
    let of_signal = |signal: &Value| {
        let details = signal.get("details").and_then(Value::as_object);
        let counted =
            details.into_iter().flatten().filter(|(key, _)| key.starts_with("count") && !key.ends_with("_limit"));
        let own = signal.get("value").and_then(whole);
        let before = signal.get("baseline").and_then(Value::as_object);
        let before = before.into_iter().flatten().filter(|(key, _)| !key.ends_with("_needed"));
        let counted = counted.chain(before);
        counted.filter_map(|(_, value)| whole(value)).chain(own).collect::<Vec<_>>()
    };
    let known = ["/baseline/transactions", "/subject/transaction_count"]
        .into_iter()
        .filter_map(|path| find(context, path)?.as_u64());
    signals.iter().take(SIGNALS_MAX).flat_map(of_signal).chain(known).collect()
}

fn new_country(context: &Value) -> Option<String> {
    let signals = find(context, "/signals")?.as_array()?;
    let signal =
        signals.iter().find(|signal| find(signal, "/details/is_new_country").and_then(Value::as_bool) == Some(true))?;
    find(signal, "/details/to_country")?.as_str().map(str::to_owned)
}

/// Where the account was used before, and where now.
fn route(context: &Value) -> Option<(String, String)> {
    let signals = find(context, "/signals")?.as_array()?;
    signals.iter().find_map(|signal| {
        let country = |key: &str| find(signal, key)?.as_str().map(str::to_owned);
        Some((country("/details/from_country")?, country("/details/to_country")?))
    })
}

fn signals(context: &Value) -> Vec<SignalFact> {
    let contributed = |name: &str| {
        let all = find(context, "/score/contributions")?.as_array()?;
        let of = all.iter().find(|part| part.get("signal").and_then(Value::as_str) == Some(name))?;
        of.get("points")?.as_u64()
    };
    let read = |signal: &Value| {
        let name = signal.get("name")?.as_str()?;
        let number = |key: &str| signal.get(key).and_then(Value::as_f64);
        let readable = |value: &f64| value.is_finite() && value.abs() < READABLE_MAX;
        let (value, threshold) = (number("value").filter(readable), number("threshold").filter(readable));
        Some(SignalFact {
            name: spoken(&name.replace('_', " ")),
            outcome: match signal.get("outcome").and_then(Value::as_str) {
                Some("fired") => Outcome::Fired,
                Some("clear") => Outcome::Clear,
                Some("reported") => Outcome::Reported,
                _ => Outcome::NoResult,
            },
            order: value
                .zip(threshold)
                .and_then(|(value, threshold)| as_written(value).partial_cmp(&as_written(threshold))),
            has_value: value.is_some(),
            is_measured: number("value").is_some()
                && number("threshold").is_some()
                && signal.get("unit").and_then(Value::as_str).is_some_and(|unit| !unit.trim().is_empty()),
            is_denied: number("value")
                .zip(number("threshold"))
                .is_some_and(|(value, threshold)| value < threshold - threshold.abs() * ROUNDING),
            has_threshold: threshold.is_some(),
            points: signal.get("contribution").and_then(Value::as_u64).or_else(|| contributed(name)),
            is_new_country: find(signal, "/details/is_new_country").and_then(Value::as_bool) == Some(true),
            rules_held: signal.get("flags").and_then(Value::as_array).map_or(0, Vec::len),
        })
    };
    let all = find(context, "/signals").and_then(Value::as_array);
    all.map(|all| all.iter().take(SIGNALS_MAX).filter_map(read).collect()).unwrap_or_default()
}

fn rules(context: &Value) -> Vec<(String, u64)> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let flags = signals.iter().filter_map(|signal| signal.get("flags")?.as_array()).flatten();
    let read = |flag: &Value| Some((spoken(flag.get("name")?.as_str()?), flag.get("weight")?.as_u64()?));
    flags.take(SIGNALS_MAX).filter_map(read).collect()
}

fn equal_windows(context: &Value) -> Vec<String> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let of_signal = |(at, signal): (usize, &Value)| {
        let details = signal.get("details").and_then(Value::as_object)?;
        let same = details.iter().filter(|(key, value)| {
            let other = if key.contains("_24h") { key.replace("_24h", "_1h") } else { key.replace("_1h", "_24h") };
            other != **key && details.get(&other) == Some(value)
        });
        Some(same.map(|(key, _)| format!("/signals/{at}/details/{key}")).collect::<Vec<_>>())
    };
    signals.iter().enumerate().take(SIGNALS_MAX).filter_map(of_signal).flatten().collect()
}

/// By the speed where it was measured, else by the signal's own value in km/h.
fn is_too_fast(context: &Value) -> bool {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_fast = |signal: &Value| {
        let number = |path: &str| find(signal, path).and_then(Value::as_f64);
        let is_speed = signal.get("unit").and_then(Value::as_str) == Some("km/h");
        let speed = if is_speed { number("/value") } else { None };
        speed.zip(number("/threshold")).is_some_and(|(speed, limit)| speed >= limit)
    };
    signals
        .iter()
        .filter(|signal| signal.get("name").and_then(Value::as_str) == Some("geographic_inconsistency"))
        .any(is_fast)
}

fn limits(context: &Value) -> Vec<(String, Ordering)> {
    let signals = find(context, "/signals").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let of_signal = |(at, signal): (usize, &Value)| {
        let details = signal.get("details").and_then(Value::as_object)?;
        let number = |value: &Value| value.as_f64().or_else(|| value.get("amount")?.as_str()?.parse().ok());
        let of = details.iter().filter_map(|(key, limit)| {
            let value = details.get(key.strip_suffix("_limit")?)?;
            let order = number(value)?.partial_cmp(&number(limit)?)?;
            Some((format!("/signals/{at}/details/{key}"), order))
        });
        Some(of.collect::<Vec<_>>())
    };
    signals.iter().enumerate().take(SIGNALS_MAX).filter_map(of_signal).flatten().collect()
}

/// To two decimals, as reports write it: what reads as the same figure is not more.
fn as_written(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn decimal(money: &Value) -> Option<rust_decimal::Decimal> {
    money.get("amount")?.as_str()?.parse().ok()
}
