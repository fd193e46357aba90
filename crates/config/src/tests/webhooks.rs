//! Settings of webhook targets.

use countersign_domain::EventType;

use super::*;

const SECRET: &str = "secret = \"0123456789abcdef\"\n";
const EVENTS: &str = "events = \"*\"\n";

fn target(url: &str, more: &str) -> String {
    format!("[[webhooks.targets]]\nurl = \"{url}\"\n{more}")
}

fn check(file: &str, expected: &[&str]) {
    let world = World::default().file(file);
    let problems = if world.load().is_ok() { Vec::new() } else { world.problems() };
    assert_eq!(problems, expected, "{file}");
}

#[test]
fn every_field_of_a_target_reaches_the_configuration() {
    let file = target("https://a.example/hooks/", &format!("{SECRET}{EVENTS}"))
        + &target(
            "http://10.0.0.7:9000",
            "secret_env = \"HOOK_SECRET\"\nallow_private = true\n\
             events = \"REPORT_APPROVED, FRAUD_ALERT_CREATED,REPORT_APPROVED\"\n",
        )
        + &target("https://b.example", &format!("{SECRET}events = [\"EVENT_DEAD_LETTERED\"]\n"));
    let world = World::default().file(&file).variable("HOOK_SECRET", "whsec_MDEyMzQ1Njc4OWFiY2RlZg==");
    let webhooks = world.config().webhooks;
    let seen: Vec<_> = webhooks
        .iter()
        .map(|one| (one.url.as_str(), one.secret.expose(), one.allow_private, &one.events[..]))
        .collect();
    assert_eq!(
        seen,
        [
            ("https://a.example/hooks/", "0123456789abcdef", false, countersign_agents::Webhooks::EVENTS),
            (
                "http://10.0.0.7:9000",
                "whsec_MDEyMzQ1Njc4OWFiY2RlZg==",
                true,
                &[EventType::ReportApproved, EventType::FraudAlertCreated][..]
            ),
            ("https://b.example", "0123456789abcdef", false, &[EventType::EventDeadLettered][..]),
        ]
    );
    assert_eq!(world.effective("webhooks.targets"), ("3 entries".to_owned(), SettingSource::File));
    assert!(World::default().config().webhooks.is_empty());
}

#[test]
fn an_unknown_event_is_refused_with_the_nearest_name() {
    let events = |text: &str| target("https://a.example", &format!("{SECRET}events = \"{text}\"\n"));
    let place = "countersign.toml:4: `webhooks.targets[1].events`:";
    let all = countersign_agents::Webhooks::EVENTS.iter().map(|event| event.as_str()).collect::<Vec<_>>().join(", ");
    for (text, problem) in [
        (
            "REPORT_APROVED",
            "\"REPORT_APROVED\" is not an event that webhooks can send; did you mean `REPORT_APPROVED`?",
        ),
        (
            "fraud_alert_created",
            "\"fraud_alert_created\" is not an event that webhooks can send; did you mean `FRAUD_ALERT_CREATED`?",
        ),
        ("*,REVIEW_DECIDE", "\"REVIEW_DECIDE\" is not an event that webhooks can send; did you mean `REVIEW_DECIDED`?"),
        ("colour", &format!("\"colour\" is not an event that webhooks can send; write * or some of {all}")),
        (",", "has no event; write names separated by commas, or *"),
        (
            "TRANSACTION_RECEIVED",
            &format!("\"TRANSACTION_RECEIVED\" is not an event that webhooks can send; write * or some of {all}"),
        ),
    ] {
        check(&events(text), &[&format!("{place} {problem}")]);
    }
}

#[test]
fn a_target_needs_one_secret_that_is_long_enough() {
    let row = |more: &str| target("https://a.example", &format!("{EVENTS}{more}"));
    let help = "use whsec_ and the base64 of 32 random bytes, or a text of 16 bytes or more";
    check(
        &row(""),
        &["countersign.toml:1: `webhooks.targets[1]`: has neither `secret` nor `secret_env`; \
           set one, so that receivers can check that a notice is ours"],
    );
    check(
        &row("secret = \"hunter2\""),
        &[&format!("countersign.toml:4: `webhooks.targets[1].secret`: is shorter than 16 bytes; {help}")],
    );
    check(
        &row("secret = \"whsec_hunter2!\""),
        &[&format!("countersign.toml:4: `webhooks.targets[1].secret`: is not valid base64 after whsec_; {help}")],
    );
    let both =
        World::default().file(&row(&format!("{SECRET}secret_env = \"HOOK_SECRET\""))).variable("HOOK_SECRET", "x");
    assert_eq!(
        both.problems(),
        ["countersign.toml:5: `webhooks.targets[1].secret_env`: is set together with `secret`; keep one of the two"]
    );
    let short = World::default().file(&row("secret_env = \"HOOK_SECRET\"")).variable("HOOK_SECRET", "hunter2");
    let problems = short.problems();
    assert_eq!(
        problems,
        [format!("countersign.toml:4: `webhooks.targets[1].secret_env`: is shorter than 16 bytes; {help}")]
    );
    check(
        &row("secret_env = \"HOOK_SECRET\""),
        &["countersign.toml:4: `webhooks.targets[1].secret_env`: names HOOK_SECRET, which is not set; \
           set it, or remove the field"],
    );
    let config = World::default().file(&row("secret = \"hunter2-hunter2-hunter2\"")).config();
    assert!(!format!("{config:?}\n{}", render_table(&config.effective())).contains("hunter2"));
}

#[test]
fn a_private_address_or_plain_http_must_be_allowed() {
    let help = "set `allow_private = true` if it is in your own network";
    for url in ["https://127.0.0.1/hook", "http://[::1]:9000", "https://169.254.169.254", "https://[::ffff:10.0.0.1]"] {
        let problem = format!("countersign.toml:2: `webhooks.targets[1].url`: is a private address; {help}");
        check(&target(url, &format!("{SECRET}{EVENTS}")), &[&problem]);
        check(&target(url, &format!("{SECRET}{EVENTS}allow_private = true\n")), &[]);
    }
    let problem = "is not https, so notices could be read in transit; write https://, or";
    check(
        &target("http://a.example", &format!("{SECRET}{EVENTS}")),
        &[&format!("countersign.toml:2: `webhooks.targets[1].url`: {problem} {help}")],
    );
    for url in ["https://127.1", "https://a.example.", "https://me@a.example", "https://a.example?key=1", "a.example"] {
        let problems = World::default().file(&target(url, &format!("{SECRET}{EVENTS}"))).problems();
        assert!(problems.len() == 1 && problems[0].contains("webhooks.targets[1].url"), "{problems:?}");
    }
}

#[test]
fn targets_are_limited_in_number_and_each_is_set_once() {
    let one = |n: usize| target(&format!("https://a.example/{n}"), &format!("{SECRET}{EVENTS}"));
    let many = |count: usize| (0..count).map(one).collect::<String>();
    check(&many(32), &[]);
    check(
        &many(34),
        &["countersign.toml:129: `webhooks.targets[33]`: is beyond the limit of 32 targets; \
           let one system forward to others"],
    );
    check(
        &(one(1) + &one(1)),
        &["countersign.toml:5: `webhooks.targets[2]`: has the same url as an entry before it; keep one of the two"],
    );
}
