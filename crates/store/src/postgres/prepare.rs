//! Prepares a database with the role that owns the schema, so that the program itself can do with fewer rights: it may not change
//! the schema, switch triggers off, or truncate a table.

use super::{
    PostgresDatabase, schema,
    session::Session,
    values::{Columns, values},
};
use crate::error::{Result, StoreError};

/// The program's rights, with the tables that each applies to. It may also read all tables.
const RIGHTS: [(&str, &[&str]); 3] = [
    (
        "INSERT",
        &[
            "event_log",
            "event_ids",
            "event_bodies",
            "erasures",
            "ledger_head",
            "ledger_nodes",
            "checkpoints",
            "transaction_ids",
            "user_transactions",
            "alerts",
            "alert_ranks",
            "investigations",
            "log_entries",
            "log_ids",
            "open_answers",
            "report_entries",
            "report_bodies",
            "validation_entries",
            "review_entries",
            "case_states",
            "report_states",
            "dead_letters",
            "access_keys",
            "agent_progress",
            "agent_done",
            "agent_attempts",
            "agent_registry",
            "process_state",
            "leases",
            "log_words",
            "log_counts",
            "search_progress",
        ],
    ),
    (
        "UPDATE",
        &[
            "ledger_head",
            "checkpoints",
            "alerts",
            "investigations",
            "log_entries",
            "open_answers",
            "report_entries",
            "case_states",
            "report_states",
            "dead_letters",
            "access_keys",
            "agent_progress",
            "agent_attempts",
            "agent_registry",
            "process_state",
            "leases",
            "log_words",
            "log_counts",
            "search_progress",
        ],
    ),
    (
        "DELETE",
        &[
            "event_bodies",
            "checkpoints",
            "user_transactions",
            "open_answers",
            "report_bodies",
            "report_states",
            "agent_done",
            "agent_attempts",
            "log_words",
            "log_counts",
        ],
    ),
];

impl PostgresDatabase {
    pub(crate) fn place(&self) -> String {
        self.address.to_string()
    }

    /// Creates the schema or brings it up to date. If a role is named, it gets exactly the rights that the program needs.
    pub(crate) fn prepare(&self, grant_to: Option<&str>) -> Result<()> {
        let (threads, sessions) = self.connect(1)?;
        let role = grant_to.map(ToOwned::to_owned);
        threads.block_on(async move {
            let session = sessions.get().await?;
            schema::check_server(&session).await?;
            schema::migrate(&session).await?;
            match role {
                Some(role) => grant(&session, &role).await,
                None => Ok(()),
            }
        })
    }
}

async fn grant(session: &Session, role: &str) -> Result<()> {
    if !session.exists("SELECT 1 FROM pg_roles WHERE rolname = $1", values![role]).await? {
        return Err(StoreError::Conflict(format!(
            "there is no role {role}; create it first, with CREATE ROLE … LOGIN"
        )));
    }
    // Quoted by the server, so that a name can't be anything else than a name.
    let quoted = session.row("SELECT format('%I', $1::text)", values![role]).await?.text(0)?.to_owned();
    let mut statements = vec![
        "BEGIN".to_owned(),
        format!("REVOKE ALL ON SCHEMA countersign FROM {quoted}"),
        format!("GRANT USAGE ON SCHEMA countersign TO {quoted}"),
        format!("REVOKE ALL ON ALL TABLES IN SCHEMA countersign FROM {quoted}"),
        format!("GRANT SELECT ON ALL TABLES IN SCHEMA countersign TO {quoted}"),
        format!("GRANT EXECUTE ON FUNCTION countersign.add_partitions(bigint) TO {quoted}"),
    ];
    for (right, tables) in RIGHTS {
        let tables: Vec<_> = tables.iter().map(|table| format!("countersign.{table}")).collect();
        statements.push(format!("GRANT {right} ON {} TO {quoted}", tables.join(", ")));
    }
    statements.push("COMMIT".to_owned());
    let granted = session.run(&statements.join(";\n")).await;
    if granted.is_err() {
        // The first error says more.
        let _ = session.run("ROLLBACK").await;
    }
    granted
}
