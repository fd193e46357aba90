//! Stage 7, licence, rules on absence and presence: what a sentence calls missing must be missing, and what it mentions must
//! be on record.
//!
//! | file           | job                                                                |
//! |----------------|--------------------------------------------------------------------|
//! | `mod.rs`       | "no", "none", "without", "not", "nothing", and the words they deny  |
//! | `missing.rs`   | clauses that say that something is missing or unknown               |
//! | `on_record.rs` | whether the context lacks something                                 |
//! | `presence.rs`  | what a sentence mentions without denying it must be on record       |

mod missing;
mod on_record;
mod presence;

use super::case::SignalState;
use super::sentence::{AUXILIARY, Item, NamedSignal};
use super::vocabulary::words;
use super::{Reason, SentenceCheck, w};

/// Topics that a sentence may truthfully call missing, if the record lacks them.
const MAY_BE_MISSING: u64 = w::TRANSACTION
    | w::AMOUNT
    | w::MERCHANT
    | w::CATEGORY
    | w::CHANNEL
    | w::LOCATION
    | w::DEVICE
    | w::NETWORK
    | w::MEMO
    | w::SOURCE
    | w::DESTINATION
    | w::BASELINE
    | w::MEDIAN
    | w::HISTORY
    | w::SIGNAL
    | w::RULE
    | w::THRESHOLD
    | w::VALUE
    | w::POINTS
    | w::CAP
    | w::TRAVEL
    | w::RATE
    | w::CURRENCY
    | w::RULES_VERSION
    | w::METHOD
    | w::FIRST_SEEN
    | w::COMPOSITION
    | w::CONTACT
    | w::EVIDENCE
    | w::OUTCOME_OF_REVIEW;

impl SentenceCheck<'_> {
    pub(crate) fn check_absences(&mut self) {
        let count = self.sentence.items.len();
        // Items inside a denial. Mentioning them does not claim that they are on record.
        let mut denied = vec![false; count];
        for at in 0..count {
            let item = &self.sentence.items[at];
            if item.claim.is_some() {
                // "no earlier transactions" is both a figure (zero) and a claim of absence.
                if item.is(w::NO) {
                    self.check_count_of_none(at);
                    let clause = self.sentence.clause_of(at);
                    let end = self.noun_phrase_end(at, clause.end);
                    let end = if self.sentence.acts(end..clause.end) & w::STATE != 0 { clause.end } else { end };
                    denied[at..end].fill(true);
                }
                continue;
            }
            if item.is(w::NO) || item.lower == "nor" {
                self.check_no(at, &mut denied);
            } else if item.is(w::NOT) {
                self.check_not(at, &mut denied);
            } else if item.is(w::ABSENT) {
                let clause = self.sentence.clause_of(at);
                self.check_missing(at, clause, &mut denied);
            } else if item.is(w::NOTHING) {
                self.check_nothing(at);
            }
        }
        self.check_mentions(&denied);
    }

    /// For a figure such as "no earlier transactions", checks that the counted things are absent.
    fn check_count_of_none(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let end = self.noun_phrase_end(at, clause.end);
        let (topics, acts) = (self.sentence.topics(at..end), self.sentence.acts(at..end));
        let is_doubled =
            self.sentence.items[clause.start..at].iter().any(|item| item.is(w::NO) && item.claim.is_none());
        if is_doubled {
            return self.refuse(at, Reason::Unlicensed);
        }
        let missing = topics & (w::TRANSACTION | w::ALERT);
        if self.sentence.topics(end..clause.end) & w::BASELINE != 0 {
            return self.expect_absent(at, w::BASELINE, acts, clause);
        }
        if acts & (w::PRIOR | w::SIMILAR) != 0 && self.sentence.topics(clause.clone()) & w::SAME_CURRENCY == 0 {
            self.expect_absent(at, missing, acts, clause);
        }
    }

    /// Checks what "no" denies: "no baseline", "without a location", "neither a value nor a threshold", "none of the rules".
    fn check_no(&mut self, at: usize, denied: &mut [bool]) {
        let clause = self.sentence.clause_of(at);
        let end = self.noun_phrase_end(at, clause.end);
        let phrase = at + 1..end;
        denied[phrase.clone()].fill(true);
        let (topics, acts) = (self.sentence.topics(phrase.clone()), self.sentence.acts(phrase.clone()));
        let verb = self.sentence.items.get(end).filter(|_| end < clause.end);
        let acts_after = self.sentence.acts(end..clause.end);
        // "No earlier transactions were available for a baseline" denies the baseline too.
        if acts_after & w::STATE != 0 {
            denied[phrase.start..clause.end].fill(true);
        }
        // "card not present" names a channel.
        let is_card = self.sentence.acts(clause.clone()) & w::CARD != 0
            && self.sentence.has_word(clause.clone(), words!["present"]);
        let compares = topics & w::TRANSACTION != 0 && acts_after & (w::UP | w::DOWN) != 0;
        if is_card || compares {
            return;
        }
        // The rules for these verbs handle the denial themselves.
        let checked_elsewhere =
            w::FIRE | w::UP | w::DOWN | w::CONTRIBUTE | w::UNUSUAL | w::HELD | w::COMPLETE | w::HEAVIEST | w::SEEN;
        if verb.is_some_and(|verb| verb.is(checked_elsewhere))
            && topics & (w::SIGNAL | w::RULE | w::POINTS | w::TRANSACTION) != 0
        {
            return;
        }
        // "no measured signal supported it" claims that no signal fired and no rule held.
        if self.sentence.has_word(end..clause.end, words!["supported", "supports"]) && topics & w::SIGNAL != 0 {
            let holds = !self.case.has_evidence();
            return self.expect(
                at,
                holds && (topics & w::TRANSACTION == 0 || self.case.present & w::TRANSACTION == 0),
                "/signals",
            );
        }
        if acts & (w::UNUSUAL | w::NEW) != 0 {
            return;
        }
        let mut missing = topics & (MAY_BE_MISSING | w::ALERT | w::TIMELINE | w::PERSON);
        if missing & w::BASELINE != 0 {
            missing &= !w::TRANSACTION;
        }
        if missing == 0 && self.sentence.items[at].lower == "none" {
            // In "…, because none was on record", "none" refers to the last topic before it.
            let before = self.sentence.items[..at].iter().rev();
            missing = before.map(|item| item.topics & MAY_BE_MISSING).find(|topics| *topics != 0).unwrap_or(0);
            // In "… of high severity, and none above it", "none" refers to the steps of the scale.
            let is_scale = self.sentence.topics(0..at) & w::SEVERITY != 0;
            if is_scale && self.sentence.acts(at..clause.end) & (w::UP | w::DOWN) != 0 {
                return;
            }
        }
        let named = self.sentence.signals(phrase.clone());
        if named.is_empty() && missing == 0 {
            return self.refuse(at, Reason::Unlicensed);
        }
        if !named.is_empty() {
            missing &= !(w::SIGNAL | w::RULE);
        }
        for signal in named {
            let has_result = matches!(signal, NamedSignal::Known(place) if self.case.signals[place].outcome != SignalState::NoResult);
            self.expect(at, !has_result, "/signals");
        }
        self.expect_absent(at, missing, acts, clause);
    }

    /// Checks "did not state", "was not available" and "was not measured". The rules for other verbs handle the denial
    /// themselves.
    fn check_not(&mut self, at: usize, denied: &mut [bool]) {
        let clause = self.sentence.clause_of(at);
        let is_main = |item: &&Item<'_>| !item.is_any(AUXILIARY) && item.mark.is_none();
        let Some(verb) = self.sentence.items[at + 1..clause.end].iter().find(is_main) else {
            return self.refuse(at, Reason::Unlicensed);
        };
        let checked_elsewhere = w::FIRE
            | w::UP
            | w::DOWN
            | w::EVEN
            | w::REACHED
            | w::INSIDE
            | w::OUTSIDE
            | w::COMPLETE
            | w::ATTEMPT
            | w::APPLY
            | w::CONTRIBUTE
            | w::CLEAR
            | w::NEW
            | w::UNUSUAL
            | w::AGREE
            | w::UNCHANGED;
        let is_card = self.sentence.acts(clause.clone()) & w::CARD != 0 && verb.lower == "present";
        if verb.is(checked_elsewhere) || is_card {
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        // "Earlier alerts did not enter the score."
        if verb.is(w::ENTER) {
            let is_outside = about & w::ALERT != 0 && acts & w::PRIOR != 0 && about & w::SCORE != 0;
            return if is_outside {
                self.facts.push("/correlation/prior_alerts".into())
            } else {
                self.refuse(at, Reason::Unlicensed)
            };
        }
        // "The distance did not fit the time between them."
        if verb.is(w::FIT) {
            let place = self.case.signal("geographic inconsistency");
            let fired = place.filter(|place| self.case.signals[*place].outcome == SignalState::Fired);
            return match fired.filter(|_| about & (w::TRAVEL | w::LOCATION) != 0) {
                Some(place) => self.facts.push(format!("/signals/{place}/outcome").into()),
                None => self.refuse(at, Reason::Unlicensed),
            };
        }
        // "Kenya was not among the earlier countries."
        if verb.is(w::AMONG | w::SEEN) {
            let place = self.case.signals.iter().position(|signal| signal.is_new_country);
            return match place {
                Some(place) => self.facts.push(format!("/signals/{place}/details/is_new_country").into()),
                None => self.refuse(at, Reason::Unlicensed),
            };
        }
        if verb.about(w::CAP) {
            return self.expect(at, !self.case.is_capped, "/score/is_capped");
        }
        // In "recorded in Poland, not in Kenya", the second country must be absent from the earlier ones.
        if verb.lower == "in"
            && let Some(country) = self.sentence.items[at + 1..clause.end].iter().find_map(|item| item.country)
        {
            let holds = acts & w::PRIOR != 0 && !self.case.earlier_countries.iter().any(|known| known == country);
            return self.expect(at, holds, "/timeline");
        }
        if verb.is(w::STATE | w::MEASURE) {
            return self.check_missing(at, clause, denied);
        }
        // "had not been the subject of an earlier alert" and "a person had not decided on the case".
        if about & w::ALERT != 0 && acts & w::PRIOR != 0 {
            return self.expect_absent(at, w::ALERT, acts, clause);
        }
        if about & w::PERSON != 0 && self.sentence.has_word(clause.clone(), words!["decided"]) {
            return self.expect_absent(at, w::PERSON, acts, clause);
        }
        self.refuse(at, Reason::Unlicensed);
    }

    /// Checks "nothing changed the score" and "nothing out of bounds". Other rules check "nothing unusual" and "added
    /// nothing".
    fn check_nothing(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let acts = self.sentence.acts(clause.clone());
        if acts & w::UNCHANGED != 0 && self.sentence.topics(clause.clone()) & (w::SCORE | w::SEVERITY) != 0 {
            return self.facts.push("/score/total".into());
        }
        if acts & (w::UNUSUAL | w::CONTRIBUTE) != 0 {
            return;
        }
        let is_beyond = acts & w::UP != 0 && self.sentence.topics(clause.clone()) & w::BOUNDS != 0;
        if is_beyond {
            for signal in self.sentence.signals(clause) {
                if let NamedSignal::Known(place) = signal {
                    self.expect(
                        at,
                        self.case.signals[place].outcome == SignalState::Clear,
                        format!("/signals/{place}/outcome"),
                    );
                }
            }
            return;
        }
        self.refuse(at, Reason::Unlicensed);
    }

    /// The end of the noun phrase after "no": the next verb, or the end of the clause.
    fn noun_phrase_end(&self, at: usize, end: usize) -> usize {
        let items = &self.sentence.items;
        let is_end = |place: &usize| {
            let item = &items[*place];
            let is_adjective =
                item.is(w::STATE | w::MEASURE) && items[place - 1].is_any(words!["a", "an", "the", "no", "any"]);
            item.is(w::VERB) && !is_adjective && item.claim.is_none() && item.topics & !w::TIME == 0
                || item.lower == "for"
                || item.lower == "to"
                || item.lower == "on"
        };
        (at + 1..end).find(is_end).unwrap_or(end)
    }
}
