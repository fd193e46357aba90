use super::*;
use crate::lex::tokens;

/// A figure that starts with a word outside `OPENERS` would not be read and would pass unchecked.
#[test]
fn every_word_that_can_start_a_figure_is_listed_as_an_opener() {
    let sources = [
        include_str!("mod.rs"),
        include_str!("amount.rs"),
        include_str!("unit.rs"),
        include_str!("count.rs"),
        include_str!("date.rs"),
        include_str!("word_lists.rs"),
        include_str!("../currency.rs"),
        include_str!("../../../text/src/numbers.rs"),
        include_str!("../../../text/src/calendar.rs"),
    ];
    let words = sources.iter().flat_map(|source| source.split(['"', ' ', '\n'])).filter(|word| word.is_ascii());
    let rests = ["", "of the", "250", "March 2026", "hour", "dozen", "a dozen", "prior alerts", "transactions"];
    let mut opened = 0;
    for word in words.filter(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic())) {
        let capital = word[..1].to_uppercase() + &word[1..];
        for (word, rest) in [word, &capital].iter().flat_map(|word| rests.map(|rest| (word, rest))) {
            let text = format!("in {word} {rest}");
            let folded = FoldedText::of(&text);
            let tokens = tokens(&folded);
            let mut reader = FigureReader { folded: &folded, tokens: &tokens, found: Vec::new() };
            reader.read_opening_word(1);
            assert!(reader.found.is_empty() || may_open(&tokens[1]), "{word} {rest}");
            opened += reader.found.len();
        }
    }
    assert!(opened > 500, "{opened}");
}
