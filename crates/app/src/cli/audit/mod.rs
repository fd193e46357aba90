//! `countersign audit`: runs the built-in inspectors on a file, a folder or standard input. It needs no server and stores nothing.
//!
//! Exit status: 0 if no text reaches the `--fail-on` status, 1 if one does, 2 if a text could not be read.

mod input;
mod jsonl;
mod show;

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
    process::ExitCode,
};

use countersign_domain::{RiskScore, RiskStatus};
use countersign_inspect::{Audited, audit, mask_pii, risk_score};
use serde::Serialize;

use self::input::{InputText, InputTexts};
use super::{
    arguments::{AuditFlags, AuditFormat, FailOn},
    failure::Failure,
    progress::ProgressLine,
};

/// The minimum score at which a finding counts.
const DECISION: f64 = 0.5;
const FOUND: u8 = 1;
const UNREADABLE: u8 = 2;

pub(super) fn run(flags: &AuditFlags) -> ExitCode {
    match run_audit(flags) {
        Ok(code) => code,
        Err(failure) => {
            let _ = write!(io::stderr().lock(), "{failure}");
            ExitCode::from(UNREADABLE)
        }
    }
}

/// The result for one text, in every format.
#[derive(Serialize)]
struct AuditResult<'a> {
    id: &'a serde_json::Value,
    risk_score: RiskScore,
    scores: countersign_inspect::Scores,
    findings: Vec<ShownFinding<'a>>,
    /// The text with its findings masked, if that was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    redacted: Option<String>,
}

#[derive(Serialize)]
struct ShownFinding<'a> {
    kind: countersign_inspect::Kind,
    r#type: &'a str,
    start: usize,
    end: usize,
    score: f64,
    explanation: &'a str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    mention: bool,
}

impl<'a> AuditResult<'a> {
    fn of(id: &'a serde_json::Value, text: &str, audited: &'a Audited, redact: bool) -> Self {
        let findings = audited.findings.iter().map(|finding| ShownFinding {
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

/// Four decimals are more precision than a score has. Rounding must not turn a score below the threshold into one above it.
fn rounded(score: f64) -> f64 {
    let rounded = (score * 1e4).round() / 1e4;
    if score < DECISION && rounded >= DECISION { 0.4999 } else { rounded }
}

/// The number of texts with each status.
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

fn run_audit(flags: &AuditFlags) -> Result<ExitCode, Failure> {
    let path = flags.path.as_deref().unwrap_or(Path::new("-"));
    let is_stdin = path == Path::new("-");
    if is_stdin && flags.path.is_none() && io::stdin().is_terminal() {
        return Err(Failure::new("nothing to audit")
            .help("name a file or a folder, or pipe a text in: echo \"…\" | countersign audit"));
    }
    // A command in a pipe of rows is a filter: its findings are output, not a failure.
    let default = if flags.format == AuditFormat::Jsonl { FailOn::Never } else { FailOn::Flagged };
    let fail_on = flags.fail_on.unwrap_or(default);
    let is_rows = path.extension().is_some_and(|ending| ending == "jsonl" || ending == "ndjson")
        || is_stdin && flags.format == AuditFormat::Jsonl;
    let context = flags.context.as_deref().map(input::whole_file).transpose()?;
    if is_rows && flags.format == AuditFormat::Jsonl {
        return Ok(jsonl::run(path, flags.redact, context.as_deref())?.code(fail_on));
    }
    let source = if is_rows { InputTexts::json_lines(path)? } else { InputTexts::open(path)? };
    if flags.redact && flags.format == AuditFormat::Table {
        return Ok(print_redacted(source, context.as_deref())?.code(fail_on));
    }
    Ok(print_results(source, flags, context.as_deref())?.code(fail_on))
}

/// Prints only the masked text, for the next command in a pipe.
fn print_redacted(source: InputTexts, context: Option<&str>) -> Result<Tally, Failure> {
    let InputTexts::One(text) = source else {
        return Err(Failure::new("--redact writes one text, but there are several")
            .help("name one file, or use --format jsonl, where each row has the masked text in `redacted`"));
    };
    let audited = audit(&text.text, context);
    let mut tally = Tally::default();
    tally.add(risk_score(&audited.findings).status());
    ignore_closed_pipe(io::stdout().lock().write_all(mask_pii(&text.text, &audited.findings).text.as_bytes()))?;
    Ok(tally)
}

fn print_results(source: InputTexts, flags: &AuditFlags, context: Option<&str>) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let is_one = matches!(source, InputTexts::One(_));
    let mut out = show::Output::new(flags.format, is_one);
    let mut progress = ProgressLine::new("Auditing", "texts");
    let total = source.len();
    for (n, text) in (1..).zip(source) {
        if let Some(total) = total {
            progress.show(n, total);
        }
        match text {
            Ok(InputText { id, text, context: row_context }) => {
                let audited = audit(&text, row_context.as_deref().or(context));
                let result = AuditResult::of(&id, &text, &audited, flags.redact);
                tally.add(result.risk_score.status());
                ignore_closed_pipe(out.text(&result, &text))?;
            }
            Err(failure) => {
                tally.unreadable += 1;
                let _ = write!(io::stderr().lock(), "{failure}");
            }
        }
    }
    drop(progress);
    ignore_closed_pipe(out.finish(&tally))?;
    Ok(tally)
}

/// Ignores a closed pipe, as in `| head`.
fn ignore_closed_pipe(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(format!("stdout: {error}"))),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn rounding_does_not_cross_the_threshold() {
        for (score, expected) in [(0.0, 0.0), (0.49996, 0.4999), (0.5, 0.5), (0.123_456, 0.1235), (0.99996, 1.0)] {
            assert_eq!(rounded(score), expected);
        }
    }
}
