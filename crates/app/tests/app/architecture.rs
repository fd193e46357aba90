//! Checks which crates, and which rooms of a crate, may depend on each other. Reads the sources and fails on any dependency that
//! is not listed, so that a new dependency is a decision and not an accident.
//!
//! Test modules are skipped, because tests may use any room.

mod sources;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use sources::{SourceFile, sources};

/// The rooms of the app, from the top down, and what each may use.
const APP: &[(&str, &[&str])] = &[
    ("main", &["cli"]),
    (
        "cli",
        &[
            "background",
            "connections",
            "demo",
            "investigations",
            "keys",
            "probe",
            "server",
            "telemetry",
            "wiring",
            "witness",
            "witnesses",
        ],
    ),
    ("server", &["answers", "background", "connections", "http", "keys", "wiring"]),
    ("http", &["connections", "http/edge", "http/routes", "live"]),
    (
        "http/routes",
        &[
            "answers",
            "docs",
            "gateway",
            "http/edge",
            "investigations",
            "json_errors",
            "keys",
            "live",
            "metrics",
            "sessions",
            "witnesses",
        ],
    ),
    (
        "http/edge",
        &[
            "answers",
            "connections",
            "docs",
            "investigations",
            "json_errors",
            "keys",
            "live",
            "masking",
            "metrics",
            "panics",
            "probe",
            "sessions",
            "witnesses",
        ],
    ),
    ("demo", &["answers"]),
    ("wiring", &["answers", "background", "investigations", "probe", "witnesses"]),
    ("metrics", &["answers", "investigations"]),
    ("gateway", &["answers", "json_errors", "json_parts", "key_leaks"]),
    ("live", &["masking"]),
    ("sessions", &["keys"]),
    ("background", &["panics"]),
    ("witness", &["connections"]),
    ("answers", &["key_leaks"]),
    ("key_leaks", &["json_parts"]),
    ("connections", &[]),
    ("docs", &[]),
    ("investigations", &[]),
    ("json_errors", &[]),
    ("json_parts", &[]),
    ("keys", &[]),
    ("masking", &[]),
    ("panics", &[]),
    ("probe", &[]),
    ("telemetry", &[]),
    ("witnesses", &[]),
];

/// The rooms that agents share, and what those rooms may use. Every other room of `crates/agents` is an agent, which may use these
/// rooms and no other agent.
const SHARED_BY_AGENTS: &[(&str, &[&str])] = &[
    ("model_calls", &["runtime"]),
    ("runtime", &["observation"]),
    ("casefile", &[]),
    ("marker", &[]),
    ("observation", &[]),
];

/// Tools that are not part of the program, and so not in the picture in ARCHITECTURE.md.
const TOOLS: &[(&str, &[&str])] =
    &[("fake-provider", &["text"]), ("test-store", &["store"]), ("train", &["inspect", "measure", "text"])];

#[test]
fn crates_use_only_what_the_picture_shows() {
    let picture = Picture::read();
    let mut wrong = Vec::new();
    for (name, uses) in crates() {
        for used in uses {
            let is_drawn = picture.leads(&name, &used);
            let is_tool = TOOLS.iter().any(|(tool, may_use)| *tool == name && may_use.contains(&&*used));
            if !(is_drawn || is_tool) {
                wrong.push(format!(
                    "crates/{name}/Cargo.toml: {name} -> {used} is not in the picture of ARCHITECTURE.md. Move what both need \
                     into a crate that both may use, or draw the arrow there."
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_picture_has_no_cycle_and_names_every_crate() {
    let picture = Picture::read();
    for name in picture.arrows.keys() {
        assert!(!picture.leads(name, name), "{name} is part of a cycle in the picture of ARCHITECTURE.md");
    }
    let drawn: BTreeSet<&str> =
        picture.arrows.iter().flat_map(|(from, to)| to.iter().chain([from])).map(String::as_str).collect();
    for (name, _) in crates() {
        let is_tool = TOOLS.iter().any(|(tool, _)| *tool == name);
        assert!(is_tool || drawn.contains(&*name), "crates/{name} is missing from the diagram in ARCHITECTURE.md");
    }
}

#[test]
fn rooms_of_the_app_use_only_the_rooms_listed_for_them() {
    let may_use: BTreeMap<&str, &[&str]> = APP.iter().copied().collect();
    let mut wrong = Vec::new();
    for arrow in arrows("app") {
        let Some(allowed) = may_use.get(&*arrow.from) else {
            wrong.push(format!("{}: the room {} is new; add it to APP in {}", arrow.file, arrow.from, file!()));
            continue;
        };
        if !allowed.contains(&&*arrow.to) {
            wrong.push(arrow.explain(&format!("{} may use: {}.", arrow.from, allowed.join(", "))));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// If every room only uses rooms listed after it, there can be no cycle.
#[test]
fn the_rooms_of_the_app_have_no_cycle() {
    for (index, (room, may_use)) in APP.iter().enumerate() {
        for used in *may_use {
            let is_below = APP.iter().skip(index + 1).any(|(below, _)| below == used);
            assert!(is_below, "{room} -> {used}: in APP, a room may only use rooms that are listed after it");
        }
    }
}

#[test]
fn agents_do_not_use_each_other() {
    let shared: BTreeMap<&str, &[&str]> = SHARED_BY_AGENTS.iter().copied().collect();
    let all: Vec<&str> = shared.keys().copied().collect();
    let mut wrong = Vec::new();
    for arrow in arrows("agents") {
        let allowed = shared.get(&*arrow.from).map_or(&*all, |may_use| *may_use);
        if !allowed.contains(&&*arrow.to) {
            wrong.push(arrow.explain(&format!("{} may use: {}.", arrow.from, allowed.join(", "))));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// The rooms of the store's backends, and the libraries that only they may name.
const BACKENDS: [(&str, &[&str]); 2] =
    [("sqlite", &["rusqlite"]), ("postgres", &["tokio_postgres", "deadpool_postgres", "tokio_postgres_rustls"])];

#[test]
fn a_backends_library_stays_in_its_room() {
    let mut wrong = Vec::new();
    for file in sources("store") {
        let is_front = file.module.first().is_none_or(|room| room == "store");
        for (backend, libraries) in BACKENDS {
            if file.module.first().is_some_and(|room| room == backend) {
                continue;
            }
            for (line, path) in &file.paths {
                if let Some(library) = path.first().filter(|first| libraries.contains(&first.as_str())) {
                    wrong.push(format!(
                        "{}:{line}: only crates/store/src/{backend}/ may name {library}. Do this there, and return a type \
                         of the store's.",
                        file.name
                    ));
                }
                let names_backend =
                    file.absolute(path).is_some_and(|path| path.first().is_some_and(|room| room == backend));
                if names_backend && !is_front {
                    wrong.push(format!(
                        "{}:{line}: only the store's front (store.rs, store/, lib.rs) may name crate::{backend}. Move what \
                         both need out of {backend}/.",
                        file.name
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// One room of a crate that uses another.
struct Arrow {
    file: String,
    line: usize,
    from: String,
    to: String,
    path: String,
}

impl Arrow {
    fn explain(&self, allowed: &str) -> String {
        let Self { file, line, from, to, path } = self;
        format!(
            "{file}:{line}: {from} -> {to} (`{path}`) is a new arrow. {allowed} Move what both need into a room that both may use, \
             or pass it in. If the arrow is right, list it in {}.",
            file!()
        )
    }
}

/// What an import such as `use crate::*` or `use crate as root` uses. No room may.
const WHOLE_CRATE: &str = "the whole crate";

/// The arrows between the rooms of a crate.
fn arrows(name: &str) -> Vec<Arrow> {
    let files = sources(name);
    let exports = root_exports(&files);
    let mut arrows = Vec::new();
    for file in &files {
        let Some(from) = room_of(&file.module) else { continue };
        for (line, path) in &file.paths {
            let Some(mut absolute) = file.absolute(path) else { continue };
            if absolute.is_empty() {
                // A glob or another name for the root would hide what is used.
                absolute = vec![WHOLE_CRATE.to_owned()];
            }
            if let Some(module) = absolute.first().and_then(|name| exports.get(name)) {
                absolute = module.clone();
            }
            if let Some(to) = room_of(&absolute).filter(|to| *to != from) {
                arrows.push(Arrow {
                    file: file.name.clone(),
                    line: *line,
                    from: from.clone(),
                    to,
                    path: path.join("::"),
                });
            }
        }
    }
    arrows
}

/// A room is a module of the crate's root, and each half of `http` is one. `None` for the root itself.
fn room_of(path: &[String]) -> Option<String> {
    match path {
        [] => None,
        [http, half, ..] if http == "http" && (half == "edge" || half == "routes") => Some(format!("http/{half}")),
        [room, ..] => Some(room.clone()),
    }
}

/// Items that `lib.rs` re-exports: their names, and the modules that they come from.
fn root_exports(files: &[SourceFile]) -> BTreeMap<String, Vec<String>> {
    let root = files.iter().find(|file| file.module.is_empty()).expect("a crate has a lib.rs");
    let exported = root.paths.iter().filter(|(_, path)| path.len() > 1);
    exported.filter_map(|(_, path)| Some((path.last()?.clone(), path.clone()))).collect()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// All crates of the workspace, each with its non-test dependencies on other crates of the workspace.
fn crates() -> Vec<(String, Vec<String>)> {
    let mut crates = Vec::new();
    for entry in fs::read_dir(workspace().join("crates")).unwrap() {
        let folder = entry.unwrap().path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let manifest: toml::Table = manifest.parse().unwrap();
        let targets = manifest.get("target").and_then(toml::Value::as_table);
        let sections = targets.into_iter().flatten().filter_map(|(_, target)| target.as_table()).chain([&manifest]);
        let uses = sections.flat_map(|section| {
            let of_kind = |kind: &str| section.get(kind).and_then(toml::Value::as_table);
            ["dependencies", "build-dependencies"].into_iter().filter_map(of_kind).flatten()
        });
        let uses = uses.filter_map(|(name, dependency)| {
            let package = dependency.get("package").and_then(toml::Value::as_str).unwrap_or(name);
            package.strip_prefix("countersign-").map(str::to_owned)
        });
        crates.push((folder.file_name().unwrap().to_str().unwrap().to_owned(), uses.collect()));
    }
    assert!(crates.len() > 10, "{crates:?}");
    crates.sort();
    crates
}

/// The picture of the rooms in ARCHITECTURE.md.
struct Picture {
    arrows: BTreeMap<String, Vec<String>>,
}

impl Picture {
    fn read() -> Self {
        let text = fs::read_to_string(workspace().join("ARCHITECTURE.md")).unwrap();
        let picture = text.split("```mermaid").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        let mut arrows: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (from, to) in picture.lines().filter_map(|line| line.split_once("-->")) {
            let names = |side: &str| side.split('&').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
            for from in names(from) {
                arrows.entry(from).or_default().extend(names(to));
            }
        }
        assert!(!arrows.is_empty());
        Self { arrows }
    }

    /// Whether one crate leads to another, directly or through others. The picture omits arrows that follow from others.
    fn leads(&self, from: &str, to: &str) -> bool {
        let mut waiting: Vec<&str> = vec![from];
        let mut known = BTreeSet::new();
        while let Some(name) = waiting.pop() {
            for next in self.arrows.get(name).into_iter().flatten() {
                if next == to {
                    return true;
                }
                if known.insert(next) {
                    waiting.push(next);
                }
            }
        }
        false
    }
}
