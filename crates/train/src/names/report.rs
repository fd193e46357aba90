//! Compares the tagger's findings with the annotators' labels, and prints a table.

use countersign_inspect::training::names::Label;
use countersign_measure::{SpanTally, TypedSpan};

use super::corpus::MarkedText;

#[derive(Default)]
pub(crate) struct SpanReport(SpanTally);

impl SpanReport {
    pub(crate) fn add(&mut self, text: &MarkedText, found: &[Label]) {
        // Findings that overlap another detector's labels are not counted.
        let is_counted = |(range, _): &&Label| {
            !text.elsewhere.iter().any(|other| other.start < range.end && range.start < other.end)
        };
        let spans = |labels: Vec<&Label>| -> Vec<TypedSpan> {
            labels.into_iter().map(|label| span(&text.text, label)).collect()
        };
        let marked = spans(text.marked.iter().collect());
        let found = spans(found.iter().filter(is_counted).collect());
        self.0.add(&found, &marked);
    }

    #[expect(clippy::print_stdout, reason = "a command for developers")]
    pub(crate) fn print(&self, what: &str) {
        let tally = &self.0;
        let row = |name: &str, of: &countersign_measure::ConfusionMatrix| {
            println!(
                "{name:<14} {:>4} {:>4} {:>4}  {}",
                of.true_positives,
                of.false_positives,
                of.false_negatives,
                figures(of)
            );
        };
        println!("{what}: right, wrong, missed; precision, recall, F1, F2");
        for (name, of) in &tally.by_type {
            row(name, &of.exact);
        }
        row("all, exact", &tally.exact);
        row("characters", &tally.characters);
        println!("clean texts    {} of {} marked", tally.clean_texts_marked, tally.clean_texts);
        for ((from, to), times) in &tally.confusions {
            println!("  {from} -> {to}: {times}");
        }
    }
}

fn figures(of: &countersign_measure::ConfusionMatrix) -> String {
    let (right, wrong, missed) = (of.true_positives as f64, of.false_positives as f64, of.false_negatives as f64);
    // F1 and F2, by the square of their beta.
    let f = |square: f64| (1.0 + square) * right / ((1.0 + square) * right + square * missed + wrong);
    format!("{:.3} {:.3} {:.3} {:.3}", right / (right + wrong), right / (right + missed), f(1.0), f(4.0))
}

fn span(text: &str, (range, r#type): &Label) -> TypedSpan {
    let chars = |end: usize| text[..end].chars().count();
    TypedSpan { start: chars(range.start), end: chars(range.end), r#type: (*r#type).to_owned() }
}
