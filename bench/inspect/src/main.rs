//! Measures the speed of the inspectors on texts made from a seed.
//!
//! ```text
//! countersign-bench-inspect              megabytes and documents a second, on one core
//! countersign-bench-inspect scan         JSON Lines {"id","text"} in, {"id","findings"} out: for comparisons with other scanners
//! countersign-bench-inspect callgrind    counts instructions under valgrind and writes them to callgrind.txt
//! countersign-bench-inspect callgrind --check    the same, but fails if a count has risen by more than 5 %
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that can't run should fail loudly"
)]
#![allow(clippy::print_stdout, reason = "printing is its job")]

mod instructions;
mod scan_lines;
mod speed;
mod texts;

use std::process::ExitCode;

/// Use the same allocator as countersign.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => speed::run(),
        ["scan"] => scan_lines::run(),
        ["callgrind"] => instructions::write(),
        ["callgrind", "--check"] => return instructions::check(),
        ["work", name] => speed::once(name),
        _ => {
            println!("usage: countersign-bench-inspect [scan | callgrind [--check]]");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
