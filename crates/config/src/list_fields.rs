//! The fields of the file's lists. They are parsed like settings, by their kind.

use crate::settings::{MODES, ON_UNAUDITED, ValueKind};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ListField {
    pub(crate) name: &'static str,
    pub(crate) kind: ValueKind,
    pub(crate) is_required: bool,
}

/// Above what any provider allows, to catch typing errors.
const USD_MAX: u64 = 1_000_000_000;
const TOKENS_MAX: u64 = 1_000_000_000_000_000;

pub(crate) const POLICIES: &[ListField] = &[
    optional("model", ValueKind::Pattern),
    optional("key", ValueKind::Text),
    required("policy", ValueKind::Choice(MODES)),
    optional("on_unaudited", ValueKind::Choice(ON_UNAUDITED)),
    optional("mask_pii", ValueKind::Flag),
];

pub(crate) const COMPATIBLE: &[ListField] = &[
    required("name", ValueKind::Name),
    required("base_url", ValueKind::Url),
    optional("api_key", ValueKind::Secret),
    optional("api_key_env", ValueKind::SecretVariable),
];

pub(crate) const PRICES: &[ListField] = &[
    required("provider", ValueKind::Word),
    required("model", ValueKind::Word),
    required("input_usd_per_mtok", ValueKind::Decimal { max: USD_MAX }),
    required("output_usd_per_mtok", ValueKind::Decimal { max: USD_MAX }),
];

pub(crate) const LIMITS: &[ListField] = &[
    required("provider", ValueKind::Word),
    optional("concurrency_max", ValueKind::Count { min: 1, max: 100_000 }),
    optional("requests_per_minute", ValueKind::Count { min: 1, max: 1_000_000_000 }),
    optional("tokens_per_minute", ValueKind::Count { min: 1, max: TOKENS_MAX }),
    optional("tokens_per_day", ValueKind::Count { min: 1, max: TOKENS_MAX }),
    optional("usd_per_day", ValueKind::Decimal { max: USD_MAX }),
];

pub(crate) const WEBHOOKS: &[ListField] = &[
    required("url", ValueKind::PostUrl),
    optional("secret", ValueKind::Secret),
    optional("secret_env", ValueKind::SecretVariable),
    required("events", ValueKind::Events),
    optional("allow_private", ValueKind::Flag),
];

pub(crate) const WITNESSES: &[ListField] = &[required("url", ValueKind::Url), required("key", ValueKind::WitnessKey)];

const fn required(name: &'static str, kind: ValueKind) -> ListField {
    ListField { name, kind, is_required: true }
}

const fn optional(name: &'static str, kind: ValueKind) -> ListField {
    ListField { name, kind, is_required: false }
}
