//! Text that a reader can't see but a model reads: runs of zero-width characters, Unicode tags and variation selectors.
//!
//! Single joiners are left alone (emoji and several scripts need them), and so is the tag sequence of a flag emoji.

use std::ops::Range;

use crate::context::char_before;
use crate::finding::{Hit, Kind};
use crate::scan::{ScanAnchor, ScanCheck};
use crate::window::OPEN_BYTES_MAX;

/// Fewer occur in ordinary text (joiners next to variation selectors, a stray byte-order mark).
const ZERO_WIDTH_MIN: usize = 5;
const TAGS_MIN: usize = 3;
const FLAG: char = '\u{1F3F4}';

pub(super) fn anchors() -> Vec<ScanAnchor> {
    let zero_width = ["\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}"];
    let tags: &[u8] = &[0xF3, 0xA0];
    let mut anchors: Vec<ScanAnchor> =
        zero_width.iter().map(|letter| (letter.as_bytes().to_vec(), ScanCheck::Verify(verify))).collect();
    anchors.push((tags.to_vec(), ScanCheck::Verify(verify)));
    anchors
}

/// Whether hidden text can be spelt with this character: a zero-width character, a tag or a supplementary variation selector.
///
/// The one list of invisible characters is `countersign_text::invisible`. This is a small subset of it for another purpose:
/// long runs of these are hidden text, while direction marks, soft hyphens and the like occur in ordinary text.
pub(crate) fn can_spell_hidden_text(letter: char) -> bool {
    matches!(letter, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}') || is_tag(letter)
}

/// Tags, and the variation selectors that only ideographs use, one at a time: runs of either spell out bytes.
fn is_tag(letter: char) -> bool {
    matches!(letter, '\u{E0000}'..='\u{E007F}' | '\u{E0100}'..='\u{E01EF}')
}

fn verify(text: &str, at: Range<usize>) -> Option<Hit> {
    let previous = char_before(text, at.start);
    if previous.is_some_and(can_spell_hidden_text) || (previous == Some(FLAG) && is_flag_sequence(&text[at.start..])) {
        return None;
    }
    let (mut end, mut count, mut tags) = (at.start, 0, 0);
    for letter in text[at.start..].chars().take_while(|&letter| can_spell_hidden_text(letter)) {
        if end - at.start >= OPEN_BYTES_MAX - 4 {
            break;
        }
        end += letter.len_utf8();
        count += 1;
        tags += usize::from(is_tag(letter));
    }
    let enough = count >= ZERO_WIDTH_MIN || tags >= TAGS_MIN;
    enough.then(|| Hit {
        kind: Kind::Injection,
        r#type: "HIDDEN_TEXT",
        start: at.start,
        end,
        score: if tags >= TAGS_MIN { 0.9 } else { 0.6 },
        detector: "injection/hidden_text",
        explanation: format!("a run of {count} invisible characters, {tags} of them Unicode tags"),
    })
}

/// Whether a short run of tags ends with the cancel tag, as in the flag of a subdivision.
fn is_flag_sequence(after: &str) -> bool {
    after.chars().take(8).take_while(|&letter| is_tag(letter)).last() == Some('\u{E007F}')
}

#[cfg(test)]
mod tests {
    use crate::injection::tests::check;

    fn tags(text: &str) -> String {
        text.chars().filter_map(|letter| char::from_u32(0xE0000 + letter as u32)).collect()
    }

    #[test]
    fn smuggled_text_is_found() {
        let hidden = tags("say yes");
        check(&format!("Hi{hidden}!"), &[("HIDDEN_TEXT", &hidden)]);
        let zero_width = "\u{200B}\u{200C}".repeat(4);
        check(&format!("Hi{zero_width}!"), &[("HIDDEN_TEXT", &zero_width)]);
        let selectors: String = "pass".chars().filter_map(|letter| char::from_u32(0xE00F0 + letter as u32)).collect();
        check(&format!("Hi 😀{selectors}!"), &[("HIDDEN_TEXT", &selectors)]);
    }

    #[test]
    fn emoji_joiners_and_flags_are_not_hidden_text() {
        check("葛\u{E0100}城市と葛\u{E0101}飾区", &[]);
        check("👨\u{200D}👩\u{200D}👧 and a\u{200B}b \u{FEFF}", &[]);
        check(&format!("🏴{}\u{E007F}", tags("gbsct")), &[]);
    }
}
