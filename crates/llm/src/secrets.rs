//! Removes our providers' keys from everything that comes back, before it is read, stored or forwarded: a provider that echoes
//! its request must not reveal our key to a caller.
//!
//! Keys in plain text, base64, hexadecimal or percent encoding are removed. Parts of keys, and keys in other encodings or with
//! characters in between, can only be detected (`key_fragments.rs`), and the text is withheld. Keys that are too short for
//! that are only matched exactly, also in streams. Encrypted keys can't be detected.

use crate::key_fragments::KeyFragments;
use crate::provider::ProviderKey;
use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD};
use bytes::{Bytes, BytesMut};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// Replaces a removed key.
pub(crate) const REMOVED: &str = "[key]";
/// Shorter texts are not treated as keys, because they would occur in ordinary words.
const KEY_BYTES_MIN: usize = 6;
/// A text that ends with this many first bytes of a short key is held back, because the rest of the key may follow.
const SHORT_START_BYTES: usize = 3;

/// The providers' keys, to be removed or found. Clones share one automaton.
#[derive(Clone, Default)]
pub struct Secrets(Option<Arc<KeyIndex>>);

struct KeyIndex {
    automaton: AhoCorasick,
    /// All forms of all keys.
    forms: Vec<Vec<u8>>,
    /// `None` if all keys are short.
    fragments: Option<KeyFragments>,
    /// Keys too short to be traced. With characters in between, they could be ordinary words, so they are only matched exactly.
    short_keys: Vec<String>,
}

/// The end of a text that arrives in pieces: just long enough to hold the start of any key.
#[derive(Default)]
pub struct Tail {
    /// Letters and digits only, as parts of keys are compared.
    normalised: String,
    as_received: String,
}

impl Secrets {
    pub fn new<'a>(keys: impl IntoIterator<Item = &'a ProviderKey>) -> Self {
        let mut keys: Vec<String> = keys.into_iter().map(|key| key.expose().to_owned()).collect();
        keys.retain(|key| key.len() >= KEY_BYTES_MIN);
        keys.sort_unstable();
        keys.dedup();
        let mut forms: Vec<Vec<u8>> = keys.iter().flat_map(|key| forms(key.as_bytes())).collect();
        forms.sort_unstable();
        forms.dedup();
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms);
        let fragments = KeyFragments::of(keys.iter().map(String::as_str));
        let is_known = !keys.is_empty();
        keys.retain(|key| !KeyFragments::is_traceable(key));
        let known = automaton.ok().filter(|_| is_known);
        Self(known.map(|automaton| Arc::new(KeyIndex { automaton, forms, fragments, short_keys: keys })))
    }

    /// Whether the bytes contain a key.
    pub fn are_in(&self, bytes: impl AsRef<[u8]>) -> bool {
        self.0.as_ref().is_some_and(|known| known.automaton.is_match(bytes.as_ref()))
    }

    /// Whether a JSON text contains a key that its bytes don't show, because it is escaped or was split by a removed key.
    pub fn are_escaped_in(&self, json: &str) -> bool {
        self.0.is_some()
            && (json.contains('\\') || json.contains(REMOVED))
            && self.are_in(unescaped(json).replace(REMOVED, ""))
    }

    /// Whether a text contains a part of a key in any common encoding, with any characters in between.
    pub fn are_traced_in(&self, text: &str) -> bool {
        self.fragments().is_some_and(|fragments| fragments.are_in(text))
    }

    /// Adds a piece to a text's tail. Returns whether it completes a short key or a part of a longer one.
    pub fn follow(&self, tail: &mut Tail, piece: &str) -> bool {
        let Some(known) = &self.0 else { return false };
        let is_traced = known.fragments.as_ref().is_some_and(|fragments| fragments.follow(&mut tail.normalised, piece));
        // Not `||`: both must see the piece.
        is_traced | known.follow_short(&mut tail.as_received, piece)
    }

    /// Whether a key may have begun at the end of the text.
    pub fn may_have_begun(&self, tail: &Tail) -> bool {
        let Some(known) = &self.0 else { return false };
        known.fragments.as_ref().is_some_and(|fragments| fragments.may_have_begun(&tail.normalised))
            || known
                .short_keys
                .iter()
                .any(|key| overlap(tail.as_received.as_bytes(), key.as_bytes()) >= SHORT_START_BYTES)
    }

    fn fragments(&self) -> Option<&KeyFragments> {
        self.0.as_ref()?.fragments.as_ref()
    }

    /// Whether there is no key to look for.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The text without any key.
    pub fn remove_from<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match &self.0 {
            Some(known) if known.automaton.is_match(text) => {
                Cow::Owned(known.automaton.replace_all(text, &vec![REMOVED; known.forms.len()]))
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// The bytes without any key. Bytes without a key are not copied.
    pub fn remove_from_bytes(&self, bytes: Bytes) -> Bytes {
        match &self.0 {
            Some(known) if known.automaton.is_match(&bytes) => {
                known.automaton.replace_all_bytes(&bytes, &vec![REMOVED; known.forms.len()]).into()
            }
            _ => bytes,
        }
    }

    /// A [`KeyRemover`] for one body that arrives in pieces.
    pub(crate) fn key_remover(&self) -> KeyRemover {
        KeyRemover { secrets: self.clone(), held_back: BytesMut::new() }
    }
}

impl KeyIndex {
    fn follow_short(&self, end: &mut String, piece: &str) -> bool {
        let Some(longest) = self.short_keys.iter().map(String::len).max() else { return false };
        end.push_str(piece);
        let is_found = self.short_keys.iter().any(|key| end.contains(key));
        let mut surplus = end.len().saturating_sub(longest);
        while !end.is_char_boundary(surplus) {
            surplus += 1;
        }
        end.drain(..surplus);
        is_found
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secrets(…)")
    }
}

/// Removes keys from a body that arrives in pieces, even if a key is split between two.
pub(crate) struct KeyRemover {
    secrets: Secrets,
    /// The bytes at the end that may be the start of a key.
    held_back: BytesMut,
}

impl KeyRemover {
    /// Adds a piece. Returns the bytes that may be passed on.
    pub(crate) fn push(&mut self, piece: Bytes) -> Bytes {
        let Some(known) = &self.secrets.0 else { return piece };
        let whole = match self.held_back.is_empty() {
            true => piece,
            false => {
                self.held_back.extend_from_slice(&piece);
                self.held_back.split().freeze()
            }
        };
        let mut clean = self.secrets.remove_from_bytes(whole);
        let uncertain = known.forms.iter().map(|form| overlap(&clean, form)).max().unwrap_or(0);
        self.held_back.extend_from_slice(&clean.split_off(clean.len() - uncertain));
        clean
    }

    /// The bytes that were held back. Call it at the end.
    pub(crate) fn rest(&mut self) -> Bytes {
        self.held_back.split().freeze()
    }
}

/// Decodes `\u` escapes and removes all other backslashes, which also covers JSON inside a JSON string. Keys are ASCII, so
/// surrogate pairs don't matter.
fn unescaped(json: &str) -> String {
    let mut parts = json.split("\\u");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let letter = part.get(..4).and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        text.extend(letter);
        text.push_str(part.get(4..).filter(|_| letter.is_some()).unwrap_or(part));
    }
    text.retain(|letter| letter != '\\');
    text
}

/// The length of the longest end of `text` that is a proper prefix of `form`.
fn overlap(text: &[u8], form: &[u8]) -> usize {
    let longest = form.len().saturating_sub(1).min(text.len());
    (1..=longest).rev().find(|length| text.ends_with(&form[..*length])).unwrap_or(0)
}

/// The key in plain text and in common encodings.
fn forms(key: &[u8]) -> Vec<Vec<u8>> {
    let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let percent: String = key
        .iter()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(*byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    let all_percent: String = key.iter().map(|byte| format!("%{byte:02x}")).collect();
    let mut forms = vec![
        key.to_vec(),
        hex.to_uppercase().into_bytes(),
        hex.into_bytes(),
        percent.into_bytes(),
        all_percent.to_uppercase().into_bytes(),
        all_percent.into_bytes(),
        // In UTF-16, whichever byte of a character comes first.
        key.iter().flat_map(|byte| [*byte, 0]).take(key.len() * 2 - 1).collect(),
    ];
    for before in 0..3 {
        // These characters of the base64 depend on the key only, not on the text around it.
        let padded = [&vec![0; before], key].concat();
        for engine in [BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE_NO_PAD] {
            let encoded = engine.encode(&padded);
            let of_key = encoded.get((before * 8).div_ceil(6)..padded.len() * 8 / 6).unwrap_or_default();
            forms.push(of_key.as_bytes().to_vec());
        }
    }
    forms.retain(|form| form.len() >= KEY_BYTES_MIN);
    forms
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "sk-proj-Ab12Cd34";

    fn secrets() -> Secrets {
        Secrets::new(&[ProviderKey::new(KEY), ProviderKey::new("gsk_other_key"), ProviderKey::new("short")])
    }

    #[test]
    fn a_key_is_removed_in_every_form() {
        for form in [
            KEY.to_owned(),
            format!("Bearer {KEY}, again {KEY}"),
            "736b2d70726f6a2d4162313243643334".to_owned(),
            "736B2D70726F6A2D4162313243643334".to_owned(),
            "sk%2Dproj%2DAb12Cd34".to_owned(),
            KEY.bytes().map(|byte| format!("%{byte:02x}")).collect(),
            KEY.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            KEY.chars().flat_map(|letter| [letter, '\0']).collect(),
            BASE64_STANDARD_NO_PAD.encode(format!("Bearer {KEY}")),
            BASE64_STANDARD_NO_PAD.encode(format!("x{KEY}y")),
            BASE64_URL_SAFE_NO_PAD.encode(format!("xy{KEY}")),
        ] {
            assert!(secrets().are_in(&form), "{form}");
            let clean = secrets().remove_from(&form).into_owned();
            assert!(clean.contains(REMOVED) && !secrets().are_in(&clean), "{form} -> {clean}");
        }
    }

    #[test]
    fn an_escaped_key_is_detected() {
        let escaped: String = KEY.chars().map(|letter| format!("\\u{:04x}", letter as u32)).collect();
        assert!(secrets().are_escaped_in(&format!(r#"{{"a":1,"a":"{escaped}"}}"#)));
        assert!(secrets().are_escaped_in(r#"["sk\u002Dproj-Ab12Cd34"]"#));
        assert!(secrets().are_escaped_in(r#"["{\"a\":\"s\\u006B-proj-Ab12Cd34\"}"]"#));
        assert!(Secrets::new(&[ProviderKey::new("ab/cdefgh+12345")]).are_escaped_in(r#"["ab\/cdefgh+12345"]"#));
        assert!(secrets().are_traced_in("s k - p r o j - **Ab12**\nCd34.") && !secrets().are_traced_in("sk-proj-Ab12"));
        let removed = secrets().remove_from(&format!("sk-pr{KEY}oj-Ab12Cd34")).into_owned();
        assert!(!secrets().are_in(&removed) && secrets().are_escaped_in(&removed));
        assert!(!secrets().are_escaped_in(r#"["\u00e9\ud83d\ude00 \u12 é\u"]"#));
    }

    #[test]
    fn text_without_keys_is_unchanged() {
        for text in ["", "sk-proj-Ab12", "short", "a perfectly ordinary answer"] {
            assert!(matches!(secrets().remove_from(text), Cow::Borrowed(_)), "{text}");
        }
        assert!(!Secrets::default().are_in(KEY));
    }

    #[test]
    fn a_short_key_is_detected_only_as_written() {
        let secrets = Secrets::new(&[ProviderKey::new("test-key"), ProviderKey::new(KEY)]);
        let follow = |pieces: &[&str]| {
            let mut tail = Tail::default();
            pieces.iter().any(|piece| secrets.follow(&mut tail, piece))
        };
        assert!(
            follow(&["your key is te", "st-", "", "key, "]) && follow(&["éé test-ke", "y"]) && follow(&["test-key"])
        );
        assert!(!follow(&["a test key", " and a test", " -key, tes-key"]));
        let mut tail = Tail::default();
        assert!(!secrets.follow(&mut tail, "your key is te") && !secrets.may_have_begun(&tail));
        assert!(!secrets.follow(&mut tail, "s") && secrets.may_have_begun(&tail));
        assert!(!secrets.follow(&mut tail, "ts") && !secrets.may_have_begun(&tail));
    }

    proptest! {
        #[test]
        fn a_key_is_removed_however_the_body_is_split(
            texts in prop::collection::vec("[a-z ]{0,9}", 2..6), cuts in prop::collection::vec(1usize..9, 1..40),
        ) {
            let whole = texts.join(KEY);
            let mut remover = secrets().key_remover();
            let (mut passed, mut rest) = (Vec::new(), whole.as_bytes());
            for cut in cuts.iter().cycle() {
                if rest.is_empty() { break; }
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                passed.extend_from_slice(&remover.push(Bytes::copy_from_slice(piece)));
                rest = after;
            }
            passed.extend_from_slice(&remover.rest());
            prop_assert_eq!(String::from_utf8(passed).unwrap(), texts.join(REMOVED));
        }
    }
}
