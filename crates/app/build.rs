//! Makes sure that the dashboard's folder is there to be looked into, and that a release build notices when it changes.
//!
//! A release build has the dashboard's files compiled in; a debug build reads them when it runs.

use std::{env, fs};

const DASHBOARD: &str = "../../web/dist";

fn main() {
    // An empty folder is as good as none, with two differences: a debug build finds what is built into it later, and
    // cargo, which takes a missing path for one that changed, doesn't compile everything again each time. Where it
    // can't be made, those two are all that is lost.
    let _ = fs::create_dir_all(DASHBOARD);
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("PROFILE").is_ok_and(|profile| profile == "release") {
        println!("cargo::rerun-if-changed={DASHBOARD}");
    }
}
