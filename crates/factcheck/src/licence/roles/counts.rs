//! Stage 7, licence, rules on roles (`mod.rs` explains them): counts of transactions over a window or a history, of alerts and
//! of rules; the points of signals; the edges of the severity's band of scores.

use std::ops::Range;

use rust_decimal::Decimal;

use super::{DAY_S, NO_FIGURE, letters};
use crate::fact::{Fact, FactValue, NumberClass};
use crate::figure::{FigureValue, Unit};
use crate::lex::TokenKind;
use crate::licence::case_figures::SignalFigures;
use crate::licence::sentence::{Item, NamedSignal};
use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SMALL_NUMBERS, SentenceCheck, w};
use countersign_text::numbers::Quantity;

/// Whether a fact is the value of a field. A key such as `chargebacks_30d` also yields a fact for the duration in its
/// name.
fn is_field(fact: &Fact) -> bool {
    !matches!(fact.value, FactValue::Number(_, NumberClass::Duration(_)))
}

impl SentenceCheck<'_> {
    /// Checks a count by what is counted.
    pub(super) fn check_count(&mut self, at: usize, clause: &Range<usize>, stated: Quantity, noun: u64) {
        if noun & w::TRANSACTION != 0 {
            self.check_transaction_count(at, clause, stated);
        } else if noun & w::ALERT != 0 {
            self.check_alert_count(at, clause, stated);
        } else if noun & w::RULE != 0 {
            self.check_rule_count(at, stated.value);
        }
    }

    /// Checks a count of transactions: over a window, a day, a country, the baseline or the whole history.
    pub(super) fn check_transaction_count(&mut self, at: usize, clause: &Range<usize>, stated: Quantity) {
        let figures = &self.case.figures;
        let acts = self.sentence.acts(clause.clone());
        let about = self.sentence.topics(clause.clone());
        let items = &self.sentence.items;
        let before = at.checked_sub(1).map(|before| &items[before]);
        let mut allowed: Vec<Option<Decimal>> = Vec::new();
        let all = || figures.signals.iter();
        let daily = words!["day", "daily"];
        let is_day = |item: &Item<'_>| {
            item.is_any(daily)
                || item.figure.is_some()
                    && self.reader.has_word(item, daily)
                    && !self.reader.has_word(item, words!["days"])
        };
        let is_daily = self.reader.has_word(&items[at], daily) || items[at + 1..clause.end].iter().take(3).any(is_day);
        let window = self.window(at, clause);
        let is_rate = acts & w::USUAL != 0
            && items[clause.start..at].iter().rev().take(6).any(|item| item.about(w::RATE) && item.claim.is_none());
        if is_daily || is_rate {
            // The context has a usual rate per day, but not per hour.
            if !is_daily && window.is_some() {
                return self.refuse(at, Reason::Unlicensed);
            }
            allowed.extend(all().map(|signal| signal.per_day));
            allowed.push(Some(NO_FIGURE));
            return self.must_be(at, stated, &allowed);
        }
        // Refuse "26 transactions on 3 May" and "13 withdrawals". Counts are over a window or the whole history, not
        // over one calendar day or one kind of payment.
        let is_kind = items[at + 1..clause.end].iter().take(2).any(|item| item.is(w::CASH | w::WIRE));
        let on_a_day = clause.clone().any(|place| {
            matches!(items[place].figure, Some(FigureValue::Date(_))) && place > 0 && items[place - 1].lower == "on"
        });
        let is_count_on_a_day = on_a_day
            && stated.value != Decimal::ONE
            && acts & (w::FIRST | w::LAST) == 0
            && about & (w::ALERT | w::INVESTIGATION) == 0;
        if is_kind || is_count_on_a_day {
            return self.refuse(at, Reason::Unlicensed);
        }
        if let Some(window) = window {
            if !self.is_limit(at, clause) {
                allowed.extend(all().map(|signal| signal.counts[window]));
            } else {
                allowed.extend(all().map(|signal| signal.count_limits[window]));
                allowed.extend(all().map(|signal| signal.threshold.filter(|_| signal.window == Some(window))));
            }
            // If the record has no count for the window, the value of the signal that has this window is the count.
            if allowed.iter().all(Option::is_none) {
                allowed.extend(all().map(|signal| signal.value.filter(|_| signal.window == Some(window))));
            }
            return self.must_be(at, stated, &allowed);
        }
        if self.is_limit(at, clause) {
            allowed.extend(
                all().flat_map(|signal| signal.count_limits.into_iter().chain([signal.threshold, signal.needed])),
            );
            return self.must_be(at, stated, &allowed);
        }
        if before.is_some_and(|before| before.is(w::NEED))
            || items[at + 1..clause.end].iter().take(3).any(|item| item.is(w::NEED))
        {
            allowed.extend(all().map(|signal| signal.needed));
            return self.must_be(at, stated, &allowed);
        }
        if self.follows_of(at) && about & w::BASELINE != 0 {
            return self.must_be(at, stated, &[figures.baseline_count]);
        }
        if about & w::SAME_CURRENCY != 0 {
            allowed.push(figures.baseline_count);
            allowed.extend(
                all()
                    .filter(|signal| signal.needed.is_some())
                    .flat_map(|signal| signal.history.iter().copied().map(Some)),
            );
            return self.must_be(at, stated, &allowed);
        }
        if let Some(country) = self.counted_country(at, clause) {
            let count = figures.countries.iter().find(|(known, _)| *known == country).map(|(_, count)| *count);
            return self.must_be(at, stated, &[count]);
        }
        let of_signals: Vec<Option<Decimal>> = self
            .named_signals(clause)
            .flat_map(|signal| signal.history.iter().copied().chain(signal.counts.into_iter().flatten()))
            .map(Some)
            .collect();
        let has_days = items[clause.clone()]
            .iter()
            .any(|item| matches!(item.figure, Some(FigureValue::Number(_, Unit::Seconds(DAY_S..)))));
        let is_compared = self.sentence.has_word(clause.clone(), words!["comparison"]);
        if is_compared && figures.baseline_count.is_none() && of_signals.is_empty() {
            return self.refuse(at, Reason::Unlicensed);
        }
        let is_total = !self.stated_amounts(clause.clone()).is_empty() && self.is_total(at, clause);
        let is_baseline = about & (w::BASELINE | w::MEDIAN) != 0 || is_compared || is_total;
        allowed.push(figures.baseline_count);
        if !is_baseline || figures.baseline_count.is_none() {
            allowed.extend([figures.history_count, figures.other_currencies]);
            if of_signals.is_empty() {
                allowed.extend(all().flat_map(|signal| signal.history.iter().copied().map(Some)));
            }
        }
        if acts & w::PRIOR == 0 && !is_baseline && !has_days && about & w::HISTORY == 0 {
            allowed.extend(all().flat_map(|signal| signal.counts));
        }
        allowed.extend(of_signals);
        self.must_be(at, stated, &allowed);
    }

    /// The country whose transactions a figure counts: "25 transactions in Portugal", "Portugal, with 25 transactions".
    pub(super) fn counted_country(&self, at: usize, clause: &Range<usize>) -> Option<&'static str> {
        let items = &self.sentence.items;
        let after = items[at + 1..clause.end].iter().take(9).take_while(|item| item.mark.is_none());
        let is_passed =
            |item: &&Item<'_>| item.claim.is_none_or(|(_, kind)| matches!(kind, ClaimKind::Country | ClaimKind::Count));
        let after = after.take_while(is_passed).find_map(|item| item.country);
        let mut before = items[clause.start..at].iter().rev();
        let before = before.find(|item| item.mark != Some(',') && item.lower != "with").and_then(|item| item.country);
        before.or(after)
    }

    /// Checks a count of similar alerts or of earlier alerts, with or without a severity.
    pub(super) fn check_alert_count(&mut self, at: usize, clause: &Range<usize>, stated: Quantity) {
        let figures = &self.case.figures;
        let items = &self.sentence.items;
        let is_similar = items[at].is(w::SIMILAR)
            || items[at.saturating_sub(2)..clause.end.min(at + 3)].iter().any(|item| item.is(w::SIMILAR))
            || self.sentence.has_word(0..items.len(), words!["customers"]);
        if is_similar {
            return self.must_be(at, stated, &[figures.similar_alerts]);
        }
        let level = items[at + 1..clause.end]
            .iter()
            .take_while(|item| item.mark.is_none())
            .take(5)
            .find_map(|item| self.level(item));
        let known = level.map_or(figures.prior_alerts, |level| figures.prior_by_level[level as usize]);
        self.must_be(at, stated, &[known]);
    }

    /// Checks a count of earlier alerts by severity: "two of CRITICAL severity and one with LOW severity". Returns whether the
    /// number is such a count.
    pub(super) fn check_level_count(&mut self, at: usize, stated: Decimal) -> bool {
        let items = &self.sentence.items;
        let (about, acts) = (self.sentence.topics(0..items.len()), self.sentence.acts(0..items.len()));
        let after = items[at + 1..].iter().find(|item| !item.is_any(words!["of", "with", "was", "were", "at"]));
        let Some(level) =
            after.filter(|_| about & w::ALERT != 0 && acts & w::PRIOR != 0).and_then(|item| self.level(item))
        else {
            return false;
        };
        self.must_be(at, Quantity { value: stated, decimals: 0 }, &[self.case.figures.prior_by_level[level as usize]]);
        true
    }

    /// Checks "nine rules in force", "one of the nine rules held" and "of the two rules that held".
    pub(super) fn check_rule_count(&mut self, at: usize, stated: Decimal) {
        let figures = &self.case.figures;
        let items = &self.sentence.items;
        let in_force = |item: &Item<'_>| self.is_idiom(item, words!["force"]);
        let is_held = items[at + 1..].iter().take(4).any(|item| item.is(w::HELD))
            || items[..at].iter().rev().take(4).any(|item| item.lower == "conditions");
        let has_relative_clause = items[at + 1..].iter().take(3).any(|item| item.is_any(words!["that", "which"]));
        let is_total = items[at + 1..].iter().take(3).any(in_force)
            || items[..at].iter().rev().take(3).any(in_force) && !is_held
            || self.follows_of(at) && !has_relative_clause
            || !is_held && self.sentence.acts(0..items.len()) & (w::HELD | w::EVEN | w::FIRE) == 0;
        // A sentence about conditions counts the rules whose conditions held.
        let is_listing = self.sentence.has_word(0..items.len(), words!["conditions"]);
        let known = if is_total && !is_listing { figures.rules_in_force } else { figures.rules_held };
        self.must_be(at, Quantity { value: stated, decimals: 0 }, &[known]);
    }

    /// Whether "of" or "of the" is right before the figure: "one of the nine rules".
    fn follows_of(&self, at: usize) -> bool {
        let mut before = self.sentence.items[..at].iter().rev().take_while(|item| item.is_any(words!["of", "the"]));
        before.any(|item| item.lower == "of")
    }

    /// Checks a small number in words that is not part of a figure: "one rule held".
    pub(super) fn check_small_count(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some(number) = SMALL_NUMBERS.iter().position(|word| *word == items[at].lower) else { return };
        let number = Decimal::from(number as u64);
        if self.check_level_count(at, number) {
            return;
        }
        let next = self.sentence.items[at + 1..clause.end].first();
        if next.is_some_and(|next| next.about(w::RULE) && next.claim.is_none()) {
            self.check_rule_count(at, number);
        }
    }

    /// Checks a number without a unit: an edge of the band, a limit, a maximum, a count whose noun is elsewhere.
    pub(super) fn check_bare_number(&mut self, at: usize, clause: &Range<usize>, stated: Quantity) {
        if self.check_level_count(at, stated.value) {
            return;
        }
        let figures = &self.case.figures;
        let items = &self.sentence.items;
        // A signal that is missing from the alert has no value or threshold.
        let signal_before = items[clause.start..at].iter().rev().find_map(|item| item.signal);
        if signal_before == Some(NamedSignal::Missing)
            && self.sentence.topics(clause.start..at) & (w::VALUE | w::THRESHOLD) != 0
        {
            return self.contradict(at, "/signals");
        }
        // "where 5 were needed": how many earlier transactions a signal needs.
        let is_needed = items[at + 1..clause.end].iter().take(2).any(|item| item.is(w::NEED));
        if is_needed {
            let needed: Vec<_> = figures.signals.iter().map(|signal| signal.needed).filter(Option::is_some).collect();
            return if needed.is_empty() { self.contradict(at, "/signals") } else { self.must_be(at, stated, &needed) };
        }
        let whole = self.sentence.topics(0..items.len());
        let is_scores = whole & w::BAND != 0 || self.sentence.has_word(clause.clone(), words!["scores"]);
        // "from 60 to 79" states both edges of the band.
        let joins_edges = |place: usize| items.get(place).is_some_and(|item| item.is_any(words!["to", "and"]));
        let bare = |place: usize| {
            matches!(items.get(place).and_then(|item| item.figure), Some(FigureValue::Number(_, Unit::Bare)))
        };
        if let (true, Some((from, to))) = (is_scores, figures.band) {
            if joins_edges(at + 1) && bare(at + 2) {
                self.must_be(at, stated, &[Some(from)]);
            } else if at > 1 && joins_edges(at - 1) && bare(at - 2) {
                self.must_be(at, stated, &[Some(to)]);
            }
            // A number that is not an edge is not checked here.
            return;
        }
        if self.is_limit(at, clause)
            && let Some(window) = self.window(at, clause)
        {
            let threshold = |signal: &SignalFigures| signal.threshold.filter(|_| signal.window == Some(window));
            let allowed: Vec<_> =
                figures.signals.iter().flat_map(|signal| [signal.count_limits[window], threshold(signal)]).collect();
            return self.must_be(at, stated, &allowed);
        }
        let is_scale = items[clause.start..at].iter().any(|item| item.lower == "scale");
        if is_scale {
            return self.must_be(at, stated, &[figures.maximum]);
        }
        // "44 of the 50 baseline transactions" states a count of transactions.
        let is_of_transactions = items[at + 1..clause.end].first().is_some_and(|next| next.lower == "of")
            && items[at + 1..clause.end].iter().take(4).any(|item| item.about(w::TRANSACTION));
        if is_of_transactions {
            return self.check_transaction_count(at, clause, stated);
        }
        let in_force = items[clause.start..at].iter().any(|item| self.is_idiom(item, words!["force"]));
        let is_named = at > 0 && items[at - 1].is_any(words!["was", "were", "numbered"]);
        if in_force && is_named {
            return self.check_rule_count(at, stated.value);
        }
        // `"chargebacks 30d" of 4` states the value of a field that the sender named.
        if let Some(key) = self.quoted_before(at)
            && !self
                .reader
                .index
                .exactly(stated.value)
                .any(|fact| is_field(fact) && letters(&fact.path).ends_with(&key))
        {
            let path = items[at].path().unwrap_or_default();
            self.contradict(at, path);
        }
    }

    /// The words of the quotation before "of", where "of" is right before `at`.
    pub(super) fn quoted_before(&self, at: usize) -> Option<String> {
        let start = self.sentence.items[at].start;
        let before = self.reader.tokens[..start].split_last().filter(|(of, _)| of.is_word("of"))?.1;
        let (close, inside) = before.split_last()?;
        let TokenKind::Mark(mark @ ('"' | '`')) = close.kind else { return None };
        let open = inside.iter().rposition(|token| token.is_mark(mark))?;
        Some(inside[open + 1..].iter().map(|token| letters(token.text)).collect())
    }

    /// Checks points: those of one signal, or the sum of all.
    pub(super) fn check_points(&mut self, at: usize, clause: &Range<usize>, stated: Quantity) {
        let sums = words!["sum", "summed", "sums", "total", "totalled", "totaled", "together"];
        let is_sum = self.sentence.has_word(clause.clone(), sums)
            || self.sentence.items[clause.clone()].iter().any(|item| self.is_idiom(item, words!["up"]));
        let items = &self.sentence.items;
        let to = items[at + 1..clause.end].first().is_some_and(|next| next.is_any(words!["to", "for", "from"]));
        let next = items[at + 1..clause.end].iter().take(4).find_map(|item| item.signal);
        if let (true, Some(NamedSignal::Known(place))) = (to, next) {
            let points = self.case.signals[place].points.map_or(NO_FIGURE, Decimal::from);
            return self.must_be(at, stated, &[Some(points)]);
        }
        if is_sum && self.sentence.signals(clause.clone()).is_empty() && !self.is_within(at) {
            self.must_be(at, stated, &[self.case.figures.points]);
        }
    }

    /// Whether the figure is a distance between scores: "within 10 points of this score".
    pub(super) fn is_within(&self, at: usize) -> bool {
        at > 0 && self.sentence.items[at - 1].is(w::INSIDE)
    }
}
