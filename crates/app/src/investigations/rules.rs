//! The detection rules in force: the built-in rules, or a file that is reloaded when it changes.
//!
//! If the file is invalid, the rules in force stay. Rules are recorded before they come into force, so that the hash in every alert
//! identifies rules that the log contains.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, SystemTime},
};

use countersign_agents::DetectorAgent;
use countersign_domain::{NewEvent, Time, payload::RulesLoaded};
use countersign_signals::{Detector, DetectorSettings, Rules, RulesError};
use countersign_store::{Store, StoreError};
use tokio_util::sync::CancellationToken;

const CHECK_EVERY: Duration = Duration::from_secs(1);
const FILE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub(crate) enum LoadError {
    #[error("{path} can't be read: {error}")]
    Unreadable { path: String, error: io::Error },
    #[error("{path} is larger than {FILE_BYTES_MAX} bytes")]
    TooLarge { path: String },
    #[error("{path}: {error}")]
    Refused { path: String, error: RulesError },
}

/// The source of the rules, and when they came into force.
#[derive(Clone)]
pub(crate) struct RuleBook {
    pub(crate) file: Option<PathBuf>,
    loaded_at: Arc<Mutex<Option<Time>>>,
}

/// Modification time and size, by which a changed file is recognised.
#[derive(PartialEq, Eq)]
struct FileStamp(Option<(SystemTime, u64)>);

impl RuleBook {
    pub(crate) fn new(file: Option<PathBuf>) -> Self {
        Self { file, loaded_at: Arc::default() }
    }

    /// The rules to start with. An invalid file prevents the start, so that the server never runs on rules that nobody chose.
    pub(crate) fn load(&self) -> Result<Rules, LoadError> {
        self.file.as_deref().map_or_else(|| Ok(Rules::built_in()), read)
    }

    pub(crate) fn loaded_at(&self) -> Option<Time> {
        *self.loaded_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records which rules are in force from now on.
    pub(crate) async fn record(&self, store: &Store, rules: &Rules) -> Result<(), StoreError> {
        let seams = store.seams();
        let loaded_at = seams.now();
        let loaded = RulesLoaded { rules_hash: rules.hash().to_owned(), rules: rules.names(), loaded_at };
        let event = NewEvent::new(seams.event_id(), loaded, loaded_at, "rules", seams.correlation_id())?;
        store.append(vec![event]).await?;
        *self.loaded_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(loaded_at);
        Ok(())
    }

    /// Watches the file until told to stop.
    pub(crate) async fn watch(self, store: Store, detector: Arc<DetectorAgent>, stop: CancellationToken) {
        let Some(path) = self.file.clone() else { return };
        let mut seen = stamp(&path);
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(CHECK_EVERY) => {}
            }
            let now = stamp(&path);
            if now == seen {
                continue;
            }
            seen = now;
            match read(&path) {
                Ok(rules) if rules.hash() == detector.detector().rules().hash() => {}
                Ok(rules) => match self.record(&store, &rules).await {
                    Ok(()) => {
                        tracing::info!(rules = rules.len(), hash = rules.hash(), "new detection rules are in force");
                        detector.replace(Detector::new(DetectorSettings::default(), rules));
                    }
                    Err(error) => {
                        // Try again at the next check, as if the file had just changed.
                        seen = FileStamp(None);
                        tracing::error!(%error, "could not record new detection rules; the old rules stay in force");
                    }
                },
                Err(error) => tracing::error!(%error, "the detection rules are invalid; the old rules stay in force"),
            }
        }
    }
}

fn stamp(path: &Path) -> FileStamp {
    FileStamp(fs::metadata(path).ok().and_then(|file| Some((file.modified().ok()?, file.len()))))
}

/// Reads and checks a file of rules.
pub(crate) fn read(path: &Path) -> Result<Rules, LoadError> {
    let name = || path.display().to_string();
    let unreadable = |error| LoadError::Unreadable { path: name(), error };
    if fs::metadata(path).map_err(unreadable)?.len() > FILE_BYTES_MAX {
        return Err(LoadError::TooLarge { path: name() });
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    Rules::parse(&text).map_err(|error| LoadError::Refused { path: name(), error })
}
