//! Stage 7, licence, rules on figures: a measurement belongs to its signal, a limit must be called a limit, a multiple must
//! be a multiple of the median, and only certain things can be counted.

use crate::licence::sentence::{Item, NamedSignal};
use crate::licence::vocabulary::{WordList, words};
use crate::licence::{ClaimKind, Reason, SentenceCheck, signal_of, w};

impl SentenceCheck<'_> {
    /// Refuses reversed ranges: "from 79 to 60".
    pub(super) fn check_range_order(&mut self, at: usize) {
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

    /// Checks that a measurement belongs to the signal that the clause names, that a limit is called a limit, and that
    /// a multiple is a multiple of the median.
    pub(super) fn check_measurement(&mut self, at: usize) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        // A sender's detail that was matched by its name has no unit to check.
        if items[at].is_detail && items[at].figure.is_none() {
            return;
        }
        let clause = self.sentence.clause_of(at);
        let about = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        let is_multiple = items[at].is_any(words!["twice", "thrice", "double", "triple", "half"]);
        if is_multiple && self.sentence.topics(at..clause.end.min(at + 4)) & w::MEDIAN == 0 {
            return self.refuse(at, Reason::Unlicensed);
        }
        const ORDINALS: &WordList =
            words!["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
        if let Some(place) = ORDINALS.place(items[at].hash) {
            let is_alert = items[at].about(w::ALERT) || items.get(at + 1).is_some_and(|next| next.about(w::ALERT));
            // "the third alert of HIGH severity" is true if there were two before it.
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
            about & (w::THRESHOLD | w::BOUNDS) != 0
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
            let rule = items[..at].iter().rev().find(is_name).map(|item| self.reader.normalised(item));
            if rule.is_some_and(|stated| !self.case.is_weight_of(path, &stated)) {
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
            && NamedSignal::Known(of) != named
            && self.sentence.signals(clause).len() == 1
        {
            self.contradict(at, path);
        }
    }

    /// Refuses counts of things that no context counts, such as people.
    pub(super) fn check_countable(&mut self, at: usize) {
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
        let counted = self.sentence.items[at].topics;
        if counted & never != 0 && counted & (w::TRANSACTION | w::ALERT) == 0
            || next.is_some_and(|next| next.about(never) && !next.is_possessive && next.claim.is_none())
        {
            self.contradict(at, path);
        }
    }
}
