//! Runs the demo's stream through detector, context, built-in writer and supervisor, without a store, and checks the
//! distribution of the scores.
//!
//! A validator that never objects is worthless. This prints the tables in docs/supervisor.md:
//! `cargo nextest run -p countersign-report --test demo_scores --no-capture`
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test fails by panicking, and this one prints its tables"
)]

use std::collections::{BTreeMap, HashMap};

use countersign_domain::{
    Alert, AlertId, ReportId, Section, Severity, Time, Transaction, UserId, payload::ReportType, report::count_words,
    validation::Strength,
};
use countersign_report::{
    Assembly, BySeverity, Content, Context, ContextInputs, Correlation, LicensedTexts, SectionRecord, WrittenBy,
    assemble,
    validate::{self, AssessmentOutcome, Limits, ReportVerdict, ValidationInput},
    writer::{WRITER_VERSION, Writer},
};
use countersign_signals::{Detector, ENTRIES_MAX, History};
use countersign_transactions::Generator;
use serde_json::json;

/// The defaults of the demo.
const SEED: u64 = 1;
const CUSTOMERS: usize = 60;
const HISTORY_DAYS: u32 = 45;
/// The first half hour of a demo, with customers that have little on record.
const LIVE_S: i64 = 1_800;
const LIVE_PER_S: f64 = 2.0;

/// What the store knows about a customer.
#[derive(Default)]
struct OnRecord {
    history: History,
    transactions: Vec<Transaction>,
}

fn transactions() -> Vec<Transaction> {
    let now: Time = "2026-03-01T12:00:00Z".parse().unwrap();
    let (mut generator, mut all) = Generator::with_history(SEED, now, CUSTOMERS, HISTORY_DAYS);
    generator.add_crowd(now, LIVE_PER_S);
    generator.stage_episodes(now);
    let until = Time::from_micros(now.micros() + LIVE_S * 1_000_000).unwrap();
    all.extend(std::iter::from_fn(|| generator.next_live(until)));
    all.into_iter().map(|labelled| labelled.transaction).collect()
}

fn verdicts() -> Vec<(Severity, ReportVerdict)> {
    let detector = Detector::built_in();
    let mut customers: HashMap<UserId, OnRecord> = HashMap::new();
    let mut verdicts = Vec::new();
    for (seq, transaction) in (0_u64..).zip(transactions()) {
        let customer = customers.entry(transaction.user_id.clone()).or_default();
        let assessment = detector.assess(seq, &transaction, &customer.history);
        if assessment.fires() && assessment.severity.is_investigated() {
            let alert = json!({
                "alert_id": format!("alert-{seq}"), "user_id": transaction.user_id, "severity": assessment.severity,
                "score": assessment.score,
                "metadata": {"transaction_id": transaction.transaction_id, "signals": assessment.signals_json()},
            });
            let alert: Alert = serde_json::from_value(alert).unwrap();
            verdicts.push((alert.severity, verdict(&alert, &transaction, customer)));
        }
        customer.history.add(seq, &transaction);
        customer.transactions.push(transaction);
    }
    verdicts
}

fn verdict(alert: &Alert, transaction: &Transaction, customer: &OnRecord) -> ReportVerdict {
    let newest = customer.transactions.len().saturating_sub(ENTRIES_MAX);
    let context = Context::build(&ContextInputs {
        alert,
        alert_created_at: transaction.occurred_at,
        alert_from_detector: true,
        report_type: ReportType::of(alert.severity).unwrap(),
        regulatory_impact: None,
        transaction: Some(transaction),
        history: &customer.transactions[newest..],
        transaction_count: customer.transactions.len() as u64,
        first_transaction_at: customer.transactions.first().map(|first| first.occurred_at),
        prior_alerts: &[],
        correlation: Correlation::new(BySeverity::default(), None, 0, 10),
    });
    let content = report(context, alert.alert_id.clone(), transaction);
    let hash = content.sealed().unwrap().hash().to_hex();
    let input = ValidationInput {
        content: &content,
        stored_hash: &hash,
        actual_hash: &hash,
        alert_severity: alert.severity,
        alert_score: alert.score,
        regenerations_so_far: 0,
        a_model_was_asked: false,
        licensed: &LicensedTexts::default(),
    };
    let limits = Limits::default();
    let findings = validate::examine(&input, &limits);
    validate::verdict(&input, &limits, findings, &AssessmentOutcome::None, hash.clone(), transaction.occurred_at)
}

fn report(context: Context, alert: AlertId, transaction: &Transaction) -> Content {
    let writer = Writer::of(&context);
    let sections = Section::ALL.map(|section| {
        let text = writer.section(section);
        let record = SectionRecord {
            section,
            words: count_words(&text),
            written_by: WrittenBy::Builtin,
            model: None,
            template: WRITER_VERSION.to_owned(),
            template_sha256: None,
            attempts: 1,
            refused: Vec::new(),
            facts: Vec::new(),
            sentences: Vec::new(),
        };
        (text, record)
    });
    let id = ReportId::of_version(&alert, context.case.report_type, 1);
    assemble(Assembly {
        revision: None,
        id,
        version: 1,
        regeneration_of: None,
        transaction_id: Some(transaction.transaction_id.clone()),
        fraud_detection_id: alert,
        generated_at: transaction.occurred_at,
        sections: sections.to_vec(),
        context,
    })
}

#[test]
fn the_demos_scores_spread_and_say_why() {
    let verdicts = verdicts();
    print(&verdicts);
    let scores: BTreeMap<u8, usize> = counted(verdicts.iter().map(|(_, verdict)| verdict.validation_score.get()));
    let strengths = counted(verdicts.iter().map(|(_, verdict)| strength(verdict)));
    assert!(verdicts.len() >= 50, "{} reports are too few for a distribution", verdicts.len());
    assert!(scores.len() >= 5, "{scores:?}");
    assert!(scores.values().all(|count| count * 2 < verdicts.len()), "one score has half of all: {scores:?}");
    // Our detector only creates an alert if a signal fired, so there is always some evidence, but its strength varies.
    assert!(!strengths.contains_key(&Strength::None), "{strengths:?}");
    assert!(strengths.len() == 3, "{strengths:?}");
    for (severity, verdict) in &verdicts {
        assert_eq!(verdict.deductions.is_empty(), verdict.validation_score.get() == 100);
        assert!(strength(verdict).suffices_without_a_person(*severity) || !verdict.passed);
        // All deductions are for the evidence, because the built-in writer wrote the text.
        let of_text = verdict.deductions.iter().find(|deduction| !deduction.reason.contains("evidence"));
        assert_eq!(of_text, None, "{}", verdict.feedback);
    }
}

fn strength(verdict: &ReportVerdict) -> Strength {
    verdict.structured_feedback.justification_strength
}

fn counted<T: Ord>(all: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    all.fold(BTreeMap::new(), |mut counts, one| {
        *counts.entry(one).or_default() += 1;
        counts
    })
}

fn print(verdicts: &[(Severity, ReportVerdict)]) {
    println!("\n{} reports\n\n| points | reports | |\n|---|---|---|", verdicts.len());
    let scores = counted(verdicts.iter().map(|(_, verdict)| verdict.validation_score.get()));
    for (score, count) in scores.into_iter().rev() {
        println!("| {score} | {count} | {} |", "█".repeat((count * 60).div_ceil(verdicts.len())));
    }
    println!("\n| strength | severity | passed | needs review |\n|---|---|---|---|");
    let groups = counted(verdicts.iter().map(|(severity, verdict)| (strength(verdict), *severity, verdict.passed)));
    let mut rows: Vec<_> = groups.keys().map(|(strength, severity, _)| (*strength, *severity)).collect();
    rows.dedup();
    for (strength, severity) in rows.into_iter().rev() {
        let of = |passed| groups.get(&(strength, severity, passed)).copied().unwrap_or(0);
        println!("| {} | {} | {} | {} |", strength.as_str(), severity.in_capitals(), of(true), of(false));
    }
    println!("\n| weakness | reports |\n|---|---|");
    let weaknesses = verdicts.iter().flat_map(|(_, verdict)| {
        let evidence = verdict.structured_feedback.evidence.as_ref();
        let mut kinds: Vec<_> =
            evidence.into_iter().flat_map(|found| &found.weaknesses).map(|weakness| weakness.kind.as_str()).collect();
        kinds.dedup();
        kinds
    });
    let mut weaknesses: Vec<_> = counted(weaknesses).into_iter().collect();
    weaknesses.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (kind, count) in weaknesses {
        println!("| `{kind}` | {count} |");
    }
}
