//! Turns bytes into lines: unpacks gzip, drops a byte order mark, and buffers little more than one record.

use std::io::{self, Chain, Cursor, ErrorKind, Read};

use flate2::read::MultiGzDecoder;

use super::RECORD_BYTES_MAX;

const CHUNK_BYTES: usize = 64 * 1024;
const GZIP: [u8; 2] = [0x1f, 0x8b];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Lines with look-ahead: a record over several lines can be tried before its lines are consumed.
pub(super) struct InputLines<R> {
    source: RawInput<R>,
    buffer: Vec<u8>,
    /// `buffer[start..]` is not consumed yet.
    start: usize,
    has_ended: bool,
    /// The number of bytes consumed.
    position: u64,
    /// The number of the line at `start`, counted from 1.
    line: u64,
}

/// The line that starts some bytes ahead. All offsets are relative to the first byte that is not consumed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PeekedLine {
    /// The text ends at `end`, without `\n` or `\r\n`. The next line starts at `next`.
    Line {
        end: usize,
        next: usize,
    },
    /// The line doesn't end within a record's length.
    TooLong,
    Nothing,
}

impl<R: Read> InputLines<R> {
    pub(super) fn open(input: R) -> io::Result<Self> {
        let source = RawInput::open(input)?;
        let mut lines = Self { source, buffer: Vec::new(), start: 0, has_ended: false, position: 0, line: 1 };
        while lines.buffer.len() < BYTE_ORDER_MARK.len() && !lines.has_ended {
            lines.fill()?;
        }
        if lines.buffer.starts_with(BYTE_ORDER_MARK) {
            lines.start = BYTE_ORDER_MARK.len();
        }
        Ok(lines)
    }

    /// The first byte that is not white space, if the first chunk has one.
    pub(super) fn first_byte(&mut self) -> io::Result<Option<u8>> {
        loop {
            let looked_at = &self.rest()[..self.rest().len().min(CHUNK_BYTES)];
            let found = looked_at.trim_ascii_start().first().copied();
            if found.is_some() || self.has_ended || looked_at.len() == CHUNK_BYTES {
                return Ok(found);
            }
            self.fill()?;
        }
    }

    /// Looks at the line that starts `from` bytes ahead.
    pub(super) fn peek(&mut self, from: usize) -> io::Result<PeekedLine> {
        let mut searched = from;
        loop {
            let rest = self.rest();
            if let Some(found) = rest[searched..].iter().position(|byte| *byte == b'\n') {
                let end = searched + found;
                if end > RECORD_BYTES_MAX {
                    return Ok(PeekedLine::TooLong);
                }
                let carriage_return = end > from && rest[end - 1] == b'\r';
                return Ok(PeekedLine::Line { end: end - usize::from(carriage_return), next: end + 1 });
            }
            searched = rest.len();
            if searched > RECORD_BYTES_MAX {
                return Ok(PeekedLine::TooLong);
            }
            if self.has_ended {
                return Ok(if searched > from {
                    PeekedLine::Line { end: searched, next: searched }
                } else {
                    PeekedLine::Nothing
                });
            }
            self.fill()?;
        }
    }

    /// The bytes of this range ahead, which an earlier peek must have read.
    pub(super) fn ahead(&self, bytes: std::ops::Range<usize>) -> &[u8] {
        self.rest().get(bytes).unwrap_or_default()
    }

    /// Consumes `lines` lines with `bytes` bytes in total, which earlier peeks must have read.
    pub(super) fn consume(&mut self, bytes: usize, lines: u64) {
        self.start += bytes;
        self.position += bytes as u64;
        self.line += lines;
    }

    /// Consumes a line of any length without buffering it.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let end = self.rest().iter().position(|byte| *byte == b'\n');
            let bytes = end.map_or(self.rest().len(), |end| end + 1);
            self.consume(bytes, 0);
            if end.is_some() || self.has_ended {
                self.line += 1;
                return Ok(());
            }
            self.fill()?;
        }
    }

    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// The number of unpacked bytes consumed.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    pub(super) fn bytes_read(&self) -> u64 {
        self.source.bytes_read()
    }

    fn rest(&self) -> &[u8] {
        self.buffer.get(self.start..).unwrap_or_default()
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let kept = self.buffer.len();
        self.buffer.resize(kept + CHUNK_BYTES, 0);
        let read = self.source.read_some(&mut self.buffer[kept..]);
        self.buffer.truncate(kept + read.as_ref().copied().unwrap_or(0));
        self.has_ended = read? == 0;
        Ok(())
    }
}

/// The whole input: its first bytes, which were read to recognise gzip, and then the rest.
type CountedInput<R> = ByteCounter<Chain<Cursor<Vec<u8>>, R>>;

enum RawInput<R> {
    Plain(CountedInput<R>),
    Gzip(Box<MultiGzDecoder<CountedInput<R>>>),
}

impl<R: Read> RawInput<R> {
    fn open(mut input: R) -> io::Result<Self> {
        let mut start = Vec::new();
        input.by_ref().take(GZIP.len() as u64).read_to_end(&mut start)?;
        let is_gzip = start == GZIP;
        let whole = ByteCounter { input: Cursor::new(start).chain(input), bytes: 0 };
        Ok(if is_gzip { Self::Gzip(Box::new(MultiGzDecoder::new(whole))) } else { Self::Plain(whole) })
    }

    fn read_some(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = match self {
                Self::Plain(input) => input.read(buffer),
                Self::Gzip(input) => input.read(buffer),
            };
            if read.as_ref().is_err_and(|error| error.kind() == ErrorKind::Interrupted) {
                continue;
            }
            return read;
        }
    }
}

impl<R> RawInput<R> {
    fn bytes_read(&self) -> u64 {
        match self {
            Self::Plain(input) => input.bytes,
            Self::Gzip(input) => input.get_ref().bytes,
        }
    }
}

/// Counts the bytes that are read.
struct ByteCounter<R> {
    input: R,
    bytes: u64,
}

impl<R: Read> Read for ByteCounter<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}
