//! Every call has one log entry, without secrets and bodies.

use crate::{KEY, ONCE, models, target};
use bytes::Bytes;
use countersign_fake_provider::{Behaviour, Fake};
use countersign_llm::{AttemptOutcome, Prompt, Purpose, Usage};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;

/// A text in every prompt and every answer.
const SECRET_TEXT: &str = "zebra-crossing-at-noon";

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Lines {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).unwrap()
    }
}

fn behaviour() -> impl Strategy<Value = Behaviour> {
    let echo = format!("{SECRET_TEXT} {KEY}");
    let error = Bytes::from(format!("{{\"error\":{{\"message\":\"{echo}\"}}}}"));
    let raw = move |status| Behaviour::Raw {
        status,
        content_type: "application/json".into(),
        body: error.clone(),
        headers: vec![],
    };
    prop_oneof![
        Just(Behaviour::Text(echo)),
        prop::sample::select(vec![400_u16, 401, 403, 404, 408, 429, 500, 503, 529]).prop_map(raw),
        Just(Behaviour::Reset),
        Just(Behaviour::Truncated),
        Just(Behaviour::MalformedJson),
        Just(Behaviour::Empty),
        Just(Behaviour::Safety),
    ]
}

// Feature: agent-audit, Property 16: API interaction logging
#[test]
fn every_call_has_one_log_entry_with_its_details_and_without_secrets_or_bodies() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let lines = Lines::default();
    let subscriber = tracing_subscriber::fmt().json().with_max_level(tracing::Level::TRACE).with_writer(lines.clone());
    let _guard = tracing::subscriber::set_default(subscriber.finish());
    let fake = runtime.block_on(Fake::start());
    let providers = prop::sample::select(vec!["groq", "gemini", "anthropic"]);
    let mut runner = TestRunner::new(Config::with_cases(150));
    let check = |(behaviour, provider, text, is_forward): (Behaviour, &str, String, bool)| {
        fake.push(behaviour);
        // Use new models for each case, so that no circuit breaker opens.
        let (models, target) = (models(&fake), target(provider));
        let prompt = format!("{text} {SECRET_TEXT}");
        let attempt = runtime.block_on(async {
            if !is_forward {
                let called = models.chat(Purpose::Writer, &target, &Prompt::user(prompt), &ONCE).await;
                return called.attempts[0].clone();
            }
            let body = serde_json::json!({"model": "some-model", "messages": [{"role": "user", "content": prompt}]});
            let mut called =
                models.forward(Purpose::Writer, &target, Bytes::from(body.to_string()), false, &ONCE).await;
            match called.result {
                Ok(forwarded) => {
                    let outcome = forwarded.outcome();
                    forwarded.finish(outcome, Usage { input_tokens: Some(1), output_tokens: None })
                }
                Err(_) => called.attempts.remove(0),
            }
        });
        let text = lines.take();
        prop_assert!(!text.contains(SECRET_TEXT) && !text.contains(KEY), "{}", text);
        let ours: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .filter(|line: &Value| line["target"] == "countersign_llm")
            .collect();
        prop_assert_eq!(ours.len(), 1);
        prop_assert!(!ours[0].to_string().contains("127.0.0.1"));
        let fields = &ours[0]["fields"];
        prop_assert_eq!(&ours[0]["level"], if attempt.outcome == AttemptOutcome::Ok { "INFO" } else { "WARN" });
        prop_assert_eq!(&fields["purpose"], "writer");
        prop_assert_eq!(&fields["provider"], provider);
        prop_assert_eq!(&fields["model"], "some-model");
        prop_assert_eq!(&fields["attempt"], 1);
        prop_assert_eq!(&fields["outcome"], attempt.outcome.as_str());
        prop_assert_eq!(fields["status"].as_u64(), attempt.status.map(u64::from));
        prop_assert_eq!(fields["input_tokens"].as_u64(), attempt.input_tokens);
        prop_assert!(fields["request_bytes"].as_u64() > Some(50));
        prop_assert!(fields["latency_ms"].is_u64() && fields["response_bytes"].is_u64());
        Ok(())
    };
    runner.run(&(behaviour(), providers, "[a-z ]{0,40}", any::<bool>()), check).unwrap();
}
