//! The texts to audit: a file, standard input, the files of a folder, or the rows of a JSON Lines file.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use serde::Deserialize;
use serde_json::Value;

use crate::cli::{failure::Failure, lines};

/// The maximum size of one text. Longer texts are refused rather than truncated, because the rest would not be audited.
pub(super) const TEXT_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// The maximum depth to which folders are searched. Links are not followed.
const DEPTH_MAX: usize = 32;
/// The part of a file that is read to tell text from binary data.
const PROBE_BYTES: usize = 8 * 1024;

pub(super) struct InputText {
    pub(super) id: Value,
    pub(super) text: String,
    pub(super) context: Option<String>,
}

/// A row of a JSON Lines file.
#[derive(Deserialize)]
pub(super) struct TextRow {
    #[serde(default)]
    pub(super) id: Value,
    pub(super) text: String,
    #[serde(default)]
    pub(super) context: Option<String>,
}

pub(super) enum InputTexts {
    One(InputText),
    Files(std::vec::IntoIter<PathBuf>),
    JsonLines { name: String, input: BufReader<File> },
}

impl InputTexts {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            let text = text_of(io::stdin().lock(), "standard input")?;
            return Ok(Self::One(InputText { id: Value::from("-"), text, context: None }));
        }
        let metadata = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
        if !metadata.is_dir() {
            return Ok(Self::One(input_file(path)?));
        }
        let mut files = Vec::new();
        collect(path, 0, &mut files).map_err(|error| unreadable(path, &error))?;
        files.sort();
        Ok(Self::Files(files.into_iter()))
    }

    pub(super) fn json_lines(path: &Path) -> Result<Self, Failure> {
        let file = File::open(path).map_err(|error| unreadable(path, &error))?;
        Ok(Self::JsonLines { name: path.display().to_string(), input: BufReader::new(file) })
    }

    /// The number of texts, if it is known before they are read.
    pub(super) fn len(&self) -> Option<u64> {
        match self {
            Self::Files(files) => Some(files.len() as u64),
            Self::One(_) | Self::JsonLines { .. } => None,
        }
    }
}

impl IntoIterator for InputTexts {
    type Item = Result<InputText, Failure>;
    type IntoIter = Box<dyn Iterator<Item = Self::Item>>;

    fn into_iter(self) -> Self::IntoIter {
        match self {
            Self::One(text) => Box::new(std::iter::once(Ok(text))),
            Self::Files(files) => Box::new(files.map(|path| input_file(&path))),
            Self::JsonLines { name, mut input } => {
                let lines = std::iter::from_fn(move || lines::next(&mut input, TEXT_BYTES_MAX).transpose());
                Box::new((1..).zip(lines).filter_map(move |(number, line)| {
                    let fail = |what: String| Failure::new(format!("{name}: {what}"));
                    match line {
                        Ok(line) if line.trim_ascii().is_empty() => None,
                        Ok(line) => Some(parse_row(&line, number).map_err(fail)),
                        Err(error) => Some(Err(fail(format!("line {number}: {error}")))),
                    }
                }))
            }
        }
    }
}

/// Parses a row. A row without an id is identified by its line number.
pub(super) fn parse_row(line: &[u8], number: u64) -> Result<InputText, String> {
    let row: TextRow = serde_json::from_slice(line).map_err(|error| format!("line {number}: {error}"))?;
    let id = if row.id.is_null() { Value::from(number) } else { row.id };
    Ok(InputText { id, text: row.text, context: row.context })
}

pub(super) fn whole_file(path: &Path) -> Result<String, Failure> {
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    text_of(file, &path.display().to_string())
}

fn input_file(path: &Path) -> Result<InputText, Failure> {
    Ok(InputText { id: Value::from(path.display().to_string()), text: whole_file(path)?, context: None })
}

fn text_of(input: impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = input.take(TEXT_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::new(format!("{name}: {error}")))?;
    if bytes.len() as u64 > TEXT_BYTES_MAX {
        return Err(Failure::new(format!("{name}: longer than {} MiB", TEXT_BYTES_MAX >> 20))
            .help("split it into files or rows"));
    }
    String::from_utf8(bytes).map_err(|_| {
        Failure::new(format!("{name}: not UTF-8 text")).help("convert it first, for example with iconv -t UTF-8")
    })
}

/// Collects the files that look like text, and the files that can't be read, so that these are reported later. Skips hidden files
/// and links.
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
