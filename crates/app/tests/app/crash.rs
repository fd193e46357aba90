//! The crash test: clients send work while the program is repeatedly killed at random moments.
//!
//! `CRASH_ROUNDS` sets the number of rounds (50 by default, each with two kills), and `CRASH_SEED` repeats a run.

use std::{
    collections::{HashMap, HashSet},
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use countersign_store::Entropy;
use countersign_test_store::TestDatabase;
use http_body_util::{BodyExt, Full};
use hyper::{
    Request,
    client::conn::http1::{SendRequest, handshake},
};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;

use crate::program::{Program, succeed};

const CLIENTS: usize = 6;
const KILL_AFTER_MS_MAX: u64 = 200;

#[tokio::test(flavor = "multi_thread")]
async fn repeated_kills_lose_no_work_and_repeat_no_effect() {
    let rounds = setting("CRASH_ROUNDS").unwrap_or(50);
    let seed = setting("CRASH_SEED").unwrap_or_else(|| u64::from(std::process::id()));
    println!("{rounds} rounds with CRASH_SEED={seed}");
    let random = Entropy::from_seed(std::array::from_fn(|n| seed.to_le_bytes()[n % 8]));
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("data");
    let clients: Vec<_> = (0..CLIENTS).map(|n| Arc::new(Client::new(n))).collect();
    for round in 0..rounds {
        let program = Program::start(&dir);
        let sending: Vec<_> =
            clients.iter().map(|c| tokio::spawn(Arc::clone(c).send_until_it_dies(program.address))).collect();
        let kill_after = u64::from_le_bytes(random.bytes()) % KILL_AFTER_MS_MAX;
        tokio::time::sleep(Duration::from_millis(kill_after)).await;
        program.kill();
        for sending in sending {
            sending.await.unwrap();
        }
        let found = StoreContent::read(&dir);
        found.check_nothing_is_missing_or_duplicated(&clients, round);

        let program = Program::start(&dir);
        program.until_agents_are_done().await;
        StoreContent::read(&dir).check_every_effect_happened_once(round);
        succeed(&["verify"], &dir);
        program.kill();
    }
    let acknowledged: usize = clients.iter().map(|client| client.acknowledged.lock().unwrap().len()).sum();
    println!("{acknowledged} acknowledged events");
    assert!(acknowledged > rounds as usize, "at most one acknowledged event per round");
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Sends one request at a time, and repeats it until it is acknowledged.
struct Client {
    number: usize,
    next: Mutex<usize>,
    acknowledged: Mutex<Vec<String>>,
}

impl Client {
    fn new(number: usize) -> Self {
        Self { number, next: Mutex::new(0), acknowledged: Mutex::default() }
    }

    async fn send_until_it_dies(self: Arc<Self>, address: SocketAddr) {
        let Some(mut connection) = connect(address).await else { return };
        loop {
            let next = *self.next.lock().unwrap();
            let (path, body, ids) = self.message(next);
            let is_stream = path.starts_with("/v1/");
            if is_stream {
                // Streams have no idempotency key, so each attempt is a new stream.
                *self.next.lock().unwrap() += 1;
            }
            let Some((status, answer)) = post(&mut connection, address, path, &body, &ids[0]).await else { return };
            assert!([200, 202].contains(&status), "{status} for {body}: {answer}");
            if is_stream {
                assert!(answer.ends_with("data: [DONE]\n\n"), "{answer}");
            } else {
                *self.next.lock().unwrap() += 1;
            }
            self.acknowledged.lock().unwrap().extend(ids);
        }
    }

    /// The path, body and ids of message `n`: transactions (single or in an array), an alert, a question or a stream.
    fn message(&self, n: usize) -> (&'static str, Value, Vec<String>) {
        let id = |kind: &str, m: usize| format!("{kind}-{}-{n}-{m}", self.number);
        // One transaction at noon of each day, so that the detector raises no alerts of its own.
        let transaction = |m: usize| {
            let day = jiff::civil::date(2000, 1, 1) + jiff::Span::new().days(i64::try_from(n * 20 + m).unwrap());
            json!({
                "transaction_id": id("tx", m), "user_id": format!("user-{}", self.number),
                "amount": {"amount": "12.50", "currency": "USD"}, "occurred_at": format!("{day}T12:00:00Z")
            })
        };
        match n % 6 {
            4 => ("/process-agent", json!({"user_query": id("question", 0)}), vec![id("question", 0)]),
            5 => {
                let messages = json!([{"role": "user", "content": id("stream", 0)}]);
                let body = json!({"model": "simulated", "stream": true, "messages": messages});
                ("/v1/chat/completions", body, vec![id("stream", 0)])
            }
            0 => {
                let severity = ["low", "medium", "high", "critical"][n / 6 % 4];
                let alert = json!({"alert_id": id("alert", 0), "user_id": "user-1", "severity": severity, "score": 50});
                ("/api/alerts", alert, vec![id("alert", 0)])
            }
            1 => ("/api/transactions", (0..20).map(transaction).collect(), (0..20).map(|m| id("tx", m)).collect()),
            _ => ("/api/transactions", transaction(0), vec![id("tx", 0)]),
        }
    }
}

type Connected = SendRequest<Full<Bytes>>;

async fn connect(address: SocketAddr) -> Option<Connected> {
    let stream = TcpStream::connect(address).await.ok()?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await.ok()?;
    tokio::spawn(connection);
    Some(sender)
}

/// The status and body. `None` if the program died first.
async fn post(
    connection: &mut Connected,
    address: SocketAddr,
    path: &str,
    body: &Value,
    key: &str,
) -> Option<(u16, String)> {
    let request = Request::post(path).header("host", address.to_string()).header("idempotency-key", key);
    let answer = connection.send_request(request.body(Full::new(Bytes::from(body.to_string()))).unwrap()).await.ok()?;
    let status = answer.status().as_u16();
    let body = answer.into_body().collect().await.ok()?.to_bytes();
    Some((status, String::from_utf8(body.to_vec()).unwrap()))
}

/// The content of the store, read with plain SQL instead of the store's own code.
struct StoreContent {
    /// The number of events of each transaction, alert and answer, by its id or query.
    taken: HashMap<String, u32>,
    /// Event ids of alerts that must be investigated.
    to_investigate: HashSet<String>,
    /// The number of investigations that each alert's event caused.
    investigated: HashMap<String, u32>,
    /// The number of reports that each alert's event caused, the reports' event ids, and the number of verdicts that each caused.
    reported: HashMap<String, u32>,
    reports: HashSet<String>,
    judged: HashMap<String, u32>,
    /// Streams whose start is on record and whose end is not.
    cut_off: Vec<String>,
}

impl StoreContent {
    fn read(dir: &Path) -> Self {
        let database = TestDatabase::of(dir);
        for row in database.rows("SELECT count(*), coalesce(max(seq) + 1, 0) FROM event_log") {
            assert_eq!(row[0], row[1], "there are gaps");
        }
        let counts = |sql: &str| -> HashMap<String, u32> {
            database.rows(sql).into_iter().map(|row| (row[0].clone(), row[1].parse().unwrap())).collect()
        };
        let taken = counts(
            "SELECT coalesce(payload ->> '$.transaction_id', payload ->> '$.alert_id', payload ->> '$.query') AS id, count(*)
             FROM events WHERE event_type IN ('TRANSACTION_RECEIVED', 'FRAUD_ALERT_CREATED', 'AUDIT_LOG_CREATED')
             GROUP BY id",
        );
        let to_investigate = counts(
            "SELECT event_id, 1 FROM events WHERE event_type = 'FRAUD_ALERT_CREATED' AND payload ->> '$.severity' <> 'low'",
        );
        let investigated = counts(
            "SELECT causation_id, count(*) FROM events WHERE event_type = 'INVESTIGATION_CREATED' GROUP BY causation_id",
        );
        let reported = counts(
            "SELECT causation_id, count(*) FROM events WHERE event_type = 'REPORT_GENERATED' GROUP BY causation_id",
        );
        let reports = counts("SELECT event_id, 1 FROM events WHERE event_type = 'REPORT_GENERATED'");
        let judged = counts(
            "SELECT causation_id, count(*) FROM events WHERE event_type IN ('REPORT_APPROVED', 'REPORT_NEEDS_REVIEW')
             GROUP BY causation_id",
        );
        let cut_off = counts("SELECT log_id, 1 FROM open_answers WHERE state = 'requested'").into_keys().collect();
        let (to_investigate, reports) = (to_investigate.into_keys().collect(), reports.into_keys().collect());
        Self { cut_off, taken, to_investigate, investigated, reported, reports, judged }
    }

    fn check_nothing_is_missing_or_duplicated(&self, clients: &[Arc<Client>], round: u64) {
        for client in clients {
            for id in client.acknowledged.lock().unwrap().iter() {
                assert_eq!(self.taken.get(id), Some(&1), "round {round}: {id} was acknowledged");
            }
        }
        let effects = [&self.investigated, &self.reported, &self.judged].into_iter().flatten();
        let duplicated: Vec<_> = self.taken.iter().chain(effects).filter(|(_, count)| **count != 1).collect();
        assert!(duplicated.is_empty(), "round {round}: {duplicated:?}");
    }

    fn check_every_effect_happened_once(&self, round: u64) {
        assert!(self.cut_off.is_empty(), "round {round}: streams without an end: {:?}", self.cut_off);
        let causes = |effects: &HashMap<String, u32>| effects.keys().cloned().collect::<HashSet<_>>();
        assert_eq!(causes(&self.investigated), self.to_investigate, "round {round}");
        assert_eq!(causes(&self.reported), self.to_investigate, "round {round}: reports");
        assert_eq!(causes(&self.judged), self.reports, "round {round}: verdicts");
        let mut counts = [&self.investigated, &self.reported, &self.judged].into_iter().flat_map(HashMap::values);
        assert!(counts.all(|count| *count == 1), "round {round}");
    }
}
