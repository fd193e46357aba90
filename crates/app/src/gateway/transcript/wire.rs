//! A chunk of a streamed completion in its wire format.

use std::{borrow::Cow, collections::HashMap};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

/// The fields of a chunk that the gateway reads.
#[derive(Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    pub(super) model: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) choices: Option<Vec<ChoiceDelta<'a>>>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct ChoiceDelta<'a> {
    #[serde(default)]
    pub(super) index: Option<u32>,
    #[serde(borrow, default)]
    pub(super) delta: Option<HashMap<Cow<'a, str>, &'a RawValue>>,
    /// Some servers send whole messages in events, or the text alone.
    #[serde(borrow, default)]
    pub(super) message: Option<HashMap<Cow<'a, str>, &'a RawValue>>,
    #[serde(borrow, default)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) logprobs: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct ToolCallDelta<'a> {
    #[serde(default)]
    pub(super) index: Option<u32>,
    #[serde(borrow, default)]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(super) function: Option<FunctionDelta<'a>>,
    /// The fields of other kinds of tools.
    #[serde(borrow, flatten)]
    pub(super) others: HashMap<Cow<'a, str>, Value>,
}

#[derive(Deserialize)]
pub(super) struct FunctionDelta<'a> {
    #[serde(borrow, default)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(default)]
    pub(super) arguments: Option<Value>,
}
