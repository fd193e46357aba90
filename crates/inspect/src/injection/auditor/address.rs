//! Recognises sentences that address a judge: by name, by a form of address, or as the "you" who judges.

use super::lexicon::AuditorConcept::*;
use super::sentence::{LanguageWords, Term};

/// The maximum distance in bytes between a form of address and the addressee.
const ADDRESS_GAP: usize = 24;
/// The maximum distance in bytes between "you" and the judging verb.
const JUDGING_GAP: usize = 16;

impl LanguageWords<'_> {
    /// Whether the sentence addresses a judge: by name and a colon, in brackets, after "note to", or as the "you" who
    /// judges.
    pub(super) fn is_addressed(&self) -> bool {
        let sentence = self.sentence;
        let by_verb: Vec<Term> = self
            .judges_by_verb()
            .chain(self.judges_by_kind())
            .map(|(who, verb)| Term { end: verb.end, ..*who })
            .collect();
        let named = self.all(&[Auditor, Checker]).chain(&by_verb).any(|auditor| {
            let (before, after) = (sentence.before(auditor.start), sentence.after(auditor.end));
            let opens = !before.contains(char::is_alphanumeric);
            let colon = after.starts_with([':', '：', ']', '>', '}', '|'])
                || after.starts_with(" -")
                || after.starts_with("s:");
            let is_led = self.follows_address(auditor);
            let vocative = after.starts_with([',', '，', '、', '!', '！']) && (opens || is_led)
                || after.starts_with(" dear")
                || before.trim_end().ends_with(',') && after.trim_end_matches(['.', '!', '"', ' ']).is_empty();
            let acting = before
                .split_whitespace()
                .rev()
                .take(3)
                .any(|word| word.rsplit(['>', '(', '*', '"']).next() == Some("as"))
                && (after.starts_with([',', ' ']) && self.has(&[You]) || after.starts_with(" i "));
            sentence.is_bracketed(auditor.start) && auditor.concept != Who
                || colon
                || vocative
                || acting
                || is_led && self.follows_opening_address(auditor)
                || self.follows_dear(auditor)
        });
        let machine = self.all(&[Machine]).any(|machine| {
            sentence.is_bracketed(machine.start)
                && sentence.after(machine.end).starts_with([':', ']', '>', '}', '|', ','])
                || self.follows_opening_address(machine)
        });
        let judging = self
            .all(&[Judging, Auditor])
            .any(|doing| self.all(&[You]).any(|you| you.end <= doing.start && doing.start - you.end <= JUDGING_GAP));
        let your_verdict = self.all(&[Verdict, Issue]).any(|verdict| {
            matches!(sentence.word(verdict), "findings" | "verdict" | "assessment" | "judgement" | "judgment")
                && self.all(&[You]).any(|you| you.end <= verdict.start && verdict.start - you.end <= JUDGING_GAP)
        });
        let headed = self.all(&[Auditor, Audit]).any(|auditor| {
            self.all(&[Address]).any(|noun| {
                let is_heading = matches!(
                    sentence.word(noun),
                    "instruction"
                        | "instructions"
                        | "override"
                        | "bypass"
                        | "mode"
                        | "directive"
                        | "command"
                        | "update"
                        | "note"
                );
                let gap = if noun.start >= auditor.end {
                    noun.start - auditor.end
                } else {
                    auditor.start.saturating_sub(noun.end)
                };
                is_heading
                    && gap <= JUDGING_GAP
                    && (auditor.concept == Auditor || noun.start >= auditor.end && gap <= 1)
            })
        });
        named || machine || judging || your_verdict || headed
    }

    /// Whether "dear" or an equivalent directly precedes the judge: "No need to look, dear auditor."
    fn follows_dear(&self, who: &Term) -> bool {
        let last = self.sentence.before(who.start).trim_end().rsplit([',', ' ']).next().unwrap_or_default();
        matches!(
            last,
            "dear" | "liebe" | "lieber" | "cher" | "chere" | "querido" | "estimado" | "caro" | "cara" | "beste"
        )
    }

    /// Whether a form of address precedes the judge: "To the auditor", "dear auditor".
    fn follows_address(&self, who: &Term) -> bool {
        self.all(&[Address]).any(|lead| lead.end <= who.start && who.start - lead.end <= ADDRESS_GAP)
    }

    /// Whether the sentence opens with a form of address that is more than a preposition: "Note to the auditor".
    fn follows_opening_address(&self, who: &Term) -> bool {
        self.all(&[Address]).any(|lead| {
            let is_word = self.sentence.word(lead).chars().count() > 3
                || matches!(self.sentence.word(lead), "hey" | "hi" | "psa" | "obs" | "cc" | "ps" | "yo");
            let opens = !self.sentence.before(lead.start).contains(char::is_alphanumeric);
            lead.end <= who.start && who.start - lead.end <= ADDRESS_GAP && is_word && opens
        })
    }
}
