//! `countersign config`: what is in force, and whether it is sound.

use std::io::Write;

use countersign_config::{Config, Inputs, load, render_table};

use super::{
    arguments::{Config as Flags, ConfigCommand, Where},
    failure::Failure,
    say,
};

pub(super) fn run(flags: &Flags) -> Result<(), Failure> {
    if let Some(ConfigCommand::Check(check)) = &flags.command {
        read(&check.place.or(&flags.place), &[])?;
        return say("ok: the configuration is sound");
    }
    let config = read(&flags.place, &[])?;
    if flags.json {
        let json = serde_json::to_string_pretty(&config.effective()).map_err(|e| Failure::new(e.to_string()))?;
        return say(&json);
    }
    say(render_table(&config.effective()).trim_end())
}

/// Reads the configuration from flags, environment and file. The only place that looks at the environment.
pub(super) fn read(place: &Where, more: &[(&'static str, String)]) -> Result<Config, Failure> {
    read_with(place, more, &[])
}

/// The same where a command has defaults of its own.
pub(super) fn read_with(
    place: &Where,
    more: &[(&'static str, String)],
    defaults: &[(&'static str, &'static str)],
) -> Result<Config, Failure> {
    let mut flags = more.to_vec();
    flags.extend(place.data_dir.as_ref().map(|dir| ("data_dir", dir.display().to_string())));
    let names: Vec<String> = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    let inputs = Inputs {
        flags: &flags,
        env: &|name| std::env::var(name).ok(),
        variable_names: &names,
        file: place.config.as_deref(),
        defaults,
    };
    let loaded = load(&inputs)?;
    for warning in &loaded.warnings {
        let _ = writeln!(std::io::stderr().lock(), "warning: {warning}");
    }
    Ok(loaded.config)
}
