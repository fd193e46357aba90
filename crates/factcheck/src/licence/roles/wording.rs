//! Stage 7, licence, rules on roles: words that are true of certain things only. They say what a score rests on, who decides,
//! what is withheld, and what a pronoun may refer to.

use std::ops::Range;

use super::{PAYS, is_equal};
use crate::figure::{FigureValue, Unit};
use crate::licence::sentence::{AUXILIARY, IDIOM, Item, NamedSignal};
use crate::licence::vocabulary::{WordList, words};
use crate::licence::{ClaimKind, Reason, SentenceCheck, signal_of, w};

/// Words without a topic or an assertion that `check_word` checks anyway.
const CHECKED_WORDS: &WordList = words![
    "withheld",
    "left",
    "received",
    "by",
    "assigned",
    "scores",
    "one",
    "maximum",
    "day",
    "decided",
    "supported",
    "supports",
    "same",
    "computed",
    "calculated",
    "comprised",
    "consisted",
    "held",
    "all",
    "every",
    "produced",
    "yielded",
    "returned",
    "comes",
    "came",
    "~",
];

impl SentenceCheck<'_> {
    /// Refuses "They were of HIGH severity" and "That was the median": the pronoun names nothing that could be checked.
    pub(super) fn check_pronoun(&mut self) {
        let items = &self.sentence.items;
        let Some(first) = items.iter().position(|item| item.mark.is_none()) else { return };
        let is_pronoun = items[first].is_any(words!["they", "both", "all", "these", "those", "it", "this", "that"])
            && items.get(first + 1).is_some_and(|next| next.is(w::VERB));
        let acts = self.sentence.acts(0..items.len());
        let mut last = items.iter().rev().filter(|item| item.mark.is_none());
        let is_ellipsis = last.next().is_some_and(|last| self.is_idiom(last, words!["well"]))
            && last.next().is_some_and(|verb| verb.is_any(AUXILIARY));
        if is_ellipsis {
            return self.refuse(items.len() - 1, Reason::Unlicensed);
        }
        if !is_pronoun {
            return;
        }
        let is_many = items[first].is_any(words!["they", "both", "all", "these", "those"]);
        let claims = |wanted: ClaimKind| items.iter().any(|item| item.claim.is_some_and(|(_, kind)| kind == wanted));
        let denies = acts & (w::NOT | w::NO | w::NOTHING) != 0;
        let is_plural_allowed = !is_many
            || denies
            || !(claims(ClaimKind::Severity)
                || claims(ClaimKind::Country)
                || claims(ClaimKind::Name)
                || acts & (w::ENTER | w::CONTRIBUTE) != 0);
        let is_identity = !denies
            && items.get(first + 1).is_some_and(|verb| verb.is_any(words!["was", "is", "were", "are"]))
            && items[first + 2..].iter().take(3).any(|item| item.is(w::LARGEST | w::SMALLEST) || item.about(w::MEDIAN))
            && acts & (w::UP | w::DOWN) == 0;
        if !is_plural_allowed || is_identity {
            self.refuse(first, Reason::Unlicensed);
        }
    }

    /// Refuses a wrong basis of an alert, a score or an assessment: these rest on signals that fired or were reported.
    pub(super) fn check_basis(&mut self) {
        let items = &self.sentence.items;
        for at in 0..items.len() {
            if !items[at].is(w::BECAUSE | w::LEAD) && !items[at].is_any(words!["rested", "rests", "based"]) {
                continue;
            }
            let is_basis = items[at].is_any(words!["rested", "rests", "based"])
                && items.get(at + 1).is_some_and(|next| next.lower == "on");
            let clause = self.sentence.clause_of(at);
            let subject = self.sentence.topics(clause.start..at);
            let rests = is_basis
                && subject & (w::ALERT | w::SCORE | w::SEVERITY | w::REPORT | w::INVESTIGATION) != 0
                && subject & w::HISTORY == 0;
            let is_raised = items[at].is(w::BECAUSE | w::LEAD)
                && items[at].claim.is_none()
                && self.sentence.acts(0..items.len()) & w::RAISED != 0
                && self.sentence.topics(0..items.len()) & w::ALERT != 0;
            if !rests && !is_raised {
                continue;
            }
            let denies = self.sentence.acts(0..items.len()) & (w::NO | w::NOT | w::NOTHING | w::CLEAR | w::ABSENT) != 0;
            let named = self.sentence.signals(if rests { at..clause.end } else { 0..items.len() });
            let fired = |named: &NamedSignal| matches!(named, NamedSignal::Known(place) if self.case.fired().any(|fired| fired == *place) || self.case.is_reported(*place));
            let rule = items[at..clause.end]
                .iter()
                .any(|item| item.about(w::RULE) || item.path().is_some_and(|path| path.contains("/flags/")));
            let speaks = self.sentence.topics(at..clause.end) & (w::SIGNAL | w::VALUE | w::POINTS) != 0;
            let holds = named.iter().all(fired) && (!rests || !named.is_empty() || rule || speaks);
            if !holds && !denies {
                return self.refuse(at, Reason::Unlicensed);
            }
        }
    }

    /// Checks a word that is true of certain things only.
    pub(super) fn check_word(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        // Most words are function words and assert nothing by themselves.
        let is_grammar =
            item.acts & !w::VERB == 0 && item.topics == 0 && item.signal.is_none() && !item.lower.contains('_');
        if is_grammar && !item.is_any(CHECKED_WORDS) {
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        let denies = acts & (w::NO | w::NOT | w::NOTHING | w::ABSENT) != 0;
        let next = items[at + 1..clause.end].iter().find(|item| item.topics & !w::TIME != 0 || item.claim.is_some());
        let scored = about & (w::SCORE | w::SEVERITY) != 0 || about & w::ALERT != 0 && acts & w::RAISED != 0;
        let has_country = || items[clause.clone()].iter().any(|item| item.country.is_some());
        let holds = match item.lower {
            // Only addresses, devices and funds can be withheld.
            "withheld" => {
                about & (w::DEVICE | w::NETWORK | w::SOURCE | w::DESTINATION) != 0
                    || about & (w::ACCOUNT | w::MERCHANT | w::LOCATION | w::AMOUNT | w::SCORE) == 0
                        && acts & w::CARD == 0
            }
            "left" => {
                about & w::OUTCOME_OF_REVIEW == 0
                    && items[at + 1..clause.end].first().is_none_or(|next| next.lower != "to")
                    || items[at + 1..clause.end].iter().any(|item| item.about(w::PERSON))
            }
            "received" => {
                self.is_passive(at, clause)
                    || items[clause.start..at].last().is_some_and(|before| before.lower == "as")
                    || next.is_some_and(|next| next.about(w::SCORE | w::SEVERITY))
            }
            "by" => !next.is_some_and(|next| next.about(w::MERCHANT)),
            "assigned" => about & (w::SCORE | w::SEVERITY | w::POINTS | w::INVESTIGATION) != 0,
            "scores" => self.is_band_of(clause),
            // Refuse "the day before" and "on the day of the alert": a report gives the date instead.
            "day" => !items[at + 1..clause.end]
                .first()
                .is_some_and(|next| next.is(w::BEFORE | w::AFTER) || next.lower == "of"),
            "decided" => denies || self.is_passive(at, clause) && about & w::PERSON == 0,
            "supported" | "supports" => denies || self.case.has_evidence() && acts & (w::PRIOR | w::SIMILAR) == 0,
            "same" if items[at + 1..clause.end].first().is_some_and(|next| next.about(w::SEVERITY)) => {
                let is_prior = |item: &Item<'_>| item.path().is_some_and(|path| path.starts_with("/correlation/prior"));
                acts & w::SIMILAR != 0
                    || self.sentence.has_word(0..items.len(), words!["customers"])
                    || acts & w::PRIOR == 0 && !items[clause.clone()].iter().any(is_prior)
            }
            "computed" | "calculated" if !denies => {
                acts & w::PRIOR == 0
                    && (about & w::SCORE == 0 || !self.case.is_external)
                    && (about & w::ALERT == 0 || about & w::SCORE != 0)
            }
            "comprised" | "consisted" | "held" if about & w::BASELINE != 0 => about & w::ALERT == 0 || denies,
            "one" if at > 0 && items[at - 1].lower == "this" => {
                let place = items[at + 1..clause.end].iter().take(2).find_map(|item| item.country);
                let is_end = |place: &str| self.case.route.as_ref().is_some_and(|(_, to)| to == place);
                place.is_none_or(|place| self.case.is_here(place) || is_end(place))
            }
            "maximum" if acts & w::REACHED != 0 => self.case.is_full_score() != denies,
            // The detector computes its own scores. A sender only gives the score of an external alert.
            _ if item.about(w::SENDER) && scored && !self.case.is_external => {
                about & w::TRANSACTION != 0 && about & (w::SCORE | w::SEVERITY) == 0 || denies
            }
            _ if item.about(w::LOCATION)
                && item.claim.is_none()
                && item.topics == w::LOCATION
                && !denies
                && acts & w::STATE != 0 =>
            {
                self.case.present & w::LOCATION != 0
                    || acts & (w::PRIOR | w::NEW | w::USUAL | w::OTHER) != 0
                    || about & (w::BASELINE | w::SIGNAL) != 0
            }
            _ if item.about(w::SENDER) && acts & w::OPENED != 0 => about & w::INVESTIGATION == 0,
            _ if item.about(w::DETECTOR) && scored && self.case.is_external => denies,
            IDIOM if self.is_idiom(item, words!["went"]) && item.is(w::VERB) && !item.is(w::COMPLETE) => {
                next.is_some_and(|next| next.about(w::MERCHANT))
            }
            IDIOM if self.is_idiom(item, words!["close"]) => self.case.is_too_fast,
            IDIOM if self.is_idiom(item, words!["passed"]) => items[clause.start..at]
                .iter()
                .any(|item| matches!(item.figure, Some(FigureValue::Number(_, Unit::Seconds(_))))),
            _ if item.is(w::FIT) && denies && about & w::TRAVEL != 0 => self.case.is_too_fast,
            _ if item.is(w::CONTRIBUTE) && item.is(w::VERB) => self.may_contribute(at, clause, denies),
            _ if item.is(w::MEASURE) && item.is(w::VERB) || item.is_any(words!["produced", "yielded", "returned"]) => {
                let compares = item.is_any(words!["compared", "compares"])
                    && (about & w::HISTORY != 0 || acts & w::PRIOR != 0)
                    && about & w::LOCATION == 0
                    && !has_country();
                let is_records = self.sentence.topics(clause.start..at) & (w::RECORD | w::ALERT | w::SCORE) != 0
                    && !self.is_passive(at, clause)
                    && self.sentence.signals(clause.clone()).is_empty();
                let of_alerts = acts & w::PRIOR != 0 && about & w::ALERT != 0 && !item.is_any(words!["set", "sets"]);
                let of_score = self.case.is_external
                    && item.is_any(words!["measured", "measures"])
                    && self.sentence.topics(clause.start..at) & (w::SCORE | w::ALERT) != 0;
                (denies || item.lower == "counted" || !is_records && !of_alerts && !of_score)
                    && self.has_result(clause, denies)
                    && (denies || !compares || self.case.present & w::BASELINE != 0)
            }
            _ if item.about(w::CAP) && item.claim.is_none() && item.topics == w::CAP => self.case.is_capped != denies,
            // The record does not say who received an amount.
            _ if item.is(w::REACHED) && next.is_some_and(|next| next.about(w::MERCHANT)) => false,
            _ if item.is(w::REACHED) && self.is_passive(at, clause) => self.is_reached(clause) != denies,
            _ if item.about(w::VALUE)
                && acts & w::NO != 0
                && items[..at].last().is_some_and(|before| before.is(w::NO)) =>
            {
                self.sentence.signals(clause.clone()).iter().all(|named| match named {
                    NamedSignal::Known(place) => {
                        !self.case.has_result(*place) || about & w::VALUE != 0 && !self.case.signals[*place].has_value
                    }
                    NamedSignal::Missing => true,
                })
            }
            _ if item.is(w::UP | w::DOWN) && self.is_first_statistic_greater(at, clause).is_some() => {
                self.is_first_statistic_greater(at, clause) == Some(item.is(w::UP) != denies)
            }
            _ if item.topics & (w::SIGNAL | w::VALUE | w::THRESHOLD) != 0
                && item.signal.is_none()
                && acts & w::STATE != 0
                && !denies
                && about & (w::RECORD | w::EVIDENCE) == 0 =>
            {
                self.case.present & item.topics & (w::SIGNAL | w::VALUE | w::THRESHOLD) != 0
            }
            // Refuse "The score was not available": every case has a score and a severity.
            _ if item.is(w::STATE | w::ABSENT) && denies && about & (w::SCORE | w::SEVERITY) != 0 => {
                let others = w::POINTS
                    | w::CAP
                    | w::COMPOSITION
                    | w::SIGNAL
                    | w::VALUE
                    | w::THRESHOLD
                    | w::RULE
                    | w::HISTORY
                    | w::EVIDENCE
                    | w::IMPACT
                    | w::BASELINE
                    | w::MEDIAN;
                about & others != 0
                    || items[clause.clone()].iter().any(|item| item.claim.is_some() || item.lower == "how")
            }
            _ if item.about(w::THRESHOLD) && acts & w::STATE != 0 && !denies && item.claim.is_none() => {
                self.sentence.signals(clause.clone()).iter().all(|named| self.has_threshold(*named))
            }
            _ if item.is(w::UP | w::DOWN)
                && items[at + 1..clause.end].iter().take(2).any(|item| item.about(w::BAND)) =>
            {
                !self.case.agrees_with_severity || denies
            }
            _ if item.is(w::MADE) && item.is_any(PAYS) => acts & w::PRIOR != 0 || self.may_have_paid(clause, acts),
            "all" | "every" if about & w::TRANSACTION != 0 => {
                items[at + 1..clause.end].first().is_some_and(|next| next.lower == "of") || self.is_everywhere(clause)
            }
            _ if item.is(w::OPENED) && about & w::ACCOUNT != 0 => !has_country(),
            _ if item.is(w::LARGEST | w::SMALLEST) => {
                acts & w::SIMILAR == 0
                    && (!self.is_multiple(clause) || self.sentence.acts(clause.start..at) & (w::UP | w::DOWN) != 0)
            }
            _ if item.is(w::LEAD) && about & w::INVESTIGATION != 0 && about & w::ALERT != 0 => acts & w::PRIOR == 0,
            _ if item.is(w::BECAUSE) => {
                let cause = at + 1..clause.end;
                let is_prior =
                    self.sentence.acts(cause.clone()) & w::PRIOR != 0 && self.sentence.topics(cause) & w::ALERT != 0;
                let effect = self.sentence.topics(0..at) & (w::SCORE | w::SEVERITY | w::ALERT);
                !is_prior || effect == 0
            }
            _ if matches!(item.signal, Some(NamedSignal::Missing))
                && acts & (w::INSIDE | w::CLEAR | w::FIRE | w::MEASURE) != 0 =>
            {
                denies && acts & w::INSIDE == 0
            }
            _ if item.lower.contains('_') && (about & w::RULE != 0 || acts & w::FIRE != 0) => {
                item.signal.is_some() || self.case.has_rule(item.lower)
            }
            _ if item.about(w::COMPOSITION) && item.is(w::VERB) || self.gives_score(at, clause) => {
                denies || self.case.explains_score()
            }
            _ if item.about(w::RULE) && item.claim.is_none() && acts & w::HELD != 0 => {
                self.case.signal("rule flags").is_some()
            }
            _ => true,
        };
        if !holds {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    pub(super) fn is_passive(&self, at: usize, clause: &Range<usize>) -> bool {
        let before = self.sentence.items[clause.start..at].iter().rev().take(2);
        before.clone().any(|item| item.is_any(words!["was", "were", "been", "is", "are"]))
    }

    pub(super) fn has_threshold(&self, named: NamedSignal) -> bool {
        matches!(named, NamedSignal::Known(place) if self.case.signals[place].has_threshold)
    }

    /// Whether a word says that points give the score: "contributed 44 points, which gave the risk score of 44".
    pub(super) fn gives_score(&self, at: usize, clause: &Range<usize>) -> bool {
        let items = &self.sentence.items;
        let next = || self.sentence.topics(at + 1..clause.end.min(at + 6));
        items[at].is(w::LEAD)
            && next() & w::SCORE != 0
            && self.sentence.topics(0..items.len()) & (w::POINTS | w::SIGNAL | w::VALUE) != 0
            || items[at].is_any(words!["comes", "came"])
                && self.sentence.topics(clause.start..at) & w::SCORE != 0
                && next() & w::SIGNAL != 0
    }

    /// Whether a clause states a multiple, as in "2.4 times the median". A multiple is always that of the amount under
    /// review.
    pub(super) fn is_multiple(&self, clause: &Range<usize>) -> bool {
        let is_times = |item: &Item<'_>| matches!(item.figure, Some(FigureValue::Number(_, Unit::Times)));
        self.sentence.items[clause.clone()].iter().any(is_times)
    }

    /// Whether the threshold that the clause states was reached by its signal's value.
    fn is_reached(&self, clause: &Range<usize>) -> bool {
        let paths = self.sentence.items[clause.clone()].iter().filter_map(|item| item.path());
        let mut signals = paths.filter(|path| path.ends_with("/threshold")).filter_map(signal_of);
        signals.next().and_then(|signal| self.case.signals.get(signal)?.order).is_some_and(std::cmp::Ordering::is_ge)
    }

    /// Whether the first of two baseline statistics is greater: "The median exceeded the largest earlier amount." `None` if the
    /// clause compares anything else.
    fn is_first_statistic_greater(&self, at: usize, clause: &Range<usize>) -> Option<bool> {
        let figures = &self.case.figures;
        let statistic = |range: Range<usize>| {
            let acts = self.sentence.acts(range.clone());
            match acts {
                acts if acts & w::LARGEST != 0 => figures.largest,
                acts if acts & w::SMALLEST != 0 => figures.smallest,
                _ if self.sentence.topics(range) & w::MEDIAN != 0 => figures.median,
                _ => None,
            }
        };
        let before = clause.start..at;
        let (about, acts) = (self.sentence.topics(before.clone()), self.sentence.acts(before.clone()));
        let is_other = about & (w::TRANSACTION | w::VALUE) != 0
            || acts & (w::UP | w::DOWN) != 0
            || self.sentence.has_word(before.clone(), words!["it", "its", "this", "that", "which"])
            || about & w::AMOUNT != 0 && acts & (w::LARGEST | w::SMALLEST) == 0;
        if is_other {
            return None;
        }
        Some(statistic(before)? > statistic(at + 1..clause.end)?)
    }

    /// Whether the subject of "contribute" can contribute points. Only signals can.
    pub(super) fn may_contribute(&self, at: usize, clause: &Range<usize>, denies: bool) -> bool {
        let never = w::ALERT
            | w::DEVICE
            | w::NETWORK
            | w::LOCATION
            | w::BASELINE
            | w::SENDER
            | w::CUSTOMER
            | w::MERCHANT
            | w::HISTORY
            | w::ACCOUNT
            | w::CATEGORY
            | w::CHANNEL
            | w::INVESTIGATION
            | w::PERSON
            | w::MEDIAN;
        let subject = &self.sentence.items[clause.start..at];
        let has_signal =
            subject.iter().any(|item| item.signal.is_some() || item.about(w::SIGNAL | w::POINTS | w::RULE | w::VALUE));
        denies || has_signal || !subject.iter().any(|item| item.about(never))
    }

    /// Whether the one signal that the clause names has a result. A signal without a result has no measured value.
    pub(super) fn has_result(&self, clause: &Range<usize>, denies: bool) -> bool {
        let named = self.sentence.signals(clause.clone());
        let [NamedSignal::Known(place)] = named[..] else { return true };
        denies || self.case.has_result(place)
    }

    /// Whether a statement such as "Scores below 60 belong to another severity" agrees with the bands: a severity's band
    /// contains only that severity's scores.
    pub(super) fn is_band_of(&self, clause: &Range<usize>) -> bool {
        let acts = self.sentence.acts(clause.clone());
        let items = &self.sentence.items[clause.clone()];
        let names_level = items.iter().any(|item| self.level(item).is_some());
        let is_beyond = acts & (w::UP | w::DOWN) != 0;
        let is_other = acts & w::OTHER != 0;
        !(names_level && is_beyond && !is_other || is_other && !is_beyond)
    }

    /// Whether a payment may be said to have moved money. An attempted payment moved none.
    pub(super) fn may_have_paid(&self, clause: &Range<usize>, acts: u64) -> bool {
        let attempted = self.case.status == crate::licence::case::PaymentStatus::Attempted;
        let amount = self.case.figures.amount;
        let is_amount = self
            .stated_amounts(clause.clone())
            .iter()
            .any(|(_, stated)| amount.is_some_and(|amount| is_equal(*stated, amount)));
        !attempted || !is_amount || acts & (w::ATTEMPT | w::NOT) != 0
    }

    /// Whether all earlier transactions were in the country that is named: "all took place in Portugal".
    pub(super) fn is_everywhere(&self, clause: &Range<usize>) -> bool {
        let items = &self.sentence.items[clause.clone()];
        let is_city =
            |item: &Item<'_>| item.country.is_none() && item.path().is_some_and(|path| path.contains("/location/"));
        let country = items.iter().find_map(|item| item.country);
        let figures = &self.case.figures;
        let is_only = |country: &str| matches!(&figures.countries[..], [(known, count)] if known == country && Some(*count) == figures.baseline_count);
        let is_currency = |item: &Item<'_>| item.claim.is_some() && item.figure.is_none() && item.country.is_none();
        country.map_or(!items.iter().any(|item| is_city(item) || is_currency(item)), is_only)
    }
}
