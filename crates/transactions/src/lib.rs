//! Transactions from files and from a generator.
//!
//! | folder      | job                                                                                     |
//! |-------------|-----------------------------------------------------------------------------------------|
//! | `read/`     | parses CSV and JSON Lines into transactions, one row at a time, in bounded memory       |
//! | `generate/` | generates customers with habits and labelled frauds from a seed, for the demo and tests |
//!
//! No files, clock, network or async: the caller passes in a reader and a starting time.

pub mod generate;
pub mod read;

pub use generate::{FraudKind, Generator, Labelled, queries};
pub use read::{Format, Mapping, MappingError, ReadError, Row, RowError, Transactions, transactions};
