//! Disguised identifiers: each row of `disguises.txt` must be masked, both as a whole text and in a stream.

use countersign_inspect::{Finding, Window, inspect, mask_pii};

/// A text, and the part of it that must not be readable after masking.
struct Disguise {
    text: String,
    hidden: String,
}

fn disguises() -> Vec<Disguise> {
    let rows = include_str!("disguises.txt").lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    rows.map(|row| {
        let written = unescaped(row);
        let (before, rest) = written.split_once('⟦').expect(row);
        let (hidden, after) = rest.split_once('⟧').expect(row);
        Disguise { text: format!("{before}{hidden}{after}"), hidden: hidden.to_owned() }
    })
    .collect()
}

fn unescaped(row: &str) -> String {
    let mut text = String::new();
    let mut rest = row;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('\\') {
            text.push('\\');
            rest = after;
        } else {
            let (code, after) = rest.strip_prefix("u{").and_then(|rest| rest.split_once('}')).expect(row);
            text.extend(char::from_u32(u32::from_str_radix(code, 16).expect(row)));
            rest = after;
        }
    }
    text + rest
}

/// Whether a large part of the hidden value is still readable.
fn leaks(shown: &str, hidden: &str) -> bool {
    let letters: Vec<char> = hidden.chars().collect();
    let length = (letters.len() / 2).max(6).min(letters.len());
    letters.windows(length).any(|part| shown.contains(&part.iter().collect::<String>()))
}

#[test]
fn every_disguised_identifier_is_masked() {
    let missed: Vec<String> = disguises()
        .iter()
        .filter(|row| leaks(&mask_pii(&row.text, &inspect(&row.text)).text, &row.hidden))
        .map(|row| {
            format!(
                "{:?} {:?}",
                row.text,
                inspect(&row.text).iter().map(|f| (f.r#type, f.start, f.end, f.score)).collect::<Vec<_>>()
            )
        })
        .collect();
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

#[test]
fn ordinary_texts_are_not_masked() {
    let rows = include_str!("harmless.txt").lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    let masked: Vec<String> = rows
        .map(unescaped)
        .filter_map(|text| Some(mask_pii(&text, &inspect(&text)).text).filter(|masked| *masked != text))
        .collect();
    assert!(masked.is_empty(), "{} masked:\n{}", masked.len(), masked.join("\n"));
}

#[test]
fn every_disguised_identifier_is_masked_in_a_stream() {
    let filler = "These words mean nothing in particular. ".repeat(9);
    for row in disguises() {
        let text = format!("{filler}{}\n{filler}", row.text);
        let mut window = Window::new();
        let mut findings: Vec<Finding> = Vec::new();
        for piece in text.chars().collect::<Vec<_>>().chunks(3) {
            window.push(&piece.iter().collect::<String>());
            findings.extend(window.take_findings());
        }
        findings.extend(window.finish());
        assert!(!leaks(&mask_pii(&text, &findings).text, &row.hidden), "{:?}", row.text);
    }
}
