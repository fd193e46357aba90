//! The witness's state on disk: its key, the logs it knows, and the last note of each log that it cosigned.
//!
//! A note is on disk before its cosignature is returned. Missing or damaged state is never treated as empty: a witness that forgot
//! what it signed could sign another history.

use std::{
    collections::BTreeMap,
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use countersign_ledger::{
    AddCheckpoint, Checkpoint, Cosignature, LedgerError, Refusal, VerifyingKey, WitnessKey, WitnessSigningKey, sha256,
    with_cosignature,
};
use countersign_store::{Clock, DataDir, DirLock, Seams, StoreError, write_durably};

/// Refused requests are kept if they prove something, but a log that repeats them must not fill the disk.
const EVIDENCE_FILES_MAX: usize = 100;
const LOGS_BYTES_MAX: u64 = 1 << 20;

#[derive(Debug, thiserror::Error)]
pub(crate) enum WitnessMemoryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: String },
    #[error(
        "{} is missing, but the key exists: this witness no longer knows what it cosigned. Restore the folder, or start \
         with an empty --data-dir, which creates a new key", .0.display()
    )]
    Forgotten(PathBuf),
    #[error("{}: {problem}", path.display())]
    Logs { path: PathBuf, problem: String },
}

/// Why a request was refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CosignRefusal {
    #[error("{0}")]
    Malformed(LedgerError),
    #[error("this witness does not know a log with this origin")]
    UnknownLog,
    #[error("the checkpoint is not signed by the key that this witness knows for its origin: {0}")]
    NotSigned(LedgerError),
    #[error("{0}")]
    NotConsistent(Refusal),
    #[error("the witness could not store the checkpoint")]
    NotStored(#[from] StoreError),
}

pub(crate) struct WitnessMemory {
    dir: PathBuf,
    key: WitnessSigningKey,
    logs: BTreeMap<String, WitnessedLog>,
    clock: Arc<dyn Clock>,
    _lock: DirLock,
}

struct WitnessedLog {
    key: VerifyingKey,
    path: PathBuf,
    /// Locked from the check until the new note is on disk, so that two concurrent requests can't both pass the check.
    last: Mutex<Option<CosignedNote>>,
}

/// The last cosigned note of a log.
#[derive(Clone)]
struct CosignedNote {
    checkpoint: Checkpoint,
    note: String,
}

impl WitnessMemory {
    /// Opens a witness's directory, and creates its key at the first start. `added` are the keys of further logs to cosign.
    pub(crate) fn open(
        path: &Path,
        name: Option<&str>,
        added: &[VerifyingKey],
        seams: &Seams,
    ) -> Result<Self, WitnessMemoryError> {
        let dir = DataDir::new(path);
        dir.create()?;
        let lock = dir.lock()?;
        let known = KnownLogs::read(path, added)?;
        let key = load_or_create_key(path, name, seams)?;
        known.write()?;
        let logs = known
            .keys
            .into_iter()
            .map(|log| {
                let path = state_folder(path).join(sha256(log.name().as_bytes()).to_hex());
                let last = Mutex::new(load_last(&path, log.name(), &key.witness_key())?);
                Ok((log.name().to_owned(), WitnessedLog { key: log, path, last }))
            })
            .collect::<Result<_, WitnessMemoryError>>()?;
        Ok(Self { dir: path.to_owned(), key, logs, clock: Arc::clone(&seams.clock), _lock: lock })
    }

    pub(crate) fn key(&self) -> WitnessKey {
        self.key.witness_key()
    }

    pub(crate) fn origins(&self) -> impl Iterator<Item = &str> {
        self.logs.keys().map(String::as_str)
    }

    /// Cosigns a checkpoint if it is consistent with the last one. Blocks until the checkpoint is on disk.
    pub(crate) fn add(&self, request: &AddCheckpoint) -> Result<Cosignature, CosignRefusal> {
        let claimed = Checkpoint::claimed_by(&request.note).map_err(CosignRefusal::Malformed)?;
        let log = self.logs.get(&claimed.origin).ok_or(CosignRefusal::UnknownLog)?;
        let submitted = log.key.open(&request.note).map_err(|error| {
            tracing::error!(
                origin = claimed.origin,
                size = claimed.size,
                "a checkpoint of a known log is not signed by its key"
            );
            CosignRefusal::NotSigned(error)
        })?;
        let mut last = log.last.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last.as_ref().map(|last| &last.checkpoint);
        if let Err(refusal) = request.review(&submitted, known) {
            self.log_refusal(&submitted, known, request, &refusal);
            return Err(CosignRefusal::NotConsistent(refusal));
        }
        let note = log.key.without_other_signatures(&request.note).map_err(CosignRefusal::NotSigned)?;
        let cosignature = self.key.cosign(&note, self.now_s()).map_err(CosignRefusal::Malformed)?;
        let note = with_cosignature(&note, &cosignature).map_err(CosignRefusal::Malformed)?;
        write_durably(&log.path, note.as_bytes(), false)?;
        *last = Some(CosignedNote { checkpoint: submitted, note });
        Ok(cosignature)
    }

    /// The last cosigned note of a log, cosigned again with the current time, so that callers can tell a fresh response from an old
    /// one.
    pub(crate) fn last(&self, origin: &str) -> Option<Result<String, LedgerError>> {
        let last = self.logs.get(origin)?.last.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let cosignature = self.key.cosign(&last.note, self.now_s());
        Some(cosignature.and_then(|cosignature| with_cosignature(&last.note, &cosignature)))
    }

    fn now_s(&self) -> u64 {
        u64::try_from(self.clock.now().millis().div_euclid(1_000)).unwrap_or(0)
    }

    /// Logs a refusal if it matters, and keeps evidence. A client that starts from the wrong size gets the right one and retries,
    /// which is normal. Anyone may submit an older checkpoint. A signed checkpoint that conflicts with what was cosigned is kept as
    /// evidence.
    fn log_refusal(
        &self,
        submitted: &Checkpoint,
        known: Option<&Checkpoint>,
        request: &AddCheckpoint,
        refusal: &Refusal,
    ) {
        let known_size = known.map_or(0, |known| known.size);
        let (origin, size) = (&submitted.origin, submitted.size);
        if size < known_size {
            tracing::warn!(
                origin,
                size,
                known_size,
                "a checkpoint is older than what was cosigned; the log may have been rolled back"
            );
        }
        let kind = match refusal {
            Refusal::Fork { .. } => {
                tracing::error!(origin, size, known_size, "a log has signed two histories");
                "fork"
            }
            // Anyone can resend the cosigned checkpoint with a wrong proof, so this proves nothing.
            Refusal::BadProof if known.is_some_and(|known| known == submitted) => return,
            Refusal::BadProof => {
                let what = "a signed checkpoint came without a proof that it continues what was cosigned";
                tracing::warn!(origin, size, known_size, "{what}");
                "unproven"
            }
            Refusal::OldSizeTooLarge | Refusal::OtherSize { .. } => return,
        };
        let (log, name) = (sha256(origin.as_bytes()).to_hex(), format!("{size}-{}", submitted.root.to_hex()));
        if let Err(error) = self.keep_evidence(kind, &log, &name, request) {
            tracing::warn!(%error, "could not store the evidence");
        }
    }

    /// Forks are stored apart from requests that may only have a wrong proof, so that the latter can't crowd them out. If there are
    /// too many files, the newest replaces the oldest: anyone can send old checkpoints with wrong proofs, and they must not keep out
    /// the one that matters. Each log has its own limit.
    fn keep_evidence(&self, kind: &str, log: &str, name: &str, request: &AddCheckpoint) -> std::io::Result<()> {
        let folder = self.dir.join("evidence").join(kind);
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{log}-{name}"));
        if path.exists() {
            return Ok(());
        }
        let mut kept = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(log) {
                kept.push((entry.metadata()?.modified()?, entry.path()));
            }
        }
        kept.sort();
        for (_, oldest) in kept.iter().take((kept.len() + 1).saturating_sub(EVIDENCE_FILES_MAX)) {
            fs::remove_file(oldest)?;
        }
        write_durably(&path, request.to_body().as_bytes(), false).map_err(std::io::Error::other)
    }
}

fn state_folder(dir: &Path) -> PathBuf {
    dir.join("state")
}

/// Loads the key, or creates it together with the state folder. The folder is created first.
fn load_or_create_key(dir: &Path, name: Option<&str>, seams: &Seams) -> Result<WitnessSigningKey, WitnessMemoryError> {
    let (path, state) = (dir.join("witness.key"), state_folder(dir));
    let bad = |error: LedgerError| WitnessMemoryError::File { path: path.clone(), error: error.to_string() };
    let io = |path: &Path| {
        let path = path.to_owned();
        move |error: std::io::Error| WitnessMemoryError::File { path, error: error.to_string() }
    };
    match fs::read_to_string(&path) {
        Ok(text) => {
            let key = WitnessSigningKey::from_text(text.trim()).map_err(bad)?;
            if !state.is_dir() {
                return Err(WitnessMemoryError::Forgotten(state));
            }
            if name.is_some_and(|name| name != key.witness_key().name()) {
                let error = format!("the key's name is {}, and a key can't be renamed", key.witness_key().name());
                return Err(WitnessMemoryError::File { path, error });
            }
            Ok(key)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            fs::create_dir_all(&state).map_err(io(&state))?;
            let seed: [u8; 32] = seams.entropy.bytes();
            let random_name = format!("countersign-witness/{}", &sha256(&seams.entropy.bytes::<32>()).to_hex()[..16]);
            let key = WitnessSigningKey::from_seed(name.unwrap_or(&random_name), &seed).map_err(bad)?;
            write_durably(&dir.join("witness.pub"), format!("{}\n", key.witness_key().to_vkey()).as_bytes(), false)?;
            write_durably(&path, format!("{}\n", key.to_text()).as_bytes(), true)?;
            Ok(key)
        }
        Err(error) => Err(io(&path)(error)),
    }
}

/// The logs in the file `logs`, one vkey per line, and logs that are being added.
struct KnownLogs {
    keys: Vec<VerifyingKey>,
    path: PathBuf,
    text: String,
    is_changed: bool,
}

impl KnownLogs {
    fn read(dir: &Path, added: &[VerifyingKey]) -> Result<Self, WitnessMemoryError> {
        let path = dir.join("logs");
        let wrong = |problem: String| WitnessMemoryError::Logs { path: path.clone(), problem };
        let mut is_changed = false;
        let mut text = match fs::metadata(&path) {
            Ok(metadata) if metadata.len() > LOGS_BYTES_MAX => return Err(wrong("is larger than 1 MiB".into())),
            Ok(_) => fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                is_changed = true;
                "# Public keys of the logs that this witness cosigns, one on a line: the content of their ledger.pub.\n"
                    .into()
            }
            Err(error) => return Err(wrong(error.to_string())),
        };
        let mut keys: Vec<VerifyingKey> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            let key = VerifyingKey::parse(line.trim()).map_err(|error| wrong(format!("{line}: {error}")))?;
            add_key(&mut keys, &key).map_err(wrong)?;
        }
        for key in added {
            if add_key(&mut keys, key).map_err(wrong)? {
                let line_break = if text.ends_with('\n') || text.is_empty() { "" } else { "\n" };
                text.push_str(&format!("{line_break}{}\n", key.to_vkey()));
                is_changed = true;
            }
        }
        Ok(Self { keys, path, text, is_changed })
    }

    fn write(&self) -> Result<(), WitnessMemoryError> {
        if self.is_changed {
            write_durably(&self.path, self.text.as_bytes(), false)?;
        }
        Ok(())
    }
}

/// Adds a key. Returns whether it is new.
fn add_key(keys: &mut Vec<VerifyingKey>, key: &VerifyingKey) -> Result<bool, String> {
    match keys.iter().find(|other| other.name() == key.name()) {
        Some(other) if other != key => {
            Err(format!("{} has two keys, but a log has exactly one: another key means another log", key.name()))
        }
        Some(_) => Ok(false),
        None => {
            keys.push(key.clone());
            Ok(true)
        }
    }
}

fn load_last(path: &Path, origin: &str, key: &WitnessKey) -> Result<Option<CosignedNote>, WitnessMemoryError> {
    let wrong = |error: String| WitnessMemoryError::File { path: path.to_owned(), error };
    let note = match fs::read_to_string(path) {
        Ok(note) => note,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(wrong(error.to_string())),
    };
    key.cosignature_on(&note).map_err(|error| wrong(format!("is not a note that this witness cosigned: {error}")))?;
    let checkpoint = Checkpoint::claimed_by(&note).map_err(|error| wrong(error.to_string()))?;
    if checkpoint.origin != origin {
        return Err(wrong(format!("is a note of {}, not of {origin}", checkpoint.origin)));
    }
    Ok(Some(CosignedNote { checkpoint, note }))
}
