//! Reads agents' progress for the check in `derive/effects.rs`.

use countersign_domain::effects::Precondition;
use rusqlite::Connection;

use crate::{check::Check, derive::effects::EffectsCheck, error::Result, sqlite::event_tables::ALERTS};

/// Reads all progress. In `snapshot` the log ends at `end`.
pub(super) fn read(snapshot: &Connection, end: u64, check: &mut Check) -> Result<EffectsCheck> {
    let mut effects = EffectsCheck::default();
    let mut statement = snapshot.prepare("SELECT agent, low FROM agent_progress")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let agent: String = row.get(0)?;
        effects.add_mark(&agent, row.get(1)?, end, check);
    }
    let sql = "SELECT d.agent, d.seq, l.event_type FROM agent_done d LEFT JOIN event_log l ON l.seq = d.seq";
    let mut statement = snapshot.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (agent, event_type): (String, Option<String>) = (row.get(0)?, row.get(2)?);
        effects.add_done(&agent, row.get(1)?, event_type.as_deref(), end, check);
    }
    Ok(effects)
}

/// Whether something that an agent looks up is stored.
pub(super) fn exists(conn: &Connection, precondition: &Precondition<'_>) -> Result<bool> {
    match precondition {
        Precondition::Report(id) => {
            let sql = "SELECT 1 FROM report_entries WHERE id = ?1 AND severity IS NOT NULL AND risk_score IS NOT NULL";
            Ok(conn.prepare_cached(sql)?.exists([id.as_str()])?)
        }
        Precondition::Alert(id) => Ok(conn.prepare_cached(ALERTS.find_seq)?.exists([id.as_str()])?),
    }
}
