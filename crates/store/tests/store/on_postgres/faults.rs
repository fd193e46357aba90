//! What happens to work in progress when connections are cut, answers are lost, and the server ends sessions.

use std::{
    io,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
    time::Duration,
};

use countersign_domain::NewEvent;
use countersign_store::{Progress, Step, StepOutcome, Store, StoreLocation, Threading};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};
use tokio_postgres::Client;

use super::processes::{close_all, open_several};
use crate::fixture::{Fixture, assert_good};

/// What the proxy does when the next COMMIT passes it.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Cut {
    Nothing,
    /// The server gets the COMMIT, but its answer is lost, and so is the connection.
    Answer,
    /// The connection is lost before the server gets the COMMIT.
    Commit,
}

/// Stands between a store and its server.
struct Proxy {
    address: SocketAddr,
    cut: Arc<AtomicU8>,
    cuts: Arc<AtomicUsize>,
}

impl Proxy {
    async fn start(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (cut, cuts) = (Arc::new(AtomicU8::new(Cut::Nothing as u8)), Arc::new(AtomicUsize::new(0)));
        let (for_task, counted) = (Arc::clone(&cut), Arc::clone(&cuts));
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                tokio::spawn(pass(client, server, Arc::clone(&for_task), Arc::clone(&counted)));
            }
        });
        Self { address, cut, cuts }
    }

    fn cut_next(&self, cut: Cut) {
        self.cut.store(cut as u8, Ordering::SeqCst);
    }
}

/// Passes bytes on in both directions, until a COMMIT is to be cut.
async fn pass(mut client: TcpStream, server: SocketAddr, cut: Arc<AtomicU8>, cuts: Arc<AtomicUsize>) -> io::Result<()> {
    let mut server = TcpStream::connect(server).await?;
    let (mut from_client, mut from_server) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        tokio::select! {
            read = client.read(&mut from_client) => {
                let bytes = &from_client[..read?];
                if bytes.is_empty() {
                    return Ok(());
                }
                let is_commit = bytes.windows(7).any(|window| window == b"COMMIT\0");
                let wanted = if is_commit { cut.swap(Cut::Nothing as u8, Ordering::SeqCst) } else { Cut::Nothing as u8 };
                if wanted == Cut::Commit as u8 {
                    cuts.fetch_add(1, Ordering::SeqCst);
                    return Ok(());
                }
                server.write_all(bytes).await?;
                if wanted == Cut::Answer as u8 {
                    cuts.fetch_add(1, Ordering::SeqCst);
                    // The server answers after the commit is done. Nobody hears it.
                    let _ = server.read(&mut from_server).await;
                    return Ok(());
                }
            }
            read = server.read(&mut from_server) => {
                let bytes = &from_server[..read?];
                if bytes.is_empty() {
                    return Ok(());
                }
                client.write_all(bytes).await?;
            }
        }
    }
}

/// A store whose connections pass a proxy.
async fn behind_proxy(fixture: &Fixture) -> (Store, Proxy) {
    // Creates the database and the log.
    fixture.open(Threading::Inline).close().await.unwrap();
    let address = countersign_test_store::address(fixture.dir().path());
    let (before, rest) = address.split_once('@').unwrap();
    let (host, name) = rest.split_once('/').unwrap();
    let server = tokio::net::lookup_host(host).await.unwrap().next().unwrap();
    let proxy = Proxy::start(server).await;
    let address = format!("{before}@{}/{name}?sslmode=disable", proxy.address);
    let location = StoreLocation::on_postgres(fixture.dir(), &address).unwrap();
    let seams = fixture.seams.clone();
    let opened = tokio::task::spawn_blocking(move || Store::open(&location, Threading::Threaded, seams).unwrap());
    (opened.await.unwrap(), proxy)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_is_neither_lost_nor_repeated() {
    for cut in [Cut::Answer, Cut::Commit] {
        let fixture = Fixture::new();
        let (store, proxy) = behind_proxy(&fixture).await;
        assert_eq!(store.append(vec![fixture.started("first")]).await.unwrap(), 0);
        proxy.cut_next(cut);
        assert_eq!(store.append(vec![fixture.started("a"), fixture.started("b")]).await.unwrap(), 1);
        assert_eq!(proxy.cuts.load(Ordering::SeqCst), 1, "the connection was cut");
        assert_eq!(store.append(vec![fixture.started("last")]).await.unwrap(), 3);
        assert_eq!(store.size().await.unwrap(), 4);
        store.close().await.unwrap();
        drop(store);
        assert_good(&fixture.verify());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_without_events_whose_answer_is_lost_is_known_by_its_transaction() {
    for cut in [Cut::Answer, Cut::Commit] {
        let fixture = Fixture::new();
        let (store, proxy) = behind_proxy(&fixture).await;
        store.append(vec![fixture.started("first")]).await.unwrap();
        proxy.cut_next(cut);
        assert_eq!(store.count_attempt("stand-in", 0).await.unwrap(), 1, "it is counted once");
        assert_eq!(proxy.cuts.load(Ordering::SeqCst), 1, "the connection was cut");
        assert_eq!(store.count_attempt("stand-in", 0).await.unwrap(), 2);
        proxy.cut_next(cut);
        let step = Step::new("stand-in", Progress::Lane { seq: 0, low: 1 }, Vec::new());
        assert_eq!(store.step(step.clone()).await.unwrap(), StepOutcome::Committed);
        assert_eq!(store.step(step).await.unwrap(), StepOutcome::AlreadyDone);
        store.close().await.unwrap();
        drop(store);
        assert_good(&fixture.verify());
    }
}

/// Ends all sessions of this test's database, as an administrator or a failover does.
fn end_sessions(fixture: &Fixture) {
    let address = countersign_test_store::address(fixture.dir().path());
    countersign_test_store::run(&address, async |client: Client| {
        let sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()";
        client.batch_execute(sql).await.unwrap();
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn work_goes_on_exactly_once_while_sessions_are_ended() {
    let fixture = Fixture::new();
    let stores = open_several(&fixture, 3);
    let writers: Vec<_> = (0..12)
        .map(|writer| {
            let store = stores[writer % 3].clone();
            let events: Vec<NewEvent> =
                (0..30).map(|n| fixture.transaction(&format!("{writer}/{n}"), "1.00")).collect();
            tokio::spawn(async move {
                for event in events {
                    store.ingest(vec![event]).await.unwrap();
                }
            })
        })
        .collect();
    while !writers.iter().all(tokio::task::JoinHandle::is_finished) {
        end_sessions(&fixture);
        tokio::time::sleep(Duration::from_millis(150)).await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(stores[0].size().await.unwrap(), 360);
    close_all(stores).await;
    let report = fixture.verify();
    assert_good(&report);
    assert_eq!(report.events, 360);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_works_again_after_its_session_was_ended() {
    let fixture = Fixture::new();
    let store = fixture.open(Threading::Threaded);
    store.append(vec![fixture.started("x")]).await.unwrap();
    end_sessions(&fixture);
    let mut failures = 0;
    while let Err(error) = store.leaf(0).await {
        assert!(error.is_transient(), "{error}");
        failures += 1;
        assert!(failures < 100, "reads never work again");
    }
    store.close().await.unwrap();
}
