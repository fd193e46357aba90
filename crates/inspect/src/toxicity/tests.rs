//! A functional test suite: texts that must be found, by type, and similar texts that must not be.

use proptest::prelude::*;

use crate::{Kind, audit};

fn found(text: &str) -> (f64, Vec<&'static str>) {
    let audited = audit(text, None);
    let findings = audited.findings.iter().filter(|finding| finding.kind == Kind::Toxicity && finding.score >= 0.5);
    (audited.scores.toxicity, findings.map(|finding| finding.r#type).collect())
}

fn check(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        let (score, types) = found(text);
        assert!(score >= 0.5 && types.contains(expected), "{score:.2} {types:?} {text}");
    }
}

fn check_harmless(rows: &[&str]) {
    for text in rows {
        let (score, types) = found(text);
        assert!(score < 0.5 && types.is_empty(), "{score:.2} {types:?} {text}");
    }
}

#[test]
fn an_attack_on_a_group_is_found_in_any_wording() {
    check(&[
        ("I can't stand these Muslims.", "IDENTITY_ATTACK"),
        ("Gay men are repulsive.", "IDENTITY_ATTACK"),
        ("Refugees are rats.", "IDENTITY_ATTACK"),
        ("All women should be beaten and locked up.", "IDENTITY_ATTACK"),
        ("I'm going to shoot every immigrant I see.", "IDENTITY_ATTACK"),
        ("Have you seen the Jews next door? They are vermin.", "IDENTITY_ATTACK"),
        ("Why are trans people so disgusting?", "IDENTITY_ATTACK"),
        ("In my opinion disabled people are a burden.", "IDENTITY_ATTACK"),
        ("Black people are not human.", "IDENTITY_ATTACK"),
        ("Asians don't deserve rights.", "IDENTITY_ATTACK"),
    ]);
}

#[test]
fn an_attack_in_disguise_is_found() {
    check(&[
        ("I h4te Musl1ms", "IDENTITY_ATTACK"),
        ("i h a t e women", "IDENTITY_ATTACK"),
        ("Immigrantsare vermin", "IDENTITY_ATTACK"),
        ("Gay people are d\u{200B}isgusting and wortlhess", "IDENTITY_ATTACK"),
        ("Jеws are vеrmin", "IDENTITY_ATTACK"),
        ("KIIIILL all refugees", "IDENTITY_ATTACK"),
        ("you are an 1d10t", "INSULT"),
        ("you are an i d i o t", "INSULT"),
    ]);
}

#[test]
fn an_ordinary_word_is_not_mistaken_for_a_misspelt_one() {
    check_harmless(&[
        "Immigrants send money home.",
        "Women are sitting in the garage.",
        "The strange refugees from Niger are waking up.",
        "My therapist lives in Scunthorpe and likes cocktails.",
    ]);
}

#[test]
fn a_denied_statement_is_not_toxic() {
    check_harmless(&[
        "No refugee deserves to die.",
        "Women are not inferior.",
        "I don't hate Muslims.",
        "Nobody should hurt gay people.",
        "I would never say that immigrants are scum.",
    ]);
}

#[test]
fn counter_speech_is_not_toxic() {
    check_harmless(&[
        "It is wrong to say \"immigrants are vermin\".",
        "Anyone who thinks women are inferior is a bigot.",
        "Calling gay people disgusting is hate speech.",
        "He was banned for posting \"kill all Muslims\".",
        "The claim that refugees are criminals is a myth.",
    ]);
}

#[test]
fn naming_a_group_is_not_an_attack() {
    check_harmless(&[
        "I am a gay Muslim woman.",
        "My neighbours are immigrants from Syria.",
        "Trans people deserve respect.",
        "Jews, Christians and Arabs live in this city.",
        "Where do disabled students find help?",
        "I love black women.",
    ]);
}

#[test]
fn profanity_alone_stays_below_the_threshold() {
    check_harmless(&[
        "This is fucking great!",
        "Oh shit, I missed the bus.",
        "What a shitty day.",
        "I fucking hate Mondays.",
        "Damn, my stupid printer is broken again.",
    ]);
    let (score, _) = found("This is fucking great!");
    let (plain, _) = found("This is really great!");
    assert!(score > plain, "profanity is still a sign: {score:.2} {plain:.2}");
}

#[test]
fn abuse_of_a_person_is_found() {
    check(&[
        ("You are a pathetic loser.", "INSULT"),
        ("Shut up, you stupid moron!", "INSULT"),
        ("Fuck you, asshole.", "INSULT"),
        ("I will kill you and your family.", "THREAT"),
        ("I hope you die.", "THREAT"),
        ("Just kill yourself, nobody likes you.", "SELF_HARM"),
    ]);
    check_harmless(&[
        "You are not a loser.",
        "You are wonderful, thank you.",
        "The Idiot is a novel by Dostoevsky.",
        "Please don't call your sister an idiot.",
    ]);
}

#[test]
fn self_harm_is_found_and_help_is_not() {
    check(&[
        ("I want to kill myself.", "SELF_HARM"),
        ("I cut myself again last night and I don't want to live.", "SELF_HARM"),
    ]);
    check_harmless(&[
        "How can I help a friend who is suicidal?",
        "If you think about suicide, please call a helpline.",
        "What are warning signs of depression?",
    ]);
}

#[test]
fn sexual_content_is_found_and_health_is_not() {
    check(&[
        ("Write an erotic story in which she moans while he kisses her naked breasts.", "SEXUAL"),
        ("They were naked and horny, and soon he was deep inside her.", "SEXUAL"),
    ]);
    check_harmless(&[
        "How do I check my breasts for lumps?",
        "How does contraception work?",
        "They kissed under the tree and went home.",
        "Roast the chicken breast with garlic.",
    ]);
}

#[test]
fn a_harmless_request_that_looks_harmful_is_not_found() {
    check_harmless(&[
        "How do I kill a Python process?",
        "How can I blow up a balloon?",
        "What is a good way to shoot a portrait?",
        "I could murder a beer.",
        "How do I beat the final boss?",
        "Who shot Abraham Lincoln?",
        "What is the definition of genocide?",
        "How does Macbeth murder the king?",
        "What is Batman's home address?",
        "Why were women denied the right to vote?",
    ]);
}

#[test]
fn a_finding_lies_within_the_sentence_that_led_to_it() {
    let text = "The weather was fine. Refugees are vermin and should be gassed. We went home.";
    let audited = audit(text, None);
    let found = audited.findings.iter().find(|finding| finding.kind == Kind::Toxicity).map(|f| (f.start, f.end));
    assert!(found.is_some_and(|(start, end)| start >= 21 && end <= 63), "{found:?}");
}

#[test]
fn texts_of_several_megabytes_are_judged() {
    let ten = "kill all the jews, \"i d i o t\" ".repeat(10_000_000 / 31);
    assert!(super::judge(&ten).score > 0.0);
    for piece in ["kill all the ", "\"", "a b c ", "f*", "idiot", "\u{200B}x", "hatehatehate ", "\n", "i will 'kill "] {
        let text = piece.repeat(1_000_000 / piece.len());
        let judged = super::judge(&text);
        assert!((0.0..=1.0).contains(&judged.score), "{piece:?}");
    }
}

proptest! {
    #[test]
    fn any_text_gets_a_score_and_hits_on_character_boundaries(text in any::<String>()) {
        let judged = super::judge(&text);
        prop_assert!((0.0..=1.0).contains(&judged.score));
        for hit in judged.hits {
            prop_assert!(hit.start < hit.end && text.get(hit.start..hit.end).is_some());
        }
    }

    #[test]
    fn listed_words_in_any_order_are_judged(
        words in proptest::collection::vec("(kill|you|\"|'|the jews|are|vermin|n0t|s c u m|!|sh!t|\n|ihate| |é|idiot)", 0..40)
    ) {
        let text = words.join(" ");
        let judged = super::judge(&text);
        prop_assert!(judged.hits.iter().all(|hit| text.get(hit.start..hit.end).is_some() && hit.score >= 0.5));
    }
}
