//! Runs a text through the stages: first to verdicts on its figures and names (stages 1 to 6), then on its words (stages 7
//! and 8).

use std::cell::LazyCell;
use std::ops::Range;

use crate::clause::{ClauseReader, Surroundings};
use crate::fact::{FactValue, NumberClass};
use crate::figure::{self, Figure, FigureValue, Unit};
use crate::fold::FoldedText;
use crate::judge::FigureJudge;
use crate::lex::{self, Token, TokenKind};
use crate::lexicon::LEVEL;
use crate::licence::{self, ClaimVerdict, TextLicence};
use crate::mention::Mentions;
use crate::name::{NameFinder, NameVerdict};
use crate::sender_names::QuotedNames;
use crate::signal::Signals;
use crate::{Checked, CheckedSentence, Claim, ClaimKind, Facts, Reason, Refused, concept, severity};

/// Maximum length of the quotation in a refusal.
const QUOTE_CHARS_MAX: usize = 60;

/// Judges every figure and name of a text, and passes the result to `then`, which borrows the tokens.
pub(crate) fn run<T>(text: &str, facts: &Facts, then: impl FnOnce(TextCheck<'_>) -> T) -> T {
    // Stages 1 and 2.
    let folded = FoldedText::of(text);
    let mut tokens = lex::tokens(&folded);
    // Stage 3. A figure inside a name is part of the name, so names that the context has come before figures.
    let quoted = facts.sender_names.mark_quoted(&mut tokens);
    let mut check =
        TextCheck { folded: &folded, tokens: &tokens, covered: vec![false; tokens.len()], verdicts: Vec::new() };
    for (name, path) in &quoted.names {
        check.add(name.start, name.end, ClaimKind::Name, Ok(path.clone()));
    }
    let names = NameFinder { folded: &folded, tokens: &tokens, index: &facts.index, case: &facts.case };
    let is_free = |covered: &[bool], named: &NameVerdict| !covered[named.start..named.end].contains(&true);
    for named in names.known_names() {
        if !is_free(&check.covered, &named) {
            continue;
        }
        check.add(named.start, named.end, named.kind, named.verdict);
    }
    // Stages 4 to 6.
    let figures = figure::figures(&folded, &tokens, &check.covered);
    let mentions = Mentions::of(&tokens, &figures, &facts.index.signals);
    check.judge_figures(&figures, facts, &mentions, &quoted);
    check.judge_countries(&mentions, facts);
    for at in (0..tokens.len()).filter(|at| tokens[*at].is(LEVEL)) {
        if let Some(verdict) = severity::judge(&tokens, at, &facts.index).filter(|_| !check.covered[at]) {
            check.add(at, at + 1, ClaimKind::Severity, verdict);
        }
    }
    // Stage 3 again, for the ids and capitalised words that no verdict covers yet.
    for named in names.other_names(&check.covered) {
        check.add(named.start, named.end, named.kind, named.verdict);
    }
    check.verdicts.sort_by_key(|verdict| verdict.start);
    then(check)
}

/// A text being checked: the verdicts so far, and the tokens that they cover.
pub(crate) struct TextCheck<'a> {
    folded: &'a FoldedText<'a>,
    tokens: &'a [Token<'a>],
    /// For each token, whether a verdict covers it.
    covered: Vec<bool>,
    verdicts: Vec<ClaimVerdict>,
}

impl TextCheck<'_> {
    fn add(&mut self, start: usize, end: usize, kind: ClaimKind, verdict: Result<String, Reason>) {
        self.add_figure(start, end, kind, verdict, None);
    }

    fn add_figure(
        &mut self,
        start: usize,
        end: usize,
        kind: ClaimKind,
        verdict: Result<String, Reason>,
        figure: Option<FigureValue>,
    ) {
        self.covered[start..end].fill(true);
        self.verdicts.push(ClaimVerdict { start, end, kind, verdict, figure });
    }

    fn judge_figures(&mut self, figures: &[Figure], facts: &Facts, mentions: &Mentions<'_>, quoted: &QuotedNames) {
        let surroundings = ClauseReader::of(self.tokens, figures).read_all();
        let judge = FigureJudge { index: &facts.index, tokens: self.tokens, mentions };
        for (at, (figure, around)) in figures.iter().zip(&surroundings).enumerate() {
            let date_before =
                at.checked_sub(1).map(|before| &figures[before]).filter(|date| self.is_beside(date, figure));
            // A time right after a date is on that day and describes the same event.
            let around = if date_before.is_some() { &surroundings[at - 1] } else { around };
            let named = quoted.figures.iter().find(|(at, _)| *at == figure.start);
            if let Some((_, paths)) = named {
                self.add(figure.start, figure.end, ClaimKind::Number, judge.judge_named(figure, paths));
                continue;
            }
            let verdict = match self.id_number(figure, facts) {
                Some(path) => Some((ClaimKind::Id, Ok(path))),
                None => judge.judge(figure, around, date_before).map(|verdict| (ClaimKind::of(&figure.value), verdict)),
            };
            // Several events may share a day. The time then tells which one is meant.
            if let (Some((_, Ok(path))), Some(_), Some(date)) = (&verdict, date_before, self.verdicts.last_mut())
                && date.verdict.is_ok()
                && date.kind == ClaimKind::Date
            {
                date.verdict = Ok(path.clone());
            }
            if let Some((kind, verdict)) = verdict {
                self.add_figure(figure.start, figure.end, kind, verdict, Some(figure.value.clone()));
            }
        }
    }

    /// Whether only a comma or a word such as "at" is between a date and a time.
    fn is_beside(&self, date: &Figure, time: &Figure) -> bool {
        let links = |token: &Token<'_>| {
            matches!(token.kind, TokenKind::Mark(',' | '(')) || ["at", "and", "on"].contains(&token.lower.as_ref())
        };
        matches!((&date.value, &time.value), (FigureValue::Date(_), FigureValue::TimeOfDay(_)))
            && time.start - date.end <= 2
            && self.tokens[date.end..time.start].iter().all(links)
    }

    /// The path of the id that a number states. Either the words before it call it an id, or it is long and the context
    /// has it as an id.
    fn id_number(&self, figure: &Figure, facts: &Facts) -> Option<String> {
        let FigureValue::Number(_, Unit::Bare | Unit::Count(_)) = figure.value else { return None };
        let text = self.tokens[figure.start].text;
        let word = |back: usize| figure.start.checked_sub(back).map_or("", |at| self.tokens[at].lower.as_ref());
        if ["in", "with"].contains(&word(1)) && word(2).starts_with("end") {
            let ends = |id: &&String| id.starts_with("***") && id.ends_with(text);
            return facts.index.redacted.iter().find(ends).and_then(|id| facts.index.ids.get(id)).cloned();
        }
        let is_called = ["id", "identifier", "transaction", "alert", "user", "customer", "investigation", "number"]
            .contains(&word(1));
        if is_called || text.len() >= 6 { facts.index.ids.get(text).cloned() } else { None }
    }

    fn judge_countries(&mut self, mentions: &Mentions<'_>, facts: &Facts) {
        for mention in mentions.all_countries() {
            if !self.covered[mention.start] {
                let verdict = facts.index.countries.get(mention.code).cloned().ok_or(Reason::Absent);
                self.add(mention.start, mention.end, ClaimKind::Country, verdict);
            }
        }
    }

    /// The sentences in the format of `licence/wordings/*.txt`.
    pub(crate) fn wordings(&self, facts: &Facts) -> Vec<String> {
        licence::wordings(self.tokens, &facts.index, &facts.case, &self.verdicts)
    }

    /// The code points of the text that a range of tokens covers.
    pub(crate) fn span(&self, first: usize, end: usize) -> (usize, usize) {
        self.folded.span(self.tokens[first].start, self.tokens[end - 1].end)
    }

    /// Checks the words of a text about a case. `is_foreign` tells whether a sentence, given by its tokens, is not one of
    /// the built-in writer's own.
    pub(crate) fn licence(&self, facts: &Facts, is_foreign: impl Fn(&Range<usize>) -> bool) -> TextLicence {
        if !facts.case.is_case {
            return TextLicence::default();
        }
        licence::licence(self.tokens, &facts.index, &facts.case, &self.verdicts, is_foreign)
    }

    pub(crate) fn finish(self, text: &str, licence: TextLicence) -> Checked {
        // Computed lazily, because only refusals quote the text.
        let letters = LazyCell::new(|| text.chars().collect::<Vec<char>>());
        let span = |first: usize, last: usize| self.folded.span(self.tokens[first].start, self.tokens[last - 1].end);
        let mut checked = Checked::default();
        let mut refuse = |first: usize, last: usize, kind: ClaimKind, reason: Reason| {
            let (start, end) = span(first, last);
            let shown = letters[start..end].iter().filter(|letter| !letter.is_control());
            let quote = shown.take(QUOTE_CHARS_MAX).collect();
            checked.refused.push(Refused { start, end, kind, reason, quote });
        };
        let mut claims = Vec::with_capacity(self.verdicts.len());
        for ClaimVerdict { start: first, end: last, kind, verdict, .. } in self.verdicts {
            match verdict {
                Ok(path) => {
                    let (start, end) = span(first, last);
                    claims.push(Claim { start, end, kind, path });
                }
                Err(reason) => refuse(first, last, kind, reason),
            }
        }
        for (first, last, reason) in licence.refused {
            refuse(first, last, ClaimKind::Word, reason);
        }
        checked.refused.sort_by_key(|refused| refused.start);
        checked.claims = claims;
        let refused = &checked.refused;
        let sentences = licence.sentences.into_iter().map(|(range, facts)| {
            let (start, end) = span(range.start, range.end);
            let is_licensed = !refused.iter().any(|refused| (start..end).contains(&refused.start));
            CheckedSentence { start, end, facts, is_licensed }
        });
        checked.sentences = sentences.collect();
        checked
    }
}

/// A figure in a sentence of the context: its value, the concepts of the words around it, and the window in seconds
/// that they state.
type EmbeddedFigure = (FactValue, u64, Option<u64>);

/// The figures and the countries in a sentence of the context.
pub(crate) fn embedded_figures(text: &str) -> (Vec<EmbeddedFigure>, Vec<&'static str>) {
    let folded = FoldedText::of(text);
    let tokens = lex::tokens(&folded);
    let figures = figure::figures(&folded, &tokens, &vec![false; tokens.len()]);
    let mentions = Mentions::of(&tokens, &figures, &Signals::default());
    let surroundings = ClauseReader::of(&tokens, &figures).read_all();
    let read = |(figure, around): (&Figure, &Surroundings)| {
        let noun = if let FigureValue::Number(_, Unit::Count(noun)) = figure.value { tokens[noun].concepts } else { 0 };
        let concepts = around.before | around.naming | noun;
        Some((fact_of(figure)?, concepts & !concept::ONE, mentions.window(figure, around)))
    };
    let countries = mentions.all_countries().iter().map(|mention| mention.code).collect();
    (figures.iter().zip(&surroundings).filter_map(read).collect(), countries)
}

fn fact_of(figure: &Figure) -> Option<FactValue> {
    let FigureValue::Number(quantity, unit) = &figure.value else { return None };
    let class = match unit {
        Unit::Currency(code) => return Some(FactValue::Money(quantity.value, *code)),
        Unit::Money(codes) => {
            return Some(FactValue::Money(quantity.value, codes.first()?.as_bytes().try_into().ok()?));
        }
        Unit::Percent => NumberClass::Percent,
        Unit::Times => NumberClass::Ratio,
        Unit::Seconds(seconds) => NumberClass::Duration(*seconds),
        Unit::Km => NumberClass::Km,
        Unit::Kmh => NumberClass::Kmh,
        Unit::Points => NumberClass::Points,
        Unit::Count(_) => NumberClass::Count,
        Unit::Bare => NumberClass::Measure,
        Unit::OutOf(_) | Unit::Ordinal(_) | Unit::NoneOf(_) => return None,
    };
    let value = if figure.is_negative { -quantity.value } else { quantity.value };
    Some(FactValue::Number(value, class))
}
