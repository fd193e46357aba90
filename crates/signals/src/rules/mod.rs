//! `rule_flags`: rules from a file, written in CEL, each with a name, a weight (the points that it adds) and a message.
//!
//! | file           | job                                                                        |
//! |----------------|----------------------------------------------------------------------------|
//! | `mod.rs`       | reads and compiles a file of rules, and runs them on a transaction         |
//! | `variables.rs` | the variables that a rule may use, and their values for one transaction    |
//! | `check.rs`     | static check: names are known, operands fit their operators                |
//! | `samples.rs`   | sample transactions that every rule is run on before it applies            |
//! | `flags.rs`     | which rules held, and the signal made from them                            |
//! | `error.rs`     | why a file is refused, with line and rule                                  |
//!
//! ```toml
//! [[rules]]
//! name = "new_device"
//! weight = 15
//! message = "The device had not been used by this customer before."
//! when = "is_new_device && earlier >= 5"
//! ```
//!
//! A file is checked when it is loaded, so that a rule can't fail later: every name must be known, every operand must fit its
//! operator, and each rule is run on samples, including one without optional fields. CEL's macros and field
//! access are refused and every variable is a single value, so the time that a rule takes is bounded by its length.

mod check;
mod error;
mod flags;
mod samples;
mod variables;

use cel::{Context, IdedExpr, Value, common::types::CelBool, parser::Parser};
use data_encoding::HEXLOWER;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use toml::Spanned;

pub use error::RulesError;
pub use variables::Variable;

pub(crate) use flags::FlagsMeasurement;
pub(crate) use variables::{LocalClock, RuleVariables};

const FILE_BYTES_MAX: usize = 64 * 1024;
/// Not more, because the rules that held are the bits of one `u64`.
const RULES_MAX: usize = 64;
const NAME_CHARS_MAX: usize = 48;
const MESSAGE_CHARS_MAX: usize = 240;
const WHEN_BYTES_MAX: usize = 1_000;
const NESTING_MAX: usize = 16;

const BUILT_IN: &str = include_str!("../../rules/default.toml");

/// The rules in force.
pub struct Rules {
    rules: Vec<CompiledRule>,
    hash: String,
    /// Contains CEL's built-in functions, so that they are created only once.
    functions: Context<'static, 'static>,
}

/// One rule as written in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub name: String,
    pub weight: u8,
    pub message: String,
    pub when: String,
}

struct CompiledRule {
    rule: Rule,
    expression: IdedExpr,
    /// Whether the rule uses the hour or the weekday. The signal then says by which clock they were read.
    uses_clock: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesFile {
    #[serde(default)]
    rules: Vec<Spanned<RuleEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleEntry {
    name: String,
    weight: u8,
    message: String,
    when: Spanned<String>,
}

impl Rules {
    /// Reads and checks a file. The first error refuses the whole file.
    pub fn parse(text: &str) -> Result<Self, RulesError> {
        if text.len() > FILE_BYTES_MAX {
            return Err(RulesError::new(1, None, format!("the file is larger than {FILE_BYTES_MAX} bytes")));
        }
        let file: RulesFile = toml::from_str(text).map_err(|error| RulesError::toml(text, &error))?;
        let mut rules = Self { hash: sha256_hex(text), ..Self::default() };
        for written in file.rules {
            let rule_start = written.span().start;
            let written = written.into_inner();
            let (name, when_start) = (written.name.clone(), written.when.span().start);
            let refused = |offset| {
                let name = &name;
                move |reason| RulesError::at(text, offset, Some(name), reason)
            };
            rules.check_entry(&written).map_err(refused(rule_start))?;
            let compiled = CompiledRule::new(written).map_err(refused(when_start))?;
            rules.try_samples(&compiled).map_err(refused(when_start))?;
            rules.rules.push(compiled);
        }
        Ok(rules)
    }

    /// The rules that are part of the program.
    pub fn built_in() -> Self {
        // A test makes sure that they parse.
        Self::parse(BUILT_IN).unwrap_or_default()
    }

    /// The built-in rules as text, for operators to start from.
    pub fn built_in_text() -> &'static str {
        BUILT_IN
    }

    /// SHA-256 of the file in hex. Alerts carry it.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    pub fn names(&self) -> Vec<String> {
        self.rules.iter().map(|compiled| compiled.rule.name.clone()).collect()
    }

    /// The rules in the order of the file.
    pub fn list(&self) -> impl ExactSizeIterator<Item = &Rule> {
        self.rules.iter().map(|compiled| &compiled.rule)
    }

    pub fn len(&self) -> usize {
        self.rules.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// The variables that a rule may use.
    pub fn variables() -> &'static [Variable] {
        variables::ALL
    }

    pub(crate) fn flags(&self, variables: &RuleVariables) -> FlagsMeasurement {
        let mut flags = FlagsMeasurement::default();
        if self.rules.is_empty() {
            return flags;
        }
        let mut context = self.functions.new_inner_scope();
        context.set_variable_resolver(variables);
        for (index, compiled) in self.rules.iter().enumerate() {
            match compiled.holds(&context) {
                Ok(true) => flags.mark_held(index, compiled.rule.weight),
                Ok(false) => {}
                Err(_) => flags.mark_failed(index),
            }
        }
        flags
    }

    fn check_entry(&self, new: &RuleEntry) -> Result<(), String> {
        let is_name = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        if self.rules.len() == RULES_MAX {
            return Err(format!("there are more than {RULES_MAX} rules"));
        }
        if new.name.is_empty() || new.name.len() > NAME_CHARS_MAX || !new.name.bytes().all(is_name) {
            return Err(format!("a name is 1 to {NAME_CHARS_MAX} lower-case letters, digits and underscores"));
        }
        if self.rules.iter().any(|known| known.rule.name == new.name) {
            return Err("another rule has this name".into());
        }
        if !(1..=100).contains(&new.weight) {
            return Err("a weight is from 1 to 100".into());
        }
        countersign_domain::text::label("message", &new.message, MESSAGE_CHARS_MAX)
            .map_err(|invalid| invalid.to_string())
    }

    fn try_samples(&self, compiled: &CompiledRule) -> Result<(), String> {
        samples::for_each_sample(|what, variables| {
            let mut context = self.functions.new_inner_scope();
            context.set_variable_resolver(variables);
            compiled.holds(&context).map(|_| ()).map_err(|reason| format!("fails on {what}: {reason}"))
        })
    }
}

impl CompiledRule {
    fn new(written: RuleEntry) -> Result<Self, String> {
        let RuleEntry { name, weight, message, when } = written;
        let when = when.into_inner();
        if when.len() > WHEN_BYTES_MAX {
            return Err(format!("the expression is longer than {WHEN_BYTES_MAX} bytes"));
        }
        check::nesting(&when, NESTING_MAX)?;
        let parsed = Parser::new().error_recovery_limit(1).parse(&when);
        let expression = parsed.map_err(|errors| error::of_cel(&errors))?;
        let checked = check::expression(&expression)?;
        Ok(Self { rule: Rule { name, weight, message, when }, expression, uses_clock: checked.uses_clock })
    }

    fn holds(&self, context: &Context<'_, '_>) -> Result<bool, String> {
        let value = Value::resolve_val(&self.expression, context).map_err(|error| error.to_string())?;
        value
            .downcast_ref::<CelBool>()
            .map(|held| *held.inner())
            .ok_or_else(|| "the result is not true or false".into())
    }
}

impl Default for Rules {
    /// No rules.
    fn default() -> Self {
        Self { rules: Vec::new(), hash: sha256_hex(""), functions: Context::default() }
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rules").field("hash", &self.hash).field("names", &self.names()).finish()
    }
}

fn sha256_hex(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}
