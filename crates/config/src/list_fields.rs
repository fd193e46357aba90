//! The fields of the file's lists. They are read like settings, each by its kind.

use crate::settings::{Kind, MODES, ON_UNAUDITED};

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ListField {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) is_required: bool,
}

/// Above what any provider allows; stops a slipped finger, nothing else.
const USD_MAX: u64 = 1_000_000_000;
const TOKENS_MAX: u64 = 1_000_000_000_000_000;

pub(crate) const POLICIES: &[ListField] = &[
    optional("model", Kind::Pattern),
    optional("key", Kind::Text),
    required("policy", Kind::Choice(MODES)),
    optional("on_unaudited", Kind::Choice(ON_UNAUDITED)),
    optional("mask_pii", Kind::Flag),
];

pub(crate) const COMPATIBLE: &[ListField] = &[
    required("name", Kind::Name),
    required("base_url", Kind::Url),
    optional("api_key", Kind::Secret),
    optional("api_key_env", Kind::SecretVariable),
];

pub(crate) const PRICES: &[ListField] = &[
    required("provider", Kind::Word),
    required("model", Kind::Word),
    required("input_usd_per_mtok", Kind::Decimal { max: USD_MAX }),
    required("output_usd_per_mtok", Kind::Decimal { max: USD_MAX }),
];

pub(crate) const LIMITS: &[ListField] = &[
    required("provider", Kind::Word),
    optional("concurrency_max", Kind::Count { min: 1, max: 100_000 }),
    optional("requests_per_minute", Kind::Count { min: 1, max: 1_000_000_000 }),
    optional("tokens_per_minute", Kind::Count { min: 1, max: TOKENS_MAX }),
    optional("tokens_per_day", Kind::Count { min: 1, max: TOKENS_MAX }),
    optional("usd_per_day", Kind::Decimal { max: USD_MAX }),
];

pub(crate) const WEBHOOKS: &[ListField] = &[
    required("url", Kind::Target),
    optional("secret", Kind::Secret),
    optional("secret_env", Kind::SecretVariable),
    required("events", Kind::Events),
    optional("allow_private", Kind::Flag),
];

pub(crate) const WITNESSES: &[ListField] = &[required("url", Kind::Url), required("key", Kind::WitnessKey)];

const fn required(name: &'static str, kind: Kind) -> ListField {
    ListField { name, kind, is_required: true }
}

const fn optional(name: &'static str, kind: Kind) -> ListField {
    ListField { name, kind, is_required: false }
}
