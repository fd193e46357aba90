//! Renders schemas as HTML: a type as a short expression, an object as a table of its fields.
//!
//! A reference is always rendered as a link and never expanded, so recursive schemas need no special treatment.

use serde_json::{Map, Value};

use super::html::Html;
use super::{anchor, text};

/// Deeper nesting is cut off. Real schemas stay far below this.
const DEPTH_MAX: usize = 12;

const REFERENCE: &str = "#/components/schemas/";

#[derive(Clone, Copy)]
pub(super) struct Schemas<'a>(Option<&'a Map<String, Value>>);

impl<'a> Schemas<'a> {
    pub(super) fn of(openapi: &'a Value) -> Self {
        Self(openapi["components"]["schemas"].as_object())
    }

    pub(super) fn is_empty(self) -> bool {
        self.0.is_none_or(Map::is_empty)
    }

    pub(super) fn all(self) -> impl Iterator<Item = (&'a String, &'a Value)> {
        self.0.into_iter().flatten()
    }

    /// The name of the schema that this one stands for: the one it refers to, or a listed schema with the same content, because
    /// utoipa repeats generic types instead of referring to them.
    pub(super) fn name_of(self, schema: &'a Value) -> Option<&'a str> {
        let named = schema["$ref"].as_str().and_then(|reference| reference.strip_prefix(REFERENCE));
        let repeated = || {
            schema.get("properties")?;
            self.all().find(|(_, known)| *known == schema).map(|(name, _)| name.as_str())
        };
        named.or_else(repeated)
    }

    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.0?.get(name)
    }

    /// Follows one reference.
    pub(super) fn resolve(self, schema: &'a Value) -> &'a Value {
        self.name_of(schema).and_then(|name| self.get(name)).unwrap_or(schema)
    }

    pub(super) fn render(self, page: &mut Html) {
        for (name, schema) in self.all() {
            page.raw("<details class=\"schema\"><summary><code class=\"path\">").path(name).raw("</code>");
            page.raw("<span class=\"what\">")
                .inline(first_sentence(text(&schema["description"])))
                .raw("</span></summary>");
            page.raw("<div class=\"inside\" id=\"").text(&anchor_of(name)).raw("\">");
            page.prose(text(&schema["description"]));
            self.shape(page, schema, 0);
            page.raw("</div></details>");
        }
    }

    /// Renders a schema: the fields of an object, the alternatives of a choice, or otherwise the type and its limits.
    pub(super) fn shape(self, page: &mut Html, schema: &'a Value, depth: usize) {
        if depth > DEPTH_MAX {
            return;
        }
        if let Some(alternatives) = alternatives(schema) {
            page.raw("<p class=\"muted\">One of:</p><ol class=\"choice\">");
            for alternative in alternatives {
                page.raw("<li>");
                self.shape_or_link(page, alternative, depth + 1);
                page.raw("</li>");
            }
            page.raw("</ol>");
        } else if let Some(parts) = schema["allOf"].as_array() {
            page.raw("<p class=\"muted\">All of:</p><ul class=\"choice\">");
            for part in parts {
                page.raw("<li>");
                self.shape_or_link(page, part, depth + 1);
                page.raw("</li>");
            }
            page.raw("</ul>");
        } else if schema["properties"].is_object() {
            self.fields(page, schema, depth);
        } else {
            page.raw("<p><code class=\"type\">");
            self.type_of(page, schema, depth);
            page.raw("</code>");
            limits(page, schema);
            page.raw("</p>");
            if let Some((inner, _)) = self.unnamed_inside(schema) {
                self.fields(page, inner, depth + 1);
            }
        }
    }

    fn shape_or_link(self, page: &mut Html, schema: &'a Value, depth: usize) {
        if self.name_of(schema).is_some() {
            page.raw("<code class=\"type\">");
            self.type_of(page, schema, depth);
            page.raw("</code>");
        } else {
            page.prose(text(&schema["description"]));
            self.shape(page, schema, depth);
        }
    }

    fn fields(self, page: &mut Html, schema: &'a Value, depth: usize) {
        page.raw("<table class=\"fields\"><thead><tr><th>Field<th>Type<th>Description</tr></thead><tbody>");
        self.field_rows(page, schema, "", depth);
        page.raw("</tbody></table>");
    }

    /// Renders one row for each field. The fields of unnamed objects follow in place, each with its path.
    fn field_rows(self, page: &mut Html, schema: &'a Value, path_before: &str, depth: usize) {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            page.raw("<tr><td><code><span class=\"way\">").path(path_before).raw("</span>").path(name).raw("</code>");
            if required.contains(&name.as_str()) {
                page.raw(" <span class=\"must\">required</span>");
            }
            page.raw("<td><code class=\"type\">");
            self.type_of(page, field, depth);
            page.raw("</code><td>");
            self.notes(page, field);
            page.raw("</tr>");
            if let Some((inner, step)) = self.unnamed_inside(field).filter(|_| depth < DEPTH_MAX) {
                self.field_rows(page, inner, &format!("{path_before}{name}{step}"), depth + 1);
            }
        }
    }

    /// The unnamed object that the schema itself is, or that its list or map contains, and the path step that leads into it.
    fn unnamed_inside(self, schema: &'a Value) -> Option<(&'a Value, &'static str)> {
        [(schema, "."), (&schema["items"], "[]."), (&schema["additionalProperties"], ".*.")]
            .into_iter()
            .find(|(inner, _)| inner["properties"].is_object() && self.name_of(inner).is_none())
    }

    /// Renders the description and the limits of a parameter or a field.
    pub(super) fn notes(self, page: &mut Html, schema: &'a Value) {
        page.inline(text(&schema["description"]));
        limits(page, schema);
    }

    /// Renders a type as an expression: `string`, `Log[]`, `"safe" | "flagged"`, `map of integer`.
    pub(super) fn type_of(self, page: &mut Html, schema: &'a Value, depth: usize) {
        if depth > DEPTH_MAX {
            page.raw("…");
        } else if let Some(name) = self.name_of(schema) {
            if self.get(name).is_some() {
                page.raw("<a href=\"#").text(&anchor_of(name)).raw("\">").path(name).raw("</a>");
            } else {
                page.text(name);
            }
        } else if let Some(choices) = schema["enum"].as_array() {
            joined(page, choices, " | ", |page, choice| _ = page.text(&choice.to_string()));
        } else if let Some(constant) = schema.get("const") {
            page.text(&constant.to_string());
        } else if let Some(choices) = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
            joined(page, choices, " | ", |page, choice| self.type_of(page, choice, depth + 1));
        } else if let Some(parts) = schema["allOf"].as_array() {
            joined(page, parts, " &amp; ", |page, part| self.type_of(page, part, depth + 1));
        } else {
            match &schema["type"] {
                Value::Array(names) => {
                    joined(page, names, " | ", |page, name| self.plain(page, schema, text(name), depth));
                }
                name => self.plain(page, schema, text(name), depth),
            }
        }
    }

    fn plain(self, page: &mut Html, schema: &'a Value, name: &'a str, depth: usize) {
        match name {
            "" => _ = page.raw("any"),
            "array" => self.list(page, schema, depth),
            "object" if schema["additionalProperties"].is_object() => {
                page.raw("map of ");
                self.type_of(page, &schema["additionalProperties"], depth + 1);
            }
            name => {
                page.text(name);
                if let Some(format) = schema["format"].as_str().filter(|_| name != "null") {
                    page.raw(" <span class=\"format\">").text(format).raw("</span>");
                }
            }
        }
    }

    fn list(self, page: &mut Html, schema: &'a Value, depth: usize) {
        if let Some(parts) = schema["prefixItems"].as_array() {
            page.raw("[");
            joined(page, parts, ", ", |page, part| self.type_of(page, part, depth + 1));
            page.raw("]");
            return;
        }
        let item = &schema["items"];
        let is_union =
            ["enum", "oneOf", "anyOf", "allOf"].iter().any(|key| item[*key].is_array()) || item["type"].is_array();
        page.raw(if is_union { "(" } else { "" });
        self.type_of(page, item, depth + 1);
        page.raw(if is_union { ")[]" } else { "[]" });
    }
}

pub(super) fn anchor_of(name: &str) -> String {
    anchor("schema", name)
}

/// The alternatives of a choice. `None` for an optional value (one schema or `null`), which is shown as a type.
fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    let choices = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array())?;
    (choices.iter().filter(|choice| choice["type"] != "null").count() > 1).then_some(choices)
}

fn joined<'a>(page: &mut Html, items: &'a [Value], between: &'static str, mut each: impl FnMut(&mut Html, &'a Value)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            page.raw("<span class=\"between\">").raw(between).raw("</span>");
        }
        each(page, item);
    }
}

/// Renders the limits, the default and the example.
fn limits(page: &mut Html, schema: &Value) {
    const LIMITS: &[(&str, &str)] = &[
        ("minimum", "at least "),
        ("exclusiveMinimum", "more than "),
        ("maximum", "at most "),
        ("exclusiveMaximum", "less than "),
        ("multipleOf", "a multiple of "),
        ("minLength", "length at least "),
        ("maxLength", "length at most "),
        ("minItems", "number of items at least "),
        ("maxItems", "number of items at most "),
        ("pattern", "pattern "),
        ("default", "default "),
        ("example", "for example "),
    ];
    let found: Vec<(&'static str, &Value)> = LIMITS
        .iter()
        .filter_map(|(key, words)| Some((*words, schema.get(key).filter(|value| !value.is_null())?)))
        .collect();
    if found.is_empty() {
        return;
    }
    page.raw(" <span class=\"limits\">");
    for (index, (words, value)) in found.into_iter().enumerate() {
        page.raw(if index > 0 { ", " } else { "" }).raw(words).code(&value.to_string());
    }
    page.raw("</span>");
}

fn first_sentence(description: &str) -> &str {
    let first = description.split("\n\n").next().unwrap_or_default();
    first.split_once(". ").map_or(first, |(sentence, _)| sentence).trim_end_matches('.')
}
