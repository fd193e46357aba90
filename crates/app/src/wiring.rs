//! From configuration to the parts that run: the only place that chooses them.

use std::{future::Future, sync::Arc};

use countersign_agents::{
    Agent, Auditor, AuditorAgent, Mirror, Observer, SigningKey, WebhookTarget, Webhooks, Writers,
};
use countersign_config::{Config, ModelChoice, ProviderLimits, ReportsConfig};
use countersign_llm::{
    CallLimits, CallPolicy, ModelSettings, Models, Price, Provider, Secret, SettingsError, Shape, Target,
};
use countersign_report::validate;
use countersign_store::{Seams, Store, StoreError};
use tokio_util::sync::CancellationToken;

use crate::{
    answers::{Answers, Parts},
    investigations::{self, Investigations, RuleBook},
    probe::{self, KeyChecks},
    witnesses::Witnesses,
};

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("a provider can't be used: {0}")]
    Provider(#[from] SettingsError),
    #[error("a webhook can't be used: {0}")]
    Webhook(String),
    #[error("a witness or ledger.publish can't be used: {0}")]
    Witness(String),
    #[error("the detection rules can't be used: {0}")]
    Rules(String),
}

pub(crate) const SIMULATED: &str = "simulated";

/// What answers and judges.
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
        let models = models(config, store.seams())?;
        let auditor = judging(config, models.clone());
        let answers = Answers::new(Parts {
            store: store.clone(),
            models: models.clone(),
            worker: target(&config.models.worker).unwrap_or_else(|| Target::new(SIMULATED, SIMULATED)),
            auditor: auditor.clone(),
            policies: config.gateway.clone(),
            worker_calls: calls(config, |c| c.worker_timeout),
            gateway_calls: CallPolicy {
                attempts_max: config.calls.attempts_max,
                attempt_timeout: config.calls.gateway_timeout,
                deadline: config.calls.gateway_deadline,
            },
            answer_bytes_max: config.providers.answer_bytes_max,
        });
        let investigations = Investigations::new(investigations::Parts {
            store: store.clone(),
            models,
            rules: RuleBook::new(config.detector.rules_file.clone()),
            users_max: config.detector.users_max,
            writers: writers(config),
            writer_calls: calls(config, |c| c.writer_timeout),
            judge: target(&config.models.supervisor),
            judge_calls: calls(config, |c| c.supervisor_timeout),
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

    /// The same, known to be fed with made-up traffic.
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

    /// Counts in the metrics what the agents commit.
    pub fn observer(&self) -> Observer {
        let (answers, investigations) = (self.answers.metrics.clone(), self.investigations.metrics.clone());
        Arc::new(move |observation| {
            answers.observe(observation);
            investigations.observe(observation);
        })
    }

    /// Ends on record what an unclean stop cut off, and counts what was spent today. Runs before the first request.
    pub async fn recover(&self) -> Result<(), StoreError> {
        if self.has_daily_budgets {
            crate::answers::restore_spending(&self.store, &self.answers.models).await?;
        }
        let ended = crate::answers::recover(&self.store).await?;
        if ended > 0 {
            tracing::warn!(
                answers = ended,
                "answers were under way when the last process ended; their record says so now"
            );
        }
        Ok(())
    }

    /// Asks every provider that has a key whether it accepts it, all at the same time and for a few seconds at most.
    pub(crate) async fn check_keys(&self, config: &Config) -> Vec<probe::KeyCheck> {
        self.key_checks.run(&self.answers.models, probe::keyed(config)).await
    }

    /// Puts on record which rules are in force, before the first transaction is looked at.
    pub async fn record_rules(&self) -> Result<(), StoreError> {
        self.investigations.record_rules().await
    }

    /// Takes up changed rules until told to stop.
    pub fn watch_rules(&self, stop: CancellationToken) -> impl Future<Output = ()> + Send + 'static {
        self.investigations.clone().watch_rules(stop)
    }

    /// Waits until as many witnesses as required have cosigned the log as it stands. The reason, if they don't.
    pub async fn require_witnesses(&self) -> Result<(), String> {
        self.witnesses.require(&self.store).await
    }

    /// Sends every checkpoint to the witnesses until told to stop.
    pub fn follow_checkpoints(&self, stop: CancellationToken) -> impl Future<Output = ()> + Send + 'static {
        self.witnesses.clone().run(self.store.clone(), stop)
    }

    /// Signs what is unsigned and has it cosigned, if that goes quickly.
    pub async fn witness_the_end(&self) {
        match self.store.sign_checkpoint().await {
            Ok(_) => self.witnesses.finish(&self.store).await,
            Err(error) => tracing::error!(%error, "the last checkpoint could not be signed"),
        }
    }

    /// Keeps the search index up with the log until told to stop.
    pub fn index(&self, stop: CancellationToken) -> impl Future<Output = ()> + Send + 'static {
        let store = self.store.clone();
        async move {
            let mut head = store.head();
            loop {
                match stop.run_until_cancelled(store.index_logs_step()).await {
                    None => return,
                    Some(Ok(true)) => {
                        // Others want the processor too; nobody waits for the index.
                        tokio::time::sleep(BETWEEN_STEPS).await;
                        continue;
                    }
                    Some(Ok(false)) => {}
                    Some(Err(error)) => tracing::warn!(%error, "the search index could not be brought up to date"),
                }
                tokio::select! {
                    () = stop.cancelled() => return,
                    changed = head.changed() => if changed.is_err() { return },
                }
                // In large batches: nobody searches for what was said a moment ago more than once a second.
                tokio::select! {
                    () = stop.cancelled() => return,
                    () = tokio::time::sleep(INDEX_AFTER) => {}
                }
            }
        }
    }
}

const BETWEEN_STEPS: std::time::Duration = std::time::Duration::from_millis(20);
const INDEX_AFTER: std::time::Duration = std::time::Duration::from_secs(1);

fn calls(config: &Config, timeout: fn(&countersign_config::CallsConfig) -> std::time::Duration) -> CallPolicy {
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

/// None where nobody wants to be told.
fn webhooks(config: &Config, store: &Store) -> Result<Option<Arc<Webhooks>>, EngineError> {
    if config.webhooks.is_empty() {
        return Ok(None);
    }
    let target = |webhook: &countersign_config::WebhookConfig| {
        Ok(WebhookTarget {
            url: webhook.url.clone(),
            key: SigningKey::parse(webhook.secret.expose()).map_err(|wrong| format!("its secret {wrong}"))?,
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

/// The auditor alone, for whoever judges texts without a store.
pub(crate) fn auditor(config: &Config, seams: &Seams) -> Result<Auditor, SettingsError> {
    Ok(judging(config, models(config, seams)?))
}

fn judging(config: &Config, models: Models) -> Auditor {
    Auditor::new(models, target(&config.models.auditor), calls(config, |c| c.auditor_timeout))
}

/// Every provider that can be called: those with a key, and those that need none.
fn models(config: &Config, seams: &Seams) -> Result<Models, SettingsError> {
    let from = &config.providers;
    let keyed = [
        ("groq", Shape::OpenAi, &from.groq_base_url, &from.groq_api_key),
        ("gemini", Shape::Gemini, &from.gemini_base_url, &from.gemini_api_key),
        ("openai", Shape::OpenAi, &from.openai_base_url, &from.openai_api_key),
        ("anthropic", Shape::Anthropic, &from.anthropic_base_url, &from.anthropic_api_key),
    ];
    let mut providers = vec![provider(config, SIMULATED, Shape::Simulated, "", None)];
    for (name, shape, base_url, key) in keyed {
        if let Some(key) = key {
            providers.push(provider(config, name, shape, base_url, Some(key)));
        }
    }
    providers.push(provider(config, "ollama", Shape::OpenAi, &from.ollama_base_url, None));
    for compatible in &from.compatible {
        let key = compatible.api_key.as_ref();
        providers.push(provider(config, &compatible.name, Shape::OpenAi, &compatible.base_url, key));
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
    shape: Shape,
    base_url: &str,
    key: Option<&countersign_config::Secret>,
) -> Provider {
    let limits = config.providers.limits.iter().find(|limits| limits.provider == name);
    Provider {
        name: name.to_owned(),
        shape,
        base_url: base_url.to_owned(),
        key: key.map(|key| Secret::new(key.expose())),
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
