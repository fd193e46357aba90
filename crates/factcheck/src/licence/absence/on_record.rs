//! Stage 7, licence, rules on absence: whether the context lacks something that a sentence says is missing.

use std::ops::Range;

use crate::licence::case::{PaymentStatus, SignalFact, SignalState};
use crate::licence::sentence::NamedSignal;
use crate::licence::{ClaimKind, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Expects that the context lacks each of these topics.
    pub(super) fn expect_absent(&mut self, at: usize, missing: u64, acts: u64, clause: Range<usize>) {
        for topic in single_bits(missing) {
            let (holds, path) = self.is_absent(topic, acts, &clause);
            self.expect(at, holds, path);
        }
    }

    /// Whether the context lacks what a topic means in this clause, and the path that it would be at.
    pub(super) fn is_absent(&self, topic: u64, acts: u64, clause: &Range<usize>) -> (bool, &'static str) {
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
                    .any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Country));
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
                let is_short = case.signals.iter().any(|signal| signal.outcome == SignalState::NoResult);
                (lacks(w::BASELINE) || is_short, "/baseline")
            }
            w::OPENING => (lacks(topic), "/subject/account_opened_at"),
            w::STATUS => (case.status == PaymentStatus::NotStated, "/transaction/status"),
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
            w::VALUE => (
                self.some_signal_lacks(|signal| !signal.has_value || signal.outcome == SignalState::NoResult),
                "/signals",
            ),
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
                (case.signal(name).is_none_or(|place| case.signals[place].outcome == SignalState::NoResult), "/signals")
            }
            w::ALERT if acts & w::SIMILAR != 0 => (case.similar_alerts == 0, "/correlation/similar_alerts"),
            // "No alert" without "prior" is false, because every case has an alert.
            w::ALERT => {
                let is_prior = is_prior || self.sentence.acts(clause.clone()) & (w::PRIOR | w::BEFORE) != 0;
                (is_prior && case.prior_alerts == 0, "/correlation/prior_alerts")
            }
            w::TIMELINE => (case.timeline_omitted == 0, "/timeline_omitted"),
            w::RULES_VERSION => (lacks(topic), "/case/rules_hash"),
            w::METHOD => (case.is_external, "/case/source"),
            w::FIRST_SEEN => (!case.has_earlier_transaction || lacks(w::TRANSACTION), "/timeline"),
            // An external alert never includes the sender's own evidence.
            w::EVIDENCE if about & w::SENDER != 0 => (case.is_external, "/case/source"),
            w::EVIDENCE => (!case.has_evidence(), "/signals"),
            // No context has these, so it is always true that they are missing.
            w::CONTACT | w::OUTCOME_OF_REVIEW | w::PERSON => (true, "/case/alert_id"),
            _ => (false, "/case"),
        }
    }

    /// Whether a signal that the sentence names lacks something. If it names no signal: whether all signals lack it, or
    /// one that did not fire.
    fn some_signal_lacks(&self, lacks: impl Fn(&SignalFact) -> bool) -> bool {
        let mut named = self.sentence.signals(0..self.sentence.items.len());
        if named.is_empty() {
            let is_it = self.sentence.items.iter().any(|item| item.lower == "it");
            let is_named = self.sentence.topics(0..self.sentence.items.len()) & w::SIGNAL != 0;
            named.extend(self.earlier_signal.filter(|_| is_it && !is_named));
        }
        if named.is_empty() {
            return self.case.signals.iter().all(&lacks)
                || self.case.signals.iter().any(|signal| lacks(signal) && signal.outcome != SignalState::Fired);
        }
        named.iter().any(|named| match named {
            NamedSignal::Known(place) => lacks(&self.case.signals[*place]),
            NamedSignal::Missing => true,
        })
    }
}

/// The single bits of a bit set, lowest first.
pub(super) fn single_bits(mut topics: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = topics & topics.wrapping_neg();
        topics ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
