//! Keys and signatures, against the example note that golang.org/x/mod/sumdb/note publishes.

use super::*;
use crate::named_key::{KEY_NAME_BYTES_MAX, encode};
use crate::{NOTE_BYTES_MAX, empty_root, leaf_hash};

const NEUMANN: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const TEXT: &str =
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const NEUMANN_LINE: &str =
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
/// The same text signed by the key whose seed is all zeros.
const ENOCH_LINE: &str =
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n";

fn log_key() -> SigningKey {
    SigningKey::from_seed("log.example/events", &[7; 32]).unwrap()
}

fn checkpoint(origin: &str) -> Checkpoint {
    Checkpoint { origin: origin.into(), size: 1, root: leaf_hash(b"one") }
}

#[test]
fn the_published_note_opens_with_the_published_key() {
    let key = VerifyingKey::parse(NEUMANN).unwrap();
    assert_eq!((key.name(), key.to_vkey().as_str()), ("PeterNeumann", NEUMANN));
    for lines in [NEUMANN_LINE.into(), [NEUMANN_LINE, ENOCH_LINE].concat(), [ENOCH_LINE, NEUMANN_LINE].concat()] {
        assert_eq!(key.open_text(&format!("{TEXT}\n{lines}")), Ok(TEXT));
    }
}

#[test]
fn signing_the_published_text_with_the_published_seed_gives_the_published_signature() {
    let key = SigningKey::from_seed("EnochRoot", &[0; 32]).unwrap();
    assert_eq!(key.sign_text(TEXT), format!("{TEXT}\n{ENOCH_LINE}"));
}

fn check_open(note: &str, expected: Result<&str, LedgerError>) {
    let opened = VerifyingKey::parse(NEUMANN).unwrap().open_text(note);
    assert_eq!(opened, expected, "{note:.300}");
}

#[test]
fn a_note_is_refused_unless_this_key_signed_this_text() {
    let unsigned = Err(LedgerError::BadNote("it has no signature by this key"));
    check_open(&format!("{TEXT}\n{ENOCH_LINE}"), unsigned.clone());
    check_open(&format!("{TEXT}\n{}", NEUMANN_LINE.replace("PeterNeumann", "EnochRoot")), unsigned.clone());
    check_open(&format!("{TEXT}\n{}", NEUMANN_LINE.replace("x08g", "x18g")), unsigned);

    check_open(&format!("{TEXT} \n\n{NEUMANN_LINE}"), Err(LedgerError::BadSignature));
    check_open(&format!("{TEXT}\n\n{NEUMANN_LINE}"), Err(LedgerError::BadSignature));
    let forged = NEUMANN_LINE.replace("ZJku", "ZJkv");
    check_open(&format!("{TEXT}\n{forged}"), Err(LedgerError::BadSignature));
    check_open(&format!("{TEXT}\n{NEUMANN_LINE}{forged}"), Err(LedgerError::BadSignature));
    check_open(&format!("{TEXT}\n— PeterNeumann x08gowE=\n"), Err(LedgerError::BadSignature));
}

#[test]
fn a_signed_checkpoint_opens_to_itself() {
    let key = log_key();
    let head = checkpoint("log.example/events");
    let note = key.sign(&head);
    assert_eq!(key.verifying_key().open(&note), Ok(head.clone()));
    let cosigned = format!("{note}— witness.example AAAAAQI=\n");
    assert_eq!(key.verifying_key().open(&cosigned), Ok(head));
}

#[test]
fn a_checkpoint_of_another_origin_is_refused_even_if_its_signature_is_valid() {
    let note = log_key().sign(&checkpoint("log.example/other"));
    let refused = Err(LedgerError::BadNote("its origin is not the name of the key"));
    assert_eq!(log_key().verifying_key().open(&note), refused);
}

#[test]
fn a_note_longer_than_the_bound_is_refused_before_anything_is_verified() {
    let note = log_key().sign_text(&"x\n".repeat(NOTE_BYTES_MAX / 2));
    assert_eq!(log_key().verifying_key().open(&note), Err(LedgerError::BadNote("it is too long")));
}

#[test]
fn a_changed_byte_anywhere_in_the_signed_text_is_refused() {
    let key = log_key();
    let head = Checkpoint { origin: "log.example/events".into(), size: 12_345, root: empty_root() };
    let note = key.sign(&head);
    for at in 0..head.body().len() {
        let mut bytes = note.clone().into_bytes();
        bytes[at] ^= 1;
        let changed = String::from_utf8(bytes).unwrap();
        assert!(key.verifying_key().open(&changed).is_err(), "{changed}");
    }
}

#[test]
fn a_private_key_round_trips_through_its_text() {
    let key = log_key();
    let text = key.to_text();
    assert!(text.starts_with("PRIVATE+KEY+log.example/events+"));
    let read = SigningKey::from_text(&text).unwrap();
    assert_eq!(read.verifying_key(), key.verifying_key());
    assert_eq!(read.to_text(), text);
}

#[test]
fn debug_shows_the_name_of_a_private_key_and_nothing_else() {
    assert_eq!(format!("{:?}", log_key()), r#"SigningKey { name: "log.example/events", .. }"#);
}

fn check_name(name: &str, expected: &'static str) {
    let refused = LedgerError::BadKey(expected);
    assert_eq!(SigningKey::from_seed(name, &[1; 32]).err(), Some(refused), "{name:?}");
}

#[test]
fn a_key_name_has_no_spaces_and_no_plus() {
    for name in ["", " ", "a b", "a+b", "a\nb", "a\tb", "a\u{2003}b", "a\u{0}b"] {
        check_name(name, "its name is empty or contains a space or a plus");
    }
    check_name(&"n".repeat(KEY_NAME_BYTES_MAX + 1), "its name is too long");
}

fn check_vkey(vkey: &str, expected: LedgerError) {
    assert_eq!(VerifyingKey::parse(vkey), Err(expected), "{vkey}");
}

#[test]
fn a_malformed_public_key_is_refused() {
    check_vkey("", LedgerError::BadKey("it is not name+id+key"));
    check_vkey("PeterNeumann+c74f20a3", LedgerError::BadKey("it is not name+id+key"));
    check_vkey(
        &NEUMANN.replace("c74f20a3", "c74f20a4"),
        LedgerError::BadKey("its key id does not match the public key"),
    );
    check_vkey(
        &NEUMANN.replace("c74f20a3", "0c74f20a3"),
        LedgerError::BadKey("its key id does not match the public key"),
    );
    check_vkey(
        &NEUMANN.replace("PeterNeumann", "PeterNeumanm"),
        LedgerError::BadKey("its key id does not match the public key"),
    );
    check_vkey(&NEUMANN.replace("+ARpc", "+AhpC"), LedgerError::BadKey("it is not an Ed25519 key"));
    check_vkey("name+00000000+", LedgerError::BadKey("it is not an Ed25519 key"));
    check_vkey("name+00000000+AQ==", LedgerError::BadLength { expected_bytes: 32, actual_bytes: 0 });
    check_vkey(&format!("{NEUMANN}!"), LedgerError::BadEncoding("base64"));
    // y = 1 is the neutral element, of order one; y = 2 is on no point.
    check_vkey(
        &encode("name", [0; 4], Algorithm::Ed25519, &little_endian(1)),
        LedgerError::BadKey("it is a weak key: anyone could forge its signatures"),
    );
    check_vkey(
        &encode("name", [0; 4], Algorithm::Ed25519, &little_endian(2)),
        LedgerError::BadKey("it is not a point on the curve"),
    );
}

#[test]
fn a_malformed_private_key_is_refused() {
    let text = log_key().to_text();
    for (changed, expected) in [
        (text.replace("PRIVATE+", ""), LedgerError::BadKey("it is not a private key")),
        (text.replace("events", "event"), LedgerError::BadKey("its key id does not match the public key")),
        (text.replace("BwcH", "BwcI"), LedgerError::BadKey("its key id does not match the public key")),
        (format!("{text}AAAA"), LedgerError::BadLength { expected_bytes: 32, actual_bytes: 35 }),
        (format!("{text}A"), LedgerError::BadEncoding("base64")),
    ] {
        assert_eq!(SigningKey::from_text(&changed).err(), Some(expected));
    }
}

fn little_endian(y: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[0] = y;
    bytes
}
