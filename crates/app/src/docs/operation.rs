//! One operation: method, path, minimum role, parameters, request and responses.

use serde_json::Value;

use super::html::Html;
use super::schema::Schemas;
use super::{anchor, curl, text};

const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "head", "options", "trace"];

pub(super) struct Operation<'a> {
    pub(super) verb: &'static str,
    pub(super) path: &'a str,
    pub(super) tag: &'a str,
    item: &'a Value,
    value: &'a Value,
}

impl<'a> Operation<'a> {
    pub(super) fn all(openapi: &'a Value) -> impl Iterator<Item = Self> {
        let paths = openapi["paths"].as_object().into_iter().flatten();
        paths.flat_map(|(path, item)| {
            VERBS.iter().filter_map(move |verb| {
                let value = item.get(verb)?;
                let tag = value["tags"][0].as_str().unwrap_or("Other");
                Some(Self { verb, path, tag, item, value })
            })
        })
    }

    pub(super) fn anchor(&self) -> String {
        anchor("op", &format!("{}{}", self.verb, self.path))
    }

    /// The parameters of the path, then those of the operation.
    pub(super) fn parameters(&self) -> impl Iterator<Item = &'a Value> {
        [self.item, self.value].into_iter().filter_map(|level| level["parameters"].as_array()).flatten()
    }

    /// The first media type of the request's body.
    pub(super) fn request_body(&self) -> Option<(&'a String, &'a Value)> {
        self.value["requestBody"]["content"].as_object()?.iter().next()
    }

    pub(super) fn opens_websocket(&self) -> bool {
        self.value["responses"].get("101").is_some()
    }

    pub(super) fn needs_key(&self, openapi: &Value) -> bool {
        let security = self.value.get("security").unwrap_or(&openapi["security"]);
        let schemes = security.as_array().is_some_and(|schemes| !schemes.is_empty());
        schemes || self.minimum_role().is_some_and(|role| role != "none")
    }

    fn minimum_role(&self) -> Option<&'a str> {
        self.value["x-least-role"].as_str()
    }

    pub(super) fn method(&self, page: &mut Html) {
        // Font weight tells apart operations that read, change and remove, because colour is reserved for risk.
        page.raw(match self.verb {
            "get" | "head" | "options" | "trace" => "<b class=\"method reads\">",
            "delete" => "<b class=\"method removes\">",
            _ => "<b class=\"method changes\">",
        });
        page.text(&self.verb.to_uppercase()).raw("</b>");
    }

    pub(super) fn render(&self, page: &mut Html, openapi: &'a Value, schemas: &Schemas<'a>) {
        page.raw("<details class=\"operation\"><summary>");
        self.method(page);
        page.raw("<code class=\"path\">").path(self.path).raw("</code>");
        page.raw("<span class=\"what\">").inline(text(&self.value["summary"])).raw("</span>");
        page.raw("<span class=\"marks\">");
        if self.value["deprecated"] == true {
            page.raw("<span>deprecated</span>");
        }
        if let Some(role) = self.minimum_role() {
            page.raw("<span title=\"Minimum role\">").text(role).raw("</span>");
        }
        page.raw("</span></summary><div class=\"inside\" id=\"").text(&self.anchor()).raw("\">");
        page.prose(text(&self.value["description"]));
        if let Some(role) = self.minimum_role() {
            page.raw("<p class=\"muted\">Minimum role: ").code(role).raw("</p>");
        }
        self.render_parameters(page, *schemas);
        self.render_request(page, *schemas);
        self.render_responses(page, *schemas);
        page.raw("<h3>Example</h3><pre tabindex=\"0\"><code>").text(&curl::command(self, openapi, *schemas));
        page.raw("</code></pre></div></details>");
    }

    fn render_parameters(&self, page: &mut Html, schemas: Schemas<'a>) {
        if self.parameters().next().is_none() {
            return;
        }
        page.raw("<h3>Parameters</h3><table class=\"parameters\"><thead><tr>");
        page.raw("<th>Name<th>In<th>Type<th>Required<th>Description</tr></thead><tbody>");
        for parameter in self.parameters() {
            page.raw("<tr><td><code>")
                .path(text(&parameter["name"]))
                .raw("</code><td class=\"muted\">")
                .text(text(&parameter["in"]));
            page.raw("<td><code class=\"type\">");
            schemas.type_of(page, &parameter["schema"], 0);
            page.raw("</code><td class=\"muted\">").raw(if parameter["required"] == true {
                "required"
            } else {
                "optional"
            });
            page.raw("<td>").inline(text(&parameter["description"]));
            page.raw(" ");
            schemas.notes(page, &parameter["schema"]);
            page.raw("</tr>");
        }
        page.raw("</tbody></table>");
    }

    fn render_request(&self, page: &mut Html, schemas: Schemas<'a>) {
        let request = &self.value["requestBody"];
        if !request.is_object() {
            return;
        }
        page.raw("<h3>Request body</h3>").prose(text(&request["description"]));
        content(page, schemas, request, true);
    }

    fn render_responses(&self, page: &mut Html, schemas: Schemas<'a>) {
        let Some(responses) = self.value["responses"].as_object().filter(|responses| !responses.is_empty()) else {
            return;
        };
        page.raw("<h3>Responses</h3><dl>");
        for (status, response) in responses {
            page.raw("<dt>").text(status).raw("</dt><dd>").prose(text(&response["description"]));
            // All errors have the same shape, so a link to its schema is enough.
            content(page, schemas, response, status.starts_with('2'));
            headers(page, schemas, response);
            page.raw("</dd>");
        }
        page.raw("</dl>");
    }
}

/// The content of a body, one block for each media type.
fn content<'a>(page: &mut Html, schemas: Schemas<'a>, holder: &'a Value, in_full: bool) {
    for (media_type, content) in holder["content"].as_object().into_iter().flatten() {
        let schema = &content["schema"];
        page.raw("<p class=\"media\"><span class=\"muted\">").text(media_type).raw("</span> ");
        if !schema.is_null() {
            page.raw("<code class=\"type\">");
            schemas.type_of(page, schema, 0);
            page.raw("</code>");
        }
        page.raw("</p>");
        if in_full {
            let whole = if schema["type"] == "array" { &schema["items"] } else { schema };
            let whole = schemas.resolve(whole);
            if whole["properties"].is_object() || whole["oneOf"].is_array() || whole["allOf"].is_array() {
                schemas.shape(page, whole, 0);
            }
        }
        if let Some(example) = content.get("example").filter(|_| in_full) {
            let example = serde_json::to_string_pretty(example).unwrap_or_default();
            page.raw("<pre tabindex=\"0\"><code>").text(&example).raw("</code></pre>");
        }
    }
}

fn headers<'a>(page: &mut Html, schemas: Schemas<'a>, response: &'a Value) {
    let Some(headers) = response["headers"].as_object().filter(|headers| !headers.is_empty()) else { return };
    page.raw("<table class=\"fields\"><thead><tr><th>Header<th>Type<th>Description</tr></thead><tbody>");
    for (name, header) in headers {
        page.raw("<tr><td><code>").path(name).raw("</code><td><code class=\"type\">");
        schemas.type_of(page, &header["schema"], 0);
        page.raw("</code><td>").inline(text(&header["description"])).raw("</tr>");
    }
    page.raw("</tbody></table>");
}
