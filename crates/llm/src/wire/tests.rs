use super::*;
use crate::prompt::Schema;
use serde_json::{Value, json};

const WIRE_FORMATS: [WireFormat; 3] = [WireFormat::OpenAi, WireFormat::Gemini, WireFormat::Anthropic];

fn read(wire_format: WireFormat, body: &Value) -> (Usage, Result<Reply, CallError>) {
    reply(wire_format, body.to_string().as_bytes(), false)
}

fn check_text(wire_format: WireFormat, body: Value, text: &str, finish: Finish, tokens: (u64, u64)) {
    let (usage, reply) = read(wire_format, &body);
    let reply = reply.unwrap();
    assert_eq!((reply.text.as_str(), reply.finish), (text, finish), "{body}");
    assert_eq!((usage.input_tokens, usage.output_tokens), (Some(tokens.0), Some(tokens.1)), "{body}");
}

fn check_error(wire_format: WireFormat, body: Value, expected: CallError) {
    assert_eq!(read(wire_format, &body).1.unwrap_err(), expected, "{body}");
}

fn safety(reason: &str) -> CallError {
    CallError::Safety { reason: reason.into() }
}

#[test]
fn openai_answers_are_read() {
    let usage = json!({"prompt_tokens": 45, "completion_tokens": 7, "total_tokens": 52, "queue_time": 0.04});
    let body = |message: Value, reason: &str| {
        json!({"id": "c", "model": "m", "choices": [{"index": 0, "message": message, "logprobs": null,
            "finish_reason": reason}], "usage": usage, "x_groq": {"id": "r"}})
    };
    let text = json!({"role": "assistant", "content": "Yes.", "reasoning": "Hm."});
    check_text(WireFormat::OpenAi, body(text.clone(), "stop"), "Yes.", Finish::Stop, (45, 7));
    check_text(WireFormat::OpenAi, body(text.clone(), "length"), "Yes.", Finish::Length, (45, 7));
    check_text(WireFormat::OpenAi, body(text.clone(), "eos"), "Yes.", Finish::Other("eos".into()), (45, 7));
    let parts = json!({"content": [{"type": "text", "text": "Y"}, {"type": "text", "text": "es."}]});
    check_text(WireFormat::OpenAi, body(parts, "stop"), "Yes.", Finish::Stop, (45, 7));
    check_error(WireFormat::OpenAi, body(text, "content_filter"), safety("content_filter"));
    check_error(WireFormat::OpenAi, body(json!({"content": null, "refusal": "I can't."}), "stop"), safety("refusal"));
    check_error(WireFormat::OpenAi, body(json!({"content": null, "tool_calls": []}), "tool_calls"), CallError::Empty);
    check_error(WireFormat::OpenAi, json!({"choices": []}), CallError::Empty);
    check_error(WireFormat::OpenAi, json!({"error": {"message": "?"}}), CallError::Malformed("no choices".into()));
}

#[test]
fn gemini_answers_are_read() {
    let usage = json!({"promptTokenCount": 15, "candidatesTokenCount": 5, "thoughtsTokenCount": 20,
        "totalTokenCount": 40, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 15}]});
    let body = |parts: Value, reason: &str| {
        json!({"candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": reason, "index": 0}],
            "usageMetadata": usage, "modelVersion": "gemini-x"})
    };
    let thought = json!([{"text": "Hm.", "thought": true}, {"text": "Y"}, {"text": "es."}, {"inlineData": {}}]);
    check_text(WireFormat::Gemini, body(thought, "STOP"), "Yes.", Finish::Stop, (15, 25));
    check_text(WireFormat::Gemini, body(json!([{"text": "Ye"}]), "MAX_TOKENS"), "Ye", Finish::Length, (15, 25));
    for reason in WITHHELD {
        check_error(WireFormat::Gemini, body(json!([{"text": "5, 4, 3..."}]), reason), safety(reason));
    }
    check_error(WireFormat::Gemini, json!({"promptFeedback": {"blockReason": "OTHER"}}), safety("OTHER"));
    let message_only = json!({"candidates": [], "promptFeedback": {"blockReasonMessage": "Message"}});
    check_error(WireFormat::Gemini, message_only, safety("Message"));
    let ratings_only = json!({"candidates": [{"content": {}, "index": 0}], "promptFeedback": {"safetyRatings": []}});
    check_error(WireFormat::Gemini, ratings_only, CallError::Empty);
    let failed = json!({"candidates": [{"finishReason": "OTHER", "finishMessage": "internal error"}]});
    check_error(WireFormat::Gemini, failed, CallError::Empty);
    check_error(WireFormat::Gemini, json!({}), CallError::Malformed("no candidates".into()));
}

const WITHHELD: [&str; 4] = ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "SPII"];

#[test]
fn anthropic_answers_are_read() {
    let usage = json!({"input_tokens": 10, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 3,
        "output_tokens": 4});
    let body =
        |content: Value, reason: &str| json!({"model": "c", "content": content, "stop_reason": reason, "usage": usage});
    let text = json!([{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Yes."}]);
    check_text(WireFormat::Anthropic, body(text.clone(), "end_turn"), "Yes.", Finish::Stop, (15, 4));
    check_text(WireFormat::Anthropic, body(text.clone(), "max_tokens"), "Yes.", Finish::Length, (15, 4));
    let tool = json!([{"type": "text", "text": "Here:"}, {"type": "tool_use", "id": "t", "name": "n", "input": {"b": 1, "a": 2}}]);
    let (_, reply) = reply(WireFormat::Anthropic, body(tool, "tool_use").to_string().as_bytes(), true);
    let value: Value = serde_json::from_str(&reply.unwrap().text).unwrap();
    assert_eq!(value, json!({"b": 1, "a": 2}));
    check_error(WireFormat::Anthropic, body(text, "refusal"), safety("refusal"));
    check_error(WireFormat::Anthropic, body(json!([]), "end_turn"), CallError::Empty);
}

#[test]
fn an_empty_answer_at_the_limit_is_truncated_only_if_json_was_requested() {
    let body = br#"{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS"}]}"#;
    assert_eq!(reply(WireFormat::Gemini, body, false).1.unwrap_err(), CallError::Empty);
    assert_eq!(reply(WireFormat::Gemini, body, true).1.unwrap_err(), CallError::Truncated);
}

#[test]
fn a_body_in_another_format_is_malformed_and_never_quoted() {
    let deep = "[".repeat(100_000);
    for wire_format in WIRE_FORMATS {
        for body in ["", "null", "<html>hunter2</html>", "{\"choices\":\"hunter2\"}", "[]", "7", &deep] {
            let error = reply(wire_format, body.as_bytes(), false).1.unwrap_err();
            assert!(matches!(error, CallError::Malformed(_)), "{wire_format:?} {error}");
            assert!(!error.to_string().contains("hunter2"));
        }
    }
}

#[test]
fn a_schema_is_translated_to_geminis_subset() {
    let check = |schema: Value, expected: Value| {
        let schema = Schema { name: "s", json: schema };
        let body = gemini::request(&Prompt::user("?"), Some(&schema));
        assert_eq!(body["generationConfig"]["responseSchema"], expected);
    };
    check(
        json!({"$schema": "x", "type": "object", "additionalProperties": false, "required": ["a"],
            "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"type": "array", "items": {"type": "number"}}}}),
        json!({"type": "OBJECT", "required": ["a"],
            "properties": {"a": {"type": "ARRAY", "items": {"type": "NUMBER"}}}}),
    );
    check(json!({"type": "string", "format": "uuid"}), json!({"type": "STRING"}));
    check(json!({"const": "x"}), json!({"type": "STRING", "enum": ["x"]}));
    check(json!({"type": "integer", "enum": [1, 2]}), json!({"type": "INTEGER"}));
    check(
        json!({"oneOf": [{"type": "string"}, {"type": "null"}]}),
        json!({"anyOf": [{"type": "STRING"}], "nullable": true}),
    );
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    let schema = Schema { name: "s", json: json!({"$ref": "#"}) };
    assert!(gemini::request(&Prompt::user("?"), Some(&schema)).is_object());
    let list = json!({"type": "object", "properties": {"next": {"$ref": "#"}}});
    let schema = Schema { name: "s", json: list };
    assert!(gemini::request(&Prompt::user("?"), Some(&schema)).to_string().len() < 10_000);
}

#[test]
fn openai_itself_gets_the_new_name_of_the_token_limit() {
    let prompt = Prompt { max_tokens: Some(5), ..Prompt::user("?") };
    let name = |base: &str| openai::request("m", &prompt, ReplyFormat::Text, openai::Dialect::of(base));
    assert_eq!(name("https://api.openai.com/v1")["max_completion_tokens"], 5);
    assert_eq!(name("http://localhost:11434/v1")["max_tokens"], 5);
}
