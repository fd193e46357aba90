//! Makes a message from outside safe to store: bounded, on one line, without control characters or anything that looks like
//! a key.

const CHARS_MAX: usize = 500;
const MASK: &str = "[key]";
const PREFIXES: [&str; 9] = ["sk-", "sk_", "gsk_", "AIza", "xai-", "hf_", "cs_", "pk-", "key-"];
/// A run of letters and digits that is this long, and has both, is a credential or an id; model names have separators.
const RUN_CHARS_MIN: usize = 24;

/// The message without anything that looks like a key. `key` is the one the caller used; it is removed wherever it occurs.
pub fn scrub(text: &str, key: Option<&str>) -> String {
    // Providers may echo whole prompts. Four times the length of the result is enough; the rest is dropped unread.
    let start: String = text.chars().take(4 * CHARS_MAX).collect();
    let known = match key.filter(|key| key.len() >= 4) {
        Some(key) => start.replace(key, MASK),
        None => start,
    };
    let mut clean = String::with_capacity(known.len().min(2 * CHARS_MAX));
    for (index, word) in known.split(is_boundary).enumerate() {
        if index > 0 {
            clean.push(' ');
        }
        clean.push_str(&masked(word));
    }
    let one_line = clean.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    one_line.chars().take(CHARS_MAX).collect()
}

fn is_boundary(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Punctuation around a key stays, so that the sentence can still be read.
fn masked(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while !rest.is_empty() {
        let length = rest.find(|c: char| !is_key_char(c)).unwrap_or(rest.len());
        let (token, after) = rest.split_at(length);
        out.push_str(if looks_like_key(token) { MASK } else { token });
        let punctuation = after.find(is_key_char).unwrap_or(after.len());
        out.push_str(&after[..punctuation]);
        rest = &after[punctuation..];
    }
    out
}

fn is_key_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '*')
}

fn looks_like_key(token: &str) -> bool {
    let has_prefix = PREFIXES.iter().any(|prefix| token.len() > prefix.len() + 4 && token.starts_with(prefix));
    has_prefix || token.split(['-', '_', '*']).any(is_random_run)
}

fn is_random_run(run: &str) -> bool {
    run.len() >= RUN_CHARS_MIN
        && run.bytes().any(|b| b.is_ascii_digit())
        && run.bytes().any(|b| b.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(scrub(text, Some("key1234")), expected);
    }

    #[test]
    fn keys_are_masked_and_sentences_stay_readable() {
        check(
            "Incorrect API key provided: sk-proj-abc***xyz9. See docs.",
            "Incorrect API key provided: [key]. See docs.",
        );
        check("Invalid API key: key1234", "Invalid API key: [key]");
        check("?key=AIzaSyD-1234567_890&alt=sse", "?key=[key]&alt=sse");
        check("token 0123456789abcdef0123456789abcdef!", "token [key]!");
        check("(gsk_abcdefghij)", "([key])");
    }

    #[test]
    fn names_of_models_are_left_alone() {
        check("no model claude-sonnet-4-20250514 here", "no model claude-sonnet-4-20250514 here");
        check("meta-llama/llama-4-scout-17b-16e-instruct", "meta-llama/llama-4-scout-17b-16e-instruct");
    }

    #[test]
    fn control_characters_are_removed_and_the_length_is_bounded() {
        check("a\r\n\u{1b}[31mb\0", "a [31mb");
        assert_eq!(scrub(&"é".repeat(10_000), None).chars().count(), 500);
    }
}
