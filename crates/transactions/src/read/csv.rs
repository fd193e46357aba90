//! CSV records: a header, then one record per line, or over several where a quoted field holds line breaks.
//!
//! A quoted field that never ends (within a record's length and columns, or before the file's end) costs its first line
//! only: reading goes on with the line after it. What was looked at in vain is then read line by line, so that no byte is looked at more
//! than twice, however many quotes are left open.

use std::io::{self, Read};
use std::ops::Range;

use countersign_domain::Invalid;
use csv_core::{ReadRecordResult, Reader, ReaderBuilder, Terminator};

use super::draft::{Constants, Draft};
use super::field::Target;
use super::input::{Lines, Peek};
use super::mapping::Mapping;
use super::plan::{self, row};
use super::{COLUMNS_MAX, Found, RECORD_BYTES_MAX, ReadError};

pub(super) struct Records<R> {
    lines: Lines<R>,
    splitter: Splitter,
    /// Until here a record is one line.
    single_lines_until: u64,
    targets: Vec<Option<Target>>,
    constants: Constants,
}

/// A record that was read, or passed over with a reason.
struct Record {
    line: u64,
    last_line: u64,
    split: Result<(), Invalid>,
}

impl<R: Read> Records<R> {
    pub(super) fn open(mut lines: Lines<R>, mapping: &Mapping) -> Result<Self, ReadError> {
        let splitter = Splitter::new(delimiter(header_line(&mut lines)?));
        let constants = Constants::of(mapping);
        let mut records = Self { lines, splitter, single_lines_until: 0, targets: Vec::new(), constants };
        let header = records.next_record()?.ok_or(ReadError::Header("the file is empty"))?;
        header.split.map_err(|_| ReadError::Header("it is too long, has too many columns, or is not UTF-8 text"))?;
        let names: Vec<String> = records.splitter.fields().map(|name| name.trim().to_owned()).collect();
        records.targets = plan::columns(&names, mapping, &records.constants)?;
        Ok(records)
    }

    pub(super) fn next_found(&mut self) -> Result<Option<Found>, (u64, io::Error)> {
        let record = self.next_record().map_err(|error| (self.lines.line(), error))?;
        Ok(record.map(|Record { line, last_line, split }| {
            let built = split.and_then(|()| self.draft()).and_then(|draft| draft.build(&self.constants));
            Found { line, last_line, built, bytes_read: self.lines.bytes_read() }
        }))
    }

    /// Puts the cells of the record just split where their columns say.
    fn draft(&self) -> Result<Draft<'_>, Invalid> {
        let (found, expected) = (self.splitter.fields.len(), self.targets.len());
        if found != expected {
            return Err(row(format!("has {found} columns where the header has {expected}")));
        }
        let mut draft = Draft::new();
        for (target, cell) in self.targets.iter().zip(self.splitter.fields()) {
            if let Some(target) = target {
                draft.set(target, cell.into());
            }
        }
        Ok(draft)
    }

    fn next_record(&mut self) -> io::Result<Option<Record>> {
        loop {
            let line = self.lines.line();
            let failed = |reason: String| Ok(Some(Record { line, last_line: line, split: Err(row(reason)) }));
            match self.lines.peek(0)? {
                Peek::Nothing => return Ok(None),
                Peek::TooLong => {
                    self.lines.skip_line()?;
                    return failed(format!("is longer than {RECORD_BYTES_MAX} bytes"));
                }
                Peek::Line { end, next } if self.lines.ahead(0..end).trim_ascii().is_empty() => {
                    self.lines.consume(next, 1);
                }
                Peek::Line { end, next } => return self.record_from(line, end, next).map(Some),
            }
        }
    }

    /// The record whose first line ends at `end`.
    fn record_from(&mut self, line: u64, end: usize, first_next: usize) -> io::Result<Record> {
        let (mut end, mut next, mut lines) = (end, first_next, 1);
        let mut split = self.splitter.start(self.lines.ahead(0..end));
        let may_go_on = self.lines.position() >= self.single_lines_until;
        while matches!(split, Split::Open) && may_go_on {
            let from = next;
            match self.lines.peek(from)? {
                Peek::Line { end: line_end, next: line_next } => (end, next) = (line_end, line_next),
                Peek::TooLong | Peek::Nothing => break,
            }
            lines += 1;
            split = self.splitter.go_on(self.lines.ahead(from..end));
        }
        let split = match split {
            Split::Whole if std::str::from_utf8(self.lines.ahead(0..end)).is_err() => Err(row("is not UTF-8 text")),
            Split::Whole => Ok(()),
            Split::TooMany if lines == 1 => Err(row(format!("has more than {COLUMNS_MAX} columns"))),
            Split::TooMany | Split::Open => {
                self.single_lines_until = self.single_lines_until.max(self.lines.position() + next as u64);
                (next, lines) = (first_next, 1);
                Err(row("has a quoted field that does not end"))
            }
        };
        self.lines.consume(next, lines);
        Ok(Record { line, last_line: line + lines - 1, split })
    }
}

/// The first line with something in it, still to be read.
fn header_line<R: Read>(lines: &mut Lines<R>) -> io::Result<&[u8]> {
    loop {
        match lines.peek(0)? {
            Peek::Line { end, next } if lines.ahead(0..end).trim_ascii().is_empty() => lines.consume(next, 1),
            Peek::Line { end, .. } => return Ok(lines.ahead(0..end)),
            Peek::TooLong | Peek::Nothing => return Ok(b""),
        }
    }
}

/// Whichever the header has most of; a comma if none.
fn delimiter(header: &[u8]) -> u8 {
    let count = |wanted: u8| header.iter().filter(|byte| **byte == wanted).count();
    [b'\t', b';', b','].into_iter().max_by_key(|delimiter| count(*delimiter)).unwrap_or(b',')
}

/// A record's fields, in buffers that are used again.
struct Splitter {
    reader: Reader,
    delimiter: u8,
    /// The fields' text, quotes taken off, one after the other.
    text: Vec<u8>,
    text_len: usize,
    ends: Vec<usize>,
    ends_len: usize,
    fields: Vec<Range<usize>>,
}

enum Split {
    Whole,
    /// A quoted field goes on after this line.
    Open,
    TooMany,
}

impl Splitter {
    fn new(delimiter: u8) -> Self {
        let reader = ReaderBuilder::new().delimiter(delimiter).terminator(Terminator::Any(b'\n')).build();
        let (text, ends) = (vec![0; 1024], vec![0; COLUMNS_MAX + 1]);
        Self { reader, delimiter, text, text_len: 0, ends, ends_len: 0, fields: Vec::new() }
    }

    fn start(&mut self, line: &[u8]) -> Split {
        self.fields.clear();
        if line.contains(&b'"') {
            self.reader.reset();
            (self.text_len, self.ends_len) = (0, 0);
            return self.go_on(line);
        }
        self.split_plainly(line)
    }

    /// Without quotes a record is cut at its delimiters.
    fn split_plainly(&mut self, line: &[u8]) -> Split {
        self.text.resize(self.text.len().max(line.len()), 0);
        self.text[..line.len()].copy_from_slice(line);
        self.text_len = line.len();
        let mut start = 0;
        for cell in line.split(|byte| *byte == self.delimiter) {
            if self.fields.len() == COLUMNS_MAX {
                return Split::TooMany;
            }
            self.fields.push(start..start + cell.len());
            start += cell.len() + 1;
        }
        Split::Whole
    }

    /// Another line of the same record.
    fn go_on(&mut self, line: &[u8]) -> Split {
        let mut input = line;
        let mut newline_follows = true;
        loop {
            let text = &mut self.text[self.text_len..];
            let (result, read, written, ended) = self.reader.read_record(input, text, &mut self.ends[self.ends_len..]);
            input = &input[read..];
            self.text_len += written;
            self.ends_len += ended;
            match result {
                // An empty input would mean the end of the file.
                ReadRecordResult::InputEmpty if newline_follows => (input, newline_follows) = (b"\n", false),
                ReadRecordResult::InputEmpty => return Split::Open,
                ReadRecordResult::OutputFull => self.text.resize(self.text.len() * 2, 0),
                ReadRecordResult::OutputEndsFull => return Split::TooMany,
                ReadRecordResult::Record | ReadRecordResult::End => return self.whole(),
            }
        }
    }

    fn whole(&mut self) -> Split {
        if self.ends_len > COLUMNS_MAX {
            return Split::TooMany;
        }
        let mut start = 0;
        for end in &self.ends[..self.ends_len] {
            self.fields.push(start..*end);
            start = *end;
        }
        Split::Whole
    }

    fn fields(&self) -> impl Iterator<Item = &str> {
        // The record is UTF-8, and fields are cut at ASCII.
        let text = std::str::from_utf8(&self.text[..self.text_len]).unwrap_or_default();
        self.fields.iter().map(|field| text.get(field.clone()).unwrap_or_default())
    }
}
