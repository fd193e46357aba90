//! Raises the limit on open files to what the configured connections need. Many systems start programs with a limit of 1,024 files.

use countersign_config::Config;

/// Open files that are not connections: the database, the log, and calls to providers.
const OTHER_FILES: u64 = 512;

#[cfg(unix)]
pub(super) fn raise_limit(config: &Config) {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let connections = config.limits.connections_max.saturating_add(config.live.clients_max);
    let wanted = u64::try_from(connections).unwrap_or(u64::MAX).saturating_add(OTHER_FILES);
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let allowed = maximum.map_or(wanted, |maximum| maximum.min(wanted));
    if current.is_none_or(|current| current >= allowed) {
        return;
    }
    let raised = setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), maximum });
    if raised.is_err() || allowed < wanted {
        let limit = if raised.is_err() { current.unwrap_or(0) } else { allowed };
        tracing::warn!(limit, wanted, "the limit on open files is too low for the configured number of connections");
    }
}

#[cfg(not(unix))]
pub(super) fn raise_limit(_: &Config) {}
