//! Stage 7, licence, rules on signals: fired, clear, without a result, with or without points.

use std::ops::Range;

use super::case::SignalState;
use super::sentence::NamedSignal;
use super::vocabulary::words;
use super::{Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    pub(crate) fn check_signals(&mut self) {
        for at in 0..self.sentence.items.len() {
            let item = &self.sentence.items[at];
            if let Some(NamedSignal::Known(place)) = item.signal {
                self.facts.push(format!("/signals/{place}/outcome").into());
            }
            if item.is(w::FIRE) || item.is(w::RAISED) && self.is_raised_signal(at) {
                self.check_fired(at);
            }
            if item.is(w::CLEAR) {
                self.check_clear(at);
            }
            if item.is(w::APPLY) {
                self.check_applied(at);
            }
            if item.is(w::CONTRIBUTE) {
                self.check_contributed(at);
            }
            if item.is(w::UNUSUAL) && item.signal.is_none() {
                self.check_unusual(at);
            }
            if item.is(w::NEW) {
                self.check_new_country(at);
            }
            if item.is(w::HELD) && item.acts & w::CARD == 0 {
                self.check_rules_held(at);
            }
        }
    }

    /// Checks "Velocity anomaly fired", "no other signal fired" and "the alert was triggered by velocity anomaly".
    fn check_fired(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let negated = self.sentence.is_negated(at);
        let before = self.since_predicate(clause.start, at, w::FIRE);
        if !negated && self.is_alert_triggered(&clause, at) {
            return;
        }
        let only = self.sentence.acts(before.clone()) & w::ONLY != 0
            || self.sentence.has_word(at + 1..clause.end, words!["alone"]);
        let is_other = self.sentence.acts(before.clone()) & w::OTHER != 0;
        let mut named = self.sentence.signals(before.clone());
        if named.is_empty() && !is_other {
            named = self.sentence.signals(at + 1..clause.end);
        }
        // "No rule fired" claims that no rule held.
        let says_rule = self.sentence.topics(before.clone()) & w::RULE != 0
            && self.sentence.topics(before.clone()) & w::SIGNAL == 0;
        if named.is_empty() && says_rule && negated {
            let held: usize = self.case.signals.iter().map(|signal| signal.rules_held).sum();
            return self.expect(at, held == 0, "/signals");
        }
        let says_signal = self.sentence.topics(before.clone()) & (w::SIGNAL | w::RULE) != 0;
        if named.is_empty() && says_signal && (negated || self.sentence.acts(before.clone()) & w::ALL != 0) {
            return self.check_all_fired(at, before, negated, is_other);
        }
        let subject = self.sentence.items[before.clone()].iter().rev().find(|item| item.topics != 0);
        if named.is_empty()
            && subject
                .is_some_and(|subject| subject.about(w::THRESHOLD | w::MEDIAN | w::BAND | w::CUSTOMER | w::MERCHANT))
        {
            return self.refuse(at, Reason::Unlicensed);
        }
        if named.is_empty() {
            // "two signals fired" states a number; "the signal fired" and "it fired" refer to the last signal that was
            // named.
            let items = &self.sentence.items[before.clone()];
            let number = items.iter().find_map(|item| super::SMALL_NUMBERS.iter().position(|word| *word == item.lower));
            let is_number = number.is_some() && items.iter().any(|item| item.about(w::SIGNAL));
            if is_number && !negated {
                let fired = self.case.fired().count();
                return self.expect(at, number == Some(fired), "/signals");
            }
            let is_figure =
                is_number || items.iter().any(|item| item.claim.is_some() && item.about(w::SIGNAL | w::RULE));
            if is_figure {
                return;
            }
            named.extend(self.nearest_signal(at));
        }
        if named.is_empty() {
            return self.refuse(at, Reason::Unlicensed);
        }
        if only && !negated {
            let others = self.case.fired().filter(|fired| !named.contains(&NamedSignal::Known(*fired))).count();
            self.expect(at, others == 0, "/signals");
        }
        for signal in named {
            self.expect_outcome(at, signal, |outcome| (outcome == SignalState::Fired) != negated);
        }
    }

    /// Whether a signal is said to be raised, which means that it fired: "Velocity anomaly was raised".
    fn is_raised_signal(&self, at: usize) -> bool {
        let clause = self.sentence.clause_of(at);
        let subject = self.since_predicate(clause.start, at, w::FIRE | w::RAISED);
        let about = self.sentence.topics(clause.clone());
        !self.sentence.signals(subject).is_empty() && about & (w::ALERT | w::INVESTIGATION | w::ACCOUNT) == 0
    }

    /// Checks "none of the signals fired", "no other signal fired" and "all four signals fired".
    fn check_all_fired(&mut self, at: usize, subject: Range<usize>, negated: bool, is_other: bool) {
        let fired = self.case.fired().count();
        let total = self.case.signals.len();
        let holds = if negated && is_other {
            let named = self.sentence.signals(0..self.sentence.items.len());
            let known = if named.is_empty() { self.earlier_signal.into_iter().collect() } else { named };
            self.case.fired().all(|fired| known.contains(&NamedSignal::Known(fired)))
        } else if negated {
            fired == 0
        } else if self.sentence.has_word(subject, words!["them", "these", "those"]) {
            let named = self.sentence.signals(0..at);
            let is_fired = |named: &NamedSignal| matches!(named, NamedSignal::Known(place) if self.case.signals[*place].outcome == SignalState::Fired);
            !named.is_empty() && named.iter().all(is_fired)
        } else {
            total > 0 && fired == total
        };
        self.expect(at, holds, "/signals");
    }

    /// Checks "stayed clear" and "did not stay clear".
    fn check_clear(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let negated = self.sentence.is_negated(at);
        let mut named = self.sentence.signals(clause.start..at);
        if named.is_empty() {
            named.extend(self.nearest_signal(at));
        }
        if named.is_empty() {
            return self.refuse(at, Reason::Unlicensed);
        }
        for signal in named {
            self.expect_outcome(at, signal, |outcome| (outcome == SignalState::Clear) != negated);
        }
    }

    /// Checks "did not apply", which claims that a signal has no result.
    fn check_applied(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        if self.sentence.topics(clause.clone()) & (w::CAP | w::THRESHOLD) != 0 {
            return;
        }
        let negated = self.sentence.is_negated(at);
        let mut named = self.sentence.signals(clause.clone());
        if named.is_empty() {
            named.extend(self.nearest_signal(at));
        }
        if named.is_empty() {
            return self.refuse(at, Reason::Unlicensed);
        }
        for signal in named {
            self.expect_outcome(at, signal, |outcome| (outcome == SignalState::NoResult) == negated);
        }
    }

    /// Checks "added nothing", "contributed no points" and a bare "contributed". The figure in "contributed 41 points"
    /// is checked by its role.
    fn check_contributed(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let after = at + 1..clause.end;
        let says_none = self.sentence.acts(after.clone()) & (w::NO | w::NOTHING) != 0
            || self.sentence.acts(clause.start..at) & (w::NOTHING | w::NO) != 0
            || self.sentence.is_negated(at);
        let subject = self.since_predicate(clause.start, at, w::CONTRIBUTE);
        let mut named = self.sentence.signals(subject);
        if named.is_empty() {
            named = self.sentence.signals(clause.clone());
        }
        if named.is_empty() && self.sentence.topics(clause.clone()) & (w::SIGNAL | w::SCORE | w::POINTS) != 0 {
            named.extend(self.nearest_signal(at));
        }
        let says_points = self.sentence.topics(clause.clone()) & (w::POINTS | w::SCORE | w::SIGNAL) != 0 || says_none;
        if !says_points {
            return self.refuse(at, Reason::Unlicensed);
        }
        // Signals add points to the score. The reverse is refused.
        let before = self.sentence.topics(clause.start..at);
        let is_backwards = before & w::SCORE != 0
            && self.sentence.signals(clause.start..at).is_empty()
            && !self.sentence.signals(at + 1..clause.end).is_empty();
        if is_backwards && self.sentence.has_word(at + 1..clause.end, words!["to"]) {
            return self.refuse(at, Reason::Unlicensed);
        }
        for signal in named {
            let NamedSignal::Known(place) = signal else { continue };
            let points = self.case.signals[place].points.unwrap_or(0);
            self.expect(at, (points > 0) != says_none, format!("/signals/{place}/contribution"));
        }
    }

    /// "unusual" claims that a signal fired; "nothing unusual" claims that it did not.
    fn check_unusual(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let negated = self.sentence.is_negated(at) || self.sentence.acts(clause.start..at) & (w::NOTHING | w::NO) != 0;
        let named = self.sentence.signals(clause.clone());
        if !named.is_empty() {
            for signal in named {
                self.expect_outcome(at, signal, |outcome| (outcome == SignalState::Fired) != negated);
            }
            return;
        }
        let says_unknown = self.sentence.acts(0..self.sentence.items.len()) & w::ABSENT != 0
            || self
                .sentence
                .has_word(0..self.sentence.items.len(), words!["available", "whether", "shown", "established", "why"]);
        if says_unknown && self.case.present & w::BASELINE == 0 {
            return self.facts.push("/baseline".into());
        }
        let about = self.sentence.topics(0..self.sentence.items.len());
        let of =
            |name: &str| self.case.signal(name).filter(|place| self.case.signals[*place].outcome == SignalState::Fired);
        let place = if about & (w::RATE) != 0 {
            of("velocity anomaly")
        } else if about & (w::LOCATION | w::TRAVEL) != 0 && about & w::AMOUNT == 0 {
            of("geographic inconsistency")
        } else {
            of("amount deviation")
                .filter(|_| about & (w::AMOUNT | w::MEDIAN | w::BASELINE | w::HISTORY | w::TRANSACTION) != 0)
        };
        // In "It stood out above the median", "it" is the amount, which is above the median.
        let above = self.case.to_median == Some(std::cmp::Ordering::Greater) && about & (w::MEDIAN | w::BASELINE) != 0;
        match place {
            Some(place) if !negated => self.facts.push(format!("/signals/{place}/outcome").into()),
            None if above && !negated => self.facts.push("/baseline/median_amount".into()),
            _ => self.refuse(at, Reason::Unlicensed),
        }
    }

    /// Only a country can be called new, and only if it made a signal fire.
    fn check_new_country(&mut self, at: usize) {
        let place =
            self.case.signals.iter().position(|signal| signal.is_new_country && signal.outcome == SignalState::Fired);
        let clause = self.sentence.clause_of(at);
        let whole = 0..self.sentence.items.len();
        let about = self.sentence.topics(whole.clone());
        let country = self.sentence.items[whole]
            .iter()
            .any(|item| item.claim.is_some_and(|(_, kind)| kind == super::ClaimKind::Country));
        let is_place = about & w::LOCATION != 0 || country;
        let negated = self.sentence.is_negated(at) || self.sentence.acts(clause.start..at) & w::NO != 0;
        match place {
            Some(place) if is_place => {
                self.expect(at, !negated && self.is_new_country(), format!("/signals/{place}/details/is_new_country"))
            }
            _ => self.refuse(at, Reason::Unlicensed),
        }
    }

    /// Whether the sentence names the new country or no country.
    fn is_new_country(&self) -> bool {
        let mut named = self.sentence.items.iter().filter_map(|item| item.country).peekable();
        named.peek().is_none() || self.case.new_country.as_deref().is_none_or(|new| named.any(|country| country == new))
    }

    /// Checks "two rules held" and "none of the rules held".
    fn check_rules_held(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let subject = clause.start..at;
        if self.sentence.topics(subject.clone()) & w::RULE == 0
            || self.sentence.topics(subject.clone()) & w::RECORD != 0
        {
            return;
        }
        let items = &self.sentence.items[subject.clone()];
        // Refuse "every rule held", because the total is not known here, and a count of the rules in force, which is
        // not the count that held.
        let counted = items.iter().find_map(|item| item.claim.filter(|(_, kind)| *kind == super::ClaimKind::Count));
        let is_in_force = counted.is_some_and(|(path, _)| {
            !path.contains("/flags") && !path.ends_with("/value") && !path.ends_with("/threshold")
        });
        let is_every = counted.is_none() && items.iter().any(|item| item.is(w::ALL));
        if is_every || is_in_force && !self.sentence.is_negated(at) {
            return self.refuse(at, Reason::Unlicensed);
        }
        let held: usize = self.case.signals.iter().map(|signal| signal.rules_held).sum();
        let negated = self.sentence.is_negated(at);
        self.expect(at, (held > 0) != negated, "/signals");
    }

    fn expect_outcome(&mut self, at: usize, signal: NamedSignal, holds: impl Fn(SignalState) -> bool) {
        match signal {
            NamedSignal::Known(place) => {
                let outcome = self.case.signals[place].outcome;
                self.expect(at, holds(outcome), format!("/signals/{place}/outcome"));
            }
            NamedSignal::Missing => self.expect(at, holds(SignalState::NoResult), "/signals"),
        }
    }

    /// The range from after the previous predicate with one of these acts, or from the clause's start, up to `at`.
    fn since_predicate(&self, from: usize, at: usize, acts: u64) -> Range<usize> {
        let before = (from..at).rev().find(|place| self.sentence.items[*place].is(acts));
        before.map_or(from, |before| before + 1)..at
    }

    /// The last signal named before `at`, in this sentence or in an earlier one.
    pub(crate) fn nearest_signal(&self, at: usize) -> Option<NamedSignal> {
        self.sentence.items[..at].iter().rev().find_map(|item| item.signal).or(self.earlier_signal)
    }

    /// Whether a clause only says that the transaction triggered the alert, without naming a signal. That is true of every alert
    /// about a transaction.
    fn is_alert_triggered(&self, clause: &Range<usize>, at: usize) -> bool {
        let has_signal = !self.sentence.signals(clause.clone()).is_empty();
        let after = self.sentence.topics(at + 1..clause.end);
        let before = self.sentence.topics(clause.start..at);
        let is_payment = |topics: u64| topics & (w::TRANSACTION | w::AMOUNT) != 0;
        !has_signal && (after & w::ALERT != 0 && is_payment(before) || before & w::ALERT != 0 && is_payment(after))
    }
}
