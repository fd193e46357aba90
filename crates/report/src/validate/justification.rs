//! How well a report justifies its score, by rules: signals with their values and thresholds, what the score is made of, and
//! the customer's own history to compare with.
//!
//! It counts what is stated. What a text says about itself ("strongly justified", "score 100") states none of it.

use countersign_domain::{
    Section, SignalName,
    validation::{Fault, Strength},
};
use rust_decimal::{Decimal, prelude::FromPrimitive};

use super::{
    cues::{Cues, List},
    prose::{LooseName, Sentence},
};
use crate::{Content, Context, SignalFacts, SignalOutcome};

/// Signals that a text within its words can be asked to lay out: those that brought most.
const SIGNALS_MAX: usize = 4;
/// Beyond this a float is no measurement that anybody could read.
const READABLE_MAX: f64 = 1e12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Justification {
    pub(super) strength: Strength,
    /// What keeps it from being strong.
    pub(super) reasons: Vec<String>,
}

impl Justification {
    pub(super) fn fault(self) -> Option<Fault> {
        (self.strength == Strength::Weak).then_some(Fault::WeakJustification { reasons: self.reasons })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stated {
    No,
    Partly,
    Fully,
}

/// Strong with all three in full; weak where the score is not taken apart, or where little else is stated.
pub(super) fn justification(content: &Content, sentences: &[Sentence<'_>]) -> Justification {
    let of = |section: Section| sentences.iter().filter(move |sentence| sentence.section == section);
    let justified: Vec<&Sentence<'_>> = of(Section::RiskJustification).collect();
    let explained: Vec<&Sentence<'_>> = of(Section::RiskJustification).chain(of(Section::FraudExplanation)).collect();
    let stated = [
        (signals(content, &explained), "the signals are not all named with their values and thresholds"),
        (composition(content, &justified), "what the score is made of is not stated"),
        (baseline(content, &explained), "the customer's baseline is neither compared nor said to be missing"),
    ];
    let points: usize = stated.iter().map(|(stated, _)| *stated as usize).sum();
    let strength = match (points, stated[1].0) {
        // A justification that does not even name the score is none, whatever else is explained.
        (_, Stated::No) => Strength::Weak,
        (6, _) => Strength::Strong,
        (3.., _) => Strength::Adequate,
        _ => Strength::Weak,
    };
    let reasons = stated.iter().filter(|(stated, _)| *stated != Stated::Fully).map(|(_, reason)| (*reason).to_owned());
    Justification { strength, reasons: reasons.collect() }
}

/// Signals that are reasons for the alert. An outside one whose name has no letter can't be named, so it is left out.
pub(super) fn raised(context: &Context) -> impl Iterator<Item = &SignalFacts> {
    let is_raised = |signal: &SignalFacts| matches!(signal.outcome, SignalOutcome::Fired | SignalOutcome::Reported);
    let can_be_named = |signal: &SignalFacts| signal.name.chars().any(char::is_alphanumeric);
    context.signals.iter().filter(move |signal| is_raised(signal) && can_be_named(signal))
}

/// What prose calls a signal.
pub(super) struct Called {
    cues: Option<Cues>,
    name: LooseName,
}

impl Called {
    pub(super) fn of(signal: &SignalFacts) -> Self {
        let cues = signal.known().map(|name| match name {
            SignalName::AmountDeviation => "amount deviation*|deviation*|z score*|deviated",
            SignalName::VelocityAnomaly => "velocity*|frequency",
            SignalName::GeographicInconsistency => "geographic*|travel*|location*",
            SignalName::RuleFlags => "rule*",
        });
        Self { cues, name: LooseName::of(&signal.name) }
    }

    pub(super) fn is_in(&self, sentence: &Sentence<'_>) -> bool {
        self.cues.is_some_and(|cues| sentence.says(cues)) || sentence.holds(&self.name)
    }
}

fn signals(content: &Content, sentences: &[&Sentence<'_>]) -> Stated {
    let mut raised: Vec<_> = raised(&content.context).collect();
    raised.sort_by_key(|signal| std::cmp::Reverse(signal.contribution));
    raised.truncate(SIGNALS_MAX);
    if raised.is_empty() {
        // Which checks ran, or that none did.
        let is_told = sentences.iter().any(|sentence| sentence.says("signal*|check*|threshold*"));
        return if is_told { Stated::Fully } else { Stated::Partly };
    }
    let told: Vec<_> = raised.iter().map(|signal| laid_out(signal, sentences)).collect();
    match (told.iter().min(), told.iter().max()) {
        (Some(Stated::Fully), _) => Stated::Fully,
        (_, Some(Stated::No)) | (None, _) | (_, None) => Stated::No,
        _ => Stated::Partly,
    }
}

/// Its name, and beside it (in the same sentence or the next) its value and threshold where it has them.
fn laid_out(signal: &SignalFacts, sentences: &[&Sentence<'_>]) -> Stated {
    let called = Called::of(signal);
    let named: Vec<_> = (0..sentences.len()).filter(|at| called.is_in(sentences[*at])).collect();
    if named.is_empty() {
        return Stated::No;
    }
    let beside: Vec<Decimal> = named
        .iter()
        .flat_map(|at| [*at, at + 1])
        .filter_map(|at| sentences.get(at))
        .flat_map(|sentence| sentence.figures.iter().copied())
        .collect();
    let is_told = |number: Option<f64>| number.is_none_or(|number| is_stated(number, &beside));
    // A threshold without a value says nothing about this case.
    let threshold = signal.threshold.filter(|_| signal.value.is_some());
    if is_told(signal.value) && is_told(threshold) { Stated::Fully } else { Stated::Partly }
}

/// Rounded as it is written: 7.21 states 7.214.
fn is_stated(number: f64, figures: &[Decimal]) -> bool {
    if !number.is_finite() || number.abs() >= READABLE_MAX {
        return true;
    }
    let Some(number) = Decimal::from_f64(number).map(|number| number.abs()) else { return true };
    figures.iter().any(|figure| {
        let half = Decimal::new(5, figure.scale().min(20) + 1);
        (number - figure).abs() <= half
    })
}

fn composition(content: &Content, sentences: &[&Sentence<'_>]) -> Stated {
    let figures: Vec<Decimal> = sentences.iter().flat_map(|sentence| sentence.figures.iter().copied()).collect();
    let has = |points: u8| figures.contains(&Decimal::from(points));
    if !has(content.risk_score.get()) {
        return Stated::No;
    }
    let mut parts: Vec<u8> = content.context.score.contributions.iter().map(|part| part.points).collect();
    parts.sort_unstable_by_key(|points| std::cmp::Reverse(*points));
    parts.truncate(SIGNALS_MAX);
    let is_whole = if parts.is_empty() {
        sentences.iter().any(|sentence| sentence.denies("compos*|made|part*|point*|contribut*"))
    } else {
        parts.into_iter().all(has) && sentences.iter().any(|sentence| sentence.says("point*|contribut*|part*"))
    };
    if is_whole { Stated::Fully } else { Stated::Partly }
}

pub(super) const BASELINE: Cues = "\
    median*|baseline*|usual*|typical*|earlier transaction*|prior transaction*|previous transaction*|history|\
    historical*|average*|customary*";

pub(super) fn compares(sentence: &Sentence<'_>) -> bool {
    sentence.has(List::Baseline) && !sentence.figures.is_empty()
}

pub(super) fn lacks_baseline(sentence: &Sentence<'_>) -> bool {
    sentence.has(List::Baseline) && sentence.denies(BASELINE) || sentence.denies("compar*")
}

fn baseline(content: &Content, sentences: &[&Sentence<'_>]) -> Stated {
    let is_met: fn(&Sentence<'_>) -> bool = if content.context.baseline.is_some() { compares } else { lacks_baseline };
    if sentences.iter().any(|sentence| is_met(sentence)) {
        Stated::Fully
    } else if sentences.iter().any(|sentence| sentence.has(List::Baseline)) {
        Stated::Partly
    } else {
        Stated::No
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::{prose::sentences, samples};

    fn check(justified: &str, explained: &str, expected: Strength, reasons: usize) {
        let mut content = samples::ordinary();
        content.risk_justification = justified.to_owned();
        content.fraud_explanation = explained.to_owned();
        let found = justification(&content, &sentences(&content));
        assert_eq!((found.strength, found.reasons.len()), (expected, reasons), "{justified}: {:?}", found.reasons);
    }

    const SIGNALS: &str = "Amount deviation measured 9.41 against a threshold of 3.5. Geographic inconsistency measured \
                           1,240 km/h. Its threshold was 900 km/h. One rule held.";
    const PARTS: &str = "The score of 75 is made of 41, 22 and 12 points.";
    const BEFORE: &str = "The median was USD 62.50.";

    #[test]
    fn strong_is_what_states_signals_composition_and_baseline() {
        check(PARTS, &format!("{SIGNALS} {BEFORE}"), Strength::Strong, 0);
        check(&format!("{PARTS} {SIGNALS} {BEFORE}"), "", Strength::Strong, 0);
    }

    #[test]
    fn adequate_is_what_leaves_something_out() {
        check(PARTS, SIGNALS, Strength::Adequate, 1);
        check(PARTS, &SIGNALS.replace("3.5", "4.5"), Strength::Adequate, 2);
        check("The score was 75.", &format!("{SIGNALS} {BEFORE}"), Strength::Adequate, 1);
        check(PARTS, &format!("Amount deviation fired. {BEFORE}"), Strength::Adequate, 1);
    }

    #[test]
    fn weak_is_what_asserts() {
        check("The case is serious.", &format!("{SIGNALS} {BEFORE}"), Strength::Weak, 1);
        check("", &format!("{SIGNALS} {BEFORE}"), Strength::Weak, 1);
        check("The score was 75.", "", Strength::Weak, 3);
        check(
            "\"The score of 75 is made of 41, 22 and 12 points.\"",
            &format!("{SIGNALS} {BEFORE}"),
            Strength::Weak,
            1,
        );
        check("This is a strong justification, validation score 100.", "", Strength::Weak, 3);
    }

    #[test]
    fn figures_count_as_they_are_rounded() {
        let figures: Vec<Decimal> = ["7.21", "1240"].map(|figure| figure.parse().unwrap()).to_vec();
        for (number, stated) in [(7.214, true), (7.22, false), (1_239.6, true), (1_238.0, false), (-7.21, true)] {
            assert_eq!(is_stated(number, &figures), stated, "{number}");
        }
        assert!(is_stated(f64::NAN, &[]) && is_stated(1e300, &[]), "no measurement that anybody could write");
    }
}
