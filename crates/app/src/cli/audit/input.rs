//! Texts to audit: one file or standard input, the files of a folder, or the rows of a file of JSON Lines.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::Value;

use crate::cli::{failure::Failure, lines};

/// Of one text. Beyond it a text is refused rather than cut: what is not read is not audited.
pub(super) const TEXT_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// How deep a folder is gone into; links are not followed.
const DEPTH_MAX: usize = 32;
/// Looked at to tell text from other files.
const PROBE_BYTES: usize = 8 * 1024;

pub(super) struct Text {
    pub(super) id: Value,
    pub(super) text: String,
    pub(super) context: Option<String>,
}

/// A line of JSON Lines.
#[derive(Deserialize)]
pub(super) struct Row {
    #[serde(default)]
    pub(super) id: Value,
    pub(super) text: String,
    #[serde(default)]
    pub(super) context: Option<String>,
}

pub(super) enum Source {
    One(Text),
    Files(std::vec::IntoIter<PathBuf>),
    Rows { name: String, input: BufReader<File> },
}

impl Source {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            let text = text_of(io::stdin().lock(), "standard input")?;
            return Ok(Self::One(Text { id: Value::from("-"), text, context: None }));
        }
        let about = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if !about.is_dir() {
            return Ok(Self::One(file(path)?));
        }
        let mut files = Vec::new();
        collect(path, 0, &mut files).map_err(|error| unreadable(path, &error))?;
        files.sort();
        Ok(Self::Files(files.into_iter()))
    }

    pub(super) fn rows(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        Ok(Self::Rows { name: path.display().to_string(), input: BufReader::new(file) })
    }

    /// Where it is known before everything is read.
    pub(super) fn len(&self) -> Option<u64> {
        match self {
            Self::Files(files) => Some(files.len() as u64),
            Self::One(_) | Self::Rows { .. } => None,
        }
    }
}

impl IntoIterator for Source {
    type Item = Result<Text, Failure>;
    type IntoIter = Box<dyn Iterator<Item = Self::Item>>;

    fn into_iter(self) -> Self::IntoIter {
        match self {
            Self::One(text) => Box::new(std::iter::once(Ok(text))),
            Self::Files(files) => Box::new(files.map(|path| file(&path))),
            Self::Rows { name, mut input } => {
                let lines = std::iter::from_fn(move || lines::next(&mut input, TEXT_BYTES_MAX).transpose());
                Box::new((1..).zip(lines).filter_map(move |(number, line)| {
                    let told = |what: String| Failure::new(format!("{name}: {what}"));
                    match line {
                        Ok(line) if line.trim_ascii().is_empty() => None,
                        Ok(line) => Some(row(&line, number).map_err(told)),
                        Err(error) => Some(Err(told(format!("line {number}: {error}")))),
                    }
                }))
            }
        }
    }
}

/// A row from its line; one without an id goes by the number of its line.
pub(super) fn row(line: &[u8], number: u64) -> Result<Text, String> {
    let row: Row = serde_json::from_slice(line).map_err(|error| format!("line {number}: {error}"))?;
    let id = if row.id.is_null() { Value::from(number) } else { row.id };
    Ok(Text { id, text: row.text, context: row.context })
}

pub(super) fn whole_file(path: &Path) -> Result<String, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    text_of(file, &path.display().to_string())
}

fn file(path: &Path) -> Result<Text, Failure> {
    Ok(Text { id: Value::from(path.display().to_string()), text: whole_file(path)?, context: None })
}

fn text_of(input: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = input.take(TEXT_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("{name}: {error}")))?;
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        return Err(Failure::new(format!("{name}: longer than {} MB", TEXT_BYTES_MAX >> 20))
            .help("cut it into files or rows: what is not read is not audited"));
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::new(format!("{name}: not UTF-8 text")).help("convert it first, for example with iconv -t UTF-8")
    })
}

/// Files that look like text, and those that can't be looked at, so that they are told; hidden ones and links are left alone.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if kind.is_dir() && depth < DEPTH_MAX {
            collect(&entry.path(), depth + 1, files)?;
        } else if kind.is_file() && is_text(&entry.path()).unwrap_or(true) {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn is_text(path: &Path) -> io::Result<bool> {
    let mut probe = Vec::new();
    File::open(path)?.take(PROBE_BYTES as u64).read_to_end(&mut probe)?;
    Ok(!probe.contains(&0))
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}
