//! `countersign eval supervisor`: how many faults of each kind get past the fact check and the supervisor's rules.

use countersign_corpus::{Class, Corpus, KindMeasure, Measures, Shown, TextMeasure, measure};

use crate::cli::{
    arguments::{EvalFormat, EvalSupervisor},
    count,
    failure::Failure,
    progress::Progress,
    say,
};

pub(super) fn run(flags: &EvalSupervisor) -> Result<(), Failure> {
    let corpus = Corpus::build();
    let mut progress = Progress::new("Judging", "texts");
    let measures = measure(&corpus, flags.show.unwrap_or(0), |done, total| progress.show(done, total));
    drop(progress);
    match flags.format {
        EvalFormat::Json => {
            let json = serde_json::to_string(&measures);
            say(&json.map_err(|error| Failure::new(format!("the figures have no JSON form: {error}")))?)
        }
        EvalFormat::Table => table(&measures, corpus.subjects.len()),
        EvalFormat::Markdown => markdown(&measures, corpus.subjects.len()),
    }
}

fn table(measures: &Measures, cases: usize) -> Result<(), Failure> {
    let totals = Totals::of(measures);
    say(&format!(
        "{} faults of {} kinds in {} reports, and {} true texts\n",
        count(totals.faults),
        measures.kinds.len(),
        count(cases as u64),
        count(measures.builtin.texts + measures.paraphrases.texts)
    ))?;
    say("kind                         class      cases  refused  review  noted  approved")?;
    for kind in &measures.kinds {
        let mark = if kind.meets_aim() { "" } else { "  over its aim" };
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
        "\n{} of {} faults were approved ({:.2} %); {} of {} kinds are over their aim",
        count(totals.approved),
        count(totals.faults),
        totals.percent(),
        totals.over,
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

fn print_shown(shown: &Shown) -> Result<(), Failure> {
    say(&format!("    {} of alert {}: {}", shown.section.as_str(), shown.alert, shown.said))?;
    say(&format!("      in: {}", shown.text))
}

struct Totals {
    faults: u64,
    approved: u64,
    over: usize,
}

impl Totals {
    fn of(measures: &Measures) -> Self {
        let sum = |of: fn(&KindMeasure) -> u64| measures.kinds.iter().map(of).sum();
        Self {
            faults: sum(|kind| kind.cases),
            approved: sum(|kind| kind.approved),
            over: measures.kinds.iter().filter(|kind| !kind.meets_aim()).count(),
        }
    }

    fn percent(&self) -> f64 {
        100.0 * self.approved as f64 / self.faults.max(1) as f64
    }
}

/// The tables of `docs/accuracy/supervisor.md`.
fn markdown(measures: &Measures, cases: usize) -> Result<(), Failure> {
    let totals = Totals::of(measures);
    say(&format!(
        "{} faults of {} kinds in the reports of {} cases. {} were approved ({:.2} %).\n",
        count(totals.faults),
        measures.kinds.len(),
        count(cases as u64),
        count(totals.approved),
        totals.percent()
    ))?;
    say("| true texts | texts | refused | |")?;
    say("|---|---:|---:|---:|")?;
    let row = |name: &str, texts: &TextMeasure| {
        format!("| {name} | {} | {} | {:.1} % |", count(texts.texts), count(texts.refused), texts.refused_percent())
    };
    say(&row("sections of the built-in writer", &measures.builtin))?;
    say(&row("paraphrases", &measures.paraphrases))?;
    say(
        "\n| kind | what is wrong | class | cases | refused by the fact check | sent to review | noted | approved | |",
    )?;
    say("|---|---|---|---:|---:|---:|---:|---:|---:|")?;
    for kind in &measures.kinds {
        say(&format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} % |",
            kind.kind.replace('_', " "),
            kind.about,
            kind.class.as_str(),
            count(kind.cases),
            count(kind.refused),
            count(kind.review),
            if kind.class == Class::Structure { count(kind.noted) } else { String::new() },
            count(kind.approved),
            kind.approved_percent()
        ))?;
    }
    Ok(())
}
