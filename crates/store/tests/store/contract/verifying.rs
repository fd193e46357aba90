//! Verifying a store: with another key, with notes from outside, and while it is in use.

use std::fs;

use countersign_domain::payload::KeyChange;
use countersign_ledger::{Checkpoint, SigningKey, leaf_hash};
use countersign_store::{Anchor, Threading, export, verify, verify_against, verify_file_against};

use super::{bundles::filled, ledger::grow};
use crate::fixture::{Fixture, assert_good, assert_says};

fn quietly(_: u64, _: u64) {}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_verifies_while_it_is_written_to() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    let letters: Vec<_> = (0..30).map(|_| fixture.seams.dead_letter_id()).collect();
    let work: Vec<_> = letters
        .into_iter()
        .enumerate()
        .map(|(n, id)| {
            let key = format!("key{n:09}");
            let transactions: Vec<_> = (0..20).map(|m| fixture.transaction(&format!("tx-{n}-{m}"), "1.00")).collect();
            let letter = fixture.dead_letter(id, "detector", 0, transactions[0].event_id);
            let (made, revoked) = (fixture.key(&key, KeyChange::Created), fixture.key(&key, KeyChange::Revoked));
            ([transactions, vec![letter, made]].concat(), revoked, id)
        })
        .collect();
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            for (events, revoked, id) in work {
                let first = store.append(events).await.unwrap();
                store.sign_checkpoint().await.unwrap();
                store.append(vec![revoked]).await.unwrap();
                store.request_replay(id, "ana").await.unwrap();
                store.erase(vec![first, first + 7], "asked for", "ana").await.unwrap();
            }
        }
    });
    while !writer.is_finished() {
        let location = fixture.location();
        let report = tokio::task::spawn_blocking(move || verify(&location, None, &mut quietly).unwrap()).await.unwrap();
        assert_good(&report);
    }
    writer.await.unwrap();
    store.close().await.unwrap();
    let report = fixture.verify();
    assert_good(&report);
    assert_eq!((report.events, report.erased), (30 * 25, 60));
}

#[tokio::test]
async fn a_log_does_not_verify_with_another_key() {
    let (fixture, ours) = filled().await;
    for name in [ours.name(), "countersign/another"] {
        let key = SigningKey::from_seed(name, &[9; 32]).unwrap().verifying_key();
        let report = verify(&fixture.location(), Some(&key), &mut quietly).unwrap();
        assert_eq!(report.signed_events, 0);
        assert_says(&report, "the last signed checkpoint is forged or damaged");
        assert_says(&report, "ledger.pub is not the key that was given");
    }
    assert_good(&verify(&fixture.location(), Some(&ours), &mut quietly).unwrap());
}

#[tokio::test]
async fn a_checkpoint_that_was_set_back_is_found() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Inline);
    grow(&fixture, &store, 3).await;
    store.sign_checkpoint().await.unwrap();
    let earlier = fs::read_to_string(fixture.dir().checkpoint()).unwrap();
    grow(&fixture, &store, 5).await;
    store.close().await.unwrap();
    drop(store);
    assert_good(&fixture.verify());
    fs::write(fixture.dir().checkpoint(), earlier).unwrap();
    let report = fixture.verify();
    assert_says(&report, "is over 3 events, but the database has one over 5");
    assert_eq!(report.findings_total, 1, "{:#?}", report.findings);
}

#[tokio::test]
async fn a_log_verifies_only_with_the_notes_from_outside_that_it_agrees_with() {
    let (fixture, _) = filled().await;
    let key = SigningKey::from_text(fs::read_to_string(fixture.dir().key()).unwrap().trim()).unwrap();
    let (ours, bundle) = (key.verifying_key(), fixture.folder.path().join("bundle"));
    export(&fixture.location(), &bundle, &mut quietly).unwrap();
    let store = fixture.open(Threading::Inline);
    let at = async |size| {
        let (origin, root) = (ours.name().to_owned(), store.root_at(size).await.unwrap());
        Checkpoint { origin, size, root }
    };
    let (third, last) = (at(3).await, at(9).await);
    drop(store);
    let check = |note: String, expected: Option<&str>| {
        let anchors = [Anchor { label: "the saved note".into(), note }];
        let reports = [
            verify_against(&fixture.location(), None, &anchors, &mut quietly).unwrap(),
            verify_file_against(&bundle, &ours, &anchors, &mut quietly).unwrap(),
        ];
        for report in reports {
            match expected {
                None => assert_good(&report),
                Some(what) => assert_says(&report, what),
            }
        }
    };
    check(key.sign(&third), None);
    check(key.sign(&last), None);
    check(key.sign(&Checkpoint { root: leaf_hash(b"another"), ..third.clone() }), Some("the saved note"));
    check(key.sign(&Checkpoint { size: 10, ..last }), Some("the saved note"));
    let theirs = SigningKey::from_seed(ours.name(), &[9; 32]).unwrap();
    check(theirs.sign(&third), Some("the saved note was not signed by this log's key"));
}
