//! Brings a text that the built-in writer did not write into a word range, by dropping or adding whole sentences.

use std::collections::HashSet;

use countersign_domain::report::count_words;

use super::pool::{PoolSentence, SentencePool};

pub(super) fn fit(text: &str, (fewest, most): (usize, usize), pool: &SentencePool) -> String {
    let text = text.trim();
    let words = count_words(text);
    if (fewest..=most).contains(&words) {
        return text.to_owned();
    }
    let Some(kept) = shortened(text, most) else { return pool.compose("", (fewest, most)) };
    lengthened(kept, (fewest, most), pool)
}

/// The longest run of whole sentences from the start within `most` words. `None` if the first one alone is too long.
fn shortened(text: &str, most: usize) -> Option<&str> {
    // Ignore quotation marks if one is never closed. It would turn the rest of the text into a single sentence.
    [true, false].into_iter().find_map(|respects_quotes| within(text, most, respects_quotes))
}

fn within(text: &str, most: usize, respects_quotes: bool) -> Option<&str> {
    let (mut words, mut kept_to, mut from) = (0, 0, 0);
    for end in ends(text, respects_quotes) {
        words += count_words(&text[from..end]);
        if words > most {
            break;
        }
        (kept_to, from) = (end, end);
    }
    let kept = text[..kept_to].trim();
    (count_words(kept) > 0).then_some(kept)
}

fn lengthened(kept: &str, (fewest, most): (usize, usize), pool: &SentencePool) -> String {
    let mut fitted = kept.to_owned();
    if !fitted.ends_with(['.', '!', '?', '"', '”', '`', ')']) && count_words(&fitted) < fewest {
        fitted.push('.');
    }
    let mut words = count_words(&fitted);
    let known_words = words_of(kept);
    let mut unused: Vec<&PoolSentence> = pool.by_rank().map(|(_, sentence)| sentence).collect();
    // Prefer sentences that say something new. If they don't suffice, a repetition is better than a section that is too
    // short.
    unused.sort_by_key(|sentence| is_stated(sentence, &known_words));
    for sentence in unused {
        if words >= fewest {
            break;
        }
        let with = words + sentence.word_count();
        if with <= most && !kept.contains(&sentence.text) {
            fitted.push(' ');
            fitted.push_str(&sentence.text);
            words = with;
        }
    }
    fitted
}

/// The words of a text in lower case, without outer punctuation.
fn words_of(text: &str) -> HashSet<String> {
    text.split_whitespace().filter_map(bare).collect()
}

fn bare(word: &str) -> Option<String> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric());
    (!word.is_empty()).then(|| word.to_lowercase())
}

/// Whether a text with these words already says what a sentence says: it has all of the sentence's figures or, if the
/// sentence has none, most of its longer words.
fn is_stated(sentence: &PoolSentence, known_words: &HashSet<String>) -> bool {
    let words: Vec<_> = sentence.text.split_whitespace().filter_map(bare).collect();
    let mut figures = words.iter().filter(|word| word.contains(|c: char| c.is_ascii_digit())).peekable();
    if figures.peek().is_some() {
        return figures.all(|figure| known_words.contains(figure));
    }
    let longer: Vec<_> = words.iter().filter(|word| word.chars().count() > 5).collect();
    let known = longer.iter().filter(|word| known_words.contains(**word)).count();
    known * 3 >= longer.len() * 2
}

/// The byte offsets of the ends of sentences, each after the sentence's last mark. The last offset is the end of the
/// text.
pub(super) fn ends(text: &str, respects_quotes: bool) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut chars = text.char_indices().peekable();
    let (mut in_quotes, mut in_code) = (false, false);
    let mut word_from = 0;
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => in_quotes = !in_quotes,
            '“' => in_quotes = true,
            '”' => in_quotes = false,
            '`' => in_code = !in_code,
            _ => {}
        }
        let is_open = respects_quotes && (in_quotes || in_code);
        if c.is_whitespace() {
            // A blank line ends a paragraph and closes open quotations.
            if c == '\n' && text[at + 1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') {
                (in_quotes, in_code) = (false, false);
                ends.push(at);
            }
            word_from = at + c.len_utf8();
            continue;
        }
        let is_before_space = chars.peek().is_none_or(|(_, next)| next.is_whitespace());
        if !is_before_space || is_open {
            continue;
        }
        let word = &text[word_from..at + c.len_utf8()];
        if ends_sentence(word) && starts_sentence(&text[at + c.len_utf8()..]) {
            ends.push(at + c.len_utf8());
        }
    }
    if ends.last() != Some(&text.len()) {
        ends.push(text.len());
    }
    ends
}

/// Whether a word ends with a mark that ends a sentence. The full stop of an abbreviation does not.
fn ends_sentence(word: &str) -> bool {
    let open = word.trim_end_matches(['"', '”', '’', '\'', '`', ')', ']', '*', '_']);
    let Some(stem) = open.strip_suffix('.') else { return open.ends_with(['!', '?', '…']) };
    let stem = stem.trim_start_matches(['"', '“', '(', '[']);
    let is_initial = stem.chars().count() == 1 && stem.chars().all(char::is_alphabetic);
    !is_initial && !ABBREVIATIONS.contains(&stem.to_lowercase().as_str())
}

const ABBREVIATIONS: [&str; 24] = [
    "mr", "mrs", "ms", "dr", "prof", "st", "no", "nos", "vs", "approx", "e.g", "i.e", "cf", "inc", "ltd", "co", "corp",
    "u.s", "u.k", "a.m", "p.m", "fig", "sec", "art",
];

/// Whether a new sentence follows, as opposed to the rest of the sentence after an abbreviation.
fn starts_sentence(rest: &str) -> bool {
    // The look-ahead is bounded, so that long runs of white space don't take quadratic time.
    rest.chars().take(64).find(|c| !c.is_whitespace()).is_none_or(|next| !next.is_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let mut from = 0;
        let found: Vec<_> =
            ends(text, true).into_iter().map(|end| text[std::mem::replace(&mut from, end)..end].trim()).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sentences_end_where_a_reader_would_end_them() {
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check(
            "It was USD 1,250.00 at 9.30 a.m. on Monday. Then e.g. this.",
            &["It was USD 1,250.00 at 9.30 a.m. on Monday.", "Then e.g. this."],
        );
        check(
            "The merchant \"A. B. Shop. Best\" was new. It was paid.",
            &["The merchant \"A. B. Shop. Best\" was new.", "It was paid."],
        );
        check("No mark\n\nNext paragraph", &["No mark", "Next paragraph"]);
        check("The id `a. B` was new.", &["The id `a. B` was new."]);
    }

    #[test]
    fn an_abbreviation_does_not_end_a_sentence() {
        check("Mr. Smith paid Acme Ltd. Lisbon.", &["Mr. Smith paid Acme Ltd. Lisbon."]);
    }
}
