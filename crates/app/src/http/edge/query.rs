//! Query parameters, and pages of lists.

use axum::{
    extract::{FromRequestParts, Path, Query},
    http::request::Parts,
};
use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use countersign_domain::Invalid;
use serde::Serialize;

use super::error::{ApiError, Result};

/// The query parameters of a request. Handlers remove the parameters that they know; any others are refused.
pub(crate) struct Params(Vec<(String, String)>);

impl<S: Sync> FromRequestParts<S> for Params {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let pairs = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri);
        let Query(pairs) = pairs.map_err(|_| ApiError::bad_request("the query string is not properly encoded"))?;
        // Forms also send fields that were left empty.
        Ok(Self(pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect()))
    }
}

/// The variable segment of a path.
pub(crate) struct Segment(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let segment = Path::<String>::from_request_parts(parts, state).await;
        segment.map(|Path(text)| Self(text)).map_err(|_| ApiError::bad_request("the path is not properly encoded"))
    }
}

impl Segment {
    /// An id that we assigned.
    pub(crate) fn uuid<T: std::str::FromStr>(&self) -> Result<T> {
        self.0.parse().map_err(|_| ApiError::bad_request("id: is not a UUID"))
    }

    /// An id that the sender chose.
    pub(crate) fn name<T: std::str::FromStr<Err = Invalid>>(&self) -> Result<T> {
        self.0.parse().map_err(|invalid: Invalid| ApiError::bad_request(format!("id: {}", invalid.reason)))
    }
}

impl Params {
    pub(crate) fn all(&mut self, name: &str) -> Vec<String> {
        self.0.extract_if(.., |(found, _)| found == name).map(|(_, value)| value).collect()
    }

    pub(crate) fn one(&mut self, name: &str) -> Result<Option<String>> {
        let mut found = self.all(name);
        match found.len() {
            0 | 1 => Ok(found.pop()),
            _ => Err(ApiError::bad_request(format!("{name}: is given more than once"))),
        }
    }

    pub(crate) fn parsed<T: std::str::FromStr>(&mut self, name: &'static str, what: &str) -> Result<Option<T>> {
        let text = self.one(name)?;
        text.map(|text| text.parse().map_err(|_| ApiError::bad_request(format!("{name}: is not {what}")))).transpose()
    }

    /// Like `parsed`, but a refusal gives the type's own reason.
    pub(crate) fn checked<T: std::str::FromStr<Err = Invalid>>(&mut self, name: &'static str) -> Result<Option<T>> {
        let text = self.one(name)?;
        let refuse = |invalid: Invalid| ApiError::bad_request(format!("{name}: {}", invalid.reason));
        text.map(|text| text.parse().map_err(refuse)).transpose()
    }

    /// A position in the log. Databases store it in a signed 64-bit integer.
    pub(crate) fn position(&mut self, name: &'static str) -> Result<Option<u64>> {
        let position = self.parsed::<i64>(name, "a position in the log")?;
        position.map(u64::try_from).transpose().map_err(|_| ApiError::bad_request(format!("{name}: is negative")))
    }

    pub(crate) fn page(&mut self) -> Result<PageQuery> {
        let limit = self.parsed::<usize>("limit", "a number from 1 to 500")?.unwrap_or(LIMIT_DEFAULT);
        if !(1..=LIMIT_MAX).contains(&limit) {
            return Err(ApiError::bad_request(format!("limit: must be from 1 to {LIMIT_MAX}")));
        }
        let after = self.one("after")?.map(|text| decode(&text)).transpose()?;
        Ok(PageQuery { limit, after })
    }

    /// Refuses unknown parameters: if a misspelt filter were ignored, the list would show too much.
    pub(crate) fn finish(self) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some((name, _)) => {
                let name: String = name.chars().take(64).collect();
                Err(ApiError::bad_request(format!("{name}: is not a parameter of this path")))
            }
        }
    }
}

const LIMIT_DEFAULT: usize = 50;
const LIMIT_MAX: usize = 500;

pub(crate) struct PageQuery {
    pub(crate) limit: usize,
    /// The content of the cursor, which only the list that created it can parse.
    pub(crate) after: Option<String>,
}

impl PageQuery {
    pub(crate) fn after<T: std::str::FromStr>(&self) -> Result<Option<T>> {
        self.after.as_deref().map(|text| text.parse().map_err(|_| not_a_cursor())).transpose()
    }

    /// The cursor of a list that goes back in the log.
    pub(crate) fn before(&self) -> Result<Option<u64>> {
        Ok(self.after::<Before>()?.map(|before| before.0))
    }
}

/// The cursor of a list that goes back in the log: the next items are before this position.
struct Before(u64);

impl std::str::FromStr for Before {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let seq = text.strip_prefix('b').and_then(|number| number.parse::<i64>().ok());
        seq.and_then(|seq| u64::try_from(seq).ok()).map(Self).ok_or(())
    }
}

/// Documents the parameters that all lists have.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "read by the OpenAPI document only")]
pub(crate) struct PageParams {
    /// Maximum number of items in a page.
    #[param(minimum = 1, maximum = 500, default = 50)]
    limit: Option<u16>,
    /// The `next` of the previous page.
    after: Option<String>,
}

/// One page of a list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct Page<T> {
    pub(crate) items: Vec<T>,
    /// Pass it as `after` to get the next page; `null` on the last page.
    pub(crate) next: Option<String>,
}

impl<T> Page<T> {
    /// Builds a page from up to `limit + 1` items; the extra item shows that there are more.
    pub(crate) fn of(mut items: Vec<T>, limit: usize, cursor: impl Fn(&T) -> String) -> Self {
        let has_more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| has_more).map(|last| encode(&cursor(last)));
        Self { items, next }
    }

    /// Like `of`, for a list that goes back in the log.
    pub(crate) fn going_back(items: Vec<T>, limit: usize, seq: impl Fn(&T) -> u64) -> Self {
        Self::of(items, limit, |item| format!("b{}", seq(item)))
    }

    /// Converts the items. Items that have been erased since they were read are left out.
    pub(crate) fn convert<U>(self, convert: impl FnMut(T) -> Result<Option<U>>) -> Result<Page<U>> {
        let items: Result<Vec<_>> = self.items.into_iter().map(convert).collect();
        Ok(Page { items: items?.into_iter().flatten().collect(), next: self.next })
    }

    /// Takes a page from a list that is completely in memory.
    pub(crate) fn within(items: Vec<T>, page: &PageQuery, cursor: impl Fn(&T) -> String) -> Result<Self> {
        let from = match &page.after {
            None => 0,
            Some(after) => items.iter().position(|item| cursor(item) == *after).map_or(items.len(), |at| at + 1),
        };
        let rest = items.into_iter().skip(from).take(page.limit + 1).collect();
        Ok(Self::of(rest, page.limit, cursor))
    }
}

pub(crate) fn encode(cursor: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(cursor)
}

fn decode(text: &str) -> Result<String> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok();
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(not_a_cursor)
}

fn not_a_cursor() -> ApiError {
    ApiError::bad_request("after: is not a cursor of this list")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(query: &str) -> Params {
        let uri: axum::http::Uri = format!("/x?{query}").parse().unwrap();
        let (mut parts, ()) = axum::http::Request::builder().uri(uri).body(()).unwrap().into_parts();
        futures_util::FutureExt::now_or_never(Params::from_request_parts(&mut parts, &())).unwrap().unwrap()
    }

    fn check_refused(query: &str, detail: &str) {
        let mut params = params(query);
        let result = params.page().and_then(|_| params.finish());
        assert_eq!(result.err().unwrap().body().detail, detail, "{query}");
    }

    #[test]
    fn a_bad_parameter_is_named() {
        check_refused("limit=0", "limit: must be from 1 to 500");
        check_refused("limit=501", "limit: must be from 1 to 500");
        check_refused("limit=x", "limit: is not a number from 1 to 500");
        check_refused("limit=1&limit=2", "limit: is given more than once");
        check_refused("after=%21", "after: is not a cursor of this list");
        check_refused("sevrity=high", "sevrity: is not a parameter of this path");
    }

    #[test]
    fn pages_join_without_a_gap() {
        let list = || vec!["a".to_owned(), "b".into(), "c".into(), "d".into(), "e".into()];
        let (mut seen, mut query) = (Vec::new(), String::from("limit=2"));
        loop {
            let page = Page::within(list(), &params(&query).page().unwrap(), String::clone).unwrap();
            seen.extend(page.items);
            let Some(next) = page.next else { break };
            query = format!("limit=2&after={next}");
        }
        assert_eq!(seen, list());
    }
}
