//! Measures each kind of work on one core: the best of several rounds, because other programs can only slow a round down.

use std::hint::black_box;
use std::time::Instant;

use countersign_inspect::{audit, inspect_pii};

use crate::texts::{self, Texts};

const ROUNDS: usize = 40;
const DOCUMENTS: usize = 500;

/// A kind of work: its name, how its texts are made, and what is done with them.
type Work = (&'static str, fn() -> Texts, fn(&Texts));

pub(crate) const ALL: [Work; 6] = [
    ("pii-records", || texts::records(DOCUMENTS), structured),
    ("pii-prose", || texts::prose(DOCUMENTS), structured),
    ("pii-numbers", || texts::numbers(DOCUMENTS), structured),
    ("all-records", || texts::records(DOCUMENTS), everything),
    ("all-prose", || texts::prose(DOCUMENTS), everything),
    ("grounding", || texts::grounded(8), grounding),
];

pub(crate) fn run() {
    println!("{:<12} {:>9} {:>10}", "work", "MB/s", "texts/s");
    for (name, make, work) in ALL {
        let made = make();
        work(&made);
        let seconds = (0..ROUNDS)
            .map(|_| {
                let start = Instant::now();
                work(&made);
                start.elapsed().as_secs_f64()
            })
            .fold(f64::INFINITY, f64::min);
        let megabytes = made.bytes() as f64 / 1e6;
        println!("{name:<12} {:>9.1} {:>10.0}", megabytes / seconds, made.texts.len() as f64 / seconds);
    }
}

/// One round of one kind of work, for a profiler.
pub(crate) fn once(name: &str) {
    let (_, make, work) = ALL.into_iter().find(|row| row.0 == name).expect("a known kind of work");
    work(&make());
}

fn structured(made: &Texts) {
    for text in &made.texts {
        black_box(inspect_pii(black_box(text)));
    }
}

fn everything(made: &Texts) {
    for text in &made.texts {
        black_box(audit(black_box(text), None));
    }
}

fn grounding(made: &Texts) {
    for text in &made.texts {
        black_box(audit(black_box(text), made.context.as_deref()));
    }
}
