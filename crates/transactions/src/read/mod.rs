//! Transactions from CSV and JSON Lines, plain or gzipped, a row at a time.
//!
//! A bad row is an error with its line, its field and a reason, never its value, and the rest goes on; what concerns every
//! row (no currency, a column that is not there) refuses the file before anything is taken. Memory is bounded by one record
//! of 1 MB, whatever the file.
//!
//! Nothing is invented: amounts are not rounded, currencies not guessed, a place without its country is no location. One
//! assumption is made and counted: a time that says no zone is UTC unless `timezone=` says otherwise.

mod csv;
mod draft;
mod field;
mod input;
mod json;
mod mapping;
mod moment;
mod plan;
#[cfg(test)]
mod tests;

use std::io::{self, Read};

use countersign_domain::{Invalid, Transaction};

pub use mapping::{Mapping, MappingError};

/// A line, or a record over several lines, is at most this long.
pub const RECORD_BYTES_MAX: usize = 1024 * 1024;
/// Columns of a CSV file, or fields of a JSON object with its inner objects.
pub const COLUMNS_MAX: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// With a header; separated by comma, semicolon or tab, whichever the header has most of.
    Csv,
    /// One object per line: the API's transactions, or others with a mapping of `outer.inner` names.
    JsonLines,
}

impl Format {
    /// By the end of a file's name, `.gz` or not.
    pub fn of_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let (_, ending) = name.strip_suffix(".gz").unwrap_or(&name).rsplit_once('.')?;
        match ending {
            "csv" | "tsv" => Some(Self::Csv),
            "jsonl" | "ndjson" | "json" => Some(Self::JsonLines),
            _ => None,
        }
    }
}

/// One record of the file.
#[derive(Debug)]
pub struct Row {
    /// Where it starts, from 1.
    pub line: u64,
    /// Where it ends: a quoted field may hold line breaks.
    pub last_line: u64,
    pub result: Result<Transaction, RowError>,
    /// Whether it was fraud, if the file says so.
    pub label: Option<bool>,
    /// Which kind of fraud, if the file says so. For measuring, never an input.
    pub kind: Option<String>,
    /// Bytes taken from the file so far (gzipped bytes of a gzipped file), some of them read ahead: for a progress bar.
    pub bytes_read: u64,
}

/// Why a row is not taken. Never repeats what stood there: it may be personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {field}: {reason}")]
pub struct RowError {
    pub line: u64,
    /// One of ours such as `amount`, or `row`.
    pub field: &'static str,
    pub reason: String,
}

/// Why no row of a file can be taken.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("the first line must be a header with column names: {0}")]
    Header(&'static str),
    #[error("there is no column {0:?}, which --map names")]
    NoColumn(String),
    #[error("two columns have the name {0:?}")]
    SameName(String),
    #[error("two columns are mapped to {0}")]
    SameField(String),
    #[error("no column holds the currency; say --map COLUMN=currency, or --map currency=USD if all rows have one")]
    NoCurrency,
    #[error("no column holds {0}; say which one does with --map COLUMN={0}")]
    NoField(&'static str),
    #[error("is a JSON array; one object per line is needed, as `jq -c '.[]'` writes it")]
    JsonArray,
}

/// The rows of a file. Without a format its first byte decides: an object is JSON.
pub fn transactions<R: Read>(
    input: R,
    format: Option<Format>,
    mapping: &Mapping,
) -> Result<Transactions<R>, ReadError> {
    let mut lines = input::Lines::open(input)?;
    let format = match format {
        Some(format) => format,
        None if lines.first_byte()? == Some(b'{') => Format::JsonLines,
        None => Format::Csv,
    };
    let rows = match format {
        Format::Csv => Rows::Csv(Box::new(csv::Records::open(lines, mapping)?)),
        Format::JsonLines => Rows::Json(Box::new(json::Objects::open(lines, mapping)?)),
    };
    Ok(Transactions { rows, zoneless_times: 0, bytes_read: 0, failed: false })
}

pub struct Transactions<R> {
    rows: Rows<R>,
    zoneless_times: u64,
    bytes_read: u64,
    failed: bool,
}

enum Rows<R> {
    Csv(Box<csv::Records<R>>),
    Json(Box<json::Objects<R>>),
}

/// What a reader of either format makes of one record.
struct Found {
    line: u64,
    last_line: u64,
    built: Result<draft::Built, Invalid>,
    bytes_read: u64,
}

impl<R> Transactions<R> {
    /// Times so far that were taken as UTC because neither they nor the mapping say a zone: worth one warning.
    pub fn zoneless_times(&self) -> u64 {
        self.zoneless_times
    }
}

impl<R: Read> Iterator for Transactions<R> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.failed {
            return None;
        }
        let found = match &mut self.rows {
            Rows::Csv(records) => records.next_found(),
            Rows::Json(objects) => objects.next_found(),
        };
        match found {
            Ok(found) => found.map(|found| self.row(found)),
            Err((line, error)) => {
                self.failed = true;
                let reason = format!("the file can't be read further: {error}");
                let result = Err(RowError { line, field: "row", reason });
                Some(Row { line, last_line: line, result, label: None, kind: None, bytes_read: self.bytes_read })
            }
        }
    }
}

impl<R> Transactions<R> {
    fn row(&mut self, found: Found) -> Row {
        let Found { line, last_line, built, bytes_read } = found;
        self.bytes_read = bytes_read;
        match built {
            Ok(built) => {
                self.zoneless_times += u64::from(built.zoneless_times);
                let draft::Built { transaction, label, kind, .. } = built;
                Row { line, last_line, result: Ok(transaction), label, kind, bytes_read }
            }
            Err(Invalid { field, reason }) => {
                let result = Err(RowError { line, field, reason });
                Row { line, last_line, result, label: None, kind: None, bytes_read }
            }
        }
    }
}
