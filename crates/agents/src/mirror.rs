//! Copies each audit log to the `logs` table of a Supabase project, so that its Realtime subscribers see it.
//!
//! The event log is the queue: while the project is down, refuses the key or has no suitable table, logs wait and no log is
//! dropped. A log that the project can't store becomes a dead letter. Rows are identified by their id, so a log that is sent
//! twice is stored once. If it is enabled on an existing data directory, the mirror copies all logs from the start. It never changes or
//! deletes a row. Errors only contain the status and error code of a response, because the rest may quote the log.

use std::{borrow::Cow, sync::Arc, time::Duration};

use countersign_domain::{
    Event, EventType, LogId, RiskStatus, StoredEvent, Time, event::UnreadableEvent, payload::AuditLogCreated,
};
use countersign_outbound::{Endpoint, SetupError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::runtime::{Agent, AgentDecision, AgentError, DecideFuture, Dispatch};

/// With 80 ms per insert, this gives about 180 logs a second. A higher value would put more load on a small project.
const CONCURRENCY: usize = 16;
const TIMEOUT: Duration = Duration::from_secs(10);
const PATH: &str = "/rest/v1/logs?on_conflict=id";
const NAME: &str = "Supabase";

#[derive(Debug)]
pub struct Mirror {
    logs: Endpoint,
}

impl Mirror {
    /// `base_url` is the project's address, such as `https://abc.supabase.co`; `key` must be allowed to insert into `logs`.
    pub fn new(base_url: &str, key: &str) -> Result<Arc<Self>, SetupError> {
        if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(SetupError::Key { name: NAME.to_owned() });
        }
        let bearer = format!("Bearer {key}");
        let headers = [
            ("apikey", key),
            ("authorization", bearer.as_str()),
            ("prefer", "resolution=ignore-duplicates,return=minimal"),
        ];
        Ok(Arc::new(Self { logs: Endpoint::new(NAME, base_url, PATH, &headers, TIMEOUT)? }))
    }

    async fn copy(&self, event: &StoredEvent) -> Result<Vec<AgentDecision>, AgentError> {
        let log = match event.event() {
            Ok(Event::AuditLogCreated(log)) => log,
            // The log was erased, so there is nothing to copy.
            Ok(_) | Err(UnreadableEvent::Erased { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(AgentError::Permanent(error.to_string())),
        };
        let rows = MirroredLog::of(&log)
            .and_then(|row| serde_json::to_vec(&[row]))
            .map_err(|error| AgentError::Permanent(error.to_string()))?;
        match self.logs.post_json(rows).await {
            Ok((status, body)) => outcome(status, &body).map(|()| Vec::new()),
            Err(error) => Err(AgentError::Outage(format!("Supabase can't be reached: {error}"))),
        }
    }
}

impl Agent for Mirror {
    fn name(&self) -> &'static str {
        "mirror"
    }

    fn subscribes_to(&self) -> &'static [EventType] {
        &[EventType::AuditLogCreated]
    }

    fn dispatch(&self) -> Dispatch {
        Dispatch::Lanes { concurrency: CONCURRENCY }
    }

    fn decide<'a>(&'a self, event: &'a StoredEvent) -> DecideFuture<'a> {
        Box::pin(self.copy(event))
    }
}

/// A row of the project's table.
#[derive(Serialize)]
struct MirroredLog<'a> {
    id: LogId,
    created_at: Time,
    query: Cow<'a, str>,
    response: Cow<'a, str>,
    audit: Value,
    status: RiskStatus,
}

impl<'a> MirroredLog<'a> {
    fn of(log: &'a AuditLogCreated) -> serde_json::Result<Self> {
        Ok(Self {
            id: log.log_id,
            created_at: log.created_at,
            query: storable(&log.query),
            response: storable(&log.response),
            audit: storable_value(&serde_json::to_value(&log.audit)?),
            status: log.status,
        })
    }
}

/// Replaces NUL, which Postgres can't store in text or JSON; a log that contains one could not be stored otherwise.
fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', "\u{FFFD}").into() } else { text.into() }
}

fn storable_fields(fields: &Map<String, Value>) -> Map<String, Value> {
    fields.iter().map(|(key, value)| (storable(key).into_owned(), storable_value(value))).collect()
}

fn storable_value(value: &Value) -> Value {
    match value {
        Value::String(text) => storable(text).into(),
        Value::Array(items) => items.iter().map(storable_value).collect(),
        Value::Object(fields) => storable_fields(fields).into(),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The body of an error response. The code is PostgREST's or PostgreSQL's.
#[derive(Deserialize, Default)]
#[serde(default)]
struct PostgrestError {
    code: Option<String>,
    details: Option<String>,
}

/// Decides from the response whether the log was stored, must be retried, or can't be stored.
fn outcome(status: u16, body: &[u8]) -> Result<(), AgentError> {
    if (200..300).contains(&status) {
        return Ok(());
    }
    let error: PostgrestError = serde_json::from_slice(body).unwrap_or_default();
    let code = error.code.as_deref().filter(|code| is_code(code)).unwrap_or("no code");
    let response = format!("({status}, {code})");
    let outage = |text: String| Err(AgentError::Outage(text));
    match status {
        // Only a duplicate id means that the log is stored; the table may have other unique columns.
        409 if code == "23505" && error.details.is_some_and(|details| details.contains("(id)=")) => Ok(()),
        400 if is_about_table(code) => outage(format!(
            "the table logs does not fit {response}: it needs the columns id (a unique uuid), created_at, query, response, \
             audit (jsonb) and status, and no other required column"
        )),
        400 | 409 | 413 | 422 => Err(AgentError::Permanent(format!("Supabase can't store this log {response}"))),
        401 | 403 if code == "42501" => {
            outage(format!("Supabase does not let this key write to the table logs {response}"))
        }
        401 | 403 => outage(format!("Supabase refuses the key {response}")),
        404 => outage(format!("there is no table logs in the Supabase project {response}")),
        _ => outage(format!("Supabase can't accept logs now {response}")),
    }
}

/// Whether a text is safe to repeat as an error code. The responder may not be PostgREST at all.
fn is_code(code: &str) -> bool {
    (5..=8).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// Whether a code means that the table can't store any log. Our rows always have the same types and no nulls, so a type
/// mismatch (22P02, 22007) or a missing value (23502) is a fault of the table too.
fn is_about_table(code: &str) -> bool {
    code.starts_with("PGRST") || code.starts_with("42") || matches!(code, "22P02" | "22007" | "23502")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, PartialEq)]
    enum LogFate {
        Stored,
        Waits(&'static str),
        Dies,
    }
    use LogFate::{Dies, Stored, Waits};

    fn check(status: u16, body: &str, expected: LogFate) {
        let found = outcome(status, body.as_bytes());
        let text = found.as_ref().err().map(ToString::to_string).unwrap_or_default();
        match (&found, &expected) {
            (Ok(()), Stored) | (Err(AgentError::Permanent(_)), Dies) => {}
            (Err(AgentError::Outage(_)), Waits(words)) => assert!(text.contains(words), "{text}"),
            _ => panic!("{status} {body}: {found:?}, expected {expected:?}"),
        }
        assert!(!text.contains("quoted"), "{text}");
    }

    #[test]
    fn the_response_decides_whether_a_log_is_stored_waits_or_becomes_a_dead_letter() {
        check(201, "", Stored);
        check(200, "<html>quoted</html>", Stored);
        let twice = r#"{"code": "23505", "details": "Key (id)=(quoted) already exists."}"#;
        check(409, twice, Stored);
        check(409, r#"{"code": "23505", "details": "Key (query)=(quoted) already exists."}"#, Dies);
        check(409, r#"{"code": "23503", "details": "Key (id)=(quoted) is not present in table"}"#, Dies);
        check(409, "quoted", Dies);
        check(400, r#"{"code": "23514", "message": "quoted"}"#, Dies);
        check(400, r#"{"code": "22001", "message": "quoted"}"#, Dies);
        for status in [400, 413, 422] {
            check(status, "quoted", Dies);
        }
        check(401, r#"{"message": "Invalid API key: quoted"}"#, Waits("Supabase refuses the key (401, no code)"));
        check(403, "", Waits("Supabase refuses the key (403, no code)"));
        check(403, r#"{"code": "42501"}"#, Waits("does not let this key write"));
        check(404, r#"{"code": "PGRST205", "hint": "quoted"}"#, Waits("there is no table logs"));
        for code in ["PGRST204", "42703", "42P10", "22P02", "23502"] {
            check(400, &json!({"code": code, "details": null}).to_string(), Waits("does not fit"));
        }
        for status in [301, 402, 405, 408, 425, 429, 500, 502, 503, 504, 540] {
            check(status, "quoted", Waits("can't accept logs now"));
        }
        check(503, r#"{"code": "sb_secret_quoted"}"#, Waits("(503, no code)"));
        check(503, r#"{"code": 7}"#, Waits("(503, no code)"));
    }

    #[test]
    fn only_characters_that_postgres_cannot_store_are_replaced() {
        let audit = json!({"a\0": ["b\0c", {"d": "\0"}], "n": 1.5, "z": null, "t": true, "s": "\\u0000"});
        let log: AuditLogCreated = serde_json::from_value(json!({
            "log_id": "01956b0c-2a40-7000-8000-000000000002", "query": "q\0", "response": "ü\u{1}",
            "audit": audit, "status": "Safe", "created_at": "2026-03-01T09:30:00Z"
        }))
        .unwrap();
        assert_eq!(
            serde_json::to_value(MirroredLog::of(&log).unwrap()).unwrap(),
            json!({
                "id": log.log_id, "created_at": "2026-03-01T09:30:00.000000Z", "query": "q\u{FFFD}", "response": "ü\u{1}",
                "audit": {"a\u{FFFD}": ["b\u{FFFD}c", {"d": "\u{FFFD}"}], "n": 1.5, "z": null, "t": true, "s": "\\u0000"},
                "status": "Safe"
            })
        );
    }

    #[test]
    fn an_invalid_address_or_key_is_refused_and_not_shown() {
        for (url, key) in [("nowhere", "k"), ("https://u:secret@h", "k"), ("https://h?secret", "k"), ("https://h", "")]
        {
            assert!(!Mirror::new(url, key).unwrap_err().to_string().contains("secret"));
        }
        assert!(!format!("{:?}", Mirror::new("https://h", "se cret\n").unwrap_err()).contains("cret"));
        assert!(!format!("{:?}", Mirror::new("https://h/", "secret").unwrap()).contains("secret"));
    }
}
