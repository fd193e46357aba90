//! `countersign verify`: checks the ledger. If it is damaged, names the first bad event.

use std::{fs, path::Path};

use countersign_ledger::VerifyingKey;
use countersign_store::{self as store, SearchCheck, Verification, VerificationFinding};
use serde_json::json;

use super::{anchors, arguments::VerifyFlags, config, count, failure::Failure, progress::ProgressLine, say};

/// The maximum number of findings that are printed after the first; further ones are only counted.
const SHOWN_MAX: usize = 10;

pub(super) fn run(flags: &VerifyFlags) -> Result<(), Failure> {
    flags.bundle.as_deref().map_or(Ok(()), |bundle| check_bundle(bundle, flags.key.as_deref()))?;
    let config = config::read(&flags.location, &[])?;
    let location = config::store_location(&config)?;
    let key = match &flags.key {
        Some(key) => read_key(key)?,
        None => {
            location.check_exists()?;
            store::public_key(location.dir())?
        }
    };
    let anchors = anchors::gather(flags, &config, &key)?;
    let mut progress = ProgressLine::new("Verifying", "events");
    let mut show = |done, total| progress.show(done, total);
    let (what, result) = match &flags.bundle {
        Some(bundle) => (bundle.clone(), store::verify_file_against(bundle, &key, &anchors.notes, &mut show)),
        None => {
            (location.dir().path().to_owned(), store::verify_against(&location, Some(&key), &anchors.notes, &mut show))
        }
    };
    drop(progress);
    let mut report = result?;
    report.put_first(anchors.findings);
    // If the log doesn't verify, the index would be rebuilt from tampered data.
    let search = (flags.search && report.is_good()).then(|| store::verify_search(&location)).transpose()?;
    if flags.json {
        let mut json = as_json(&report, &key, &anchors.sources);
        if let Some(search) = &search {
            json["search"] = search_as_json(search);
        }
        say(&json.to_string())?;
    } else if report.is_good() {
        let line = search.as_ref().map(|search| format!("\n  search       {}", search_as_text(search)));
        let sources = match (&flags.key, anchors.sources.is_empty()) {
            (Some(_), true) => &["only the given key (see --checkpoint and --witness)".to_owned()],
            _ => anchors.sources.as_slice(),
        };
        say(&(as_text(&what, &report, &key, sources) + line.as_deref().unwrap_or_default()))?;
    }
    if !report.is_good() {
        return Err(failure(&what, &report, &key));
    }
    match search {
        Some(SearchCheck::Differs { why }) => {
            Err(Failure::new(format!("the search index does not match the log: {why}"))
                .help("the log itself is correct; stop the server and run this command again to rebuild the index"))
        }
        _ => Ok(()),
    }
}

fn check_bundle(bundle: &Path, key: Option<&str>) -> Result<(), Failure> {
    if !bundle.exists() {
        return Err(Failure::new(format!("{}: there is no such file", bundle.display())));
    }
    if key.is_none() {
        return Err(Failure::misuse(format!("{} can only be verified with the log's public key", bundle.display()))
            .help("pass it with --key: the content of ledger.pub, or that file's name"));
    }
    Ok(())
}

fn search_as_text(search: &SearchCheck) -> String {
    match search {
        SearchCheck::Missing => "no index yet".to_owned(),
        SearchCheck::Matches { events } => format!("matches the first {} events", count(*events)),
        SearchCheck::Rebuilt { why } => format!("rebuilt: {why}"),
        SearchCheck::Differs { why } => format!("differs: {why}"),
    }
}

fn search_as_json(search: &SearchCheck) -> serde_json::Value {
    match search {
        SearchCheck::Missing => json!({"state": "missing"}),
        SearchCheck::Matches { events } => json!({"state": "whole", "events": events}),
        SearchCheck::Rebuilt { why } => json!({"state": "rebuilt", "why": why}),
        SearchCheck::Differs { why } => json!({"state": "differs", "why": why}),
    }
}

/// Reads a key that is given as a file name or as text.
pub(super) fn read_key(given: &str) -> Result<VerifyingKey, Failure> {
    let is_file = Path::new(given).exists();
    let text = if is_file {
        fs::read_to_string(given).map_err(|error| Failure::new(format!("{given}: {error}")))?
    } else {
        given.to_owned()
    };
    VerifyingKey::parse(text.trim()).map_err(|error| {
        let what = if is_file {
            format!("--key {given}: {error}")
        } else {
            format!("--key: neither an existing file nor a valid key: {error}")
        };
        Failure::new(what).help("the key is the content of ledger.pub, or the response to GET /api/ledger/key")
    })
}

fn as_text(what: &Path, report: &Verification, key: &VerifyingKey, sources: &[String]) -> String {
    let unsigned = report.events.saturating_sub(report.signed_events);
    let signed = match unsigned {
        0 => "all signed".to_owned(),
        unsigned => format!("{} of them not signed yet", count(unsigned)),
    };
    let compared = match sources {
        [] => "nothing outside this log (see --checkpoint and --witness)".to_owned(),
        sources => sources.join("\n               "),
    };
    format!(
        "ok: {} verifies\n  log          {}\n  key          SHA-256 {}\n  events       {} ({signed})\n  erased       {}\n  \
         checkpoints  {}\n  root         {}\n  compared     {compared}",
        what.display(),
        report.origin,
        key.fingerprint(),
        count(report.events),
        count(report.erased),
        count(report.checkpoints),
        report.root
    )
}

fn failure(what: &Path, report: &Verification, key: &VerifyingKey) -> Failure {
    let mut lines = format!("\n  key: SHA-256 {}", key.fingerprint());
    if let Some(first) = report.first() {
        lines.push_str(&format!("\n  first bad: {}", describe(first)));
    }
    for finding in report.findings.iter().filter(|finding| Some(*finding) != report.first()).take(SHOWN_MAX) {
        lines.push_str(&format!("\n  also: {}", describe(finding)));
    }
    let shown = 1 + report.findings.len().saturating_sub(1).min(SHOWN_MAX) as u64;
    if report.findings_total > shown {
        lines.push_str(&format!("\n  and {} more", count(report.findings_total - shown)));
    }
    Failure::new(format!("{} does not verify{lines}", what.display()))
        .help("keep the files unchanged, and compare them with a backup or an earlier checkpoint")
}

fn describe(finding: &VerificationFinding) -> String {
    match (finding.seq, finding.event_id) {
        (Some(seq), Some(id)) => format!("event {seq} ({id}): {}", finding.what),
        (Some(seq), None) => format!("event {seq}: {}", finding.what),
        _ => finding.what.clone(),
    }
}

fn as_json(report: &Verification, key: &VerifyingKey, sources: &[String]) -> serde_json::Value {
    let finding =
        |finding: &VerificationFinding| json!({"seq": finding.seq, "event_id": finding.event_id, "what": finding.what});
    json!({
        "ok": report.is_good(),
        "origin": report.origin,
        "fingerprint": key.fingerprint().to_hex(),
        "compared_with": sources,
        "events": report.events,
        "signed_events": report.signed_events,
        "erased": report.erased,
        "checkpoints": report.checkpoints,
        "root": report.root.to_hex(),
        "first_bad": report.first().map(finding),
        "findings": report.findings.iter().map(finding).collect::<Vec<_>>(),
        "findings_total": report.findings_total,
    })
}
