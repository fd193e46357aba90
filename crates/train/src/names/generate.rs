//! Generates sentences by filling the gaps of templates. The same seed gives the same sentences.

use countersign_inspect::training::names::Label;
use countersign_text::hash::SplitMix64;

use super::corpus::MarkedText;
use super::filler::Filler;

const TEMPLATES: &str = include_str!("../../texts/names_templates.txt");
const CLEAN: &str = include_str!("../../texts/names_clean.txt");
const TIMES: usize = 14;
const CLEAN_TIMES: usize = 4;

pub(crate) fn texts() -> Vec<MarkedText> {
    let mut filler = Filler::new(SplitMix64(2026));
    let lines =
        |list: &'static str| list.lines().filter(|line| !line.starts_with('#')).map(|line| line.replace("\\n", "\n"));
    let mut texts = Vec::new();
    for _ in 0..TIMES {
        texts.extend(lines(TEMPLATES).map(|line| filled(&line, &mut filler)));
    }
    for _ in 0..CLEAN_TIMES {
        texts.extend(lines(CLEAN).map(|line| filled(&line, &mut filler)));
    }
    texts
}

fn filled(template: &str, filler: &mut Filler) -> MarkedText {
    let mut text = String::new();
    let mut labels: Vec<Label> = Vec::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let is_gap = |gap: &str| gap.bytes().all(|byte| byte.is_ascii_alphanumeric() || b">?".contains(&byte));
        let Some((gap, after)) = after.split_once('}').filter(|(gap, _)| is_gap(gap)) else {
            text.push('{');
            rest = after;
            continue;
        };
        let start = text.len();
        let (filling, r#type) = filler.fill(gap);
        text.push_str(&filling);
        if let Some(r#type) = r#type {
            labels.push((start..text.len(), r#type));
        }
        rest = after;
    }
    text.push_str(rest);
    let (text, labels) = recased(text, labels, filler.below(100));
    MarkedText { text, marked: labels.clone(), labels, elsewhere: Vec::new(), template: 0 }
}

/// Changes the case of some texts: some people type only in lower case, and a few only in capitals.
fn recased(text: String, labels: Vec<Label>, percent: usize) -> (String, Vec<Label>) {
    let change: fn(&str) -> String = match percent {
        0..9 => |part| part.to_lowercase(),
        9 => |part| part.to_uppercase(),
        _ => return (text, labels),
    };
    let mut changed = String::new();
    let mut at = 0;
    let mut moved = Vec::new();
    for (range, r#type) in labels {
        changed.push_str(&change(&text[at..range.start]));
        let start = changed.len();
        changed.push_str(&change(&text[range.clone()]));
        moved.push((start..changed.len(), r#type));
        at = range.end;
    }
    changed.push_str(&change(&text[at..]));
    (changed, moved)
}
