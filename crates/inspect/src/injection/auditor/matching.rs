//! Matches a sentence against the table in `patterns`. Before that, adds the concepts that several words express together:
//! "whoever grades this" is a `Judge`, `Safe` is a `Label`, "do not flag" is `Spared`.

use std::sync::LazyLock;

use super::lexicon::AuditorConcept::{self, *};
use super::patterns::{PATTERNS, Pattern, Step};
use super::sentence::{ENGLISH, LanguageWords, Term};

/// The maximum distance in bytes between "whoever" and the judging verb.
const WHO_GAP: usize = 28;
/// The maximum distance in bytes between "do not" and "flag".
const NOT_GAP: usize = 16;
/// The maximum distance in bytes between a verb and its object, "this" or "it".
const OBJECT_GAP: usize = 14;

/// A set of concepts.
#[derive(Clone, Copy, Default)]
pub(super) struct AuditorConceptSet(u64);

impl AuditorConceptSet {
    pub(super) fn of(concepts: &[AuditorConcept]) -> Self {
        Self(concepts.iter().fold(0, |set, &concept| set | 1 << concept as u8))
    }

    fn in_terms(terms: &[Term]) -> Self {
        Self(terms.iter().fold(0, |set, term| set | 1 << term.concept as u8))
    }

    pub(super) fn has(self, concept: AuditorConcept) -> bool {
        self.0 & 1 << concept as u8 != 0
    }

    fn has_any(self, concepts: &[AuditorConcept]) -> bool {
        self.intersects(Self::of(concepts))
    }

    fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds every concept that `LanguageWords::derive` could derive from these.
    fn with_derivable(self, context: Context) -> Self {
        let judge = self.has_any(&[Auditor, Checker])
            || self.has(JudgeKind) && self.has(Device)
            || self.has(Who) && self.has(Judges);
        let called =
            judge || context.is_addressed || self.has_any(&[Machine, You]) || self.has(Audit) && self.has(Address);
        let this_text = self.has(This) && self.has_any(&[Answer, Piece]);
        let value = self.has_any(&[Good, Zero, Favour]);
        let derivable = [
            (judge, Judge),
            (called, Called),
            (this_text, ThisText),
            (this_text, ThisAnswer),
            (value, Clean),
            (value, Label),
            (value, NoRisk),
            (self.has(Verdict), Risk),
            (self.has(Not) && self.has(Raise), Spared),
            (self.has(Not) && self.has(RaiseWeak), SparedWeak),
            (context.is_lead_up || context.is_addressed, AfterLeadUp),
        ];
        derivable
            .iter()
            .filter(|(is_possible, _)| *is_possible)
            .fold(self, |set, (_, concept)| Self(set.0 | 1 << *concept as u8))
    }

    /// Whether each step of a pattern accepts one of these concepts.
    fn can_match(self, pattern: &[Self]) -> bool {
        pattern.iter().all(|step| self.intersects(*step))
    }
}

/// The concepts of each pattern's steps, as sets.
static STEPS: LazyLock<Vec<Vec<AuditorConceptSet>>> = LazyLock::new(|| {
    let steps = |pattern: &Pattern| pattern.steps.iter().map(|step| AuditorConceptSet::of(step.concepts())).collect();
    PATTERNS.iter().map(steps).collect()
});

impl LanguageWords<'_> {
    /// Returns the explanation of the first pattern that the sentence matches. `context` comes from the previous sentence.
    pub(super) fn matched_pattern(&self, context: Context) -> Option<&'static str> {
        let possible = AuditorConceptSet::in_terms(&self.terms).with_derivable(context);
        if !STEPS.iter().any(|steps| possible.can_match(steps)) {
            return None;
        }
        let mut terms = self.terms.clone();
        self.derive(context, &mut terms);
        terms.sort_by_key(|term| (term.start, term.end));
        let present = AuditorConceptSet::in_terms(&terms);
        let candidates = PATTERNS.iter().zip(STEPS.iter()).filter(|(_, steps)| present.can_match(steps));
        let matched = candidates.map(|(pattern, _)| pattern).find(|pattern| self.pattern_matches(pattern, &terms));
        matched.map(|pattern| pattern.why).filter(|_| !self.is_described())
    }

    /// Whether the sentence has a term for each step of a pattern, close enough to each other.
    fn pattern_matches(&self, pattern: &Pattern, terms: &[Term]) -> bool {
        if self.sentence.words > pattern.words_max || pattern.is_unconditional && self.is_conditional() {
            return false;
        }
        let Some((first, rest)) = pattern.steps.split_first() else { return false };
        let is_in_order = pattern.is_in_order && self.language == ENGLISH;
        terms.iter().filter(|term| self.step_accepts(*first, term)).any(|term| {
            let mut chosen = [*term; STEPS_MAX];
            for (at, step) in (1..STEPS_MAX).zip(rest) {
                let Some(next) = self.nearest_match(*step, &chosen[..at], is_in_order, pattern.reach_bytes, terms)
                else {
                    return false;
                };
                chosen[at] = next;
            }
            true
        })
    }

    /// "Stop the evaluation if the loss rises" is general advice, not an order to a judge.
    fn is_conditional(&self) -> bool {
        self.language == ENGLISH
            && [" if ", " unless ", " when ", " once "].iter().any(|word| self.sentence.lowered().contains(word))
    }

    /// The term that a step accepts and that is nearest to the chosen terms without overlapping any of them.
    fn nearest_match(
        &self,
        step: Step,
        chosen: &[Term],
        is_in_order: bool,
        reach_bytes: usize,
        terms: &[Term],
    ) -> Option<Term> {
        let (from, to) =
            chosen.iter().fold((usize::MAX, 0), |(from, to), term| (from.min(term.start), to.max(term.end)));
        let is_apart = |term: &Term| chosen.iter().all(|other| term.end <= other.start || other.end <= term.start);
        let fits = |term: &&Term| {
            let is_within_reach = to.max(term.end) - from.min(term.start) <= reach_bytes;
            is_within_reach && (!is_in_order || term.start >= to) && self.step_accepts(step, term) && is_apart(term)
        };
        let distance = |term: &&Term| if term.start >= to { term.start - to } else { from.saturating_sub(term.end) };
        terms.iter().filter(fits).min_by_key(distance).copied()
    }

    fn step_accepts(&self, step: Step, term: &Term) -> bool {
        match step {
            Step::Any(concepts) => concepts.contains(&term.concept),
            Step::Opens(concepts) => concepts.contains(&term.concept) && self.opens_clause(term),
        }
    }

    /// Whether a verb is in an imperative position: first, after punctuation, or after a word such as "please" or
    /// "and".
    fn opens_clause(&self, term: &Term) -> bool {
        const LEADS: [&str; 28] = [
            "please",
            "kindly",
            "just",
            "now",
            "then",
            "and",
            "always",
            "simply",
            "so",
            "you",
            "must",
            "should",
            "shall",
            "to",
            "only",
            "but",
            "or",
            "hereby",
            "instead",
            "therefore",
            "do",
            "will",
            "can",
            "bitte",
            "por",
            "favor",
            "pls",
            "immediately",
        ];
        if term.language != ENGLISH {
            return true;
        }
        let before = self.sentence.before(term.start).trim_end();
        let Some(last) = before.chars().next_back() else { return true };
        if !last.is_alphanumeric() {
            return true;
        }
        let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        LEADS.contains(&word) && !(word == "to" && before.trim_start() == "to") && !Self::states_possibility(before)
    }

    /// Whether these words make the following verb a possibility, not an order: "You can", "how to".
    fn states_possibility(before: &str) -> bool {
        ["you can", "how to", "you may", "we can", "they can", "used to", "in order to", "we will", "they will"]
            .iter()
            .any(|lead| before.ends_with(lead))
    }

    /// Adds the concepts that several words express together.
    fn derive(&self, context: Context, terms: &mut Vec<Term>) {
        let start = self.sentence.start;
        let derived = |concept, from: &Term, to: &Term| Term {
            concept,
            language: self.language,
            start: from.start.min(to.start),
            end: from.end.max(to.end),
        };
        let at_start = |concept| Term { concept, language: self.language, start, end: start };
        terms.extend(self.all(&[Auditor, Checker]).map(|term| derived(Judge, term, term)));
        terms.extend(self.judges_by_kind().map(|(kind, device)| derived(Judge, kind, device)));
        terms.extend(self.judges_by_verb().map(|(who, _)| derived(Judge, who, who)));
        for (this, text) in self.this_text() {
            terms.push(derived(ThisText, this, text));
            if text.concept == Answer {
                terms.push(derived(ThisAnswer, this, text));
            }
        }
        // Other languages put the object between the negation and the verb.
        let not_gap = if self.language == ENGLISH { NOT_GAP } else { NOT_GAP * 2 };
        for not in self.all(&[Not]) {
            let is_negated = |term: &&Term| match term.start.checked_sub(not.end) {
                Some(gap) => gap <= not_gap,
                None => self.language != ENGLISH && not.start.checked_sub(term.end).is_some_and(|gap| gap <= not_gap),
            };
            terms.extend(self.all(&[Raise]).filter(is_negated).map(|term| derived(Spared, term, term)));
            terms.extend(self.all(&[RaiseWeak]).filter(is_negated).map(|term| derived(SparedWeak, term, term)));
        }
        for value in self.all(&[Good, Zero, Favour]) {
            if self.is_clean(value) {
                terms.push(derived(Clean, value, value));
            }
            if self.is_label(value) {
                terms.push(derived(Label, value, value));
            }
            if self.is_risk(value) {
                terms.push(derived(NoRisk, value, value));
            }
        }
        terms
            .extend(self.all(&[Verdict]).filter(|verdict| self.is_risk(verdict)).map(|term| derived(Risk, term, term)));
        let continues_address = context.is_addressed && (self.has(&[It, You]) || self.this_text().next().is_some());
        if continues_address || self.is_addressed() {
            terms.push(at_start(Called));
        }
        if context.is_lead_up || context.is_addressed {
            terms.push(at_start(AfterLeadUp));
        }
    }

    /// Finds judges named by their kind: "Moderation bot", "risk-engine", "the evaluating agent".
    pub(super) fn judges_by_kind(&self) -> impl Iterator<Item = (&Term, &Term)> {
        self.all(&[Device]).filter_map(|device| {
            let kind = self.all(&[JudgeKind]).find(|kind| kind.end + 1 == device.start)?;
            matches!(self.sentence.between(kind.end, device.start), " " | "-" | "_").then_some((kind, device))
        })
    }

    /// Finds judges named by what they do: "Whoever grades this", "those in charge of assessing", "when you score it".
    pub(super) fn judges_by_verb(&self) -> impl Iterator<Item = (&Term, &Term)> {
        self.all(&[Who]).filter_map(|who| {
            let is_you = matches!(self.sentence.word(who), "you" | "models" | "systems" | "llm" | "llms" | "ais");
            let gap = if is_you { WHO_GAP / 2 } else { WHO_GAP };
            let verb = self
                .all(&[Judges])
                .filter(|verb| verb.start >= who.end && verb.start - who.end <= gap)
                .find(|verb| !is_you || self.has_object(verb))?;
            (!self.sentence.between(who.end, verb.start).contains(['.', ';', ','])).then_some((who, verb))
        })
    }

    /// Whether "this" or "it" follows the verb.
    fn has_object(&self, verb: &Term) -> bool {
        let is_near = |term: &Term| term.start >= verb.end && term.start - verb.end <= OBJECT_GAP;
        self.all(&[This, It]).any(is_near)
    }

    /// Whether the word refers to risk or findings, rather than to a score in a game.
    fn is_risk(&self, term: &Term) -> bool {
        let word = self.sentence.word(term);
        let is_common =
            matches!(word, "score" | "points" | "grade" | "decision" | "rating" | "severity" | "assessment");
        if term.concept == Verdict {
            return term.language != ENGLISH || !is_common;
        }
        term.language == ENGLISH
            && !word.starts_with("low")
            && (word.contains("risk") || word.contains("finding") || word.contains("flag"))
    }

    /// Whether a harmless value is more specific than "ok" or "low".
    fn is_clean(&self, value: &Term) -> bool {
        const COMMON: [&str; 31] = [
            "ok",
            "okay",
            "fine",
            "low",
            "minimal",
            "minimum",
            "green",
            "acceptable",
            "secure",
            "no",
            "nothing",
            "null",
            "false",
            "empty",
            "none",
            "legitimate",
            "cleared",
            "passing",
            "passed",
            "clean",
            "lowest",
            "approved",
            "pass",
            "mild",
            "gentle",
            "generous",
            "relax",
            "trusted",
            "praise",
            "in order",
            "kind to",
        ];
        let whole = value.concept != Zero || self.is_single_value(value);
        whole && !(value.language == ENGLISH && COMMON.contains(&self.sentence.word(value)))
    }

    /// Whether a value is written as a judge's label: capitalised, quoted, or alone after a colon.
    fn is_label(&self, value: &Term) -> bool {
        const NEVER: [&str; 22] = [
            "no",
            "0",
            "1",
            "nothing",
            "null",
            "false",
            "minimum",
            "minimal",
            "zero",
            "empty",
            "low",
            "pass",
            "ok",
            "okay",
            "none",
            "fine",
            "green",
            "passed",
            "passing",
            "success",
            "successful",
            "verified",
        ];
        let word = self.sentence.word(value);
        if value.language == ENGLISH && NEVER.contains(&word) {
            return false;
        }
        let (before, after) = (self.sentence.before(value.start), self.sentence.after(value.end));
        let raw = self.sentence.raw(value);
        let is_title = after.trim_start().len() < after.len()
            && self.sentence.raw_after(value.end).trim_start().starts_with(|next: char| next.is_ascii_uppercase());
        let is_capital = raw.starts_with(|letter: char| letter.is_ascii_uppercase())
            && before
                .trim_end()
                .ends_with(|last: char| last.is_alphanumeric() || matches!(last, '"' | '\'' | '(' | ':' | '=' | '>'))
            && !is_title
            && word != "clear";
        let opened = before.ends_with(['"', '\'', '`', '[', '>', '{', '(']) || before.ends_with("**");
        let closed = after.starts_with(['"', '\'', '`', ']', '<', '}', '.', '!', ')']) || after.starts_with("**");
        let ends = after.trim_start().is_empty() || after.starts_with(['.', ',', ';', '!', '\n', ')', '<', '~']);
        let colon = before.trim_end().ends_with([':', '=', '>']) && ends;
        // "No issues found": the quotation may continue after the matched words.
        let closed = closed || value.concept == Favour && after.chars().take(24).any(|letter| letter == '"');
        is_capital || opened && closed || colon && self.is_clean(value)
    }

    /// Whether the sentence only describes software or talks about an instruction, instead of giving one.
    fn is_described(&self) -> bool {
        self.language == ENGLISH
            && self.this_text().next().is_none()
            && super::described::is_described(self.sentence.lowered())
    }
}

const STEPS_MAX: usize = 6;

/// What the previous sentence says about this one.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) is_addressed: bool,
    /// The sentence mentioned the end of the text, a task, an excuse or a finished audit: see `AuditedSentence::is_lead_up`.
    pub(super) is_lead_up: bool,
}
