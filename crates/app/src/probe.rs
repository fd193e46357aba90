//! Checks at start whether each provider accepts its key, with a cheap request.
//!
//! A refused key is a configuration error: the hosted profile refuses to start, and the embedded profile logs it and shows it in
//! `/api/providers`. A provider that can't be reached may recover soon, so that is only a warning.

use std::sync::{Arc, Mutex, PoisonError};

use countersign_config::{Config, Profile};
use countersign_llm::{Models, Probe};
use futures_util::future::join_all;

/// A provider that has a key, and the setting that holds the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyedProvider {
    pub(crate) provider: String,
    pub(crate) setting: String,
}

/// A provider's response about its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyCheck {
    pub(crate) keyed: KeyedProvider,
    pub(crate) outcome: Probe,
}

/// The results of this process's checks so far. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyChecks(Arc<Mutex<Vec<KeyCheck>>>);

/// All providers that have a key.
pub(crate) fn keyed_providers(config: &Config) -> Vec<KeyedProvider> {
    let from = &config.providers;
    let known = [
        ("groq", "GROQ_API_KEY", &from.groq_api_key),
        ("gemini", "GEMINI_API_KEY", &from.gemini_api_key),
        ("openai", "OPENAI_API_KEY", &from.openai_api_key),
        ("anthropic", "ANTHROPIC_API_KEY", &from.anthropic_api_key),
    ];
    let known = known.into_iter().filter(|(.., key)| key.is_some());
    let known =
        known.map(|(name, variable, _)| KeyedProvider { provider: name.to_owned(), setting: variable.to_owned() });
    let compatible =
        from.compatible.iter().filter(|provider| provider.api_key.is_some()).map(|provider| KeyedProvider {
            provider: provider.name.clone(),
            setting: "its api_key under [[providers.compatible]]".to_owned(),
        });
    known.chain(compatible).collect()
}

impl KeyChecks {
    /// Asks all providers at the same time; each has a few seconds to answer.
    pub(crate) async fn run(&self, models: &Models, keyed: Vec<KeyedProvider>) -> Vec<KeyCheck> {
        let asking = keyed.into_iter().map(|keyed| async move {
            let outcome = models.probe(&keyed.provider).await;
            KeyCheck { keyed, outcome }
        });
        let checks = join_all(asking).await;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&checks);
        checks
    }

    /// `accepted`, `refused` or `unreachable`. `None` if the provider has not been checked.
    pub(crate) fn of(&self, provider: &str) -> Option<&'static str> {
        let checks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        checks.iter().find(|check| check.keyed.provider == provider).map(|check| match check.outcome {
            Probe::Ok => "accepted",
            Probe::Refused(_) => "refused",
            Probe::Unreachable(_) => "unreachable",
        })
    }
}

/// Logs problems. Returns an error if a refused key must prevent the start.
pub(crate) fn check_refusals(profile: Profile, checks: &[KeyCheck]) -> Result<(), String> {
    let mut refusals = Vec::new();
    for KeyCheck { keyed: KeyedProvider { provider, setting }, outcome } in checks {
        match outcome {
            Probe::Ok => {}
            Probe::Refused(status) if profile == Profile::Hosted => {
                refusals.push(format!("{provider} refuses the key from {setting} (status {status})"));
            }
            Probe::Refused(status) => {
                tracing::warn!(provider, setting, status, "the provider refuses its key; calls to it will fail");
            }
            Probe::Unreachable(reason) => {
                tracing::warn!(provider, setting, reason, "the provider could not be reached to check its key");
            }
        }
    }
    if refusals.is_empty() { Ok(()) } else { Err(refusals.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(profile: Profile, outcomes: &[(&str, Probe)], expected: Result<(), &str>) {
        let checks: Vec<KeyCheck> = outcomes
            .iter()
            .map(|(provider, outcome)| KeyCheck {
                keyed: KeyedProvider {
                    provider: (*provider).to_owned(),
                    setting: format!("{}_API_KEY", provider.to_uppercase()),
                },
                outcome: outcome.clone(),
            })
            .collect();
        assert_eq!(check_refusals(profile, &checks), expected.map_err(str::to_owned), "{profile:?} {outcomes:?}");
    }

    #[test]
    fn only_a_refused_key_in_the_hosted_profile_prevents_the_start() {
        let away = || Probe::Unreachable("connection refused".to_owned());
        check(Profile::Hosted, &[("groq", Probe::Ok), ("gemini", away())], Ok(()));
        check(Profile::Embedded, &[("groq", Probe::Refused(401)), ("gemini", away())], Ok(()));
        check(
            Profile::Hosted,
            &[("groq", Probe::Refused(401)), ("gemini", away()), ("openai", Probe::Refused(403))],
            Err(
                "groq refuses the key from GROQ_API_KEY (status 401); openai refuses the key from OPENAI_API_KEY (status 403)",
            ),
        );
    }
}
