//! Stage 7, licence: what the rules ask about a case.

use std::cmp::Ordering;

use super::{CaseFacts, SignalFact, SignalState};
use crate::fold::normalised;
use crate::licence::vocabulary as w;

impl CaseFacts {
    pub(crate) fn signal(&self, name: &str) -> Option<usize> {
        self.signals.iter().position(|signal| signal.name == name)
    }

    pub(crate) fn fired(&self) -> impl Iterator<Item = usize> {
        let with = |(at, signal): (usize, &SignalFact)| (signal.outcome == SignalState::Fired).then_some(at);
        self.signals.iter().enumerate().filter_map(with)
    }

    pub(crate) fn has_result(&self, signal: usize) -> bool {
        self.signals.get(signal).is_some_and(|signal| signal.outcome != SignalState::NoResult)
    }

    pub(crate) fn is_reported(&self, signal: usize) -> bool {
        self.signals.get(signal).is_some_and(|signal| signal.outcome == SignalState::Reported)
    }

    /// Whether anything was measured: a signal at or beyond its threshold, or a rule that held on a transaction on record.
    pub(crate) fn has_evidence(&self) -> bool {
        let has_transaction = self.present & w::TRANSACTION != 0;
        let is_evidence = |signal: &SignalFact| match signal.name.as_str() {
            _ if !matches!(signal.outcome, SignalState::Fired | SignalState::Reported) || signal.is_below_threshold => {
                false
            }
            "rule flags" => signal.rules_held > 0 && has_transaction,
            "amount deviation" if self.to_median.is_some_and(Ordering::is_le) => false,
            "geographic inconsistency" if has_transaction && self.present & w::LOCATION == 0 => false,
            _ => signal.is_measured,
        };
        self.signals.iter().any(is_evidence)
    }

    /// Whether the record has anything about the customer's past.
    pub(crate) fn has_history(&self) -> bool {
        self.transactions > 0 || self.present & w::BASELINE != 0 || self.new_country.is_some()
    }

    /// Whether a rule of this name held.
    pub(crate) fn has_rule(&self, name: &str) -> bool {
        let stated_name = normalised(name);
        self.rules.iter().any(|(known, _)| *known == stated_name)
    }

    /// Whether the signals' points add up to the score, up to the cap.
    pub(crate) fn explains_score(&self) -> bool {
        self.has_contributions && (self.sum_is_total || self.is_capped)
    }

    /// Whether the score is the maximum score.
    pub(crate) fn is_full_score(&self) -> bool {
        self.is_full_score
    }

    /// Whether a rule whose name starts with `stated_name` has the greatest (or the least) weight of the rules that held.
    pub(crate) fn is_extreme_rule(&self, stated_name: &str, most: bool) -> bool {
        let weights = self.rules.iter().map(|(_, weight)| *weight);
        let extreme = if most { weights.max() } else { weights.min() };
        self.rules.iter().any(|(name, weight)| Some(*weight) == extreme && name.starts_with(stated_name))
    }

    /// Whether a rule whose name starts with `stated_name` has the weight at this path.
    pub(crate) fn is_weight_of(&self, path: &str, stated_name: &str) -> bool {
        let flag = path.split("/flags/").nth(1).and_then(|rest| rest.split('/').next()?.parse::<usize>().ok());
        let Some((_, weight)) = flag.and_then(|flag| self.rules.get(flag)) else { return true };
        self.rules.iter().any(|(name, known)| known == weight && name.starts_with(stated_name))
    }

    /// Whether the amount at a path of the timeline is the largest (or the smallest) of the baseline.
    pub(crate) fn is_extreme_amount(&self, path: &str, largest: bool) -> bool {
        let extreme = if largest { &self.largest } else { &self.smallest };
        self.event(path).and_then(|event| event.1.as_ref()).is_some_and(|amount| Some(amount) == extreme.as_ref())
    }

    /// Whether the count or sum at a path is equal over an hour and over a day.
    pub(crate) fn is_same_in_both_windows(&self, path: &str) -> bool {
        self.equal_windows.iter().any(|known| known == path)
    }

    /// The path of an earlier transaction at this merchant. `name` must be normalised (`fold::normalised`).
    pub(crate) fn earlier_merchant(&self, name: &str) -> Option<String> {
        let event = self.figures.events.iter().find(|event| event.merchant.as_deref() == Some(name))?;
        Some(format!("/timeline/{}/event", event.place))
    }

    /// Whether the moment at a path is on the day of the first (or the last) earlier transaction.
    pub(crate) fn is_edge_of_history(&self, path: &str, first: bool) -> bool {
        let edge = if first { &self.first_earlier } else { &self.last_earlier };
        let known =
            if first { ["/subject/first_transaction_at", "/baseline/first_at"] } else { ["/baseline/last_at", ""] };
        known.contains(&path)
            || self.moment(path).is_some_and(|moment| edge.iter().any(|edge| edge.get(..10) == moment.get(..10)))
    }

    /// Whether the moment at a path is on the day on which the baseline begins (or ends).
    pub(crate) fn is_edge_of_baseline(&self, path: &str, first: bool) -> bool {
        let edge = if first { &self.baseline_first } else { &self.baseline_last };
        self.moment(path).is_some_and(|moment| edge.iter().any(|edge| edge.get(..10) == moment.get(..10)))
    }

    /// Whether the moment at a path is on the day of the transaction.
    pub(crate) fn is_day_of_transaction(&self, path: &str) -> bool {
        let day = |at: Option<&str>| at.and_then(|at| at.get(..10)).map(str::to_owned);
        let transaction_day = day(self.times.transaction.as_deref());
        transaction_day.is_some() && day(self.moment(path)) == transaction_day
    }

    /// Whether the moment at a path is on the day on which the alert was created.
    pub(crate) fn is_day_of_alert(&self, path: &str) -> bool {
        let day = |at: Option<&str>| at.and_then(|at| at.get(..10)).map(str::to_owned);
        day(self.moment(path)) == day(self.times.alert.as_deref())
    }

    /// Whether this transaction took place in a country (given by its code) or in a city.
    pub(crate) fn is_here(&self, place: &str) -> bool {
        self.country.as_deref() == Some(place)
            || self.city.as_deref().is_some_and(|city| !place.is_empty() && city.starts_with(place))
    }

    /// Whether an earlier transaction took place in this country or city.
    pub(crate) fn was_earlier(&self, place: &str) -> bool {
        let is_it = |(_, is_earlier, country, city): &(String, bool, String, Option<String>)| {
            *is_earlier
                && (country == place
                    || city.as_deref().is_some_and(|city| !place.is_empty() && city.starts_with(place)))
        };
        self.earlier_countries.iter().any(|known| known == place) || self.places.iter().any(is_it)
    }

    /// Whether a transaction took place in this country or city on the day of the moment at a path.
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
}
