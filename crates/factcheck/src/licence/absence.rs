//! Absence and presence: what is said to be missing is missing, and what is named is there.

use std::ops::Range;

use super::case::{Outcome, Status};
use super::sentence::{ARTICLES, AUXILIARY, Item, Named};
use super::words::words;
use super::{Check, Reason, w};

/// Signals of the detector.
const OWN_SIGNALS: usize = 4;

/// Things that a record can fail to state.
const ASKED: u64 = w::TRANSACTION
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

impl Check<'_> {
    pub(crate) fn absences(&mut self) {
        let count = self.sentence.items.len();
        // Items that a denial speaks of: naming them is no claim that they are there.
        let mut denied = vec![false; count];
        for at in 0..count {
            let item = &self.sentence.items[at];
            if item.claim.is_some() {
                // "no earlier transactions" is a figure, and what it counts is none.
                if item.is(w::NO) {
                    self.none_of(at);
                    let clause = self.sentence.clause_of(at);
                    let end = self.noun_phrase_end(at, clause.end);
                    let end = if self.sentence.acts(end..clause.end) & w::STATE != 0 { clause.end } else { end };
                    denied[at..end].fill(true);
                }
                continue;
            }
            if item.is(w::NO) || item.lower == "nor" {
                self.without(at, &mut denied);
            } else if item.is(w::NOT) {
                self.not(at, &mut denied);
            } else if item.is(w::ABSENT) {
                let clause = self.sentence.clause_of(at);
                self.missing(at, clause, &mut denied);
            } else if item.is(w::NOTHING) {
                self.nothing(at);
            }
        }
        self.present(&denied);
    }

    /// "no earlier transactions": the figure is checked, and what it counts is not there at all.
    fn none_of(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let end = self.noun_phrase_end(at, clause.end);
        let (topics, acts) = (self.sentence.topics(at..end), self.sentence.acts(at..end));
        let is_doubled =
            self.sentence.items[clause.start..at].iter().any(|item| item.is(w::NO) && item.claim.is_none());
        if is_doubled {
            return self.refuse(at, Reason::Unlicensed);
        }
        let asked = topics & (w::TRANSACTION | w::ALERT);
        if self.sentence.topics(end..clause.end) & w::BASELINE != 0 {
            return self.expect_absent(at, w::BASELINE, acts, clause);
        }
        if acts & (w::PRIOR | w::SIMILAR) != 0 && self.sentence.topics(clause.clone()) & w::SAME_CURRENCY == 0 {
            self.expect_absent(at, asked, acts, clause);
        }
    }

    /// "no baseline", "without a location", "neither a value nor a threshold", "none of the rules".
    fn without(&mut self, at: usize, denied: &mut [bool]) {
        let clause = self.sentence.clause_of(at);
        let end = self.noun_phrase_end(at, clause.end);
        let phrase = at + 1..end;
        denied[phrase.clone()].fill(true);
        let (topics, acts) = (self.sentence.topics(phrase.clone()), self.sentence.acts(phrase.clone()));
        let verb = self.sentence.items.get(end).filter(|_| end < clause.end);
        let acts_after = self.sentence.acts(end..clause.end);
        // "No earlier transactions were available for a baseline": none of it is there.
        if acts_after & w::STATE != 0 {
            denied[phrase.start..clause.end].fill(true);
        }
        let is_card = self.sentence.acts(clause.clone()) & w::CARD != 0
            && self.sentence.has_word(clause.clone(), words!["present"]);
        let compares = topics & w::TRANSACTION != 0 && acts_after & (w::UP | w::DOWN) != 0;
        if is_card || compares {
            return;
        }
        // The verbs' own checks heed the denial.
        let checked =
            w::FIRE | w::UP | w::DOWN | w::CONTRIBUTE | w::UNUSUAL | w::HELD | w::COMPLETE | w::HEAVIEST | w::SEEN;
        if verb.is_some_and(|verb| verb.is(checked)) && topics & (w::SIGNAL | w::RULE | w::POINTS | w::TRANSACTION) != 0
        {
            return;
        }
        // "no measured signal supported it": none fired, or a sender reported them.
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
        let mut asked = topics & (ASKED | w::ALERT | w::TIMELINE | w::PERSON);
        if asked & w::BASELINE != 0 {
            asked &= !w::TRANSACTION;
        }
        if asked == 0 && self.sentence.items[at].lower == "none" {
            // "..., because none was on record": of what was spoken of last.
            let before = self.sentence.items[..at].iter().rev();
            asked = before.map(|item| item.topics & ASKED).find(|topics| *topics != 0).unwrap_or(0);
            let is_scale = self.sentence.topics(0..at) & w::SEVERITY != 0;
            if is_scale && self.sentence.acts(at..clause.end) & (w::UP | w::DOWN) != 0 {
                return;
            }
        }
        let named = self.sentence.signals(phrase.clone());
        if named.is_empty() && asked == 0 {
            return self.refuse(at, Reason::Unlicensed);
        }
        if !named.is_empty() {
            asked &= !(w::SIGNAL | w::RULE);
        }
        for signal in named {
            let has_result =
                matches!(signal, Named::Known(place) if self.case.signals[place].outcome != Outcome::NoResult);
            self.expect(at, !has_result, "/signals");
        }
        self.expect_absent(at, asked, acts, clause);
    }

    /// "did not state", "was not available", "was not measured", and verbs whose own check heeds the denial.
    fn not(&mut self, at: usize, denied: &mut [bool]) {
        let clause = self.sentence.clause_of(at);
        let is_main = |item: &&Item<'_>| !item.is_any(AUXILIARY) && item.mark.is_none();
        let Some(verb) = self.sentence.items[at + 1..clause.end].iter().find(is_main) else {
            return self.refuse(at, Reason::Unlicensed);
        };
        let heeded = w::FIRE
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
        if verb.is(heeded) || is_card {
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        if verb.is(w::ENTER) {
            let is_outside = about & w::ALERT != 0 && acts & w::PRIOR != 0 && about & w::SCORE != 0;
            return if is_outside {
                self.facts.push("/correlation/prior_alerts".into())
            } else {
                self.refuse(at, Reason::Unlicensed)
            };
        }
        if verb.is(w::FIT) {
            let place = self.case.signal("geographic inconsistency");
            let fired = place.filter(|place| self.case.signals[*place].outcome == Outcome::Fired);
            return match fired.filter(|_| about & (w::TRAVEL | w::LOCATION) != 0) {
                Some(place) => self.facts.push(format!("/signals/{place}/outcome").into()),
                None => self.refuse(at, Reason::Unlicensed),
            };
        }
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
        // "recorded in Poland, not in Kenya".
        if verb.lower == "in"
            && let Some(country) = self.sentence.items[at + 1..clause.end].iter().find_map(|item| item.country)
        {
            let holds = acts & w::PRIOR != 0 && !self.case.earlier_countries.iter().any(|known| known == country);
            return self.expect(at, holds, "/timeline");
        }
        if verb.is(w::STATE | w::MEASURE) {
            return self.missing(at, clause, denied);
        }
        // "had not been the subject of an earlier alert", "a person had not decided on the case".
        if about & w::ALERT != 0 && acts & w::PRIOR != 0 {
            return self.expect_absent(at, w::ALERT, acts, clause);
        }
        if about & w::PERSON != 0 && self.sentence.has_word(clause.clone(), words!["decided"]) {
            return self.expect_absent(at, w::PERSON, acts, clause);
        }
        self.refuse(at, Reason::Unlicensed);
    }

    /// A clause that says of things that they are not there.
    fn missing(&mut self, at: usize, clause: Range<usize>, denied: &mut [bool]) {
        denied[clause.clone()].fill(true);
        let items = &self.sentence.items;
        // "a country in which the customer had not been recorded before".
        let whole = 0..items.len();
        let has_country = items.iter().any(|item| item.country.is_some());
        let is_new =
            has_country && self.sentence.acts(clause.clone()) & w::BEFORE != 0 && self.case.new_country.is_some();
        if is_new && self.sentence.topics(whole) & (w::BASELINE | w::TRANSACTION) == 0 {
            let country = self.case.new_country.as_deref();
            let holds = items.iter().filter_map(|item| item.country).any(|named| Some(named) == country);
            return self.expect(at, holds, "/signals");
        }
        let mut asked = 0;
        let mut named = Vec::new();
        for place in clause.clone() {
            if asked == 0 || !self.is_owner(place) {
                asked |= items[place].topics & ASKED & !self.merchant_in_category(place);
            }
            named.extend(items[place].signal);
        }
        // Who states it is not what is missing.
        let subject = &items[clause.start..at];
        let states = |topics: u64| subject.iter().any(|item| item.about(topics)) && items[at].is(w::NOT);
        let acts = self.sentence.acts(clause.clone());
        if acts & (w::COMPLETE | w::ATTEMPT) != 0 {
            asked = asked & !(w::TRANSACTION | w::SIGNAL) | w::STATUS;
        }
        if acts & w::OPENED != 0 && self.sentence.topics(clause.clone()) & w::ACCOUNT != 0
            || self.sentence.has_word(clause.clone(), words!["old", "age", "existed"])
        {
            asked = asked & !w::FIRST_SEEN | w::OPENING;
        }
        if self.sentence.has_word(clause.clone(), words!["where"]) {
            asked |= w::LOCATION;
        }
        if self.sentence.has_word(clause.clone(), words!["how"]) && asked == 0 {
            asked |= if self.sentence.topics(clause.clone()) & w::SCORE != 0 { w::COMPOSITION } else { w::CHANNEL };
        }
        if asked & w::COMPOSITION != 0 {
            asked &= !(w::VALUE | w::POINTS | w::SIGNAL);
        }
        if asked & w::RULES_VERSION != 0 {
            asked &= !w::RULE;
        }
        if asked & (w::VALUE | w::POINTS | w::THRESHOLD) != 0 {
            asked &= !(w::SIGNAL | w::RULE);
        }
        if states(w::SENDER) && self.sentence.has_word(clause.clone(), words!["observed", "method"]) {
            asked = w::METHOD;
        }
        // "Amount deviation was not measured": the signal, and not its words.
        for signal in &named {
            let lacks = match signal {
                Named::Known(place) => {
                    let signal = &self.case.signals[*place];
                    signal.outcome == Outcome::NoResult
                        || asked & w::THRESHOLD != 0 && !signal.has_threshold
                        || asked & (w::VALUE | w::POINTS | w::COMPOSITION) != 0
                            && (!signal.has_value || signal.points.is_none())
                }
                Named::Missing => true,
            };
            self.expect(at, lacks, "/signals");
        }
        if !named.is_empty() {
            asked &= !(w::SIGNAL | w::VALUE | w::THRESHOLD | w::POINTS | w::RULE);
        } else if asked == 0 && self.sentence.topics(0..items.len()) & (w::BASELINE | w::HISTORY) != 0 {
            asked = w::BASELINE;
        }
        let is_recomputed = self.case.is_external && self.sentence.topics(clause.clone()) & w::SCORE != 0;
        if named.is_empty() && asked == 0 {
            if is_recomputed {
                return self.facts.push("/case/source".into());
            }
            return self.refuse(at, Reason::Unlicensed);
        }
        self.expect_absent(at, asked, acts, clause);
    }

    /// "a location for the transaction", "the category of the merchant": the location and the category are what is missing.
    fn is_owner(&self, at: usize) -> bool {
        let items = &self.sentence.items;
        let before = items[..at].iter().rev().find(|item| !item.is_any(ARTICLES));
        items[at].about(w::TRANSACTION | w::MERCHANT)
            && items[at].claim.is_none()
            && before.is_some_and(|before| before.is_any(words!["of", "for"]))
    }

    /// "the merchant category", "the merchant's category": the category alone.
    fn merchant_in_category(&self, at: usize) -> u64 {
        let is_category = self.sentence.items.get(at + 1).is_some_and(|next| next.about(w::CATEGORY));
        if is_category { w::MERCHANT } else { 0 }
    }

    /// "nothing unusual", "added nothing" and "nothing changed the score" are heeded by what they deny.
    fn nothing(&mut self, at: usize) {
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
                if let Named::Known(place) = signal {
                    self.expect(
                        at,
                        self.case.signals[place].outcome == Outcome::Clear,
                        format!("/signals/{place}/outcome"),
                    );
                }
            }
            return;
        }
        self.refuse(at, Reason::Unlicensed);
    }

    fn expect_absent(&mut self, at: usize, asked: u64, acts: u64, clause: Range<usize>) {
        for topic in each(asked) {
            let (holds, path) = self.is_absent(topic, acts, &clause);
            self.expect(at, holds, path);
        }
    }

    fn is_absent(&self, topic: u64, acts: u64, clause: &Range<usize>) -> (bool, &'static str) {
        let case = self.case;
        let is_prior = acts & w::PRIOR != 0;
        let lacks = |topic: u64| case.present & topic == 0;
        let about = self.sentence.topics(clause.clone());
        match topic {
            w::TRANSACTION if is_prior && about & w::SAME_CURRENCY != 0 => (lacks(w::BASELINE), "/baseline"),
            w::TRANSACTION if is_prior || self.sentence.acts(clause.clone()) & w::BEFORE != 0 => {
                let is_new = case.signals.iter().any(|signal| signal.is_new_country);
                let has_country = self.sentence.items[clause.clone()]
                    .iter()
                    .any(|item| item.claim.is_some_and(|(_, kind)| kind == super::ClaimKind::Country));
                (case.transactions == 0 || is_new && has_country, "/subject/transaction_count")
            }
            w::TRANSACTION | w::AMOUNT | w::CURRENCY => (lacks(w::TRANSACTION), "/transaction"),
            w::MERCHANT => (lacks(topic), "/transaction/merchant"),
            w::CATEGORY => (lacks(topic), "/transaction/category"),
            w::CHANNEL => (lacks(topic), "/transaction/channel"),
            w::LOCATION if is_prior => (!case.has_earlier_location, "/timeline"),
            w::LOCATION => (lacks(topic), "/transaction/location"),
            w::DEVICE => (lacks(topic), "/transaction/device_fingerprint"),
            w::NETWORK => (lacks(topic), "/transaction/ip_address"),
            w::MEMO => (lacks(topic), "/transaction/metadata"),
            w::SOURCE => (lacks(topic), "/transaction/source_of_funds"),
            w::DESTINATION => (lacks(topic), "/transaction/destination_of_funds"),
            w::BASELINE | w::MEDIAN => (lacks(w::BASELINE), "/baseline"),
            w::HISTORY => {
                let is_short = case.signals.iter().any(|signal| signal.outcome == Outcome::NoResult);
                (lacks(w::BASELINE) || is_short, "/baseline")
            }
            w::OPENING => (lacks(topic), "/subject/account_opened_at"),
            w::STATUS => (case.status == Status::NotStated, "/transaction/status"),
            w::SIGNAL => (lacks(topic), "/signals"),
            w::RULE => {
                let is_stated = self.sentence.acts(clause.clone()) & w::STATE != 0
                    && self.sentence.acts(clause.clone()) & (w::HELD | w::MEASURE) == 0;
                (
                    case.signals.iter().all(|signal| signal.rules_held == 0) && (!is_stated || case.signals.is_empty()),
                    "/signals",
                )
            }
            w::THRESHOLD => (self.some_signal_lacks(|signal| !signal.has_threshold), "/signals"),
            w::VALUE => {
                (self.some_signal_lacks(|signal| !signal.has_value || signal.outcome == Outcome::NoResult), "/signals")
            }
            w::POINTS
                if self.sentence.signals(0..self.sentence.items.len()).is_empty()
                    && self.sentence.acts(clause.clone()) & w::STATE != 0 =>
            {
                (!case.has_contributions || case.is_external, "/score/contributions")
            }
            w::POINTS => (self.some_signal_lacks(|signal| signal.points.unwrap_or(0) == 0), "/score/contributions"),
            w::COMPOSITION => (
                !case.has_contributions || self.some_signal_lacks(|signal| signal.points.is_none()),
                "/score/contributions",
            ),
            w::CAP => (lacks(topic), "/score/is_capped"),
            w::TRAVEL | w::RATE => {
                let name = if topic == w::TRAVEL { "geographic inconsistency" } else { "velocity anomaly" };
                (case.signal(name).is_none_or(|place| case.signals[place].outcome == Outcome::NoResult), "/signals")
            }
            w::ALERT if acts & w::SIMILAR != 0 => (case.similar_alerts == 0, "/correlation/similar_alerts"),
            // "No alert" is not "no prior alert".
            w::ALERT => {
                let is_prior = is_prior || self.sentence.acts(clause.clone()) & (w::PRIOR | w::BEFORE) != 0;
                (is_prior && case.prior_alerts == 0, "/correlation/prior_alerts")
            }
            w::TIMELINE => (case.timeline_omitted == 0, "/timeline_omitted"),
            w::RULES_VERSION => (lacks(topic), "/case/rules_hash"),
            w::METHOD => (case.is_external, "/case/source"),
            w::FIRST_SEEN => (!case.has_earlier_transaction || lacks(w::TRANSACTION), "/timeline"),
            // The sender's own evidence never comes with an alert.
            w::EVIDENCE if about & w::SENDER != 0 => (case.is_external, "/case/source"),
            w::EVIDENCE => (!case.has_evidence(), "/signals"),
            // A context never holds these: that they are not on record is always true.
            w::CONTACT | w::OUTCOME_OF_REVIEW | w::PERSON => (true, "/case/alert_id"),
            _ => (false, "/case"),
        }
    }

    /// Said of a signal that the sentence names, else of any.
    fn some_signal_lacks(&self, lacks: impl Fn(&super::case::SignalFact) -> bool) -> bool {
        let mut named = self.sentence.signals(0..self.sentence.items.len());
        if named.is_empty() {
            let is_it = self.sentence.items.iter().any(|item| item.lower == "it");
            let is_named = self.sentence.topics(0..self.sentence.items.len()) & w::SIGNAL != 0;
            named.extend(self.carried.filter(|_| is_it && !is_named));
        }
        if named.is_empty() {
            return self.case.signals.iter().all(&lacks)
                || self.case.signals.iter().any(|signal| lacks(signal) && signal.outcome != Outcome::Fired);
        }
        named.iter().any(|named| match named {
            Named::Known(place) => lacks(&self.case.signals[*place]),
            Named::Missing => true,
        })
    }

    /// What is said to be there in words: prior alerts, an opening date, whatever a record is said to state.
    fn said_to_be(&mut self, denied: &[bool]) {
        let items = &self.sentence.items;
        for (at, item) in items.iter().enumerate() {
            if denied[at] || item.claim.is_some() || item.signal.is_some() {
                continue;
            }
            let described = at.checked_sub(1).map_or(0, |before| items[before].acts);
            let clause = self.sentence.clause_of(at);
            let is_denied = self.sentence.acts(clause.clone()) & (w::NO | w::NOT | w::ABSENT) != 0;
            if item.about(w::ALERT) && described & w::PRIOR != 0 && !is_denied {
                self.expect(at, self.case.prior_alerts > 0, "/correlation/prior_alerts");
            } else if item.about(w::ALERT) && described & w::SIMILAR != 0 && !is_denied {
                self.expect(at, self.case.similar_alerts > 0, "/correlation/similar_alerts");
            } else if item.about(w::TRANSACTION)
                && described & w::PRIOR != 0
                && self.sentence.topics(clause.clone()) & w::SAME_CURRENCY != 0
                && self.sentence.acts(clause.clone()) & w::NEED == 0
                && !is_denied
            {
                self.expect(at, self.case.present & w::BASELINE != 0, "/baseline");
            } else if item.about(w::TRANSACTION) && described & w::PRIOR != 0 && !is_denied {
                self.expect(
                    at,
                    self.case.has_history() || self.sentence.acts(clause.clone()) & w::NEED != 0,
                    "/subject/transaction_count",
                );
            } else if item.is(w::OPENED) && self.sentence.topics(clause.clone()) & w::ACCOUNT != 0 && !is_denied {
                self.expect(at, self.case.present & w::OPENING != 0, "/subject/account_opened_at");
            } else if item.about(w::CONTACT) && self.sentence.topics(clause.clone()) & w::SENDER != 0 {
                // What the sender stated of the transaction is on record.
            } else if item.about(w::METHOD | w::CONTACT | w::EVIDENCE) && !is_denied {
                self.refuse(at, Reason::Unlicensed);
            } else if item.about(w::LOCATION) && !is_denied && self.is_of_this_transaction(&clause) {
                self.expect(at, self.case.present & w::LOCATION != 0, "/transaction/location");
            } else if item.is_any(words!["result", "results"]) && !is_denied {
                let lacks = |named: &Named| !matches!(named, Named::Known(place) if self.case.signals[*place].outcome != Outcome::NoResult);
                let named = self.sentence.signals(0..items.len());
                let is_all = self.sentence.acts(clause.clone()) & w::ALL != 0 && named.is_empty();
                let all_have = OWN_SIGNALS <= self.case.signals.len()
                    && self.case.signals.iter().all(|signal| signal.outcome != Outcome::NoResult);
                let none = named.is_empty() && self.case.signals.is_empty();
                self.expect(at, !none && (!is_all || all_have) && !named.iter().any(lacks), "/signals");
            } else if item.is(w::STATE) && item.is(w::VERB) && !is_denied {
                self.stated(at, &clause);
            }
        }
    }

    fn is_of_this_transaction(&self, clause: &Range<usize>) -> bool {
        let acts = self.sentence.acts(clause.clone());
        let is_one = self.sentence.items[clause.clone()]
            .iter()
            .any(|item| item.is_any(words!["transaction", "payment", "purchase"]));
        let has_signal = !self.sentence.signals(clause.clone()).is_empty()
            || self.sentence.topics(clause.clone()) & (w::TRAVEL | w::BASELINE) != 0;
        is_one && !has_signal && acts & (w::PRIOR | w::NEW | w::BEFORE | w::HEAVIEST | w::LARGEST) == 0
    }

    /// "The record stated when …": then it is there.
    fn stated(&mut self, at: usize, clause: &Range<usize>) {
        let after = at + 1..clause.end;
        if !self
            .sentence
            .has_word(at + 1..clause.end.min(at + 2), words!["when", "whether", "where", "which", "how", "what", "why"])
        {
            return;
        }
        let acts = self.sentence.acts(after.clone());
        let mut asked = self.sentence.topics(after.clone()) & ASKED;
        if acts & (w::COMPLETE | w::ATTEMPT) != 0 {
            asked |= w::STATUS;
        }
        if self.sentence.has_word(after.clone(), words!["where"]) {
            asked |= w::LOCATION;
        }
        for topic in each(asked) {
            let (is_absent, path) = self.is_absent(topic, acts, clause);
            self.expect(at, !is_absent, path);
        }
    }

    /// What a sentence names without denying it is on record.
    fn present(&mut self, denied: &[bool]) {
        self.said_to_be(denied);
        for (at, item) in self.sentence.items.iter().enumerate() {
            let wanted = item.topics & w::OPTIONAL & !w::SIGNAL;
            if wanted == 0 || denied[at] || item.signal.is_some() || item.claim.is_some() {
                continue;
            }
            // "the transaction" is the one that the alert is about.
            let is_the = at > 0
                && self.sentence.items[at - 1].is_any(words!["the", "this"])
                && item.is_any(words!["transaction", "payment", "purchase"]);
            let speaks_of_earlier = self.sentence.acts(self.sentence.clause_of(at))
                & (w::PRIOR | w::BEFORE | w::FIRST | w::LAST | w::NO | w::NOT)
                != 0;
            let known = if is_the && !speaks_of_earlier { self.case.present } else { self.case.somewhere };
            let lacking = wanted & !known;
            if lacking != 0 {
                self.problems.push(super::Problem { from: at, to: at + 1, reason: Reason::Unlicensed });
            } else {
                let path = path_of(wanted);
                if !path.is_empty() {
                    self.facts.push(path.into());
                }
            }
        }
        let topics = self.sentence.topics(0..self.sentence.items.len());
        for (topic, path) in NAMED {
            if topics & topic != 0 {
                self.facts.push((*path).into());
            }
        }
    }

    /// Where the noun phrase after "no" ends: at a verb, or where the clause does.
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

/// Facts that are always there, and what points at them.
const NAMED: &[(u64, &str)] = &[
    (w::SCORE, "/score/total"),
    (w::SEVERITY, "/case/severity"),
    (w::BAND, "/score/band_from"),
    (w::ALERT, "/case/alert_id"),
    (w::INVESTIGATION, "/case/investigation_id"),
    (w::IMPACT, "/case/regulatory_impact"),
    (w::CUSTOMER | w::ACCOUNT, "/subject/user_id"),
    (w::SENDER | w::DETECTOR, "/case/source"),
];

/// The bits of a set, lowest first.
fn each(mut topics: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = topics & topics.wrapping_neg();
        topics ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

fn path_of(topics: u64) -> &'static str {
    const PATHS: &[(u64, &str)] = &[
        (w::MERCHANT, "/transaction/merchant"),
        (w::CATEGORY, "/transaction/category"),
        (w::CHANNEL, "/transaction/channel"),
        (w::LOCATION, "/transaction/location"),
        (w::DEVICE, "/transaction/device_fingerprint"),
        (w::NETWORK, "/transaction/ip_address"),
        (w::SOURCE, "/transaction/source_of_funds"),
        (w::DESTINATION, "/transaction/destination_of_funds"),
        (w::BASELINE | w::MEDIAN, "/baseline"),
        (w::TRANSACTION, "/transaction"),
        (w::CAP, "/score/is_capped"),
    ];
    PATHS.iter().find(|(topic, _)| topics & topic != 0).map_or("", |(_, path)| path)
}
