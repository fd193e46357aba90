//! Stage 7, licence, rules on roles: amounts of money (over a window, in total, from the smallest to the largest, above or
//! below another) and durations.

use std::ops::Range;

use rust_decimal::Decimal;

use super::{DAY_S, HOUR_S, NO_FIGURE};
use crate::figure::{FigureValue, Unit};
use crate::licence::case_figures::{EventKind, SignalFigures};
use crate::licence::vocabulary::words;
use crate::licence::{Reason, SentenceCheck, w};
use countersign_text::numbers::Quantity;

impl SentenceCheck<'_> {
    /// Checks an amount of money by the role that the words give it.
    pub(super) fn check_money(&mut self, at: usize, clause: &Range<usize>, stated: Quantity) {
        let figures = &self.case.figures;
        let items = &self.sentence.items;
        if let Some(window) = self.window(at, clause) {
            let is_limit = self.is_limit(at, clause);
            let sums = |signal: &SignalFigures| if is_limit { signal.sum_limits[window] } else { signal.sums[window] };
            let mut allowed: Vec<_> = figures.signals.iter().map(sums).collect();
            let unit_window = |signal: &&SignalFigures| signal.window == Some(window);
            let measured = |signal: &SignalFigures| if is_limit { signal.threshold } else { signal.value };
            allowed.extend(figures.signals.iter().filter(unit_window).map(measured));
            return self.must_be(at, stated, &allowed);
        }
        let is_joined = |place: usize| items.get(place).is_some_and(|item| item.is_any(words!["to", "and"]));
        let is_money = |place: usize| {
            matches!(
                items.get(place).and_then(|item| item.figure),
                Some(FigureValue::Number(_, Unit::Money(_) | Unit::Currency(_)))
            )
        };
        let starts = |place: usize| items[..place].last().is_some_and(|item| item.is_any(words!["from", "between"]));
        if starts(at) && is_joined(at + 1) && is_money(at + 2) {
            return self.must_be(at, stated, &[figures.smallest]);
        }
        if at > 1 && is_joined(at - 1) && is_money(at - 2) && starts(at - 2) {
            return self.must_be(at, stated, &[figures.largest]);
        }
        if self.is_total(at, clause) && !starts(at) {
            if self.sentence.has_word(clause.clone(), words!["hour", "hours"]) {
                return self.refuse(at, Reason::Unlicensed);
            }
            return self.must_be(at, stated, &[figures.total]);
        }
        // The amount must be that of the last earlier transaction: "the last transaction before this one was USD 40".
        let is_previous = self.sentence.has_word(clause.clone(), words!["previous", "last", "latest", "preceding"])
            && self.sentence.has_word(clause.clone(), words!["transaction", "payment", "purchase", "one"])
            && self.sentence.acts(clause.clone()) & (w::LARGEST | w::SMALLEST | w::UP | w::DOWN) == 0
            && self.sentence.topics(clause.clone()) & (w::BASELINE | w::MEDIAN | w::TRAVEL) == 0;
        if is_previous {
            let last = figures.events.iter().rfind(|event| event.kind == EventKind::PriorTransaction);
            return self.must_be(at, stated, &[last.and_then(|event| event.amount)]);
        }
        // "a card-present payment of USD 40" must be this transaction: the channel of earlier payments is not on
        // record, and only this one was flagged.
        let is_of = at > 1 && items[at - 1].lower == "of" && items[at - 2].about(w::TRANSACTION);
        let is_this = self.sentence.acts(clause.start..at) & (w::CARD | w::CASH | w::WIRE | w::ONLINE) != 0
            || self.sentence.has_word(clause.clone(), words!["review", "flagged"]);
        if is_of && is_this {
            return self.must_be(at, stated, &[figures.amount]);
        }
        self.check_difference(at, clause, stated);
    }

    /// Whether a clause is about the sum of several amounts.
    pub(super) fn is_total(&self, at: usize, clause: &Range<usize>) -> bool {
        let totals = words!["total", "totalled", "totaled", "totalling", "totaling", "summed", "altogether"];
        let many = words!["transactions", "payments", "purchases", "transfers", "amounts"];
        let items = &self.sentence.items[clause.clone()];
        let amounts = || items.iter().any(|item| item.is_any(words!["amounted"]));
        self.sentence.has_word(clause.clone(), totals)
            || self.sentence.items[clause.start..at].iter().any(|item| self.is_idiom(item, words!["up"]))
            || amounts() && items.iter().any(|item| self.reader.has_word(item, many))
    }

    /// Checks "stood USD 40 above the median" and "exceeded the largest earlier amount by USD 40".
    pub(super) fn check_difference(&mut self, at: usize, clause: &Range<usize>, stated: Quantity) {
        let figures = &self.case.figures;
        let items = &self.sentence.items;
        let before = items[clause.start..at].last();
        let is_by = before.is_some_and(|before| before.lower == "by")
            && self.sentence.acts(clause.start..at) & (w::UP | w::DOWN) != 0;
        let is_above = items[at + 1..clause.end].first().is_some_and(|next| next.is(w::UP | w::DOWN))
            && !before.is_some_and(|before| before.is_any(words!["of", "at", "for", "to", "with", "by"]));
        if !is_by && !is_above {
            return;
        }
        let range = if is_by { clause.start..at } else { at + 1..clause.end };
        let acts = self.sentence.acts(range.clone());
        let reference = match acts {
            acts if acts & w::LARGEST != 0 => figures.largest,
            acts if acts & w::SMALLEST != 0 => figures.smallest,
            _ if self.sentence.topics(range) & w::MEDIAN != 0 => figures.median,
            _ => return,
        };
        let difference = figures.amount.zip(reference).and_then(|(amount, other)| amount.checked_sub(other));
        self.must_be(at, stated, &[Some(difference.unwrap_or(Decimal::MAX))]);
    }

    /// Checks a duration: of a journey, of the account's age, of the baseline.
    pub(super) fn check_duration(&mut self, at: usize, clause: &Range<usize>, stated: Quantity, unit: u64) {
        let figures = &self.case.figures;
        let Some(seconds) = stated.value.checked_mul(Decimal::from(unit)) else { return };
        let about = self.sentence.topics(clause.clone());
        let is_window = unit == HOUR_S && (stated.value == Decimal::ONE || stated.value == Decimal::from(24));
        let whole = self.sentence.topics(0..self.sentence.items.len());
        let is_travel = whole & w::TRAVEL != 0
            && self.sentence.items.iter().any(|item| item.path().is_some_and(|path| path.contains("distance")));
        if is_travel {
            let elapsed = figures.signals.iter().find_map(|signal| signal.elapsed);
            let half = Decimal::from(unit) / Decimal::TWO;
            let is_near =
                |known: Decimal| (known - seconds).abs() <= half.min(known / Decimal::TEN).max(Decimal::from(60));
            if elapsed.is_some_and(|known| !is_near(known)) {
                let path = self.sentence.items[at].path().unwrap_or_default().to_owned();
                self.refuse(at, Reason::BelongsToAnother { path });
            }
            return;
        }
        // "one day before the transaction" or "an hour passed between": the only interval of this kind on record is a
        // journey's duration.
        let acts = self.sentence.acts(clause.clone());
        let next = self.sentence.items[at + 1..clause.end].first();
        let is_between = next
            .is_some_and(|next| next.is(w::BEFORE | w::AFTER) || self.is_idiom(next, words!["passed"]))
            || next.is_some_and(|next| next.is_any(words!["earlier", "later"]));
        let age = words!["existed", "exists", "open", "old", "age", "since", "opened"];
        let is_age = about & (w::ACCOUNT | w::OPENING) != 0 && self.sentence.has_word(clause.clone(), age);
        let is_previous = self.sentence.has_word(clause.clone(), words!["previous", "last"])
            && self.sentence.has_word(clause.clone(), words!["transaction", "payment", "purchase"])
            && about & (w::BASELINE | w::ALERT) == 0;
        if is_previous || is_between && !is_age {
            let elapsed = figures.signals.iter().find_map(|signal| signal.elapsed);
            let half = Decimal::from(unit) / Decimal::TWO;
            let is_window = is_window && !is_between;
            if elapsed.is_none_or(|known| (known - seconds).abs() > half) && !is_window {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        }
        let days = seconds.checked_div(Decimal::from(DAY_S));
        let (Some(days), false) = (days, is_window) else {
            // An account's age and a baseline's length are stated in days.
            if is_age {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        };
        let quantity = Quantity { value: days.normalize(), decimals: stated.decimals };
        if is_age {
            return self.must_be(at, quantity, &[Some(figures.account_days.unwrap_or(NO_FIGURE))]);
        }
        let is_history = about & (w::BASELINE | w::HISTORY) != 0
            || acts & w::PRIOR != 0 && about & w::TRANSACTION != 0 && about & w::ALERT == 0;
        if is_history
            && self.sentence.has_word(clause.clone(), words!["earlier", "baseline", "comparison", "prior", "history"])
        {
            let mut allowed = vec![figures.baseline_days];
            allowed.extend(self.named_signals(clause).map(|signal| signal.days));
            self.must_be(at, quantity, &allowed);
        }
    }
}
