//! The facts of a case, as the placeholders of templates.

use std::collections::{BTreeMap, BTreeSet};

use countersign_domain::{SignalName, transaction::Channel};
use countersign_factcheck::country_name;
use countersign_report::{
    AlertSource, Context, SignalFacts, SignalOutcome, TimelineEventKind, TransactionFacts, TransactionStatus,
};
use countersign_text::numbers::with_thousands;
use serde_json::Value;

use crate::format;

/// The values of the templates' placeholders for one case, and the conditions that hold for it.
pub(super) struct TemplateValues {
    pub(super) placeholders: BTreeMap<&'static str, String>,
    pub(super) conditions: BTreeSet<&'static str>,
}

impl TemplateValues {
    pub(super) fn put(&mut self, name: &'static str, value: impl Into<String>) {
        self.placeholders.insert(name, value.into());
    }

    pub(super) fn put_some(&mut self, name: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.placeholders.insert(name, value);
        }
    }

    fn set_condition(&mut self, name: &'static str, holds: bool) {
        if holds {
            self.conditions.insert(name);
        }
    }

    /// Stores a number as `name`, and as `ending` the plural ending of the noun after it.
    fn counted(&mut self, name: &'static str, ending: &'static str, number: u64) {
        self.put(name, format::count(number));
        self.put(ending, format::plural_ending(number));
    }

    pub(super) fn add_case(&mut self, context: &Context) {
        let case = &context.case;
        self.put("alert", format!("`{}`", case.alert_id));
        self.put("investigation", format!("`{}`", case.investigation_id));
        self.put("severity", case.severity.in_capitals());
        self.put("score", case.risk_score.get().to_string());
        self.put("impact", case.regulatory_impact.as_str());
        self.put("alert_date", format::date(case.alert_created_at));
        self.put("alert_time", format::time_to_second(case.alert_created_at));
        self.put("holder", format!("`{}`", context.subject.user_id));
        self.put("band_from", context.score.band_from.to_string());
        self.put("band_to", context.score.band_to.to_string());
        let is_outside = case.source == AlertSource::External;
        self.set_condition("outside", is_outside);
        self.set_condition("detector", !is_outside);
        self.set_condition("agrees", context.score.agrees_with_severity);
        let parts = &context.score.contributions;
        let sum: u32 = parts.iter().map(|part| u32::from(part.points)).sum();
        self.set_condition(
            "composed",
            !parts.is_empty() && (context.score.is_capped || sum == u32::from(case.risk_score.get())),
        );
        self.set_condition("capped", context.score.is_capped);
        if context.score.is_capped {
            self.put("sum", context.score.sum.to_string());
        }
        self.set_condition(case.severity.as_str(), true);
    }

    pub(super) fn add_transaction(&mut self, context: &Context) {
        let Some(transaction) = &context.transaction else {
            self.set_condition("no_transaction", true);
            return;
        };
        self.set_condition("transaction", true);
        self.put("amount", format::money(&transaction.amount));
        self.set_condition("six_figures", transaction.amount.amount().trunc().to_string().len() == 6);
        self.put("currency", transaction.amount.currency().as_str());
        self.put("date", format::date(transaction.occurred_at));
        self.put("time", format::time_to_minute(transaction.occurred_at));
        self.put("time_exact", format::time_to_second(transaction.occurred_at));
        self.put("tx", format!("`{}`", transaction.transaction_id));
        self.put_some("merchant", transaction.merchant.clone());
        self.put_some("category", transaction.category.clone());
        self.set_condition("no_merchant", transaction.merchant.is_none());
        self.put_some("memo", text_of(transaction, "memo"));
        let described = |text: &Option<String>| text.clone().filter(|text| text != "withheld");
        self.put_some("source", described(&transaction.source_of_funds));
        self.put_some("destination", described(&transaction.destination_of_funds));
        self.set_condition("no_source", transaction.source_of_funds.is_none());
        self.set_condition("no_destination", transaction.destination_of_funds.is_none());
        if let Some(place) = &transaction.location {
            self.put("country", place.country_name.clone());
            self.put_some("city", place.city.clone());
        }
        self.set_condition("no_place", transaction.location.is_none());
        self.set_condition("ip", transaction.ip_address.is_some());
        self.set_condition("device", transaction.device_fingerprint.is_some());
        self.set_condition("no_traces", transaction.ip_address.is_none() && transaction.device_fingerprint.is_none());
        self.set_condition(
            match transaction.status {
                TransactionStatus::Completed => "completed",
                TransactionStatus::Attempted => "attempted",
                TransactionStatus::NotStated => "unstated",
            },
            true,
        );
        let (condition, channel) = match transaction.channel {
            Some(Channel::CardPresent) => ("card_present", Some("card-present payment")),
            Some(Channel::CardNotPresent) => ("card_absent", Some("card-not-present payment")),
            Some(Channel::Transfer) => ("transfer", Some("transfer")),
            Some(Channel::Atm) => ("atm", Some("cash-machine transaction")),
            Some(Channel::Other) => ("other_channel", None),
            None => ("no_channel", None),
        };
        self.set_condition(condition, true);
        self.set_condition("card", matches!(transaction.channel, Some(Channel::CardPresent | Channel::CardNotPresent)));
        self.put_some("channel", channel.map(str::to_owned));
    }

    pub(super) fn add_baseline(&mut self, context: &Context) {
        let Some(baseline) = &context.baseline else {
            self.set_condition("no_baseline", true);
            return;
        };
        self.set_condition("baseline", true);
        self.put("median", format::money(&baseline.median_amount));
        self.put("largest", format::money(&baseline.largest_amount));
        self.put("smallest", format::money(&baseline.smallest_amount));
        self.put("total", format::money(&baseline.total_amount));
        self.put_some("ratio", baseline.ratio_to_median.map(format::number));
        self.put_some("difference", baseline.difference_from_median.as_ref().map(format::money));
        self.counted("baseline_count", "baseline_s", baseline.transactions);
        self.counted("baseline_days", "baseline_days_s", baseline.days);
        self.set_condition("baseline_differs", baseline.days != baseline.transactions);
        self.put("baseline_first", format::date(baseline.first_at));
        self.put("baseline_last", format::date(baseline.last_at));
        if let Some(usual) = baseline.countries.first() {
            self.put("usual_country", usual.country_name.clone());
            self.counted("usual_count", "usual_s", usual.transactions);
            let here = context.transaction.as_ref().and_then(|transaction| transaction.location.as_ref());
            self.set_condition("at_home", here.is_some_and(|here| here.country == usual.country));
            let is_abroad = |country: &str| baseline.countries.iter().all(|known| known.country != country);
            self.set_condition("abroad", here.is_some_and(|here| is_abroad(&here.country)));
        }
        if let Some(transaction) = &context.transaction {
            let amount = transaction.amount.amount();
            self.set_condition("above_median", amount > baseline.median_amount.amount());
            self.set_condition("below_median", amount < baseline.median_amount.amount());
            self.set_condition("largest_ever", amount > baseline.largest_amount.amount());
            self.set_condition("within_range", amount <= baseline.largest_amount.amount());
        }
    }

    pub(super) fn add_signals(&mut self, context: &Context) {
        let mut fired: Vec<&SignalFacts> =
            context.signals.iter().filter(|signal| signal.outcome == SignalOutcome::Fired).collect();
        fired.sort_by_key(|signal| std::cmp::Reverse(signal.contribution));
        let with_outcome =
            |outcome: SignalOutcome| context.signals.iter().filter(move |signal| signal.outcome == outcome).map(called);
        self.put("fired_count", format::count(fired.len() as u64));
        self.put("fired_s", format::plural_ending(fired.len() as u64));
        for (placeholder, signal) in ["top", "second", "third"].into_iter().zip(&fired) {
            self.put(placeholder, called(signal));
        }
        self.set_condition("one_fired", fired.len() == 1);
        self.set_condition("many_fired", fired.len() > 1);
        self.set_condition("no_signals", context.signals.is_empty());
        for (placeholder, name) in ["clear", "clear2"].into_iter().zip(with_outcome(SignalOutcome::Clear)) {
            self.put(placeholder, name);
        }
        let no_result =
            with_outcome(SignalOutcome::InsufficientHistory).chain(with_outcome(SignalOutcome::NotApplicable));
        for (placeholder, name) in ["open", "open2"].into_iter().zip(no_result) {
            self.put(placeholder, name);
        }
        self.put_some("reported", with_outcome(SignalOutcome::Reported).next());
        self.add_idle_signals(context);
        self.add_contributions(context);
        for signal in &context.signals {
            self.add_signal(context, signal);
        }
    }

    /// Adds the detector's signals that neither fired nor were reported. The alert may lack them.
    fn add_idle_signals(&mut self, context: &Context) {
        let is_idle = |name: &SignalName| {
            let found = context.signals.iter().find(|signal| signal.known() == Some(*name));
            found.is_none_or(|signal| !matches!(signal.outcome, SignalOutcome::Fired | SignalOutcome::Reported))
        };
        let idle = SignalName::ALL.into_iter().filter(is_idle).map(plain);
        for (placeholder, name) in ["idle", "idle2"].into_iter().zip(idle) {
            self.put(placeholder, name);
        }
    }

    fn add_contributions(&mut self, context: &Context) {
        let mut parts: Vec<(String, u8)> = context
            .signals
            .iter()
            .filter_map(|signal| Some((called(signal), signal.contribution.filter(|points| *points > 0)?)))
            .collect();
        parts.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
        let names = [("heaviest", "heaviest_points"), ("next", "next_points"), ("third_part", "third_points")];
        for ((name, points), (signal, given)) in names.into_iter().zip(&parts) {
            self.put(name, signal.clone());
            self.put(points, given.to_string());
        }
        if let [first, .., last] = parts.as_slice() {
            self.set_condition("unequal", first.1 > last.1);
            self.put("lightest", last.0.clone());
            self.put("lightest_points", last.1.to_string());
            if let Some(second) = parts.get(1) {
                self.set_condition("leads", first.1 > second.1);
            }
        }
        let heaviest = parts.first().map(|(signal, _)| signal.clone());
        self.set_condition("clear_light", heaviest.is_some() && self.placeholders.get("clear") != heaviest.as_ref());
        self.set_condition("one_part", parts.len() == 1);
        self.set_condition("two_parts", parts.len() == 2);
        self.set_condition("three_parts", parts.len() == 3);
    }

    fn add_signal(&mut self, context: &Context, signal: &SignalFacts) {
        let fired = signal.outcome == SignalOutcome::Fired;
        let clear = signal.outcome == SignalOutcome::Clear;
        let figure = |key: &str| find(signal, key).and_then(Value::as_f64).map(format::number);
        let whole = |key: &str| find(signal, key).and_then(Value::as_u64);
        let money = |key: &str| {
            find(signal, key)
                .and_then(|value| serde_json::from_value(value.clone()).ok())
                .map(|money| format::money(&money))
        };
        let exceeds = signal.value.zip(signal.threshold).is_some_and(|(value, threshold)| value > threshold);
        match signal.known() {
            Some(SignalName::AmountDeviation) => {
                self.set_condition("amount_fired", fired && exceeds);
                self.set_condition("amount_clear", clear);
                let times = signal.value.zip(signal.threshold).map(|(value, threshold)| value / threshold);
                self.set_condition("near_exceeded", fired && times.is_some_and(|times| times > 1.0 && times < 1.25));
                self.set_condition("far_exceeded", fired && times.is_some_and(|times| times > 1.4));
                self.put_some("z", signal.value.map(format::number));
                self.put_some("z_threshold", signal.threshold.filter(|_| signal.value.is_some()).map(format::number));
                self.put_some("amount_points", points(signal));
            }
            Some(SignalName::VelocityAnomaly) => {
                self.set_condition("velocity_fired", fired);
                self.set_condition("velocity_clear", clear);
                if let (Some(hour), Some(day)) = (whole("count_1h"), whole("count_24h")) {
                    self.counted("hour", "hour_s", hour);
                    self.counted("day", "day_s", day);
                    self.set_condition("counts", true);
                    self.set_condition("counts_differ", hour != day);
                    self.set_condition("several_hour", hour > 1);
                }
                self.put_some("hour_limit", whole("count_1h_limit").map(format::count));
                self.put_some("day_limit", whole("count_24h_limit").map(format::count));
                self.put_some("hour_sum", money("sum_1h"));
                self.put_some("day_sum", money("sum_24h"));
                self.put_some("usual_rate", figure("usual_per_day"));
                let unit = signal.unit.as_deref().unwrap_or_default();
                self.set_condition("hour_leads", fired && exceeds && unit == "transactions in 1 hour");
                self.set_condition("day_leads", fired && exceeds && unit == "transactions in 24 hours");
                self.put_some("velocity_points", points(signal));
            }
            Some(SignalName::GeographicInconsistency) => {
                let is_new = signal.unit.as_deref().is_some_and(|unit| unit.starts_with("countr"));
                self.set_condition("travel_fired", fired && !is_new && exceeds);
                self.set_condition("country_fired", fired && is_new);
                self.set_condition("geo_fired", fired);
                self.set_condition("geo_clear", clear);
                self.put_some("travel_points", points(signal));
                if is_new {
                    return;
                }
                self.set_condition(
                    "geo_slow",
                    clear && signal.value.zip(signal.threshold).is_some_and(|(value, threshold)| value < threshold),
                );
                self.put_some("speed", signal.value.map(format::number));
                self.put_some("speed_limit", signal.threshold.filter(|_| signal.value.is_some()).map(format::number));
                self.put_some("distance", figure("distance_km"));
                self.put_some("minutes", whole("minutes").map(|minutes| with_thousands(&minutes.to_string())));
                let country = |key: &str| {
                    let code = find(signal, key).and_then(Value::as_str)?;
                    country_name(code).map(str::to_owned)
                };
                self.put_some("from", country("from_country"));
                self.put_some("to", country("to_country"));
                self.set_condition("journey", find(signal, "from_country") != find(signal, "to_country"));
            }
            Some(SignalName::RuleFlags) => {
                self.set_condition("rules_fired", fired && !signal.flags.is_empty());
                self.set_condition("rules_clear", clear);
                self.counted("rules_held", "rules_s", signal.flags.len() as u64);
                self.set_condition("one_rule", signal.flags.len() == 1);
                self.set_condition("many_rules", signal.flags.len() > 1);
                self.put_some("rules_points", points(signal));
                let mut flags: Vec<_> = signal.flags.iter().collect();
                flags.sort_by_key(|flag| std::cmp::Reverse(flag.weight));
                if let Some(heaviest) = flags.first() {
                    self.put("rule", format!("`{}`", heaviest.name));
                    self.put("rule_weight", heaviest.weight.to_string());
                }
                if let Some(lighter) = flags.get(1) {
                    self.put("rule2", format!("`{}`", lighter.name));
                    self.put("rule2_weight", lighter.weight.to_string());
                    self.set_condition(
                        "rules_differ",
                        flags.first().is_some_and(|first| first.weight > lighter.weight),
                    );
                }
            }
            None => {}
        }
        if signal.outcome == SignalOutcome::Reported || context.case.source == AlertSource::External {
            self.set_condition("has_reported", signal.outcome == SignalOutcome::Reported);
        }
    }

    pub(super) fn add_history(&mut self, context: &Context) {
        let subject = &context.subject;
        self.counted("earlier", "earlier_s", subject.transaction_count);
        self.set_condition("has_earlier", subject.transaction_count > 0);
        self.put_some("opened", subject.account_opened_at.map(format::date));
        self.set_condition("no_opening", subject.account_opened_at.is_none());
        if let Some(age) = subject.account_age_days {
            self.counted("age", "age_s", age);
        }
        self.put_some("first_seen", subject.first_transaction_at.map(format::date));
        let correlation = &context.correlation;
        self.counted("prior", "prior_s", correlation.prior_alerts);
        self.set_condition("has_prior", correlation.prior_alerts > 0);
        self.set_condition("no_prior", correlation.prior_alerts == 0);
        self.put_some("last_alert", correlation.last_alert_at.map(format::date));
        self.counted("similar", "similar_s", correlation.similar_alerts);
        self.set_condition("has_similar", correlation.similar_alerts > 0);
        self.put("within", correlation.similar_within_points.to_string());
        let by_severity = correlation.prior_alerts_by_severity;
        for (placeholder, ending, count) in [
            ("prior_critical", "prior_critical_s", by_severity.critical),
            ("prior_high", "prior_high_s", by_severity.high),
            ("prior_medium", "prior_medium_s", by_severity.medium),
            ("prior_low", "prior_low_s", by_severity.low),
        ] {
            if count > 0 {
                self.counted(placeholder, ending, count);
            }
        }
        let earlier: Vec<_> =
            context.timeline.iter().filter(|event| event.happening == TimelineEventKind::PriorTransaction).collect();
        if let (Some(first), Some(last)) = (earlier.first(), earlier.last()) {
            self.put_some("first_amount", first.amount.as_ref().map(format::money));
            self.put_some("last_amount", last.amount.as_ref().map(format::money));
            self.put("last_date", format::date(last.timestamp));
            self.put("last_time", format::time_to_minute(last.timestamp));
            self.put("first_date", format::date(first.timestamp));
            self.put("first_time", format::time_to_minute(first.timestamp));
            self.set_condition("whole_timeline", context.timeline_omitted == 0);
            self.set_condition("several_earlier", earlier.len() > 2);
        }
    }
}

fn text_of(transaction: &TransactionFacts, key: &str) -> Option<String> {
    transaction.metadata.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn find<'a>(signal: &'a SignalFacts, key: &str) -> Option<&'a Value> {
    signal.details.get(key).or_else(|| signal.baseline.get(key))
}

fn points(signal: &SignalFacts) -> Option<String> {
    signal.contribution.filter(|points| *points > 1).map(|points| points.to_string())
}

/// The name of a signal as prose writes it.
fn called(signal: &SignalFacts) -> String {
    signal.known().map_or_else(|| format!("signal `{}`", signal.name), |name| plain(name).to_owned())
}

fn plain(name: SignalName) -> &'static str {
    match name {
        SignalName::AmountDeviation => "amount deviation",
        SignalName::VelocityAnomaly => "velocity anomaly",
        SignalName::GeographicInconsistency => "geographic inconsistency",
        SignalName::RuleFlags => "rule flags",
    }
}
