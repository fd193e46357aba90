//! Follows the log: hears of what other processes append, and tells this process's readers.
//!
//! Commits announce themselves with NOTIFY. Where that doesn't arrive (a pooler in transaction mode passes no notifications on,
//! and a lost connection loses them), the log's size is asked for now and then. Announcements are hints: whoever hears of one
//! reads the log.

use std::{
    future::poll_fn,
    sync::{Arc, Weak},
    time::Duration,
};

use countersign_domain::EventType;
use tokio::sync::mpsc;
use tokio_postgres::AsyncMessage;

use super::{address::PostgresAddress, session::Sessions, values::Columns};
use crate::{error::Result, heads::Heads, newest::NewestByType};

/// How often the size is asked for, at first and at most. The time doubles as long as nothing changes.
const POLLS: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));
/// How long after a commit the writer has announced it.
const OWN_COMMIT: Duration = Duration::from_millis(100);
/// How long to wait before listening again after the connection was lost.
const LISTEN_AGAIN: Duration = Duration::from_secs(2);
/// The channel that commits are announced in.
const LISTEN: &str = "LISTEN countersign";

/// A commit, as it announces itself: where its events begin and end, and their types.
pub(super) struct Announcement {
    pub(super) first: u64,
    pub(super) size: u64,
    pub(super) types: Vec<EventType>,
}

impl Announcement {
    pub(super) fn to_text(&self) -> String {
        let mut names: Vec<_> = self.types.iter().map(|event_type| event_type.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        format!("{} {} {}", self.first, self.size, names.join(","))
    }

    /// `None` if it is of a version that writes announcements in another way.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ' ');
        let (first, size) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        // A type that this version doesn't know has no readers here.
        let types = parts.next()?.split(',').filter_map(EventType::parse).collect();
        Some(Self { first, size, types })
    }
}

/// Tells this process's readers about commits.
pub(super) struct Follower {
    /// Gone once the store is closed.
    heads: Weak<Heads>,
    newest: Arc<NewestByType>,
}

impl Follower {
    pub(super) fn new(heads: &Arc<Heads>, newest: Arc<NewestByType>) -> Self {
        Self { heads: Arc::downgrade(heads), newest }
    }

    /// Follows the log until the store is closed.
    pub(super) async fn run(self, address: PostgresAddress, sessions: Sessions) {
        let (heard, mut announcements) = mpsc::channel(64);
        let listener = tokio::spawn(listen(address, heard));
        let mut wait = POLLS.0;
        while let Some(known) = self.known() {
            match tokio::time::timeout(wait, announcements.recv()).await {
                Ok(Some(text)) => match Announcement::parse(&text) {
                    // Without a gap before it, its types are the types of everything that is new. What is known may have grown
                    // while this was waiting.
                    Some(heard) if self.known() >= Some(heard.first) => self.announce(heard.size, &heard.types),
                    Some(heard) => self.announce(heard.size, EventType::ALL),
                    None => {}
                },
                // The log is asked for its size. If that fails, the next time will do.
                _ => match size(&sessions).await {
                    Ok(size) if size > known => {
                        // This process's own commits are announced by the writer, which knows their types.
                        tokio::time::sleep(OWN_COMMIT).await;
                        self.announce(size, EventType::ALL);
                    }
                    Ok(_) => {}
                    Err(error) => tracing::debug!(%error, "the log's size could not be read"),
                },
            }
            wait = if self.known() > Some(known) { POLLS.0 } else { (wait * 2).min(POLLS.1) };
        }
        listener.abort();
    }

    fn known(&self) -> Option<u64> {
        self.heads.upgrade().map(|heads| heads.size())
    }

    fn announce(&self, size: u64, types: &[EventType]) {
        let Some(heads) = self.heads.upgrade().filter(|heads| heads.size() < size) else { return };
        for event_type in types {
            self.newest.add(*event_type, size - 1);
        }
        heads.announce(size);
    }
}

async fn size(sessions: &Sessions) -> Result<u64> {
    let session = sessions.get().await?;
    session.row("SELECT size FROM countersign.ledger_head WHERE id = 1", &[]).await?.number(0)
}

/// Listens on a connection of its own, and connects again whenever it is lost.
async fn listen(address: PostgresAddress, heard: mpsc::Sender<String>) {
    loop {
        if let Err(error) = listen_once(&address, &heard).await {
            tracing::debug!(%error, "listening for new events failed");
        }
        tokio::time::sleep(LISTEN_AGAIN).await;
    }
}

async fn listen_once(address: &PostgresAddress, heard: &mpsc::Sender<String>) -> Result<()> {
    let (client, mut connection) = address.config().connect(address.tls()?).await?;
    let forward = async {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            if let AsyncMessage::Notification(notification) = message? {
                // If this process can't keep up, it will ask for the size instead.
                let _ = heard.try_send(notification.payload().to_owned());
            }
        }
        Ok::<_, crate::error::StoreError>(())
    };
    let begin = async {
        client.batch_execute(LISTEN).await?;
        // The client ends the connection when it is dropped, so it stays here.
        std::future::pending::<Result<()>>().await
    };
    tokio::select! {
        ended = forward => ended,
        failed = begin => failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_announcement_is_read_as_it_was_written() {
        let types = vec![EventType::TransactionReceived, EventType::AgentStarted, EventType::TransactionReceived];
        let text = Announcement { first: 7, size: 10, types }.to_text();
        assert_eq!(text, "7 10 AGENT_STARTED,TRANSACTION_RECEIVED");
        let read = Announcement::parse(&text).unwrap();
        assert_eq!((read.first, read.size), (7, 10));
        assert_eq!(read.types, [EventType::AgentStarted, EventType::TransactionReceived]);
        assert!(Announcement::parse("10").is_none() && Announcement::parse("a b c").is_none());
        assert!(Announcement::parse("1 2 NO_SUCH_TYPE").is_some_and(|read| read.types.is_empty()));
    }
}
