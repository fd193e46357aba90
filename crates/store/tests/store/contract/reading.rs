//! Reading events, dead letters, the registry and access keys.

use countersign_domain::{AgentState, DeadLetterState, EventType, payload::KeyChange};
use countersign_store::{DeadLetterQuery, EventQuery, RegistryEntry, StoreError};

use super::{Setup, for_each_threading, with_dead_letter};

for_each_threading! {
    dead_letters_are_paged_newest_first,
    the_registry_keeps_the_last_entry,
    keys_are_created_and_revoked_by_events,
    events_are_found_by_type_correlation_position_and_id,
    an_erased_event_is_found_without_payload_and_metadata,
    there_is_nothing_at_positions_beyond_the_log_and_a_limit_may_be_any_number,
}

async fn dead_letters_are_paged_newest_first(setup: Setup) -> Setup {
    let store = setup.open();
    let mut ids = Vec::new();
    for n in 0..10 {
        setup.fixture.clock.move_by_seconds(1);
        ids.push(setup.fixture.seams.dead_letter_id());
        let agent = if n % 2 == 0 { "even" } else { "odd" };
        let event_id = setup.fixture.seams.event_id();
        store.append(vec![setup.fixture.dead_letter(ids[n], agent, n as u64, event_id)]).await.unwrap();
    }
    store.request_replay(ids[4], "ana").await.unwrap();
    let page = async |agent: Option<&str>, state: Option<DeadLetterState>, before: Option<usize>, limit| -> Vec<u64> {
        let before = before.map(|n| ids[n]);
        let query = DeadLetterQuery { before, agent: agent.map(Into::into), state, limit };
        store.dead_letters(query).await.unwrap().iter().map(|letter| letter.event_seq).collect()
    };
    assert_eq!(page(None, None, None, 3).await, [9, 8, 7]);
    assert_eq!(page(None, None, Some(7), 3).await, [6, 5, 4]);
    assert_eq!(page(Some("even"), None, None, 3).await, [8, 6, 4]);
    assert_eq!(page(Some("even"), Some(DeadLetterState::Dead), None, 3).await, [8, 6, 2]);
    assert_eq!(page(Some("even"), Some(DeadLetterState::Dead), Some(6), 3).await, [2, 0]);
    assert_eq!(page(None, Some(DeadLetterState::Replaying), None, 3).await, [4]);
    setup
}

async fn the_registry_keeps_the_last_entry(setup: Setup) -> Setup {
    let store = setup.open();
    let at = setup.fixture.seams.now();
    let entry = |name: &str, processed, last_error| RegistryEntry {
        name: name.into(),
        state: AgentState::Listen,
        priority: -3,
        paused: true,
        started_at: at,
        heartbeat_at: at,
        processed,
        failed: 1,
        dead_lettered: 2,
        lag: 3,
        last_error,
    };
    store.register(entry("b", 1, None)).await.unwrap();
    store.register(entry("a", 7, Some("why".into()))).await.unwrap();
    store.register(entry("b", 2, Some("late".into()))).await.unwrap();
    let expected = [entry("a", 7, Some("why".into())), entry("b", 2, Some("late".into()))];
    assert_eq!(store.registry().await.unwrap(), expected);
    setup
}

async fn keys_are_created_and_revoked_by_events(setup: Setup) -> Setup {
    let store = setup.open();
    let made_at = setup.fixture.seams.now();
    store.append(vec![setup.fixture.key("aaaaaaaaaaaa", KeyChange::Created)]).await.unwrap();
    setup.fixture.clock.move_by_seconds(5);
    store.append(vec![setup.fixture.key("bbbbbbbbbbbb", KeyChange::Created)]).await.unwrap();
    store.append(vec![setup.fixture.key("aaaaaaaaaaaa", KeyChange::Revoked)]).await.unwrap();
    let keys = store.access_keys().await.unwrap();
    let found: Vec<_> = keys.iter().map(|key| (key.id.as_str(), key.created_at, key.revoked_at)).collect();
    let now = setup.fixture.seams.now();
    assert_eq!(found, [("aaaaaaaaaaaa", made_at, Some(now)), ("bbbbbbbbbbbb", now, None)]);
    assert_eq!((keys[0].name.as_str(), keys[0].secret_sha256.as_str()), ("ana", "ab".repeat(32).as_str()));

    let twice = store.append(vec![setup.fixture.key("bbbbbbbbbbbb", KeyChange::Created)]).await;
    assert!(matches!(twice, Err(StoreError::Conflict(_))), "{twice:?}");
    for id in ["aaaaaaaaaaaa", "cccccccccccc"] {
        let gone = store.append(vec![setup.fixture.key(id, KeyChange::Revoked)]).await;
        assert!(matches!(gone, Err(StoreError::NotFound)), "{gone:?}");
    }
    assert_eq!(store.size().await.unwrap(), 3);
    setup
}

async fn events_are_found_by_type_correlation_position_and_id(setup: Setup) -> Setup {
    let store = setup.open();
    let cause = setup.fixture.transaction("tx-1", "1.00");
    let (cause_id, correlation_id) = (cause.event_id, cause.correlation_id);
    let mut alert = setup.fixture.alert("a-1").caused_by(cause_id);
    alert.correlation_id = correlation_id;
    alert.metadata = r#"{"rule":"velocity"}"#.into();
    let alert_id = alert.event_id;
    let (other, started) = (setup.fixture.alert("a-2"), setup.fixture.started("x"));
    store.append(vec![cause, started, other, alert]).await.unwrap();

    let find = async |types: &[EventType], correlation_id, from_seq, limit| -> Vec<u64> {
        let types = types.to_vec();
        let query = EventQuery { from_seq, types, correlation_id, limit };
        store.events(query).await.unwrap().iter().map(|event| event.seq).collect()
    };
    let (alerts, transactions) = (EventType::FraudAlertCreated, EventType::TransactionReceived);
    assert_eq!(find(&[], None, 0, 10).await, [0, 1, 2, 3]);
    assert_eq!(find(&[], None, 1, 2).await, [1, 2]);
    assert_eq!(find(&[alerts], None, 0, 10).await, [2, 3]);
    assert_eq!(find(&[alerts], None, 3, 10).await, [3]);
    assert_eq!(find(&[alerts, transactions], None, 0, 10).await, [0, 2, 3]);
    assert_eq!(find(&[alerts, transactions], None, 0, 2).await, [0, 2]);
    assert_eq!(find(&[alerts, alerts], None, 0, 10).await, [2, 3]);
    assert_eq!(find(&[EventType::KeyChanged], None, 0, 10).await, [0; 0]);
    assert_eq!(find(&[], Some(correlation_id), 0, 10).await, [0, 3]);
    assert_eq!(find(&[], Some(correlation_id), 1, 10).await, [3]);
    assert_eq!(find(&[alerts], Some(correlation_id), 0, 10).await, [3]);
    assert_eq!(find(&[], None, 0, 0).await, [0; 0]);

    let found = store.event(alert_id).await.unwrap();
    assert_eq!((found.seq, found.causation_id), (3, Some(cause_id)));
    assert_eq!(found.metadata.unwrap().get(), r#"{"rule":"velocity"}"#);
    let unknown = store.event(setup.fixture.seams.event_id()).await;
    assert!(matches!(unknown, Err(StoreError::NotFound)), "{unknown:?}");
    setup
}

async fn an_erased_event_is_found_without_payload_and_metadata(setup: Setup) -> Setup {
    let store = setup.open();
    let mut alert = setup.fixture.alert("a-1");
    alert.metadata = r#"{"rule":"velocity"}"#.into();
    let (id, correlation_id) = (alert.event_id, alert.correlation_id);
    store.append(vec![setup.fixture.started("x"), alert]).await.unwrap();
    store.erase(vec![1], "asked for", "ana").await.unwrap();
    let queries = [
        EventQuery { from_seq: 1, limit: 1, ..Default::default() },
        EventQuery { types: vec![EventType::FraudAlertCreated], limit: 9, ..Default::default() },
        EventQuery { correlation_id: Some(correlation_id), limit: 9, ..Default::default() },
    ];
    let mut found = vec![store.event(id).await.unwrap()];
    for query in queries {
        found.extend(store.events(query).await.unwrap());
    }
    assert_eq!(found.len(), 4);
    for event in found {
        assert_eq!((event.seq, event.event_id, event.event_type.as_str()), (1, id, "FRAUD_ALERT_CREATED"));
        assert!(event.payload.is_none() && event.metadata.is_none());
    }
    setup
}

async fn there_is_nothing_at_positions_beyond_the_log_and_a_limit_may_be_any_number(setup: Setup) -> Setup {
    let (store, _) = with_dead_letter(&setup).await;
    let query = || EventQuery { limit: usize::MAX, ..Default::default() };
    let alerts = vec![EventType::FraudAlertCreated];
    assert_eq!(store.events(query()).await.unwrap().len(), 2);
    assert!(store.events(EventQuery { types: alerts.clone(), ..query() }).await.unwrap().is_empty());
    assert_eq!(store.leaves(0, usize::MAX).await.unwrap().len(), 2);
    let letters = DeadLetterQuery { limit: usize::MAX, ..Default::default() };
    assert_eq!(store.dead_letters(letters).await.unwrap().len(), 1);
    for seq in [2, u64::MAX] {
        let beyond = || EventQuery { from_seq: seq, ..query() };
        assert!(store.events(beyond()).await.unwrap().is_empty(), "{seq}");
        assert!(store.events(EventQuery { types: alerts.clone(), ..beyond() }).await.unwrap().is_empty(), "{seq}");
        assert!(store.leaves(seq, usize::MAX).await.unwrap().is_empty(), "{seq}");
        assert!(matches!(store.leaf(seq).await, Err(StoreError::NotFound)), "{seq}");
        assert!(matches!(store.sealed(seq).await, Err(StoreError::NotFound)), "{seq}");
        let erased = store.erase(vec![seq], "asked for", "ana").await;
        assert!(matches!(erased, Err(StoreError::Conflict(_))), "{seq}: {erased:?}");
    }
    setup
}
