//! The commands `countersign audit` and `countersign eval text`, run as processes.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Output, Stdio},
};

use countersign_fake_provider::{Behaviour, Fake};
use serde_json::{Value, json};

use crate::program::countersign;

const TEXT_WITH_CARD: &str = "Please charge the card 4111 1111 1111 1111 today.";

fn audit(arguments: &[&str], input: &str) -> Output {
    let mut child = countersign()
        .arg("audit")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // The program may stop reading early and close the pipe. The test checks its output, so ignore the write error.
    let writing = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap();
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn rows(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn the_exit_status_shows_the_verdict_on_a_text() {
    for (input, arguments, code) in [
        ("The capital of France is Paris.", vec!["-"], 0),
        (TEXT_WITH_CARD, vec!["-"], 1),
        (TEXT_WITH_CARD, vec!["-", "--fail-on", "never"], 0),
        ("Write to ann@firm.org.", vec!["-"], 0),
        ("Write to ann@firm.org.", vec!["-", "--fail-on", "warning"], 1),
        (TEXT_WITH_CARD, vec!["no/such/file"], 2),
    ] {
        assert_eq!(audit(&arguments, input).status.code(), Some(code), "{arguments:?} {input}");
    }
    let table = audit(&["-"], TEXT_WITH_CARD);
    let table = text(&table.stdout);
    assert!(table.starts_with("Flagged  risk  9 of 10") && table.contains("pii CREDIT_CARD"), "{table}");
    assert!(!table.contains("4111"), "the matched text must not be printed: {table}");
}

#[test]
fn a_single_text_gives_one_object_with_positions_in_code_points() {
    let output: Value = serde_json::from_slice(&audit(&["--format", "json", "-"], "é😀: ann@firm.org").stdout).unwrap();
    let finding = &output["findings"][0];
    assert_eq!((&finding["kind"], &finding["type"]), (&json!("pii"), &json!("EMAIL")));
    assert_eq!((&finding["start"], &finding["end"]), (&json!(4), &json!(16)));
    assert_eq!(output["risk_score"], 5);
    for kind in ["pii", "toxicity", "injection", "grounding"] {
        let score = output["scores"][kind].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&score), "{kind}: {score}");
    }
    assert!(!finding["explanation"].as_str().unwrap().contains("ann@"));
}

#[test]
fn redact_prints_the_text_with_masks() {
    let masked = audit(&["--redact", "-", "--fail-on", "never"], "Pay 4111 1111 1111 1111\nor ask ann@firm.org.\n");
    assert_eq!(text(&masked.stdout), "Pay [CREDIT_CARD]\nor ask [EMAIL].\n");
    let row = audit(&["--redact", "--format", "jsonl", "-"], r#"{"id":1,"text":"Ask ann@firm.org."}"#);
    assert_eq!(rows(&row)[0]["redacted"], "Ask [EMAIL].");
}

#[test]
fn rows_are_printed_in_the_order_of_the_input() {
    let row = |n: usize| {
        let text =
            if n.is_multiple_of(3) { TEXT_WITH_CARD.to_owned() } else { "All is well here. ".repeat(n % 40) + "End." };
        json!({"id": format!("r{n}"), "text": text}).to_string() + "\n"
    };
    let input: String = (0..3_000).map(row).collect();
    let output = audit(&["--format", "jsonl", "-"], &input);
    assert_eq!(output.status.code(), Some(0), "with --format jsonl, findings don't change the exit status");
    let rows = rows(&output);
    assert_eq!(rows.len(), 3_000);
    for (n, row) in rows.iter().enumerate() {
        assert_eq!(row["id"], format!("r{n}"));
        let risk = if n.is_multiple_of(3) { 9 } else { 0 };
        assert_eq!(row["risk_score"], risk, "{row}");
    }
}

#[test]
fn an_invalid_line_keeps_its_place_in_the_output() {
    let input = "{\"text\":\"fine\"}\n\nnot json\n{\"id\":7,\"text\":\"fine\"}\n{\"id\":8}\n";
    let output = audit(&["--format", "jsonl", "-"], input);
    assert_eq!(output.status.code(), Some(2));
    let rows = rows(&output);
    let ids: Vec<&Value> = rows.iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, [&json!(1), &json!(null), &json!(7), &json!(null)]);
    assert_eq!((&rows[1]["line"], &rows[3]["line"]), (&json!(3), &json!(5)));
    assert!(rows[3]["error"].as_str().unwrap().contains("text"), "{}", rows[3]);
}

#[test]
fn a_row_is_answered_before_the_next_arrives() {
    let mut child = countersign()
        .args(["audit", "--format", "jsonl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut stdin, mut out) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for id in ["a", "b"] {
        writeln!(stdin, "{}", json!({"id": id, "text": "fine"})).unwrap();
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["id"], id);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_folder_is_audited_without_hidden_and_binary_files() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", TEXT_WITH_CARD);
    write(folder.path(), "deep/b.md", "All is well.");
    write(folder.path(), "picture.bin", "\0\u{1}");
    write(folder.path(), ".hidden", TEXT_WITH_CARD);
    let path = folder.path().display().to_string();
    let table = audit(&[&path], "");
    assert_eq!(table.status.code(), Some(1));
    let table = text(&table.stdout).to_owned();
    assert!(table.contains("a.txt") && table.contains("2 texts: 1 flagged, 0 warning, 1 safe"), "{table}");
    let output: Value = serde_json::from_slice(&audit(&["--format", "json", &path], "").stdout).unwrap();
    assert_eq!(output.as_array().unwrap().len(), 2);
}

#[test]
fn several_texts_are_redacted_only_as_rows() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "a.txt", TEXT_WITH_CARD);
    write(folder.path(), "b.txt", "All is well.");
    let refused = audit(&["--redact", &folder.path().display().to_string()], "");
    assert!(text(&refused.stderr).contains("--format jsonl"), "{}", text(&refused.stderr));
}

#[test]
fn a_text_is_compared_with_its_context() {
    let context =
        "The bridge was built in 1932 by Dorman Long and is 503 metres long. It carries eight lanes of traffic.";
    let row = |id: &str, text: &str| json!({"id": id, "text": text, "context": context}).to_string() + "\n";
    let input = row("same", "The bridge was built in 1932 by Dorman Long.")
        + &row("other", "The bridge was built in 1987 by Siemens and it is closed to all traffic.");
    let rows = rows(&audit(&["--format", "jsonl", "-"], &input));
    let score = |n: usize| rows[n]["scores"]["grounding"].as_f64().unwrap();
    assert!(score(0) < 0.5 && score(1) >= 0.5, "{} and {}", score(0), score(1));
    assert!(rows[1]["findings"].as_array().unwrap().iter().any(|finding| finding["kind"] == "grounding"));
}

#[test]
fn a_context_for_all_rows_applies_to_rows_without_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let context = write(folder.path(), "context.txt", "The tower burnt down in 1980 after a storm.");
    let text = "The bridge was built in 1932 by Dorman Long.";
    let input = json!({"id": 1, "text": text}).to_string()
        + "\n"
        + &json!({"id": 2, "text": text, "context": text}).to_string();
    let rows = rows(&audit(&["--format", "jsonl", "--context", &context, "-"], &input));
    let score = |n: usize| rows[n]["scores"]["grounding"].as_f64().unwrap();
    assert!(score(0) >= 0.5 && score(1) < 0.5, "{} and {}", score(0), score(1));
}

fn eval(arguments: &[&str], environment: &[(&str, String)]) -> Output {
    countersign().args(["eval", "text"]).args(arguments).envs(environment.iter().cloned()).output().unwrap()
}

#[test]
fn a_span_is_right_only_with_its_exact_place_and_type() {
    let folder = tempfile::tempdir().unwrap();
    let row = |text: &str, spans: Value| json!({"text": text, "spans": spans}).to_string() + "\n";
    let file = write(
        folder.path(),
        "rows.jsonl",
        &(row("Ask ann@firm.org.", json!([{"start": 4, "end": 16, "type": "EMAIL_ADDRESS"}]))
            + &row("Nothing here.", json!([]))
            + &row("Ask bob@firm.org.", json!([{"start": 4, "end": 7, "type": "PERSON"}]))),
    );
    let output: Value = serde_json::from_slice(&eval(&[&file, "--json"], &[]).stdout).unwrap();
    let mail = &output["tally"]["by_type"]["EMAIL"]["exact"];
    assert_eq!((&mail["right"], &mail["wrong"], &mail["missed"]), (&json!(1), &json!(1), &json!(0)));
    assert_eq!((&output["tally"]["clean_texts"], &output["tally"]["clean_texts_marked"]), (&json!(1), &json!(0)));
    let table = eval(&[&file], &[]);
    let table = text(&table.stdout);
    assert!(table.contains("PERSON                EMAIL                     1"), "{table}");
    assert!(!table.contains("ann@"), "texts must not be printed: {table}");
}

#[test]
fn plain_labels_need_a_kind_unless_the_file_name_says_it() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "{\"id\":\"x\",\"text\":\"I will kill you.\",\"label\":1}\n{\"id\":\"y\",\"text\":\"Good morning.\",\"label\":0}\n";
    let file = write(folder.path(), "rows.jsonl", rows);
    let refused = eval(&[&file], &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        text(&refused.stderr).contains("give --kind pii, toxicity, injection or grounding"),
        "{}",
        text(&refused.stderr)
    );
    let output: Value = serde_json::from_slice(&eval(&[&file, "--kind", "toxicity", "--json"], &[]).stdout).unwrap();
    let measured = &output["builtin"];
    assert_eq!((&measured["texts"], &measured["positives"], &measured["f1"]), (&json!(2), &json!(1), &json!(1.0)));
    assert_eq!((&measured["roc_auc"], &measured["pr_auc"]), (&json!(1.0), &json!(1.0)));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_configured_auditor_is_measured_on_the_same_rows() {
    let fake = Fake::start().await;
    let not_toxic = json!({
        "risk_score": 0, "hallucination_detected": false, "pii_detected": false,
        "toxic_content_detected": false, "prompt_injection_detected": false, "details": "", "confidence": 0.9, "findings": []
    });
    // The auditor's verdict is wrong for the first row and right for the second.
    fake.push(Behaviour::Text(not_toxic.to_string()));
    fake.push(Behaviour::Text(not_toxic.to_string()));
    let folder = tempfile::tempdir().unwrap();
    let rows = "{\"text\":\"I will kill you.\",\"label\":1}\n{\"text\":\"Good morning.\",\"label\":0}\n";
    // The file's name tells what the labels mean.
    let file = write(folder.path(), "toxicity.jsonl", rows);
    let environment = [
        ("COUNTERSIGN_AUDITOR", "gemini/gemini-2.5-flash".to_owned()),
        ("GEMINI_API_KEY", "k".to_owned()),
        ("GEMINI_BASE_URL", fake.gemini_url()),
    ];
    let output = tokio::task::spawn_blocking(move || eval(&[&file, "--model", "--json"], &environment)).await.unwrap();
    let measured: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    assert_eq!(measured["builtin"]["recall"], 1.0);
    assert_eq!(
        (&measured["model"]["name"], &measured["model"]["measures"]["recall"]),
        (&json!("gemini/gemini-2.5-flash"), &json!(0.0))
    );
    assert_eq!(fake.count(), 2, "one call for each row");
}
