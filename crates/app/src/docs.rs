//! Renders the OpenAPI document as one page that is readable without JavaScript.
//!
//! | file           | job                                                  |
//! |----------------|------------------------------------------------------|
//! | `docs.rs`      | the page: its head, contents and sections            |
//! | `operation.rs` | one operation                                        |
//! | `schema.rs`    | types and tables of fields                           |
//! | `curl.rs`      | a command that calls an operation                    |
//! | `example.rs`   | an example value for a schema                        |
//! | `html.rs`      | HTML in which untrusted text can't become markup     |
//!
//! The page loads only its stylesheet, so it works under `default-src 'none'; style-src 'self'`. All text of the document is
//! escaped; [`html::Html`] accepts markup only from this program's literals.
//!
//! Operations and schemas are closed `<details>`. Their anchors are inside, because browsers open a closed element when a link
//! leads to something in it.

mod curl;
mod example;
mod html;
mod operation;
mod schema;
#[cfg(test)]
mod tests;

use serde_json::Value;

use html::Html;
use operation::Operation;
use schema::Schemas;

/// The page's stylesheet, to be served at `/api/docs.css`.
pub const STYLE: &str = include_str!("docs/docs.css");

/// Renders a page for an OpenAPI 3.1 document. Skips missing and malformed parts.
pub fn render(openapi: &Value) -> String {
    let document = Document { openapi, schemas: Schemas::of(openapi), groups: TagGroup::all(openapi) };
    let mut page = Html::new();
    document.head(&mut page);
    document.contents(&mut page);
    document.body(&mut page);
    page.into_string()
}

struct Document<'a> {
    openapi: &'a Value,
    schemas: Schemas<'a>,
    groups: Vec<TagGroup<'a>>,
}

/// The operations that share a tag.
struct TagGroup<'a> {
    name: &'a str,
    description: &'a str,
    operations: Vec<Operation<'a>>,
}

impl<'a> TagGroup<'a> {
    /// The groups in the order of the document's list of tags. Unlisted tags follow, in the order of their operations.
    fn all(openapi: &'a Value) -> Vec<Self> {
        let declared = openapi["tags"].as_array().into_iter().flatten();
        let mut groups: Vec<Self> = declared
            .filter_map(|tag| Some((tag["name"].as_str()?, text(&tag["description"]))))
            .map(|(name, description)| Self { name, description, operations: Vec::new() })
            .collect();
        for operation in Operation::all(openapi) {
            match groups.iter_mut().find(|group| group.name == operation.tag) {
                Some(group) => group.operations.push(operation),
                None => groups.push(Self { name: operation.tag, description: "", operations: vec![operation] }),
            }
        }
        groups.retain(|group| !group.operations.is_empty());
        groups
    }

    fn anchor(&self) -> String {
        anchor("tag", self.name)
    }
}

impl Document<'_> {
    fn title(&self) -> &str {
        self.openapi["info"]["title"].as_str().unwrap_or("API")
    }

    fn head(&self, page: &mut Html) {
        page.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
        page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        page.raw("<meta name=\"color-scheme\" content=\"light dark\"><title>").text(self.title()).raw(" API</title>");
        page.raw("<link rel=\"stylesheet\" href=\"/api/docs.css\"></head>\n<body>");
        page.raw("<a class=\"skip\" href=\"#main\">Skip to the operations</a>");
    }

    fn contents(&self, page: &mut Html) {
        page.raw("<nav aria-label=\"Contents\"><p class=\"name\">").text(self.title()).raw("</p><ul>");
        for group in &self.groups {
            page.raw("<li><a class=\"group\" href=\"#")
                .text(&group.anchor())
                .raw("\">")
                .text(group.name)
                .raw("</a><ul>");
            for operation in &group.operations {
                page.raw("<li><a href=\"#").text(&operation.anchor()).raw("\">");
                operation.method(page);
                page.raw("<span>").path(operation.path).raw("</span></a></li>");
            }
            page.raw("</ul></li>");
        }
        if !self.schemas.is_empty() {
            page.raw("<li><a class=\"group\" href=\"#schemas\">Schemas</a><ul>");
            for (name, _) in self.schemas.all() {
                page.raw("<li><a href=\"#")
                    .text(&schema::anchor_of(name))
                    .raw("\"><span>")
                    .path(name)
                    .raw("</span></a></li>");
            }
            page.raw("</ul></li>");
        }
        page.raw("</ul></nav>\n");
    }

    fn body(&self, page: &mut Html) {
        let info = &self.openapi["info"];
        page.raw("<main id=\"main\"><header><h1>").text(self.title());
        if let Some(version) = info["version"].as_str() {
            page.raw(" <small>").text(version).raw("</small>");
        }
        page.raw("</h1>").prose(text(&info["description"]));
        page.raw("<p class=\"muted\"><a href=\"/api/openapi.json\">OpenAPI document</a></p></header>\n");
        for group in &self.groups {
            page.raw("<section><h2 id=\"").text(&group.anchor()).raw("\">").text(group.name).raw("</h2>");
            page.prose(group.description);
            for operation in &group.operations {
                operation.render(page, self.openapi, &self.schemas);
            }
            page.raw("</section>\n");
        }
        if !self.schemas.is_empty() {
            page.raw("<section><h2 id=\"schemas\">Schemas</h2>");
            self.schemas.render(page);
            page.raw("</section>\n");
        }
        page.raw("</main></body></html>\n");
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// A URL fragment that stays the same between versions, so that external links keep working.
fn anchor(kind: &str, name: &str) -> String {
    let mut anchor = format!("{kind}-");
    for c in name.chars() {
        match c {
            '-' | '_' => anchor.push(c),
            '/' => anchor.push('.'),
            '{' | '}' => anchor.push('~'),
            c if c.is_ascii_alphanumeric() => anchor.push(c),
            c => anchor.push_str(&format!("~{:x}", u32::from(c))),
        }
    }
    anchor
}
