//! The words and phrases that a comment may consist of. A comment is understood only if every word is listed here: any other word
//! may reverse its meaning ("don't", "except", "why"), and a figure would be somebody's claim, not a fact.

use countersign_domain::{Section, payload::ReportType, revision::Topic};

/// The meaning of a word or a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PhraseMeaning {
    Section(Section),
    /// The report as a whole.
    Whole,
    Topic(Topic),
    Type(ReportType),
    Longer,
    Shorter,
    /// Asks for a fact.
    Mention,
    /// Can ask for another type of report: `make`, `need`.
    Change,
    /// Joins two requests, or two things that one request is about.
    And,
    /// Asks for nothing.
    Filler,
    Unknown,
}

use PhraseMeaning::{Change, Filler, Longer, Mention, Shorter, Whole};
use Section::{
    ExecutiveSummary as Summary, FraudExplanation as Explanation, InvestigationNarrative as Narrative,
    RiskJustification as Justification, TimelineNarrative as Timeline,
};

/// The number of words of the longest phrase.
pub(super) const PHRASE_WORDS_MAX: usize = 6;

const PHRASES: &[(PhraseMeaning, &[&str])] = &[
    (PhraseMeaning::Section(Summary), &["executive summary", "summary"]),
    (PhraseMeaning::Section(Explanation), &["fraud explanation", "explanation"]),
    (
        PhraseMeaning::Section(Timeline),
        &["timeline of events", "timeline narrative", "timeline", "chronology", "sequence of events"],
    ),
    (PhraseMeaning::Section(Justification), &["risk justification", "justification"]),
    (PhraseMeaning::Section(Narrative), &["investigation narrative", "narrative"]),
    (
        Whole,
        &[
            "whole report",
            "report",
            "whole text",
            "text",
            "everything",
            "all sections",
            "every section",
            "each section",
        ],
    ),
    (PhraseMeaning::Type(ReportType::Compliance), &["compliance report", "compliance version", "compliance"]),
    (PhraseMeaning::Type(ReportType::Full), &["full report", "full version", "full type"]),
    (PhraseMeaning::Type(ReportType::Internal), &["internal report", "internal version", "internal type"]),
    (
        Longer,
        &[
            "longer",
            "lengthen",
            "expand",
            "expand on",
            "extend",
            "elaborate",
            "elaborate on",
            "more detail",
            "more details",
            "more detailed",
            "in more detail",
            "say more",
            "more words",
            "too short",
            "too brief",
            "too terse",
            "too thin",
            "too little detail",
            "not enough detail",
            "not detailed enough",
            "not long enough",
        ],
    ),
    (
        Shorter,
        &[
            "shorter",
            "shorten",
            "compress",
            "condense",
            "tighten",
            "trim",
            "cut down",
            "briefer",
            "more concise",
            "more compact",
            "concise",
            "fewer words",
            "less detail",
            "too long",
            "too wordy",
            "too verbose",
            "too much detail",
            "too detailed",
        ],
    ),
    (
        Mention,
        &[
            "add",
            "mention",
            "include",
            "name",
            "state",
            "say",
            "give",
            "show",
            "list",
            "note",
            "cover",
            "describe",
            "explain",
            "quote",
            "put",
            "spell out",
            "missing",
            "lacks",
            "lacking",
            "omits",
            "leaves out",
            "more about",
            "more on",
            "no mention of",
            "not mentioned",
            "not stated",
            "does not mention",
            "doesn't mention",
            "does not say",
            "doesn't say",
            "does not name",
            "doesn't name",
            "does not state",
            "doesn't state",
            "does not give",
            "doesn't give",
        ],
    ),
    (
        Change,
        &[
            "make",
            "turn",
            "change",
            "convert",
            "switch",
            "issue",
            "need",
            "needs",
            "want",
            "rewrite",
            "prepare",
            "produce",
            "should be",
            "must be",
        ],
    ),
    (PhraseMeaning::And, &["and", "but", "then", "plus", "also"]),
    (
        PhraseMeaning::Topic(Topic::Merchant),
        &["merchant", "merchant's name", "name of the merchant", "shop", "counterparty"],
    ),
    (PhraseMeaning::Topic(Topic::Category), &["category", "merchant category", "merchant's category"]),
    (PhraseMeaning::Topic(Topic::Channel), &["channel", "instrument", "payment method", "how it was paid"]),
    (
        PhraseMeaning::Topic(Topic::Location),
        &["location", "place", "country", "city", "where", "where it was", "where it happened", "where it took place"],
    ),
    (PhraseMeaning::Topic(Topic::Amount), &["amount", "amounts"]),
    (
        PhraseMeaning::Topic(Topic::Time),
        &["time", "date", "when", "when it was", "when it happened", "time of the transaction"],
    ),
    (
        PhraseMeaning::Topic(Topic::Status),
        &["status", "whether it was completed", "whether the transaction was completed", "whether it completed"],
    ),
    (
        PhraseMeaning::Topic(Topic::Funds),
        &["funds", "source of funds", "source of the funds", "destination of funds", "destination of the funds"],
    ),
    (PhraseMeaning::Topic(Topic::Memo), &["memo", "payment reference"]),
    (
        PhraseMeaning::Topic(Topic::AccountAge),
        &["account age", "account's age", "age of the account", "how old the account is", "how old the account was"],
    ),
    (
        PhraseMeaning::Topic(Topic::History),
        &["earlier transactions", "previous transactions", "number of earlier transactions", "transaction history"],
    ),
    (
        PhraseMeaning::Topic(Topic::Baseline),
        &["baseline", "median", "usual behaviour", "usual behavior", "usual spending", "normal spending"],
    ),
    (
        PhraseMeaning::Topic(Topic::PriorAlerts),
        &["prior alerts", "prior alert", "previous alerts", "earlier alerts", "alert history"],
    ),
    (PhraseMeaning::Topic(Topic::SimilarAlerts), &["similar alerts", "similar cases"]),
    (PhraseMeaning::Topic(Topic::Thresholds), &["threshold", "thresholds"]),
    (
        PhraseMeaning::Topic(Topic::Score),
        &[
            "score",
            "risk score",
            "score composition",
            "composition of the score",
            "composition of the risk score",
            "how the score is composed",
            "how the score was composed",
            "how the score is made up",
            "how the score came about",
            "score breakdown",
            "breakdown of the score",
            "contributions",
            "points",
        ],
    ),
    (PhraseMeaning::Topic(Topic::Severity), &["severity", "severity band", "band"]),
    (PhraseMeaning::Topic(Topic::Rules), &["rules", "rule flags", "rules that held", "which rules held"]),
    (PhraseMeaning::Topic(Topic::Impact), &["regulatory impact", "impact"]),
    (
        Filler,
        &[
            "a",
            "an",
            "the",
            "this",
            "that",
            "these",
            "those",
            "it",
            "its",
            "it's",
            "is",
            "are",
            "was",
            "were",
            "be",
            "been",
            "has",
            "have",
            "should",
            "must",
            "could",
            "would",
            "can",
            "you",
            "we",
            "i",
            "i'd",
            "us",
            "me",
            "like",
            "to",
            "in",
            "into",
            "of",
            "for",
            "from",
            "with",
            "at",
            "on",
            "by",
            "as",
            "about",
            "please",
            "kindly",
            "just",
            "some",
            "more",
            "bit",
            "little",
            "lot",
            "much",
            "slightly",
            "somewhat",
            "section",
            "sections",
            "part",
            "paragraph",
            "customer",
            "customer's",
            "transaction",
            "transaction's",
            "payment",
            "payment's",
            "case",
            "there",
            "here",
            "so",
            "still",
            "again",
            "now",
            "too",
            "both",
            "all",
            "its own",
            "thanks",
            "thank",
            "otherwise",
            "fine",
            "good",
            "ok",
            "okay",
            "well",
            "version",
            "type",
            "one",
            "instead",
        ],
    ),
];

/// The meaning of these words together. `None` if they are not a phrase.
pub(super) fn meaning(words: &[&str]) -> Option<PhraseMeaning> {
    let is_phrase = |phrase: &&str| phrase.split(' ').eq(words.iter().copied());
    PHRASES.iter().find(|(_, phrases)| phrases.iter().any(is_phrase)).map(|(mark, _)| *mark)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_is_listed_once_and_within_the_longest_length() {
        let all: Vec<_> = PHRASES.iter().flat_map(|(_, phrases)| *phrases).collect();
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        for phrase in all {
            assert!(phrase.split(' ').count() <= PHRASE_WORDS_MAX, "{phrase}");
            assert_eq!(phrase.to_lowercase(), **phrase);
        }
    }

    #[test]
    fn words_that_reverse_a_request_are_unknown() {
        for word in [
            "not", "no", "don't", "never", "without", "except", "remove", "delete", "why", "if", "than", "drop",
            "omit", "unless",
        ] {
            assert_eq!(meaning(&[word]), None, "{word}");
        }
    }
}
