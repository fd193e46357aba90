//! A witness accepts every honest step of a log, and never a second history.

use countersign_ledger::{
    AddCheckpoint, Checkpoint, Hash, LedgerError, PROOF_LINES_MAX, REQUEST_BYTES_MAX, Refusal, SigningKey,
    consistency_proof, empty_root, root_at,
};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};

use crate::log::{Log, numbered_leaf};

fn head(log: &Log, size: u64) -> Checkpoint {
    Checkpoint { origin: "log".into(), size, root: root_at(log.at(size), size).unwrap() }
}

fn request(log: &Log, old_size: u64, size: u64) -> AddCheckpoint {
    let proof = if old_size <= size { consistency_proof(log.at(size), old_size, size).unwrap() } else { Vec::new() };
    AddCheckpoint { old_size, proof, note: SigningKey::from_seed("log", &[1; 32]).unwrap().sign(&head(log, size)) }
}

/// A log that shares its first leaves with `Log::numbered` and then diverges.
fn forked(shared: u64, size: u64) -> Log {
    let mut log = Log::numbered(shared);
    (shared..size).for_each(|leaf| log.push(&numbered_leaf(leaf + 1_000_000)));
    log
}

fn check(log: &Log, known: Option<&Checkpoint>, old_size: u64, size: u64, expected: Result<(), Refusal>) {
    assert_eq!(request(log, old_size, size).review(&head(log, size), known), expected, "{old_size} to {size}");
}

#[test]
fn growth_of_a_log_is_accepted_and_another_history_is_not() {
    let (log, fork) = (Log::numbered(40), forked(8, 60));
    let known = head(&log, 20);
    check(&log, None, 0, 40, Ok(()));
    check(&log, None, 0, 0, Ok(()));
    check(&log, Some(&known), 20, 20, Ok(()));
    check(&log, Some(&known), 20, 40, Ok(()));
    check(&log, Some(&known), 0, 40, Err(Refusal::OtherSize { known_size: 20 }));
    check(&log, Some(&known), 21, 40, Err(Refusal::OtherSize { known_size: 20 }));
    check(&log, Some(&known), 10, 10, Err(Refusal::OtherSize { known_size: 20 }));
    check(&log, Some(&known), 20, 19, Err(Refusal::OldSizeTooLarge));
    check(&fork, Some(&known), 20, 20, Err(Refusal::Fork { known_size: 20 }));
    check(&fork, Some(&known), 20, 60, Err(Refusal::BadProof));
    check(&fork, Some(&head(&log, 8)), 8, 60, Ok(()));
}

#[test]
fn a_first_checkpoint_needs_no_proof_and_may_not_carry_one() {
    let log = Log::numbered(5);
    let mut first = request(&log, 0, 5);
    assert_eq!(first.review(&head(&log, 5), None), Ok(()));
    first.proof.push(empty_root());
    assert_eq!(first.review(&head(&log, 5), None), Err(Refusal::BadProof));
    let empty = Checkpoint { origin: "log".into(), size: 0, root: Hash::from_bytes([1; 32]) };
    assert_eq!(request(&log, 0, 0).review(&empty, None), Err(Refusal::Fork { known_size: 0 }));
}

fn check_body(body: &str, expected: &'static str) {
    assert_eq!(AddCheckpoint::parse(body), Err(LedgerError::BadRequest(expected)), "{body:.60}");
}

#[test]
fn a_malformed_request_is_refused() {
    check_body("", "no empty line before the note");
    check_body("old 1\nnote\n", "no empty line before the note");
    for head in ["old", "old ", "old 01", "old -1", "old 1 ", "new 1", " old 1", "old 18446744073709551616"] {
        check_body(&format!("{head}\n\nnote"), "no old size");
    }
    check_body("old 1\nAAAA\n\nnote", "a proof line is not a hash");
    let line = format!("{}\n", empty_root().to_base64());
    assert!(AddCheckpoint::parse(&format!("old 1\n{}\nnote", line.repeat(PROOF_LINES_MAX))).is_ok());
    check_body(&format!("old 1\n{}\nnote", line.repeat(PROOF_LINES_MAX + 1)), "it has too many proof lines");
    check_body(&"x".repeat(REQUEST_BYTES_MAX + 1), "it is too long");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn a_request_round_trips_through_its_text_form(old in 0..300_u64, more in 0..300_u64) {
        let request = request(&Log::numbered(old + more), old, old + more);
        prop_assert_eq!(AddCheckpoint::parse(&request.to_body()), Ok(request));
    }

    /// For any sequence of submitted requests, all accepted heads belong to one history.
    #[test]
    fn no_sequence_of_requests_makes_a_witness_accept_two_histories(
        shared in 0..40_u64,
        requests in proptest::collection::vec((0..2_usize, 0..80_u64, 0..80_u64), 1..60),
    ) {
        let logs = [Log::numbered(80), forked(shared, 80)];
        let mut known: Option<Checkpoint> = None;
        for (which, old_size, size) in requests {
            let log = &logs[which];
            // Half of the requests start from the size that the witness knows.
            let old_size = if old_size % 2 == 0 { known.as_ref().map_or(0, |known| known.size) } else { old_size };
            let submitted = head(log, size);
            if request(log, old_size, size).review(&submitted, known.as_ref()).is_ok() {
                if let Some(known) = &known {
                    prop_assert!(submitted.size >= known.size);
                    prop_assert_eq!(root_at(log.at(size), known.size).unwrap(), known.root);
                }
                known = Some(submitted);
            }
        }
    }
}
