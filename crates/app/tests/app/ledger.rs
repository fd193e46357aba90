//! Checks that an outside auditor can make with only the server's responses.

use countersign_ledger::{
    Frontier, Hash, VerifyingKey, body_commitment, leaf_hash, verify_consistency, verify_inclusion,
};
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
async fn served_proofs_verify_with_the_served_checkpoint_and_key() {
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
async fn the_signed_root_can_be_recomputed_from_the_served_leaves() {
    let server = Running::start().await;
    fill(&server, 0, 700).await;
    server.store.sign_checkpoint().await.unwrap();
    let key = VerifyingKey::parse(server.get("/api/ledger/key").await.text().trim()).unwrap();
    let checkpoint = key.open(server.get("/api/ledger/checkpoint").await.text()).unwrap();
    let (mut tree, mut from, mut pages) = (Frontier::new(), 0, 0);
    loop {
        let page = server.get(&format!("/api/ledger/leaves?from={from}&limit=300")).await.json();
        for leaf in page["items"].as_array().unwrap() {
            assert_eq!(leaf["index"], tree.size());
            tree.push(leaf_hash(leaf["header"].as_str().unwrap().as_bytes()), |_, _| {});
        }
        pages += 1;
        match page["next"].as_u64() {
            Some(next) => from = next,
            None => break,
        }
    }
    assert_eq!((tree.size(), tree.root(), pages), (checkpoint.size, checkpoint.root, 3));
    let usual = server.get("/api/ledger/leaves").await.json();
    assert_eq!((usual["items"].as_array().unwrap().len(), &usual["next"]), (256, &json!(256)));
    let last = server.get("/api/ledger/leaves?from=600&limit=100").await.json();
    assert_eq!((last["items"].as_array().unwrap().len(), &last["next"]), (100, &Value::Null));
    let beyond = server.get("/api/ledger/leaves?from=700").await.json();
    assert_eq!(beyond, json!({"items": [], "next": null}));
    for query in ["?limit=0", "?limit=1001", "?from=-1", "?from=x", "?to=3"] {
        server.get(&format!("/api/ledger/leaves{query}")).await.check_error(400);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_payload_can_be_verified_against_its_leaf_until_it_is_erased() {
    let server = Running::start().await;
    fill(&server, 0, 3).await;
    let leaf = async || server.get("/api/ledger/leaf/1").await.json();
    let sealed = leaf().await;
    let text = |field: &str| sealed[field].as_str().unwrap().to_owned();
    let payload: Value = serde_json::from_str(&text("payload_json")).unwrap();
    assert_eq!(payload["transaction_id"], "tx-1");
    let header: Value = serde_json::from_str(&text("header")).unwrap();
    let salt = *Hash::from_hex(&text("salt")).unwrap().as_bytes();
    let commitment = body_commitment(&salt, text("payload_json").as_bytes(), text("metadata_json").as_bytes());
    assert_eq!(header["commitment"], commitment.to_hex());

    server.store.erase(vec![1], "asked for", "ana").await.unwrap();
    let erased = leaf().await;
    assert_eq!(erased["header"], sealed["header"]);
    for field in ["salt", "payload_json", "metadata_json"] {
        assert_eq!(erased[field], Value::Null, "{field}");
    }
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
