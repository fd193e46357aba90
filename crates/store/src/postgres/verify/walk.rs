//! Reads all events in order, a page at a time.

use std::sync::Arc;

use tokio_postgres::Row;

use super::{answers::Answers, snapshot::Snapshot};
use crate::{
    check::{EachEvent, LoggedBody, LoggedEvent},
    error::Result,
    postgres::{
        session::Session,
        values::{Columns, number, values},
    },
};

/// How many events a page has at most.
const EVENTS_MAX: i64 = 1_000;
/// How much text the bodies and reports of a page have before its last event. That event may be the only one.
const BYTES_MAX: i64 = 8 * 1024 * 1024;

/// Everything that is read about some consecutive events.
pub(super) struct Page {
    pub(super) events: Vec<Row>,
    pub(super) answers: Arc<Answers>,
    /// The next page.
    next: Option<PageRange>,
}

/// Positions of the first and the last event of a page.
#[derive(Clone, Copy)]
struct PageRange {
    first: i64,
    last: i64,
}

/// What is read for each page.
#[derive(Clone, Copy)]
pub(super) enum PageContent {
    Events,
    EventsAndAnswers,
}

/// The end of the page is known before its bodies are read: `octet_length` takes a long text's length from where it is stored,
/// without reading the text.
const RANGE_SQL: &str = "WITH page AS MATERIALIZED (
       SELECT seq FROM countersign.event_log WHERE seq >= $1 AND seq < $2 ORDER BY seq LIMIT $3),
     lengths AS (
       SELECT p.seq, sum(coalesce(b.bytes, 0) + coalesce(r.bytes, 0)) OVER (ORDER BY p.seq) AS until,
         coalesce(b.bytes, 0) + coalesce(r.bytes, 0) AS own
       FROM page p
       LEFT JOIN (SELECT seq, octet_length(payload)::bigint + octet_length(metadata) AS bytes
                  FROM countersign.event_bodies WHERE seq >= $1 AND seq < $1 + $3) b ON b.seq = p.seq
       LEFT JOIN (SELECT seq, octet_length(content)::bigint AS bytes
                  FROM countersign.report_bodies WHERE seq >= $1 AND seq < $1 + $3) r ON r.seq = p.seq)
     SELECT min(seq), max(seq) FROM lengths WHERE until - own <= $4";

async fn next_range(session: &Session, from: i64, size: i64) -> Result<Option<PageRange>> {
    let row = session.row(RANGE_SQL, values![from, size, EVENTS_MAX, BYTES_MAX]).await?;
    let (first, last): (Option<i64>, Option<i64>) = (row.column(0)?, row.column(1)?);
    Ok(first.zip(last).map(|(first, last)| PageRange { first, last }))
}

/// The columns that [`logged_event`] reads, and the type.
const EVENTS_SQL: &str = "SELECT l.seq, l.header, l.leaf_hash, b.salt, b.payload, b.metadata, r.content, l.event_type
     FROM (SELECT * FROM countersign.event_log WHERE seq >= $1 AND seq <= $2) l
     LEFT JOIN (SELECT * FROM countersign.event_bodies WHERE seq >= $1 AND seq <= $2) b ON b.seq = l.seq
     LEFT JOIN (SELECT * FROM countersign.report_bodies WHERE seq >= $1 AND seq <= $2) r ON r.seq = l.seq
     ORDER BY l.seq";

/// The column with the event's type.
pub(super) const TYPE_COLUMN: usize = 7;

fn logged_event(row: &Row) -> Result<LoggedEvent<'_>> {
    let body = match (row.column::<Option<&[u8]>>(3)?, row.text_if_any(4)?, row.text_if_any(5)?) {
        (Some(salt), Some(payload), Some(metadata)) => {
            Some(LoggedBody { salt, payload: payload.as_bytes(), metadata: metadata.as_bytes() })
        }
        _ => None,
    };
    Ok(LoggedEvent {
        seq: row.number(0)?,
        header: row.text(1)?.as_bytes(),
        leaf: row.column(2)?,
        body,
        report: row.text_if_any(6)?.map(str::as_bytes),
    })
}

async fn read_page(session: Session, range: PageRange, size: i64, content: PageContent) -> Result<Page> {
    let PageRange { first, last } = range;
    let bounds = values![first, last];
    let (events, next, mut answers) = tokio::try_join!(
        biased;
        session.rows(EVENTS_SQL, bounds),
        next_range(&session, last.saturating_add(1), size),
        async {
            match content {
                PageContent::Events => Ok(Answers::default()),
                PageContent::EventsAndAnswers => Answers::in_range(&session, first, last).await,
            }
        },
    )?;
    if matches!(content, PageContent::EventsAndAnswers) {
        answers.add_of_events(&session, &events).await?;
    }
    Ok(Page { events, answers: Arc::new(answers), next })
}

/// Calls `each` with every page of the events before `size`, in order. While it works, the next page is read.
pub(super) fn walk(
    snapshot: &Snapshot<'_>,
    size: u64,
    content: PageContent,
    each: &mut dyn FnMut(&Page) -> Result<()>,
) -> Result<()> {
    let size = number(size);
    let read = |range| snapshot.ask_ahead(|session| read_page(session, range, size, content));
    let first = snapshot.ask(|session| async move { next_range(&session, 0, size).await })?;
    let mut reading = first.map(read).transpose()?;
    while let Some(pending) = reading {
        let page = snapshot.wait(pending)?;
        reading = page.next.map(read).transpose()?;
        each(&page)?;
    }
    Ok(())
}

/// Calls `each` with every event of a page, in order.
pub(super) fn for_each_in(page: &Page, each: &mut EachEvent<'_>) -> Result<()> {
    page.events.iter().try_for_each(|row| each(logged_event(row)?))
}

/// Calls `each` with every event before `size`, in order.
pub(super) fn for_each_event(snapshot: &Snapshot<'_>, size: u64, each: &mut EachEvent<'_>) -> Result<()> {
    walk(snapshot, size, PageContent::Events, &mut |page| for_each_in(page, each))
}
