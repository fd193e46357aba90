//! Detects which kinds of bytes a text contains, in one cheap pass: nearly all text is plain and need not be scanned
//! for every disguise.

use super::letters::is_control;

/// May begin an escape or a sign in brackets.
const ESCAPE: u8 = 1;
/// May begin a tag, a comment, or a full stop of another script.
const MARKUP: u8 = 2;
/// Part of a character beyond ASCII, or a control character.
const ODD_LETTER: u8 = 4;
const DIGIT: u8 = 8;
const LINE: u8 = 16;
/// May frame a single character, as in `**4****5**`; see `markup::unframed`.
const FRAME: u8 = 32;
const AT_SIGN: u8 = 64;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'&' | b'%' | b'\\' | b'[' | b'(' => ESCAPE,
            b'{' => ESCAPE | FRAME,
            b'*' | b'_' | b'`' | b'~' => FRAME,
            b'@' => AT_SIGN,
            b'<' => MARKUP,
            // The full stops of other scripts begin with these bytes.
            0xE3 | 0xEF => MARKUP | ODD_LETTER,
            b'0'..=b'9' => DIGIT,
            b'\n' => LINE,
            128.. => ODD_LETTER,
            other if is_control(other) => ODD_LETTER,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

#[derive(Clone, Copy)]
pub(super) struct ByteKinds(u8);

impl ByteKinds {
    pub(super) fn of(text: &str) -> Self {
        let kinds_of = |bytes: &[u8]| bytes.iter().fold(0, |kinds, byte| kinds | KINDS[usize::from(*byte)]);
        let (blocks, rest) = text.as_bytes().as_chunks::<8>();
        Self(blocks.iter().fold(kinds_of(rest), |kinds, block| kinds | kinds_of(block)))
    }

    pub(super) fn has_escapes(self) -> bool {
        self.0 & ESCAPE != 0
    }

    pub(super) fn has_markup(self) -> bool {
        self.0 & MARKUP != 0
    }

    pub(super) fn has_odd_letters(self) -> bool {
        self.0 & ODD_LETTER != 0
    }

    pub(super) fn has_digits(self) -> bool {
        self.0 & DIGIT != 0
    }

    pub(super) fn has_frames(self) -> bool {
        self.0 & FRAME != 0
    }

    pub(super) fn has_at_sign(self) -> bool {
        self.0 & AT_SIGN != 0
    }

    pub(super) fn has_lines(self) -> bool {
        self.0 & LINE != 0
    }
}
