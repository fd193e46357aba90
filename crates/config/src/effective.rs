//! The settings in force: each value, masked if secret, and its source.

use std::fmt;

use serde::{Serialize, Serializer};

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EffectiveSetting {
    pub key: &'static str,
    pub value: String,
    pub source: SettingSource,
    /// The variable that can set it, even if it didn't.
    pub variable: Option<&'static str>,
    pub description: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingSource {
    Flag,
    Environment(&'static str),
    File,
    Default,
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        if let Self::Environment(variable) = self {
            write!(f, " {variable}")?;
        }
        Ok(())
    }
}

/// Serialized as one word; [`EffectiveSetting`] has the variable's name.
impl Serialize for SettingSource {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl SettingSource {
    fn word(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment(_) => "environment",
            Self::File => "file",
            Self::Default => "default",
        }
    }
}

/// Longer values only shift their own row, not the column.
const VALUE_WIDTH_MAX: usize = 40;

/// Three aligned columns, plain text.
pub fn render_table(rows: &[EffectiveSetting]) -> String {
    let head = ["setting".to_owned(), "value".to_owned(), "source".to_owned()];
    let cells =
        rows.iter().map(|row| [row.key.to_owned(), without_control_characters(&row.value), row.source.to_string()]);
    let lines: Vec<[String; 3]> = std::iter::once(head).chain(cells).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or_default();
    let (key_width, value_width) = (width(0), width(1).min(VALUE_WIDTH_MAX));
    lines.iter().map(|[key, value, source]| format!("{key:key_width$}  {value:value_width$}  {source}\n")).collect()
}

/// Replaces control characters, which could move the cursor of a terminal.
fn without_control_characters(value: &str) -> String {
    value.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
