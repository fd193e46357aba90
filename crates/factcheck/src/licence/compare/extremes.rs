//! Stage 7, licence, rules on one thing among several: largest and smallest, heaviest and lightest, the only one and the others.

use std::cmp::Ordering;
use std::ops::Range;

use crate::licence::sentence::{Item, NamedSignal};
use crate::licence::{ClaimKind, Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Checks "The heaviest part came from amount deviation" and "a baseline led by Portugal".
    pub(super) fn check_heaviest_or_lightest(&mut self, at: usize, heaviest: bool) {
        let clause = self.sentence.clause_of(at);
        let whole = 0..self.sentence.items.len();
        if self.check_led_by_country(at, &clause) {
            return;
        }
        let is_rule = |item: &&Item<'_>| {
            item.claim.is_some_and(|(path, kind)| path.contains("/flags/") && kind != ClaimKind::Number)
        };
        let items = &self.sentence.items;
        let rule = items[at..].iter().find(is_rule).or_else(|| items[..at].iter().rev().find(is_rule));
        if let Some((item, path)) = rule.and_then(|item| Some((item, item.path()?))) {
            let stated = self.reader.normalised(item);
            let holds = self.case.is_extreme_rule(&stated, heaviest);
            return self.expect(at, holds, path);
        }
        let mut named = self.sentence.signals(at + 1..clause.end);
        if named.is_empty() {
            named = self.sentence.signals(clause.start..at);
        }
        if named.is_empty() {
            named = self.sentence.signals(whole);
        }
        let Some(NamedSignal::Known(place)) = named.first().copied() else {
            return self.refuse(at, Reason::Unlicensed);
        };
        let points = self.case.signals[place].points.unwrap_or(0);
        let others = self.case.signals.iter().enumerate().filter(|(other, _)| *other != place);
        let mut others = others.filter_map(|(_, signal)| signal.points.filter(|points| *points > 0));
        let holds = points > 0
            && if heaviest { others.all(|other| other < points) } else { others.all(|other| other > points) };
        self.expect(at, holds, "/score/contributions");
    }

    /// Checks "a baseline led by Portugal" and "the busiest country was Portugal". Returns whether the words are about that.
    pub(crate) fn check_led_by_country(&mut self, at: usize, clause: &Range<usize>) -> bool {
        let whole = 0..self.sentence.items.len();
        let is_about = self.sentence.topics(whole) & (w::BASELINE | w::HISTORY | w::LOCATION) != 0;
        let after = self.sentence.items[at + 1..clause.end].iter().find(|item| item.country.is_some());
        let before = || self.sentence.items[..at].iter().rev().find(|item| item.country.is_some());
        let Some(country) = after.or_else(before).filter(|_| is_about).and_then(|item| item.country) else {
            return false;
        };
        let is_first = self.case.baseline_countries.first().is_some_and(|first| first == country);
        self.expect(at, is_first, "/baseline/countries/0/country");
        true
    }

    /// "the largest earlier amount" refers to a fact; "the largest amount" claims that this transaction's amount is the
    /// largest.
    pub(super) fn check_largest_or_smallest(&mut self, at: usize, largest: bool) {
        let clause = self.sentence.clause_of(at);
        if self.sentence.items[at].lower == "busiest" && self.check_led_by_country(at, &clause) {
            return;
        }
        let named = if largest { "largest_amount" } else { "smallest_amount" };
        let near = at + 1..(at + 5).min(self.sentence.items.len());
        if self.sentence.topics(clause.clone()) & w::POINTS != 0 {
            return self.check_heaviest_or_lightest(at, largest);
        }
        let is_reference = self.sentence.acts(near.clone()) & w::PRIOR != 0
            || self.sentence.topics(near) & (w::BASELINE | w::HISTORY) != 0
            || self.sentence.items[clause].iter().any(|item| item.path().is_some_and(|path| path.ends_with(named)));
        if is_reference && self.case.present & w::BASELINE != 0 {
            return self.facts.push(format!("/baseline/{named}").into());
        }
        let (order, wanted) =
            if largest { (self.case.to_largest, Ordering::Greater) } else { (self.case.to_smallest, Ordering::Less) };
        match order {
            Some(order) => self.expect(at, order == wanted, format!("/baseline/{named}")),
            None => self.refuse(at, Reason::Unlicensed),
        }
    }

    /// In "only 42 minutes", the figure is checked elsewhere; "only velocity anomaly" claims that no other signal
    /// fired.
    pub(super) fn check_only(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        if self.next_claim(at).is_some() || self.sentence.acts(clause.clone()) & w::FIRE != 0 {
            return;
        }
        // "not recorded whether it was completed or only attempted" makes no claim.
        if self.sentence.acts(clause.clone()) & w::NOT != 0 && self.sentence.acts(clause.clone()) & w::ATTEMPT != 0 {
            return;
        }
        // "the only rule that held" claims that exactly one rule held.
        if self.sentence.items.get(at + 1).is_some_and(|next| next.about(w::RULE))
            && self.sentence.acts(clause.clone()) & w::HELD != 0
        {
            let held: usize = self.case.signals.iter().map(|signal| signal.rules_held).sum();
            return self.expect(at, held == 1, "/signals");
        }
        let named = self.sentence.signals(clause);
        if named.is_empty() {
            return self.refuse(at, Reason::Unlicensed);
        }
        let holds = self.case.fired().all(|fired| named.contains(&NamedSignal::Known(fired)));
        self.expect(at, holds, "/signals");
    }

    /// Checks "no other signal" and "another severity". "Other" is refused before most other nouns.
    pub(super) fn check_other(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let next = self.sentence.items.get(at + 1);
        let is_signal = next.is_some_and(|next| next.about(w::SIGNAL));
        let is_ranked = self.sentence.acts(clause.clone()) & (w::HEAVIEST | w::FIRE | w::BEFORE) != 0;
        if is_signal && is_ranked {
            if self.sentence.acts(clause.clone()) & w::FIRE == 0
                && self.sentence.acts(clause.clone()) & w::HEAVIEST == 0
            {
                self.check_heaviest_or_lightest(at, true);
            }
            return;
        }
        // Accept "another 22 points" and "other signals, X and Y among them, remained clear".
        let is_more = self.next_claim(at).is_some_and(|(path, _)| path.contains("contribution"));
        let is_clear = is_signal
            && self.sentence.acts(0..self.sentence.items.len()) & w::CLEAR != 0
            && !self.sentence.signals(0..self.sentence.items.len()).is_empty();
        if is_more || is_clear {
            return;
        }
        let is_counted =
            at > 0 && self.sentence.items[at - 1].claim.is_some() && next.is_some_and(|next| next.about(w::LOCATION));
        if is_counted {
            return;
        }
        let is_band = next.is_some_and(|next| next.about(w::SEVERITY | w::BAND))
            && self.sentence.items.iter().any(|item| item.path().is_some_and(|path| path.starts_with("/score/band")));
        if !is_band {
            self.refuse(at, Reason::Unlicensed);
        }
    }
}
