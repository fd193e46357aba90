//! Builds HTML in which untrusted text can't become markup.

/// An HTML page. Markup is `&'static str`, so it is always a literal of this program. [`Html::text`] escapes all other text.
pub(super) struct Html(String);

impl Html {
    pub(super) fn new() -> Self {
        Self(String::new())
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }

    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Adds text, escaped for elements and for attributes in double quotes.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                c if c.is_control() => self.0.push('\u{fffd}'),
                c => self.0.push(c),
            }
        }
        self
    }

    pub(super) fn code(&mut self, text: &str) -> &mut Self {
        self.raw("<code>").text(text).raw("</code>")
    }

    /// Adds a path or a long name, with line breaks allowed between its parts.
    pub(super) fn path(&mut self, path: &str) -> &mut Self {
        for part in path.split_inclusive(['/', '_', '-']) {
            self.text(part).raw("<wbr>");
        }
        self
    }

    /// Adds the subset of Markdown that doc comments use: paragraphs, lists and `code`.
    pub(super) fn prose(&mut self, markdown: &str) -> &mut Self {
        for block in markdown.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
            let is_list = block.lines().all(|line| bullet(line).is_some());
            self.raw(if is_list { "<ul class=\"prose\">" } else { "<p class=\"prose\">" });
            if is_list {
                for item in block.lines().filter_map(bullet) {
                    self.raw("<li>").inline(item).raw("</li>");
                }
                self.raw("</ul>");
            } else {
                self.inline(block).raw("</p>");
            }
        }
        self
    }

    /// Adds text with `code` in it. An unmatched backtick stays a backtick.
    pub(super) fn inline(&mut self, text: &str) -> &mut Self {
        let mut rest = text;
        while let Some((before, code, after)) = split_code(rest) {
            self.text(before).code(code);
            rest = after;
        }
        self.text(rest)
    }
}

fn bullet(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))
}

fn split_code(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('`')?;
    let (code, after) = rest.split_once('`')?;
    Some((before, code, after))
}
