//! The log as a JSON Lines file that anybody can check with the public key alone.
//!
//! The first line names the format and contains the signed checkpoint. Every other line is one event: the header's exact text
//! and hash, the salt and the body's exact text, and the report's content if the event made one. Erased bodies and reports are
//! left out, and an event in the file says that they were erased.
//!
//! A line has exactly one form: these fields in this order, no others, no spaces, hex in lower case. Anything else is a finding,
//! because readers could see something in it that the hashes don't cover.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{BufRead, BufReader, BufWriter, Write},
    path::Path,
};

use countersign_domain::{EventId, Header};
use countersign_ledger::VerifyingKey;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};

use super::{StoreLocation, backend::on_database};
use crate::{
    anchor::Anchor,
    check::{Check, LoggedBody, LoggedEvent, Verification},
    error::{Result, StoreError},
    notes, signer,
};

const FORMAT: &str = "countersign-bundle-1";
/// Longer lines are refused. This is enough for the largest request body, escaped.
const LINE_BYTES_MAX: u64 = 64 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
struct BundleHeader {
    format: String,
    checkpoint: String,
}

#[derive(Serialize, Deserialize)]
struct BundleLine {
    header: String,
    /// The header's hash in hex. It shows which line was changed; the root only shows that some line was.
    leaf: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<BundleBody>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    report: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct BundleBody {
    salt: String,
    payload: String,
    metadata: String,
}

/// Writes every event that the last checkpoint covers to `target`, which must not exist. Returns their number. The store may be
/// in use. If writing fails, the file is removed.
pub fn export(location: &StoreLocation, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    if target.exists() {
        return Err(StoreError::Conflict(format!("{} exists already; choose another name", target.display())));
    }
    location.check_exists()?;
    let note = signer::last_note(location.dir())?.ok_or_else(|| {
        StoreError::Tampered(format!("{} is missing; put it back", location.dir().checkpoint().display()))
    })?;
    let size: u64 = note.lines().nth(1).and_then(|line| line.parse().ok()).unwrap_or(0);
    // Opened outside `write`, because a file that already exists belongs to somebody else and must not be removed.
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(target).map_err(StoreError::io(format!("{} can't be written", target.display())))?;
    let write = || -> Result<()> {
        let mut out = BufWriter::new(file);
        let io = || StoreError::io(format!("{} can't be written", target.display()));
        let mut write_line = |value: String| writeln!(out, "{value}").map_err(io());
        write_line(serde_json::to_string(&BundleHeader { format: FORMAT.into(), checkpoint: note.clone() })?)?;
        let mut write_event = |event: LoggedEvent<'_>| {
            if event.seq.is_multiple_of(1_000) {
                progress(event.seq, size);
            }
            let body = event.body.map(|body| BundleBody {
                salt: HEXLOWER.encode(body.salt),
                payload: text(body.payload),
                metadata: text(body.metadata),
            });
            let (header, leaf, report) = (text(event.header), HEXLOWER.encode(event.leaf), event.report.map(text));
            write_line(serde_json::to_string(&BundleLine { header, leaf, body, report })?)
        };
        on_database!(location, database => database.for_each_event(size, &mut write_event))?;
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

/// Checks a bundle with the public key alone.
pub(crate) fn verify_bundle(
    path: &Path,
    key: &VerifyingKey,
    anchors: &[Anchor],
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Verification> {
    let io = || StoreError::io(format!("{} can't be read", path.display()));
    let mut lines = Lines(BufReader::new(File::open(path).map_err(io())?));
    let first_line = lines.next(io())?;
    let first: BundleHeader = first_line
        .as_ref()
        .and_then(|line| serde_json::from_str(line).ok())
        .filter(|first: &BundleHeader| first.format == FORMAT)
        .ok_or_else(|| {
            StoreError::Corrupt(format!("{} is neither a countersign bundle nor a backup", path.display()))
        })?;
    let mut check = Check::new();
    if !is_exact(&first, first_line.as_deref().unwrap_or_default()) {
        check.find(None, None, "the first line is not in the exact format of an export");
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
        let Ok(line) = serde_json::from_str::<BundleLine>(&text) else {
            check.find(Some(expected), None, "the line can't be read");
            break;
        };
        let (leaf, salt) = (unhex(&line.leaf), line.body.as_ref().map_or_else(Vec::new, |body| unhex(&body.salt)));
        let body = line.body.as_ref().map(|body| LoggedBody {
            salt: &salt,
            payload: body.payload.as_bytes(),
            metadata: body.metadata.as_bytes(),
        });
        // The header has the position, so one missing line is one finding, and not one for each line after it.
        let header = serde_json::from_str::<Header<'_>>(&line.header).ok();
        let seq = header.as_ref().map_or(expected, |header| header.seq);
        let find = |cause| Ok::<_, StoreError>(positions.get(&cause).copied());
        if let Some(checked) = check.event(seq, line.header.as_bytes(), &leaf, body, find, |_, _| {})? {
            check.report(seq, &checked, line.report.as_ref().map(String::as_bytes));
        }
        if !is_exact(&line, &text) {
            check.find(Some(seq), None, "the line is not in the exact format of an export");
        }
        if let Some(header) = header {
            positions.insert(header.event_id, seq);
        }
    }
    if let Some(signed) = signed.filter(|signed| check.next_seq() > *signed) {
        check.find(Some(signed), None, "is not covered by the signed checkpoint");
    }
    progress(total, total);
    Ok(check.finish(key.name().to_owned()))
}

/// Whether this is exactly the text that an export writes for the value.
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
        // Bytes that aren't text won't match their hash either.
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Empty, and so never equal to a hash, unless the text is exactly 32 bytes in lower-case hex.
fn unhex(text: &str) -> Vec<u8> {
    HEXLOWER.decode(text.as_bytes()).ok().filter(|bytes| bytes.len() == 32).unwrap_or_default()
}
