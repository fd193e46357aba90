//! Checkpoints and keys exchanged with the `signed_note` and `tlog_tiles` implementations, in both directions.

use countersign_ledger::{Checkpoint, Hash, SigningKey, VerifyingKey};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use signed_note::{Note, StandardSigner, StandardVerifier, VerifierList};

const NAME: &str = "[a-z0-9.é]{1,20}(/[a-zA-Z0-9_-]{1,20})?";

fn checkpoint(origin: &str, size: u64, root: [u8; 32]) -> Checkpoint {
    Checkpoint { origin: origin.into(), size, root: Hash::from_bytes(root) }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn other_implementations_open_our_notes(name in NAME, seed: [u8; 32], size: u64, root: [u8; 32]) {
        let key = SigningKey::from_seed(&name, &seed).unwrap();
        let signed = key.sign(&checkpoint(&name, size, root));

        let note = Note::from_bytes(signed.as_bytes()).unwrap();
        let verifier = StandardVerifier::new(&key.verifying_key().to_vkey()).unwrap();
        prop_assert!(note.verify(&VerifierList::new(vec![Box::new(verifier)])).is_ok());
        let read = tlog_tiles::Checkpoint::from_bytes(note.text()).unwrap();
        prop_assert_eq!((read.origin(), read.size(), read.hash().0), (name.as_str(), size, root));
    }

    #[test]
    fn we_open_notes_of_other_implementations(name in NAME, seed: [u8; 32], size: u64, root: [u8; 32]) {
        let key = SigningKey::from_seed(&name, &seed).unwrap();
        let theirs = tlog_tiles::Checkpoint::new(&name, size, tlog_tiles::Hash(root), "an extension\n").unwrap();
        let mut note = Note::new(&theirs.to_bytes(), &[]).unwrap();
        let witness = SigningKey::from_seed("witness.example", &[1; 32]).unwrap();
        let signers = [&witness, &key].map(|key| StandardSigner::new(&key.to_text()).unwrap());
        note.add_sigs(&[&signers[0], &signers[1]]).unwrap();

        let signed = String::from_utf8(note.to_bytes()).unwrap();
        prop_assert_eq!(key.verifying_key().open(&signed), Ok(checkpoint(&name, size, root)));
    }

    #[test]
    fn keys_and_bodies_round_trip_through_their_text_forms(name in NAME, seed: [u8; 32], size: u64, root: [u8; 32]) {
        let key = SigningKey::from_seed(&name, &seed).unwrap();
        prop_assert_eq!(VerifyingKey::parse(&key.verifying_key().to_vkey()), Ok(key.verifying_key()));
        let read = SigningKey::from_text(&key.to_text()).unwrap();
        prop_assert_eq!(read.verifying_key(), key.verifying_key());
        let head = checkpoint(&name, size, root);
        prop_assert_eq!(Checkpoint::parse_body(&head.body()), Ok(head));
    }

    #[test]
    fn no_input_makes_a_parser_panic(text in "(\\PC|\n|— |\\+){0,200}") {
        let key = SigningKey::from_seed("log", &[3; 32]).unwrap().verifying_key();
        prop_assert!(key.open(&text).is_err());
        prop_assert!(VerifyingKey::parse(&text).is_err());
        prop_assert!(SigningKey::from_text(&text).is_err());
        let _ = Checkpoint::parse_body(&text);
        let _ = Hash::from_hex(&text);
        let _ = Hash::from_base64(&text);
    }
}
