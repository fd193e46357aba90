//! Reads the paths that a crate's sources name: its imports, and every path of two or more names, also in the arguments of macros.
//! Code that is compiled only for tests is left out, because tests may use any room.

use std::{collections::BTreeSet, fs, path::PathBuf};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::workspace;

pub(super) struct SourceFile {
    /// Relative to the workspace.
    pub(super) name: String,
    pub(super) module: Vec<String>,
    /// Paths as they are written, with their lines; `use` trees are expanded.
    pub(super) paths: Vec<(usize, Vec<String>)>,
}

impl SourceFile {
    /// A path from the crate's root; `None` for a path into another crate or into this module.
    pub(super) fn absolute(&self, path: &[String]) -> Option<Vec<String>> {
        let mut at = match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            // The binary is a crate of its own, whose only module is the library.
            "countersign" if self.module == ["main"] => return Some(path[1..].to_vec()),
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

/// The sources of a crate, without its test modules.
pub(super) fn sources(name: &str) -> Vec<SourceFile> {
    let root = workspace();
    let src = root.join("crates").join(name).join("src");
    let mut files = Vec::new();
    let mut test_modules = BTreeSet::new();
    for path in rust_files(src.clone()) {
        let relative = path.strip_prefix(&src).unwrap().with_extension("");
        let mut module: Vec<String> = relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
            module.pop();
        }
        let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let code = Code::parse(&fs::read_to_string(&path).unwrap(), &name);
        test_modules.extend(code.test_modules.iter().map(|name| [&*module, std::slice::from_ref(name)].concat()));
        files.push(SourceFile { name, module, paths: code.paths() });
    }
    files.retain(|file| !(0..=file.module.len()).any(|depth| test_modules.contains(&file.module[..depth])));
    assert!(files.len() > 5, "{name} has few sources");
    files
}

fn rust_files(src: PathBuf) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![src];
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
    files
}

/// A token of Rust source, and its line.
type Token = (usize, String);

/// A file's tokens that are not only for tests.
struct Code {
    tokens: Vec<Token>,
    /// Modules that the file declares for tests alone.
    test_modules: Vec<String>,
}

impl Code {
    fn parse(source: &str, name: &str) -> Self {
        let mut all = Vec::new();
        flatten(source.parse().unwrap_or_else(|error| panic!("{name}: {error}")), &mut all);
        let hidden: [&[&str]; 5] = [
            &["include", "!"],
            &["#", "[", "path"],
            &["#", "[", "cfg_attr"],
            &["extern", "crate"],
            &["crate", "::", "$"],
        ];
        for hidden in hidden {
            assert!(
                !all.windows(hidden.len()).any(|tokens| is_at(tokens, hidden)),
                "{name}: {hidden:?} hides what is used"
            );
        }
        let mut code = Self { tokens: Vec::new(), test_modules: Vec::new() };
        let mut at = 0;
        while at < all.len() {
            if is_at(&all[at..], &["#", "[", "cfg", "(", "test", ")", "]"]) {
                let end = end_of_item(&all, at + 7);
                let item = &all[at + 7..end];
                let declared = item.windows(3).find(|tokens| tokens[0].1 == "mod" && tokens[2].1 == ";");
                code.test_modules.extend(declared.map(|tokens| tokens[1].1.clone()));
                at = end;
            } else {
                code.tokens.push(all[at].clone());
                at += 1;
            }
        }
        code
    }

    /// All imports, and all paths of two or more names.
    fn paths(&self) -> Vec<(usize, Vec<String>)> {
        let tokens = &self.tokens;
        let mut found = Vec::new();
        let mut at = 0;
        while let Some((line, token)) = tokens.get(at) {
            // `use<'a>` lists what a returned type captures.
            if token == "use" && tokens.get(at + 1).is_some_and(|(_, next)| next != "<") {
                at = expand(tokens, at + 1, &[], &mut found);
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
}

/// Lists all tokens in order, with the delimiters of groups as tokens and `::` as one.
fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for tree in stream {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                tokens.push((line, open.to_owned()));
                flatten(group.stream(), tokens);
                tokens.push((group.span_close().start().line, close.to_owned()));
            }
            TokenTree::Punct(punct) => match tokens.last_mut() {
                Some((_, last)) if last == ":" && punct.as_char() == ':' => last.push(':'),
                _ => tokens.push((line, punct.to_string())),
            },
            other => tokens.push((line, other.to_string())),
        }
    }
}

fn is_at(tokens: &[Token], texts: &[&str]) -> bool {
    tokens.len() >= texts.len() && tokens.iter().zip(texts).all(|((_, token), text)| token == text)
}

/// The position after an item, a field, a variant or a match arm.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    let mut depth = 0;
    for (at, (_, token)) in tokens.iter().enumerate().skip(start) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            // The end of the list that this is the last entry of.
            "}" | ")" | "]" if depth == 0 => return at,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(token.as_str(), "}" | ";" | ",") {
            return at + 1;
        }
    }
    tokens.len()
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
    token.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_') && !token.ends_with(['"', '\''])
}

#[test]
fn paths_are_found_in_code_but_not_in_comments_strings_and_tests() {
    let source = r###"
        //! crate::comment::here
        use crate::{a::B, c::{self, d::{E, F as G}}, h};
        use super::super::up;
        pub(in crate::no) fn f<'a>(text: &'a str) -> crate::i::J {
            let quoted = "crate::no"; let raw = br#"crate::"no"#; let letter = '"';
            /* crate::no */ log!(super::k::l(letter))
        }
        struct S { #[cfg(test)] field: crate::no::Field, other: crate::m::Field }
        #[cfg(test)]
        mod tests { use crate::no; fn f() { crate::no::x(); } }
        #[cfg(test)]
        mod samples;
        fn captures<'a>() -> impl Sized + use<'a> { crate::n::o() }
        use rusqlite::Error;
    "###;
    let code = Code::parse(source, "example");
    let found: Vec<String> = code.paths().into_iter().map(|(_, path)| path.join("::")).collect();
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
            "crate::m::Field",
            "crate::n::o",
            "rusqlite::Error",
        ]
    );
    assert_eq!(code.test_modules, ["samples"]);
    assert_eq!(Code::parse("x\n\nuse a::b;", "example").paths()[0].0, 3, "lines are counted from one");
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
    check(&["live"], "crate", Some(""));
    check(&["main"], "countersign::cli::main", Some("cli::main"));
    check(&["live"], "serde::Serialize", None);
}
