//! Stub.
use countersign_domain::{Time, Transaction};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FraudKind {
    CardTesting,
    AccountTakeover,
    ImpossibleTravel,
    Structuring,
    BustOut,
}
pub struct Labelled {
    pub transaction: Transaction,
    pub fraud: Option<FraudKind>,
    pub arrives_at: Time,
}
pub struct Generator;
pub fn queries(_seed: u64) -> impl Iterator<Item = &'static str> {
    std::iter::empty()
}
