//! Commands and their flags, with the help texts that explain them.
//!
//! | file        | commands                                              |
//! |-------------|-------------------------------------------------------|
//! | `serve.rs`  | `serve`, `demo`                                       |
//! | `ingest.rs` | `ingest`                                              |
//! | `report.rs` | `report list`, `show`, `export`                       |
//! | `audit.rs`  | `audit`                                               |
//! | `eval.rs`   | `eval fraud`, `text`, `supervisor`                    |
//! | `ledger.rs` | `verify`, `witness`, `backup`, `restore`, `export`, `prepare-database` |
//! | `keys.rs`   | `keys create`, `list`, `revoke`                       |
//! | `config.rs` | `config`, `config check`                              |

mod audit;
mod config;
mod eval;
mod ingest;
mod keys;
mod ledger;
mod report;
mod serve;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub(super) use self::{
    audit::{AuditFlags, AuditFormat, FailOn},
    config::{ConfigCommand, ConfigFlags},
    eval::{EvalCommand, EvalFlags, EvalFormat, EvalFraudFlags, EvalSupervisorFlags, EvalTextFlags, TextKind},
    ingest::IngestFlags,
    keys::{CreateKeyFlags, KeysCommand, KeysFlags, ListKeysFlags, RevokeKeyFlags},
    ledger::{BackupFlags, ExportFlags, PrepareDatabaseFlags, RestoreFlags, VerifyFlags, WitnessFlags},
    report::{ExportReportFlags, ListReportsFlags, ReportCommand, ReportFlags, ShowReportFlags},
    serve::{DemoFlags, ServeFlags},
};

#[derive(Parser)]
#[command(
    name = "countersign",
    version,
    about = "Audits what AI agents write before anyone relies on it.",
    long_about = "Audits what AI agents write before anyone relies on it.\n\n\
        Everything that happens is recorded as an event in one append-only log, which is also a tamper-evident ledger. \
        `countersign serve` runs the server; the other commands manage and check its data.",
    after_help = "Start here:\n  countersign demo              try it with made-up data, on http://127.0.0.1:8080\n  \
        countersign serve             run the server\n  \
        countersign verify            check that nothing in the ledger was changed\n  \
        countersign config            show every setting, its value and its source"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Run the server
    #[command(
        after_help = "Flags override environment variables (COUNTERSIGN_LISTEN, COUNTERSIGN_DATA_DIR, COUNTERSIGN_CONFIG, \
        COUNTERSIGN_PROFILE), which override the configuration file, which overrides the defaults.\nTo listen on an address \
        that other machines can reach, first create an access key: countersign keys create --role admin --name \"…\""
    )]
    Serve(ServeFlags),
    /// Run the server with a realistic, made-up stream of transactions and questions
    #[command(
        after_help = "The data is kept in ./countersign-demo unless --data-dir names another directory, because a ledger \
        can't be cleaned up afterwards. The same seed produces the same customers and the same frauds."
    )]
    Demo(DemoFlags),
    /// Load transactions from a CSV or JSON Lines file
    #[command(
        after_help = "Columns are recognised if they have the names of our fields (transaction_id, user_id, amount, currency, \
        occurred_at, merchant, category, channel, lat, lon, country, city, ip_address, device_fingerprint, \
        account_opened_at, label). Some well-known public data sets are recognised too. Name other columns with --map:\n  \
        countersign ingest card.csv --map id=transaction_id,customer=user_id,amt=amount,when=occurred_at,currency=EUR\n\
        If the name on the left is one of our fields and not a column of the file, the right side is the value for every row.\n\n\
        To see first what the current rules would flag:\n  countersign ingest card.csv --dry-run --scores scores.csv"
    )]
    Ingest(IngestFlags),
    /// List, show and export investigation reports
    Report(ReportFlags),
    /// Check texts for personal data, toxic language, prompt injection and unsupported claims
    #[command(after_help = "Nothing is sent anywhere, and nothing is stored.\n\n\
        A file or a pipe:         countersign audit letter.txt\n\
        A folder, in CI:          countersign audit docs/ --fail-on warning\n\
        An answer and its source: countersign audit answer.txt --context source.txt\n\
        Masked:                   countersign audit letter.txt --redact > safe.txt\n\
        Many, as JSON Lines:      countersign audit --format jsonl rows.jsonl\n\n\
        An input row is {\"id\", \"text\", \"context\"?}. Its result has id, risk_score (0 to 10), scores (0 to 1 for pii, \
        toxicity, injection and grounding), and findings with positions in code points.\n\
        Exit status: 0 if nothing reaches the --fail-on status, 1 if something does, 2 if something could not be read.")]
    Audit(AuditFlags),
    /// Measure the accuracy of the detector, the inspectors and the report checks
    Eval(EvalFlags),
    /// Check the ledger: every event, tree node, causal link, checkpoint and derived row
    #[command(after_help = "Exits with 0 only if everything is correct. It can run while the server is running.\n\n\
        To let someone with only the public key check the log, export it:\n  countersign export log.jsonl\n  \
        countersign verify log.jsonl --key ledger.pub\n\n\
        Someone who can write to the data directory can replace everything in it, including the keys. Only a comparison with \
        something kept elsewhere reveals that:\n  \
        countersign verify --checkpoint saved.note\n  \
        countersign verify --witness http://witness.example:8090 --witness-key witness.pub\n  \
        countersign verify --witness /mnt/append-only/checkpoints.txt\n\
        docs/ledger.md explains what each comparison detects.")]
    Verify(VerifyFlags),
    /// Run a witness: cosign the checkpoints of other logs, so that nobody can rewrite them unnoticed
    #[command(
        after_help = "This is a witness as specified by C2SP tlog-witness. It remembers the last checkpoint of each log that it \
        knows, and cosigns only checkpoints that are consistent with it. Run it on a different machine from the log.\n\n\
        Start it with the log's public key, then add it to the log's countersign.toml:\n  \
        countersign witness --log ledger.pub\n  \
        [[ledger.witnesses]]\n  url = \"http://127.0.0.1:8090\"\n  key = \"the key that it prints\""
    )]
    Witness(WitnessFlags),
    /// Copy the store to a file; the server may be running
    Backup(BackupFlags),
    /// Restore a backup as a new log
    #[command(long_about = "Restore a backup as a new log.\n\n\
        The original log may have grown since the backup, and others may hold its checkpoints. So the restored store gets a new \
        signing key and a new origin. Files that were in the data directory are kept beside it.")]
    Restore(RestoreFlags),
    /// Export the signed part of the log as JSON Lines that anyone can verify
    Export(ExportFlags),
    /// Create or update the tables of a Postgres database
    #[command(
        after_help = "`countersign serve` does this by itself if the role in DATABASE_URL may create tables. To let the server \
        use a role that may not, run this with the role that owns the database, and name the server's role:\n  \
        DATABASE_URL=postgres://owner@db/audits countersign prepare-database --grant-to countersign\n\
        Run it again after an upgrade. docs/postgres.md explains both roles."
    )]
    PrepareDatabase(PrepareDatabaseFlags),
    /// Create, list and revoke access keys
    Keys(KeysFlags),
    /// Show the effective configuration, with secrets masked
    Config(ConfigFlags),
}

/// Flags of every command that uses a data directory.
#[derive(Args)]
pub(super) struct LocationFlags {
    /// Directory with all data [default: ./countersign-data; for `demo`, ./countersign-demo]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
    /// Configuration file [default: ./countersign.toml, if it exists]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

impl LocationFlags {
    /// Flags may come before or after a subcommand; those after it win.
    pub(super) fn or_fallback(&self, before: &Self) -> Self {
        let either = |after: &Option<PathBuf>, before: &Option<PathBuf>| after.as_ref().or(before.as_ref()).cloned();
        Self { data_dir: either(&self.data_dir, &before.data_dir), config: either(&self.config, &before.config) }
    }
}
