//! Agents, and the runtime that they share.
//!
//! An agent decides; the runtime acts. A step claims an event that the agent has not handled, lets the agent decide
//! outside any transaction, and commits the new events together with the agent's progress in one transaction. So a crash
//! at any instruction loses nothing and repeats no effect.
//!
//! | file              | job                                                                         |
//! |-------------------|-----------------------------------------------------------------------------|
//! | `runtime/`        | runs agents: reading the log, order, retries, commits, dead letters, status |
//! | `detector.rs`     | scores transactions and raises alerts                                      |
//! | `orchestrator.rs` | opens investigations and requests new versions of reports                  |
//! | `reporter/`       | writes reports                                                             |
//! | `supervisor/`     | validates reports and watches investigations for anomalies                 |
//! | `auditor/`        | audits answers: the inspectors, and a model if one is configured           |
//! | `mirror.rs`       | copies audit logs to a Supabase project                                    |
//! | `webhooks/`       | notifies other systems of events                                           |
//!
//! Agents don't use each other. Shared code has files of its own:
//!
//! | file              | job                                                                        |
//! |-------------------|----------------------------------------------------------------------------|
//! | `casefile.rs`     | what the store knows about an alert, as of that alert                      |
//! | `model_calls.rs`  | the `MODEL_CALLED` events that record calls to models                      |
//! | `marker.rs`       | random delimiters around data in prompts                                   |
//! | `observation.rs`  | the data that metrics take from committed decisions                        |

mod auditor;
mod casefile;
mod detector;
mod marker;
mod mirror;
mod model_calls;
mod observation;
mod orchestrator;
mod reporter;
mod runtime;
mod supervisor;
mod webhooks;

pub use auditor::{AuditWithCalls, Auditor, AuditorAgent, audit_finding, audit_of_findings, builtin_audit};
pub use casefile::DETECTOR;
pub use detector::DetectorAgent;
pub use mirror::Mirror;
pub use model_calls::model_called;
pub use observation::{ModelCalls, Observation, Observer};
pub use orchestrator::Orchestrator;
pub use reporter::{Mistake, PlannedMistake, Reporter, Writers, planned_mistake, simulated_writer};
pub use runtime::{
    Agent, AgentDecision, AgentError, AgentMinute, AgentStatus, DecideFuture, Dispatch, OrderKey, PrepareFuture,
    Runtime, RuntimeError, RuntimeSettings,
};
pub use supervisor::Supervisor;
pub use webhooks::{WebhookKey, WebhookTarget, Webhooks};
