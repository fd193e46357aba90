//! Stage 7, licence, rules on absence: clauses that say that something is missing, unknown or not stated.

use std::ops::Range;

use super::MAY_BE_MISSING;
use crate::licence::case::SignalState;
use crate::licence::sentence::{ARTICLES, NamedSignal};
use crate::licence::vocabulary::words;
use crate::licence::{Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Checks a clause that says that something is missing.
    pub(super) fn check_missing(&mut self, at: usize, clause: Range<usize>, denied: &mut [bool]) {
        denied[clause.clone()].fill(true);
        let items = &self.sentence.items;
        // "a country in which the customer had not been recorded before" claims that the country is new.
        let whole = 0..items.len();
        let has_country = items.iter().any(|item| item.country.is_some());
        let is_new =
            has_country && self.sentence.acts(clause.clone()) & w::BEFORE != 0 && self.case.new_country.is_some();
        if is_new && self.sentence.topics(whole) & (w::BASELINE | w::TRANSACTION) == 0 {
            let country = self.case.new_country.as_deref();
            let holds = items.iter().filter_map(|item| item.country).any(|named| Some(named) == country);
            return self.expect(at, holds, "/signals");
        }
        let mut missing = 0;
        let mut named = Vec::new();
        for place in clause.clone() {
            if missing == 0 || !self.is_owner(place) {
                missing |= items[place].topics & MAY_BE_MISSING & !self.merchant_in_category(place);
            }
            named.extend(items[place].signal);
        }
        // The subject of "did not state" is not what is missing.
        let subject = &items[clause.start..at];
        let states = |topics: u64| subject.iter().any(|item| item.about(topics)) && items[at].is(w::NOT);
        let acts = self.sentence.acts(clause.clone());
        if acts & (w::COMPLETE | w::ATTEMPT) != 0 {
            missing = missing & !(w::TRANSACTION | w::SIGNAL) | w::STATUS;
        }
        if acts & w::OPENED != 0 && self.sentence.topics(clause.clone()) & w::ACCOUNT != 0
            || self.sentence.has_word(clause.clone(), words!["old", "age", "existed"])
        {
            missing = missing & !w::FIRST_SEEN | w::OPENING;
        }
        if self.sentence.has_word(clause.clone(), words!["where"]) {
            missing |= w::LOCATION;
        }
        if self.sentence.has_word(clause.clone(), words!["how"]) && missing == 0 {
            missing |= if self.sentence.topics(clause.clone()) & w::SCORE != 0 { w::COMPOSITION } else { w::CHANNEL };
        }
        if missing & w::COMPOSITION != 0 {
            missing &= !(w::VALUE | w::POINTS | w::SIGNAL);
        }
        if missing & w::RULES_VERSION != 0 {
            missing &= !w::RULE;
        }
        if missing & (w::VALUE | w::POINTS | w::THRESHOLD) != 0 {
            missing &= !(w::SIGNAL | w::RULE);
        }
        if states(w::SENDER) && self.sentence.has_word(clause.clone(), words!["observed", "method"]) {
            missing = w::METHOD;
        }
        // In "Amount deviation was not measured", the signal is missing. The topics in its name are not.
        for signal in &named {
            let lacks = match signal {
                NamedSignal::Known(place) => {
                    let signal = &self.case.signals[*place];
                    signal.outcome == SignalState::NoResult
                        || missing & w::THRESHOLD != 0 && !signal.has_threshold
                        || missing & (w::VALUE | w::POINTS | w::COMPOSITION) != 0
                            && (!signal.has_value || signal.points.is_none())
                }
                NamedSignal::Missing => true,
            };
            self.expect(at, lacks, "/signals");
        }
        if !named.is_empty() {
            missing &= !(w::SIGNAL | w::VALUE | w::THRESHOLD | w::POINTS | w::RULE);
        } else if missing == 0 && self.sentence.topics(0..items.len()) & (w::BASELINE | w::HISTORY) != 0 {
            missing = w::BASELINE;
        }
        let is_recomputed = self.case.is_external && self.sentence.topics(clause.clone()) & w::SCORE != 0;
        if named.is_empty() && missing == 0 {
            if is_recomputed {
                return self.facts.push("/case/source".into());
            }
            return self.refuse(at, Reason::Unlicensed);
        }
        self.expect_absent(at, missing, acts, clause);
    }

    /// Whether an item only names the owner of what is missing: "a location for the transaction", "the category of the
    /// merchant".
    fn is_owner(&self, at: usize) -> bool {
        let items = &self.sentence.items;
        let before = items[..at].iter().rev().find(|item| !item.is_any(ARTICLES));
        items[at].about(w::TRANSACTION | w::MERCHANT)
            && items[at].claim.is_none()
            && before.is_some_and(|before| before.is_any(words!["of", "for"]))
    }

    /// In "the merchant category" and "the merchant's category", only the category is missing.
    fn merchant_in_category(&self, at: usize) -> u64 {
        let is_category = self.sentence.items.get(at + 1).is_some_and(|next| next.about(w::CATEGORY));
        if is_category { w::MERCHANT } else { 0 }
    }
}
