//! Attacks on an enforced policy that masks personal data: disguised identifiers in the text, and identifiers and provider keys
//! elsewhere in an answer or a stream.

use base64::prelude::{BASE64_STANDARD, Engine};
use bytes::Bytes;
use countersign_fake_provider::{Behaviour, Fake};
use serde_json::{Value, json};

use crate::{client::Answer, running::Running};

const PATH: &str = "/v1/chat/completions";
const CARD: &str = "4111 1111 1111 1111";
const KEY: &str = "gsk-live-Ab12Cd34Ef56";

struct Gateway {
    server: Running,
    fake: Fake,
}

impl Gateway {
    async fn start(policy: &str) -> Self {
        Self::with_key(policy, KEY).await
    }

    async fn with_key(policy: &str, key: &str) -> Self {
        let fake = Fake::start().await;
        let url = fake.groq_url();
        let mask = if policy == "enforce" { "true" } else { "false" };
        let settings = [
            ("worker", "groq/llama-3.3-70b-versatile"),
            ("providers.groq_api_key", key),
            ("providers.groq_base_url", url.as_str()),
            ("gateway.policy", policy),
            ("gateway.mask_pii", mask),
        ];
        Self { server: Running::with_file(&settings, "").await, fake }
    }

    async fn chat(&self, behaviour: Behaviour) -> Answer {
        self.fake.push(behaviour);
        self.server.post(PATH, &request(false)).await
    }

    async fn stream(&self, behaviour: Behaviour) -> Answer {
        self.fake.push(behaviour);
        self.server.post(PATH, &request(true)).await
    }
}

fn request(stream: bool) -> Value {
    json!({"model": "llama-3.3-70b-versatile", "stream": stream, "messages": [{"role": "user", "content": "Hello?"}]})
}

fn raw(status: u16, content_type: &str, body: impl Into<Bytes>) -> Behaviour {
    Behaviour::Raw { status, content_type: content_type.into(), body: body.into(), headers: Vec::new() }
}

fn plain(body: impl Into<Bytes>) -> Behaviour {
    raw(200, "application/json", body)
}

const FINISH: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

fn events(events: &str) -> Behaviour {
    raw(200, "text/event-stream", format!("{events}data: {FINISH}\n\ndata: [DONE]\n\n"))
}

/// Everything that a caller can read in an answer: headers, bytes, and unescaped strings.
fn readable(answer: &Answer) -> String {
    let mut all = format!("{answer:?}\n{}", answer.text());
    let bodies =
        answer.text().lines().map(|line| line.strip_prefix("data: ").unwrap_or(line).to_owned()).collect::<Vec<_>>();
    for body in bodies.into_iter().chain([answer.text().to_owned()]) {
        collect(&serde_json::from_str(&body).unwrap_or_default(), &mut all);
    }
    all
}

fn collect(value: &Value, all: &mut String) {
    match value {
        Value::String(text) => all.push_str(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, all)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            all.push_str(name);
            collect(value, all);
        }),
        other => all.push_str(&other.to_string()),
    }
}

/// The letters and digits of a text, without separators.
fn bare(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

fn check_hidden(trick: &str, answer: &Answer) {
    let all = readable(answer);
    let bare = bare(&all);
    for hidden in ["4111111111111111", "11111111", "536228147"] {
        assert!(!bare.contains(hidden), "{trick}\n->\n{all}");
    }
    assert!(!all.contains("jo.doe"), "{trick}\n->\n{all}");
}

#[tokio::test]
async fn no_disguised_identifier_passes() {
    let gateway = Gateway::start("enforce").await;
    for row in include_str!("../../../inspect/tests/inspect/disguises.txt").lines() {
        if row.is_empty() || row.starts_with('#') {
            continue;
        }
        let written = unescaped(row);
        let (before, rest) = written.split_once('⟦').unwrap();
        let (hidden, after) = rest.split_once('⟧').unwrap();
        let text = format!("{before}{hidden}{after}");
        let chunks: Vec<String> =
            text.chars().collect::<Vec<_>>().chunks(3).map(|letters| letters.iter().collect()).collect();
        let whole = gateway.chat(Behaviour::Text(text.clone())).await;
        let stream = gateway.stream(Behaviour::StreamText { chunks }).await;
        let streamed: String = stream.text().lines().filter_map(delta).collect();
        let shown = whole.json().pointer("/choices/0/message/content").map(|v| v.as_str().unwrap().to_owned());
        for shown in [shown.unwrap_or_default(), streamed] {
            let letters: Vec<char> = hidden.chars().collect();
            let length = (letters.len() / 2).max(6).min(letters.len());
            let leaks = letters.windows(length).any(|part| shown.contains(&part.iter().collect::<String>()));
            assert!(!leaks, "{text:?} -> {shown:?}");
        }
    }
    gateway.server.stop().await;
}

fn delta(line: &str) -> Option<String> {
    let chunk: Value = serde_json::from_str(line.strip_prefix("data: ")?).ok()?;
    chunk.pointer("/choices/0/delta/content").and_then(Value::as_str).map(str::to_owned)
}

fn unescaped(row: &str) -> String {
    let mut text = String::new();
    let mut rest = row;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('\\') {
            text.push('\\');
            rest = after;
        } else {
            let (code, after) = rest.strip_prefix("u{").and_then(|rest| rest.split_once('}')).expect(row);
            text.extend(char::from_u32(u32::from_str_radix(code, 16).unwrap()));
            rest = after;
        }
    }
    text + rest
}

/// Complete answers with a card number in an unusual place.
fn plain_tricks() -> Vec<String> {
    let message = json!({"role": "assistant", "content": "Fine."});
    let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
    let with = |name: &str, value: Value| {
        let mut body =
            json!({"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice.clone()]});
        body[name] = value;
        body.to_string()
    };
    let in_choice = |name: &str, value: Value| {
        let mut choice = choice.clone();
        choice[name] = value;
        with("choices", json!([choice]))
    };
    let in_message = |name: &str, value: Value| {
        let mut message = message.clone();
        message[name] = value;
        in_choice("message", message)
    };
    let joined = CARD.replace(' ', "");
    vec![
        with("note", json!(CARD)),
        with("citations", json!(["https://example.com", CARD])),
        with("id", json!(CARD)),
        with("id", json!(format!("chatcmpl-{CARD}"))),
        with("id", json!(format!("chatcmpl-{joined}"))),
        with("id", json!(format!("x{joined}"))),
        with("object", json!(CARD)),
        with("model", json!(joined)),
        with("system_fingerprint", json!(CARD)),
        with("service_tier", json!("jo.doe@example.com")),
        with("usage", json!({"prompt_tokens": 1, "completion_tokens": 1, "note": CARD})),
        with("deep", json!({"a": [{"b": {"c": [[CARD]]}}]})),
        with(CARD, json!(1)),
        with("numbers", json!(4_111_111_111_111_111_u64)),
        with("numbers", json!([4111, 1111, 1111, 1111])),
        with("parts", json!(["4111", "1111", "1111", "1111"])),
        with("parts", json!({"a": "4111 1111", "b": " 1111 1111"})),
        in_choice("text", json!(CARD)),
        in_choice("finish_reason", json!(CARD)),
        in_choice("logprobs", json!({"content": [{"token": "4111", "bytes": [52]}, {"token": " 1111 1111 1111"}]})),
        in_choice("content_filter_results", json!({"reason": CARD})),
        in_message("name", json!(CARD)),
        in_message("role", json!(CARD)),
        in_message("refusal", json!(CARD)),
        in_message("reasoning", json!(CARD)),
        in_message("reasoning_content", json!(CARD)),
        in_message("reasoning_details", json!([{"type": "text", "text": CARD}])),
        in_message("content", json!([{"type": "text", "text": "4111 1111"}, {"type": "text", "text": " 1111 1111"}])),
        in_message("content", json!([{"type": "text", "text": "Fine.", "note": CARD}])),
        in_message("content", json!(4_111_111_111_111_111_u64)),
        in_message("annotations", json!([{"type": "url_citation", "url_citation": {"title": CARD}}])),
        in_message("audio", json!({"id": CARD, "data": "AAAA", "transcript": "Fine."})),
        in_message("audio", json!({"id": "a", "data": CARD, "transcript": "Fine."})),
        in_message("audio", json!({"id": "a", "data": "AAAA", "transcript": CARD})),
        in_message(
            "tool_calls",
            json!([{"id": CARD, "type": "function", "function": {"name": "f", "arguments": "{}"}}]),
        ),
        in_message(
            "tool_calls",
            json!([{"id": "1", "type": "function", "function": {"name": CARD, "arguments": "{}"}}]),
        ),
        in_message(
            "tool_calls",
            json!([{"id": "1", "type": "function",
            "function": {"name": "f", "arguments": "{\"card\":\"4111\\u00201111\\u00201111\\u00201111\"}"}}]),
        ),
        in_message(
            "tool_calls",
            json!([{"id": "1", "type": "function",
            "function": {"name": "f", "arguments": "{\"card\":\"4111\\u00a01111\\u00a01111\\u00a01111\"}"}}]),
        ),
        in_message("function_call", json!({"name": "f", "arguments": CARD})),
        with(
            "choices",
            json!([
                {"index": 0, "message": {"content": "The card is 4111 1111"}},
                {"index": 1, "message": {"content": " 1111 1111."}},
            ]),
        ),
        with("created", json!(4_111_111_111_111_111_u64)),
        with("created", json!(536_228_147)),
        with("numbers", json!(4_111_111_111_111_111.0)),
        body_with_number("4.111111111111111e15"),
        with("ssn", json!("536228147")),
        with("ssn", json!(536_228_147)),
        with("41111111", json!("11111111")),
        with("parts", json!({"area": "536", "group": "22", "serial": "8147"})),
        in_message("audio", json!({"id": "audio_abc", "data": "AAAA", "transcript": "hello"})),
        in_message(
            "content",
            json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,NDExMTExMTExMTExMTExMQ==", "detail": "low"}}]),
        ),
        in_message(
            "tool_calls",
            json!([{"id": "1", "type": "function",
            "function": {"name": "f", "arguments": "{\"a\":\"41111111\",\"b\":\"11111111\"}"}}]),
        ),
        in_message(
            "tool_calls",
            json!([
                {"id": "1", "type": "function", "function": {"name": "pay", "arguments": "{\"a\":\"41111111\"}"}},
                {"id": "2", "type": "function", "function": {"name": "pay", "arguments": "{\"a\":\"11111111\"}"}},
            ]),
        ),
        format!(r#"{{"choices":[{{"message":{{"content":"{CARD}","content":"Fine."}}}}]}}"#),
        format!(r#"{{"note":"{CARD}","note":1,"choices":[{{"message":{{"content":"Fine."}}}}]}}"#),
        r#"{"choices":[{"message":{"content":"\u0034\u0031\u0031\u0031 1111 1111 1111"}}]}"#.to_owned(),
        r#"{"choices":[{"message":{"content":"Fine."}}],"x":"am8uZG9lQGV4YW1wbGUuY29t jo.doe\u0040example.com"}"#
            .to_owned(),
    ]
}

fn body_with_number(number: &str) -> String {
    format!(r#"{{"n":{number},"choices":[{{"message":{{"content":"Fine."}}}}]}}"#)
}

/// A card number spread over sixteen events, one digit in each.
fn digit_by_digit(delta: &dyn Fn(&str) -> Value) -> String {
    let event = |digit: char| json!({"choices": [{"index": 0, "delta": delta(&digit.to_string())}]});
    "4111111111111111".chars().map(|digit| format!("data: {}\n\n", event(digit))).collect()
}

/// Streams with a card number in an unusual place.
fn stream_tricks() -> Vec<String> {
    let data = |value: Value| format!("data: {value}\n\n");
    let chunk = |delta: Value| data(json!({"choices": [{"index": 0, "delta": delta}]}));
    let fine = chunk(json!({"content": "Fine."}));
    vec![
        format!(": {CARD}\n\n{fine}"),
        format!(": {CARD}\n{fine}"),
        format!("id: {CARD}\n{fine}"),
        format!("event: {CARD}\n{fine}"),
        format!("retry: 4111111111111111\n{fine}"),
        data(json!({"note": CARD, "choices": []})),
        data(json!({"id": CARD, "choices": []})),
        data(json!({"model": "4111111111111111", "choices": []})),
        data(json!({"citations": [CARD], "choices": []})),
        data(json!({"n": 4_111_111_111_111_111_u64, "choices": []})),
        data(json!({"x": "4111", "choices": []})) + &data(json!({"x": "1111", "choices": []})).repeat(3),
        data(json!({"x": 4111, "choices": []})) + &data(json!({"x": 1111, "choices": []})).repeat(3),
        data(json!({"id": "4111", "choices": []})) + &data(json!({"id": "1111", "choices": []})).repeat(3),
        data(json!({"choices": [{"index": 0, "text": CARD}]})),
        data(json!({"choices": [{"index": 0, "text": "4111 1111"}]}))
            + &data(json!({"choices": [{"index": 0, "text": " 1111 1111"}]})),
        data(json!({"choices": [{"index": 0, "message": {"content": CARD}}]})),
        data(json!({"choices": [{"index": 0, "message": {"content": {"text": CARD}}}]})),
        data(json!({"choices": [{"index": 0, "delta": {}, "note": CARD}]})),
        data(
            json!({"choices": [{"index": 0, "delta": {"content": "4111"}, "logprobs": {"content": [{"token": CARD}]}}]}),
        ),
        data(json!({"choices": [{"index": 0, "delta": {}, "logprobs": CARD}]})),
        chunk(json!({"name": CARD})),
        chunk(json!({"role": CARD})),
        chunk(json!({"type": CARD})),
        chunk(json!({"refusal": CARD})),
        chunk(json!({"reasoning": "4111 1111"})) + &chunk(json!({"reasoning": " 1111 1111"})),
        chunk(json!({"reasoning_details": [{"text": CARD}]})),
        chunk(json!({"content": 4_111_111_111_111_111_u64})),
        chunk(json!({"content": [{"type": "text", "text": CARD}]})),
        chunk(json!({CARD: "x"})),
        chunk(json!({"tool_calls": [{"index": 0, "id": CARD, "function": {"name": "f", "arguments": "{}"}}]})),
        chunk(json!({"tool_calls": [{"index": 0, "type": CARD, "function": {"name": "f", "arguments": "{}"}}]})),
        chunk(json!({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{}", "note": CARD}}]})),
        chunk(json!({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{\"c\":\"4111 1111"}}]}))
            + &chunk(json!({"tool_calls": [{"index": 0, "function": {"arguments": " 1111 1111\"}"}}]})),
        chunk(json!({"function_call": {"name": "f", "arguments": CARD, "note": "x"}})),
        data(json!({"choices": [{"index": 0, "delta": {"content": "4111 1111"}}]}))
            + &data(json!({"choices": [{"index": 1, "delta": {"content": " 1111 1111"}}]})),
        data(json!({"choices": [
            {"index": 0, "delta": {"content": "4111 1111"}}, {"index": 1, "delta": {"content": " 1111 1111"}},
        ]})),
        chunk(json!({"content": "4111 1111"})) + &chunk(json!({"refusal": " 1111 1111"})),
        digit_by_digit(&|digit| json!({"content": [{"type": "text", "text": digit}]})),
        digit_by_digit(&|digit| json!({"audio": {"transcript": digit}})),
        digit_by_digit(&|digit| json!({"audio": {"id": "a", "data": digit}})),
        digit_by_digit(&|digit| json!({"reasoning_details": [{"type": "x", "text": digit}]})),
        digit_by_digit(&|digit| json!({"x": {"y": [digit]}})),
        digit_by_digit(&|digit| json!({"content": digit.parse::<u8>().unwrap()})),
        digit_by_digit(&|digit| json!({"content": "", "n": [digit.parse::<u8>().unwrap()]})),
        chunk(json!({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "{\"a\":\"41111111\"}"}}]}))
            + &chunk(
                json!({"tool_calls": [{"index": 1, "function": {"name": "f", "arguments": "{\"a\":\"11111111\"}"}}]}),
            ),
        chunk(json!({"content": "41111111"}))
            + &chunk(json!({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": "11111111"}}]})),
        "4111111111111111"
            .chars()
            .map(|digit| data(json!({"created": digit.to_digit(10), "choices": []})))
            .collect::<String>(),
        format!("data: {{\"choices\":[],\"a\":\"{CARD}\",\"a\":1}}\n\n"),
        format!("data: {{\"choices\":[]}} {CARD}\n\n"),
        format!("event: error\ndata: {{\"message\":\"{CARD}\"}}\n\n"),
        data(json!({"error": {"message": CARD}})),
        data(json!({"error": {"message": "overloaded", "code": CARD}})),
    ]
}

#[tokio::test]
async fn every_part_of_an_enforced_answer_is_inspected() {
    let gateway = Gateway::start("enforce").await;
    for body in plain_tricks() {
        let answer = gateway.chat(plain(body.clone())).await;
        assert!([200, 403, 502].contains(&answer.status), "{body}: {answer:?}");
        assert!(serde_json::from_str::<Value>(answer.text()).is_ok(), "{body} -> {}", answer.text());
        check_hidden(&body, &answer);
    }
    for body in stream_tricks() {
        check_hidden(&body, &gateway.stream(events(&body)).await);
    }
    let disguises = include_str!("../../../inspect/tests/inspect/disguises.txt").lines();
    let disguises = disguises.filter(|row| !row.is_empty() && !row.starts_with('#')).count();
    assert!(disguises + plain_tricks().len() + stream_tricks().len() >= 200);
    gateway.server.stop().await;
}

#[tokio::test]
async fn an_ordinary_answer_passes_an_enforced_policy_unchanged() {
    let gateway = Gateway::start("enforce").await;
    let body = r#"{ "id":"chatcmpl-A1b2C3","object":"chat.completion","created":1763424000,"model":"llama-3.3-70b-versatile",
        "choices":[{"index":0,"message":{"role":"assistant","content":"Paris.","refusal":null,"annotations":[]},
        "logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":12345,"completion_tokens":2},
        "citations":["https://en.wikipedia.org/wiki/Paris"],"system_fingerprint":"fp_0a1b2c","service_tier":"default" }"#;
    let answer = gateway.chat(plain(body)).await;
    assert_eq!((answer.status, answer.text()), (200, body));
    let chunk = r#"{"id":"chatcmpl-A1","object":"chat.completion.chunk","created":1763424000,"model":"m-1","provider":"OpenAI","system_fingerprint":"fp_0a1b2c","choices":[{"index":0,"delta":{"role":"assistant","content":"Paris."},"finish_reason":null}]}"#;
    let streamed = gateway.stream(events(&format!(": ping\n\nid: 7\ndata: {chunk}\n\n"))).await;
    assert_eq!(streamed.text(), format!("data: {chunk}\n\ndata: {FINISH}\n\ndata: [DONE]\n\n"));
    gateway.server.stop().await;
}

#[tokio::test]
async fn errors_and_headers_of_an_enforced_provider_are_inspected() {
    let gateway = Gateway::start("enforce").await;
    for (content_type, body) in [
        ("application/json", json!({"error": {"message": format!("bad card {CARD}"), "type": "x"}}).to_string()),
        (
            "application/json",
            json!({"error": {"message": "bad"}, "debug": {"card": CARD, "n": 4_111_111_111_111_111_u64}}).to_string(),
        ),
        ("application/json", format!(r#"{{"error":"{CARD}","error":"x"}}"#)),
        ("text/html", format!("<h1>{CARD}</h1>")),
        ("text/plain", "jo.doe@example.com is not known".to_owned()),
    ] {
        let answer = gateway.chat(raw(400, content_type, body.clone())).await;
        assert_eq!(answer.status, 400, "{body}");
        check_hidden(&body, &answer);
    }
    let halves = json!({"error": {"message": "card 41111111", "param": "11111111"}}).to_string();
    check_hidden(&halves, &gateway.chat(raw(400, "application/json", halves.clone())).await);
    for (status, body, expected) in [
        (200, json!({"object": "list", "data": [{"id": "m-1", "owned_by": CARD}]}), 200),
        // The two fields are adjacent and could be parts of one identifier, so the whole list is withheld.
        (200, json!({"object": "list", "data": [{"id": format!("m {CARD}"), "owned_by": "jo.doe@example.com"}]}), 502),
        (401, json!({"error": {"message": CARD}}), 401),
    ] {
        gateway.fake.push(raw(status, "application/json", body.to_string()));
        let models = gateway.server.get("/v1/models").await;
        assert_eq!(models.status, expected, "{}", models.text());
        let has_error = models.json().get("error").is_some();
        assert_eq!(has_error, expected != 200);
        check_hidden("/v1/models", &models);
    }
    let kept = json!({"error": {"message": "the model does not exist", "type": "invalid_request_error"}}).to_string();
    assert_eq!(gateway.chat(raw(404, "application/json", kept.clone())).await.text(), kept);
    let odd = Behaviour::Raw {
        status: 200,
        content_type: format!("application/json; note=\"{CARD}\""),
        body: r#"{"choices":[{"message":{"content":"Fine."}}]}"#.into(),
        headers: vec![
            ("x-request-id".into(), CARD.into()),
            ("openai-organization".into(), CARD.into()),
            ("x-groq-note".into(), CARD.into()),
            ("x-ratelimit-reset".into(), "6m0s".into()),
        ],
    };
    let answer = gateway.chat(odd).await;
    assert_eq!((answer.status, answer.header("x-ratelimit-reset")), (200, Some("6m0s")));
    check_hidden("headers", &answer);
    gateway.server.stop().await;
}

/// Fails if the provider's key can be read in an answer or in its record.
async fn check_key(gateway: &Gateway, trick: &str, answer: &Answer) {
    let all = readable(answer);
    assert!(!all.contains(KEY) && !bare(&all).contains(&bare(KEY)), "{trick}\n->\n{all}");
    let events = gateway.server.get("/api/events?limit=500").await.text().to_owned();
    assert!(!events.contains(KEY), "{trick} is on record");
}

#[tokio::test]
async fn the_providers_key_is_never_returned() {
    for policy in ["observe", "enforce"] {
        let gateway = Gateway::start(policy).await;
        let escaped: String = KEY.chars().map(|letter| format!("\\u{:04x}", letter as u32)).collect();
        let content = |text: &str| format!(r#"{{"choices":[{{"message":{{"content":"{text}"}}}}]}}"#);
        for body in [
            content(&format!("You sent Authorization: Bearer {KEY}.")),
            content(&escaped),
            format!(r#"{{"id":"{escaped}","choices":[{{"message":{{"content":"Fine."}}}}]}}"#),
            content(&KEY.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>()),
            content(&KEY.bytes().map(|byte| format!("&#{byte};")).collect::<String>()),
            content(&KEY.chars().map(|letter| format!("{letter}\u{200B}")).collect::<String>()),
            content(&format!("{}{KEY}{}", &KEY[..9], &KEY[9..])),
            content(&KEY.chars().map(|letter| format!("{letter} ")).collect::<String>()),
            json!({"choices": [
                {"message": {"role": "assistant", "content": &KEY[..9]}},
                {"message": {"role": "assistant", "content": &KEY[9..]}},
            ]})
            .to_string(),
            json!({"choices": [{"message": {"content": "Fine."}}], "headers": {"authorization": format!("Bearer {KEY}")}}).to_string(),
            json!({"choices": [{"message": {"tool_calls": [{"function": {"name": "f", "arguments": KEY}}]}}]}).to_string(),
        ] {
            check_key(&gateway, &body, &gateway.chat(plain(body.clone())).await).await;
        }
        for (status, body) in [
            (401, format!("{{\"error\":{{\"message\":\"Incorrect API key: {KEY}\"}}}}")),
            (400, format!("{{\"error\":{{\"message\":\"{escaped}\"}}}}")),
            (500, format!("<pre>Authorization: Bearer {KEY}</pre>")),
            (404, KEY.to_owned()),
        ] {
            gateway.fake.script({
                let body = body.clone();
                move |_| raw(status, "application/json", body.clone())
            });
            let answer = gateway.server.post(PATH, &request(false)).await;
            check_key(&gateway, &body, &answer).await;
            let answer = gateway.server.post("/process-agent", &json!({"user_query": "Hello?"})).await;
            check_key(&gateway, &body, &answer).await;
            let models = gateway.server.get("/v1/models").await;
            check_key(&gateway, &body, &models).await;
        }
        gateway.fake.script(|_| Behaviour::Text(format!("Your key is {KEY}.")));
        let answer = gateway.server.post("/process-agent", &json!({"user_query": "Hello?"})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        check_key(&gateway, "/process-agent", &answer).await;
        // A disguised key can't be cut out, so the whole answer is withheld and not recorded.
        let spaced: String = KEY.chars().map(|letter| format!("{letter} ")).collect();
        for trick in [escaped.clone(), spaced, KEY.to_uppercase(), KEY[4..].to_owned()] {
            let text = format!("Your key is {trick}.");
            gateway.fake.script(move |_| Behaviour::Text(text.clone()));
            let answer = gateway.server.post("/process-agent", &json!({"user_query": "Hello?"})).await;
            assert_eq!(answer.status, 500, "{trick}: {answer:?}");
            assert!(
                answer.text().contains("contains one of this server's provider keys")
                    && !answer.text().contains(&trick)
            );
            let recorded = gateway.server.get("/api/events?limit=500").await.text().to_owned();
            assert!(
                !recorded.contains(&trick) && !recorded.contains(&trick.replace('\\', "\\\\")),
                "{trick} is on record"
            );
        }
        let data = |delta: Value| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta}]}));
        let (first, second) = KEY.split_at(9);
        for body in [
            data(json!({"content": format!("The key is {KEY}.")})),
            data(json!({"content": format!("The key is {first}")})) + &data(json!({"content": second})),
            KEY.chars().map(|letter| data(json!({"content": letter.to_string()}))).collect::<String>(),
            data(json!({"content": first})) + &data(json!({"reasoning_content": second})),
            KEY.chars().map(|letter| data(json!({"content": [{"type": "text", "text": letter}]}))).collect::<String>(),
            data(json!({"tool_calls": [{"index": 0, "function": {"name": "f", "arguments": first}}]}))
                + &data(json!({"tool_calls": [{"index": 0, "function": {"arguments": second}}]})),
            format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{escaped}\"}}}}]}}\n\n"),
            format!("data: {{\"id\":\"{escaped}\",\"choices\":[]}}\n\n"),
            format!(": {KEY}\n\n"),
            format!("data: {{\"id\":\"{first}\",\"choices\":[]}}\n\ndata: {{\"id\":\"{second}\",\"choices\":[]}}\n\n"),
            format!("data: {{\"error\":{{\"message\":\"{KEY}\"}}}}\n\n"),
        ] {
            let answer = gateway.stream(events(&body)).await;
            let streamed: String = answer.text().lines().filter_map(delta).collect();
            assert!(!streamed.contains(KEY), "{body}\n->\n{streamed}");
            check_key(&gateway, &body, &answer).await;
        }
        let encoded = BASE64_STANDARD.encode(KEY);
        let letters = encoded.chars().map(|letter| data(json!({"content": letter.to_string()}))).collect::<String>();
        let streamed: String = gateway.stream(events(&letters)).await.text().lines().filter_map(delta).collect();
        assert!(!streamed.contains(&encoded[..20]), "{streamed}");
        gateway.fake.script(|_| Behaviour::Answer);
        let headers = vec![("x-request-id".into(), KEY.into()), ("openai-echo".into(), format!("Bearer {KEY}"))];
        let body = r#"{"choices":[{"message":{"content":"Fine."}}]}"#.into();
        // The gateway can't inspect a compressed body.
        let packed = Behaviour::Raw {
            status: 400,
            content_type: "application/json".into(),
            body: b"\x1f\x8b packed".as_slice().into(),
            headers: vec![("content-encoding".into(), "gzip".into())],
        };
        let answer = gateway.chat(packed).await;
        assert_eq!((answer.status, answer.header("content-encoding")), (400, None));
        assert!(answer.json()["error"]["message"].is_string(), "{answer:?}");
        let echo = Behaviour::Raw { status: 200, content_type: "application/json".into(), body, headers };
        check_key(&gateway, "headers", &gateway.chat(echo).await).await;
        gateway.server.stop().await;
    }
}

/// Keys with few letters and digits are only found verbatim, including across the events of a stream.
#[tokio::test]
async fn a_short_key_is_never_returned_either() {
    const SHORT: &str = "test-key";
    for policy in ["observe", "enforce"] {
        let gateway = Gateway::with_key(policy, SHORT).await;
        let data = |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
        let letters: String = SHORT.chars().map(|letter| data(&letter.to_string())).collect();
        for body in [data("The key is test-key."), data("The key is test") + &data("-key."), letters] {
            let answer = gateway.stream(events(&body)).await;
            let streamed: String = answer.text().lines().filter_map(delta).collect();
            assert!(!streamed.contains(SHORT) && !answer.text().contains(SHORT), "{policy}: {body}\n->\n{streamed}");
            let recorded = gateway.server.get("/api/events?limit=500").await.text().to_owned();
            assert!(!recorded.contains(SHORT), "{policy}: {body} is on record");
        }
        let body = data("A test, ") + &data("a key.") + FINISH_EVENTS;
        let streamed: String = gateway.stream(events(&body)).await.text().lines().filter_map(delta).collect();
        assert_eq!(streamed, "A test, a key.", "{policy}");
        gateway.server.stop().await;
    }
}

#[tokio::test]
async fn a_stream_that_starts_like_a_key_passes_unchanged() {
    let gateway = Gateway::start("observe").await;
    let data = |text: &str| format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {"content": text}}]}));
    let body = data("The prefix is gsk-li") + &data("ke") + &data(" gsk-live-") + FINISH_EVENTS;
    let answer = gateway.stream(raw(200, "text/event-stream", body.clone())).await;
    assert_eq!(answer.text(), body);
    gateway.server.stop().await;
}

const FINISH_EVENTS: &str =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
