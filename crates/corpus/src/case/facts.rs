//! The facts of a case, under the names that templates use.

use std::collections::{BTreeMap, BTreeSet};

use countersign_domain::{SignalName, transaction::Channel};
use countersign_factcheck::country_name;
use countersign_report::{
    AlertSource, Context, SignalFacts, SignalOutcome, TimelineEventKind, TransactionFacts, TransactionStatus,
};
use serde_json::Value;

use crate::say;

/// The facts of a case by name, and the conditions that hold for it.
pub(super) struct CaseNames {
    pub(super) slots: BTreeMap<&'static str, String>,
    pub(super) flags: BTreeSet<&'static str>,
}

impl CaseNames {
    pub(super) fn put(&mut self, name: &'static str, value: impl Into<String>) {
        self.slots.insert(name, value.into());
    }

    pub(super) fn put_some(&mut self, name: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.slots.insert(name, value);
        }
    }

    fn set_flag(&mut self, name: &'static str, holds: bool) {
        if holds {
            self.flags.insert(name);
        }
    }

    /// Stores a number as `name`, and the plural ending of the noun after it as `ending`.
    fn counted(&mut self, name: &'static str, ending: &'static str, number: u64) {
        self.put(name, say::count(number));
        self.put(ending, say::plural(number));
    }

    pub(super) fn add_case(&mut self, context: &Context) {
        let case = &context.case;
        self.put("alert", format!("`{}`", case.alert_id));
        self.put("investigation", format!("`{}`", case.investigation_id));
        self.put("severity", case.severity.in_capitals());
        self.put("score", case.risk_score.get().to_string());
        self.put("impact", case.regulatory_impact.as_str());
        self.put("alert_date", say::date(case.alert_created_at));
        self.put("alert_time", say::time_exact(case.alert_created_at));
        self.put("holder", format!("`{}`", context.subject.user_id));
        self.put("band_from", context.score.band_from.to_string());
        self.put("band_to", context.score.band_to.to_string());
        let is_outside = case.source == AlertSource::External;
        self.set_flag("outside", is_outside);
        self.set_flag("detector", !is_outside);
        self.set_flag("agrees", context.score.agrees_with_severity);
        let parts = &context.score.contributions;
        let sum: u32 = parts.iter().map(|part| u32::from(part.points)).sum();
        self.set_flag(
            "composed",
            !parts.is_empty() && (context.score.is_capped || sum == u32::from(case.risk_score.get())),
        );
        self.set_flag("capped", context.score.is_capped);
        if context.score.is_capped {
            self.put("sum", context.score.sum.to_string());
        }
        self.set_flag(case.severity.as_str(), true);
    }

    pub(super) fn add_transaction(&mut self, context: &Context) {
        let Some(transaction) = &context.transaction else {
            self.set_flag("no_transaction", true);
            return;
        };
        self.set_flag("transaction", true);
        self.put("amount", say::money(&transaction.amount));
        self.set_flag("six_figures", transaction.amount.amount().trunc().to_string().len() == 6);
        self.put("currency", transaction.amount.currency().as_str());
        self.put("date", say::date(transaction.occurred_at));
        self.put("time", say::time(transaction.occurred_at));
        self.put("time_exact", say::time_exact(transaction.occurred_at));
        self.put("tx", format!("`{}`", transaction.transaction_id));
        self.put_some("merchant", transaction.merchant.clone());
        self.put_some("category", transaction.category.clone());
        self.set_flag("no_merchant", transaction.merchant.is_none());
        self.put_some("memo", text_of(transaction, "memo"));
        let described = |text: &Option<String>| text.clone().filter(|text| text != "withheld");
        self.put_some("source", described(&transaction.source_of_funds));
        self.put_some("destination", described(&transaction.destination_of_funds));
        self.set_flag("no_source", transaction.source_of_funds.is_none());
        self.set_flag("no_destination", transaction.destination_of_funds.is_none());
        if let Some(place) = &transaction.location {
            self.put("country", place.country_name.clone());
            self.put_some("city", place.city.clone());
        }
        self.set_flag("no_place", transaction.location.is_none());
        self.set_flag("ip", transaction.ip_address.is_some());
        self.set_flag("device", transaction.device_fingerprint.is_some());
        self.set_flag("no_traces", transaction.ip_address.is_none() && transaction.device_fingerprint.is_none());
        self.set_flag(
            match transaction.status {
                TransactionStatus::Completed => "completed",
                TransactionStatus::Attempted => "attempted",
                TransactionStatus::NotStated => "unstated",
            },
            true,
        );
        let (flag, channel) = match transaction.channel {
            Some(Channel::CardPresent) => ("card_present", Some("card-present payment")),
            Some(Channel::CardNotPresent) => ("card_absent", Some("card-not-present payment")),
            Some(Channel::Transfer) => ("transfer", Some("transfer")),
            Some(Channel::Atm) => ("atm", Some("cash-machine transaction")),
            Some(Channel::Other) => ("other_channel", None),
            None => ("no_channel", None),
        };
        self.set_flag(flag, true);
        self.set_flag("card", matches!(transaction.channel, Some(Channel::CardPresent | Channel::CardNotPresent)));
        self.put_some("channel", channel.map(str::to_owned));
    }

    pub(super) fn add_baseline(&mut self, context: &Context) {
        let Some(baseline) = &context.baseline else {
            self.set_flag("no_baseline", true);
            return;
        };
        self.set_flag("baseline", true);
        self.put("median", say::money(&baseline.median_amount));
        self.put("largest", say::money(&baseline.largest_amount));
        self.put("smallest", say::money(&baseline.smallest_amount));
        self.put("total", say::money(&baseline.total_amount));
        self.put_some("ratio", baseline.ratio_to_median.map(say::number));
        self.put_some("difference", baseline.difference_from_median.as_ref().map(say::money));
        self.counted("baseline_count", "baseline_s", baseline.transactions);
        self.counted("baseline_days", "baseline_days_s", baseline.days);
        self.set_flag("baseline_differs", baseline.days != baseline.transactions);
        self.put("baseline_first", say::date(baseline.first_at));
        self.put("baseline_last", say::date(baseline.last_at));
        if let Some(usual) = baseline.countries.first() {
            self.put("usual_country", usual.country_name.clone());
            self.counted("usual_count", "usual_s", usual.transactions);
            let here = context.transaction.as_ref().and_then(|transaction| transaction.location.as_ref());
            self.set_flag("at_home", here.is_some_and(|here| here.country == usual.country));
            let is_abroad = |country: &str| baseline.countries.iter().all(|known| known.country != country);
            self.set_flag("abroad", here.is_some_and(|here| is_abroad(&here.country)));
        }
        if let Some(transaction) = &context.transaction {
            let amount = transaction.amount.amount();
            self.set_flag("above_median", amount > baseline.median_amount.amount());
            self.set_flag("below_median", amount < baseline.median_amount.amount());
            self.set_flag("largest_ever", amount > baseline.largest_amount.amount());
            self.set_flag("within_range", amount <= baseline.largest_amount.amount());
        }
    }

    pub(super) fn add_signals(&mut self, context: &Context) {
        let mut fired: Vec<&SignalFacts> =
            context.signals.iter().filter(|signal| signal.outcome == SignalOutcome::Fired).collect();
        fired.sort_by_key(|signal| std::cmp::Reverse(signal.contribution));
        let of =
            |outcome: SignalOutcome| context.signals.iter().filter(move |signal| signal.outcome == outcome).map(called);
        self.put("fired_count", say::count(fired.len() as u64));
        self.put("fired_s", say::plural(fired.len() as u64));
        for (slot, signal) in ["top", "second", "third"].into_iter().zip(&fired) {
            self.put(slot, called(signal));
        }
        self.set_flag("one_fired", fired.len() == 1);
        self.set_flag("many_fired", fired.len() > 1);
        self.set_flag("no_signals", context.signals.is_empty());
        for (slot, name) in ["clear", "clear2"].into_iter().zip(of(SignalOutcome::Clear)) {
            self.put(slot, name);
        }
        let no_result = of(SignalOutcome::InsufficientHistory).chain(of(SignalOutcome::NotApplicable));
        for (slot, name) in ["open", "open2"].into_iter().zip(no_result) {
            self.put(slot, name);
        }
        self.put_some("reported", of(SignalOutcome::Reported).next());
        self.add_contributions(context);
        for signal in &context.signals {
            self.add_signal(context, signal);
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
            self.set_flag("unequal", first.1 > last.1);
            self.put("lightest", last.0.clone());
            self.put("lightest_points", last.1.to_string());
            if let Some(second) = parts.get(1) {
                self.set_flag("leads", first.1 > second.1);
            }
        }
        let heaviest = parts.first().map(|(signal, _)| signal.clone());
        self.set_flag("clear_light", heaviest.is_some() && self.slots.get("clear") != heaviest.as_ref());
        self.set_flag("one_part", parts.len() == 1);
        self.set_flag("two_parts", parts.len() == 2);
        self.set_flag("three_parts", parts.len() == 3);
    }

    fn add_signal(&mut self, context: &Context, signal: &SignalFacts) {
        let fired = signal.outcome == SignalOutcome::Fired;
        let clear = signal.outcome == SignalOutcome::Clear;
        let figure = |key: &str| find(signal, key).and_then(Value::as_f64).map(say::number);
        let whole = |key: &str| find(signal, key).and_then(Value::as_u64);
        let money = |key: &str| {
            find(signal, key)
                .and_then(|value| serde_json::from_value(value.clone()).ok())
                .map(|money| say::money(&money))
        };
        let exceeds = signal.value.zip(signal.threshold).is_some_and(|(value, threshold)| value > threshold);
        match signal.known() {
            Some(SignalName::AmountDeviation) => {
                self.set_flag("amount_fired", fired && exceeds);
                self.set_flag("amount_clear", clear);
                let times = signal.value.zip(signal.threshold).map(|(value, threshold)| value / threshold);
                self.set_flag("near_exceeded", fired && times.is_some_and(|times| times > 1.0 && times < 1.25));
                self.set_flag("far_exceeded", fired && times.is_some_and(|times| times > 1.4));
                self.put_some("z", signal.value.map(say::number));
                self.put_some("z_threshold", signal.threshold.filter(|_| signal.value.is_some()).map(say::number));
                self.put_some("amount_points", points(signal));
            }
            Some(SignalName::VelocityAnomaly) => {
                self.set_flag("velocity_fired", fired);
                self.set_flag("velocity_clear", clear);
                if let (Some(hour), Some(day)) = (whole("count_1h"), whole("count_24h")) {
                    self.counted("hour", "hour_s", hour);
                    self.counted("day", "day_s", day);
                    self.set_flag("counts", true);
                    self.set_flag("counts_differ", hour != day);
                    self.set_flag("several_hour", hour > 1);
                }
                self.put_some("hour_limit", whole("count_1h_limit").map(say::count));
                self.put_some("day_limit", whole("count_24h_limit").map(say::count));
                self.put_some("hour_sum", money("sum_1h"));
                self.put_some("day_sum", money("sum_24h"));
                self.put_some("usual_rate", figure("usual_per_day"));
                let unit = signal.unit.as_deref().unwrap_or_default();
                self.set_flag("hour_leads", fired && exceeds && unit == "transactions in 1 hour");
                self.set_flag("day_leads", fired && exceeds && unit == "transactions in 24 hours");
                self.put_some("velocity_points", points(signal));
            }
            Some(SignalName::GeographicInconsistency) => {
                let is_new = signal.unit.as_deref().is_some_and(|unit| unit.starts_with("countr"));
                self.set_flag("travel_fired", fired && !is_new && exceeds);
                self.set_flag("country_fired", fired && is_new);
                self.set_flag("geo_fired", fired);
                self.set_flag("geo_clear", clear);
                self.put_some("travel_points", points(signal));
                if is_new {
                    return;
                }
                self.set_flag(
                    "geo_slow",
                    clear && signal.value.zip(signal.threshold).is_some_and(|(value, most)| value < most),
                );
                self.put_some("speed", signal.value.map(say::number));
                self.put_some("speed_limit", signal.threshold.filter(|_| signal.value.is_some()).map(say::number));
                self.put_some("distance", figure("distance_km"));
                self.put_some("minutes", whole("minutes").map(|minutes| say::grouped(&minutes.to_string())));
                let country = |key: &str| {
                    let code = find(signal, key).and_then(Value::as_str)?;
                    country_name(code).map(str::to_owned)
                };
                self.put_some("from", country("from_country"));
                self.put_some("to", country("to_country"));
                self.set_flag("journey", find(signal, "from_country") != find(signal, "to_country"));
            }
            Some(SignalName::RuleFlags) => {
                self.set_flag("rules_fired", fired && !signal.flags.is_empty());
                self.set_flag("rules_clear", clear);
                self.counted("rules_held", "rules_s", signal.flags.len() as u64);
                self.set_flag("one_rule", signal.flags.len() == 1);
                self.set_flag("many_rules", signal.flags.len() > 1);
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
                    self.set_flag("rules_differ", flags.first().is_some_and(|first| first.weight > lighter.weight));
                }
            }
            None => {}
        }
        if signal.outcome == SignalOutcome::Reported || context.case.source == AlertSource::External {
            self.set_flag("has_reported", signal.outcome == SignalOutcome::Reported);
        }
    }

    pub(super) fn add_history(&mut self, context: &Context) {
        let subject = &context.subject;
        self.counted("earlier", "earlier_s", subject.transaction_count);
        self.set_flag("has_earlier", subject.transaction_count > 0);
        self.put_some("opened", subject.account_opened_at.map(say::date));
        self.set_flag("no_opening", subject.account_opened_at.is_none());
        if let Some(age) = subject.account_age_days {
            self.counted("age", "age_s", age);
        }
        self.put_some("first_seen", subject.first_transaction_at.map(say::date));
        let correlation = &context.correlation;
        self.counted("prior", "prior_s", correlation.prior_alerts);
        self.set_flag("has_prior", correlation.prior_alerts > 0);
        self.set_flag("no_prior", correlation.prior_alerts == 0);
        self.put_some("last_alert", correlation.last_alert_at.map(say::date));
        self.counted("similar", "similar_s", correlation.similar_alerts);
        self.set_flag("has_similar", correlation.similar_alerts > 0);
        self.put("within", correlation.similar_within_points.to_string());
        let by = correlation.prior_alerts_by_severity;
        for (slot, ending, count) in [
            ("prior_critical", "prior_critical_s", by.critical),
            ("prior_high", "prior_high_s", by.high),
            ("prior_medium", "prior_medium_s", by.medium),
            ("prior_low", "prior_low_s", by.low),
        ] {
            if count > 0 {
                self.counted(slot, ending, count);
            }
        }
        let earlier: Vec<_> =
            context.timeline.iter().filter(|event| event.happening == TimelineEventKind::PriorTransaction).collect();
        if let (Some(first), Some(last)) = (earlier.first(), earlier.last()) {
            self.put_some("first_amount", first.amount.as_ref().map(say::money));
            self.put_some("last_amount", last.amount.as_ref().map(say::money));
            self.put("last_date", say::date(last.timestamp));
            self.put("last_time", say::time(last.timestamp));
            self.put("first_date", say::date(first.timestamp));
            self.put("first_time", say::time(first.timestamp));
            self.set_flag("whole_timeline", context.timeline_omitted == 0);
            self.set_flag("several_earlier", earlier.len() > 2);
        }
    }
}

fn text_of(transaction: &TransactionFacts, key: &str) -> Option<String> {
    transaction.metadata.get(key).and_then(Value::as_str).map(str::to_owned)
}

pub(super) fn find<'a>(signal: &'a SignalFacts, key: &str) -> Option<&'a Value> {
    signal.details.get(key).or_else(|| signal.baseline.get(key))
}

fn points(signal: &SignalFacts) -> Option<String> {
    signal.contribution.filter(|points| *points > 1).map(|points| points.to_string())
}

/// The name of a signal as prose writes it.
fn called(signal: &SignalFacts) -> String {
    signal.known().map_or_else(|| format!("signal `{}`", signal.name), |name| plain(name).to_owned())
}

pub(super) fn plain(name: SignalName) -> &'static str {
    match name {
        SignalName::AmountDeviation => "amount deviation",
        SignalName::VelocityAnomaly => "velocity anomaly",
        SignalName::GeographicInconsistency => "geographic inconsistency",
        SignalName::RuleFlags => "rule flags",
    }
}
