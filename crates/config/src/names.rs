//! Names of providers, models and variables, with the characters that each may contain.

use crate::problem::quoted;
use crate::value::{Parsed, invalid};

pub(crate) fn model(text: &str) -> Parsed<String> {
    let text = word(text)?;
    let refuse = |why: &str| {
        let help = "write simulated, builtin, provider or provider/model, such as groq/llama-3.3-70b-versatile";
        invalid(format!("{} {why}", quoted(&text)), help)
    };
    match text.split_once('/') {
        Some(("", _)) => refuse("has no provider"),
        Some((_, "")) => refuse("has no model after the slash"),
        Some(("simulated" | "builtin", _)) => refuse("names a model, but simulated and builtin have none"),
        _ => Ok(text),
    }
}

pub(crate) fn pattern(text: &str) -> Parsed<String> {
    let text = word(text)?;
    if text.trim_end_matches('*').contains('*') || text.ends_with("**") {
        let help = "write a model's whole name, or a prefix with one * at the end";
        return invalid(format!("{} has a * before its end", quoted(&text)), help);
    }
    Ok(text)
}

const NAME_CHARS_MAX: usize = 40;

pub(crate) fn name(text: &str) -> Parsed<String> {
    let is_name =
        text.len() <= NAME_CHARS_MAX && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if !is_name {
        let help = format!("use a-z, 0-9 and -, at most {NAME_CHARS_MAX} of them");
        return invalid(format!("{} is not a name", quoted(text)), help);
    }
    Ok(text.to_owned())
}

const WORD_CHARS_MAX: usize = 200;

pub(crate) fn word(text: &str) -> Parsed<String> {
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return invalid(format!("{} contains spaces or control characters", quoted(text)), "write one word");
    }
    if text.chars().nth(WORD_CHARS_MAX).is_some() {
        return invalid(format!("{} is too long", quoted(text)), format!("use at most {WORD_CHARS_MAX} characters"));
    }
    Ok(text.to_owned())
}

/// Capitals, digits and underscores only. Errors don't quote the text, because people sometimes put the secret itself here.
pub(crate) fn secret_variable(text: &str) -> Parsed<String> {
    let is_name = text.len() <= WORD_CHARS_MAX
        && text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
        && !text.starts_with(|c: char| c.is_ascii_digit());
    if !is_name {
        return invalid(
            "is not the name of a variable",
            "use A-Z, 0-9 and _; the secret itself belongs in the field without `_env`",
        );
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::settings::ValueKind;
    use crate::tests::values::{accepts, refuses};
    use crate::value::parse;

    #[test]
    fn names_words_and_patterns_contain_only_allowed_characters() {
        accepts(ValueKind::Name, "my-own-2", "my-own-2");
        for text in ["My", "a_b", "a/b", "é", &"a".repeat(41)] {
            refuses(ValueKind::Name, text, "is not a name");
        }
        accepts(ValueKind::Word, "a/b:c*é", "a/b:c*é");
        for text in ["a b", "a\u{7}b", "a\u{a0}b"] {
            refuses(ValueKind::Word, text, "contains spaces");
        }
        refuses(ValueKind::Word, &"é".repeat(201), "is too long");
        for text in ["*", "gpt-*", "gpt-4"] {
            accepts(ValueKind::Pattern, text, text);
        }
        for text in ["**", "*a", "a*b*", "a**"] {
            refuses(ValueKind::Pattern, text, "has a * before its end");
        }
        accepts(ValueKind::SecretVariable, "_MY_KEY2", "_MY_KEY2");
        for text in ["gsk_abc", "2KEY", "A-B", "$KEY"] {
            refuses(ValueKind::SecretVariable, text, "is not the name of a variable");
            assert!(!format!("{:?}", parse(ValueKind::SecretVariable, text)).contains(text));
        }
    }
}
