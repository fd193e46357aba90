//! The baseline for the store: a loop of plain SQLite inserts with the same tables, indexes, bytes, batches and durability, but
//! without tree, hashes and queue.

use std::{path::Path, time::Instant};

use countersign_domain::{Event, NewEvent};
use rusqlite::{Connection, params};

const SCHEMA: &str = include_str!("plain.sql");

/// Inserts all events, `batch` per transaction. Returns events per second.
pub(crate) fn run(path: &Path, events: &[NewEvent], batch: usize) -> f64 {
    let conn = Connection::open(path).unwrap();
    conn.set_prepared_statement_cache_capacity(64);
    conn.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON; PRAGMA secure_delete = ON;
         PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 4000;
         PRAGMA journal_size_limit = 67108864;",
    )
    .unwrap();
    conn.execute_batch(SCHEMA).unwrap();
    let started = Instant::now();
    let mut seq = 0_u64;
    for batch in events.chunks(batch) {
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        for event in batch {
            insert(&conn, seq, event);
            seq += 1;
        }
        conn.execute_batch("COMMIT").unwrap();
    }
    events.len() as f64 / started.elapsed().as_secs_f64()
}

fn insert(conn: &Connection, seq: u64, event: &NewEvent) {
    let Event::TransactionReceived(transaction) = &event.event else { panic!("only transactions are measured") };
    conn.prepare_cached(
        "INSERT INTO transaction_ids (seq, transaction_id) VALUES (?1, ?2) ON CONFLICT (transaction_id) DO NOTHING",
    )
    .unwrap()
    .execute(params![seq, transaction.transaction_id.as_str()])
    .unwrap();
    let header = format!(
        r#"{{"seq":{seq},"event_id":"{}","event_type":"TRANSACTION_RECEIVED","occurred_at":"{at}","recorded_at":"{at}","producer":"bench","correlation_id":"{}","causation_id":null,"schema_version":1,"commitment":"{}"}}"#,
        event.event_id,
        event.correlation_id,
        "0".repeat(64),
        at = event.occurred_at,
    );
    conn.prepare_cached("INSERT INTO event_log (seq, header, leaf_hash) VALUES (?1, ?2, ?3)")
        .unwrap()
        .execute(params![seq, header, [0_u8; 32]])
        .unwrap();
    conn.prepare_cached("INSERT INTO event_bodies (seq, salt, payload, metadata) VALUES (?1, ?2, ?3, ?4)")
        .unwrap()
        .execute(params![seq, [0_u8; 32], event.payload, event.metadata])
        .unwrap();
}
