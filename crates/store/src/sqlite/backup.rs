//! Backups, which are database files whatever database the store is kept in, and the restore of a store on SQLite.

use std::{fs, path::Path, sync::Arc, time::Duration};

use rusqlite::{
    Connection, OpenFlags, OptionalExtension,
    backup::{Backup, StepResult},
    params,
};

use countersign_ledger::{Checkpoint, SigningKey, VerifyingKey};

use super::{
    SqliteFiles, commit::Committer, copying::NewFile, is_database, ledger, readers::open_read_only, reads, schema,
    verify::verify_database,
};
use crate::{
    check::LastCheckpoint,
    data_dir::DataDir,
    error::{Result, StoreError},
    job::Job,
    restoring::Replacement,
    seams::Seams,
    signer,
    tables::TableSink,
};

const PAGES_PER_STEP: i32 = 1_000;
/// The files of the database. Without its write-ahead log it would lose its newest events.
const DATABASE_FILES: [&str; 3] = ["countersign.db-wal", "countersign.db-shm", "countersign.db"];

impl SqliteFiles {
    pub(crate) fn backup(&self, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
        make_backup(target, self.dir(), || self.check_exists(), |partial| copy(&self.read_only()?, partial, progress))
    }

    pub(crate) fn restore(&self, file: &Path, key: Option<&VerifyingKey>, seams: &Seams) -> Result<String> {
        check_backup(file, key)?;
        self.dir().create()?;
        let _lock = self.dir().lock()?;
        // The new log is complete before any file of the old one is touched.
        let replacement = Replacement::begin(self.dir(), seams.now(), &DATABASE_FILES)?;
        let staged = Self::of(replacement.staged());
        let key = Arc::new(declare_new_log(&staged, file, seams)?);
        repeat_erasures(self, &staged, &key, seams)?;
        let swapped = replacement.make_room().and_then(|()| replacement.swap_in());
        swapped.map_err(StoreError::io(format!("{} can't be restored", file.display())))?;
        Ok(key.verifying_key().name().to_owned())
    }
}

/// Makes a backup of a store on another database. `fill` copies its tables, as of one moment, and returns the number of events.
pub(crate) fn backup_from(
    target: &Path,
    dir: &DataDir,
    check_exists: impl FnOnce() -> Result<()>,
    fill: impl FnOnce(&mut dyn TableSink) -> Result<u64>,
) -> Result<u64> {
    make_backup(target, dir, check_exists, |partial| {
        let mut file = NewFile::create(partial)?;
        let events = fill(&mut file)?;
        file.finish()?;
        Ok(events)
    })
}

/// Makes a backup of the store in `dir`. `copy` writes its database to a file, and returns the number of events in it.
fn make_backup(
    target: &Path,
    dir: &DataDir,
    check_exists: impl FnOnce() -> Result<()>,
    copy: impl FnOnce(&Path) -> Result<u64>,
) -> Result<u64> {
    if target.exists() {
        return Err(StoreError::Conflict(format!("{} exists already; choose another name", target.display())));
    }
    check_exists()?;
    let key = signer::load_key(dir)?;
    // The note is read before the copy is made, so it covers no event that the copy lacks.
    let signed = signer::last_signed(dir, &key.verifying_key())?;
    let partial = append(target, ".partial");
    let _ = fs::remove_file(&partial);
    let made = copy(&partial).and_then(|events| {
        sign_copy(&partial, &key, signed.as_ref().map(|(signed, _)| signed))?;
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
        let _ = fs::remove_file(append(&partial, "-journal"));
    }
    made
}

/// Checks that a file is a backup of this version, and verifies it if the key of its log is given.
pub(super) fn check_backup(file: &Path, key: Option<&VerifyingKey>) -> Result<()> {
    if !file.exists() {
        return Err(StoreError::Conflict(format!("{}: there is no such file", file.display())));
    }
    if !is_database(file) {
        return Err(StoreError::Corrupt(format!("{} is not a countersign backup", file.display())));
    }
    schema::check_current(&open_read_only(file)?)?;
    let Some(key) = key else { return Ok(()) };
    let report = verify_database(file, key, &LastCheckpoint::NotKept, &[], &mut |_, _| {})?;
    report.first().map_or(Ok(()), |first| {
        Err(StoreError::Tampered(format!("{} does not verify: {}", file.display(), first.what)))
    })
}

/// Adds a checkpoint over exactly the events in the copy, so that the copy can be verified by itself.
fn sign_copy(partial: &Path, key: &SigningKey, signed: Option<&Checkpoint>) -> Result<()> {
    let copy = Connection::open(partial)?;
    let head = ledger::read_head(&copy)?.ok_or_else(|| StoreError::Corrupt("the tree is missing".into()))?;
    let size = head.frontier.size();
    if let Some(signed) = signed {
        signer::check_against_last_signed(signed, size, |at| ledger::root_of(&copy, at))?;
    }
    let origin = key.verifying_key().name().to_owned();
    let checkpoint = Checkpoint { origin, size, root: head.root };
    let kept: Option<String> =
        copy.query_row("SELECT note FROM checkpoints WHERE size = ?1", [size], |row| row.get(0)).optional()?;
    // A note that the copy already has over the same events is kept, because witnesses may have cosigned it.
    if kept.and_then(|note| key.verifying_key().open(&note).ok()).as_ref() != Some(&checkpoint) {
        let note = key.sign(&checkpoint);
        copy.execute("INSERT OR REPLACE INTO checkpoints (size, note) VALUES (?1, ?2)", params![size, note])?;
    }
    copy.close().map_err(|(_, error)| StoreError::from(error))
}

fn copy(source: &Connection, partial: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<u64> {
    // One read transaction means one snapshot, so a busy writer can't make the copy start over.
    source.execute_batch("BEGIN")?;
    let events = ledger::read_head(source)?.map_or(0, |head| head.frontier.size());
    schema::create_private(partial)?;
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
    // One self-contained file, without a write-ahead log.
    copy.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;")?;
    copy.close().map_err(|(_, error)| StoreError::from(error))?;
    Ok(events)
}

fn declare_new_log(staged: &SqliteFiles, file: &Path, seams: &Seams) -> Result<SigningKey> {
    schema::create_private(&staged.database())?;
    let copy = || -> std::io::Result<()> {
        let mut copy = fs::OpenOptions::new().write(true).open(staged.database())?;
        std::io::copy(&mut fs::File::open(file)?, &mut copy)?;
        copy.sync_all()
    };
    copy().map_err(StoreError::io(format!("{} can't be copied", file.display())))?;
    let key = signer::create_key(staged.dir(), &seams.entropy)?;
    let conn = schema::open_for_writing(&staged.database())?;
    conn.execute("UPDATE ledger_head SET origin = ?1", [key.verifying_key().name()])?;
    // The old checkpoints were signed by the old key. The new log begins with a checkpoint over the events of the backup.
    conn.execute("DELETE FROM checkpoints", [])?;
    let head = ledger::read_head(&conn)?.ok_or_else(|| StoreError::Corrupt("the tree is missing".into()))?;
    ledger::write_head(&conn, &head.frontier, &key)?;
    signer::sign(staged.dir(), &key, head.frontier.size(), head.root)?;
    conn.close().map_err(|(_, error)| StoreError::from(error))?;
    Ok(key)
}

/// Erases in the restored log what was erased since the backup was made, if the old database can be read.
fn repeat_erasures(old: &SqliteFiles, staged: &SqliteFiles, key: &Arc<SigningKey>, seams: &Seams) -> Result<()> {
    if !old.database().exists() {
        return Ok(());
    }
    let conn = schema::open_for_writing(&staged.database())?;
    let seqs = erased_since(&old.database(), &conn).unwrap_or_else(|error| {
        tracing::warn!(%error, "the replaced database can't be read, so events erased since the backup are not erased in the restored log");
        Vec::new()
    });
    let (Some(head), Some((_, last_recorded))) = (ledger::read_head(&conn)?, reads::last_recorded(&conn)?) else {
        return Ok(());
    };
    if seqs.is_empty() {
        return Ok(());
    }
    let job = Job::erase(seams, seqs, "erased after the backup that was restored", "restore")?;
    let outcomes = Committer::new(conn, head.frontier, last_recorded, Arc::clone(key), seams.clone()).commit(&[job]);
    outcomes.into_iter().try_for_each(|outcome| outcome.map(|_| ()))
}

/// Events that are erased in `old` and not in the copy.
fn erased_since(old: &Path, copy: &Connection) -> Result<Vec<u64>> {
    // Opened for writing, so that closing it copies its write-ahead log into the database before it is put aside.
    let old = Connection::open_with_flags(old, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let sql = "SELECT e.seq, l.leaf_hash FROM erasures e JOIN event_log l ON l.seq = e.seq ORDER BY e.seq";
    let mut statement = old.prepare(sql)?;
    let mut rows = statement.query([])?;
    let mut seqs = Vec::new();
    while let Some(row) = rows.next()? {
        let (seq, leaf): (u64, Vec<u8>) = (row.get(0)?, row.get(1)?);
        // Compared by hash, because another log may have another event at this position.
        let sql =
            "SELECT 1 FROM event_log l JOIN event_bodies b ON b.seq = l.seq WHERE l.seq = ?1 AND l.leaf_hash = ?2";
        if copy.prepare_cached(sql)?.exists(params![seq, leaf])? {
            seqs.push(seq);
        }
    }
    Ok(seqs)
}

fn append(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
