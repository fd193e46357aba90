//! What an auditor from outside does, with nothing but what the server serves.

use countersign_ledger::{Hash, VerifyingKey, leaf_hash, verify_consistency, verify_inclusion};
use serde_json::{Value, json};

use crate::running::{Running, transaction};

fn hash(value: &Value) -> Hash {
    Hash::from_hex(value.as_str().unwrap()).unwrap()
}

fn hashes(value: &Value) -> Vec<Hash> {
    value.as_array().unwrap().iter().map(hash).collect()
}

async fn fill(server: &Running, from: usize, to: usize) {
    let rows: Vec<Value> = (from..to).map(|n| transaction(&format!("tx-{n}"))).collect();
    assert_eq!(server.post("/api/transactions", &json!(rows)).await.json()["accepted"], to - from);
}

#[tokio::test]
async fn the_proofs_served_hold_against_the_checkpoint_and_the_key_served() {
    let server = Running::start().await;
    fill(&server, 0, 300).await;
    let key = server.get("/api/ledger/key").await;
    assert_eq!(key.header("content-type"), Some("text/plain; charset=utf-8"));
    let key = VerifyingKey::parse(key.text().trim()).unwrap();
    server.store.sign_checkpoint().await.unwrap();
    let first = key.open(server.get("/api/ledger/checkpoint").await.text()).unwrap();
    assert_eq!(first.size, 300);

    fill(&server, 300, 700).await;
    server.store.sign_checkpoint().await.unwrap();
    let second = key.open(server.get("/api/ledger/checkpoint").await.text()).unwrap();
    assert_eq!(second.size, 700);

    for index in [0, 1, 255, 256, 299, 300, 511, 698, 699] {
        for (checkpoint, query) in [(&first, "&size=300"), (&second, "")] {
            if index >= checkpoint.size {
                continue;
            }
            let proof = server.get(&format!("/api/ledger/inclusion?index={index}{query}")).await.json();
            let leaf = server.get(&format!("/api/ledger/leaf/{index}")).await.json();
            let computed = leaf_hash(leaf["header"].as_str().unwrap().as_bytes());
            assert_eq!((computed, computed), (hash(&leaf["leaf_hash"]), hash(&proof["leaf_hash"])));
            assert_eq!((hash(&proof["root"]), &proof["size"]), (checkpoint.root, &json!(checkpoint.size)));
            verify_inclusion(&computed, index, checkpoint.size, &hashes(&proof["proof"]), &checkpoint.root).unwrap();
        }
    }
    for from in [0, 1, 2, 255, 256, 299, 300, 699, 700] {
        let proof = server.get(&format!("/api/ledger/consistency?from={from}")).await.json();
        assert_eq!((&proof["to"], hash(&proof["root_to"])), (&json!(700), second.root));
        verify_consistency(from, 700, &hashes(&proof["proof"]), &hash(&proof["root_from"]), &second.root).unwrap();
        if from == 300 {
            assert_eq!(hash(&proof["root_from"]), first.root);
        }
    }
    server.get("/api/ledger/consistency?from=9&to=8").await.check_error(400);
    server.stop().await;
}

#[tokio::test]
async fn an_empty_log_has_a_checkpoint_too() {
    let server = Running::start().await;
    let key = VerifyingKey::parse(server.get("/api/ledger/key").await.text().trim()).unwrap();
    let checkpoint = key.open(server.get("/api/ledger/checkpoint").await.text()).unwrap();
    assert_eq!((checkpoint.size, checkpoint.root), (0, countersign_ledger::empty_root()));
    server.stop().await;
}
