//! Renders the tables of `docs/accuracy/supervisor.md`.

use countersign_text::numbers::with_thousands;

use crate::{FaultClass, Measures, TextMeasure};

impl Measures {
    /// The measurement as Markdown, with the worst kinds first.
    pub fn markdown(&self) -> String {
        let (faults, approved) = (self.faults(), self.approved());
        let mut lines = vec![
            format!(
                "{} faults of {} kinds. {} were approved ({:.2} %).",
                count(faults),
                self.kinds.len(),
                count(approved),
                100.0 * approved as f64 / faults.max(1) as f64
            ),
            String::new(),
            "| true texts | texts | refused | |".to_owned(),
            "|---|---:|---:|---:|".to_owned(),
            texts("sections of the built-in writer", &self.builtin),
            texts("paraphrases", &self.paraphrases),
            String::new(),
            "| kind | what is wrong | class | cases | refused | sent to review | noted | approved | |".to_owned(),
            "|---|---|---|---:|---:|---:|---:|---:|---:|".to_owned(),
        ];
        lines.extend(self.kinds.iter().map(|kind| {
            format!(
                "| {} | {} | {} | {} | {} | {} | {} | {} | {:.1} % |",
                kind.kind.replace('_', " "),
                kind.about,
                kind.class.as_str(),
                count(kind.cases),
                count(kind.refused),
                count(kind.review),
                if kind.class == FaultClass::Structure { count(kind.noted) } else { String::new() },
                count(kind.approved),
                kind.approved_percent()
            )
        }));
        lines.join("\n")
    }

    pub fn faults(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.cases).sum()
    }

    pub fn approved(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.approved).sum()
    }
}

fn texts(name: &str, texts: &TextMeasure) -> String {
    format!("| {name} | {} | {} | {:.1} % |", count(texts.texts), count(texts.refused), texts.refused_percent())
}

fn count(number: u64) -> String {
    with_thousands(&number.to_string())
}
