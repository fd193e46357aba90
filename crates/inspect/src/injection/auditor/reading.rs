//! Derives concepts from several words of a sentence: a judge from "whoever grades this", a label from `Safe`, `Spared`
//! from "do not flag". Then matches the sentence against the table in `patterns`.

use std::sync::LazyLock;

use super::lexicon::Concept::{self, *};
use super::patterns::{PATTERNS, Pattern, Step};
use super::sentence::{ENGLISH, Event, LanguageWords};

/// The maximum distance in bytes between "whoever" and the judging verb.
const WHO_GAP: usize = 28;
/// The maximum distance in bytes between "do not" and "flag".
const NOT_GAP: usize = 16;
/// The maximum distance in bytes between a verb and its object, "this" or "it".
const OBJECT_GAP: usize = 14;

/// A set of concepts.
#[derive(Clone, Copy, Default)]
pub(super) struct Concepts(u64);

impl Concepts {
    pub(super) fn of(concepts: &[Concept]) -> Self {
        Self(concepts.iter().fold(0, |set, &concept| set | 1 << concept as u8))
    }

    fn in_events(events: &[Event]) -> Self {
        Self(events.iter().fold(0, |set, event| set | 1 << event.concept as u8))
    }

    pub(super) fn has(self, concept: Concept) -> bool {
        self.0 & 1 << concept as u8 != 0
    }

    fn has_any(self, concepts: &[Concept]) -> bool {
        self.meets(Self::of(concepts))
    }

    fn meets(self, other: Self) -> bool {
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
        let made = [
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
            (context.is_near || context.is_addressed, Near),
        ];
        made.iter()
            .filter(|(is_possible, _)| *is_possible)
            .fold(self, |set, (_, concept)| Self(set.0 | 1 << *concept as u8))
    }

    /// Whether every step of a pattern could match.
    fn suffice(self, pattern: &[Self]) -> bool {
        pattern.iter().all(|step| self.meets(*step))
    }
}

/// The concepts of each pattern's steps, as sets.
static STEPS: LazyLock<Vec<Vec<Concepts>>> = LazyLock::new(|| {
    let steps = |pattern: &Pattern| pattern.steps.iter().map(|step| Concepts::of(step.concepts())).collect();
    PATTERNS.iter().map(steps).collect()
});

impl LanguageWords<'_> {
    /// Returns the reason of the first pattern that the sentence matches. `context` comes from the previous sentence.
    pub(super) fn matches(&self, context: Context) -> Option<&'static str> {
        let possible = Concepts::in_events(&self.events).with_derivable(context);
        if !STEPS.iter().any(|steps| possible.suffice(steps)) {
            return None;
        }
        let mut events = self.events.clone();
        self.derive(context, &mut events);
        events.sort_by_key(|event| (event.start, event.end));
        let held = Concepts::in_events(&events);
        let candidates = PATTERNS.iter().zip(STEPS.iter()).filter(|(_, steps)| held.suffice(steps));
        let matched = candidates.map(|(pattern, _)| pattern).find(|pattern| self.holds(pattern, &events));
        matched.map(|pattern| pattern.why).filter(|_| !self.is_described())
    }

    fn holds(&self, pattern: &Pattern, events: &[Event]) -> bool {
        if self.sentence.words > pattern.words_max || pattern.is_unconditional && self.is_conditional() {
            return false;
        }
        let Some((first, rest)) = pattern.steps.split_first() else { return false };
        let is_in_order = pattern.is_in_order && self.language == ENGLISH;
        events.iter().filter(|event| self.takes(*first, event)).any(|event| {
            let mut chosen = [*event; STEPS_MAX];
            for (at, step) in (1..STEPS_MAX).zip(rest) {
                let Some(next) = self.nearest(*step, &chosen[..at], is_in_order, pattern.reach_bytes, events) else {
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

    /// The event that fits a step, lies nearest to the chosen events and overlaps none of them.
    fn nearest(
        &self,
        step: Step,
        chosen: &[Event],
        is_in_order: bool,
        reach_bytes: usize,
        events: &[Event],
    ) -> Option<Event> {
        let (from, to) =
            chosen.iter().fold((usize::MAX, 0), |(from, to), event| (from.min(event.start), to.max(event.end)));
        let is_apart = |event: &Event| chosen.iter().all(|other| event.end <= other.start || other.end <= event.start);
        let fits = |event: &&Event| {
            let spans = to.max(event.end) - from.min(event.start) <= reach_bytes;
            spans && (!is_in_order || event.start >= to) && self.takes(step, event) && is_apart(event)
        };
        let distance =
            |event: &&Event| if event.start >= to { event.start - to } else { from.saturating_sub(event.end) };
        events.iter().filter(fits).min_by_key(distance).copied()
    }

    fn takes(&self, step: Step, event: &Event) -> bool {
        match step {
            Step::Any(concepts) => concepts.contains(&event.concept),
            Step::Opens(concepts) => concepts.contains(&event.concept) && self.opens_clause(event),
        }
    }

    /// Whether a verb is in an imperative position: first, after punctuation, or after a word such as "please" or
    /// "and".
    fn opens_clause(&self, event: &Event) -> bool {
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
        if event.language != ENGLISH {
            return true;
        }
        let before = self.sentence.before(event.start).trim_end();
        let Some(last) = before.chars().next_back() else { return true };
        if !last.is_alphanumeric() {
            return true;
        }
        let word = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
        LEADS.contains(&word) && !(word == "to" && before.trim_start() == "to") && !self.is_general(before)
    }

    /// Whether the following verb describes a possibility, not an order: "You can", "how to".
    fn is_general(&self, before: &str) -> bool {
        ["you can", "how to", "you may", "we can", "they can", "used to", "in order to", "we will", "they will"]
            .iter()
            .any(|lead| before.ends_with(lead))
    }

    /// Adds the concepts that several words express together.
    fn derive(&self, context: Context, events: &mut Vec<Event>) {
        let start = self.sentence.start;
        let made = |concept, from: &Event, to: &Event| Event {
            concept,
            language: self.language,
            start: from.start.min(to.start),
            end: from.end.max(to.end),
        };
        let at_start = |concept| Event { concept, language: self.language, start, end: start };
        events.extend(self.all(&[Auditor, Checker]).map(|event| made(Judge, event, event)));
        events.extend(self.judges_by_kind().map(|(kind, device)| made(Judge, kind, device)));
        events.extend(self.judges_by_deed().map(|(who, _)| made(Judge, who, who)));
        for (this, text) in self.this_text() {
            events.push(made(ThisText, this, text));
            if text.concept == Answer {
                events.push(made(ThisAnswer, this, text));
            }
        }
        // Other languages put the object between the negation and the verb.
        let not_gap = if self.language == ENGLISH { NOT_GAP } else { NOT_GAP * 2 };
        for not in self.all(&[Not]) {
            let beside = |event: &&Event| match event.start.checked_sub(not.end) {
                Some(gap) => gap <= not_gap,
                None => self.language != ENGLISH && not.start.checked_sub(event.end).is_some_and(|gap| gap <= not_gap),
            };
            events.extend(self.all(&[Raise]).filter(beside).map(|event| made(Spared, event, event)));
            events.extend(self.all(&[RaiseWeak]).filter(beside).map(|event| made(SparedWeak, event, event)));
        }
        for value in self.all(&[Good, Zero, Favour]) {
            if self.is_clean(value) {
                events.push(made(Clean, value, value));
            }
            if self.is_label(value) {
                events.push(made(Label, value, value));
            }
            if self.is_risk(value) {
                events.push(made(NoRisk, value, value));
            }
        }
        events
            .extend(self.all(&[Verdict]).filter(|verdict| self.is_risk(verdict)).map(|event| made(Risk, event, event)));
        let is_taken_up = context.is_addressed && (self.has(&[It, You]) || self.this_text().next().is_some());
        if is_taken_up || self.is_addressed() {
            events.push(at_start(Called));
        }
        if context.is_near || context.is_addressed {
            events.push(at_start(Near));
        }
    }

    /// Finds judges named by their kind: "Moderation bot", "risk-engine", "the evaluating agent".
    pub(super) fn judges_by_kind(&self) -> impl Iterator<Item = (&Event, &Event)> {
        self.all(&[Device]).filter_map(|device| {
            let kind = self.all(&[JudgeKind]).find(|kind| kind.end + 1 == device.start)?;
            matches!(self.sentence.between(kind.end, device.start), " " | "-" | "_").then_some((kind, device))
        })
    }

    /// Finds judges named by what they do: "Whoever grades this", "those in charge of assessing", "when you score it".
    pub(super) fn judges_by_deed(&self) -> impl Iterator<Item = (&Event, &Event)> {
        self.all(&[Who]).filter_map(|who| {
            let is_you = matches!(self.sentence.word(who), "you" | "models" | "systems" | "llm" | "llms" | "ais");
            let gap = if is_you { WHO_GAP / 2 } else { WHO_GAP };
            let deed = self
                .all(&[Judges])
                .filter(|deed| deed.start >= who.end && deed.start - who.end <= gap)
                .find(|deed| !is_you || self.has_object(deed))?;
            (!self.sentence.between(who.end, deed.start).contains(['.', ';', ','])).then_some((who, deed))
        })
    }

    fn has_object(&self, deed: &Event) -> bool {
        let is_near = |event: &Event| event.start >= deed.end && event.start - deed.end <= OBJECT_GAP;
        self.all(&[This, It]).any(is_near)
    }

    /// Whether the word refers to risk or findings, rather than to a score in a game.
    fn is_risk(&self, event: &Event) -> bool {
        let word = self.sentence.word(event);
        let is_common =
            matches!(word, "score" | "points" | "grade" | "decision" | "rating" | "severity" | "assessment");
        if event.concept == Verdict {
            return event.language != ENGLISH || !is_common;
        }
        event.language == ENGLISH
            && !word.starts_with("low")
            && (word.contains("risk") || word.contains("finding") || word.contains("flag"))
    }

    /// Whether a harmless value is more specific than "ok" or "low".
    fn is_clean(&self, value: &Event) -> bool {
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
        let whole = value.concept != Zero || self.is_whole(value);
        whole && !(value.language == ENGLISH && COMMON.contains(&self.sentence.word(value)))
    }

    /// Whether a value is written as a judge's label: capitalised, quoted, or alone after a colon.
    fn is_label(&self, value: &Event) -> bool {
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

/// What the previous sentence expressed.
#[derive(Clone, Copy, Default)]
pub(super) struct Context {
    pub(super) is_addressed: bool,
    /// The sentence mentioned the end of the text, a task, an excuse or a finished audit; see `AuditedSentence::leads`.
    pub(super) is_near: bool,
}
