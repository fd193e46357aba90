//! `countersign ingest`: loads transactions from a file, through the running server if there is one, and into the store otherwise.
//!
//! Rejected rows are reported with their line numbers, and the others are stored. `--dry-run` stores nothing and shows what would
//! be flagged.

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    fs::File,
    io::{self, BufWriter, Read, Write},
    path::Path,
};

use countersign_domain::{NewEvent, Severity, SignalName, Transaction, TransactionId};
use countersign_ledger::{Hash, sha256};
use countersign_signals::Assessment;
use countersign_store::{Ingested, Seams, Store, StoreError, StoreLocation, Threading};
use countersign_transactions::{FileFormat, Mapping, Transactions, transactions};
use hyper::Method;
use serde_json::{Value, json};

use super::{
    arguments::IngestFlags, client::Client, config, count, failure::Failure, progress::ProgressLine, say,
    scoring::Scoring,
};

/// The number of rows in one request or commit.
const BATCH_ROWS: usize = 1_000;
/// The maximum number of rejected rows that are printed; further ones are only counted.
const SHOWN_MAX: u64 = 20;

/// A file of transactions that is being read.
pub(super) struct TransactionInput {
    pub(super) rows: Transactions<Box<dyn Read>>,
    pub(super) bytes: u64,
}

/// Opens a file, or stdin for `-`.
pub(super) fn open(path: &Path, map: Option<&str>) -> Result<TransactionInput, Failure> {
    let name = path.display();
    let (input, bytes): (Box<dyn Read>, u64) = if path == Path::new("-") {
        (Box::new(io::stdin()), 0)
    } else {
        let file = File::open(path).map_err(|error| Failure::new(format!("could not open {name}: {error}")))?;
        let bytes = file.metadata().map_or(0, |metadata| metadata.len());
        (Box::new(file), bytes)
    };
    let mapping = match map {
        Some(text) => Mapping::parse(text).map_err(|error| {
            Failure::new(format!("--map: {error}"))
                .help("write column=field pairs such as --map amt=amount,when=occurred_at,currency=USD")
        })?,
        None => Mapping::default(),
    };
    let format = path.file_name().and_then(|name| FileFormat::of_name(&name.to_string_lossy()));
    let rows = transactions(input, format, &mapping).map_err(|error| Failure::new(format!("{name}: {error}")))?;
    Ok(TransactionInput { rows, bytes })
}

pub(super) fn run(flags: &IngestFlags) -> Result<(), Failure> {
    let config = config::read(&flags.location, &[])?;
    let mut scoring = match flags.dry_run || flags.scores.is_some() {
        true => Some(Scoring::new(config.detector.rules_file.as_ref())?),
        false => None,
    };
    let mut scores = flags.scores.as_deref().map(ScoreFile::create).transpose()?;
    let input = open(&flags.file, flags.map.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("could not start the async runtime: {error}")))?;
    let counts = runtime.block_on(async {
        let mut sink =
            if flags.dry_run { Sink::DryRun(HashMap::new()) } else { Sink::open(&config::store_location(&config)?)? };
        let read = read_all(input, &mut sink, scoring.as_mut(), scores.as_mut()).await;
        let closed = sink.close().await;
        let counts = read?;
        closed?;
        Ok::<_, Failure>(counts)
    })?;
    if let Some(scores) = scores {
        scores.finish()?;
    }
    counts.report(flags)
}

/// The outcome of all rows.
#[derive(Default)]
struct IngestCounts {
    accepted: u64,
    duplicates: u64,
    rejected: u64,
    zoneless: u64,
    flagged: BTreeMap<Severity, u64>,
    by_signal: BTreeMap<SignalName, u64>,
    scored: u64,
    is_stored_by_server: bool,
}

async fn read_all(
    mut input: TransactionInput,
    sink: &mut Sink,
    mut scoring: Option<&mut Scoring>,
    mut scores: Option<&mut ScoreFile>,
) -> Result<IngestCounts, Failure> {
    let mut counts = IngestCounts { is_stored_by_server: matches!(sink, Sink::Server(_)), ..IngestCounts::default() };
    let mut progress = ProgressLine::new("Reading", "bytes");
    let mut waiting: Vec<(u64, Transaction)> = Vec::new();
    for row in &mut input.rows {
        if input.bytes > 0 {
            progress.show(row.bytes_read, input.bytes);
        }
        match row.result {
            Err(error) => counts.count_rejected(&error.to_string()),
            Ok(transaction) => {
                if let Some(scoring) = scoring.as_deref_mut()
                    && let Some(assessment) = scoring.assess(&transaction)
                {
                    counts.count_score(&assessment);
                    if let Some(scores) = scores.as_deref_mut() {
                        scores.write(&transaction, &assessment)?;
                    }
                }
                waiting.push((row.line, transaction));
                if waiting.len() == BATCH_ROWS {
                    sink.store(std::mem::take(&mut waiting), &mut counts).await?;
                }
            }
        }
    }
    sink.store(waiting, &mut counts).await?;
    counts.zoneless = input.rows.zoneless_times();
    Ok(counts)
}

impl IngestCounts {
    fn count_rejected(&mut self, why: &str) {
        self.rejected += 1;
        if self.rejected <= SHOWN_MAX {
            let _ = writeln!(io::stderr().lock(), "{why}");
        } else if self.rejected == SHOWN_MAX + 1 {
            let _ = writeln!(io::stderr().lock(), "further rejected lines are counted but not shown");
        }
    }

    fn count_score(&mut self, assessment: &Assessment) {
        self.scored += 1;
        if !assessment.fires() {
            return;
        }
        *self.flagged.entry(assessment.severity).or_default() += 1;
        for (name, points) in SignalName::ALL.into_iter().zip(assessment.contributions()) {
            if points > 0 {
                *self.by_signal.entry(name).or_default() += 1;
            }
        }
    }

    fn report(&self, flags: &IngestFlags) -> Result<(), Failure> {
        let (taken, file) = (self.accepted + self.duplicates, flags.file.display());
        if self.zoneless > 0 {
            say(&format!(
                "{} timestamps had no time zone and were read as UTC; set another with --map timezone=+02:00",
                count(self.zoneless)
            ))?;
        }
        if taken == 0 && self.rejected > 0 {
            return Err(Failure::new(format!("none of the {} lines of {file} could be read", count(self.rejected)))
                .help("the first reasons are printed above; name the columns with --map column=field,…"));
        }
        let verb = if flags.dry_run { "Read" } else { "Ingested" };
        say(&format!(
            "{verb} {} transactions, {} duplicates, {} rejected lines",
            count(self.accepted),
            count(self.duplicates),
            count(self.rejected)
        ))?;
        if self.scored > 0 {
            self.report_flags()?;
        }
        if let Some(scores) = &flags.scores {
            say(&format!("Scores of {} transactions are in {}", count(self.scored), scores.display()))?;
        }
        match (flags.dry_run, self.is_stored_by_server) {
            (true, _) => say("Nothing was stored (--dry-run)"),
            (false, true) => say("The running server is assessing them"),
            (false, false) => say("They will be assessed when the server runs: countersign serve"),
        }
    }

    fn report_flags(&self) -> Result<(), Failure> {
        let flagged: u64 = self.flagged.values().sum();
        let share = 1e3 * flagged as f64 / self.scored as f64;
        say(&format!("{} would be flagged, {share:.1} in 1,000:", count(flagged)))?;
        for severity in Severity::ALL.into_iter().rev() {
            let n = self.flagged.get(&severity).copied().unwrap_or(0);
            say(&format!("  {:<9} {:>10}", severity.as_str(), count(n)))?;
        }
        say("signals that contributed:")?;
        for name in SignalName::ALL {
            let n = self.by_signal.get(&name).copied().unwrap_or(0);
            say(&format!("  {:<25} {:>10}", name.as_str(), count(n)))?;
        }
        Ok(())
    }
}

/// Where transactions are stored.
enum Sink {
    /// Stores nothing. Keeps only the hash of each transaction, to tell duplicates from conflicts as the store would.
    DryRun(HashMap<TransactionId, Hash>),
    Server(Client),
    Store(Store),
}

impl Sink {
    fn open(location: &StoreLocation) -> Result<Self, Failure> {
        let seams = Seams::system()
            .map_err(|error| Failure::new(format!("the system has no source of randomness: {error}")))?;
        match Store::open(location, Threading::Threaded, seams) {
            Ok(store) => Ok(Self::Store(store)),
            Err(StoreError::InUse { .. }) => Ok(Self::Server(Client::of(location.dir())?)),
            Err(error) => Err(error.into()),
        }
    }

    async fn store(&mut self, rows: Vec<(u64, Transaction)>, counts: &mut IngestCounts) -> Result<(), Failure> {
        if rows.is_empty() {
            return Ok(());
        }
        match self {
            Self::DryRun(seen) => count_only(seen, rows, counts)?,
            Self::Server(client) => post_rows(client, &rows, counts).await?,
            Self::Store(store) => ingest_rows(store, rows, counts).await?,
        }
        Ok(())
    }

    async fn close(self) -> Result<(), Failure> {
        match self {
            Self::Store(store) => Ok(store.close().await?),
            Self::DryRun(_) | Self::Server(_) => Ok(()),
        }
    }
}

const CONFLICT: &str = "transaction_id: already exists with different content";

fn count_only(
    seen: &mut HashMap<TransactionId, Hash>,
    rows: Vec<(u64, Transaction)>,
    counts: &mut IngestCounts,
) -> Result<(), Failure> {
    for (line, transaction) in rows {
        let content = serde_json::to_vec(&transaction).map_err(|error| Failure::new(error.to_string()))?;
        let content = sha256(&content);
        match seen.entry(transaction.transaction_id) {
            Entry::Vacant(place) => {
                place.insert(content);
                counts.accepted += 1;
            }
            Entry::Occupied(first) if *first.get() == content => counts.duplicates += 1,
            Entry::Occupied(_) => counts.count_rejected(&format!("line {line}: {CONFLICT}")),
        }
    }
    Ok(())
}

async fn ingest_rows(store: &Store, rows: Vec<(u64, Transaction)>, counts: &mut IngestCounts) -> Result<(), Failure> {
    let seams = store.seams();
    let (lines, transactions): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
    let events = transactions.into_iter().map(|transaction| {
        let occurred_at = transaction.occurred_at;
        NewEvent::new(seams.event_id(), transaction, occurred_at, "ingest", seams.correlation_id())
    });
    let events = events.collect::<Result<_, _>>().map_err(|error| Failure::new(error.to_string()))?;
    for (line, ingested) in lines.into_iter().zip(store.ingest(events).await?) {
        match ingested {
            Ingested::Accepted { .. } => counts.accepted += 1,
            Ingested::Duplicate { .. } => counts.duplicates += 1,
            Ingested::Conflict { .. } => counts.count_rejected(&format!("line {line}: {CONFLICT}")),
        }
    }
    Ok(())
}

async fn post_rows(client: &Client, rows: &[(u64, Transaction)], counts: &mut IngestCounts) -> Result<(), Failure> {
    let body = json!(rows.iter().map(|(_, transaction)| transaction).collect::<Vec<_>>());
    let answer = client.call(Method::POST, "/api/transactions", Some(&body)).await?;
    let number = |field: &str| answer.get(field).and_then(Value::as_u64).unwrap_or(0);
    counts.accepted += number("accepted");
    counts.duplicates += number("duplicates");
    for rejected in answer.get("rejected").and_then(Value::as_array).into_iter().flatten() {
        let index = rejected.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        let line = index.and_then(|index| rows.get(index)).map_or(0, |(line, _)| *line);
        let detail = rejected.get("detail").and_then(Value::as_str).unwrap_or("refused by the server");
        counts.count_rejected(&format!("line {line}: {detail}"));
    }
    Ok(())
}

/// The file with every transaction's score and signals, in input order.
struct ScoreFile(BufWriter<File>);

impl ScoreFile {
    fn create(path: &Path) -> Result<Self, Failure> {
        let file =
            File::create(path).map_err(|error| Failure::new(format!("could not write {}: {error}", path.display())))?;
        let mut scores = Self(BufWriter::new(file));
        let names = SignalName::ALL.map(SignalName::as_str).join(",");
        scores.line(&format!("transaction_id,score,severity,fired,{names},rules"))?;
        Ok(scores)
    }

    fn write(&mut self, transaction: &Transaction, assessment: &Assessment) -> Result<(), Failure> {
        let [amount, velocity, geography, flags] = assessment.contributions();
        // Build the signals' texts only if a rule applied.
        let matched =
            if flags > 0 { assessment.signals().map(|(_, signal)| signal.flags).concat() } else { Vec::new() };
        let rules = matched.into_iter().map(|flag| flag.name).collect::<Vec<_>>().join(" ");
        self.line(&format!(
            "{},{},{},{},{amount},{velocity},{geography},{flags},{}",
            cell(transaction.transaction_id.as_str()),
            assessment.score.get(),
            assessment.severity,
            assessment.fires(),
            cell(&rules)
        ))
    }

    fn line(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.0, "{line}").map_err(|error| Failure::new(format!("could not write --scores: {error}")))
    }

    fn finish(mut self) -> Result<(), Failure> {
        self.0.flush().map_err(|error| Failure::new(format!("could not write --scores: {error}")))
    }
}

/// A CSV cell with untrusted text. Spreadsheets run a cell as a formula if it begins with one of these characters, even if it
/// is quoted; an apostrophe in front makes it text. Our own numbers don't need this.
fn cell(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    if is_formula { quoted(&format!("'{text}")) } else { quoted(text) }
}

/// Quotes a cell if CSV requires it.
fn quoted(text: &str) -> String {
    // Some spreadsheets also split at semicolons or tabs.
    if text.contains([',', ';', '\t', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{cell, quoted};

    #[test]
    fn a_cell_that_a_spreadsheet_would_run_becomes_text() {
        for (text, expected) in [
            ("tx-1", "tx-1"),
            ("1-2", "1-2"),
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "\"'\t=1\""),
            ("\r=1", "\"'\r=1\""),
            ("＝1", "'＝1"),
            ("=HYPERLINK(\"http://x\",\"y\")", "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }

    #[test]
    fn csv_cells_are_quoted_where_necessary() {
        for (text, expected) in [
            ("tx-1", "tx-1"),
            ("a,b", "\"a,b\""),
            ("a;b", "\"a;b\""),
            ("a\tb", "\"a\tb\""),
            ("a\"b", "\"a\"\"b\""),
            ("", ""),
        ] {
            assert_eq!(quoted(text), expected);
        }
    }
}
