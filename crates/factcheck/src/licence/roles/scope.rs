//! Stage 7, licence, rules on roles: the scope of a statement, which is how widely it applies. A true figure is false if it is
//! attributed to all, to a part, to a sum, or to the wrong element of a sequence.

use std::ops::Range;

use rust_decimal::Decimal;

use super::{DAY_S, NO_FIGURE, is_equal};
use crate::figure::{FigureValue, Unit};
use crate::licence::case_figures::{CaseEvent, EventKind};
use crate::licence::sentence::{ARTICLES, Item, NamedSignal};
use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SentenceCheck, signal_of, w};
use countersign_text::numbers::Quantity;

impl SentenceCheck<'_> {
    pub(super) fn check_scope(&mut self) {
        for at in 0..self.sentence.items.len() {
            let item = &self.sentence.items[at];
            if item.is_mark_or_article() {
                continue;
            }
            let clause = self.sentence.clause_of(at);
            match item.figure {
                Some(FigureValue::Number(stated, Unit::Ordinal(noun))) => self.check_ordinal(at, *stated, *noun),
                Some(FigureValue::Number(stated, Unit::Count(noun))) => {
                    self.check_signal_count(at, &clause, *stated, *noun)
                }
                Some(FigureValue::Number(stated, Unit::Points)) => self.check_points_together(at, &clause, *stated),
                Some(FigureValue::Number(_, Unit::Money(_) | Unit::Currency(_))) => self.check_amount_as_difference(at),
                _ => {}
            }
            if item.claim.is_some() {
                self.check_currency_of_earlier(at, &clause);
                continue;
            }
            self.check_paid_to(at, &clause);
            self.check_all(at, &clause);
            self.check_part(at, &clause);
            self.check_acted_upon(at, &clause);
            self.check_first_or_last_amount(at, &clause);
            self.check_measured_against(at, &clause);
            self.check_lasted(at, &clause);
            self.check_each_fired(at, &clause);
            self.check_stated_by(at, &clause);
            self.check_band_edge(at, &clause);
        }
        let sentence = self.sentence;
        for clause in &sentence.clauses {
            self.check_weights(clause);
            self.check_several_alerts(clause);
            self.check_made_up(clause);
            self.check_previous(clause);
            self.check_impact(clause);
            self.check_stated_by_person(clause);
        }
    }

    /// The first item after `at` that is not an article. It is usually a noun.
    pub(super) fn next_noun(&self, at: usize, end: usize) -> Option<&Item<'_>> {
        self.sentence.items.get(at + 1..end)?.iter().find(|item| !item.is_any(ARTICLES))
    }

    /// Refuses "all customers' median", because all measurements are of this customer, and checks statements about all
    /// rules.
    fn check_all(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        let is_owner = item.is_possessive || items.get(at + 1).is_some_and(|next| next.mark == Some('\''));
        if item.about(w::CUSTOMER) && is_owner && at > 0 && items[at - 1].is(w::ALL | w::OTHER) {
            return self.refuse(at, Reason::Unlicensed);
        }
        let acts = self.sentence.acts(clause.clone());
        let is_rule = |item: &Item<'_>| item.about(w::RULE) && item.signal.is_none();
        if item.is(w::ALL)
            && acts & (w::NO | w::NOT | w::NOTHING | w::CLEAR | w::ABSENT) == 0
            && items[at + 1..clause.end].iter().take(3).any(is_rule)
            && (acts & (w::HELD | w::FIRE | w::REACHED) != 0
                || self.sentence.has_word(clause.clone(), words!["conditions", "met", "matched"]))
            && self.case.figures.rules_held != self.case.figures.rules_in_force
        {
            return self.contradict(at, "/signals");
        }
        // Refuse "none of the rules was tested" if the rules have a result.
        if item.is_any(words!["tested", "checked", "evaluated", "examined", "assessed"])
            && self.sentence.acts(clause.start..at) & (w::NO | w::NOT | w::NOTHING) != 0
            && self.sentence.topics(clause.start..at) & w::RULE != 0
            && self.case.signal("rule flags").is_some_and(|signal| self.case.has_result(signal))
        {
            self.contradict(at, "/signals");
        }
    }

    /// Refuses "among the largest" and "part of the 11 transactions": the record does not say which payments make up a
    /// count.
    fn check_part(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let next = self.next_noun(at, clause.end);
        // "a threshold of theirs" refers to the signals that were just named. "Theirs" without "of" has no clear owner.
        let is_bare = items[at].lower == "theirs" && at > 0 && items[at - 1].lower != "of";
        if is_bare {
            return self.refuse(at, Reason::Unlicensed);
        }
        if items[at].lower == "among" && next.is_some_and(|next| next.is(w::LARGEST | w::SMALLEST | w::HEAVIEST)) {
            return self.refuse(at, Reason::Unlicensed);
        }
        let counts = |item: &Item<'_>| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Count);
        // "the part of velocity anomaly" is allowed, because a score has one part per signal.
        if items[at].is_any(words!["part", "parts"])
            && items.get(at + 1).is_some_and(|next| next.lower == "of")
            && self.next_noun(at + 1, clause.end).is_some_and(|whole| whole.signal.is_none())
            && items[at + 1..clause.end].iter().any(counts)
            && self.sentence.topics(at..clause.end) & w::TRANSACTION != 0
        {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Checks the amount that is stated for the first or the last earlier transaction.
    fn check_first_or_last_amount(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        // One amount can't be both the largest and the smallest.
        let acts = self.sentence.acts(clause.clone());
        let both = acts & w::LARGEST != 0 && acts & w::SMALLEST != 0;
        if item.is(w::LARGEST | w::SMALLEST) && both && self.stated_amounts(clause.clone()).len() == 1 {
            return self.refuse(at, Reason::Unlicensed);
        }
        let is_of_sequence = item.is(w::FIRST | w::LAST)
            && self.next_noun(at, clause.end).is_some_and(|next| next.about(w::TRANSACTION) && next.claim.is_none());
        if !is_of_sequence
            || acts & (w::PRIOR | w::BEFORE | w::LARGEST | w::SMALLEST) == 0
            || acts & (w::NO | w::NOT) != 0
        {
            return;
        }
        let ([(amount_at, stated)], []) =
            (&self.stated_amounts(clause.clone())[..], &self.stated_dates(clause.clone())[..])
        else {
            return;
        };
        let is_earlier = |event: &&CaseEvent| event.kind == EventKind::PriorTransaction;
        let mut earlier = self.case.figures.events.iter().filter(is_earlier);
        let event = if item.is(w::LAST) { earlier.next_back() } else { earlier.next() };
        if event.and_then(|event| event.amount).is_none_or(|amount| !is_equal(*stated, amount)) {
            let path = items[*amount_at].path().unwrap_or_default().to_owned();
            self.refuse(*amount_at, Reason::BelongsToAnother { path });
        }
    }

    /// Checks ordinals: "the 26th transaction" is this one if there were 25 earlier ones.
    fn check_ordinal(&mut self, at: usize, stated: Quantity, noun: usize) {
        let topics = self.reader.tokens[noun].sense.unwrap_or_default().topics;
        let figures = &self.case.figures;
        let before = if topics & w::TRANSACTION != 0 {
            figures.history_count
        } else if topics & w::ALERT != 0 {
            figures.prior_alerts
        } else {
            None
        };
        if before.is_none_or(|before| stated.value != before + Decimal::ONE) {
            let path = self.sentence.items[at].path().unwrap_or_default().to_owned();
            self.refuse(at, Reason::BelongsToAnother { path });
        }
    }

    /// Refuses a whole amount as a difference: "GBP 34.08 below the amount", where GBP 34.08 is the median.
    fn check_amount_as_difference(&mut self, at: usize) {
        let items = &self.sentence.items;
        let next = items.get(at + 1);
        let is_whole = items[at].path().is_some_and(|path| path.ends_with("_amount") || path == "/transaction/amount");
        if is_whole && next.is_some_and(|next| next.is(w::UP | w::DOWN) && !next.is(w::VERB) && next.claim.is_none()) {
            self.refuse(at + 1, Reason::Unlicensed);
        }
    }

    /// Checks "X and Y together contributed 130 points" against the sum of the points of the named signals.
    fn check_points_together(&mut self, at: usize, clause: &Range<usize>, stated: Quantity) {
        let together = words!["together", "combined", "jointly", "both", "altogether"];
        let points = |item: &&Item<'_>| matches!(item.figure, Some(FigureValue::Number(_, Unit::Points)));
        let named = self.sentence.signals(clause.start..at);
        let point_figures = self.sentence.items[clause.clone()].iter().filter(points).count();
        if named.len() < 2 || point_figures != 1 || !self.sentence.has_word(clause.clone(), together) {
            return;
        }
        self.must_be(at, stated, &[Some(self.points_of(&named).unwrap_or(NO_FIGURE))]);
    }

    /// The sum of the points of these signals; `None` if one of them contributed none.
    fn points_of(&self, named: &[NamedSignal]) -> Option<Decimal> {
        let points = |named: &NamedSignal| match named {
            NamedSignal::Known(place) => self.case.signals[*place].points.filter(|points| *points > 0),
            NamedSignal::Missing => None,
        };
        named.iter().map(points).sum::<Option<u64>>().map(Decimal::from)
    }

    /// Only a signal's value is compared with its threshold. Its other figures are not.
    fn check_measured_against(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        if !items[at].is(w::UP | w::REACHED | w::EVEN) || !items[at].is(w::VERB) {
            return;
        }
        // The threshold of the travel signal is a speed only if a speed was measured.
        let of_speed = self.sentence.has_word(clause.start..at, words!["speed"]);
        let has_threshold = self.sentence.topics(at + 1..clause.end) & w::THRESHOLD != 0;
        if of_speed && has_threshold && !self.case.is_too_fast && !self.sentence.is_negated(at) {
            return self.refuse(at, Reason::Unlicensed);
        }
        let mut limits = items[at + 1..clause.end].iter().filter_map(|item| item.path());
        let limit =
            limits.find(|path| signal_of(path).is_some() && !path.ends_with("_limit")).filter(|_| has_threshold);
        let Some(signal) = limit.and_then(signal_of) else { return };
        let Some(value) = self.case.figures.signals.get(signal).and_then(|signal| signal.value) else { return };
        // In "14 transactions in 1 hour exceeded", the count is the subject and the window is not.
        let is_figure = |item: &Item<'_>| matches!(item.figure, Some(FigureValue::Number(_, unit)) if !matches!(unit, Unit::Seconds(_)));
        let subject = (clause.start..at).rev().find(|place| is_figure(&items[*place]));
        let Some(place) = subject else { return };
        let Some((path, FigureValue::Number(stated, _))) = items[place].path().zip(items[place].figure) else { return };
        let is_of_signal = signal_of(path) == Some(signal) || path.ends_with("per_day");
        if is_of_signal && !path.ends_with("/explanation") && !is_equal(*stated, value) {
            let path = path.to_owned();
            self.refuse(place, Reason::BelongsToAnother { path });
        }
    }

    /// Checks durations that something "lasted". The record has two: the length of the customer's history and that of a
    /// journey.
    fn check_lasted(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        if !items[at].is_any(words!["lasted", "lasting", "lasts"]) {
            return;
        }
        let Some(place) = (at + 1..clause.end).find(|place| items[*place].figure.is_some()) else { return };
        let Some(FigureValue::Number(stated, Unit::Seconds(unit))) = items[place].figure else { return };
        let seconds = stated.value.checked_mul(Decimal::from(*unit));
        let days = seconds.and_then(|seconds| seconds.checked_div(Decimal::from(DAY_S)));
        let is_history = days.is_some_and(|days| self.case.figures.baseline_days == Some(days.normalize()));
        let elapsed = self.case.figures.signals.iter().find_map(|signal| signal.elapsed);
        let is_journey = self.sentence.topics(clause.clone()) & w::TRAVEL != 0 && elapsed == seconds;
        if !is_history && !is_journey {
            self.refuse(place, Reason::Unlicensed);
        }
    }

    /// Checks "earlier transactions in EUR". The baseline counts those in this transaction's currency;
    /// `other_currencies` counts the rest.
    fn check_currency_of_earlier(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let stated = self.reader.text(&items[at]);
        let is_code =
            items[at].figure.is_none() && stated.len() == 3 && stated.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_in = at > 0 && items[at - 1].lower == "in";
        let (about, acts) = (self.sentence.topics(clause.clone()), self.sentence.acts(clause.clone()));
        if !is_code || !is_in || about & w::TRANSACTION == 0 || acts & w::PRIOR == 0 || acts & (w::NO | w::NOT) != 0 {
            return;
        }
        let Some(currency) = self.case.figures.currency.as_deref() else { return };
        let figures = &self.case.figures;
        let known = if stated == currency { figures.baseline_count } else { figures.other_currencies };
        let counted = items[clause.clone()].iter().find_map(|item| match item.figure {
            Some(FigureValue::Number(stated, Unit::Count(_))) => Some(*stated),
            _ => None,
        });
        let holds = match (known, counted) {
            (None, _) => false,
            (Some(known), None) => known > Decimal::ZERO,
            (Some(known), Some(stated)) => is_equal(stated, known),
        };
        if !holds {
            self.contradict(at, "/baseline/transactions");
        }
    }

    /// Checks "`a` weighed more than `b`" against the weights of the rules.
    fn check_weights(&mut self, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let is_rule = |at: &usize| items[*at].names_rule();
        let rules: Vec<usize> = clause.clone().filter(is_rule).collect();
        let [one, other] = rules[..] else { return };
        let between = &items[one + 1..other];
        let Some(compares) = between.iter().position(|item| item.is(w::UP | w::DOWN)) else { return };
        let weight = |at: usize| {
            let stated = self.reader.normalised(&items[at]);
            self.case.rules.iter().find(|(name, _)| *name == stated).map(|(_, weight)| *weight)
        };
        let holds = weight(one)
            .zip(weight(other))
            .is_some_and(|(one, other)| if between[compares].is(w::UP) { one > other } else { one < other });
        if !holds {
            self.contradict(one + 1 + compares, "/signals");
        }
    }

    /// Checks "… and each of them fired" for every signal that the sentence names.
    fn check_each_fired(&mut self, at: usize, clause: &Range<usize>) {
        if !self.sentence.items[at].is(w::FIRE) {
            return;
        }
        let is_each = self.sentence.has_word(clause.start..at, words!["each", "both", "all"])
            && self.sentence.signals(clause.start..at).is_empty();
        if !is_each || self.sentence.is_negated(at) {
            return;
        }
        for named in self.sentence.signals(0..at) {
            let fired = matches!(named, NamedSignal::Known(place) if self.case.fired().any(|fired| fired == place));
            if !fired {
                self.contradict(at, "/signals");
            }
        }
    }

    /// Checks "four signals fired" against the number of signals that fired.
    fn check_signal_count(&mut self, at: usize, clause: &Range<usize>, stated: Quantity, noun: usize) {
        let items = &self.sentence.items;
        let is_signal = self.reader.tokens[noun].sense.unwrap_or_default().topics & w::SIGNAL != 0;
        let is_whole = items[clause.start..at].iter().any(|item| item.is_any(words!["of", "all", "among"]));
        let fires = items[at + 1..clause.end].iter().find(|item| item.is(w::VERB)).is_some_and(|verb| verb.is(w::FIRE));
        let denies = self.sentence.acts(clause.clone()) & (w::NO | w::NOT | w::OTHER) != 0;
        if is_signal && fires && !is_whole && !denies {
            self.must_be(at, stated, &[Some(Decimal::from(self.case.fired().count() as u64))]);
        }
    }

    /// Checks the edges of the band in "scores below 60 or above 79 belong to another severity".
    fn check_band_edge(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((from, to)) = self.case.figures.band else { return };
        let next = items.get(at + 1).and_then(|next| next.figure);
        let Some(FigureValue::Number(stated, Unit::Bare)) = next else { return };
        if items[at].is(w::UP | w::DOWN) && self.sentence.has_word(clause.start..at, words!["scores"]) {
            let edge = if items[at].is(w::UP) { to } else { from };
            self.must_be(at + 1, *stated, &[Some(edge)]);
        }
    }

    /// Checks statements about several alerts: the severity of all prior ones, their highest score, and who the similar
    /// ones belong to.
    fn check_several_alerts(&mut self, clause: &Range<usize>) {
        let (about, acts) = (self.sentence.topics(clause.clone()), self.sentence.acts(clause.clone()));
        let items = &self.sentence.items;
        if about & w::ALERT != 0 && acts & w::SIMILAR != 0 {
            let belongs = words!["belonged", "belongs", "belong", "belonging"];
            let owned = clause.clone().find(|at| items[*at].is_any(belongs));
            let is_part = |at: &usize| {
                items[*at].lower == "among" || items[*at].lower == "of" && *at > 0 && items[*at - 1].lower == "one"
            };
            let of = clause.clone().find(is_part);
            if let Some(at) = owned.or(of.filter(|_| acts & w::PRIOR != 0)) {
                return self.refuse(at, Reason::Unlicensed);
            }
        }
        if acts & w::PRIOR == 0 || acts & (w::NO | w::NOT | w::SIMILAR) != 0 {
            return;
        }
        let all = words!["all", "both", "each", "every"];
        let levels: Vec<usize> = clause.clone().filter(|at| self.level(&items[*at]).is_some()).collect();
        if let [at] = levels[..]
            && about & w::ALERT != 0
            && self.sentence.has_word(clause.clone(), all)
        {
            let figures = &self.case.figures;
            let count = self.level(&items[at]).and_then(|level| figures.prior_by_level[level as usize]);
            if count != figures.prior_alerts {
                return self.contradict(at, "/correlation/prior_alerts_by_severity");
            }
        }
        if acts & w::LARGEST != 0 && about & w::SCORE != 0 && about & (w::TRANSACTION | w::AMOUNT) == 0 {
            let highest = self.case.figures.prior_alert_events().filter_map(|event| event.score).max();
            let figure = clause.clone().find_map(|at| match items[at].figure {
                Some(FigureValue::Number(stated, Unit::Bare | Unit::OutOf(_))) => Some((at, *stated)),
                _ => None,
            });
            if let Some((at, stated)) = figure {
                self.must_be(at, stated, &[highest]);
            }
        }
    }

    /// Checks "X and Y together made up the score": their points must be the sum of all points.
    fn check_made_up(&mut self, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let together = words!["together", "jointly", "combined"];
        let is_score = self.sentence.topics(clause.clone()) & w::SCORE != 0;
        if !is_score || !self.sentence.has_word(clause.clone(), together) {
            return;
        }
        let named = self.sentence.signals(clause.clone());
        let has_points =
            items[clause.clone()].iter().any(|item| matches!(item.figure, Some(FigureValue::Number(_, Unit::Points))));
        if named.len() < 2 || has_points {
            return;
        }
        let sum = self.points_of(&named);
        if sum.is_none() || sum != self.case.figures.points {
            self.contradict(clause.start, "/score/contributions");
        }
    }

    /// Checks the date in "the previous transaction took place on …". It must be the date of the last earlier transaction.
    fn check_previous(&mut self, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let at = clause.clone().find(|at| items[*at].lower == "previous");
        let is_of_transaction =
            at.is_some_and(|at| items.get(at + 1).is_some_and(|next| next.is_any(words!["transaction", "payment"])));
        if !is_of_transaction {
            return;
        }
        let [date] = self.stated_dates(clause.clone())[..] else { return };
        let is_earlier = |event: &&CaseEvent| event.kind == EventKind::PriorTransaction;
        let last = self.case.figures.events.iter().rfind(is_earlier);
        if last.is_some_and(|last| !date.is(Some(&last.at))) {
            self.contradict(date.at, "/timeline");
        }
    }
}
