//! Whether each provider accepts its key, asked once at start with a cheap request of the provider's own.
//!
//! A refused key is an error of configuration: the hosted profile doesn't start with one, the embedded profile says so in
//! its log and in `/api/providers`. A provider that can't be reached may be back in a moment, so it is only worth a warning.

use std::sync::{Arc, Mutex, PoisonError};

use countersign_config::{Config, Profile};
use countersign_llm::{Models, Probe};
use futures_util::future::join_all;

/// A provider with a key, and the setting that the key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keyed {
    pub(crate) provider: String,
    pub(crate) setting: String,
}

/// What a provider said about its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyCheck {
    pub(crate) keyed: Keyed,
    pub(crate) outcome: Probe,
}

/// The checks of this process, as far as they are done. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct KeyChecks(Arc<Mutex<Vec<KeyCheck>>>);

/// Every provider that has a key. Those without one have nothing to be refused.
pub(crate) fn keyed(config: &Config) -> Vec<Keyed> {
    let from = &config.providers;
    let known = [
        ("groq", "GROQ_API_KEY", &from.groq_api_key),
        ("gemini", "GEMINI_API_KEY", &from.gemini_api_key),
        ("openai", "OPENAI_API_KEY", &from.openai_api_key),
        ("anthropic", "ANTHROPIC_API_KEY", &from.anthropic_api_key),
    ];
    let known = known.into_iter().filter(|(.., key)| key.is_some());
    let known = known.map(|(name, variable, _)| Keyed { provider: name.to_owned(), setting: variable.to_owned() });
    let compatible = from.compatible.iter().filter(|provider| provider.api_key.is_some()).map(|provider| Keyed {
        provider: provider.name.clone(),
        setting: "its api_key under [[providers.compatible]]".to_owned(),
    });
    known.chain(compatible).collect()
}

impl KeyChecks {
    /// Asks all providers at the same time; each has a few seconds to answer.
    pub(crate) async fn run(&self, models: &Models, keyed: Vec<Keyed>) -> Vec<KeyCheck> {
        let asking = keyed.into_iter().map(|keyed| async move {
            let outcome = models.probe(&keyed.provider).await;
            KeyCheck { keyed, outcome }
        });
        let checks = join_all(asking).await;
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&checks);
        checks
    }

    /// `accepted`, `refused` or `unreachable`; nothing for a provider that was not asked, or not yet.
    pub(crate) fn of(&self, provider: &str) -> Option<&'static str> {
        let checks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        checks.iter().find(|check| check.keyed.provider == provider).map(|check| match check.outcome {
            Probe::Ok => "accepted",
            Probe::Refused(_) => "refused",
            Probe::Unreachable(_) => "unreachable",
        })
    }
}

/// Logs what is wrong, and says why a start must end here, if it must.
pub(crate) fn verdict(profile: Profile, checks: &[KeyCheck]) -> Result<(), String> {
    let mut refusals = Vec::new();
    for KeyCheck { keyed: Keyed { provider, setting }, outcome } in checks {
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
                keyed: Keyed {
                    provider: (*provider).to_owned(),
                    setting: format!("{}_API_KEY", provider.to_uppercase()),
                },
                outcome: outcome.clone(),
            })
            .collect();
        assert_eq!(verdict(profile, &checks), expected.map_err(str::to_owned), "{profile:?} {outcomes:?}");
    }

    #[test]
    fn only_the_hosted_profile_ends_over_a_refused_key_and_nobody_over_an_unreachable_provider() {
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
