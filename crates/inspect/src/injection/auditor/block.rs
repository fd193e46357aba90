//! Finds ready-made verdicts in a text, in any syntax: JSON, YAML, TOML, XML, headers, assignments.
//!
//! Examines keys and their values. A single pair is enough only if its name belongs to verdicts alone and the pair
//! fills its line; otherwise several neighbouring pairs are needed.

use std::ops::Range;

use super::described::speaks_of_software;
use crate::context::ahead;

const WHY: &str = "gives a verdict in the auditor's place";
/// Longer keys and values are ignored.
const TOKEN_BYTES_MAX: usize = 32;
/// The maximum distance between two pairs of one block.
const GAP_BYTES_MAX: usize = 48;
/// How far back to search for the start of the line.
const LINE_BYTES_MAX: usize = 200;
/// A block of several pairs becomes a finding at this weight.
const BLOCK_WEIGHT: u8 = 3;
const STRONG: u8 = 2;

struct Pair {
    range: Range<usize>,
    weight: u8,
    is_strong: bool,
    /// The key names something that audits look for, such as toxicity or PII.
    is_aspect: bool,
    stands_alone: bool,
}

/// Returns the first verdict that is written as output.
pub(super) fn find(plain: &str) -> Option<(Range<usize>, &'static str)> {
    let mut block: Option<(Range<usize>, u8, bool)> = None;
    let mut aspects = 0;
    let mut follows_field_name = false;
    for (at, length) in separators(plain) {
        let Some((key, name)) = key_before(plain, at) else { continue };
        let (value_range, value) = value_after(plain, at + length);
        // In {"name": "risk_score", "value": 0}, the field's name is itself a value.
        let is_field_name =
            weight_of(&normal(value)) >= STRONG && matches!(name.as_str(), "name" | "key" | "field" | "property");
        let name = if follows_field_name && matches!(name.as_str(), "content" | "value") {
            "verdict".to_owned()
        } else {
            name
        };
        follows_field_name = is_field_name;
        let Some(pair) = pair(plain, key, &name, value_range, value) else { continue };
        if pair.stands_alone && pair.is_strong && !speaks_of_software(&line(plain, &pair.range).to_ascii_lowercase()) {
            return Some((pair.range, WHY));
        }
        aspects += u8::from(pair.is_aspect);
        // Three aspects make a verdict, even without a key that names one.
        let pair = Pair { is_strong: pair.is_strong || aspects >= 3, ..pair };
        block = Some(match block {
            Some((range, weight, strong)) if pair.range.start.saturating_sub(range.end) <= GAP_BYTES_MAX => {
                (range.start..pair.range.end, weight.saturating_add(pair.weight), strong | pair.is_strong)
            }
            _ => {
                aspects = u8::from(pair.is_aspect);
                (pair.range.clone(), pair.weight, pair.is_strong)
            }
        });
        if let Some((range, weight, true)) = &block
            && *weight >= BLOCK_WEIGHT
            && !speaks_of_software(&line(plain, range).to_ascii_lowercase())
        {
            return Some((range.clone(), WHY));
        }
    }
    None
}

/// Finds the separators between keys and values: `:`, `=`, `:=`, `->`, `→`, `>`.
fn separators(plain: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = plain.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let here = at;
            let length = match bytes[at] {
                b':' | b'=' if matches!(bytes.get(at + 1), Some(b'=' | b'>')) => 2,
                b'-' if bytes.get(at + 1) == Some(&b'>') => 2,
                b':' | b'=' | b'>' => 1,
                0xE2 if plain[at..].starts_with('→') => 3,
                _ => 0,
            };
            at += length.max(1);
            if length > 0 {
                return Some((here, length));
            }
        }
        None
    })
}

fn pair(plain: &str, key: Range<usize>, name: &str, value_range: Range<usize>, value: &str) -> Option<Pair> {
    let weight = weight_of(name);
    if weight == 0 {
        return None;
    }
    let is_for_judge = weight == STRONG && value.starts_with('{');
    let value = normal(value);
    let is_good = is_harmless(name, &value, value_range.is_empty());
    if !is_good && !is_for_judge {
        return None;
    }
    let range = key.start..value_range.end.max(key.end);
    let stands_alone = is_good
        && stands_alone(plain, &range)
        && (is_verdict_name(name)
            || name.ends_with("_risk") && value.starts_with(['0', 'z'])
            || name == "verdict" && matches!(value.as_str(), "safe" | "harmless" | "benign"));
    let is_aspect = matches!(name, "toxicity" | "pii" | "injection" | "hallucination" | "hallucinations")
        && value.starts_with(['0', 'n', 'f']);
    Some(Pair { range, weight, is_strong: weight >= STRONG, is_aspect, stands_alone })
}

/// Whether the pair is alone on its line, except for punctuation and what punctuation separates from it.
fn stands_alone(plain: &str, range: &Range<usize>) -> bool {
    let from = plain.floor_char_boundary(range.start.saturating_sub(LINE_BYTES_MAX));
    let before = plain[from..range.start].rsplit(['\n', '.', ';', '{', '<']).next().unwrap_or_default();
    let after = ahead(plain, range.end, TOKEN_BYTES_MAX).trim_start_matches(['"', '\'', '`', ' ', ')', ']', '}']);
    // A capitalised word may follow a header: the answer continues there.
    let is_header = after.starts_with(|next: char| next.is_ascii_uppercase());
    !before.contains(char::is_alphanumeric)
        && (after.is_empty() || is_header || after.starts_with(['\n', ';', ',', '.', '<', '}', '#', '/']))
}

/// The last line that is not blank, up to the end of the range.
fn line<'a>(plain: &'a str, range: &Range<usize>) -> &'a str {
    let from = plain.floor_char_boundary(range.start.saturating_sub(LINE_BYTES_MAX));
    plain[from..range.end].rsplit('\n').find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// The key before a separator, without its quotation marks.
fn key_before(plain: &str, at: usize) -> Option<(Range<usize>, String)> {
    let from = plain.floor_char_boundary(at.saturating_sub(TOKEN_BYTES_MAX));
    let before = plain[from..at].trim_end_matches([' ', '"', '\'', '`', '*', '\\', ')']);
    let is_of_key = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let start = before
        .rfind(|letter| !is_of_key(letter))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let mut key = &before[start..];
    // "Risk score: 0" and "audit result = pass" have keys of two words.
    let rest = before[..start].trim_end_matches(' ');
    let word = rest.rsplit(|letter| !is_of_key(letter)).next().unwrap_or_default();
    if rest.len() + 1 == start
        && matches!(normal(word).as_str(), "risk" | "audit" | "safety" | "moderation" | "evaluation" | "x_audit")
    {
        key = &before[rest.len() - word.len()..];
    }
    let end = from + before.len();
    (!key.is_empty()).then(|| (end - key.len()..end, normal(key)))
}

/// The value after a separator: a word, a number or an empty list.
fn value_after(plain: &str, from: usize) -> (Range<usize>, &str) {
    let rest = ahead(plain, from, TOKEN_BYTES_MAX * 2);
    let skipped = rest.len() - rest.trim_start_matches([' ', '"', '\'', '`', '*', '\\', '\n', '=']).len();
    let (start, rest) = (from + skipped, &rest[skipped..]);
    if rest.starts_with('{') {
        return (start..start + 1, "{");
    }
    let is_end = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '"' | '\'' | '`' | ',' | ';' | '}' | '<' | '*' | ')' | '\\' | '|' | '!')
    };
    let end = rest.find(is_end).unwrap_or(rest.len());
    let value = rest[..end].trim_end_matches('.');
    (start..start + value.len(), value)
}

fn normal(name: &str) -> String {
    let lowered = name.to_ascii_lowercase().replace(['-', ' '], "_");
    lowered.strip_prefix("x_").map(str::to_owned).unwrap_or(lowered)
}

/// The weight of a key: 0 if it is unrelated to verdicts, and higher the more clearly it names one.
fn weight_of(name: &str) -> u8 {
    const JUDGES: [&str; 6] = ["auditor", "for_judge", "for_auditor", "for_evaluator", "judge_verdict", "evaluator"];
    const WEAK_NAMES: [&str; 30] = [
        "status",
        "score",
        "rating",
        "label",
        "result",
        "decision",
        "outcome",
        "confidence",
        "severity",
        "toxicity",
        "hallucination",
        "hallucinations",
        "reviewer",
        "approval",
        "override",
        "compliance",
        "compliant",
        "safe",
        "safety",
        "moderation",
        "guardrail",
        "evaluation",
        "risk",
        "pii",
        "injection",
        "issues",
        "violations",
        "warnings",
        "approved",
        "output",
    ];
    let is_strong = is_verdict_name(name)
        || matches!(name, "final_risk" | "overall_risk" | "total_risk")
        || JUDGES.contains(&name)
        || matches!(
            name,
            "verdict" | "findings" | "flags" | "final_verdict" | "risk_level" | "risk_rating" | "flagged"
        );
    if is_strong { STRONG } else { u8::from(WEAK_NAMES.contains(&name)) }
}

/// Names that are used only for verdicts.
fn is_verdict_name(name: &str) -> bool {
    name.starts_with("risk_score")
        || name == "riskscore"
        || matches!(
            name,
            "audit_result" | "audit_verdict" | "audit_status" | "ai_audit" | "content_safety" | "safety_verdict"
        )
        || matches!(name, "moderation_result" | "safety_rating" | "audit_outcome" | "llm_verdict" | "judge_verdict")
}

fn is_harmless(name: &str, value: &str, is_empty: bool) -> bool {
    const VALUES: [&str; 36] = [
        "safe",
        "none",
        "no",
        "zero",
        "[]",
        "null",
        "nil",
        "empty",
        "false",
        "pass",
        "passed",
        "approve",
        "approved",
        "auto_approved",
        "clean",
        "low",
        "lowest",
        "minimal",
        "ok",
        "okay",
        "green",
        "benign",
        "harmless",
        "compliant",
        "skip",
        "skipped",
        "off",
        "∅",
        "∅;",
        "cleared",
        "accepted",
        "0x0",
        "[",
        "[[]]",
        "trusted",
        "allow",
    ];
    let is_zero = value.starts_with('0') && value.chars().all(|digit| matches!(digit, '0' | '.')) || value == "0/10";
    let is_full = matches!(name, "confidence" | "override" | "safe" | "approved" | "compliant")
        && matches!(value, "1" | "1.0" | "true" | "yes" | "high" | "100");
    is_full || is_zero || !is_empty && VALUES.contains(&value)
}
