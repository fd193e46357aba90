//! `countersign eval fraud`: measures how well the detector finds labelled frauds.

use std::io::{self, Write};

use countersign_domain::Time;
use countersign_measure::{CardPrecision, FraudMeasures, FraudTally};
use countersign_transactions::{FraudKind, Generator};
use jiff::Timestamp;

use super::figure;
use crate::cli::{
    arguments::EvalFraudFlags, config, count, failure::Failure, ingest::open, progress::ProgressLine, say,
    scoring::Scoring,
};

/// The number of cards that an investigator could review in a day.
const CARDS_A_DAY: usize = 100;
/// Customers of the generated stream.
const CUSTOMERS: usize = 2_000;
const TRANSACTIONS: usize = 200_000;

struct FraudEvaluation {
    tally: FraudTally,
    cards: CardPrecision,
    unlabelled: u64,
    malformed: u64,
}

pub(super) fn run(flags: &EvalFraudFlags) -> Result<(), Failure> {
    let config = config::read(&flags.location, &[])?;
    let mut scoring = Scoring::new(config.detector.rules_file.as_ref())?;
    let mut evaluation = FraudEvaluation {
        tally: FraudTally::default(),
        cards: CardPrecision::new(CARDS_A_DAY),
        unlabelled: 0,
        malformed: 0,
    };
    match &flags.file {
        Some(file) => {
            let mut input = open(file, flags.map.as_deref())?;
            let mut progress = ProgressLine::new("Scoring", "bytes");
            for row in &mut input.rows {
                if input.bytes > 0 {
                    progress.show(row.bytes_read, input.bytes);
                }
                match row.result {
                    Ok(transaction) => evaluation.add(&mut scoring, &transaction, row.label, row.kind.as_deref()),
                    Err(_) => evaluation.malformed += 1,
                }
            }
        }
        None => score_generated(flags.seed, &mut scoring, &mut evaluation),
    }
    let measures = evaluation.tally.measures();
    if measures.transactions == 0 {
        return Err(Failure::new("no row has a fraud label")
            .help("name the column with --map COLUMN=label; 1, true and yes mean fraud"));
    }
    if flags.json {
        let json = serde_json::json!({
            "measures": measures, "card_precision_at_100": evaluation.cards.mean(),
            "unlabelled": evaluation.unlabelled, "bad_lines": evaluation.malformed,
        });
        return say(&json.to_string());
    }
    evaluation.print(&measures)
}

fn score_generated(seed: u64, scoring: &mut Scoring, evaluation: &mut FraudEvaluation) {
    let start = Time::from_timestamp(Timestamp::UNIX_EPOCH);
    let mut progress = ProgressLine::new("Scoring", "transactions");
    for (n, labelled) in (1_u64..).zip(Generator::new(seed, start, CUSTOMERS).take(TRANSACTIONS)) {
        progress.show(n, TRANSACTIONS as u64);
        let kind = labelled.fraud.map(FraudKind::as_str);
        evaluation.add(scoring, &labelled.transaction, Some(kind.is_some()), kind);
    }
}

impl FraudEvaluation {
    fn add(
        &mut self,
        scoring: &mut Scoring,
        transaction: &countersign_domain::Transaction,
        label: Option<bool>,
        kind: Option<&str>,
    ) {
        let Some(assessment) = scoring.assess(transaction) else { return };
        let Some(is_fraud) = label else {
            self.unlabelled += 1;
            return;
        };
        self.tally.add(assessment.score, is_fraud, kind.filter(|_| is_fraud));
        self.cards.add(&transaction.user_id, transaction.occurred_at, assessment.score, is_fraud);
    }

    fn print(&self, measures: &FraudMeasures) -> Result<(), Failure> {
        if self.malformed + self.unlabelled > 0 {
            let (malformed, unlabelled) = (count(self.malformed), count(self.unlabelled));
            let _ = writeln!(
                io::stderr().lock(),
                "skipped {malformed} malformed lines and {unlabelled} rows without a label"
            );
        }
        let share = 100.0 * measures.frauds as f64 / measures.transactions as f64;
        say(&format!(
            "{} transactions, {} frauds ({share:.2} %)\n",
            count(measures.transactions),
            count(measures.frauds)
        ))?;
        say("score      alerts  per 1,000  precision  recall      F1")?;
        for at in &measures.at {
            say(&format!(
                ">= {:<3}  {:>9}  {:>9}  {:>9}  {:>6}  {:>6}",
                at.score,
                count(at.alerts),
                figure(at.alerts_per_1000, 1),
                figure(at.precision, 3),
                figure(at.recall, 3),
                figure(at.f1, 3)
            ))?;
        }
        say(&format!("\nPR-AUC (average precision)  {}", figure(measures.average_precision, 3)))?;
        say(&format!("ROC-AUC                     {}", figure(measures.roc_auc, 3)))?;
        say(&format!("card precision@100 a day    {}", figure(self.cards.mean(), 3)))?;
        if !measures.kinds.is_empty() {
            say("\nrecall by kind        frauds  >= 40   >= 60   >= 80")?;
        }
        for (kind, recall) in &measures.kinds {
            let shares: String = recall.recall.iter().map(|share| format!("  {:>6}", figure(*share, 3))).collect();
            say(&format!("{kind:<20}  {:>6}{shares}", count(recall.frauds)))?;
        }
        Ok(())
    }
}
