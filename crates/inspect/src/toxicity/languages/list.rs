//! Reads the phrase files, once. Their format:
//!
//! ```text
//! # a comment
//! [words]                    lists of words, for phrases to refer to
//! kill: töte, mache kalt     entries of one or more words; a list may continue on another line
//! name: idiot*               any ending of up to three letters
//! you: dich, Sie             a capital letter must be a capital in the text
//! [threat]                   a category, then one phrase per line
//! ich|wir ^<kill> <you>      words, "a|b_c" one of several ("_" is a space), <list> an entry of a list
//! du bist .. tot $           ".." up to four words, "$" the start or the end of a clause, "$$" of a sentence
//! du <adj>? <name>           "?" marks optional words
//! ```
//!
//! "^" marks the anchor, the part by which a phrase is found; without it, the anchor is the part whose shortest word is
//! longest. Four lists have a special meaning: `not` (a negated phrase doesn't count), `said` (reported speech),
//! `harmless` (a phrase that contains or precedes one of these is a figure of speech), `spelling` ("ae": ä may be
//! written so).

use std::collections::{BTreeSet, HashMap};

use super::read;

/// Anchors are truncated to this length: this gives fewer and shorter literals, at the cost of some unnecessary checks.
const LITERAL_CHARS_MAX: usize = 5;
/// The maximum number of letters that "*" matches.
const ENDING_CHARS_MAX: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Category {
    Threat,
    Doom,
    SelfHarm,
    Attack,
    Slur,
    Insult,
    Sexual,
    Profanity,
}

impl Category {
    fn named(name: &str) -> Option<Self> {
        match name {
            "threat" => Some(Self::Threat),
            "doom" => Some(Self::Doom),
            "self harm" => Some(Self::SelfHarm),
            "attack" => Some(Self::Attack),
            "slur" => Some(Self::Slur),
            "insult" => Some(Self::Insult),
            "sexual" => Some(Self::Sexual),
            "profanity" => Some(Self::Profanity),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct WordPattern {
    text: String,
    stem: bool,
    capital: bool,
}

impl WordPattern {
    pub(super) fn matches(&self, word: &read::FoldedWord) -> bool {
        if self.capital && !word.capital {
            return false;
        }
        match word.text.strip_prefix(&self.text) {
            Some("") => true,
            Some(ending) => self.stem && ending.chars().count() <= ENDING_CHARS_MAX,
            None => false,
        }
    }
}

/// Alternative entries, each of one or more words.
#[derive(Debug, Default)]
pub(super) struct Choice {
    pub(super) entries: Vec<Vec<WordPattern>>,
    /// For each entry, the literals to search for in a text: the start of its longest word, in every spelling.
    literals: Vec<Vec<String>>,
}

#[derive(Debug)]
pub(super) enum PhrasePart {
    One(usize),
    Optional(usize),
    Gap,
    ClauseEnd,
    SentenceEnd,
}

#[derive(Debug)]
pub(super) struct ListedPhrase {
    pub(super) category: Category,
    pub(super) language: usize,
    pub(super) parts: Vec<PhrasePart>,
    anchor: usize,
}

pub(super) struct Language {
    pub(super) name: &'static str,
    pub(super) not: Option<usize>,
    pub(super) said: Option<usize>,
    pub(super) harmless: Option<usize>,
}

#[derive(Default)]
pub(super) struct Lists {
    pub(super) languages: Vec<Language>,
    pub(super) phrases: Vec<ListedPhrase>,
    pub(super) choices: Vec<Choice>,
    /// Phrases by their anchor words, and by the stems of those words.
    by_word: HashMap<String, Vec<usize>>,
    by_stem: HashMap<String, Vec<usize>>,
}

impl Lists {
    /// Skips lines that can't be parsed; a test ensures that there are none.
    pub(super) fn read(files: &[(&'static str, &str)]) -> Self {
        let mut lists = Self::default();
        for (name, text) in files {
            ListReader::new(&mut lists, name).file(text);
        }
        lists.index();
        lists
    }

    /// The phrases whose anchor this word may be.
    pub(super) fn candidates(&self, word: &str) -> Vec<usize> {
        let mut found = self.by_word.get(word).cloned().unwrap_or_default();
        let ends = word.char_indices().map(|(at, letter)| at + letter.len_utf8());
        for end in ends.rev().take(ENDING_CHARS_MAX + 1) {
            found.extend(self.by_stem.get(&word[..end]).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The starts of all anchor words. No literal is a prefix of another.
    pub(super) fn literals(&self) -> BTreeSet<String> {
        let anchors = self.phrases.iter().map(|phrase| &self.choices[phrase.anchor]);
        let all: BTreeSet<&String> = anchors.flat_map(|choice| choice.literals.iter().flatten()).collect();
        let mut kept: BTreeSet<String> = BTreeSet::new();
        for literal in all {
            // The set is sorted, so a literal's prefixes come before it.
            let starts = literal.char_indices().map(|(at, letter)| &literal[..at + letter.len_utf8()]);
            if !starts.into_iter().any(|start| kept.contains(start)) {
                kept.insert(literal.clone());
            }
        }
        kept
    }

    fn index(&mut self) {
        for (at, phrase) in self.phrases.iter().enumerate() {
            for entry in &self.choices[phrase.anchor].entries {
                let Some(pattern) = longest(entry) else { continue };
                let index = if pattern.stem { &mut self.by_stem } else { &mut self.by_word };
                index.entry(pattern.text.clone()).or_default().push(at);
            }
        }
    }
}

fn longest(entry: &[WordPattern]) -> Option<&WordPattern> {
    // The first among equally long words, as in `Choice::add`.
    entry.iter().rev().max_by_key(|pattern| pattern.text.chars().count())
}

/// A parser that reads one file into the lists.
struct ListReader<'l> {
    lists: &'l mut Lists,
    language: usize,
    named: HashMap<String, usize>,
    /// `None` while reading word lists.
    category: Option<Category>,
    /// Umlauts may be written as two letters.
    digraphs: bool,
}

impl<'l> ListReader<'l> {
    fn new(lists: &'l mut Lists, name: &'static str) -> Self {
        lists.languages.push(Language { name, not: None, said: None, harmless: None });
        let language = lists.languages.len() - 1;
        Self { lists, language, named: HashMap::new(), category: None, digraphs: false }
    }

    /// Returns the lines that could not be parsed.
    fn file<'t>(&mut self, text: &'t str) -> Vec<&'t str> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let unread = lines.filter(|line| !line.is_empty() && self.line(line).is_none()).collect();
        let [not, said, harmless] = ["not", "said", "harmless"].map(|name| self.named.get(name).copied());
        if let Some(language) = self.lists.languages.get_mut(self.language) {
            (language.not, language.said, language.harmless) = (not, said, harmless);
        }
        unread
    }

    fn line(&mut self, line: &str) -> Option<()> {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            self.category = Category::named(name);
            return (name == "words" || self.category.is_some()).then_some(());
        }
        match self.category {
            None => self.list(line),
            Some(category) => self.phrase(category, line),
        }
    }

    fn list(&mut self, line: &str) -> Option<()> {
        let (name, entries) = line.split_once(':')?;
        if name == "spelling" {
            self.digraphs = entries.trim() == "ae";
            return self.digraphs.then_some(());
        }
        let at = match self.named.get(name) {
            Some(&at) => at,
            None => self.new_choice(),
        };
        self.named.insert(name.to_owned(), at);
        for entry in entries.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            self.add(at, entry)?;
        }
        Some(())
    }

    fn phrase(&mut self, category: Category, line: &str) -> Option<()> {
        let (mut parts, mut marked, mut best) = (Vec::new(), None, None);
        for written in line.split_whitespace() {
            let (written, is_anchor) = written.strip_prefix('^').map_or((written, false), |rest| (rest, true));
            let (written, optional) = written.strip_suffix('?').map_or((written, false), |rest| (rest, true));
            let part = match written {
                ".." => PhrasePart::Gap,
                "$" => PhrasePart::ClauseEnd,
                "$$" => PhrasePart::SentenceEnd,
                _ => {
                    let at = self.choice(written)?;
                    if optional { PhrasePart::Optional(at) } else { PhrasePart::One(at) }
                }
            };
            if let PhrasePart::One(at) = part {
                let shortest = self.lists.choices[at].entries.iter().filter_map(|entry| longest(entry));
                let length = shortest.map(|pattern| pattern.text.chars().count()).min().unwrap_or(0);
                if best.is_none_or(|(most, _)| length > most) {
                    best = Some((length, at));
                }
                marked = if is_anchor { Some(at) } else { marked };
            } else if is_anchor {
                return None;
            }
            parts.push(part);
        }
        let anchor = marked.or(best.map(|(_, at)| at))?;
        self.lists.phrases.push(ListedPhrase { category, language: self.language, parts, anchor });
        Some(())
    }

    fn choice(&mut self, written: &str) -> Option<usize> {
        if let Some(list) = self.named_list(written) {
            return Some(list);
        }
        let at = self.new_choice();
        for entry in written.split('|') {
            match self.named_list(entry) {
                Some(list) => self.copy(list, at),
                None if entry.contains(['<', '>', '^', '$']) => return None,
                None => self.add(at, &entry.replace('_', " "))?,
            }
        }
        Some(at)
    }

    fn named_list(&self, written: &str) -> Option<usize> {
        let name = written.strip_prefix('<')?.strip_suffix('>')?;
        self.named.get(name).copied()
    }

    fn copy(&mut self, from: usize, to: usize) {
        let (entries, literals) = (self.lists.choices[from].entries.clone(), self.lists.choices[from].literals.clone());
        self.lists.choices[to].entries.extend(entries);
        self.lists.choices[to].literals.extend(literals);
    }

    fn new_choice(&mut self) -> usize {
        self.lists.choices.push(Choice::default());
        self.lists.choices.len() - 1
    }

    fn add(&mut self, at: usize, entry: &str) -> Option<()> {
        let choice = self.lists.choices.get_mut(at)?;
        choice.add(entry)?;
        if self.digraphs && entry.contains(['ä', 'ö', 'ü', 'Ä', 'Ö', 'Ü']) {
            let pairs = [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue")];
            choice.add(&pairs.iter().fold(entry.to_owned(), |entry, (from, to)| entry.replace(from, to)))?;
        }
        Some(())
    }
}

impl Choice {
    fn add(&mut self, entry: &str) -> Option<()> {
        let words: Vec<(&str, WordPattern)> =
            entry.split_whitespace().flat_map(parts).map(|word| Some((word, pattern(word)?))).collect::<Option<_>>()?;
        // The first among equally long words.
        let (word, _) = words.iter().rev().max_by_key(|(_, pattern)| pattern.text.chars().count())?;
        self.literals.push(literals(word.trim_end_matches('*')));
        self.entries.push(words.into_iter().map(|(_, pattern)| pattern).collect());
        Some(())
    }
}

/// Splits a word as a text would be split: "d'un" is two words, "вб'ю" is one.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let one = read::words(word.trim_end_matches('*')).0.len() == 1;
    let whole = one.then_some(word);
    let split = (!one).then(|| word.split(['\'', '-'])).into_iter().flatten();
    whole.into_iter().chain(split).filter(|part| !part.is_empty())
}

fn pattern(word: &str) -> Option<WordPattern> {
    let (plain, stem) = word.strip_suffix('*').map_or((word, false), |stem| (stem, true));
    let (mut words, _) = read::words(plain);
    let only = words.pop().filter(|_| words.is_empty())?;
    Some(WordPattern { text: only.text, stem, capital: only.capital })
}

/// The possible spellings of a word's start in a text. The search ignores case only for ASCII letters.
fn literals(word: &str) -> Vec<String> {
    let start: String =
        word.to_lowercase().chars().take_while(|letter| *letter != '\'').take(LITERAL_CHARS_MAX).collect();
    if start.is_ascii() {
        return vec![start];
    }
    let mut all = vec![start.replace('ё', "е")];
    let folded: String = read::words(&start).0.into_iter().map(|word| word.text).collect();
    // Folding a word of another script gives a mixture of scripts, which nobody writes.
    if folded.is_ascii() && !start.chars().any(|letter| matches!(letter, '\u{370}'..='\u{52F}')) {
        all.push(folded);
    }
    all.push(start);
    let mut letters: Vec<String> = Vec::new();
    for spelling in all {
        let mut rest = spelling.chars();
        let first: String = rest.next().map(|letter| letter.to_uppercase().collect()).unwrap_or_default();
        letters.push(first + rest.as_str());
        letters.push(spelling.to_uppercase());
        letters.push(spelling);
    }
    letters.iter_mut().filter(|literal| literal.is_ascii()).for_each(|literal| literal.make_ascii_lowercase());
    letters.sort();
    letters.dedup();
    letters
}

#[cfg(test)]
mod tests {
    use super::super::FILES;
    use super::*;

    #[test]
    fn every_line_of_every_file_is_read() {
        for (name, text) in FILES {
            let mut lists = Lists::default();
            let unread: Vec<String> =
                ListReader::new(&mut lists, name).file(text).into_iter().map(str::to_owned).collect();
            assert_eq!(unread, [""; 0], "{name}");
            assert!(lists.languages[0].not.is_some() && lists.languages[0].said.is_some(), "{name}");
        }
    }

    #[test]
    fn a_word_is_searched_for_in_every_spelling() {
        assert_eq!(literals("töte"), ["TÖTE", "Töte", "tote", "töte"]);
        assert_eq!(literals("живёшь"), ["ЖИВЁШ", "ЖИВЕШ", "Живеш", "Живёш", "живеш", "живёш"]);
        assert_eq!(literals("ammazzerebbero"), ["ammaz"]);
        assert_eq!(literals("вб'ю"), ["ВБ", "Вб", "вб"]);
    }
}
