//! Agents, and the runtime that they share.
//!
//! An agent decides; the runtime acts. A step claims an event that the agent has not handled, lets the agent decide
//! outside any transaction, and commits the new events together with the agent's progress in one. So a crash at any
//! instruction loses nothing and repeats no effect.
//!
//! | file              | job                                                             |
//! |-------------------|-----------------------------------------------------------------|
//! | `agent.rs`        | what an agent is                                                |
//! | `runtime.rs`      | starting, watching, pausing and stopping agents                 |
//! | `worker.rs`       | one agent's loop: read, dispatch, heartbeat                     |
//! | `lanes.rs`        | which event may run now: order within a key, keys in parallel   |
//! | `attempt.rs`      | one event: decide, retry, commit, or dead letter                |
//! | `status.rs`       | an agent as people see it                                       |
//! | `history.rs`      | what it did in the last hour                                    |
//! | `detector.rs`     | measures transactions and raises alerts                         |
//! | `orchestrator.rs` | opens investigations, has reports written again                 |
//! | `reporter/`       | writes reports                                                  |
//! | `supervisor/`     | judges reports, watches investigations                          |
//! | `mirror.rs`       | copies audit logs to a Supabase project                         |
//! | `webhooks/`       | tells people's own systems what happens                         |
//! | `auditor/`        | judges answers: inspectors, and a model where there is one      |

mod agent;
mod attempt;
mod auditor;
mod detector;
mod history;
mod lanes;
mod marker;
mod mirror;
mod orchestrator;
mod reporter;
mod runtime;
mod status;
mod supervisor;
mod webhooks;
mod worker;

pub use agent::{Agent, AgentError, Deciding, Decision, OrderKey, Preparing, Work};
pub use auditor::{Audit, AuditFinding, Audited, AuditedBy, Auditor, AuditorAgent, Judge, Seen, Verdict, model_called};
pub use detector::{AlertSeen, DetectorAgent, NAME as DETECTOR};
pub use history::AgentMinute;
pub use mirror::Mirror;
pub use orchestrator::Orchestrator;
pub use reporter::{Lapse, Mistake, ReportSeen, Reported, Reporter, Writers, lapse, simulated_writer};
pub use runtime::{Runtime, RuntimeError, Settings};
pub use status::AgentStatus;
pub use supervisor::{Supervisor, Validated, VerdictSeen};
pub use webhooks::{SigningKey, WebhookTarget, Webhooks};
