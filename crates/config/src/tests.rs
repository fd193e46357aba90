//! Whole configurations from all layers, valid and invalid.
//!
//! | file          | job                                                  |
//! |---------------|------------------------------------------------------|
//! | `tests.rs`    | layers, problems, secrets, and the table of settings |
//! | `choices.rs`  | the models for each role, and the keys they require  |
//! | `ledger.rs`   | witnesses and publishing                             |
//! | `lists.rs`    | policies, providers, prices and limits               |
//! | `values.rs`   | checks of single values, for other files' tests      |
//! | `webhooks.rs` | webhook targets                                      |

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::settings::{SETTINGS, ValueKind};
use super::*;

mod choices;
mod ledger;
mod lists;
pub(crate) mod values;
mod webhooks;

/// The layers of a configuration. It is loaded from these only, and not from the machine's environment.
#[derive(Default)]
struct World {
    flags: Vec<(&'static str, String)>,
    variables: BTreeMap<String, String>,
    file: Option<String>,
    defaults: Vec<(&'static str, &'static str)>,
}

impl World {
    fn flag(mut self, key: &'static str, text: &str) -> Self {
        self.flags.push((key, text.to_owned()));
        self
    }

    fn variable(mut self, name: &str, text: &str) -> Self {
        self.variables.insert(name.to_owned(), text.to_owned());
        self
    }

    fn file(mut self, text: &str) -> Self {
        self.file = Some(text.to_owned());
        self
    }

    fn load(&self) -> Result<Loaded, ConfigErrors> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(DEFAULT_FILE);
        if let Some(text) = &self.file {
            fs::write(&path, text).unwrap();
        }
        let names: Vec<String> = self.variables.keys().cloned().collect();
        let inputs = Inputs {
            flags: &self.flags,
            env: &|name| self.variables.get(name).cloned(),
            variable_names: &names,
            file: None,
            defaults: &self.defaults,
        };
        load_with_default(&inputs, &path)
    }

    fn config(&self) -> Config {
        self.load().unwrap().config
    }

    /// The lines of the error, without the temporary directory.
    fn problems(&self) -> Vec<String> {
        let text = self.load().expect_err("should be refused").to_string();
        text.lines().map(|line| line.split_once("/countersign.toml").map_or(line.to_owned(), after_directory)).collect()
    }

    fn effective(&self, key: &str) -> (String, SettingSource) {
        let row = self.config().effective().into_iter().find(|row| row.key == key).unwrap();
        (row.value, row.source)
    }
}

fn after_directory((_, rest): (&str, &str)) -> String {
    format!("countersign.toml{rest}")
}

/// Two different valid values for a setting, as text.
fn two_values(setting: &settings::Setting) -> [String; 2] {
    let pair = match setting.kind {
        _ if setting.key == "ledger.witnesses_required" => ["0", "1"].map(str::to_owned),
        ValueKind::Address => ["127.0.0.1:1", "127.0.0.1:2"].map(str::to_owned),
        ValueKind::Path => ["one", "two"].map(str::to_owned),
        ValueKind::Choice(choices) => [choices[0], choices[1]].map(str::to_owned),
        ValueKind::Origins => ["https://one.example", "https://two.example"].map(str::to_owned),
        ValueKind::Secret if setting.key == "database_url" => {
            ["postgres://one/x", "postgres://two/x"].map(str::to_owned)
        }
        ValueKind::Text | ValueKind::Secret => ["one", "two"].map(str::to_owned),
        ValueKind::Bytes { min, max } | ValueKind::Count { min, max } => [min.to_string(), max.to_string()],
        ValueKind::Flag => ["true", "false"].map(str::to_owned),
        ValueKind::Model => ["ollama", "ollama/library/two:7b"].map(str::to_owned),
        ValueKind::Publish => ["one.txt", "https://two.example/hook"].map(str::to_owned),
        ValueKind::Url => ["https://one.example/v1", "http://two.example:8000"].map(str::to_owned),
        other => panic!("{other:?} is for fields of lists only"),
    };
    pair.map(|text| if setting.key == "profile" { "embedded".to_owned() } else { text })
}

fn file_with(setting: &settings::Setting, text: &str) -> String {
    let value = match setting.kind {
        ValueKind::Count { .. } | ValueKind::Bytes { .. } | ValueKind::Flag => text.to_owned(),
        _ => format!("{text:?}"),
    };
    format!("{}{} = {value}\n", settings_required_by(setting.key), setting.key)
}

/// Other settings that this one requires. Contradictions and missing settings have tests of their own.
fn settings_required_by(key: &str) -> &'static str {
    match key {
        "limits.transactions_bytes_max" | "limits.query_bytes_max" | "limits.gateway_bytes_max" => {
            "limits.body_bytes_in_flight_max = \"64 GiB\"\n"
        }
        "limits.body_bytes_in_flight_max" => {
            "limits.transactions_bytes_max = 1024\nlimits.query_bytes_max = 1024\nlimits.gateway_bytes_max = 1024\n"
        }
        "gateway.mask_pii" => "gateway.policy = \"enforce\"\n",
        "ledger.witnesses_required" => {
            "ledger.witnesses = [{ url = \"https://w.example\", \
             key = \"remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2\" }]\n"
        }
        "supabase.url" => "supabase.key = \"k\"\n",
        "supabase.key" => "supabase.url = \"https://project.example\"\n",
        _ => "",
    }
}

/// Settings that a single text can set: all but lists and features that don't exist yet.
fn settings_of_one_value() -> impl Iterator<Item = &'static settings::Setting> {
    SETTINGS.iter().filter(|s| settings::not_in_this_version(s.key).is_none() && !matches!(s.kind, ValueKind::List(_)))
}

#[test]
fn the_defaults_are_a_complete_configuration() {
    let config = World::default().config();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.data_dir, Path::new("./countersign-data"));
    assert_eq!(config.profile, Profile::Embedded);
    assert_eq!(config.frontend_origins, ["http://localhost:3000"]);
    assert!(config.database_url.is_none() && config.nats_url.is_none());
    assert_eq!((config.log.format, config.log.filter.as_str()), (LogFormat::Pretty, "info"));
    assert_eq!(config.limits.query_bytes_max, 1 << 20);
    assert_eq!(config.limits.transactions_bytes_max, 16 << 20);
    assert_eq!(config.limits.transactions_per_post_max, 10_000);
    assert_eq!(config.limits.body_bytes_in_flight_max, 256 << 20);
    assert_eq!(config.limits.requests_in_flight_max, 1024);
    assert_eq!(config.limits.connections_max, 4096);
    assert_eq!(config.limits.request_timeout, Duration::from_secs(30));
    assert_eq!(config.limits.requests_per_minute, None);
    assert_eq!(config.agents.heartbeat, Duration::from_secs(30));
    assert_eq!(config.agents.attempts_max, 5);
    assert_eq!(config.agents.backoff, Duration::from_secs(1));
    assert_eq!(config.agents.window_events_max, 256);
    assert_eq!((config.live.clients_max, config.live.clients_per_caller_max), (4096, 1024));
    assert_eq!(config.live.queue_messages_max, 1024);
    assert_eq!(config.live.replay_events_max, 10_000);
    assert_eq!(config.limits.gateway_bytes_max, 8 << 20);
    assert_eq!(config.limits.search_budget, Duration::from_millis(200));
    assert_eq!(config.models.worker, ModelChoice::Simulated);
    assert_eq!(config.models.auditor, ModelChoice::Builtin);
    assert_eq!(config.models.writer, ModelChoice::Builtin);
    assert_eq!(config.models.supervisor, ModelChoice::Builtin);
    assert!(config.providers.groq_api_key.is_none());
    assert_eq!(config.providers.groq_base_url, "https://api.groq.com/openai/v1");
    assert_eq!(config.providers.gemini_base_url, "https://generativelanguage.googleapis.com/v1beta");
    assert_eq!(config.providers.openai_base_url, "https://api.openai.com/v1");
    assert_eq!(config.providers.anthropic_base_url, "https://api.anthropic.com/v1");
    assert_eq!(config.providers.ollama_base_url, "http://localhost:11434/v1");
    assert_eq!(config.providers.answer_bytes_max, 16 << 20);
    assert!(config.providers.compatible.is_empty() && config.providers.prices.is_empty());
    assert!(config.providers.limits.is_empty() && config.gateway.policies.is_empty());
    assert_eq!(config.calls.attempts_max, 3);
    assert_eq!([config.calls.worker_timeout, config.calls.writer_timeout], [Duration::from_secs(30); 2]);
    assert_eq!([config.calls.auditor_timeout, config.calls.supervisor_timeout], [Duration::from_secs(20); 2]);
    assert_eq!([config.calls.deadline, config.calls.gateway_timeout], [Duration::from_secs(120); 2]);
    assert_eq!(config.calls.gateway_deadline, Duration::from_secs(600));
    let policy = Policy { mode: PolicyMode::Observe, on_unaudited: OnUnaudited::Allow, mask_pii: false };
    assert_eq!(config.gateway.default, policy);
    assert!(config.supabase.is_none());
    assert!(config.telemetry.otlp_endpoint.is_none() && config.telemetry.otlp_headers.is_none());
    assert_eq!(config.telemetry.service_name, "countersign");
    assert!(config.effective().iter().all(|row| row.source == SettingSource::Default));
}

#[test]
fn each_key_and_each_variable_is_in_the_table_once() {
    let keys: BTreeSet<_> = SETTINGS.iter().map(|setting| setting.key).collect();
    let variables: BTreeSet<_> = SETTINGS.iter().filter_map(|setting| setting.variable).collect();
    assert_eq!(keys.len(), SETTINGS.len());
    assert_eq!(variables.len(), SETTINGS.iter().filter(|setting| setting.variable.is_some()).count());
    assert!(SETTINGS.iter().all(|setting| !setting.description.is_empty()));
    assert!(settings::HOSTED_NEEDS.iter().all(|key| settings::find(key).is_some_and(|s| s.variable.is_some())));
}

#[test]
fn every_setting_in_the_file_overrides_the_default() {
    for setting in settings_of_one_value() {
        for text in two_values(setting) {
            let (value, source) = World::default().file(&file_with(setting, &text)).effective(setting.key);
            assert_eq!(source, SettingSource::File, "{}", setting.key);
            let expected = value::parse(setting.kind, &text).unwrap().to_string();
            assert_eq!(value, expected, "{}", setting.key);
        }
    }
}

#[test]
fn every_variable_overrides_the_file() {
    for setting in settings_of_one_value() {
        let Some(variable) = setting.variable else { continue };
        let [one, two] = two_values(setting);
        let (value, source) =
            World::default().variable(variable, &one).file(&file_with(setting, &two)).effective(setting.key);
        assert_eq!(source, SettingSource::Environment(variable));
        assert_eq!(value, value::parse(setting.kind, &one).unwrap().to_string(), "{variable}");
    }
}

#[test]
fn every_flag_overrides_the_variable_and_the_file() {
    for setting in settings_of_one_value() {
        let [one, two] = two_values(setting);
        let mut world = World::default().flag(setting.key, &two).flag(setting.key, &one);
        world = world.file(&file_with(setting, &two));
        if let Some(variable) = setting.variable {
            world = world.variable(variable, &two);
        }
        let (value, source) = world.effective(setting.key);
        assert_eq!(source, SettingSource::Flag);
        assert_eq!(value, value::parse(setting.kind, &one).unwrap().to_string(), "{}", setting.key);
    }
}

#[test]
fn a_command_can_replace_a_default_which_every_layer_still_overrides() {
    let demo = || World { defaults: vec![("data_dir", "./countersign-demo")], ..World::default() };
    assert_eq!(demo().effective("data_dir"), ("./countersign-demo".to_owned(), SettingSource::Default));
    assert_eq!(demo().file("data_dir = \"kept\"").effective("data_dir"), ("kept".to_owned(), SettingSource::File));
}

#[test]
fn an_empty_variable_counts_as_not_set() {
    let config = World::default().variable("DATABASE_URL", "").variable("COUNTERSIGN_LISTEN", "  ").config();
    assert_eq!(config.listen.port(), 8080);
}

#[test]
fn the_typed_fields_have_the_configured_values() {
    let config = World::default()
        .file(
            "[limits]\nquery_bytes_max = 0x800\ntransactions_bytes_max = \"2MB\"\nrequests_per_minute = 60\n\
             request_timeout_ms = 1_500\n[log]\nformat = \"json\"\n[agents]\nheartbeat_s = 7\nbackoff_ms = 250\n",
        )
        .variable("FRONTEND_URL", "https://A.example:443, http://localhost:5173")
        .variable("GROQ_API_KEY", " gsk-123\n")
        .flag("listen", "localhost:0")
        .config();
    assert_eq!(config.limits.query_bytes_max, 2048);
    assert_eq!(config.limits.transactions_bytes_max, 2_000_000);
    assert_eq!(config.limits.requests_per_minute, Some(60));
    assert_eq!(config.limits.request_timeout, Duration::from_millis(1500));
    assert_eq!(config.log.format, LogFormat::Json);
    assert_eq!(config.agents.heartbeat, Duration::from_secs(7));
    assert_eq!(config.agents.backoff, Duration::from_millis(250));
    assert_eq!(config.frontend_origins, ["https://a.example", "http://localhost:5173"]);
    assert_eq!(config.providers.groq_api_key.as_ref().map(Secret::expose), Some("gsk-123"));
    assert_eq!(config.listen.to_string(), "127.0.0.1:0");
}

#[test]
fn each_typed_field_reads_its_own_setting() {
    let config = World::default()
        .file(
            "[limits]\ngateway_bytes_max = 2048\nsearch_ms_max = 50\n\
             [calls]\nattempts_max = 4\nworker_timeout_ms = 101\nauditor_timeout_ms = 102\nwriter_timeout_ms = 103\n\
             supervisor_timeout_ms = 104\ndeadline_ms = 105\ngateway_timeout_ms = 106\ngateway_deadline_ms = 107\n\
             [gateway]\npolicy = \"enforce\"\non_unaudited = \"block\"\nmask_pii = true\n\
             [providers]\nanswer_bytes_max = 4096\n",
        )
        .variable("GROQ_BASE_URL", "http://groq.example/")
        .variable("GEMINI_BASE_URL", "http://gemini.example/v1beta")
        .variable("OPENAI_BASE_URL", "http://openai.example")
        .variable("ANTHROPIC_BASE_URL", "http://anthropic.example")
        .variable("OLLAMA_BASE_URL", "http://ollama.example")
        .variable("SUPABASE_URL", "https://project.example/")
        .variable("SUPABASE_KEY", "sb-key")
        .variable("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector.example:4318")
        .variable("OTEL_EXPORTER_OTLP_HEADERS", "authorization=token")
        .variable("OTEL_SERVICE_NAME", "bank")
        .config();
    assert_eq!(config.limits.gateway_bytes_max, 2048);
    assert_eq!(config.limits.search_budget, Duration::from_millis(50));
    assert_eq!(config.calls.attempts_max, 4);
    let calls = &config.calls;
    let times = [
        calls.worker_timeout,
        calls.auditor_timeout,
        calls.writer_timeout,
        calls.supervisor_timeout,
        calls.deadline,
        calls.gateway_timeout,
        calls.gateway_deadline,
    ];
    assert_eq!(times.map(|time| time.as_millis()), [101, 102, 103, 104, 105, 106, 107]);
    let policy = Policy { mode: PolicyMode::Enforce, on_unaudited: OnUnaudited::Block, mask_pii: true };
    assert_eq!(config.gateway.default, policy);
    assert_eq!(config.providers.answer_bytes_max, 4096);
    let providers = &config.providers;
    assert_eq!(providers.groq_base_url, "http://groq.example");
    assert_eq!(providers.gemini_base_url, "http://gemini.example/v1beta");
    assert_eq!(providers.openai_base_url, "http://openai.example");
    assert_eq!(providers.anthropic_base_url, "http://anthropic.example");
    assert_eq!(providers.ollama_base_url, "http://ollama.example");
    let supabase = config.supabase.unwrap();
    assert_eq!((supabase.url.as_str(), supabase.key.expose()), ("https://project.example", "sb-key"));
    assert_eq!(config.telemetry.otlp_endpoint.as_deref(), Some("http://collector.example:4318"));
    assert_eq!(config.telemetry.otlp_headers.as_ref().map(Secret::expose), Some("authorization=token"));
    assert_eq!(config.telemetry.service_name, "bank");
}

#[test]
fn a_supabase_setting_without_its_counterpart_is_refused() {
    assert_eq!(
        World::default().variable("SUPABASE_URL", "https://project.example").problems(),
        ["variable SUPABASE_KEY: is not set; `supabase.url` has no effect without it"]
    );
    assert_eq!(
        World::default().file("supabase.key = \"hunter2\"").problems(),
        ["variable SUPABASE_URL: is not set; `supabase.key` has no effect without it"]
    );
    let refused = World::default().variable("SUPABASE_URL", "nowhere").variable("SUPABASE_KEY", "k").problems();
    assert_eq!(refused.len(), 1, "an invalid address is not reported as missing: {refused:?}");
}

#[test]
fn origins_in_the_file_may_be_a_list() {
    let config = World::default().file("frontend_url = [\"https://a.example\", \"https://b.example\"]").config();
    assert_eq!(config.frontend_origins, ["https://a.example", "https://b.example"]);
}

#[test]
fn all_problems_of_all_layers_are_reported_at_once_with_their_places() {
    let problems = World::default()
        .flag("listen", "8080")
        .variable("COUNTERSIGN_LOG_FORMAT", "xml")
        .variable("FRONTEND_URL", "https://*.example.com")
        .variable("NATS_URL", "nats://broker")
        .file(
            "profil = \"hosted\"\n\n[limits]\nquery_bytes_max = \"lots\"\nconnections_max = 0\n\n\
             [agents]\nattempts_max = \"5\"\n",
        )
        .problems();
    assert_eq!(
        problems,
        [
            "countersign.toml:1: `profil`: is not a known key; did you mean `profile`?",
            "countersign.toml:8: `agents.attempts_max`: is text; write a whole number without quotes",
            "flag --listen: \"8080\" is not an address with a port; write an IP address (or localhost) and a port, \
             such as 127.0.0.1:8080 or [::1]:8080",
            "variable FRONTEND_URL: \"https://*.example.com\" has a wildcard; write each origin in full; \
             write scheme://host or scheme://host:port, such as https://app.example.com",
            "variable NATS_URL: NATS delivery is not part of this version; unset it to use in-process delivery",
            "variable COUNTERSIGN_LOG_FORMAT: \"xml\" is not one of the choices; write json or pretty",
            "countersign.toml:4: `limits.query_bytes_max`: \"lots\" is not a size; \
             use 1 KiB to 64 MiB; sizes are whole numbers, such as 65536, 16 MiB or 16 MB",
            "countersign.toml:5: `limits.connections_max`: \"0\" is out of range; use 1 to 1000000",
        ]
    );
}

#[test]
fn a_wrong_value_is_reported_even_where_a_higher_layer_overrides_it() {
    let problems = World::default().flag("listen", "127.0.0.1:1").file("listen = \"nowhere\"").problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("countersign.toml:1: `listen`: \"nowhere\""), "{problems:?}");
}

#[test]
fn an_unknown_key_is_an_error_that_suggests_the_nearest_known_one() {
    for (file, key, suggestion) in [
        ("lisen = \"x\"", "lisen", "did you mean `listen`?"),
        ("[limits]\nquery_byte_max = 1", "limits.query_byte_max", "did you mean `limits.query_bytes_max`?"),
        ("query_bytes_max = 1", "query_bytes_max", "did you mean `limits.query_bytes_max`?"),
        ("GROQ_API_KEY = \"sk-secret\"", "GROQ_API_KEY", "did you mean `providers.groq_api_key`?"),
        ("[limit]\nconnections_max = 1", "limit", "did you mean `limits`?"),
        ("\"limits.connections_max\" = 1", "limits.connections_max", "did you mean `limits.connections_max`?"),
        ("[limits.connections]\nmax = 1", "limits.connections", "did you mean `limits.connections_max`?"),
        ("colour = 1", "colour", "`countersign config --config /dev/null` lists all settings"),
    ] {
        let problems = World::default().file(file).problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        let line = file.lines().position(|line| line.contains(key.rsplit('.').next().unwrap())).unwrap() + 1;
        assert_eq!(problems[0], format!("countersign.toml:{line}: `{key}`: is not a known key; {suggestion}"));
    }
}

#[test]
fn a_value_of_the_wrong_type_is_described_by_its_type() {
    for (file, what) in [
        ("listen = 8080", "is a whole number; write text in quotes"),
        ("limits = 3", "is a whole number; write it as a section, [limits]"),
        ("[listen]\nport = 1", "is a section; write text in quotes"),
        ("frontend_url = [\"https://a.example\", 3]", "is a list; write text in quotes, or a list of texts"),
        ("limits.connections_max = 1.5", "is a decimal number; write a whole number without quotes"),
        ("limits.query_bytes_max = true", "is true or false; write a number of bytes"),
        ("limits.connections_max = -1", "\"-1\" is not a whole number; use 1 to 1000000"),
        ("limits.connections_max = 0xfffffffffffffffffffff", "is not a whole number"),
        ("gateway.mask_pii = \"true\"", "is text; write true or false without quotes"),
        ("gateway.mask_pii = 1", "is a whole number; write true or false without quotes"),
        ("worker = true", "is true or false; write text in quotes"),
        ("listen = \"\"", "is empty; set a value or remove it"),
    ] {
        let problems = World::default().file(file).problems();
        assert!(problems.len() == 1 && problems[0].contains(what), "{file}: {problems:?}");
    }
}

#[test]
fn every_syntax_error_is_reported_with_its_line_and_without_the_text_around_it() {
    let problems = World::default()
        .file(
            "listen = 127.0.0.1:8080\n[providers]\ngroq_api_key = gsk-secret-1\nopenai_api_key = \"sk-\\qsecret-2\"\n",
        )
        .variable("COUNTERSIGN_PROFILE", "cloud")
        .problems();
    let text = problems.join("\n");
    for expected in
        ["countersign.toml:1: ", "countersign.toml:3: ", "countersign.toml:4: ", "variable COUNTERSIGN_PROFILE"]
    {
        assert!(text.contains(expected), "{text}");
    }
    assert!(!text.contains("secret") && !text.contains("127.0.0.1:8080"), "{text}");
}

#[test]
fn a_named_file_must_exist_and_the_default_file_need_not() {
    let missing = Path::new("no-such-directory/own.toml");
    let inputs = |file, env| Inputs { flags: &[], env, variable_names: &[], file, defaults: &[] };
    let by_flag = load(&inputs(Some(missing), &|_| None)).expect_err("missing").to_string();
    assert!(by_flag.starts_with("no-such-directory/own.toml: can't be read: "), "{by_flag}");
    let by_variable =
        load(&inputs(None, &|name| (name == FILE_VARIABLE).then(|| "no-such-directory/other.toml".into())));
    assert!(by_variable.expect_err("missing").to_string().contains("other.toml: can't be read"));
    assert!(load_with_default(&inputs(None, &|_| None), missing).is_ok());
}

#[test]
fn the_flag_for_the_file_overrides_its_variable() {
    let directory = tempfile::tempdir().unwrap();
    let named = directory.path().join("named.toml");
    fs::write(&named, "data_dir = \"from-named\"").unwrap();
    let env = |name: &str| (name == FILE_VARIABLE).then(|| "no-such-directory/other.toml".to_owned());
    let inputs = Inputs { flags: &[], env: &env, variable_names: &[], file: Some(&named), defaults: &[] };
    assert_eq!(load(&inputs).unwrap().config.data_dir, Path::new("from-named"));
}

#[test]
fn a_file_that_is_too_large_or_not_text_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let large = directory.path().join("large.toml");
    fs::write(&large, "#".repeat((1 << 20) + 1)).unwrap();
    let binary = directory.path().join("binary.toml");
    fs::write(&binary, [0xff, 0xfe, 0x00]).unwrap();
    for path in [large.as_path(), &binary, directory.path()] {
        let inputs = Inputs { flags: &[], env: &|_| None, variable_names: &[], file: Some(path), defaults: &[] };
        assert!(load(&inputs).expect_err("not a readable text file").to_string().contains("can't be read"));
    }
}

#[test]
fn an_unknown_variable_with_our_prefix_is_a_warning() {
    let world = World::default().variable("COUNTERSIGN_LISTN", "127.0.0.1:1").variable("COUNTERSIGN_X", "1");
    let loaded = world.variable("COUNTERSIGN_LOG_FORMAT", "json").variable("PATH", "/bin").load().unwrap();
    let warnings: Vec<String> = loaded.warnings.iter().map(Problem::to_string).collect();
    assert_eq!(
        warnings,
        [
            "variable COUNTERSIGN_LISTN: is unknown and has no effect; did you mean COUNTERSIGN_LISTEN?",
            "variable COUNTERSIGN_X: is unknown and has no effect; `countersign config` lists all settings",
        ]
    );
    assert_eq!(loaded.config.listen.port(), 8080);
}

#[test]
fn a_variable_that_is_not_utf_8_is_an_error_and_not_ignored() {
    let names = ["COUNTERSIGN_DATA_DIR".to_owned()];
    let inputs = Inputs { flags: &[], env: &|_| None, variable_names: &names, file: None, defaults: &[] };
    let text = load_with_default(&inputs, Path::new("no-such-directory/own.toml")).expect_err("unreadable").to_string();
    assert_eq!(text, "variable COUNTERSIGN_DATA_DIR: is not valid UTF-8; use plain text");
}

#[test]
fn a_flag_without_a_setting_is_an_error() {
    let problems = World::default().flag("color", "red").problems();
    assert_eq!(problems, ["flag --color: sets `color`, which is not a setting; leave it out"]);
}

#[test]
fn the_hosted_profile_names_all_missing_settings_at_once() {
    let problems =
        World::default().variable("COUNTERSIGN_PROFILE", "hosted").variable("GEMINI_API_KEY", "k").problems();
    assert_eq!(
        problems,
        [
            "variable GROQ_API_KEY: is not set; the hosted profile needs it",
            "variable DATABASE_URL: is not set; the hosted profile needs it",
            "variable FRONTEND_URL: is not set; the hosted profile needs it",
        ]
    );
}

#[test]
fn hosted_requirements_may_be_set_in_the_file_and_invalid_values_are_not_called_missing() {
    let problems = World::default()
        .file(
            "profile = \"hosted\"\nfrontend_url = \"nowhere\"\n\
             [providers]\ngroq_api_key = \"a\"\ngemini_api_key = \"b\"",
        )
        .variable("DATABASE_URL", "postgres://me:hunter2@db/x")
        .problems();
    let text = problems.join("\n");
    assert!(!text.contains("is not set"), "{text}");
    assert!(!text.contains("DATABASE_URL"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

#[test]
fn only_an_address_of_postgres_is_a_database_url() {
    for address in ["postgres://me:hunter2@db/x", "postgresql://me@db.example.org:6543/x?sslmode=verify-full"] {
        let config = World::default().variable("DATABASE_URL", address).config();
        assert_eq!(config.database_url.as_ref().map(Secret::expose), Some(address));
    }
    let problems = World::default().variable("DATABASE_URL", "mysql://me:hunter2@db/x").problems();
    let wrong = "is not the address of a Postgres database; write postgres://user:password@host/name, or unset it to use \
                 SQLite in the data directory";
    assert_eq!(problems, [format!("variable DATABASE_URL: {wrong}")]);
}

#[test]
fn unavailable_delivery_is_refused_in_every_layer() {
    let problems = World::default().variable("NATS_URL", "nats://a").file("nats_url = \"nats://b\"").problems();
    assert_eq!(problems.len(), 2);
    assert!(problems.iter().all(|line| line.contains("NATS delivery is not part of this version")));
}

#[test]
fn limits_that_contradict_each_other_are_refused() {
    let problems = World::default().file("limits.body_bytes_in_flight_max = \"8 MiB\"").problems();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("`limits.transactions_bytes_max`"), "{problems:?}");
    let problems = World::default().file("limits.gateway_bytes_max = \"512 MiB\"").problems();
    assert!(problems.len() == 1 && problems[0].contains("lower `limits.gateway_bytes_max`"), "{problems:?}");
    let problems = World::default().file("[limits]\nbody_bytes_in_flight_max = 0").problems();
    assert_eq!(problems.len(), 1, "an unreadable limit is not compared with others: {problems:?}");
}

#[test]
fn no_secret_is_ever_shown() {
    let secrets = settings_of_one_value().filter(|setting| setting.kind == ValueKind::Secret);
    for (index, setting) in secrets.enumerate() {
        let text = match setting.key {
            "database_url" => format!("postgres://me:hunter2-{index}@db/x"),
            _ => format!("hunter2-{index}"),
        };
        let config = World::default()
            .variable(setting.variable.unwrap(), &text)
            .file(settings_required_by(setting.key))
            .config();
        let rows = config.effective();
        let shown = format!("{config:?}\n{}\n{}", render_table(&rows), serde_json::to_string(&rows).unwrap());
        assert!(!shown.contains("hunter2"), "{shown}");
        let row = rows.iter().find(|row| row.key == setting.key).unwrap();
        assert_eq!(row.value, "********");
    }
    assert_eq!(World::default().effective("providers.groq_api_key"), ("(not set)".to_owned(), SettingSource::Default));
}

#[test]
fn a_bad_secret_is_described_and_not_quoted_in_any_layer() {
    for setting in SETTINGS.iter().filter(|setting| setting.kind == ValueKind::Secret) {
        let bad = "hunter2 with spaces\u{7}";
        let in_file = format!("{} = {}\n", setting.key, "\"hunter2 x\"");
        for world in [
            World::default().flag(setting.key, bad),
            World::default().variable(setting.variable.unwrap(), bad),
            World::default().file(&in_file),
            World::default().file(&format!("{} = 7201572015", setting.key)),
            World::default().file(&format!("{} = [\"hunter2\"]", setting.key)),
            World::default().file(&format!("{} = hunter2", setting.key)),
        ] {
            let error = world.load().expect_err("a bad secret");
            let text = format!("{error}\n{error:?}");
            assert!(!text.contains("hunter2") && !text.contains("7201572015"), "{text}");
        }
    }
}

#[test]
fn keys_are_needed_if_other_machines_can_connect() {
    for (listen, needed) in [
        ("127.0.0.1:1", false),
        ("127.8.8.8:1", false),
        ("localhost:1", false),
        ("[::1]:1", false),
        ("0.0.0.0:1", true),
        ("[::]:1", true),
        ("10.0.0.1:1", true),
    ] {
        let mut config = World::default().flag("listen", listen).config();
        assert_eq!(config.needs_keys(), needed, "{listen}");
        config.profile = Profile::Hosted;
        assert!(config.needs_keys());
    }
}

#[test]
fn requests_are_rate_limited_by_default_if_keys_are_needed() {
    let limit =
        |listen: &str, file: &str| World::default().flag("listen", listen).file(file).config().requests_per_minute();
    assert_eq!(limit("127.0.0.1:1", ""), None);
    assert_eq!(limit("127.0.0.1:1", "limits.requests_per_minute = 60"), Some(60));
    assert_eq!(limit("0.0.0.0:1", ""), Some(6_000));
    assert_eq!(limit("0.0.0.0:1", "limits.requests_per_minute = 60"), Some(60));
    assert_eq!(limit("0.0.0.0:1", "limits.requests_per_minute = 0"), None);
}

#[test]
fn the_table_is_aligned_and_each_row_is_one_line() {
    let config = World::default()
        .variable("RUST_LOG", "info,hyper=warn,one=debug,two=debug,three=debug\u{1b}[2Jx")
        .variable("GROQ_API_KEY", "gsk")
        .flag("listen", "0.0.0.0:80")
        .config();
    let table = render_table(&config.effective());
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), SETTINGS.len() + 1);
    assert!(!table.contains('\u{1b}'));
    let column = lines[0].find("value").unwrap();
    for line in &lines {
        assert_eq!(line.chars().nth(column - 1), Some(' '), "{line}");
        assert_ne!(line.chars().nth(column), Some(' '), "{line}");
    }
    assert!(
        table.contains("  flag\n") && table.contains("  environment GROQ_API_KEY\n") && table.contains("  default\n")
    );
}

#[test]
fn programs_get_the_source_and_the_variable_separately() {
    let config = World::default().variable("FRONTEND_URL", "https://a.example").config();
    let rows = serde_json::to_value(config.effective()).unwrap();
    assert_eq!(
        rows[3],
        serde_json::json!({
            "key": "frontend_url", "value": "https://a.example", "source": "environment", "variable": "FRONTEND_URL",
            "description": "Browser origins allowed besides the server's own",
        })
    );
}

#[test]
fn files_made_of_random_pieces_never_panic() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(DEFAULT_FILE);
    let pieces = [
        "listen",
        "providers.prices",
        "=",
        "\"x\"",
        "[",
        "]",
        "limits",
        ".",
        "\n",
        "'",
        "1",
        "é",
        "{",
        "}",
        "#",
        "\"\"\"",
        "[[",
    ];
    for one in pieces {
        for two in pieces {
            for three in pieces {
                fs::write(&path, format!("{one}{two}{three}\n{three}{one}")).unwrap();
                file::read(&path, true, &mut Vec::new());
            }
        }
    }
}
