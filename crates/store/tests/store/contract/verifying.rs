//! Verifying a store that is in use.

use countersign_domain::payload::KeyChange;
use countersign_store::{Mode, verify};

use crate::fixture::{Fixture, assert_good};

fn quietly(_: u64, _: u64) {}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_verifies_while_it_is_written_to() {
    let fixture = Fixture::new();
    let store = fixture.open(Mode::Threaded);
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
