//! The concepts of words that matter for steering a model, in a dozen languages: one map from word to concept.
//!
//! A concept is what a word does in an attack ("ignore", "vergiss" and "oubliez" all dismiss), or what makes the same word harmless
//! (a programming language next to it). A word alone decides nothing; `features` looks at how concepts combine.
//! Scripts without spaces are not read here; `rules` looks for their phrases.

use std::sync::LazyLock;

use countersign_text::hash::PrehashedMap;

use super::lexicon::LEXICON;
use crate::learned::joined;
use crate::tokenize::{Word, hash};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Concept {
    /// Ignore, forget, override.
    Dismiss,
    /// The same verbs in the past tense: ignored, forgot.
    Dismissed,
    /// Previous, above, initial.
    Prior,
    /// Following, below, next.
    Later,
    /// All, any, everything.
    All,
    /// Instructions, prompt, commands.
    Directive,
    /// Rules, restrictions, guidelines, filters.
    Rule,
    Task,
    System,
    You,
    Your,
    /// I, me, my.
    Me,
    New,
    Now,
    /// Tell, give, show.
    Tell,
    /// Say, write, answer, respond.
    Say,
    /// Reveal, leak, disclose.
    Reveal,
    /// Repeat, print, output.
    Repeat,
    /// Password, secret word.
    Secret,
    /// Hidden, confidential, not allowed.
    Hidden,
    /// Letters, spelling, hints: ways to say a word without saying it.
    Spell,
    /// Base64, rot13, cipher.
    Encode,
    /// Act, pretend, imagine.
    Act,
    /// Role, character, persona.
    Role,
    /// Assistant, chatbot and the names of models.
    Model,
    /// Uncensored, amoral, jailbroken.
    Unlimited,
    /// Ethics, morals, laws.
    Ethics,
    /// Refuse, apologise, warn.
    Refuse,
    /// Never, not, without.
    Not,
    /// Only, exactly, nothing else.
    Only,
    Must,
    Always,
    /// Stop, halt, attention.
    Stop,
    /// Well done, great: praise that closes one task before another opens.
    Praise,
    Instead,
    /// Hypothetical, fictional.
    Fiction,
    /// Developer, administrator, creator: claims of authority.
    Authority,
    /// Allowed, permitted, free to.
    Allowed,
    /// Pwned, hacked, hijacked.
    Pwned,
    /// Told, asked, instructed.
    Told,
    Document,
    /// Mode, enabled, activated.
    Mode,
    Want,
    /// Violence and crime, as jailbreaks ask for it.
    Harm,
    /// Insults and political provocation put into the model's mouth.
    Opinion,
    /// How, what, why.
    Ask,
    /// Programming and machines: where overriding and ignoring are daily work.
    Code,
    /// Send, forward, upload, click.
    Send,
    /// Answer, response, reply: what the model is about to say.
    Answer,
    /// Add, include, embed.
    Insert,
    /// Writing and learning for their own sake: story, essay, recipe.
    Craft,
    Quote,
    Colon,
    Question,
    Exclaim,
}

/// How the word was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    Plain,
    /// Backwards, rotated or with digits for letters.
    Disguised,
}

/// The concepts whose words are also recognised backwards, rotated and mistyped. With other concepts, too many ordinary words
/// would match. Digits for letters are read for all concepts.
const DISGUISED: &[Concept] =
    &[Concept::Dismiss, Concept::Directive, Concept::Reveal, Concept::Secret, Concept::Rule, Concept::Hidden];
const DISGUISED_LETTERS_MIN: usize = 6;
/// Shorter words with a typing error are too often other words.
const MISTYPED_LETTERS_MIN: usize = 8;

/// Every listed word and pair of words by its hash: see [`key`].
struct ConceptTable(PrehashedMap<(Concept, Spelling)>);

static TABLE: LazyLock<ConceptTable> = LazyLock::new(ConceptTable::new);

/// The concept of a word, or of the word and the one before it together.
pub(super) fn of(text: &str, word: &Word, before: Option<&Word>) -> Option<(Concept, Spelling)> {
    if word.shape.is_mark {
        return mark(&text[word.start..word.end]).map(|concept| (concept, Spelling::Plain));
    }
    let pair =
        before.filter(|before| !before.shape.is_mark).and_then(|before| TABLE.get(joined(before.hash, word.hash)));
    pair.or_else(|| TABLE.get(word.hash)).or_else(|| {
        let (concept, _) = word.shape.has_digit.then(|| TABLE.get(unleeted(&text[word.start..word.end])?))??;
        Some((concept, Spelling::Disguised))
    })
}

fn mark(mark: &str) -> Option<Concept> {
    match mark {
        "\"" | "“" | "”" | "„" | "«" | "»" | "'" | "`" | "‘" => Some(Concept::Quote),
        ":" | "：" => Some(Concept::Colon),
        "?" | "？" | "¿" => Some(Concept::Question),
        "!" | "！" => Some(Concept::Exclaim),
        _ => None,
    }
}

/// The hash of a word with its digits read as letters. `None` if it has other characters, too few letters or too many
/// characters.
fn unleeted(word: &str) -> Option<u32> {
    const LETTERS_MAX: usize = 20;
    let mut plain = [0_u8; LETTERS_MAX];
    let (mut length, mut letters) = (0, 0);
    for byte in word.bytes() {
        let letter = match byte {
            b'0' => b'o',
            b'1' => b'i',
            b'3' => b'e',
            b'4' => b'a',
            b'5' => b's',
            b'7' => b't',
            b'a'..=b'z' | b'A'..=b'Z' => {
                letters += 1;
                byte.to_ascii_lowercase()
            }
            _ => return None,
        };
        *plain.get_mut(length)? = letter;
        length += 1;
    }
    let plain = str::from_utf8(plain.get(..length)?).ok()?;
    (letters >= 2).then(|| hash(plain))
}

impl ConceptTable {
    fn new() -> Self {
        let mut table = Self(PrehashedMap::default());
        for &(concept, words) in LEXICON {
            for word in words.split_whitespace() {
                table.insert(key(word), concept, Spelling::Plain);
            }
        }
        for &(concept, words) in LEXICON.iter().filter(|(concept, _)| DISGUISED.contains(concept)) {
            let long =
                |word: &&str| word.len() >= DISGUISED_LETTERS_MIN && word.bytes().all(|b| b.is_ascii_lowercase());
            for word in words.split_whitespace().filter(long) {
                let backwards: String = word.chars().rev().collect();
                let rotated: String = word.bytes().map(|b| char::from((b - b'a' + 13) % 26 + b'a')).collect();
                table.insert(hash(&backwards), concept, Spelling::Disguised);
                table.insert(hash(&rotated), concept, Spelling::Disguised);
                mistyped(word, |typed| table.insert(hash(typed), concept, Spelling::Plain));
            }
        }
        table
    }

    /// A word that is listed twice keeps its first concept.
    fn insert(&mut self, key: u32, concept: Concept, spelling: Spelling) {
        self.0.entry(key).or_insert((concept, spelling));
    }

    fn get(&self, key: u32) -> Option<(Concept, Spelling)> {
        self.0.get(&key).copied()
    }
}

/// Calls `each` with the word's typing errors: one letter left out, or two letters swapped.
fn mistyped(word: &str, mut each: impl FnMut(&str)) {
    if word.len() < MISTYPED_LETTERS_MIN {
        return;
    }
    for at in 1..word.len() {
        let (head, tail) = word.split_at(at);
        each(&format!("{head}{}", &tail[1..]));
        let mut swapped: Vec<char> = word.chars().collect();
        swapped.swap(at - 1, at);
        each(&swapped.iter().collect::<String>());
    }
}

/// The hash of a word, or of two words joined by `_`.
fn key(word: &str) -> u32 {
    match word.split_once('_') {
        Some((before, word)) => joined(hash(before), hash(word)),
        None => hash(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokenize::tokenize;

    fn check(text: &str, expected: &[(Concept, Spelling)]) {
        let mut read = Vec::new();
        tokenize(text, &mut read);
        let found: Vec<_> =
            (0..read.len()).filter_map(|n| of(text, &read[n], n.checked_sub(1).map(|before| &read[before]))).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_word_and_its_translations_have_one_concept() {
        for text in ["Ignore", "VERGISS", "oubliez", "olvida", "Забудь", "dimentica", "negeer"] {
            check(text, &[(Concept::Dismiss, Spelling::Plain)]);
        }
        check("horse", &[]);
    }

    #[test]
    fn two_words_can_be_one_concept() {
        check("test mode", &[(Concept::Authority, Spelling::Plain)]);
        check("the mode", &[(Concept::Mode, Spelling::Plain)]);
    }

    #[test]
    fn a_disguised_word_is_recognised() {
        for text in ["drowssap", "cnffjbeq", "p4ssw0rd"] {
            check(text, &[(Concept::Secret, Spelling::Disguised)]);
        }
    }

    #[test]
    fn a_mistyped_word_is_recognised() {
        for text in ["instrcutions", "istructions", "instructons"] {
            check(text, &[(Concept::Directive, Spelling::Plain)]);
        }
    }
}
