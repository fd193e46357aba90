//! Our own texts, generated from templates: a slot such as `{groups}` is filled from a list, randomly but reproducibly.
//!
//! In a template file, "= name target weight" opens a set (the weight is that of each template, shared by its texts);
//! other lines are templates. `\n` in a template is a line break.

use std::collections::BTreeMap;

use countersign_inspect::training::toxicity::entries;
use countersign_text::hash::SplitMix64;

const SLOTS: &str = include_str!("../../texts/toxicity/slots.txt");
const SETS: &[&str] = &[
    include_str!("../../texts/toxicity/functional.txt"),
    include_str!("../../texts/toxicity/moderation.txt"),
    include_str!("../../texts/toxicity/harmless.txt"),
];
/// The number of texts generated from a template with slots.
const FILLINGS: usize = 10;

pub(crate) struct TemplateText {
    pub(crate) set: &'static str,
    pub(crate) template: usize,
    pub(crate) text: String,
    pub(crate) target: f32,
    pub(crate) weight: f32,
}

pub(crate) fn all() -> impl Iterator<Item = TemplateText> {
    let mut slots: BTreeMap<&str, Vec<&str>> = SLOTS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(':'))
        .map(|(name, values)| (name, values.split('|').map(str::trim).collect()))
        .collect();
    for (slot, class) in [
        ("slur", "slur+n"),
        ("slurs", "slur"),
        ("sexhard", "sexhard+n"),
        ("sexcore", "sexcore+n"),
        ("sexmild", "sexmild+n"),
    ] {
        slots.insert(slot, entries(class).collect());
    }
    let mut texts = Vec::new();
    let mut head = ("", 0.0, 0.0);
    let lines = SETS.iter().flat_map(|set| set.lines()).filter(|line| !line.is_empty() && !line.starts_with('#'));
    for (template, line) in lines.enumerate() {
        if let Some(opened) = line.strip_prefix("= ") {
            let mut parts = opened.split_whitespace();
            let name = parts.next().unwrap_or_default();
            let mut number = || parts.next().and_then(|part| part.parse().ok()).unwrap_or(1.0);
            head = (name, number(), number());
            continue;
        }
        let count = if line.contains('{') { FILLINGS } else { 1 };
        let mut chance = SplitMix64(template as u64);
        for _ in 0..count {
            let text = filled(line, &slots, &mut chance).replace("\\n", "\n");
            texts.push(TemplateText { set: head.0, template, text, target: head.1, weight: head.2 / count as f32 });
        }
    }
    texts.into_iter()
}

fn filled(template: &str, slots: &BTreeMap<&str, Vec<&str>>, chance: &mut SplitMix64) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        text.push_str(before);
        let values = slots.get(name).map_or(&[][..], Vec::as_slice);
        let value = values.get(chance.below(values.len())).copied().unwrap_or(name);
        let opens_sentence = text.trim_end().is_empty() || text.trim_end().ends_with(['.', '!', '?', '"']);
        let mut letters = value.chars();
        match letters.next().filter(|_| opens_sentence) {
            Some(first) => text.extend(first.to_uppercase().chain(letters)),
            None => text.push_str(value),
        }
        rest = after;
    }
    text + rest
}
