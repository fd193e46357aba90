//! Measures how much the tagger marks in ordinary texts, whose names are not labelled. Some of them contain names, so this
//! is an upper bound on false positives.

use std::{collections::BTreeMap, io, path::Path, time::Instant};

use countersign_inspect::training::names::TrialTagger;
use serde::Deserialize;

use crate::data;

#[derive(Deserialize)]
struct UnlabelledText {
    text: String,
    label: u8,
}

const FILES: [&str; 3] =
    ["injection/parapet_mixed.jsonl.gz", "toxicity/jigsaw_wikipedia.jsonl", "toxicity/surge.jsonl"];

#[expect(clippy::print_stdout, reason = "a command for developers")]
pub(crate) fn print(data: &Path, tagger: &TrialTagger) -> io::Result<()> {
    for file in FILES {
        let rows: Vec<UnlabelledText> =
            data::rows::<UnlabelledText>(data, file)?.into_iter().filter(|row| row.label == 0).collect();
        let bytes: usize = rows.iter().map(|row| row.text.len()).sum();
        let mut by_type: BTreeMap<&str, usize> = BTreeMap::new();
        let mut marked = 0;
        let start = Instant::now();
        for row in &rows {
            let found = tagger.tag(&row.text);
            marked += usize::from(!found.is_empty());
            for (_, r#type) in found {
                *by_type.entry(r#type).or_default() += 1;
            }
        }
        let speed = bytes as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!("{file}: {marked} of {} texts marked ({} kB, {speed:.0} MB/s): {by_type:?}", rows.len(), bytes / 1000);
    }
    Ok(())
}
