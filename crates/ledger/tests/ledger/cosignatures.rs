//! Cosignatures, compared with a checkpoint that real witnesses cosigned and with a second implementation of the specification.

use countersign_ledger::{
    Checkpoint, Hash, LedgerError, SigningKey, VerifyingKey, WitnessKey, WitnessSigningKey, with_cosignature,
};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use signed_note::{Note, Verifier, VerifierList};

/// A staging log of the transparency.dev project, cosigned by four public witnesses.
const PUBLIC: &str = "arche2025h1.staging.ct.transparency.dev
1432088532
U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

— arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
— arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
— transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
— witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
— remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
— witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==
";
const PUBLIC_LOG: &str =
    "arche2025h1.staging.ct.transparency.dev+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f";
const PUBLIC_WITNESS: &str = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2";

#[test]
fn a_checkpoint_that_public_witnesses_cosigned_verifies() {
    let opened = VerifyingKey::parse(PUBLIC_LOG).unwrap().open(PUBLIC).unwrap();
    assert_eq!(opened.size, 1_432_088_532);
    let witness = WitnessKey::parse(PUBLIC_WITNESS).unwrap();
    assert_eq!(witness.to_vkey(), PUBLIC_WITNESS);
    assert_eq!(witness.cosignature_on(PUBLIC).unwrap().time_s, 0x6a12_2120);
    for (from, to) in [("1432088532", "1432088533"), ("AAABqEiEgPl", "AAABqEiEhPl"), ("U7WM", "U7WN")] {
        assert_eq!(witness.cosignature_on(&PUBLIC.replace(from, to)), Err(LedgerError::BadSignature), "{to}");
    }
}

#[test]
fn a_log_key_is_not_a_witness_key_and_vice_versa() {
    assert_eq!(WitnessKey::parse(PUBLIC_LOG), Err(LedgerError::BadKey("it is not a witness's Ed25519 key")));
    assert_eq!(VerifyingKey::parse(PUBLIC_WITNESS), Err(LedgerError::BadKey("it is not an Ed25519 key")));
}

fn note(size: u64) -> String {
    let head = Checkpoint { origin: "log".into(), size, root: Hash::from_bytes([9; 32]) };
    SigningKey::from_seed("log", &[1; 32]).unwrap().sign(&head)
}

#[test]
fn a_newer_cosignature_replaces_an_older_one_of_the_same_witness() {
    let [a, b] = [("a", 2), ("b", 3)].map(|(name, seed)| WitnessSigningKey::from_seed(name, &[seed; 32]).unwrap());
    let signed = note(5);
    let mut cosigned = with_cosignature(&signed, &a.cosign(&signed, 100).unwrap()).unwrap();
    cosigned = with_cosignature(&cosigned, &b.cosign(&signed, 101).unwrap()).unwrap();
    cosigned = with_cosignature(&cosigned, &a.cosign(&signed, 102).unwrap()).unwrap();
    assert!(cosigned.starts_with(&signed));
    assert_eq!(cosigned.lines().filter(|line| line.starts_with("— ")).count(), 3);
    assert_eq!(a.witness_key().cosignature_on(&cosigned).unwrap().time_s, 102);
    assert_eq!(b.witness_key().cosignature_on(&cosigned).unwrap().time_s, 101);
}

#[test]
fn only_valid_lines_of_the_witness_itself_count() {
    let [ours, other] =
        [("a", 2), ("b", 3)].map(|(name, seed)| WitnessSigningKey::from_seed(name, &[seed; 32]).unwrap());
    let signed = note(5);
    let (mine, theirs) = (ours.cosign(&signed, 7).unwrap().line, other.cosign(&signed, 8).unwrap().line);
    let of_another_note = ours.cosign(&note(6), 7).unwrap().line;
    let read = |answer: &str| ours.witness_key().cosignature_in(&signed, answer).map(|cosignature| cosignature.time_s);
    assert_eq!(read(&format!("{theirs}{mine}")), Ok(7));
    assert_eq!(read(&theirs), Err(LedgerError::BadNote("it has no cosignature by this witness")));
    assert_eq!(read(&of_another_note), Err(LedgerError::BadSignature));
    for malformed in ["", "\n", "ok", mine.trim_end(), &format!("x\n\n{mine}")] {
        assert!(read(malformed).is_err(), "{malformed:?}");
    }
}

#[test]
fn a_time_beyond_the_specifications_limit_is_refused() {
    let witness = WitnessSigningKey::from_seed("w", &[2; 32]).unwrap();
    let signed = note(1);
    for (time_s, expected) in [(u64::MAX >> 1, true), ((u64::MAX >> 1) + 1, false)] {
        let cosigned = with_cosignature(&signed, &witness.cosign(&signed, time_s).unwrap()).unwrap();
        assert_eq!(witness.witness_key().cosignature_on(&cosigned).is_ok(), expected, "{time_s}");
    }
}

#[test]
fn a_private_key_of_a_witness_round_trips_and_debug_hides_it() {
    let key = WitnessSigningKey::from_seed("witness.example/w1", &[4; 32]).unwrap();
    let read = WitnessSigningKey::from_text(&key.to_text()).unwrap();
    assert_eq!(read.witness_key(), key.witness_key());
    assert_eq!(format!("{key:?}"), r#"WitnessSigningKey { name: "witness.example/w1", .. }"#);
    assert!(SigningKey::from_text(&key.to_text()).is_err());
}

#[test]
fn a_keys_fingerprint_is_the_hash_of_its_bytes_and_does_not_depend_on_its_name() {
    let key = SigningKey::from_seed("a", &[5; 32]).unwrap();
    let renamed = key.named("b").unwrap();
    assert_eq!(key.verifying_key().fingerprint(), renamed.verifying_key().fingerprint());
    assert_eq!(renamed.verifying_key().name(), "b");
    let other = SigningKey::from_seed("a", &[6; 32]).unwrap();
    assert_ne!(key.verifying_key().fingerprint(), other.verifying_key().fingerprint());
}

/// A second implementation of the specification, as a verifier for the `signed_note` crate.
struct Cosigner {
    name: String,
    id: u32,
    key: ed25519_dalek::VerifyingKey,
}

impl Verifier for Cosigner {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> u32 {
        self.id
    }

    fn verify(&self, text: &[u8], signature: &[u8]) -> bool {
        let (time, signature) = signature.split_at(8);
        let time = u64::from_be_bytes(time.try_into().unwrap());
        let mut message = format!("cosignature/v1\ntime {time}\n").into_bytes();
        message.extend_from_slice(text);
        let signature = ed25519_dalek::Signature::from_slice(signature).unwrap();
        self.key.verify_strict(&message, &signature).is_ok()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn other_implementations_verify_our_cosignatures(name in "[a-z0-9.é]{1,20}(/[a-z]{1,9})?", seed: [u8; 32], size: u64, time_s in 0..=u64::MAX >> 1) {
        let witness = WitnessSigningKey::from_seed(&name, &seed).unwrap();
        let signed = note(size);
        let cosigned = with_cosignature(&signed, &witness.cosign(&signed, time_s).unwrap()).unwrap();
        let key = ed25519_dalek::SigningKey::from_bytes(&seed).verifying_key();
        let id = signed_note::key_id(&name, &[&[4][..], key.as_bytes()].concat());
        let verifiers = VerifierList::new(vec![Box::new(Cosigner { name, id, key })]);
        let (verified, others) = Note::from_bytes(cosigned.as_bytes()).unwrap().verify(&verifiers).unwrap();
        prop_assert_eq!((verified.len(), others.len()), (1, 1));
    }

    #[test]
    fn no_input_makes_a_parser_panic(text in "(\\PC|\n|— |\\+|old ){0,200}") {
        let key = WitnessSigningKey::from_seed("log", &[3; 32]).unwrap();
        prop_assert!(key.cosign(&text, 1).is_err());
        prop_assert!(key.witness_key().cosignature_on(&text).is_err());
        prop_assert!(key.witness_key().cosignature_in(&note(3), &text).is_err());
        prop_assert!(WitnessKey::parse(&text).is_err());
    }
}
