//! A simulated model that answers in process, in OpenAI's wire format. The same question gets the same answer, and every answer
//! is labelled. Its answers make no claims. It repeats a text on request, so that an audit with findings can be shown without
//! a model.

use bytes::Bytes;
use countersign_outbound::OutboundRequest;
use countersign_text::hash::fnv64;
use hyper::Method;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::time::{SystemTime, UNIX_EPOCH};

const MODEL: &str = "simulated";
const LABEL: &str = "(simulated answer)";
const DEPTH_MAX: u8 = 24;
const REPEAT: &str = "Repeat: ";

const OPENINGS: [&str; 8] = [
    "That is a fair question.",
    "Thank you for asking.",
    "Here is a short reply.",
    "This can be answered briefly.",
    "Good question.",
    "Let us take it step by step.",
    "There is a simple way to see it.",
    "A short overview may help.",
];
const MIDDLES: [&str; 8] = [
    "A real model would look at the details here and weigh them against each other.",
    "The usual advice is to begin with the facts that are known and to check them first.",
    "Most people find it useful to compare a few sources before they decide.",
    "In general it depends on the context, and a careful answer would say on what.",
    "The important part is to state the goal clearly and to work towards it in small steps.",
    "Reliable references are the best place to confirm anything that matters.",
    "It helps to separate what is certain from what is only likely.",
    "Several views are possible, and each has something to be said for it.",
];
const CLOSINGS: [&str; 4] = [
    "Connect a provider to get a real answer.",
    "This text was composed without a model.",
    "No model was asked for this.",
    "Nothing here was looked up.",
];

pub(crate) struct SimulatedAnswer {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    pub(crate) pieces: Vec<Bytes>,
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    messages: Vec<Message<'a>>,
    stream_options: Option<StreamOptions>,
    response_format: Option<Format>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    content: Option<Content<'a>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Other(Value),
}

#[derive(Deserialize)]
struct StreamOptions {
    include_usage: Option<bool>,
}

#[derive(Deserialize)]
struct Format {
    json_schema: Option<FormatSchema>,
}

#[derive(Deserialize)]
struct FormatSchema {
    schema: Option<Value>,
}

pub(crate) fn answer(request: &OutboundRequest, is_stream: bool, now: SystemTime) -> SimulatedAnswer {
    let created = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    if request.method == Method::GET {
        let model = json!({"id": MODEL, "object": "model", "created": created, "owned_by": "countersign"});
        return plain(200, &json!({"object": "list", "data": [model]}));
    }
    let Ok(request) = serde_json::from_slice::<Request<'_>>(&request.body) else {
        let error = json!({"message": "the body is not a chat request", "type": "invalid_request_error",
            "param": "messages", "code": null});
        return plain(400, &json!({"error": error}));
    };
    let (hash, words_in) = digest(&request);
    let schema = request.response_format.as_ref().and_then(|format| format.json_schema.as_ref());
    let schema = schema.and_then(|format| format.schema.as_ref());
    let text = match schema {
        Some(schema) => instance(schema, schema, 0).to_string(),
        None => repeated(&request).unwrap_or_else(|| sentences(hash)),
    };
    let words_out = count_words(&text);
    let usage = json!({"prompt_tokens": words_in, "completion_tokens": words_out,
        "total_tokens": words_in + words_out});
    let id = format!("chatcmpl-simulated-{hash:016x}");
    if is_stream {
        let wants_usage = request.stream_options.and_then(|options| options.include_usage) == Some(true);
        return stream(&id, created, &text, wants_usage.then_some(usage));
    }
    let choice = json!({"index": 0, "message": {"role": "assistant", "content": text, "refusal": null},
        "logprobs": null, "finish_reason": "stop"});
    plain(
        200,
        &json!({"id": id, "object": "chat.completion", "created": created, "model": MODEL,
        "choices": [choice], "usage": usage}),
    )
}

fn plain(status: u16, body: &Value) -> SimulatedAnswer {
    SimulatedAnswer { status, content_type: "application/json", pieces: vec![Bytes::from(body.to_string())] }
}

fn stream(id: &str, created: u64, text: &str, usage: Option<Value>) -> SimulatedAnswer {
    let event = |choices: Value, usage: Option<&Value>| {
        let mut chunk = json!({"id": id, "object": "chat.completion.chunk", "created": created, "model": MODEL,
            "choices": choices});
        if let (Some(usage), Some(object)) = (usage, chunk.as_object_mut()) {
            object.insert("usage".into(), usage.clone());
        }
        Bytes::from(format!("data: {chunk}\n\n"))
    };
    let delta = |delta: Value, finish: Option<&str>| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
    // If usage is requested, all chunks but the last have a null usage.
    let null_usage = usage.as_ref().map(|_| &Value::Null);
    let mut pieces = vec![event(delta(json!({"role": "assistant", "content": ""}), None), null_usage)];
    pieces.extend(text.split_inclusive(' ').map(|word| event(delta(json!({"content": word}), None), null_usage)));
    pieces.push(event(delta(json!({}), Some("stop")), null_usage));
    if let Some(usage) = &usage {
        pieces.push(event(json!([]), Some(usage)));
    }
    pieces.push(Bytes::from_static(b"data: [DONE]\n\n"));
    SimulatedAnswer { status: 200, content_type: "text/event-stream", pieces }
}

/// The text that the last message asks to repeat.
fn repeated(request: &Request<'_>) -> Option<String> {
    match request.messages.last()?.content.as_ref()? {
        Content::Text(text) => text.strip_prefix(REPEAT).map(|text| format!("{text} {LABEL}")),
        Content::Other(_) => None,
    }
}

fn sentences(hash: u64) -> String {
    let pick = |list: &[&'static str], shift: u32| list[(hash >> shift) as usize % list.len()];
    format!("{} {} {} {LABEL}", pick(&OPENINGS, 0), pick(&MIDDLES, 16), pick(&CLOSINGS, 32))
}

/// FNV-1a over all texts, and the number of their words.
fn digest(request: &Request<'_>) -> (u64, usize) {
    let (mut hash, mut count) = (fnv64::START, 0);
    for content in request.messages.iter().filter_map(|message| message.content.as_ref()) {
        let text = match content {
            Content::Text(text) => Cow::Borrowed(&**text),
            Content::Other(value) => Cow::Owned(value.to_string()),
        };
        count += count_words(&text);
        hash = fnv64::extend(fnv64::extend(hash, text.as_bytes()), &[0]);
    }
    // FNV's low bits are weak.
    (hash ^ (hash >> 29), count)
}

fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// The simplest value that fits a schema, such as an empty list.
fn instance(schema: &Value, root: &Value, depth: u8) -> Value {
    if depth >= DEPTH_MAX {
        return Value::Null;
    }
    if let Some(pointer) = schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#')) {
        return root.pointer(pointer).map_or(Value::Null, |found| instance(found, root, depth + 1));
    }
    let given = schema.get("const").or_else(|| schema.get("enum").and_then(|list| list.get(0)));
    if let Some(value) = given {
        return value.clone();
    }
    let any = schema.get("anyOf").or_else(|| schema.get("oneOf")).and_then(|list| list.get(0));
    if let Some(first) = any {
        return instance(first, root, depth + 1);
    }
    let kind = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str),
        kind => kind.and_then(Value::as_str),
    };
    match kind {
        Some("object") => {
            let properties = schema.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
            let filled: Map<_, _> =
                properties.iter().map(|(name, inner)| (name.clone(), instance(inner, root, depth + 1))).collect();
            Value::Object(filled)
        }
        Some("array") => {
            let count = schema.get("minItems").and_then(Value::as_u64).unwrap_or(0).min(16);
            let item = schema.get("items").unwrap_or(&Value::Null);
            (0..count).map(|_| instance(item, root, depth + 1)).collect()
        }
        Some("string") => LABEL.into(),
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| 0.into()),
        Some("boolean") => false.into(),
        _ => Value::Null,
    }
}
