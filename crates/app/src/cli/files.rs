//! `backup`, `restore`, `export` and `prepare-database`.

use std::path::Path;

use countersign_store::{self as store, Seams};

use super::{
    arguments::{BackupFlags, ExportFlags, PrepareDatabaseFlags, RestoreFlags},
    config, count,
    failure::Failure,
    progress::ProgressLine,
    say,
    verify::read_key,
};

pub(super) fn backup(flags: &BackupFlags) -> Result<(), Failure> {
    let config = config::read(&flags.location, &[])?;
    let location = config::store_location(&config)?;
    let unit = if config.database_url.is_some() { "events" } else { "pages" };
    let mut progress = ProgressLine::new("Copying", unit);
    let events = store::backup(&location, &flags.file, &mut |done, total| progress.show(done, total))?;
    drop(progress);
    say(&format!("Backed up {} events to {} ({})", count(events), flags.file.display(), size_of(&flags.file)))
}

pub(super) fn restore(flags: &RestoreFlags) -> Result<(), Failure> {
    let location = config::store_location(&config::read(&flags.location, &[])?)?;
    let seams =
        Seams::system().map_err(|error| Failure::new(format!("the system has no source of randomness: {error}")))?;
    let key_file = location.dir().public_key();
    let key = match &flags.key {
        _ if flags.unverified => None,
        Some(key) => Some(read_key(key)?),
        None if key_file.exists() => Some(read_key(&key_file.display().to_string())?),
        None => {
            return Err(Failure::new("there is no public key for verifying the backup")
                .help("pass it with --key KEY, or restore without verification with --unverified"));
        }
    };
    let origin = store::restore(&location, &flags.file, key.as_ref(), &seams)?;
    say(&format!(
        "Restored {} into {} as the new log {origin}\nIts public key is in {}",
        flags.file.display(),
        location.dir().path().display(),
        location.dir().public_key().display()
    ))
}

pub(super) fn export(flags: &ExportFlags) -> Result<(), Failure> {
    let location = config::store_location(&config::read(&flags.location, &[])?)?;
    let mut progress = ProgressLine::new("Exporting", "events");
    let events = store::export(&location, &flags.file, &mut |done, total| progress.show(done, total))?;
    drop(progress);
    let (file, key) = (flags.file.display(), location.dir().public_key());
    say(&format!("Exported {} signed events to {file} ({})", count(events), size_of(&flags.file)))?;
    say(&format!("Anyone can check it: countersign verify {file} --key {}", key.display()))
}

pub(super) fn prepare_database(flags: &PrepareDatabaseFlags) -> Result<(), Failure> {
    let config = config::read(&flags.location, &[])?;
    if config.database_url.is_none() {
        return Err(Failure::new("DATABASE_URL is not set")
            .help("set it to the address of the database; a store in the data directory needs no preparation"));
    }
    let location = config::store_location(&config)?;
    store::prepare_database(&location, flags.grant_to.as_deref())?;
    say(&match &flags.grant_to {
        Some(role) => format!("{} is ready for the role {role}", location.database()),
        None => format!("{} is ready", location.database()),
    })
}

fn size_of(file: &Path) -> String {
    let bytes = std::fs::metadata(file).map_or(0, |metadata| metadata.len());
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
