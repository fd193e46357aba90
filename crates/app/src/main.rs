//! The binary. All its code is in the library.

use std::process::ExitCode;

/// Memory of requests is often allocated on one thread and freed on another, which is slow with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    countersign::cli::main()
}
