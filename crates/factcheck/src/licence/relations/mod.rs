//! Stage 7, licence, rules on relations: who did what, what led to what, and whether names and figures are called what they
//! are.
//!
//! | file         | checks                                                              |
//! |--------------|---------------------------------------------------------------------|
//! | `mod.rs`     | which word is checked for which relation; identity, "all", "earlier" |
//! | `actors.rs`  | who pays, raises, states, holds                                     |
//! | `causes.rs`  | because, so, led to, needed                                         |
//! | `names.rs`   | countries, and names that are called what they are                  |
//! | `figures.rs` | measurements, limits, multiples, ranges and counts                  |

mod actors;
mod causes;
mod figures;
mod names;

use super::sentence::AUXILIARY;
use super::vocabulary::words;
use super::{Reason, SentenceCheck, w};
use actors::ACTORS;

impl SentenceCheck<'_> {
    pub(crate) fn check_relations(&mut self) {
        for at in 0..self.sentence.items.len() {
            let item = &self.sentence.items[at];
            if item.is_mark_or_article() {
                continue;
            }
            if item.claim.is_some() {
                if item.country.is_some() {
                    self.check_country(at);
                }
                self.check_label(at);
                self.check_countable(at);
                self.check_measurement(at);
                continue;
            }
            let actions =
                w::MADE | w::RAISED | w::OPENED | w::STATE | w::MEASURE | w::CONTRIBUTE | w::FIRE | w::LEAD | w::HELD;
            if item.is(w::RAISED) && item.is(w::VERB) {
                self.check_object_of_raising(at);
            }
            let is_main = item.is(w::VERB) && !item.is_any(AUXILIARY);
            if is_main && !item.is(actions) && !self.may_act(at) {
                self.refuse(at, Reason::Unlicensed);
            }
            if item.is(w::VERB) && item.is(actions) {
                self.check_actor(at);
            }
            if item.lower == "against" {
                self.check_object_of_against(at);
            }
            if item.is(w::PRIOR | w::ALL) && item.claim.is_none() {
                self.check_earlier_and_all(at);
            }
            if item.is(w::HELD) && item.is(w::VERB) {
                self.check_holder(at);
            }
            if item.is_any(words!["was", "is", "were", "are"]) {
                self.check_identical_parties(at);
            }
            if item.lower == "to" {
                self.check_range_order(at);
            }
            if item.is(w::ENTER)
                && !self.sentence.is_negated(at)
                && self.sentence.topics(self.sentence.clause_of(at)) & w::ALERT != 0
                && self.sentence.topics(at..(at + 4).min(self.sentence.items.len())) & w::SCORE != 0
            {
                self.contradict(at, "/score/contributions");
            }
            if item.is(w::NEED) {
                self.check_need(at);
            }
            if item.is(w::BECAUSE | w::THEREFORE) || item.is(w::LEAD) {
                self.check_cause(at);
            }
        }
    }

    /// Refuses a sentence that equates two parties: "The merchant was the account holder."
    fn check_identical_parties(&mut self, at: usize) {
        let items = &self.sentence.items;
        let clause = self.sentence.clause_of(at);
        let left = items[clause.start..at]
            .iter()
            .rev()
            .find(|item| item.topics & !w::TIME != 0 && !item.is_possessive)
            .map_or(0, |item| item.topics & ACTORS);
        let right = items[at + 1..clause.end.min(at + 3)]
            .iter()
            .find(|item| item.topics != 0)
            .map_or(0, |item| item.topics & ACTORS);
        if left != 0 && right != 0 && left & right == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
        // In "The merchant's name was …", the name must be a fact.
        let is_name = at > 0 && items[at - 1].lower == "name";
        let is_found = items[at + 1..clause.end].iter().any(|item| item.claim.is_some());
        if is_name && !is_found {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Refuses "earlier customers" and "all earlier transactions", because the context has no facts about them.
    fn check_earlier_and_all(&mut self, at: usize) {
        let items = &self.sentence.items;
        let Some(next) = items.get(at + 1) else { return };
        let is_person = items[at].is(w::PRIOR)
            && next.about(w::CUSTOMER | w::MERCHANT | w::ACCOUNT | w::INVESTIGATION)
            && !next.is_possessive;
        let many = items[at + 1..].iter().take(5).take_while(|item| item.mark.is_none() && !item.is(w::VERB));
        let is_all = items[at].is(w::ALL)
            && !items[at].is_any(words!["both", "each"])
            && many.clone().all(|item| item.claim.is_none())
            && many.clone().any(|item| item.is_any(words!["transactions", "payments", "purchases", "alerts"]));
        let is_every = items[at].is(w::ALL) && next.is(w::PRIOR) && next.claim.is_none() || is_all;
        if is_person || is_every {
            self.refuse(at, Reason::Unlicensed);
        }
    }
}
