//! Prints audit results for people and for programs: the status first, then the findings, but never the matched words.

use std::io::{self, Write};

use super::{AuditResult, ShownFinding, Tally};
use crate::cli::{arguments::AuditFormat, count};

pub(super) struct Output {
    format: AuditFormat,
    /// As JSON, one text is an object, and several texts are an array.
    is_one: bool,
    shown: u64,
}

impl Output {
    pub(super) fn new(format: AuditFormat, is_one: bool) -> Self {
        Self { format, is_one, shown: 0 }
    }

    pub(super) fn text(&mut self, result: &AuditResult<'_>, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        self.shown += 1;
        match self.format {
            AuditFormat::Table => table(&mut out, result, text, self.is_one),
            AuditFormat::Jsonl => {
                serde_json::to_writer(&mut out, result)?;
                writeln!(out)
            }
            AuditFormat::Json if self.is_one => {
                serde_json::to_writer_pretty(&mut out, result)?;
                writeln!(out)
            }
            AuditFormat::Json => {
                write!(out, "{}", if self.shown == 1 { "[\n" } else { ",\n" })?;
                serde_json::to_writer(&mut out, result)?;
                Ok(())
            }
        }
    }

    pub(super) fn finish(self, tally: &Tally) -> io::Result<()> {
        let mut out = io::stdout().lock();
        match self.format {
            AuditFormat::Json if !self.is_one => writeln!(out, "{}", if self.shown == 0 { "[]" } else { "\n]" }),
            AuditFormat::Table if !self.is_one => {
                let Tally { safe, warning, flagged, unreadable } = tally;
                let unread = match unreadable {
                    0 => String::new(),
                    n => format!(", {} not read", count(*n)),
                };
                let all = count(safe + warning + flagged);
                writeln!(
                    out,
                    "{all} texts: {} flagged, {} warning, {} safe{unread}",
                    count(*flagged),
                    count(*warning),
                    count(*safe)
                )
            }
            _ => Ok(()),
        }
    }
}

/// Prints findings, and mentions separately. If there are several texts, those without findings only count in the total.
fn table(out: &mut impl Write, result: &AuditResult<'_>, text: &str, is_one: bool) -> io::Result<()> {
    let (mentions, findings): (Vec<&ShownFinding<'_>>, Vec<_>) =
        result.findings.iter().partition(|finding| finding.mention);
    if findings.is_empty() && !is_one {
        return Ok(());
    }
    let status = result.risk_score.status().as_str();
    let name = result.id.as_str().map_or_else(|| result.id.to_string(), printable);
    writeln!(out, "{status:<8} risk {:>2} of 10  {name}", result.risk_score.get())?;
    if findings.is_empty() {
        writeln!(out, "The built-in inspectors found nothing.")?;
    } else {
        finding_rows(out, "found", &findings, text)?;
    }
    if !mentions.is_empty() {
        writeln!(out, "Mentions, which identify nobody and don't affect the risk:")?;
        finding_rows(out, "mentioned", &mentions, text)?;
    }
    writeln!(out)
}

fn finding_rows(out: &mut impl Write, heading: &str, findings: &[&ShownFinding<'_>], text: &str) -> io::Result<()> {
    let rows: Vec<[String; 4]> = places(text, findings.iter().map(|finding| finding.start))
        .zip(findings)
        .map(|((line, column), finding)| {
            let place = format!("{line}:{column}");
            let score = format!("{:.2}", finding.score);
            let found = if finding.mention {
                finding.r#type.to_owned()
            } else {
                format!("{} {}", finding.kind.as_str(), finding.r#type)
            };
            [place, score, found, finding.explanation.to_owned()]
        })
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (place, kind) = (width(0).max(4), width(2).max(heading.len()));
    writeln!(out, "  {:<place$}  score  {heading:<kind$}  why", "line")?;
    for [at, score, found, why] in &rows {
        writeln!(out, "  {at:<place$}  {score:>5}  {found:<kind$}  {why}")?;
    }
    Ok(())
}

/// Lines and columns, from 1, of ascending positions in code points.
fn places(text: &str, starts: impl Iterator<Item = usize>) -> impl Iterator<Item = (usize, usize)> {
    let mut letters = text.chars();
    let (mut at, mut line, mut column) = (0, 1, 1);
    starts.map(move |start| {
        while at < start {
            match letters.next() {
                Some('\n') => (line, column) = (line + 1, 1),
                Some(_) => column += 1,
                None => break,
            }
            at += 1;
        }
        (line, column)
    })
}

/// Replaces control characters, so that a name from outside can't move the terminal's cursor.
fn printable(name: &str) -> String {
    name.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_lines_and_columns_from_one() {
        let found: Vec<_> = places("ab\nç😀d\n", [0, 1, 3, 5, 99].into_iter()).collect();
        assert_eq!(found, [(1, 1), (1, 2), (2, 1), (2, 3), (3, 1)]);
    }
}
