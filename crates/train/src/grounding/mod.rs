//! Trains and cross-validates the judgement whether a context supports a text.

mod boost;
mod business;
mod corrupt;
mod figures;
mod rows;

use std::{io, path::Path};

use boost::{Options, boost};
use countersign_inspect::support::training::FEATURES;
use rows::Example;

const OPTIONS: Options =
    Options { trees: 320, rate: 0.04, l2: 4.0, leaf_least: 40.0, rows_percent: 70, features_percent: 25, seed: 11 };

pub(crate) fn run(data: &Path, out: Option<&Path>) -> io::Result<()> {
    if std::env::var("DUMP").is_ok() { return dump(data); }
    let mut examples = rows::read(data)?;
    if std::env::var("QUANT").is_ok() {
        for (n, (name, _)) in FEATURES.iter().enumerate() {
            print!("{name:<26}");
            for (file, ..) in rows::FILES { for lab in [false, true] {
                let mut v: Vec<f32> = examples.iter().filter(|e| e.file == file && e.ungrounded == lab).map(|e| e.values[n]).collect();
                v.sort_by(f32::total_cmp);
                print!(" {:.2}/{:.2}/{:.2}", v[v.len()/10], v[v.len()/2], v[v.len()*9/10]);
            } print!(" |"); }
            println!();
        }
    }
    if std::env::var("PAIR").is_ok() {
        for (n, (name, _)) in FEATURES.iter().enumerate() {
            let (mut good, mut all) = (0.0, 0.0_f32);
            let s: Vec<_> = examples.iter().filter(|e| e.file.starts_with("summ")).collect();
            for a in s.iter().filter(|e| e.ungrounded) { for b in s.iter().filter(|e| !e.ungrounded && e.balance == a.balance) {
                all += 1.0; good += if a.values[n] > b.values[n] { 1.0 } else if a.values[n] == b.values[n] { 0.5 } else { 0.0 };
            } }
            println!("{:.3} {name}", good / all);
        }
        return Ok(());
    }
    if let Ok(drop) = std::env::var("DROP") {
        for name in drop.split(',') { let (name, floor) = name.split_once('=').map_or((name, None), |(n, f)| (n, f.parse::<f32>().ok())); if let Some(n) = FEATURES.iter().position(|(f, _)| *f == name) { examples.iter_mut().for_each(|e| e.values[n] = match floor { Some(f) if f < 0.0 => e.values[n].min(-f), Some(f) => e.values[n].max(f), None => 0.0 }); } }
    }
    let monotone: Vec<i8> = FEATURES.iter().map(|(_, direction)| *direction).collect();
    let train = |kept: &dyn Fn(&Example) -> bool| boost(&rows::weighted(examples.iter().filter(|e| e.trains && kept(e))), &monotone, OPTIONS);
    figures::held_out(&examples, &train);
    let model = train(&|_| true);
    figures::importance(&model);
    if let Some(out) = out {
        std::fs::write(out.join("grounding.bin"), model.to_bytes())?;
    }
    Ok(())
}
#[expect(clippy::print_stdout, reason = "temporary")]
pub(crate) fn dump(data: &Path) -> io::Result<()> {
    for line in rows::lines(data, "summedits_evaluation.jsonl.gz")? {
        println!("{}\t{}\t{}\t{}", line.label, line.source, line.id, countersign_inspect::support::debug(&line.text, &line.context));
    }
    Ok(())
}
