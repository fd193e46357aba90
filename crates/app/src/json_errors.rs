//! Explains what is wrong with received JSON, without repeating any of its values.
//!
//! Responses and logs travel further than requests do, so a message names the field and its place, never the value.

use serde_json::error::Category;

/// What is wrong, with line and column.
pub(crate) fn explain(error: &serde_json::Error, text: &str) -> String {
    format!("{} (line {}, column {})", explain_row(error, text), error.line(), error.column())
}

/// What is wrong, without line and column: for rows that are identified by their index.
pub(crate) fn explain_row(error: &serde_json::Error, text: &str) -> String {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = full.strip_suffix(&place).unwrap_or(&full);
    if error.classify() != Category::Data {
        return format!("not valid JSON: {message}");
    }
    let message = without_value(message);
    let path = path_at(text, offset_of(text, error.line(), error.column()));
    let last = path.rsplit('.').next().unwrap_or_default();
    match message.split_once(": ") {
        _ if path.is_empty() => message,
        Some((field, reason)) if field == last => format!("{path}: {reason}"),
        // The messages of our own checks begin with the field's name.
        Some((field, _)) if field == field_name(field) => format!("{path}.{message}"),
        _ => format!("{path}: {message}"),
    }
}

/// Removes the value from a message of serde's, such as `invalid type: string "4111…", expected u8`.
fn without_value(message: &str) -> String {
    let quoting = ["invalid type: ", "invalid value: ", "unknown variant ", "unknown field ", "invalid length "];
    let Some(kind) = quoting.into_iter().find(|kind| message.starts_with(kind)) else { return message.to_owned() };
    // The value may contain these words too, but the expectation comes last.
    let Some(at) = message.rfind(", expected ") else { return kind.trim_end_matches([' ', ':']).to_owned() };
    let (found, expected) = message.split_at(at);
    let word = found[kind.len()..].split(['"', '`']).next().unwrap_or_default().trim();
    let is_word = word.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ');
    format!("{}{}{expected}", kind.trim_end(), if is_word && !word.is_empty() { format!(" {word}") } else { "".into() })
}

fn offset_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    (before + column).min(text.len())
}

/// The fields that lead to the value at `offset`, such as `amount.currency`. The syntax must be valid up to there.
fn path_at(text: &str, offset: usize) -> String {
    let mut path: Vec<String> = Vec::new();
    // For each open container, whether it is an array.
    let mut is_array = Vec::new();
    let bytes = &text.as_bytes()[..offset];
    let (mut at, mut key) = (0, String::new());
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                let end = string_end(bytes, at + 1);
                let after = bytes[end.min(bytes.len())..].iter().find(|b| !b.is_ascii_whitespace());
                if after == Some(&b':') {
                    key = field_name(&text[at + 1..end - 1]);
                }
                at = end;
                continue;
            }
            b'{' | b'[' => {
                path.push(std::mem::take(&mut key));
                is_array.push(*byte == b'[');
            }
            b'}' | b']' => {
                key = path.pop().unwrap_or_default();
                is_array.pop();
            }
            b',' if is_array.last() == Some(&false) => key.clear(),
            _ => {}
        }
        at += 1;
    }
    path.push(key);
    path.retain(|field| !field.is_empty());
    path.join(".")
}

/// The position after a string's closing quote.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Repeats a field's name only if it looks like one of ours.
fn field_name(name: &str) -> String {
    let is_ours = name.len() <= 40 && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    if is_ours { name.to_owned() } else { "?".to_owned() }
}

#[cfg(test)]
mod tests {
    use countersign_domain::{Alert, Transaction};
    use serde::Deserialize;

    use super::*;

    fn check<T: for<'a> Deserialize<'a>>(text: &str, expected: &str) {
        let error = serde_json::from_str::<T>(text).err().unwrap();
        assert_eq!(explain(&error, text), expected, "{text}");
    }

    #[test]
    fn a_message_names_the_field_and_the_place_but_not_the_value() {
        check::<Alert>(
            r#"{"alert_id": "a", "user_id": "4111 1111", "severity": "high", "score": "4111, expected 7"}"#,
            "score: invalid type: string, expected a whole number from 0 to 100 (line 1, column 89)",
        );
        check::<Alert>(
            "{\"alert_id\": \"a\",\n \"user_id\": 4111}",
            "user_id: invalid type: integer, expected a string (line 2, column 16)",
        );
        check::<Alert>(r#"{"alert_id": ""}"#, "alert_id: must not be empty (line 1, column 16)");
        check::<Alert>(r#"{"alert_id": "a"}"#, "missing field `user_id` (line 1, column 17)");
        check::<Alert>(r#"[1]"#, "invalid type: integer, expected a string (line 1, column 2)");
        check::<Transaction>(
            r#"{"amount": {"amount": "1", "currency": "4111"}, "user_id": "u"}"#,
            "amount.currency: is not an ISO 4217 currency code such as USD (line 1, column 46)",
        );
        check::<Transaction>(
            r#"{"channel": "4111"}"#,
            "channel: unknown variant, expected one of `card_present`, `card_not_present`, `transfer`, `atm`, `other` (line 1, column 18)",
        );
    }

    #[test]
    fn invalid_json_is_reported_as_such() {
        check::<Alert>("", "not valid JSON: EOF while parsing a value (line 1, column 0)");
        check::<Alert>("{\"a\": 4111", "not valid JSON: EOF while parsing an object (line 1, column 10)");
        check::<Alert>("nope", "not valid JSON: expected ident (line 1, column 2)");
    }

    #[test]
    fn a_field_name_made_up_by_the_sender_is_not_repeated() {
        assert_eq!(path_at(r#"{"4111 1111": {"amount": 1"#, 26), "?.amount");
        assert_eq!(path_at(r#"{"a": [1, {"b": "x\"y"}], "c": 2"#, 32), "c");
        assert_eq!(path_at(r#"{"a": [1, {"b": "x\"y""#, 22), "a.b");
    }
}
