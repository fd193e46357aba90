//! Replaces a store with a backup, as a new log.
//!
//! One transaction puts the old schema aside, creates the schema anew, copies the backup into it and erases what the old log has
//! erased since. So there is always either the whole old store or the whole new one in the database. The key and the checkpoint in
//! the data directory are replaced right after the commit. If that is interrupted, the store is refused when it is opened, because
//! its key is not the log's, and restoring it again helps.

use std::sync::Arc;

use countersign_ledger::SigningKey;
use tokio_postgres::error::SqlState;

use super::{
    PostgresDatabase,
    commit::{Committer, add_partitions},
    copying::NewTables,
    ledger, schema,
    session::{Session, Sessions, Threads},
    values::{Columns, values},
};
use crate::{
    data_dir::DataDir,
    error::{Result, StoreError},
    heads::Heads,
    job::Job,
    ledger_head::LedgerHead,
    newest::NewestByType,
    restoring::Replacement,
    seams::Seams,
    signer,
    store::Threading,
    tables::{TableSource, copy_tables},
};

const BEGIN_SQL: &str = "BEGIN ISOLATION LEVEL READ COMMITTED;
     SET LOCAL lock_timeout = '30s';
     SET LOCAL statement_timeout = 0;
     SET LOCAL idle_in_transaction_session_timeout = 0;
     SET LOCAL synchronous_commit = on;
     SET LOCAL countersign.without_time_out = 'on'";

/// Tables whose triggers would refuse rows of later states, or would look up every row again.
const CHECKED_ON_INSERT: [&str; 4] = ["erasures", "report_entries", "case_states", "report_states"];

/// Fills the tables that only this backend has.
const FILL_SQL: &str = "INSERT INTO countersign.event_ids (event_id, seq)
       SELECT (header::json ->> 'event_id')::uuid, seq FROM countersign.event_log ORDER BY seq;
     INSERT INTO countersign.log_ids (id, seq) SELECT id, seq FROM countersign.log_entries ORDER BY seq";

impl PostgresDatabase {
    /// Replaces the store with a backup that has been checked. Returns the new log's origin.
    pub(crate) fn restore(&self, dir: &DataDir, backup: &mut dyn TableSource, seams: &Seams) -> Result<String> {
        dir.create()?;
        let _lock = dir.lock()?;
        let now = seams.now();
        let replacement = Replacement::begin(dir, now, &[])?;
        let key = Arc::new(signer::create_key(replacement.staged(), &seams.entropy)?);
        let schema_aside: String =
            now.to_string().to_ascii_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let restore = Restore {
            threads: Threads::start(Threading::Threaded)?,
            sessions: Sessions::new(&self.address, 1)?,
            schema_aside: format!("countersign_before_restore_{schema_aside}"),
            replacement,
            key,
            seams: seams.clone(),
        };
        restore.run(backup)
    }
}

/// A restore, with the key of the new log.
struct Restore {
    threads: Threads,
    sessions: Sessions,
    /// The name that the old schema gets.
    schema_aside: String,
    replacement: Replacement,
    key: Arc<SigningKey>,
    seams: Seams,
}

impl Restore {
    fn run(&self, backup: &mut dyn TableSource) -> Result<String> {
        let sessions = self.sessions.clone();
        let session = self.threads.block_on(async move { sessions.get().await })?;
        let replaced = self.replace(&session, backup);
        if replaced.is_err() {
            // Waits until the old store is there again. Without an answer, the connection's end has the same effect.
            let _ = self.threads.block_on(async move { session.run("ROLLBACK").await });
        }
        replaced?;
        self.replacement.swap_in().map_err(StoreError::io(
            "the database was restored, but the new key and checkpoint can't be moved to the data directory; restore it again",
        ))?;
        Ok(self.key.verifying_key().name().to_owned())
    }

    /// Replaces the schema, in one transaction.
    fn replace(&self, session: &Session, backup: &mut dyn TableSource) -> Result<()> {
        let (events, aside) = (backup.events()?, self.schema_aside.clone());
        let in_session = session.clone();
        let has_old_store = self.threads.block_on(async move { create_schema(&in_session, &aside, events).await })?;
        let mut tables = NewTables { threads: &self.threads, session: session.clone() };
        copy_tables(backup, &mut tables, &mut |_, _| {})?;
        let (in_session, key) = (session.clone(), Arc::clone(&self.key));
        let head = self.threads.block_on(async move { declare_new_log(&in_session, &key).await })?;
        signer::sign(self.replacement.staged(), &self.key, head.frontier.size(), head.root)?;
        let erased = if has_old_store { self.erased_since(session)? } else { Vec::new() };
        let can_not = "the files of the data directory can't be put aside";
        self.replacement.make_room().map_err(StoreError::io(can_not))?;
        self.commit(session, erased, events)
    }

    /// Events that are erased in the old log and not in the backup, if the old store can be read.
    fn erased_since(&self, session: &Session) -> Result<Vec<u64>> {
        let (session, aside) = (session.clone(), self.schema_aside.clone());
        self.threads.block_on(async move {
            session.run("SAVEPOINT before_erasures").await?;
            match erased_since(&session, &aside).await {
                Ok(seqs) => Ok(seqs),
                Err(error) => {
                    tracing::warn!(%error, "the replaced store can't be read, so events erased since the backup are not erased in the restored log");
                    session.run("ROLLBACK TO SAVEPOINT before_erasures").await?;
                    Ok(Vec::new())
                }
            }
        })
    }

    /// Commits the transaction, together with the erasure of these events.
    fn commit(&self, session: &Session, erased: Vec<u64>, events: u64) -> Result<()> {
        let session = session.clone();
        if erased.is_empty() {
            return self.threads.block_on(async move { session.run("COMMIT").await });
        }
        let job = Job::erase(&self.seams, erased, "erased after the backup that was restored", "restore")?;
        let newest = Arc::new(NewestByType::at_open(events));
        let (heads, _, _) = Heads::new(events, Arc::clone(&newest));
        let hints = (newest, Arc::new(heads));
        let (sessions, key, seams) = (self.sessions.clone(), Arc::clone(&self.key), self.seams.clone());
        self.threads.block_on(async move {
            let partitions_end = add_partitions(&session, events + 1).await?;
            Committer::new(sessions, key, seams, hints, partitions_end).commit_in(&session, &job).await
        })
    }
}

/// Begins the transaction, puts the old schema aside, and creates the schema with room for so many events. Returns whether there
/// was an old schema.
async fn create_schema(session: &Session, aside: &str, events: u64) -> Result<bool> {
    schema::check_server(session).await?;
    session.run(BEGIN_SQL).await?;
    let has_tables = "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relnamespace = to_regnamespace('countersign')),
                        to_regclass('countersign.ledger_head') IS NOT NULL";
    let found = session.row(has_tables, &[]).await?;
    let (has_old_store, has_head): (bool, bool) = (found.column(0)?, found.column(1)?);
    if has_head {
        // Processes with other data directories finish their commits. Their next ones find the new log, which is not theirs.
        run(session, "LOCK TABLE countersign.ledger_head IN ACCESS EXCLUSIVE MODE").await?;
    }
    if has_old_store {
        run(session, &format!("ALTER SCHEMA countersign RENAME TO {aside}")).await?;
    }
    schema::migrate_in(session).await?;
    add_partitions(session, events + 1).await?;
    for table in CHECKED_ON_INSERT {
        session.run(&format!("ALTER TABLE countersign.{table} DISABLE TRIGGER USER")).await?;
    }
    // The backup has this row too.
    session.run("DELETE FROM countersign.process_state").await?;
    Ok(has_old_store)
}

/// Runs a statement that fails if the role may not replace the schema, or if another process doesn't let it.
async fn run(session: &Session, sql: &str) -> Result<()> {
    session.try_run(sql).await.map_err(|error| match error.code() {
        Some(code) if *code == SqlState::INSUFFICIENT_PRIVILEGE => StoreError::Address(
            "its role may not replace the schema countersign; restore with the role that owns it, and then run \
             `countersign prepare-database` (see docs/postgres.md)"
                .into(),
        ),
        Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => {
            StoreError::Conflict("another process is using the database; stop it first".into())
        }
        _ => error.into(),
    })
}

/// Makes the copied tables a log of this key. Returns its head, which is that of the backup except for its origin and seal.
async fn declare_new_log(session: &Session, key: &SigningKey) -> Result<LedgerHead> {
    session.run(FILL_SQL).await?;
    for table in CHECKED_ON_INSERT {
        session.run(&format!("ALTER TABLE countersign.{table} ENABLE TRIGGER USER")).await?;
    }
    // The old checkpoints were signed by the old key. The new log begins with a checkpoint over the events of the backup.
    session.run("DELETE FROM countersign.checkpoints").await?;
    let head = ledger::read_head(session).await?.ok_or_else(|| StoreError::Corrupt("the tree is missing".into()))?;
    let (size, root) = (head.frontier.size(), head.frontier.root());
    let (root_bytes, seal) = (root.as_bytes().to_vec(), key.seal(size, &root).to_vec());
    let sql = "UPDATE countersign.ledger_head SET origin = $1, root = $2, seal = $3 WHERE id = 1";
    session.execute(sql, values![key.verifying_key().name(), root_bytes, seal]).await?;
    schema::check_current(session).await?;
    Ok(head)
}

/// Events that are erased in the schema that was put aside, and not in the new one.
async fn erased_since(session: &Session, aside: &str) -> Result<Vec<u64>> {
    // Compared by hash, because another log may have another event at this position.
    let sql = format!(
        "SELECT e.seq FROM {aside}.erasures e
         JOIN {aside}.event_log o ON o.seq = e.seq
         JOIN countersign.event_log n ON n.seq = e.seq AND n.leaf_hash = o.leaf_hash
         JOIN countersign.event_bodies b ON b.seq = e.seq
         ORDER BY e.seq"
    );
    session.rows(&sql, &[]).await?.iter().map(|row| row.number(0)).collect()
}
