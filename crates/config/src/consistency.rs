//! What no single value shows: what a profile or a choice needs, and values that contradict each other.

use std::collections::BTreeSet;

use crate::layers::Resolved;
use crate::list_entries::ListEntry;
use crate::models::ModelChoice;
use crate::problem::{Place, Problem, quoted};
use crate::providers::{self, KNOWN};
use crate::settings::{self, HOSTED_NEEDS};
use crate::suggest::nearest;
use crate::{Config, Profile, ledger, webhooks};

/// Adds every problem to those of the values themselves.
pub(crate) fn check(values: &mut Resolved, config: &Config) {
    let mut problems = Vec::new();
    let mut needs = Needs::default();
    if config.profile == Profile::Hosted {
        // Otherwise people would set a database address only to be told to unset it.
        let wrong = "hosted keeps its data in Postgres, which is not part of this version";
        problems.extend(values.place("profile").map(|place| Problem::new(place, wrong, "use the embedded profile")));
        needs.add_all(HOSTED_NEEDS, "the hosted profile needs it");
    }
    let names = Names::of(values);
    check_choices(values, config, &names, &mut problems);
    need_keys(config, &mut needs);
    check_supabase(values, &mut needs);
    needs.report(values, &mut problems);
    check_fit_in_flight(values, config, &mut problems);
    check_compatible(values, &mut problems);
    check_prices_and_limits(values, &names, &mut problems);
    check_policies(values, config, &mut problems);
    webhooks::check(values, &mut problems);
    refuse_repeated(values.entries("webhooks.targets"), &["url"], &mut problems);
    ledger::check(values, &config.ledger, &mut problems);
    refuse_repeated(values.entries("ledger.witnesses"), &["url"], &mut problems);
    // One witness under two addresses counts once.
    refuse_repeated(values.entries("ledger.witnesses"), &["key"], &mut problems);
    values.problems.extend(problems);
}

/// Settings that must be given and why. Each is told once, for the first reason.
#[derive(Default)]
struct Needs(Vec<(&'static str, String)>);

impl Needs {
    fn add(&mut self, key: &'static str, why: impl Into<String>) {
        if !self.0.iter().any(|(known, _)| *known == key) {
            self.0.push((key, why.into()));
        }
    }

    fn add_all(&mut self, keys: &[&'static str], why: &str) {
        keys.iter().for_each(|key| self.add(key, why));
    }

    fn report(&self, values: &Resolved, problems: &mut Vec<Problem>) {
        for (key, why) in &self.0 {
            let Some(setting) = settings::find(key).filter(|setting| values.is_missing(setting)) else { continue };
            let place = Place::Variable(setting.variable.unwrap_or(setting.key).to_owned());
            problems.push(Problem::new(place, "is not set", why));
        }
    }
}

/// The providers that can be chosen.
struct Names<'a> {
    names: Vec<&'a str>,
    /// False when one of the file's providers has no readable name: any other name could be that one.
    is_whole: bool,
}

impl<'a> Names<'a> {
    fn of(values: &'a Resolved) -> Self {
        let compatible: Vec<Option<&str>> =
            values.entries("providers.compatible").iter().map(|entry| entry.text("name")).collect();
        let is_whole = values.file_is_whole && !compatible.contains(&None);
        Self { names: KNOWN.iter().map(|known| known.name).chain(compatible.into_iter().flatten()).collect(), is_whole }
    }

    /// What is wrong with a provider's name, if anything is. `others` are words that would be right besides.
    fn refusal(&self, name: &str, others: &[&str], place: Place) -> Option<Problem> {
        if !self.is_whole || self.names.contains(&name) {
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

fn check_choices(values: &Resolved, config: &Config, names: &Names, problems: &mut Vec<Problem>) {
    for (role, choice) in config.models.roles() {
        let Some(place) = values.place(role) else { continue };
        let own = if role == "worker" { "simulated" } else { "builtin" };
        let refusal = match choice {
            ModelChoice::Builtin if role == "worker" => {
                let help = "write simulated, provider or provider/model";
                Some(Problem::new(place, "there is no builtin worker, since rules cannot answer", help))
            }
            ModelChoice::Simulated if !["worker", "writer"].contains(&role) => {
                let help = "write builtin, provider or provider/model";
                let wrong = format!("only the worker and the writer can be simulated, not the {role}");
                Some(Problem::new(place, wrong, help))
            }
            ModelChoice::Simulated | ModelChoice::Builtin => None,
            ModelChoice::Model { provider, model } => names.refusal(provider, &[own], place.clone()).or_else(|| {
                let help = format!("write {provider}/model");
                model.is_empty().then(|| Problem::new(place, "names no model, and this provider has no default", help))
            }),
        };
        problems.extend(refusal);
    }
}

/// Whoever is chosen needs a key.
fn need_keys(config: &Config, needs: &mut Needs) {
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
            needs.add(key, format!("{} needs it, chosen for {}", known.name, roles.join(", ")));
        }
    }
}

fn check_supabase(values: &Resolved, needs: &mut Needs) {
    for (one, other) in [("supabase.url", "supabase.key"), ("supabase.key", "supabase.url")] {
        if values.place(one).is_some() {
            needs.add(other, format!("`{one}` does nothing without it"));
        }
    }
}

fn check_fit_in_flight(values: &Resolved, config: &Config, problems: &mut Vec<Problem>) {
    let together = config.limits.body_bytes_in_flight_max;
    if values.place("limits.body_bytes_in_flight_max").is_none() {
        return;
    }
    for (key, one) in [
        ("limits.query_bytes_max", config.limits.query_bytes_max),
        ("limits.transactions_bytes_max", config.limits.transactions_bytes_max),
        ("limits.gateway_bytes_max", config.limits.gateway_bytes_max),
    ] {
        if let Some(place) = values.place(key).filter(|_| one > together) {
            let wrong = "is more than `limits.body_bytes_in_flight_max`, so the largest body could never be read";
            let help = format!("lower `{key}` or raise `limits.body_bytes_in_flight_max`");
            problems.push(Problem::new(place, wrong, help));
        }
    }
}

fn check_compatible(values: &Resolved, problems: &mut Vec<Problem>) {
    let entries = values.entries("providers.compatible");
    for entry in entries {
        let is_taken = |name| providers::known(name).is_some() || ["simulated", "builtin"].contains(&name);
        if entry.text("name").is_some_and(is_taken) {
            let wrong = "is a name that already means something else";
            problems.push(Problem::new(entry.place_of("name"), wrong, "choose another name"));
        }
        if entry.has("api_key") && entry.has("api_key_env") {
            problems.push(Problem::new(
                entry.place_of("api_key_env"),
                "stands beside `api_key`",
                "keep one of the two",
            ));
        }
    }
    refuse_repeated(entries, &["name"], problems);
}

fn check_prices_and_limits(values: &Resolved, names: &Names, problems: &mut Vec<Problem>) {
    let (prices, limits) = (values.entries("providers.prices"), values.entries("providers.limits"));
    for entry in prices.iter().chain(limits) {
        let provider = entry.text("provider");
        problems.extend(provider.and_then(|name| names.refusal(name, &[], entry.place_of("provider"))));
    }
    for entry in limits.iter().filter(|entry| entry.has("usd_per_day")) {
        // A price whose provider could not be read may be the one that is looked for.
        let has_price = |name| prices.iter().any(|price| price.text("provider").is_none_or(|priced| priced == name));
        if entry.text("provider").is_some_and(|name| !has_price(name)) {
            let wrong = "is money for a provider without a price, so nothing would ever count";
            let help = "add a price for it as [[providers.prices]]";
            problems.push(Problem::new(entry.place_of("usd_per_day"), wrong, help));
        }
    }
    refuse_repeated(prices, &["provider", "model"], problems);
    refuse_repeated(limits, &["provider"], problems);
}

fn check_policies(values: &Resolved, config: &Config, problems: &mut Vec<Problem>) {
    // Only an enforced policy changes an answer; masking that never happens would look like masking.
    let (wrong, help) = ("masks nothing where answers are only observed", "enforce the policy, or leave it out");
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
        let help = "give it a model, a key or both; for all answers set `gateway.policy`";
        problems.push(Problem::new(entry.place(), "has neither `model` nor `key`", help));
    }
}

/// Of two entries about the same thing only one could count, and which is anyone's guess.
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
