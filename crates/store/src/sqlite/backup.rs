//! A consistent copy while the store is in use, and a copy put back as a new log.

use std::{fs, path::Path, time::Duration};

use rusqlite::{
    Connection,
    backup::{Backup, StepResult},
    params,
};

use super::{is_database, ledger, readers::open_read_only, schema};
use crate::{
    data_dir::DataDir,
    error::{Result, StoreError},
    seams::Seams,
    signer,
};

const PAGES_PER_STEP: i32 = 1_000;

/// Copies the store of `dir` to `target`, which must not exist. Returns the number of events in the copy.
pub fn backup(dir: &DataDir, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    if target.exists() {
        return Err(StoreError::Conflict(format!("{} exists already; choose another name", target.display())));
    }
    if !dir.database().exists() {
        return Err(StoreError::Io {
            what: dir.database().display().to_string(),
            error: "there is no store here".into(),
        });
    }
    // The note before the copy: it must not speak of events that the copy lacks.
    let note = fs::read_to_string(dir.checkpoint()).ok();
    let source = open_read_only(&dir.database())?;
    schema::check_current(&source)?;
    let partial = append(target, ".partial");
    let made = copy(&source, &partial, note.as_deref(), progress).and_then(|events| {
        let place = || -> std::io::Result<()> {
            fs::File::open(&partial)?.sync_all()?;
            fs::rename(&partial, target)?;
            let folder = target.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            fs::File::open(folder)?.sync_all()
        };
        place().map_err(StoreError::io(format!("{} can't be written", target.display())))?;
        Ok(events)
    });
    if made.is_err() {
        let _ = fs::remove_file(&partial);
    }
    made
}

fn copy(source: &Connection, partial: &Path, note: Option<&str>, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    let _ = fs::remove_file(partial);
    // An open read transaction holds one snapshot: a busy writer can't make the copy start over.
    source.execute_batch("BEGIN")?;
    let events = ledger::read_head(source)?.map_or(0, |head| head.frontier.size());
    let mut copy = Connection::open(partial)?;
    {
        let backup = Backup::new(source, &mut copy)?;
        loop {
            let step = backup.step(PAGES_PER_STEP)?;
            let pages = backup.progress();
            let (total, left) =
                (u64::try_from(pages.pagecount).unwrap_or(0), u64::try_from(pages.remaining).unwrap_or(0));
            progress(total - left, total);
            match step {
                StepResult::Done => break,
                StepResult::More => {}
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }
    source.execute_batch("COMMIT")?;
    // One self-contained file: no write-ahead log beside it.
    copy.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;")?;
    if let Some(note) = note
        && let Some(size) = note.lines().nth(1).and_then(|line| line.parse::<u64>().ok())
    {
        copy.execute("INSERT OR IGNORE INTO checkpoints (size, note) VALUES (?1, ?2)", params![size, note])?;
    }
    copy.close().map_err(|(_, error)| StoreError::from(error))?;
    Ok(events)
}

/// Puts a backup into a data directory as a new log: with a new key and origin, because the old one may have gone on
/// after the copy was made. What stood there is kept beside it.
pub fn restore(dir: &DataDir, file: &Path, seams: &Seams) -> Result<String> {
    if !is_database(file) {
        return Err(StoreError::Corrupt(format!("{} is not a countersign backup", file.display())));
    }
    schema::check_current(&open_read_only(file)?)?;
    dir.create()?;
    let _lock = dir.lock()?;
    let stamp = seams.now().to_string().replace([':', '.'], "-");
    let aside = dir.path().join(format!("before-restore-{stamp}"));
    let move_aside = || -> std::io::Result<()> {
        for path in [dir.database(), dir.key(), dir.public_key(), dir.checkpoint()] {
            // With a write-ahead log that was not folded in, the old database would lose its newest events.
            for path in [path.clone(), append(&path, "-wal"), append(&path, "-shm")] {
                if path.exists() {
                    fs::create_dir_all(&aside)?;
                    fs::rename(&path, aside.join(path.file_name().unwrap_or_default()))?;
                }
            }
        }
        fs::copy(file, dir.database()).map(|_| ())
    };
    move_aside().map_err(StoreError::io(format!("{} can't be restored", file.display())))?;
    let key = signer::create_key(dir, &seams.entropy)?;
    let conn = schema::open_for_writing(&dir.database())?;
    let origin = key.verifying_key().name().to_owned();
    conn.execute("UPDATE ledger_head SET origin = ?1", [&origin])?;
    // The old log's checkpoints are its own key's to vouch for; the new log begins to sign with its first event.
    conn.execute("DELETE FROM checkpoints", [])?;
    Ok(origin)
}

fn append(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
