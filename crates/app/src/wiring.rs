//! Builds the server's parts from the configuration. Only this file chooses providers, models and agents.

use std::sync::Arc;

use countersign_agents::{
    Agent, Auditor, AuditorAgent, Mirror, Observer, WebhookKey, WebhookTarget, Webhooks, Writers,
};
use countersign_config::{Config, ModelChoice, ProviderLimits, ReportsConfig};
use countersign_llm::{
    CallLimits, CallPolicy, ModelSettings, Models, Price, Provider, ProviderKey, SettingsError, Target, WireFormat,
};
use countersign_report::validate;
use countersign_store::{Seams, Store, StoreError};

use crate::{
    answers::{Answers, AnswersParts},
    background::{Background, Stage, checkpoints, search},
    investigations::{Investigations, InvestigationsParts, RuleBook},
    probe::{self, KeyChecks},
    witnesses::Witnesses,
};

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("cannot use a provider: {0}")]
    Provider(#[from] SettingsError),
    #[error("cannot use a webhook: {0}")]
    Webhook(String),
    #[error("cannot use a witness or ledger.publish: {0}")]
    Witness(String),
    #[error("cannot use the detection rules: {0}")]
    Rules(String),
}

const SIMULATED: &str = "simulated";

/// Everything that answers, audits and investigates.
#[derive(Clone)]
pub struct Engine {
    pub(crate) answers: Answers,
    pub(crate) investigations: Investigations,
    auditor: Auditor,
    mirror: Option<Arc<Mirror>>,
    webhooks: Option<Arc<Webhooks>>,
    store: Store,
    has_daily_budgets: bool,
    pub(crate) witnesses: Witnesses,
    pub(crate) is_demo: bool,
    pub(crate) key_checks: KeyChecks,
}

impl Engine {
    pub fn new(config: &Config, store: &Store) -> Result<Self, EngineError> {
        let models = build_models(config, store.seams())?;
        let auditor = build_auditor(config, models.clone());
        let answers = Answers::new(AnswersParts {
            store: store.clone(),
            models: models.clone(),
            worker: target(&config.models.worker).unwrap_or_else(|| Target::new(SIMULATED, SIMULATED)),
            auditor: auditor.clone(),
            policies: config.gateway.clone(),
            worker_calls: call_policy(config, |c| c.worker_timeout),
            gateway_calls: CallPolicy {
                attempts_max: config.calls.attempts_max,
                attempt_timeout: config.calls.gateway_timeout,
                deadline: config.calls.gateway_deadline,
            },
            answer_bytes_max: config.providers.answer_bytes_max,
        });
        let investigations = Investigations::new(InvestigationsParts {
            store: store.clone(),
            models,
            rules: RuleBook::new(config.detector.rules_file.clone()),
            users_max: config.detector.users_max,
            writers: writers(config),
            writer_calls: call_policy(config, |c| c.writer_timeout),
            judge: target(&config.models.supervisor),
            judge_calls: call_policy(config, |c| c.supervisor_timeout),
            limits: report_limits(&config.reports),
        })
        .map_err(|error| EngineError::Rules(error.to_string()))?;
        let mirror = config
            .supabase
            .as_ref()
            .map(|to| Mirror::new(&to.url, to.key.expose()))
            .transpose()
            .map_err(SettingsError::from)?;
        let webhooks = webhooks(config, store)?;
        let limits = &config.providers.limits;
        let has_daily_budgets = limits.iter().any(|l| l.tokens_per_day.is_some() || l.usd_per_day.is_some());
        Ok(Self {
            answers,
            investigations,
            auditor,
            mirror,
            webhooks,
            store: store.clone(),
            has_daily_budgets,
            witnesses: Witnesses::new(&config.ledger).map_err(|error| EngineError::Witness(error.to_string()))?,
            is_demo: false,
            key_checks: KeyChecks::default(),
        })
    }

    /// Marks the engine as fed with made-up traffic.
    pub fn for_demo(self) -> Self {
        Self { is_demo: true, ..self }
    }

    /// The agents that follow the log.
    pub fn agents(&self) -> Vec<Arc<dyn Agent>> {
        let auditor = AuditorAgent::new(self.auditor.clone(), self.store.seams().clone());
        let mut agents = self.investigations.agents();
        agents.push(auditor);
        agents.extend(self.mirror.clone().map(|mirror| mirror as Arc<dyn Agent>));
        agents.extend(self.webhooks.clone().map(|webhooks| webhooks as Arc<dyn Agent>));
        agents
    }

    /// Updates the metrics with what the agents commit.
    pub fn observer(&self) -> Observer {
        let (answers, investigations) = (self.answers.metrics.clone(), self.investigations.metrics.clone());
        Arc::new(move |observation| {
            answers.observe(observation);
            investigations.observe(observation);
        })
    }

    /// Records the end of exchanges that an unclean stop cut off, and counts what was spent today. Must run before the first
    /// request.
    pub async fn recover(&self) -> Result<(), StoreError> {
        if self.has_daily_budgets {
            crate::answers::restore_spending(&self.store, &self.answers.models).await?;
        }
        let ended = crate::answers::recover(&self.store).await?;
        if ended > 0 {
            tracing::warn!(
                answers = ended,
                "answers were in progress when the last process ended; they are now recorded as interrupted"
            );
        }
        Ok(())
    }

    /// Whether the worker's answers are made up.
    pub(crate) fn is_worker_simulated(&self) -> bool {
        *self.answers.worker.provider == *SIMULATED
    }

    /// Asks every provider that has a key whether it accepts the key. All are asked at the same time, for a few seconds at most.
    pub(crate) async fn check_keys(&self, config: &Config) -> Vec<probe::KeyCheck> {
        self.key_checks.run(&self.answers.models, probe::keyed_providers(config)).await
    }

    /// Records which rules are in force, before the first transaction is assessed.
    pub async fn record_rules(&self) -> Result<(), StoreError> {
        self.investigations.record_rules().await
    }

    /// Waits until the required number of witnesses has cosigned the current log. Returns the reason if they haven't in time.
    pub async fn require_witnesses(&self) -> Result<(), String> {
        self.witnesses.require(&self.store).await
    }

    /// Starts the background tasks that the store and the agents need.
    pub fn start_tasks(&self, background: &mut Background) {
        let store = self.store.clone();
        background.start("checkpoint signing", Stage::Working, move |stop| checkpoints::sign(store.clone(), stop));
        let store = self.store.clone();
        background.start("search indexing", Stage::Working, move |stop| search::index(store.clone(), stop));
        let (witnesses, store) = (self.witnesses.clone(), self.store.clone());
        if !witnesses.is_idle() {
            background.start("witnesses", Stage::Working, move |stop| witnesses.clone().run(store.clone(), stop));
        }
        let investigations = self.investigations.clone();
        if investigations.rules.file.is_some() {
            background.start("rule reloading", Stage::Working, move |stop| investigations.clone().watch_rules(stop));
        }
    }

    /// Signs the last checkpoint, and has it cosigned if the witnesses answer quickly.
    pub async fn sign_last_checkpoint(&self) {
        match self.store.sign_checkpoint().await {
            Ok(_) => self.witnesses.finish(&self.store).await,
            Err(error) => tracing::error!(%error, "could not sign the last checkpoint"),
        }
    }
}

fn call_policy(config: &Config, timeout: fn(&countersign_config::CallsConfig) -> std::time::Duration) -> CallPolicy {
    CallPolicy {
        attempts_max: config.calls.attempts_max,
        attempt_timeout: timeout(&config.calls),
        deadline: config.calls.deadline,
    }
}

fn report_limits(reports: &ReportsConfig) -> validate::Limits {
    validate::Limits {
        pass_mark: reports.pass_mark,
        min_chars: validate::MinChars {
            executive_summary: reports.executive_summary_chars_min,
            fraud_explanation: reports.fraud_explanation_chars_min,
            timeline_narrative: reports.timeline_narrative_chars_min,
            risk_justification: reports.risk_justification_chars_min,
        },
    }
}

fn writers(config: &Config) -> Writers {
    let by_severity = config.models.writer_by_severity.iter();
    Writers {
        default: writer(&config.models.writer),
        by_severity: by_severity.filter_map(|(_, severity, choice)| Some((*severity, writer(choice)?))).collect(),
    }
}

fn writer(choice: &ModelChoice) -> Option<Target> {
    match choice {
        ModelChoice::Simulated => Some(countersign_agents::simulated_writer()),
        choice => target(choice),
    }
}

/// `None` if no webhook is configured.
fn webhooks(config: &Config, store: &Store) -> Result<Option<Arc<Webhooks>>, EngineError> {
    if config.webhooks.is_empty() {
        return Ok(None);
    }
    let target = |webhook: &countersign_config::WebhookConfig| {
        Ok(WebhookTarget {
            url: webhook.url.clone(),
            key: WebhookKey::parse(webhook.secret.expose()).map_err(|wrong| format!("its secret {wrong}"))?,
            events: webhook.events.clone(),
            allow_private: webhook.allow_private,
        })
    };
    let targets = config.webhooks.iter().map(target).collect::<Result<_, String>>().map_err(EngineError::Webhook)?;
    let webhooks = Webhooks::new(targets, store.seams().clone());
    webhooks.map(Some).map_err(|error| EngineError::Webhook(error.to_string()))
}

fn target(choice: &ModelChoice) -> Option<Target> {
    match choice {
        ModelChoice::Simulated => Some(Target::new(SIMULATED, SIMULATED)),
        ModelChoice::Builtin => None,
        ModelChoice::Model { provider, model } => Some(Target::new(provider.as_str(), model.as_str())),
    }
}

/// The auditor alone, for commands that audit texts without a store.
pub(crate) fn auditor(config: &Config, seams: &Seams) -> Result<Auditor, SettingsError> {
    Ok(build_auditor(config, build_models(config, seams)?))
}

fn build_auditor(config: &Config, models: Models) -> Auditor {
    Auditor::new(models, target(&config.models.auditor), call_policy(config, |c| c.auditor_timeout))
}

/// All providers that can be called: those that have a key, and those that need no key.
fn build_models(config: &Config, seams: &Seams) -> Result<Models, SettingsError> {
    let from = &config.providers;
    let keyed = [
        ("groq", WireFormat::OpenAi, &from.groq_base_url, &from.groq_api_key),
        ("gemini", WireFormat::Gemini, &from.gemini_base_url, &from.gemini_api_key),
        ("openai", WireFormat::OpenAi, &from.openai_base_url, &from.openai_api_key),
        ("anthropic", WireFormat::Anthropic, &from.anthropic_base_url, &from.anthropic_api_key),
    ];
    let mut providers = vec![provider(config, SIMULATED, WireFormat::Simulated, "", None)];
    for (name, wire_format, base_url, key) in keyed {
        if let Some(key) = key {
            providers.push(provider(config, name, wire_format, base_url, Some(key)));
        }
    }
    providers.push(provider(config, "ollama", WireFormat::OpenAi, &from.ollama_base_url, None));
    for compatible in &from.compatible {
        let key = compatible.api_key.as_ref();
        providers.push(provider(config, &compatible.name, WireFormat::OpenAi, &compatible.base_url, key));
    }
    let price = |price: &countersign_config::ModelPrice| Price {
        provider: price.provider.clone(),
        model: price.model.clone(),
        input_usd_per_mtok: price.input_usd_per_mtok,
        output_usd_per_mtok: price.output_usd_per_mtok,
    };
    let settings = ModelSettings {
        providers,
        prices: from.prices.iter().map(price).collect(),
        answer_bytes_max: from.answer_bytes_max,
    };
    let entropy = Arc::clone(&seams.entropy);
    let jitter = Arc::new(move || f64::from(u16::from_le_bytes(entropy.bytes())) / f64::from(u16::MAX));
    Models::new(settings, jitter)
}

fn provider(
    config: &Config,
    name: &str,
    wire_format: WireFormat,
    base_url: &str,
    key: Option<&countersign_config::Secret>,
) -> Provider {
    let limits = config.providers.limits.iter().find(|limits| limits.provider == name);
    Provider {
        name: name.to_owned(),
        wire_format,
        base_url: base_url.to_owned(),
        key: key.map(|key| ProviderKey::new(key.expose())),
        limits: limits.map(limits_of).unwrap_or_default(),
    }
}

fn limits_of(limits: &ProviderLimits) -> CallLimits {
    CallLimits {
        concurrency_max: limits.concurrency_max.map(|max| usize::try_from(max).unwrap_or(usize::MAX)),
        requests_per_minute: limits.requests_per_minute,
        tokens_per_minute: limits.tokens_per_minute,
        tokens_per_day: limits.tokens_per_day,
        usd_per_day: limits.usd_per_day,
    }
}
