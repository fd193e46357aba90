//! Tests of the judgement as a whole: altered facts, the reported ranges, arbitrary input.

use proptest::prelude::*;

use super::*;

const CONTEXT: &str = "The Harbour Museum in Malmo opened in 1987 and shows 340 model ships. Entry costs 12 euros, children \
    pay nothing. It is closed on Mondays. Last year visitor numbers fell by nine percent, said its director, Karin Holm.";
const RECORD: &str = r#"{"name": "Blue Door", "city": "Reno", "attributes": {"WiFi": "no", "OutdoorSeating": true, "HasTV": false},
    "hours": {"Monday": "9:0-22:0", "Tuesday": "9:0-22:0"}, "stars": 4.5, "reviews": [{"text": "Lovely tacos and friendly waiters."}]}"#;

fn judge(text: &str, context: Option<&str>) -> Judgement {
    let mut words = Vec::new();
    crate::tokenize::tokenize(text, &mut words);
    super::judge(text, &words, context)
}

fn score(text: &str, context: &str) -> f64 {
    judge(text, Some(context)).score
}

/// Checks that the first text is riskier than the second.
fn check(wrong: &str, right: &str, context: &str) {
    let (wrong_score, right_score) = (score(wrong, context), score(right, context));
    assert!(wrong_score > right_score + 0.05, "{wrong_score:.3} for {wrong}\n{right_score:.3} for {right}");
}

#[test]
fn the_model_fits_the_features() {
    assert_eq!(MODEL.as_ref().map(|model| model.features), Some(features::COUNT));
}

#[test]
fn an_altered_statement_is_riskier_than_a_faithful_one() {
    check("The museum opened in 1978.", "The museum opened in 1987.", CONTEXT);
    check(
        "The Harbour Museum in Oslo shows 340 model ships.",
        "The Harbour Museum in Malmo shows 340 model ships.",
        CONTEXT,
    );
    check(
        "Visitor numbers rose by nine percent last year.",
        "Visitor numbers fell by nine percent last year.",
        CONTEXT,
    );
    check("The museum is not closed on Mondays.", "The museum is closed on Mondays.", CONTEXT);
    check("Its director, Karin Holm, is a retired sailor from Bergen.", "Its director is Karin Holm.", CONTEXT);
    check("Visitor numbers increased, said the director.", "Visitor numbers declined, said the director.", CONTEXT);
}

#[test]
fn a_record_is_read_field_by_field() {
    check("Blue Door in Reno offers WiFi and televisions.", "Blue Door in Reno offers outdoor seating.", RECORD);
    check("Blue Door in Reno has 3.5 stars.", "Blue Door in Reno has 4.5 stars.", RECORD);
    check("It is open on Monday until 11 PM.", "It is open on Monday until 10 PM.", RECORD);
}

#[test]
fn a_refusal_claims_nothing() {
    assert!(score("The passages do not provide information about this.", CONTEXT) < DECISION);
}

#[test]
fn findings_cover_the_wrong_words() {
    let text = "The Harbour Museum in Malmo opened in 1978 and shows 340 model ships.";
    let found = crate::audit(text, Some(CONTEXT));
    let grounding: Vec<_> = found.findings.iter().filter(|finding| finding.kind == Kind::Grounding).collect();
    assert_eq!(grounding.iter().map(|f| (f.r#type, &text[f.start..f.end])).collect::<Vec<_>>(), [("DATE", "1978")]);
    assert!(found.scores.grounding >= DECISION && !grounding[0].explanation.contains("1978"));
}

#[test]
fn every_sentence_has_its_nearest_passage() {
    let text = "Entry costs 12 euros. It is closed on Mondays. Über alles.";
    let found = sentence_grounding(text, CONTEXT);
    let nearest: Vec<Option<&str>> = found.iter().map(|s| s.nearest.map(|(from, to)| &CONTEXT[from..to])).collect();
    assert_eq!(nearest, [Some("Entry costs 12 euros, children pay nothing."), Some("It is closed on Mondays."), None]);
    assert_eq!((found[2].start, found[2].end), (47, 58));
    assert!(found[0].score < DECISION && found[2].score > found[0].score);
}

#[test]
fn code_points_are_counted_at_any_offset() {
    let text = "aé€😀".repeat(700);
    let position = Position::new(&text);
    for (chars, (byte, _)) in text.char_indices().enumerate() {
        assert_eq!(position.at(byte), chars);
    }
    assert_eq!(position.at(text.len()), 2800);
}

#[test]
fn empty_inputs_get_finite_scores() {
    for (text, context) in [("", CONTEXT), ("  ", CONTEXT), ("!!!", CONTEXT), ("", "")] {
        assert!(sentence_grounding(text, context).iter().all(|sentence| sentence.score.is_finite()));
        assert!(judge(text, Some(context)).score.is_finite());
    }
    assert_eq!(judge("A plain text.", Some(" ")).score, 0.0);
}

#[test]
fn long_inputs_of_one_kind_are_judged() {
    for piece in ["a ", "not ", "1,", "1.", "the the. ", "\"a\": ", "A\n", "-", "un", "increase fall ", "é’"] {
        let long = piece.repeat(24_000 / piece.len());
        let short = piece.repeat(20);
        assert!(judge(&short, Some(&long)).score.is_finite());
        assert!(judge(&long, Some(&short)).score.is_finite());
        assert!(judge(&long, None).score.is_finite());
    }
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "rise",
        "fell",
        "not",
        "12",
        "3.5",
        "million",
        "Ann",
        "Malmo.",
        "\n",
        "\"x\":",
        "false",
        "don't",
        "well-kept",
        "é",
        "?",
        "may",
        "the",
        "of",
        "study",
        "{",
        "museum",
        "ships",
        "1987",
    ]);
    prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "))
}

fn check_properties(text: &str, context: &str) -> Result<(), TestCaseError> {
    let judged = judge(text, Some(context));
    prop_assert!((0.0..=1.0).contains(&judged.score));
    for hit in &judged.hits {
        prop_assert!(text.get(hit.start..hit.end).is_some_and(|piece| !piece.is_empty()));
        prop_assert!(hit.score >= DECISION && hit.score <= judged.score);
    }
    let (text_chars, context_chars) = (text.chars().count(), context.chars().count());
    let mut last = 0;
    for sentence in sentence_grounding(text, context) {
        prop_assert!(last <= sentence.start && sentence.start < sentence.end && sentence.end <= text_chars);
        prop_assert!(sentence.nearest.is_none_or(|(from, to)| from < to && to <= context_chars));
        last = sentence.end;
    }
    for hit in judge(text, None).hits {
        prop_assert!(text.get(hit.start..hit.end).is_some());
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_and_context_can_be_judged(text in any::<String>(), context in any::<String>()) {
        check_properties(&text, &context)?;
    }

    #[test]
    fn words_in_any_order_can_be_judged(text in words(), context in words()) {
        check_properties(&text, &context)?;
    }
}
