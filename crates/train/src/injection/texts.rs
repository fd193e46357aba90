//! Text patterns, one per line, which are expanded randomly but reproducibly.
//!
//! `(a|b)` chooses an alternative, `{name}` an entry from the list of that name (`name = a|b`), `\n` is a line break,
//! any other character after `\` is literal, `#` starts a comment.

use std::collections::HashMap;

use countersign_text::hash::SplitMix64;

pub(crate) struct Patterns {
    lists: HashMap<&'static str, Vec<&'static str>>,
    lines: Vec<&'static str>,
}

impl Patterns {
    pub(crate) fn new(source: &'static str) -> Self {
        let (mut lists, mut lines) = (HashMap::new(), Vec::new());
        for line in source.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.split_once(" = ").filter(|(name, _)| name.bytes().all(|byte| byte.is_ascii_lowercase())) {
                Some((name, items)) => drop(lists.insert(name, alternatives(items))),
                None => lines.push(line),
            }
        }
        Self { lists, lines }
    }

    pub(crate) fn len(&self) -> usize {
        self.lines.len()
    }

    /// Expands the pattern of a line once.
    pub(crate) fn write(&self, line: usize, chance: &mut SplitMix64) -> String {
        let mut text = String::new();
        self.expand(self.lines[line], chance, &mut text);
        text.replace("  ", " ").trim_matches(' ').to_owned()
    }

    fn expand(&self, pattern: &'static str, chance: &mut SplitMix64, text: &mut String) {
        let mut rest = pattern;
        while let Some(letter) = rest.chars().next() {
            let after = &rest[letter.len_utf8()..];
            rest = match letter {
                '\\' => {
                    let escaped = after.chars().next().unwrap_or('\\');
                    text.push(if escaped == 'n' { '\n' } else { escaped });
                    after.get(escaped.len_utf8()..).unwrap_or_default()
                }
                '(' => {
                    let end = closing(after);
                    let choices = alternatives(&after[..end]);
                    self.expand(choices[chance.below(choices.len())], chance, text);
                    after.get(end + 1..).unwrap_or_default()
                }
                '{' => {
                    let (name, after) = after.split_once('}').unwrap_or((after, ""));
                    if let Some(items) = self.lists.get(name) {
                        self.expand(items[chance.below(items.len())], chance, text);
                    }
                    after
                }
                _ => {
                    text.push(letter);
                    after
                }
            };
        }
    }
}

/// Splits a pattern at the bars that are outside its inner groups.
fn alternatives(pattern: &'static str) -> Vec<&'static str> {
    let (mut parts, mut from, mut depth, mut escaped) = (Vec::new(), 0, 0, false);
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            _ if escaped => {}
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'|' if depth == 0 => {
                parts.push(&pattern[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    parts.push(&pattern[from..]);
    parts
}

/// The position of the bracket that closes the group, whose opening bracket is before the text.
fn closing(pattern: &str) -> usize {
    let (mut depth, mut escaped) = (0, false);
    for (at, byte) in pattern.bytes().enumerate() {
        match byte {
            _ if escaped => {}
            b'(' => depth += 1,
            b')' if depth == 0 => return at,
            b')' => depth -= 1,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    pattern.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &'static str, expected: &[&str]) {
        let patterns = Patterns::new(source);
        let mut found: Vec<String> = (0..50).map(|seed| patterns.write(0, &mut SplitMix64(seed))).collect();
        found.sort();
        found.dedup();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn a_pattern_is_expanded_to_all_its_alternatives() {
        check("a (b|c(d|e)|)", &["a", "a b", "a cd", "a ce"]);
        check("x = p|q\n# no line\n{x}!", &["p!", "q!"]);
        check(r"\(a\|b\)\n.", &["(a|b)\n."]);
    }

    #[test]
    fn every_list_in_a_pattern_exists() {
        for source in [super::super::ATTACKS, super::super::BENIGN] {
            let patterns = Patterns::new(source);
            for line in source.lines() {
                for named in line.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name) {
                    let literal = named.ends_with('\\');
                    assert!(literal || patterns.lists.contains_key(named), "{named}");
                }
            }
        }
    }
}
