//! A text that arrives in pieces. Says how much of it is settled, so that a stream can be released while it is still growing.
//!
//! This works because every detector is local. The verdict on a hit that starts at `p` depends on at most [`LEFT_BYTES`]
//! before `p` and on fewer than [`HOLD_CHARS`] after it (context words: 64 bytes before, 32 after; a label: 110 before; a
//! table's heading: 200 before). Three kinds of hits are longer, up to [`OPEN_BYTES_MAX`]. Keys hold no white space, so a
//! cut at white space never splits one. Web addresses and PEM blocks are recognised by their first bytes, so an open one
//! moves the cut before itself. A longer token is cut inside, because the memory held back is bounded; only there can a
//! stream's findings differ from the whole text's.
//!
//! Each push scans the unsettled tail alone, so the cost of a stream is linear in its length.

use crate::context::behind;
use crate::finding::{self, Finding};
use crate::injection::hidden::can_spell_hidden_text;
use crate::scan;

/// The minimum number of characters that are held back, not counting mark-up. The cut is at the last white space before them.
const HOLD_CHARS: usize = 256;
/// The largest open candidate that is held back.
pub(crate) const OPEN_BYTES_MAX: usize = 4096;
/// The longest tag or comment that the view of a text leaves out.
const MARKUP_BYTES_MAX: usize = 600;
/// How much settled text is scanned again as context. A full-width digit takes three bytes.
const LEFT_BYTES: usize = 384;

#[derive(Default)]
pub struct Window {
    text: String,
    settled_bytes: usize,
    settled_chars: usize,
    ready: Vec<Finding>,
}

impl Window {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a piece.
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
        if let Some(cut) = self.cut() {
            self.settle(cut);
        }
    }

    /// Code points from the start that are settled: no finding that touches them can still appear or change. Never shrinks.
    pub fn settled(&self) -> usize {
        self.settled_chars
    }

    /// The findings in the settled part. Each is returned once.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.ready)
    }

    /// Ends the text, which settles everything. Returns the remaining findings.
    pub fn finish(&mut self) -> Vec<Finding> {
        self.settle(self.text.len());
        self.take_findings()
    }

    /// Everything pushed so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the text can be cut unless a finding crosses the cut: the last break before the text that is held back.
    fn cut(&self) -> Option<usize> {
        let tail = &self.text[self.settled_bytes..];
        let limit = hold_back_start(tail)?;
        let last_break = tail[..limit].char_indices().rev().find(|&(_, letter)| is_break(letter)).map(|(at, _)| at);
        match last_break {
            Some(at) if at > 0 => Some(self.settled_bytes + at),
            _ if limit > OPEN_BYTES_MAX => Some(self.settled_bytes + limit),
            _ => None,
        }
    }

    fn settle(&mut self, mut cut: usize) {
        let mut base = self.settled_bytes.saturating_sub(LEFT_BYTES);
        while !self.text.is_char_boundary(base) {
            base -= 1;
        }
        let mut hits = scan::all(&self.text[base..]);
        hits.retain_mut(|hit| {
            hit.start += base;
            hit.end += base;
            hit.start >= self.settled_bytes
        });
        // Overlapping hits are decided together, because a hit that loses may have beaten another.
        let mut before_all = cut;
        while let Some(across) = hits.iter().find(|hit| hit.start < before_all && before_all < hit.end) {
            before_all = across.start;
        }
        if before_all > self.settled_bytes || self.text.len() - self.settled_bytes <= OPEN_BYTES_MAX {
            cut = before_all;
        }
        let mut hits = finding::disjoint(hits);
        while let Some(across) = hits.iter().find(|hit| hit.start < cut && cut < hit.end) {
            cut = across.start;
        }
        hits.retain(|hit| hit.end <= cut);
        self.ready.extend(finding::located(&self.text, self.settled_bytes, self.settled_chars, hits));
        self.settled_chars += finding::chars_between(&self.text, self.settled_bytes, cut);
        self.settled_bytes = cut;
    }
}

/// Where the last [`HOLD_CHARS`] visible characters start. Tags and comments don't count, because they may be between the letters of an
/// identifier.
fn hold_back_start(tail: &str) -> Option<usize> {
    let open_comment = tail.rfind("<!--").filter(|start| !tail[*start..].contains("-->"));
    let mut at = open_comment.filter(|start| tail.len() - start <= MARKUP_BYTES_MAX).unwrap_or(tail.len());
    for _ in 0..HOLD_CHARS {
        let letter = tail[..at].chars().next_back()?;
        at -= letter.len_utf8();
        if letter == '>' && tail.len() - at <= OPEN_BYTES_MAX / 2 {
            let opened = behind(tail, at, MARKUP_BYTES_MAX);
            at -= opened.rfind('<').map_or(0, |open| opened.len() - open);
        }
    }
    Some(at)
}

/// Whether a key or a run of hidden characters certainly ends here.
fn is_break(letter: char) -> bool {
    letter.is_whitespace() || (!letter.is_ascii() && !can_spell_hidden_text(letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect;

    fn stream(pieces: impl IntoIterator<Item = impl AsRef<str>>) -> (Vec<Finding>, Window) {
        let mut window = Window::new();
        let mut findings = Vec::new();
        for piece in pieces {
            let before = window.settled();
            window.push(piece.as_ref());
            assert!(window.settled() >= before);
            for finding in window.take_findings() {
                assert!(finding.end <= window.settled());
                findings.push(finding);
            }
        }
        findings.extend(window.finish());
        (findings, window)
    }

    fn letters(text: &str) -> Vec<String> {
        text.chars().map(String::from).collect()
    }

    #[test]
    fn nothing_is_settled_before_enough_text_follows() {
        let mut window = Window::new();
        window.push("Write to ann@firm.org now. ");
        window.push(&"x ".repeat(100));
        assert_eq!(window.settled(), 0);
        window.push(&"x ".repeat(100));
        assert!(window.settled() > 100);
        assert_eq!(window.take_findings().len(), 1);
        assert!(window.take_findings().is_empty());
        assert!(window.finish().is_empty());
        assert_eq!(window.settled(), window.text().chars().count());
    }

    #[test]
    fn pushing_letter_by_letter_finds_the_same_as_the_whole_text() {
        let key = format!(
            "-----BEGIN PRIVATE KEY-----\n{}-----END PRIVATE KEY-----",
            format!("{}\n", "Ab1+".repeat(16)).repeat(30)
        );
        let filler = "Plain words follow, and then more of them. ".repeat(12);
        let text = format!(
            "Größe: ann@firm.org {filler} 4111 1111 1111 1111 {filler}{key} {filler} I will kill you. sk-{} {filler}",
            "a1B2c3D4".repeat(100)
        );
        let (findings, _) = stream(letters(&text));
        assert_eq!(findings, inspect(&text));
        assert_eq!(findings.len(), 5);
    }

    #[test]
    fn an_open_key_block_is_held_whole() {
        let mut window = Window::new();
        window.push("Here: -----BEGIN PRIVATE KEY-----\n");
        window.push(&format!("{}\n", "Ab1+".repeat(16)).repeat(40));
        assert!(window.settled() <= 6);
        window.push("-----END PRIVATE KEY-----\n");
        window.push(&"and so on ".repeat(60));
        assert!(window.settled() > 2600);
        assert_eq!(window.take_findings().len(), 1);
    }

    #[test]
    fn the_text_held_back_is_bounded() {
        let mut window = Window::new();
        for _ in 0..5_000 {
            window.push("abcd");
            assert!(window.text().len() - window.settled() <= OPEN_BYTES_MAX + HOLD_CHARS + 4);
        }
    }

    #[test]
    fn a_long_stream_of_small_pieces_is_settled_to_its_end() {
        let (findings, window) = stream(std::iter::repeat_n("four ", 40_000));
        assert!(findings.is_empty());
        assert_eq!(window.settled(), 200_000);
    }
}
