//! The models that answer, audit, write and supervise.

use countersign_domain::Severity;

use crate::layers::ResolvedSettings;
use crate::providers;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelsConfig {
    pub worker: ModelChoice,
    pub auditor: ModelChoice,
    pub writer: ModelChoice,
    pub supervisor: ModelChoice,
    /// Models that write reports of certain severities instead of `writer`, with the setting's key.
    pub writer_by_severity: Vec<(&'static str, Severity, ModelChoice)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// Made-up texts, without a network.
    Simulated,
    /// The built-in rules, without a network.
    Builtin,
    Model {
        provider: String,
        model: String,
    },
}

impl ModelsConfig {
    pub(crate) fn from_values(values: &ResolvedSettings) -> Self {
        let choice = |key| ModelChoice::from_text(&values.text(key));
        let by_severity = [
            ("reports.writer_medium", Severity::Medium),
            ("reports.writer_high", Severity::High),
            ("reports.writer_critical", Severity::Critical),
        ];
        let set = |(key, severity)| Some((key, severity, ModelChoice::from_text(&values.text_if_set(key)?)));
        Self {
            worker: choice("worker"),
            auditor: choice("auditor"),
            writer: choice("writer"),
            supervisor: choice("supervisor"),
            writer_by_severity: by_severity.into_iter().filter_map(set).collect(),
        }
    }

    /// Each role's setting and choice, in the order in which problems are reported.
    pub(crate) fn roles(&self) -> Vec<(&'static str, &ModelChoice)> {
        let four = [
            ("worker", &self.worker),
            ("auditor", &self.auditor),
            ("writer", &self.writer),
            ("supervisor", &self.supervisor),
        ];
        let more = self.writer_by_severity.iter().map(|(key, _, choice)| (*key, choice));
        four.into_iter().chain(more).collect()
    }
}

impl ModelChoice {
    /// A provider without a model means its default model. If it has none, the model stays empty, which is refused later.
    fn from_text(text: &str) -> Self {
        let (provider, model) = match (text, text.split_once('/')) {
            ("simulated", _) => return Self::Simulated,
            ("builtin", _) => return Self::Builtin,
            (_, Some(both)) => both,
            (provider, None) => (provider, providers::default_model(provider).unwrap_or_default()),
        };
        Self::Model { provider: provider.to_owned(), model: model.to_owned() }
    }
}
