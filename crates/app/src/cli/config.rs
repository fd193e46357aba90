//! `countersign config`: shows and checks the configuration.

use std::io::Write;

use countersign_config::{Config, Inputs, load, render_table};
use countersign_store::{DataDir, StoreLocation};

use super::{
    arguments::{ConfigCommand, ConfigFlags, LocationFlags},
    failure::Failure,
    say,
};

pub(super) fn run(flags: &ConfigFlags) -> Result<(), Failure> {
    if let Some(ConfigCommand::Check(check)) = &flags.command {
        read(&check.location.or_fallback(&flags.location), &[])?;
        return say("ok: the configuration is valid");
    }
    let config = read(&flags.location, &[])?;
    if flags.json {
        let json = serde_json::to_string_pretty(&config.effective()).map_err(|e| Failure::new(e.to_string()))?;
        return say(&json);
    }
    say(render_table(&config.effective()).trim_end())
}

/// Reads the configuration from flags, environment and file. `more` holds the flags that only some commands have.
pub(super) fn read(location: &LocationFlags, more: &[(&'static str, String)]) -> Result<Config, Failure> {
    read_with(location, more, &[])
}

/// The location of the store, as configured: a Postgres database, or a file in the data directory.
pub(super) fn store_location(config: &Config) -> Result<StoreLocation, Failure> {
    let dir = DataDir::new(&config.data_dir);
    match &config.database_url {
        None => Ok(StoreLocation::in_dir(dir)),
        Some(address) => Ok(StoreLocation::on_postgres(dir, address.expose())?),
    }
}

/// An environment variable, for commands that read no configuration.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Reads the configuration for a command with defaults of its own.
pub(super) fn read_with(
    location: &LocationFlags,
    more: &[(&'static str, String)],
    defaults: &[(&'static str, &'static str)],
) -> Result<Config, Failure> {
    let mut flags = more.to_vec();
    flags.extend(location.data_dir.as_ref().map(|dir| ("data_dir", dir.display().to_string())));
    let names: Vec<String> = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    let inputs =
        Inputs { flags: &flags, env: &variable, variable_names: &names, file: location.config.as_deref(), defaults };
    let loaded = load(&inputs)?;
    for warning in &loaded.warnings {
        let _ = writeln!(std::io::stderr().lock(), "warning: {warning}");
    }
    Ok(loaded.config)
}
