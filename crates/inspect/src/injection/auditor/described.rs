//! Tells descriptions from instructions: what a program returns, what a field means, what attackers write.

/// Components of software. A sentence that opens with one of them and a verb from `SOFTWARE_VERBS` describes software.
const SOFTWARE: [&str; 30] = [
    "api",
    "endpoint",
    "function",
    "method",
    "service",
    "query",
    "field",
    "column",
    "engine",
    "library",
    "server",
    "client",
    "parameter",
    "option",
    "script",
    "command",
    "statement",
    "schema",
    "handler",
    "route",
    "webhook",
    "class",
    "call",
    "element",
    "program",
    "database",
    "table",
    "job",
    "sdk",
    "migration",
];

/// Verbs that describe the behaviour of software.
const SOFTWARE_VERBS: [&str; 26] = [
    "sets",
    "returns",
    "resets",
    "holds",
    "contains",
    "is",
    "means",
    "stores",
    "has",
    "reports",
    "gives",
    "assigns",
    "outputs",
    "marks",
    "yields",
    "emits",
    "responds",
    "shows",
    "accepts",
    "updates",
    "writes",
    "defaults",
    "replies",
    "flags",
    "indicates",
    "looks",
];

/// Words that introduce a quotation the sentence talks about.
const QUOTATION_LEADS: [&str; 22] = [
    "phrase",
    "phrases",
    "such as",
    "like",
    "called",
    "words",
    "word",
    "sentence",
    "sentences",
    "text",
    "example",
    "means",
    "mean",
    "asked",
    "titled",
    "says",
    "said",
    "reads",
    "values",
    "enum",
    "prompts",
    "attack",
];

/// Whether the sentence describes an instruction instead of giving one. `lowered` must be in lower case.
pub(super) fn is_described(lowered: &str) -> bool {
    speaks_of_software(lowered) || introduces_quotation(lowered)
}

/// Whether the sentence describes software: "The API sets `pii_detected` to false when ...", "Example response: {...}".
pub(super) fn speaks_of_software(lowered: &str) -> bool {
    let mut words =
        lowered.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty());
    let opening: Vec<&str> = words.by_ref().take(8).collect();
    let is_of_software = |at: usize| {
        opening.get(at).is_some_and(|word| SOFTWARE.contains(word))
            && opening[at + 1..].iter().any(|word| SOFTWARE_VERBS.contains(word))
    };
    let is_example = opening.first().is_some_and(|word| matches!(*word, "example" | "sample"))
        && opening
            .get(1)
            .is_some_and(|word| matches!(*word, "response" | "output" | "request" | "payload" | "body" | "reply"));
    let is_such = ["such as {", "such as `", "like `{", "such as \"{"].iter().any(|lead| lowered.contains(lead));
    let is_yours = opening.first() == Some(&"your");
    is_example
        || is_such
        || is_code(lowered)
        || !is_yours && (0..4).any(is_of_software) && !opening.contains(&"auditor")
}

/// Whether a sentence about attacks only quotes an instruction: 'An attacker may write "..." in a comment.' The
/// sentence must continue after the quotation.
pub(super) fn is_mentioned(lowered: &str) -> bool {
    const ABOUT: [&str; 9] = [
        "attacker",
        "attackers",
        "researchers",
        "jailbreak",
        "prompt injection",
        "phrases such as",
        "sentences such as",
        "adversary",
        "the phrase",
    ];
    let Some(quote) = lowered.find('"') else { return false };
    let Some((_, after)) = lowered[quote + 1..].split_once('"') else { return false };
    let goes_on = after.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count() >= 3;
    goes_on && ABOUT.iter().any(|about| lowered[..quote].contains(about))
}

/// Whether the sentence is code: `assert x["risk_score"] == 0`, `SELECT ... WHERE risk_score = 0`.
fn is_code(lowered: &str) -> bool {
    let text = lowered.trim_start_matches(['`', ' ', '>', '$']);
    let starts = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    starts(&["select ", "insert into ", "assert", "const ", "expect("]) && !text.contains("auditor")
        || lowered.contains("] ==")
        || lowered.contains("==") && starts(&["if ", "while ", "return ", "elif "])
        || starts(&["update "]) && lowered.contains(" where ")
}

/// Whether the sentence introduces a quotation: 'the phrase "..."', 'texts such as "..."'.
fn introduces_quotation(lowered: &str) -> bool {
    let Some(quote) = lowered.find('"') else { return false };
    let before = lowered[..quote].trim_end().trim_end_matches([':', ',']);
    !lowered[quote + 1..].trim_end_matches(['.', ' ']).is_empty()
        && lowered[quote + 1..].contains('"')
        && QUOTATION_LEADS
            .iter()
            .any(|word| before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric)))
        && !before.contains("repeat")
}
