mod bounds;
mod files;
mod mappings;
mod rows;

use std::io::Read;

use super::*;

const HEADER: &str = "transaction_id,user_id,amount,currency,occurred_at";

/// Gives out a few bytes at a time, in sizes that repeat.
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

fn read(bytes: &[u8], map: &str) -> Vec<Row> {
    open(bytes, map).unwrap().collect()
}

/// Ids of rows that were taken; errors of those that were not.
fn outcome(row: &Row) -> String {
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
