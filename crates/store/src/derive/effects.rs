//! Checks agents' progress against the log: an event that counts as finished must have left its effect, and an event that has
//! left an effect must count as finished. The domain defines the effects of each agent (`domain/effects.rs`).
//!
//! Progress is read once, in the same snapshot as the tree's head, where progress and log agree. Whatever is finished later is
//! left to the next verification. No effects are expected of erased events. Effects outside the log can't be checked, and rows
//! of agents that this version doesn't have are ignored, because nothing reads them.

use std::collections::{BTreeSet, HashMap};

use countersign_domain::{
    EventId, EventType,
    effects::{AGENTS, HISTORY_AGENT, Precondition, agent_named, expected_effect},
};

use crate::{
    check::{Check, CheckedEvent},
    error::Result,
};

/// One agent's progress: everything before `low` is finished, and so is everything in `done`.
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

/// A check in progress. It keeps one entry for each event whose effect hasn't been found yet.
#[derive(Default)]
pub(crate) struct EffectsCheck {
    finished: [Finished; AGENTS.len()],
    expected: HashMap<(EventId, usize), (u64, &'static [EventType])>,
    /// Whether an event is missing or can't be read. It may be the effect of another one.
    has_gaps: bool,
}

impl EffectsCheck {
    /// Adds a stored mark. `end` is the size of the log.
    pub(crate) fn add_mark(&mut self, agent: &str, low: i64, end: u64, check: &mut Check) {
        let Some(finished) = agent_named(agent).and_then(|agent| self.finished.get_mut(agent)) else { return };
        let low = u64::try_from(low).ok().filter(|low| *low <= end);
        if low.is_none() {
            check.find(None, None, format!("the low-water mark of the agent {agent} lies outside the log"));
        }
        finished.low = low.unwrap_or(end);
    }

    /// Adds an event that is stored as finished above its agent's mark. All marks have been added before.
    pub(crate) fn add_done(&mut self, name: &str, seq: i64, event_type: Option<&str>, end: u64, check: &mut Check) {
        let Some(agent) = agent_named(name) else { return };
        let event_type = event_type.and_then(EventType::parse);
        let is_subscribed =
            |event_type| AGENTS.get(agent).is_some_and(|effects| effects.subscribes_to.contains(&event_type));
        let seq = u64::try_from(seq).ok().filter(|seq| *seq < end);
        let Some(finished) = self.finished.get_mut(agent) else { return };
        match seq {
            // The agent that indexes histories moves its mark in batches and has no such rows.
            Some(seq) if seq >= finished.low && event_type.is_some_and(is_subscribed) && name != HISTORY_AGENT => {
                finished.done.insert(seq);
            }
            _ => {
                let what = format!("the table agent_done has a row that the agent {name} can't have written");
                check.find(seq, None, what);
            }
        }
    }

    /// The mark of the agent that indexes users' histories.
    pub(crate) fn history_end(&self) -> u64 {
        agent_named(HISTORY_AGENT).and_then(|agent| self.finished.get(agent)).map_or(0, |finished| finished.low)
    }

    /// Notes that an event is missing or can't be read, which another check has found.
    pub(crate) fn add_gap(&mut self) {
        self.has_gaps = true;
    }

    /// Adds the next event of the log. `exists` says whether something that an agent looks up is stored.
    pub(crate) fn add_event(
        &mut self,
        seq: u64,
        checked: &CheckedEvent,
        exists: impl Fn(&Precondition<'_>) -> Result<bool>,
        check: &mut Check,
    ) -> Result<()> {
        self.settle(checked, check);
        let Some(event_type) = checked.event_type else { return Ok(()) };
        let subscribed = AGENTS.iter().enumerate().filter(|(_, effects)| effects.subscribes_to.contains(&event_type));
        for (agent, effects) in subscribed {
            if !self.finished.get(agent).is_some_and(|finished| finished.has(seq)) {
                continue;
            }
            let effect = checked.event.as_ref().and_then(|event| expected_effect(effects, event));
            if let Some(effect) = effect
                && effect.precondition.map_or(Ok(true), |precondition| exists(&precondition))?
            {
                self.expected.insert((checked.id, agent), (seq, effect.one_of));
            }
        }
        Ok(())
    }

    /// An event that an agent made is an effect of its cause, which the agent must have finished.
    fn settle(&mut self, checked: &CheckedEvent, check: &mut Check) {
        let (Some(agent), Some(cause)) = (checked.agent, checked.cause) else { return };
        let is_letter = checked.event_type == Some(EventType::EventDeadLettered);
        let is_one = |one_of: &[EventType]| checked.event_type.is_some_and(|event_type| one_of.contains(&event_type));
        let key = (cause.id, agent);
        if self.expected.get(&key).is_some_and(|(_, one_of)| is_letter || is_one(one_of)) {
            self.expected.remove(&key);
        }
        let (Some(effects), Some(finished)) = (AGENTS.get(agent), self.finished.get(agent)) else { return };
        if cause.seq.is_some_and(|seq| !finished.has(seq)) {
            let what =
                format!("has an effect by the agent {}, whose progress says that it was not handled", effects.agent);
            check.find(cause.seq, Some(cause.id), what);
        }
    }

    /// At the end of the log: reports the expected effects that were not found.
    pub(crate) fn finish(&mut self, check: &mut Check) {
        if self.has_gaps {
            return;
        }
        let mut missing: Vec<_> = std::mem::take(&mut self.expected).into_iter().collect();
        missing.sort_unstable_by_key(|((_, agent), (seq, _))| (*seq, *agent));
        for ((id, agent), (seq, one_of)) in missing {
            let names: Vec<_> = one_of.iter().map(|event_type| event_type.as_str()).collect();
            let agent = AGENTS.get(agent).map_or("", |effects| effects.agent);
            let what = format!(
                "counts as finished by the agent {agent}, but neither {} nor a dead letter followed from it",
                names.join(" nor ")
            );
            check.find(Some(seq), Some(id), what);
        }
    }
}
