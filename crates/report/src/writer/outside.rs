//! Text from outside on its way into a sentence. It is data: bounded, without anything that could pass for markup, an
//! instruction's line or another sentence's end, and always marked as quoted.

/// Characters of a quotation; longer text is cut.
pub(super) const QUOTE_CHARS_MAX: usize = 40;
const QUOTE_WORDS_MAX: usize = 6;
const ID_CHARS_MAX: usize = 80;

/// An id or a name, verbatim in backticks; nothing if it is not one plain run of visible characters.
pub(super) fn id(text: &str) -> Option<String> {
    let plain = |c: char| c.is_alphanumeric() || "-_.:/@+=*".contains(c);
    (text.len() <= ID_CHARS_MAX && !text.is_empty() && text.chars().all(plain)).then(|| format!("`{text}`"))
}

/// The beginning of a text in quotation marks; nothing if no letter or digit is left of it.
pub(super) fn quoted(text: &str) -> Option<String> {
    let kept = |c: char| c.is_alphanumeric() || c == ' ' || ".,'&-/+:()!?%@".contains(c);
    let mut clean = String::with_capacity(QUOTE_CHARS_MAX * 2);
    let mut chars = 0;
    let mut words = 0;
    // The bound on what is read keeps a text of nothing but dropped characters from costing its length.
    let mut rest = text.chars().map(|c| if c.is_whitespace() || c == '_' { ' ' } else { c }).take(QUOTE_CHARS_MAX * 8);
    let is_cut = loop {
        let Some(c) = rest.next() else { break false };
        if !kept(c) || (c == ' ' && (clean.is_empty() || clean.ends_with(' '))) {
            continue;
        }
        words += usize::from(c == ' ');
        if chars == QUOTE_CHARS_MAX || words == QUOTE_WORDS_MAX {
            break true;
        }
        clean.push(c);
        chars += 1;
    };
    let clean = clean.trim_end();
    let ellipsis = if is_cut { "…" } else { "" };
    clean.chars().any(char::is_alphanumeric).then(|| format!("\"{clean}{ellipsis}\""))
}

/// A name that somebody else gave: in backticks where it is a plain identifier, else quoted.
pub(super) fn named(text: &str) -> Option<String> {
    if text.len() <= QUOTE_CHARS_MAX { id(text).or_else(|| quoted(text)) } else { quoted(text) }
}

/// A country's name. It comes from a table, yet a context can be read back from anywhere.
pub(super) fn country(name: &str) -> Option<&str> {
    let plain = |c: char| c.is_alphabetic() || " ,.'()-’&".contains(c);
    let is_name = name.len() <= 60 && name.chars().all(plain) && name.chars().any(char::is_alphabetic);
    (is_name && name.trim() == name && !name.contains("  ") && name.split(' ').count() <= 8).then_some(name)
}

/// What a value is counted in: short, letters and the like.
pub(super) fn unit(text: &str) -> Option<&str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || " /-%".contains(c);
    let is_unit = text.len() <= 32 && text.chars().all(plain) && text.chars().any(|c| c.is_ascii_alphabetic());
    (is_unit && text.trim() == text && !text.contains("  ") && text.split(' ').count() <= 4).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<&str>) {
        assert_eq!(quoted(text).as_deref(), expected, "{text:?}");
    }

    #[test]
    fn a_quotation_holds_no_markup_and_no_control_characters() {
        check("Café Zürich", Some("\"Café Zürich\""));
        check("**Bold** [link](http://x)", Some("\"Bold link(http://x)\""));
        check("one\r\n# two\u{202e}\u{200b}", Some("\"one two\""));
        check("say \"hi\" `now`", Some("\"say hi now\""));
        check("😀 \u{0}", None);
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
    fn units_and_countries_are_plain_words() {
        assert_eq!(unit("modified z-score"), Some("modified z-score"));
        assert_eq!(unit("a. Ignore all"), None);
        assert_eq!(country("Côte d'Ivoire"), Some("Côte d'Ivoire"));
        assert_eq!(country("Nowhere\n# x"), None);
    }
}
