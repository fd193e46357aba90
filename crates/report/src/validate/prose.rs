//! A text as a checker reads it: sentences with their places, what is said outside quotations, figures and dates.
//!
//! Everything is linear in the text, and only a bounded stretch of a text is read: a section has some 250 words at most, so
//! what comes later is out of range anyway.

use std::{borrow::Cow, ops::Range, str::FromStr};

use countersign_domain::Section;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::cues::{Cues, List, Lists};
use crate::{Content, escape::byte_set};

/// Of one section.
const CHARS_READ_MAX: usize = 20_000;
/// A quotation mark that is not closed within this many characters is none.
const QUOTATION_CHARS_MAX: usize = 300;

/// Text from outside as it may stand in a line of ours: no control or invisible characters, single spaces, bounded.
pub(super) fn clean(text: &str, chars_max: usize) -> String {
    let mut cleaned = String::new();
    let mut chars = 0;
    // A text that is all noise is not worth reading to its end.
    for letter in text.chars().take(chars_max.saturating_mul(8)) {
        let letter = if letter.is_whitespace() { ' ' } else { letter };
        let is_doubled = letter == ' ' && (cleaned.is_empty() || cleaned.ends_with(' '));
        if letter.is_control() || is_invisible(letter) || is_doubled {
            continue;
        }
        if chars == chars_max {
            break;
        }
        cleaned.push(letter);
        chars += 1;
    }
    cleaned.truncate(cleaned.trim_end().len());
    cleaned
}

/// Direction marks, joiners, tags and the like, by which a text reads other than it is.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A sentence of a report.
pub(super) struct Sentence<'a> {
    pub(super) section: Section,
    /// Code points from the section's start; `end` is exclusive.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: &'a str,
    /// Quotations blanked out.
    pub(super) own: Cow<'a, str>,
    /// Its own words, small, each between single spaces: ` the record did not state it `.
    pub(super) said: String,
    /// The same with quotations, where there are any.
    heard: Option<String>,
    /// Where the words of `said` start, and how.
    words: Vec<usize>,
    starts: Starts,
    /// What they say.
    lists: Lists,
    /// Figures outside quotations, small number words included.
    pub(super) figures: Vec<Decimal>,
    /// Whole dates outside quotations.
    pub(super) dates: Vec<Date>,
}

/// The investigation narrative is where an answer is looked for first.
const ORDER: [Section; 5] = [
    Section::InvestigationNarrative,
    Section::TimelineNarrative,
    Section::ExecutiveSummary,
    Section::FraudExplanation,
    Section::RiskJustification,
];

/// The sentences of all sections, in the order in which a point is looked for. Read once for all checks.
pub(super) fn sentences(content: &Content) -> Vec<Sentence<'_>> {
    ORDER.into_iter().flat_map(|section| of_text(content.section(section), section)).collect()
}

pub(super) fn of_text(text: &str, section: Section) -> Vec<Sentence<'_>> {
    let text = if text.len() > CHARS_READ_MAX { first_chars(text, CHARS_READ_MAX) } else { text };
    let mut reader = Reader { section, text, quotations: Vec::new(), bytes: 0, chars: 0 };
    let mut sentences = Vec::new();
    let mut at = 0;
    while let Some(passed) = text.as_bytes()[at..].iter().position(|byte| IS_MARK[usize::from(*byte)]) {
        at += passed;
        if let Some(end) = quotation_end(text, at) {
            reader.quotations.push(at..end);
            // What stands in it ends nothing.
            at = end;
        } else {
            at += 1;
            if is_end(text, at - 1) {
                sentences.extend(reader.sentence(at));
            }
        }
    }
    sentences.extend(reader.sentence(text.len()));
    sentences
}

/// What ends a sentence or may begin a quotation, by its first byte: most letters do neither.
const IS_MARK: [bool; 256] = byte_set(b"\n.!?\"`\xc2\xe2");

fn first_chars(text: &str, chars_max: usize) -> &str {
    text.char_indices().nth(chars_max).map_or(text, |(end, _)| &text[..end])
}

/// Goes through a text, sentence by sentence.
struct Reader<'a> {
    section: Section,
    text: &'a str,
    /// Of the sentence that is read; the marks belong to them.
    quotations: Vec<Range<usize>>,
    /// What was read.
    bytes: usize,
    chars: usize,
}

impl<'a> Reader<'a> {
    /// The sentence that ends at this byte, if there is a word in it.
    fn sentence(&mut self, end: usize) -> Option<Sentence<'a>> {
        let stretch = &self.text[self.bytes..end];
        let text = stretch.trim();
        let before = &stretch[..stretch.len() - stretch.trim_start().len()];
        let from = self.bytes + before.len();
        let start = self.chars + before.chars().count();
        let chars = text.chars().count();
        (self.bytes, self.chars) = (end, self.chars + stretch.chars().count());
        let own = self.own(from, text);
        let said = spaced(&own);
        let heard = matches!(own, Cow::Owned(_)).then(|| spaced(text));
        if heard.as_ref().unwrap_or(&said).len() <= 1 {
            return None;
        }
        let words = word_starts(&said);
        let lists = Lists::of(&said, &words);
        Some(Sentence {
            section: self.section,
            start,
            end: start + chars,
            text,
            figures: figures(&own, lists),
            dates: dates(&own, lists),
            own,
            heard,
            starts: Starts::of(&said, &words),
            said,
            words,
            lists,
        })
    }

    fn own(&mut self, from: usize, text: &'a str) -> Cow<'a, str> {
        if self.quotations.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut own = String::with_capacity(text.len());
        let mut done = from;
        for quotation in self.quotations.drain(..) {
            own.push_str(&self.text[done..quotation.start]);
            own.push(' ');
            done = quotation.end;
        }
        own.push_str(&self.text[done..from + text.len()]);
        Cow::Owned(own)
    }
}

/// A full stop before white space ends a sentence, and so does a line's end. All of them are single bytes.
fn is_end(text: &str, at: usize) -> bool {
    match text.as_bytes()[at] {
        b'\n' => true,
        b'.' | b'!' | b'?' => text[at + 1..].chars().next().is_none_or(char::is_whitespace),
        _ => false,
    }
}

/// Behind the quotation, in quotation marks or backticks, that begins at this byte; none if none does.
fn quotation_end(text: &str, at: usize) -> Option<usize> {
    let mut rest = text[at..].chars();
    let mark = closing_mark(rest.next()?)?;
    let inside = rest.as_str();
    let mut reach = inside.char_indices().take(QUOTATION_CHARS_MAX - 1).take_while(|(_, letter)| *letter != '\n');
    let (close, _) = reach.find(|(_, letter)| *letter == mark)?;
    Some(text.len() - inside.len() + close + mark.len_utf8())
}

fn closing_mark(opening: char) -> Option<char> {
    match opening {
        '"' | '`' => Some(opening),
        '“' | '„' => Some('”'),
        '«' => Some('»'),
        _ => None,
    }
}

/// Words in small letters between single spaces; all that is no letter or digit separates.
pub(super) fn spaced(text: &str) -> String {
    if text.is_ascii() {
        return spaced_ascii(text);
    }
    let mut spaced = String::with_capacity(text.len() + 2);
    spaced.push(' ');
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            spaced.push(letter.to_ascii_lowercase());
        } else if !letter.is_ascii() && letter.is_alphanumeric() {
            spaced.extend(letter.to_lowercase());
        } else if !is_invisible(letter) && !spaced.ends_with(' ') {
            spaced.push(' ');
        }
    }
    if !spaced.ends_with(' ') {
        spaced.push(' ');
    }
    spaced
}

/// The same, many bytes in one step.
fn spaced_ascii(text: &str) -> String {
    let small = |byte: u8| if byte.is_ascii_alphanumeric() { byte.to_ascii_lowercase() } else { b' ' };
    let mut spaced = Vec::with_capacity(text.len() + 2);
    spaced.push(b' ');
    spaced.extend(text.bytes().map(small));
    spaced.push(b' ');
    spaced.dedup_by(|next, before| *next == b' ' && *before == b' ');
    String::from_utf8(spaced).unwrap_or_default()
}

fn word_starts(spaced: &str) -> Vec<usize> {
    let mut starts = Vec::with_capacity(spaced.len() / 4);
    for (at, byte) in spaced.bytes().enumerate() {
        if byte == b' ' {
            starts.push(at + 1);
        }
    }
    // No word follows on the last space.
    starts.pop();
    starts
}

/// Letters and digits alone, small: how a name is looked for that may have lost its punctuation on the way.
pub(super) fn folded(text: &str, chars_max: usize) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).take(chars_max).collect()
}

/// Which two letters the words of a text start with, by a hash of 256 places: of the cues that a sentence is asked for, nine of
/// ten are out of the question at once.
#[derive(Default)]
struct Starts([u64; 4]);

impl Starts {
    fn of(spaced: &str, words: &[usize]) -> Self {
        let mut starts = Self::default();
        for word in words {
            let (part, bit) = Self::place(spaced.as_bytes()[*word], spaced.as_bytes()[*word + 1]);
            starts.0[part] |= bit;
        }
        starts
    }

    fn may_have(&self, cue: &str) -> bool {
        match *cue.as_bytes() {
            [first, second, ..] if second != b'*' => {
                let (part, bit) = Self::place(first, second);
                self.0[part] & bit != 0
            }
            _ => true,
        }
    }

    fn place(first: u8, second: u8) -> (usize, u64) {
        let hash = first.wrapping_mul(37) ^ second.wrapping_mul(101);
        (usize::from(hash >> 6), 1 << (hash & 63))
    }
}

/// Whether a text of words goes on with this cue.
fn is_at(text: &[u8], cue: &str) -> bool {
    match cue.strip_suffix('*') {
        Some(stem) => text.starts_with(stem.as_bytes()),
        None => text.strip_prefix(cue.as_bytes()).is_some_and(|rest| rest.starts_with(b" ")),
    }
}

impl Sentence<'_> {
    /// One of these cues in its own words.
    pub(super) fn says(&self, cues: Cues) -> bool {
        let said = self.said.as_bytes();
        let is_said = |cue: &str| self.words.iter().any(|word| is_at(&said[*word..], cue));
        cues.split('|').any(|cue| self.starts.may_have(cue) && is_said(cue))
    }

    /// One of this list's cues in its own words.
    pub(super) fn has(&self, list: List) -> bool {
        self.lists.has(list)
    }

    /// Says in its own words that something of these topics is not known.
    pub(super) fn denies(&self, topics: Cues) -> bool {
        let no_such = || {
            self.said.match_indices(" no ").any(|(at, no)| {
                let rest = &self.said[at + no.len()..];
                let nouns = rest.match_indices(' ').map(|(at, _)| at + 1).take(NO_SUCH_WORDS - 1);
                [0].into_iter()
                    .chain(nouns)
                    .any(|at| topics.split('|').any(|topic| is_at(&rest.as_bytes()[at..], topic)))
            })
        };
        self.says(topics) && (self.has(List::Unknown) || no_such())
    }

    /// A name, whole, quoted or not.
    pub(super) fn names(&self, name: &str) -> bool {
        let name = spaced(name);
        name.len() > 1 && self.heard.as_ref().unwrap_or(&self.said).contains(&name)
    }

    /// A name of which punctuation may be gone, and of a long one all but its start.
    pub(super) fn names_loosely(&self, name: &str) -> bool {
        self.holds(&LooseName::of(name))
    }

    /// The same of a name that many sentences are asked for.
    pub(super) fn holds(&self, name: &LooseName) -> bool {
        let heard = self.heard.as_ref().unwrap_or(&self.said).as_bytes();
        let goes_on = |from: usize| {
            let mut letters = heard[from..].iter().filter(|byte| **byte != b' ');
            name.0.bytes().all(|byte| letters.next() == Some(&byte))
        };
        let first = name.0.as_bytes().first();
        (0..heard.len()).any(|at| Some(&heard[at]) == first && goes_on(at))
    }
}

/// A name as it is looked for without its punctuation.
pub(super) struct LooseName(String);

impl LooseName {
    pub(super) fn of(name: &str) -> Self {
        let whole = folded(name, NAME_CHARS_WHOLE + 1);
        let is_long = whole.chars().count() > NAME_CHARS_WHOLE;
        Self(if is_long { folded(&whole, NAME_CHARS_START) } else { whole })
    }
}

/// Names up to this length are written whole; a longer one may be cut after its start.
const NAME_CHARS_WHOLE: usize = 24;
const NAME_CHARS_START: usize = 6;

/// Words behind a "no" among which its noun stands.
const NO_SUCH_WORDS: usize = 5;

/// By which a sentence says that something is not known.
pub(super) const UNKNOWN: Cues = "\
    not state*|not available*|unavailable|not on record*|not on file*|not record*|not known*|unknown|not provide*|\
    not give*|not includ*|not contain*|not hold*|not held|not name*|not identif*|not specif*|not report*|\
    not carry*|not carried|not suppl*|not disclos*|not show*|not say*|not said|not establish*|not measured|\
    not determin*|not present*|not tested|not compared|not describe*|not document*|could not be|cannot be|\
    stated no|states no|held no|holds no|had no|has no|gave no|gives no|named no|carried no|carries no|withheld|\
    missing|absent|absence|lacked|lacks|lacking|without|none|neither|nor|insufficient|too few|too little|\
    never stated|unstated|undisclosed|unrecorded";

const NUMBER_WORDS: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

pub(super) const NUMBER_CUES: Cues = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";

fn figures(text: &str, lists: Lists) -> Vec<Decimal> {
    // An invisible character ends a figure's word, and no other: only plain text is told by how its words start.
    let has_number_words = lists.has(List::Numbers) || !text.is_ascii();
    if !has_number_words && !has_digit(text) {
        return Vec::new();
    }
    let is_inside = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | ',' | '\'' | '’');
    let of_word = |word: &str| {
        (has_number_words && (3..=6).contains(&word.len()))
            .then(|| NUMBER_WORDS.iter().position(|name| word.eq_ignore_ascii_case(name)))?
    };
    text.split_ascii_whitespace()
        .filter(|word| has_number_words || has_digit(word))
        .flat_map(|word| word.split(|letter| !is_inside(letter)))
        .filter_map(|run| {
            let run = run.trim_matches(|letter: char| !letter.is_alphanumeric());
            if !has_digit(run) {
                return of_word(run).map(|number| Decimal::from(number as u64));
            }
            let number = run.trim_start_matches(|letter: char| !letter.is_ascii_digit());
            let number = number.trim_end_matches(|letter: char| !letter.is_ascii_digit());
            let plain: String = number.chars().filter(|letter| !matches!(letter, ',' | '\'' | '’')).collect();
            Decimal::from_str(&plain).ok()
        })
        .collect()
}

fn has_digit(text: &str) -> bool {
    // Without a way out of the loop, many bytes are looked at in one step.
    text.bytes().fold(false, |has_digit, byte| has_digit | byte.is_ascii_digit())
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

pub(super) const MONTH_CUES: Cues = "jan*|feb*|mar*|apr*|may*|jun*|jul*|aug*|sep*|oct*|nov*|dec*";

/// Whole dates: `1 March 2026`, `March 1, 2026`, `2026-03-01`.
fn dates(text: &str, lists: Lists) -> Vec<Date> {
    if !has_digit(text) || !lists.has(List::Months) && !text.contains('-') {
        return Vec::new();
    }
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let at = |index: usize| words.get(index).copied();
    let mut dates = Vec::new();
    for (index, word) in words.iter().enumerate() {
        // A date that is none costs an error's text: most words are none.
        if word.as_bytes().get(4) == Some(&b'-') {
            dates.extend(word.get(..10).and_then(|date| Date::from_str(date).ok()));
        }
        let Some(month) = month(word) else { continue };
        let before = index.checked_sub(1).and_then(at).and_then(day).zip(at(index + 1).and_then(year));
        let after = || at(index + 1).and_then(day).zip(at(index + 2).and_then(year));
        dates.extend(before.or_else(after).and_then(|(day, year)| Date::new(year, month, day).ok()));
    }
    dates
}

fn month(word: &str) -> Option<i8> {
    // Most words of a text go no further than their first letter.
    let first = word.bytes().next()?.to_ascii_lowercase();
    let is_of = |month: &&str| {
        month.as_bytes()[0] == first && (month.eq_ignore_ascii_case(word) || month[..3].eq_ignore_ascii_case(word))
    };
    MONTHS.iter().position(is_of).and_then(|index| i8::try_from(index + 1).ok())
}

fn day(word: &str) -> Option<i8> {
    word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic()).parse().ok().filter(|day| (1..=31).contains(day))
}

fn year(word: &str) -> Option<i16> {
    (word.len() == 4).then(|| word.parse().ok())?.filter(|year| (1..=9999).contains(year))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<Sentence<'_>> {
        of_text(text, Section::ExecutiveSummary)
    }

    #[test]
    fn sentences_keep_their_places_in_code_points() {
        let text = " Ünder \u{1f600} USD 1,250.00 was paid.  He said \"No. Not I.\" then left! \nThe e-mail\n\n ?";
        let found: Vec<_> = read(text).iter().map(|sentence| (sentence.text, sentence.start, sentence.end)).collect();
        assert_eq!(
            found,
            [
                ("Ünder \u{1f600} USD 1,250.00 was paid.", 1, 31),
                ("He said \"No. Not I.\" then left!", 33, 64),
                ("The e-mail", 66, 76),
            ]
        );
        let letters: Vec<char> = text.chars().collect();
        for (text, start, end) in found {
            assert_eq!(letters[start..end].iter().collect::<String>(), text);
        }
        assert!(read("").is_empty() && read(" . \n… ").is_empty());
    }

    #[test]
    fn quotations_are_no_words_of_its_own() {
        for (text, said) in [
            ("The shop \"may be\" sold.", " the shop sold "),
            ("Rule `likely_fraud` held.", " rule held "),
            ("A “may” b «may» c.", " a b c "),
            ("An open \" mark may stand.", " an open mark may stand "),
            ("An open \" mark\nmay \" stand.", " an open mark "),
        ] {
            assert_eq!(read(text)[0].said, said, "{text}");
        }
        let far = format!("A \"{}\" b.", "may ".repeat(QUOTATION_CHARS_MAX));
        assert!(read(&far)[0].says("may"));
    }

    #[test]
    fn cues_are_whole_words_unless_they_end_in_a_star() {
        let sentence = &read("The card-holder's medians were not stated; Oman was.")[0];
        for (cues, is_said) in [
            ("card", true),
            ("card holder", true),
            ("hold*", true),
            ("hold", false),
            ("median*", true),
            ("median", false),
            ("not state*", true),
            ("oman", true),
            ("man", false),
            ("roman|was", true),
            ("was stated", false),
        ] {
            assert_eq!(sentence.says(cues), is_said, "{cues}");
        }
    }

    proptest! {
        #[test]
        fn whatever_words_a_sentence_has_are_found_in_it(
            words in prop::collection::vec("[a-zä0-9]{1,8}", 1..12),
            from in any::<prop::sample::Index>(),
            count in 1_usize..4,
            stem_chars in 1_usize..9,
        ) {
            let text = words.join(" ");
            let sentence = &read(&text)[0];
            let from = from.index(words.len());
            let cue = words[from..words.len().min(from + count)].join(" ");
            let stem: String = cue.chars().take(stem_chars).collect();
            for cue in [cue, format!("{}*", stem.trim_end())] {
                prop_assert!(sentence.says(cue.clone().leak()), "{text}: {cue}");
            }
        }
    }

    #[test]
    fn a_sentence_denies_what_it_says_is_not_known() {
        for (text, is_denied) in [
            ("The record did not state the source of funds.", true),
            ("No source of funds was on record.", true),
            ("The source of funds was unknown.", true),
            ("No rule fired, and after a while the source of funds was a loan.", false),
            ("The source of funds was a loan.", false),
            ("\"The record did not state\" the source of funds.", false),
        ] {
            assert_eq!(read(text)[0].denies("source*"), is_denied, "{text}");
        }
    }

    #[test]
    fn a_name_is_found_without_its_punctuation_and_a_long_one_by_its_start() {
        let sentence = &read("It paid \"Nordlicht Elektronik\" and \"A long name of a m…\".")[0];
        for (name, is_named) in [
            ("Nordlicht-*Elektronik*", true),
            ("Nordlicht Elektro AG", false),
            ("A long name of a merchant with many words", true),
            ("An other name of a merchant with many words", false),
            ("\u{1f600}", false),
        ] {
            assert_eq!(sentence.names_loosely(name), is_named, "{name}");
        }
    }

    #[test]
    fn figures_are_read_in_the_formats_of_reports() {
        let expected =
            |figures: &[&str]| figures.iter().map(|figure| figure.parse().unwrap()).collect::<Vec<Decimal>>();
        for (text, figures) in [
            ("USD 1,250.00, then 1250.", &["1250.00", "1250"][..]),
            ("Two rules held; 1'000 and 3.5x were named.", &["2", "1000", "3.5"]),
            ("***4821 paid $9,900", &["4821", "9900"]),
            ("1.2.3 and 99999999999999999999999999999999999999", &[]),
            ("The id `17` and \"18\" are quoted.", &[]),
        ] {
            assert_eq!(read(text)[0].figures, expected(figures), "{text}");
        }
    }

    #[test]
    fn whole_dates_are_read_and_halves_are_not() {
        let (first, last) = (Date::constant(2026, 3, 1), Date::constant(2026, 5, 31));
        for (text, dates) in [
            ("On 1 March 2026 at 09:30 UTC, and 31 May 2026.", &[first, last][..]),
            ("March 1, 2026 to May 31st, 2026", &[first, last]),
            ("2026-03-01T09:30:00Z (2026-05-31)", &[first, last]),
            ("1 Mar 2026", &[first]),
            ("In March 2026, on 31 February 2026, it may 2026 be.", &[]),
        ] {
            assert_eq!(read(text)[0].dates, dates, "{text}");
        }
    }

    #[test]
    fn what_is_shown_has_no_control_characters_and_is_bounded() {
        assert_eq!(clean(" a\u{0}\n\n b\u{202e}c\u{200b} ", 10), "a bc");
        assert_eq!(clean(&"x".repeat(100), 10), "x".repeat(10));
        assert_eq!(clean("abc def", 4), "abc");
        assert_eq!(clean(&"\u{0}".repeat(1_000), 4), "");
    }
}
