//! `--format jsonl`: reads rows and writes their results in the same order, on all cores, while input is still arriving.
//!
//! An invalid line gets a result too, with `error` and its number; blank lines are skipped. Reading ahead is bounded: at most
//! [`BATCHES_PER_CORE`] batches per core have been read and not written yet.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::Path,
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use countersign_domain::RiskStatus;
use countersign_inspect::audit;
use serde_json::json;

use super::{
    AuditResult, Tally,
    input::{self, TEXT_BYTES_MAX},
};
use crate::cli::{failure::Failure, lines};

/// Large enough to make handing over a batch cheap, and small enough for results to appear soon.
const BATCH_BYTES: usize = 128 * 1024;
const BATCHES_PER_CORE: usize = 4;

/// Consecutive lines, and the number of the first.
struct Batch {
    first_line: u64,
    lines: Vec<Vec<u8>>,
}

/// The results of a batch.
struct AuditedBatch {
    out: Vec<u8>,
    statuses: Vec<Option<RiskStatus>>,
}

/// `context` is used for rows without a context of their own.
pub(super) fn run(path: &Path, redact: bool, context: Option<&str>) -> Result<Tally, Failure> {
    if path == Path::new("-") {
        return audit_lines(BufReader::with_capacity(BATCH_BYTES, io::stdin()), redact, context);
    }
    let file = File::open(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    audit_lines(BufReader::with_capacity(BATCH_BYTES, file), redact, context)
}

fn audit_lines<R: Read + Send>(input: BufReader<R>, redact: bool, context: Option<&str>) -> Result<Tally, Failure> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let ahead = cores * BATCHES_PER_CORE;
    let (work_sender, work) = mpsc::sync_channel::<(u64, Batch)>(ahead);
    let (done_sender, done) = mpsc::channel::<(u64, AuditedBatch)>();
    // The reader takes a permit for each batch; the writer returns it once the batch's results are written.
    let (permit_sender, permits) = mpsc::sync_channel::<()>(ahead);
    for _ in 0..ahead {
        let _ = permit_sender.try_send(());
    }
    let work = Mutex::new(work);
    thread::scope(|scope| {
        let reader = scope.spawn(move || read(input, &work_sender, &permits));
        for _ in 0..cores {
            let (work, done_sender) = (&work, done_sender.clone());
            scope.spawn(move || {
                // The lock is held while receiving: one thread waits for the channel, the others for the lock.
                while let Ok((n, batch)) = { work.lock().unwrap_or_else(PoisonError::into_inner).recv() } {
                    if done_sender.send((n, audit_batch(&batch, redact, context))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(done_sender);
        let tally = write(&done, &permit_sender);
        drop(permit_sender);
        drop(done);
        match reader.join() {
            Ok(Err(error)) => Err(Failure::new(format!("could not read the rows: {error}"))),
            _ => tally,
        }
    })
}

fn read<R: Read>(
    mut input: BufReader<R>,
    work: &mpsc::SyncSender<(u64, Batch)>,
    permits: &mpsc::Receiver<()>,
) -> io::Result<()> {
    let mut number = 1;
    for n in 0.. {
        let mut batch = Batch { first_line: number, lines: Vec::new() };
        let (mut bytes, mut failed) = (0, None);
        while bytes < BATCH_BYTES {
            let line = match lines::next(&mut input, TEXT_BYTES_MAX) {
                Ok(Some(line)) => line,
                Ok(None) => break,
                // The lines that were read before still get their results.
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            };
            bytes += line.len();
            batch.lines.push(line);
            number += 1;
            // No complete line is buffered, so hand over what there is: a caller that writes line by line gets results line by
            // line.
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        let is_end = batch.lines.is_empty() || permits.recv().is_err() || work.send((n, batch)).is_err();
        if let Some(error) = failed {
            return Err(error);
        }
        if is_end {
            break;
        }
    }
    Ok(())
}

fn audit_batch(batch: &Batch, redact: bool, context: Option<&str>) -> AuditedBatch {
    let mut done = AuditedBatch { out: Vec::new(), statuses: Vec::with_capacity(batch.lines.len()) };
    for (number, line) in (batch.first_line..).zip(&batch.lines) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let status = match input::parse_row(line, number) {
            Ok(row) => {
                let audited = audit(&row.text, row.context.as_deref().or(context));
                let result = AuditResult::of(&row.id, &row.text, &audited, redact);
                serde_json::to_writer(&mut done.out, &result).ok().map(|()| result.risk_score.status())
            }
            Err(error) => {
                let _ = serde_json::to_writer(&mut done.out, &json!({ "id": null, "line": number, "error": error }));
                None
            }
        };
        done.out.push(b'\n');
        done.statuses.push(status);
    }
    done
}

fn write(done: &mpsc::Receiver<(u64, AuditedBatch)>, permits: &mpsc::SyncSender<()>) -> Result<Tally, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut tally = Tally::default();
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    for (n, done) in done {
        waiting.insert(n, done);
        while let Some(AuditedBatch { out: lines, statuses }) = waiting.remove(&next) {
            next += 1;
            match out.write_all(&lines).and_then(|()| out.flush()) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(tally),
                Err(error) => return Err(Failure::new(format!("stdout: {error}"))),
                Ok(()) => {}
            }
            for status in statuses {
                match status {
                    Some(status) => tally.add(status),
                    None => tally.unreadable += 1,
                }
            }
            let _ = permits.try_send(());
        }
    }
    Ok(tally)
}
