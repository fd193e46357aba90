//! Words of instructions to an auditor, in some thirty languages: who is addressed, what the verdict is called, what
//! value it should have, which rules to drop. Words are written without accents and in lower case, as in a plain
//! `View`; `*` ends a stem, `_` joins words.
//!
//! No word decides anything by itself: `sentence` and `patterns` examine how words combine, and only words of one
//! language combine.
//!
//! | file | languages |
//! |---|---|
//! | `english` | English |
//! | `germanic` | German, Dutch, Swedish, Danish, Norwegian |
//! | `romance` | French, Spanish, Italian, Portuguese, Romanian |
//! | `slavic` | Polish, Russian, Ukrainian, Czech, Slovak |
//! | `asian` | Korean, Japanese, Chinese, Hindi, Thai, Vietnamese, Indonesian |
//! | `others` | Turkish, Finnish, Hungarian, Greek, Arabic, Hebrew, Swahili, Tagalog, Latin |

mod asian;
mod english;
mod germanic;
mod others;
mod romance;
mod slavic;

/// A meaning that words of an instruction can have. The comments of the variants give examples or define them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum AuditorConcept {
    /// The name of a judge of answers.
    Auditor,
    /// A judge's name that has other uses too: checker, scanner, detector.
    Checker,
    /// Evaluation, moderation, safety: directly followed by a `Device`, a judge.
    JudgeKind,
    /// Model, bot, engine.
    Device,
    /// Words that give a judge another role: you are no longer, play the role of.
    Recast,
    /// A machine that may be asked to judge; counts only in brackets or after a form of address.
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
    /// Other parts of a forged verdict: status, toxicity.
    Aspect,
    /// Label, output, result: something that can hold a verdict.
    Outcome,
    /// Parts of the judge's reply: your report, the findings array.
    Own,
    /// Safe, harmless, approved.
    Good,
    /// Zero, "none", false.
    Zero,
    /// Scores of one to three, which still count as safe.
    Low,
    /// A verdict in the text's favour: full marks, nothing to report, let it slide.
    Favour,
    /// Verbs that tell somebody to give a verdict.
    Order,
    /// An order as a participle; it counts only after `Must`.
    Ordered,
    /// Verbs that tell somebody what to write: output, answer with.
    Emit,
    Must,
    /// Words that express a wish: would, please, hopes, deserves.
    Wish,
    /// Verbs that tell somebody to leave something out.
    Suppress,
    /// Verbs that put rules out of force: disregard, turn off, abort.
    Dismiss,
    /// Do not, no need to, refrain from.
    Not,
    /// What a judge does about a bad answer: flag, penalise, escalate.
    Raise,
    /// A verb like `Raise` that has other uses too: report, check, mention.
    RaiseWeak,
    /// Findings, issues, personal data: things the auditor should leave out.
    Issue,
    /// The audit itself.
    Audit,
    /// The standards a judge applies: rubric, evaluation criteria, injection detector.
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
    /// It, this: a reference to an earlier sentence.
    It,
    /// You, the judge.
    You,
    /// Everything, the above: the whole text.
    Whole,
    /// Pre-approved, already audited.
    Settled,
    /// Precomputed, expected, final: a verdict that already exists.
    Premade,
    /// Approve, whitelist: actions on the answer itself.
    Release,
    /// Do not audit, exempt from auditing.
    Unaudited,
    /// End of text, next document.
    Finish,
    /// New task, message from your developer.
    Task,
    /// A marker of a speaker or of a message's end: `assistant:`, `</document>`.
    Role,
    /// Consequences for a judge who objects.
    Threat,
    /// Only the first sentence, solely the opening line.
    Narrow,
    /// Which of several answers wins.
    Prefer,
    /// `[[A]]`: how judges write a choice.
    Choice,
    /// Reasons why a finding would not count: drill, known bug, fiction.
    Excuse,
    /// Claims about an audit: acknowledged, idle, closed.
    Done,

    // No list contains the following concepts: `matching` derives them from other concepts.
    /// A judge, by name or by activity.
    Judge,
    /// A judge is addressed.
    Called,
    /// This answer, the text above.
    ThisText,
    /// Like `ThisText`, but with a noun that means little else: answer, response.
    ThisAnswer,
    /// A harmless value that is more specific than a common word.
    Clean,
    /// A harmless value written as a label: `Safe`, "no issues".
    Label,
    /// A verdict about risk.
    Risk,
    /// No risk, zero findings.
    NoRisk,
    /// Do not flag.
    Spared,
    /// Do not report, do not mention.
    SparedWeak,
    /// The previous sentence led up to this one: the end of the text, a judge, an excuse.
    AfterLeadUp,
}

use AuditorConcept::*;

/// A text can contain an instruction to an auditor only if it contains one of these; only the sentences around them are
/// examined.
pub(super) const INDICATORS: &[AuditorConcept] = &[
    Auditor, Checker, Field, Good, Verdict, Aspect, Answer, Issue, Settled, Unaudited, Zero, Favour, Norm, Own, Finish,
    Task, Choice, Raise,
];

/// Word lists by concept.
pub(super) type WordsByConcept = &'static [(AuditorConcept, &'static str)];

/// English comes first: its verdict words are used in every language.
pub(super) const LANGUAGES: &[WordsByConcept] = &[
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
