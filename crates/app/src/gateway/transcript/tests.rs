use serde_json::{Value, json};

use super::*;

#[test]
fn the_transcript_of_a_stream_is_the_text_of_its_choices() {
    let mut transcript = Transcript::default();
    let first = transcript.add(r#"{"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"Par"}}]}"#);
    assert_eq!((first.deltas[0].text.as_str(), first.is_finished), ("Par", false));
    transcript.add(r#"{"choices":[{"index":1,"delta":{"content":"B"}},{"index":0,"delta":{"content":"is"}}]}"#);
    let one = transcript.add(r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#);
    assert!(!one.is_finished, "the other choice goes on");
    let empty = transcript.add(r#"{"choices":[{"index":1,"delta":{},"finish_reason":""}]}"#);
    assert!(!empty.is_finished, "an empty reason does not end a choice");
    let both = transcript.add(r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"}]}"#);
    assert!(both.is_finished);
    transcript.add(r#"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#);
    assert_eq!((transcript.text().as_str(), transcript.usage.total()), ("Paris\n\nB", Some(3)));
}

#[test]
fn every_string_of_a_delta_is_text() {
    let mut transcript = Transcript::default();
    for delta in [r#"{"reasoning_content":"think "}"#, r#"{"reasoning_content":"hard"}"#, r#"{"content":"Paris"}"#] {
        let added = transcript.add(&format!(r#"{{"choices":[{{"index":null,"delta":{delta}}}]}}"#));
        assert_eq!((added.deltas.len(), added.has_tool_call), (1, false));
    }
    for part in ["in p", "arts"] {
        let data = format!(r#"{{"choices":[{{"delta":{{"content":[{{"type":"text","text":"{part}"}}]}}}}]}}"#);
        let added = transcript.add(&data);
        assert_eq!(&data[added.deltas[0].bytes.clone()], format!("\"{part}\""));
    }
    assert_eq!(transcript.text(), "think hard\nParis\nin parts");
}

#[test]
fn the_pieces_of_a_tool_call_are_put_together() {
    let mut transcript = Transcript::default();
    for delta in [
        r#"{"index":0,"id":"c1","function":{"name":"pay","arguments":"{\"a\""}}"#,
        r#"{"index":0,"function":{"arguments":":1}"}}"#,
    ] {
        let added = transcript.add(&format!(r#"{{"choices":[{{"index":0,"delta":{{"tool_calls":[{delta}]}}}}]}}"#));
        assert!(added.has_tool_call && added.deltas.is_empty());
    }
    let whole: Value = serde_json::from_str(&transcript.text()).unwrap();
    assert_eq!(whole[0]["function"], json!({"name": "pay", "arguments": "{\"a\":1}"}));
    let custom = r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"custom":{"input":"to jo"}}]}}]}"#;
    assert!(transcript.add(custom).has_tool_call);
    let object = r#"{"choices":[{"delta":{"tool_calls":[{"index":2,"function":{"arguments":{"b":2}}}]}}]}"#;
    assert!(!transcript.add(object).is_unreadable);
    assert!(transcript.text().contains("to jo") && transcript.text().contains(r#"{\"b\":2}"#));
}

#[test]
fn the_pieces_of_a_tool_of_another_kind_are_put_together() {
    let custom = |index: u32, input: &str| {
        format!(
            r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},"type":"custom","custom":{{"input":"{input}"}}}}]}}}}]}}"#
        )
    };
    let mut transcript = Transcript::default();
    ["4539", " 526", "0 18", "15 9", "083"].iter().for_each(|input| drop(transcript.add(&custom(0, input))));
    assert!(transcript.text().contains("4539 5260 1815 9083"), "{}", transcript.text());
    // Where two calls take turns, neither holds the number.
    let mut transcript = Transcript::default();
    for (n, input) in ["4539", " 526", "0 18", "15 9", "083"].iter().enumerate() {
        transcript.add(&custom(n as u32 % 2, input));
    }
    assert!(transcript.is_split() && !transcript.text().contains("4539 5260"));
}

#[test]
fn unreadable_data_is_marked_and_kept() {
    for data in [
        "not json",
        r#"{"choices":{}}"#,
        r#"{"choices":[{"index":-1}]}"#,
        r#"{"choices":[{"delta":{"content":"\ud800"}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":"x"}}]}"#,
        r#"{"choices":[],"choices":[]}"#,
    ] {
        let mut transcript = Transcript::default();
        assert!(transcript.add(data).is_unreadable, "{data}");
        assert!(transcript.text().contains(data));
    }
    let mut transcript = Transcript::default();
    assert!(transcript.add(r#"{"error":{"message":"overloaded"}}"#).is_error);
    assert!(!transcript.add(r#"{"choices":[],"usage":{"prompt_tokens":-1.5}}"#).is_unreadable);
    assert_eq!(transcript.text(), EMPTY);
}
