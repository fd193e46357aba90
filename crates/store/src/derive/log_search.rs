//! Shared by the search indexes of all backends: the texts of an audit log that are searched, how much of a query
//! counts, and the extra words (*tags*) under which a log is indexed. Tags stand for its score, its status and the blocks of
//! positions that it is in.

use std::borrow::Cow;

use serde::Deserialize;

use crate::logs::LogQuery;

/// Further words of a query, in alphabetical order, are ignored.
pub(crate) const WORDS_MAX: usize = 16;
/// Further bytes of a query are ignored.
const QUERY_BYTES_MAX: usize = 1_024;

/// The first character of tags. It is replaced in texts, so that no text contains a tag.
pub(crate) const MARK: char = '\u{E000}';

pub(crate) fn without_marks(text: &str) -> Cow<'_, str> {
    if text.contains(MARK) { text.replace(MARK, " ").into() } else { text.into() }
}

/// The part of a query's text that counts.
pub(crate) fn query_text(query: &LogQuery) -> Option<Cow<'_, str>> {
    let text = query.text.as_deref()?;
    Some(without_marks(text.get(..text.floor_char_boundary(QUERY_BYTES_MAX)).unwrap_or_default()))
}

/// The texts in a log's payload, as they are searched.
pub(crate) struct LogTexts<'a> {
    pub(crate) query: Cow<'a, str>,
    pub(crate) response: Cow<'a, str>,
}

#[derive(Default, Deserialize)]
struct Payload<'a> {
    #[serde(borrow)]
    query: Cow<'a, str>,
    #[serde(borrow)]
    response: Cow<'a, str>,
}

impl<'a> LogTexts<'a> {
    /// Finding a damaged body is the job of `verify`. Here it has no text.
    pub(crate) fn of(payload: &'a str) -> Self {
        let Payload { query, response } = serde_json::from_str(payload).unwrap_or_default();
        let searched = |text: Cow<'a, str>| if text.contains(MARK) { text.replace(MARK, " ").into() } else { text };
        Self { query: searched(query), response: searched(response) }
    }
}

/// The tags of a log. Blocks have these sizes, as exponents of two.
pub(crate) fn tags(seq: u64, score: u8, blocks: &[u32]) -> Vec<String> {
    let status = STATUSES.iter().find(|(_, _, max)| score <= *max).map_or("f", |(name, ..)| name);
    let blocks = blocks.iter().map(|block| block_tag(seq, *block));
    [score_tag(score), status_tag(status)].into_iter().chain(blocks).collect()
}

pub(crate) fn block_tag(seq: u64, block: u32) -> String {
    format!("{MARK}{block}x{:x}", seq >> block)
}

fn score_tag(score: u8) -> String {
    format!("{MARK}{score}")
}

fn status_tag(name: &str) -> String {
    format!("{MARK}{name}")
}

/// The tag of each status, with its lowest and highest score.
const STATUSES: [(&str, u8, u8); 3] = [("s", 0, 3), ("w", 4, 6), ("f", 7, 10)];

/// With more alternatives than this, it costs less to read the logs that they would leave out.
const ALTERNATIVES_MAX: usize = 3;

/// The tags of which a log with a score in this range has at least one, as whole statuses and single scores. `None` if they
/// wouldn't help a search.
pub(crate) fn score_tags(min: u8, max: u8) -> Option<Vec<String>> {
    let (whole, partial): (Vec<_>, Vec<_>) = STATUSES.into_iter().partition(|(_, from, to)| min <= *from && *to <= max);
    let single_scores = partial.into_iter().flat_map(|(_, from, to)| from.max(min)..=to.min(max));
    let tags: Vec<_> = whole.iter().map(|(name, ..)| status_tag(name)).chain(single_scores.map(score_tag)).collect();
    let is_all = whole.len() == STATUSES.len();
    (!is_all && tags.len() <= ALTERNATIVES_MAX).then_some(tags)
}
