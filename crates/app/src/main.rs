//! The binary. Everything it does is in the library beside it.

use std::process::ExitCode;

/// Requests are allocated on one thread and freed on another all the time, which the system's allocator does badly.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    countersign::cli::main()
}
