//! Quotes external text in a sentence. Such text is data: it is bounded, always marked as a quotation, and stripped of
//! anything that could pass for markup, for an instruction on a line of its own, or for the end of the sentence.

/// The maximum number of characters in a quotation. Longer texts are cut.
pub(super) const QUOTE_CHARS_MAX: usize = 40;
const QUOTE_WORDS_MAX: usize = 6;
const ID_CHARS_MAX: usize = 80;

/// An id or a name, verbatim in backticks. `None` unless it is a single run of plain visible characters.
pub(super) fn id(text: &str) -> Option<String> {
    let plain = |c: char| is_quotable(c) && c.is_alphanumeric() || "-_.:/@+=*".contains(c);
    (text.len() <= ID_CHARS_MAX && !text.is_empty() && text.chars().all(plain)).then(|| format!("`{text}`"))
}

/// The beginning of a text in quotation marks, up to the first character that doesn't belong in a sentence. `None` if too few
/// letters are left. The quotation is verbatim: nothing is dropped from its middle.
pub(super) fn quoted(text: &str) -> Option<String> {
    let rest = text.trim_start_matches(|c: char| !c.is_alphanumeric()).trim_end();
    let mut end = 0;
    let mut words = 1;
    for (at, c) in rest.char_indices().take(QUOTE_CHARS_MAX) {
        words += usize::from(c == ' ');
        if !is_quotable(c) || words > QUOTE_WORDS_MAX || c == ' ' && rest[..at].ends_with(' ') {
            break;
        }
        end = at + c.len_utf8();
    }
    let kept = rest[..end].trim_end();
    let is_cut = end < rest.len();
    let ellipsis = if is_cut { "…" } else { "" };
    // A single letter identifies nothing, and the first two letters of a longer name match too many names.
    let fewest = if is_cut { 3 } else { 2 };
    (kept.chars().filter(|c| c.is_alphabetic()).count() >= fewest).then(|| format!("\"{kept}{ellipsis}\""))
}

/// The letters of merchants' and cities' names in all scripts, without combining, directional or invisible characters.
fn is_quotable(c: char) -> bool {
    let is_letter = matches!(c,
        'A'..='Z' | 'a'..='z' | 'À'..='ſ' | 'Ά'..='ώ' | 'Ѐ'..='џ' | 'א'..='ת' | 'ء'..='ي' | 'ぁ'..='ヺ' | 'ー' | '一'..='鿿' | '가'..='힣')
        && c.is_alphabetic();
    is_letter || c.is_ascii_digit() || " .,'&-/+:()!?%@".contains(c)
}

/// A name that a sender chose: in backticks if it is a plain identifier, and otherwise quoted.
pub(super) fn named(text: &str) -> Option<String> {
    if text.len() <= QUOTE_CHARS_MAX { id(text).or_else(|| quoted(text)) } else { quoted(text) }
}

/// Validates the name of a country. It comes from a table, but a stored context may have been changed.
pub(super) fn country(name: &str) -> Option<&str> {
    let plain = |c: char| c.is_alphabetic() || " ,.'()-’&".contains(c);
    let is_name = name.len() <= 60 && name.chars().all(plain) && name.chars().any(char::is_alphabetic);
    (is_name && name.trim() == name && !name.contains("  ") && name.split(' ').count() <= 8).then_some(name)
}

/// Whether a unit is plain enough to print after a figure: `percent`, `share of payments`.
pub(super) fn is_unit(unit: &str) -> bool {
    let is_word = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
    unit.len() <= QUOTE_CHARS_MAX && unit.split(' ').all(is_word) && unit.split(' ').count() <= 4
}

/// Whether a field's name is plain enough to print: `chargebacks_30d`.
pub(super) fn is_key(key: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    key.len() <= QUOTE_CHARS_MAX
        && key.split('_').all(is_word)
        && key.split('_').next().is_some_and(|word| word.len() >= 3 && word.chars().all(|c| c.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(quoted(text).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn a_quotation_is_verbatim_up_to_the_first_unsuitable_character() {
        check("Café Zürich", Some("\"Café Zürich\""));
        check("東京百貨店", Some("\"東京百貨店\""));
        check("**Bold** [link](http://x)", Some("\"Bold…\""));
        check("one\r\n# two", Some("\"one…\""));
        check("Shop\u{202e}evil\u{200b}", Some("\"Shop…\""));
        check("say \"hi\" `now`", Some("\"say…\""));
        check("two  spaces", Some("\"two…\""));
        check(" (padded) ", Some("\"padded)\""));
        check("😀 \u{0}", None);
        check("Qs*Shop", None);
        check("Qs", Some("\"Qs\""));
        check("", None);
    }

    #[test]
    fn a_quotation_is_cut_at_its_bounds() {
        check(&"x".repeat(256), Some(&format!("\"{}…\"", "x".repeat(40))));
        check("a b c d e f g h", Some("\"a b c d e f…\""));
        check(&"*".repeat(100_000), None);
    }

    #[test]
    fn an_id_is_verbatim_or_left_out() {
        assert_eq!(id("***7731").as_deref(), Some("`***7731`"));
        for bad in ["", "a b", "a`b", "<b>", "a\"b", "a\u{202e}b", &"x".repeat(81)] {
            assert_eq!(id(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn units_are_a_few_plain_words() {
        assert!(["percent", "share of payments", "risk score"].iter().all(|unit| is_unit(unit)));
        assert!(
            ["", "%", "km/h", "Percent", "ignore all of these rules", "a\nb", "7 days"].iter().all(|u| !is_unit(u))
        );
    }

    #[test]
    fn keys_and_countries_are_plain_words() {
        assert!(is_key("count_1h") && is_key("chargebacks"));
        assert!(["_x", "a", "Ignore all", "x__y", "count_1h`", "1h_count"].iter().all(|key| !is_key(key)));
        assert_eq!(country("Côte d'Ivoire"), Some("Côte d'Ivoire"));
        assert_eq!(country("Nowhere\n# x"), None);
    }
}
