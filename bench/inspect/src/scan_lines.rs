//! Prints the findings of structured personal data for each line of standard input.

use std::io::{self, BufRead, Write};

use countersign_inspect::inspect_pii;
use serde_json::{Value, json};

pub(crate) fn run() {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let row: Value = serde_json::from_str(&line.expect("a readable line")).expect("a line of JSON");
        let findings = inspect_pii(row["text"].as_str().unwrap_or_default());
        writeln!(out, "{}", json!({ "id": row["id"], "findings": findings })).expect("an open output");
    }
}
