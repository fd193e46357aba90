//! Makes sure that the dashboard's folder exists, and that a release build is repeated when its content changes.
//!
//! A release build embeds the dashboard's files; a debug build reads them at run time.

use std::{env, fs};

const DASHBOARD: &str = "../../web/dist";

fn main() {
    // Create the folder if it is missing: then a debug build finds files that are built later, and cargo, which treats a missing
    // path as changed, doesn't rebuild each time. If this fails, only these two benefits are lost.
    let _ = fs::create_dir_all(DASHBOARD);
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={DASHBOARD}");
    }
}
