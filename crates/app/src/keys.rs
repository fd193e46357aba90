//! Access keys: shown once when they are created, and stored only as a hash.
//!
//! A key is `cs_<id>_<secret>`. The id is public and identifies the key in logs and events; the secret is 32 random bytes.
//! Every change is recorded as an event first. The key ring is the state that results from these events, in memory because every
//! request needs it.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard},
};

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use countersign_domain::{
    Invalid, KeyId, NewEvent, Role, Time,
    payload::{Denial, KeyChange, KeyChanged},
    text,
};
use countersign_inspect::plain;
use countersign_ledger::{Hash, sha256};
use countersign_store::{AccessKey, Seams, Store, StoreError};
use subtle::ConstantTimeEq;

const PREFIX: &str = "cs_";
const LOCAL: &str = "local";
const PRODUCER: &str = "keys";
const ID_ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// An authenticated caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Caller {
    /// A caller on this machine: no key is needed, or the caller sent the running server's token.
    Local,
    Key {
        id: KeyId,
        role: Role,
    },
}

impl Caller {
    pub fn role(&self) -> Role {
        match self {
            Self::Local => Role::Admin,
            Self::Key { role, .. } => *role,
        }
    }

    /// The caller's name in logs and events.
    pub fn name(&self) -> &str {
        match self {
            Self::Local => LOCAL,
            Self::Key { id, .. } => id.as_str(),
        }
    }
}

/// A complete key. It has no `Debug`, so that it can't get into a log by accident.
pub struct RawKey(String);

impl RawKey {
    /// The key's text, for the one response that shows it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error("the key's event could not be written as JSON")]
    Event(#[from] serde_json::Error),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// All keys. Clones share their state.
#[derive(Clone)]
pub struct KeyRing {
    store: Store,
    keys: Arc<RwLock<HashMap<String, KnownKey>>>,
    /// Hash of the token that commands on the same machine use.
    local_token: Option<Hash>,
}

#[derive(Clone)]
struct KnownKey {
    key: AccessKey,
    secret: Hash,
}

impl KeyRing {
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let keys = store.access_keys().await?;
        let known = keys.into_iter().map(|key| Ok((key.id.as_str().to_owned(), known_key(key)?)));
        let keys = known.collect::<Result<_, StoreError>>()?;
        Ok(Self { store: store.clone(), keys: Arc::new(RwLock::new(keys)), local_token: None })
    }

    /// Accepts callers with this token as `local`.
    pub fn with_local_token(self, token: &str) -> Self {
        Self { local_token: Some(sha256(token.as_bytes())), ..self }
    }

    /// The name of a key.
    pub fn name_of(&self, id: &KeyId) -> Option<String> {
        self.read().get(id.as_str()).map(|known| known.key.name.clone())
    }

    /// Creates a key. Its text can't be shown again.
    pub async fn create(
        &self,
        role: Role,
        name: &str,
        expires_at: Option<Time>,
        changed_by: &str,
    ) -> Result<(RawKey, AccessKey), KeyError> {
        text::identifier("name", name, 128)?;
        self.check_not_look_alike(name)?;
        let seams = self.store.seams();
        let now = seams.now();
        if expires_at.is_some_and(|at| at <= now) {
            return Err(Invalid::new("expires_at", "must be in the future").into());
        }
        let id = new_id(seams)?;
        let secret = BASE64_URL_SAFE_NO_PAD.encode(seams.entropy.bytes::<32>());
        let key = AccessKey {
            id,
            name: name.to_owned(),
            role,
            secret_sha256: sha256(secret.as_bytes()).to_hex(),
            created_at: now,
            expires_at,
            revoked_at: None,
        };
        self.record(&key, KeyChange::Created, changed_by, now).await?;
        self.put(known_key(key.clone())?);
        Ok((RawKey(format!("{PREFIX}{}_{secret}", key.id)), key))
    }

    /// A name identifies a person. A person may have several keys with the same name, but two names must not look alike.
    fn check_not_look_alike(&self, name: &str) -> Result<(), Invalid> {
        let folded = |name: &str| {
            // Convert to capitals first, where "ß" becomes "SS".
            let letters = plain(name).to_uppercase().to_lowercase();
            letters.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        if folded(name) == LOCAL {
            return Err(Invalid::new("name", "\"local\" is reserved for callers without a key; choose another name"));
        }
        let is_alike = |other: &str| other != name && folded(other) == folded(name);
        match self.read().values().find(|known| is_alike(&known.key.name)) {
            Some(known) => {
                let reason = format!(
                    "looks like {:?}, which is in use; use exactly that name, or a clearly different one",
                    known.key.name
                );
                Err(Invalid::new("name", reason))
            }
            None => Ok(()),
        }
    }

    /// Revokes a key for good. Revoking it again changes nothing.
    pub async fn revoke(&self, id: &KeyId, changed_by: &str) -> Result<AccessKey, KeyError> {
        let found = self.read().get(id.as_str()).cloned();
        let mut revoked = found.ok_or(StoreError::NotFound)?;
        if revoked.key.revoked_at.is_none() {
            let now = self.store.seams().now();
            self.record(&revoked.key, KeyChange::Revoked, changed_by, now).await?;
            revoked.key.revoked_at = Some(now);
            self.put(revoked.clone());
        }
        Ok(revoked.key)
    }

    /// All keys, newest first, including revoked and expired ones.
    pub fn list(&self) -> Vec<AccessKey> {
        let mut keys: Vec<_> = self.read().values().map(|known| known.key.clone()).collect();
        keys.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        keys
    }

    /// The number of keys that are valid now.
    pub fn active_count(&self, now: Time) -> usize {
        self.read().values().filter(|known| check_usable(&known.key, now).is_ok()).count()
    }

    /// Checks that the key of a caller who was authenticated earlier is still valid.
    pub fn check(&self, caller: &Caller, now: Time) -> Result<(), Denial> {
        match caller {
            Caller::Local => Ok(()),
            Caller::Key { id, .. } => {
                let keys = self.read();
                check_usable(&keys.get(id.as_str()).ok_or(Denial::WrongKey)?.key, now)
            }
        }
    }

    /// Authenticates the caller with this token. The secret is compared first, so that only the key's owner learns that it has
    /// expired.
    pub fn authenticate(&self, token: &str, now: Time) -> Result<Caller, Denial> {
        if self.local_token.is_some_and(|local| same_hash(&sha256(token.as_bytes()), &local)) {
            return Ok(Caller::Local);
        }
        let (id, secret) = token.strip_prefix(PREFIX).and_then(|rest| rest.split_once('_')).ok_or(Denial::WrongKey)?;
        let given = sha256(secret.as_bytes());
        let keys = self.read();
        let known = keys.get(id).filter(|known| same_hash(&known.secret, &given)).ok_or(Denial::WrongKey)?;
        check_usable(&known.key, now)?;
        Ok(Caller::Key { id: known.key.id.clone(), role: known.key.role })
    }

    async fn record(&self, key: &AccessKey, change: KeyChange, by: &str, now: Time) -> Result<(), KeyError> {
        let changed = KeyChanged {
            key_id: key.id.clone(),
            change,
            role: key.role,
            name: key.name.clone(),
            secret_sha256: key.secret_sha256.clone(),
            expires_at: key.expires_at,
            changed_by: by.to_owned(),
            changed_at: now,
        };
        let seams = self.store.seams();
        let event = NewEvent::new(seams.event_id(), changed, now, PRODUCER, seams.correlation_id())?;
        self.store.append(vec![event]).await?;
        Ok(())
    }

    fn read(&self) -> RwLockReadGuard<'_, HashMap<String, KnownKey>> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, known: KnownKey) {
        let mut keys = self.keys.write().unwrap_or_else(PoisonError::into_inner);
        keys.insert(known.key.id.as_str().to_owned(), known);
    }
}

/// A token for commands on the same machine, valid until the server stops.
pub fn new_local_token(seams: &Seams) -> String {
    format!("{PREFIX}{LOCAL}_{}", BASE64_URL_SAFE_NO_PAD.encode(seams.entropy.bytes::<32>()))
}

/// Whether a bearer token looks like one of our keys.
pub fn is_ours(token: &str) -> bool {
    token.starts_with(PREFIX)
}

/// Whether a text may contain one of our keys, even if it is percent-encoded several times. Such a text must not be logged.
pub fn may_hold_key(text: &str) -> bool {
    const ENCODED_TIMES_MAX: usize = 4;
    let mut text = std::borrow::Cow::Borrowed(text);
    for _ in 0..ENCODED_TIMES_MAX {
        if text.to_ascii_lowercase().contains(PREFIX) {
            return true;
        }
        if !text.contains('%') {
            return false;
        }
        let decoded = percent_encoding::percent_decode_str(&text).decode_utf8_lossy().into_owned();
        if decoded == text {
            return false;
        }
        text = decoded.into();
    }
    // No legitimate path is encoded this often.
    true
}

fn new_id(seams: &Seams) -> Result<KeyId, Invalid> {
    let random: [u8; KeyId::CHARS] = seams.entropy.bytes();
    let text: String = random.iter().map(|byte| char::from(ID_ALPHABET[usize::from(byte % 32)])).collect();
    KeyId::try_from(text)
}

fn known_key(key: AccessKey) -> Result<KnownKey, StoreError> {
    let secret = Hash::from_hex(&key.secret_sha256)?;
    Ok(KnownKey { key, secret })
}

fn check_usable(key: &AccessKey, now: Time) -> Result<(), Denial> {
    if key.revoked_at.is_some() {
        return Err(Denial::RevokedKey);
    }
    if key.expires_at.is_some_and(|at| at <= now) {
        return Err(Denial::ExpiredKey);
    }
    Ok(())
}

/// Compares in constant time, so that the duration doesn't reveal how much of a guess was right.
fn same_hash(one: &Hash, other: &Hash) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use countersign_store::{DataDir, StoreLocation, Threading};

    use super::*;

    fn open(folder: &tempfile::TempDir) -> Store {
        Store::open(&StoreLocation::in_dir(DataDir::new(folder.path())), Threading::Inline, Seams::system().unwrap())
            .unwrap()
    }

    fn time(text: &str) -> Time {
        text.parse().unwrap()
    }

    #[tokio::test]
    async fn two_names_must_not_look_alike() {
        let folder = tempfile::tempdir().unwrap();
        let ring = KeyRing::load(&open(&folder)).await.unwrap();
        let create = async |name: &str| ring.create(Role::Reviewer, name, None, "local").await;
        create("Ana Ruiz").await.unwrap();
        create("Ana Ruiz").await.unwrap();
        let alike = [
            "Ana Ruiz ",
            " Ana Ruiz",
            "Ana  Ruiz",
            "ana ruiz",
            "ANA RUIZ",
            "Ana Ruíz",
            "Аna Ruiz",
            "Αna Ruiz",
            "Ａｎａ Ruiz",
            "𝐀na Ruiz",
        ];
        for alike in alike {
            let refused = create(alike).await.map(drop).unwrap_err().to_string();
            assert_eq!(
                refused,
                "name: looks like \"Ana Ruiz\", which is in use; use exactly that name, or a clearly different one",
                "{alike:?}"
            );
        }
        assert!(create("Local").await.is_err(), "the name is reserved for callers without a key");
        create("Ana").await.unwrap();
        assert_eq!(ring.list().len(), 3);
    }

    #[tokio::test]
    async fn a_key_works_until_it_expires_or_is_revoked_even_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder);
        let ring = KeyRing::load(&store).await.unwrap();
        let now = store.seams().now();
        let (raw, key) = ring.create(Role::Reviewer, "Ana", Some(time("2999-01-01T00:00:00Z")), "local").await.unwrap();
        assert_eq!(raw.expose().len(), 3 + 12 + 1 + 43);
        let caller = Caller::Key { id: key.id.clone(), role: Role::Reviewer };
        assert_eq!(ring.authenticate(raw.expose(), now), Ok(caller.clone()));
        assert_eq!(ring.authenticate(raw.expose(), time("2999-01-01T00:00:00Z")), Err(Denial::ExpiredKey));

        let again = KeyRing::load(&store).await.unwrap();
        assert_eq!(again.authenticate(raw.expose(), now), Ok(caller));
        again.revoke(&key.id, "local").await.unwrap();
        assert!(again.revoke(&key.id, "local").await.unwrap().revoked_at.is_some());
        assert_eq!(again.authenticate(raw.expose(), now), Err(Denial::RevokedKey));
        assert_eq!((again.active_count(now), again.list().len()), (0, 1));
        assert_eq!(store.known_size(), 2, "revoking twice is one event");
    }

    #[test]
    fn a_key_in_a_text_is_found_however_it_is_encoded() {
        for text in ["/cs_abc_def", "/x/CS_ABC", "/%63%73%5fabc", "/cs%5Fabc", "/%2563s%255fabc", "/a?key=cs_abc"] {
            assert!(may_hold_key(text), "{text}");
        }
        let layers = (0..9).fold("/cs_abc".replace('_', "%5f"), |text, _| text.replace('%', "%25"));
        assert!(may_hold_key(&layers));
        for text in ["", "/api/agents", "/docs/a%20b", "/%zz%", "/css/main", "/c%73"] {
            assert!(!may_hold_key(text), "{text}");
        }
    }

    #[tokio::test]
    async fn an_incomplete_or_altered_key_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder);
        let ring = KeyRing::load(&store).await.unwrap();
        let (raw, _) = ring.create(Role::Admin, "Ana", None, "local").await.unwrap();
        let now = store.seams().now();
        let whole = raw.expose();
        for wrong in [
            String::new(),
            "cs_".into(),
            "cs__".into(),
            whole[..whole.len() - 1].into(),
            format!("{whole}A"),
            whole.to_uppercase(),
            whole.replacen("cs_", "", 1),
        ] {
            assert_eq!(ring.authenticate(&wrong, now), Err(Denial::WrongKey));
        }
    }

    #[tokio::test]
    async fn the_local_token_is_admin_for_this_process_only() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder);
        let token = new_local_token(store.seams());
        let ring = KeyRing::load(&store).await.unwrap();
        let now = store.seams().now();
        assert_eq!(ring.authenticate(&token, now), Err(Denial::WrongKey));
        let ring = ring.with_local_token(&token);
        assert_eq!(ring.authenticate(&token, now), Ok(Caller::Local));
        assert_eq!(store.known_size(), 0);
    }

    #[tokio::test]
    async fn a_key_needs_a_name_and_an_expiry_in_the_future() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder);
        let ring = KeyRing::load(&store).await.unwrap();
        assert!(ring.create(Role::Agent, " ", None, "local").await.is_err());
        assert!(ring.create(Role::Agent, &"x".repeat(129), None, "local").await.is_err());
        let past = Some(time("2020-01-01T00:00:00Z"));
        assert!(ring.create(Role::Agent, "x", past, "local").await.is_err());
        assert_eq!(store.known_size(), 0);
    }
}
