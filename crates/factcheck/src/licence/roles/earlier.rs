//! Stage 7, licence, rules on roles: earlier events. The record states an earlier transaction's time, amount, merchant and
//! place, and an earlier alert's time, severity and score. It does not state how a transaction was paid or why an alert was
//! raised, so a report can't either.

use std::ops::Range;

use super::{StatedDate, is_equal};
use crate::figure::{FigureValue, Unit};
use crate::licence::case_figures::{CaseEvent, EventKind};
use crate::licence::sentence::Item;
use crate::licence::{ClaimKind, Reason, SentenceCheck, w};
use countersign_text::numbers::Quantity;

impl SentenceCheck<'_> {
    pub(super) fn check_earlier_events(&mut self) {
        let sentence = self.sentence;
        for clause in &sentence.clauses {
            if sentence.acts(clause.clone()) & w::PRIOR != 0 {
                self.check_reason_of_prior_alert(clause);
                self.check_channel_of_earlier(clause);
                self.check_first_alert(clause);
            }
            if sentence.topics(clause.clone()) & w::BAND != 0 {
                self.check_points_in_band(clause);
            }
            for at in clause.clone() {
                if matches!(sentence.items[at].claim, Some((_, ClaimKind::Name))) {
                    self.check_merchant(at, clause);
                }
            }
        }
    }

    fn speaks_of_prior_alerts(&self, clause: &Range<usize>) -> bool {
        let items = &self.sentence.items[clause.clone()];
        let is_named = |pair: &[Item<'_>]| pair[0].is(w::PRIOR) && pair[1].about(w::ALERT);
        items.windows(2).any(is_named) || items.iter().any(|item| item.is(w::PRIOR) && item.about(w::ALERT))
    }

    /// Refuses "a prior alert raised by velocity anomaly" and "all prior alerts concerned Portugal".
    fn check_reason_of_prior_alert(&mut self, clause: &Range<usize>) {
        if !self.speaks_of_prior_alerts(clause) {
            return;
        }
        let explains = |item: &Item<'_>| {
            item.signal.is_some()
                || item.country.is_some()
                || item.path().is_some_and(|path| path.contains("/flags/") || path.contains("/merchant"))
        };
        if let Some(at) = clause.clone().find(|at| explains(&self.sentence.items[*at])) {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Refuses "All earlier transactions were made at a cash machine."
    fn check_channel_of_earlier(&mut self, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let is_earlier = |item: &Item<'_>| item.is(w::PRIOR) && (item.about(w::TRANSACTION) || item.topics == 0);
        let Some(subject) = clause.clone().find(|at| is_earlier(&items[*at])) else { return };
        if self.sentence.topics(clause.clone()) & w::TRANSACTION == 0 {
            return;
        }
        let is_channel = |item: &Item<'_>| item.claim.is_none() && item.is(w::CARD | w::ONLINE | w::CASH);
        let channel = (subject + 1..clause.end).find(|at| is_channel(&items[*at]) && !items[*at].about(w::TRANSACTION));
        if let Some(at) = channel {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Checks "the first prior alert": it is the oldest one, provided that all of them are on record.
    fn check_first_alert(&mut self, clause: &Range<usize>) {
        let items = &self.sentence.items;
        // "the first prior alert" or "the first of the four prior alerts".
        let is_first = |at: &usize| {
            let named = || items[at + 1..clause.end].iter().take(6).take_while(|item| !item.is(w::VERB));
            items[*at].is(w::FIRST) && named().any(|item| item.about(w::ALERT)) && named().any(|item| item.is(w::PRIOR))
        };
        let Some(at) = clause.clone().find(is_first) else { return };
        let [date] = &self.stated_dates(clause.clone())[..] else { return };
        let figures = &self.case.figures;
        let is_whole = figures.prior_alerts.is_some_and(|all| all == figures.prior_alert_events().count().into());
        let oldest = figures.prior_alert_events().next().map(|event| event.at);
        self.expect(at, is_whole && date.is(oldest.as_ref()), "/timeline");
    }

    /// Refuses points outside the severity's band in a clause about the band, because only a score can be in a band.
    fn check_points_in_band(&mut self, clause: &Range<usize>) {
        let Some((from, to)) = self.case.figures.band else { return };
        let outside = |at: &usize| match self.sentence.items[*at].figure {
            Some(FigureValue::Number(stated, Unit::Points)) => stated.value < from || stated.value > to,
            _ => false,
        };
        if let Some(at) = clause.clone().find(outside) {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// The merchant must be that of the transaction whose date or amount the clause gives.
    fn check_merchant(&mut self, at: usize, clause: &Range<usize>) {
        let stated = self.reader.normalised(&self.sentence.items[at]);
        let is_it = |event: &CaseEvent| event.merchant.as_deref().is_some_and(|merchant| merchant.starts_with(&stated));
        let events = || self.case.figures.events.iter().filter(|event| event.kind != EventKind::PriorAlert);
        if stated.is_empty() || !events().any(is_it) {
            return;
        }
        let (dates, amounts) = (self.stated_dates(clause.clone()), self.stated_amounts(clause.clone()));
        let is_described = |event: &&CaseEvent| Self::is_described(event, &dates, &amounts);
        let is_of_this_one = events().any(|event| event.kind == EventKind::Transaction && is_it(event));
        let described: Vec<&CaseEvent> = events().filter(is_described).collect();
        let holds = if described.is_empty() { is_of_this_one } else { described.into_iter().any(is_it) };
        if !holds {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Whether these dates and amounts describe an event. If a clause has both, both must match.
    fn is_described(event: &CaseEvent, dates: &[StatedDate], amounts: &[(usize, Quantity)]) -> bool {
        let is_dated = dates.iter().any(|date| date.is(Some(&event.at)));
        let is_paid = amounts.iter().any(|(_, stated)| event.amount.is_some_and(|amount| is_equal(*stated, amount)));
        (is_dated || dates.is_empty()) && (is_paid || amounts.is_empty()) && (is_dated || is_paid)
    }
}
