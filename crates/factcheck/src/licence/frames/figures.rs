//! Stage 7, licence, rules on frames: a score, a severity, a count or a limit must be attributed to the right thing.

use std::ops::Range;

use crate::licence::vocabulary::words;
use crate::licence::{ClaimKind, Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    /// Score and severity belong to this alert. Refuses those that are attributed to a person, a place or a merchant, to an
    /// earlier transaction or alert, or to another day.
    pub(super) fn check_rating(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        let is_rating = kind == ClaimKind::Severity || ["/score/total", "/case/risk_score"].contains(&path);
        if !is_rating {
            return;
        }
        let acts = self.sentence.acts(clause.clone());
        let about = self.sentence.topics(clause.clone());
        let subject = self.subject(clause).map_or(0, |subject| subject.topics);
        let never = w::CUSTOMER | w::MERCHANT | w::ACCOUNT | w::CATEGORY | w::DEVICE | w::LOCATION;
        let raises = acts & (w::RAISED | w::STATE) != 0;
        let of_alerts = acts & w::PRIOR != 0 && about & w::ALERT != 0 && kind == ClaimKind::Severity;
        let is_persons = subject & never != 0 && subject & (w::ALERT | w::SCORE) == 0 && !raises && !of_alerts;
        let is_place = items[clause.clone()]
            .iter()
            .any(|item| item.country.is_some() || item.about(w::MERCHANT) && item.claim.is_some());
        let is_of_earlier_transaction =
            acts & w::PRIOR != 0 && about & w::TRANSACTION != 0 && about & w::ALERT == 0 && kind != ClaimKind::Severity;
        let is_of_prior_alerts = acts & w::PRIOR != 0
            && about & w::ALERT != 0
            && ["/score/total", "/case/risk_score"].contains(&path)
            && self.sentence.has_word(clause.clone(), words!["alerts"]);
        let is_other_day = kind != ClaimKind::Severity
            && items[clause.clone()].iter().filter_map(|item| item.claim).any(|(path, kind)| {
                kind == ClaimKind::Date && !self.case.is_day_of_alert(path) && !path.starts_with("/timeline")
            });
        if is_persons
            || is_place && about & w::TRANSACTION == 0
            || is_of_earlier_transaction
            || is_of_prior_alerts
            || is_other_day
        {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Refuses a sum that is attributed to each item, a daily rate with another span of time, a ratio that names the median
    /// twice, the customer's counts attributed to somebody else, the account's age at another time, a count with another
    /// window, and a limit presented as a count.
    pub(super) fn check_count_and_window(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        let acts = self.sentence.acts(clause.clone());
        let about = self.sentence.topics(clause.clone());
        if kind == ClaimKind::Money {
            let is_each = self.sentence.has_word(clause.clone(), words!["each", "every"])
                || acts & w::ALL != 0 && acts & (w::UP | w::DOWN) != 0;
            if is_each {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        }
        let spans = items[at + 1..clause.end]
            .iter()
            .any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Duration));
        if path.ends_with("per_day") && spans {
            return self.contradict(at, path);
        }
        if path.ends_with("ratio_to_median") {
            if self.sentence.topics(clause.start..at) & w::MEDIAN != 0 {
                self.contradict(at, path);
            }
            return;
        }
        let subject = self.subject(clause).map_or(0, |subject| subject.topics);
        let of_customer =
            path.starts_with("/correlation/prior") || path.starts_with("/baseline") || path.starts_with("/subject");
        if of_customer
            && acts & w::NEED == 0
            && subject & (w::MERCHANT | w::DETECTOR | w::SENDER | w::RULE | w::SIGNAL) != 0
            && kind == ClaimKind::Count
            && subject & w::CUSTOMER == 0
        {
            return self.refuse(at, Reason::Unlicensed);
        }
        if path == "/subject/transaction_count" && subject & w::BASELINE != 0 {
            return self.contradict(at, path);
        }
        let is_age = path == "/subject/account_age_days";
        if is_age
            && (self.sentence.has_word(0..items.len(), words!["when"])
                || self.sentence.acts(at..clause.end) & w::FIRST != 0)
        {
            return self.refuse(at, Reason::Unlicensed);
        }
        let of_transactions = items[at].about(w::TRANSACTION)
            || items[at + 1..]
                .iter()
                .take(3)
                .take_while(|item| item.mark.is_none())
                .any(|item| item.about(w::TRANSACTION));
        if kind != ClaimKind::Count || !of_transactions {
            return;
        }
        let hours = self.sentence.has_word(at..clause.end, words!["hour", "hours"])
            || items[clause.clone()].iter().any(|item| {
                item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Duration)
                    && self.reader.has_word(item, words!["hour", "hours", "h"])
            });
        let is_history =
            path.starts_with("/baseline") || path.starts_with("/subject") || path.ends_with("baseline/transactions");
        let is_limit = path.ends_with("_limit") || path.ends_with("/threshold") || path.ends_with("_needed");
        let is_called = about & (w::THRESHOLD | w::BOUNDS) != 0
            && items[..at].iter().rev().take(4).any(|item| item.about(w::THRESHOLD))
            || acts & w::NEED != 0;
        let is_also_count = self.reader.number(&items[at]).is_some_and(|number| self.case.counts.contains(&number));
        if is_history && hours || is_limit && !is_called && !is_also_count {
            self.contradict(at, path);
        }
    }

    /// Similar alerts are counted over all customers, so they can't belong to this customer, to one day or to one place.
    pub(super) fn check_similar_alerts(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, _)) = items[at].claim else { return };
        if path != "/correlation/similar_alerts" {
            return;
        }
        let of_anybody = |place: usize| place > 0 && items[place - 1].is_any(words!["any", "all"]);
        let is_persons = clause
            .clone()
            .any(|place| items[place].about(w::CUSTOMER | w::ACCOUNT | w::MERCHANT) && !of_anybody(place));
        let elsewhere = items[clause.clone()].iter().any(|item| {
            item.country.is_some()
                || item.claim.is_some_and(|(path, kind)| {
                    matches!(kind, ClaimKind::Date | ClaimKind::Duration | ClaimKind::Name)
                        || ["/score/total", "/case/risk_score"].contains(&path)
                })
        });
        let is_none = items[at].is(w::NO);
        if is_persons && !is_none || elsewhere {
            self.refuse(at, Reason::Unlicensed);
        }
    }
}
