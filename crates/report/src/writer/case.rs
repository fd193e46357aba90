//! The context in the form that the sections need: noun phrases for its parts, and its signals with the strongest
//! first.

use std::cmp::Reverse;

use countersign_domain::{Money, transaction::Channel};
use countersign_factcheck::country_name;

use super::{measured::SignalInWords, outside, phrasing::Phrasing, say};
use crate::{AlertSource, BaselineFacts, Context, PlaceFacts, TimelineEventKind, TransactionFacts};

pub(super) struct CaseInWords<'a> {
    pub(super) context: &'a Context,
    pub(super) phrasing: Phrasing,
    /// Fired and reported signals, sorted by points, then clear signals, then the rest.
    pub(super) signals: Vec<SignalInWords<'a>>,
}

impl<'a> CaseInWords<'a> {
    pub(super) fn of(context: &'a Context) -> Self {
        let mut signals: Vec<_> = context.signals.iter().map(|facts| SignalInWords::of(facts, context)).collect();
        signals.sort_by_key(|signal| (signal.group(), Reverse(signal.points)));
        signals.iter_mut().enumerate().for_each(|(at, signal)| signal.at = at);
        Self { context, phrasing: Phrasing::of(context), signals }
    }

    pub(super) fn transaction(&self) -> Option<&'a TransactionFacts> {
        self.context.transaction.as_ref()
    }

    pub(super) fn baseline(&self) -> Option<&'a BaselineFacts> {
        self.context.baseline.as_ref()
    }

    pub(super) fn is_from_outside(&self) -> bool {
        self.context.case.source == AlertSource::External
    }

    pub(super) fn fired(&self) -> impl Iterator<Item = &SignalInWords<'a>> {
        self.signals.iter().filter(|signal| signal.has_fired())
    }

    pub(super) fn reported(&self) -> impl Iterator<Item = &SignalInWords<'a>> {
        self.signals.iter().filter(|signal| signal.is_reported())
    }

    pub(super) fn clear(&self) -> impl Iterator<Item = &SignalInWords<'a>> {
        self.signals.iter().filter(|signal| signal.is_clear())
    }

    pub(super) fn without_result(&self) -> impl Iterator<Item = &SignalInWords<'a>> {
        self.signals.iter().filter(|signal| signal.lacks_result())
    }

    /// `account holder `***7731``
    pub(super) fn holder(&self) -> String {
        outside::id(&self.context.subject.user_id)
            .map_or_else(|| "the account holder".into(), |id| format!("account holder {id}"))
    }

    /// `alert `fraud-123``
    pub(super) fn alert(&self) -> String {
        outside::id(&self.context.case.alert_id).map_or_else(|| "the alert".into(), |id| format!("alert {id}"))
    }

    pub(super) fn investigation(&self) -> String {
        outside::id(&self.context.case.investigation_id)
            .map_or_else(|| "the investigation".into(), |id| format!("investigation {id}"))
    }

    /// `75 out of 100`
    pub(super) fn score(&self) -> String {
        format!("{} out of {}", self.context.score.total.get(), self.context.score.maximum)
    }

    /// Whether the signals' points add up to the score. In an external alert they need not.
    pub(super) fn points_make_the_score(&self) -> bool {
        let score = &self.context.score;
        !score.contributions.is_empty() && (score.is_capped || score.sum == u32::from(score.total.get()))
    }

    pub(super) fn severity(&self) -> &'static str {
        self.context.case.severity.in_capitals()
    }

    /// `from 60 to 79`
    pub(super) fn band(&self) -> String {
        format!("from {} to {}", self.context.score.band_from, self.context.score.band_to)
    }

    pub(super) fn impact(&self) -> &'static str {
        self.context.case.regulatory_impact.as_str()
    }

    /// Who raised the alert, as the subject of a sentence.
    pub(super) fn detector(&self) -> &'static str {
        if self.is_from_outside() { "an outside system" } else { "the detector" }
    }

    /// Whether the amount is above or below the median.
    pub(super) fn side_of_median(&self) -> Option<&'static str> {
        let amount = self.transaction()?.amount;
        let median = self.baseline()?.median_amount;
        if amount.currency() != median.currency() || amount.amount() == median.amount() {
            return None;
        }
        Some(if amount.amount() > median.amount() { "above" } else { "below" })
    }

    /// `6.2 times`
    pub(super) fn times_median(&self) -> Option<String> {
        Some(format!("{} times", say::number(self.baseline()?.ratio_to_median?)?))
    }

    /// The country of the latest earlier transaction with a location.
    pub(super) fn last_country(&self) -> Option<&'a str> {
        let earlier =
            self.context.timeline.iter().rev().filter(|event| event.happening == TimelineEventKind::PriorTransaction);
        let place = earlier.filter_map(|event| event.location.as_ref()).next()?;
        outside::country(&place.country_name)
    }

    /// The name of a country that a signal states as a code or a name.
    pub(super) fn country_called(&self, given: &str) -> Option<String> {
        // Only the newest places are compared, because signals are about those.
        let places = self.context.timeline.iter().rev().filter_map(|event| event.location.as_ref()).take(32);
        let here = self.transaction().and_then(|transaction| transaction.location.as_ref());
        let named = here.into_iter().chain(places).find(|place| place.country == given);
        let usual = || {
            let countries = self.baseline().map_or(&[][..], |baseline| &baseline.countries);
            countries.iter().find(|usual| usual.country == given).map(|usual| usual.country_name.as_str())
        };
        let known = named.map(|place| place.country_name.as_str()).or_else(usual);
        let name = known.or_else(|| country_name(given)).unwrap_or(given);
        outside::country(name).map(str::to_owned)
    }

    /// Whether the amount is below every earlier one.
    pub(super) fn is_smallest(&self) -> bool {
        let below = |amount: Money, smallest: Money| {
            amount.currency() == smallest.currency() && amount.amount() < smallest.amount()
        };
        self.transaction()
            .zip(self.baseline())
            .is_some_and(|(transaction, baseline)| below(transaction.amount, baseline.smallest_amount))
    }

    /// Whether the amount is above every earlier one.
    pub(super) fn is_largest(&self) -> bool {
        let above = |amount: Money, largest: Money| {
            amount.currency() == largest.currency() && amount.amount() > largest.amount()
        };
        self.transaction()
            .zip(self.baseline())
            .is_some_and(|(transaction, baseline)| above(transaction.amount, baseline.largest_amount))
    }
}

/// The kind of transaction with its article: `a card-not-present payment`.
pub(super) fn instrument(channel: Option<Channel>) -> &'static str {
    match channel {
        Some(Channel::CardPresent) => "a card-present payment",
        Some(Channel::CardNotPresent) => "a card-not-present payment",
        Some(Channel::Transfer) => "a transfer",
        Some(Channel::Atm) => "a cash-machine transaction",
        Some(Channel::Other) | None => "a transaction",
    }
}

/// `"Porto", Portugal`
pub(super) fn place(place: &PlaceFacts) -> Option<String> {
    let country = outside::country(&place.country_name)?;
    let city = place.city.as_deref().filter(|city| *city != country);
    match city.and_then(outside::quoted) {
        Some(city) => Some(format!("{city}, {country}")),
        None => Some(country.to_owned()),
    }
}
