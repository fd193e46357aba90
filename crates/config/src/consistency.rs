//! Checks that involve more than one setting: what a profile or a choice requires, and values that contradict each other.

use std::collections::BTreeSet;

use crate::layers::ResolvedSettings;
use crate::list_entries::ListEntry;
use crate::models::ModelChoice;
use crate::problem::{Problem, ProblemPlace, quoted};
use crate::providers::{self, KNOWN};
use crate::settings::{self, HOSTED_NEEDS};
use crate::suggest::nearest;
use crate::{Config, Profile, ledger, webhooks};

/// Adds the problems that it finds to those of the values.
pub(crate) fn check(values: &mut ResolvedSettings, config: &Config) {
    let mut problems = Vec::new();
    let mut needs = RequiredSettings::default();
    if config.profile == Profile::Hosted {
        needs.add_all(HOSTED_NEEDS, "the hosted profile needs it");
    }
    let names = ProviderNames::of(values);
    check_choices(values, config, &names, &mut problems);
    require_provider_keys(config, &mut needs);
    check_supabase(values, &mut needs);
    check_database(values, config, &mut problems);
    needs.report(values, &mut problems);
    check_body_limits(values, config, &mut problems);
    check_compatible(values, &mut problems);
    check_prices_and_limits(values, &names, &mut problems);
    check_policies(values, config, &mut problems);
    webhooks::check(values, &mut problems);
    refuse_repeated(values.entries("webhooks.targets"), &["url"], &mut problems);
    ledger::check(values, &config.ledger, &mut problems);
    refuse_repeated(values.entries("ledger.witnesses"), &["url"], &mut problems);
    // The same witness at two addresses counts once.
    refuse_repeated(values.entries("ledger.witnesses"), &["key"], &mut problems);
    values.problems.extend(problems);
}

/// Settings that must be given, and why. Each is reported once, with the first reason.
#[derive(Default)]
struct RequiredSettings(Vec<(&'static str, String)>);

impl RequiredSettings {
    fn add(&mut self, key: &'static str, why: impl Into<String>) {
        if !self.0.iter().any(|(known, _)| *known == key) {
            self.0.push((key, why.into()));
        }
    }

    fn add_all(&mut self, keys: &[&'static str], why: &str) {
        keys.iter().for_each(|key| self.add(key, why));
    }

    fn report(&self, values: &ResolvedSettings, problems: &mut Vec<Problem>) {
        for (key, why) in &self.0 {
            let Some(setting) = settings::find(key).filter(|setting| values.is_missing(setting)) else { continue };
            let place = ProblemPlace::Variable(setting.variable.unwrap_or(setting.key).to_owned());
            problems.push(Problem::new(place, "is not set", why));
        }
    }
}

/// The names of all providers that can be chosen.
struct ProviderNames<'a> {
    names: Vec<&'a str>,
    /// False if one of the file's providers has no valid name. Then an unknown name may refer to that provider.
    is_complete: bool,
}

impl<'a> ProviderNames<'a> {
    fn of(values: &'a ResolvedSettings) -> Self {
        let compatible: Vec<Option<&str>> =
            values.entries("providers.compatible").iter().map(|entry| entry.text("name")).collect();
        let is_complete = values.file_is_whole && !compatible.contains(&None);
        Self {
            names: KNOWN.iter().map(|known| known.name).chain(compatible.into_iter().flatten()).collect(),
            is_complete,
        }
    }

    /// The problem with a provider's name, if there is one. `others` are words that are valid too.
    fn problem_with(&self, name: &str, others: &[&str], place: ProblemPlace) -> Option<Problem> {
        if !self.is_complete || self.names.contains(&name) {
            return None;
        }
        let near = nearest(name, self.names.iter().chain(others).copied());
        let help = near.map_or_else(
            || format!("write one of {}, or add it as [[providers.compatible]]", self.names.join(", ")),
            |near| format!("did you mean `{near}`?"),
        );
        Some(Problem::new(place, format!("{} is not a known provider", quoted(name)), help))
    }
}

fn check_choices(values: &ResolvedSettings, config: &Config, names: &ProviderNames, problems: &mut Vec<Problem>) {
    for (role, choice) in config.models.roles() {
        let Some(place) = values.place(role) else { continue };
        let keyword = if role == "worker" { "simulated" } else { "builtin" };
        let problem = match choice {
            ModelChoice::Builtin if role == "worker" => {
                let help = "write simulated, provider or provider/model";
                Some(Problem::new(place, "there is no built-in worker: answering queries needs a model", help))
            }
            ModelChoice::Simulated if !["worker", "writer"].contains(&role) => {
                let help = "write builtin, provider or provider/model";
                let wrong = format!("only the worker and the writer can be simulated, not the {role}");
                Some(Problem::new(place, wrong, help))
            }
            ModelChoice::Simulated | ModelChoice::Builtin => None,
            ModelChoice::Model { provider, model } => {
                names.problem_with(provider, &[keyword], place.clone()).or_else(|| {
                    let help = format!("write {provider}/model");
                    model
                        .is_empty()
                        .then(|| Problem::new(place, "has no model, and this provider has no default", help))
                })
            }
        };
        problems.extend(problem);
    }
}

/// Requires the keys of the chosen providers.
fn require_provider_keys(config: &Config, needs: &mut RequiredSettings) {
    for known in KNOWN {
        let is_chosen_for =
            |choice: &ModelChoice| matches!(choice, ModelChoice::Model { provider, .. } if provider == known.name);
        let roles: Vec<String> = config
            .models
            .roles()
            .into_iter()
            .filter(|(_, choice)| is_chosen_for(choice))
            .map(|(role, _)| format!("`{role}`"))
            .collect();
        if let Some(key) = known.key.filter(|_| !roles.is_empty()) {
            needs.add(key, format!("{} needs it and is chosen for {}", known.name, roles.join(", ")));
        }
    }
}

fn check_supabase(values: &ResolvedSettings, needs: &mut RequiredSettings) {
    for (one, other) in [("supabase.url", "supabase.key"), ("supabase.key", "supabase.url")] {
        if values.place(one).is_some() {
            needs.add(other, format!("`{one}` has no effect without it"));
        }
    }
}

/// Only the beginning is checked here: the rest is read where the database is opened, and holds a password.
fn check_database(values: &ResolvedSettings, config: &Config, problems: &mut Vec<Problem>) {
    let is_postgres = |url: &str| ["postgres://", "postgresql://"].iter().any(|scheme| url.starts_with(scheme));
    if config.database_url.as_ref().is_some_and(|url| !is_postgres(url.expose())) {
        let wrong = "is not the address of a Postgres database";
        let help = "write postgres://user:password@host/name, or unset it to use SQLite in the data directory";
        problems.extend(values.place("database_url").map(|place| Problem::new(place, wrong, help)));
    }
}

fn check_body_limits(values: &ResolvedSettings, config: &Config, problems: &mut Vec<Problem>) {
    let all_bodies_max = config.limits.body_bytes_in_flight_max;
    if values.place("limits.body_bytes_in_flight_max").is_none() {
        return;
    }
    for (key, body_max) in [
        ("limits.query_bytes_max", config.limits.query_bytes_max),
        ("limits.transactions_bytes_max", config.limits.transactions_bytes_max),
        ("limits.gateway_bytes_max", config.limits.gateway_bytes_max),
    ] {
        if let Some(place) = values.place(key).filter(|_| body_max > all_bodies_max) {
            let wrong = "is more than `limits.body_bytes_in_flight_max`, so the largest body could never be accepted";
            let help = format!("lower `{key}` or raise `limits.body_bytes_in_flight_max`");
            problems.push(Problem::new(place, wrong, help));
        }
    }
}

fn check_compatible(values: &ResolvedSettings, problems: &mut Vec<Problem>) {
    let entries = values.entries("providers.compatible");
    for entry in entries {
        let is_taken = |name| providers::known(name).is_some() || ["simulated", "builtin"].contains(&name);
        if entry.text("name").is_some_and(is_taken) {
            let wrong = "is already taken";
            problems.push(Problem::new(entry.place_of("name"), wrong, "choose another name"));
        }
        if entry.has("api_key") && entry.has("api_key_env") {
            problems.push(Problem::new(
                entry.place_of("api_key_env"),
                "is set together with `api_key`",
                "keep one of the two",
            ));
        }
    }
    refuse_repeated(entries, &["name"], problems);
}

fn check_prices_and_limits(values: &ResolvedSettings, names: &ProviderNames, problems: &mut Vec<Problem>) {
    let (prices, limits) = (values.entries("providers.prices"), values.entries("providers.limits"));
    for entry in prices.iter().chain(limits) {
        let provider = entry.text("provider");
        problems.extend(provider.and_then(|name| names.problem_with(name, &[], entry.place_of("provider"))));
    }
    for entry in limits.iter().filter(|entry| entry.has("usd_per_day")) {
        // A price whose provider is invalid may be the missing one.
        let has_price = |name| prices.iter().any(|price| price.text("provider").is_none_or(|priced| priced == name));
        if entry.text("provider").is_some_and(|name| !has_price(name)) {
            let wrong = "is a budget for a provider without a price, so no cost would be counted";
            let help = "add a price for it as [[providers.prices]]";
            problems.push(Problem::new(entry.place_of("usd_per_day"), wrong, help));
        }
    }
    refuse_repeated(prices, &["provider", "model"], problems);
    refuse_repeated(limits, &["provider"], problems);
}

fn check_policies(values: &ResolvedSettings, config: &Config, problems: &mut Vec<Problem>) {
    // Only enforced policies change answers. Masking without effect would give a false sense of safety.
    let (wrong, help) = ("has no effect where answers are only observed", "enforce the policy, or remove the setting");
    for entry in values.entries("gateway.policies") {
        if entry.flag("mask_pii") == Some(true) && entry.text("policy") == Some("observe") {
            problems.push(Problem::new(entry.place_of("mask_pii"), wrong, help));
        }
    }
    let gateway = &config.gateway;
    let any_enforced = gateway.default.is_enforced() || gateway.policies.iter().any(|rule| rule.policy.is_enforced());
    if gateway.default.mask_pii && !any_enforced {
        problems.extend(values.place("gateway.mask_pii").map(|place| Problem::new(place, wrong, help)));
    }
    for entry in values.entries("gateway.policies").iter().filter(|entry| !entry.has("model") && !entry.has("key")) {
        let help = "add a model, a key or both; for all answers, set `gateway.policy`";
        problems.push(Problem::new(entry.place(), "has neither `model` nor `key`", help));
    }
}

/// Refuses entries that repeat an earlier one in the given fields, because only one of them could apply.
fn refuse_repeated(entries: &[ListEntry], fields: &[&str], problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for entry in entries {
        let identity: Option<Vec<&str>> = fields.iter().map(|field| entry.text(field)).collect();
        if identity.is_some_and(|identity| !seen.insert(identity)) {
            let wrong = format!("has the same {} as an entry before it", fields.join(" and "));
            problems.push(Problem::new(entry.place(), wrong, "keep one of the two"));
        }
    }
}
