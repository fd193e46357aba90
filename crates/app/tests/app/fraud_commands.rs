//! The commands `ingest`, `report`, `eval fraud` and `demo`, run as processes, and rules that are reloaded.

use std::{fs, path::Path, time::Duration};

use serde_json::{Value, json};

use crate::{
    client::Call,
    program::{Program, fail, run, succeed},
};

/// A labelled file with a month of small payments and one large one.
fn card_file(folder: &Path) -> String {
    let mut csv = "id,customer,amt,when,is_fraud\n".to_owned();
    for day in 1..=28 {
        csv += &format!("t{day},c-1,{}.00,2026-02-{day:02}T10:00:00Z,0\n", 20 + day % 9);
    }
    csv += "odd,c-1,9800.00,2026-03-01T03:00:00Z,1\n";
    let file = folder.join("card.csv");
    fs::write(&file, csv).unwrap();
    file.to_str().unwrap().to_owned()
}

const MAP: &str = "id=transaction_id,customer=user_id,amt=amount,when=occurred_at,is_fraud=label,currency=EUR";

async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    let give_up = tokio::time::Instant::now() + Duration::from_secs(90);
    while !holds().await {
        assert!(tokio::time::Instant::now() < give_up, "{what}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn items(program: &Program, path: &str) -> Vec<Value> {
    let page = Call::new(program.address, "GET", path).send().await;
    assert_eq!(page.status, 200, "{path}: {}", page.text());
    page.json()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_file_is_stored_and_bad_lines_are_reported_by_number() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("data");
    let file = card_file(folder.path());
    let mut text = fs::read_to_string(&file).unwrap();
    text += "bad-1,c-1,minus five,2026-03-02T03:00:00Z,0\nbad-2,c-1,5.00,yesterday,0\n";
    fs::write(&file, text).unwrap();
    let output = run(&["ingest", &file, "--map", MAP], &dir);
    let (printed, errors) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{errors}");
    assert!(printed.contains("Ingested 29 transactions, 0 duplicates, 2 rejected lines"), "{printed}");
    assert!(errors.contains("line 31: amount") && errors.contains("line 32: occurred_at"), "{errors}");
    assert!(!errors.contains("minus five") && !errors.contains("yesterday"), "values may be personal: {errors}");
    // Ingest the file again, this time through a running server: every row is a duplicate, and the detector has raised an alert.
    let program = Program::start(&dir);
    let again = succeed(&["ingest", &file, "--map", MAP], &dir);
    assert!(again.contains("Ingested 0 transactions, 29 duplicates, 2 rejected lines"), "{again}");
    until("there is a report", async || !items(&program, "/api/reports").await.is_empty()).await;
    assert_eq!(items(&program, "/api/transactions?user_id=c-1&limit=500").await.len(), 29);
    assert_eq!(program.terminate(), Some(0));
    let verified = succeed(&["verify"], &dir);
    assert!(verified.starts_with("ok:"), "{verified}");
}

#[test]
fn a_file_without_a_usable_line_fails_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.csv");
    fs::write(&file, "id,customer,amt,when\nt1,c,5,2026-02-01T00:00:00Z\n").unwrap();
    let file = file.to_str().unwrap();
    let refused = fail(&["ingest", file], folder.path());
    assert!(refused.contains("--map"), "{refused}");
    let refused = fail(&["ingest", "no-such-file.csv"], folder.path());
    assert!(refused.contains("could not open"), "{refused}");
    let refused = fail(&["ingest", file, "--map", "amt=nonsense"], folder.path());
    assert!(refused.starts_with("error: ") && refused.contains("help: "), "{refused}");
}

#[test]
fn scores_are_in_the_order_of_the_input_and_do_not_depend_on_later_rows() {
    let folder = tempfile::tempdir().unwrap();
    let file = card_file(folder.path());
    let scores = |name: &str, lines: usize| {
        let part = folder.path().join(format!("{name}.csv"));
        let text: Vec<_> = fs::read_to_string(&file).unwrap().lines().take(lines).map(str::to_owned).collect();
        fs::write(&part, text.join("\n")).unwrap();
        let out = folder.path().join(format!("{name}-scores.csv"));
        let (part, out_text) = (part.to_str().unwrap(), out.to_str().unwrap());
        let printed = succeed(&["ingest", part, "--map", MAP, "--dry-run", "--scores", out_text], folder.path());
        assert!(printed.contains("Nothing was stored"), "{printed}");
        fs::read_to_string(out).unwrap()
    };
    let whole = scores("whole", 100);
    let rows: Vec<_> = whole.lines().collect();
    assert!(
        rows[0].starts_with("transaction_id,score,severity,fired,amount_deviation,velocity_anomaly,"),
        "{}",
        rows[0]
    );
    let ids: Vec<_> = rows[1..].iter().map(|row| row.split(',').next().unwrap()).collect();
    let expected: Vec<_> = (1..=28).map(|n| format!("t{n}")).chain(["odd".to_owned()]).collect();
    assert_eq!(ids, expected);
    let score: u8 = rows[29].split(',').nth(1).unwrap().parse().unwrap();
    assert!(score >= 40, "{}", rows[29]);
    assert!(whole.starts_with(scores("part", 15).trim_end()), "later rows must not change earlier scores");
    assert!(!folder.path().join("countersign.db").exists(), "a dry run leaves no store");
}

#[test]
fn labelled_frauds_are_measured() {
    let folder = tempfile::tempdir().unwrap();
    let file = card_file(folder.path());
    let measured: Value =
        serde_json::from_str(&succeed(&["eval", "fraud", &file, "--map", MAP, "--json"], folder.path())).unwrap();
    assert_eq!((&measured["measures"]["transactions"], &measured["measures"]["frauds"]), (&json!(29), &json!(1)));
    assert_eq!(measured["measures"]["average_precision"], 1.0, "{measured}");
    let table = succeed(&["eval", "fraud", &file, "--map", MAP], folder.path());
    assert!(table.contains("29 transactions, 1 frauds") && table.contains("PR-AUC"), "{table}");
    let unlabelled = "id=transaction_id,customer=user_id,amt=amount,when=occurred_at,currency=EUR,is_fraud=metadata.x";
    let refused = fail(&["eval", "fraud", &file, "--map", unlabelled], folder.path());
    assert!(refused.contains("COLUMN=label"), "{refused}");
}

#[tokio::test]
async fn reports_are_listed_shown_and_exported_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("data");
    let program = Program::start(&dir);
    let empty = succeed(&["report", "list"], &dir);
    assert!(empty.contains("No reports yet"), "{empty}");
    let alert = json!({"alert_id": "fraud-1", "user_id": "user-7731", "severity": "high", "score": 75});
    Call::new(program.address, "POST", "/api/alerts").body(alert.to_string()).send().await;
    until("there is a report", async || !items(&program, "/api/reports").await.is_empty()).await;
    let listed: Value = serde_json::from_str(&succeed(&["report", "list", "--json"], &dir)).unwrap();
    let id = listed[0]["id"].as_str().unwrap();
    assert_eq!((&listed[0]["severity"], &listed[0]["report_type"]), (&json!("HIGH"), &json!("compliance")));
    assert!(succeed(&["report", "list"], &dir).contains(id));
    let shown = succeed(&["report", "show", id], &dir);
    assert!(shown.starts_with("# Investigation Report") && shown.contains("## Audit Trail"), "{shown}");
    assert!(!shown.contains("user-7731"), "redacted");
    let markdown = succeed(&["report", "export", id, "--format", "md"], &dir);
    assert_eq!(markdown.trim_end(), shown.trim_end());
    let out = folder.path().join("report.html");
    succeed(&["report", "export", id, "--format", "html", "--out", out.to_str().unwrap()], &dir);
    let html = fs::read_to_string(out).unwrap();
    assert!(html.contains("</html>") && !html.contains("<script"), "no scripts in an export");
    let exported: Value = serde_json::from_str(&succeed(&["report", "export", id, "--format", "json"], &dir)).unwrap();
    assert_eq!(exported["id"], id);
    let refused = fail(&["report", "show", "nobody"], &dir);
    assert!(refused.contains("countersign report list"), "{refused}");
    assert_eq!(program.terminate(), Some(0));
}

/// Checks that the demo shows how the simulated writer's mistakes are handled: a text is corrected, a section falls back, a report
/// needs review, another is written again, and an event becomes a dead letter that can be replayed.
async fn check_mistakes_are_handled(program: &Program) {
    let any = async |event_type: &str| !items(program, &format!("/api/events?type={event_type}")).await.is_empty();
    for event_type in ["REPORT_APPROVED", "REPORT_NEEDS_REVIEW", "REPORT_REQUESTED", "EVENT_DEAD_LETTERED"] {
        until(&format!("there is a {event_type}"), async || any(event_type).await).await;
    }
    let letters = items(program, "/api/dead-letters").await;
    assert!(letters.iter().all(|letter| letter["error"].as_str().unwrap().contains("simulated")), "{letters:?}");
    let sections = async || {
        let mut sections = Vec::new();
        for report in items(program, "/api/reports?limit=500").await {
            let path = format!("/api/reports/{}", report["id"].as_str().unwrap());
            let whole = Call::new(program.address, "GET", &path).send().await.json();
            sections.extend(whole["sections"].as_array().unwrap().clone());
        }
        sections
    };
    let refused = |section: &Value| section["refused"].as_array().is_some_and(|refused| !refused.is_empty());
    until("a text was corrected and another fell back", async || {
        let sections = sections().await;
        assert!(sections.iter().all(|section| section["model"] == "simulated/writer"), "{sections:?}");
        sections.iter().any(|section| refused(section) && section["written_by"] == "model")
            && sections.iter().any(|section| refused(section) && section["written_by"] == "fallback")
    })
    .await;
    let id = letters[0]["id"].as_str().unwrap();
    Call::new(program.address, "POST", &format!("/api/dead-letters/{id}/replay")).send().await;
    until("a replay succeeds", async || {
        let letters = items(program, "/api/dead-letters").await;
        letters.iter().all(|letter| letter["id"] != id || letter["state"] == "replayed")
    })
    .await;
}

#[tokio::test]
async fn the_demo_shows_alerts_reports_and_verdicts_and_its_ledger_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("demo");
    let program = Program::start_as(&["demo", "--seed", "7", "--rate", "5"], &dir);
    until("a report has its verdict", async || {
        let reports = items(&program, "/api/reports?limit=500").await;
        reports.iter().any(|report| report["validation_score"].is_u64())
    })
    .await;
    assert!(!items(&program, "/api/alerts").await.is_empty());
    until("a question was answered", async || !items(&program, "/api/logs").await.is_empty()).await;
    assert_eq!(items(&program, "/api/logs").await[0]["worker"]["provider"], "simulated");
    check_mistakes_are_handled(&program).await;
    assert_eq!(program.terminate(), Some(0));
    // A restarted demo continues with new transactions.
    let program = Program::start_as(&["demo", "--seed", "7", "--rate", "5"], &dir);
    let before = items(&program, "/api/transactions?limit=1").await[0]["seq"].as_u64().unwrap();
    until("there is a newer transaction", async || {
        items(&program, "/api/transactions?limit=1").await[0]["seq"].as_u64().unwrap() > before
    })
    .await;
    assert_eq!(program.terminate(), Some(0));
    assert!(succeed(&["verify"], &dir).starts_with("ok:"));
}

#[tokio::test]
async fn changed_rules_are_reloaded_and_invalid_ones_leave_the_old_rules_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let (rules, config) = (folder.path().join("rules.toml"), folder.path().join("countersign.toml"));
    let rule = |name: &str, when: &str| {
        format!("[[rules]]\nname = \"{name}\"\nweight = 45\nmessage = \"It held.\"\nwhen = \"{when}\"\n")
    };
    fs::write(&rules, rule("first", "amount > 100.0")).unwrap();
    fs::write(&config, format!("[detector]\nrules_file = {:?}\n", rules.to_str().unwrap())).unwrap();
    let dir = folder.path().join("data");
    let program = Program::start_as(&["serve", "--config", config.to_str().unwrap()], &dir);
    let in_force = async || Call::new(program.address, "GET", "/api/rules").send().await.json();
    assert_eq!(in_force().await["items"][0]["name"], "first");
    fs::write(&rules, rule("second", "amount > 50.0")).unwrap();
    until("the new rule is in force", async || in_force().await["items"][0]["name"] == "second").await;
    let hash = in_force().await["rules_hash"].clone();
    fs::write(&rules, rule("third", "amuont > 50.0")).unwrap();
    // Give the server time to check the file. The next alert's hash and the list of rules then show that it was not applied.
    tokio::time::sleep(Duration::from_millis(2_500)).await;
    assert_eq!(in_force().await["rules_hash"], hash, "a bad file changes nothing");
    let transaction = json!({
        "transaction_id": "t1", "user_id": "u1", "amount": {"amount": "60.00", "currency": "EUR"},
        "occurred_at": "2026-03-01T09:30:00Z"
    });
    Call::new(program.address, "POST", "/api/transactions").body(transaction.to_string()).send().await;
    until("there is an alert", async || !items(&program, "/api/alerts").await.is_empty()).await;
    let alert = &items(&program, "/api/alerts").await[0];
    assert_eq!(alert["metadata"]["rules_hash"], hash);
    assert_eq!(items(&program, "/api/events?type=RULES_LOADED").await.len(), 2);
    assert_eq!(program.terminate(), Some(0));
    let refused = fail(&["serve", "--listen", "127.0.0.1:0", "--config", config.to_str().unwrap()], &dir);
    assert!(refused.contains("amuont") && refused.contains("rules.toml"), "{refused}");
}

#[test]
fn a_dry_run_refuses_the_rows_that_the_real_run_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rows.csv");
    let rows = [
        "t1,c,5.00",
        "t1,c,5.00",
        "t1,c,6.00",
        "t\u{200b}2,c,5.00",
        "t3\u{2800},c,5.00",
        "t4,c\u{e000},5.00",
        "t5,c,5.00",
    ];
    let rows = rows.map(|row| format!("{row},2026-02-01T00:00:00Z\n")).concat();
    fs::write(&file, format!("transaction_id,user_id,amount,occurred_at\n{rows}")).unwrap();
    let arguments = ["ingest", file.to_str().unwrap(), "--map", "currency=EUR", "--dry-run"];
    let counts = "2 transactions, 1 duplicates, 4 rejected lines";
    let dry = succeed(&arguments, folder.path());
    assert!(dry.contains(&format!("Read {counts}")), "{dry}");
    let real = succeed(&arguments[..4], folder.path());
    assert!(real.contains(&format!("Ingested {counts}")), "{real}");
}
