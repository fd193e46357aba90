//! Probes of keys, and the health of providers.

use crate::{build, fake, models, settings};
use bytes::Bytes;
use countersign_fake_provider::Behaviour;
use countersign_llm::{ModelSettings, Models, Probe, Provider, ProviderKey, SettingsError, WireFormat};
use countersign_outbound::SetupError;
use std::sync::Arc;

#[tokio::test]
async fn a_key_is_probed_with_the_providers_list_of_models() {
    let fake = fake([]).await;
    let models = models(&fake);
    for provider in ["groq", "gemini", "anthropic", "ollama", "simulated"] {
        assert_eq!(models.probe(provider).await, Probe::Ok, "{provider}");
    }
    let paths: Vec<_> = fake.received().iter().map(|received| received.path.clone()).collect();
    assert_eq!(paths, ["/openai/v1/models", "/v1beta/models", "/anthropic/v1/models", "/ollama/v1/models"]);
    assert!(fake.received()[1].headers.contains_key("x-goog-api-key"));
}

#[tokio::test]
async fn a_refused_key_is_distinguished_from_an_unreachable_provider() {
    let invalid = r#"{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}"#;
    let invalid = Behaviour::Raw {
        status: 400,
        content_type: "application/json".into(),
        body: Bytes::from_static(invalid.as_bytes()),
        headers: vec![],
    };
    let fake = fake([Behaviour::Status(401), Behaviour::Status(403), invalid, Behaviour::Status(503)]).await;
    let models = models(&fake);
    assert_eq!(models.probe("groq").await, Probe::Refused(401));
    assert_eq!(models.probe("anthropic").await, Probe::Refused(403));
    assert_eq!(models.probe("gemini").await, Probe::Refused(400));
    assert_eq!(models.probe("groq").await, Probe::Unreachable("status 503".into()));
    fake.stop().await;
    assert!(matches!(models.probe("groq").await, Probe::Unreachable(_)));
    assert!(matches!(models.probe("nobody").await, Probe::Unreachable(_)));
}

#[tokio::test]
async fn the_health_of_all_providers_is_shown() {
    let fake = fake([]).await;
    let mut settings = settings(&fake);
    settings.providers.push(Provider::new("openai", WireFormat::OpenAi, "https://api.openai.com/v1/", None));
    let models = build(settings);
    let health = models.health();
    let configured: Vec<_> = health.iter().map(|health| (health.name.as_str(), health.configured)).collect();
    let all = ["groq", "gemini", "anthropic", "ollama", "simulated"].map(|name| (name, true));
    assert_eq!(configured, [&all[..], &[("openai", false)]].concat());
    assert!(models.has_provider("openai") && !models.has_provider("OpenAI"));
    assert_eq!(models.provider_names().count(), 6);
}

#[test]
fn unusable_settings_are_refused_without_showing_a_key() {
    let check = |providers: Vec<Provider>| Models::new(ModelSettings::new(providers), Arc::new(|| 0.5)).unwrap_err();
    let groq = |key: &str| Provider::new("groq", WireFormat::OpenAi, "https://host/v1", Some(ProviderKey::new(key)));
    for key in ["secret\nkey", "secret key", "secret\u{e9}", ""] {
        let error = check(vec![groq(key)]);
        assert_eq!(error, SettingsError::Setup(SetupError::Key { name: "groq".into() }));
        assert!(!error.to_string().contains("secret"));
    }
    assert_eq!(check(vec![groq("a"), groq("b")]), SettingsError::Duplicate("groq".into()));
    let with_credentials = Provider::new("groq", WireFormat::OpenAi, "https://user:hunter2@host/v1", None);
    assert!(!check(vec![with_credentials]).to_string().contains("hunter2"));
}
