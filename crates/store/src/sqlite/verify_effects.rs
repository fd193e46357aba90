//! Checking agents' progress against the log: whatever counts as finished has left its effect, and whatever has left an
//! effect counts as finished. The rule of what is owed stands in the domain (`effects.rs`).
//!
//! Progress is read once, in the snapshot of the tree's head, in which both agree: what is finished later is the next
//! verification's. Erased events owe nothing. What an agent does outside the log can't be checked, and nothing is known of
//! agents that this version doesn't have: nobody reads their rows.

use std::collections::{BTreeSet, HashMap};

use countersign_domain::{
    EventId, EventType,
    effects::{AGENTS, HISTORY_AGENT, Needed, agent_named, owed},
};
use rusqlite::Connection;

use super::projection::ALERTS;
use crate::{
    check::{Check, Checked},
    error::Result,
};

/// One agent's progress: everything before `low` is finished, and so is what stands in `done`.
#[derive(Default)]
struct Finished {
    low: u64,
    done: BTreeSet<u64>,
}

impl Finished {
    fn has(&self, seq: u64) -> bool {
        seq < self.low || self.done.contains(&seq)
    }
}

/// The running check. In memory there is one entry for each event whose effect is still to come.
#[derive(Default)]
pub(crate) struct Effects {
    finished: [Finished; AGENTS.len()],
    owed: HashMap<(EventId, usize), (u64, &'static [EventType])>,
    /// An event is missing or can't be read: it may be the effect of another one.
    has_gaps: bool,
}

impl Effects {
    /// Reads all progress. `snapshot` is the one in which the log ends at `end`.
    pub(crate) fn read(snapshot: &Connection, end: u64, check: &mut Check) -> Result<Self> {
        let mut effects = Self::default();
        effects.read_marks(snapshot, end, check)?;
        effects.read_done(snapshot, end, check)?;
        Ok(effects)
    }

    fn read_marks(&mut self, snapshot: &Connection, end: u64, check: &mut Check) -> Result<()> {
        let mut statement = snapshot.prepare("SELECT agent, low FROM agent_progress")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (name, low): (String, i64) = (row.get(0)?, row.get(1)?);
            let Some(finished) = agent_named(&name).and_then(|agent| self.finished.get_mut(agent)) else { continue };
            let low = u64::try_from(low).ok().filter(|low| *low <= end);
            if low.is_none() {
                check.find(None, None, format!("the mark of the agent {name} stands outside the log"));
            }
            finished.low = low.unwrap_or(end);
        }
        Ok(())
    }

    fn read_done(&mut self, snapshot: &Connection, end: u64, check: &mut Check) -> Result<()> {
        let sql = "SELECT d.agent, d.seq, l.event_type FROM agent_done d LEFT JOIN event_log l ON l.seq = d.seq";
        let mut statement = snapshot.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (name, seq): (String, i64) = (row.get(0)?, row.get(1)?);
            let event_type: Option<String> = row.get(2)?;
            let Some(agent) = agent_named(&name) else { continue };
            let event_type = event_type.as_deref().and_then(EventType::parse);
            let concerns = |event_type| AGENTS.get(agent).is_some_and(|duties| duties.concerns.contains(&event_type));
            let seq = u64::try_from(seq).ok().filter(|seq| *seq < end);
            let Some(finished) = self.finished.get_mut(agent) else { continue };
            match seq {
                // The history's agent moves its mark in batches and has no rows here.
                Some(seq) if seq >= finished.low && event_type.is_some_and(concerns) && name != HISTORY_AGENT => {
                    finished.done.insert(seq);
                }
                _ => check.find(
                    seq,
                    None,
                    format!("the table agent_done has a row of the agent {name} that it did not make"),
                ),
            }
        }
        Ok(())
    }

    /// How far the agent has come that puts transactions into their customers' histories.
    pub(crate) fn history_end(&self) -> u64 {
        agent_named(HISTORY_AGENT).and_then(|agent| self.finished.get(agent)).map_or(0, |finished| finished.low)
    }

    /// Says that an event is missing or can't be read. That has been found already.
    pub(crate) fn skip(&mut self) {
        self.has_gaps = true;
    }

    /// Follows an event of the log, in order.
    pub(crate) fn follow(&mut self, conn: &Connection, seq: u64, checked: &Checked, check: &mut Check) -> Result<()> {
        self.settle(checked, check);
        let Some(event_type) = checked.event_type else { return Ok(()) };
        for (agent, duties) in AGENTS.iter().enumerate().filter(|(_, duties)| duties.concerns.contains(&event_type)) {
            if !self.finished.get(agent).is_some_and(|finished| finished.has(seq)) {
                continue;
            }
            let owed = checked.event.as_ref().and_then(|event| owed(duties, event));
            if let Some(owed) = owed
                && owed.needs.map_or(Ok(true), |needed| is_there(conn, &needed))?
            {
                self.owed.insert((checked.id, agent), (seq, owed.one_of));
            }
        }
        Ok(())
    }

    /// An event that an agent made is an effect of its cause, which the agent must have finished.
    fn settle(&mut self, checked: &Checked, check: &mut Check) {
        let (Some(agent), Some(cause)) = (checked.agent, checked.cause) else { return };
        let is_letter = checked.event_type == Some(EventType::EventDeadLettered);
        let is_owed = |one_of: &[EventType]| checked.event_type.is_some_and(|event_type| one_of.contains(&event_type));
        let key = (cause.id, agent);
        if self.owed.get(&key).is_some_and(|(_, one_of)| is_letter || is_owed(one_of)) {
            self.owed.remove(&key);
        }
        let (Some(duties), Some(finished)) = (AGENTS.get(agent), self.finished.get(agent)) else { return };
        if cause.seq.is_some_and(|seq| !finished.has(seq)) {
            let what = format!("was handled by the agent {}, whose progress says that it was not", duties.agent);
            check.find(cause.seq, Some(cause.id), what);
        }
    }

    /// At the end of the log: what is owed still will not come.
    pub(crate) fn compare(&mut self, check: &mut Check) {
        if self.has_gaps {
            return;
        }
        let mut owed: Vec<_> = std::mem::take(&mut self.owed).into_iter().collect();
        owed.sort_unstable_by_key(|((_, agent), (seq, _))| (*seq, *agent));
        for ((id, agent), (seq, one_of)) in owed {
            let names: Vec<_> = one_of.iter().map(|event_type| event_type.as_str()).collect();
            let agent = AGENTS.get(agent).map_or("", |duties| duties.agent);
            let what = format!(
                "counts as finished by the agent {agent}, but neither {} nor a dead letter followed from it",
                names.join(" nor ")
            );
            check.find(Some(seq), Some(id), what);
        }
    }
}

fn is_there(conn: &Connection, needed: &Needed<'_>) -> Result<bool> {
    match needed {
        Needed::Report(id) => {
            let sql = "SELECT 1 FROM report_entries WHERE id = ?1 AND severity IS NOT NULL AND risk_score IS NOT NULL";
            Ok(conn.prepare_cached(sql)?.exists([id.as_str()])?)
        }
        Needed::Alert(id) => Ok(conn.prepare_cached(ALERTS.find_seq)?.exists([id.as_str()])?),
    }
}
