//! Every kind of invalid request, and the shape of the error.

use countersign_domain::Role;

use crate::{
    client::Raw,
    running::{Running, alert, transaction},
};

#[tokio::test]
async fn errors_name_the_problem_and_the_field_but_repeat_no_value() {
    let server = Running::start().await;
    for (method, path, body, status, detail) in [
        ("POST", "/api/alerts", "", 400, "the body must be one JSON object"),
        ("POST", "/api/alerts", "[]", 400, "the body must be one JSON object"),
        (
            "POST",
            "/api/alerts",
            "{\"alert_id\"",
            400,
            "not valid JSON: EOF while parsing an object (line 1, column 11)",
        ),
        ("POST", "/api/alerts", "{}", 400, "missing field `alert_id` (line 1, column 2)"),
        ("POST", "/api/alerts", "{\"alert_id\": 4111}", 400, "alert_id: invalid type: integer, expected a string"),
        ("POST", "/api/transactions", "", 400, "not valid JSON: EOF while parsing a value (line 1, column 0)"),
        ("POST", "/api/transactions", "{\n\"user_id\": \"\"}", 400, "user_id: must not be empty (line 2, column 14)"),
        ("POST", "/api/transactions", "[{}", 400, "not valid JSON: EOF while parsing a list (line 1, column 3)"),
        ("POST", "/api/transactions", "[] []", 400, "not valid JSON: trailing characters (line 1, column 4)"),
        ("POST", "/api/transactions?dry=1", "{}", 400, "dry: is not a parameter of this path"),
        ("GET", "/api/nothing", "", 404, "there is nothing at /api/nothing"),
        ("GET", "/api/events/1", "", 400, "id: is not a UUID"),
        ("GET", "/api/events/%FF", "", 400, "the path is not properly encoded"),
        ("GET", "/api/events/0195e0c0-0000-7000-8000-000000000000", "", 404, "there is nothing with this id"),
        ("GET", "/api/events/0195e0c0-0000-7000-8000-000000000000/chain", "", 404, "there is nothing with this id"),
        ("GET", "/api/events?limit=0", "", 400, "limit: must be from 1 to 500"),
        ("GET", "/api/events?limit=ten", "", 400, "limit: is not a number"),
        ("GET", "/api/events?after=zz", "", 400, "after: is not a cursor of this list"),
        ("GET", "/api/events?correlation_id=x", "", 400, "correlation_id: is not a UUID"),
        ("GET", "/api/events?type=%27OR", "", 400, "type: must be a list of at most"),
        ("GET", "/api/events?tpye=X", "", 400, "tpye: is not a parameter of this path"),
        ("GET", "/api/dead-letters?after=ZTE", "", 400, "after: is not a cursor of this list"),
        ("POST", "/api/agents/nobody/pause", "", 404, "there is no agent with this name"),
        ("POST", "/api/dead-letters/x/replay", "", 400, "id: is not a UUID"),
        (
            "POST",
            "/api/dead-letters/0195e0c0-0000-7000-8000-000000000000/replay",
            "",
            404,
            "there is nothing with this id",
        ),
        ("GET", "/api/ledger/inclusion", "", 400, "index: is missing"),
        ("GET", "/api/ledger/inclusion?index=0", "", 400, "index: must be less than the tree's size, which is 0"),
        ("GET", "/api/ledger/inclusion?index=0&size=1", "", 400, "size: is larger than the log, which has 0 events"),
        ("GET", "/api/ledger/inclusion?index=-1", "", 400, "index: is negative"),
        ("GET", "/api/ledger/consistency?from=99999999999999999999", "", 400, "from: is not a position in the log"),
        ("GET", "/api/ledger/leaf/0", "", 404, "the log has 0 events"),
        ("GET", "/api/ledger/leaf/x", "", 400, "index: is not a position in the log"),
        ("GET", "/api/ledger/leaf/18446744073709551615", "", 404, "the log has 0 events"),
        ("GET", "/api/live", "", 400, "this path opens a WebSocket"),
        ("GET", "/api/alerts?severity=worse", "", 400, "severity: must be low, medium, high or critical"),
        ("GET", "/api/alerts?status=in_review", "", 400, "status: must be one of recorded open reported closed"),
        ("GET", "/api/alerts?after=ZTE", "", 400, "after: is not a cursor of this list"),
        ("GET", "/api/alerts?sort=4111", "", 400, "sort: is not a parameter of this path"),
        ("GET", "/api/alerts/nobody", "", 404, "there is no alert with this id"),
        ("GET", "/api/alerts/%07", "", 400, "id: contains a control character"),
        ("GET", "/api/transactions?user_id=%07", "", 400, "user_id: contains a control character"),
        ("GET", "/api/investigations?status=closed", "", 400, "status: must be one of open in_review approved"),
        ("GET", "/api/investigations/x", "", 400, "id: is not a UUID"),
        ("GET", "/api/reports?report_type=4111", "", 400, "report_type: must be internal, compliance or full"),
        ("GET", "/api/reports/x", "", 400, "id: is not a UUID"),
        ("GET", "/api/reports/0195e0c0-0000-7000-8000-000000000000/facts", "", 404, "there is no report with this id"),
        ("GET", "/api/reports/0195e0c0-0000-7000-8000-000000000000?full=1", "", 400, "full: is not a parameter"),
        ("POST", "/api/reports", "[]", 400, "the body must be one JSON object"),
        ("GET", "/api/reviews?status=4111", "", 400, "status: must be open or decided"),
        ("GET", "/api/rules?x=1", "", 400, "x: is not a parameter of this path"),
    ] {
        let answer = server.call(method, path).body(body).send().await;
        let found = answer.check_error(status);
        assert!(found.starts_with(detail), "{method} {path} {body}: {found}");
        assert!(!answer.text().contains("4111"));
    }
    assert_eq!(server.store.size().await.unwrap(), 0);
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_method_is_refused_with_the_allowed_ones() {
    let server = Running::start().await;
    for (method, path, allow) in [
        ("PUT", "/api/transactions", "GET, POST, HEAD"),
        ("POST", "/api/events", "GET, HEAD"),
        ("DELETE", "/api/keys", "GET, POST, HEAD"),
        ("OPTIONS", "/health", "GET, HEAD"),
        ("BREW", "/health", "GET, HEAD"),
    ] {
        let answer = server.call(method, path).send().await;
        answer.check_error(405);
        assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn any_content_type_is_read_as_json() {
    let server = Running::start().await;
    for (n, kind) in
        ["application/json", "text/plain", "application/x-www-form-urlencoded", "nonsense"].iter().enumerate()
    {
        let body = transaction(&format!("tx-{n}")).to_string();
        let answer = server.call("POST", "/api/transactions").header("content-type", kind).body(body).send().await;
        assert_eq!(answer.status, 202, "{kind}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_by_its_announced_length_or_while_it_is_read() {
    let server =
        Running::with(&[("limits.transactions_bytes_max", "1 KiB"), ("limits.query_bytes_max", "1 KiB")]).await;
    for path in ["/api/transactions", "/api/alerts", "/api/keys"] {
        let head = format!("POST {path} HTTP/1.1\r\nhost: {}\r\n", server.address);
        // The body is never sent: the announced length alone causes the refusal.
        let mut by_length = Raw::open(server.address).await;
        by_length.send(format!("{head}content-length: 1025\r\n\r\n")).await;
        let (status, text) = by_length.receive().await;
        assert_eq!(status, 413, "{text}");
        assert!(text.contains("the body is larger than 1024 bytes"), "{text}");

        let mut chunked = Raw::open(server.address).await;
        chunked.send(format!("{head}transfer-encoding: chunked\r\n\r\n")).await;
        for _ in 0..3 {
            chunked.send(format!("200\r\n{}\r\n", " ".repeat(0x200))).await;
        }
        assert_eq!(chunked.receive().await.0, 413);
    }
    let just_fits = format!("{}{}", transaction("tx-1"), " ".repeat(1024 - transaction("tx-1").to_string().len()));
    assert_eq!(server.call("POST", "/api/transactions").body(just_fits).send().await.status, 202);
    server.stop().await;
}

#[tokio::test]
async fn a_chunked_body_is_read_like_any_other() {
    let server = Running::start().await;
    let body = transaction("tx-1").to_string();
    let mut raw = Raw::open(server.address).await;
    raw.send(format!(
        "POST /api/transactions HTTP/1.1\r\nhost: {}\r\ntransfer-encoding: chunked\r\n\r\n",
        server.address
    ))
    .await;
    for piece in body.as_bytes().chunks(7) {
        raw.send(format!("{:x}\r\n{}\r\n", piece.len(), String::from_utf8_lossy(piece))).await;
    }
    raw.send("0\r\n\r\n").await;
    assert_eq!(raw.receive().await.0, 202);
    server.stop().await;
}

#[tokio::test]
async fn a_closed_store_is_a_503_and_not_a_500() {
    let server = Running::start().await;
    server.store.close().await.unwrap();
    server.post("/api/transactions", &transaction("tx-1")).await.check_error(503);
    server.post("/api/alerts", &alert("a-1")).await.check_error(503);
    server.stop().await;
}

#[tokio::test]
async fn every_answer_carries_its_request_id_and_the_security_headers() {
    let server = Running::start().await;
    for path in ["/health", "/metrics", "/", "/api/docs", "/api/docs.css", "/api/events", "/api/nothing"] {
        let answer = server.call("GET", path).header("x-request-id", "from-caller-1").send().await;
        assert_eq!(answer.header("x-request-id"), Some("from-caller-1"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        // Pages without data may be cached, provided that they are revalidated.
        let caching = answer.header("cache-control").unwrap();
        assert!(caching == "no-store" || (path == "/" && caching == "no-cache"), "{path}: {caching}");
        let policy = answer.header("content-security-policy").unwrap();
        assert_eq!(policy.contains("style-src 'self'"), ["/", "/api/docs"].contains(&path));
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    }
    let long = "x".repeat(65);
    let mut made = Vec::new();
    for bad in ["", "with space", &long] {
        let answer = server.call("GET", "/health").header("x-request-id", bad).send().await;
        made.push(answer.header("x-request-id").unwrap().to_owned());
    }
    made.dedup();
    assert_eq!(made.len(), 3, "each request has an id of its own");
    assert!(made.iter().all(|id| !id.is_empty() && id.len() <= 64 && !id.contains(' ')), "{made:?}");
    server.stop().await;
}

#[tokio::test]
async fn ids_with_invisible_characters_are_refused() {
    let server = Running::start().await;
    let size = server.store.size().await.unwrap();
    for hidden in ["\u{200b}", "\u{202e}", "\u{2066}", "\u{feff}", "\u{200d}", "\u{ad}", "\u{e0041}"] {
        let bad = format!("id{hidden}7");
        let alert = |field: &str| {
            let mut alert = serde_json::json!({
                "alert_id": "a-1", "user_id": "u-1", "severity": "low", "score": 1, "metadata": {"transaction_id": "t-1"}
            });
            *alert.pointer_mut(field).unwrap() = bad.as_str().into();
            alert
        };
        for field in ["/alert_id", "/user_id", "/metadata/transaction_id"] {
            let detail = server.post("/api/alerts", &alert(field)).await.check_error(400);
            assert!(detail.contains("invisible"), "{field}: {detail}");
        }
        for field in ["transaction_id", "user_id", "device_fingerprint"] {
            let mut sent = transaction("tx-1");
            sent[field] = bad.as_str().into();
            let detail = server.post("/api/transactions", &sent).await.check_error(400);
            assert!(detail.starts_with(field) && detail.contains("invisible"), "{detail}");
        }
        let detail =
            server.post("/api/keys", &serde_json::json!({"name": bad, "role": "viewer"})).await.check_error(400);
        assert!(detail.contains("invisible"), "{detail}");
    }
    assert_eq!(server.store.size().await.unwrap(), size);
    server.stop().await;
}

#[tokio::test]
async fn a_refusal_before_the_body_closes_the_connection() {
    let server = Running::start().await;
    let (key, _) = server.keys.create(Role::Viewer, "test", None, "test").await.unwrap();
    let ask = async |announced: &str| {
        let mut raw = Raw::open(server.address).await;
        let (address, key) = (server.address, key.expose());
        raw.send(format!(
            "POST /api/alerts HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n{announced}\r\n"
        ))
        .await;
        let (status, text) = raw.receive().await;
        assert_eq!(status, 403, "{text}");
        (raw, text)
    };
    for announced in ["content-length: 9\r\n", "transfer-encoding: chunked\r\n"] {
        let (mut raw, text) = ask(announced).await;
        assert!(text.contains("\r\nconnection: close\r\n"), "{text}");
        assert!(raw.is_closed().await);
    }
    for announced in ["", "content-length: 0\r\n"] {
        let (mut raw, text) = ask(announced).await;
        assert!(!text.contains("\r\nconnection: close\r\n"), "{text}");
        raw.send(format!("GET /health HTTP/1.1\r\nhost: {}\r\n\r\n", server.address)).await;
        assert_eq!(raw.receive().await.0, 200);
    }
    server.stop().await;
}
