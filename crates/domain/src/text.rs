//! Bounds on text and open JSON that come from outside.

use countersign_text::invisible::is_invisible;
use serde_json::{Map, Value};

use crate::Invalid;

/// Checks an id or a short label: not blank, at most `chars_max` characters, no control characters.
pub fn label(field: &'static str, text: &str, chars_max: usize) -> Result<(), Invalid> {
    if text.trim().is_empty() {
        return Err(Invalid::new(field, "must not be empty"));
    }
    // Compare bytes first: counting the characters of a huge text is expensive.
    if text.len() > chars_max * 4 || text.chars().count() > chars_max {
        return Err(Invalid::new(field, format!("is longer than {chars_max} characters")));
    }
    if text.chars().any(char::is_control) {
        return Err(Invalid::new(field, "contains a control character"));
    }
    Ok(())
}

/// Checks an id or a name that people compare by eye: a label without invisible or ambiguous characters and without characters
/// that change the direction of text, any of which would let two different ids look the same.
pub fn identifier(field: &'static str, text: &str, chars_max: usize) -> Result<(), Invalid> {
    label(field, text, chars_max)?;
    if text.chars().any(is_deceptive) {
        return Err(Invalid::new(
            field,
            "contains a character that is invisible, ambiguous or changes the direction of text",
        ));
    }
    Ok(())
}

fn is_deceptive(c: char) -> bool {
    is_invisible(c) || looks_empty(c) || (c.is_whitespace() && c != ' ') || is_private_or_noncharacter(c)
}

/// Visible in theory: the empty Braille pattern and the object replacement character, which most fonts draw as nothing.
fn looks_empty(c: char) -> bool {
    matches!(c, '\u{2800}' | '\u{fffc}')
}

/// Fonts draw private-use characters differently, and noncharacters are not text.
fn is_private_or_noncharacter(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}' | '\u{f0000}'..='\u{10ffff}')
        || matches!(u32::from(c) & 0xffff, 0xfffe | 0xffff)
}

/// Checks text written for people: not blank, at most `chars_max` characters, no control characters other than line breaks and
/// tabs, and no characters that change the direction of text.
pub fn prose(field: &'static str, text: &str, chars_max: usize) -> Result<(), Invalid> {
    if text.trim().is_empty() {
        return Err(Invalid::new(field, "must not be empty"));
    }
    if text.len() > chars_max * 4 || text.chars().count() > chars_max {
        return Err(Invalid::new(field, format!("is longer than {chars_max} characters")));
    }
    let is_unfit = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\r' | '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if text.chars().any(is_unfit) {
        return Err(Invalid::new(field, "contains a control character"));
    }
    Ok(())
}

pub const OPEN_JSON_BYTES_MAX: usize = 64 * 1024;
pub const OPEN_JSON_DEPTH_MAX: usize = 16;

/// Checks open JSON (metadata, signals): its size and its depth are bounded.
pub fn open_json_object(field: &'static str, fields: &Map<String, Value>) -> Result<(), Invalid> {
    let mut bytes_left = OPEN_JSON_BYTES_MAX;
    measure_fields(fields, OPEN_JSON_DEPTH_MAX, &mut bytes_left).map_err(|excess| Invalid::new(field, excess.reason()))
}

enum Excess {
    Depth,
    Size,
}

impl Excess {
    fn reason(&self) -> String {
        match self {
            Self::Depth => format!("is nested deeper than {OPEN_JSON_DEPTH_MAX} levels"),
            Self::Size => format!("is larger than {OPEN_JSON_BYTES_MAX} bytes"),
        }
    }
}

fn measure_fields(fields: &Map<String, Value>, depth_left: usize, bytes_left: &mut usize) -> Result<(), Excess> {
    let depth_left = depth_left.checked_sub(1).ok_or(Excess::Depth)?;
    for (key, value) in fields {
        spend(key.len() + 4, bytes_left)?;
        measure(value, depth_left, bytes_left)?;
    }
    Ok(())
}

fn measure(value: &Value, depth_left: usize, bytes_left: &mut usize) -> Result<(), Excess> {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => spend(8, bytes_left),
        Value::String(text) => spend(text.len() + 2, bytes_left),
        Value::Object(fields) => measure_fields(fields, depth_left, bytes_left),
        Value::Array(items) => {
            let depth_left = depth_left.checked_sub(1).ok_or(Excess::Depth)?;
            spend(2 + items.len(), bytes_left)?;
            items.iter().try_for_each(|item| measure(item, depth_left, bytes_left))
        }
    }
}

fn spend(bytes: usize, bytes_left: &mut usize) -> Result<(), Excess> {
    *bytes_left = bytes_left.checked_sub(bytes).ok_or(Excess::Size)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_label_needs_visible_text_within_its_length() {
        assert!(label("user_id", "u-1", 8).is_ok());
        assert!(label("user_id", "ääääääää", 8).is_ok());
        for bad in ["", "   ", "123456789", "a\u{0}b", "a\nb"] {
            assert!(label("user_id", bad, 8).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_identifier_has_no_invisible_or_ambiguous_characters() {
        for good in ["u-1", "käufer 7", "用户-1", "مستخدم"] {
            assert!(identifier("user_id", good, 128).is_ok(), "{good:?}");
        }
        for hidden in [
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{2060}',
            '\u{feff}',
            '\u{ad}',
            '\u{202e}',
            '\u{202a}',
            '\u{2066}',
            '\u{2069}',
            '\u{200e}',
            '\u{200f}',
            '\u{61c}',
            '\u{2028}',
            '\u{fe0f}',
            '\u{e0041}',
            '\u{3164}',
            '\u{2800}',
            '\u{fff9}',
            '\u{fffb}',
            '\u{fffc}',
            '\u{fdd0}',
            '\u{fffe}',
            '\u{1ffff}',
            '\u{10ffff}',
            '\u{e000}',
            '\u{f8ff}',
            '\u{f0000}',
            '\u{100000}',
            '\u{a0}',
            '\u{2003}',
            '\u{3000}',
            '\u{1680}',
            '\u{7f}',
            '\t',
            '\n',
        ] {
            for bad in [format!("{hidden}u"), format!("u{hidden}1"), format!("u{hidden}")] {
                assert!(identifier("user_id", &bad, 128).is_err(), "{bad:?}");
            }
        }
    }

    fn check(value: Value, is_accepted: bool) {
        let fields = Map::from_iter([("k".to_owned(), value)]);
        assert_eq!(open_json_object("metadata", &fields).is_ok(), is_accepted);
    }

    #[test]
    fn open_json_is_bounded_in_depth() {
        let arrays = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        let objects = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!({ "k": inner }));
        check(arrays(OPEN_JSON_DEPTH_MAX - 1), true);
        check(arrays(OPEN_JSON_DEPTH_MAX), false);
        check(objects(OPEN_JSON_DEPTH_MAX - 1), true);
        check(objects(OPEN_JSON_DEPTH_MAX), false);
    }

    #[test]
    fn open_json_is_bounded_in_size() {
        check(json!("x".repeat(OPEN_JSON_BYTES_MAX - 100)), true);
        check(json!("x".repeat(OPEN_JSON_BYTES_MAX)), false);
        check(json!(vec![0; OPEN_JSON_BYTES_MAX / 4]), false);
    }
}
