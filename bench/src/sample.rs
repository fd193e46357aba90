//! Sample transactions of ordinary size, and tools for measuring.

use std::{fmt::Debug, str::FromStr, sync::Arc};

use countersign_domain::{NewEvent, Transaction};
use countersign_store::{DataDir, Seams, Store, StoreLocation, Threading};

/// Writes the JSON by hand: client and server share the machine, so the client's time is lost to the server. The transactions
/// are a second apart, because simultaneous ones would raise alerts, and writing reports would be measured too.
pub(crate) fn transaction_json(n: usize) -> String {
    let (day, hour, minute, second) = (1 + n / 86_400 % 28, n / 3_600 % 24, n / 60 % 60, n % 60);
    format!(
        r#"{{"transaction_id":"tx-{n:010}","user_id":"user-{:05}","amount":{{"amount":"{}.{:02}","currency":"USD"}},"occurred_at":"2026-03-{day:02}T{hour:02}:{minute:02}:{second:02}.000000Z","merchant":"Corner Shop 17","category":"groceries","channel":"card_present","location":{{"lat":38.7223,"lon":-9.1393,"country":"PT","city":"Lisbon"}}}}"#,
        n % 5_000,
        5 + n % 400,
        n % 100
    )
}

pub(crate) fn transaction(seams: &Seams, n: usize) -> NewEvent {
    let transaction: Transaction = serde_json::from_str(&transaction_json(n)).unwrap();
    let at = transaction.occurred_at;
    NewEvent::new(seams.event_id(), transaction, at, "bench", seams.correlation_id()).unwrap()
}

/// A store in the working directory, so that it is on a real disk and not on a memory file system.
pub(crate) struct BenchStore {
    folder: tempfile::TempDir,
}

impl BenchStore {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::Builder::new().prefix("bench-").tempdir_in(".").unwrap() }
    }

    pub(crate) fn path(&self) -> &std::path::Path {
        self.folder.path()
    }

    pub(crate) fn open(&self) -> (Store, Seams) {
        let seams = Seams::system().unwrap();
        let location = StoreLocation::in_dir(DataDir::new(self.path().join("data")));
        (Store::open(&location, Threading::Threaded, seams.clone()).unwrap(), seams)
    }
}

pub(crate) fn runtime() -> Arc<tokio::runtime::Runtime> {
    Arc::new(tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap())
}

/// The value at quantile `q`, from 0 to 1, of sorted values.
pub(crate) fn quantile(sorted: &[u128], q: f64) -> u128 {
    sorted[((sorted.len() - 1) as f64 * q).round() as usize]
}

/// A number from an environment variable, or the default.
pub(crate) fn from_env<N: FromStr<Err: Debug>>(name: &str, default: N) -> N {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|error| panic!("{name}: {error:?}")))
}

/// Processor time of this process so far, in steps of 10 ms.
pub(crate) fn cpu_ms() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // Time in user mode and in the kernel.
    (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()) * 10
}

/// The processors' time so far, and how much of it the host gave to other machines (`steal` in proc_stat(5)).
pub(crate) struct MachineTime {
    all: u64,
    stolen: u64,
}

impl MachineTime {
    pub(crate) fn now() -> Self {
        let stat = std::fs::read_to_string("/proc/stat").unwrap();
        let fields: Vec<u64> =
            stat.lines().next().unwrap().split_whitespace().skip(1).map(|field| field.parse().unwrap()).collect();
        Self { all: fields.iter().take(8).sum(), stolen: fields[7] }
    }

    /// The share that the host gave to others since then.
    pub(crate) fn stolen_since(&self, before: &Self) -> f64 {
        (self.stolen - before.stolen) as f64 / (self.all - before.all).max(1) as f64
    }
}
