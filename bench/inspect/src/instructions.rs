//! Counts instructions under valgrind. Unlike times, counts are nearly the same on every run, so an increase can fail a build.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use crate::speed;

/// The last recorded counts, which are committed with this crate.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/callgrind.txt");
const RISE_MAX_PERCENT: u64 = 5;

pub(crate) fn write() {
    let mut table = String::from(
        "# Instructions of one round of each kind of work; `countersign-bench-inspect callgrind` writes this.\n",
    );
    for (name, ..) in speed::ALL {
        writeln!(table, "{name} {}", count(name)).expect("writing to a string succeeds");
    }
    std::fs::write(FILE, &table).expect("a writable checkout");
    print!("{table}");
}

pub(crate) fn check() -> ExitCode {
    let recorded = std::fs::read_to_string(FILE).expect("the recorded counts");
    let before = |name: &str| recorded.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    let mut risen = false;
    for (name, ..) in speed::ALL {
        let (now, before) = (count(name), before(name));
        let rose = before.is_none_or(|before| now > before + before * RISE_MAX_PERCENT / 100);
        println!("{name:<12} {now:>14} was {:>14}{}", before.unwrap_or_default(), if rose { "  RISEN" } else { "" });
        risen |= rose;
    }
    if risen { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Instructions of a whole process, including those that generate the texts, which are the same for all versions.
fn count(name: &str) -> u64 {
    let this = std::env::current_exe().expect("a path to this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(Path::new(&this))
        .args(["work", name])
        .output()
        .expect("valgrind");
    let report = String::from_utf8_lossy(&output.stderr);
    let collected = report.lines().find_map(|line| line.split("Collected : ").nth(1));
    collected.and_then(|count| count.trim().parse().ok()).expect("a count of instructions")
}
