//! JSON Lines: one object per line. Fields of inner objects are named `outer.inner`. Numbers keep the digits they are written with.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};

use countersign_domain::Invalid;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::columns::{JsonNames, row_error};
use super::draft::{ColumnConstants, RowDraft};
use super::field::ColumnTarget;
use super::input::{InputLines, PeekedLine};
use super::mapping::Mapping;
use super::{COLUMNS_MAX, RECORD_BYTES_MAX, ReadError, ReadRow};

/// The maximum depth of an inner object that is read, and the maximum length of its path. Both are bounded because paths are
/// copied for each field.
const DEPTH_MAX: usize = 8;
const PATH_BYTES_MAX: usize = 256;

pub(super) struct JsonReader<R> {
    lines: InputLines<R>,
    names: JsonNames,
    constants: ColumnConstants,
}

impl<R: Read> JsonReader<R> {
    pub(super) fn open(mut lines: InputLines<R>, mapping: &Mapping) -> Result<Self, ReadError> {
        if lines.first_byte()? == Some(b'[') {
            return Err(ReadError::JsonArray);
        }
        Ok(Self { lines, names: JsonNames::of(mapping), constants: ColumnConstants::of(mapping) })
    }

    pub(super) fn next_row(&mut self) -> Result<Option<ReadRow>, (u64, io::Error)> {
        loop {
            let line = self.lines.line();
            let failed = |error| (line, error);
            let built = match self.lines.peek(0).map_err(failed)? {
                PeekedLine::Nothing => return Ok(None),
                PeekedLine::TooLong => {
                    self.lines.skip_line().map_err(failed)?;
                    Err(row_error(format!("is longer than {RECORD_BYTES_MAX} bytes")))
                }
                PeekedLine::Line { end, next } => {
                    let object = self.lines.ahead(0..end);
                    let blank = object.trim_ascii().is_empty();
                    let built = draft(object, &self.names).and_then(|draft| draft.build(&self.constants));
                    self.lines.consume(next, 1);
                    if blank {
                        continue;
                    }
                    built
                }
            };
            return Ok(Some(ReadRow { line, last_line: line, built, bytes_read: self.lines.bytes_read() }));
        }
    }
}

fn draft<'a>(line: &'a [u8], names: &JsonNames) -> Result<RowDraft<'a>, Invalid> {
    let line = std::str::from_utf8(line).map_err(|_| row_error("is not UTF-8 text"))?;
    let mut fields = ObjectFields { draft: RowDraft::new(), names, count: 0, refused: None };
    fields.object(line, "", 0).map_err(|error| row_error(what_is_wrong(&error)))?;
    match fields.refused {
        Some(refused) => Err(refused),
        None => Ok(fields.draft),
    }
}

/// Describes an error without quoting the text, as serde would.
fn what_is_wrong(error: &serde_json::Error) -> String {
    if error.is_data() {
        "is not a JSON object".to_owned()
    } else {
        format!("is not JSON at column {}", error.column())
    }
}

/// Collects the fields of an object and its inner objects.
struct ObjectFields<'a, 'n> {
    draft: RowDraft<'a>,
    names: &'n JsonNames,
    /// The number of fields so far.
    count: usize,
    /// The first error that is not a JSON error.
    refused: Option<Invalid>,
}

impl<'a> ObjectFields<'a, '_> {
    fn object(&mut self, text: &'a str, prefix: &str, depth: usize) -> serde_json::Result<()> {
        let mut deserializer = serde_json::Deserializer::from_str(text);
        ObjectVisitor { fields: self, prefix, depth }.deserialize(&mut deserializer)?;
        deserializer.end()
    }

    fn field(&mut self, path: &str, raw: &'a RawValue, depth: usize) -> serde_json::Result<()> {
        self.count += 1;
        if self.count > COLUMNS_MAX {
            self.refuse(row_error(format!("has more than {COLUMNS_MAX} fields")));
            return Ok(());
        }
        let is_object = raw.get().starts_with('{');
        match self.names.target(path) {
            Some(ColumnTarget::Metadata(key)) => {
                let value: Value = serde_json::from_str(raw.get())?;
                self.draft.metadata.insert(key, value);
            }
            None if path == "metadata" && is_object => {
                let metadata: Map<String, Value> = serde_json::from_str(raw.get())?;
                self.draft.metadata.extend(metadata);
            }
            _ if is_object && depth < DEPTH_MAX && path.len() <= PATH_BYTES_MAX => {
                self.object(raw.get(), &format!("{path}."), depth + 1)?
            }
            Some(target) => self.cell(&target, raw)?,
            None => {}
        }
        Ok(())
    }

    fn cell(&mut self, target: &ColumnTarget, raw: &'a RawValue) -> serde_json::Result<()> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'"') => self.draft.set(target, serde_json::from_str::<JsonText<'a>>(text)?.0),
            Some(b'n') => {}
            Some(b'{' | b'[') => {
                let ColumnTarget::Field(field) = target else { return Ok(()) };
                self.refuse(Invalid::new(field.name(), "must be text or a number"));
            }
            _ => self.draft.set(target, Cow::Borrowed(text)),
        }
        Ok(())
    }

    fn refuse(&mut self, invalid: Invalid) {
        self.refused.get_or_insert(invalid);
    }
}

/// Text that is borrowed if it contains no escapes.
#[derive(Deserialize)]
struct JsonText<'a>(#[serde(borrow)] Cow<'a, str>);

/// Visits the fields of one object.
struct ObjectVisitor<'f, 'a, 'n> {
    fields: &'f mut ObjectFields<'a, 'n>,
    prefix: &'f str,
    depth: usize,
}

impl<'a> DeserializeSeed<'a> for ObjectVisitor<'_, 'a, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for ObjectVisitor<'_, 'a, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((JsonText(key), raw)) = map.next_entry::<JsonText<'a>, &'a RawValue>()? {
            let path = if self.prefix.is_empty() { key } else { Cow::Owned(format!("{}{key}", self.prefix)) };
            self.fields.field(&path, raw, self.depth).map_err(|_| A::Error::custom("a field that is not JSON"))?;
        }
        Ok(())
    }
}
