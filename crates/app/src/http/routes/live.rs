//! Live messages over a WebSocket: first the events that the client has missed, then new ones.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use axum::{
    Extension,
    extract::{
        FromRequestParts, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket},
    },
    http::request::Parts,
    response::Response,
};
use countersign_store::StoreError;
use futures_util::{SinkExt, StreamExt};
use tokio::{
    sync::{
        OwnedSemaphorePermit, broadcast,
        broadcast::error::{RecvError, TryRecvError},
    },
    time::{Instant, MissedTickBehavior, interval, sleep, timeout},
};

use crate::{
    http::edge::{
        App, Peer,
        error::{ApiError, Result},
        live_callers::LiveCallerPermit,
        query::Params,
        rate::CountedCaller,
    },
    keys::Caller,
    live::{Hub, LiveCursor, LiveKind, LiveMessage, LiveUpdate},
    sessions::Session,
};

/// Clients have nothing to send; incoming messages are ignored.
const INCOMING_BYTES_MAX: usize = 4 * 1024;
const WRITE_BUFFER_BYTES: usize = 64 * 1024;
/// The buffer must have room for one more message, which contains an event's payload.
const WRITE_BUFFER_BYTES_MAX: usize = WRITE_BUFFER_BYTES + (16 << 20);
/// How often an idle client is sent its cursor.
const IDLE: Duration = Duration::from_secs(15);
/// A client that accepts no data for this long is disconnected.
const STALLED: Duration = Duration::from_secs(30);
/// A client that sends nothing for this long, not even pongs, is disconnected.
const SILENT: Duration = Duration::from_secs(60);
const GOING_AWAY: u16 = 1001;
const NOT_ADMITTED: u16 = 1008;
const TRY_AGAIN: u16 = 1013;

/// Follow the log
///
/// Opens a WebSocket with one JSON message per event: `{"type", "cursor", "event_type", "data"}`. `data` is the current row that
/// lists show for the event, or the event's payload if no list has a row for it. Messages after the cursor come first, then new
/// ones. Without `after`, the connection starts at the current end with a message of type `cursor`. A client that is too far
/// behind, or whose cursor belongs to another log, gets `resync` with a new cursor.
/// Types: `log`, `alert`, `report`, `validation`, `review`, `investigation`, `agent`, `ledger`, `cursor`, `resync`.
#[utoipa::path(get, path = "/api/live", tag = "Events",
    params(("after" = Option<String>, Query, description = "The `cursor` of the last message that the client has seen")),
    responses(
        (status = 101, description = "The WebSocket is open; every message has this form", body = LiveMessage),
        (status = 503, description = "The maximum number of live connections is open, for this caller or in total",
            body = super::ErrorBody),
    ),
)]
pub(super) async fn open(
    State(app): State<App>,
    Extension(caller): Extension<Caller>,
    session: Option<Extension<Session>>,
    peer: Option<Extension<Peer>>,
    mut params: Params,
    Upgrade(upgrade): Upgrade,
) -> Result<Response> {
    let after = params.one("after")?;
    params.finish()?;
    let after =
        after.map(|text| LiveCursor::parse(&text).ok_or_else(|| ApiError::bad_request("after: is not a cursor")));
    let after = after.transpose()?;
    let permit = Arc::clone(app.hub.permits()).try_acquire_owned();
    let permit = permit.map_err(|_| ApiError::Overloaded("too many live connections are open"))?;
    let caller_permit = app.live_callers.take(subject(&caller, peer), app.config.live.clients_per_caller_max);
    let caller_permit = caller_permit.ok_or(ApiError::Overloaded("this caller has too many live connections open"))?;
    let permits = LiveClientPermits { _of_all: permit, _of_caller: caller_permit };
    // Subscribe before the response, so that everything sent after it is received.
    let updates = app.hub.subscribe();
    let start = LiveStart::at(&app.hub, after, app.config.live.replay_events_max as u64);
    let upgrade = upgrade
        .max_message_size(INCOMING_BYTES_MAX)
        .max_frame_size(INCOMING_BYTES_MAX)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_write_buffer_size(WRITE_BUFFER_BYTES_MAX);
    let admission = Admission { caller, session: session.map(|Extension(session)| session) };
    Ok(upgrade.on_upgrade(move |socket| serve(app, socket, updates, start, admission, permits)))
}

/// The permits that a client holds while it is connected.
struct LiveClientPermits {
    _of_all: OwnedSemaphorePermit,
    _of_caller: LiveCallerPermit,
}

/// Counts connections by key, or by address where callers have no key.
fn subject(caller: &Caller, peer: Option<Extension<Peer>>) -> CountedCaller {
    match (caller, peer) {
        (Caller::Key { id, .. }, _) => CountedCaller::Key(id.clone()),
        (Caller::Local, Some(Extension(Peer(address)))) => CountedCaller::address(address.ip()),
        (Caller::Local, None) => CountedCaller::Others,
    }
}

/// The key and session by which a client was admitted.
struct Admission {
    caller: Caller,
    session: Option<Session>,
}

impl Admission {
    /// Whether the key and the session are still valid.
    fn is_valid(&self, app: &App) -> bool {
        let now = app.store.seams().now();
        let is_over = self.session.as_ref().is_some_and(|session| !app.sessions.is_open(session, now));
        !is_over && app.keys.check(&self.caller, now).is_ok()
    }
}

/// The upgrade, or a refusal in our own shape.
pub(super) struct Upgrade(WebSocketUpgrade);

impl<S: Send + Sync> FromRequestParts<S> for Upgrade {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let upgrade = WebSocketUpgrade::from_request_parts(parts, state).await;
        upgrade.map(Self).map_err(|_| ApiError::bad_request("this path opens a WebSocket; send an upgrade request"))
    }
}

/// Where a client starts, and its first message.
struct LiveStart {
    position: u64,
    greeting: Option<LiveKind>,
}

impl LiveStart {
    fn at(hub: &Hub, after: Option<LiveCursor>, replay_max: u64) -> Self {
        let head = hub.size();
        match after {
            None => Self { position: head, greeting: Some(LiveKind::Cursor) },
            Some(after) if after.log != hub.log() || !within(after.passed, head, replay_max) => {
                Self { position: head, greeting: Some(LiveKind::Resync) }
            }
            Some(after) => Self { position: after.passed, greeting: None },
        }
    }
}

fn within(position: u64, head: u64, replay_max: u64) -> bool {
    head.checked_sub(position).is_some_and(|behind| behind <= replay_max)
}

async fn serve(
    app: App,
    socket: WebSocket,
    updates: broadcast::Receiver<LiveUpdate>,
    start: LiveStart,
    admission: Admission,
    _permits: LiveClientPermits,
) {
    app.metrics.live_clients.inc();
    let mut client = LiveClient {
        app: &app,
        socket,
        updates,
        position: start.position,
        admission,
        last_heard: Instant::now(),
        last_sent: Instant::now(),
        last_pinged: Instant::now(),
    };
    let code = match client.follow(start.greeting).await {
        ControlFlow::Break(End::Stopping) => Some((GOING_AWAY, "the server is stopping")),
        ControlFlow::Break(End::NotAdmitted) => Some((NOT_ADMITTED, "the key or the session is no longer valid")),
        ControlFlow::Break(End::Failed(error)) => {
            tracing::warn!(%error, "could not serve a live client");
            Some((TRY_AGAIN, "the log can't be read at the moment"))
        }
        _ => None,
    };
    if let Some((code, reason)) = code {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(Duration::from_secs(2), client.socket.send(close)).await;
    }
    app.metrics.live_clients.dec();
}

/// Why a connection ends.
enum End {
    Stopping,
    /// The client's key was revoked or has expired, or the user has signed out.
    NotAdmitted,
    Gone,
    Failed(StoreError),
}

type Flow<T = ()> = ControlFlow<End, T>;

struct LiveClient<'a> {
    app: &'a App,
    socket: WebSocket,
    updates: broadcast::Receiver<LiveUpdate>,
    /// The position in the log up to which the client has been served.
    position: u64,
    admission: Admission,
    last_heard: Instant,
    last_sent: Instant,
    last_pinged: Instant,
}

impl LiveClient<'_> {
    async fn follow(&mut self, greeting: Option<LiveKind>) -> Flow {
        if let Some(kind) = greeting {
            self.send_position(kind).await?;
        }
        self.catch_up().await?;
        let mut ticks = interval(IDLE / 3);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let app = self.app.clone();
        loop {
            tokio::select! {
                () = app.stop.cancelled() => return Flow::Break(End::Stopping),
                heard = self.socket.next() => self.hear(heard)?,
                update = self.updates.recv() => match update {
                    Ok(update) => {
                        self.send(update).await?;
                        self.drain().await?;
                        self.flush().await?;
                    }
                    Err(RecvError::Lagged(_)) => self.catch_up().await?,
                    Err(RecvError::Closed) => return Flow::Break(End::Stopping),
                },
                _ = ticks.tick() => self.tick().await?,
            }
        }
    }

    /// Sends messages from the database up to its end. Messages in the ring before that position are skipped later.
    async fn catch_up(&mut self) -> Flow {
        loop {
            let replay_max = self.app.config.live.replay_events_max as u64;
            if !within(self.position, self.app.hub.size(), replay_max) {
                self.position = self.app.hub.size();
                self.send_position(LiveKind::Resync).await?;
            }
            let page = match self.app.hub.page(self.position).await {
                Ok(page) => page,
                Err(error) => return Flow::Break(End::Failed(error)),
            };
            for (_, message) in page.messages {
                self.feed(message.text(self.is_masked())).await?;
            }
            self.position = page.next;
            self.flush().await?;
            if page.is_last {
                return Flow::Continue(());
            }
            if self.app.stop.is_cancelled() {
                return Flow::Break(End::Stopping);
            }
        }
    }

    fn is_masked(&self) -> bool {
        !self.admission.caller.role().reads_customer_data()
    }

    async fn send(&mut self, update: LiveUpdate) -> Flow {
        match update {
            LiveUpdate::Event { seq, message } if seq >= self.position => {
                self.position = seq + 1;
                self.feed(message.text(self.is_masked())).await
            }
            LiveUpdate::Event { .. } => Flow::Continue(()),
            LiveUpdate::Checkpoint(data) => {
                let message = self.app.hub.message(LiveKind::Ledger, self.position, Some(&data));
                self.feed(message.into()).await
            }
        }
    }

    /// Sends the messages that are already in the ring, so that they are written together.
    async fn drain(&mut self) -> Flow {
        loop {
            match self.updates.try_recv() {
                Ok(update) => self.send(update).await?,
                Err(TryRecvError::Lagged(_)) => self.catch_up().await?,
                Err(_) => return Flow::Continue(()),
            }
        }
    }

    /// Checks that the client is still connected and admitted, and advances an idle client's cursor past events without messages.
    async fn tick(&mut self) -> Flow {
        let now = Instant::now();
        if now - self.last_heard > SILENT {
            return Flow::Break(End::Gone);
        }
        if !self.admission.is_valid(self.app) {
            return Flow::Break(End::NotAdmitted);
        }
        // Ping even busy clients: a client that only listens sends nothing but pongs.
        if now - self.last_pinged >= IDLE {
            self.last_pinged = now;
            self.put(Message::Ping(Default::default())).await?;
            self.flush().await?;
        }
        if now - self.last_sent < IDLE {
            return Flow::Continue(());
        }
        // Read the ring's position first and then drain it, so that all messages before that position have been sent.
        let passed = self.app.hub.passed();
        self.drain().await?;
        self.position = self.position.max(passed);
        self.send_position(LiveKind::Cursor).await
    }

    fn hear(&mut self, heard: Option<Result<Message, axum::Error>>) -> Flow {
        self.last_heard = Instant::now();
        match heard {
            Some(Ok(Message::Close(_)) | Err(_)) | None => Flow::Break(End::Gone),
            Some(Ok(_)) => Flow::Continue(()),
        }
    }

    async fn send_position(&mut self, kind: LiveKind) -> Flow {
        let message = self.app.hub.message(kind, self.position, None);
        self.feed(message.into()).await?;
        self.flush().await
    }

    async fn feed(&mut self, message: Utf8Bytes) -> Flow {
        self.last_sent = Instant::now();
        self.put(Message::Text(message)).await
    }

    /// Puts a message into the buffer, which is written when it is full.
    async fn put(&mut self, message: Message) -> Flow {
        tokio::select! {
            done = self.socket.feed(message) => gone_if(done.is_err()),
            () = sleep(STALLED) => Flow::Break(End::Gone),
            () = self.app.stop.cancelled() => Flow::Break(End::Stopping),
        }
    }

    async fn flush(&mut self) -> Flow {
        tokio::select! {
            done = self.socket.flush() => gone_if(done.is_err()),
            () = sleep(STALLED) => Flow::Break(End::Gone),
            () = self.app.stop.cancelled() => Flow::Break(End::Stopping),
        }
    }
}

fn gone_if(is_gone: bool) -> Flow {
    if is_gone { Flow::Break(End::Gone) } else { Flow::Continue(()) }
}
