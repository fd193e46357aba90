//! Words of instructions to an auditor, in some thirty languages: who is addressed, what the verdict is called, what it is
//! wanted to be, which rules are to be dropped. Written without accents and in small letters, as `Plain` gives them; `*` ends
//! a stem, `_` joins words.
//!
//! No word decides anything by itself: `sentence` and `patterns` look at how they stand together, and only words of one
//! language do.

mod asian;
mod english;
mod germanic;
mod others;
mod romance;
mod slavic;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Concept {
    /// The name of somebody who judges an answer.
    Auditor,
    /// The same, but the word has other uses too: checker, scanner, detector.
    Checker,
    /// Evaluation, moderation, safety: with a `Device` right after it, a judge.
    JudgeKind,
    /// Model, bot, engine.
    Device,
    /// You are no longer, play the role of: what gives a judge another role.
    Recast,
    /// Who may be told to judge one; means something only between brackets or after a form of address.
    Machine,
    /// Whoever, anyone, the system: a judge if `Judges` follows.
    Who,
    /// Scores, grades, reviews: what a judge does.
    Judges,
    /// Evaluating, auditing: what `You` may be doing.
    Judging,
    /// Note, attention, dear: words that introduce an addressee.
    Address,
    /// The verdict's own field names.
    Field,
    /// Verdict, risk, score.
    Verdict,
    /// What a forged verdict names besides: status, toxicity.
    Aspect,
    /// Label, output, result: what may hold a verdict.
    Outcome,
    /// What belongs to the judge's reply: your report, the findings array.
    Own,
    /// Safe, harmless, approved.
    Good,
    /// Zero, none, false.
    Zero,
    /// One to three, which are still Safe.
    Low,
    /// A verdict that is kind to the text: full marks, nothing to report, let it slide.
    Favour,
    /// Verbs that tell somebody to give a verdict.
    Order,
    /// The same as a participle: an order only after `Must`.
    Ordered,
    /// Verbs that tell somebody what to write: output, answer with.
    Emit,
    Must,
    /// Words that make a wish of a sentence: would, please, hopes, deserves.
    Wish,
    /// Verbs that tell somebody to leave something out.
    Suppress,
    /// Verbs that put rules out of force: disregard, turn off, abort.
    Dismiss,
    /// Do not, no need to, refrain from.
    Not,
    /// What a judge does about a bad answer: flag, penalise, escalate.
    Raise,
    /// The same, but the word has other uses too: report, check, mention.
    RaiseWeak,
    /// Findings, issues, personal data: what is to be left out.
    Issue,
    /// The audit itself.
    Audit,
    /// What a judge goes by: rubric, evaluation criteria, injection detector.
    Norm,
    /// Rules and instructions of any kind.
    Rule,
    /// No longer applies, out of scope, exempt from.
    Void,
    /// This, the above.
    This,
    /// Answer, response, text.
    Answer,
    /// Paragraph, record, item: the text itself if `This` precedes it.
    Piece,
    /// It, this: whatever was said before.
    It,
    /// You, who judge.
    You,
    /// Everything, the above: the whole text.
    Whole,
    /// Pre-approved, already audited.
    Settled,
    /// Precomputed, expected, final: a verdict that is already there.
    Premade,
    /// Approve, whitelist: what is done to the answer itself.
    Release,
    /// Do not audit, exempt from auditing.
    Unaudited,
    /// End of text, next document.
    Finish,
    /// New task, message from your developer.
    Task,
    /// The mark of a speaker or of a message's end: `assistant:`, `</document>`.
    Role,
    /// What happens to a judge who objects.
    Threat,
    /// Only the first sentence, solely the opening line.
    Narrow,
    /// Which of several answers wins.
    Prefer,
    /// `[[A]]`: how judges write a choice.
    Choice,
    /// Why a finding would not count: drill, known bug, fiction.
    Excuse,
    /// What is claimed of an audit: acknowledged, idle, closed.
    Done,

    // The rest is in no list: `reading` makes it from words that stand together.
    /// Somebody who judges, by name or by what they do.
    Judge,
    /// Somebody who judges is spoken to.
    Called,
    /// This answer, the text above.
    ThisText,
    /// The same, but by a noun that means little else: answer, response, text.
    ThisAnswer,
    /// A harmless value that is more than a common word.
    Clean,
    /// A harmless value written as a label: `Safe`, "no issues".
    Label,
    /// A verdict that is about risk.
    Risk,
    /// No risk, zero findings.
    NoRisk,
    /// Do not flag.
    Spared,
    /// Do not report, do not mention.
    SparedWeak,
    /// What the sentence before it led up to: an end of the text, a judge, an excuse.
    Near,
}

use Concept::*;

/// Without one of these, nothing in a text can be an instruction to an auditor: the rest is looked at only around them.
pub(super) const TELLING: &[Concept] = &[
    Auditor, Checker, Field, Good, Verdict, Aspect, Answer, Issue, Settled, Unaudited, Zero, Favour, Norm, Own, Finish,
    Task, Choice, Raise,
];

/// Lists of words by concept.
pub(super) type Language = &'static [(Concept, &'static str)];

/// English comes first: its words for verdicts are used in all languages.
pub(super) const LANGUAGES: &[Language] = &[
    english::ENGLISH,
    germanic::GERMAN,
    germanic::DUTCH,
    germanic::SCANDINAVIAN,
    romance::FRENCH,
    romance::SPANISH,
    romance::ITALIAN,
    romance::PORTUGUESE,
    romance::ROMANIAN,
    slavic::POLISH,
    slavic::RUSSIAN,
    slavic::UKRAINIAN,
    slavic::CZECH,
    asian::KOREAN,
    asian::JAPANESE,
    asian::CHINESE,
    asian::HINDI,
    asian::THAI,
    asian::VIETNAMESE,
    asian::INDONESIAN,
    others::TURKISH,
    others::FINNISH,
    others::HUNGARIAN,
    others::GREEK,
    others::ARABIC,
    others::HEBREW,
    others::SWAHILI,
];
