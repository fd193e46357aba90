//! Stage 7, licence, rules on frames: what may occur together in one clause. A place, a merchant, a severity or a count is a
//! fact about one thing. A clause that attributes it to another thing is false, although each of its parts is true.
//!
//! | file         | refuses                                                                     |
//! |--------------|-----------------------------------------------------------------------------|
//! | `mod.rs`     | sentences without a verb, wrong owners, "the alert is the transaction"      |
//! | `actions.rs` | wrong origins, and things that can't be made, raised or completed           |
//! | `places.rs`  | a country, a city or a merchant attributed to the wrong transaction         |
//! | `figures.rs` | a score, a severity or a count attributed to the wrong thing                |

mod actions;
mod figures;
mod places;

use std::ops::Range;

use super::sentence::{ARTICLES, AUXILIARY, IDIOM, Item};
use super::vocabulary::{WordList, words};
use super::{ClaimKind, Reason, SentenceCheck, w};

/// Things and people that a clause can be about. Two different ones are never identical.
const ENTITIES: u64 = w::CUSTOMER
    | w::ACCOUNT
    | w::MERCHANT
    | w::ALERT
    | w::TRANSACTION
    | w::SIGNAL
    | w::RULE
    | w::DETECTOR
    | w::SENDER
    | w::INVESTIGATION
    | w::DEVICE
    | w::NETWORK
    | w::MEDIAN
    | w::SCORE
    | w::SEVERITY;

/// Irregular past forms, and other verbs that can be the finite verb of a sentence.
const IRREGULAR: &WordList = words![
    "came", "stood", "lay", "sat", "took", "held", "kept", "gave", "led", "made", "found", "saw", "fell", "met",
    "drew", "ran", "put", "left", "read", "meant", "paid", "spent", "brought", "arose", "moved", "set", "hit", "began",
    "said", "belong", "cover", "mean", "give", "span", "add", "~",
];

impl SentenceCheck<'_> {
    pub(crate) fn check_frames(&mut self) {
        self.check_finite_verb();
        for at in 0..self.sentence.items.len() {
            if self.sentence.items[at].is_mark_or_article() {
                continue;
            }
            let clause = self.sentence.clause_of(at);
            self.check_owner(at, &clause);
            self.check_identical_things(at, &clause);
            self.check_conditional_words(at, &clause);
            if self.sentence.items[at].claim.is_some() {
                self.check_place(at, &clause);
                self.check_rating(at, &clause);
                self.check_count_and_window(at, &clause);
                self.check_similar_alerts(at, &clause);
            } else {
                self.check_origin(at, &clause);
                self.check_object_of_making(at, &clause);
            }
        }
    }

    /// Refuses statements without a finite verb, such as "Report the customer." and "Merchant: Porto."
    fn check_finite_verb(&mut self) {
        let states = |item: &Item<'_>| {
            item.is_any(AUXILIARY)
                || item.lower.ends_with("ed")
                || item.is_any(IRREGULAR) && (item.lower != IDIOM || item.is(w::VERB))
                || item.is(w::VERB) && item.lower.ends_with('s')
        };
        if !self.sentence.items.iter().skip(1).any(states) {
            self.refuse_all(Reason::Silent);
        }
    }

    /// The subject of a clause: the first thing that it names without a preposition.
    fn subject(&self, clause: &Range<usize>) -> Option<&Item<'_>> {
        let items = &self.sentence.items;
        let is_oblique = |place: usize| {
            let before = items[clause.start..place].iter().rev().find(|item| !item.is_any(ARTICLES));
            before.is_some_and(|before| {
                before.is_any(words!["on", "at", "in", "for", "with", "by", "of", "from", "to", "between", "against"])
            })
        };
        let names = |place: &usize| {
            let item = &items[*place];
            (item.topics & !w::TIME != 0 || item.signal.is_some()) && !item.is_possessive && item.mark.is_none()
                || item.is_any(words!["it", "which", "that", "this"])
                    && items.get(place + 1).is_none_or(|next| next.is(w::VERB))
        };
        clause.clone().filter(names).find(|place| !is_oblique(*place)).map(|place| &items[place])
    }

    /// Checks possessives. Customers have histories and medians, the detector has signals, and a merchant has only a
    /// category and a name.
    fn check_owner(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        if !item.is_possessive {
            return;
        }
        let owned = items[at + 1..clause.end]
            .iter()
            .take(4)
            .find(|item| item.topics & !w::TIME != 0 || item.is_any(words!["name", "activity"]));
        let of_customer = w::HISTORY
            | w::BASELINE
            | w::MEDIAN
            | w::RECORD
            | w::TRANSACTION
            | w::AMOUNT
            | w::RATE
            | w::ALERT
            | w::ACCOUNT
            | w::CURRENCY;
        let is_theirs = match owned {
            None => !item.about(w::CUSTOMER | w::ACCOUNT | w::MERCHANT | w::DETECTOR | w::SENDER),
            Some(owned) if item.about(w::CUSTOMER | w::ACCOUNT) => {
                (owned.about(of_customer) || owned.lower == "activity") && !owned.about(w::SCORE)
            }
            Some(owned) if item.about(w::MERCHANT) => owned.about(w::CATEGORY) || owned.lower == "name",
            Some(owned) if item.about(w::DETECTOR | w::SYSTEM) => owned.about(w::SIGNAL),
            Some(_) => true,
        };
        // "The score was the sender's" is true of an external alert.
        let is_senders = item.about(w::SENDER) && self.case.is_external;
        if !is_theirs && !is_senders {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Refuses a sentence that equates two things: "The alert is the transaction".
    fn check_identical_things(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        if !items[at].is_any(words!["was", "is", "were", "are"]) {
            return;
        }
        let is_entity = |item: &&Item<'_>| item.topics & ENTITIES != 0 && !item.is_possessive && item.claim.is_none();
        let before = items[clause.start..at].iter().rev().find(is_entity);
        let subject = self.subject(clause).filter(|subject| subject.start < items[at].start).filter(is_entity);
        let Some(left) = subject.or(before) else { return };
        let right = items[at + 1..clause.end.min(at + 4)]
            .iter()
            .take_while(|item| item.is_any(words!["a", "an", "the"]) || item.topics != 0)
            .find(|item| item.topics != 0 && item.claim.is_none());
        let Some(right) = right else { return };
        let (from, to) = (left.topics & ENTITIES, right.topics & ENTITIES);
        let is_reason = self.sentence.acts(clause.clone()) & w::BECAUSE != 0;
        let describes = left.lower == "matter"
            || right.about(w::CHANNEL)
            || right.is(w::VERB | w::HEAVIEST)
            || right.is_possessive
            || is_reason;
        if from != 0 && to != 0 && from & to == 0 && !describes {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Refuses words that are only allowed next to certain other words.
    fn check_conditional_words(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        let next = items.get(at + 1);
        let follows = |topics: u64| next.is_some_and(|next| next.about(topics));
        let about = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        let has_path = |ends: &[&str]| {
            items[clause.clone()]
                .iter()
                .any(|item| item.path().is_some_and(|path| ends.iter().any(|end| path.ends_with(end))))
        };
        let holds = match item.lower {
            "same" => follows(w::CURRENCY | w::SEVERITY | w::CUSTOMER | w::INVESTIGATION),
            "maximum" => self.case.is_capped || self.sentence.has_word(clause.clone(), words!["scale", "out"]),
            "present" => acts & w::CARD != 0,
            // Refuse "the points of one signal were those of another".
            "those" => {
                next.is_none_or(|next| next.lower != "of") || items.get(at + 2).is_none_or(|of| of.signal.is_none())
            }
            "as" => !next.is_some_and(|next| next.is_any(AUXILIARY)),
            "per" => has_path(&["per_day"]),
            "one" if item.claim.is_none() => {
                let before = at.checked_sub(1).map_or("", |before| items[before].lower);
                let is_level = next.is_some_and(|next| next.lower == "of") && self.case.prior_by_severity.contains(&1);
                is_level
                    || ["this", "previous", "that", "each", "located", "the", "last", "first", "earlier"]
                        .contains(&before)
                    || before.is_empty()
            }
            "sum" | "sums" if about & w::SCORE != 0 => {
                about & w::POINTS != 0 && self.case.has_contributions && self.case.sum_is_total
            }
            "contribution" | "contributions" => self.case.has_contributions || acts & (w::NO | w::NOT | w::ABSENT) != 0,
            // "first seen" needs a date, unless the clause says that the date is missing.
            IDIOM if item.about(w::FIRST_SEEN) && item.is(w::VERB) => {
                acts & (w::NO | w::NOT | w::ABSENT) != 0
                    || items[clause.clone()]
                        .iter()
                        .any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Date))
            }
            _ if item.is(w::USUAL) && item.claim.is_none() => {
                follows(w::RATE | w::AMOUNT | w::MEDIAN | w::LOCATION)
                    || has_path(&["per_day", "median_amount"])
                    || acts & (w::UP | w::DOWN) != 0
            }
            "trip" | "journey" => self.sentence.items[clause.clone()].iter().all(|item| !item.about(w::CUSTOMER)),
            "customers" => at > 0 && items[at - 1].is_any(words!["all", "any"]),
            _ if item.about(w::MERCHANT) && item.claim.is_none() && at > 1 => {
                items[at - 2].lower != "of" || self.sentence.has_word(clause.clone(), words!["name"])
            }
            _ if item.is(w::LARGEST | w::SMALLEST) => !follows(w::SEVERITY | w::SCORE),
            _ if item.signal.is_some() => {
                !next.is_some_and(|next| next.about(w::RULE) && next.claim.is_none() && next.signal.is_none())
            }
            _ => true,
        };
        if !holds {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Whether a clause has two predicates, as in "It concerned the merchant X and took place in Y".
    fn is_two_predicates(&self, clause: &Range<usize>) -> bool {
        let verbs =
            self.sentence.items[clause.clone()].iter().filter(|item| item.is(w::VERB) && !item.is_any(AUXILIARY));
        verbs.count() > 1
    }
}
