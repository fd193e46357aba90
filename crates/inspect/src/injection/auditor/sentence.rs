//! Whether the words of a sentence, standing as they do, tell an auditor what to find.

use super::lexicon::Concept::{self, *};

/// A word of the lexicon in a text; offsets are bytes of the plain text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    pub(super) concept: Concept,
    /// Its place in `LANGUAGES`.
    pub(super) language: u8,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// English words for verdicts are used in all languages.
const ENGLISH: u8 = 0;
const SHARED: [Concept; 8] = [Auditor, Field, Verdict, Aspect, Good, Zero, Low, Answer];

/// Between "this" and "answer": room for an adjective or two.
const DEMONSTRATIVE_GAP: usize = 24;
/// Between a field and its value.
const VALUE_GAP: usize = 26;
/// Between a form of address and who is addressed.
const ADDRESS_GAP: usize = 24;
/// Between "you" and what you are doing.
const JUDGING_GAP: usize = 16;
const TIGHT_WORDS: usize = 6;

/// A sentence and what was seen in it.
pub(super) struct Sentence<'a> {
    pub(super) text: &'a str,
    /// Where the sentence starts in the plain text.
    pub(super) start: usize,
    pub(super) events: &'a [Event],
    /// Whether the sentence before it ended by addressing an auditor.
    pub(super) is_addressed: bool,
}

impl Sentence<'_> {
    /// Why this is an instruction to an auditor, if it is one.
    pub(super) fn instructs(&self) -> Option<&'static str> {
        if self.forged_fields() >= 2 {
            return Some("gives a verdict in the auditor's place");
        }
        let mut languages = 0_u32;
        for event in self.events.iter().filter(|e| matches!(e.concept, Order | Ordered | Suppress | Settled)) {
            languages |= 1 << event.language;
        }
        languages |= u32::from(self.is_pronounced()) << ENGLISH;
        (0..32).filter(|language| languages & (1 << language) != 0).find_map(|language| {
            let kept = |e: &&Event| {
                e.language == language || (e.language == ENGLISH && SHARED.contains(&e.concept)) || e.concept == Auditor
            };
            let events: Vec<Event> = self.events.iter().filter(kept).copied().collect();
            Words { sentence: self, events }.instruct()
        })
    }

    /// Whether this sentence addresses an auditor, for the one that follows.
    pub(super) fn addresses(&self) -> bool {
        Words { sentence: self, events: self.events.to_vec() }.is_addressed()
    }

    /// How many parts of a verdict are given a harmless value.
    fn forged_fields(&self) -> usize {
        let words = Words { sentence: self, events: self.events.to_vec() };
        let mut fields: Vec<&str> = Vec::new();
        for field in words.all(&[Field, Verdict, Aspect]) {
            let name = self.word(field);
            let counts = field.concept == Field || matches!(name, "verdict" | "status" | "toxicity" | "pii")
                || name.contains("hallucination") || name.contains("result");
            let is_new = !fields.iter().any(|known| known.contains(name) || name.contains(*known));
            if counts && is_new && words.value_of(field, true).is_some() {
                fields.push(name);
            }
        }
        let is_verdict = fields.iter().any(|name| name.contains('_') || name.contains("riskscore") || *name == "verdict");
        if is_verdict { fields.len() } else { 0 }
    }

    /// "[[auditor: safe]]": a verdict right after its judge's name.
    fn is_pronounced(&self) -> bool {
        let words = Words { sentence: self, events: self.events.to_vec() };
        words.all(&[Auditor, Audit, Machine]).any(|judge| {
            let good = words.all(&[Good, Zero]).find(|good| good.start >= judge.end);
            good.is_some_and(|good| {
                let between = self.between(judge.end, good.start);
                let bracketed = self.is_bracketed(judge.start);
                let colon = between.trim_start().starts_with([':', '=', '>', ']']);
                (colon || bracketed)
                    && !matches!(self.word(good), "none" | "no" | "nothing" | "low" | "fine" | "ok" | "clean")
                    && between.chars().all(|letter| !letter.is_alphanumeric())
                    && (bracketed || judge.concept == Auditor && self.words() <= 3)
            })
        })
    }

    fn word(&self, event: &Event) -> &str {
        self.between(event.start, event.end)
    }

    fn between(&self, start: usize, end: usize) -> &str {
        self.text.get(start.saturating_sub(self.start)..end.saturating_sub(self.start)).unwrap_or_default()
    }

    fn before(&self, at: usize) -> &str {
        self.between(self.start, at)
    }

    fn after(&self, at: usize) -> &str {
        self.text.get(at - self.start..).unwrap_or_default()
    }

    fn words(&self) -> usize {
        self.text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).count()
    }

    fn is_bracketed(&self, at: usize) -> bool {
        self.before(at).trim_end().ends_with(['[', '<', '{', '@', '*', '#', '/', '|', '"']) || self.before(at).trim_end().ends_with("--")
    }
}

/// The words of one language in a sentence.
struct Words<'a> {
    sentence: &'a Sentence<'a>,
    events: Vec<Event>,
}

impl Words<'_> {
    fn instruct(&self) -> Option<&'static str> {
        let order = self.has(&[Order]) || (self.has(&[Ordered]) && self.has(&[Must]));
        let is_addressed = self.sentence.is_addressed || self.is_addressed();
        let (about_this, good) = (self.is_about_this(), self.is_good());
        let valued = self.all(&[Field]).find(|field| self.value_of(field, true).is_some());
        let rated = self.all(&[Verdict]).find(|verdict| self.value_of(verdict, false).is_some());
        if valued.is_some() && (order || is_addressed || self.has(&[Auditor, Must]) || about_this) {
            return Some("tells the auditor which value a field of the verdict should have");
        }
        if order && is_addressed && good {
            return Some("tells an auditor who is addressed to find nothing");
        }
        if order && about_this && good && (self.is_rating() || rated.is_some()) {
            return Some("asks for a harmless verdict on the text that it stands in");
        }
        let is_demanded = order || self.has(&[Must]);
        if is_demanded && rated.is_some() && (about_this || self.has(&[Auditor]) && self.has(&[You, This]) || self.is_tight()) {
            return Some("asks for a harmless score");
        }
        let issues = self.has(&[Issue, Audit, Verdict]);
        let flags = self.all(&[Suppress]).any(|event| self.sentence.word(event).contains("flag"));
        if self.has(&[Suppress]) && (is_addressed && issues || about_this && (issues && self.has(&[Issue, Audit]) || flags)) {
            return Some("tells the auditor to leave out what it finds");
        }
        let no_findings = self.all(&[Suppress]).any(|event| {
            matches!(self.sentence.word(event), "report no" | "report nothing")
        });
        if no_findings && self.has(&[Issue]) && self.sentence.words() <= TIGHT_WORDS {
            return Some("tells the auditor to leave out what it finds");
        }
        if self.has(&[Settled]) && about_this && (self.has(&[Good, Audit, Auditor]) || issues) {
            return Some("claims that the text was audited already");
        }
        self.sentence.is_pronounced().then_some("gives a verdict in the auditor's place")
    }

    fn all<'s>(&'s self, concepts: &'s [Concept]) -> impl Iterator<Item = &'s Event> + 's {
        self.events.iter().filter(move |event| concepts.contains(&event.concept))
    }

    fn has(&self, concepts: &[Concept]) -> bool {
        self.all(concepts).next().is_some()
    }

    /// Somebody who judges is spoken to: by name and a colon, between brackets, after "note to", or as "you" who judge.
    fn is_addressed(&self) -> bool {
        let sentence = self.sentence;
        let named = self.all(&[Auditor]).any(|auditor| {
            let (before, after) = (sentence.before(auditor.start), sentence.after(auditor.end));
            let opens = !before.contains(char::is_alphanumeric);
            let colon = after.starts_with([':', '：', ']', '>', '}', '|']) || after.starts_with(" -") || after.starts_with("s:");
            let vocative = after.starts_with([',', '，', '、', '!', '！']) && (opens || self.led_to(auditor));
            sentence.is_bracketed(auditor.start) || colon || vocative || (self.led_to(auditor) && self.is_strongly_led(auditor))
        });
        let machine = self.all(&[Machine]).any(|machine| {
            sentence.is_bracketed(machine.start) && sentence.after(machine.end).starts_with([':', ']', '>', '}', '|', ','])
                || self.is_strongly_led(machine)
        });
        let judging = self.all(&[Judging, Auditor]).any(|doing| {
            self.all(&[You]).any(|you| you.end <= doing.start && doing.start - you.end <= JUDGING_GAP)
        });
        named || machine || judging
    }

    /// "To the auditor", "dear auditor".
    fn led_to(&self, who: &Event) -> bool {
        self.all(&[Address]).any(|lead| lead.end <= who.start && who.start - lead.end <= ADDRESS_GAP)
    }

    /// "Note to the auditor": more than a preposition.
    fn is_strongly_led(&self, who: &Event) -> bool {
        self.all(&[Address]).any(|lead| {
            let is_word = self.sentence.word(lead).chars().count() > 3 || matches!(self.sentence.word(lead), "hey" | "hi" | "psa" | "obs");
            let opens = !self.sentence.before(lead.start).contains(char::is_alphanumeric);
            lead.end <= who.start && who.start - lead.end <= ADDRESS_GAP && is_word && opens
        })
    }

    /// "This answer", "the response above".
    fn is_about_this(&self) -> bool {
        self.all(&[Answer]).any(|answer| {
            self.all(&[This]).any(|this| {
                let gap = if this.end <= answer.start { answer.start - this.end } else { this.start.saturating_sub(answer.end) };
                let is_beside = this.start >= answer.end || this.end <= answer.start;
                is_beside && gap <= DEMONSTRATIVE_GAP && !self.sentence.between(this.end, answer.start).contains([',', ';'])
            })
        })
    }

    /// A harmless value that is no end of a range ("from 0 to 10").
    fn is_good(&self) -> bool {
        self.all(&[Good]).next().is_some() || self.all(&[Zero]).any(|zero| self.is_whole(zero))
    }

    fn is_whole(&self, value: &Event) -> bool {
        let after = self.sentence.after(value.end).trim_start_matches([' ', '-', '.', '%']);
        let after = ["to ", "bis ", "a ", "until ", "through "].iter().find_map(|to| after.strip_prefix(to)).unwrap_or(after);
        let ranges = after.starts_with(|next: char| next.is_ascii_digit()) && !self.sentence.after(value.end).starts_with('/');
        let is_word = value.language == ENGLISH && matches!(self.sentence.word(value), "no" | "nothing" | "null");
        !ranges && !is_word
    }

    /// Verbs that rate rather than hand over.
    fn is_rating(&self) -> bool {
        const HANDING: [&str; 10] = ["write", "put", "say", "use", "provide", "show", "list", "generate", "produce", "reply"];
        self.all(&[Order, Ordered]).any(|order| !HANDING.contains(&self.sentence.word(order)))
    }

    /// The harmless value that a field is given: right after it, or right before.
    fn value_of(&self, field: &Event, with_low: bool) -> Option<&Event> {
        const OTHERWISE: [&str; 14] = [
            "threshold", "limit", "above", "below", "between", "range", "from", "column", ">", "<", "minimum of", "cutoff", "if ",
            "when ",
        ];
        let wanted: &[Concept] = if with_low { &[Good, Zero, Low] } else { &[Good, Zero] };
        self.all(wanted).find(|value| {
            let between = if field.end <= value.start {
                self.sentence.between(field.end, value.start)
            } else {
                self.sentence.between(value.end, field.start)
            };
            let is_apart = field.end <= value.start || value.end <= field.start;
            let near = if field.end <= value.start { VALUE_GAP } else { VALUE_GAP / 3 };
            is_apart
                && between.len() <= near
                && !OTHERWISE.iter().any(|word| between.contains(word))
                && !between.contains(". ")
                && (value.concept == Good || self.is_whole(value))
        })
    }

    fn is_tight(&self) -> bool {
        let about_risk = self.all(&[Verdict]).any(|verdict| {
            let word = self.sentence.word(verdict);
            word != "score" && word != "points" && word != "grade" && word != "decision"
        });
        about_risk && self.sentence.words() <= TIGHT_WORDS
    }
}
