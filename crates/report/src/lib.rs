//! Investigation reports: what may be said (context), the words for it (writer), the document, and whether it holds up.
//!
//! Pure: no I/O, no clock, no model. What a model writes comes in as text and is treated as such.
//!
//! | file            | job                                                                        |
//! |-----------------|----------------------------------------------------------------------------|
//! | `context.rs`    | everything that a report may say, redacted: prompts and facts come from it |
//! | `build/`        | from what is on record to that context                                     |
//! | `redact/`       | what is personal goes, by key and by value                                 |
//! | `claims.rs`     | a section's text before its facts                                          |
//! | `structured.rs` | the structured data                                                        |
//! | `prompt.rs`     | what is asked of a model, and the templates in `prompts/`                  |
//! | `document.rs`   | the report as Markdown; `escape.rs` keeps outside text from being structure |
//! | `html/`         | the report as a page                                                       |
//! | `export.rs`     | the report as a file                                                       |
//! | `addenda.rs`    | people's own words in such a file                                          |
//! | `content.rs`    | a report as it is stored                                                   |
//! | `evidence.rs`   | what was measured, and what a report says first where nothing was          |
//! | `writer/`       | the built-in writer: prose from the context, within every word range       |
//! | `revision/`     | what becomes of a reviewer's comment                                       |
//! | `assemble.rs`   | a report put together from all of that                                     |
//! | `validate/`     | what is wrong with a report, what that costs, and the verdict              |

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
pub use build::{CONTEXT_BYTES_MAX, Inputs, PriorAlert};
pub use claims::{
    LicensedBy, LicensedTexts, check_model_section, check_section, licensed_text, traced_facts, traced_sentences,
};
pub use content::{Content, SectionRecord, TracedFact, TracedSentence, WrittenBy};
pub use context::{
    AlertSource, Baseline, BySeverity, Case, Context, Contribution, Correlation, CountryCount, Happening, Place,
    ScoreFacts, SignalFacts, SignalOutcome, Subject, TimelineEvent, TransactionFacts, TransactionStatus,
};
pub use document::{Meta, Parts, markdown};
pub use escape::escape_markdown;
pub use export::{Export, Format, export, export_with_addenda};
pub use html::html;
pub use prompt::{
    PROMPT_CONTEXT_BYTES_MAX, Prompt, TEMPLATE, compress, correct, expand, prompt, reword, supervisor_prompt,
    supervisor_schema,
};
pub use redact::{mask_id, mask_records, mask_reference, mask_text};
pub use structured::structured_data;
