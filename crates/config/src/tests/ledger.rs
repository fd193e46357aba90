//! Settings of witnesses, and of where checkpoints are published.

use super::*;

const KEY: &str = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2";

fn witness(url: &str, key: &str) -> String {
    format!("[[ledger.witnesses]]\nurl = \"{url}\"\nkey = \"{key}\"\n")
}

fn check(file: &str, expected: &[&str]) {
    let world = World::default().file(file);
    let problems = if world.load().is_ok() { Vec::new() } else { world.problems() };
    assert_eq!(problems.len(), expected.len(), "{file}: {problems:#?}");
    for (problem, expected) in problems.iter().zip(expected) {
        assert!(problem.contains(expected), "{problem} has no {expected}");
    }
}

#[test]
fn witnesses_and_their_requirements_reach_the_configuration() {
    let file = format!(
        "[ledger]\nwitnesses_required = 1\non_missing_witness = \"refuse\"\npublish = \"notes.txt\"\n{}",
        witness("https://w.example/prefix/", KEY)
    );
    let ledger = World::default().file(&file).config().ledger;
    let seen: Vec<_> = ledger.witnesses.iter().map(|one| (one.url.as_str(), one.key.to_vkey())).collect();
    assert_eq!(seen, [("https://w.example/prefix", KEY.to_owned())]);
    assert_eq!((ledger.witnesses_required, ledger.on_missing_witness), (1, OnMissingWitness::Refuse));
    assert_eq!(ledger.publish, Some(PublishTarget::File("notes.txt".into())));
    let hook = World::default().file("[ledger]\npublish = \"https://hook.example/notes\"\n").config().ledger;
    assert_eq!(hook.publish, Some(PublishTarget::Webhook("https://hook.example/notes".into())));
    let defaults = World::default().config().ledger;
    assert!(defaults.witnesses.is_empty() && defaults.publish.is_none());
    assert_eq!((defaults.witnesses_required, defaults.on_missing_witness), (0, OnMissingWitness::Warn));
}

#[test]
fn impossible_requirements_are_refused() {
    check(&witness("https://w.example", &KEY.replace("da77ade7", "da77ade8")), &["is not a witness's key"]);
    // A log's own key has the same format but another type.
    check(
        &witness("https://w.example", "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"),
        &["it is not a witness's Ed25519 key"],
    );
    check("[[ledger.witnesses]]\nurl = \"https://w.example\"\n", &["has no `key`"]);
    check(&(witness("https://w.example", KEY) + &witness("https://v.example", KEY)), &["has the same key"]);
    check("[ledger]\nwitnesses_required = 2\n", &["asks for 2 witnesses, but 0 are configured"]);
    check("[ledger]\npublish = \"ftp://x.example\"\n", &["neither http nor https"]);
    check("[ledger]\npublish = \"~/notes\"\n", &["only a shell expands"]);
    check("[ledger]\nwitness = \"https://w.example\"\n", &["is not a known key"]);
}
