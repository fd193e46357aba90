//! Webhook targets: where to send notices, and about which events.

use countersign_agents::{WebhookKey, Webhooks};
use countersign_domain::EventType;

use crate::layers::ResolvedSettings;
use crate::list_entries::ListEntry;
use crate::problem::{Problem, quoted};
use crate::secret::Secret;
use crate::suggest::nearest;
use crate::value::{Parsed, invalid};

const LIST: &str = "webhooks.targets";
/// Every target is considered for every event and has connections of its own.
const TARGETS_MAX: usize = 32;
const ALL_EVENTS: &str = "*";

#[derive(Clone, Debug)]
pub struct WebhookConfig {
    pub url: String,
    /// The secret itself; with `secret_env`, the value of that variable.
    pub secret: Secret,
    pub events: Vec<EventType>,
    /// Whether the URL may be `http://`, in a private network or on this machine.
    pub allow_private: bool,
}

pub(crate) fn from_values(values: &ResolvedSettings) -> Vec<WebhookConfig> {
    values.entries(LIST).iter().map(webhook).collect()
}

fn webhook(entry: &ListEntry) -> WebhookConfig {
    let names = entry.text("events").unwrap_or_default().split(',');
    WebhookConfig {
        url: entry.text("url").unwrap_or_default().to_owned(),
        // A missing secret has been reported as a problem before this is used.
        secret: secret(entry).cloned().unwrap_or_else(|| Secret::new("")),
        events: names.filter_map(EventType::parse).collect(),
        allow_private: entry.flag("allow_private").unwrap_or_default(),
    }
}

fn secret(entry: &ListEntry) -> Option<&Secret> {
    entry.secret("secret").or_else(|| entry.secret("secret_env"))
}

/// Parses names of events separated by commas, or `*`. Returns each name once.
pub(crate) fn events(text: &str) -> Parsed<String> {
    let mut wanted: Vec<&'static str> = Vec::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        if part == ALL_EVENTS {
            wanted.extend(known_events());
        } else if let Some(name) = known_events().find(|name| *name == part) {
            wanted.push(name);
        } else {
            let help = nearest(part, known_events()).map_or_else(
                || format!("write * or some of {}", known_events().collect::<Vec<_>>().join(", ")),
                |near| format!("did you mean `{near}`?"),
            );
            return invalid(format!("{} is not an event that webhooks can send", quoted(part)), help);
        }
    }
    if wanted.is_empty() {
        return invalid("has no event", "write names separated by commas, or *");
    }
    let mut distinct: Vec<&str> = Vec::new();
    wanted.into_iter().for_each(|name| {
        if !distinct.contains(&name) {
            distinct.push(name)
        }
    });
    Ok(distinct.join(","))
}

fn known_events() -> impl Iterator<Item = &'static str> {
    Webhooks::EVENTS.iter().map(|event| event.as_str())
}

pub(crate) fn check(values: &ResolvedSettings, problems: &mut Vec<Problem>) {
    let entries = values.entries(LIST);
    if let Some(entry) = entries.get(TARGETS_MAX) {
        let wrong = format!("is beyond the limit of {TARGETS_MAX} targets");
        problems.push(Problem::new(entry.place(), wrong, "let one system forward to others"));
    }
    for entry in entries {
        problems.extend(secret_problem(entry));
        problems.extend(url_problem(entry));
    }
}

fn secret_problem(entry: &ListEntry) -> Option<Problem> {
    match (entry.has("secret"), entry.has("secret_env")) {
        (false, false) => {
            let help = "set one, so that receivers can check that a notice is ours";
            return Some(Problem::new(entry.place(), "has neither `secret` nor `secret_env`", help));
        }
        (true, true) => {
            return Some(Problem::new(
                entry.place_of("secret_env"),
                "is set together with `secret`",
                "keep one of the two",
            ));
        }
        _ => {}
    }
    let field = if entry.has("secret") { "secret" } else { "secret_env" };
    let wrong = WebhookKey::parse(secret(entry)?.expose()).err()?;
    let help = "use whsec_ and the base64 of 32 random bytes, or a text of 16 bytes or more";
    Some(Problem::new(entry.place_of(field), wrong, help))
}

fn url_problem(entry: &ListEntry) -> Option<Problem> {
    let url = entry.text("url")?;
    if entry.flag("allow_private") == Some(true) {
        return None;
    }
    let help = "set `allow_private = true` if it is in your own network";
    if countersign_outbound::has_private_ip(url) {
        return Some(Problem::new(entry.place_of("url"), "is a private address", help));
    }
    (!url.starts_with("https://")).then(|| {
        let help = format!("write https://, or {help}");
        Problem::new(entry.place_of("url"), "is not https, so notices could be read in transit", help)
    })
}
