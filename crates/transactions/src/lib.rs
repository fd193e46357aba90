//! Transactions from files and from a generator. Pure: the caller passes in a reader and a starting time.
//!
//! | folder      | job                                                                                     |
//! |-------------|-----------------------------------------------------------------------------------------|
//! | `read/`     | parses CSV and JSON Lines into transactions, one row at a time, in bounded memory       |
//! | `generate/` | generates customers with habits and labelled frauds from a seed, for the demo and tests |

pub mod generate;
pub mod read;

pub use generate::{FraudKind, Generator, LabelledTransaction, queries};
pub use read::{FileFormat, FileRow, Mapping, MappingError, ReadError, RowError, Transactions, transactions};
