//! A stream of bytes as a stream of server-sent events, each kept as the bytes that came.

use bytes::{Bytes, BytesMut};

/// One event of a chat is a few hundred bytes; some carry a whole image.
const EVENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Cuts what comes in into events.
#[derive(Default)]
pub(super) struct Events {
    buffer: BytesMut,
    /// Everything before this has been looked through.
    looked: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// One event with its end, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Event(pub(super) Bytes);

impl Events {
    pub(super) fn push(&mut self, piece: &[u8]) {
        self.buffer.extend_from_slice(piece);
    }

    pub(super) fn next(&mut self) -> Result<Option<Event>, TooLong> {
        match end_of_event(&self.buffer, self.looked) {
            Some(end) => {
                self.looked = 0;
                Ok(Some(Event(self.buffer.split_to(end).freeze())))
            }
            None if self.buffer.len() > EVENT_BYTES_MAX => Err(TooLong),
            None => {
                // The end may begin in the last three bytes: \r\n\r, say.
                self.looked = self.buffer.len().saturating_sub(3);
                Ok(None)
            }
        }
    }

    /// What came last and never ended; some servers leave out the last blank line.
    pub(super) fn rest(&mut self) -> Option<Event> {
        self.looked = 0;
        let rest = self.buffer.split().freeze();
        (!rest.trim_ascii().is_empty()).then_some(Event(rest))
    }
}

/// The position after the blank line that ends the first event.
fn end_of_event(buffer: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(line_end) = buffer.get(at..)?.iter().position(|b| *b == b'\n') {
        let after = at + line_end + 1;
        match buffer.get(after..)? {
            [b'\n', ..] => return Some(after + 1),
            [b'\r', b'\n', ..] => return Some(after + 2),
            _ => at = after,
        }
    }
    None
}

impl Event {
    /// The data of the event, if it has any and it is text. Several lines are rare, so one is not copied.
    pub(super) fn data(&self) -> Option<std::borrow::Cow<'_, str>> {
        let text = std::str::from_utf8(&self.0).ok()?;
        let mut lines =
            text.lines().filter_map(|line| line.strip_prefix("data:")).map(|d| d.strip_prefix(' ').unwrap_or(d));
        let first = lines.next()?;
        let rest: Vec<&str> = lines.collect();
        Some(if rest.is_empty() { first.into() } else { [&[first], rest.as_slice()].concat().join("\n").into() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn all(pieces: &[&[u8]]) -> Vec<String> {
        let mut events = Events::default();
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
    fn events_end_with_a_blank_line_of_either_kind() {
        assert_eq!(
            all(&[b"data: a\n\ndata: b\r\n\r\n: ping\n\ndata: c"]),
            ["data: a\n\n", "data: b\r\n\r\n", ": ping\n\n", "data: c"]
        );
    }

    #[test]
    fn the_data_of_an_event_is_found() {
        let data = |text: &'static str| Event(Bytes::from(text)).data().map(|data| data.into_owned());
        assert_eq!(data("data: {\"a\":1}\n\n").as_deref(), Some("{\"a\":1}"));
        assert_eq!(data("event: x\nid: 1\ndata:b\r\n\r\n").as_deref(), Some("b"));
        assert_eq!(data("data: a\ndata: b\n\n").as_deref(), Some("a\nb"));
        assert_eq!(data(": ping\n\n"), None);
        assert_eq!(data("data: [DONE]\n\n").as_deref(), Some("[DONE]"));
    }

    #[test]
    fn an_event_without_an_end_is_bounded() {
        let mut events = Events::default();
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
