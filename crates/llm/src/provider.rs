//! Settings of providers, checked once. Keys never appear in `Debug`, in an error or in a URL.

use crate::price::Price;
use countersign_outbound::SetupError;
use rust_decimal::Decimal;
use std::fmt;
use std::time::Duration;

/// The wire format that a provider speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFormat {
    OpenAi,
    Gemini,
    Anthropic,
    /// Answers in process, without a network. Its answers are labelled as simulated.
    Simulated,
}

/// A provider's key.
#[derive(Clone, PartialEq, Eq)]
pub struct ProviderKey(String);

#[derive(Clone, Debug)]
pub struct Provider {
    pub name: String,
    pub wire_format: WireFormat,
    /// With the version path, such as `https://api.groq.com/openai/v1`.
    pub base_url: String,
    pub key: Option<ProviderKey>,
    pub limits: CallLimits,
}

/// `None` means no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallLimits {
    pub concurrency_max: Option<usize>,
    pub requests_per_minute: Option<u64>,
    pub tokens_per_minute: Option<u64>,
    pub tokens_per_day: Option<u64>,
    pub usd_per_day: Option<Decimal>,
}

/// Time-outs and the number of attempts of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallPolicy {
    pub attempts_max: u8,
    pub attempt_timeout: Duration,
    /// The time limit for all attempts and the waits between them.
    pub deadline: Duration,
}

#[derive(Clone, Debug)]
pub struct ModelSettings {
    pub providers: Vec<Provider>,
    pub prices: Vec<Price>,
    pub answer_bytes_max: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    #[error("a provider's name must be 1 to 64 letters, digits, '-', '_' or '.', not {0:?}")]
    Name(String),
    #[error("two providers have the name {0:?}")]
    Duplicate(String),
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl ModelSettings {
    pub const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

    pub fn new(providers: Vec<Provider>) -> Self {
        Self { providers, prices: Vec::new(), answer_bytes_max: Self::ANSWER_BYTES_MAX }
    }
}

impl Provider {
    pub fn new(
        name: impl Into<String>,
        wire_format: WireFormat,
        base_url: impl Into<String>,
        key: Option<ProviderKey>,
    ) -> Self {
        Self { name: name.into(), wire_format, base_url: base_url.into(), key, limits: CallLimits::default() }
    }

    /// The simulated provider, the default of the embedded profile. It needs no key and no network.
    pub fn simulated() -> Self {
        Self::new("simulated", WireFormat::Simulated, "", None)
    }
}

impl Default for CallPolicy {
    fn default() -> Self {
        Self { attempts_max: 3, attempt_timeout: Duration::from_secs(30), deadline: Duration::from_secs(100) }
    }
}

impl ProviderKey {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for ProviderKey {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for ProviderKey {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for ProviderKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProviderKey([REDACTED])")
    }
}

pub(crate) fn check_name(name: &str) -> Result<(), SettingsError> {
    let is_valid = (1..=64).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    if is_valid { Ok(()) } else { Err(SettingsError::Name(name.chars().take(64).collect())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_never_shows_a_key() {
        let provider = Provider::new("groq", WireFormat::OpenAi, "https://h/v1", Some("gsk_very_secret".into()));
        assert!(!format!("{provider:?}").contains("very_secret"));
    }

    #[test]
    fn a_name_has_no_slashes_spaces_or_letters_outside_ascii() {
        assert!(check_name("ollama-2.local").is_ok());
        for name in ["", "a/b", "a b", "é", &"x".repeat(65)] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
    }
}
