//! Files read from memory.

mod bounds;
mod files;
mod mappings;
mod records;

use std::io::Read;

use super::*;

const HEADER: &str = "transaction_id,user_id,amount,currency,occurred_at";

/// Returns a few bytes per read, in repeating sizes.
struct Trickle<'a> {
    bytes: &'a [u8],
    sizes: Vec<usize>,
    turn: usize,
}

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = self.sizes.get(self.turn % self.sizes.len().max(1)).copied().unwrap_or(1).max(1);
        self.turn += 1;
        let count = size.min(buffer.len()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.bytes = later;
        Ok(count)
    }
}

fn open<'a>(bytes: &'a [u8], map: &str) -> Result<Transactions<&'a [u8]>, String> {
    let mapping = Mapping::parse(map).map_err(|error| error.to_string())?;
    transactions(bytes, None, &mapping).map_err(|error| error.to_string())
}

fn read(bytes: &[u8], map: &str) -> Vec<FileRow> {
    open(bytes, map).unwrap().collect()
}

/// The id of an accepted row, or the error of a rejected one.
fn outcome(row: &FileRow) -> String {
    match &row.result {
        Ok(transaction) => transaction.transaction_id.to_string(),
        Err(error) => error.to_string(),
    }
}

/// The one transaction of a file.
fn only(bytes: &[u8], map: &str) -> Transaction {
    let [row] = read(bytes, map).try_into().unwrap();
    row.result.unwrap()
}
