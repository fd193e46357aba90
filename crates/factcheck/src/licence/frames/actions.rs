//! Stage 7, licence, rules on frames: where things come from, and what can be made, raised, opened or completed.

use std::ops::Range;

use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Checks origins. Points come from signals, and score and severity from the sender. The record does not say where
    /// a customer or a card came from.
    pub(super) fn check_origin(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let is_origin = items[at].is_any(words!["came", "come", "comes", "coming"])
            && items.get(at + 1).is_some_and(|next| next.lower == "from");
        if !is_origin {
            return;
        }
        let subject = self.sentence.topics(clause.start..at);
        let after = &items[at + 2..clause.end];
        let source = after
            .iter()
            .find(|item| item.topics != 0 || item.signal.is_some() || item.claim.is_some() || item.is(w::OUTSIDE));
        let is_points = subject & (w::POINTS | w::COMPOSITION | w::SCORE) != 0
            || items[clause.start..at].iter().any(|item| item.about(w::POINTS) || item.is_any(words!["part", "parts"]));
        let holds = match source {
            Some(source) if source.signal.is_some() || source.about(w::SIGNAL) => is_points,
            Some(source) if source.about(w::SENDER) || source.is(w::OUTSIDE) => {
                self.case.is_external && subject & (w::ALERT | w::SCORE | w::SEVERITY) != 0
            }
            Some(source) if source.about(w::DETECTOR) => !self.case.is_external && subject & (w::ALERT | w::SCORE) != 0,
            // A count of earlier transactions: "had come from four other countries".
            Some(source) => source.claim.is_some() && subject & w::TRANSACTION != 0 && source.country.is_none(),
            None => false,
        };
        if !holds {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Checks what is made, raised, opened, fired or completed. Only payments are made, and the record does not say who
    /// received them.
    pub(super) fn check_object_of_making(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        if !item.is(w::MADE | w::RAISED | w::OPENED | w::FIRE | w::COMPLETE | w::CONTRIBUTE) {
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let has_money =
            items[clause.clone()].iter().any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Money));
        let after = &items[at + 1..clause.end];
        let goes_to = |topics: u64| {
            after.windows(3).any(|three| {
                three[0].lower == "to" && three[1..].iter().any(|item| item.about(topics) && item.claim.is_none())
            })
        };
        let is_apart = self.sentence.has_word(0..items.len(), words!["apart"])
            && self.sentence.topics(0..items.len()) & w::SIGNAL != 0;
        if item.is(w::MADE) && item.is(w::VERB) && !is_apart {
            let by_place = self.subject(clause).is_some_and(|subject| {
                subject.start < item.start && (subject.country.is_some() || subject.about(w::LOCATION))
            });
            let by_alert = self
                .subject(clause)
                .is_some_and(|subject| subject.start < item.start && subject.about(w::ALERT | w::RULE | w::SCORE));
            let is_passive =
                items[clause.start..at].iter().rev().take(3).any(|item| item.is_any(words!["was", "were", "been"]));
            if by_alert && about & w::TRANSACTION != 0 && !is_passive {
                return self.refuse(at, Reason::Unlicensed);
            }
            if by_place && about & w::TRANSACTION != 0 {
                return self.refuse(at, Reason::Unlicensed);
            }
            let is_comparison = about
                & (w::MEDIAN
                    | w::BASELINE
                    | w::HISTORY
                    | w::METHOD
                    | w::REPORT
                    | w::SCORE
                    | w::SEVERITY
                    | w::SIGNAL
                    | w::LOCATION
                    | w::COMPOSITION)
                != 0
                || items.iter().any(|item| item.path().is_some_and(|path| path.contains("distance")));
            let is_paid = about & (w::TRANSACTION | w::AMOUNT | w::FUNDS | w::CHANNEL) != 0
                || has_money
                || self.sentence.acts(clause.clone()) & w::CARD != 0;
            let travels = about & w::TRAVEL != 0 && about & (w::TRANSACTION | w::SIGNAL) == 0;
            if !(is_paid || is_comparison)
                || travels
                || goes_to(w::CUSTOMER | w::ACCOUNT)
                || about & w::ALERT != 0 && about & w::TRANSACTION == 0 && !is_comparison
            {
                self.refuse(at, Reason::Unlicensed);
            }
        }
        let is_active = item.is(w::MADE) && item.is(w::VERB) && item.is_any(words!["made", "paid", "spent", "bought"]);
        let by_thing =
            items[clause.start..at].last().is_some_and(|before| before.about(w::ACCOUNT) || before.is(w::CARD));
        if is_active && by_thing {
            self.refuse(at, Reason::Unlicensed);
        }
        if item.is(w::RAISED | w::OPENED) && item.is(w::VERB) {
            let follows = |word: &str, topics: u64, acts: u64| {
                after.windows(3).any(|three| {
                    three[0].lower == word
                        && three[1..].iter().any(|item| item.claim.is_none() && (item.about(topics) || item.is(acts)))
                })
            };
            let is_signal = items[clause.clone()].iter().any(|item| item.signal.is_some());
            if !is_signal && follows("with", w::RULE | w::CUSTOMER | w::TRANSACTION, w::CARD)
                || follows("by", 0, w::CARD | w::CASH)
                || follows("for", w::TRANSACTION, 0) && self.counts_transactions(clause)
            {
                self.refuse(at, Reason::Unlicensed);
            }
        }
        // The record has no date for the firing of a signal.
        let has_date =
            items[clause.clone()].iter().any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Date));
        if item.is(w::FIRE) && has_date && about & w::SIGNAL != 0 && about & (w::ALERT | w::TRANSACTION) == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
        if item.is(w::COMPLETE) {
            let is_by = after.iter().any(|item| item.is_any(words!["by", "with", "for", "from", "at"]));
            if is_by && item.is(w::VERB) {
                self.refuse(at, Reason::Unlicensed);
            }
        }
        if item.is(w::RAISED | w::OPENED)
            && item.is(w::VERB)
            && about & w::TRANSACTION == 0
            && about & (w::MERCHANT | w::CARD) != 0
        {
            self.refuse(at, Reason::Unlicensed);
        }
        if item.is(w::CONTRIBUTE) && item.is(w::VERB) {
            let to = after
                .iter()
                .position(|item| item.lower == "to")
                .and_then(|to| after[to + 1..].iter().find(|item| item.topics != 0));
            if to.is_some_and(|to| !to.about(w::SCORE | w::POINTS) && to.claim.is_none()) {
                self.refuse(at, Reason::Unlicensed);
            }
        }
    }
}
