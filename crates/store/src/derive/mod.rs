//! Which rows follow from which events. Pure: no database, no SQL.
//!
//! A backend writes rows with these functions in the commit of their event, and `verify` derives them again and compares. So a
//! stored row can't say anything that its events don't.
//!
//! | file              | what it derives                                                                     |
//! |-------------------|-------------------------------------------------------------------------------------|
//! | `column.rs`       | the value of a column                                                               |
//! | `event_row.rs`    | the tables that have one row per event                                              |
//! | `audit.rs`        | what the row of an audit log takes from the audit                                   |
//! | `cases.rs`        | `case_states` and `report_states`                                                   |
//! | `reports.rs`      | whether every report comes with its content                                         |
//! | `reviews.rs`      | since when a report has been waiting for a person                                   |
//! | `ranks.rs`        | `alert_ranks`                                                                       |
//! | `answers.rs`      | `open_answers`                                                                      |
//! | `log_counts.rs`   | logs counted by time and score                                                      |
//! | `log_search.rs`   | under which words and tags a log is found                                           |
//! | `words.rs`        | the words of a text, as the search indexes have them                                |
//! | `word_tables.rs`  | tables of characters for `words.rs`                                                 |
//! | `dead_letters.rs` | `dead_letters`                                                                      |
//! | `access_keys.rs`  | `access_keys`                                                                       |
//! | `erasure.rs`      | what an erasure's own event keeps                                                   |
//! | `effects.rs`      | what agents' progress must have left in the log                                     |

pub(crate) mod access_keys;
pub(crate) mod answers;
mod audit;
pub(crate) mod cases;
pub(crate) mod column;
pub(crate) mod dead_letters;
pub(crate) mod effects;
pub(crate) mod erasure;
pub(crate) mod event_row;
pub(crate) mod log_counts;
pub(crate) mod log_search;
pub(crate) mod ranks;
pub(crate) mod reports;
pub(crate) mod reviews;
mod word_tables;
pub(crate) mod words;
