//! The search index, in a file of its own: the words of logs, and counts per minute, hour and day.
//!
//! It is derived and not part of the ledger: if anything is wrong with the file, it is rebuilt from the database. It is opened
//! when it is first needed, so that it costs nothing at start. Where it is missing or behind, searches read the log instead:
//! they find the same, but take longer.
//!
//! | file        | job                                             |
//! |-------------|-------------------------------------------------|
//! | `fill.rs`   | fills the index from the log                    |
//! | `text.rs`   | finds logs by their words                       |
//! | `verify.rs` | checks the index against the log                |

mod fill;
pub(crate) mod text;
mod verify;

pub(crate) use fill::end_of_log;

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError, TryLockError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rusqlite::{Connection, ErrorCode, InterruptHandle, OpenFlags, OptionalExtension};

use super::{schema, schema_object::SchemaObject};
use crate::error::{Result, StoreError};

/// Raising it causes every existing index to be rebuilt.
const VERSION: i32 = 1;
/// Marks the file as ours.
const APPLICATION_ID: i32 = 0x4373_6c78;
/// The maximum number of idle read connections.
const IDLE_MAX: usize = 4;
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The table of words. It keeps neither their places nor the texts, so its size is a quarter of the texts'. It is also created in
/// memory, for logs that aren't in the file yet.
const WORDS: &str = "CREATE VIRTUAL TABLE log_words USING fts5(query, response, tags, content='', contentless_delete=1,
                     detail='none', tokenize='unicode61 remove_diacritics 2')";

/// `progress` has one row: the log that is indexed, and up to where. `counts` has one row per bucket: the first and last position
/// of its logs, and the number of logs with each score.
const TABLES: &str = "
CREATE TABLE progress (
  id          INTEGER PRIMARY KEY CHECK (id = 1),
  origin      TEXT NOT NULL,
  next_seq    INTEGER NOT NULL,
  must_forget INTEGER NOT NULL
) STRICT;
CREATE TABLE counts (
  micros INTEGER NOT NULL, start INTEGER NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
  s0 INTEGER NOT NULL, s1 INTEGER NOT NULL, s2 INTEGER NOT NULL, s3 INTEGER NOT NULL, s4 INTEGER NOT NULL,
  s5 INTEGER NOT NULL, s6 INTEGER NOT NULL, s7 INTEGER NOT NULL, s8 INTEGER NOT NULL, s9 INTEGER NOT NULL,
  s10 INTEGER NOT NULL,
  PRIMARY KEY (micros, start)
) STRICT, WITHOUT ROWID;";

/// Says in which file a read failed, because readers can do without the index, but not without the store.
#[derive(Debug)]
pub(crate) enum IndexFailure {
    Index(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for IndexFailure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error)
    }
}

impl From<StoreError> for IndexFailure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// A snapshot of the index, and the position up to which it has indexed the log.
#[derive(Clone, Copy)]
pub(crate) struct IndexSnapshot<'a> {
    pub(crate) conn: &'a Connection,
    pub(crate) next_seq: u64,
}

pub(crate) struct SearchIndex {
    path: PathBuf,
    /// The log that the index must belong to. A restored backup is another log.
    origin: String,
    filler: Mutex<Option<Connection>>,
    /// Interrupts the filler, so that closing doesn't wait for its batch.
    interrupt: Mutex<Option<InterruptHandle>>,
    readers: Mutex<IdleReaders>,
    is_broken: AtomicBool,
}

#[derive(Default)]
struct IdleReaders {
    conns: Vec<Connection>,
    /// Counts the files that there have been, so that connections to an earlier file are not reused.
    file: u64,
}

impl SearchIndex {
    pub(crate) fn new(path: PathBuf, origin: String) -> Self {
        Self {
            path,
            origin,
            filler: Mutex::default(),
            interrupt: Mutex::default(),
            readers: Mutex::default(),
            is_broken: AtomicBool::new(false),
        }
    }

    /// Reads with the index, or without it if it is missing or fails.
    pub(crate) fn read<T>(&self, read: impl Fn(Option<IndexSnapshot<'_>>) -> Result<T, IndexFailure>) -> Result<T> {
        match self.read_indexed(&read) {
            Ok(Some(value)) => return Ok(value),
            Ok(None) => {}
            Err(IndexFailure::Store(error)) => return Err(error),
            Err(IndexFailure::Index(error)) => {
                tracing::warn!(%error, "the search index can't be read; this search runs without it");
                if is_damage(&error) {
                    self.is_broken.store(true, Ordering::Release);
                }
            }
        }
        read(None).map_err(|failed| match failed {
            IndexFailure::Index(error) => error.into(),
            IndexFailure::Store(error) => error,
        })
    }

    fn read_indexed<T>(
        &self,
        read: impl Fn(Option<IndexSnapshot<'_>>) -> Result<T, IndexFailure>,
    ) -> Result<Option<T>, IndexFailure> {
        if self.is_broken.load(Ordering::Acquire) {
            return Ok(None);
        }
        let (idle, file) = {
            let mut readers = lock(&self.readers);
            (readers.conns.pop(), readers.file)
        };
        let Some(conn) = idle.map_or_else(|| self.open_reader(), |conn| Ok(Some(conn)))? else { return Ok(None) };
        let snapshot = conn.unchecked_transaction()?;
        let next_seq = snapshot.prepare_cached("SELECT next_seq FROM progress")?.query_row([], |row| row.get(0))?;
        let value = read(Some(IndexSnapshot { conn: &snapshot, next_seq }));
        drop(snapshot);
        let mut readers = lock(&self.readers);
        if value.is_ok() && readers.file == file && readers.conns.len() < IDLE_MAX {
            readers.conns.push(conn);
        }
        value.map(Some)
    }

    fn open_reader(&self) -> rusqlite::Result<Option<Connection>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let conn = Connection::open_with_flags(&self.path, flags)?;
        conn.busy_timeout(BUSY_TIMEOUT)?;
        conn.execute_batch("PRAGMA query_only = ON; PRAGMA cache_size = -4096")?;
        Ok(self.is_ours(&conn)?.then_some(conn))
    }

    /// Indexes one batch of the log in `main`. Returns whether there is more to do.
    pub(crate) fn fill(&self, main: &Connection) -> Result<bool> {
        let mut filler = lock(&self.filler);
        if self.is_broken.load(Ordering::Acquire) {
            self.discard(&mut filler, "it is damaged")?;
        }
        let filled = match filler.as_ref() {
            Some(conn) => fill::step(conn, main),
            None => self.open_filler(main).and_then(|conn| {
                *lock(&self.interrupt) = Some(conn.get_interrupt_handle());
                fill::step(filler.insert(conn), main)
            }),
        };
        match filled {
            Ok(more) => Ok(more),
            Err(IndexFailure::Store(error)) => Err(error),
            Err(IndexFailure::Index(error)) if is_damage(&error) || is_other_schema(&error) => {
                self.discard(&mut filler, &error.to_string())?;
                Ok(true)
            }
            // The store is being closed. The batch is repeated after the next start.
            Err(IndexFailure::Index(error)) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => {
                Ok(false)
            }
            Err(IndexFailure::Index(error)) => Err(error.into()),
        }
    }

    fn open_filler(&self, main: &Connection) -> Result<Connection, IndexFailure> {
        if self.path.exists() {
            let conn = open_writable(&self.path)?;
            if self.is_ours(&conn)? && is_within(&conn, main)? {
                return Ok(conn);
            }
            drop(conn);
            self.discard(&mut None, "it is of another version, or of another log")?;
        }
        schema::create_private(&self.path)?;
        let conn = open_writable(&self.path)?;
        self.create(&conn)?;
        Ok(conn)
    }

    fn create(&self, conn: &Connection) -> rusqlite::Result<()> {
        let transaction = conn.unchecked_transaction()?;
        transaction.execute_batch(TABLES)?;
        transaction.execute_batch(WORDS)?;
        transaction
            .execute("INSERT INTO progress (id, origin, next_seq, must_forget) VALUES (1, ?1, 0, 0)", [&self.origin])?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
        transaction.commit()
    }

    fn is_ours(&self, conn: &Connection) -> rusqlite::Result<bool> {
        let number = |name| conn.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
        if number("application_id")? != APPLICATION_ID || number("user_version")? != VERSION {
            return Ok(false);
        }
        let origin: Option<String> = conn.query_row("SELECT origin FROM progress", [], |row| row.get(0)).optional()?;
        Ok(origin.as_ref() == Some(&self.origin) && has_our_schema(conn))
    }

    /// Removes the file. The next step creates a new one.
    fn discard(&self, filler: &mut Option<Connection>, why: &str) -> Result<()> {
        tracing::warn!(why, "rebuilding the search index");
        *filler = None;
        let mut readers = lock(&self.readers);
        readers.conns.clear();
        readers.file += 1;
        for suffix in ["", "-wal", "-shm"] {
            let mut path = self.path.clone().into_os_string();
            path.push(suffix);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(StoreError::io(format!("{} can't be removed", self.path.display()))(error));
                }
                _ => {}
            }
        }
        self.is_broken.store(false, Ordering::Release);
        Ok(())
    }

    pub(crate) fn close(&self) {
        lock(&self.readers).conns.clear();
        loop {
            match self.filler.try_lock() {
                Ok(mut filler) => return drop(filler.take()),
                Err(TryLockError::Poisoned(filler)) => return drop(filler.into_inner().take()),
                Err(TryLockError::WouldBlock) => {
                    // Repeated, because an interrupt between two statements has no effect.
                    lock(&self.interrupt).iter().for_each(InterruptHandle::interrupt);
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
        }
    }
}

/// Whether the index has exactly the schema that this version creates. Otherwise it is rebuilt.
fn has_our_schema(conn: &Connection) -> bool {
    static EXPECTED: OnceLock<Option<Vec<SchemaObject>>> = OnceLock::new();
    let expected = EXPECTED.get_or_init(|| verify::schema().ok());
    // If the schemas can't be compared, errors while reading will show a difference.
    expected.as_ref().is_none_or(|expected| SchemaObject::all(conn).is_ok_and(|found| found == *expected))
}

/// Commits are not fully synchronous, because losing the newest ones does no harm: the position they reached is lost with them.
fn open_writable(path: &Path) -> rusqlite::Result<Connection> {
    let conn = Connection::open(path)?;
    conn.busy_timeout(BUSY_TIMEOUT)?;
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;
         PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 67108864;",
    )?;
    Ok(conn)
}

/// Whether the index covers no more events than the log has. Otherwise it belongs to another log.
fn is_within(conn: &Connection, main: &Connection) -> Result<bool, IndexFailure> {
    let next_seq: u64 = conn.query_row("SELECT next_seq FROM progress", [], |row| row.get(0))?;
    Ok(next_seq <= end_of_log(main)?)
}

fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

/// Whether a statement failed because the tables are not those of this version. It had no input from outside that could have
/// failed.
fn is_other_schema(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(ErrorCode::Unknown) || matches!(error, rusqlite::Error::QueryReturnedNoRows)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::derive::words::words;

    const TOKENIZER: &str = "tokenize='unicode61 remove_diacritics 2'";

    /// The words that FTS5 finds in each text.
    fn fts5_words(texts: &[String]) -> Vec<Vec<String>> {
        assert!(WORDS.contains(TOKENIZER), "{WORDS}");
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch(&format!(
            "CREATE VIRTUAL TABLE texts USING fts5(text, {TOKENIZER});
             CREATE VIRTUAL TABLE words USING fts5vocab(texts, instance);
             BEGIN"
        ))
        .unwrap();
        let mut insert = conn.prepare("INSERT INTO texts (rowid, text) VALUES (?1, ?2)").unwrap();
        for (n, text) in texts.iter().enumerate() {
            insert.execute((n, text)).unwrap();
        }
        let mut found = vec![Vec::new(); texts.len()];
        let mut select = conn.prepare("SELECT doc, term FROM words ORDER BY doc, offset").unwrap();
        let mut rows = select.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            found[row.get::<_, usize>(0).unwrap()].push(row.get(1).unwrap());
        }
        found
    }

    fn check(texts: &[String]) {
        for (text, expected) in texts.iter().zip(fts5_words(texts)) {
            assert_eq!(words(text).collect::<Vec<_>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn both_backends_split_texts_into_the_same_words() {
        let texts = [
            "",
            "Plain ASCII, with (punctuation) & snake_case; don't stop—10.1.2.3 or 1,000.50!",
            "Café CAFÉ cafe\u{301} naïve na\u{308}ive Ångström A\u{30a}ngstro\u{308}m \u{212b} \u{212a}",
            "Tiếng Việt: Nguyễn, Trần Đức Lương, ưỡn ỨỰ o\u{31b}\u{301} e\u{302}\u{323}",
            "İstanbul ISPARTA ılık i\u{307} ğüşöç",
            "Straße STRASSE ẞ Ä Öl über ÜBER",
            "Ελληνικά ΣΊΣΥΦΟΣ ά\u{345} ᾳ ϐ µ Ω",
            "Ёлка ЙОД й и\u{306} Съешь ещё ԑ",
            "中文字符 かな ガ カ\u{3099} 한국어 \u{1112}\u{1161}\u{11ab} ｆｕｌｌ ＷＩＤＴＨ １２３",
            "العَرَبِيَّة ١٢٣ עִבְרִית فارسی\u{200c}ها",
            "क्षत्रिय ตัวอักษร ព្រះ ქართული ԱՐՄԵՆ",
            "😀 👩\u{200d}👩\u{200d}👧 ❤\u{fe0f} 🇵🇹 🫠 a😀b",
            "x² y³ ½ ₂ Ⅷ ⅷ ① Ⓐ ⓐ ٣",
            "zero\u{200b}width no\u{a0}break soft\u{ad}hyphen bom\u{feff}bom \u{2060}",
            "\u{e000}5 a\u{e001}b \u{f8ff} \u{f0000} \u{10ffff}",
            "\u{301}a \u{301} a\u{301}\u{301}b a\u{489}b a\u{20dd}b",
            "nul\0nul \u{1}\u{7f}\u{80}\u{fffd}",
            "𐐀𐐨 𝐀𝐁 𝟙 𠀀𠀁 \u{ffff}x\u{fffe}",
        ];
        check(&texts.map(str::to_owned));
    }

    #[test]
    fn both_backends_treat_every_character_alike() {
        let codes = (0..0x3_0000)
            .chain(0xe_0000..0xe_1000)
            .chain(0xe_fff0..0xf_0010)
            .chain(0xf_fff0..0x10_0010)
            .chain(0x10_fff0..0x11_0000);
        let characters: Vec<char> = codes.filter_map(char::from_u32).collect();
        for some in characters.chunks(10_000) {
            check(&some.iter().map(|character| format!("x{character}y {character}z")).collect::<Vec<_>>());
        }
    }
}
