//! The lease by which one process at a time is the server of a database.
//!
//! The holder renews it every second. If it doesn't, because it died, stalls or is cut off, another process may take the lease, with
//! the next token. Every commit of a server checks that the token is still its own, in the same transaction, so a former holder
//! that wakes up late can change nothing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

use super::{
    ledger,
    session::{Session, Sessions},
    values::{Columns, values},
};
use crate::{
    data_dir::{DataDir, write_durably},
    error::{Result, StoreError},
    seams::Entropy,
};

const RENEWED_EVERY: Duration = Duration::from_secs(1);
/// How long a process waits for the lease of one that may have died.
const WAIT_MAX: Duration = Duration::from_secs(8);
const ASKED_EVERY: Duration = Duration::from_millis(500);

/// A holder that hasn't renewed its lease for 5 seconds has lost it. The process that held it last, by its data directory, gets it
/// back at once: the directory's lock shows that the earlier one has ended.
const TAKE_SQL: &str = "INSERT INTO countersign.leases AS l (name, holder, token, renewed_at)
     VALUES ('server', $1, 1, now())
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, token = l.token + 1, renewed_at = excluded.renewed_at
     WHERE l.holder = excluded.holder OR l.renewed_at < now() - interval '5 seconds'
     RETURNING token";
const RENEW_SQL: &str = "UPDATE countersign.leases SET renewed_at = now() WHERE name = 'server' AND token = $1";
/// The row stays, so that tokens never start over.
const RELEASE_SQL: &str = "UPDATE countersign.leases SET renewed_at = '-infinity' WHERE name = 'server' AND token = $1";

/// The token of the lease that this process holds; 0 if it needs none, and [`RELEASED`] once it has been released. Shared with the
/// writer.
pub(super) type Token = Arc<AtomicI64>;
/// No lease has this token, so a commit that comes late is refused.
const RELEASED: i64 = -1;

/// The former holder may have noted that it stopped in order after this process was opened.
const UNCLEAN_SQL: &str = "UPDATE countersign.process_state SET clean_stop = 0";

/// Takes the lease, waiting a little for a former holder's to end.
pub(super) async fn take(sessions: &Sessions, holder: &str, token: &Token) -> Result<()> {
    let until = Instant::now() + WAIT_MAX;
    loop {
        let session = sessions.get().await?;
        let taken = try_take(&session, holder).await;
        if !matches!(taken, Ok(Some(_))) {
            session.roll_back().await;
        }
        if let Some(taken) = taken? {
            token.store(taken, Ordering::Release);
            return Ok(());
        }
        if Instant::now() >= until {
            return Err(StoreError::ServedElsewhere);
        }
        tokio::time::sleep(ASKED_EVERY).await;
    }
}

async fn try_take(session: &Session, holder: &str) -> Result<Option<i64>> {
    // Under the lock, so that the former holder's last commit is made before this and not after.
    ledger::begin_with_lock(session).await?;
    let Some(row) = session.row_if_any(TAKE_SQL, values![holder]).await? else { return Ok(None) };
    session.execute(UNCLEAN_SQL, &[]).await?;
    session.run("COMMIT").await?;
    row.column(0).map(Some)
}

/// Renews the lease until it is released or another process has taken it, which `lost` then says.
pub(super) async fn keep(sessions: Sessions, token: Token, lost: watch::Sender<bool>) {
    let mut ticks = tokio::time::interval(RENEWED_EVERY);
    loop {
        ticks.tick().await;
        let held = token.load(Ordering::Acquire);
        if held <= 0 || lost.is_closed() {
            return;
        }
        let renewed = async { sessions.get().await?.execute(RENEW_SQL, values![held]).await };
        match renewed.await {
            Ok(0) if token.load(Ordering::Acquire) == held => {
                tracing::error!("another process has become the server of this database");
                lost.send_replace(true);
                return;
            }
            Ok(_) => {}
            // Commits go on as long as nobody else takes the lease.
            Err(error) => tracing::warn!(%error, "the server's lease could not be renewed"),
        }
    }
}

/// Lets the next process take the lease at once.
pub(super) async fn release(sessions: &Sessions, token: &Token) -> Result<()> {
    let held = token.swap(RELEASED, Ordering::AcqRel);
    if held > 0 {
        sessions.get().await?.execute(RELEASE_SQL, values![held]).await?;
    }
    Ok(())
}

/// The name by which processes with this data directory hold the lease: a random one that is kept in the directory, and the place where
/// the directory is, so that a copy of it somewhere else has another name.
pub(crate) fn holder(dir: &DataDir, entropy: &Entropy) -> Result<String> {
    let path = dir.server_id();
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let id = match known.trim() {
        "" => {
            let bytes: [u8; 16] = entropy.bytes();
            let id = data_encoding::HEXLOWER.encode(&bytes);
            write_durably(&path, format!("{id}\n").as_bytes(), true)?;
            id
        }
        known => known.to_owned(),
    };
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let place = std::fs::canonicalize(dir.path()).unwrap_or_else(|_| dir.path().to_owned());
    Ok(format!("{id} {}:{}", host.trim(), place.display()))
}
