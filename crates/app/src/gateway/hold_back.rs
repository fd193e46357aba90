//! Holds the events of a stream back until their text has been inspected.
//!
//! Events are released in the order in which they arrived, each only when every string in it is settled, which means that no later
//! text can make it part of a finding. Tool calls are inspected as a whole, so an event with a part of one waits for the end, and
//! so do all events after it.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
};

use bytes::Bytes;
use countersign_domain::RiskStatus;
use countersign_inspect::{Finding, Window, risk_score};

use super::{
    completion::spliced,
    split_identifiers::is_across,
    sse::{self, SseData, SseEvent},
    transcript::{EventText, TextDelta, TextField},
};

/// The events of one stream, and how much of their text has been inspected.
pub(super) struct HoldBack {
    masks: bool,
    /// Whether the judge must audit the whole answer first, so that nothing is released before the end.
    until_end: bool,
    fields: BTreeMap<TextField, FieldText>,
    arrival: ArrivalOrder,
    is_flagged: bool,
    queue: VecDeque<HeldEvent>,
    released: String,
}

/// The text of one field so far.
#[derive(Default)]
struct FieldText {
    window: Window,
    chars: usize,
    /// Personal data to be masked, in order and without overlaps.
    masked: Vec<Finding>,
    /// All other findings.
    visible: Vec<Finding>,
}

impl FieldText {
    /// Keeps findings. Returns whether any of them is not masked.
    fn keep(&mut self, found: Vec<Finding>, masks: bool) -> bool {
        let (masked, visible): (Vec<_>, Vec<_>) = found.into_iter().partition(|finding| masks && finding.is_maskable());
        let has_visible = !visible.is_empty();
        self.masked.extend(masked);
        self.visible.extend(visible);
        has_visible
    }
}

/// The text of all fields in order of arrival, because an identifier may be spread over several fields. The text is only inspected
/// once there is more than one field.
#[derive(Default)]
struct ArrivalOrder {
    window: Option<Window>,
    last: Option<TextField>,
    chars: usize,
    /// The positions where the text changes from one field to another.
    boundaries: Vec<usize>,
    is_split: bool,
}

struct HeldEvent {
    event: SseEvent,
    deltas: Vec<PlacedDelta>,
    /// The parts of the event's data, in bytes, that an enforced policy replaces by `null`.
    removed: Vec<Range<usize>>,
    /// The length of all text up to and including this event, in code points.
    arrived: usize,
    waits_for_the_end: bool,
}

struct PlacedDelta {
    delta: TextDelta,
    /// Its place in the field's text, in code points.
    chars: Range<usize>,
}

/// The answer is flagged, so nothing more may be released.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flagged;

impl HoldBack {
    pub(super) fn new(masks: bool, until_end: bool) -> Self {
        let (fields, queue) = (BTreeMap::new(), VecDeque::new());
        let arrival = ArrivalOrder::default();
        Self { masks, until_end, fields, arrival, is_flagged: false, queue, released: String::new() }
    }

    /// Adds an event. The last event (`is_ending`) waits for the answer's record.
    pub(super) fn push(&mut self, event: SseEvent, added: EventText, is_ending: bool) {
        let place = |delta: TextDelta| {
            self.arrival.push(&delta, &self.fields);
            let text_so_far = self.fields.entry(delta.field.clone()).or_default();
            text_so_far.window.push(&delta.text);
            let start = text_so_far.chars;
            text_so_far.chars += delta.text.chars().count();
            PlacedDelta { chars: start..text_so_far.chars, delta }
        };
        let deltas = added.deltas.into_iter().map(place).collect();
        let (arrived, waits_for_the_end) = (self.arrival.chars, added.has_tool_call || is_ending);
        // Comments and empty events are dropped, because they are not inspected.
        if event.data() != SseData::Nothing {
            self.queue.push_back(HeldEvent { event, deltas, removed: added.removed, arrived, waits_for_the_end });
        }
    }

    /// Inspects the remaining text at the end of the stream, and returns whether an identifier is spread over several fields.
    pub(super) fn finish_is_split(&mut self) -> bool {
        self.arrival.inspect(true);
        self.arrival.is_split
    }

    /// Releases the events whose text is settled.
    pub(super) fn release_settled(&mut self) -> Result<Vec<Bytes>, Flagged> {
        let mut has_new = false;
        for text_so_far in self.fields.values_mut() {
            let found = text_so_far.window.take_findings();
            has_new |= text_so_far.keep(found, self.masks);
        }
        if has_new {
            self.is_flagged = self.looks_flagged();
        }
        self.arrival.inspect(false);
        self.is_flagged |= self.arrival.is_split;
        if self.is_flagged {
            return Err(Flagged);
        }
        if self.until_end {
            return Ok(Vec::new());
        }
        let mut ready = Vec::new();
        while self.queue.front().is_some_and(|waiting| !waiting.waits_for_the_end && self.is_settled(waiting)) {
            ready.extend(self.queue.pop_front().map(|waiting| self.release(waiting)));
        }
        Ok(ready)
    }

    /// Releases everything that is left, after the audit.
    pub(super) fn release_rest(&mut self) -> Vec<Bytes> {
        for text_so_far in self.fields.values_mut() {
            let found = text_so_far.window.finish();
            text_so_far.keep(found, self.masks);
        }
        let queue = std::mem::take(&mut self.queue);
        queue.into_iter().map(|waiting| self.release(waiting)).collect()
    }

    /// The text that the caller has been sent so far.
    pub(super) fn released(&self) -> &str {
        &self.released
    }

    fn looks_flagged(&self) -> bool {
        let visible: Vec<Finding> =
            self.fields.values().flat_map(|text_so_far| &text_so_far.visible).cloned().collect();
        !visible.is_empty() && risk_score(&visible).status() == RiskStatus::Flagged
    }

    fn is_settled(&self, waiting: &HeldEvent) -> bool {
        self.arrival.window.as_ref().is_none_or(|window| waiting.arrived <= window.settled())
            && waiting.deltas.iter().all(|placed| {
                self.fields
                    .get(&placed.delta.field)
                    .is_some_and(|text_so_far| placed.chars.end <= text_so_far.window.settled())
            })
    }

    fn release(&mut self, waiting: HeldEvent) -> Bytes {
        let HeldEvent { event, deltas, removed, .. } = waiting;
        let mut changes: Vec<(Range<usize>, String)> =
            removed.into_iter().map(|range| (range, "null".to_owned())).collect();
        for PlacedDelta { delta, chars } in deltas {
            let findings = self.fields.get(&delta.field).map_or(&[][..], |text_so_far| &text_so_far.masked);
            match masked(&delta.text, &chars, findings) {
                Some(text) => {
                    self.released.push_str(&text);
                    changes.push((delta.bytes, serde_json::Value::from(text).to_string()));
                }
                None => self.released.push_str(&delta.text),
            }
        }
        // Only the data is released: no comment, no id and no event name.
        let SseData::Text(data) = event.data() else { return Bytes::new() };
        sse::event(&String::from_utf8_lossy(&spliced(data.as_bytes(), changes)))
    }
}

impl ArrivalOrder {
    fn push(&mut self, delta: &TextDelta, fields: &BTreeMap<TextField, FieldText>) {
        if self.last.as_ref() != Some(&delta.field) {
            if self.window.is_none()
                && let Some(first) = self.last.as_ref().and_then(|last| fields.get(last))
            {
                let mut window = Window::new();
                window.push(first.window.text());
                self.window = Some(window);
            }
            self.boundaries.push(self.chars);
            self.last = Some(delta.field.clone());
        }
        if let Some(window) = &mut self.window {
            window.push(&delta.text);
        }
        self.chars += delta.text.chars().count();
    }

    fn inspect(&mut self, is_over: bool) {
        let Some(window) = &mut self.window else { return };
        let found = if is_over { window.finish() } else { window.take_findings() };
        self.is_split |= found.iter().any(|finding| is_across(finding, &self.boundaries));
    }
}

/// Masks the findings that overlap `text`, which is the part of a field at `chars`. The mask replaces a finding in the part where
/// the finding starts; in later parts, the rest of the finding is left out. `findings` are in order and don't overlap each other.
/// `None` if none of them overlaps this part.
fn masked(text: &str, chars: &Range<usize>, findings: &[Finding]) -> Option<String> {
    let from = findings.partition_point(|finding| finding.end <= chars.start);
    let mut findings = findings[from..].iter().take_while(|finding| finding.start < chars.end).peekable();
    findings.peek()?;
    let mut out = String::with_capacity(text.len());
    for (at, c) in (chars.start..).zip(text.chars()) {
        while findings.peek().is_some_and(|f| f.end <= at) {
            findings.next();
        }
        match findings.peek() {
            Some(f) if f.start == at => out.push_str(&format!("[{}]", f.r#type)),
            Some(f) if f.start < at => {}
            _ => out.push(c),
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gateway::transcript::Transcript;

    fn run(masks: bool, until_end: bool, deltas: &[&str]) -> (Result<String, Flagged>, String) {
        let (mut held, mut transcript) = (HoldBack::new(masks, until_end), Transcript::default());
        let mut early = String::new();
        for delta in deltas {
            let data =
                format!(r#"{{"z":true,"choices":[{{"index":0,"delta":{{"content":{}}}}}]}}"#, serde_json::json!(delta));
            let event = SseEvent(Bytes::from(format!("data: {data}\n\n")));
            held.push(event, transcript.add_enforced(&data), false);
            match held.release_settled() {
                Ok(ready) => ready.iter().for_each(|bytes| early.push_str(std::str::from_utf8(bytes).unwrap())),
                Err(flagged) => return (Err(flagged), held.released().to_owned()),
            }
        }
        let rest = held.release_rest().concat();
        (Ok(early + std::str::from_utf8(&rest).unwrap()), held.released().to_owned())
    }

    #[test]
    fn personal_data_is_masked_across_events() {
        let (sent, released) = run(true, false, &["Write to jo", ".doe@exam", "ple.com now."]);
        assert_eq!(released, "Write to [EMAIL] now.");
        let sent = sent.unwrap();
        assert_eq!(sent.matches("data: ").count(), 3, "each event is still sent");
        assert!(sent.contains(r#"{"z":true,"#) && !sent.contains("jo"), "{sent}");
    }

    #[test]
    fn most_of_a_long_harmless_answer_is_released_before_its_end() {
        let words = vec!["some harmless words "; 60];
        let (mut held, mut transcript) = (HoldBack::new(false, false), Transcript::default());
        let mut early = 0;
        for word in &words {
            let data = format!(r#"{{"choices":[{{"index":0,"delta":{{"content":"{word}"}}}}]}}"#);
            let event = SseEvent(Bytes::from(format!("data: {data}\n\n")));
            held.push(event, transcript.add_enforced(&data), false);
            early += held.release_settled().unwrap().len();
        }
        assert!(early > 30, "{early} events were released early");
    }

    #[test]
    fn a_flagged_answer_stops_before_it_is_released() {
        let filler = "word ".repeat(80);
        let (sent, released) = run(false, false, &[&filler, "the card is 4111 1111 1111 1111. ", &filler, &filler]);
        assert_eq!(sent, Err(Flagged));
        assert!(!released.contains("4111"), "{released}");
    }
}
