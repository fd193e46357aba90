//! Stage 7, licence, rules on events: whether the transaction was completed, how it was paid, and what happened before what.

use std::ops::Range;

use super::case::PaymentStatus;
use super::vocabulary::words;
use super::{ClaimKind, Reason, SentenceCheck, w};

impl SentenceCheck<'_> {
    pub(crate) fn check_events(&mut self) {
        for at in 0..self.sentence.items.len() {
            let item = &self.sentence.items[at];
            if item.claim.is_some() {
                continue;
            }
            if item.is(w::COMPLETE | w::ATTEMPT) {
                self.check_status(at, item.is(w::COMPLETE));
            }
            if item.is(w::CARD | w::CASH | w::WIRE | w::ONLINE) {
                self.check_channel(at);
            }
            if item.is(w::BEFORE | w::AFTER) {
                self.check_order(at, item.is(w::BEFORE));
            }
            if item.is(w::FIRST | w::LAST) {
                self.check_first_or_last(at, item.is(w::FIRST));
            }
            if item.is(w::FELL) {
                self.check_fell(at);
            }
            if item.is(w::UNCHANGED) {
                self.check_unchanged(at);
            }
            if item.is(w::COULD) && self.sentence.acts(self.sentence.clause_of(at)) & (w::NO | w::NOT) == 0 {
                self.refuse(at, Reason::Unlicensed);
            }
            if item.is(w::THEN) {
                self.check_then(at);
            }
            if item.lower == "lies" {
                let next = self.sentence.items.get(at + 1).map_or("", |next| next.lower);
                if !["between", "within", "in", "inside", "outside", "above", "below"].contains(&next) {
                    self.refuse(at, Reason::Unlicensed);
                }
            }
            if item.is(w::FOREIGN) {
                self.check_foreign(at);
            }
        }
    }

    /// Checks "was completed" and "was attempted" against the transaction's status.
    fn check_status(&mut self, at: usize, complete: bool) {
        let clause = self.sentence.clause_of(at);
        let whole = 0..self.sentence.items.len();
        let says_unknown = self.sentence.has_word(whole.clone(), words!["whether"])
            || self.sentence.acts(clause.clone()) & w::ABSENT != 0
            || self.says_not_stated(clause.start..at);
        if says_unknown {
            // The absence check covers this clause. "Whether it was not completed" reverses the question and is
            // refused.
            let asked = self.sentence.items[clause.clone()].iter().position(|item| item.lower == "whether");
            if asked.is_some_and(|asked| self.sentence.acts(clause.start + asked..at) & w::NOT != 0) {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let is_other =
            about & (w::INVESTIGATION | w::ALERT | w::REPORT | w::RULE | w::SCORE | w::OUTCOME_OF_REVIEW) != 0;
        let is_many = self.sentence.acts(clause.clone()) & w::ALL != 0
            || self.sentence.items[clause.clone()]
                .iter()
                .any(|item| item.is_any(words!["transactions", "payments", "purchases", "transfers"]));
        if is_other && about & w::TRANSACTION == 0 || is_many {
            return self.refuse(at, Reason::Unlicensed);
        }
        let negated = self.sentence.is_negated(at);
        let wanted = if complete != negated { PaymentStatus::Completed } else { PaymentStatus::Attempted };
        self.expect(at, self.case.status == wanted, "/transaction/status");
    }

    /// Whether a range says "did not state". Then the clause denies that something was stated, not that it happened.
    fn says_not_stated(&self, range: Range<usize>) -> bool {
        let items = &self.sentence.items[range];
        let not = items.iter().position(|item| item.is(w::NOT | w::NO));
        not.is_some_and(|not| items[not..].iter().any(|item| item.is(w::STATE)))
    }

    /// Checks "by card", "at a cash machine", "by transfer" and "online" against the transaction's channel.
    fn check_channel(&mut self, at: usize) {
        let item = &self.sentence.items[at];
        let clause = self.sentence.clause_of(at);
        let channel = self.case.channel.as_deref().unwrap_or("");
        let denies = self.sentence.acts(clause.start..clause.end) & (w::NO | w::NOT) != 0;
        let holds = if item.is(w::CARD) {
            let is_idiom = item.is(w::HELD | w::ONLINE);
            let says_present =
                item.is(w::HELD) || !is_idiom && self.sentence.has_word(clause.clone(), words!["present"]) && !denies;
            let says_not =
                item.is(w::ONLINE) || !is_idiom && self.sentence.has_word(clause.clone(), words!["present"]) && denies;
            match (says_present, says_not) {
                (true, _) => channel == "card_present",
                (_, true) => channel == "card_not_present",
                _ => channel.starts_with("card"),
            }
        } else if item.is(w::CASH) {
            channel == "atm"
        } else if item.is(w::WIRE) {
            channel == "transfer"
        } else {
            channel == "card_not_present"
        };
        self.expect(at, holds, "/transaction/channel");
    }

    /// Checks the order of events: "the alert followed the transaction", "before this case", "42 minutes after".
    fn check_order(&mut self, at: usize, before: bool) {
        let clause = self.sentence.clause_of(at);
        let items = &self.sentence.items;
        // In "followed on 1 March", the date is checked elsewhere.
        let next = items.get(at + 1);
        let dated = |path: &str, kind: ClaimKind| {
            matches!(kind, ClaimKind::Date | ClaimKind::Time | ClaimKind::Duration)
                || !before && path.starts_with("/signals/")
        };
        // Refuse "before 8 May": a date in the context is when something happened, not a bound.
        let is_bound = items[at].is_any(words!["before", "after", "until"])
            && next.is_some_and(|next| next.claim.is_some_and(|(_, kind)| kind == ClaimKind::Date));
        if is_bound {
            return self.refuse(at, Reason::Unlicensed);
        }
        // "the transaction before this one" names an earlier transaction.
        if before && next.is_some_and(|next| next.lower == "this") && at > 0 && items[at - 1].about(w::TRANSACTION) {
            return;
        }
        // In "On 1 March, a payment of USD 20 followed", the date is checked elsewhere.
        let is_last = next.is_none_or(|next| next.mark.is_some());
        let has_date = items.iter().any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Date));
        if !before && is_last && has_date && items[at].is(w::VERB) {
            return;
        }
        // In "Rule flags followed with 22 points", the points are checked elsewhere.
        if next.is_some_and(|next| next.lower == "with") && items[at + 1..].iter().any(|item| item.about(w::POINTS)) {
            return;
        }
        let next_claim = items[at + 1..]
            .iter()
            .find(|item| !item.is_any(words!["on", "at", "the", "a"]))
            .and_then(|item| item.claim);
        if next_claim.is_some_and(|(path, kind)| dated(path, kind)) {
            return;
        }
        let is_earlier =
            |place: usize| place > 0 && items[place.saturating_sub(2)..place].iter().any(|item| item.is(w::PRIOR));
        let event = |range: Range<usize>, last: bool| {
            let is_event = |place: &usize| {
                let item = &items[*place];
                item.about(w::TRANSACTION | w::ALERT | w::INVESTIGATION | w::ACCOUNT)
                    && !item.is(w::PRIOR)
                    && !is_earlier(*place)
            };
            let mut found = range.filter(is_event).map(|place| &items[place]);
            if last { found.next_back() } else { found.next() }
        };
        let right = event(at + 1..clause.end, false);
        let left = event(clause.start..at, true);
        let is_case = next.is_none_or(|next| next.mark.is_some() || next.lower == "it")
            || items[at + 1..clause.end].iter().any(|item| {
                item.about(w::INVESTIGATION | w::TIMELINE) || item.is_any(words!["case", "it", "them", "then", "one"])
            });
        let whole = self.sentence.acts(0..items.len());
        let speaks_of_earlier = whole & (w::PRIOR | w::NEW | w::SIMILAR) != 0
            || items.iter().any(|item| {
                item.claim.is_some_and(|(path, _)| {
                    path.contains("correlation")
                        || path.contains("baseline")
                        || path.contains("subject")
                        || path.contains("details")
                })
            })
            || self.sentence.topics(0..items.len()) & w::HISTORY != 0
            || whole & w::NO != 0;
        if let (Some(left), Some(right)) = (left, right) {
            let time = |topics: u64| {
                let times = &self.case.times;
                if topics & w::INVESTIGATION != 0 {
                    times.investigation.as_ref().or(times.alert.as_ref())
                } else if topics & w::ALERT != 0 {
                    times.alert.as_ref()
                } else if topics & w::TRANSACTION != 0 {
                    times.transaction.as_ref()
                } else {
                    times.account.as_ref()
                }
            };
            if left.topics & right.topics & (w::TRANSACTION | w::ALERT | w::INVESTIGATION | w::ACCOUNT) == 0 {
                let (first, second) = (time(left.topics), time(right.topics));
                let is_passive = items[at].is(w::VERB) && at > 0 && items[at - 1].is_any(words!["was", "were"]);
                return match (first, second) {
                    (Some(first), Some(second)) => {
                        // Events with the same timestamp are ordered by cause and effect: account, transaction, alert,
                        // investigation.
                        let rank = |topics: u64| {
                            [w::ACCOUNT, w::TRANSACTION, w::ALERT, w::INVESTIGATION]
                                .iter()
                                .rposition(|kind| topics & kind != 0)
                        };
                        let order = first.cmp(second).then(rank(left.topics).cmp(&rank(right.topics)));
                        let holds = if before != is_passive { order.is_lt() } else { order.is_gt() };
                        self.expect(at, holds, "/timeline");
                    }
                    _ => self.refuse(at, Reason::Unlicensed),
                };
            }
        }
        if before && (is_case || right.is_some()) && speaks_of_earlier
            || !before && is_case && left.is_some_and(|left| left.about(w::ALERT | w::INVESTIGATION))
        {
            return;
        }
        self.refuse(at, Reason::Unlicensed);
    }

    /// Checks "the transaction, then the alert" against the order of the timeline.
    fn check_then(&mut self, at: usize) {
        let items = &self.sentence.items;
        let rank = |item: &super::sentence::Item<'_>| {
            [w::ACCOUNT, w::TRANSACTION, w::ALERT, w::INVESTIGATION]
                .iter()
                .rposition(|kind| item.about(*kind) && item.claim.is_none())
        };
        let left = items[..at].iter().rev().find_map(rank);
        let right = items[at + 1..].iter().find_map(rank);
        if let (Some(left), Some(right)) = (left, right)
            && left > right
        {
            self.contradict(at, "/timeline");
        }
    }

    /// Checks "first" and "last": with a date against the record. Without a date, "first" claims that there were no earlier
    /// ones.
    fn check_first_or_last(&mut self, at: usize, first: bool) {
        let clause = self.sentence.clause_of(at);
        let items = &self.sentence.items;
        let has_claim = items.iter().any(|item| {
            item.claim.is_some_and(|(_, kind)| {
                matches!(
                    kind,
                    ClaimKind::Date | ClaimKind::Time | ClaimKind::Duration | ClaimKind::Money | ClaimKind::Country
                )
            })
        });
        let says_unknown = self.sentence.acts(clause.clone()) & (w::NOT | w::ABSENT | w::NO) != 0;
        // The first and the last of the earlier transactions have dates on record.
        let next = items[at + 1..].iter().find(|item| item.topics != 0).map_or(0, |item| item.topics);
        let of_baseline = self.sentence.topics(clause.clone()) & w::BASELINE != 0;
        let dated = items[at..]
            .iter()
            .chain(&items[..at])
            .find_map(|item| item.claim.filter(|(_, kind)| *kind == ClaimKind::Date));
        if let (Some((path, _)), true, false) = (dated, of_baseline, says_unknown) {
            let holds = self.case.is_edge_of_baseline(path, first);
            return self.expect(at, holds, path);
        }
        if let (Some((path, _)), true) = (dated, next & w::TRANSACTION != 0 && !says_unknown) {
            let holds = self.case.is_edge_of_history(path, first);
            return self.expect(at, holds, path);
        }
        if has_claim || says_unknown {
            return;
        }
        match next {
            topics if first && topics & w::ALERT != 0 => {
                self.expect(at, self.case.prior_alerts == 0, "/correlation/prior_alerts")
            }
            topics if first && topics & w::TRANSACTION != 0 => {
                self.expect(at, self.case.transactions == 0, "/subject/transaction_count")
            }
            _ => self.refuse(at, Reason::Unlicensed),
        }
    }

    /// Accepts "fell into the band" and "fell below the threshold" (checked in `compare/`). Refuses "fell" alone.
    fn check_fell(&mut self, at: usize) {
        let next = self.sentence.items.get(at + 1);
        let is_placed = next.is_some_and(|next| next.is(w::INSIDE | w::OUTSIDE | w::DOWN | w::UP));
        let is_into = next.is_some_and(|next| next.is_any(words!["into", "in"]))
            && self.sentence.topics(at..self.sentence.clause_of(at).end) & (w::BAND | w::SEVERITY) != 0;
        if is_into {
            let negated = self.sentence.is_negated(at);
            return self.expect(at, self.case.agrees_with_severity != negated, "/score/agrees_with_severity");
        }
        if !is_placed {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Accepts "unchanged" and "nothing changed" in a sentence about the score or the severity.
    fn check_unchanged(&mut self, at: usize) {
        let clause = self.sentence.clause_of(at);
        let about = self.sentence.topics(0..self.sentence.items.len());
        let denies = self.sentence.items[at].lower == "unchanged"
            || self.sentence.acts(clause.start..at) & (w::NOTHING | w::NO | w::NOT) != 0;
        if !denies || about & (w::SCORE | w::SEVERITY) == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// A country is foreign if it is not among the baseline's countries.
    fn check_foreign(&mut self, at: usize) {
        let whole = 0..self.sentence.items.len();
        if self.sentence.acts(whole) & (w::NO | w::NOT) != 0 {
            return;
        }
        let Some(country) = &self.case.country else { return self.refuse(at, Reason::Unlicensed) };
        let is_foreign = !self.case.baseline_countries.is_empty() && !self.case.baseline_countries.contains(country);
        let says_foreign = self.sentence.items[at].lower != "domestic";
        self.expect(at, is_foreign == says_foreign, "/baseline/countries");
    }
}
