//! Reads labelled rows from JSON Lines, plain or gzipped.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use flate2::read::GzDecoder;
use serde::de::DeserializeOwned;

/// Reads the file `name` (such as `toxicity/surge.jsonl.gz`) in the data folder.
pub(crate) fn rows<T: DeserializeOwned>(data: &Path, name: &str) -> io::Result<Vec<T>> {
    let file = File::open(data.join(name)).map_err(|error| io::Error::other(format!("{name}: {error}")))?;
    let input: Box<dyn Read> = if name.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let lines = BufReader::new(input).lines();
    lines
        .enumerate()
        .map(|(n, line)| {
            serde_json::from_str(&line?).map_err(|error| io::Error::other(format!("{name}, line {}: {error}", n + 1)))
        })
        .collect()
}
