//! Lists in the file: policies, providers, prices and limits.

use super::*;

fn check(file: &str, expected: &[&str]) {
    let world = World::default().file(file);
    let problems = if world.load().is_ok() { Vec::new() } else { world.problems() };
    assert_eq!(problems, expected, "{file}");
}

fn policy(mode: PolicyMode, on_unaudited: OnUnaudited, mask_pii: bool) -> Policy {
    Policy { mode, on_unaudited, mask_pii }
}

#[test]
fn every_field_of_every_list_reaches_the_configuration() {
    let config = World::default()
        .file(
            "worker = \"mine/some/model\"\n\
             [[providers.compatible]]\nname = \"mine\"\nbase_url = \"http://mine.example/v1/\"\napi_key = \"one\"\n\
             [[providers.compatible]]\nname = \"other-2\"\nbase_url = \"http://other.example\"\n\
             api_key_env = \"OTHER_KEY\"\n\
             [[providers.compatible]]\nname = \"open\"\nbase_url = \"http://open.example\"\n\
             [[providers.prices]]\nprovider = \"mine\"\nmodel = \"some/model\"\ninput_usd_per_mtok = 1\n\
             output_usd_per_mtok = \"0.790\"\n\
             [[providers.limits]]\nprovider = \"mine\"\nconcurrency_max = 1\nrequests_per_minute = 2\n\
             tokens_per_minute = 3\ntokens_per_day = 4\nusd_per_day = 5.25\n\
             [[providers.limits]]\nprovider = \"groq\"\n",
        )
        .variable("OTHER_KEY", " two\n")
        .config();
    assert_eq!(config.models.worker, ModelChoice::Model { provider: "mine".into(), model: "some/model".into() });
    let compatible: Vec<_> = config
        .providers
        .compatible
        .iter()
        .map(|one| (one.name.as_str(), one.base_url.as_str(), one.api_key.as_ref().map(Secret::expose)))
        .collect();
    assert_eq!(
        compatible,
        [
            ("mine", "http://mine.example/v1", Some("one")),
            ("other-2", "http://other.example", Some("two")),
            ("open", "http://open.example", None),
        ]
    );
    let price = ModelPrice {
        provider: "mine".into(),
        model: "some/model".into(),
        input_usd_per_mtok: "1".parse().unwrap(),
        output_usd_per_mtok: "0.79".parse().unwrap(),
    };
    assert_eq!(config.providers.prices, [price]);
    let limits = ProviderLimits {
        provider: "mine".into(),
        concurrency_max: Some(1),
        requests_per_minute: Some(2),
        tokens_per_minute: Some(3),
        tokens_per_day: Some(4),
        usd_per_day: Some("5.25".parse().unwrap()),
    };
    let unlimited = ProviderLimits {
        provider: "groq".into(),
        concurrency_max: None,
        requests_per_minute: None,
        tokens_per_minute: None,
        tokens_per_day: None,
        usd_per_day: None,
    };
    assert_eq!(config.providers.limits, [limits, unlimited]);
}

#[test]
fn a_policy_inherits_missing_fields_and_the_first_match_applies() {
    let gateway = World::default()
        .file(
            "[gateway]\npolicy = \"observe\"\non_unaudited = \"block\"\nmask_pii = true\n\
             policies = [\n\
             { model = \"gpt-4.1\", policy = \"enforce\" },\n\
             { model = \"gpt-*\", key = \"loans\", policy = \"enforce\", on_unaudited = \"allow\", mask_pii = false },\n\
             { key = \"k1\", policy = \"observe\", mask_pii = false },\n\
             { model = \"*\", key = \"k2\", policy = \"enforce\" },\n]",
        )
        .config()
        .gateway;
    let default = policy(PolicyMode::Observe, OnUnaudited::Block, true);
    assert_eq!(gateway.default, default);
    let strict = policy(PolicyMode::Enforce, OnUnaudited::Block, true);
    for (model, names, expected) in [
        ("gpt-4.1", &["k1", "loans"][..], strict),
        ("gpt-4.1-mini", &["k1", "loans"], policy(PolicyMode::Enforce, OnUnaudited::Allow, false)),
        ("gpt-4.1-mini", &["k1", "cards"], policy(PolicyMode::Observe, OnUnaudited::Block, false)),
        ("gpt-4.1-mini", &[], default),
        ("llama", &["k2"], strict),
        ("llama", &["k3"], default),
    ] {
        assert_eq!(gateway.policy_for(&[model], names), expected, "{model} {names:?}");
    }
}

#[test]
fn masking_without_an_enforced_policy_is_refused() {
    check(
        "[gateway]\nmask_pii = true\n",
        &["countersign.toml:2: `gateway.mask_pii`: has no effect where answers are only observed; \
           enforce the policy, or remove the setting"],
    );
    check(
        "[[gateway.policies]]\nmodel = \"a\"\npolicy = \"observe\"\nmask_pii = true\n",
        &["countersign.toml:4: `gateway.policies[1].mask_pii`: has no effect where answers are only observed; \
           enforce the policy, or remove the setting"],
    );
}

#[test]
fn a_wrong_entry_is_reported_with_its_line_and_number() {
    check(
        "[[gateway.policies]]\nmodel = \"a\"\npolicy = \"observe\"\n\n[[gateway.policies]]\nmodel = \"b*c\"\n\
         polcy = \"enforce\"\nmask_pii = \"yes\"\n[[gateway.policies]]\npolicy = \"block\"\ncolour = 1\n",
        &[
            "countersign.toml:7: `gateway.policies[2].polcy`: is not a known field; did you mean `policy`?",
            "countersign.toml:8: `gateway.policies[2].mask_pii`: is text; write true or false without quotes",
            "countersign.toml:11: `gateway.policies[3].colour`: is not a known field; \
             an entry has model, key, policy, on_unaudited, mask_pii",
            "countersign.toml:6: `gateway.policies[2].model`: \"b*c\" has a * before its end; \
             write a model's whole name, or a prefix with one * at the end",
            "countersign.toml:5: `gateway.policies[2]`: has no `policy`; every entry needs one",
            "countersign.toml:10: `gateway.policies[3].policy`: \"block\" is not one of the choices; \
             write observe or enforce",
            "countersign.toml:9: `gateway.policies[3]`: has neither `model` nor `key`; \
             add a model, a key or both; for all answers, set `gateway.policy`",
        ],
    );
}

#[test]
fn only_lists_of_entries_are_accepted() {
    for (file, problem) in [
        (
            "[gateway.policies]\nmodel = \"a\"",
            "`gateway.policies`: is a section; write each entry as [[gateway.policies]]",
        ),
        ("gateway.policies = \"a\"", "`gateway.policies`: is text; write each entry as [[gateway.policies]]"),
        (
            "gateway.policies = [1]",
            "`gateway.policies[1]`: is a whole number; write each entry as [[gateway.policies]]",
        ),
        ("[[providers.price]]\nx = 1", "`providers.price`: is not a known key; did you mean `providers.prices`?"),
        ("[[policies]]\nx = 1", "`policies`: is not a known key; did you mean `gateway.policies`?"),
        ("[[gateway]]\nx = 1", "`gateway`: is a list; write it as a section, [gateway]"),
    ] {
        let expected = format!("countersign.toml:1: {problem}");
        check(file, &[&expected]);
    }
    let many = format!("gateway.policies = [{}]", "{},".repeat(1_001));
    check(&many, &["countersign.toml:1: `gateway.policies`: has 1001 entries; write at most 1000"]);
}

#[test]
fn a_flag_cannot_set_a_list() {
    let problems = World::default().flag("providers.prices", "x").problems();
    assert_eq!(problems, ["flag --providers-prices: has entries with several fields; set it in the file"]);
}

#[test]
fn a_custom_provider_needs_an_unused_name_and_at_most_one_key() {
    let row = |more: &str| format!("[[providers.compatible]]\nbase_url = \"http://a.example\"\n{more}\n");
    check(&row("name = \"mine\""), &[]);
    for name in ["groq", "simulated", "builtin"] {
        check(
            &row(&format!("name = \"{name}\"")),
            &["countersign.toml:3: `providers.compatible[1].name`: is already taken; \
               choose another name"],
        );
    }
    check(
        &row("name = \"My Own\""),
        &["countersign.toml:3: `providers.compatible[1].name`: \"My Own\" is not a name; \
           use a-z, 0-9 and -, at most 40 of them"],
    );
    check(
        &format!("{}{}", row("name = \"a\""), row("name = \"a\"")),
        &[
            "countersign.toml:4: `providers.compatible[2]`: has the same name as an entry before it; keep one of the two",
        ],
    );
    check(
        &row("name = \"a\"\napi_key = \"hunter2\"\napi_key_env = \"A_KEY\""),
        &[
            "countersign.toml:5: `providers.compatible[1].api_key_env`: names A_KEY, which is not set; \
             set it, or remove the field",
            "countersign.toml:5: `providers.compatible[1].api_key_env`: is set together with `api_key`; keep one of the two",
        ],
    );
    check(
        &format!("worker = \"mine\"\n{}", row("name = \"mine\"")),
        &["countersign.toml:1: `worker`: has no model, and this provider has no default; write mine/model"],
    );
    check(
        &format!("worker = \"mien/x\"\n{}", row("name = \"mine\"")),
        &["countersign.toml:1: `worker`: \"mien\" is not a known provider; did you mean `mine`?"],
    );
}

#[test]
fn a_provider_with_an_invalid_entry_is_not_called_unknown() {
    let problems = World::default()
        .file("worker = \"mine/x\"\n[[providers.compatible]]\nname = \"mine\"\nbase_url = \"nowhere\"")
        .problems();
    assert!(problems.len() == 1 && problems[0].contains("is not a URL"), "{problems:?}");
    let problems = World::default()
        .file("worker = \"mine/x\"\n[[providers.compatible]]\nname = 7\nbase_url = \"http://a.example\"")
        .problems();
    assert!(problems.len() == 1 && problems[0].contains("is a whole number"), "{problems:?}");
}

#[test]
fn prices_and_limits_need_a_known_provider_and_are_set_once_for_each() {
    let price = |provider: &str, model: &str| {
        format!(
            "[[providers.prices]]\nprovider = \"{provider}\"\nmodel = \"{model}\"\ninput_usd_per_mtok = 0.59\n\
             output_usd_per_mtok = 0.79\n"
        )
    };
    let limits = |provider: &str, more: &str| format!("[[providers.limits]]\nprovider = \"{provider}\"\n{more}\n");
    check(&format!("{}{}", price("groq", "a"), limits("groq", "usd_per_day = 3")), &[]);
    check(
        &format!("{}{}", price("grok", "a"), limits("opnai", "")),
        &[
            "countersign.toml:2: `providers.prices[1].provider`: \"grok\" is not a known provider; did you mean `groq`?",
            "countersign.toml:7: `providers.limits[1].provider`: \"opnai\" is not a known provider; \
             did you mean `openai`?",
        ],
    );
    check(
        &format!("{}{}", price("groq", "a"), limits("openai", "usd_per_day = 3")),
        &["countersign.toml:8: `providers.limits[1].usd_per_day`: is a budget for a provider without a price, \
           so no cost would be counted; add a price for it as [[providers.prices]]"],
    );
    check(&format!("{}{}", price("groq", "a"), price("groq", "b")), &[]);
    check(
        &format!("{}{}", price("groq", "a"), price("groq", "a")),
        &["countersign.toml:6: `providers.prices[2]`: has the same provider and model as an entry before it; \
           keep one of the two"],
    );
    check(
        &format!("{}{}", limits("groq", ""), limits("groq", "")),
        &[
            "countersign.toml:4: `providers.limits[2]`: has the same provider as an entry before it; keep one of the two",
        ],
    );
    for (text, why) in [
        ("usd_per_day = -1", "\"-1\" is not a decimal number"),
        ("usd_per_day = 1e3", "\"1e3\" is not a decimal number"),
        ("usd_per_day = nan", "\"nan\" is not a decimal number"),
        ("usd_per_day = true", "is true or false; write a number"),
        ("usd_per_day = 1000000001", "is out of range"),
        ("concurrency_max = 0", "is out of range"),
        ("tokens_per_day = 1.5", "is a decimal number; write a whole number"),
    ] {
        let problems = World::default().file(&(price("groq", "a") + &limits("groq", text))).problems();
        assert!(problems.len() == 1 && problems[0].contains(why), "{text}: {problems:?}");
        assert!(problems[0].starts_with("countersign.toml:8: `providers.limits[1]."), "{problems:?}");
    }
}

#[test]
fn no_secret_of_a_list_is_ever_shown() {
    let row = |more: &str| format!("[[providers.compatible]]\nname = \"a\"\nbase_url = \"http://a.example\"\n{more}\n");
    for bad in [
        "api_key = \"hunter2 x\"",
        "api_key = [\"hunter2\"]",
        "api_key = hunter2",
        "api_key_env = \"hunter2\"",
        "api_key_env = \"BAD_KEY\"",
        "base_url = \"http://me:hunter2@a.example\"",
    ] {
        let error = World::default().file(&row(bad)).variable("BAD_KEY", "hunter2 y").load().expect_err(bad);
        let text = format!("{error}\n{error:?}");
        assert!(!text.contains("hunter2"), "{text}");
    }
    let config = World::default().file(&row("api_key_env = \"GOOD_KEY\"")).variable("GOOD_KEY", "hunter2").config();
    let shown = format!("{config:?}\n{}", render_table(&config.effective()));
    assert!(!shown.contains("hunter2"), "{shown}");
}

#[test]
fn a_variable_that_an_entry_names_causes_no_warning() {
    let file =
        "[[providers.compatible]]\nname = \"a\"\nbase_url = \"http://a.example\"\napi_key_env = \"COUNTERSIGN_A_KEY\"";
    let world = World::default().file(file).variable("COUNTERSIGN_A_KEY", "k").variable("COUNTERSIGN_B_KEY", "k");
    let warnings = world.load().unwrap().warnings;
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].to_string().starts_with("variable COUNTERSIGN_B_KEY"), "{}", warnings[0]);
}

#[test]
fn a_list_shows_how_many_entries_it_has() {
    let entry = "[[gateway.policies]]\nkey = \"a\"\npolicy = \"observe\"\n";
    assert_eq!(World::default().effective("gateway.policies"), ("(not set)".to_owned(), SettingSource::Default));
    assert_eq!(World::default().file(entry).effective("gateway.policies"), ("1 entry".to_owned(), SettingSource::File));
    let two = World::default().file(&entry.repeat(2));
    assert_eq!(two.effective("gateway.policies"), ("2 entries".to_owned(), SettingSource::File));
}
