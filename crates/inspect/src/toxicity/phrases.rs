//! Toxic phrases for the local scan: each is recognised by its own words and the few before it. What depends on more of the text
//! is left to the learned model of this inspector (`judge.rs`).
//!
//! A phrase is found only where one of its anchors occurs, so every beginning that a pattern allows needs an anchor.

use std::sync::LazyLock;

use super::lexicon;
use crate::context::{behind, word_starts};
use crate::finding::{Hit, Kind};
use crate::phrase::{self, Phrase, PhraseRule};
use crate::scan::{ScanAnchor, ScanCheck};

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| RULES.iter().filter_map(Phrase::new).collect());

pub(crate) fn anchors() -> Vec<ScanAnchor> {
    let slurs = lexicon::slurs().map(|word| (word.as_bytes().to_vec(), ScanCheck::Verify(slur)));
    phrase::anchors(&PHRASES).chain(slurs).collect()
}

const fn rule(
    r#type: &'static str,
    detector: &'static str,
    score: f64,
    explanation: &'static str,
    anchors: &'static [&'static str],
    pattern: &'static str,
    unless_preceded_by: &'static str,
) -> PhraseRule {
    PhraseRule { kind: Kind::Toxicity, r#type, detector, score, explanation, anchors, pattern, unless_preceded_by }
}

/// Contexts in which a phrase is quoted, reported or denied, and so doesn't count.
const NOT_MEANT: &str = r#"["“'‘«]\s*|\b(?:if|that|say|says|said|saying|think|thinks|thinking|call|called|calling|believe|claim|claims|myth|lie|who|whether|because|when|wrong to say)\s+(?:all\s+)?|(?:\bnot|n['’]t|\bnever|\bwithout|\bno)\s+(?:\w+\s+){0,3}"#;

const RULES: &[PhraseRule] = &[
    rule(
        "PROFANITY",
        "toxicity/profanity",
        0.45,
        "profanity; by itself it does not make a text toxic",
        &[
            "fuck",
            "f*ck",
            "f**k",
            "fuk",
            "fck",
            "motherfuck",
            "shit",
            "sh*t",
            "sh1t",
            "bullshit",
            "asshole",
            "arsehole",
            "bitch",
            "b1tch",
            "cunt",
            "dickhead",
            "bastard",
            "wanker",
            "douchebag",
        ],
        r"(?:motherfuck|fuck|f\*ck|f\*\*k|fuk|fck)(?:ing?|ed|ers?|s|in')?\b|(?:bull)?sh(?:i|1|\*)t(?:ty|s|head)?\b|a(?:ss|rse)holes?\b|b[i1]tch(?:es|y)?\b|cunts?\b|dickheads?\b|bastards?\b|wankers?\b|douchebags?\b",
        "",
    ),
    rule(
        "INSULT",
        "toxicity/insult",
        0.85,
        "somebody is called an insulting name",
        &["you are", "you're", "you’re", "youre", "ur a", "you all are", "he is", "he's", "she is", "she's"],
        r"(?:(?:you(?:'re|’re|re| are| all are)|ur|s?he(?:'s| is))\s+(?:(?:a|an|all|such|just|nothing|but|really|so|the|complete|total|absolute|utter|fucking|damn|bloody|little|big|fat|ugly|dumb|stupid|pathetic|worthless|disgusting|biggest|most)\s+){0,5}(?:idiots?|morons?|imbeciles?|scum(?:bags?)?|losers?|dumbass(?:es)?|jackass(?:es)?|assholes?|bitch(?:es)?|piece of (?:shit|trash|garbage|crap)|cunts?|bastards?|dickheads?|wankers?)|(?:you(?:'re|’re|re| are| all are)|ur)\s+(?:(?:a|an|all|such|just|nothing|but|really|so|the|very|complete|total|absolute|utter|fucking|damn|bloody|little|big|fat|ugly|dumb|stupid|pathetic|worthless|disgusting|biggest|most)\s+){0,5}(?:stupid|pathetic|worthless|disgusting|braindead|trash|garbage|pigs?|clowns?|vermin|fools?))\b",
        NOT_MEANT,
    ),
    rule(
        "INSULT",
        "toxicity/insult",
        0.8,
        "somebody is addressed with an insulting name",
        &[
            "you stupid",
            "you fucking",
            "you dumb",
            "you pathetic",
            "you worthless",
            "you little",
            "you idiot",
            "you moron",
            "you piece",
            "you ugly",
            "shut the fuck",
            "shut up you",
            "shut up, you",
            "fuck you",
            "fuck off",
        ],
        r"you\s+(?:(?:stupid|fucking|dumb|pathetic|worthless|little|ugly|fat)\s+){0,3}(?:idiot|moron|imbecile|scum|loser|fool|pig|piece of (?:shit|trash|garbage|crap)|bitch|bastard|asshole|cunt|dumbass|shit)s?\b|shut the fuck up|shut up,? you\b|fuck (?:you|off)\b",
        NOT_MEANT,
    ),
    rule(
        "THREAT",
        "toxicity/threat",
        0.95,
        "somebody announces violence",
        &[
            "i will",
            "i'll",
            "i’ll",
            "i'm going to",
            "i’m going to",
            "i am going to",
            "i'm gonna",
            "i’m gonna",
            "i am gonna",
            "im gonna",
            "im going to",
            "we will",
            "we'll",
            "we’ll",
            "we are going to",
            "we are gonna",
            "we're going to",
            "we’re going to",
            "we're gonna",
            "we’re gonna",
        ],
        r"(?:(?:i|we)(?:'ll|’ll| will|(?:'m|’m|m| am|'re|’re| are) (?:going to|gonna)))\s+(?:(?:just|fucking|personally|come|over|there|and|find|hunt|you|down|then|really|so)\s+){0,6}(?:(?:kill|murder|shoot|stab|strangle|slaughter|butcher|rape|behead|cripple|torture)\s+(?:you|your (?:family|kids?|children|wife|husband|mother|mom)|every(?:one| one of you))(?:\s*$|\s*[.!,;]|\s+(?:and|all|tonight|tomorrow|if|for|when|slowly|with)\b)|(?:beat|smash|break|cut|slit|bash|kick)\s+(?:you to death|your (?:face|head|neck|legs?|throat|skull|teeth))\b|burn your house\b|hurt (?:you|your family)\b|make you (?:suffer|bleed)\b)",
        NOT_MEANT,
    ),
    rule(
        "THREAT",
        "toxicity/threat",
        0.8,
        "wishes somebody dead, or hints at violence",
        &[
            "hope you die",
            "you're dead meat",
            "you are dead meat",
            "you will die",
            "you deserve to die",
            "i know where you live",
        ],
        r"hope you die\b|you(?:'re| are) dead meat\b|you will die (?:slowly|screaming)\b|you deserve to die\b|i know where you live and\b",
        NOT_MEANT,
    ),
    rule(
        "SELF_HARM",
        "toxicity/self_harm",
        0.9,
        "calls on somebody to harm themselves",
        &[
            "kill yourself",
            "kys",
            "hang yourself",
            "go die",
            "slit your wrists",
            "you should die",
            "you should just die",
        ],
        r"(?:kill|hang) yourself\b|kys\b|go die\b|slit your wrists\b|you should (?:just )?die\b",
        r#"["“'‘«]\s*|(?:\bnot|n['’]t|\bnever|\bto|\bwould|\bmight|\bcould|\bif|\byou)\s+(?:\w+\s+)?"#,
    ),
    // The rule above does not count after "you …" or "to …", so calls of that form have a rule of their own.
    rule(
        "SELF_HARM",
        "toxicity/self_harm",
        0.85,
        "calls on somebody to harm themselves",
        &[
            "you need to kill yourself",
            "you should kill yourself",
            "you should just kill yourself",
            "you ought to kill yourself",
        ],
        r"you (?:need to|ought to|should(?: just)?) kill yourself\b",
        NOT_MEANT,
    ),
    rule(
        "IDENTITY_ATTACK",
        "toxicity/identity_attack",
        0.9,
        "a group is dehumanised or wished harm",
        &[
            "muslims",
            "jews",
            "christians",
            "hindus",
            "blacks",
            "black people",
            "white people",
            "whites",
            "asians",
            "mexicans",
            "arabs",
            "immigrants",
            "refugees",
            "gays",
            "gay people",
            "lesbians",
            "trans people",
            "women",
            "disabled people",
            "africans",
            "chinese people",
            "indians",
        ],
        r"[a-z]+(?: people)?\s+(?:(?:are|is)\s+(?:(?:all|just|nothing|but|a|an|the|such|really|naturally|fucking|filthy|dirty|stupid|bunch|of)\s+){0,4}(?:scum|vermin|subhumans?|animals|disgusting|inferior|filth|trash|parasites|cockroaches|rats|savages|worthless|pigs)\b|(?:should|must|need to|deserve to)\s+(?:all\s+)?(?:die|burn|be (?:killed|exterminated|shot|gassed|hanged|wiped out|eradicated|enslaved))(?:\s*$|\s*[.!,;]))",
        NOT_MEANT,
    ),
];

/// A slur counts if one of the words before it shows that it is used as an insult. By itself it is only a hint.
fn slur(text: &str, range: std::ops::Range<usize>) -> Option<Hit> {
    let plural = usize::from(text[range.end..].starts_with(['s', 'S']));
    let end = range.end + plural;
    if !word_starts(text, range.start) || text[end..].starts_with(char::is_alphanumeric) {
        return None;
    }
    let before = behind(text, range.start, INSULTING_BYTES);
    let is_insult = INSULTING.iter().any(|word| {
        let at = before.len().saturating_sub(word.len());
        before.get(at..).is_some_and(|tail| tail.eq_ignore_ascii_case(word))
            && (at == 0 || !before.as_bytes()[at - 1].is_ascii_alphanumeric())
    });
    let (score, explanation) = if is_insult {
        (0.9, "a slur used as an insult")
    } else {
        (0.45, "a slur; whether it is meant depends on the text")
    };
    Some(Hit {
        kind: Kind::Toxicity,
        r#type: "IDENTITY_ATTACK",
        start: range.start,
        end,
        score,
        detector: "toxicity/identity_attack",
        explanation: explanation.to_owned(),
    })
}

/// How many bytes before a slur are read; at least as many as the longest of the words has.
const INSULTING_BYTES: usize = 24;
/// Words right before a slur that make it an insult.
const INSULTING: &[&str] = &["you ", "fucking ", "dirty ", "filthy ", "stupid ", "disgusting ", "ugly "];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let letters: Vec<char> = text.chars().collect();
        let found: Vec<(&str, String)> = inspect(text)
            .iter()
            .filter(|finding| finding.kind == Kind::Toxicity)
            .map(|finding| (finding.r#type, letters[finding.start..finding.end].iter().collect()))
            .collect();
        let found: Vec<(&str, &str)> = found.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn every_rule_is_a_regular_expression() {
        assert_eq!(PHRASES.len(), RULES.len());
    }

    #[test]
    fn profanity_is_found_as_a_word_and_is_not_toxic_by_itself() {
        check("Oh shit, that f*cking build.", &[("PROFANITY", "shit"), ("PROFANITY", "f*cking")]);
        check("Scunthorpe, shiitake, a bitchumen of Dickens", &[]);
        assert!(inspect("Oh shit, that f*cking build.").iter().all(|finding| finding.score < 0.5));
    }

    #[test]
    fn an_insult_aimed_at_somebody_is_found() {
        check("You are an idiot.", &[("INSULT", "You are an idiot")]);
        check("honestly you’re such a pathetic loser", &[("INSULT", "you’re such a pathetic loser")]);
        check("Get lost, you stupid moron!", &[("INSULT", "you stupid moron")]);
        check("You are not an idiot. The Idiot is a novel. You are right.", &[]);
        check("He said \"you are an idiot\" and left. If you are a loser, so am I.", &[]);
    }

    #[test]
    fn a_threat_is_found() {
        check("I will kill you.", &[("THREAT", "I will kill you.")]);
        check("I'm gonna come over and break your legs", &[("THREAT", "I'm gonna come over and break your legs")]);
        check("I hope you die", &[("THREAT", "hope you die")]);
        for beginning in ["We're gonna", "we’re going to", "We are gonna", "I am gonna", "im going to", "We’ll"] {
            let text = format!("{beginning} kill you");
            check(&text, &[("THREAT", &text)]);
        }
        check("I will kill the process. I'll beat you at chess. They do not deserve to die.", &[]);
        check("I'll kill you at Mario Kart tonight.", &[]);
    }

    #[test]
    fn a_call_to_self_harm_is_found_and_help_is_not() {
        check("Just kill yourself", &[("SELF_HARM", "kill yourself")]);
        check("you need to kill yourself", &[("SELF_HARM", "you need to kill yourself")]);
        check("If you want to kill yourself, call a hotline. Please don't kill yourself.", &[]);
    }

    #[test]
    fn a_groups_name_alone_is_not_an_attack() {
        check("All immigrants are vermin", &[("IDENTITY_ATTACK", "immigrants are vermin")]);
        check("women should be enslaved", &[("IDENTITY_ATTACK", "women should be enslaved")]);
        check("I am a gay Muslim woman. Jews and Arabs live here. Black people are voters.", &[]);
        check("It is a lie that immigrants are vermin. No women should be killed. \"Jews are scum\" is vile.", &[]);
    }
}
