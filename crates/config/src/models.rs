//! Which model answers, audits, writes and supervises.

use countersign_domain::Severity;

use crate::layers::Resolved;
use crate::providers;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelsConfig {
    pub worker: ModelChoice,
    pub auditor: ModelChoice,
    pub writer: ModelChoice,
    pub supervisor: ModelChoice,
    /// Who writes instead of `writer` about some severities, with the setting that says so.
    pub writer_by_severity: Vec<(&'static str, Severity, ModelChoice)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// A worker that makes its answers up, without a network.
    Simulated,
    /// The rules inside the program, without a network.
    Builtin,
    Model {
        provider: String,
        model: String,
    },
}

impl ModelsConfig {
    pub(crate) fn from_values(values: &Resolved) -> Self {
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

    /// Each role's setting and choice, in the order people are told.
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
    /// A provider alone stands for its default model; one that has none leaves the model empty, which is refused later.
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
