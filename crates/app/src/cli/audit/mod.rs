//! `countersign audit`: what the built-in inspectors say about a file, a folder or standard input. No server, nothing stored.
//!
//! Exit status: 0 where nothing reaches what `--fail-on` names, 1 where something does, 2 where something couldn't be read.

mod input;
mod rows;
mod show;

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    process::ExitCode,
};

use countersign_domain::{RiskScore, RiskStatus};
use countersign_inspect::{Audited, audit, mask_pii, risk_score};
use serde::Serialize;

use self::input::{Source, Text};
use super::{
    arguments::{Audit, AuditFormat, FailOn},
    failure::Failure,
    progress::Progress,
};

const DECISION: f64 = 0.5;
const FOUND: u8 = 1;
const UNREADABLE: u8 = 2;

pub(super) fn run(flags: &Audit) -> ExitCode {
    match audited(flags) {
        Ok(code) => code,
        Err(failure) => {
            let _ = write!(io::stderr().lock(), "{failure}");
            ExitCode::from(UNREADABLE)
        }
    }
}

/// What is said about one text, in every format.
#[derive(Serialize)]
struct Said<'a> {
    id: &'a serde_json::Value,
    risk_score: RiskScore,
    scores: countersign_inspect::Scores,
    findings: Vec<Shown<'a>>,
    /// The text with what was found in it masked, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<String>,
}

#[derive(Serialize)]
struct Shown<'a> {
    kind: countersign_inspect::Kind,
    r#type: &'a str,
    start: usize,
    end: usize,
    score: f64,
    explanation: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    mention: bool,
}

impl<'a> Said<'a> {
    fn of(id: &'a serde_json::Value, text: &str, audited: &'a Audited, redact: bool) -> Self {
        let findings = audited.findings.iter().map(|finding| Shown {
            kind: finding.kind,
            r#type: finding.r#type,
            start: finding.start,
            end: finding.end,
            score: rounded(finding.score),
            explanation: &finding.explanation,
            mention: finding.mention,
        });
        let mut scores = audited.scores;
        for score in [&mut scores.pii, &mut scores.toxicity, &mut scores.injection, &mut scores.grounding] {
            *score = rounded(*score);
        }
        Self {
            id,
            risk_score: risk_score(&audited.findings),
            scores,
            findings: findings.collect(),
            redacted: redact.then(|| mask_pii(text, &audited.findings).text),
        }
    }
}

/// Four decimals are more than a score is worth; none of them makes a decision that was not made.
fn rounded(score: f64) -> f64 {
    let rounded = (score * 1e4).round() / 1e4;
    if score < DECISION && rounded >= DECISION { 0.4999 } else { rounded }
}

/// How many texts ended in which status.
#[derive(Default)]
struct Tally {
    safe: u64,
    warning: u64,
    flagged: u64,
    unreadable: u64,
}

impl Tally {
    fn add(&mut self, status: RiskStatus) {
        match status {
            RiskStatus::Safe => self.safe += 1,
            RiskStatus::Warning => self.warning += 1,
            RiskStatus::Flagged => self.flagged += 1,
        }
    }

    fn code(&self, fail_on: FailOn) -> ExitCode {
        let found = match fail_on {
            FailOn::Never => 0,
            FailOn::Flagged => self.flagged,
            FailOn::Warning => self.flagged + self.warning,
        };
        match (self.unreadable, found) {
            (1.., _) => ExitCode::from(UNREADABLE),
            (0, 1..) => ExitCode::from(FOUND),
            (0, 0) => ExitCode::SUCCESS,
        }
    }
}

fn audited(flags: &Audit) -> Result<ExitCode, Failure> {
    let path = flags.path.as_deref().unwrap_or(Path::new("-"));
    let is_stdin = path == Path::new("-");
    if is_stdin && flags.path.is_none() && io::stdin().is_terminal() {
        return Err(Failure::new("nothing to audit")
            .help("name a file or a folder, or pipe a text in: echo \"…\" | countersign audit"));
    }
    // A pipe of rows is a filter: what it finds is its output, not its failure.
    let default = if flags.format == AuditFormat::Jsonl { FailOn::Never } else { FailOn::Flagged };
    let fail_on = flags.fail_on.unwrap_or(default);
    let is_rows = path.extension().is_some_and(|ending| ending == "jsonl" || ending == "ndjson")
        || is_stdin && flags.format == AuditFormat::Jsonl;
    let context = flags.context.as_deref().map(input::whole_file).transpose()?;
    if is_rows && flags.format == AuditFormat::Jsonl {
        return Ok(rows::run(path, flags.redact, context.as_deref())?.code(fail_on));
    }
    let source = if is_rows { Source::rows(path)? } else { Source::open(path)? };
    if flags.redact && flags.format == AuditFormat::Table {
        return Ok(redacted(source, context.as_deref())?.code(fail_on));
    }
    Ok(listed(source, flags, context.as_deref())?.code(fail_on))
}

/// The text alone, masked: what a pipe wants to go on with.
fn redacted(source: Source, context: Option<&str>) -> Result<Tally, Failure> {
    let Source::One(text) = source else {
        return Err(Failure::new("--redact writes one text, and this is several")
            .help("name one file, or use --format jsonl: each row then has its text as `redacted`"));
    };
    let audited = audit(&text.text, context);
    let mut tally = Tally::default();
    tally.add(risk_score(&audited.findings).status());
    written(io::stdout().lock().write_all(mask_pii(&text.text, &audited.findings).text.as_bytes()))?;
    Ok(tally)
}

fn listed(source: Source, flags: &Audit, context: Option<&str>) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let is_one = matches!(source, Source::One(_));
    let mut out = show::Output::new(flags.format, is_one);
    let mut progress = Progress::new("Auditing", "texts");
    let total = source.len();
    for (n, text) in (1..).zip(source) {
        if let Some(total) = total {
            progress.show(n, total);
        }
        match text {
            Ok(Text { id, text, context: own }) => {
                let audited = audit(&text, own.as_deref().or(context));
                let said = Said::of(&id, &text, &audited, flags.redact);
                tally.add(said.risk_score.status());
                written(out.text(&said, &text))?;
            }
            Err(failure) => {
                tally.unreadable += 1;
                let _ = write!(io::stderr().lock(), "{failure}");
            }
        }
    }
    drop(progress);
    written(out.finish(&tally))?;
    Ok(tally)
}

/// A reader that went away (`| head`) is no error.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(format!("stdout: {error}"))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn rounding_makes_no_decision() {
        for (score, expected) in [(0.0, 0.0), (0.49996, 0.4999), (0.5, 0.5), (0.123_456, 0.1235), (0.99996, 1.0)] {
            assert_eq!(rounded(score), expected);
        }
    }
}
