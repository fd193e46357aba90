//! Which names and which web pages get through.

use crate::running::Running;

#[tokio::test]
async fn only_the_servers_own_names_are_answered_on_loopback() {
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
    assert_eq!(absolute.status, 403, "the target counts as well as the header");
    server.stop().await;
}

#[tokio::test]
async fn where_keys_are_needed_any_name_may_lead_to_the_server() {
    let server = Running::with_keys().await;
    assert_eq!(server.call("GET", "/health").header("host", "countersign.example").send().await.status, 200);
    server.stop().await;
}

#[tokio::test]
async fn an_allowed_origin_is_echoed_also_on_errors_and_another_is_refused() {
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
        answer.check_error(403);
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    server.stop().await;
}

#[tokio::test]
async fn a_preflight_is_answered_before_anybody_asks_for_a_key() {
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
