//! Checking a log event by event: positions, leaves, bodies, reports, causes, erasures and signed roots.
//!
//! It doesn't matter where the events come from: a live store and an exported file go through the same checks.

use std::collections::{BTreeMap, BTreeSet};

use countersign_domain::{Event, EventId, EventType, Header, Time, effects};
use countersign_ledger::{Checkpoint, Frontier, Hash, NodeId, body_commitment, leaf_hash, sha256};

use crate::error::StoreError;

/// Further findings are only counted.
const FINDINGS_MAX: usize = 100;

/// Something that is not as the store wrote it, found by verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerificationFinding {
    /// The event it is about, if it is about one.
    pub seq: Option<u64>,
    pub event_id: Option<EventId>,
    pub what: String,
}

/// The result of verifying a log.
#[derive(Debug, Clone)]
pub struct Verification {
    pub origin: String,
    pub events: u64,
    pub root: Hash,
    /// The number of bodies that were erased and whose erasure is recorded by an event.
    pub erased: u64,
    pub checkpoints: u64,
    /// The newest signed size. Events after it are not signed yet.
    pub signed_events: u64,
    pub findings: Vec<VerificationFinding>,
    pub findings_total: u64,
}

impl Verification {
    pub fn is_good(&self) -> bool {
        self.findings_total == 0
    }

    /// Adds findings about the whole log, before all others.
    pub fn put_first(&mut self, findings: Vec<String>) {
        self.findings_total += findings.len() as u64;
        let findings = findings.into_iter().map(|what| VerificationFinding { seq: None, event_id: None, what });
        self.findings.splice(0..0, findings);
    }

    /// The finding about the earliest event, or else the first of any kind.
    pub fn first(&self) -> Option<&VerificationFinding> {
        self.findings.iter().filter(|f| f.seq.is_some()).min_by_key(|f| f.seq).or_else(|| self.findings.first())
    }
}

#[derive(Clone, Copy)]
pub(crate) struct LoggedBody<'a> {
    pub(crate) salt: &'a [u8],
    pub(crate) payload: &'a [u8],
    pub(crate) metadata: &'a [u8],
}

/// An event with everything that is stored about it.
#[derive(Clone, Copy)]
pub(crate) struct LoggedEvent<'a> {
    pub(crate) seq: u64,
    pub(crate) header: &'a [u8],
    pub(crate) leaf: &'a [u8],
    pub(crate) body: Option<LoggedBody<'a>>,
    /// The report's content, if the event made a report.
    pub(crate) report: Option<&'a [u8]>,
}

/// A callback for each event of a log, in order.
pub(crate) type EachEvent<'a> = dyn FnMut(LoggedEvent<'_>) -> Result<(), StoreError> + 'a;

/// The last signed checkpoint, which is kept outside the database.
pub(crate) enum LastCheckpoint<'a> {
    Note(&'a str),
    /// It should be in the data directory, but isn't.
    Missing,
    /// A backup has no checkpoint outside its database.
    NotKept,
}

/// An event whose header could be read.
pub(crate) struct CheckedEvent {
    pub(crate) id: EventId,
    /// `None` for a type that this version doesn't know.
    pub(crate) event_type: Option<EventType>,
    /// Its body, if that is stored, intact and of a known type.
    pub(crate) event: Option<Event>,
    pub(crate) has_body: bool,
    /// The agent that made it, by its index in [`effects::AGENTS`].
    pub(crate) agent: Option<usize>,
    pub(crate) cause: Option<Cause>,
}

/// The event that led to another one.
#[derive(Clone, Copy)]
pub(crate) struct Cause {
    pub(crate) id: EventId,
    /// Its position, if it is in the log.
    pub(crate) seq: Option<u64>,
}

/// A root that the tree must have at some size.
struct ExpectedRoot {
    label: String,
    root: Hash,
    /// Whether it comes from outside the data directory.
    is_anchor: bool,
}

/// A check in progress. Give it every event in order, then call [`Check::finish`].
pub(crate) struct Check {
    frontier: Frontier,
    next_seq: u64,
    /// Whether an event was missing or out of order. From then on no root can match, so none is compared.
    out_of_step: bool,
    last_recorded: Option<Time>,
    /// The last event that a finding has named.
    last_named: Option<u64>,
    /// Roots that were signed or stored, by the size of their tree.
    expected_roots: BTreeMap<u64, Vec<ExpectedRoot>>,
    /// The size up to which the log agrees with its own roots.
    good_to: u64,
    /// The size up to which it agrees with roots from outside. Somebody who rewrites the log also signs its own roots again, so
    /// only other roots from outside can narrow down which events a root from outside contradicts.
    anchored_to: u64,
    root_differs: bool,
    missing_bodies: BTreeSet<u64>,
    /// Erased events, each with the first event that says that it was erased.
    pub(crate) erased: BTreeMap<u64, u64>,
    pub(crate) checkpoints: u64,
    pub(crate) signed_events: u64,
    findings: Vec<VerificationFinding>,
    findings_total: u64,
}

impl Check {
    pub(crate) fn new() -> Self {
        Self {
            frontier: Frontier::new(),
            next_seq: 0,
            out_of_step: false,
            last_recorded: None,
            last_named: None,
            expected_roots: BTreeMap::new(),
            good_to: 0,
            anchored_to: 0,
            root_differs: false,
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
        self.last_named = self.last_named.max(seq);
        if self.findings.len() < FINDINGS_MAX {
            self.findings.push(VerificationFinding { seq, event_id, what: what.into() });
        }
    }

    pub(crate) fn expect_root(&mut self, size: u64, root: Hash, label: impl Into<String>) {
        let expected = ExpectedRoot { label: label.into(), root, is_anchor: false };
        self.expected_roots.entry(size).or_default().push(expected);
    }

    pub(crate) fn expect_checkpoint(&mut self, checkpoint: &Checkpoint, label: &str) {
        self.checkpoints += 1;
        self.signed_events = self.signed_events.max(checkpoint.size);
        self.expect_root(checkpoint.size, checkpoint.root, format!("{label} over {} events", checkpoint.size));
    }

    /// Like `expect_checkpoint`, for a checkpoint from outside, which isn't counted among the log's own.
    pub(crate) fn expect_anchor(&mut self, checkpoint: &Checkpoint, label: &str) {
        let label = format!("{label} over {} events", checkpoint.size);
        let expected = ExpectedRoot { label, root: checkpoint.root, is_anchor: true };
        self.expected_roots.entry(checkpoint.size).or_default().push(expected);
    }

    /// A finding about all events from `first` on. It names that event only if no finding has named it or a later one.
    pub(crate) fn find_from(&mut self, first: u64, what: impl Into<String>) {
        let seq = self.last_named.is_none_or(|named| named < first).then_some(first);
        self.find(seq, None, what);
    }

    /// The position of the next event.
    pub(crate) fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Notes that a body was erased while the check was running, by an event that the check will not see.
    pub(crate) fn excuse_missing_body(&mut self, seq: u64) {
        self.missing_bodies.remove(&seq);
    }

    /// Checks one event and returns it for further checks.
    ///
    /// `leaf` is the stored hash of the header, which shows which of many headers is wrong. `find_event` gives the position of an
    /// event by its id. `on_node` is called with every node that the event completes.
    pub(crate) fn event<E>(
        &mut self,
        seq: u64,
        header: &[u8],
        leaf: &[u8],
        body: Option<LoggedBody<'_>>,
        find_event: impl FnOnce(EventId) -> Result<Option<u64>, E>,
        on_node: impl FnMut(NodeId, Hash),
    ) -> Result<Option<CheckedEvent>, E> {
        self.check_position(seq);
        let computed = leaf_hash(header);
        if leaf != computed.as_bytes() {
            self.find(Some(seq), None, "the header does not match its leaf hash");
        }
        if !self.out_of_step {
            self.frontier.push(computed, on_node);
        }
        let checked = self.check_header(seq, header, body, find_event);
        self.check_roots();
        checked
    }

    fn check_position(&mut self, seq: u64) {
        let expected = self.next_seq;
        match seq.checked_sub(expected) {
            Some(0) => {}
            Some(1) => self.find(Some(expected), None, "is missing"),
            Some(gap) => self.find(Some(expected), None, format!("is missing, and so are the next {}", gap - 1)),
            None => self.find(Some(seq), None, "occurs twice or is out of order"),
        }
        self.out_of_step |= seq != expected;
        self.next_seq = expected.max(seq.saturating_add(1));
    }

    fn check_header<E>(
        &mut self,
        seq: u64,
        header: &[u8],
        body: Option<LoggedBody<'_>>,
        find_event: impl FnOnce(EventId) -> Result<Option<u64>, E>,
    ) -> Result<Option<CheckedEvent>, E> {
        let Some(header) = std::str::from_utf8(header).ok().and_then(|text| serde_json::from_str(text).ok()) else {
            self.find(Some(seq), None, "the header can't be read");
            return Ok(None);
        };
        let header: Header<'_> = header;
        let id = Some(header.event_id);
        if header.seq != seq {
            self.find(Some(seq), id, format!("the header belongs to event {}", header.seq));
        }
        if self.last_recorded.is_some_and(|last| header.recorded_at < last) {
            self.find(Some(seq), id, "was recorded before the event that precedes it");
        }
        self.last_recorded = Some(header.recorded_at);
        let cause = match header.causation_id {
            Some(id) => Some(Cause { id, seq: find_event(id)? }),
            None => None,
        };
        if let Some(Cause { id: cause, .. }) = cause.filter(|cause| cause.seq.is_none_or(|found| found >= seq)) {
            self.find(Some(seq), id, format!("its cause {cause} is not an earlier event"));
        }
        let has_body = body.is_some();
        let event = self.check_body(seq, &header, body);
        let event_type = EventType::parse(&header.event_type);
        let agent = effects::agent_named(&header.producer);
        Ok(Some(CheckedEvent { id: header.event_id, event_type, event, has_body, agent, cause }))
    }

    /// A report's content must match the hash in its event, and must be gone if the event's body is.
    pub(crate) fn report(&mut self, seq: u64, checked: &CheckedEvent, content: Option<&[u8]>) {
        let what = match (&checked.event, content) {
            (Some(Event::ReportGenerated(report)), Some(content)) => {
                let is_same = sha256(content).to_hex() == report.content_hash;
                (!is_same).then_some("the stored report does not match the hash in its event")
            }
            (Some(Event::ReportGenerated(_)), None) => Some("the report's content is missing"),
            // An unreadable body says nothing about its report, and is a finding already.
            (None, Some(_)) if checked.has_body && checked.event_type == Some(EventType::ReportGenerated) => None,
            (None, Some(_)) if !checked.has_body => Some("has no body, but its report is still stored"),
            (_, Some(_)) => Some("has a stored report that does not belong to it"),
            (_, None) => None,
        };
        if let Some(what) = what {
            self.find(Some(seq), Some(checked.id), what);
        }
    }

    fn check_body(&mut self, seq: u64, header: &Header<'_>, body: Option<LoggedBody<'_>>) -> Option<Event> {
        let Some(body) = body else {
            self.missing_bodies.insert(seq);
            return None;
        };
        let id = Some(header.event_id);
        let commitment = <&[u8; 32]>::try_from(body.salt).ok().map(|s| body_commitment(s, body.payload, body.metadata));
        if commitment.is_none_or(|commitment| commitment.to_hex() != header.commitment) {
            self.find(Some(seq), id, "the body does not match the commitment in the header");
            return None;
        }
        // The commitment doesn't determine where the payload ends and the metadata begins. That both are valid JSON does.
        let is_json = |bytes| serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok();
        if !is_json(body.payload) || !is_json(body.metadata) {
            self.find(Some(seq), id, "the body is not JSON");
            return None;
        }
        // Events of types that this version doesn't know are kept, but can't be checked further.
        let event_type = EventType::parse(&header.event_type)?;
        let event = std::str::from_utf8(body.payload).ok().and_then(|text| Event::from_payload(event_type, text).ok());
        if let Some(Event::PayloadErased(erased)) = &event {
            for erased in &erased.seqs {
                self.erased.entry(*erased).or_insert(seq);
            }
        }
        if event.is_none() {
            self.find(Some(seq), id, "the payload can't be read as its type");
        }
        event
    }

    /// Compares the tree with every root that is expected at its present size.
    fn check_roots(&mut self) {
        if self.out_of_step {
            return;
        }
        let size = self.frontier.size();
        let Some(expected) = self.expected_roots.remove(&size) else { return };
        // Once one root differs, all later ones do.
        if self.root_differs {
            return;
        }
        let root = self.frontier.root();
        let is_anchored = expected.iter().any(|expected| expected.is_anchor);
        for ExpectedRoot { label, root: expected, is_anchor } in expected {
            if expected != root {
                self.root_differs = true;
                let from = if is_anchor { self.anchored_to } else { self.good_to };
                let range = format!("one of the events {from} to {} was changed", size.saturating_sub(1));
                self.find_from(from, format!("{label} does not match the log: {range}"));
            }
        }
        if !self.root_differs {
            self.good_to = size;
            if is_anchored {
                self.anchored_to = size;
            }
        }
    }

    /// Ends the check at the end of the log. Whatever was signed beyond it is missing.
    pub(crate) fn finish(mut self, origin: String) -> Verification {
        self.check_roots();
        let size = self.next_seq;
        for (promised, labels) in std::mem::take(&mut self.expected_roots) {
            for ExpectedRoot { label, .. } in labels {
                if promised > size {
                    self.find(Some(size), None, format!("is missing: {label}, but the log ends before it"));
                }
            }
        }
        let missing = std::mem::take(&mut self.missing_bodies);
        let erased = std::mem::take(&mut self.erased);
        for seq in missing.iter().filter(|seq| !erased.contains_key(seq)) {
            self.find(Some(*seq), None, "the body is missing, and no event says that it was erased");
        }
        for (seq, by) in erased.iter().filter(|(seq, _)| !missing.contains(seq)) {
            self.find(Some(*seq), None, format!("event {by} says that the body was erased, but it is there"));
        }
        Verification {
            origin,
            events: size,
            root: self.frontier.root(),
            erased: missing.iter().filter(|seq| erased.contains_key(seq)).count() as u64,
            checkpoints: self.checkpoints,
            signed_events: self.signed_events,
            findings: self.findings,
            findings_total: self.findings_total,
        }
    }
}
