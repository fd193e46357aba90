//! `countersign eval supervisor`: measures how many faults of each kind get past the fact check and the supervisor's rules.

use countersign_corpus::{Corpus, Measures, ShownCase, measure};

use crate::cli::{
    arguments::{EvalFormat, EvalSupervisorFlags},
    count,
    failure::Failure,
    progress::ProgressLine,
    say,
};

pub(super) fn run(flags: &EvalSupervisorFlags) -> Result<(), Failure> {
    let corpus = Corpus::build();
    let mut progress = ProgressLine::new("Judging", "texts");
    let measures = measure(&corpus, flags.show.unwrap_or(0), |done, total| progress.show(done, total));
    drop(progress);
    match flags.format {
        EvalFormat::Json => {
            let json = serde_json::to_string(&measures);
            say(&json.map_err(|error| Failure::new(format!("could not write the figures as JSON: {error}")))?)
        }
        EvalFormat::Table => table(&measures, corpus.cases.len()),
        EvalFormat::Markdown => say(&measures.markdown()),
    }
}

fn table(measures: &Measures, cases: usize) -> Result<(), Failure> {
    let (faults, approved) = (measures.faults(), measures.approved());
    say(&format!(
        "{} faults of {} kinds in {} reports, and {} true texts\n",
        count(faults),
        measures.kinds.len(),
        count(cases as u64),
        count(measures.builtin.texts + measures.paraphrases.texts)
    ))?;
    say("kind                         class      cases  refused  review  noted  approved")?;
    for kind in &measures.kinds {
        let mark = if kind.is_within_limit() { "" } else { "  over the limit" };
        say(&format!(
            "{:<27}  {:<9}  {:>5}  {:>7}  {:>6}  {:>5}  {:>3} {:>5.1} %{mark}",
            kind.kind,
            kind.class.as_str(),
            count(kind.cases),
            count(kind.refused),
            count(kind.review),
            count(kind.noted),
            count(kind.approved),
            kind.approved_percent()
        ))?;
        kind.shown.iter().try_for_each(print_shown)?;
    }
    say(&format!(
        "\n{} of {} faults were approved ({:.2} %); {} of {} kinds exceed the limit",
        count(approved),
        count(faults),
        100.0 * approved as f64 / faults.max(1) as f64,
        measures.kinds.iter().filter(|kind| !kind.is_within_limit()).count(),
        measures.kinds.len()
    ))?;
    say("\ntrue texts        texts  refused")?;
    for (name, texts) in [("built-in writer", &measures.builtin), ("paraphrases", &measures.paraphrases)] {
        say(&format!(
            "{name:<16}  {:>5}  {:>7} {:>5.1} %",
            count(texts.texts),
            count(texts.refused),
            texts.refused_percent()
        ))?;
        texts.shown.iter().try_for_each(print_shown)?;
    }
    Ok(())
}

fn print_shown(shown: &ShownCase) -> Result<(), Failure> {
    say(&format!("    {} of alert {}: {}", shown.section.as_str(), shown.alert, shown.said))?;
    say(&format!("      in: {}", shown.text))
}
