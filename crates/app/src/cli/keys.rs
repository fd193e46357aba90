//! `countersign keys`: uses the running server if there is one, and the store itself otherwise.

use countersign_domain::{Invalid, KeyId, Role, Time};
use countersign_store::{AccessKey, Seams, Store, StoreError, Threading};
use hyper::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{
    arguments::{CreateKeyFlags, KeysCommand, KeysFlags, ListKeysFlags, LocationFlags, RevokeKeyFlags},
    client::Client,
    config,
    failure::Failure,
    say,
};
use crate::{KeyRing, keys::KeyError};

pub(super) fn run(flags: &KeysFlags) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("could not start the async runtime: {error}")))?;
    runtime.block_on(async {
        match &flags.command {
            KeysCommand::Create(flags) => create(flags).await,
            KeysCommand::List(flags) => list(flags).await,
            KeysCommand::Revoke(flags) => revoke(flags).await,
        }
    })
}

/// How to reach the keys: through the running server, or in the store.
enum KeyAccess {
    Server(Client),
    Store(Store, KeyRing),
}

impl KeyAccess {
    /// For commands on existing keys, which must not create a store.
    async fn open_existing(location: &LocationFlags) -> Result<Self, Failure> {
        let store = config::store_location(&config::read(location, &[])?)?;
        if store.check_exists().is_err() {
            let dir = store.dir();
            let why = if dir.path().exists() { "there is no store here" } else { "there is no such directory" };
            return Err(Failure::new(format!("{}: {why}", dir.path().display()))
                .help("name the data directory with --data-dir; `countersign keys create` creates a new one"));
        }
        Self::open(location).await
    }

    async fn open(location: &LocationFlags) -> Result<Self, Failure> {
        let location = config::store_location(&config::read(location, &[])?)?;
        let seams = Seams::system()
            .map_err(|error| Failure::new(format!("the system has no source of randomness: {error}")))?;
        match Store::open(&location, Threading::Threaded, seams) {
            Ok(store) => {
                let keys = KeyRing::load(&store).await?;
                Ok(Self::Store(store, keys))
            }
            Err(StoreError::InUse { .. }) => Ok(Self::Server(Client::of(location.dir())?)),
            Err(error) => Err(error.into()),
        }
    }

    async fn close(self) -> Result<(), Failure> {
        match self {
            Self::Server(_) => Ok(()),
            Self::Store(store, _) => Ok(store.close().await?),
        }
    }
}

async fn create(flags: &CreateKeyFlags) -> Result<(), Failure> {
    let role: Role = flags.role.parse().map_err(|error: Invalid| Failure::new(format!("--role: {}", error.reason)))?;
    let expires_at = flags.expires.as_deref().map(expiry).transpose()?;
    let access = KeyAccess::open(&flags.location).await?;
    let (key, about) = match &access {
        KeyAccess::Server(client) => {
            let new = json!({"role": role, "name": flags.name, "expires_at": expires_at});
            let mut created = client.call(Method::POST, "/api/keys", Some(&new)).await?;
            let key = created.get("key").and_then(Value::as_str).unwrap_or_default().to_owned();
            created.as_object_mut().map(|fields| fields.remove("key"));
            (key, created)
        }
        KeyAccess::Store(_, keys) => {
            let (raw, key) = keys.create(role, &flags.name, expires_at, "local").await.map_err(explain)?;
            (raw.expose().to_owned(), key_json(&key))
        }
    };
    access.close().await?;
    if flags.json {
        return say(&json!({"key": key, "about": about}).to_string());
    }
    let id = about.get("id").and_then(Value::as_str).unwrap_or_default();
    say(&key)?;
    say(&format!("This is {role} key {id} for {}. It is shown only once; keep it safe.", flags.name))
}

async fn list(flags: &ListKeysFlags) -> Result<(), Failure> {
    let access = KeyAccess::open_existing(&flags.location).await?;
    let keys = match &access {
        KeyAccess::Server(client) => all_keys(client).await?,
        KeyAccess::Store(_, keys) => keys.list().iter().map(key_json).collect(),
    };
    access.close().await?;
    if flags.json {
        return say(&Value::from(keys).to_string());
    }
    if keys.is_empty() {
        return say("No keys yet. Create one: countersign keys create --role admin --name \"…\"");
    }
    say(&table(&keys))
}

async fn all_keys(client: &Client) -> Result<Vec<Value>, Failure> {
    let mut keys = Vec::new();
    let mut after = String::new();
    loop {
        let mut page = client.call(Method::GET, &format!("/api/keys?limit=500{after}"), None).await?;
        if let Some(Value::Array(items)) = page.get_mut("items").map(Value::take) {
            keys.extend(items);
        }
        match page.get("next").and_then(Value::as_str) {
            Some(next) => after = format!("&after={next}"),
            None => return Ok(keys),
        }
    }
}

async fn revoke(flags: &RevokeKeyFlags) -> Result<(), Failure> {
    let id = KeyId::try_from(flags.id.clone())
        .map_err(|error| Failure::new(error.to_string()).help("`countersign keys list` shows the ids"))?;
    let access = KeyAccess::open_existing(&flags.location).await?;
    match &access {
        KeyAccess::Server(client) => drop(client.call(Method::DELETE, &format!("/api/keys/{id}"), None).await?),
        KeyAccess::Store(_, keys) => drop(keys.revoke(&id, "local").await.map_err(explain)?),
    }
    access.close().await?;
    say(&format!("Key {id} is revoked"))
}

fn explain(error: KeyError) -> Failure {
    match error {
        KeyError::Store(StoreError::NotFound) => {
            Failure::new("there is no such key").help("`countersign keys list` shows the ids")
        }
        KeyError::Store(error) => error.into(),
        other => Failure::new(other.to_string()),
    }
}

fn key_json(key: &AccessKey) -> Value {
    json!({
        "id": key.id, "name": key.name, "role": key.role, "created_at": key.created_at,
        "expires_at": key.expires_at, "revoked_at": key.revoked_at,
    })
}

/// Parses a number of days, such as `90d`, or a time.
fn expiry(given: &str) -> Result<Time, Failure> {
    let days =
        given.strip_suffix('d').and_then(|days| days.parse::<i64>().ok()).filter(|days| (1..=36_500).contains(days));
    if let Some(days) = days {
        return Ok(Time::from_timestamp(Timestamp::now() + SignedDuration::from_hours(24 * days)));
    }
    given.parse().map_err(|_| {
        Failure::new(format!("--expires: {given:?} is neither a number of days nor a time"))
            .help("use days such as 90d, or a time such as 2027-01-31T00:00:00Z")
    })
}

fn table(keys: &[Value]) -> String {
    let now = Time::from_timestamp(Timestamp::now()).to_string();
    let field = |key: &Value, name: &str| key.get(name).and_then(Value::as_str).map(str::to_owned);
    let day = |time: Option<String>| time.map_or("never".to_owned(), |time| time.chars().take(10).collect());
    let state = |key: &Value| match (field(key, "revoked_at"), field(key, "expires_at")) {
        (Some(at), _) => format!("revoked {}", day(Some(at))),
        (None, Some(at)) if at <= now => "expired".to_owned(),
        _ => "active".to_owned(),
    };
    let mut rows = vec![["ID", "ROLE", "STATE", "CREATED", "EXPIRES", "NAME"].map(str::to_owned)];
    rows.extend(keys.iter().map(|key| {
        [
            field(key, "id").unwrap_or_default(),
            field(key, "role").unwrap_or_default(),
            state(key),
            day(field(key, "created_at")),
            day(field(key, "expires_at")),
            field(key, "name").unwrap_or_default(),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let line = |row: &[String; 6]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}  ")).collect::<String>();
        format!("{cells}{}", row[5])
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}
