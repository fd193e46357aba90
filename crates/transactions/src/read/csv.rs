//! CSV: a header, then one record per line, or over several lines if a quoted field contains line breaks.
//!
//! A quoted field that doesn't end within a record's bounds, or before the end of the file, invalidates only the line where it
//! starts. The lines that were searched for its end are then read as single-line records, so no byte is read more than twice,
//! however many quotes are left open.

use std::io::{self, Read};
use std::ops::Range;

use countersign_domain::Invalid;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

use super::columns::{self, row_error};
use super::draft::{ColumnConstants, RowDraft};
use super::field::ColumnTarget;
use super::input::{InputLines, PeekedLine};
use super::mapping::Mapping;
use super::{COLUMNS_MAX, RECORD_BYTES_MAX, ReadError, ReadRow};

pub(super) struct CsvReader<R> {
    lines: InputLines<R>,
    splitter: RecordSplitter,
    /// Before this position, every line is a record of its own.
    single_lines_until: u64,
    targets: Vec<Option<ColumnTarget>>,
    constants: ColumnConstants,
}

/// A record that was split into fields, or the reason why it could not be.
struct CsvRecord {
    line: u64,
    last_line: u64,
    split: Result<(), Invalid>,
}

impl<R: Read> CsvReader<R> {
    pub(super) fn open(mut lines: InputLines<R>, mapping: &Mapping) -> Result<Self, ReadError> {
        let splitter = RecordSplitter::new(delimiter(header_line(&mut lines)?));
        let constants = ColumnConstants::of(mapping);
        let mut records = Self { lines, splitter, single_lines_until: 0, targets: Vec::new(), constants };
        let header = records.next_record()?.ok_or(ReadError::Header("the file is empty"))?;
        header.split.map_err(|_| ReadError::Header("it is too long, has too many columns, or is not UTF-8 text"))?;
        let names: Vec<String> = records.splitter.fields().map(|name| name.trim().to_owned()).collect();
        records.targets = columns::targets(&names, mapping, &records.constants)?;
        Ok(records)
    }

    pub(super) fn next_row(&mut self) -> Result<Option<ReadRow>, (u64, io::Error)> {
        let record = self.next_record().map_err(|error| (self.lines.line(), error))?;
        Ok(record.map(|CsvRecord { line, last_line, split }| {
            let built = split.and_then(|()| self.draft()).and_then(|draft| draft.build(&self.constants));
            ReadRow { line, last_line, built, bytes_read: self.lines.bytes_read() }
        }))
    }

    /// The cells of the record that was just split, each in the field of its column.
    fn draft(&self) -> Result<RowDraft<'_>, Invalid> {
        let (found, expected) = (self.splitter.fields.len(), self.targets.len());
        if found != expected {
            return Err(row_error(format!("has {found} columns where the header has {expected}")));
        }
        let mut draft = RowDraft::new();
        for (target, cell) in self.targets.iter().zip(self.splitter.fields()) {
            if let Some(target) = target {
                draft.set(target, cell.into());
            }
        }
        Ok(draft)
    }

    fn next_record(&mut self) -> io::Result<Option<CsvRecord>> {
        loop {
            let line = self.lines.line();
            let failed = |reason: String| Ok(Some(CsvRecord { line, last_line: line, split: Err(row_error(reason)) }));
            match self.lines.peek(0)? {
                PeekedLine::Nothing => return Ok(None),
                PeekedLine::TooLong => {
                    self.lines.skip_line()?;
                    return failed(format!("is longer than {RECORD_BYTES_MAX} bytes"));
                }
                PeekedLine::Line { end, next } if self.lines.ahead(0..end).trim_ascii().is_empty() => {
                    self.lines.consume(next, 1);
                }
                PeekedLine::Line { end, next } => return self.record_from(line, end, next).map(Some),
            }
        }
    }

    /// Reads the record whose first line ends at `end`.
    fn record_from(&mut self, line: u64, end: usize, first_next: usize) -> io::Result<CsvRecord> {
        let (mut end, mut next, mut lines) = (end, first_next, 1);
        let mut split = self.splitter.start(self.lines.ahead(0..end));
        let may_go_on = self.lines.position() >= self.single_lines_until;
        while matches!(split, SplitProgress::Open) && may_go_on {
            let from = next;
            match self.lines.peek(from)? {
                PeekedLine::Line { end: line_end, next: line_next } => (end, next) = (line_end, line_next),
                PeekedLine::TooLong | PeekedLine::Nothing => break,
            }
            lines += 1;
            split = self.splitter.continue_with(self.lines.ahead(from..end));
        }
        let split = match split {
            SplitProgress::Whole if std::str::from_utf8(self.lines.ahead(0..end)).is_err() => {
                Err(row_error("is not UTF-8 text"))
            }
            SplitProgress::Whole => Ok(()),
            SplitProgress::TooMany if lines == 1 => Err(row_error(format!("has more than {COLUMNS_MAX} columns"))),
            SplitProgress::TooMany | SplitProgress::Open => {
                self.single_lines_until = self.single_lines_until.max(self.lines.position() + next as u64);
                (next, lines) = (first_next, 1);
                Err(row_error("has a quoted field that does not end"))
            }
        };
        self.lines.consume(next, lines);
        Ok(CsvRecord { line, last_line: line + lines - 1, split })
    }
}

/// The first line that is not blank. It is not consumed.
fn header_line<R: Read>(lines: &mut InputLines<R>) -> io::Result<&[u8]> {
    loop {
        match lines.peek(0)? {
            PeekedLine::Line { end, next } if lines.ahead(0..end).trim_ascii().is_empty() => lines.consume(next, 1),
            PeekedLine::Line { end, .. } => return Ok(lines.ahead(0..end)),
            PeekedLine::TooLong | PeekedLine::Nothing => return Ok(b""),
        }
    }
}

/// The separator that occurs most often in the header; a comma if there is none.
fn delimiter(header: &[u8]) -> u8 {
    let count = |wanted: u8| header.iter().filter(|byte| **byte == wanted).count();
    [b'\t', b';', b','].into_iter().max_by_key(|delimiter| count(*delimiter)).unwrap_or(b',')
}

/// Splits a record into fields, in buffers that are reused.
struct RecordSplitter {
    reader: Reader,
    delimiter: u8,
    /// The text of the fields without quotes, one after the other.
    text: Vec<u8>,
    text_len: usize,
    ends: Vec<usize>,
    ends_len: usize,
    fields: Vec<Range<usize>>,
}

enum SplitProgress {
    Whole,
    /// A quoted field continues on the next line.
    Open,
    TooMany,
}

impl RecordSplitter {
    fn new(delimiter: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(delimiter).terminator(Terminator::Any(b'\n')).build();
        let (text, ends) = (vec![0; 1024], vec![0; COLUMNS_MAX + 1]);
        Self { reader, delimiter, text, text_len: 0, ends, ends_len: 0, fields: Vec::new() }
    }

    fn start(&mut self, line: &[u8]) -> SplitProgress {
        self.fields.clear();
        if line.contains(&b'"') {
            self.reader.reset();
            (self.text_len, self.ends_len) = (0, 0);
            return self.continue_with(line);
        }
        self.split_plainly(line)
    }

    /// Splits a line without quotes at its delimiters.
    fn split_plainly(&mut self, line: &[u8]) -> SplitProgress {
        self.text.resize(self.text.len().max(line.len()), 0);
        self.text[..line.len()].copy_from_slice(line);
        self.text_len = line.len();
        let mut start = 0;
        for cell in line.split(|byte| *byte == self.delimiter) {
            if self.fields.len() == COLUMNS_MAX {
                return SplitProgress::TooMany;
            }
            self.fields.push(start..start + cell.len());
            start += cell.len() + 1;
        }
        SplitProgress::Whole
    }

    /// Continues with another line of the same record.
    fn continue_with(&mut self, line: &[u8]) -> SplitProgress {
        let mut input = line;
        let mut newline_follows = true;
        loop {
            let text = &mut self.text[self.text_len..];
            let (result, read, written, ended) = self.reader.read_record(input, text, &mut self.ends[self.ends_len..]);
            input = &input[read..];
            self.text_len += written;
            self.ends_len += ended;
            match result {
                // An empty input would mean the end of the file to the parser.
                ReadRecordResult::InputEmpty if newline_follows => (input, newline_follows) = (b"\n", false),
                ReadRecordResult::InputEmpty => return SplitProgress::Open,
                ReadRecordResult::OutputFull => self.text.resize(self.text.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => return SplitProgress::TooMany,
                ReadRecordResult::Record | ReadRecordResult::End => return self.whole(),
            }
        }
    }

    fn whole(&mut self) -> SplitProgress {
        if self.ends_len > COLUMNS_MAX {
            return SplitProgress::TooMany;
        }
        let mut start = 0;
        for end in &self.ends[..self.ends_len] {
            self.fields.push(start..*end);
            start = *end;
        }
        SplitProgress::Whole
    }

    fn fields(&self) -> impl Iterator<Item = &str> {
        // The record is UTF-8 and was split at ASCII characters.
        let text = std::str::from_utf8(&self.text[..self.text_len]).unwrap_or_default();
        self.fields.iter().map(|field| text.get(field.clone()).unwrap_or_default())
    }
}
