//! Flags and subcommands, with the help that teaches them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

#[derive(Parser)]
#[command(
    name = "countersign",
    version,
    about = "Audits what AI agents write before anyone relies on it.",
    long_about = "Audits what AI agents write before anyone relies on it.\n\n\
        Everything that happens is an event in one append-only log, which is also a tamper-evident ledger. \
        `countersign serve` starts it; the other commands look after what it keeps.",
    after_help = "Start here:\n  countersign demo              see it at work on made-up data, on http://127.0.0.1:8080\n  \
        countersign serve             run it\n  \
        countersign verify            prove that nothing in the ledger was changed\n  \
        countersign config            see every setting, its value and where it comes from"
)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Run the server
    #[command(
        after_help = "Flags win over environment variables (COUNTERSIGN_LISTEN, COUNTERSIGN_DATA_DIR, COUNTERSIGN_CONFIG, \
        COUNTERSIGN_PROFILE), these over the file, the file over the defaults.\nOn any address but loopback an access key is \
        needed first: countersign keys create --role admin --name \"…\""
    )]
    Serve(Serve),
    /// Run the server with a realistic, made-up stream of transactions and questions
    #[command(
        after_help = "Its data goes to ./countersign-demo unless --data-dir says otherwise: a ledger can't be cleaned \
        afterwards. The same seed makes the same customers and the same frauds."
    )]
    Demo(Demo),
    /// Load transactions from CSV or JSON Lines
    #[command(
        after_help = "Columns named like our fields are found by themselves (transaction_id, user_id, amount, currency, \
        occurred_at, merchant, category, channel, lat, lon, country, city, ip_address, device_fingerprint, \
        account_opened_at, label), and so are some well-known files. Others are named with --map:\n  \
        countersign ingest card.csv --map id=transaction_id,customer=user_id,amt=amount,when=occurred_at,currency=EUR\n\
        A name on the left that is no column of the file is a field of ours, and the right side its value in every row.\n\n\
        See first what would be flagged, by the rules in force:\n  countersign ingest card.csv --dry-run --scores scores.csv"
    )]
    Ingest(Ingest),
    /// List, show and export investigation reports
    Report(Report),
    /// Look for personal data, hostile words, injections and unsupported claims in a text
    #[command(after_help = "Nothing is sent anywhere and nothing is stored.\n\n\
        A file or a pipe:        countersign audit letter.txt\n\
        A folder, in CI:         countersign audit docs/ --fail-on warning\n\
        An answer and its source: countersign audit answer.txt --context source.txt\n\
        Masked:                  countersign audit letter.txt --redact > safe.txt\n\
        Many, as JSON Lines:     countersign audit --format jsonl rows.jsonl\n\n\
        A row is {\"id\", \"text\", \"context\"?}; its result has id, risk_score (0 to 10), scores (0 to 1 for pii, toxicity, \
        injection, grounding) and findings with places in code points.\n\
        Exit status: 0, 1 if something reaches what --fail-on names, 2 if something could not be read.")]
    Audit(Audit),
    /// Measure the detector and the inspectors on labelled data
    Eval(Eval),
    /// Check the ledger: every event, tree node, link of causation, checkpoint and derived row
    #[command(after_help = "Exits with 0 only if everything checks. It can run beside a live server.\n\n\
        Somebody who has only the public key checks a file:\n  countersign export log.jsonl\n  \
        countersign verify log.jsonl --key ledger.pub\n\n\
        Whoever can write to the data directory can replace everything in it, keys included. Only what is kept elsewhere \
        shows that:\n  \
        countersign verify --checkpoint saved.note\n  \
        countersign verify --witness http://witness.example:8090 --witness-key witness.pub\n  \
        countersign verify --witness /mnt/append-only/checkpoints.txt\n\
        docs/ledger.md says what each of them finds.")]
    Verify(Verify),
    /// Cosign the checkpoints of other logs, so that nobody can rewrite them unseen
    #[command(
        after_help = "A witness after C2SP tlog-witness. It keeps the last checkpoint of each log that it knows, cosigns \
        only what is consistent with it, and belongs on another machine than the log.\n\n\
        Start it with the log's public key, then name it in the log's countersign.toml:\n  \
        countersign witness --log ledger.pub\n  \
        [[ledger.witnesses]]\n  url = \"http://127.0.0.1:8090\"\n  key = \"the key that it prints\""
    )]
    Witness(Witness),
    /// Copy the store to a file, consistently, while it is in use
    Backup(Backup),
    /// Put a backup in place as a new log
    #[command(
        long_about = "Put a backup in place as a new log.\n\nThe log that the copy was made of may have gone on, and its \
        checkpoints may be in other people's hands. So the restored store gets a new signing key and a new origin; what stood \
        in the data directory is kept beside it."
    )]
    Restore(Restore),
    /// Write the signed part of the log as JSON Lines that anybody can verify
    Export(Export),
    /// Create, list and revoke access keys
    Keys(Keys),
    /// Print the effective configuration, secrets masked
    Config(Config),
}

/// Flags that every command about a data directory takes.
#[derive(Args)]
pub(super) struct Where {
    /// Where everything is kept [default: ./countersign-data]
    #[arg(long, value_name = "DIR")]
    pub(super) data_dir: Option<PathBuf>,
    /// Configuration file [default: ./countersign.toml if it is there]
    #[arg(long, value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
}

impl Where {
    /// Flags may stand before a subcommand or behind it; those behind it win.
    pub(super) fn or(&self, before: &Self) -> Self {
        let either = |own: &Option<PathBuf>, before: &Option<PathBuf>| own.as_ref().or(before.as_ref()).cloned();
        Self { data_dir: either(&self.data_dir, &before.data_dir), config: either(&self.config, &before.config) }
    }
}

#[derive(Args)]
pub(super) struct Serve {
    #[command(flatten)]
    pub(super) place: Where,
    /// Address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(super) listen: Option<String>,
    /// embedded needs nothing else; hosted requires keys and providers [default: embedded]
    #[arg(long, value_name = "PROFILE")]
    pub(super) profile: Option<String>,
    /// How log lines look [default: pretty]
    #[arg(long, value_enum)]
    pub(super) log_format: Option<LogFormat>,
    /// Don't ask providers at start whether they accept their keys
    #[arg(long)]
    pub(super) no_probe: bool,
}

#[derive(Args)]
pub(super) struct Demo {
    #[command(flatten)]
    pub(super) serve: Serve,
    /// The same seed makes the same customers and frauds
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(super) seed: u64,
    /// Transactions per second, about
    #[arg(long, default_value_t = 2.0, value_name = "TX_PER_S")]
    pub(super) rate: f64,
}

#[derive(Args)]
pub(super) struct Ingest {
    /// A .csv, .tsv, .jsonl or .ndjson file, gzipped or not; - is stdin
    pub(super) file: PathBuf,
    /// Which column is which field, and fields that are the same in every row
    #[arg(long, value_name = "COLUMN=FIELD,…")]
    pub(super) map: Option<String>,
    /// Store nothing; show what would be flagged
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Write every transaction's id, score and signals as CSV, in the order of the input
    #[arg(long, value_name = "OUT.csv")]
    pub(super) scores: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct Report {
    #[command(subcommand)]
    pub(super) command: ReportCommand,
}

#[derive(Subcommand)]
pub(super) enum ReportCommand {
    /// List current reports, newest first
    List(ListReports),
    /// Print a report as Markdown
    Show(ShowReport),
    /// Write a report as a file
    Export(ExportReport),
}

#[derive(Args)]
pub(super) struct ListReports {
    /// How many
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(super) limit: u16,
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct ShowReport {
    /// The report's id, as `countersign report list` shows it
    pub(super) id: String,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct ExportReport {
    /// The report's id, as `countersign report list` shows it
    pub(super) id: String,
    #[arg(long, value_enum)]
    pub(super) format: ReportFormat,
    /// Where to write [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum ReportFormat {
    Md,
    Json,
    Html,
}

impl From<ReportFormat> for countersign_report::ExportFormat {
    fn from(format: ReportFormat) -> Self {
        match format {
            ReportFormat::Md => Self::Md,
            ReportFormat::Json => Self::Json,
            ReportFormat::Html => Self::Html,
        }
    }
}

#[derive(Args)]
pub(super) struct Audit {
    /// A text, a folder of texts or a .jsonl file; - is stdin [default: -]
    pub(super) path: Option<PathBuf>,
    /// How the result is written
    #[arg(long, value_enum, default_value_t = AuditFormat::Table)]
    pub(super) format: AuditFormat,
    /// Write the text with what was found masked, such as [EMAIL]
    #[arg(long)]
    pub(super) redact: bool,
    /// What the text should rest on: sentences that this file does not support are found too; a row's own context comes first
    #[arg(long, value_name = "FILE")]
    pub(super) context: Option<PathBuf>,
    /// What makes the exit status 1 [default: flagged; never with --format jsonl]
    #[arg(long, value_enum, value_name = "STATUS")]
    pub(super) fail_on: Option<FailOn>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum AuditFormat {
    /// For people
    Table,
    /// One object, or an array of them for a folder
    Json,
    /// One line per text
    Jsonl,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum FailOn {
    /// Risk 7 and more
    Flagged,
    /// Risk 4 and more
    Warning,
    Never,
}

#[derive(Args)]
pub(super) struct Eval {
    #[command(subcommand)]
    pub(super) command: EvalCommand,
}

#[derive(Subcommand)]
pub(super) enum EvalCommand {
    /// Precision, recall, PR-AUC and more of the detector
    #[command(
        after_help = "The file says of each transaction whether it was fraud, in a column such as is_fraud, or one that \
        --map COLUMN=label names. Each is scored on earlier ones alone; labels are never an input.\n\
        Without a file, the demo's own labelled stream is measured."
    )]
    Fraud(EvalFraud),
    /// Precision, recall, F1, F2, ROC-AUC, PR-AUC and calibration of the inspectors
    #[command(
        after_help = "A row is {\"text\", \"label\": 0 or 1}, {\"text\", \"spans\": [{\"start\", \"end\", \"type\"}]} with places in \
        code points, or {\"text\", \"context\", \"label\": \"grounded\" or \"ungrounded\"}. `id` and `kind` are shown where given; \
        texts never are.\n\nThe configured auditor on the same rows (its provider is asked once for each):\n  \
        countersign eval text rows.jsonl --model --limit 200"
    )]
    Text(EvalText),
    /// How many false reports the fact check and the supervisor let through, by kind of fault
    #[command(
        after_help = "The corpus is built in and always the same: true cases from the real detector, their true reports, and \
        the same reports with one fault each. `refused` is the fact check, before a report exists; `review` is the supervisor's \
        rules, without a model; `noted` passed with points off for that very fault, as the score's table has it; `approved` got \
        through. True texts that are refused cost a writer another attempt.\n\n\
        Look for holes, two examples of each:\n  countersign eval supervisor --show 2\n\n\
        The tables of docs/accuracy/supervisor.md:\n  countersign eval supervisor --format markdown"
    )]
    Supervisor(EvalSupervisor),
}

#[derive(Args)]
pub(super) struct EvalSupervisor {
    #[arg(long, value_enum, default_value = "table")]
    pub(super) format: EvalFormat,
    /// Print up to so many approved faults of each kind, and refused true texts, with their sections
    #[arg(long, value_name = "N")]
    pub(super) show: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum EvalFormat {
    Table,
    Json,
    Markdown,
}

#[derive(Args)]
pub(super) struct EvalText {
    /// A labelled .jsonl file, gzipped or not
    pub(super) file: PathBuf,
    /// What the labels are about [default: by what they look like, or the file's name]
    #[arg(long, value_enum)]
    pub(super) kind: Option<TextKind>,
    /// Ask the configured auditor too
    #[arg(long)]
    pub(super) model: bool,
    /// The first so many rows only
    #[arg(long, value_name = "N")]
    pub(super) limit: Option<usize>,
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TextKind {
    Pii,
    Toxicity,
    Injection,
    Grounding,
}

impl TextKind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Pii => "pii",
            Self::Toxicity => "toxicity",
            Self::Injection => "injection",
            Self::Grounding => "grounding",
        }
    }
}

#[derive(Args)]
pub(super) struct EvalFraud {
    /// A labelled .csv or .jsonl file, gzipped or not; - is stdin [default: the demo's stream]
    pub(super) file: Option<PathBuf>,
    /// Which column is which field
    #[arg(long, value_name = "COLUMN=FIELD,…")]
    pub(super) map: Option<String>,
    /// Of the demo's stream
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(super) seed: u64,
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum LogFormat {
    Json,
    Pretty,
}

impl LogFormat {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Pretty => "pretty",
        }
    }
}

#[derive(Args)]
pub(super) struct Verify {
    /// An export or a backup to check instead of the data directory
    #[arg(value_name = "BUNDLE", conflicts_with = "data_dir")]
    pub(super) bundle: Option<PathBuf>,
    /// Public key: a file such as ledger.pub, or the key's text
    #[arg(long, value_name = "KEY")]
    pub(super) key: Option<String>,
    /// A signed checkpoint that was saved earlier; the log must be consistent with it; - is stdin [repeatable]
    #[arg(long = "checkpoint", value_name = "NOTE")]
    pub(super) checkpoints: Vec<PathBuf>,
    /// A witness to ask for the last checkpoint it cosigned, or a file of published checkpoints [repeatable]
    #[arg(long = "witness", value_name = "URL|FILE")]
    pub(super) witnesses: Vec<String>,
    /// Public key of a witness, as text or in a file: checks its cosignatures in its answer, in files and on saved checkpoints
    /// [default for addresses: from the configuration]
    #[arg(long = "witness-key", value_name = "KEY")]
    pub(super) witness_keys: Vec<String>,
    /// Check the search index and its statistics too, and make them anew where they differ
    #[arg(long, conflicts_with = "bundle")]
    pub(super) search: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct Witness {
    /// Address to listen on
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8090")]
    pub(super) listen: String,
    /// Where its key and the notes that it cosigned are kept
    #[arg(long, value_name = "DIR", default_value = "./countersign-witness")]
    pub(super) data_dir: PathBuf,
    /// Cosign this log from now on: its ledger.pub, or that file's content [repeatable]
    #[arg(long = "log", value_name = "VKEY")]
    pub(super) logs: Vec<String>,
    /// Name of the key that the first start makes, such as witness.example/w1 [default: a random one]
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,
}

#[derive(Args)]
pub(super) struct Backup {
    /// Where to write the copy; must not exist
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct Restore {
    /// A file that `countersign backup` wrote
    pub(super) file: PathBuf,
    /// Public key of the log that it was made of [default: ledger.pub in the data directory]
    #[arg(long, value_name = "KEY")]
    pub(super) key: Option<String>,
    /// Take the backup as it is, without checking it against a key
    #[arg(long, conflicts_with = "key")]
    pub(super) unverified: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct Export {
    /// Where to write; must not exist
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct Keys {
    #[command(subcommand)]
    pub(super) command: KeysCommand,
}

#[derive(Subcommand)]
pub(super) enum KeysCommand {
    /// Make a key and show it, once
    Create(CreateKey),
    /// List keys, without their secrets
    List(ListKeys),
    /// Revoke a key, at once and for good
    Revoke(RevokeKey),
}

#[derive(Args)]
pub(super) struct CreateKey {
    /// What the key may do: agent, viewer, investigator, reviewer or admin
    #[arg(long)]
    pub(super) role: String,
    /// Whose it is
    #[arg(long)]
    pub(super) name: String,
    /// When it ends: days such as 90d, or a time such as 2027-01-31T00:00:00Z [default: never]
    #[arg(long, value_name = "WHEN")]
    pub(super) expires: Option<String>,
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct ListKeys {
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct RevokeKey {
    /// The key's id, as `countersign keys list` shows it
    pub(super) id: String,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Args)]
pub(super) struct Config {
    #[command(subcommand)]
    pub(super) command: Option<ConfigCommand>,
    /// Print as JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: Where,
}

#[derive(Subcommand)]
pub(super) enum ConfigCommand {
    /// Say whether the configuration is sound, with every problem at once
    Check(CheckConfig),
}

#[derive(Args)]
pub(super) struct CheckConfig {
    #[command(flatten)]
    pub(super) place: Where,
}
