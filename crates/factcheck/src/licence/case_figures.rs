//! Reading the context, for stage 7: the figures of a case by their role, and its events in order. Once the words around a
//! figure name a role, the figure must equal the value stored here for that role.

use rust_decimal::Decimal;
use serde_json::Value;

use crate::calendar::Moment;
use crate::fact::SeverityLevel;
use crate::fold::normalised;

const EVENTS_MAX: usize = 2_000;
const SIGNALS_MAX: usize = 64;

/// The figures of a case by role. Each is `None` where the context has no such fact.
#[derive(Debug, Default)]
pub(crate) struct CaseFigures {
    pub(crate) baseline_count: Option<Decimal>,
    pub(crate) baseline_days: Option<Decimal>,
    /// The number of earlier transactions in any currency.
    pub(crate) history_count: Option<Decimal>,
    pub(crate) other_currencies: Option<Decimal>,
    pub(crate) account_days: Option<Decimal>,
    pub(crate) prior_alerts: Option<Decimal>,
    /// In the order low, medium, high, critical.
    pub(crate) prior_by_level: [Option<Decimal>; 4],
    pub(crate) similar_alerts: Option<Decimal>,
    pub(crate) amount: Option<Decimal>,
    pub(crate) currency: Option<String>,
    pub(crate) median: Option<Decimal>,
    pub(crate) largest: Option<Decimal>,
    pub(crate) smallest: Option<Decimal>,
    pub(crate) total: Option<Decimal>,
    pub(crate) band: Option<(Decimal, Decimal)>,
    pub(crate) maximum: Option<Decimal>,
    pub(crate) points: Option<Decimal>,
    pub(crate) rules_in_force: Option<Decimal>,
    pub(crate) rules_held: Option<Decimal>,
    pub(crate) baseline_span: Option<(Moment, Moment)>,
    pub(crate) countries: Vec<(String, Decimal)>,
    pub(crate) signals: Vec<SignalFigures>,
    pub(crate) events: Vec<CaseEvent>,
    pub(crate) alert: Option<Moment>,
    pub(crate) account: Option<Moment>,
    pub(crate) investigation: Option<Moment>,
    pub(crate) last_alert: Option<Moment>,
}

/// The figures of one signal.
#[derive(Debug, Default)]
pub(crate) struct SignalFigures {
    pub(crate) threshold: Option<Decimal>,
    pub(crate) value: Option<Decimal>,
    /// The numbers of earlier transactions that the signal was compared with.
    pub(crate) history: Vec<Decimal>,
    pub(crate) needed: Option<Decimal>,
    pub(crate) days: Option<Decimal>,
    pub(crate) per_day: Option<Decimal>,
    /// Over one hour and over one day.
    pub(crate) counts: [Option<Decimal>; 2],
    pub(crate) count_limits: [Option<Decimal>; 2],
    pub(crate) sums: [Option<Decimal>; 2],
    pub(crate) sum_limits: [Option<Decimal>; 2],
    /// The duration of a journey, in seconds.
    pub(crate) elapsed: Option<Decimal>,
    /// The window that the unit names, if value and threshold are counts over a window: 0 for an hour, 1 for a day.
    pub(crate) window: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    Transaction,
    PriorTransaction,
    PriorAlert,
}

/// A transaction or an alert on the timeline, with all of its known details.
#[derive(Debug)]
pub(crate) struct CaseEvent {
    /// Its index on the timeline.
    pub(crate) place: usize,
    pub(crate) kind: EventKind,
    pub(crate) at: Moment,
    pub(crate) amount: Option<Decimal>,
    pub(crate) country: Option<String>,
    /// Normalised (`fold::normalised`).
    pub(crate) merchant: Option<String>,
    pub(crate) level: Option<SeverityLevel>,
    pub(crate) score: Option<Decimal>,
}

impl CaseFigures {
    pub(crate) fn of(context: &Value) -> Self {
        let at = |path: &str| find(context, path);
        let figure = |path: &str| at(path).and_then(decimal);
        let moment = |path: &str| at(path).and_then(Value::as_str).and_then(Moment::parse);
        let levels = ["low", "medium", "high", "critical"];
        let signals: Vec<SignalFigures> =
            list(context, "/signals").iter().take(SIGNALS_MAX).map(SignalFigures::of).collect();
        let flags = list(context, "/signals").iter().filter_map(|signal| signal.get("flags")?.as_array());
        let held = flags.map(|flags| flags.len() as u64).reduce(|all, more| all + more);
        Self {
            baseline_count: figure("/baseline/transactions"),
            baseline_days: figure("/baseline/days"),
            history_count: figure("/subject/transaction_count"),
            other_currencies: figure("/subject/transactions_in_other_currencies"),
            account_days: figure("/subject/account_age_days"),
            prior_alerts: figure("/correlation/prior_alerts"),
            prior_by_level: levels.map(|level| figure(&format!("/correlation/prior_alerts_by_severity/{level}"))),
            similar_alerts: figure("/correlation/similar_alerts"),
            amount: figure("/transaction/amount"),
            currency: at("/transaction/amount/currency").and_then(Value::as_str).map(str::to_owned),
            median: figure("/baseline/median_amount"),
            largest: figure("/baseline/largest_amount"),
            smallest: figure("/baseline/smallest_amount"),
            total: figure("/baseline/total_amount"),
            band: figure("/score/band_from").zip(figure("/score/band_to")),
            maximum: figure("/score/maximum"),
            points: figure("/score/sum"),
            rules_in_force: list(context, "/signals")
                .iter()
                .find_map(|signal| decimal(find(signal, "/baseline/rules")?)),
            rules_held: held.map(Decimal::from),
            baseline_span: moment("/baseline/first_at").zip(moment("/baseline/last_at")),
            countries: list(context, "/baseline/countries").iter().filter_map(country).collect(),
            signals,
            events: list(context, "/timeline").iter().take(EVENTS_MAX).enumerate().filter_map(CaseEvent::of).collect(),
            alert: moment("/case/alert_created_at"),
            account: moment("/subject/account_opened_at"),
            investigation: list(context, "/timeline")
                .iter()
                .rfind(|event| event.get("happening").and_then(Value::as_str) == Some("investigation_opened"))
                .and_then(|event| Moment::parse(event.get("timestamp")?.as_str()?)),
            last_alert: moment("/correlation/last_alert_at"),
        }
    }

    pub(crate) fn prior_alert_events(&self) -> impl DoubleEndedIterator<Item = &CaseEvent> {
        self.events.iter().filter(|event| event.kind == EventKind::PriorAlert)
    }
}

impl SignalFigures {
    fn of(signal: &Value) -> Self {
        let figure = |path: &str| find(signal, path).and_then(decimal);
        let unit = signal.get("unit").and_then(Value::as_str).unwrap_or_default();
        Self {
            value: figure("/value"),
            threshold: figure("/threshold"),
            history: ["/baseline/transactions", "/baseline/located_transactions"]
                .iter()
                .filter_map(|path| figure(path))
                .collect(),
            needed: figure("/baseline/transactions_needed"),
            days: figure("/baseline/days"),
            per_day: figure("/baseline/usual_per_day"),
            counts: [figure("/details/count_1h"), figure("/details/count_24h")],
            count_limits: [figure("/details/count_1h_limit"), figure("/details/count_24h_limit")],
            sums: [figure("/details/sum_1h"), figure("/details/sum_24h")],
            sum_limits: [figure("/details/sum_1h_limit"), figure("/details/sum_24h_limit")],
            elapsed: figure("/details/minutes").and_then(|minutes| minutes.checked_mul(Decimal::from(60))),
            window: match unit {
                unit if unit.ends_with("in 1 hour") => Some(0),
                unit if unit.ends_with("in 24 hours") => Some(1),
                _ => None,
            },
        }
    }
}

impl CaseEvent {
    fn of((place, event): (usize, &Value)) -> Option<Self> {
        let text = |path: &str| find(event, path).and_then(Value::as_str);
        Some(Self {
            place,
            kind: match text("/happening")? {
                "transaction" => EventKind::Transaction,
                "prior_transaction" => EventKind::PriorTransaction,
                "prior_alert" => EventKind::PriorAlert,
                _ => return None,
            },
            at: Moment::parse(text("/timestamp")?)?,
            amount: event.get("amount").and_then(decimal),
            country: text("/location/country").map(str::to_owned),
            merchant: merchant(event).map(normalised),
            level: text("/severity").and_then(|level| SeverityLevel::of(&level.to_ascii_lowercase())),
            score: event.get("risk_score").and_then(decimal),
        })
    }
}

/// The merchant of a transaction on the timeline. The timeline has it only in the event's sentence: "… EUR 5.00 at
/// Cobalt Cycles in Porto, Portugal."
fn merchant(event: &Value) -> Option<&str> {
    let (_, rest) = event.get("event")?.as_str()?.split_once(": ")?;
    let (_, named) = rest.strip_suffix('.')?.split_once(" at ")?;
    let place = |field: &str| event.get("location")?.get(field)?.as_str();
    let named = match place("country_name") {
        Some(country) => named.strip_suffix(country)?,
        None => return Some(named),
    };
    let named = match place("city") {
        Some(city) => named.strip_suffix(", ")?.strip_suffix(city)?,
        None => named,
    };
    named.strip_suffix(" in ")
}

/// The value at a JSON pointer without escapes. `Value::pointer` handles escapes too, but allocates two strings for each key.
pub(crate) fn find<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let mut value = value;
    let mut rest = path.strip_prefix('/');
    while let Some(keys) = rest {
        // Searching by bytes is faster here: about two hundred paths are looked up per context, and setting up a
        // character search costs more than scanning a short key.
        let (key, after) = match keys.bytes().position(|byte| byte == b'/') {
            Some(end) => (&keys[..end], Some(&keys[end + 1..])),
            None => (keys, None),
        };
        value = match value {
            Value::Object(object) => object.get(key)?,
            Value::Array(items) => items.get(key.parse::<usize>().ok()?)?,
            _ => return None,
        };
        rest = after;
    }
    Some(value)
}

fn list<'v>(context: &'v Value, path: &str) -> &'v [Value] {
    find(context, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn country(counted: &Value) -> Option<(String, Decimal)> {
    Some((counted.get("country")?.as_str()?.to_owned(), decimal(counted.get("transactions")?)?))
}

/// A number, or the amount of an object that holds an amount of money.
fn decimal(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => match number.as_i64() {
            Some(whole) => Some(Decimal::from(whole)),
            None => number.to_string().parse().ok(),
        },
        money => money.get("amount")?.as_str()?.parse().ok(),
    }
}
