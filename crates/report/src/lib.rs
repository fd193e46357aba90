//! Investigation reports: what may be said (context), the words for it (writer), the document, and whether it holds up.
//!
//! Pure: no I/O, no clock, no model. What a model writes comes in as text and is treated as such.
//!
//! | file          | job                                                                       |
//! |---------------|---------------------------------------------------------------------------|
//! | `context.rs`  | everything that a report may say, redacted: prompts and facts come from it |
//! | `content.rs`  | a report as it is stored                                                  |
//! | `writer/`     | the built-in writer: prose from the context, within every word range      |

mod content;
mod context;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod writer;

pub use content::{Content, SectionRecord, TracedFact, WrittenBy};
pub use context::{
    AlertSource, Baseline, BySeverity, Case, Context, Contribution, Correlation, CountryCount, Happening, Place,
    ScoreFacts, SignalFacts, SignalOutcome, Subject, TimelineEvent, TransactionFacts, TransactionStatus,
};
