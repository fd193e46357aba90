//! The host names and origins that the server accepts.

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

use crate::running::Running;

#[tokio::test]
async fn on_loopback_only_the_servers_own_host_names_are_accepted() {
    let server = Running::start().await;
    let port = server.address.port();
    let status = async |host: String| server.call("GET", "/api/events").header("host", host).send().await.status;
    for own in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"] {
        assert_eq!(status(own.to_owned()).await, 200, "{own}");
        assert_eq!(status(format!("{own}:{port}")).await, 200, "{own}");
        assert_eq!(status(format!("{own}:1")).await, 403, "{own}");
    }
    for foreign in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "", "localhost:x"] {
        assert_eq!(status(foreign.to_owned()).await, 403, "{foreign}");
    }
    let absolute = server.call("GET", "http://evil.example/api/events").send().await;
    assert_eq!(absolute.status, 403, "the host of the request target is checked as well as the header");
    server.stop().await;
}

#[tokio::test]
async fn any_host_name_is_accepted_if_keys_are_required() {
    let server = Running::with_keys().await;
    assert_eq!(server.call("GET", "/health").header("host", "countersign.example").send().await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn an_allowed_origin_is_echoed_even_on_errors_and_other_origins_are_refused() {
    let server = Running::with(&[("frontend_url", "https://app.example,http://localhost:3000")]).await;
    let port = server.address.port();
    let own = [format!("http://127.0.0.1:{port}"), format!("http://localhost:{port}")];
    let configured = ["https://app.example".to_owned(), "http://localhost:3000".to_owned()];
    for origin in configured.iter().chain(&own) {
        for (path, status) in [("/health", 200), ("/api/nothing", 404)] {
            let answer = server.call("GET", path).header("origin", origin).send().await;
            assert_eq!(answer.status, status);
            assert_eq!(answer.header("access-control-allow-origin"), Some(origin.as_str()));
            assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
            assert_eq!(answer.header("vary"), Some("origin"));
            assert!(answer.header("access-control-expose-headers").unwrap().contains("x-request-id"));
        }
    }
    let unnamed = server.get("/health").await;
    assert_eq!(unnamed.header("access-control-allow-origin"), Some("https://app.example"));
    assert_eq!(unnamed.header("vary"), Some("origin"));
    for foreign in
        ["https://evil.example", "null", "http://app.example", "https://app.example.evil.example", "http://localhost:1"]
    {
        let answer = server.call("GET", "/health").header("origin", foreign).send().await;
        let detail = answer.check_error(403);
        assert!(
            detail.contains("FRONTEND_URL=") && !detail.contains("evil"),
            "names the setting, not the origin: {detail}"
        );
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_preflight_needs_no_key() {
    let server = Running::with_keys().await;
    let ask = |origin: &str| {
        let call = server.call("OPTIONS", "/api/transactions").header("origin", origin);
        call.header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization")
            .send()
    };
    let answer = ask("http://localhost:3000").await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert_eq!(answer.header("access-control-allow-origin"), Some("http://localhost:3000"));
    assert!(answer.header("access-control-allow-methods").unwrap().contains("POST"));
    assert!(answer.header("access-control-allow-headers").unwrap().contains("authorization"));
    assert!(answer.header("access-control-max-age").is_some());
    ask("https://evil.example").await.check_error(403);
    server.stop().await;
}

// Feature: agent-audit, Property 12: CORS header presence
// Feature: agent-audit, Property 13: CORS origin validation
#[test]
fn any_answer_names_the_frontend_and_any_other_origin_is_refused() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let frontend = "https://app.example";
    let server = runtime.block_on(Running::with(&[("frontend_url", frontend)]));
    let paths = [
        "/health",
        "/metrics",
        "/",
        "/api/logs",
        "/api/logs/stats",
        "/api/nothing",
        "/process-agent",
        "/v1/models",
        "/v1/nothing",
    ];
    let host = "[a-z0-9-]{1,12}(\\.[a-z]{2,6}){0,2}";
    let foreign = prop_oneof![
        (prop::sample::select(vec!["http", "https"]), host, prop::option::of(1_u16..)).prop_map(
            |(scheme, host, port)| match port {
                Some(port) => format!("{scheme}://{host}:{port}"),
                None => format!("{scheme}://{host}"),
            }
        ),
        Just("null".to_owned()),
        Just("http://app.example".to_owned()),
        Just("https://app.example:444".to_owned()),
        Just("https://app.example.evil.example".to_owned()),
        Just("https://APP.example ".trim().to_owned()),
    ];
    let cases = (prop::sample::select(paths.to_vec()), prop::sample::select(vec!["GET", "POST", "DELETE"]), foreign);
    let config = Config { cases: 256, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&cases, |(path, method, foreign)| {
            let named = runtime.block_on(server.call(method, path).header("origin", frontend).send());
            prop_assert_eq!(named.header("access-control-allow-origin"), Some(frontend));
            let unnamed = runtime.block_on(server.call(method, path).send());
            prop_assert_eq!(unnamed.header("access-control-allow-origin"), Some(frontend));
            let own = format!("http://localhost:{}", server.address.port());
            prop_assume!(foreign != frontend && foreign != own);
            let refused = runtime.block_on(server.call(method, path).header("origin", &foreign).send());
            prop_assert_eq!(refused.status, 403, "{}", foreign);
            prop_assert_eq!(refused.header("access-control-allow-origin"), None);
            Ok(())
        })
        .unwrap();
    runtime.block_on(server.stop());
}
