//! The data directory: the paths in it, and the lock that reserves it for one process.

use std::{
    fs::{self, File, OpenOptions},
    io::{ErrorKind, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use crate::error::{Result, StoreError};

#[derive(Debug, Clone)]
pub struct DataDir(PathBuf);

impl DataDir {
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The private key that signs checkpoints.
    pub fn key(&self) -> PathBuf {
        self.0.join("ledger.key")
    }

    /// The public half, for verifying.
    pub fn public_key(&self) -> PathBuf {
        self.0.join("ledger.pub")
    }

    /// The last signed checkpoint, kept outside the database so that a database that was rolled back is noticed.
    pub fn checkpoint(&self) -> PathBuf {
        self.0.join("ledger.checkpoint")
    }

    /// The address of a running server, for commands that run at the same time.
    pub fn server(&self) -> PathBuf {
        self.0.join("server.json")
    }

    /// The random name by which a server with this directory holds the lease of a database on another machine.
    pub(crate) fn server_id(&self) -> PathBuf {
        self.0.join("server.id")
    }

    fn lock_file(&self) -> PathBuf {
        self.0.join("lock")
    }

    pub fn create(&self) -> Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.0).map_err(StoreError::io(format!("{} can't be created", self.0.display())))
    }

    /// Locks the directory for this process. The lock ends with the process, however that ends.
    pub fn lock(&self) -> Result<DirLock> {
        let path = self.lock_file();
        let describe = || format!("{} can't be opened", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(StoreError::io(describe()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.take(32).read_to_string(&mut holder);
                let holder = if holder.trim().is_empty() { "unknown".into() } else { holder.trim().to_owned() };
                return Err(StoreError::InUse { dir: self.0.clone(), holder });
            }
            Err(fs::TryLockError::Error(error)) => return Err(StoreError::io(describe())(error)),
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| writeln!(file, "{}", std::process::id()));
        written.map_err(StoreError::io(describe()))?;
        Ok(DirLock { _file: file })
    }
}

/// The lock on a data directory, released when this is dropped.
#[derive(Debug)]
pub struct DirLock {
    _file: File,
}

/// Creates or replaces a file durably and atomically. If `private`, only its owner can read it.
pub fn write_durably(path: &Path, content: &[u8], private: bool) -> Result<()> {
    let describe = || format!("{} can't be written", path.display());
    let partial = PathBuf::from(format!("{}.partial", path.display()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, if private { 0o600 } else { 0o644 });
    let write = || {
        // A partial file that a crash left may have the wrong permissions.
        fs::remove_file(&partial).or_else(|e| if e.kind() == ErrorKind::NotFound { Ok(()) } else { Err(e) })?;
        let mut file = options.open(&partial)?;
        file.write_all(content)?;
        file.sync_all()?;
        fs::rename(&partial, path)?;
        path.parent().map_or(Ok(()), |dir| File::open(dir)?.sync_all())
    };
    write().map_err(StoreError::io(describe()))
}
