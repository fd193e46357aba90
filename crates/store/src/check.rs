//! Checking a log event by event: positions, leaves, bodies, causation, erasures, signed roots.
//!
//! Knows nothing of where the events come from: a live store and an exported file go through the same checks.

use std::collections::{BTreeMap, BTreeSet};

use countersign_domain::{Event, EventId, EventType, Header, Time};
use countersign_ledger::{Checkpoint, Frontier, Hash, NodeId, body_commitment, leaf_hash};

/// Findings beyond these are counted, not kept.
const FINDINGS_MAX: usize = 100;

/// Something that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The event it concerns, where there is one.
    pub seq: Option<u64>,
    pub event_id: Option<EventId>,
    pub what: String,
}

/// What verification found.
#[derive(Debug, Clone)]
pub struct Report {
    pub origin: String,
    pub events: u64,
    pub root: Hash,
    /// Bodies that were erased by an event that says so.
    pub erased: u64,
    pub checkpoints: u64,
    /// The newest signed size: events after it are whole but not signed yet.
    pub signed_events: u64,
    pub findings: Vec<Finding>,
    pub findings_total: u64,
}

impl Report {
    pub fn is_good(&self) -> bool {
        self.findings_total == 0
    }

    /// The finding about the earliest event, or else the first of any kind.
    pub fn first(&self) -> Option<&Finding> {
        self.findings.iter().filter(|f| f.seq.is_some()).min_by_key(|f| f.seq).or_else(|| self.findings.first())
    }
}

pub(crate) struct Body<'a> {
    pub(crate) salt: &'a [u8],
    pub(crate) payload: &'a [u8],
    pub(crate) metadata: &'a [u8],
}

/// The running check. Feed it every event in order, then [`Check::finish`].
pub(crate) struct Check {
    frontier: Frontier,
    last_recorded: Option<Time>,
    /// Roots that were signed or stored, by the size at which they must come out.
    expected_roots: BTreeMap<u64, Vec<(String, Hash)>>,
    good_to: u64,
    missing_bodies: BTreeSet<u64>,
    erased: BTreeMap<u64, u64>,
    pub(crate) checkpoints: u64,
    pub(crate) signed_events: u64,
    pub(crate) findings: Vec<Finding>,
    findings_total: u64,
}

impl Check {
    pub(crate) fn new() -> Self {
        Self {
            frontier: Frontier::new(),
            last_recorded: None,
            expected_roots: BTreeMap::new(),
            good_to: 0,
            missing_bodies: BTreeSet::new(),
            erased: BTreeMap::new(),
            checkpoints: 0,
            signed_events: 0,
            findings: Vec::new(),
            findings_total: 0,
        }
    }

    pub(crate) fn find(&mut self, seq: Option<u64>, event_id: Option<EventId>, what: impl Into<String>) {
        self.findings_total += 1;
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(Finding { seq, event_id, what: what.into() });
        }
    }

    pub(crate) fn expect_root(&mut self, size: u64, root: Hash, label: impl Into<String>) {
        self.expected_roots.entry(size).or_default().push((label.into(), root));
    }

    pub(crate) fn expect_checkpoint(&mut self, checkpoint: &Checkpoint, label: &str) {
        self.checkpoints += 1;
        self.signed_events = self.signed_events.max(checkpoint.size);
        self.expect_root(checkpoint.size, checkpoint.root, format!("{label} over {} events", checkpoint.size));
    }

    pub(crate) fn size(&self) -> u64 {
        self.frontier.size()
    }

    /// Checks one event and, where its body is whole, returns it for further checks.
    ///
    /// `find_event` gives the position of an event by its id; `on_node` sees every completed stored node.
    pub(crate) fn event<E>(
        &mut self,
        seq: u64,
        header: &[u8],
        body: Option<Body<'_>>,
        find_event: impl FnOnce(EventId) -> Result<Option<u64>, E>,
        on_node: impl FnMut(NodeId, Hash),
    ) -> Result<Option<(EventId, Event)>, E> {
        self.check_position(seq);
        let leaf = leaf_hash(header);
        self.frontier.push(leaf, on_node);
        let parsed = std::str::from_utf8(header).ok().and_then(|text| serde_json::from_str::<Header<'_>>(text).ok());
        let Some(parsed) = parsed else {
            self.find(Some(seq), None, "the header can't be read");
            self.check_roots();
            return Ok(None);
        };
        let id = Some(parsed.event_id);
        if parsed.seq != seq {
            self.find(Some(seq), id, format!("the header belongs to event {}", parsed.seq));
        }
        if self.last_recorded.is_some_and(|last| parsed.recorded_at < last) {
            self.find(Some(seq), id, "was recorded before the event that precedes it");
        }
        self.last_recorded = Some(parsed.recorded_at);
        if let Some(cause) = parsed.causation_id
            && !find_event(cause)?.is_some_and(|found| found < seq)
        {
            self.find(Some(seq), id, format!("its cause {cause} does not stand before it"));
        }
        let event = self.check_body(seq, &parsed, body);
        self.check_roots();
        Ok(event.map(|event| (parsed.event_id, event)))
    }

    fn check_position(&mut self, seq: u64) {
        let expected = self.frontier.size();
        if seq > expected {
            let what = if seq == expected + 1 {
                "is missing".into()
            } else {
                format!("and the next {} are missing", seq - expected - 1)
            };
            self.find(Some(expected), None, what);
            // Go on where the log goes on: later findings should not all be about the gap.
            while self.frontier.size() < seq {
                self.frontier.push(Hash::from_bytes([0; 32]), |_, _| {});
            }
        } else if seq < expected {
            self.find(Some(seq), None, "stands twice");
        }
    }

    fn check_body(&mut self, seq: u64, header: &Header<'_>, body: Option<Body<'_>>) -> Option<Event> {
        let Some(body) = body else {
            self.missing_bodies.insert(seq);
            return None;
        };
        let id = Some(header.event_id);
        let commitment = <&[u8; 32]>::try_from(body.salt).ok().map(|s| body_commitment(s, body.payload, body.metadata));
        if commitment.is_none_or(|commitment| commitment.to_hex() != header.commitment) {
            self.find(Some(seq), id, "the body is not the one that the header commits to");
            return None;
        }
        // Types of a later version are carried; there is nothing of theirs to check here.
        let event_type = EventType::parse(&header.event_type)?;
        let event = std::str::from_utf8(body.payload).ok().and_then(|text| Event::from_payload(event_type, text).ok());
        if let Some(Event::PayloadErased(erased)) = &event {
            self.erased.extend(erased.seqs.iter().map(|erased| (*erased, seq)));
        }
        if event.is_none() {
            self.find(Some(seq), id, "the payload can't be read as its type");
        }
        event
    }

    /// Compares the tree with every root that was promised at its present size.
    fn check_roots(&mut self) {
        let size = self.frontier.size();
        let Some(expected) = self.expected_roots.remove(&size) else { return };
        let root = self.frontier.root();
        for (label, expected_root) in expected {
            if expected_root == root {
                self.good_to = size;
                continue;
            }
            let range = format!("one of the events {} to {} was changed", self.good_to, size.saturating_sub(1));
            // A finding that names the event says more than this one; it stays for the case where there is none.
            let seq = (self.findings_total == 0).then_some(self.good_to);
            self.find(seq, None, format!("{label} does not match the log: {range}"));
        }
    }

    /// The end of the log: what was promised beyond it is missing.
    pub(crate) fn finish(mut self, origin: String) -> Report {
        self.check_roots();
        let size = self.frontier.size();
        for (promised, labels) in std::mem::take(&mut self.expected_roots) {
            for (label, root) in labels {
                if promised == 0 && root == Frontier::new().root() {
                    continue;
                }
                self.find(Some(size.min(promised)), None, format!("{label}, but the log ends before event {size}"));
            }
        }
        let missing = std::mem::take(&mut self.missing_bodies);
        for seq in missing.iter().filter(|seq| !self.erased.contains_key(seq)).copied().collect::<Vec<_>>() {
            self.find(Some(seq), None, "the body is missing, and no event says that it was erased");
        }
        for (seq, by) in self.erased.clone() {
            if !missing.contains(&seq) {
                self.find(Some(seq), None, format!("event {by} says that the body was erased, but it is there"));
            }
        }
        Report {
            origin,
            events: size,
            root: self.frontier.root(),
            erased: missing.len() as u64,
            checkpoints: self.checkpoints,
            signed_events: self.signed_events,
            findings: self.findings,
            findings_total: self.findings_total,
        }
    }
}
