//! Events that wait until what they say has been inspected.
//!
//! Events leave in the order they came, each only when every string in it is settled: nothing that comes later can turn
//! it into a finding. Tool calls are inspected whole, so an event with a part of one waits for the end, and everything
//! behind it too.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
};

use bytes::Bytes;
use countersign_domain::RiskStatus;
use countersign_inspect::{Finding, Window, risk_score};

use super::{
    answer::spliced,
    chunk::{Piece, Said, Voice},
    split::is_across,
    sse::{self, Data, Event},
};
use crate::answers::is_masked;

pub(super) struct Held {
    masks: bool,
    /// A judge must see the whole answer first, so nothing leaves before the end.
    whole: bool,
    voices: BTreeMap<Voice, Spoken>,
    arrival: Arrival,
    is_flagged: bool,
    queue: VecDeque<Waiting>,
    released: String,
}

/// What one voice has said so far.
#[derive(Default)]
struct Spoken {
    window: Window,
    chars: usize,
    /// Personal data to be masked, in order and without overlaps.
    masked: Vec<Finding>,
    /// Everything else that was found.
    visible: Vec<Finding>,
}

impl Spoken {
    /// Keeps what was found; whether anything of it is not masked.
    fn keep(&mut self, found: Vec<Finding>, masks: bool) -> bool {
        let (masked, visible): (Vec<_>, Vec<_>) = found.into_iter().partition(|finding| masks && is_masked(finding));
        let has_visible = !visible.is_empty();
        self.masked.extend(masked);
        self.visible.extend(visible);
        has_visible
    }
}

/// What all voices have said, in the order in which it came, once there is more than one: an identifier may be spread over
/// them.
#[derive(Default)]
struct Arrival {
    window: Option<Window>,
    last: Option<Voice>,
    chars: usize,
    /// Where one voice stops and another goes on.
    seams: Vec<usize>,
    is_split: bool,
}

struct Waiting {
    event: Event,
    pieces: Vec<Placed>,
    removed: Vec<Range<usize>>,
    /// Of all that has come with it and before, in code points.
    arrived: usize,
    waits_for_the_end: bool,
}

struct Placed {
    piece: Piece,
    /// In the voice's text, in code points.
    chars: Range<usize>,
}

/// What came so far may not be released.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flagged;

impl Held {
    pub(super) fn new(masks: bool, whole: bool) -> Self {
        let (voices, queue) = (BTreeMap::new(), VecDeque::new());
        let arrival = Arrival::default();
        Self { masks, whole, voices, arrival, is_flagged: false, queue, released: String::new() }
    }

    /// `is_ending`: the end of the stream waits for the answer's record.
    pub(super) fn take(&mut self, event: Event, said: Said, is_ending: bool) {
        let place = |piece: Piece| {
            self.arrival.push(&piece, &self.voices);
            let spoken = self.voices.entry(piece.voice.clone()).or_default();
            spoken.window.push(&piece.text);
            let start = spoken.chars;
            spoken.chars += piece.text.chars().count();
            Placed { chars: start..spoken.chars, piece }
        };
        let pieces = said.pieces.into_iter().map(place).collect();
        let (arrived, waits_for_the_end) = (self.arrival.chars, said.has_more || is_ending);
        // Comments and pauses say nothing that was inspected.
        if event.data() != Data::Nothing {
            self.queue.push_back(Waiting { event, pieces, removed: said.removed, arrived, waits_for_the_end });
        }
    }

    /// Whether an identifier is spread over several voices, once everything has come.
    pub(super) fn is_split(&mut self) -> bool {
        self.arrival.look(true);
        self.arrival.is_split
    }

    /// The events that may leave now.
    pub(super) fn ready(&mut self) -> Result<Vec<Bytes>, Flagged> {
        let mut has_new = false;
        for spoken in self.voices.values_mut() {
            let found = spoken.window.take_findings();
            has_new |= spoken.keep(found, self.masks);
        }
        if has_new {
            self.is_flagged = self.looks_flagged();
        }
        self.arrival.look(false);
        self.is_flagged |= self.arrival.is_split;
        if self.is_flagged {
            return Err(Flagged);
        }
        if self.whole {
            return Ok(Vec::new());
        }
        let mut ready = Vec::new();
        while self.queue.front().is_some_and(|waiting| !waiting.waits_for_the_end && self.is_settled(waiting)) {
            ready.extend(self.queue.pop_front().map(|waiting| self.release(waiting)));
        }
        Ok(ready)
    }

    /// Everything that is left, after the verdict.
    pub(super) fn rest(&mut self) -> Vec<Bytes> {
        for spoken in self.voices.values_mut() {
            let found = spoken.window.finish();
            spoken.keep(found, self.masks);
        }
        let queue = std::mem::take(&mut self.queue);
        queue.into_iter().map(|waiting| self.release(waiting)).collect()
    }

    /// What the caller has been given so far.
    pub(super) fn released(&self) -> &str {
        &self.released
    }

    fn looks_flagged(&self) -> bool {
        let visible: Vec<Finding> = self.voices.values().flat_map(|spoken| &spoken.visible).cloned().collect();
        !visible.is_empty() && risk_score(&visible).status() == RiskStatus::Flagged
    }

    fn is_settled(&self, waiting: &Waiting) -> bool {
        self.arrival.window.as_ref().is_none_or(|window| waiting.arrived <= window.settled())
            && waiting.pieces.iter().all(|placed| {
                self.voices.get(&placed.piece.voice).is_some_and(|spoken| placed.chars.end <= spoken.window.settled())
            })
    }

    fn release(&mut self, waiting: Waiting) -> Bytes {
        let Waiting { event, pieces, removed, .. } = waiting;
        let mut changes: Vec<(Range<usize>, String)> =
            removed.into_iter().map(|range| (range, "null".to_owned())).collect();
        for Placed { piece, chars } in pieces {
            let findings = self.voices.get(&piece.voice).map_or(&[][..], |spoken| &spoken.masked);
            match masked(&piece.text, &chars, findings) {
                Some(text) => {
                    self.released.push_str(&text);
                    changes.push((piece.bytes, serde_json::Value::from(text).to_string()));
                }
                None => self.released.push_str(&piece.text),
            }
        }
        // Nothing but the data leaves: no comment, no id and no name of the event.
        let Data::Text(data) = event.data() else { return Bytes::new() };
        sse::event(&String::from_utf8_lossy(&spliced(data.as_bytes(), changes)))
    }
}

impl Arrival {
    fn push(&mut self, piece: &Piece, voices: &BTreeMap<Voice, Spoken>) {
        if self.last.as_ref() != Some(&piece.voice) {
            if self.window.is_none()
                && let Some(first) = self.last.as_ref().and_then(|last| voices.get(last))
            {
                let mut window = Window::new();
                window.push(first.window.text());
                self.window = Some(window);
            }
            self.seams.push(self.chars);
            self.last = Some(piece.voice.clone());
        }
        if let Some(window) = &mut self.window {
            window.push(&piece.text);
        }
        self.chars += piece.text.chars().count();
    }

    fn look(&mut self, is_over: bool) {
        let Some(window) = &mut self.window else { return };
        let found = if is_over { window.finish() } else { window.take_findings() };
        self.is_split |= found.iter().any(|finding| is_across(finding, &self.seams));
    }
}

/// A part of a text with the findings masked that reach into it: the mask stands where a finding begins. `findings` are to be
/// masked, in order and without overlaps.
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
    use crate::gateway::chunk::Transcript;

    fn run(masks: bool, whole: bool, deltas: &[&str]) -> (Result<String, Flagged>, String) {
        let (mut held, mut transcript) = (Held::new(masks, whole), Transcript::default());
        let mut early = String::new();
        for delta in deltas {
            let data =
                format!(r#"{{"z":true,"choices":[{{"index":0,"delta":{{"content":{}}}}}]}}"#, serde_json::json!(delta));
            let event = Event(Bytes::from(format!("data: {data}\n\n")));
            held.take(event, transcript.take_strictly(&data), false);
            match held.ready() {
                Ok(ready) => ready.iter().for_each(|bytes| early.push_str(std::str::from_utf8(bytes).unwrap())),
                Err(flagged) => return (Err(flagged), held.released().to_owned()),
            }
        }
        let rest = held.rest().concat();
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
    fn a_long_harmless_answer_leaves_before_its_end_unchanged() {
        let words = vec!["some harmless words "; 60];
        let (mut held, mut transcript) = (Held::new(false, false), Transcript::default());
        let mut left = 0;
        for word in &words {
            let data = format!(r#"{{"choices":[{{"index":0,"delta":{{"content":"{word}"}}}}]}}"#);
            let event = Event(Bytes::from(format!("data: {data}\n\n")));
            held.take(event, transcript.take(&data), false);
            left += held.ready().unwrap().len();
        }
        assert!(left > 30, "{left} events left early");
    }

    #[test]
    fn what_is_flagged_stops_before_it_is_released() {
        let filler = "word ".repeat(80);
        let (sent, released) = run(false, false, &[&filler, "the card is 4111 1111 1111 1111. ", &filler, &filler]);
        assert_eq!(sent, Err(Flagged));
        assert!(!released.contains("4111"), "{released}");
    }
}
