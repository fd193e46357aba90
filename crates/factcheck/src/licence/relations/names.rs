//! Stage 7, licence, rules on names: where this transaction took place, and whether a name is called what its fact is.

use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Checks where this transaction took place, and the direction of a journey.
    pub(super) fn check_country(&mut self, at: usize) {
        let items = &self.sentence.items;
        let (Some(country), clause) = (items[at].country, self.sentence.clause_of(at)) else { return };
        let before = at.checked_sub(1).map_or("", |before| items[before].lower);
        let second = items
            .get(at + 2)
            .filter(|_| items.get(at + 1).is_some_and(|next| next.lower == "to"))
            .and_then(|item| item.country);
        if before == "from"
            && let (Some(to), Some(route)) = (second, &self.case.route)
        {
            return self.expect(at, route.0 == country && route.1 == to, "/signals");
        }
        // The record does not say where a customer or a merchant comes from.
        let is_from = before == "from" && at > 1 && items[at - 2].about(w::CUSTOMER | w::MERCHANT);
        if is_from {
            return self.refuse(at, Reason::Unlicensed);
        }
        // The timeline has the places of earlier transactions.
        let is_this = items[clause.start..at].iter().rev().take(5).any(|item| item.lower == "this");
        let is_earlier_place = !is_this
            && self.sentence.acts(clause.clone()) & w::PRIOR != 0
            && self.sentence.topics(clause.clone()) & w::TRANSACTION != 0
            && self.sentence.acts(clause.clone()) & (w::NOT | w::NO | w::NEW | w::AMONG) == 0
            && before == "in";
        if is_earlier_place && !self.case.earlier_countries.is_empty() {
            return self.expect(at, self.case.earlier_countries.iter().any(|known| known == country), "/timeline");
        }
        // For this transaction: "it took place in", "the transaction … in".
        let is_earlier = self.sentence.acts(clause.clone())
            & (w::PRIOR | w::LAST | w::FIRST | w::HEAVIEST | w::LARGEST | w::BEFORE | w::NEW)
            != 0
            || self.sentence.topics(clause.clone()) & (w::BASELINE | w::HISTORY) != 0
            || items[clause.clone()].iter().any(|item| item.path().is_some_and(|path| path.starts_with("/timeline")));
        let names_this = items[clause.start..at].iter().any(|item| {
            item.is_any(words!["it", "transaction", "payment", "purchase", "transfer", "withdrawal", "place"])
                || item.claim.is_some_and(|(path, _)| {
                    path == "/transaction/amount"
                        || path == "/transaction/occurred_at"
                        || path.starts_with("/transaction/location")
                })
        });
        let is_place =
            ["in", ","].contains(&before) || items[at.saturating_sub(1)].mark == Some(',') || before == "was";
        if names_this
            && is_place
            && !is_earlier
            && let Some(actual) = &self.case.country
        {
            self.expect(at, actual == country, "/transaction/location/country");
        }
    }

    /// Checks that a name is called what its fact is. A merchant's name must not be called a city.
    pub(super) fn check_label(&mut self, at: usize) {
        let Some((path, kind)) = self.sentence.items[at].claim else { return };
        if !matches!(kind, ClaimKind::Name | ClaimKind::Id) {
            return;
        }
        let topic = match path {
            "/transaction/merchant" => w::MERCHANT,
            "/transaction/category" => w::CATEGORY,
            "/transaction/source_of_funds" => w::SOURCE,
            "/transaction/destination_of_funds" => w::DESTINATION,
            path if path.contains("/location/") => w::LOCATION,
            path if path.starts_with("/transaction/metadata") => w::MEMO,
            path if path.contains("/flags/") => w::RULE,
            _ => return,
        };
        let labels = w::MERCHANT | w::CATEGORY | w::LOCATION | w::MEMO | w::SOURCE | w::DESTINATION | w::RULE;
        let items = &self.sentence.items;
        let clause = self.sentence.clause_of(at);
        // In "gave X as the source of funds", the label comes after the name.
        let closing =
            items[at + 1..].iter().take_while(|item| matches!(item.mark, Some('"' | '`' | '\u{2026}'))).count();
        let follows = items.get(at + 1 + closing).is_some_and(|next| next.lower == "as");
        let label = if follows {
            items[at + 1..].iter().find(|item| item.about(labels))
        } else {
            items[clause.start..at]
                .iter()
                .rev()
                .take(5)
                .take_while(|item| item.claim.is_none())
                .find(|item| item.about(labels))
        };
        let word_before = items[..at].iter().rev().find(|item| item.mark.is_none()).map_or("", |item| item.lower);
        let is_called = match label {
            Some(label) => label.about(topic) || self.is_text_of(at, label.topics),
            None if topic == w::MERCHANT => word_before != "in" || self.is_text_of(at, w::LOCATION),
            None if topic == w::MEMO => self.sentence.topics(0..items.len()) & w::MEMO != 0,
            None => true,
        };
        if !is_called {
            self.contradict(at, path);
        }
    }

    /// Whether the name also belongs to another fact: a merchant and a city may share a name.
    fn is_text_of(&self, at: usize, topics: u64) -> bool {
        let stated = self.reader.normalised(&self.sentence.items[at]);
        self.case.texts.iter().any(|(topic, text)| topics & topic != 0 && text.starts_with(&stated))
    }
}
