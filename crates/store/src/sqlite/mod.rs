//! The store on SQLite: one writer with group commit, readers beside it, the ledger inside every commit.

mod addenda;
mod alert_lists;
mod answers;
mod backup;
mod cases;
mod checkpointer;
mod core;
mod erasure_record;
mod heads;
mod history;
mod ledger;
mod logs;
mod newest;
mod projection;
mod ranks;
mod readers;
mod reading;
pub(crate) mod reads;
mod reports;
mod reviews;
mod schema;
mod schema_object;
mod search;
mod snapshot;
mod stats;
pub(crate) mod verify;
mod verify_effects;
mod writer;

use std::{
    path::Path,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use countersign_domain::{DeadLetterId, EventId, EventType, InvestigationId, NewEvent, StoredEvent, Time};
use countersign_ledger::{
    Cosignature, Frontier, Hash, SigningKey, VerifyingKey, consistency_proof, inclusion_proof, with_cosignature,
};
use rusqlite::Connection;
use tokio::sync::watch;

use self::{
    checkpointer::Checkpointer,
    core::Core,
    heads::{Followers, Heads},
    ledger::StoredHashes,
    newest::Newest,
    readers::Readers,
    reads::{DeadLetterQuery, EventQuery, SealedEvent},
    search::Search,
    writer::{Lane, Writer},
};
use crate::{
    data_dir::{DataDir, DirLock, write_durably},
    error::{Result, StoreError},
    job::{AccessKey, DeadLetter, Job, Outcome, RegistryEntry, Seal, Step, StepOutcome, Taken},
    seams::Seams,
    signer,
};

pub use backup::{backup, restore};
pub use search::verify::SearchCheck;
pub(crate) use search::verify::verify as verify_search;
pub use snapshot::Snapshot;

/// Rows of one bulk turn: one commit carries at most one, so that prompt work waits milliseconds at most.
pub const BULK_TURN: usize = 256;

/// How commits are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// By a thread, many callers to a commit.
    Threaded,
    /// On the caller's thread, one job to a commit: for tests that hold the clock.
    Inline,
}

/// An open store. Clones share it.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
    /// Reads run on the thread that asks.
    reads_here: bool,
}

struct Inner {
    writer: Writer,
    readers: Readers,
    search: Search,
    mode: Mode,
    head: watch::Receiver<u64>,
    followers: Arc<Followers>,
    newest: Arc<Newest>,
    seams: Seams,
    dir: DataDir,
    key: Arc<SigningKey>,
    signed: Mutex<Signed>,
    /// The size of the newest signed checkpoint.
    signed_head: watch::Sender<u64>,
    /// One signature at a time: an older one must never replace a newer one outside the database.
    signing: tokio::sync::Mutex<()>,
    had_clean_stop: bool,
    is_recovered: AtomicBool,
    _lock: DirLock,
}

#[derive(Default)]
struct Signed {
    note: Option<Arc<str>>,
    size: u64,
    /// Size and minute of the newest row in `checkpoints`: one row a minute is history enough.
    kept: Option<(u64, i64)>,
}

impl Store {
    /// Opens or creates the store and takes its directory. Blocks for as long as a migration takes, no more: nothing
    /// is rebuilt, however long the log.
    pub fn open(dir: &DataDir, mode: Mode, seams: Seams) -> Result<Self> {
        dir.create()?;
        let lock = dir.lock()?;
        let is_new = !dir.database().exists();
        if is_new && dir.checkpoint().exists() {
            return Err(StoreError::Tampered(format!(
                "{} is there, but the database is gone; put it back, or use `countersign restore`",
                dir.checkpoint().display()
            )));
        }
        let conn = schema::open_for_writing(&dir.database())?;
        let newest = reads::last_recorded(&conn)?;
        let key = Arc::new(signer::load_or_create_key(dir, newest.is_some(), &seams.entropy)?);
        let head = match ledger::read_head(&conn)? {
            Some(head) => head,
            None => ledger::create_head(&conn, &key)?,
        };
        check_head(&head, newest.map(|(seq, _)| seq), &key)?;
        let signed = check_signed(dir, &conn, &key, head.frontier.size())?;
        check_seal(&conn, &head, signed.size, &key)?;

        let had_clean_stop = reads::clean_stop(&conn)?;
        conn.execute(
            "INSERT INTO process_state (id, clean_stop) VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET clean_stop = 0",
            [],
        )?;
        let last_recorded =
            newest.map_or(Time::from_micros(0).map_err(|e| StoreError::Corrupt(e.to_string()))?, |n| n.1);
        let size = head.frontier.size();
        let mut core = Core::new(conn, head.frontier, last_recorded, Arc::clone(&key), seams.clone());
        let newest = core.newest();
        let (heads, head_of_all, followers) = Heads::at(size, Arc::clone(&newest));
        let writer = match mode {
            Mode::Threaded => {
                core.leave_wal_to_writer()?;
                Writer::thread(core, heads, Checkpointer::beside(&dir.database())?)?
            }
            Mode::Inline => Writer::inline(core, heads),
        };
        let inner = Inner {
            writer,
            readers: Readers::new(dir.database()),
            search: Search::new(dir.search(), head.origin),
            mode,
            head: head_of_all,
            followers,
            newest,
            seams,
            dir: dir.clone(),
            key,
            signed_head: watch::channel(signed.size).0,
            signed: Mutex::new(signed),
            signing: tokio::sync::Mutex::default(),
            had_clean_stop,
            is_recovered: AtomicBool::new(had_clean_stop),
            _lock: lock,
        };
        Ok(Self { inner: Arc::new(inner), reads_here: mode == Mode::Inline })
    }

    /// The same store, for threads that serve nobody else: they read by themselves. To hand a question to another thread and
    /// its answer back takes as long as most answers.
    pub fn with_inline_reads(&self) -> Self {
        Self { inner: Arc::clone(&self.inner), reads_here: true }
    }

    pub fn seams(&self) -> &Seams {
        &self.inner.seams
    }

    pub fn data_dir(&self) -> &DataDir {
        &self.inner.dir
    }

    /// The number of events that are durable; changes after every commit that adds some.
    pub fn head(&self) -> watch::Receiver<u64> {
        self.inner.head.clone()
    }

    /// The same, as of the last commit that added events of these types: for those whom no others concern.
    pub fn head_of(&self, types: &[EventType]) -> watch::Receiver<u64> {
        self.inner.followers.head_of(types, &self.inner.head)
    }

    /// The number of durable events, as the database has it: at least every commit, of any process, that was answered before
    /// this call.
    pub async fn size(&self) -> Result<u64> {
        // This process holds the directory's lock and so made every commit there is.
        Ok(self.known_size())
    }

    /// The number of durable events that this process has heard of: at least every commit whose call has returned here.
    /// There may be more; [`Store::size`] asks the database.
    pub fn known_size(&self) -> u64 {
        *self.inner.head.borrow()
    }

    /// Whether the writer is there and its last commit went through.
    pub fn is_writable(&self) -> bool {
        self.inner.writer.is_writable()
    }

    /// Jobs that wait for the writer.
    pub fn waiting(&self) -> usize {
        self.inner.writer.waiting()
    }

    /// Whether the last process stopped in order. If not, events may have been in somebody's hands.
    pub fn had_clean_stop(&self) -> bool {
        self.inner.had_clean_stop
    }

    /// What an unclean stop left in agents' hands has been dealt with.
    pub fn set_recovered(&self) {
        self.inner.is_recovered.store(true, Ordering::Release);
    }

    // Writing. Each call returns when its effect is durable.

    /// Takes transactions or alerts from outside, each exactly once by its own id. Many go in turns.
    pub async fn take(&self, events: Vec<NewEvent>) -> Result<Vec<Taken>> {
        let lane = if events.len() > BULK_TURN { Lane::Bulk } else { Lane::Prompt };
        let mut taken = Vec::with_capacity(events.len());
        let mut sealed = events.into_iter().map(|event| (Seal::of(&event, &self.inner.seams), event));
        loop {
            let turn: Vec<_> = sealed.by_ref().take(BULK_TURN).map(|(seal, event)| (event, seal)).collect();
            if turn.is_empty() {
                return Ok(taken);
            }
            match self.inner.writer.submit(Job::Take(turn), lane).await? {
                Outcome::Taken(outcomes) => taken.extend(outcomes),
                other => return Err(unexpected(&other)),
            }
        }
    }

    /// Appends events together. Returns the position of the first.
    pub async fn append(&self, events: Vec<NewEvent>) -> Result<u64> {
        match self.inner.writer.submit(Job::Append(events), Lane::Prompt).await? {
            Outcome::Appended { first_seq } => Ok(first_seq),
            other => Err(unexpected(&other)),
        }
    }

    /// Appends events together if the investigation still stands where the caller saw it: at its newest event `seen_seq`.
    /// `None` if it has moved on, and then nothing was appended. `NotFound` where there is no such investigation.
    pub async fn append_if_case(
        &self,
        investigation: InvestigationId,
        seen_seq: u64,
        events: Vec<NewEvent>,
    ) -> Result<Option<u64>> {
        match self.inner.writer.submit(Job::AppendIfCase { investigation, seen_seq, events }, Lane::Prompt).await? {
            Outcome::Appended { first_seq } => Ok(Some(first_seq)),
            Outcome::Moved => Ok(None),
            other => Err(unexpected(&other)),
        }
    }

    /// Commits an agent's step, unless it was committed before.
    pub async fn step(&self, step: impl Into<Arc<Step>>) -> Result<StepOutcome> {
        match self.inner.writer.submit(Job::Step(step.into()), Lane::Prompt).await? {
            Outcome::Step(outcome) => Ok(outcome),
            other => Err(unexpected(&other)),
        }
    }

    pub async fn mark_low(&self, agent: &'static str, low: u64) -> Result<()> {
        self.submit(Job::MarkLow { agent, low }).await
    }

    /// Counts an attempt durably before it is made. Returns how many there were, this one included.
    pub async fn count_attempt(&self, agent: &'static str, seq: u64) -> Result<u32> {
        match self.inner.writer.submit(Job::CountAttempt { agent, seq }, Lane::Prompt).await? {
            Outcome::Attempts(attempts) => Ok(attempts),
            other => Err(unexpected(&other)),
        }
    }

    pub async fn register(&self, entry: RegistryEntry) -> Result<()> {
        self.submit(Job::Register(entry)).await
    }

    /// Asks for a dead letter to be run again. `Conflict` if it isn't dead.
    pub async fn request_replay(&self, id: DeadLetterId, requested_by: &str) -> Result<()> {
        self.submit(Job::RequestReplay { id, requested_by: requested_by.to_owned() }).await
    }

    /// Takes back what was asked for and not carried out, after an unclean stop: it may be what ended the process.
    pub async fn release_replays(&self, agent: &'static str) -> Result<()> {
        self.submit(Job::ReleaseReplays { agent }).await
    }

    /// Erases bodies and what was derived from them, for good. The tree stays whole: it never held them.
    pub async fn erase(&self, seqs: Vec<u64>, reason: &str, requested_by: &str) -> Result<()> {
        let job = Job::erase(&self.inner.seams, seqs, reason, requested_by)?;
        self.submit(job).await
    }

    async fn submit(&self, job: Job) -> Result<()> {
        self.inner.writer.submit(job, Lane::Prompt).await.map(|_| ())
    }

    // Reading.

    async fn read<T: Send + 'static>(&self, read: impl FnOnce(&Connection) -> Result<T> + Send + 'static) -> Result<T> {
        let _place = self.inner.readers.place().await;
        if self.reads_here {
            return self.inner.readers.with(read);
        }
        let store = self.clone();
        let done = tokio::task::spawn_blocking(move || store.inner.readers.with(read)).await;
        done.unwrap_or_else(|error| Err(StoreError::Database(format!("a read broke off: {error}"))))
    }

    pub async fn events(&self, query: EventQuery) -> Result<Vec<StoredEvent>> {
        if !self.inner.newest.may_have(&query.types, query.from_seq) {
            return Ok(Vec::new());
        }
        self.read(move |conn| reads::events(conn, &query)).await
    }

    pub async fn event(&self, id: EventId) -> Result<StoredEvent> {
        self.read(move |conn| reads::event_by_id(conn, id)?.ok_or(StoreError::NotFound)).await
    }

    /// The agent's mark (every event before it is finished) and the finished events at or above it.
    pub async fn progress(&self, agent: &'static str) -> Result<(u64, Vec<u64>)> {
        self.read(move |conn| reads::progress(conn, agent)).await
    }

    pub async fn registry(&self) -> Result<Vec<RegistryEntry>> {
        self.read(reads::registry).await
    }

    pub async fn dead_letters(&self, query: DeadLetterQuery) -> Result<Vec<DeadLetter>> {
        self.read(move |conn| reads::dead_letters(conn, &query)).await
    }

    pub async fn access_keys(&self) -> Result<Vec<AccessKey>> {
        self.read(reads::access_keys).await
    }

    // The ledger.

    pub fn verifying_key(&self) -> VerifyingKey {
        self.inner.key.verifying_key()
    }

    /// The newest signed checkpoint.
    pub fn checkpoint(&self) -> Option<Arc<str>> {
        self.signed().note.clone()
    }

    pub fn signed_size(&self) -> u64 {
        self.signed().size
    }

    fn signed(&self) -> std::sync::MutexGuard<'_, Signed> {
        self.inner.signed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Signs the tree as it stands, if it has grown. First the memory outside the database, then the row inside.
    pub async fn sign_checkpoint(&self) -> Result<bool> {
        let _signing = self.inner.signing.lock().await;
        let (last_size, kept) = {
            let signed = self.signed();
            (signed.note.as_ref().map(|_| signed.size), signed.kept)
        };
        let size = self.size().await?;
        if last_size == Some(size) {
            return Ok(false);
        }
        let store = self.clone();
        let sign = move |conn: &Connection| {
            signer::sign(&store.inner.dir, &store.inner.key, size, ledger::root_of(conn, size)?)
        };
        let note = self.read(sign).await?;
        let minute = self.inner.seams.now().micros().div_euclid(60_000_000);
        let replaces = kept.filter(|(_, kept_minute)| *kept_minute == minute).map(|(size, _)| size);
        self.submit(Job::Checkpoint { size, note: note.clone(), replaces }).await?;
        *self.signed() = Signed { note: Some(note.into()), size, kept: Some((size, minute)) };
        self.inner.signed_head.send_replace(size);
        Ok(true)
    }

    /// The size of the newest signed checkpoint; changes whenever one is signed.
    pub fn signed_head(&self) -> watch::Receiver<u64> {
        self.inner.signed_head.subscribe()
    }

    /// Adds a witness's cosignature to the newest checkpoint, if that is still the one that was cosigned, and to its row.
    /// The caller has checked it.
    pub async fn add_cosignature(&self, size: u64, cosignature: &Cosignature) -> Result<()> {
        let _signing = self.inner.signing.lock().await;
        let newest = Some(self.signed()).filter(|signed| signed.size == size).and_then(|signed| signed.note.clone());
        if let Some(note) = newest {
            let note = with_cosignature(&note, cosignature)?;
            let (store, text) = (self.clone(), note.clone());
            self.read(move |_| write_durably(&store.inner.dir.checkpoint(), text.as_bytes(), false)).await?;
            self.signed().note = Some(note.into());
        }
        self.submit(Job::Cosign { size, cosignature: cosignature.clone() }).await
    }

    pub async fn inclusion(&self, index: u64, size: u64) -> Result<Vec<Hash>> {
        self.read(move |conn| inclusion_proof(&StoredHashes(conn), index, size).map_err(ledger::from_proof)).await
    }

    pub async fn consistency(&self, from: u64, to: u64) -> Result<Vec<Hash>> {
        self.read(move |conn| consistency_proof(&StoredHashes(conn), from, to).map_err(ledger::from_proof)).await
    }

    pub async fn root_at(&self, size: u64) -> Result<Hash> {
        self.read(move |conn| ledger::root_of(conn, size)).await
    }

    /// The stored header of an event: the leaf's bytes.
    pub async fn leaf(&self, index: u64) -> Result<String> {
        self.read(move |conn| reads::header_at(conn, index)?.ok_or(StoreError::NotFound)).await
    }

    /// The leaves from an index on, the oldest first.
    pub async fn leaves(&self, from: u64, limit: usize) -> Result<Vec<String>> {
        self.read(move |conn| reads::headers_from(conn, from, limit)).await
    }

    /// A leaf with the body that it commits to.
    pub async fn sealed(&self, index: u64) -> Result<SealedEvent> {
        self.read(move |conn| reads::sealed_at(conn, index)?.ok_or(StoreError::NotFound)).await
    }

    /// Signs what is unsigned, notes that the stop was in order, finishes what is waiting and closes.
    pub async fn close(&self) -> Result<()> {
        let signed = self.sign_checkpoint().await;
        // What an unclean stop left in somebody's hands stays marked until it has been dealt with.
        if self.inner.is_recovered.load(Ordering::Acquire) {
            self.submit(Job::CleanStop(true)).await?;
        }
        let store = self.clone();
        match self.inner.mode {
            Mode::Inline => store.inner.close(),
            Mode::Threaded => drop(tokio::task::spawn_blocking(move || store.inner.close()).await),
        }
        signed.map(|_| ())
    }
}

impl Inner {
    fn close(&self) {
        // Readers first: the last connection folds the write-ahead log in, and a reader may not.
        self.readers.close();
        self.search.close();
        self.writer.close();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

fn unexpected(outcome: &Outcome) -> StoreError {
    StoreError::Database(format!("the writer gave an unexpected answer: {outcome:?}"))
}

/// The head must be the tree of exactly the events that are there, and of this key's log.
fn check_head(head: &ledger::Head, newest_seq: Option<u64>, key: &SigningKey) -> Result<()> {
    let events = newest_seq.map_or(0, |seq| seq + 1);
    if head.frontier.size() != events {
        return Err(StoreError::Tampered(format!(
            "the tree has {} leaves, the log {events} events",
            head.frontier.size()
        )));
    }
    if head.frontier.root() != head.root {
        return Err(StoreError::Tampered("the stored root does not belong to the stored tree".into()));
    }
    if head.origin != key.verifying_key().name() {
        return Err(StoreError::Tampered(format!(
            "the database is the log {}, the key signs for {}",
            head.origin,
            key.verifying_key().name()
        )));
    }
    Ok(())
}

/// What is behind the last checkpoint must have been written by a holder of the key too. A store from before there were seals
/// gets one if everything in it is signed.
fn check_seal(conn: &Connection, head: &ledger::Head, signed_size: u64, key: &SigningKey) -> Result<()> {
    let size = head.frontier.size();
    if head.seal.is_none() && signed_size == size {
        return ledger::write_head(conn, &head.frontier, key);
    }
    if head.is_sealed_by(&key.verifying_key()) {
        return Ok(());
    }
    Err(StoreError::Tampered(format!(
        "the stored tree of {size} events is not sealed by the log's key; events after the first {signed_size} may have been \
         added by somebody else"
    )))
}

fn check_signed(dir: &DataDir, conn: &Connection, key: &SigningKey, size: u64) -> Result<Signed> {
    let in_database: Option<u64> = conn.query_row("SELECT max(size) FROM checkpoints", [], |row| row.get(0))?;
    let Some(signed) = signer::last_signed(dir, &key.verifying_key())? else {
        // An empty log is signed before its first event, so a log without a signature is nobody's.
        if in_database.is_none() && size == 0 {
            let note = signer::sign(dir, key, 0, Frontier::new().root())?;
            return Ok(Signed { note: Some(note.into()), size: 0, kept: None });
        }
        return Err(StoreError::Tampered(format!(
            "{} is missing, but the log is not empty; put it back, or restore a backup as a new log",
            dir.checkpoint().display()
        )));
    };
    signer::check_against_last_signed(&signed, size, |at| ledger::root_of(conn, at))?;
    let note =
        std::fs::read_to_string(dir.checkpoint()).map_err(StoreError::io("the last checkpoint can't be read"))?;
    Ok(Signed { note: Some(note.into()), size: signed.size, kept: None })
}

/// Whether `path` looks like a SQLite database.
pub(crate) fn is_database(path: &Path) -> bool {
    use std::io::Read;
    let mut magic = [0; 16];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && &magic == b"SQLite format 3\0"
}
