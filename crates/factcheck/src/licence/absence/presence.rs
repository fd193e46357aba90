//! Stage 7, licence, rules on presence: what a sentence mentions without denying it must be on record.

use std::ops::Range;

use super::MAY_BE_MISSING;
use super::on_record::single_bits;
use crate::licence::case::SignalState;
use crate::licence::sentence::NamedSignal;
use crate::licence::vocabulary::words;
use crate::licence::{Objection, Reason, SentenceCheck, w};

/// The number of signals that the detector has.
const DETECTOR_SIGNAL_COUNT: usize = 4;

impl SentenceCheck<'_> {
    /// Checks that everything that a sentence mentions without denying it is on record.
    pub(super) fn check_mentions(&mut self, denied: &[bool]) {
        self.check_presence(denied);
        for (at, item) in self.sentence.items.iter().enumerate() {
            let wanted = item.topics & w::OPTIONAL & !w::SIGNAL;
            if wanted == 0 || denied[at] || item.signal.is_some() || item.claim.is_some() {
                continue;
            }
            // "the transaction" is this transaction, the subject of the alert.
            let is_the = at > 0
                && self.sentence.items[at - 1].is_any(words!["the", "this"])
                && item.is_any(words!["transaction", "payment", "purchase"]);
            let speaks_of_earlier = self.sentence.acts(self.sentence.clause_of(at))
                & (w::PRIOR | w::BEFORE | w::FIRST | w::LAST | w::NO | w::NOT)
                != 0;
            let known = if is_the && !speaks_of_earlier { self.case.present } else { self.case.somewhere };
            let lacking = wanted & !known;
            if lacking != 0 {
                self.objections.push(Objection { from: at, to: at + 1, reason: Reason::Unlicensed });
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

    /// Checks claims of presence: prior alerts, an opening date, anything that a record is said to state.
    fn check_presence(&mut self, denied: &[bool]) {
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
                // A contact by the sender needs no check: what the sender stated about the transaction is on record.
            } else if item.about(w::METHOD | w::CONTACT | w::EVIDENCE) && !is_denied {
                self.refuse(at, Reason::Unlicensed);
            } else if item.about(w::LOCATION) && !is_denied && self.is_of_this_transaction(&clause) {
                self.expect(at, self.case.present & w::LOCATION != 0, "/transaction/location");
            } else if item.is_any(words!["result", "results"]) && !is_denied {
                let lacks = |named: &NamedSignal| !matches!(named, NamedSignal::Known(place) if self.case.signals[*place].outcome != SignalState::NoResult);
                let named = self.sentence.signals(0..items.len());
                let is_all = self.sentence.acts(clause.clone()) & w::ALL != 0 && named.is_empty();
                let all_have = DETECTOR_SIGNAL_COUNT <= self.case.signals.len()
                    && self.case.signals.iter().all(|signal| signal.outcome != SignalState::NoResult);
                let none = named.is_empty() && self.case.signals.is_empty();
                self.expect(at, !none && (!is_all || all_have) && !named.iter().any(lacks), "/signals");
            } else if item.is(w::STATE) && item.is(w::VERB) && !is_denied {
                self.check_stated(at, &clause);
            }
        }
    }

    /// Checks that what "The record stated when …" refers to is on record.
    fn check_stated(&mut self, at: usize, clause: &Range<usize>) {
        let after = at + 1..clause.end;
        if !self
            .sentence
            .has_word(at + 1..clause.end.min(at + 2), words!["when", "whether", "where", "which", "how", "what", "why"])
        {
            return;
        }
        let acts = self.sentence.acts(after.clone());
        let mut stated = self.sentence.topics(after.clone()) & MAY_BE_MISSING;
        if acts & (w::COMPLETE | w::ATTEMPT) != 0 {
            stated |= w::STATUS;
        }
        if self.sentence.has_word(after.clone(), words!["where"]) {
            stated |= w::LOCATION;
        }
        for topic in single_bits(stated) {
            let (is_absent, path) = self.is_absent(topic, acts, clause);
            self.expect(at, !is_absent, path);
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
}

/// Facts that every case has, with the topics that refer to them.
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
