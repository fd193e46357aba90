//! What the key of a field in open JSON says about its value: `customerName` is a person's name, `merchant_name` is not.
//!
//! A key is split into words, however they are joined: snake, kebab, camel, dotted, prefixed. A key passes only if
//! every word is on the allow-list, `KeyList::Known` in `lists.rs`. The other lists then tell which values are personal.
//! In case of doubt the value is removed: a report can do without a field more easily than a customer can do without
//! privacy.

mod lists;

use countersign_domain::Currency;

use self::lists::{
    DEVICE_PAIRS, KeyList, NAME_INSIDE, NATIONAL_PAIRS, NETWORK_INSIDE, PARTS, REMOVED_INSIDE, REMOVED_PAIRS, WORDS,
    bit,
};
use super::{lexicon::is_town, person::FieldKind, reference::is_harmless_word};

/// What a key says about its value, which decides how the value is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyMeaning {
    Plain,
    /// The id of a person: shown as `***` and the last four characters.
    PersonId,
    /// A person, by name or id.
    Person,
    /// A network address or device: shown as `[REDACTED]`.
    Network,
    /// An account: removed, unless it is an object. The keys of an object are read one by one.
    Account,
    /// Removed, whatever the value is.
    Removed,
}

/// A key as words in lower case, without digits.
#[derive(Debug, Clone)]
pub(crate) struct FieldKey {
    words: Vec<String>,
    /// The lists that at least one of the words is on, one bit each.
    on_any: u32,
    /// The lists that all of the words are on.
    on_all: u32,
}

/// The rest of a longer key is ignored.
const CHARS_MAX: usize = 256;

impl FieldKey {
    pub(crate) fn read(key: &str) -> Self {
        let letters: Vec<char> = key.chars().take(CHARS_MAX).collect();
        let mut words = vec![String::new()];
        for (at, &letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| letters.get(at));
            let after = letters.get(at + 1);
            let starts_word = letter.is_uppercase()
                && before
                    .is_some_and(|before| before.is_lowercase() || after.is_some_and(|after| after.is_lowercase()));
            if starts_word || !letter.is_alphabetic() {
                words.push(String::new());
            }
            if letter.is_alphabetic()
                && let Some(word) = words.last_mut()
            {
                word.extend(letter.to_lowercase());
            }
        }
        words.retain(|word| !word.is_empty());
        let lists = || words.iter().map(|word| WORDS.get(word.as_str()).copied().unwrap_or_default());
        Self { on_any: lists().fold(0, |any, on| any | on), on_all: lists().fold(u32::MAX, |all, on| all & on), words }
    }

    /// Whether a report may show this key: all of its words are known, and it has too few digits to identify a person. `name`
    /// is the key as it was written.
    pub(crate) fn is_allowed(&self, name: &str) -> bool {
        const DIGITS_MAX: usize = 4;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-. ".contains(letter);
        let digits = name.bytes().filter(u8::is_ascii_digit).count();
        !self.words.is_empty() && self.is_all(KeyList::Known) && digits <= DIGITS_MAX && name.chars().all(is_plain)
    }

    pub(crate) fn words_are(&self, wanted: impl Fn(&str) -> bool) -> bool {
        !self.words.is_empty() && self.words.iter().all(|word| wanted(word))
    }

    /// The kind of text that the value is.
    pub(crate) fn field_kind(&self) -> FieldKind {
        if self.has(KeyList::City) {
            FieldKind::City
        } else if self.has(KeyList::Shop) {
            FieldKind::Merchant
        } else {
            FieldKind::Prose
        }
    }

    /// Whether a text is a plausible value of this key. Some keys have a closed set of values; any other text under them is a
    /// mistake or an attempt to hide something.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let is_letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
        match self.words.last().map(String::as_str) {
            Some("currency" | "currencies") => text.to_ascii_uppercase().parse::<Currency>().is_ok(),
            Some("country" | "countries" | "jurisdiction") => {
                matches!(text.len(), 2 | 3) && is_letters(text) || is_town(text)
            }
            Some("mcc") => text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()),
            Some("channel" | "channels" | "mode" | "scheme" | "direction") => words_of(text).all(is_harmless_word),
            Some("threshold" | "thresholds" | "limit" | "cutoff") => text.bytes().any(|byte| byte.is_ascii_digit()),
            _ => true,
        }
    }

    /// How many digits before the decimal point a number under this key may have. An amount of money may be long. Under
    /// any other key, an account number could not be distinguished from a count.
    pub(crate) fn digits_max(&self) -> usize {
        if self.has(KeyList::Money) { 8 } else { 5 }
    }

    /// The words joined by underscores: `source_of_funds`, however it was written.
    pub(crate) fn joined(&self) -> String {
        self.words.join("_")
    }

    /// The words joined by spaces: `source of funds`.
    pub(crate) fn spoken(&self) -> String {
        self.words.join(" ")
    }

    /// What this key means inside an object whose key is `parent`.
    pub(crate) fn meaning(&self, parent: Option<&FieldKey>) -> KeyMeaning {
        let is_attribute = self.has(KeyList::Attributes);
        let is_part = matches!(&self.words[..], [word] if PARTS.contains(&word.as_str()));
        let is_of_account = parent.is_some_and(|parent| parent.has(KeyList::Account));
        if is_part && !is_of_account || self.has(KeyList::Position) {
            return KeyMeaning::Removed;
        }
        if self.is_name(parent)
            || self.has(KeyList::Birth)
            || self.has(KeyList::National)
            || self.has_pair(NATIONAL_PAIRS)
        {
            return KeyMeaning::Removed;
        }
        let whole = self.words.concat();
        let contains_any = |parts: &[&str]| parts.iter().any(|part| whole.contains(part));
        if contains_any(NAME_INSIDE) || contains_any(REMOVED_INSIDE) && !is_attribute {
            return KeyMeaning::Removed;
        }
        if is_attribute {
            return KeyMeaning::Plain;
        }
        let is_number = self.is_all(KeyList::Number);
        let is_device_id = is_number && parent.is_some_and(|parent| parent.has(KeyList::Devices));
        if is_device_id || self.has(KeyList::Network) || self.has_pair(DEVICE_PAIRS) || contains_any(NETWORK_INSIDE) {
            return KeyMeaning::Network;
        }
        if self.has(KeyList::Contact) || self.has(KeyList::Secret) || self.has_pair(REMOVED_PAIRS) {
            return KeyMeaning::Removed;
        }
        if self.has(KeyList::Account) || is_number && parent.is_some_and(|parent| parent.has(KeyList::Account)) {
            return KeyMeaning::Account;
        }
        let is_of_person =
            self.has(KeyList::Person) || is_number && parent.is_some_and(|parent| parent.has(KeyList::Person));
        if is_of_person && self.has(KeyList::Number) || self.has(KeyList::PersonId) {
            return KeyMeaning::PersonId;
        }
        if self.has(KeyList::Person) && self.is_all(KeyList::Person) {
            return KeyMeaning::Person;
        }
        KeyMeaning::Plain
    }

    /// Whether the value is a person's name. Every name counts as one unless the key (for a bare `name`, the parent's key) is
    /// about a thing.
    fn is_name(&self, parent: Option<&FieldKey>) -> bool {
        if self.has(KeyList::PersonName) {
            return true;
        }
        if !self.has(KeyList::Names) {
            return false;
        }
        let is_bare = self.words.len() == 1;
        let owner = if is_bare { parent } else { Some(self) };
        owner.is_none_or(|owner| {
            owner.has(KeyList::Person) || owner.has(KeyList::NameParts) || !owner.has(KeyList::Things)
        })
    }

    fn has(&self, list: KeyList) -> bool {
        self.on_any & bit(list) != 0
    }

    fn is_all(&self, list: KeyList) -> bool {
        self.on_all & bit(list) != 0
    }

    fn has_pair(&self, pairs: &[(&str, &[&str])]) -> bool {
        let has = |known: &&str| self.words.iter().any(|word| word == known);
        pairs.iter().any(|(first, seconds)| has(first) && seconds.iter().any(has))
    }
}

/// The words of a text, whatever separates them.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests;
