//! Stage 7, licence, rules on frames: a country, a city or a merchant must belong to the transaction that its clause is about.

use std::ops::Range;

use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Checks a claim of a country, a city or a merchant: it must belong to the transaction that the clause is about.
    pub(super) fn check_place(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        let is_named = kind == ClaimKind::Name && items[at].country.is_none();
        let labelled =
            items[clause.start..at].iter().rev().take(4).any(|item| item.about(w::MERCHANT) && item.claim.is_none());
        let is_merchant = is_named && (path == "/transaction/merchant" || labelled && path.contains("/location/"));
        let is_city = is_named && path.contains("/location/") && !labelled;
        if items[at].country.is_none() && !is_city && !is_merchant {
            return;
        }
        // A category or a source of funds may have the same name as a city. Another rule checks its label.
        let labels = w::MERCHANT | w::CATEGORY | w::SOURCE | w::DESTINATION | w::MEMO | w::LOCATION;
        let label =
            items[clause.start..at].iter().rev().take(5).find(|item| item.about(labels) && item.claim.is_none());
        let follows = items[at + 1..clause.end].iter().take(3).any(|item| item.lower == "as");
        if is_named
            && (follows || label.is_some_and(|label| label.about(w::CATEGORY | w::SOURCE | w::DESTINATION | w::MEMO)))
        {
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let whole = self.sentence.topics(0..items.len());
        let acts = self.sentence.acts(clause.clone());
        // Other rules check travel, new countries and usual countries.
        let is_apart = self.sentence.has_word(0..items.len(), words!["apart"]) && whole & w::SIGNAL != 0;
        let is_excluded = items[clause.start..at].iter().rev().take(2).any(|item| item.is(w::NOT));
        if is_apart || is_excluded {
            return;
        }
        let is_travel = whole & w::TRAVEL != 0
            || items
                .iter()
                .any(|item| item.path().is_some_and(|path| path.contains("distance") || path.contains("speed")));
        let is_checked_elsewhere = !is_merchant
            && (is_travel && acts & w::OPENED == 0 && about & (w::CUSTOMER | w::ALERT) == 0
                || self.sentence.acts(0..items.len()) & (w::NEW | w::FOREIGN | w::AMONG | w::HEAVIEST | w::USUAL) != 0
                    && whole & (w::SCORE | w::SEVERITY | w::DEVICE | w::MERCHANT) == 0
                    && acts & w::FIRE == 0
                || items.iter().any(|item| item.is(w::LARGEST) && item.lower == "busiest"));
        if is_checked_elsewhere {
            return;
        }
        let others = w::ALERT
            | w::INVESTIGATION
            | w::ACCOUNT
            | w::DEVICE
            | w::NETWORK
            | w::DETECTOR
            | w::SENDER
            | w::SCORE
            | w::SEVERITY
            | w::MEDIAN
            | w::SIGNAL;
        let subject = self.subject(clause).map(|subject| (subject.topics, subject.signal.is_some(), subject.lower));
        let is_of_other = match subject {
            // A customer can be the subject if the customer acts: "The customer made a payment in Lisbon."
            Some((topics, ..)) if topics & w::CUSTOMER != 0 => {
                acts & (w::MADE | w::RAISED) == 0 && about & w::FIRST_SEEN == 0
            }
            Some((topics, true, _)) => topics & w::TRANSACTION == 0,
            Some((topics, ..)) if topics & w::MERCHANT != 0 && !is_merchant => {
                about & w::TRANSACTION == 0 && acts & w::MADE == 0 && !self.is_two_predicates(clause)
            }
            Some((topics, ..)) if topics & w::ALERT != 0 => about & (w::TRANSACTION | w::CUSTOMER) == 0,
            Some((topics, ..)) if topics & w::ACCOUNT != 0 => acts & w::MADE == 0,
            Some((topics, ..)) => topics & others != 0 && topics & (w::TRANSACTION | w::AMOUNT) == 0,
            None => false,
        };
        if is_of_other {
            return self.refuse(at, Reason::Unlicensed);
        }
        let is_prior =
            acts & (w::PRIOR | w::LAST | w::FIRST | w::BEFORE) != 0 || about & (w::BASELINE | w::HISTORY) != 0;
        let of = |range: Range<usize>| {
            items[range]
                .iter()
                .filter_map(|item| item.claim)
                .filter(|(_, kind)| *kind == ClaimKind::Date)
                .map(|(path, _)| path)
                .collect::<Vec<&str>>()
        };
        let in_clause = of(clause.clone());
        // The date may be in another clause: "Activity was first recorded on 4 January: USD 20 in Portugal."
        let dates = if in_clause.is_empty() && whole & (w::TRANSACTION | w::CUSTOMER) == 0 {
            of(0..items.len())
        } else {
            in_clause
        };
        let is_count = self.counts_transactions(clause);
        if is_merchant {
            // Only this transaction's merchant is a fact of its own. The timeline's sentences mention others
            // (`roles/earlier.rs`).
            let is_this = !is_prior && !is_count && dates.iter().all(|date| self.case.is_day_of_transaction(date));
            let is_every = acts & w::ALL != 0;
            let before = items[..at].iter().rev().find(|item| item.mark.is_none());
            let is_joined = before.is_some_and(|before| {
                before.about(w::MERCHANT) || before.is_any(words!["at", "to", "was", "is", "as"])
            });
            // The merchant can be the subject: "Marina Jewellers was the merchant."
            let is_subject = at == clause.start || items[clause.start..at].iter().all(|item| item.mark.is_some());
            let is_called = is_subject
                && about & w::MERCHANT != 0
                && items[at + 1..clause.end].iter().any(|item| item.about(w::MERCHANT) && item.claim.is_none());
            if !is_joined && !is_called {
                return self.refuse(at, Reason::Unlicensed);
            }
            if !is_this
                || is_every
                || about & (w::ALERT | w::INVESTIGATION | w::DEVICE | w::MEDIAN) != 0 && about & w::TRANSACTION == 0
            {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        }
        let stated = self.reader.normalised(&items[at]);
        let place = items[at].country.map_or(stated, str::to_owned);
        // "No transaction had been recorded in Japan before" is true of a new country.
        let is_new = self.case.new_country.as_deref() == Some(place.as_str());
        if is_new && acts & (w::NO | w::NOT) != 0 && acts & w::BEFORE != 0 {
            return;
        }
        if !is_new && acts & (w::NO | w::NOT) != 0 && acts & w::BEFORE != 0 && self.case.was_earlier(&place) {
            return self.contradict(at, "/baseline/countries");
        }
        let is_of_event = dates.iter().any(|date| self.case.was_on(date, &place));
        let is_here = self.case.is_here(&place);
        let was_earlier = self.case.was_earlier(&place);
        let holds = if is_prior {
            let is_route =
                self.case.route.as_ref().is_some_and(|(_, to)| *to == place) && self.is_of_this_one(at, clause);
            let is_denied = acts & w::NO != 0 && is_here && !was_earlier;
            was_earlier
                || is_here && about & w::BASELINE != 0 && self.is_two_predicates(clause)
                || is_of_event
                || is_route
                || is_denied
        } else if is_count {
            was_earlier
                && !items[clause.clone()].iter().any(|item| item.path().is_some_and(|path| path.contains("/details/")))
        } else if dates.is_empty() {
            is_here || self.is_of_timeline(clause) && was_earlier || self.is_of_this_one(at, clause)
        } else {
            is_of_event
        };
        if !holds {
            self.contradict(at, "/transaction/location");
        }
    }

    fn is_of_timeline(&self, clause: &Range<usize>) -> bool {
        let is_event = |(path, kind): (&str, ClaimKind)| {
            path.starts_with("/timeline/") && matches!(kind, ClaimKind::Money | ClaimKind::Date)
        };
        self.sentence.items[clause.clone()].iter().any(|item| item.claim.is_some_and(is_event))
    }

    /// Whether a clause counts transactions.
    pub(super) fn counts_transactions(&self, clause: &Range<usize>) -> bool {
        let items = &self.sentence.items;
        let is_count = |place: usize| items[place].claim.is_some_and(|(_, kind)| kind == ClaimKind::Count);
        let names = |place: usize| {
            items[place..clause.end.min(place + 4)].iter().any(|item| item.about(w::TRANSACTION | w::ALERT))
        };
        clause.clone().any(|place| is_count(place) && names(place))
    }

    /// In "A previous transaction in X and this one in Y", whether a place belongs to this transaction.
    fn is_of_this_one(&self, at: usize, clause: &Range<usize>) -> bool {
        let before = &self.sentence.items[clause.start..at];
        before.iter().any(|item| item.is(w::PRIOR)) && before.iter().rev().take(4).any(|item| item.lower == "this")
    }
}
