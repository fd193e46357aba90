//! A model of a provider. A model's name is up to the provider and may contain slashes.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

const NAME_BYTES_MAX: usize = 256;

/// A model of a provider, shown as `provider/model`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    pub provider: Arc<str>,
    pub model: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a model must be written provider/model; each part may have at most {NAME_BYTES_MAX} bytes and no spaces or control characters"
)]
pub struct TargetError;

impl Target {
    pub fn new(provider: impl Into<Arc<str>>, model: impl Into<Arc<str>>) -> Self {
        Self { provider: provider.into(), model: model.into() }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider, self.model)
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, TargetError> {
        let (provider, model) = text.split_once('/').ok_or(TargetError)?;
        if is_name(provider) && is_name(model) { Ok(Self::new(provider, model)) } else { Err(TargetError) }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= NAME_BYTES_MAX && !text.chars().any(|c| c.is_control() || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_models_name_may_contain_slashes() {
        let target: Target = "groq/meta-llama/llama-4-scout".parse().unwrap();
        assert_eq!((&*target.provider, &*target.model), ("groq", "meta-llama/llama-4-scout"));
        assert_eq!(target.to_string(), "groq/meta-llama/llama-4-scout");
    }

    #[test]
    fn a_text_other_than_provider_and_model_is_refused() {
        for text in ["", "groq", "groq/", "/model", "groq/a b", "groq/a\nb", &format!("groq/{}", "m".repeat(257))] {
            assert_eq!(text.parse::<Target>(), Err(TargetError), "{text:?}");
        }
    }
}
