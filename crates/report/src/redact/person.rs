//! Names of people, by the words that they are made of. The inspectors' tagger reads sentences; a merchant or an id is none, so
//! here every run of words that could be a name is one, unless a shop's word or a brand says otherwise.

use super::{
    lexicon::{self, is_brand, is_shop_word},
    span::{NAME, Span, TEXT},
    token::{Shape, Token},
};

/// What kind of text a name is looked for in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setting {
    /// Prose, notes, anything people type.
    Prose,
    Merchant,
    City,
    /// One token such as `tx-1`, whose words mean nothing by themselves.
    Id,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// On a list of names and on no other.
    Name {
        is_first: bool,
    },
    /// A name and an ordinary word, or a name and a town.
    Doubtful,
    /// Capitalised and on no list.
    Unknown,
    Initial,
    Particle,
    Other,
}

pub(super) fn spans(text: &str, tokens: &[Token], setting: Setting, spans: &mut Vec<Span>) {
    let brands = brands(tokens);
    let classes: Vec<Class> = tokens
        .iter()
        .enumerate()
        .map(|(at, token)| if brands[at] { Class::Other } else { class(text, token) })
        .collect();
    let has_shop_word = setting == Setting::Merchant && tokens.iter().any(|token| is_shop_word(&token.plain));
    let mut at = 0;
    while at < tokens.len() {
        let len = run(text, tokens, &classes, at);
        if len == 0 {
            at += 1;
            continue;
        }
        let (words, kinds) = (&tokens[at..at + len], &classes[at..at + len]);
        // "Santa Maria": the word before makes it a town's.
        let before = at.checked_sub(1).map(|before| tokens[before].lists);
        let is_towns = setting == Setting::City && before.is_some_and(|before| before.place && !before.first_name);
        if !is_towns && is_person(text, words, kinds, setting, has_shop_word) {
            spans.push(Span::new(words[0].start..words[len - 1].end, NAME));
        }
        at += len;
    }
    titled(text, tokens, spans);
    labelled(text, tokens, spans);
    if setting != Setting::Id {
        spelt_out(text, tokens, spans);
    }
}

/// Whether the tagger's opinion counts that this stretch is a person.
pub(super) fn is_plausible(tokens: &[Token], start: usize, end: usize, setting: Setting) -> bool {
    let brands = brands(tokens);
    let inside = || tokens.iter().enumerate().filter(|(_, token)| token.start < end && token.end > start);
    if inside().next().is_some() && inside().all(|(at, _)| brands[at]) {
        return false;
    }
    let is_harmless = |token: &Token| is_shop_word(&token.plain) || token.lists.organisation;
    match setting {
        Setting::Prose => {
            !inside().all(|(_, token)| token.lists.ordinary && !token.lists.first_name && token.shape == Shape::Small)
        }
        Setting::Merchant => {
            let words = inside().filter(|(_, token)| token.is_word()).count();
            words > 1 && !tokens.iter().any(is_harmless) && inside().any(|(_, token)| !token.lists.ordinary)
        }
        Setting::City | Setting::Id => false,
    }
}

/// Which tokens belong to a brand's name.
fn brands(tokens: &[Token]) -> Vec<bool> {
    const WORDS_MAX: usize = 4;
    let mut found = vec![false; tokens.len()];
    for from in 0..tokens.len() {
        let mut name = String::new();
        for (at, token) in tokens.iter().enumerate().skip(from).take(WORDS_MAX) {
            if at > from {
                name.push(' ');
            }
            name.push_str(&token.plain);
            if is_brand(&name) {
                found[from..=at].fill(true);
            }
        }
    }
    found
}

fn class(text: &str, token: &Token) -> Class {
    let lists = token.lists;
    if !token.is_word() || is_shop_word(&token.plain) {
        return Class::Other;
    }
    if token.shape == Shape::Letter {
        let letter = &text[token.start..token.end];
        return if letter.chars().any(char::is_uppercase) { Class::Initial } else { Class::Other };
    }
    let is_name = lists.first_name || lists.last_name;
    if lists.particle {
        return Class::Particle;
    }
    if is_name && !lists.ordinary && !lists.place && !lists.thing && !lists.organisation {
        return Class::Name { is_first: lists.first_name };
    }
    if is_name {
        return Class::Doubtful;
    }
    if joined_name(token) {
        return Class::Name { is_first: true };
    }
    let is_known = lists.ordinary || lists.place || lists.thing || lists.organisation || lists.title;
    if token.is_capitalised() && !is_known { Class::Unknown } else { Class::Other }
}

/// `mariagonzalez`
fn joined_name(token: &Token) -> bool {
    const PART_MIN: usize = 4;
    let word = &token.plain;
    if word.len() < 2 * PART_MIN || !word.is_ascii() || token.lists.ordinary {
        return false;
    }
    let sure = |lists: countersign_inspect::WordLists| !lists.ordinary && !lists.thing;
    (PART_MIN..=word.len() - PART_MIN).any(|at| {
        let (first, last) = word.split_at(at);
        let (first, last) = (countersign_inspect::word_lists(first), countersign_inspect::word_lists(last));
        first.first_name && last.last_name && sure(first) && sure(last)
    })
}

/// How many words from here on could be one name.
fn run(text: &str, tokens: &[Token], classes: &[Class], from: usize) -> usize {
    const WORDS_MAX: usize = 6;
    if matches!(classes[from], Class::Other | Class::Particle) {
        return 0;
    }
    let mut len = 1;
    for at in from + 1..tokens.len().min(from + WORDS_MAX) {
        let gap = &text[tokens[at - 1].end..tokens[at].start];
        let joins = gap.chars().count() <= 3 && gap.chars().all(|mark| " .-_',’·/+".contains(mark));
        if !joins || classes[at] == Class::Other || tokens[at - 1].is_possessive {
            break;
        }
        if classes[at] != Class::Particle {
            len = at - from + 1;
        }
    }
    len
}

fn is_person(text: &str, words: &[Token], classes: &[Class], setting: Setting, has_shop_word: bool) -> bool {
    let count = |wanted: fn(&Class) -> bool| classes.iter().filter(|class| wanted(class)).count();
    let names = count(|class| matches!(class, Class::Name { .. }));
    let first_names = count(|class| matches!(class, Class::Name { is_first: true }));
    let doubtful = count(|class| *class == Class::Doubtful);
    let unknown = count(|class| *class == Class::Unknown);
    let initials = count(|class| *class == Class::Initial);
    let parts = names + doubtful + unknown;
    let is_small = words.iter().all(|word| matches!(word.shape, Shape::Small | Shape::Letter));
    let with_dot = words.iter().any(|word| word.shape == Shape::Letter && text[word.end..].starts_with('.'));
    let in_full = names >= 1 && parts >= 2 || is_first_and_last(words) || is_first_and_unknown(words, classes);
    let shortened = initials >= 1 && (names >= 1 || with_dot && parts >= 1 || doubtful >= 1 && !is_small);
    let alone = &words[0];
    let is_long = alone.plain.chars().count() >= 4;
    match setting {
        Setting::Id => names >= 2 || first_names >= 1 && is_long,
        Setting::Merchant if has_shop_word => names >= 2 && first_names >= 1 || initials >= 1 && names >= 1,
        Setting::Merchant => {
            in_full || shortened || unknown >= 2 || parts == 1 && names == 1 && !alone.is_possessive && is_long
        }
        // Towns have saints' and founders' names; a known town never gets here.
        Setting::City => {
            (!alone.lists.place || alone.lists.first_name) && (in_full || shortened || names >= 1 && is_long)
        }
        Setting::Prose if is_small => {
            names >= 2 || first_names >= 1 && (parts >= 2 || is_long) || names >= 1 && alone.plain.chars().count() >= 5
        }
        Setting::Prose => in_full || shortened || unknown >= 2 || names >= 1,
    }
}

/// "Mark Baker": ordinary words, and yet a first and a last name in their order.
fn is_first_and_last(words: &[Token]) -> bool {
    words.windows(2).any(|pair| {
        pair[0].lists.first_name
            && pair[1].lists.last_name
            && pair.iter().all(Token::is_capitalised)
            && !pair.iter().all(|word| word.lists.place)
    })
}

/// "Jan de Vries": a name that is something else too, before a word that is nothing else.
fn is_first_and_unknown(words: &[Token], classes: &[Class]) -> bool {
    let mut parts = words.iter().zip(classes).filter(|(_, class)| **class != Class::Particle);
    let starts = parts.next().is_some_and(|(word, class)| *class == Class::Doubtful && word.lists.first_name);
    starts && words[0].is_capitalised() && parts.next().is_some_and(|(_, class)| *class == Class::Unknown)
}

/// Whoever follows a form of address.
fn titled(text: &str, tokens: &[Token], spans: &mut Vec<Span>) {
    const WORDS_MAX: usize = 4;
    for (at, title) in tokens.iter().enumerate() {
        if !title.is_one_of(lexicon::TITLES) {
            continue;
        }
        let after = tokens.iter().skip(at + 1).take(WORDS_MAX);
        let named =
            after.take_while(|token| token.is_capitalised() || token.shape == Shape::Letter || token.lists.particle);
        let Some(last) = named.filter(|token| token.is_capitalised()).last() else { continue };
        if text[title.end..last.start].chars().all(|letter| letter.is_alphanumeric() || " .-'’".contains(letter)) {
            spans.push(Span::new(title.start..last.end, NAME));
        }
    }
}

/// `Kundenname: …`, up to the end of the clause.
fn labelled(text: &str, tokens: &[Token], spans: &mut Vec<Span>) {
    for (at, label) in tokens.iter().enumerate() {
        let is_label = label.is_one_of(lexicon::NAME_LABELS)
            || lexicon::NAME_LABEL_ENDINGS
                .iter()
                .any(|ending| label.plain.len() > ending.len() && label.plain.ends_with(ending));
        let Some(value) = tokens.get(at + 1).filter(|_| is_label) else { continue };
        let gap = &text[label.end..value.start];
        if gap.contains([':', '=']) {
            let end = text[value.start..].find([',', ';', '|', ')', '\n']).map_or(text.len(), |len| value.start + len);
            spans.push(Span::new(value.start..end, NAME));
        }
    }
}

/// `M a r i a`: single letters in a row are a word that somebody wanted to hide.
fn spelt_out(text: &str, tokens: &[Token], spans: &mut Vec<Span>) {
    const LETTERS_MIN: usize = 4;
    let mut from = 0;
    while from < tokens.len() {
        let is_next = |at: usize| {
            tokens[at].shape == Shape::Letter
                && (at == from || text[tokens[at - 1].end..tokens[at].start].chars().count() <= 2)
        };
        let len = (from..tokens.len()).take_while(|at| is_next(*at)).count();
        if len >= LETTERS_MIN {
            spans.push(Span::new(tokens[from].start..tokens[from + len - 1].end, TEXT));
        }
        from += len.max(1);
    }
}
