//! The files of a data directory that a restore replaces. The new ones are prepared in the folder `restoring`, and the old ones
//! are put aside in a folder `before-restore-…`.

use std::{
    fs,
    io::{self, ErrorKind},
    path::Path,
};

use countersign_domain::Time;

use crate::{
    data_dir::DataDir,
    error::{Result, StoreError},
};

/// The replacement of a store's key and checkpoint, and of its database if that is in the data directory too.
pub(crate) struct Replacement {
    dir: DataDir,
    staged: DataDir,
    aside: DataDir,
    /// The names of the database's files.
    database: &'static [&'static str],
}

impl Replacement {
    /// Empties the folder for the new files. The folder for the old ones is named after the time.
    pub(crate) fn begin(dir: &DataDir, now: Time, database: &'static [&'static str]) -> Result<Self> {
        let stamp = now.to_string().replace([':', '.'], "-");
        let staged = DataDir::new(dir.path().join("restoring"));
        match fs::remove_dir_all(staged.path()) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StoreError::io(format!("{} can't be deleted", staged.path().display()))(error));
            }
            _ => staged.create()?,
        }
        let aside = DataDir::new(dir.path().join(format!("before-restore-{stamp}")));
        Ok(Self { dir: dir.clone(), staged, aside, database })
    }

    /// The folder for the new files.
    pub(crate) fn staged(&self) -> &DataDir {
        &self.staged
    }

    /// Creates the folder for the old files, if there are any. Fails if the folder exists, because then it has the files that an
    /// earlier restore put aside.
    pub(crate) fn make_room(&self) -> io::Result<()> {
        let key_files = [self.dir.key(), self.dir.public_key(), self.dir.checkpoint()];
        let database_files = self.database.iter().map(|name| self.dir.path().join(name));
        if key_files.into_iter().chain(database_files).any(|path| path.exists()) {
            fs::create_dir(self.aside.path())?;
        }
        Ok(())
    }

    /// Moves the old files aside and the new ones in. The old checkpoint is moved last: as long as it is there, a store that an
    /// interruption left half replaced is refused when it is opened.
    pub(crate) fn swap_in(&self) -> io::Result<()> {
        let (dir, staged, aside) = (&self.dir, &self.staged, &self.aside);
        for name in self.database {
            rename_if_there(&dir.path().join(name), &aside.path().join(name))?;
        }
        rename_if_there(&dir.key(), &aside.key())?;
        rename_if_there(&dir.public_key(), &aside.public_key())?;
        for name in self.database {
            rename_if_there(&staged.path().join(name), &dir.path().join(name))?;
        }
        fs::rename(staged.public_key(), dir.public_key())?;
        fs::rename(staged.key(), dir.key())?;
        rename_if_there(&dir.checkpoint(), &aside.checkpoint())?;
        fs::rename(staged.checkpoint(), dir.checkpoint())?;
        fs::remove_dir_all(staged.path())?;
        fs::File::open(dir.path())?.sync_all()
    }
}

fn rename_if_there(from: &Path, to: &Path) -> io::Result<()> {
    if from.exists() { fs::rename(from, to) } else { Ok(()) }
}
