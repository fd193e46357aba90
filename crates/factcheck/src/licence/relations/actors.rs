//! Stage 7, licence, rules on actors: customers pay, the detector or the sender raises alerts, signals add points.

use std::ops::Range;

use crate::licence::sentence::{ARTICLES, AUXILIARY, IDIOM, Item};
use crate::licence::vocabulary::{WordList, words};
use crate::licence::{Reason, SentenceCheck, w};

/// Parties that can be the subject of an action.
pub(super) const ACTORS: u64 = w::CUSTOMER | w::MERCHANT | w::DETECTOR | w::SENDER | w::SYSTEM | w::PERSON;

const PREPOSITIONS: &WordList =
    words!["at", "to", "by", "with", "from", "of", "in", "on", "for", "about", "concerning", "against", "between"];

impl SentenceCheck<'_> {
    /// Only alerts, investigations, accounts and signals are raised, created or opened. Payments and customers may also be
    /// flagged.
    pub(super) fn check_object_of_raising(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let about = self.sentence.topics(clause.clone());
        let objects = w::ALERT
            | w::INVESTIGATION
            | w::ACCOUNT
            | if self.sentence.items[at].is_any(words!["flagged", "flags"]) { w::TRANSACTION | w::CUSTOMER } else { 0 };
        let has_signal = !self.sentence.signals(clause.clone()).is_empty() && about & w::RULE == 0;
        let is_passive = at > clause.start
            && self.sentence.items[clause.start..at]
                .iter()
                .rev()
                .take(2)
                .any(|item| item.is_any(words!["was", "were", "been"]));
        let object = self.sentence.items[at + 1..clause.end.min(at + 3)].iter().find(|item| item.topics != 0);
        if !is_passive && object.is_some_and(|object| object.about(w::DETECTOR | w::SENDER | w::SYSTEM)) {
            return self.refuse(at, Reason::Unlicensed);
        }
        if about & objects == 0 && !has_signal {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Checks that each party only does what it can do: the customer pays, the detector or the sender raises, signals
    /// add points.
    pub(super) fn check_actor(&mut self, at: usize) {
        let item = &self.sentence.items[at];
        let clause = self.sentence.clause_of(at);
        let Some(actor) = self.actor(at, &clause) else { return };
        let after = self.sentence.topics(at + 1..clause.end);
        let about = self.sentence.topics(clause.clone());
        let is_comparison = about & (w::MEDIAN | w::BASELINE | w::HISTORY | w::METHOD | w::SPREAD) != 0;
        let theirs = if item.is(w::OPENED) && about & w::ACCOUNT != 0 {
            w::CUSTOMER
        } else if item.is(w::RAISED | w::OPENED) {
            w::SYSTEM | if self.case.is_external { w::SENDER } else { w::DETECTOR }
        } else if item.is(w::MADE) && !(item.is(w::LEAD) && after & (w::SIGNAL | w::SEVERITY | w::SCORE) != 0) {
            w::CUSTOMER | if is_comparison { w::DETECTOR | w::SENDER } else { 0 }
        } else {
            // This also covers "led the detector to raise the alert".
            w::DETECTOR | w::SENDER | w::SYSTEM
        };
        if actor & theirs == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Whether the actor of a verb can do this at all. Customers pay, open accounts and trigger alerts. A person decides.
    /// Merchants can do none of these.
    pub(super) fn may_act(&self, at: usize) -> bool {
        let clause = self.sentence.clause_of(at);
        let Some(actor) = self.actor(at, &clause) else { return true };
        let item = &self.sentence.items[at];
        match actor {
            actor if actor & w::CUSTOMER != 0 => {
                item.is(w::MADE | w::OPENED) || item.is_any(words!["drew", "drawn", "draws"])
            }
            actor if actor & w::PERSON != 0 => item.is_any(words!["decided", "decides"]),
            actor => actor & w::MERCHANT == 0,
        }
    }

    /// The actor of a verb: the party after "by", or else the subject of an active verb.
    fn actor(&self, at: usize, clause: &Range<usize>) -> Option<u64> {
        let items = &self.sentence.items;
        let is_passive = items[clause.start..at]
            .iter()
            .rev()
            .take(3)
            .any(|item| item.is_any(words!["was", "were", "been", "be", "is", "are"]));
        let is_made_by = |item: &Item<'_>| item.is(w::MADE) && item.lower == IDIOM;
        let by_idiom = is_made_by(&items[at]);
        let by = (at..clause.end).find(|place| items[*place].lower == "by" || *place == at && by_idiom);
        let agent = || {
            let by = by?;
            items[by + 1..clause.end.min(by + 4)].iter().find(|item| item.about(ACTORS) && !item.is_possessive)
        };
        if is_passive || by_idiom {
            return agent().map(|agent| agent.topics & ACTORS);
        }
        // The noun before the verb, skipping nouns that follow a preposition. A participle ("an alert raised on …") has
        // no subject.
        let is_oblique = |place: usize| {
            let before = items[clause.start..place].iter().rev().find(|item| !item.is_any(ARTICLES));
            before.is_some_and(|before| before.is_any(PREPOSITIONS) || is_made_by(before))
        };
        let is_noun = |place: &usize| {
            let item = &items[*place];
            let is_name = item.claim.is_none() || item.about(w::MERCHANT);
            (item.topics & !w::TIME != 0 || item.signal.is_some())
                && item.acts & w::VERB == 0
                && item.mark.is_none()
                && !item.is_possessive
                && is_name
        };
        let subject = (clause.start..at).rev().filter(is_noun).find(|place| !is_oblique(*place));
        // Skip a noun that is the object of another verb.
        let is_main = |item: &Item<'_>| item.is(w::VERB) && !item.is_any(AUXILIARY);
        let is_object = subject.is_some_and(|subject| items[clause.start..subject].iter().any(is_main));
        match subject {
            Some(_) if is_object => None,
            Some(subject) => Some(items[subject].topics & ACTORS).filter(|actor| *actor != 0),
            None => agent().map(|agent| agent.topics & ACTORS),
        }
    }

    /// A value is compared with a threshold or a baseline, not with a person.
    pub(super) fn check_object_of_against(&mut self, at: usize) {
        let end = (at + 4).min(self.sentence.items.len());
        let first = self.sentence.items[at + 1..end].iter().find(|item| item.topics != 0 || item.claim.is_some());
        let is_person = first.is_some_and(|item| {
            item.about(w::CUSTOMER | w::MERCHANT | w::ACCOUNT | w::PERSON)
                && !item.is_possessive
                && item.claim.is_none()
        });
        if is_person {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Checks what may hold: "the rule held", "the baseline held 12 payments", "the cap held the score". A payment neither
    /// holds nor is held.
    pub(super) fn check_holder(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let holders = w::RECORD | w::BASELINE | w::HISTORY | w::RULE | w::CAP | w::TIMELINE | w::REPORT | w::ALERT;
        let before = self.sentence.topics(clause.start..at);
        let is_rule = self.sentence.items[clause.start..at]
            .iter()
            .any(|item| item.path().is_some_and(|path| path.contains("/flags/")));
        if before & holders == 0 && !is_rule {
            self.refuse(at, Reason::Unlicensed);
        }
    }
}
