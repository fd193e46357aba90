//! Finds names of people by their words. The inspectors' tagger reads sentences, and a merchant's name is not a
//! sentence. Most of the world's names are on no list, so a word is kept only if it is known to be harmless: an
//! ordinary word, a place, a brand, a trade.

use countersign_domain::Currency;

use super::{
    lexicon::{self, is_brand},
    span::{MaskedSpan, NAME, TEXT},
    token::{TextToken, TokenShape},
};

/// The kind of text that is searched for names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// Prose, notes, and any other text that people type.
    Prose,
    Merchant,
    City,
    /// An id such as `tx-1`, which is not prose.
    Id,
}

/// The class of a word with regard to names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordClass {
    /// Only on a list of names.
    Name {
        is_first: bool,
    },
    /// Both a name and an ordinary word or a town.
    Doubtful,
    /// On no list.
    Unknown,
    Initial,
    Particle,
    Other,
}

pub(super) fn spans(text: &str, tokens: &[TextToken], field_kind: FieldKind, spans: &mut Vec<MaskedSpan>) {
    let brands = brands(tokens, field_kind);
    let class_at = |(at, token): (usize, &TextToken)| if brands[at] { WordClass::Other } else { class(text, token) };
    let classes: Vec<WordClass> = tokens.iter().enumerate().map(class_at).collect();
    let mut at = 0;
    while at < tokens.len() {
        let len = name_len(text, tokens, &classes, at);
        if len == 0 {
            at += 1;
            continue;
        }
        let (words, kinds) = (&tokens[at..at + len], &classes[at..at + len]);
        let follows_cue =
            field_kind == FieldKind::Prose && at.checked_sub(1).is_some_and(|before| is_cue(&tokens[before]));
        if is_person(text, words, kinds) || follows_cue && is_capitalised_first_name(words) {
            spans.push(MaskedSpan::new(words[0].start..words[len - 1].end, NAME));
        }
        at += len;
    }
    titled(text, tokens, &brands, spans);
    initialled(text, tokens, spans);
    labelled(text, tokens, spans);
    spelt_out(text, tokens, spans);
}

fn is_cue(token: &TextToken) -> bool {
    token.is_one_of(lexicon::CUES)
}

/// Whether words after a cue start with a first name: "Grace" in "for Grace". Without a cue, as in "Grace period", it may be an
/// ordinary word.
fn is_capitalised_first_name(words: &[TextToken]) -> bool {
    let name = &words[0];
    let is_first = name.lists.first_name || name.own_lists.is_first_name;
    is_first && name.is_capitalised() && !name.lists.thing && !name.lists.place
}

/// Whether the words in this range, which the inspectors' tagger takes for a person, can be a name.
pub(super) fn is_plausible(tokens: &[TextToken], start: usize, end: usize, field_kind: FieldKind) -> bool {
    let brands = brands(tokens, field_kind);
    let inside = || tokens.iter().enumerate().filter(|(_, token)| token.start < end && token.end > start);
    if inside().next().is_some() && inside().all(|(at, _)| brands[at]) {
        return false;
    }
    let is_harmless = |token: &TextToken| token.own_lists.is_shop || token.lists.organisation;
    match field_kind {
        FieldKind::Prose => {
            let is_plain = |token: &TextToken| {
                let is_foreign = token.own_lists.is_ordinary && !token.own_lists.is_first_name;
                let is_ordinary =
                    token.lists.ordinary && !token.lists.first_name && token.shape == TokenShape::LowerCase;
                is_ordinary || is_foreign || token.lists.thing || token.shape == TokenShape::Letter
            };
            !inside().all(|(_, token)| is_plain(token))
        }
        FieldKind::Merchant => {
            let words = inside().filter(|(_, token)| token.is_word()).count();
            words > 1 && !tokens.iter().any(is_harmless) && inside().any(|(_, token)| !token.lists.ordinary)
        }
        FieldKind::City | FieldKind::Id => false,
    }
}

/// The tokens that belong to a brand's name. A brand of one word that is also a person's name only counts in a shop's
/// name, and only if no other name is next to it.
fn brands(tokens: &[TextToken], field_kind: FieldKind) -> Vec<bool> {
    const WORDS_MAX: usize = 5;
    let is_namelike = |token: Option<&TextToken>| {
        token.is_some_and(|token| {
            token.is_name()
                || token.shape == TokenShape::Letter
                || token.own_lists.is_last_name && token.is_capitalised()
                || token.is_word() && !token.is_known()
        })
    };
    let mut found = vec![false; tokens.len()];
    for from in 0..tokens.len() {
        let mut name = String::new();
        for (at, token) in tokens.iter().enumerate().skip(from).take(WORDS_MAX) {
            if at > from {
                name.push(' ');
            }
            name.push_str(&token.plain);
            if token.is_possessive && is_brand(&format!("{name}s")) {
                found[from..=at].fill(true);
            }
            let is_doubtful = at == from && (token.is_name() || token.own_lists.is_first_name);
            let is_next_to_name = is_namelike(from.checked_sub(1).and_then(|before| tokens.get(before)))
                || is_namelike(tokens.get(at + 1));
            if is_brand(&name) && !(is_doubtful && (is_next_to_name || field_kind == FieldKind::Prose)) {
                found[from..=at].fill(true);
            }
        }
    }
    found
}

fn class(text: &str, token: &TextToken) -> WordClass {
    const LETTERS_MIN: usize = 3;
    let lists = token.lists;
    if !token.is_word() {
        return WordClass::Other;
    }
    if token.shape == TokenShape::Letter {
        let letter = &text[token.start..token.end];
        return if letter.chars().any(char::is_uppercase) { WordClass::Initial } else { WordClass::Other };
    }
    if lists.particle && !(token.shape == TokenShape::Capitalised && token.is_name()) {
        return WordClass::Particle;
    }
    if token.is_name() {
        let is_doubtful = lists.ordinary || lists.place || lists.thing || lists.organisation || token.own_lists.is_shop;
        return if is_doubtful { WordClass::Doubtful } else { WordClass::Name { is_first: lists.first_name } };
    }
    if token.is_known() {
        let is_also_name = token.is_capitalised() && (token.own_lists.is_first_name || token.own_lists.is_last_name);
        return if is_also_name { WordClass::Doubtful } else { WordClass::Other };
    }
    if is_joined_name(token) {
        return WordClass::Name { is_first: true };
    }
    // Other scripts are masked elsewhere, and labels are not names.
    if is_name_label(token) || !text[token.start..token.end].chars().all(is_latin) {
        return WordClass::Other;
    }
    let letters = token.plain.chars().count();
    let is_code = token.shape == TokenShape::UpperCase && token.plain.parse::<Currency>().is_ok();
    let is_short = letters < LETTERS_MIN && token.shape != TokenShape::Capitalised;
    if is_code || is_short { WordClass::Other } else { WordClass::Unknown }
}

/// Whether a word is a first and a last name in one: `mariagonzalez`.
fn is_joined_name(token: &TextToken) -> bool {
    const PART_MIN: usize = 4;
    let word = &token.plain;
    if word.len() < 2 * PART_MIN || !word.is_ascii() || token.lists.ordinary {
        return false;
    }
    let is_only_name = |lists: countersign_inspect::WordLists| !lists.ordinary && !lists.thing;
    (PART_MIN..=word.len() - PART_MIN).any(|at| {
        let (first, last) = word.split_at(at);
        let (first, last) = (countersign_inspect::word_lists(first), countersign_inspect::word_lists(last));
        first.first_name && last.last_name && is_only_name(first) && is_only_name(last)
    })
}

/// How many words, starting at this one, could form one name.
fn name_len(text: &str, tokens: &[TextToken], classes: &[WordClass], from: usize) -> usize {
    const WORDS_MAX: usize = 6;
    if matches!(classes[from], WordClass::Other | WordClass::Particle) {
        return 0;
    }
    let mut len = 1;
    for at in from + 1..tokens.len().min(from + WORDS_MAX) {
        let gap = &text[tokens[at - 1].end..tokens[at].start];
        let joins = gap.chars().count() <= 3 && gap.chars().all(|mark| " .-_',’·/+".contains(mark));
        if !joins || classes[at] == WordClass::Other || tokens[at - 1].is_possessive {
            break;
        }
        if classes[at] != WordClass::Particle {
            len = at - from + 1;
        }
    }
    len
}

fn is_person(text: &str, words: &[TextToken], classes: &[WordClass]) -> bool {
    let count = |wanted: fn(&WordClass) -> bool| classes.iter().filter(|class| wanted(class)).count();
    let names = count(|class| matches!(class, WordClass::Name { .. }));
    let doubtful = count(|class| *class == WordClass::Doubtful);
    let unknown = count(|class| *class == WordClass::Unknown);
    let initials = count(|class| *class == WordClass::Initial);
    let is_lower_case = words.iter().all(|word| matches!(word.shape, TokenShape::LowerCase | TokenShape::Letter));
    let with_dot = words.iter().any(|word| word.shape == TokenShape::Letter && text[word.end..].starts_with('.'));
    let has_initial = initials >= 1 && doubtful >= 1 && (with_dot || !is_lower_case);
    let is_short_name = is_lower_case && words.iter().all(|word| word.plain.chars().count() < 4);
    unknown >= 1 || names >= 1 && !is_short_name || has_initial || is_first_and_last(text, words)
}

/// Whether ordinary words form a first and a last name: "Mark Baker", "Baker, Mark".
fn is_first_and_last(text: &str, words: &[TextToken]) -> bool {
    let is_first = |word: &TextToken| word.lists.first_name || word.own_lists.is_first_name;
    let is_last = |word: &TextToken| word.lists.last_name || word.own_lists.is_last_name;
    words.windows(2).any(|pair| {
        let (one, two) = (&pair[0], &pair[1]);
        let is_reversed = text[one.end..two.start].contains(',') && is_last(one) && is_first(two);
        (is_first(one) && is_last(two) || is_reversed)
            && pair.iter().all(TextToken::is_capitalised)
            && !pair.iter().all(|word| word.lists.place)
            && !pair.iter().all(|word| word.lists.thing && !word.own_lists.is_first_name)
    })
}

/// Masks names after titles.
fn titled(text: &str, tokens: &[TextToken], brands: &[bool], spans: &mut Vec<MaskedSpan>) {
    const WORDS_MAX: usize = 4;
    for (at, title) in tokens.iter().enumerate() {
        if brands[at] || !title.is_one_of(lexicon::TITLES) {
            continue;
        }
        let after = tokens.iter().skip(at + 1).take(WORDS_MAX);
        let named = after
            .take_while(|token| token.is_capitalised() || token.shape == TokenShape::Letter || token.lists.particle);
        let Some(last) = named.filter(|token| token.is_capitalised()).last() else { continue };
        if text[title.end..last.start].chars().all(|letter| letter.is_alphanumeric() || " .-'’".contains(letter)) {
            spans.push(MaskedSpan::new(title.start..last.end, NAME));
        }
    }
}

/// `J. Q. Public`: masks a capitalised word after initials, whatever other meaning it has, and three or more initials
/// alone.
fn initialled(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    const INITIALS_MIN: usize = 3;
    let is_initial = |token: &&TextToken| {
        let is_letter = token.shape == TokenShape::Letter && text[token.start..].starts_with(char::is_uppercase);
        is_letter && text[token.end..].starts_with('.')
    };
    let mut from = 0;
    while from < tokens.len() {
        let len = tokens[from..].iter().take_while(is_initial).count();
        if len == 0 {
            from += 1;
            continue;
        }
        let last = &tokens[from + len - 1];
        let name = tokens.get(from + len).filter(|name| name.is_capitalised() && name.start - last.end <= 2);
        let is_country = len == INITIALS_MIN && tokens[from].is_one_of(&["u"]);
        if let Some(name) = name {
            spans.push(MaskedSpan::new(tokens[from].start..name.end, NAME));
        } else if len >= INITIALS_MIN && !is_country {
            spans.push(MaskedSpan::new(tokens[from].start..last.end, NAME));
        }
        from += len;
    }
}

fn is_name_label(token: &TextToken) -> bool {
    let has_ending = |ending: &str| token.plain.len() > ending.len() && token.plain.ends_with(ending);
    token.is_one_of(lexicon::NAME_LABELS) || lexicon::NAME_LABEL_ENDINGS.iter().any(|ending| has_ending(ending))
}

/// Whether a letter is of the script that the name lists cover.
pub(super) fn is_latin(letter: char) -> bool {
    letter.is_ascii() || matches!(letter, 'ª' | 'º' | 'À'..='ɏ' | 'Ḁ'..='ỿ')
}

/// `Kundenname: …`: masks the value up to the end of the clause.
fn labelled(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    for (at, label) in tokens.iter().enumerate() {
        let Some(value) = tokens.get(at + 1).filter(|_| is_name_label(label)) else { continue };
        let gap = &text[label.end..value.start];
        if gap.contains([':', '=']) {
            let end = text[value.start..].find([',', ';', '|', ')', '\n']).map_or(text.len(), |len| value.start + len);
            spans.push(MaskedSpan::new(value.start..end, NAME));
        }
    }
}

/// `M a r i a`: masks a row of single letters, because they spell a hidden word.
fn spelt_out(text: &str, tokens: &[TextToken], spans: &mut Vec<MaskedSpan>) {
    const LETTERS_MIN: usize = 4;
    let mut from = 0;
    while from < tokens.len() {
        let is_next = |at: usize| {
            tokens[at].shape == TokenShape::Letter
                && (at == from || text[tokens[at - 1].end..tokens[at].start].chars().count() <= 2)
        };
        let len = (from..tokens.len()).take_while(|at| is_next(*at)).count();
        if len >= LETTERS_MIN {
            spans.push(MaskedSpan::new(tokens[from].start..tokens[from + len - 1].end, TEXT));
        }
        from += len.max(1);
    }
}
