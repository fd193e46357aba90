//! Events written today stay readable for ever: every type has its golden payload, and none is ever edited.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, fs, path::Path};

use countersign_domain::{Event, EventType, Header, StoredEvent, event::UnreadableEvent};
use proptest::prelude::*;
use serde_json::{Value, json, value::RawValue};

fn golden() -> Vec<(EventType, u16, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "json"));
    files.sort();
    let read = |path: std::path::PathBuf| {
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let (wire, version) = name.rsplit_once(".v").unwrap();
        let payload = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        (EventType::parse(wire).unwrap_or_else(|| panic!("{wire} is gone")), version.parse().unwrap(), payload)
    };
    files.into_iter().map(read).collect()
}

#[test]
fn every_type_has_a_golden_payload_of_every_version() {
    let found: BTreeSet<_> = golden().into_iter().map(|(event_type, version, _)| (event_type, version)).collect();
    let expected = EventType::ALL.iter().flat_map(|t| (1..=t.schema_version()).map(|version| (*t, version))).collect();
    assert_eq!(found, expected);
}

#[test]
fn golden_payloads_are_read_and_written_back_unchanged() {
    for (event_type, _, payload) in golden() {
        let event =
            Event::from_payload(event_type, &payload.to_string()).unwrap_or_else(|e| panic!("{event_type:?}: {e}"));
        assert_eq!(event.event_type(), event_type);
        let written: Value = serde_json::from_str(&event.payload_json().unwrap()).unwrap();
        assert_eq!(written, payload, "{event_type:?}");
    }
}

#[test]
fn golden_payloads_without_their_optional_fields_are_read() {
    for (event_type, _, payload) in golden() {
        for field in payload.as_object().unwrap().keys() {
            let mut without = payload.clone();
            without.as_object_mut().unwrap().remove(field);
            // Required fields are named in the error; anything else would be a field that only looks optional.
            if let Err(error) = Event::from_payload(event_type, &without.to_string()) {
                assert!(error.to_string().contains(&format!("missing field `{field}`")), "{event_type:?}: {error}");
            }
        }
    }
}

proptest! {
    #[test]
    fn a_field_of_the_future_is_never_an_error(name in "[a-z]{3,12}_future", which in 0..EventType::ALL.len(), deep in any::<bool>()) {
        let (event_type, _, mut payload) = golden().swap_remove(which);
        payload[&name] = if deep { json!({"a": [1, {"b": null}]}) } else { json!("text") };
        prop_assert!(Event::from_payload(event_type, &payload.to_string()).is_ok());
    }
}

const HEADER: &str = r#"{"seq":41,"event_id":"01956b0c-2a40-7000-8000-000000000001","event_type":"AGENT_STARTED","occurred_at":"2026-03-01T09:30:00.000000Z","recorded_at":"2026-03-01T09:30:00.000001Z","producer":"orchestrator","correlation_id":"01956b0c-2a40-7000-8000-000000000009","causation_id":null,"schema_version":1,"commitment":"00ff"}"#;

fn stored(header: &str, payload: Option<&str>) -> StoredEvent {
    let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
    StoredEvent::from_parts(serde_json::from_str(header).unwrap(), payload.map(raw), Some(raw("{}")))
}

#[test]
fn a_header_is_written_as_it_was_read() {
    let header: Header<'_> = serde_json::from_str(HEADER).unwrap();
    assert_eq!(serde_json::to_string(&header).unwrap(), HEADER);
}

#[test]
fn an_event_of_an_unknown_type_is_kept_and_reported_as_unknown() {
    let event = stored(&HEADER.replace("AGENT_STARTED", "MOON_LANDED"), Some(r#"{"anything":1}"#));
    assert!(matches!(event.event(), Err(UnreadableEvent::UnknownType { seq: 41, .. })));
    assert_eq!(serde_json::to_value(&event).unwrap()["payload"], json!({"anything": 1}));
}

#[test]
fn an_event_whose_body_was_erased_is_reported_as_erased() {
    let event = stored(HEADER, None);
    assert!(matches!(event.event(), Err(UnreadableEvent::Erased { seq: 41 })));
    assert_eq!(serde_json::to_value(&event).unwrap()["payload"], Value::Null);
}
