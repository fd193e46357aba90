//! Stage 7, licence, rules on comparisons. This file compares a value with a reference: above and below, inside and outside.
//! `extremes.rs` checks statements about one thing among several: the largest, the heaviest, the only one.

mod extremes;

use std::cmp::Ordering;
use std::ops::Range;

use super::case::SignalState;
use super::sentence::NamedSignal;
use super::vocabulary::words;
use super::{ClaimKind, Reason, SentenceCheck, signal_of, w};

/// The other side of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Against {
    Threshold {
        at: usize,
    },
    Median,
    Largest,
    Smallest,
    /// The lowest and the highest score of a severity's band.
    BandFrom,
    BandTo,
    Rules,
}

impl SentenceCheck<'_> {
    pub(crate) fn check_comparisons(&mut self) {
        for at in 0..self.sentence.items.len() {
            let item = &self.sentence.items[at];
            if item.claim.is_some() {
                continue;
            }
            if item.is(w::UP | w::DOWN | w::EVEN | w::REACHED) {
                self.check_comparison(at);
            }
            if item.is(w::INSIDE | w::OUTSIDE) {
                self.check_inside_or_outside(at);
            }
            if item.is(w::HEAVIEST | w::LIGHTEST) {
                self.check_heaviest_or_lightest(at, item.is(w::HEAVIEST));
            }
            if item.is(w::LARGEST | w::SMALLEST) {
                self.check_largest_or_smallest(at, item.is(w::LARGEST));
            }
            if item.is(w::ONLY) {
                self.check_only(at);
            }
            if item.is(w::USUAL) && self.sentence.items.get(at + 1).is_some_and(|next| next.about(w::LOCATION)) {
                let clause = self.sentence.clause_of(at);
                if !self.check_led_by_country(at, &clause) {
                    self.refuse(at, Reason::Unlicensed);
                }
            }
            if item.is(w::OTHER) {
                self.check_other(at);
            }
            if item.is(w::AGREE | w::DISAGREE) {
                let agrees = item.is(w::AGREE) != self.sentence.is_negated(at);
                let is_about = self.sentence.topics(0..self.sentence.items.len()) & (w::SCORE | w::SEVERITY) != 0;
                self.expect(at, is_about && agrees == self.case.agrees_with_severity, "/score/agrees_with_severity");
            }
        }
    }

    /// The claim right after a word. Articles may come in between.
    fn next_claim(&self, at: usize) -> Option<(&str, ClaimKind)> {
        let next = self
            .sentence
            .items
            .get(at + 1..)?
            .iter()
            .find(|item| !item.is_any(words!["a", "an", "the", "its", "same", "that"]))?;
        next.claim
    }

    /// Checks "exceeded the threshold", "below the median", "equal to the score" and "reached the limit".
    fn check_comparison(&mut self, at: usize) {
        let item = &self.sentence.items[at];
        // "over 53 days", "under review" and "under investigation `…`" are not comparisons.
        let next = self.sentence.items.get(at + 1);
        if item.is_any(words!["over", "under"]) {
            let is_span =
                self.next_claim(at).is_some_and(|(_, kind)| matches!(kind, ClaimKind::Duration | ClaimKind::Date));
            let is_place = next.is_some_and(|next| {
                next.about(w::INVESTIGATION | w::OUTCOME_OF_REVIEW | w::TIME) || next.lower == "review"
            });
            let is_the = next.is_some_and(|next| next.lower == "the")
                && self.sentence.items.get(at + 2).is_some_and(|next| next.about(w::INVESTIGATION | w::TIME));
            if is_span || is_place || is_the {
                return;
            }
        }
        // "of equal severity" describes similar alerts.
        if item.is(w::EVEN) && next.is_some_and(|next| next.about(w::SEVERITY)) {
            return self.facts.push("/correlation/similar_alerts".into());
        }
        // In "reached 14 transactions", the figure itself is checked by its role.
        let reached = self.sentence.items[at + 1..].iter().find_map(|item| item.path());
        let clause = self.sentence.clause_of(at);
        if item.is(w::REACHED)
            && reached.is_some_and(|path| !path.ends_with("threshold") && !path.ends_with("_limit"))
            && self.sentence.topics(at + 1..clause.end) & w::THRESHOLD == 0
        {
            return;
        }
        // "a higher severity" must refer to scores above the band, "a lower severity" to scores below it.
        if next.is_some_and(|next| next.about(w::SEVERITY)) {
            let edge = if item.is(w::UP) { "/score/band_to" } else { "/score/band_from" };
            let is_edge = self.sentence.items.iter().any(|item| item.path() == Some(edge));
            return if is_edge { self.facts.push(edge.into()) } else { self.refuse(at, Reason::Unlicensed) };
        }
        // Refuse "fewer than 11 transactions": most figures are exact, so a sentence must state them and not a bound.
        const COMPARED: [&str; 8] = [
            "threshold",
            "_limit",
            "median_amount",
            "largest_amount",
            "smallest_amount",
            "band_from",
            "band_to",
            "ratio_to_median",
        ];
        let is_exact = self.next_claim(at).is_some_and(|(path, kind)| {
            matches!(kind, ClaimKind::Count | ClaimKind::Money | ClaimKind::Number | ClaimKind::Duration)
                && !COMPARED.iter().any(|end| path.ends_with(end))
                && !self.case.is_extreme_amount(path, true)
                && !self.case.is_extreme_amount(path, false)
        });
        let is_scores = self.sentence.has_word(0..self.sentence.items.len(), words!["scores"]);
        if is_exact && item.is(w::UP | w::DOWN) && !is_scores {
            return self.refuse(at, Reason::Unlicensed);
        }
        if item.is(w::EVEN) && self.is_sum(&self.sentence.clause_of(at)) {
            let negated = self.sentence.is_negated(at);
            return self.expect(at, self.case.sum_is_total != negated, "/score/sum");
        }
        // In "scores below 60 or above 79", only the edges of the band need checking here.
        let is_not_edge = self.next_claim(at).is_some_and(|(path, _)| !path.starts_with("/score/band"));
        if is_not_edge && self.sentence.has_word(0..self.sentence.items.len(), words!["scores"]) {
            return;
        }
        let acts = item.acts;
        let negated = self.sentence.is_negated(at)
            || self.sentence.items[clause.start..at].last().is_some_and(|before| before.is(w::NO));
        let right = self.against(at + 1..clause.end, false);
        let is_passive = acts & w::VERB != 0
            && at > clause.start
            && self.sentence.items[clause.start..at]
                .iter()
                .rev()
                .take(3)
                .any(|item| item.is_any(words!["was", "were", "been"]));
        let (against, flipped) = match right {
            Some(against) if !is_passive => (Some(against), false),
            // The reference may come before the verb: "the threshold was exceeded", "even the largest earlier amount was
            // smaller".
            _ => (self.against(clause.start..at, true), !is_passive),
        };
        // The reference may be in an earlier clause: "The typical amount was X, and this payment was higher."
        let (against, flipped) = match against {
            None if self.has_value(clause.clone()) => (self.against(0..clause.start, true), false),
            found => (found, flipped),
        };
        // "No earlier transaction was larger than the largest" is always true.
        let of_earlier = negated
            && self.sentence.acts(clause.start..at) & w::PRIOR != 0
            && self.sentence.topics(clause.start..at) & w::TRANSACTION != 0;
        match against {
            Some(Against::Largest) if of_earlier && acts & w::UP != 0 => {
                return self.facts.push("/baseline/largest_amount".into());
            }
            Some(Against::Smallest) if of_earlier && acts & w::DOWN != 0 => {
                return self.facts.push("/baseline/smallest_amount".into());
            }
            _ => {}
        }
        // Refuse a comparison of a thing with itself, such as "the median exceeded the median".
        let subject = (self.sentence.topics(clause.start..at), self.sentence.acts(clause.start..at));
        let is_itself = !flipped
            && match right {
                Some(Against::Median) => subject.0 & (w::MEDIAN | w::BASELINE) != 0,
                Some(Against::Largest) => subject.1 & w::LARGEST != 0,
                Some(Against::Smallest) => subject.1 & w::SMALLEST != 0,
                Some(Against::Threshold { .. }) => subject.0 & w::THRESHOLD != 0 && !is_passive,
                _ => false,
            };
        if is_itself && !is_passive && !self.has_value(clause.start..at) {
            return self.refuse(at, Reason::Unlicensed);
        }
        let Some(against) = against else {
            // In "reached 14 transactions", the figure is checked by its role.
            let is_figure = acts & (w::REACHED | w::EVEN) != 0
                && self.sentence.items[at + 1..clause.end].iter().any(|item| item.claim.is_some());
            if !is_figure {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        };
        let (order, path) = self.order(against, at);
        let order = if flipped { order.map(Ordering::reverse) } else { order };
        let holds = match against {
            Against::BandFrom => acts & w::DOWN != 0,
            Against::BandTo => acts & w::UP != 0,
            Against::Rules => self.case.signals.iter().any(|signal| signal.rules_held > 0),
            _ => order.is_some_and(|order| {
                acts & w::UP != 0 && order == Ordering::Greater
                    || acts & w::DOWN != 0 && order == Ordering::Less
                    || acts & w::EVEN != 0 && order == Ordering::Equal
                    || acts & w::REACHED != 0 && order != Ordering::Less
            }),
        };
        let is_known = order.is_some() || matches!(against, Against::BandFrom | Against::BandTo | Against::Rules);
        if self.is_sum(&clause) && acts & w::EVEN != 0 {
            return self.expect(at, self.case.sum_is_total != negated, "/score/sum");
        }
        if !is_known {
            return self.refuse(at, Reason::Unlicensed);
        }
        self.expect(at, holds != negated, path);
    }

    /// Whether a range has an amount or a measured value that can be compared.
    fn has_value(&self, range: Range<usize>) -> bool {
        self.sentence.topics(range.clone()) & (w::AMOUNT | w::TRANSACTION | w::VALUE) != 0
            || self.sentence.items[range]
                .iter()
                .any(|item| item.path().is_some_and(|path| path.ends_with("/value") || path == "/transaction/amount"))
    }

    /// Whether a clause compares the sum of the points with the score, as in "which did not equal the stated score".
    fn is_sum(&self, clause: &Range<usize>) -> bool {
        self.sentence.topics(clause.clone()) & w::SCORE != 0
            && self.sentence.topics(0..self.sentence.items.len()) & w::POINTS != 0
    }

    /// The nearest thing in a range that a value can be compared with.
    fn against(&self, range: Range<usize>, backwards: bool) -> Option<Against> {
        let places: Vec<usize> = if backwards { range.rev().collect() } else { range.collect() };
        places.into_iter().find_map(|at| {
            let item = &self.sentence.items[at];
            let path = item.path().unwrap_or("");
            if item.is(w::LARGEST) || path.ends_with("largest_amount") || self.case.is_extreme_amount(path, true) {
                Some(Against::Largest)
            } else if item.is(w::SMALLEST)
                || path.ends_with("smallest_amount")
                || self.case.is_extreme_amount(path, false)
            {
                Some(Against::Smallest)
            } else if item.about(w::THRESHOLD) || path.ends_with("/threshold") || path.ends_with("_limit") {
                Some(Against::Threshold { at })
            } else if item.about(w::MEDIAN | w::BASELINE | w::HISTORY) && item.claim.is_none()
                || item.is(w::USUAL)
                || path.ends_with("median_amount")
                || path.ends_with("ratio_to_median")
            {
                Some(Against::Median)
            } else if path == "/score/band_from" {
                Some(Against::BandFrom)
            } else if path == "/score/band_to" {
                Some(Against::BandTo)
            } else if item.about(w::RULE) && item.claim.is_none() {
                Some(Against::Rules)
            } else {
                None
            }
        })
    }

    /// How the compared value relates to its reference, and the path of the reference.
    fn order(&self, against: Against, at: usize) -> (Option<Ordering>, String) {
        match against {
            Against::Median => (self.case.to_median, "/baseline/median_amount".to_owned()),
            Against::Largest => (self.case.to_largest, "/baseline/largest_amount".to_owned()),
            Against::Smallest => (self.case.to_smallest, "/baseline/smallest_amount".to_owned()),
            Against::BandFrom => (None, "/score/band_from".to_owned()),
            Against::BandTo => (None, "/score/band_to".to_owned()),
            Against::Rules => (None, "/signals".to_owned()),
            Against::Threshold { at: threshold } => self.to_threshold(at, threshold),
        }
    }

    /// How the value of the signal that the clause is about compares with its threshold.
    fn to_threshold(&self, at: usize, threshold: usize) -> (Option<Ordering>, String) {
        let clause = self.sentence.clause_of(at);
        let limit = self.sentence.items[threshold.min(at)..clause.end.max(threshold + 1)]
            .iter()
            .filter_map(|item| item.path())
            .find(|path| path.ends_with("_limit"));
        if let Some(path) = limit {
            let known = self.case.limits.iter().find(|(limit, _)| limit == path);
            return (known.map(|(_, order)| *order), path.to_owned());
        }
        let by_figure = self.sentence.items[clause.clone()].iter().filter_map(|item| item.path()).find_map(signal_of);
        let by_name = self.sentence.signals(clause.clone()).into_iter().find_map(|named| match named {
            NamedSignal::Known(place) => Some(place),
            NamedSignal::Missing => None,
        });
        let nearest = || match self.nearest_signal(at) {
            Some(NamedSignal::Known(place)) => Some(place),
            _ => None,
        };
        match by_figure.or(by_name).or_else(nearest).and_then(|place| Some((place, self.case.signals.get(place)?))) {
            Some((place, signal)) => (signal.order, format!("/signals/{place}/threshold")),
            None => (None, "/signals".to_owned()),
        }
    }

    /// Checks "inside the band", "within its limits", "within 1 hour" and "from outside".
    fn check_inside_or_outside(&mut self, at: usize) {
        let item = &self.sentence.items[at];
        let inside = item.is(w::INSIDE);
        let clause = self.sentence.clause_of(at);
        let negated = self.sentence.is_negated(at);
        let kinds = [ClaimKind::Duration, ClaimKind::Count, ClaimKind::Country, ClaimKind::Number];
        if inside && self.next_claim(at).is_some_and(|(_, kind)| kinds.contains(&kind)) {
            return;
        }
        let after = at + 1..clause.end;
        let about = self.sentence.topics(after.clone());
        if about & w::BAND != 0 && self.sentence.acts(after.clone()) & w::PRIOR != 0 && about & w::SCORE == 0 {
            let within =
                self.case.to_largest != Some(Ordering::Greater) && self.case.to_smallest != Some(Ordering::Less);
            return self.expect(at, within == (inside != negated), "/baseline/largest_amount");
        }
        if !inside && about & w::SCORE != 0 && self.sentence.topics(clause.clone()) & w::ALERT != 0 {
            return self.facts.push("/correlation/prior_alerts".into());
        }
        let is_band = about & (w::BAND | w::SEVERITY) != 0
            || self.sentence.topics(0..at) & w::BAND != 0 && about & (w::THRESHOLD | w::BOUNDS) == 0;
        if is_band {
            return self.expect(
                at,
                self.case.agrees_with_severity == (inside != negated),
                "/score/agrees_with_severity",
            );
        }
        if about & (w::THRESHOLD | w::BOUNDS) != 0 {
            let figures =
                self.sentence.items[clause.clone()].iter().filter_map(|item| item.path()).filter_map(signal_of);
            let mut named: Vec<NamedSignal> = figures.map(NamedSignal::Known).collect();
            if named.is_empty() {
                named = self.sentence.signals(clause.clone());
            }
            if named.is_empty() {
                named = self.sentence.signals(0..at);
            }
            if named.is_empty() {
                named.extend(self.nearest_signal(at));
            }
            if named.is_empty() {
                return self.refuse(at, Reason::Unlicensed);
            }
            for signal in named {
                if let NamedSignal::Known(place) = signal {
                    let is_clear = self.case.signals[place].outcome == SignalState::Clear;
                    self.expect(at, is_clear == (inside != negated), format!("/signals/{place}/outcome"));
                }
            }
            return;
        }
        if inside && about & w::TIME != 0 {
            return;
        }
        if !inside && at > 0 && self.sentence.items[at - 1].lower == "from" {
            return self.expect(at, self.case.is_external, "/case/source");
        }
        self.refuse(at, Reason::Unlicensed);
    }
}
