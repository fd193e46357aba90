//! The handle of a running fake provider: starts and stops it, scripts it, and returns what it received.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpSocket;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::behaviour::Behaviour;
use crate::received::Received;
use crate::server::{Server, lock, run};

const WAIT_MAX: Duration = Duration::from_secs(10);
const BACKLOG: u32 = 4_096;

/// A running server. It stops when dropped.
pub struct Fake {
    server: Arc<Server>,
    address: SocketAddr,
    running: Mutex<Option<Running>>,
    /// Bound but not listening, so that the port stays reserved and refuses callers while the server is stopped.
    _reserved: TcpSocket,
}

struct Running {
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Fake {
    /// Starts on a free port of 127.0.0.1, without faults.
    pub async fn start() -> Self {
        Self::start_with(|_| Behaviour::Answer).await
    }

    #[expect(clippy::expect_used, reason = "a test whose provider can't listen has nothing left to do")]
    pub async fn start_with(script: impl Fn(&Received) -> Behaviour + Send + Sync + 'static) -> Self {
        let any_port = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        Self::listen(any_port, script).expect("a free port on 127.0.0.1")
    }

    /// Starts at this address, which must be free. Must be called in a tokio runtime.
    pub fn listen(
        address: SocketAddr,
        script: impl Fn(&Received) -> Behaviour + Send + Sync + 'static,
    ) -> io::Result<Self> {
        // First bind exclusively: the shared binding below would succeed even if another process uses the port.
        drop(std::net::TcpListener::bind(address)?);
        let reserved = bind(address)?;
        let address = reserved.local_addr()?;
        let server = Arc::new(Server::new(Arc::new(script)));
        let running = Mutex::new(Some(Running::start(&server, address)?));
        Ok(Self { server, address, running, _reserved: reserved })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub fn openai_url(&self) -> String {
        self.url("/v1")
    }

    pub fn groq_url(&self) -> String {
        self.url("/openai/v1")
    }

    pub fn gemini_url(&self) -> String {
        self.url("/v1beta")
    }

    pub fn anthropic_url(&self) -> String {
        self.url("/anthropic/v1")
    }

    pub fn ollama_url(&self) -> String {
        self.url("/ollama/v1")
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Replaces the script for future calls.
    pub fn script(&self, script: impl Fn(&Received) -> Behaviour + Send + Sync + 'static) {
        *lock(&self.server.script) = Arc::new(script);
    }

    /// Queues a behaviour for one call. Queued behaviours precede the script.
    pub fn push(&self, behaviour: Behaviour) {
        lock(&self.server.queue).push_back(behaviour);
    }

    /// Waits this long between the frames of a stream.
    pub fn set_chunk_delay(&self, delay: Duration) {
        let delay_us = u64::try_from(delay.as_micros()).unwrap_or(u64::MAX);
        self.server.chunk_delay_us.store(delay_us, SeqCst);
    }

    /// If off, requests are counted but not kept. For benchmarks.
    pub fn set_recording(&self, is_recording: bool) {
        self.server.is_recording.store(is_recording, SeqCst);
    }

    /// All calls so far, at most the last 100,000.
    pub fn received(&self) -> Vec<Received> {
        lock(&self.server.recorded).iter().cloned().collect()
    }

    pub fn count(&self) -> u64 {
        self.server.counts.received.load(SeqCst)
    }

    /// The number of calls that are being answered now.
    pub fn open_calls(&self) -> u64 {
        self.server.counts.open.load(SeqCst)
    }

    /// The number of callers that disconnected before the end of the answer.
    pub fn cancelled(&self) -> u64 {
        self.server.counts.cancelled.load(SeqCst)
    }

    /// Bytes of response bodies that were passed on for sending, an upper bound of what callers have received.
    pub fn body_bytes(&self) -> u64 {
        self.server.counts.body_bytes.load(SeqCst)
    }

    /// Waits until the condition holds. Returns false if that takes longer than 10 s of tokio's clock.
    pub async fn wait_for(&self, condition: impl Fn(&Self) -> bool) -> bool {
        let satisfied = async {
            loop {
                let changed = self.server.counts.changed.notified();
                tokio::pin!(changed);
                // Enable the notification before checking, so that no change in between is missed.
                changed.as_mut().enable();
                if condition(self) {
                    return;
                }
                changed.await;
            }
        };
        timeout(WAIT_MAX, satisfied).await.is_ok()
    }

    /// Closes the port and all connections. Callers are refused until `restart`.
    pub async fn stop(&self) {
        let running = lock(&self.running).take();
        let Some(Running { stop, task }) = running else { return };
        self.server.counts.is_stopping.store(true, SeqCst);
        let _ = stop.send(());
        let _ = task.await;
        self.server.counts.is_stopping.store(false, SeqCst);
    }

    /// Restarts on the same port, with the same script and counts.
    #[expect(clippy::expect_used, reason = "a test whose provider can't listen has nothing left to do")]
    pub async fn restart(&self) {
        self.stop().await;
        let running = Running::start(&self.server, self.address).expect("the port that this fake holds");
        *lock(&self.running) = Some(running);
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        if let Some(running) = lock(&self.running).take() {
            running.task.abort();
        }
    }
}

impl Running {
    fn start(server: &Arc<Server>, address: SocketAddr) -> io::Result<Self> {
        let listener = bind(address)?.listen(BACKLOG)?;
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(run(Arc::clone(server), listener, stopped));
        Ok(Self { stop, task })
    }
}

fn bind(address: SocketAddr) -> io::Result<TcpSocket> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(address)?;
    Ok(socket)
}
