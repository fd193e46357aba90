//! Words that hurt: profanity, insults aimed at somebody, threats, calls to self-harm, attacks on a group.
//!
//! Naming a group or quoting a fact about it is not toxic; only what is said of it can be. The list of slurs is short on purpose:
//! words with a common harmless meaning are left out.

use std::sync::LazyLock;

use crate::finding::Kind;
use crate::phrase::{self, Phrase, Rule};
use crate::scan::Anchor;

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| RULES.iter().filter_map(Phrase::new).collect());

pub(crate) fn anchors() -> Vec<Anchor> {
    phrase::anchors(&PHRASES).collect()
}

const fn rule(
    r#type: &'static str,
    detector: &'static str,
    score: f64,
    explanation: &'static str,
    anchors: &'static [&'static str],
    pattern: &'static str,
    unless_after: &'static str,
) -> Rule {
    Rule { kind: Kind::Toxicity, r#type, detector, score, explanation, anchors, pattern, unless_after }
}

const NEGATED: &str = r"(?:\bnot|n['’]t|\bnever|\bwithout)\s+(?:\w+\s+)?";

const RULES: &[Rule] = &[
    rule(
        "PROFANITY",
        "toxicity/profanity",
        0.7,
        "a word of the list of profanities",
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
        &[
            "you are",
            "you're",
            "you’re",
            "youre",
            "ur a",
            "you all are",
            "he is",
            "he's",
            "she is",
            "she's",
            "they are",
            "they're",
        ],
        r"(?:you(?:'re|’re|re| are| all are)|ur|(?:s?he|they)(?:'s|'re| is| are))\s+(?:(?:a|an|all|such|just|nothing|but|really|so|the|very|complete|total|absolute|utter|fucking|damn|bloody|little|big|fat|ugly|dumb|stupid|pathetic|worthless|disgusting|biggest|most)\s+){0,5}(?:idiots?|morons?|imbeciles?|retards?|scum(?:bags?)?|losers?|trash|garbage|pigs?|dumbass(?:es)?|jackass(?:es)?|assholes?|bitch(?:es)?|piece of (?:shit|trash|garbage|crap)|cunts?|stupid|pathetic|worthless|disgusting|fools?|clowns?|bastards?|vermin|braindead|dickheads?|wankers?)\b",
        "",
    ),
    rule(
        "INSULT",
        "toxicity/insult",
        0.8,
        "an insulting name as an address",
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
            "go to hell",
            "fuck you",
            "fuck off",
            "screw you",
            "nobody likes you",
        ],
        r"you\s+(?:(?:stupid|fucking|dumb|pathetic|worthless|little|ugly|fat)\s+){0,3}(?:idiot|moron|imbecile|retard|scum|loser|fool|pig|piece of (?:shit|trash|garbage|crap)|bitch|bastard|asshole|cunt|dumbass|shit)s?\b|shut the fuck up|shut up,? you\b|go to hell\b|fuck (?:you|off)\b|screw you\b|nobody likes you\b",
        "",
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
            "im gonna",
            "we will",
            "we'll",
            "we are going to",
            "we're going to",
            "gonna",
        ],
        r"(?:(?:i|we)(?:'ll|’ll| will|(?:'m|’m|m| am|'re| are) (?:going to|gonna))|gonna)\s+(?:(?:just|fucking|personally|come|over|there|and|find|hunt|you|down|then|really|so)\s+){0,6}(?:(?:kill|murder|shoot|stab|strangle|slaughter|butcher|rape|behead|cripple|torture)\s+(?:you|your (?:family|kids?|children|wife|husband|mother|mom)|him|her|them(?: all)?|every(?:one| one of you))\b|(?:beat|smash|break|cut|slit|bash|kick)\s+(?:you (?:up|to death)|your (?:face|head|neck|legs?|throat|skull|teeth|ass))\b|(?:burn|blow)\s+(?:your house|you|it all)\b|hurt (?:you|your family|him|her)\b|make you (?:suffer|pay|bleed)\b|end you\b)",
        "",
    ),
    rule(
        "THREAT",
        "toxicity/threat",
        0.8,
        "wishes somebody dead",
        &[
            "deserve to die",
            "deserves to die",
            "should be killed",
            "should be shot",
            "should be hanged",
            "should be lynched",
            "hope you die",
            "you're dead meat",
            "you are dead meat",
            "you will die",
            "watch your back",
            "i know where you live",
            "kill them all",
        ],
        r"deserves? to die\b|should be (?:killed|shot|hanged|lynched)\b|hope you die\b|you(?:'re| are) dead meat\b|you will die(?: (?:for|slowly|screaming|soon)\b|[!.])|watch your back,|i know where you live\b|kill them all\b",
        NEGATED,
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
            "end your life",
            "go die",
            "slit your wrists",
            "you should die",
            "you should just die",
            "drink bleach",
            "better off dead",
        ],
        r"(?:kill|hang) yourself\b|kys\b|end your (?:own )?life\b|go die\b|slit your wrists\b|you should (?:just )?die\b|drink bleach\b|better off dead\b",
        r"(?:\bnot|n['’]t|\bnever|\bto|\bwould|\bmight|\bcould)\s+(?:\w+\s+)?",
    ),
    rule(
        "SELF_HARM",
        "toxicity/self_harm",
        0.85,
        "calls on somebody to harm themselves",
        &["need to kill yourself", "ought to kill yourself", "have to kill yourself"],
        r"(?:need|ought|have) to kill yourself\b",
        NEGATED,
    ),
    rule(
        "IDENTITY_ATTACK",
        "toxicity/identity_attack",
        0.9,
        "a slur against a group",
        &["nigger", "faggot", "kike", "spic", "wetback", "raghead", "tranny", "gook", "towelhead", "subhumans"],
        r"(?:niggers?|faggots?|kikes?|spics|wetbacks?|ragheads?|trann(?:y|ies)|gooks?|towelheads?|subhumans)\b",
        "",
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
        r"[a-z]+(?: people)?\s+(?:(?:are|is)\s+(?:(?:all|just|nothing|but|a|an|the|such|really|naturally|fucking|filthy|dirty|stupid|bunch|of)\s+){0,4}(?:scum|vermin|subhumans?|animals|disgusting|inferior|filth|trash|garbage|parasites|cockroaches|rats|savages|criminals|terrorists|rapists|worthless|evil|stupid|pigs|dogs|plague|cancer)\b|(?:should|must|need to|deserve to)\s+(?:all\s+)?(?:die|burn|be (?:killed|exterminated|shot|gassed|hanged|wiped out|eradicated|enslaved))\b)",
        r"\b(?:that|claim(?:s|ed|ing)?|myth|lie|wrong to say|false that)\s+(?:all\s+)?",
    ),
];

/// Judges the text as a whole, beyond the phrases of the table.
pub(crate) fn judge(_text: &str, _words: &[crate::words::Word]) -> crate::audit::Judged {
    crate::audit::Judged::default()
}

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
    fn profanity_is_found_as_a_word() {
        check("Oh shit, that f*cking build.", &[("PROFANITY", "shit"), ("PROFANITY", "f*cking")]);
        check("Scunthorpe, shiitake, a bitchumen of Dickens", &[]);
    }

    #[test]
    fn an_insult_aimed_at_somebody_is_found() {
        check("You are an idiot.", &[("INSULT", "You are an idiot")]);
        check("honestly you’re such a pathetic loser", &[("INSULT", "you’re such a pathetic loser")]);
        check("Get lost, you stupid moron!", &[("INSULT", "you stupid moron")]);
        check("You are not an idiot. The Idiot is a novel. You are right.", &[]);
    }

    #[test]
    fn a_threat_is_found() {
        check("I will kill you.", &[("THREAT", "I will kill you")]);
        check("I'm gonna come over and break your legs", &[("THREAT", "I'm gonna come over and break your legs")]);
        check("They deserve to die", &[("THREAT", "deserve to die")]);
        check("I will kill the process. I'll beat you at chess. They do not deserve to die.", &[]);
    }

    #[test]
    fn a_call_to_self_harm_is_found_and_help_is_not() {
        check("Just kill yourself", &[("SELF_HARM", "kill yourself")]);
        check("you need to kill yourself", &[("SELF_HARM", "need to kill yourself")]);
        check("If you want to kill yourself, call a hotline. Please don't kill yourself.", &[]);
    }

    #[test]
    fn a_group_is_attacked_by_what_is_said_not_by_its_name() {
        check("All immigrants are vermin", &[("IDENTITY_ATTACK", "immigrants are vermin")]);
        check("women should be enslaved", &[("IDENTITY_ATTACK", "women should be enslaved")]);
        check("I am a gay Muslim woman. Jews and Arabs live here. Black people are voters.", &[]);
        check("It is a lie that immigrants are criminals.", &[]);
    }
}
