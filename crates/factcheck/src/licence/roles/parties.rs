//! Stage 7, licence, rules on roles: the parties who paid, raised, added or stated something. A true figure becomes false if it
//! is attributed to a party that was not involved.

use std::ops::Range;

use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Refuses payments to the account holder: the record only has payments by the account holder.
    pub(super) fn check_paid_to(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        if items[at].lower != "to" {
            return;
        }
        let is_customer =
            self.next_noun(at, clause.end).is_some_and(|next| next.about(w::CUSTOMER) && !next.is_possessive);
        let before = items[clause.start..at].last();
        let is_bound = before.is_some_and(|before| {
            before.is_any(words!["belonged", "belongs", "belong", "belonging", "related", "specific", "new", "led"])
        });
        let is_paid = items[clause.start..at].iter().any(|item| {
            item.about(w::TRANSACTION | w::FUNDS) || item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Money)
        });
        if is_customer && is_paid && !is_bound {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Refuses a wrong actor or object. Only the detector or the sender raises an alert, and prior alerts are not part
    /// of the score.
    pub(super) fn check_acted_upon(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        let actors = w::CUSTOMER | w::MERCHANT | w::DETECTOR | w::SENDER | w::SYSTEM | w::PERSON;
        if item.is(w::RAISED) && item.is(w::VERB) {
            let theirs = w::SYSTEM | if self.case.is_external { w::SENDER } else { w::DETECTOR };
            // The actor of an infinitive: "led the customer to raise the alert".
            let is_infinitive = at > clause.start + 1 && items[at - 1].lower == "to";
            let other = is_infinitive.then(|| items[clause.start..at - 1].iter().rev().find(|item| item.topics != 0));
            if other.flatten().is_some_and(|actor| actor.about(actors) && !actor.about(theirs)) {
                return self.refuse(at, Reason::Unlicensed);
            }
            let object = self.next_noun(at, clause.end);
            let by_signal = items[clause.start..at].iter().any(|item| item.signal.is_some());
            if object.is_some_and(|object| object.about(w::SCORE) && object.claim.is_none()) && !by_signal {
                return self.refuse(at, Reason::Unlicensed);
            }
        }
        let (about, acts) = (self.sentence.topics(clause.clone()), self.sentence.acts(clause.clone()));
        let is_in_score = item.is(w::INSIDE)
            && self.next_noun(at, clause.end).is_some_and(|next| next.about(w::SCORE) && next.claim.is_none());
        if is_in_score && about & w::ALERT != 0 && acts & w::PRIOR != 0 {
            return self.refuse(at, Reason::Unlicensed);
        }
        // Refuse "The customer made no transactions". Transactions may exist that are not on record.
        if item.is(w::MADE) && item.is(w::VERB) {
            let after = &items[at + 1..clause.end];
            let is_none = after.iter().take(2).any(|item| item.is(w::NO) && item.about(w::TRANSACTION))
                || after.first().is_some_and(|next| next.is(w::NO))
                    && after.iter().take(3).any(|item| item.about(w::TRANSACTION));
            let subject = items[clause.start..at].iter().rev().find(|item| item.topics != 0);
            if is_none && subject.is_some_and(|subject| subject.about(w::CUSTOMER | w::ACCOUNT)) {
                return self.refuse(at, Reason::Unlicensed);
            }
        }
        // "the contributions added up to the score" must be true.
        let denies = acts & (w::NO | w::NOT) != 0;
        if self.is_idiom(item, words!["added", "adds", "add", "adding"])
            && self.sentence.topics(at + 1..clause.end) & w::SCORE != 0
            && !denies
        {
            self.expect(at, self.case.explains_score(), "/score/sum");
        }
    }

    /// Refuses a party as the source of the regulatory impact, which follows from the severity or from the request.
    pub(super) fn check_impact(&mut self, clause: &Range<usize>) {
        let others = w::CUSTOMER | w::MERCHANT | w::DETECTOR | w::SENDER;
        let items = &self.sentence.items;
        let Some(at) = clause.clone().find(|at| items[*at].about(w::IMPACT)) else { return };
        let by = clause.clone().find(|at| items[*at].lower == "by");
        let is_set = by.is_some_and(|by| self.next_noun(by, clause.end).is_some_and(|next| next.about(others)));
        let subject = items[clause.start..at].iter().any(|item| item.about(others) && !item.is_possessive);
        if is_set || subject && self.sentence.acts(clause.clone()) & w::VERB != 0 {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Refuses "the account holder, who did not state …". A value that is missing from the record was not necessarily
    /// withheld by a person.
    pub(super) fn check_stated_by_person(&mut self, clause: &Range<usize>) {
        let items = &self.sentence.items;
        if clause.start == 0 || items[clause.start].lower != "who" {
            return;
        }
        let person = items[..clause.start].iter().rev().find(|item| item.mark.is_none());
        let states = w::STATE | w::RAISED | w::MEASURE | w::CONTRIBUTE | w::FIRE;
        if person
            .is_some_and(|person| person.about(w::CUSTOMER | w::MERCHANT) || person.path() == Some("/subject/user_id"))
            && self.sentence.acts(clause.clone()) & states != 0
        {
            self.refuse(clause.start, Reason::Unlicensed);
        }
    }

    /// Refuses statements by merchants and customers, because the record has none, and alerts reported by the wrong
    /// party.
    pub(super) fn check_stated_by(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        let states = |acts: u64| items.get(at + 1).is_some_and(|next| next.is(acts) && next.is(w::VERB));
        let is_silent = item.about(w::MERCHANT | w::CUSTOMER) && !item.is_possessive;
        let is_said = items.get(at + 1).is_some_and(|next| next.is_any(words!["stated", "reported", "said", "states"]));
        if is_silent && is_said {
            return self.refuse(at, Reason::Unlicensed);
        }
        let other = if self.case.is_external { w::DETECTOR } else { w::SENDER };
        let is_other = item.about(other) && !item.is_possessive && item.claim.is_none();
        if is_other && states(w::STATE | w::RAISED) && self.sentence.topics(clause.clone()) & w::ALERT != 0 {
            self.refuse(at, Reason::Unlicensed);
        }
    }
}
