//! Replies that must fit a schema, and the repair of those that can't be read.

use crate::{NATIVE, THRICE, fake, models, target};
use countersign_fake_provider::{Behaviour, Fake};
use countersign_llm::{AttemptOutcome, CallError, CallResult, Prompt, Purpose, Schema, Structured};
use serde_json::{Value, json};

fn schema() -> Schema {
    let json = json!({"type": "object", "properties": {"risk": {"type": "integer", "minimum": 3}, "note": {"type": ["string", "null"]}},
        "required": ["risk", "note"], "additionalProperties": false});
    Schema { name: "audit", json }
}

fn read(text: &str) -> Result<i64, String> {
    let value: Value = serde_json::from_str(text).map_err(|_| "not JSON".to_owned())?;
    value["risk"].as_i64().ok_or_else(|| "no \"risk\"".to_owned())
}

async fn ask(fake: &Fake, provider: &str) -> CallResult<Structured<i64>> {
    let prompt = Prompt::user("Judge this.");
    models(fake).structured(Purpose::Auditor, &target(provider), &prompt, &schema(), &THRICE, read).await
}

#[tokio::test]
async fn each_wire_format_has_its_own_way_to_request_a_schema() {
    for provider in NATIVE {
        let text = r#"{"risk":3,"note":null}"#.to_owned();
        let fake = fake([match provider {
            "anthropic" => Behaviour::ToolCall { name: "audit".into(), arguments: text },
            _ => Behaviour::Text(text),
        }])
        .await;
        let called = ask(&fake, provider).await;
        let structured = called.result.unwrap();
        assert_eq!((structured.value, structured.repaired), (3, false), "{provider}");
        assert!(structured.reply.text.contains("risk"));
        let sent = fake.received().remove(0).json.unwrap();
        match provider {
            "groq" => assert_eq!(
                sent["response_format"],
                json!({"type": "json_schema", "json_schema": {"name": "audit", "strict": true, "schema": schema().json}})
            ),
            "gemini" => {
                let properties = json!({"risk": {"type": "INTEGER", "minimum": 3},
                    "note": {"type": "STRING", "nullable": true}});
                let expected = json!({"type": "OBJECT", "properties": properties, "required": ["risk", "note"]});
                assert_eq!(sent["generationConfig"]["responseSchema"], expected);
                assert_eq!(sent["generationConfig"]["responseMimeType"], "application/json");
            }
            _ => {
                assert_eq!(sent["tool_choice"], json!({"type": "tool", "name": "audit"}));
                assert_eq!(sent["tools"][0]["input_schema"], schema().json);
            }
        }
    }
}

#[tokio::test]
async fn an_unreadable_reply_is_repaired_once() {
    let fake =
        fake([Behaviour::Text("Risk? \"High\".".into()), Behaviour::Text("```json\n{\"risk\":7}\n```".into())]).await;
    let called = ask(&fake, "groq").await;
    let structured = called.result.unwrap();
    assert_eq!((structured.value, structured.repaired), (7, true));
    let attempts: Vec<_> = called.attempts.iter().map(|attempt| (attempt.number, attempt.outcome)).collect();
    assert_eq!(attempts, [(1, AttemptOutcome::Malformed), (2, AttemptOutcome::Ok)]);
    let sent = fake.received().remove(1).json.unwrap();
    let messages = sent["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3);
    assert_eq!(messages[1], json!({"role": "assistant", "content": "Risk? \"High\"."}));
    assert!(messages[2]["content"].as_str().unwrap().contains("\"not JSON\""));
}

#[tokio::test]
async fn a_second_unreadable_reply_is_kept_as_provenance_and_not_shown() {
    let fake = fake([Behaviour::Text("first".into()), Behaviour::Text("{\"second\":true}".into())]).await;
    let called = ask(&fake, "gemini").await;
    assert_eq!((fake.count(), called.attempts.len()), (2, 2));
    let error = called.result.unwrap_err();
    assert!(!format!("{error:?} {error}").contains("second"));
    assert_eq!(error, CallError::Unreadable { what: "no \"risk\"".into(), raw: "{\"second\":true}".into() });
}

#[tokio::test]
async fn a_repair_that_fails_keeps_the_first_reply() {
    let fake = fake([Behaviour::Text("first".into()), Behaviour::Status(401)]).await;
    let called = ask(&fake, "gemini").await;
    let CallError::Unreadable { what, raw } = called.result.unwrap_err() else { panic!("an unexpected error") };
    assert_eq!(raw, "first");
    assert!(what.starts_with("not JSON (its repair failed: status 401"), "{what}");
}

#[tokio::test]
async fn json_that_was_cut_off_is_truncated_and_not_repaired() {
    for provider in NATIVE {
        let fake = fake([Behaviour::MaxTokens]).await;
        let called = ask(&fake, provider).await;
        assert_eq!(called.result.unwrap_err(), CallError::Truncated, "{provider}");
        assert_eq!((fake.count(), called.attempts[0].outcome), (1, AttemptOutcome::Truncated));
    }
}

#[tokio::test]
async fn a_model_without_schema_support_is_remembered_and_asked_for_any_object() {
    let message = "This model does not support response format `json_schema`.";
    let body = json!({"error": {"message": message, "type": "invalid_request_error"}}).to_string();
    let refusal =
        Behaviour::Raw { status: 400, content_type: "application/json".into(), body: body.into(), headers: vec![] };
    let answer = || Behaviour::Text("{\"risk\":7}".into());
    let fake = fake([refusal, answer(), answer()]).await;
    let models = models(&fake);
    for expected in [&[(1, AttemptOutcome::ClientError), (2, AttemptOutcome::Ok)][..], &[(1, AttemptOutcome::Ok)]] {
        let prompt = Prompt { system: Some("Be strict.".into()), ..Prompt::user("Judge this.") };
        let called = models.structured(Purpose::Auditor, &target("groq"), &prompt, &schema(), &THRICE, read).await;
        assert_eq!(called.result.unwrap().value, 7);
        assert_eq!(called.attempts.iter().map(|a| (a.number, a.outcome)).collect::<Vec<_>>(), expected);
    }
    let sent = fake.received().remove(2).json.unwrap();
    assert_eq!(sent["response_format"], json!({"type": "json_object"}));
    let system = sent["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.starts_with("Be strict.\n\nAnswer with only a JSON object") && system.contains("\"risk\""),
        "{system}"
    );
}

#[tokio::test]
async fn a_call_can_run_in_its_own_task() {
    let fake = fake([Behaviour::Text("{\"risk\":7}".into())]).await;
    let models = models(&fake);
    let task = tokio::spawn(async move {
        let (prompt, schema, bias) = (Prompt::user("?"), schema(), 1);
        let read = |text: &str| read(text).map(|risk| risk + bias);
        models.structured(Purpose::Auditor, &target("groq"), &prompt, &schema, &THRICE, read).await
    });
    assert_eq!(task.await.unwrap().result.unwrap().value, 8);
}
