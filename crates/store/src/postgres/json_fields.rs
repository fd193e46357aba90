//! Takes fields out of JSON texts.
//!
//! On SQLite, queries do this with `->` and `->>`. On Postgres they can't, because a payload may contain \u0000, which Postgres
//! refuses to parse.

use std::collections::HashMap;

use serde_json::value::RawValue;

use crate::error::Result;

/// The JSON of the field at a path, which may be `null`. `None` if there is no such field. Like SQLite's `->`.
pub(super) fn field<'a>(json: &'a str, path: &[&str]) -> Result<Option<&'a str>> {
    let mut found = json;
    for name in path {
        if !found.starts_with('{') {
            return Ok(None);
        }
        let mut fields: HashMap<String, &RawValue> = serde_json::from_str(found)?;
        let Some(value) = fields.remove(*name) else { return Ok(None) };
        found = value.get();
    }
    Ok(Some(found))
}

/// The text at a path; for a number or an object, its JSON. `None` if there is no such field or it is `null`. Like SQLite's `->>`.
pub(super) fn text(json: &str, path: &[&str]) -> Result<Option<String>> {
    match field(json, path)? {
        None | Some("null") => Ok(None),
        Some(value) if value.starts_with('"') => Ok(Some(serde_json::from_str(value)?)),
        Some(value) => Ok(Some(value.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_path() {
        let json = r#"{"a":{"b":[1, 2],"c":null,"d":"x\u0000\"y"},"e":1.50,"f":"{"}"#;
        let fields: [(&[&str], Option<&str>, Option<&str>); 8] = [
            (&["a", "b"], Some("[1, 2]"), Some("[1, 2]")),
            (&["a", "c"], Some("null"), None),
            (&["a", "d"], Some(r#""x\u0000\"y""#), Some("x\0\"y")),
            (&["e"], Some("1.50"), Some("1.50")),
            (&["e", "a"], None, None),
            (&["f", "a"], None, None),
            (&["a", "x"], None, None),
            (&["x"], None, None),
        ];
        for (path, as_json, as_text) in fields {
            assert_eq!(field(json, path).unwrap(), as_json, "{path:?}");
            assert_eq!(text(json, path).unwrap().as_deref(), as_text, "{path:?}");
        }
        assert!(field("{", &["a"]).is_err());
    }
}
