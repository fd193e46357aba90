//! JSON Lines in, JSON Lines out: in the order of the input, while it is still coming, on all cores.
//!
//! A line that is no row gets a line too, with `error` and its number, so that lines of both sides stay beside each other.
//! What is read ahead is bounded: a batch is read only when one has been written.

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
    Said, Tally,
    input::{self, TEXT_BYTES_MAX},
};
use crate::cli::{failure::Failure, lines};

/// Enough to make the hand-over cheap, little enough to come out soon.
const BATCH_BYTES: usize = 128 * 1024;
const BATCHES_PER_CORE: usize = 4;

/// Lines with the number of the first.
struct Batch {
    first_line: u64,
    lines: Vec<Vec<u8>>,
}

/// What they became.
struct Done {
    out: Vec<u8>,
    statuses: Vec<Option<RiskStatus>>,
}

/// `context` is for rows that bring none of their own.
pub(super) fn run(path: &Path, redact: bool, context: Option<&str>) -> Result<Tally, Failure> {
    if path == Path::new("-") {
        return through(BufReader::with_capacity(BATCH_BYTES, io::stdin()), redact, context);
    }
    let file = File::open(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
    through(BufReader::with_capacity(BATCH_BYTES, file), redact, context)
}

fn through<R: Read + Send>(input: BufReader<R>, redact: bool, context: Option<&str>) -> Result<Tally, Failure> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let ahead = cores * BATCHES_PER_CORE;
    let (work_in, work) = mpsc::sync_channel::<(u64, Batch)>(ahead);
    let (done_in, done) = mpsc::channel::<(u64, Done)>();
    let (room_in, room) = mpsc::sync_channel::<()>(ahead);
    for _ in 0..ahead {
        let _ = room_in.try_send(());
    }
    let work = Mutex::new(work);
    thread::scope(|scope| {
        let reader = scope.spawn(move || read(input, &work_in, &room));
        for _ in 0..cores {
            let (work, done_in) = (&work, done_in.clone());
            scope.spawn(move || {
                // The lock is held while waiting, so that one worker waits at the channel and the others for it.
                while let Ok((n, batch)) = { work.lock().unwrap_or_else(PoisonError::into_inner).recv() } {
                    if done_in.send((n, judged(&batch, redact, context))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(done_in);
        let tally = write(&done, &room_in);
        drop(room_in);
        drop(done);
        match reader.join() {
            Ok(Err(error)) => Err(Failure::new(format!("standard input or file: {error}"))),
            _ => tally,
        }
    })
}

fn read<R: Read>(
    mut input: BufReader<R>,
    work: &mpsc::SyncSender<(u64, Batch)>,
    room: &mpsc::Receiver<()>,
) -> io::Result<()> {
    let mut line = 1;
    for n in 0.. {
        let mut batch = Batch { first_line: line, lines: Vec::new() };
        let mut bytes = 0;
        while bytes < BATCH_BYTES {
            let Some(text) = lines::next(&mut input, TEXT_BYTES_MAX)? else { break };
            bytes += text.len();
            batch.lines.push(text);
            line += 1;
            // No further line is there right now: whoever writes line by line gets an answer line by line.
            if !input.buffer().contains(&b'\n') {
                break;
            }
        }
        if batch.lines.is_empty() || room.recv().is_err() || work.send((n, batch)).is_err() {
            break;
        }
    }
    Ok(())
}

fn judged(batch: &Batch, redact: bool, context: Option<&str>) -> Done {
    let mut done = Done { out: Vec::new(), statuses: Vec::with_capacity(batch.lines.len()) };
    for (number, line) in (batch.first_line..).zip(&batch.lines) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let status = match input::row(line, number) {
            Ok(row) => {
                let audited = audit(&row.text, row.context.as_deref().or(context));
                let said = Said::of(&row.id, &row.text, &audited, redact);
                serde_json::to_writer(&mut done.out, &said).ok().map(|()| said.risk_score.status())
            }
            Err(what) => {
                let _ = serde_json::to_writer(&mut done.out, &json!({ "id": null, "line": number, "error": what }));
                None
            }
        };
        done.out.push(b'\n');
        done.statuses.push(status);
    }
    done
}

fn write(done: &mpsc::Receiver<(u64, Done)>, room: &mpsc::SyncSender<()>) -> Result<Tally, Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let mut tally = Tally::default();
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    for (n, done) in done {
        waiting.insert(n, done);
        while let Some(Done { out: lines, statuses }) = waiting.remove(&next) {
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
            let _ = room.try_send(());
        }
    }
    Ok(tally)
}
