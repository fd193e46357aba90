//! Investigation reports: the context (what may be said), the writer (how it is said), the documents, and the validation.
//!
//! Pure: no I/O, no clock, no model. What a model writes comes in as text and is treated as data.
//!
//! | file            | job                                                                                 |
//! |-----------------|-------------------------------------------------------------------------------------|
//! | `context.rs`    | everything that a report may say, redacted; prompts and the fact check use only this |
//! | `build/`        | builds the context from what is on record                                           |
//! | `redact/`       | removes and masks personal data, by key and by value                                |
//! | `writer/`       | the built-in writer: prose from the context, within each section's word range       |
//! | `prompt.rs`     | prompts for models, from the templates in `prompts/`                                |
//! | `claims.rs`     | checks a section's text against the facts                                           |
//! | `evidence.rs`   | counts the evidence; the sentence that a report without evidence starts with        |
//! | `structured.rs` | the structured data                                                                 |
//! | `assemble.rs`   | assembles a report from its sections and everything computed                        |
//! | `content.rs`    | a report as it is stored                                                            |
//! | `document.rs`   | the report as Markdown; `escape.rs` keeps outside text from becoming structure      |
//! | `html/`         | the report as a web page                                                            |
//! | `export.rs`     | the report as a file; `addenda.rs` adds people's own words to it                    |
//! | `figures.rs`    | formats money, numbers and times for documents; the writer uses `writer/say.rs`     |
//! | `revision/`     | which parts of a reviewer's comment the built-in writer acts on                     |
//! | `validate/`     | the supervisor's rules: faults, score and verdict                                   |
//! | `testing/`      | contexts for tests                                                                  |

mod addenda;
mod assemble;
mod build;
mod claims;
mod content;
mod context;
mod document;
mod escape;
mod evidence;
mod export;
mod figures;
mod html;
mod prompt;
mod redact;
pub mod revision;
mod structured;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod validate;
pub mod writer;

pub use assemble::{Assembly, assemble};
pub use build::{CONTEXT_BYTES_MAX, ContextInputs, EarlierAlert};
pub use claims::{
    LicensedBy, LicensedTexts, check_model_section, check_section, licensed_text, traced_facts, traced_sentences,
};
pub use content::{Content, SectionRecord, TracedFact, TracedSentence, WrittenBy};
pub use context::{
    AlertSource, BaselineFacts, BySeverity, CaseHeader, Context, Contribution, Correlation, CountryCount, PlaceFacts,
    ScoreFacts, SignalFacts, SignalOutcome, SubjectFacts, TimelineEvent, TimelineEventKind, TransactionFacts,
    TransactionStatus,
};
pub use document::{ReportMeta, ReportTexts, markdown};
pub use escape::escape_markdown;
pub use export::{ExportFormat, ExportedFile, export, export_with_addenda};
pub use html::html;
pub use prompt::{
    PROMPT_CONTEXT_BYTES_MAX, ReportPrompt, TEMPLATE, compress, correct, expand, prompt, reword, supervisor_prompt,
    supervisor_schema,
};
pub use redact::{mask_id, mask_records, mask_reference, mask_text};
pub use structured::structured_data;
