//! Relations: who did what, what led to what, and whether a name is called what it is.

use std::ops::Range;

use super::sentence::{ARTICLES, AUXILIARY, IDIOM, Item, Named};
use super::words::{Words, words};
use super::{Check, ClaimKind, Reason, signal_of, w};

/// Those who can be said to do something.
const ACTORS: u64 = w::CUSTOMER | w::MERCHANT | w::DETECTOR | w::SENDER | w::SYSTEM | w::PERSON;
const PREPOSITIONS: &Words =
    words!["at", "to", "by", "with", "from", "of", "in", "on", "for", "about", "concerning", "against", "between"];

impl Check<'_> {
    pub(crate) fn relations(&mut self) {
        for at in 0..self.sentence.items.len() {
            let item = &self.sentence.items[at];
            if item.is_silent() {
                continue;
            }
            if item.claim.is_some() {
                if item.country.is_some() {
                    self.located(at);
                }
                self.called(at);
                self.counted(at);
                self.measured_by(at);
                continue;
            }
            let doing =
                w::MADE | w::RAISED | w::OPENED | w::STATE | w::MEASURE | w::CONTRIBUTE | w::FIRE | w::LEAD | w::HELD;
            if item.is(w::RAISED) && item.is(w::VERB) {
                self.raised_what(at);
            }
            let is_main = item.is(w::VERB) && !item.is_any(AUXILIARY);
            if is_main && !item.is(doing) && !self.is_theirs(at) {
                self.refuse(at, Reason::Unlicensed);
            }
            if item.is(w::VERB) && item.is(doing) {
                self.done_by(at);
            }
            if item.lower == "against" {
                self.against_whom(at);
            }
            if item.is(w::PRIOR | w::ALL) && item.claim.is_none() {
                self.described(at);
            }
            if item.is(w::HELD) && item.is(w::VERB) {
                self.held_by(at);
            }
            if item.is_any(words!["was", "is", "were", "are"]) {
                self.same(at);
            }
            if item.lower == "to" {
                self.ranged(at);
            }
            if item.is(w::ENTER)
                && !self.sentence.is_negated(at)
                && self.sentence.topics(self.sentence.clause_of(at)) & w::ALERT != 0
                && self.sentence.topics(at..(at + 4).min(self.sentence.items.len())) & w::SCORE != 0
            {
                self.contradict(at, "/score/contributions");
            }
            if item.is(w::NEED) {
                self.needed(at);
            }
            if item.is(w::BECAUSE | w::THEREFORE) || item.is(w::LEAD) {
                self.caused(at);
            }
        }
    }

    /// The merchant is not the account holder: nobody is somebody else.
    fn same(&mut self, at: usize) {
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
        // "The merchant's name was …": a name is one that is found.
        let is_name = at > 0 && items[at - 1].lower == "name";
        let is_found = items[at + 1..clause.end].iter().any(|item| item.claim.is_some());
        if is_name && !is_found {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// "from 60 to 79", never the other way round.
    fn ranged(&mut self, at: usize) {
        const RANGES: [(&str, &str); 4] = [
            ("/score/band_from", "/score/band_to"),
            ("/baseline/first_at", "/baseline/last_at"),
            ("/baseline/smallest_amount", "/baseline/largest_amount"),
            ("/transaction/occurred_at", "/case/alert_created_at"),
        ];
        let items = &self.sentence.items;
        let before = at.checked_sub(1).and_then(|before| items[before].path());
        let after = items.get(at + 1).and_then(|item| item.path());
        if let (Some(from), Some(to)) = (before, after)
            && RANGES.iter().any(|(low, high)| from == *high && to == *low)
        {
            self.contradict(at, from);
        }
    }

    /// Alerts, investigations and signals are raised; payments and customers are flagged; nothing else is.
    fn raised_what(&mut self, at: usize) {
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

    /// Nobody does what is not theirs to do: the customer pays, the detector or the sender raises, signals add points.
    fn done_by(&mut self, at: usize) {
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
        } else if item.is(w::LEAD) && after & w::ALERT != 0 {
            // "led the detector to raise the alert".
            w::DETECTOR | w::SENDER | w::SYSTEM
        } else {
            w::DETECTOR | w::SENDER | w::SYSTEM
        };
        if actor & theirs == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Customers pay, open accounts and draw alerts; a person decides; merchants are only named.
    fn is_theirs(&self, at: usize) -> bool {
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

    /// "by X" after the verb, else the subject of an active verb.
    fn actor(&self, at: usize, clause: &Range<usize>) -> Option<u64> {
        let items = &self.sentence.items;
        let is_passive = items[clause.start..at]
            .iter()
            .rev()
            .take(3)
            .any(|item| item.is_any(words!["was", "were", "been", "be", "is", "are"]));
        let by_idiom = items[at].is(w::MADE) && items[at].lower == IDIOM;
        let by = (at..clause.end).find(|place| {
            items[*place].lower == "by" || *place == at && items[at].is(w::MADE) && items[at].lower == IDIOM
        });
        let agent = || {
            let by = by?;
            items[by + 1..clause.end.min(by + 4)].iter().find(|item| item.about(ACTORS) && !item.is_possessive)
        };
        if is_passive || by_idiom {
            return agent().map(|agent| agent.topics & ACTORS);
        }
        // The noun that the verb follows, without those behind a preposition. A participle ("an alert raised on …") has no
        // actor of its own.
        let is_oblique = |place: usize| {
            let before = items[clause.start..place].iter().rev().find(|item| !item.is_any(ARTICLES));
            before.is_some_and(|before| before.is_any(PREPOSITIONS) || before.is(w::MADE) && before.lower == IDIOM)
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
        // An object of another verb is no subject of this one.
        let is_main = |item: &Item<'_>| item.is(w::VERB) && !item.is_any(AUXILIARY);
        let is_object = subject.is_some_and(|subject| items[clause.start..subject].iter().any(is_main));
        match subject {
            Some(_) if is_object => None,
            Some(subject) => Some(items[subject].topics & ACTORS).filter(|actor| *actor != 0),
            None => agent().map(|agent| agent.topics & ACTORS),
        }
    }

    /// A value is set against a threshold or a baseline, never against a person.
    fn against_whom(&mut self, at: usize) {
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

    /// Earlier customers and earlier days have no facts.
    fn described(&mut self, at: usize) {
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

    /// A record, a baseline or a timeline holds; rules hold; the cap holds a score. Nobody holds a payment.
    fn held_by(&mut self, at: usize) {
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

    /// A distance needs a speed and a check needs a history; nothing needs to be done.
    fn needed(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let about = self.sentence.topics(clause.clone());
        let is_value =
            |item: &Item<'_>| item.path().is_some_and(|path| !path.ends_with("threshold") && !path.ends_with("_limit"));
        let has_figure =
            self.sentence.items[at + 1..clause.end].iter().find(|item| item.claim.is_some()).is_some_and(is_value)
                || self.sentence.items[clause.start..at].iter().any(is_value);
        if !has_figure || about & (w::TRAVEL | w::TRANSACTION | w::HISTORY) == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// What is said to follow from what: only links that the computation itself has.
    fn caused(&mut self, at: usize) {
        let items = &self.sentence.items;
        let item = &items[at];
        let count = items.len();
        // "since 17 May 2024" is a time.
        let next_is_date = items.get(at + 1).is_some_and(|next| {
            next.claim.is_some_and(|(_, kind)| matches!(kind, ClaimKind::Date | ClaimKind::Time))
                || next.is(w::FIRST)
                || next.lower == "the" && items.get(at + 2).is_some_and(|next| next.is(w::FIRST))
        });
        if item.lower == "since" && next_is_date {
            return;
        }
        if item.is(w::LEAD) && !self.is_causal(at) {
            return;
        }
        // "the country that led the baseline".
        let clause = self.sentence.clause_of(at);
        if item.lower == "led"
            && self.sentence.topics(at + 1..clause.end) & w::BASELINE != 0
            && self.is_led_by_country(at, &clause)
        {
            return;
        }
        if item.is_any(words!["reason", "reasons", "grounds", "cause"]) {
            return self.reason(at);
        }
        let (effect, cause) = if item.is(w::BECAUSE) {
            match items[at..].iter().position(|item| item.mark == Some(',')) {
                Some(comma) if at == 0 => (at + comma..count, 1..at + comma),
                _ => (0..at, at + 1..count),
            }
        } else {
            (at + 1..count, 0..at)
        };
        if !self.is_link(effect, cause) {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// "made", "gave" and "followed" are causes only where they join computed things.
    fn is_causal(&self, at: usize) -> bool {
        let item = &self.sentence.items[at];
        let clause = self.sentence.clause_of(at);
        let after = self.sentence.topics(at + 1..clause.end);
        match item.lower {
            "made" | "makes" | "making" => {
                after & (w::SIGNAL | w::SEVERITY | w::SCORE) != 0 && !item_is_paid(&self.sentence.items, at)
            }
            "gave" | "give" | "gives" => self.sentence.topics(at + 1..clause.end.min(at + 4)) & w::SCORE != 0,
            "followed" | "follows" => self.sentence.items.get(at + 1).is_some_and(|next| next.lower == "from"),
            _ => true,
        }
    }

    fn reason(&mut self, at: usize) {
        let whole = 0..self.sentence.items.len();
        let (about, acts) = (self.sentence.topics(whole.clone()), self.sentence.acts(whole.clone()));
        let denies = acts & (w::NO | w::NOT) != 0;
        let has_signal = !self.sentence.signals(whole).is_empty() || about & (w::SIGNAL | w::RULE) != 0;
        if !has_signal || denies && about & w::SIGNAL == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
        if !denies {
            for named in self.sentence.signals(0..self.sentence.items.len()) {
                if let Named::Known(place) = named {
                    use super::case::Outcome::{Fired, Reported};
                    let raised = matches!(self.case.signals[place].outcome, Fired | Reported);
                    self.expect(at, raised, format!("/signals/{place}/outcome"));
                }
            }
        }
    }

    fn is_link(&self, effect: Range<usize>, cause: Range<usize>) -> bool {
        let (to, from) = (self.sentence.topics(effect.clone()), self.sentence.topics(cause.clone()));
        let (to_acts, from_acts) = (self.sentence.acts(effect.clone()), self.sentence.acts(cause.clone()));
        let denial = w::NO | w::NOT | w::ABSENT | w::NOTHING;
        let (effects, causes) = (self.sentence.signals(effect.clone()), self.sentence.signals(cause.clone()));
        let figures = |range: Range<usize>| {
            self.sentence.items[range].iter().filter_map(|item| item.path()).filter_map(signal_of).collect::<Vec<_>>()
        };
        let fires =
            to_acts & w::FIRE != 0 || !effects.is_empty() && to_acts & (w::CONTRIBUTE | w::CLEAR | w::RAISED) != 0;
        let measured = w::THRESHOLD
            | w::VALUE
            | w::RULE
            | w::TRAVEL
            | w::RATE
            | w::AMOUNT
            | w::MEDIAN
            | w::BASELINE
            | w::LOCATION
            | w::HISTORY;
        // Something is missing, and therefore something else is.
        let lacking = w::TRANSACTION
            | w::LOCATION
            | w::BASELINE
            | w::HISTORY
            | w::SIGNAL
            | w::RECORD
            | w::AMOUNT
            | w::CURRENCY
            | w::RULE
            | w::EVIDENCE;
        // A signal that has a result did not lack its inputs: "did not fire, because the record lacked the history".
        let inputs = w::TRANSACTION | w::LOCATION | w::BASELINE | w::HISTORY | w::RECORD;
        let is_measured = |named: &Named| matches!(named, Named::Known(place) if self.case.has_result(*place) && !self.case.is_reported(*place));
        let both = from_acts & denial != 0 && to_acts & denial != 0;
        if both && from & inputs != 0 && from & w::RULE == 0 && effects.iter().any(is_measured) {
            return false;
        }
        if from_acts & denial != 0 && (to_acts & denial != 0 || to & (w::SCORE | w::REPORT | w::EVIDENCE) != 0) {
            return from & lacking != 0
                && (to_acts & w::FIRE == 0
                    || from & (w::TRANSACTION | w::LOCATION | w::HISTORY | w::BASELINE | w::SIGNAL | w::RULE) != 0);
        }
        if fires {
            let same = causes.iter().all(|cause| effects.is_empty() || effects.contains(cause));
            let own = figures(cause);
            let of_other = own.iter().any(|place| !effects.is_empty() && !effects.contains(&Named::Known(*place)));
            return same
                && !of_other
                && (!own.is_empty()
                    || from & measured != 0
                    || from_acts & (w::NEW | w::UNUSUAL) != 0
                    || !causes.is_empty());
        }
        // "so this payment was the largest": of the largest earlier amount.
        if to_acts & w::LARGEST != 0 {
            return from_acts & w::LARGEST != 0;
        }
        if to & (w::SCORE | w::POINTS | w::SEVERITY | w::BAND | w::CAP) != 0 {
            return from & (w::SCORE | w::POINTS | w::BAND | w::SIGNAL | w::SEVERITY | w::VALUE | w::CAP) != 0
                || !causes.is_empty();
        }
        if to & w::ALERT != 0 {
            return !causes.is_empty()
                || from & (w::SIGNAL | w::TRANSACTION | w::SCORE | w::RULE) != 0
                    && from & (w::MERCHANT | w::CATEGORY) == 0;
        }
        if to & w::INVESTIGATION != 0 {
            return from & (w::ALERT | w::SCORE) != 0;
        }
        // "so it produced no value": said above; "so the signal fired": said above.
        to_acts & denial != 0 && from & lacking != 0
    }

    /// Where this transaction was, and which way the account went.
    fn located(&mut self, at: usize) {
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
        // Nobody's home is on record.
        let is_from = before == "from" && at > 1 && items[at - 2].about(w::CUSTOMER | w::MERCHANT);
        if is_from {
            return self.refuse(at, Reason::Unlicensed);
        }
        // Earlier transactions were where the timeline has them.
        let is_this = items[clause.start..at].iter().rev().take(5).any(|item| item.lower == "this");
        let is_earlier_place = !is_this
            && self.sentence.acts(clause.clone()) & w::PRIOR != 0
            && self.sentence.topics(clause.clone()) & w::TRANSACTION != 0
            && self.sentence.acts(clause.clone()) & (w::NOT | w::NO | w::NEW | w::AMONG) == 0
            && before == "in";
        if is_earlier_place && !self.case.earlier_countries.is_empty() {
            return self.expect(at, self.case.earlier_countries.iter().any(|known| known == country), "/timeline");
        }
        // This transaction: "it took place in", "the transaction … in".
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
            && let Some(own) = &self.case.country
        {
            self.expect(at, own == country, "/transaction/location/country");
        }
    }

    /// A name stands for what its own fact is: a merchant is not a city.
    fn called(&mut self, at: usize) {
        let Some((path, kind)) = self.sentence.items[at].claim else { return };
        if !matches!(kind, ClaimKind::Name | ClaimKind::Id) {
            return;
        }
        let own = match path {
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
        // "gave X as the source of funds": the label follows.
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
            Some(label) => label.about(own) || self.is_text_of(at, label.topics),
            None if own == w::MERCHANT => word_before != "in" || self.is_text_of(at, w::LOCATION),
            None if own == w::MEMO => self.sentence.topics(0..items.len()) & w::MEMO != 0,
            None => true,
        };
        if !is_called {
            self.contradict(at, path);
        }
    }

    /// Whether a name is also that of another fact: a merchant may be called like a city.
    fn is_text_of(&self, at: usize, topics: u64) -> bool {
        let said = self.reader.spoken(&self.sentence.items[at]);
        self.case.texts.iter().any(|(topic, text)| topics & topic != 0 && text.starts_with(&said))
    }

    /// A measurement is that of the signal which the clause names, a limit is called one, and a multiple is one of the median.
    fn measured_by(&mut self, at: usize) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        // A figure beside the name that its sender gave it has been found by that name, and brings no unit.
        if items[at].is_detail && items[at].what.is_none() {
            return;
        }
        let clause = self.sentence.clause_of(at);
        let said = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        let is_multiple = items[at].is_any(words!["twice", "thrice", "double", "triple", "half"]);
        if is_multiple && self.sentence.topics(at..clause.end.min(at + 4)) & w::MEDIAN == 0 {
            return self.refuse(at, Reason::Unlicensed);
        }
        const ORDINALS: &Words =
            words!["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
        if let Some(place) = ORDINALS.place(items[at].hash) {
            let is_alert = items[at].about(w::ALERT) || items.get(at + 1).is_some_and(|next| next.about(w::ALERT));
            // "the third alert of HIGH severity": after two of them.
            let level = items[at + 1..clause.end].iter().find_map(|item| self.level(item));
            let before = match level {
                Some(level) => self.case.prior_by_severity[level as usize],
                None => self.case.prior_alerts,
            };
            let holds = is_alert && before == place as u64 + 1;
            return self.expect(at, holds, "/correlation/prior_alerts");
        }
        let is_limit = path.ends_with("/threshold") || path.ends_with("_limit");
        let is_called = || {
            said & (w::THRESHOLD | w::BOUNDS) != 0
                || acts & (w::UP | w::DOWN | w::REACHED) != 0
                || self.sentence.has_word(clause.clone(), words!["against"])
        };
        let before = at.checked_sub(2).map(|before| &items[before]).filter(|_| items[at - 1].lower == "of");
        if ["/score/total", "/case/risk_score"].contains(&path)
            && before.is_some_and(|before| before.about(w::MEDIAN | w::THRESHOLD | w::AMOUNT | w::BASELINE | w::VALUE))
        {
            return self.contradict(at, path);
        }
        if items[at].is_of_rule && path.ends_with("/weight") {
            let is_name = |item: &&Item<'_>| item.names_rule();
            let rule = items[..at].iter().rev().find(is_name).map(|item| self.reader.spoken(item));
            if rule.is_some_and(|said| !self.case.is_weight_of(path, &said)) {
                return self.contradict(at, path);
            }
        }
        let is_sum = kind == ClaimKind::Money
            && !path.contains("sum_")
            && !path.ends_with("/value")
            && !path.ends_with("/threshold")
            && self.sentence.has_word(clause.clone(), words!["sum", "sums"]);
        let is_detail = items[at].is_detail;
        if is_sum || is_detail {
            let in_clause = items[clause.clone()].iter();
            let spans = in_clause.filter(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Duration));
            let mut spans = spans.map(|item| self.reader.text(item)).peekable();
            let has_span = spans.peek().is_some();
            let is_other_window = has_span
                && is_detail
                && (path.contains("_1h") && spans.clone().all(|span| span == "24")
                    || path.contains("_24h") && spans.all(|span| ["1", "one", "an"].contains(&span)));
            if is_sum && has_span || is_other_window && !self.case.is_same_in_both_windows(path) {
                return self.contradict(at, path);
            }
        }
        if is_limit && kind != ClaimKind::Count && !is_called() {
            return self.contradict(at, path);
        }
        if path.ends_with("per_day")
            && self.sentence.has_word(
                at + 1..(at + 5).min(items.len()),
                words!["hour", "hours", "hourly", "week", "month", "minute"],
            )
        {
            return self.contradict(at, path);
        }
        let Some(of) = signal_of(path) else { return };
        let named = items[clause.start..at].iter().rev().find_map(|item| item.signal);
        let is_own = path.ends_with("/value") || is_limit || path.ends_with("/contribution") || is_detail;
        if let (Some(named), true) = (named, is_own)
            && Named::Known(of) != named
            && self.sentence.signals(clause).len() == 1
        {
            self.contradict(at, path);
        }
    }

    /// What is counted is what a context counts: transactions, alerts, days; never people.
    fn counted(&mut self, at: usize) {
        let Some((path, kind)) = self.sentence.items[at].claim else { return };
        if !matches!(kind, ClaimKind::Count | ClaimKind::Number) {
            return;
        }
        let never = w::CUSTOMER
            | w::MERCHANT
            | w::PERSON
            | w::DEVICE
            | w::ACCOUNT
            | w::INVESTIGATION
            | w::MEMO
            | w::REPORT
            | w::SYSTEM
            | w::SENDER
            | w::DETECTOR
            | w::CATEGORY
            | w::CHANNEL;
        let is_described = |item: &&Item<'_>| {
            item.is(w::PRIOR | w::SIMILAR | w::NEW | w::UNUSUAL | w::USUAL) && item.topics == 0 || item.lower == "of"
        };
        let next = self.sentence.items[at + 1..].iter().find(|item| !is_described(item));
        let own = self.sentence.items[at].topics;
        if own & never != 0 && own & (w::TRANSACTION | w::ALERT) == 0
            || next.is_some_and(|next| next.about(never) && !next.is_possessive && next.claim.is_none())
        {
            self.contradict(at, path);
        }
    }
}

/// "made a transfer of USD 5" pays; "made the signal fire" doesn't.
fn item_is_paid(items: &[Item<'_>], at: usize) -> bool {
    items[at + 1..].iter().take(4).any(|item| item.about(w::TRANSACTION))
}
