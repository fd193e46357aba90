//! Transactions as streams: read from files, made up for the demo, and measured against what was known of them.
//!
//! `read` turns CSV and JSON Lines into transactions with bounded memory, a row at a time; `generate` makes customers with
//! habits and frauds with labels out of a seed; `measure` says how well scores found the labelled frauds.
//!
//! Pure but for the reader it is given: no files, no clock, no network, no async.

pub mod generate;
pub mod measure;
pub mod read;

pub use generate::{FraudKind, Generator, Labelled, queries};
pub use measure::{CardPrecision, Measures, Tally};
pub use read::{Format, Mapping, MappingError, ReadError, Row, RowError, Transactions, transactions};
