//! Complete answers in each provider's format.

use countersign_fake_provider::{ANSWER_TEXT, AUDIT_TEXT, Api, Behaviour, Fake};
use serde_json::{Value, json};

use crate::caller::{ANTHROPIC, GEMINI, OPENAI, chat, contents, get, messages, post};

#[tokio::test]
async fn openai_answers_have_a_choice_usage_and_extra_fields() {
    let fake = Fake::start().await;
    for path in ["/v1", "/openai/v1", "/ollama/v1", "/v1beta/openai", "/anthropic/v1"] {
        let answer = post(&fake, &format!("{path}/chat/completions"), chat(json!({"odd_field": 1}))).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.header("x-request-id").starts_with("req_"));
        let json = answer.json();
        assert_eq!(json["object"], "chat.completion");
        assert_eq!(json["model"], "llama-x");
        assert_eq!(json["choices"][0]["message"]["content"], ANSWER_TEXT);
        assert_eq!(json["choices"][0]["finish_reason"], "stop");
        let usage = &json["usage"];
        let sum = usage["prompt_tokens"].as_u64().unwrap() + usage["completion_tokens"].as_u64().unwrap();
        assert_eq!(usage["total_tokens"], sum);
        for extra in ["system_fingerprint", "service_tier", "x_groq", "x_fake_unknown"] {
            assert!(!json[extra].is_null(), "{extra}");
        }
    }
}

#[tokio::test]
async fn openai_answers_with_the_requested_number_of_choices() {
    let fake = Fake::start().await;
    let json = post(&fake, OPENAI, chat(json!({"n": 3}))).await.json();
    let indexes: Vec<&Value> = json["choices"].as_array().unwrap().iter().map(|choice| &choice["index"]).collect();
    assert_eq!(indexes, [0, 1, 2]);
    fake.push(Behaviour::Choices(vec!["one".into(), "two".into()]));
    let json = post(&fake, OPENAI, chat(json!({}))).await.json();
    assert_eq!(json["choices"][1]["message"]["content"], "two");
}

#[tokio::test]
async fn a_tool_is_called_when_the_prompt_says_so_and_tools_are_given() {
    let fake = Fake::start().await;
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});

    let tool = json!({"type": "function", "function": {"name": "weather", "parameters": schema}});
    let json = post(&fake, OPENAI, chat(json!({"tools": [tool]}))).await.json();
    let choice = &json["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls");
    assert_eq!(choice["message"]["content"], Value::Null);
    let function = json!({"name": "weather", "arguments": "{\"city\":\"sample\"}"});
    assert_eq!(choice["message"]["tool_calls"][0]["function"], function);

    let tool = json!({"functionDeclarations": [{"name": "weather", "parameters": schema}]});
    let json = post(&fake, GEMINI, contents(json!({"tools": [tool]}))).await.json();
    let call = &json["candidates"][0]["content"]["parts"][0]["functionCall"];
    assert_eq!(call, &json!({"name": "weather", "args": {"city": "sample"}}));

    let tool = json!({"name": "weather", "input_schema": schema});
    let json = post(&fake, ANTHROPIC, messages(json!({"tools": [tool]}))).await.json();
    assert_eq!(json["stop_reason"], "tool_use");
    assert_eq!(json["content"][0]["input"], json!({"city": "sample"}));
}

#[tokio::test]
async fn structured_output_fits_the_schema_and_an_audit_gets_a_verdict() {
    let fake = Fake::start().await;
    let schema = |name: &str| json!({"type": "object", "properties": {name: {"type": "integer"}}});
    let format = |name: &str| json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema(name)}});
    let content = |json: &Value| json["choices"][0]["message"]["content"].as_str().unwrap().to_owned();

    let json = post(&fake, OPENAI, chat(json!({"response_format": format("days")}))).await.json();
    assert_eq!(content(&json), "{\"days\":1}");
    let json = post(&fake, OPENAI, chat(json!({"response_format": format("risk_score")}))).await.json();
    assert_eq!(content(&json), AUDIT_TEXT);
}

#[tokio::test]
async fn gemini_answers_a_chat_with_text_and_an_audit_with_json() {
    let fake = Fake::start().await;
    let json = post(&fake, GEMINI, contents(json!({}))).await.json();
    assert_eq!(json["candidates"][0]["content"]["parts"][0]["text"], ANSWER_TEXT);
    assert_eq!(json["candidates"][0]["finishReason"], "STOP");
    assert_eq!(json["modelVersion"], "gemini-x");
    assert!(json["usageMetadata"]["totalTokenCount"].as_u64().unwrap() > 0);

    let audit = contents(json!({"generationConfig": {"responseMimeType": "application/json"}}));
    let json = post(&fake, GEMINI, audit).await.json();
    let verdict: Value =
        serde_json::from_str(json["candidates"][0]["content"]["parts"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(verdict["risk_score"], 1);
    assert_eq!(verdict["confidence"], 0.9);
}

#[tokio::test]
async fn anthropic_answers_with_content_blocks() {
    let fake = Fake::start().await;
    for path in [ANTHROPIC, "/v1/messages"] {
        let answer = post(&fake, path, messages(json!({}))).await;
        assert!(answer.header("request-id").starts_with("req_"));
        let json = answer.json();
        assert_eq!(json["type"], "message");
        assert_eq!(json["content"], json!([{"type": "text", "text": ANSWER_TEXT}]));
        assert_eq!(json["stop_reason"], "end_turn");
    }
}

#[tokio::test]
async fn each_abnormal_finish_reason_has_the_providers_own_name() {
    let fake = Fake::start().await;
    let rows = [
        (Behaviour::MaxTokens, "length", "MAX_TOKENS", "max_tokens"),
        (Behaviour::Safety, "content_filter", "SAFETY", "refusal"),
        (Behaviour::Recitation, "content_filter", "RECITATION", "refusal"),
    ];
    for (behaviour, openai, gemini, anthropic) in rows {
        fake.script(move |_| behaviour.clone());
        assert_eq!(post(&fake, OPENAI, chat(json!({}))).await.json()["choices"][0]["finish_reason"], openai);
        assert_eq!(post(&fake, GEMINI, contents(json!({}))).await.json()["candidates"][0]["finishReason"], gemini);
        assert_eq!(post(&fake, ANTHROPIC, messages(json!({}))).await.json()["stop_reason"], anthropic);
    }
}

#[tokio::test]
async fn an_empty_answer_has_four_possible_shapes() {
    let fake = Fake::start().await;
    fake.push(Behaviour::Empty);
    assert_eq!(post(&fake, GEMINI, contents(json!({}))).await.json()["candidates"], json!([]));
    fake.push(Behaviour::EmptyText);
    let parts = json!([{"text": ""}]);
    assert_eq!(post(&fake, GEMINI, contents(json!({}))).await.json()["candidates"][0]["content"]["parts"], parts);
    fake.push(Behaviour::EmptyParts);
    let content = json!({"role": "model"});
    assert_eq!(post(&fake, GEMINI, contents(json!({}))).await.json()["candidates"][0]["content"], content);
    fake.push(Behaviour::Blocked);
    let blocked = post(&fake, GEMINI, contents(json!({}))).await.json();
    assert_eq!(blocked["promptFeedback"]["blockReason"], "SAFETY");
    assert!(blocked.get("candidates").is_none());
}

#[tokio::test]
async fn models_are_listed_and_health_and_stats_are_not_calls() {
    let fake = Fake::start().await;
    let list = get(&fake, "/openai/v1/models?limit=5").await.json();
    assert_eq!((&list["object"], &list["data"][0]["object"]), (&json!("list"), &json!("model")));
    assert_eq!(get(&fake, "/health").await.json()["status"], "ok");
    assert_eq!(get(&fake, "/stats").await.json()["count"], 1);
    assert_eq!(get(&fake, "/v1beta/models").await.json()["models"][0]["name"], "models/fake-large");
    assert_eq!(get(&fake, "/anthropic/v1/models").await.json()["has_more"], false);
}

#[tokio::test]
async fn calls_are_recorded_as_received() {
    let fake = Fake::start_with(|received| Behaviour::Text(format!("call {}", received.number))).await;
    let answer = post(&fake, GEMINI, contents(json!({}))).await.json();
    assert_eq!(answer["candidates"][0]["content"]["parts"][0]["text"], "call 1");
    fake.set_recording(false);
    post(&fake, OPENAI, chat(json!({}))).await;
    let [received] = &fake.received()[..] else { panic!("{:?}", fake.received()) };
    assert_eq!((received.api, received.path.as_str(), received.is_stream), (Api::Gemini, GEMINI, false));
    assert_eq!(received.header("x-goog-api-key"), Some("test-key"));
    assert_eq!(received.json.as_ref().unwrap(), &contents(json!({})));
    assert!(!format!("{received:?}").contains("test-key"));
    assert_eq!(fake.count(), 2);
}
