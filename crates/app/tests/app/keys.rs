//! Creating, listing and revoking keys over HTTP, and the token for commands on the same machine.

use countersign::server::ServerFile;
use serde_json::json;

use crate::{client::Call, running::Running};

fn local_token(server: &Running) -> ServerFile {
    serde_json::from_slice(&std::fs::read(server.dir.server()).unwrap()).unwrap()
}

#[tokio::test]
async fn a_key_is_shown_once_and_its_creation_and_revocation_take_effect_immediately() {
    let server = Running::with_keys().await;
    let token = local_token(&server).token;
    let asked = json!({"role": "viewer", "name": "Ana", "expires_at": "2999-01-01T00:00:00Z"});
    let created = server.call("POST", "/api/keys").key(Some(&token)).body(asked.to_string()).send().await;
    assert_eq!(created.status, 201, "{created:?}");
    let created = created.json();
    let (id, key) = (created["id"].as_str().unwrap(), created["key"].as_str().unwrap());
    assert_eq!((&created["role"], &created["name"]), (&json!("viewer"), &json!("Ana")));
    let events = || server.call("GET", "/api/events").key(Some(key)).send();
    assert_eq!(events().await.status, 200);

    let list = server.call("GET", "/api/keys").key(Some(&token)).send().await;
    let secret = key.rsplit_once(id).unwrap().1;
    assert!(!list.text().contains(secret) && !list.text().contains("sha256"));
    assert_eq!(list.json()["items"][0]["id"], id);

    let path = format!("/api/keys/{id}");
    for _ in 0..2 {
        let revoked = server.call("DELETE", &path).key(Some(&token)).send().await;
        assert_eq!(revoked.status, 200);
        assert!(revoked.json()["revoked_at"].is_string());
    }
    events().await.check_error(401);
    server.call("DELETE", "/api/keys/aaaaaaaaaaaa").key(Some(&token)).send().await.check_error(404);
    server.call("DELETE", "/api/keys/A").key(Some(&token)).send().await.check_error(400);
    server.stop().await;
}

#[tokio::test]
async fn an_invalid_key_request_is_refused_and_names_the_field() {
    let server = Running::start().await;
    for (body, detail) in [
        (json!({"role": "owner", "name": "x"}), "role: unknown variant"),
        (json!({"role": "viewer"}), "missing field `name`"),
        (json!({"role": "viewer", "name": ""}), "name: must not be empty"),
        (
            json!({"role": "viewer", "name": "x", "expires_at": "2020-01-01T00:00:00Z"}),
            "expires_at: must be in the future",
        ),
        (json!({"role": "viewer", "name": "x", "expires": "2999-01-01T00:00:00Z"}), "unknown field, expected one of"),
        (json!(["viewer", "x"]), "the body must be one JSON object"),
    ] {
        let found = server.post("/api/keys", &body).await.check_error(400);
        assert!(found.starts_with(detail), "{found}");
    }
    assert_eq!(server.store.size().await.unwrap(), 0);
    server.stop().await;
}

#[tokio::test]
async fn the_server_file_is_private_and_removed_when_the_server_stops() {
    let server = Running::with_keys().await;
    let path = server.dir.server();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let file = local_token(&server);
    assert_eq!((file.pid, file.url), (std::process::id(), format!("http://{}", server.address)));
    assert_eq!(Call::new(server.address, "GET", "/api/config").key(Some(&file.token)).send().await.status, 200);
    server.stop().await;
    assert!(!path.exists());
}
