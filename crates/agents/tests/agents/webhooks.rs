//! Notices to targets that are down, refuse the notices or have a forbidden address. Waits are real and short, because
//! the network does not follow a controlled clock.

mod receiver;

use std::{sync::Arc, time::Duration};

use countersign_agents::{Agent, Runtime, RuntimeSettings, WebhookKey, WebhookTarget, Webhooks};
use countersign_domain::{
    Alert, EventType,
    payload::{AuditLogCreated, EventDeadLettered},
};
use countersign_store::{DeadLetter, DeadLetterQuery, EventQuery, Store};
use serde_json::json;

use crate::fixture::{SETTINGS, StoreFixture, status, until, until_handled};
use receiver::Receiver;

const QUICK: RuntimeSettings = RuntimeSettings { backoff: Duration::from_millis(1), ..SETTINGS };
const SOON: Duration = Duration::from_secs(5);
const SECRET: &str = "a secret of this test";
const ALERTS: &[EventType] = &[EventType::FraudAlertCreated];

fn target(url: impl Into<String>, events: &[EventType]) -> WebhookTarget {
    let key = WebhookKey::parse(SECRET).unwrap();
    WebhookTarget { url: url.into(), key, events: events.to_vec(), allow_private: true }
}

async fn start(store: &Store, targets: Vec<WebhookTarget>) -> Runtime {
    let webhooks = Webhooks::new(targets, store.seams().clone()).unwrap();
    Runtime::start(store.clone(), vec![webhooks as Arc<dyn Agent>], QUICK).await.unwrap()
}

/// Two paths of one receiver that both subscribe to alerts.
async fn start_two(store: &Store, receiver: &Receiver) -> Runtime {
    start(store, ["/healthy", "/failing"].map(|path| target(receiver.url(path), ALERTS)).to_vec()).await
}

/// Returns the alert's event id.
async fn alert(fixture: &StoreFixture, store: &Store, id: &str) -> String {
    let event = fixture.event(|_| {
        let alert = json!({
            "alert_id": id, "user_id": "user-7731", "severity": "high", "score": 75,
            "metadata": {"transaction_id": "tx-1", "signals": {"velocity_anomaly": {"of": "user-7731"}}}
        });
        serde_json::from_value::<Alert>(alert).unwrap()
    });
    let event_id = event.event_id.to_string();
    store.append(vec![event]).await.unwrap();
    event_id
}

async fn letters(store: &Store) -> Vec<DeadLetter> {
    store.dead_letters(DeadLetterQuery { limit: 100, ..Default::default() }).await.unwrap()
}

#[tokio::test]
async fn a_notice_is_signed_and_has_only_the_documented_fields() {
    let (fixture, receiver) = (StoreFixture::with_seed(11), Receiver::start().await);
    let store = fixture.open();
    let runtime = start(&store, vec![target(receiver.url("/hook/"), ALERTS)]).await;
    let id = alert(&fixture, &store, "alert-of-user-7731").await;
    until_handled(&runtime, 1).await;
    runtime.stop(SOON).await;

    let notices = receiver.notices("/hook/");
    assert_eq!(notices.len(), 1);
    let notice = &notices[0];
    assert!(notice.is_signed_with(SECRET.as_bytes()));
    assert!(!notice.is_signed_with(b"another secret of this test"));
    assert_eq!((notice.header("webhook-id"), notice.header("content-type")), (id.as_str(), "application/json"));
    let now_s = store.seams().now().millis() / 1_000;
    let sent_s: i64 = notice.header("webhook-timestamp").parse().unwrap();
    assert!((now_s - 3_600..=now_s).contains(&sent_s), "{sent_s} before {now_s}");
    let mut body = notice.json();
    for field in ["occurred_at", "correlation_id", "seq"] {
        assert!(!body.as_object_mut().unwrap().remove(field).unwrap().is_null(), "{field}");
    }
    let data = json!({"alert_id": "alert-of-***7731", "user_id": "***7731", "severity": "high", "score": 75});
    assert_eq!(body, json!({"id": id, "type": "FRAUD_ALERT_CREATED", "data": data}));
    assert!(!format!("{:?} {:?}", notice.headers, notice.body).contains("user-7731"));
}

#[tokio::test]
async fn a_retry_has_the_same_id_and_only_goes_to_targets_that_failed() {
    let (fixture, receiver) = (StoreFixture::with_seed(12), Receiver::start().await);
    let store = fixture.open();
    receiver.respond_with("/failing", [500, 429]);
    let runtime = start_two(&store, &receiver).await;
    let id = alert(&fixture, &store, "a").await;
    until_handled(&runtime, 1).await;
    runtime.stop(SOON).await;
    let ids = |path: &str| receiver.notices(path).iter().map(|n| n.header("webhook-id").to_owned()).collect::<Vec<_>>();
    assert_eq!(ids("/healthy"), [id.as_str()]);
    assert_eq!(ids("/failing"), [id.as_str(); 3]);
    assert!(receiver.notices("/failing").iter().all(|notice| notice.is_signed_with(SECRET.as_bytes())));
    assert_eq!((status(&runtime).processed, status(&runtime).failed), (1, 2));
    assert!(letters(&store).await.is_empty());
}

#[tokio::test]
async fn a_permanent_refusal_is_dead_lettered_at_once_and_a_replay_reaches_its_target() {
    for (status, expected) in [(410, "is gone (410)"), (400, "refuses the notice (400)"), (302, "a redirect (302)")] {
        let (fixture, receiver) = (StoreFixture::with_seed(13), Receiver::start().await);
        let store = fixture.open();
        receiver.respond_with("/failing", [status]);
        let runtime = start_two(&store, &receiver).await;
        alert(&fixture, &store, "a").await;
        until_handled(&runtime, 1).await;
        let letters = letters(&store).await;
        assert_eq!((letters.len(), letters[0].attempts), (1, 1));
        let error = &letters[0].error;
        assert!(error.starts_with("webhook 2 at 127.0.0.1 ") && error.contains(expected), "{error}");
        runtime.replay(letters[0].id, "ana").await.unwrap();
        until_handled(&runtime, 2).await;
        runtime.stop(SOON).await;
        let count = |path| receiver.notices(path).len();
        assert_eq!([count("/healthy"), count("/failing"), count("/elsewhere")], [1, 2, 0]);
    }
}

#[tokio::test]
async fn a_target_that_stays_down_leads_to_a_dead_letter_without_a_notice_about_it() {
    let (fixture, receiver) = (StoreFixture::with_seed(14), Receiver::start().await);
    let store = fixture.open();
    receiver.respond_with("/failing", [503; 100]);
    let runtime = start(&store, vec![target(receiver.url("/failing"), Webhooks::EVENTS)]).await;
    alert(&fixture, &store, "a").await;
    // Two events: the alert and its dead letter.
    until_handled(&runtime, 2).await;
    assert_eq!(letters(&store).await.len(), 1);
    assert_eq!(receiver.notices("/failing").len(), QUICK.attempts_max as usize);

    // It is notified of other agents' dead letters.
    receiver.respond_with("/failing", []);
    let theirs = fixture.event(|id| EventDeadLettered {
        dead_letter_id: id.parse().unwrap(),
        agent: "reporter".into(),
        event_id: id.parse().unwrap(),
        event_type: "FRAUD_ALERT_CREATED".into(),
        seq: 1,
        attempts: 5,
        error: "about user-7731".into(),
        dead_lettered_at: store.seams().now(),
    });
    store.append(vec![theirs]).await.unwrap();
    until_handled(&runtime, 3).await;
    runtime.stop(SOON).await;
    let notice = receiver.notices("/failing").pop().unwrap();
    assert_eq!((&notice.json()["data"]["agent"], &notice.json()["data"]["attempts"]), (&json!("reporter"), &json!(5)));
    assert!(!format!("{:?}", notice.body).contains("user-7731"));
}

#[tokio::test]
async fn every_target_gets_the_events_it_subscribes_to_and_no_others() {
    let (fixture, receiver) = (StoreFixture::with_seed(15), Receiver::start().await);
    let store = fixture.open();
    let logs = target(receiver.url("/logs"), &[EventType::AuditLogCreated]);
    let runtime = start(&store, vec![logs, target(receiver.url("/alerts"), ALERTS)]).await;
    alert(&fixture, &store, "a").await;
    let log = fixture.event(|id| AuditLogCreated {
        log_id: id.parse().unwrap(),
        query: "hunter2?".into(),
        response: "hunter2!".into(),
        audit: serde_json::from_value(json!({"risk_score": 9, "findings": ["hunter2"]})).unwrap(),
        status: countersign_domain::RiskStatus::Flagged,
        created_at: store.seams().now(),
        worker: None,
    });
    let id = log.event_id;
    store.append(vec![log]).await.unwrap();
    fixture.ingest(&store, &["user-7731"]).await;
    until_handled(&runtime, 2).await;
    runtime.stop(SOON).await;
    assert_eq!((receiver.notices("/alerts").len(), receiver.notices("/logs").len()), (1, 1));
    let data = receiver.notices("/logs")[0].json()["data"].take();
    assert_eq!(data, json!({"log_id": id, "status": "Flagged", "risk_score": 9}));
}

#[tokio::test]
async fn events_before_the_first_start_are_skipped_and_those_during_a_stop_are_not() {
    let (fixture, receiver) = (StoreFixture::with_seed(16), Receiver::start().await);
    let store = fixture.open();
    alert(&fixture, &store, "before").await;
    let runtime = start_two(&store, &receiver).await;
    let first = alert(&fixture, &store, "first").await;
    until_handled(&runtime, 1).await;
    runtime.stop(SOON).await;
    let second = alert(&fixture, &store, "second").await;
    let runtime = start_two(&store, &receiver).await;
    until(|| receiver.notices("/healthy").len() >= 2 && status(&runtime).lag == 0).await;
    runtime.stop(SOON).await;
    let ids: Vec<_> = receiver.notices("/healthy").iter().map(|n| n.header("webhook-id").to_owned()).collect();
    assert_eq!(ids, [first, second]);
}

#[tokio::test]
async fn an_erased_event_is_skipped() {
    let (fixture, receiver) = (StoreFixture::with_seed(17), Receiver::start().await);
    let store = fixture.open();
    let runtime = start_two(&store, &receiver).await;
    runtime.pause("webhooks").await.unwrap();
    alert(&fixture, &store, "a").await;
    let query = EventQuery { types: vec![EventType::FraudAlertCreated], limit: 1, ..Default::default() };
    let seq = store.events(query).await.unwrap()[0].seq;
    store.erase(vec![seq], "asked for", "test").await.unwrap();
    alert(&fixture, &store, "b").await;
    runtime.resume("webhooks").await.unwrap();
    until_handled(&runtime, 2).await;
    runtime.stop(SOON).await;
    assert_eq!((receiver.notices("/healthy").len(), status(&runtime).failed), (1, 0));
}

#[tokio::test]
async fn a_private_address_is_refused_in_every_notation() {
    let (fixture, receiver) = (StoreFixture::with_seed(18), Receiver::start().await);
    let store = fixture.open();
    let public = |host: &str| WebhookTarget {
        allow_private: false,
        ..target(format!("http://{host}:{}/hook", receiver.port()), ALERTS)
    };
    for host in ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "169.254.169.254", "10.0.0.7"] {
        let error = Webhooks::new(vec![public(host)], store.seams().clone()).unwrap_err();
        assert_eq!(error.to_string(), "the base URL of webhook 1 is a private address", "{host}");
    }
    // Names, and numeric forms that only the system's resolver parses.
    let names = ["localhost", "LOCALHOST", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "0"];
    let runtime = start(&store, names.map(public).to_vec()).await;
    alert(&fixture, &store, "a").await;
    until_handled(&runtime, 1).await;
    runtime.stop(SOON).await;
    let letters = letters(&store).await;
    assert_eq!((letters.len(), letters[0].attempts), (1, 1));
    assert_eq!(letters[0].error.matches("is a private address").count(), names.len(), "{}", letters[0].error);
    receiver.with(|seen| assert_eq!(seen.connections, 0));

    let allowed = names.map(|name| WebhookTarget { allow_private: true, ..public(name) });
    let fixture = StoreFixture::with_seed(19);
    let store = fixture.open();
    let runtime = start(&store, allowed.to_vec()).await;
    alert(&fixture, &store, "b").await;
    until_handled(&runtime, 1).await;
    runtime.stop(SOON).await;
    assert_eq!(receiver.notices("/hook").len(), names.len(), "{:?}", status(&runtime).last_error);
}
