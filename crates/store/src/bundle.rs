//! The log as a file that anybody can check: JSON Lines, with the public key alone.
//!
//! The first line names the format and carries the signed checkpoint; every further line is one event, with the header's
//! exact text and hash, the salt and the body's exact text, and the content of the report that it tells of. Erased bodies
//! and reports are left out, and an event in the file says so.
//!
//! A line has exactly one form, the one in which it is written here: the fields in this order, without others, without
//! spaces, with hex in lower case. Anything else is a finding, because a reader might see in it what the hashes don't cover.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, BufWriter, Write},
    path::Path,
};

use countersign_domain::{EventId, Header};
use countersign_ledger::{Hash, VerifyingKey};
use serde::{Deserialize, Serialize};

use crate::{
    anchor::Anchor,
    check::{Check, LoggedBody, Verification},
    data_dir::DataDir,
    error::{Result, StoreError},
    notes, sqlite,
};

const FORMAT: &str = "countersign-bundle-1";
/// Longer lines are refused: the largest request body, escaped, with room to spare.
const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
struct First {
    format: String,
    checkpoint: String,
}

#[derive(Serialize, Deserialize)]
struct Line {
    header: String,
    /// The header's hash in hex: it tells which line was changed, where the root only tells that one was.
    leaf: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<LineBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    report: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct LineBody {
    salt: String,
    payload: String,
    metadata: String,
}

/// Writes every event that the last checkpoint covers. Returns how many.
pub fn export(dir: &DataDir, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    if target.exists() {
        return Err(StoreError::Conflict(format!("{} exists already; choose another name", target.display())));
    }
    let describe = || format!("{} can't be read", dir.checkpoint().display());
    let note = fs::read_to_string(dir.checkpoint()).map_err(StoreError::io(describe()))?;
    let size: u64 = note.lines().nth(1).and_then(|line| line.parse().ok()).unwrap_or(0);
    // Opened outside `write`: what fails to be created is somebody else's and not ours to remove.
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(target).map_err(StoreError::io(format!("{} can't be written", target.display())))?;
    let write = || -> Result<()> {
        let mut out = BufWriter::new(file);
        let io = || StoreError::io(format!("{} can't be written", target.display()));
        let mut line = |value: String| writeln!(out, "{value}").map_err(io());
        line(serde_json::to_string(&First { format: FORMAT.into(), checkpoint: note.clone() })?)?;
        sqlite::verify::for_each_event(&dir.database(), size, &mut |event| {
            if event.seq.is_multiple_of(1_000) {
                progress(event.seq, size);
            }
            let body = event.body.map(|body| LineBody {
                salt: hex(body.salt),
                payload: text(body.payload),
                metadata: text(body.metadata),
            });
            let (header, leaf, report) = (text(event.header), hex(event.leaf), event.report.map(text));
            line(serde_json::to_string(&Line { header, leaf, body, report })?)
        })?;
        let file = out.into_inner().map_err(|error| io()(error.into_error()))?;
        file.sync_all().map_err(io())
    };
    if let Err(error) = write() {
        let _ = fs::remove_file(target);
        return Err(error);
    }
    progress(size, size);
    Ok(size)
}

/// Checks a bundle with nothing but the public key.
pub(crate) fn verify_bundle(
    path: &Path,
    key: &VerifyingKey,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    let io = || StoreError::io(format!("{} can't be read", path.display()));
    let mut lines = Lines(BufReader::new(File::open(path).map_err(io())?));
    let first_line = lines.next(io())?;
    let first: First = first_line
        .as_ref()
        .and_then(|line| serde_json::from_str(line).ok())
        .filter(|first: &First| first.format == FORMAT)
        .ok_or_else(|| {
            StoreError::Corrupt(format!("{} is neither a countersign bundle nor a backup", path.display()))
        })?;
    let mut check = Check::new();
    if !is_exact(&first, first_line.as_deref().unwrap_or_default()) {
        check.find(None, None, "the first line is not in the form in which it was written");
    }
    let signed = match notes::open_exactly(key, &first.checkpoint) {
        Ok(checkpoint) => {
            check.expect_checkpoint(&checkpoint, "the checkpoint");
            Some(checkpoint.size)
        }
        Err(error) => {
            check.find(None, None, format!("the checkpoint is forged or damaged: {error}"));
            None
        }
    };
    for anchor in anchors {
        anchor.expect(key, &mut check);
    }
    let total = signed.unwrap_or(0);
    let mut positions: HashMap<EventId, u64> = HashMap::new();
    while let Some(line) = lines.next(io())? {
        let expected = check.next_seq();
        if expected.is_multiple_of(1_000) {
            progress(expected, total.max(expected));
        }
        let text = line;
        let Ok(line) = serde_json::from_str::<Line>(&text) else {
            check.find(Some(expected), None, "the line can't be read");
            break;
        };
        let (leaf, salt) = (unhex(&line.leaf), line.body.as_ref().map_or_else(Vec::new, |body| unhex(&body.salt)));
        let body = line.body.as_ref().map(|body| LoggedBody {
            salt: &salt,
            payload: body.payload.as_bytes(),
            metadata: body.metadata.as_bytes(),
        });
        // A header says where it belongs: so one missing line is one finding, not one for each line after it.
        let header = serde_json::from_str::<Header<'_>>(&line.header).ok();
        let seq = header.as_ref().map_or(expected, |header| header.seq);
        let find = |cause| Ok::<_, StoreError>(positions.get(&cause).copied());
        if let Some(checked) = check.event(seq, line.header.as_bytes(), &leaf, body, find, |_, _| {})? {
            check.report(seq, &checked, line.report.as_ref().map(String::as_bytes));
        }
        if !is_exact(&line, &text) {
            check.find(Some(seq), None, "the line is not in the form in which it was written");
        }
        if let Some(header) = header {
            positions.insert(header.event_id, seq);
        }
    }
    if let Some(signed) = signed.filter(|signed| check.next_seq() > *signed) {
        check.find(Some(signed), None, "stands after the end of what was signed");
    }
    progress(total, total);
    Ok(check.finish(key.name().to_owned()))
}

/// Whether this is the text that we write for the value.
fn is_exact(value: &impl Serialize, text: &str) -> bool {
    serde_json::to_string(value).is_ok_and(|written| text.strip_suffix('\n') == Some(&written))
}

struct Lines<R>(R);

impl<R: BufRead> Lines<R> {
    fn next(&mut self, io: impl FnOnce(std::io::Error) -> StoreError) -> Result<Option<String>> {
        let mut line = Vec::new();
        let read = std::io::Read::take(&mut self.0, LINE_BYTES_MAX).read_until(b'\n', &mut line).map_err(io)?;
        if read == 0 {
            return Ok(None);
        }
        // What is no text does not match its hash either.
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Empty where it is not exactly 32 bytes in lower-case hex, and so never what was hashed.
fn unhex(text: &str) -> Vec<u8> {
    let hash = Hash::from_hex(text).ok().filter(|hash| hash.to_hex() == text);
    hash.map(|hash| hash.as_bytes().to_vec()).unwrap_or_default()
}
