//! Finds the outcome for every text of the corpus and counts the outcomes by kind.

use countersign_domain::Section;
use serde::Serialize;

use crate::{
    Corpus, CorpusCase, FaultClass, FaultOutcome,
    outcome::{is_refused, objections, outcome_of_text},
    scenario,
    structure::{self, outcome_of_true_report},
};

/// The number of reports without evidence in the measurement.
const WITHOUT_EVIDENCE: u64 = 30;
/// The number of reports in which each rule of the report check is broken.
const REPORTS_PER_RULE: usize = 40;

#[derive(Debug, Clone, Serialize)]
pub struct Measures {
    /// Sorted with the worst first: by the share that was approved, then by the share that the fact check did not
    /// refuse.
    pub kinds: Vec<KindMeasure>,
    pub builtin: TextMeasure,
    pub paraphrases: TextMeasure,
}

#[derive(Debug, Clone, Serialize)]
pub struct KindMeasure {
    pub kind: String,
    pub about: String,
    pub class: FaultClass,
    pub cases: u64,
    pub refused: u64,
    pub review: u64,
    /// Passed, but with points deducted for this fault.
    pub noted: u64,
    pub approved: u64,
    /// Examples that were approved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownCase>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct TextMeasure {
    pub texts: u64,
    pub refused: u64,
    /// Examples that were refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<ShownCase>,
}

/// An example of a text with a wrong outcome.
#[derive(Debug, Clone, Serialize)]
pub struct ShownCase {
    pub alert: String,
    pub section: Section,
    /// The lie, or what the fact check objected to.
    pub said: String,
    pub text: String,
}

impl KindMeasure {
    pub fn approved_percent(&self) -> f64 {
        if self.cases == 0 { 0.0 } else { 100.0 * self.approved as f64 / self.cases as f64 }
    }

    /// Whether the share of approved cases is within the limit of the class.
    pub fn is_within_limit(&self) -> bool {
        self.approved_percent() <= self.class.approved_percent_max()
    }

    fn new(kind: &str, about: &str, class: FaultClass) -> Self {
        Self {
            kind: kind.to_owned(),
            about: about.to_owned(),
            class,
            cases: 0,
            refused: 0,
            review: 0,
            noted: 0,
            approved: 0,
            shown: Vec::new(),
        }
    }

    fn count(&mut self, outcome: FaultOutcome) {
        self.cases += 1;
        *match outcome {
            FaultOutcome::Refused => &mut self.refused,
            FaultOutcome::Review => &mut self.review,
            FaultOutcome::Noted => &mut self.noted,
            FaultOutcome::Approved => &mut self.approved,
        } += 1;
    }
}

impl TextMeasure {
    pub fn refused_percent(&self) -> f64 {
        if self.texts == 0 { 0.0 } else { 100.0 * self.refused as f64 / self.texts as f64 }
    }
}

/// Measures the whole corpus. Keeps up to `show` examples of each kind. Calls `progress` with the number of texts done and the
/// total.
pub fn measure(corpus: &Corpus, show: usize, mut progress: impl FnMut(u64, u64)) -> Measures {
    let lies: usize = corpus.lies.iter().map(|(_, lies)| lies.len()).sum();
    let structural = structure::ALL.len() * REPORTS_PER_RULE;
    let total = (lies + structural + corpus.true_texts()) as u64;
    let mut done = 0;
    let mut step = || {
        done += 1;
        progress(done, total);
    };
    let mut kinds = Vec::new();
    for (kind, lies) in &corpus.lies {
        let mut measured = KindMeasure::new(kind.name, kind.about, kind.class);
        for lie in lies {
            step();
            let Some(case) = corpus.cases.get(lie.case) else { continue };
            let outcome = outcome_of_text(case, lie.section, &lie.text);
            measured.count(outcome);
            if outcome == FaultOutcome::Approved && measured.shown.len() < show {
                measured.shown.push(shown(case, lie.section, lie.sentence.clone(), &lie.text));
            }
        }
        kinds.push(measured);
    }
    for broken in &structure::ALL {
        let mut measured = KindMeasure::new(broken.name, broken.about, FaultClass::Structure);
        // Every third case, so that every pattern of cases is included.
        let every_third = (0..3).flat_map(|start| corpus.cases.iter().skip(start).step_by(3));
        for outcome in every_third.filter_map(|case| broken.outcome(case)).take(REPORTS_PER_RULE) {
            step();
            measured.count(outcome);
        }
        kinds.push(measured);
    }
    kinds.push(without_evidence());
    let approved = |kind: &KindMeasure| (kind.approved_percent() * 1_000.0) as u64;
    let not_refused = |kind: &KindMeasure| 1_000 * (kind.cases - kind.refused) / kind.cases.max(1);
    kinds.sort_by(|a, b| (approved(b), not_refused(b), &a.kind).cmp(&(approved(a), not_refused(a), &b.kind)));
    let mut builtin = TextMeasure::default();
    for case in &corpus.cases {
        for (section, text) in Section::ALL.into_iter().zip(&case.texts) {
            step();
            builtin.add(case, section, text, show);
        }
    }
    let mut paraphrases = TextMeasure::default();
    for paraphrase in &corpus.paraphrases {
        step();
        let Some(case) = corpus.cases.get(paraphrase.case) else { continue };
        paraphrases.add(case, paraphrase.section, &paraphrase.text, show);
    }
    Measures { kinds, builtin, paraphrases }
}

impl TextMeasure {
    fn add(&mut self, case: &CorpusCase, section: Section, text: &str, show: usize) {
        self.texts += 1;
        if is_refused(case, text) {
            self.refused += 1;
            if self.shown.len() < show {
                self.shown.push(shown(case, section, objections(case, text).join(" "), text));
            }
        }
    }
}

fn without_evidence() -> KindMeasure {
    let about = "The alert has neither a signal nor a transaction; its report is true, and nothing supports the score.";
    let mut measured = KindMeasure::new("no_evidence", about, FaultClass::Structure);
    for (number, context) in (10_000..).zip(scenario::without_evidence(WITHOUT_EVIDENCE)) {
        if let Some(outcome) = CorpusCase::new(number, context).as_ref().and_then(outcome_of_true_report) {
            measured.count(outcome);
        }
    }
    measured
}

fn shown(case: &CorpusCase, section: Section, said: String, text: &str) -> ShownCase {
    ShownCase { alert: case.context.case.alert_id.clone(), section, said, text: text.to_owned() }
}
