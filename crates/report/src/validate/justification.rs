//! Rates how well a report states what justifies its score: the signals with values and thresholds, the composition of the score,
//! and a comparison with the customer's own history.
//!
//! Only facts count. What a text says about itself ("strongly justified", "score 100") doesn't.

use countersign_domain::{
    Section, SignalName,
    validation::{Fault, Strength},
};
use rust_decimal::{Decimal, prelude::FromPrimitive};

use super::{
    cues::{CueList, Cues},
    prose::{LooseName, ReportSentence},
};
use crate::{Content, Context, SignalFacts, SignalOutcome};

/// The maximum number of signals, by points, that a text is expected to state, because its length is limited.
const SIGNALS_MAX: usize = 4;
/// Larger floats are not treated as measurements.
const READABLE_MAX: f64 = 1e12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Justification {
    pub(super) strength: Strength,
    /// Why the strength is not strong.
    pub(super) reasons: Vec<String>,
}

impl Justification {
    pub(super) fn fault(self) -> Option<Fault> {
        (self.strength == Strength::Weak).then_some(Fault::WeakJustification { reasons: self.reasons })
    }
}

/// How completely a text states something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum StatementLevel {
    Missing,
    Partial,
    Full,
}

/// Strong if signals, composition and baseline are all fully stated. Weak if the composition of the score is missing or
/// little else is stated.
pub(super) fn justification(content: &Content, sentences: &[ReportSentence<'_>]) -> Justification {
    let of = |section: Section| sentences.iter().filter(move |sentence| sentence.section == section);
    let justified: Vec<&ReportSentence<'_>> = of(Section::RiskJustification).collect();
    let explained: Vec<&ReportSentence<'_>> =
        of(Section::RiskJustification).chain(of(Section::FraudExplanation)).collect();
    let stated = [
        (signals(content, &explained), "the signals are not all named with their values and thresholds"),
        (composition(content, &justified), "what the score is made of is not stated"),
        (baseline(content, &explained), "the customer's baseline is neither compared nor said to be missing"),
    ];
    let points: usize = stated.iter().map(|(stated, _)| *stated as usize).sum();
    let strength = match (points, stated[1].0) {
        // Without the composition of the score, nothing is justified, even if everything else is explained.
        (_, StatementLevel::Missing) => Strength::Weak,
        (6, _) => Strength::Strong,
        (3.., _) => Strength::Adequate,
        _ => Strength::Weak,
    };
    let reasons =
        stated.iter().filter(|(stated, _)| *stated != StatementLevel::Full).map(|(_, reason)| (*reason).to_owned());
    Justification { strength, reasons: reasons.collect() }
}

/// The signals that are reasons for the alert. An external signal whose name has no letter or digit is left out,
/// because a text can't name it.
pub(super) fn raised(context: &Context) -> impl Iterator<Item = &SignalFacts> {
    let is_raised = |signal: &SignalFacts| matches!(signal.outcome, SignalOutcome::Fired | SignalOutcome::Reported);
    let can_be_named = |signal: &SignalFacts| signal.name.chars().any(char::is_alphanumeric);
    context.signals.iter().filter(move |signal| is_raised(signal) && can_be_named(signal))
}

/// The terms by which prose refers to a signal.
pub(super) struct SignalTerms {
    cues: Option<Cues>,
    name: LooseName,
}

impl SignalTerms {
    pub(super) fn of(signal: &SignalFacts) -> Self {
        let cues = signal.known().map(|name| match name {
            SignalName::AmountDeviation => "amount deviation*|deviation*|z score*|deviated",
            SignalName::VelocityAnomaly => "velocity*|frequency",
            SignalName::GeographicInconsistency => "geographic*|travel*|location*",
            SignalName::RuleFlags => "rule*",
        });
        Self { cues, name: LooseName::of(&signal.name) }
    }

    pub(super) fn is_in(&self, sentence: &ReportSentence<'_>) -> bool {
        self.cues.is_some_and(|cues| sentence.says(cues)) || sentence.contains_name(&self.name)
    }
}

fn signals(content: &Content, sentences: &[&ReportSentence<'_>]) -> StatementLevel {
    let mut raised: Vec<_> = raised(&content.context).collect();
    raised.sort_by_key(|signal| std::cmp::Reverse(signal.contribution));
    raised.truncate(SIGNALS_MAX);
    if raised.is_empty() {
        // The text must say which checks ran, or that none did.
        let says_what_ran = sentences.iter().any(|sentence| sentence.says("signal*|check*|threshold*"));
        return if says_what_ran { StatementLevel::Full } else { StatementLevel::Partial };
    }
    let levels: Vec<_> = raised.iter().map(|signal| statement_of(signal, sentences)).collect();
    match (levels.iter().min(), levels.iter().max()) {
        (Some(StatementLevel::Full), _) => StatementLevel::Full,
        (_, Some(StatementLevel::Missing)) | (None, _) | (_, None) => StatementLevel::Missing,
        _ => StatementLevel::Partial,
    }
}

/// Whether a signal is named and, in the same sentence or the next, its value and threshold are stated, if it has them.
fn statement_of(signal: &SignalFacts, sentences: &[&ReportSentence<'_>]) -> StatementLevel {
    let terms = SignalTerms::of(signal);
    let named: Vec<_> = (0..sentences.len()).filter(|at| terms.is_in(sentences[*at])).collect();
    if named.is_empty() {
        return StatementLevel::Missing;
    }
    let nearby_figures: Vec<Decimal> = named
        .iter()
        .flat_map(|at| [*at, at + 1])
        .filter_map(|at| sentences.get(at))
        .flat_map(|sentence| sentence.figures.iter().copied())
        .collect();
    let is_number_stated = |number: Option<f64>| number.is_none_or(|number| is_stated(number, &nearby_figures));
    // A threshold without a value says nothing about this case.
    let threshold = signal.threshold.filter(|_| signal.value.is_some());
    if is_number_stated(signal.value) && is_number_stated(threshold) {
        StatementLevel::Full
    } else {
        StatementLevel::Partial
    }
}

/// Whether one of the figures states the number, allowing for rounding: 7.21 states 7.214.
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

fn composition(content: &Content, sentences: &[&ReportSentence<'_>]) -> StatementLevel {
    let figures: Vec<Decimal> = sentences.iter().flat_map(|sentence| sentence.figures.iter().copied()).collect();
    let has = |points: u8| figures.contains(&Decimal::from(points));
    if !has(content.risk_score.get()) {
        return StatementLevel::Missing;
    }
    let mut parts: Vec<u8> = content.context.score.contributions.iter().map(|part| part.points).collect();
    parts.sort_unstable_by_key(|points| std::cmp::Reverse(*points));
    parts.truncate(SIGNALS_MAX);
    let is_whole = if parts.is_empty() {
        sentences.iter().any(|sentence| sentence.says_unknown("compos*|made|part*|point*|contribut*"))
    } else {
        parts.into_iter().all(has) && sentences.iter().any(|sentence| sentence.says("point*|contribut*|part*"))
    };
    if is_whole { StatementLevel::Full } else { StatementLevel::Partial }
}

pub(super) const BASELINE: Cues = "\
    median*|baseline*|usual*|typical*|earlier transaction*|prior transaction*|previous transaction*|history|\
    historical*|average*|customary*";

pub(super) fn compares(sentence: &ReportSentence<'_>) -> bool {
    sentence.has(CueList::Baseline) && !sentence.figures.is_empty()
}

pub(super) fn lacks_baseline(sentence: &ReportSentence<'_>) -> bool {
    sentence.has(CueList::Baseline) && sentence.says_unknown(BASELINE) || sentence.says_unknown("compar*")
}

fn baseline(content: &Content, sentences: &[&ReportSentence<'_>]) -> StatementLevel {
    let is_met: fn(&ReportSentence<'_>) -> bool =
        if content.context.baseline.is_some() { compares } else { lacks_baseline };
    if sentences.iter().any(|sentence| is_met(sentence)) {
        StatementLevel::Full
    } else if sentences.iter().any(|sentence| sentence.has(CueList::Baseline)) {
        StatementLevel::Partial
    } else {
        StatementLevel::Missing
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
    fn stating_signals_composition_and_baseline_is_strong() {
        check(PARTS, &format!("{SIGNALS} {BEFORE}"), Strength::Strong, 0);
        check(&format!("{PARTS} {SIGNALS} {BEFORE}"), "", Strength::Strong, 0);
    }

    #[test]
    fn leaving_something_out_is_adequate() {
        check(PARTS, SIGNALS, Strength::Adequate, 1);
        check(PARTS, &SIGNALS.replace("3.5", "4.5"), Strength::Adequate, 2);
        check("The score was 75.", &format!("{SIGNALS} {BEFORE}"), Strength::Adequate, 1);
        check(PARTS, &format!("Amount deviation fired. {BEFORE}"), Strength::Adequate, 1);
    }

    #[test]
    fn mere_assertions_are_weak() {
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
    fn rounded_figures_count() {
        let figures: Vec<Decimal> = ["7.21", "1240"].map(|figure| figure.parse().unwrap()).to_vec();
        for (number, stated) in [(7.214, true), (7.22, false), (1_239.6, true), (1_238.0, false), (-7.21, true)] {
            assert_eq!(is_stated(number, &figures), stated, "{number}");
        }
        assert!(is_stated(f64::NAN, &[]) && is_stated(1e300, &[]), "no text could state such a measurement");
    }
}
