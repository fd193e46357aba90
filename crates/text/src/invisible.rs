//! Characters that a reader can't see but every comparison does. This is the only list of them.

/// Whether a character has no visible form of its own: Unicode's `Default_Ignorable_Code_Point` (zero-width characters, direction
/// marks, soft hyphens, fillers, variation selectors, tags, the ranges reserved for more of them) and the three interlinear
/// annotation marks.
///
/// Combining marks ([`is_combining_mark`]) are not included, because they are visible on the letter before them. Neither is the
/// empty Braille pattern (U+2800), which looks like a space.
#[inline]
pub const fn is_invisible(letter: char) -> bool {
    !letter.is_ascii()
        && matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character controls how the text around it is laid out or joined: soft hyphen, zero-width characters, direction marks,
/// tags. All of them are invisible ([`is_invisible`]), but not all invisible characters are among them: fillers and variation
/// selectors are not.
pub const fn is_format_control(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character stacks on the letter before it, in the scripts that Latin text is disguised with: Latin, Cyrillic and the
/// blocks of combining marks for symbols.
#[inline]
pub const fn is_combining_mark(letter: char) -> bool {
    matches!(letter,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Whether a character is a C1 control character other than NEL (U+0085), which is a line break.
#[inline]
pub const fn is_c1_control(letter: char) -> bool {
    matches!(letter, '\u{80}'..='\u{84}' | '\u{86}'..='\u{9f}')
}

/// Whether a character is in the private-use area of the Basic Multilingual Plane: each font draws those as it likes, and most draw
/// nothing.
#[inline]
pub const fn is_private_use(letter: char) -> bool {
    matches!(letter, '\u{e000}'..='\u{f8ff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn characters_that_spoof_text_are_invisible() {
        for letter in [
            '\u{ad}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{fff9}',
            '\u{e0041}',
            '\u{e0100}',
        ] {
            assert!(is_invisible(letter), "{letter:?}");
        }
        for letter in ['a', ' ', '\n', 'é', '\u{301}', '\u{2800}', '\u{2028}', '中', '😀', '\u{e000}'] {
            assert!(!is_invisible(letter), "{letter:?}");
        }
    }

    #[test]
    fn the_c1_line_break_does_not_count_as_a_c1_control() {
        assert!(!is_c1_control('\u{85}') && is_c1_control('\u{84}') && is_c1_control('\u{86}'));
    }

    proptest! {
        #[test]
        fn no_invisible_character_is_a_space_a_digit_or_another_kind(letter in any::<char>()) {
            let invisible = is_invisible(letter);
            prop_assert!(invisible || !is_format_control(letter));
            prop_assert!(!(invisible && (letter.is_whitespace() || letter.is_numeric() || letter.is_ascii())));
            // U+034F joins graphemes: it is in the block of combining marks and has no visible form.
            let kinds = [invisible && letter != '\u{34f}', is_combining_mark(letter), is_c1_control(letter), is_private_use(letter)];
            prop_assert!(kinds.into_iter().filter(|is_kind| *is_kind).count() <= 1);
        }
    }
}
