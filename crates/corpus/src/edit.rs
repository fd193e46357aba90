//! Lies made by editing a true sentence: changing a digit, a date, a currency, a severity or an identifier, or taking a
//! sentence of another case. Each edit makes sure that the result is not accidentally true.

use countersign_domain::Section;
use countersign_text::numbers::with_thousands;

use crate::{
    case::{CorpusCase, bare, numbers},
    chance::Chance,
    compose::sentences,
    format,
};

/// A section with one sentence rewritten: the index of the sentence, and its new text.
pub(crate) struct EditedSentence {
    pub(crate) at: usize,
    pub(crate) sentence: String,
}

/// Tries to make the named edit in one sentence of a section. `other` is another case of the corpus.
pub(crate) fn edit(
    name: &str,
    case: &CorpusCase,
    other: &CorpusCase,
    section: Section,
    chance: &mut Chance,
) -> Option<EditedSentence> {
    let parts = sentences(case.text(section));
    let mut order: Vec<usize> = (0..parts.len()).collect();
    chance.shuffle(&mut order);
    order.into_iter().find_map(|at| {
        let sentence = parts.get(at)?;
        let rewritten = match name {
            "digit" => digit(sentence, case, chance),
            "scale" => scale(sentence, case, chance),
            "date" => date(sentence, case, chance),
            "currency" => currency(sentence, case),
            "severity" => severity(sentence, case),
            "identifier" => identifier(sentence, case, chance),
            "other_case" => other_case(case, other, section, chance),
            _ => None,
        }?;
        (rewritten != **sentence).then_some(EditedSentence { at, sentence: rewritten })
    })
}

/// The byte ranges of all numbers that are not part of an identifier.
fn number_ranges(sentence: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    let mut is_quoted = false;
    for (at, c) in sentence.char_indices().chain([(sentence.len(), ' ')]) {
        if c == '`' {
            is_quoted = !is_quoted;
        }
        let is_part = !is_quoted && (c.is_ascii_digit() || (start.is_some() && (c == ',' || c == '.')));
        match (is_part, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let number = sentence[from..at].trim_end_matches(['.', ',']);
                found.push((from, from + number.len()));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn replaced(sentence: &str, (from, to): (usize, usize), with: &str) -> String {
    format!("{}{with}{}", &sentence[..from], &sentence[to..])
}

fn digit(sentence: &str, case: &CorpusCase, chance: &mut Chance) -> Option<String> {
    let place = *chance.pick(&number_ranges(sentence))?;
    let number = &sentence[place.0..place.1];
    let digits: Vec<usize> = number.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(at, _)| at).collect();
    let at = *chance.pick(&digits)?;
    let old = number.as_bytes().get(at)? - b'0';
    let new = (old + u8::try_from(chance.between(1, 9)).ok()?) % 10;
    let is_leading_zero = at == 0 && new == 0;
    let changed = format!("{}{new}{}", &number[..at], &number[at + 1..]);
    (!is_leading_zero && !case.has_number(&changed)).then(|| replaced(sentence, place, &changed))
}

fn scale(sentence: &str, case: &CorpusCase, chance: &mut Chance) -> Option<String> {
    let found: Vec<(usize, usize)> = number_ranges(sentence)
        .into_iter()
        .filter(|(from, to)| to - from >= 3 && !is_year(&sentence[*from..*to]))
        .collect();
    let place = *chance.pick(&found)?;
    let number = bare(&sentence[place.0..place.1]);
    let (whole, decimals) = number.split_once('.').map_or((number.as_str(), ""), |(whole, rest)| (whole, rest));
    let whole =
        if chance.below(2) == 0 { format!("{whole}0") } else { whole.get(..whole.len().checked_sub(1)?)?.to_owned() };
    if whole.is_empty() {
        return None;
    }
    let decimals = if decimals.is_empty() { String::new() } else { format!(".{decimals}") };
    let changed = format!("{}{decimals}", with_thousands(&whole));
    (!case.has_number(&changed)).then(|| replaced(sentence, place, &changed))
}

fn is_year(number: &str) -> bool {
    number.len() == 4 && number.starts_with("20")
}

/// Changes a date such as `1 March 2026` to a day that no date of the case has.
fn date(sentence: &str, case: &CorpusCase, chance: &mut Chance) -> Option<String> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let at = (1..words.len().saturating_sub(1)).find(|at| {
        let is_day = words.get(at - 1).is_some_and(|day| day.parse::<u8>().is_ok());
        is_day && words.get(*at).is_some_and(|word| format::month_index(word).is_some())
    })?;
    let (day, month) = (words.get(at - 1)?.parse::<usize>().ok()?, format::month_index(words.get(at)?)?);
    let year = words.get(at + 1)?;
    let rest = year.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: usize = year.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
    let (day, month, number) = match chance.below(3) {
        0 => (day % 28 + 1, month, number),
        1 => (day, month + 1, number),
        _ => (day, month, number - 1),
    };
    let changed = format!("{day} {} {number}", format::month_name(month));
    let iso = format!("{number}-{:02}-{day:02}t", month % 12 + 1);
    if case.mentions(&iso) || case.texts.iter().any(|text| text.contains(&changed)) {
        return None;
    }
    let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    words.splice(at - 1..=at + 1, [format!("{changed}{rest}")]);
    Some(words.join(" "))
}

fn currency(sentence: &str, case: &CorpusCase) -> Option<String> {
    let (actual, wrong) = (case.placeholder("currency")?, case.placeholder("wrong_currency")?);
    sentence.contains(&format!("{actual} ")).then(|| sentence.replacen(actual, wrong, 1))
}

fn severity(sentence: &str, case: &CorpusCase) -> Option<String> {
    let (actual, wrong) = (case.placeholder("severity")?, case.placeholder("wrong_severity")?);
    sentence.contains(actual).then(|| sentence.replacen(actual, wrong, 1))
}

fn identifier(sentence: &str, case: &CorpusCase, chance: &mut Chance) -> Option<String> {
    let from = sentence.find('`')?;
    let to = from + 1 + sentence[from + 1..].find('`')?;
    let id = &sentence[from + 1..to];
    let places: Vec<usize> = id.char_indices().filter(|(_, c)| c.is_ascii_alphanumeric()).map(|(at, _)| at).collect();
    let at = *chance.pick(&places)?;
    let old = id[at..].chars().next()?;
    let new = if old.is_ascii_digit() {
        if old == '9' { '2' } else { '9' }
    } else if old == 'b' {
        'd'
    } else {
        'b'
    };
    let changed = format!("{}{new}{}", &id[..at], &id[at + 1..]);
    (!case.mentions(&changed)).then(|| format!("{}{changed}{}", &sentence[..=from], &sentence[to..]))
}

/// A sentence of another case's report, with a number that this case does not have.
fn other_case(case: &CorpusCase, other: &CorpusCase, section: Section, chance: &mut Chance) -> Option<String> {
    let candidates: Vec<&str> = sentences(other.text(section))
        .into_iter()
        .filter(|sentence| !sentence.contains('`') && numbers(sentence).iter().any(|number| !case.has_number(number)))
        .collect();
    chance.pick(&candidates).map(|sentence| (*sentence).to_owned())
}
