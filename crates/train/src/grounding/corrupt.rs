//! Makes unsupported texts from supported ones by planting mistakes like those of models and annotators.

use countersign_text::hash::SplitMix64;

pub(crate) const CLAUSES: &str = include_str!("../../texts/grounding_clauses.txt");
pub(crate) const SENTENCES: &str = include_str!("../../texts/grounding_sentences.txt");
const OPPOSITES: &str = include_str!("../../../inspect/src/grounding/lists/opposites.txt");

pub(crate) fn lines(list: &'static str) -> Vec<&'static str> {
    list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

pub(crate) fn pick_one<'a, T: ?Sized>(items: &[&'a T], chance: &mut SplitMix64) -> Option<&'a T> {
    items.get(chance.below(items.len())).copied()
}

/// The material for mistakes.
pub(crate) struct Mistakes {
    clauses: Vec<&'static str>,
    sentences: Vec<&'static str>,
    opposites: Vec<Vec<Vec<&'static str>>>,
    /// Names and sentences from other texts.
    names: Vec<String>,
    elsewhere: Vec<String>,
}

impl Mistakes {
    pub(crate) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let opposites = lines(OPPOSITES)
            .into_iter()
            .map(|line| line.split('|').map(|side| side.split_whitespace().collect()).collect());
        let mut all = Self {
            clauses: lines(CLAUSES),
            sentences: lines(SENTENCES),
            opposites: opposites.collect(),
            names: Vec::new(),
            elsewhere: Vec::new(),
        };
        for text in texts {
            let words: Vec<&str> = text.split_whitespace().collect();
            all.names.extend(
                words
                    .windows(2)
                    .filter(|pair| is_name(pair[1]) && !pair[0].ends_with('.'))
                    .map(|pair| bare(pair[1]).to_owned()),
            );
            all.elsewhere.extend(
                text.split_inclusive(". ").filter(|s| (40..300).contains(&s.len())).map(|s| s.trim().to_owned()),
            );
        }
        all
    }

    /// Makes one or more mistakes in the text; returns `None` if nothing could be changed.
    pub(crate) fn corrupted(&self, text: &str, chance: &mut SplitMix64) -> Option<String> {
        let long = text.len() > 350;
        let mut result = None;
        let times = 1 + chance.below(if long { 3 } else { 2 });
        for _ in 0..times {
            for _ in 0..4 {
                let from = result.as_deref().unwrap_or(text);
                if let Some(changed) = self.mistake(from, chance) {
                    result = Some(changed);
                    break;
                }
            }
        }
        result.filter(|changed| changed != text)
    }

    fn mistake(&self, text: &str, chance: &mut SplitMix64) -> Option<String> {
        match chance.below(12) {
            0 | 1 => self.clause(text, chance),
            2 => insert_sentence(text, pick_one(&self.sentences, chance)?, chance),
            3 => insert_sentence(text, self.elsewhere.get(chance.below(self.elsewhere.len()))?, chance),
            4 | 5 => number(text, chance),
            6 | 7 => self.name(text, chance),
            8 | 9 => self.opposite(text, chance),
            10 => negation(text, chance),
            _ => modality(text, chance),
        }
    }

    fn clause(&self, text: &str, chance: &mut SplitMix64) -> Option<String> {
        let ends: Vec<usize> =
            text.match_indices(". ").map(|(at, _)| at).chain(text.ends_with('.').then(|| text.len() - 1)).collect();
        let at = *ends.get(chance.below(ends.len()))?;
        Some(format!("{}{}{}", &text[..at], pick_one(&self.clauses, chance)?, &text[at..]))
    }

    fn name(&self, text: &str, chance: &mut SplitMix64) -> Option<String> {
        let to = self.names.get(chance.below(self.names.len()))?;
        replace(text, chance, |before, word| {
            (before.is_some_and(|b| !b.ends_with(['.', ':', '!', '?'])) && is_name(word)).then(|| to.clone())
        })
    }

    fn opposite(&self, text: &str, chance: &mut SplitMix64) -> Option<String> {
        let pick = chance.next();
        replace(text, chance, |_, word| {
            let (stem, ending) = split_ending(word);
            let line = self.opposites.iter().find(|line| line.iter().any(|side| side.contains(&stem.as_str())))?;
            let own = line.iter().position(|side| side.contains(&stem.as_str()))?;
            let side =
                line.iter().enumerate().filter(|(n, _)| *n != own).nth(pick as usize % (line.len() - 1).max(1))?.1;
            let to = side.get((pick >> 32) as usize % side.len().max(1))?;
            Some(inflected(to, ending))
        })
    }
}

/// Replaces a randomly chosen word for which `put` offers a replacement.
fn replace(text: &str, chance: &mut SplitMix64, put: impl Fn(Option<&str>, &str) -> Option<String>) -> Option<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let found: Vec<(usize, String)> = words
        .iter()
        .enumerate()
        .filter_map(|(at, word)| {
            Some((at, put(at.checked_sub(1).map(|before| words[before]), bare(word)).filter(|to| to != bare(word))?))
        })
        .collect();
    let (at, to) = found.get(chance.below(found.len()))?;
    let new = words[*at].replacen(bare(words[*at]), to, 1);
    let changed: Vec<&str> =
        words.iter().enumerate().map(|(n, word)| if n == *at { new.as_str() } else { word }).collect();
    Some(changed.join(" "))
}

fn insert_sentence(text: &str, sentence: &str, chance: &mut SplitMix64) -> Option<String> {
    let ends: Vec<usize> = text.match_indices(". ").map(|(at, _)| at + 1).chain([text.len()]).collect();
    let at = *ends.get(chance.below(ends.len()))?;
    Some(format!("{} {sentence}{}", &text[..at], &text[at..]))
}

fn number(text: &str, chance: &mut SplitMix64) -> Option<String> {
    let step = 1 + chance.below(9) as u64;
    replace(text, chance, |_, word| {
        let at = word.rfind(|c: char| c.is_ascii_digit())?;
        let from = word[..=at].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |at| at + 1);
        let digits = &word[from..=at];
        let value: u64 = digits.get(digits.len().saturating_sub(2)..)?.parse().ok()?;
        let kept = &digits[..digits.len().saturating_sub(2)];
        Some(format!(
            "{}{kept}{}{}",
            &word[..from],
            (value + step) % if digits.len() > 1 { 100 } else { 10 },
            &word[at + 1..]
        ))
    })
}

fn negation(text: &str, chance: &mut SplitMix64) -> Option<String> {
    let add = chance.below(2) == 0;
    replace(text, chance, |_, word| match word {
        "is" | "was" | "are" | "were" | "can" | "will" | "could" | "should" | "has" | "have" if add => {
            Some(format!("{word} not"))
        }
        "not" if !add => Some("also".to_owned()),
        "with" if !add => Some("without".to_owned()),
        _ => None,
    })
}

fn modality(text: &str, chance: &mut SplitMix64) -> Option<String> {
    replace(text, chance, |_, word| {
        let to = match word {
            "may" | "might" | "could" => "will",
            "will" => "may",
            "some" | "several" | "many" => "all",
            "all" | "every" | "each" => "some",
            "can" => "must",
            "must" => "may",
            "often" | "sometimes" | "usually" => "always",
            "always" => "rarely",
            "both" => "neither",
            "only" => "mostly",
            _ => return None,
        };
        Some(to.to_owned())
    })
}

/// The byte ranges of `text` whose words are not in `original`, according to their longest common subsequence;
/// neighbouring words are joined.
pub(crate) fn changed(original: &str, text: &str) -> Vec<(usize, usize)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (original.split_whitespace().collect(), text.split_whitespace().collect());
    let mut longest = vec![vec![0_u16; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            longest[i][j] =
                if old[i] == new[j] { longest[i + 1][j + 1] + 1 } else { longest[i + 1][j].max(longest[i][j + 1]) };
        }
    }
    let (mut i, mut wrong) = (0, Vec::new());
    for (j, word) in new.iter().enumerate() {
        while i < old.len()
            && old[i] != *word
            && longest[i + 1][j] >= longest[i][j + 1]
            && longest[i + 1][j] == longest[i][j]
        {
            i += 1;
        }
        if i < old.len() && old[i] == *word {
            i += 1;
        } else {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            let end = start + word.len();
            match wrong.last_mut() {
                Some((_, last)) if start - *last <= 1 => *last = end,
                _ => wrong.push((start, end)),
            }
        }
    }
    wrong
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_name(word: &str) -> bool {
    let word = bare(word);
    word.len() > 3 && word.starts_with(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase)
}

/// Splits a word into a stem and a simple ending.
fn split_ending(word: &str) -> (String, &'static str) {
    let lower = word.to_lowercase();
    for ending in ["ing", "ed", "es", "s", "d"] {
        if let Some(stem) = lower.strip_suffix(ending).filter(|stem| stem.len() > 3) {
            return (stem.to_owned(), ending);
        }
    }
    (lower, "")
}

fn inflected(word: &str, ending: &str) -> String {
    match (word.strip_suffix('e'), ending) {
        (Some(stem), "ing" | "ed" | "es") => format!("{stem}{ending}"),
        (None, "es") => format!("{word}s"),
        (None, "d") => format!("{word}ed"),
        _ => format!("{word}{ending}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_words_are_marked() {
        let marked = |old, new: &'static str| changed(old, new).iter().map(|&(a, b)| &new[a..b]).collect::<Vec<_>>();
        assert_eq!(marked("a b c d", "a b x y c d"), ["x y"]);
        assert_eq!(marked("a b c d", "a q c d e"), ["q", "e"]);
        assert!(marked("a b", "a b").is_empty());
    }

    #[test]
    fn a_mistake_changes_the_text_reproducibly() {
        let text = "Prices may rise by 12 percent in Berlin. Ann was there and she will increase the budget.";
        let mistakes = Mistakes::new(
            ["In April the mayor of Lisbon met Carol Weaver at noon. Nobody came to see them."].into_iter(),
        );
        for seed in 0..60 {
            let made = mistakes.corrupted(text, &mut SplitMix64(seed));
            assert_eq!(made, mistakes.corrupted(text, &mut SplitMix64(seed)));
            assert!(made.is_some_and(|made| made != text), "{seed}");
        }
    }
}
