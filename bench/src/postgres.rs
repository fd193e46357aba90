//! Durable events per second on Postgres, with 64 writers over one, two and three processes' stores, compared with a plain batched
//! insert of the same rows into the same tables. It needs a server: see `make bench-postgres`.

use std::{fs, path::Path, time::Instant};

use countersign_domain::{Event, NewEvent};
use countersign_store::{DataDir, Seams, Store, StoreLocation, Threading};
use tokio_postgres::NoTls;

use crate::sample;

const ROUNDS: usize = 3;
const WRITERS: usize = 64;
const EVENTS: usize = 40_000;

pub(crate) fn run() {
    if std::env::var(countersign_test_store::POSTGRES).is_err() {
        println!("skipped: {} names no server; `make bench-postgres` starts one", countersign_test_store::POSTGRES);
        return;
    }
    println!("{:<12} {:>14} {:>14} {:>8}", "stores", "stores/s", "plain/s", "ratio");
    for stores in [1, 2, 3] {
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let (stored, plain) = (stored(stores), plain());
            println!("{stores:<12} {stored:>14.0} {plain:>14.0} {:>8.2}", stored / plain);
            ratios.push(stored / plain);
        }
        ratios.sort_by(f64::total_cmp);
        println!("{stores:<12} {:>38.2} median", ratios[ratios.len() / 2]);
    }
}

/// A store in a database of its own.
fn open(dir: &Path, address: &str) -> Store {
    let location = StoreLocation::on_postgres(DataDir::new(dir), address).unwrap();
    Store::open(&location, Threading::Threaded, Seams::system().unwrap()).unwrap()
}

/// Several processes' stores of one log. Each has a data directory of its own, with the same key.
fn stored(count: usize) -> f64 {
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(".").unwrap();
    let address = countersign_test_store::create_database(folder.path());
    let first = folder.path().join("0");
    let mut stores = vec![open(&first, &address)];
    for n in 1..count {
        let dir = folder.path().join(n.to_string());
        fs::create_dir(&dir).unwrap();
        for file in ["ledger.key", "ledger.pub", "ledger.checkpoint"] {
            fs::copy(first.join(file), dir.join(file)).unwrap();
        }
        stores.push(open(&dir, &address));
    }
    let runtime = sample::runtime();
    runtime.block_on(async {
        let seams = Seams::system().unwrap();
        let mut work: Vec<Vec<NewEvent>> = vec![Vec::new(); WRITERS];
        for n in 0..EVENTS {
            work[n % WRITERS].push(sample::transaction(&seams, n));
        }
        let started = Instant::now();
        let tasks: Vec<_> = work
            .into_iter()
            .enumerate()
            .map(|(writer, work)| {
                let store = stores[writer % count].clone();
                tokio::spawn(async move {
                    for event in work {
                        store.ingest(vec![event]).await.unwrap();
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        let rate = EVENTS as f64 / started.elapsed().as_secs_f64();
        assert_eq!(stores[0].size().await.unwrap(), EVENTS as u64);
        for store in &stores {
            store.close().await.unwrap();
        }
        rate
    })
}

/// The plain loop: as many rows per commit as there are writers, with one statement for each table, all sent at once.
fn plain() -> f64 {
    let folder = tempfile::Builder::new().prefix("bench-").tempdir_in(".").unwrap();
    let address = countersign_test_store::create_database(folder.path());
    // Creates the tables.
    drop(open(&folder.path().join("0"), &address));
    let seams = Seams::system().unwrap();
    let events: Vec<_> = (0..EVENTS).map(|n| sample::transaction(&seams, n)).collect();
    sample::runtime().block_on(async {
        let (client, connection) = tokio_postgres::connect(&address, NoTls).await.unwrap();
        tokio::spawn(connection);
        let statements = [
            "INSERT INTO countersign.event_log (seq, header, leaf_hash) SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[])",
            "INSERT INTO countersign.event_ids (event_id, seq)
             SELECT id::uuid, seq FROM unnest($1::text[], $2::bigint[]) AS n(id, seq)",
            "INSERT INTO countersign.event_bodies (seq, salt, payload, metadata)
             SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::text[], $4::text[])",
            "INSERT INTO countersign.transaction_ids (seq, transaction_id) SELECT * FROM unnest($1::bigint[], $2::text[])",
        ];
        let mut prepared = Vec::new();
        for sql in statements {
            prepared.push(client.prepare(sql).await.unwrap());
        }
        let started = Instant::now();
        let mut seq = 0_i64;
        for batch in events.chunks(WRITERS) {
            let seqs: Vec<i64> = (seq..).take(batch.len()).collect();
            seq += batch.len() as i64;
            let headers: Vec<String> = seqs.iter().zip(batch).map(|(seq, event)| header(*seq, event)).collect();
            let ids: Vec<String> = batch.iter().map(|event| event.event_id.to_string()).collect();
            let zeros = vec![vec![0_u8; 32]; batch.len()];
            let payloads: Vec<&str> = batch.iter().map(|event| event.payload.as_str()).collect();
            let metadata: Vec<&str> = batch.iter().map(|event| event.metadata.as_str()).collect();
            let transactions: Vec<&str> = batch.iter().map(transaction_id).collect();
            type Values<'v, const N: usize> = [&'v (dyn tokio_postgres::types::ToSql + Sync); N];
            let log: Values<'_, 3> = [&seqs, &headers, &zeros];
            let unique: Values<'_, 2> = [&ids, &seqs];
            let bodies: Values<'_, 4> = [&seqs, &zeros, &payloads, &metadata];
            let rows: Values<'_, 2> = [&seqs, &transactions];
            tokio::try_join!(
                biased;
                client.batch_execute("BEGIN"),
                client.execute(&prepared[0], &log),
                client.execute(&prepared[1], &unique),
                client.execute(&prepared[2], &bodies),
                client.execute(&prepared[3], &rows),
                client.batch_execute("COMMIT"),
            )
            .unwrap();
        }
        EVENTS as f64 / started.elapsed().as_secs_f64()
    })
}

fn transaction_id(event: &NewEvent) -> &str {
    let Event::TransactionReceived(transaction) = &event.event else { panic!("only transactions are measured") };
    transaction.transaction_id.as_str()
}

fn header(seq: i64, event: &NewEvent) -> String {
    format!(
        r#"{{"seq":{seq},"event_id":"{}","event_type":"TRANSACTION_RECEIVED","occurred_at":"{at}","recorded_at":"{at}","producer":"bench","correlation_id":"{}","causation_id":null,"schema_version":1,"commitment":"{}"}}"#,
        event.event_id,
        event.correlation_id,
        "0".repeat(64),
        at = event.occurred_at,
    )
}
