//! The gateway's policies: what it does with an answer, by model and caller.

use crate::layers::ResolvedSettings;
use crate::list_entries::ListEntry;

#[derive(Clone, Debug)]
pub struct GatewayConfig {
    pub default: Policy,
    /// In the order of the file. The first match applies.
    pub policies: Vec<PolicyRule>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    pub mode: PolicyMode,
    pub on_unaudited: OnUnaudited,
    pub mask_pii: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyMode {
    /// The answer is released once it is recorded, and audited afterwards.
    Observe,
    /// The answer waits for its audit.
    Enforce,
}

/// What happens to an answer whose audit failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnUnaudited {
    Allow,
    Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRule {
    /// A model's whole name, or a prefix followed by `*`. `None` means every model.
    pub model: Option<String>,
    /// An access key's id or name. `None` means every caller.
    pub key: Option<String>,
    pub policy: Policy,
}

impl GatewayConfig {
    pub(crate) fn from_values(values: &ResolvedSettings) -> Self {
        let default = Policy {
            mode: PolicyMode::from_text(&values.text("gateway.policy")),
            on_unaudited: OnUnaudited::from_text(&values.text("gateway.on_unaudited")),
            mask_pii: values.flag("gateway.mask_pii"),
        };
        let policies =
            values.entries("gateway.policies").iter().map(|entry| PolicyRule::from_entry(entry, default)).collect();
        Self { default, policies }
    }

    /// The policy for a model with any of the names in `models`, and a caller with any of the names in `names` (a key's id and
    /// its name).
    pub fn policy_for(&self, models: &[&str], names: &[&str]) -> Policy {
        self.policies.iter().find(|rule| rule.matches(models, names)).map_or(self.default, |rule| rule.policy)
    }
}

impl PolicyRule {
    fn from_entry(entry: &ListEntry, default: Policy) -> Self {
        let policy = Policy {
            mode: entry.text("policy").map_or(default.mode, PolicyMode::from_text),
            on_unaudited: entry.text("on_unaudited").map_or(default.on_unaudited, OnUnaudited::from_text),
            mask_pii: entry.flag("mask_pii").unwrap_or(default.mask_pii),
        };
        Self { model: entry.text("model").map(str::to_owned), key: entry.text("key").map(str::to_owned), policy }
    }

    fn matches(&self, models: &[&str], names: &[&str]) -> bool {
        let model_matches = self.model.as_deref().is_none_or(|pattern| match pattern.strip_suffix('*') {
            Some(start) => models.iter().any(|model| model.starts_with(start)),
            None => models.contains(&pattern),
        });
        model_matches && self.key.as_deref().is_none_or(|key| names.contains(&key))
    }
}

impl Policy {
    pub fn is_enforced(self) -> bool {
        self.mode == PolicyMode::Enforce
    }

    /// Whether answers are masked. Masking changes an answer, which only an enforced policy may do.
    pub fn masks(self) -> bool {
        self.is_enforced() && self.mask_pii
    }

    /// The form in which an exchange's event records its policy.
    pub fn to_json(self) -> serde_json::Value {
        serde_json::json!({
            "mode": match self.mode { PolicyMode::Observe => "observe", PolicyMode::Enforce => "enforce" },
            "on_unaudited": match self.on_unaudited { OnUnaudited::Allow => "allow", OnUnaudited::Block => "block" },
            "mask_pii": self.mask_pii,
        })
    }
}

impl PolicyMode {
    fn from_text(text: &str) -> Self {
        if text == "enforce" { Self::Enforce } else { Self::Observe }
    }
}

impl OnUnaudited {
    fn from_text(text: &str) -> Self {
        if text == "block" { Self::Block } else { Self::Allow }
    }
}
