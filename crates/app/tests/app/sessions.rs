//! Signing in with a browser: what the cookie allows, and when the CSRF token is required as well.

use std::time::Duration;

use countersign_domain::{EventType, Role};
use countersign_store::EventQuery;
use serde_json::{Value, json};
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Error, client::IntoClientRequest, protocol::frame::coding::CloseCode},
};

use crate::{
    client::{Answer, Call},
    live::{Socket, closed},
    running::{Running, skip, transaction},
};

const SESSION: &str = "/api/session";

/// A browser that has signed in.
struct Browser {
    cookie: String,
    csrf: String,
}

impl Browser {
    async fn sign_in(server: &Running, key: &str) -> Self {
        let answer = server.post(SESSION, &json!({"key": key})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Self { cookie, csrf: answer.json()["csrf"].as_str().unwrap().to_owned() }
    }

    fn get(&self, server: &Running, path: &str) -> Call {
        server.call("GET", path).header("cookie", &self.cookie)
    }

    fn change(&self, server: &Running, method: &str, path: &str) -> Call {
        server.call(method, path).header("cookie", &self.cookie).header("x-countersign-csrf", &self.csrf)
    }
}

async fn key(server: &Running, role: Role, name: &str) -> String {
    server.keys.create(role, name, None, "test").await.unwrap().0.expose().to_owned()
}

async fn info(call: Call) -> Value {
    let answer = call.send().await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[tokio::test]
async fn a_key_opens_a_session_that_lasts_until_sign_out() {
    let server = Running::with_keys().await;
    let stranger = info(server.call("GET", SESSION)).await;
    assert_eq!((&stranger["signed_in"], &stranger["keys_required"]), (&json!(false), &json!(true)));
    for field in ["name", "key_id", "role", "csrf", "worker"] {
        assert_eq!(stranger[field], Value::Null, "{field}");
    }
    let key = key(&server, Role::Reviewer, "Ana").await;
    let browser = Browser::sign_in(&server, &format!(" {key}\n")).await;
    let known = info(browser.get(&server, SESSION)).await;
    assert_eq!(
        (&known["signed_in"], &known["name"], &known["role"]),
        (&json!(true), &json!("Ana"), &json!("reviewer"))
    );
    assert_eq!((&known["csrf"], &known["worker"]), (&json!(browser.csrf), &json!("simulated/simulated")));
    assert_eq!((&known["is_simulated"], &known["is_demo"]), (&json!(true), &json!(false)));
    assert_eq!(known["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(browser.get(&server, "/api/events").send().await.status, 200);

    let out = browser.change(&server, "DELETE", SESSION).send().await;
    assert_eq!((out.status, out.body.len()), (204, 0));
    assert!(out.header("set-cookie").unwrap().starts_with("countersign_session=; "));
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
    browser.get(&server, "/api/events").send().await.check_error(401);
    assert_eq!(info(browser.get(&server, SESSION)).await["signed_in"], false);
    assert_eq!(server.call("DELETE", SESSION).send().await.status, 204, "signing out without a session succeeds");
    server.stop().await;
}

#[tokio::test]
async fn scripts_and_other_sites_cannot_use_the_cookie() {
    let server = Running::with_keys().await;
    let body = json!({"key": key(&server, Role::Viewer, "Ana").await});
    let cookie = async |call: Call| {
        let answer = call.body(body.to_string()).send().await;
        assert!(!answer.text().contains("cs_"), "the key is not repeated");
        answer.header("set-cookie").unwrap().to_owned()
    };
    let plain = cookie(server.call("POST", SESSION)).await;
    let (token, attributes) = plain.split_once("; ").unwrap();
    assert_eq!(token.len(), "countersign_session=".len() + 43);
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Path=/; Max-Age=43200");
    server.stop().await;

    let server = Running::with(&[("frontend_url", "https://app.example")]).await;
    let body = json!({"key": key(&server, Role::Viewer, "Ana").await});
    let sign_in = server.call("POST", SESSION).header("origin", "https://app.example").body(body.to_string());
    assert!(sign_in.send().await.header("set-cookie").unwrap().ends_with("; Secure"));
    let foreign = server.call("POST", SESSION).header("origin", "https://evil.example").body(body.to_string());
    foreign.send().await.check_error(403);
    server.stop().await;
}

#[tokio::test]
async fn a_wrong_key_is_refused_and_recorded() {
    let server = Running::with_keys().await;
    let (raw, about) = server.keys.create(Role::Admin, "gone", None, "test").await.unwrap();
    server.keys.revoke(&about.id, "test").await.unwrap();
    for (key, expected) in
        [("cs_wrong_key", "the key is unknown"), ("", "the key is unknown"), (raw.expose(), "the key has been revoked")]
    {
        let refused = server.post(SESSION, &json!({"key": key})).await;
        assert_eq!((refused.check_error(401).as_str(), refused.header("set-cookie")), (expected, None));
    }
    for body in ["{}", "[]", "", "{\"key\":1}", "{\"key\":\"a\",\"role\":\"admin\"}"] {
        server.call("POST", SESSION).body(body).send().await.check_error(400);
    }
    server.post(SESSION, &json!({"key": "x".repeat(5_000)})).await.check_error(413);
    let store = server.stop().await;
    let types = vec![EventType::AccessDenied];
    let events = store.events(EventQuery { types, limit: 100, ..Default::default() }).await.unwrap();
    let payloads: Vec<Value> =
        events.iter().map(|event| serde_json::from_str(event.payload.as_ref().unwrap().get()).unwrap()).collect();
    assert_eq!(payloads.iter().map(|payload| payload["count"].as_u64().unwrap()).sum::<u64>(), 3);
    assert!(payloads.iter().all(|payload| payload["route"] == SESSION && payload["method"] == "POST"), "{payloads:?}");
    assert_eq!(payloads[0]["address"], "127.0.0.1");
}

#[tokio::test]
async fn after_ten_failed_attempts_an_address_is_rate_limited() {
    let server = Running::with_keys().await;
    let right = json!({"key": key(&server, Role::Viewer, "Ana").await});
    for _ in 0..12 {
        assert_eq!(server.post(SESSION, &right).await.status, 200, "successful attempts are not counted");
    }
    for _ in 0..10 {
        server.post(SESSION, &json!({"key": "cs_wrong_key"})).await.check_error(401);
    }
    let refused = server.post(SESSION, &json!({"key": "cs_wrong_key"})).await;
    assert!(refused.check_error(429).starts_with("too many failed sign-in attempts"));
    assert!((1..=6).contains(&refused.header("retry-after").unwrap().parse::<u64>().unwrap()));
    assert_eq!(server.get(SESSION).await.status, 200);
    assert_eq!(server.post(SESSION, &right).await.status, 200, "a valid key can still sign in");
    server.stop().await;
}

#[tokio::test]
async fn a_change_with_the_cookie_needs_the_sessions_csrf_token() {
    let server = Running::with_keys().await;
    let browser = Browser::sign_in(&server, &key(&server, Role::Admin, "Ana").await).await;
    let other = Browser::sign_in(&server, &key(&server, Role::Admin, "Ben").await).await;
    let body = transaction("tx-1").to_string();
    let post = || server.call("POST", "/api/transactions").header("cookie", &browser.cookie).body(body.clone());
    let forged = [post(), post().header("x-countersign-csrf", ""), post().header("x-countersign-csrf", &other.csrf)];
    for call in forged {
        assert!(call.send().await.check_error(403).contains("x-countersign-csrf"));
    }
    server.call("DELETE", SESSION).header("cookie", &browser.cookie).send().await.check_error(403);
    let taken = info(browser.get(&server, "/api/events?type=TRANSACTION_RECEIVED")).await;
    assert_eq!(taken["items"], json!([]), "no transaction was stored");
    let right = post().header("x-countersign-csrf", &browser.csrf).send().await;
    assert_eq!(right.status, 202);
    post()
        .header("x-countersign-csrf", &browser.csrf)
        .header("origin", "https://evil.example")
        .send()
        .await
        .check_error(403);
    assert_eq!(info(browser.get(&server, SESSION)).await["signed_in"], true, "reading needs no token");
    server.stop().await;
}

#[tokio::test]
async fn a_session_has_the_role_of_its_key() {
    let server = Running::with_keys().await;
    let browser = Browser::sign_in(&server, &key(&server, Role::Viewer, "Ana").await).await;
    assert_eq!(browser.get(&server, "/api/logs").send().await.status, 200);
    browser.get(&server, "/api/config").send().await.check_error(403);
    browser.change(&server, "POST", "/api/transactions").body("[]").send().await.check_error(403);
    let agent = Browser::sign_in(&server, &key(&server, Role::Agent, "Feed").await).await;
    agent.get(&server, "/api/logs").send().await.check_error(403);
    server.stop().await;
}

#[tokio::test]
async fn a_session_ends_when_its_key_is_revoked_or_when_it_expires() {
    let server = Running::with_keys().await;
    let (raw, about) = server.keys.create(Role::Viewer, "Ana", None, "test").await.unwrap();
    let browser = Browser::sign_in(&server, raw.expose()).await;
    let events = || browser.get(&server, "/api/events").send();
    assert_eq!(events().await.status, 200);
    server.keys.revoke(&about.id, "test").await.unwrap();
    assert_eq!(events().await.check_error(401), "the key has been revoked");

    let browser = Browser::sign_in(&server, &key(&server, Role::Viewer, "Ben").await).await;
    server.clock.advance(Duration::from_secs(2 * 3_600 - 60));
    assert_eq!(browser.get(&server, "/api/events").send().await.status, 200);
    server.clock.advance(Duration::from_secs(2 * 3_600));
    browser.get(&server, "/api/events").send().await.check_error(401);
    server.stop().await;
}

#[tokio::test]
async fn a_key_in_the_header_takes_precedence_over_the_cookie() {
    let server = Running::with_keys().await;
    let (viewer, admin) = (key(&server, Role::Viewer, "Ana").await, key(&server, Role::Admin, "Ben").await);
    let browser = Browser::sign_in(&server, &viewer).await;
    assert_eq!(browser.get(&server, "/api/config").key(Some(&admin)).send().await.status, 200);
    let known = info(browser.get(&server, SESSION).key(Some(&admin))).await;
    assert_eq!((&known["name"], &known["csrf"]), (&json!("Ben"), &Value::Null));
    // A request with a key in its header can't be a forged browser request, so it needs no token.
    let post = server.call("POST", "/api/transactions").header("cookie", &browser.cookie).key(Some(&admin));
    assert_eq!(post.body(transaction("tx-1").to_string()).send().await.status, 202);
    browser.get(&server, "/api/events").key(Some("cs_wrong_key")).send().await.check_error(401);
    server.stop().await;
}

#[tokio::test]
async fn on_loopback_a_session_identifies_the_caller_and_an_invalid_cookie_is_ignored() {
    let server = Running::start().await;
    let local = info(server.call("GET", SESSION)).await;
    assert_eq!((&local["signed_in"], &local["keys_required"]), (&json!(true), &json!(false)));
    assert_eq!((&local["name"], &local["role"], &local["csrf"]), (&json!("local"), &json!("admin"), &Value::Null));
    let strange = server.call("POST", "/api/transactions").header("cookie", "a=b; countersign_session=nonsense");
    assert_eq!(strange.body(transaction("tx-1").to_string()).send().await.status, 202);

    let browser = Browser::sign_in(&server, &key(&server, Role::Viewer, "Ana").await).await;
    assert_eq!(info(browser.get(&server, SESSION)).await["name"], "Ana");
    browser.get(&server, "/api/config").send().await.check_error(403);
    let with_other_cookies =
        browser.get(&server, SESSION).header("cookie", format!("theme=dark; {}; x=y", browser.cookie));
    assert_eq!(info(with_other_cookies).await["name"], "Ana");
    browser.change(&server, "DELETE", SESSION).send().await;
    assert_eq!(info(browser.get(&server, SESSION)).await["name"], "local");
    server.stop().await;
}

#[tokio::test]
async fn signing_in_again_ends_the_previous_session() {
    let server = Running::with_keys().await;
    let first = Browser::sign_in(&server, &key(&server, Role::Viewer, "Ana").await).await;
    let body = json!({"key": key(&server, Role::Viewer, "Ben").await});
    let again = first.get(&server, SESSION).body("").send().await;
    assert_eq!(again.json()["name"], "Ana");
    let again = server.call("POST", SESSION).header("cookie", &first.cookie).body(body.to_string()).send().await;
    assert_eq!((again.status, &again.json()["name"]), (200, &json!("Ben")));
    first.get(&server, "/api/events").send().await.check_error(401);
    server.stop().await;
}

/// Opens a WebSocket. Returns the status if it was refused.
async fn follow(server: &Running, browser: &Browser, origin: Option<String>) -> Result<Socket, u16> {
    let mut request = format!("ws://{}/api/live", server.address).into_client_request().unwrap();
    request.headers_mut().insert("cookie", browser.cookie.parse().unwrap());
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    match connect_async(request).await {
        Ok((socket, _)) => Ok(socket),
        Err(Error::Http(response)) => Err(response.status().as_u16()),
        Err(other) => panic!("{other}"),
    }
}

#[tokio::test]
async fn a_live_connection_with_the_cookie_needs_our_origin_and_ends_with_the_session() {
    let server = Running::with_keys().await;
    let browser = Browser::sign_in(&server, &key(&server, Role::Viewer, "Wall").await).await;
    let own = format!("http://127.0.0.1:{}", server.address.port());
    assert_eq!(follow(&server, &browser, None).await.err(), Some(403));
    assert_eq!(follow(&server, &browser, Some("https://evil.example".into())).await.err(), Some(403));
    let mut socket = follow(&server, &browser, Some(own)).await.unwrap();
    let out = browser.change(&server, "DELETE", SESSION).send().await;
    assert_eq!(out.status, 204);
    skip(Duration::from_secs(15)).await;
    assert_eq!(closed(&mut socket).await, CloseCode::Policy);
    server.stop().await;
}

#[tokio::test]
async fn actions_in_a_session_are_recorded_with_its_key() {
    let server = Running::with_agents(&[]).await;
    let (raw, about) = server.keys.create(Role::Admin, "Ana", None, "test").await.unwrap();
    let browser = Browser::sign_in(&server, raw.expose()).await;
    let make = browser.change(&server, "POST", "/api/keys").body(json!({"role": "viewer", "name": "x"}).to_string());
    let made: Answer = make.send().await;
    assert_eq!(made.status, 201);
    let events = server.get("/api/events?type=KEY_CHANGED").await.json();
    let last = events["items"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(last["payload"]["changed_by"], about.id.as_str());
    server.stop().await;
}
