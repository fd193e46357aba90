//! Splits a stream of bytes into server-sent events, each kept byte for byte.

use std::borrow::Cow;

use bytes::{Bytes, BytesMut};

/// One event of a chat is a few hundred bytes; some carry a whole image.
const EVENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Splits incoming bytes into events.
#[derive(Default)]
pub(super) struct SseParser {
    buffer: BytesMut,
    /// No event ends before this position.
    searched: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// One event with its end, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SseEvent(pub(super) Bytes);

impl SseParser {
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.buffer.extend_from_slice(piece);
    }

    pub(super) fn next(&mut self) -> Result<Option<SseEvent>, TooLong> {
        match end_of_event(&self.buffer, self.searched) {
            Some(end) => {
                self.searched = 0;
                Ok(Some(SseEvent(self.buffer.split_to(end).freeze())))
            }
            None if self.buffer.len() > EVENT_BYTES_MAX => Err(TooLong),
            None => {
                // The end may begin in the last bytes, such as \r\n\r. Never continue between a CR and its LF.
                self.searched = self.buffer.len().saturating_sub(4);
                while self.searched > 0 && matches!(self.buffer.get(self.searched - 1), Some(b'\r' | b'\n')) {
                    self.searched -= 1;
                }
                Ok(None)
            }
        }
    }

    /// The last event, if no blank line ends it: some servers leave that out.
    pub(super) fn rest(&mut self) -> Option<SseEvent> {
        self.searched = 0;
        let rest = self.buffer.split().freeze();
        (!rest.trim_ascii().is_empty()).then_some(SseEvent(rest))
    }
}

/// The position after the blank line that ends the first event. Lines end with CR, LF or both.
fn end_of_event(buffer: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(line_end) = buffer.get(at..)?.iter().position(|b| matches!(b, b'\n' | b'\r')) {
        let after = match buffer.get(at + line_end..)? {
            [b'\r', b'\n', ..] => at + line_end + 2,
            _ => at + line_end + 1,
        };
        match buffer.get(after..)? {
            [b'\r', b'\n', ..] => return Some(after + 2),
            // A lone CR at the end may be half of a CR LF that is still to come.
            [b'\r'] => return None,
            [b'\n' | b'\r', ..] => return Some(after + 1),
            _ => at = after,
        }
    }
    None
}

/// The lines of an event. A CR LF yields an extra empty line.
fn lines(event: &[u8]) -> impl Iterator<Item = &[u8]> {
    event.split(|byte| matches!(byte, b'\n' | b'\r'))
}

/// The data of an event.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SseData<'a> {
    Text(Cow<'a, str>),
    /// Only comments and fields such as `event` or `id`: nothing that clients read as data.
    Nothing,
    /// Invalid UTF-8 or an unknown field, which a client may read in its own way.
    Unreadable,
}

impl SseEvent {
    /// The data of the event. A single line of data, which is the usual case, is not copied.
    pub(super) fn data(&self) -> SseData<'_> {
        let (mut first, mut more) = (None, Vec::new());
        for line in lines(self.0.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.0)) {
            let Ok(line) = std::str::from_utf8(line) else { return SseData::Unreadable };
            match line.strip_prefix("data:").map(|data| data.strip_prefix(' ').unwrap_or(data)) {
                Some(data) if first.is_none() => first = Some(data),
                Some(data) => more.push(data),
                None if is_harmless(line) => {}
                None => return SseData::Unreadable,
            }
        }
        match (first, more.is_empty()) {
            (None, _) => SseData::Nothing,
            (Some(data), true) => SseData::Text(data.into()),
            (Some(data), false) => SseData::Text([&[data], more.as_slice()].concat().join("\n").into()),
        }
    }

    /// Whether the event's name is `error`.
    pub(super) fn is_error(&self) -> bool {
        lines(&self.0).any(|line| line.strip_prefix(b"event:").is_some_and(|name| name.trim_ascii() == b"error"))
    }
}

/// An event that carries this data and nothing else.
pub(super) fn event(data: &str) -> Bytes {
    let lines: Vec<String> = data.lines().map(|line| format!("data: {line}")).collect();
    format!("{}\n\n", lines.join("\n")).into()
}

fn is_harmless(line: &str) -> bool {
    line.is_empty() || [":", "event:", "id:", "retry:"].iter().any(|prefix| line.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let mut events = SseParser::default();
        let mut found = Vec::new();
        for piece in pieces {
            events.push(piece);
            while let Some(event) = events.next().unwrap() {
                found.push(String::from_utf8(event.0.to_vec()).unwrap());
            }
        }
        found.extend(events.rest().map(|event| String::from_utf8(event.0.to_vec()).unwrap()));
        found
    }

    #[test]
    fn events_end_with_a_blank_line_of_any_kind() {
        assert_eq!(all(&[b"data: a\r\rdata: b\r\rx"]), ["data: a\r\r", "data: b\r\r", "x"]);
        assert_eq!(
            all(&[b"data: a\n\ndata: b\r\n\r\n: ping\n\ndata: c"]),
            ["data: a\n\n", "data: b\r\n\r\n", ": ping\n\n", "data: c"]
        );
    }

    #[test]
    fn the_data_of_an_event_is_found() {
        fn check(event: &'static [u8], expected: SseData<'_>) {
            assert_eq!(SseEvent(Bytes::from(event)).data(), expected);
        }
        check(b"data: {\"a\":1}\n\n", SseData::Text("{\"a\":1}".into()));
        check(b"event: x\nid: 1\ndata:b\r\n\r\n", SseData::Text("b".into()));
        check(b"data: a\ndata: b\n\n", SseData::Text("a\nb".into()));
        check(b"data: [DONE]\n\n", SseData::Text("[DONE]".into()));
        check(b"\xef\xbb\xbfdata: a\n\n", SseData::Text("a".into()));
        check(b"event: x\rdata: b\r\r", SseData::Text("b".into()));
        check(b": ping\n\n", SseData::Nothing);
        check(b"{\"error\": 1}\n\n", SseData::Unreadable);
        check(b"data: \xff\n\n", SseData::Unreadable);
    }

    #[test]
    fn data_of_several_lines_is_one_event() {
        assert_eq!(event("x\ny"), "data: x\ndata: y\n\n");
    }

    #[test]
    fn an_event_without_an_end_is_bounded() {
        let mut events = SseParser::default();
        events.push(&vec![b'a'; EVENT_BYTES_MAX + 1]);
        assert_eq!(events.next(), Err(TooLong));
    }

    proptest! {
        #[test]
        fn however_the_bytes_are_cut_the_events_are_the_same(texts in prop::collection::vec("[a-z \r]{0,12}", 1..8), cuts in prop::collection::vec(1usize..9, 1..40)) {
            let whole: String = texts.iter().map(|text| format!("data: {text}x\r\n\r\n")).collect();
            let mut pieces = Vec::new();
            let mut rest = whole.as_bytes();
            for cut in cuts.iter().cycle() {
                if rest.is_empty() { break; }
                let (piece, after) = rest.split_at((*cut).min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            let found = all(&pieces);
            prop_assert_eq!(found.concat(), whole.clone());
            prop_assert_eq!(found, all(&[whole.as_bytes()]));
        }
    }
}
