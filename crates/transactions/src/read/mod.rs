//! Reads transactions from CSV and JSON Lines, plain or gzipped, one row at a time.
//!
//! | file             | job                                                                        |
//! |------------------|----------------------------------------------------------------------------|
//! | `input.rs`       | bytes to lines: gzip, byte order mark, bounded look-ahead                  |
//! | `csv.rs`         | lines to CSV records                                                       |
//! | `json.rs`        | lines to JSON objects                                                      |
//! | `mapping.rs`     | parses `--map`: columns and constants                                      |
//! | `columns.rs`     | which column fills which field; knows two public data sets                 |
//! | `field.rs`       | the fields that a column can fill, and their names                         |
//! | `draft.rs`       | a record's cells to a validated transaction                                |
//! | `time_format.rs` | the formats of times                                                       |
//!
//! A bad row yields an error with its line, its field and a reason, never its value, and reading continues. An error that concerns
//! every row, such as a missing currency or column, rejects the file before the first row. Memory is bounded by one record of
//! 1 MB, however large the file is.
//!
//! Nothing is made up: amounts are not rounded, currencies are not guessed, and a place without a country is not a location. One
//! assumption is made and counted: a time without a zone is in UTC unless `timezone=` says otherwise.

mod columns;
mod csv;
mod draft;
mod field;
mod input;
mod json;
mod mapping;
#[cfg(test)]
mod tests;
mod time_format;

use std::io::{self, Read};

use countersign_domain::{Invalid, Transaction};

pub use mapping::{Mapping, MappingError};

/// The maximum size of a line, or of a record over several lines.
pub const RECORD_BYTES_MAX: usize = 1024 * 1024;
/// The maximum number of columns in a CSV file, or of fields in a JSON object including its inner objects.
pub const COLUMNS_MAX: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// With a header line. The separator is a comma, semicolon or tab, whichever occurs most often in the header.
    Csv,
    /// One object per line: transactions as the API takes them, or other objects with a mapping of `outer.inner` names.
    JsonLines,
}

impl FileFormat {
    /// The format that a file's name ends in, with or without `.gz`.
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
pub struct FileRow {
    /// The line where it starts, counted from 1.
    pub line: u64,
    /// The line where it ends. A quoted field may contain line breaks.
    pub last_line: u64,
    pub result: Result<Transaction, RowError>,
    /// Whether it was fraud, if the file says so.
    pub label: Option<bool>,
    /// Which kind of fraud, if the file says so. Only for measuring; it is never an input of the detector.
    pub kind: Option<String>,
    /// Bytes read from the file so far, read-ahead included, for a progress bar. For a gzipped file, these are compressed bytes.
    pub bytes_read: u64,
}

/// Why a row is rejected. It never quotes the row, which may contain personal data.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {field}: {reason}")]
pub struct RowError {
    pub line: u64,
    /// The name of our field, such as `amount`, or `row`.
    pub field: &'static str,
    pub reason: String,
}

/// Why a file is rejected as a whole.
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
    #[error("no column contains the currency; use --map COLUMN=currency, or --map currency=USD if all rows have one")]
    NoCurrency,
    #[error("no column contains {0}; name one with --map COLUMN={0}")]
    NoField(&'static str),
    #[error("is a JSON array; one object per line is needed, as `jq -c '.[]'` writes it")]
    JsonArray,
}

/// Opens a file. Without a format, its first byte decides: `{` means JSON Lines.
pub fn transactions<R: Read>(
    input: R,
    format: Option<FileFormat>,
    mapping: &Mapping,
) -> Result<Transactions<R>, ReadError> {
    let mut lines = input::InputLines::open(input)?;
    let format = match format {
        Some(format) => format,
        None if lines.first_byte()? == Some(b'{') => FileFormat::JsonLines,
        None => FileFormat::Csv,
    };
    let rows = match format {
        FileFormat::Csv => RowReader::Csv(Box::new(csv::CsvReader::open(lines, mapping)?)),
        FileFormat::JsonLines => RowReader::Json(Box::new(json::JsonReader::open(lines, mapping)?)),
    };
    Ok(Transactions { rows, zoneless_times: 0, bytes_read: 0, has_failed: false })
}

/// The rows of a file, as an iterator.
pub struct Transactions<R> {
    rows: RowReader<R>,
    zoneless_times: u64,
    bytes_read: u64,
    /// Whether reading failed, so that the file can't be read any further.
    has_failed: bool,
}

enum RowReader<R> {
    Csv(Box<csv::CsvReader<R>>),
    Json(Box<json::JsonReader<R>>),
}

/// One record as a reader of either format returns it.
struct ReadRow {
    line: u64,
    last_line: u64,
    built: Result<draft::BuiltRow, Invalid>,
    bytes_read: u64,
}

impl<R> Transactions<R> {
    /// The number of times so far that were assumed to be in UTC because neither they nor the mapping name a zone.
    pub fn zoneless_times(&self) -> u64 {
        self.zoneless_times
    }
}

impl<R: Read> Iterator for Transactions<R> {
    type Item = FileRow;

    fn next(&mut self) -> Option<FileRow> {
        if self.has_failed {
            return None;
        }
        let found = match &mut self.rows {
            RowReader::Csv(records) => records.next_row(),
            RowReader::Json(objects) => objects.next_row(),
        };
        match found {
            Ok(found) => found.map(|found| self.row(found)),
            Err((line, error)) => {
                self.has_failed = true;
                let reason = format!("the file can't be read further: {error}");
                let result = Err(RowError { line, field: "row", reason });
                Some(FileRow { line, last_line: line, result, label: None, kind: None, bytes_read: self.bytes_read })
            }
        }
    }
}

impl<R> Transactions<R> {
    fn row(&mut self, found: ReadRow) -> FileRow {
        let ReadRow { line, last_line, built, bytes_read } = found;
        self.bytes_read = bytes_read;
        match built {
            Ok(built) => {
                self.zoneless_times += u64::from(built.zoneless_times);
                let draft::BuiltRow { transaction, label, kind, .. } = built;
                FileRow { line, last_line, result: Ok(transaction), label, kind, bytes_read }
            }
            Err(Invalid { field, reason }) => {
                let result = Err(RowError { line, field, reason });
                FileRow { line, last_line, result, label: None, kind: None, bytes_read }
            }
        }
    }
}
