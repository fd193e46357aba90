//! Signed notes from outside the data directory, and contradictions between the directory's own keys.
//!
//! Anybody who can write to the data directory can replace everything in it, so that it agrees with itself. Only something that
//! is kept elsewhere can show that: a note that somebody saved, a file of published notes, a witness.

use std::fs;

use countersign_ledger::{SigningKey, VerifyingKey};

use crate::{
    check::Check,
    data_dir::DataDir,
    error::{Result, StoreError},
    signer,
};

/// A signed checkpoint from outside the data directory. The log must be consistent with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// Its name in findings, such as `note 3 of checkpoints.txt`.
    pub label: String,
    pub note: String,
}

impl Anchor {
    pub(crate) fn expect(&self, key: &VerifyingKey, check: &mut Check) {
        match key.open(&self.note) {
            Ok(checkpoint) => check.expect_anchor(&checkpoint, &self.label),
            Err(error) => {
                let what = format!(
                    "{} was not signed by this log's key, or is damaged ({error}): the key or the origin of this log may \
                     have been replaced",
                    self.label
                );
                check.find(None, None, what);
            }
        }
    }
}

/// The public key in the directory. By itself it proves nothing, because it can be replaced like everything else there.
pub fn public_key(dir: &DataDir) -> Result<VerifyingKey> {
    let path = dir.public_key();
    let text = fs::read_to_string(&path).map_err(StoreError::io(format!("{} can't be read", path.display())))?;
    Ok(VerifyingKey::parse(text.trim())?)
}

/// The ways in which the directory's keys contradict `key`, the key that it is verified with. A private key that can't be read is
/// not compared, because a verifier need not have access to it.
pub(crate) fn key_findings(dir: &DataDir, key: &VerifyingKey) -> Vec<String> {
    let mut findings = Vec::new();
    if !signer::has_valid_name(key) {
        findings.push(format!(
            "the origin {} does not belong to this key, whose fingerprint is {}",
            key.name(),
            key.fingerprint()
        ));
    }
    match fs::read_to_string(dir.key()).map(|text| SigningKey::from_text(text.trim())) {
        Ok(Ok(private)) if private.verifying_key() != *key => {
            findings
                .push("the private key ledger.key does not belong to the public key: one of them was replaced".into());
        }
        Ok(Err(error)) => findings.push(format!("the private key ledger.key is damaged: {error}")),
        Ok(Ok(_)) | Err(_) => {}
    }
    if public_key(dir).is_ok_and(|stored| stored != *key) {
        findings.push("ledger.pub is not the key that was given: one of them belongs to another log".into());
    }
    findings
}
