//! Reading transactions, alerts and investigations, and working on investigations.

use countersign_domain::{Event, EventType, Role};
use countersign_store::{EventQuery, Progress, Step};
use serde_json::{Value, json};

use crate::{
    case::{alert, in_review, investigation_of, items, key, listed, until_status, wait_for_review},
    running::{Running, transaction, until},
};

/// A customer's transactions: small purchases at home, and then, minutes later, an unusual one far away.
fn purchases(user: &str) -> Value {
    let at = |id: String, amount: &str, when: String, place: Value| {
        json!({
            "transaction_id": id, "user_id": user, "amount": {"amount": amount, "currency": "EUR"}, "occurred_at": when,
            "location": place, "channel": "card_present", "merchant": "Corner Shop", "ip_address": "203.0.113.9"
        })
    };
    let home = json!({"lat": 38.72, "lon": -9.14, "country": "PT", "city": "Lisbon"});
    let mut rows: Vec<_> = (1..=12)
        .map(|day| at(format!("{user}-{day}"), "20.10", format!("2026-03-{day:02}T12:00:00.000000Z"), home.clone()))
        .collect();
    let away = json!({"lat": -23.55, "lon": -46.63, "country": "BR", "city": "Sao Paulo"});
    rows.push(at(format!("{user}-x"), "9800.00", "2026-03-12T12:20:00.000000Z".into(), away));
    json!(rows)
}

#[tokio::test]
async fn a_transaction_can_be_followed_to_its_report() {
    let server = Running::with_agents(&[]).await;
    let taken = server.post("/api/transactions", &purchases("user-7731")).await;
    assert_eq!(taken.json()["accepted"], 13);
    until("there is a report", async || !items(&server.get("/api/reports").await.json()).is_empty()).await;

    let alerts = server.get("/api/alerts?user_id=user-7731").await.json();
    let alert = items(&alerts).first().expect("no alert about the last transaction").clone();
    assert_eq!((&alert["user_id"], &alert["metadata"]["transaction_id"]), (&json!("user-7731"), &json!("user-7731-x")));
    let signals = alert["metadata"]["signals"].as_object().unwrap();
    assert!(signals.contains_key("amount_deviation") && signals.contains_key("geographic_inconsistency"), "{alert}");
    let id = alert["investigation_id"].as_str().unwrap();
    let alert_id = alert["alert_id"].as_str().unwrap();
    assert_eq!(id, investigation_of(alert_id));
    let event = server.get(&format!("/api/events/{}", alert["event_id"].as_str().unwrap())).await.json();
    assert_eq!((&event["seq"], &event["occurred_at"]), (&alert["seq"], &alert["created_at"]));

    let path = format!("/api/investigations/{id}");
    until("the report is judged", async || {
        let found = server.get(&path).await.json();
        found["status"] == "approved" || found["status"] == "in_review"
    })
    .await;
    let found = server.get(&path).await.json();
    assert_eq!(
        (&found["alert_id"], &found["user_id"], &found["severity"], &found["risk_score"], &found["transaction_id"]),
        (&alert["alert_id"], &alert["user_id"], &alert["severity"], &alert["score"], &json!("user-7731-x"))
    );
    assert_eq!(found["alert"]["metadata"], alert["metadata"]);
    let sent = purchases("user-7731")[12].clone();
    for (field, value) in sent.as_object().unwrap() {
        assert_eq!(&found["transaction"][field], value, "{field}");
    }
    assert_eq!(found["reports"][0]["id"], found["report_id"]);
    assert_eq!(found["reports"][0]["fraud_detection_id"], alert["alert_id"]);
    assert!(found["reports"][0]["validation_score"].is_u64(), "{found}");
    let types: Vec<_> =
        found["events"].as_array().unwrap().iter().map(|event| event["event_type"].as_str().unwrap()).collect();
    for expected in ["FRAUD_ALERT_CREATED", "INVESTIGATION_CREATED", "REPORT_GENERATED"] {
        assert_eq!(types.iter().filter(|found| **found == expected).count(), 1, "{types:?}");
    }
    assert_eq!(found["events_truncated"], false);
    let one = server.get(&format!("/api/alerts/{alert_id}")).await.json();
    assert_eq!((&one["report_ids"], &one["score"]), (&json!([found["report_id"]]), &alert["score"]));

    // The detector has seen all transactions. They are listed newest first, in the order in which they were sent.
    let sent: Vec<_> = (1..=12).map(|day| format!("user-7731-{day}")).chain(["user-7731-x".into()]).collect();
    let newest_first: Vec<_> = sent.into_iter().rev().collect();
    assert_eq!(listed(&server, "/api/transactions?user_id=user-7731", 4, "transaction_id").await, newest_first);
    assert_eq!(listed(&server, "/api/transactions", 5, "transaction_id").await, newest_first);
    let row = server.get("/api/transactions?limit=1").await.json()["items"][0].clone();
    assert!(row["seq"].is_u64() && row["recorded_at"].is_string() && row["amount"]["amount"] == "9800.00", "{row}");
    server.stop().await;
}

#[tokio::test]
async fn alerts_and_investigations_are_filtered_and_paged_without_gaps_or_repeats() {
    let server = Running::with_agents(&[]).await;
    let bands = [("low", 10), ("medium", 50), ("high", 70), ("critical", 90)];
    let rows: Vec<_> =
        (0..22).map(|n| (format!("a-{n:02}"), format!("user-{}", n % 3), bands[n % 4].0, bands[n % 4].1)).collect();
    for (id, user, severity, score) in &rows {
        assert_eq!(server.post("/api/alerts", &alert(id, user, severity, *score)).await.status, 202);
    }
    for (id, _, severity, _) in rows.iter().filter(|row| row.2 != "low") {
        until("the report is judged", async || {
            let answer = server.get(&format!("/api/investigations/{}", investigation_of(id))).await;
            let status = answer.status == 200 && answer.json()["status"] != "open";
            status && (*severity != "critical" || answer.json()["status"] == "in_review")
        })
        .await;
    }
    for severity in ["", "low", "medium", "high", "critical"] {
        for user in ["", "user-0", "user-1", "user-2", "user-9"] {
            let matching = |row: &&(String, String, &str, u8)| {
                (severity.is_empty() || row.2 == severity) && (user.is_empty() || row.1 == user)
            };
            let mut expected: Vec<_> = rows.iter().filter(matching).map(|row| row.0.clone()).collect();
            expected.reverse();
            let query = format!("severity={severity}&user_id={user}");
            for limit in [1, 3, 50] {
                let found = listed(&server, &format!("/api/alerts?{query}"), limit, "alert_id").await;
                assert_eq!(found, expected, "{query} {limit}");
            }
            // Investigations are opened concurrently, so the order of the list is not known.
            let found = listed(&server, &format!("/api/investigations?{query}"), 2, "alert_id").await;
            let mut sorted = found.clone();
            sorted.sort();
            sorted.reverse();
            expected.retain(|id| rows.iter().any(|row| row.0 == *id && row.2 != "low"));
            assert_eq!(sorted, expected, "{query}");
            // The lists by status add up to the whole list.
            let mut by_status = Vec::new();
            for status in ["open", "in_review", "approved", "sent_back", "disposed"] {
                let path = format!("/api/investigations?{query}&status={status}");
                by_status.extend(listed(&server, &path, 2, "alert_id").await);
            }
            by_status.sort();
            by_status.reverse();
            assert_eq!(by_status, expected, "{query}");
        }
    }
    let recorded = listed(&server, "/api/alerts?status=recorded", 2, "alert_id").await;
    assert_eq!(recorded, ["a-20", "a-16", "a-12", "a-08", "a-04", "a-00"]);
    let low = server.get("/api/alerts/a-00").await.json();
    assert_eq!(
        (&low["status"], &low["investigation_id"], &low["report_ids"]),
        (&json!("recorded"), &json!(null), &json!([]))
    );
    let mut rest = Vec::new();
    for status in ["open", "reported", "closed"] {
        rest.extend(listed(&server, &format!("/api/alerts?status={status}"), 3, "alert_id").await);
    }
    rest.extend(recorded);
    rest.sort();
    assert_eq!(rest, rows.iter().map(|row| row.0.clone()).collect::<Vec<_>>());
    server.stop().await;
}

#[tokio::test]
async fn without_the_detector_transactions_are_listed_in_the_order_of_the_log() {
    let server = Running::start().await;
    for n in 0..7 {
        server.post("/api/transactions", &transaction(&format!("tx-{n}"))).await;
    }
    let newest_first: Vec<_> = (0..7).rev().map(|n| format!("tx-{n}")).collect();
    assert_eq!(listed(&server, "/api/transactions", 2, "transaction_id").await, newest_first);
    let none: [String; 0] = [];
    assert_eq!(listed(&server, "/api/transactions?user_id=user-1", 2, "transaction_id").await, none);
    let mut step =
        Step::new("detector", Progress::Batch { from: 0, to: server.store.size().await.unwrap() }, Vec::new());
    step.indexes_history = true;
    server.store.step(step).await.unwrap();
    assert_eq!(listed(&server, "/api/transactions?user_id=user-1", 2, "transaction_id").await, newest_first);
    server.stop().await;
}

#[tokio::test]
async fn an_investigation_is_assigned_and_unassigned() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let path = format!("/api/investigations/{}/assign", case.investigation);
    let (ana, ana_id) = key(&server, Role::Investigator, "Ana").await;
    let given = server.call("POST", &path).key(Some(&ana)).body(r#"{"to": "Ben \u{1F469}"}"#).send().await;
    assert_eq!(given.status, 400, "an invalid JSON escape is refused");
    let given = server.call("POST", &path).key(Some(&ana)).body(r#"{"to": "Ben"}"#).send().await;
    assert_eq!((given.status, &given.json()["assigned_to"]), (200, &json!("Ben")));
    assert_eq!(given.json()["status"], "in_review", "nothing else changes");
    let back = server.post(&path, &json!({"to": null})).await.json();
    assert_eq!((&back["assigned_to"], &back["alert_id"]), (&json!(null), &json!("a-1")));
    let types = vec![EventType::InvestigationAssigned];
    let events = server.store.events(EventQuery { types, limit: 10, ..Default::default() }).await.unwrap();
    let by: Vec<_> = events
        .iter()
        .map(|event| match event.event().unwrap() {
            Event::InvestigationAssigned(given) => (given.assigned_to, given.assigned_by),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(by, [(Some("Ben".into()), ana_id), (None, "local".into())]);
    assert!(events.iter().all(|event| event.correlation_id.to_string() == case.investigation));
    let long = format!(r#"{{"to": "{}"}}"#, "x".repeat(129));
    for (body, detail) in [
        ("{}", "missing field `to`"),
        (r#"{"to": ""}"#, "to: must not be empty"),
        (r#"{"to": "a\u0007"}"#, "to: contains a control character"),
        (r#"{"to": 7}"#, "to: invalid type"),
        (r#"{"to": "a", "too": 1}"#, "unknown field"),
        (long.as_str(), "to: is longer than 128 characters"),
    ] {
        let found = server.call("POST", &path).body(body.to_owned()).send().await.check_error(400);
        assert!(found.starts_with(detail), "{body}: {found}");
    }
    let nobody = investigation_of("nobody");
    server.post(&format!("/api/investigations/{nobody}/assign"), &json!({"to": "Ben"})).await.check_error(404);
    server.stop().await;
}

#[tokio::test]
async fn the_supervisor_reviews_again_on_request() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    assert_eq!(case.decide(&server, None, json!({"decision": "approve"})).await.status, 201);
    until_status(&server, &case.investigation, "approved").await;
    let path = format!("/api/investigations/{}/supervisor-review", case.investigation);
    let asked = server.post(&path, &json!({"reason": "A second customer has complained.\nLook again."})).await;
    assert_eq!(asked.status, 202);
    let event = server.get(&format!("/api/events/{}", asked.json()["request_id"].as_str().unwrap())).await.json();
    assert_eq!(
        (&event["event_type"], &event["payload"]["requested_by"]),
        (&json!("SUPERVISOR_REVIEW_REQUESTED"), &json!("local"))
    );
    assert_eq!(event["correlation_id"], case.investigation.as_str());
    until_status(&server, &case.investigation, "in_review").await;
    let completed = format!("/api/events?type=SUPERVISOR_REVIEW_COMPLETED&correlation_id={}", case.investigation);
    until("the supervisor has reviewed the report again", async || {
        !items(&server.get(&completed).await.json()).is_empty()
    })
    .await;
    // The reason is optional, and so is the whole body.
    assert_eq!(server.call("POST", &path).send().await.status, 202);
    let long = json!({"reason": "x".repeat(4_001)});
    assert_eq!(server.post(&path, &long).await.check_error(400), "reason: is longer than 4000 characters");
    let disposed = case.decide(&server, None, json!({"decision": "dispose", "comment": "A test of ours."})).await;
    assert_eq!(disposed.status, 201);
    server.post(&path, &json!({})).await.check_error(409);
    server.stop().await;
}

/// The alert's signals in the first row of the lists of investigations and of reviews.
async fn listed_signals(server: &Running) -> [Value; 2] {
    let listed = server.get("/api/investigations").await.json();
    let waiting = server.get("/api/reviews").await.json();
    [listed["items"][0]["signals"].clone(), waiting["items"][0]["investigation"]["signals"].clone()]
}

#[tokio::test]
async fn a_row_shows_the_alerts_signals_until_they_are_erased() {
    let server = Running::with_agents(&[]).await;
    let signals =
        json!({"velocity_anomaly": {"value": 14, "explanation": "14 in one hour"}, "odd": [1, "\u{202e}<b>"]});
    let mut sent = alert("a-1", "user-1", "critical", 90);
    sent["metadata"] = json!({"signals": signals, "source": "not shown in a row"});
    assert_eq!(server.post("/api/alerts", &sent).await.status, 202);
    wait_for_review(&server, "a-1").await;
    assert_eq!(listed_signals(&server).await, [signals.clone(), signals]);

    let seq = server.get("/api/alerts/a-1").await.json()["seq"].as_u64().unwrap();
    server.store.erase(vec![seq], "asked to", "test").await.unwrap();
    assert_eq!(listed_signals(&server).await, [Value::Null, Value::Null]);
    server.stop().await;
}

#[tokio::test]
async fn the_row_of_an_alert_without_signals_has_no_signals() {
    let server = Running::with_agents(&[]).await;
    let mut sent = alert("a-1", "user-1", "critical", 90);
    sent.as_object_mut().unwrap().remove("metadata");
    assert_eq!(server.post("/api/alerts", &sent).await.status, 202);
    wait_for_review(&server, "a-1").await;
    assert_eq!(listed_signals(&server).await, [Value::Null, Value::Null]);
    server.stop().await;
}

#[tokio::test]
async fn erased_content_is_reported_as_gone() {
    let server = Running::with_agents(&[]).await;
    let case = in_review(&server, "a-1").await;
    let found = server.get(&format!("/api/investigations/{}", case.investigation)).await.json();
    let report = server.get(&format!("/api/reports/{}", case.report)).await.json();
    let seqs = [&found["alert"]["seq"], &found["seq"], &report["seq"]].map(|seq| seq.as_u64().unwrap()).to_vec();
    server.store.erase(seqs, "asked to", "test").await.unwrap();
    server.get(&format!("/api/investigations/{}", case.investigation)).await.check_error(410);
    server.get("/api/alerts/a-1").await.check_error(410);
    for path in ["", "/facts", "/export?format=md"] {
        server.get(&format!("/api/reports/{}{path}", case.report)).await.check_error(410);
    }
    for list in ["/api/alerts", "/api/investigations", "/api/reports", "/api/reviews"] {
        assert!(items(&server.get(list).await.json()).is_empty(), "{list}");
    }
    let asked = json!({"fraud_detection_id": "a-1", "report_type": "full"});
    server.post("/api/reports", &asked).await.check_error(410);
    // An erased report can't be approved, but the case can still be closed and read.
    case.decide(&server, None, json!({"decision": "approve"})).await.check_error(410);
    let closed = case.decide(&server, None, json!({"decision": "dispose", "comment": "Nothing is left."})).await;
    assert_eq!(closed.status, 201);
    let decided = server.get("/api/reviews?status=decided").await.json();
    assert_eq!(
        (&decided["items"][0]["investigation"], &decided["items"][0]["review"]["decision"]),
        (&json!(null), &json!("dispose"))
    );
    server.stop().await;
}

#[tokio::test]
async fn the_rules_in_force_are_shown() {
    let server = Running::with_agents(&[]).await;
    let rules = server.get("/api/rules").await.json();
    assert_eq!(rules["source"], "built-in");
    let first = &items(&rules)[0];
    assert!(["name", "message", "when"].iter().all(|field| first[*field].is_string()) && first["weight"].is_u64());
    server.post("/api/transactions", &purchases("user-7731")).await;
    until("there is an alert", async || !items(&server.get("/api/alerts").await.json()).is_empty()).await;
    let alert = server.get("/api/alerts?limit=1").await.json()["items"][0].clone();
    assert_eq!(alert["metadata"]["rules_hash"], rules["rules_hash"]);
    server.stop().await;
}
