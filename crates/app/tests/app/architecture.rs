//! Checks which crates, and which rooms of a crate, may depend on each other. Reads the sources and fails on any dependency that
//! is not listed, so that a new dependency is a decision and not an accident.
//!
//! Test modules are skipped, because tests may use any room.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

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
const TOOLS: &[(&str, &[&str])] = &[("fake-provider", &["text"]), ("train", &["inspect", "measure", "text"])];

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
        assert!(is_tool || drawn.contains(&*name), "crates/{name} is missing in the picture of ARCHITECTURE.md");
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

#[test]
fn only_the_sqlite_backend_uses_sqlite() {
    let mut wrong = Vec::new();
    for file in sources("store").iter().filter(|file| file.module.first().is_none_or(|room| room != "sqlite")) {
        let is_front = file.module.first().is_none_or(|room| room == "store");
        for (line, path) in &file.paths {
            let names_rusqlite = path.first().is_some_and(|first| first == "rusqlite");
            if names_rusqlite {
                wrong.push(format!(
                    "{}:{line}: only crates/store/src/sqlite/ may name rusqlite. Do this there, and return a type of the store's.",
                    file.name
                ));
            }
            let names_backend =
                file.absolute(path).is_some_and(|path| path.first().is_some_and(|room| room == "sqlite"));
            if names_backend && !is_front {
                wrong.push(format!(
                    "{}:{line}: only the store's front (store.rs, store/, lib.rs) may name crate::sqlite. Move what both need \
                     out of sqlite/.",
                    file.name
                ));
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

/// The arrows between the rooms of a crate.
fn arrows(name: &str) -> Vec<Arrow> {
    let files = sources(name);
    let exports = root_exports(&files);
    let mut arrows = Vec::new();
    for file in &files {
        let Some(from) = room_of(&file.module) else { continue };
        for (line, path) in &file.paths {
            let Some(mut absolute) = file.absolute(path) else { continue };
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

struct SourceFile {
    /// Relative to the workspace.
    name: String,
    module: Vec<String>,
    /// Paths as they are written, with their lines; `use` trees are expanded.
    paths: Vec<(usize, Vec<String>)>,
}

impl SourceFile {
    /// A path from the crate's root; `None` for a path into another crate or into this module.
    fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut at = match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" | "super" => self.module.clone(),
            _ => return None,
        };
        let mut rest = path;
        while let Some((first, after)) = rest.split_first().filter(|(first, _)| *first == "super" || *first == "self") {
            if first == "super" {
                at.pop();
            }
            rest = after;
        }
        at.extend_from_slice(rest);
        Some(at)
    }
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
        let mut section = "";
        let mut uses = Vec::new();
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line;
            } else if section.ends_with("dependencies]") && !section.contains("dev-dependencies") {
                let name = line.strip_prefix("countersign-").and_then(|rest| rest.split(['.', ' ', '=']).next());
                uses.extend(name.map(str::to_owned));
            }
        }
        crates.push((folder.file_name().unwrap().to_str().unwrap().to_owned(), uses));
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

/// The sources of a crate, without its tests.
fn sources(name: &str) -> Vec<SourceFile> {
    let root = workspace();
    let src = root.join("crates").join(name).join("src");
    let mut files = Vec::new();
    let mut folders = vec![src.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    let files: Vec<SourceFile> = files
        .into_iter()
        .filter_map(|path| {
            let relative = path.strip_prefix(&src).unwrap().with_extension("");
            let mut module: Vec<String> = relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
            if module.iter().any(|part| part == "tests") {
                return None;
            }
            if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
                module.pop();
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            Some(SourceFile { name, module, paths: paths(&fs::read_to_string(&path).unwrap()) })
        })
        .collect();
    assert!(files.len() > 5, "{name} has few sources");
    files
}

/// A token of Rust source, and its line.
type Token = (usize, String);

/// All imports of a file and all paths of two or more names, except in test modules.
fn paths(source: &str) -> Vec<(usize, Vec<String>)> {
    let tokens = without_tests(tokens(source));
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((line, token)) = tokens.get(at) {
        if token == "use" {
            at = expand(&tokens, at + 1, &[], &mut found);
        } else if token == "pub" && tokens.get(at + 2).is_some_and(|(_, token)| token == "in") {
            // Skip visibilities such as `pub(in crate::http)`: they are not dependencies.
            while tokens.get(at).is_some_and(|(_, token)| token != ")") {
                at += 1;
            }
        } else if is_name(token) {
            let mut path = vec![token.clone()];
            at += 1;
            while tokens.get(at).is_some_and(|(_, token)| token == "::")
                && let Some((_, name)) = tokens.get(at + 1).filter(|(_, token)| is_name(token))
            {
                path.push(name.clone());
                at += 2;
            }
            if path.len() > 1 {
                found.push((*line, path));
            }
        } else {
            at += 1;
        }
    }
    found
}

/// Reads one branch of a `use` tree and returns the position after it.
fn expand(tokens: &[Token], mut at: usize, prefix: &[String], found: &mut Vec<(usize, Vec<String>)>) -> usize {
    let mut path = prefix.to_vec();
    let line = tokens.get(at).map_or(0, |(line, _)| *line);
    while let Some((_, token)) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|(_, token)| token != "}") {
                    at = expand(tokens, at, &path, found);
                    if tokens.get(at).is_some_and(|(_, token)| token == ",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            "," | "}" | ";" => break,
            "as" => at += 2,
            name => {
                if is_name(name) {
                    path.push(name.to_owned());
                }
                at += 1;
            }
        }
    }
    found.push((line, path));
    at
}

fn is_name(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
}

/// Removes each item marked `#[cfg(test)]`: a module, a function or an import.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_mark = tokens[at..].iter().zip(MARK).filter(|((_, token), mark)| token == mark).count() == MARK.len();
        if !is_mark {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0;
        while let Some((_, token)) = tokens.get(at) {
            at += 1;
            match token.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && (token == "}" || token == ";") {
                break;
            }
        }
    }
    kept
}

/// Splits source text into tokens, without comments and the contents of string literals.
fn tokens(source: &str) -> Vec<Token> {
    let letters: Vec<char> = source.chars().collect();
    let mut tokens = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(&letter) = letters.get(at) {
        let next = letters.get(at + 1).copied();
        let start = at;
        match letter {
            '/' if next == Some('/') => at = end_of(&letters, at, |rest| rest.starts_with(&['\n'])),
            '/' if next == Some('*') => at = end_of(&letters, at, |rest| rest.starts_with(&['*', '/'])) + 2,
            '"' => at = end_of_string(&letters, at),
            'r' if matches!(next, Some('"' | '#')) && raw_string(&letters, at).is_some() => {
                at = raw_string(&letters, at).unwrap();
            }
            '\'' => at = end_of_quote(&letters, at),
            ':' if next == Some(':') => {
                tokens.push((line, "::".to_owned()));
                at += 2;
            }
            letter if letter.is_ascii_alphanumeric() || letter == '_' => {
                at = end_of(&letters, at, |rest| !(rest[0].is_ascii_alphanumeric() || rest[0] == '_'));
                tokens.push((line, letters[start..at].iter().collect()));
            }
            letter => {
                if !letter.is_whitespace() {
                    tokens.push((line, letter.to_string()));
                }
                at += 1;
            }
        }
        line += letters[start..at.min(letters.len())].iter().filter(|letter| **letter == '\n').count();
    }
    tokens
}

/// The first position after `at` where `is_end` holds, or the end of the file.
fn end_of(letters: &[char], at: usize, is_end: impl Fn(&[char]) -> bool) -> usize {
    (at + 1..letters.len()).find(|at| is_end(&letters[*at..])).unwrap_or(letters.len())
}

fn end_of_string(letters: &[char], mut at: usize) -> usize {
    at += 1;
    while let Some(letter) = letters.get(at) {
        match letter {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// The end of `r"…"` or `r#"…"#`. `None` if the `r` starts a name.
fn raw_string(letters: &[char], at: usize) -> Option<usize> {
    let hashes = letters[at + 1..].iter().take_while(|letter| **letter == '#').count();
    (letters.get(at + 1 + hashes) == Some(&'"')).then_some(())?;
    let mut end = vec!['"'];
    end.resize(hashes + 1, '#');
    Some(end_of(letters, at + 1 + hashes, |rest| rest.starts_with(&end)) + end.len())
}

/// The end of a character literal, or of the quote that starts a lifetime.
fn end_of_quote(letters: &[char], at: usize) -> usize {
    match (letters.get(at + 1), letters.get(at + 2)) {
        (Some('\\'), _) => end_of(letters, at + 2, |rest| rest[0] == '\'') + 1,
        (Some(_), Some('\'')) => at + 3,
        _ => at + 1,
    }
}

#[test]
fn paths_are_found_in_code_but_not_in_comments_strings_and_tests() {
    let source = r###"
        //! crate::comment::here
        use crate::{a::B, c::{self, d::{E, F as G}}, h};
        use super::super::up;
        pub(in crate::no) fn f<'a>(text: &'a str) -> crate::i::J {
            let quoted = "crate::no"; let raw = r#"crate::"no"#; let letter = '"';
            /* crate::no */ super::k::l(letter)
        }
        #[cfg(test)]
        mod tests { use crate::no; fn f() { crate::no::x(); } }
        use rusqlite::Error;
    "###;
    let found: Vec<String> = paths(source).into_iter().map(|(_, path)| path.join("::")).collect();
    assert_eq!(
        found,
        [
            "crate::a::B",
            "crate::c::self",
            "crate::c::d::E",
            "crate::c::d::F",
            "crate::h",
            "super::super::up",
            "crate::i::J",
            "super::k::l",
            "rusqlite::Error",
        ]
    );
    assert_eq!(paths("x\n\nuse a::b;")[0].0, 3, "lines are counted from one");
}

#[test]
fn paths_are_resolved_relative_to_their_module() {
    let check = |module: &[&str], path: &str, absolute: Option<&str>| {
        let module = module.iter().map(|part| (*part).to_owned()).collect();
        let file = SourceFile { name: String::new(), module, paths: Vec::new() };
        let path: Vec<String> = path.split("::").map(str::to_owned).collect();
        assert_eq!(file.absolute(&path).map(|path| path.join("::")).as_deref(), absolute, "{path:?}");
    };
    check(&["http", "routes", "alerts"], "super::super::edge::App", Some("http::edge::App"));
    check(&["http", "routes"], "self::alerts::row", Some("http::routes::alerts::row"));
    check(&["live"], "super::keys::KeyRing", Some("keys::KeyRing"));
    check(&["live"], "crate::keys", Some("keys"));
    check(&["live"], "serde::Serialize", None);
}
