//! Stage 7, licence, rules on causes: a sentence may only state causal links that the computation has.

use std::ops::Range;

use crate::licence::sentence::{Item, NamedSignal};
use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SentenceCheck, signal_of, w};

impl SentenceCheck<'_> {
    /// Checks a cause and its effect against the causal links that the computation has.
    pub(super) fn check_cause(&mut self, at: usize) {
        let items = &self.sentence.items;
        let item = &items[at];
        let count = items.len();
        // In "since 17 May 2024", "since" is temporal.
        let next_is_date = items.get(at + 1).is_some_and(|next| {
            next.claim.is_some_and(|(_, kind)| matches!(kind, ClaimKind::Date | ClaimKind::Time))
                || next.is(w::FIRST)
                || next.lower == "the" && items.get(at + 2).is_some_and(|next| next.is(w::FIRST))
        });
        if item.lower == "since" && next_is_date {
            return;
        }
        if item.is(w::LEAD) && !self.is_causal(at) {
            return;
        }
        // In "the country that led the baseline", "led" is not causal.
        let clause = self.sentence.clause_of(at);
        if item.lower == "led"
            && self.sentence.topics(at + 1..clause.end) & w::BASELINE != 0
            && self.check_led_by_country(at, &clause)
        {
            return;
        }
        if item.is_any(words!["reason", "reasons", "grounds", "cause"]) {
            return self.check_reason(at);
        }
        let (effect, cause) = if item.is(w::BECAUSE) {
            match items[at..].iter().position(|item| item.mark == Some(',')) {
                Some(comma) if at == 0 => (at + comma..count, 1..at + comma),
                _ => (0..at, at + 1..count),
            }
        } else {
            (at + 1..count, 0..at)
        };
        if !self.is_link(effect, cause) {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Whether "made", "gave" or "followed" is causal. They are only causal between computed things.
    fn is_causal(&self, at: usize) -> bool {
        let item = &self.sentence.items[at];
        let clause = self.sentence.clause_of(at);
        let after = self.sentence.topics(at + 1..clause.end);
        match item.lower {
            "made" | "makes" | "making" => {
                after & (w::SIGNAL | w::SEVERITY | w::SCORE) != 0 && !means_paid(&self.sentence.items, at)
            }
            "gave" | "give" | "gives" => self.sentence.topics(at + 1..clause.end.min(at + 4)) & w::SCORE != 0,
            "followed" | "follows" => self.sentence.items.get(at + 1).is_some_and(|next| next.lower == "from"),
            _ => true,
        }
    }

    /// Checks "the reason was …". Only signals and rules can be reasons, and a signal only if it fired or was reported.
    fn check_reason(&mut self, at: usize) {
        let whole = 0..self.sentence.items.len();
        let (about, acts) = (self.sentence.topics(whole.clone()), self.sentence.acts(whole.clone()));
        let denies = acts & (w::NO | w::NOT) != 0;
        let has_signal = !self.sentence.signals(whole).is_empty() || about & (w::SIGNAL | w::RULE) != 0;
        if !has_signal || denies && about & w::SIGNAL == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
        if !denies {
            for named in self.sentence.signals(0..self.sentence.items.len()) {
                if let NamedSignal::Known(place) = named {
                    use crate::licence::case::SignalState::{Fired, Reported};
                    let raised = matches!(self.case.signals[place].outcome, Fired | Reported);
                    self.expect(at, raised, format!("/signals/{place}/outcome"));
                }
            }
        }
    }

    /// Whether the computation has a causal link from the cause to the effect. Both are ranges of items.
    fn is_link(&self, effect: Range<usize>, cause: Range<usize>) -> bool {
        let (to, from) = (self.sentence.topics(effect.clone()), self.sentence.topics(cause.clone()));
        let (to_acts, from_acts) = (self.sentence.acts(effect.clone()), self.sentence.acts(cause.clone()));
        let denial = w::NO | w::NOT | w::ABSENT | w::NOTHING;
        let (effects, causes) = (self.sentence.signals(effect.clone()), self.sentence.signals(cause.clone()));
        let figures = |range: Range<usize>| {
            self.sentence.items[range].iter().filter_map(|item| item.path()).filter_map(signal_of).collect::<Vec<_>>()
        };
        let fires =
            to_acts & w::FIRE != 0 || !effects.is_empty() && to_acts & (w::CONTRIBUTE | w::CLEAR | w::RAISED) != 0;
        let measured = w::THRESHOLD
            | w::VALUE
            | w::RULE
            | w::TRAVEL
            | w::RATE
            | w::AMOUNT
            | w::MEDIAN
            | w::BASELINE
            | w::LOCATION
            | w::HISTORY;
        // Topics whose absence can explain another absence.
        let lacking = w::TRANSACTION
            | w::LOCATION
            | w::BASELINE
            | w::HISTORY
            | w::SIGNAL
            | w::RECORD
            | w::AMOUNT
            | w::CURRENCY
            | w::RULE
            | w::EVIDENCE;
        // A signal with a result had its inputs, so "did not fire, because the record lacked the history" is false for
        // it.
        let inputs = w::TRANSACTION | w::LOCATION | w::BASELINE | w::HISTORY | w::RECORD;
        let is_measured = |named: &NamedSignal| matches!(named, NamedSignal::Known(place) if self.case.has_result(*place) && !self.case.is_reported(*place));
        let both = from_acts & denial != 0 && to_acts & denial != 0;
        if both && from & inputs != 0 && from & w::RULE == 0 && effects.iter().any(is_measured) {
            return false;
        }
        if from_acts & denial != 0 && (to_acts & denial != 0 || to & (w::SCORE | w::REPORT | w::EVIDENCE) != 0) {
            return from & lacking != 0
                && (to_acts & w::FIRE == 0
                    || from & (w::TRANSACTION | w::LOCATION | w::HISTORY | w::BASELINE | w::SIGNAL | w::RULE) != 0);
        }
        if fires {
            let same = causes.iter().all(|cause| effects.is_empty() || effects.contains(cause));
            let cause_figures = figures(cause);
            let of_other =
                cause_figures.iter().any(|place| !effects.is_empty() && !effects.contains(&NamedSignal::Known(*place)));
            return same
                && !of_other
                && (!cause_figures.is_empty()
                    || from & measured != 0
                    || from_acts & (w::NEW | w::UNUSUAL) != 0
                    || !causes.is_empty());
        }
        // In "so this payment was the largest", the cause must also mention the largest amount.
        if to_acts & w::LARGEST != 0 {
            return from_acts & w::LARGEST != 0;
        }
        if to & (w::SCORE | w::POINTS | w::SEVERITY | w::BAND | w::CAP) != 0 {
            return from & (w::SCORE | w::POINTS | w::BAND | w::SIGNAL | w::SEVERITY | w::VALUE | w::CAP) != 0
                || !causes.is_empty();
        }
        if to & w::ALERT != 0 {
            return !causes.is_empty()
                || from & (w::SIGNAL | w::TRANSACTION | w::SCORE | w::RULE) != 0
                    && from & (w::MERCHANT | w::CATEGORY) == 0;
        }
        if to & w::INVESTIGATION != 0 {
            return from & (w::ALERT | w::SCORE) != 0;
        }
        // The only link left: something is absent because something else is missing.
        to_acts & denial != 0 && from & lacking != 0
    }

    /// Checks statements about needs. A distance needs a speed, and a check needs a history. Advice that something
    /// needs to be done is refused.
    pub(super) fn check_need(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let about = self.sentence.topics(clause.clone());
        let is_value =
            |item: &Item<'_>| item.path().is_some_and(|path| !path.ends_with("threshold") && !path.ends_with("_limit"));
        let has_figure =
            self.sentence.items[at + 1..clause.end].iter().find(|item| item.claim.is_some()).is_some_and(is_value)
                || self.sentence.items[clause.start..at].iter().any(is_value);
        if !has_figure || about & (w::TRAVEL | w::TRANSACTION | w::HISTORY) == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
    }
}

/// Whether "made" means "paid", as in "made a transfer of USD 5". It does not in "made the signal fire".
fn means_paid(items: &[Item<'_>], at: usize) -> bool {
    items[at + 1..].iter().take(4).any(|item| item.about(w::TRANSACTION))
}
