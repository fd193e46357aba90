//! What the fact check and the supervisor must achieve on the corpus.

use countersign_corpus::{Corpus, measure};

#[test]
fn few_faults_are_approved_and_few_true_texts_are_refused() {
    let measures = measure(&Corpus::build(), 1, |_, _| {});
    let mut missed: Vec<String> = measures
        .kinds
        .iter()
        .filter(|kind| !kind.is_within_limit())
        .map(|kind| {
            let example = kind.shown.first().map_or("", |shown| shown.said.as_str());
            format!("{}: {} of {} approved, such as {example:?}", kind.kind, kind.approved, kind.cases)
        })
        .collect();
    for (name, texts, percent_max) in
        [("built-in", &measures.builtin, 0.0), ("paraphrases", &measures.paraphrases, 5.0)]
    {
        if texts.refused_percent() > percent_max {
            let example = texts.shown.first().map_or("", |shown| shown.said.as_str());
            missed.push(format!("{name}: {} of {} true texts refused: {example}", texts.refused, texts.texts));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}
