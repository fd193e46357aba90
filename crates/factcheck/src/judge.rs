//! Stage 6, verdicts on figures: decides whether a figure is a fact, and whether it is the fact that its sentence refers to.
//! `agree.rs` has the second half: which facts agree with the words around a figure.

use countersign_text::numbers::Quantity;
use rust_decimal::Decimal;

use crate::Reason;
use crate::calendar::{Date, Moment, TimeOfDay};
use crate::clause::Surroundings;
use crate::concept as c;
use crate::fact::{Fact, FactIndex, FactSource, FactValue, NumberClass, SeverityLevel};
use crate::figure::{Figure, FigureValue, Unit};
use crate::lex::{Token, TokenKind};
use crate::mention::Mentions;

pub(crate) struct FigureJudge<'a> {
    pub(crate) index: &'a FactIndex,
    pub(crate) tokens: &'a [Token<'a>],
    pub(crate) mentions: &'a Mentions<'a>,
}

impl FigureJudge<'_> {
    /// Whether one of the words around a figure also occurs in the key of the fact.
    pub(crate) fn shares_stem(&self, fact: &Fact, around: &Surroundings) -> bool {
        let is_known = |word: &str| word.len() > 2 && fact.stems.iter().any(|known| c::has_stem(word, known));
        self.tokens[around.from..around.to].iter().any(|token| match token.kind {
            TokenKind::Word => is_known(&token.lower),
            TokenKind::Id | TokenKind::SnakeCase => token.lower.split('_').any(is_known),
            _ => false,
        })
    }

    /// The path of the fact that a figure states, or the reason to refuse it. `None` if the figure makes no claim.
    /// `date_before` is the date right before a time of day.
    pub(crate) fn judge(
        &self,
        figure: &Figure,
        around: &Surroundings,
        date_before: Option<&Figure>,
    ) -> Option<Result<String, Reason>> {
        Some(match &figure.value {
            FigureValue::Unreadable => Err(Reason::Unreadable),
            FigureValue::Number(quantity, Unit::NoneOf(noun)) => {
                return self.count_of_none(*quantity, *noun, figure, around);
            }
            FigureValue::Number(quantity, Unit::Ordinal(noun)) => self.judge_ordinal(*quantity, *noun),
            FigureValue::Number(quantity, unit) => self.judge_number(figure, *quantity, *unit, around),
            FigureValue::Date(date) => self.judge_moment(Some(date), None, around),
            FigureValue::Timestamp(date, clock) => self.judge_moment(Some(date), Some(clock), around),
            FigureValue::TimeOfDay(clock) => {
                let date = date_before
                    .and_then(|figure| if let FigureValue::Date(date) = &figure.value { Some(date) } else { None });
                self.judge_moment(date, Some(clock), around)
            }
        })
    }

    fn judge_number(
        &self,
        figure: &Figure,
        quantity: Quantity,
        unit: Unit,
        around: &Surroundings,
    ) -> Result<String, Reason> {
        let candidates = self.candidates(figure, quantity, unit);
        let is_fitting = |fact: &&Fact| self.fits(fact, quantity, unit) && self.agrees(fact, figure, unit, around);
        if let Some(fact) = self.best(candidates.iter().copied().filter(is_fitting), around) {
            return Ok(fact.path.clone());
        }
        let is_not_metadata = |fact: &&&Fact| fact.from != FactSource::Outside;
        let other =
            candidates.iter().find(is_not_metadata).copied().or_else(|| self.index.exactly(quantity.value).next());
        Err(other.map_or(Reason::Absent, |fact| Reason::BelongsToAnother { path: fact.path.clone() }))
    }

    /// The verdict on a figure that must be one of the facts at these paths.
    pub(crate) fn judge_named(&self, figure: &Figure, paths: &[String]) -> Result<String, Reason> {
        let FigureValue::Number(quantity, unit) = figure.value else { return Err(Reason::Absent) };
        let facts = self.candidates(figure, quantity, unit).into_iter();
        let found = facts.map(|fact| &fact.path).find(|path| paths.contains(path));
        found.cloned().ok_or_else(|| Reason::BelongsToAnother { path: paths[0].clone() })
    }

    /// The facts that a figure may state, judged by its value alone.
    fn candidates(&self, figure: &Figure, quantity: Quantity, unit: Unit) -> Vec<&Fact> {
        let value = quantity.value;
        let mut found: Vec<&Fact> = Vec::new();
        if let Unit::Seconds(seconds) = unit {
            let Some(seconds) = value.checked_mul(Decimal::from(seconds)) else { return found };
            found.extend(self.index.lasting(seconds));
            if figure.is_hedged {
                found.extend(self.index.about(seconds, true));
            }
            found.extend(self.index.rounded(value, quantity.decimals).filter(|fact| is_near(fact, value)));
            return found;
        }
        found.extend(self.index.exactly(value));
        if unit == Unit::Percent {
            found.extend(self.index.exactly(value / Decimal::ONE_HUNDRED));
        }
        if !matches!(unit, Unit::Money(_) | Unit::Currency(_)) {
            found.extend(self.index.rounded(value, quantity.decimals).filter(|fact| is_near(fact, value)));
            if figure.is_hedged {
                let is_number = |fact: &&Fact| matches!(fact.value, FactValue::Number(_, class) if class != NumberClass::Count && class != NumberClass::Points);
                found.extend(self.index.about(value, false).filter(is_number));
            }
        }
        found.retain(|fact| figure.is_negative == is_negative(fact));
        found
    }

    /// Whether a figure with this unit can be this kind of fact.
    fn fits(&self, fact: &Fact, quantity: Quantity, unit: Unit) -> bool {
        let (value, class) = match fact.value {
            FactValue::Moment(_) => return false,
            FactValue::Money(_, code) => {
                return match unit {
                    Unit::Money(codes) => codes.iter().any(|known| known.as_bytes() == code),
                    Unit::Currency(known) => known == code,
                    unit => unit == Unit::Bare,
                };
            }
            FactValue::Number(value, class) => (value, class),
        };
        match unit {
            // The unit of a signal's value or threshold may be a currency.
            Unit::Currency(code) if fact.path.ends_with("/value") || fact.path.ends_with("/threshold") => {
                fact.stems.iter().any(|stem| stem.as_bytes().eq_ignore_ascii_case(&code))
            }
            Unit::Money(_) | Unit::Currency(_) | Unit::NoneOf(_) | Unit::Ordinal(_) => false,
            Unit::Percent => match class {
                NumberClass::Percent => value.abs() == quantity.value || value.scale() > quantity.decimals,
                NumberClass::Ratio => value.abs() == quantity.value / Decimal::ONE_HUNDRED,
                _ => false,
            },
            Unit::Times => class == NumberClass::Ratio || class == NumberClass::Count || fact.concepts & c::RATIO != 0,
            Unit::Seconds(seconds) => {
                class == NumberClass::Duration(seconds)
                    || matches!(class, NumberClass::Duration(_)) && value.fract().is_zero()
            }
            Unit::Km => class == NumberClass::Km,
            Unit::Kmh => class == NumberClass::Kmh,
            Unit::Points => class == NumberClass::Points,
            Unit::OutOf(of) => class == NumberClass::Points && fact.concepts & c::SCORE != 0 && self.is_maximum(of),
            Unit::Count(_) => matches!(class, NumberClass::Count | NumberClass::Measure),
            Unit::Bare => true,
        }
    }

    /// Whether a number is the maximum of the score.
    fn is_maximum(&self, of: Quantity) -> bool {
        let named = |fact: &Fact| {
            fact.concepts & c::MAXIMUM != 0 && matches!(fact.value, FactValue::Number(_, NumberClass::Points))
        };
        if self.index.known_concepts & c::MAXIMUM == 0 {
            return of.value == Decimal::ONE_HUNDRED;
        }
        self.index.exactly(of.value).any(named)
    }

    /// The fact that matches the words around the figure best. The first one wins a tie.
    fn best<'f>(&self, facts: impl Iterator<Item = &'f Fact>, around: &Surroundings) -> Option<&'f Fact> {
        let ranked: Vec<_> = facts.map(|fact| (self.rank(fact, around), fact)).collect();
        let highest = ranked.iter().map(|(rank, _)| *rank).max()?;
        let mut equals = ranked.iter().filter(|(rank, _)| *rank == highest).map(|(_, fact)| *fact);
        let first = equals.next()?;
        // Comparing the words of keys is expensive, so it is only done to break a tie.
        match equals.next() {
            Some(second) if !self.shares_stem(first, around) => {
                std::iter::once(second).chain(equals).find(|fact| self.shares_stem(fact, around)).or(Some(first))
            }
            _ => Some(first),
        }
    }

    /// How well a fact matches the words around the figure.
    fn rank(&self, fact: &Fact, around: &Surroundings) -> (u32, u32, std::cmp::Reverse<FactSource>) {
        let shared = (fact.concepts & around.mentioned & !c::ONE).count_ones();
        let named = (fact.concepts & around.naming).count_ones();
        let signal =
            fact.signal.map_or(0, |signal| u32::from(self.mentions.names_signal(signal, around.from, around.to)));
        (named, shared + signal, std::cmp::Reverse(fact.from))
    }

    /// The facts that count the things that a noun names, each with its number.
    fn counts(&self, noun: usize) -> impl Iterator<Item = (&Fact, Decimal)> {
        let kind = self.tokens[noun].concepts & c::NOUNS;
        let facts = self.index.counts.iter().map(|at| &self.index.facts[*at]);
        facts.filter(move |fact| fact.concepts & kind != 0).filter_map(|fact| match fact.value {
            FactValue::Number(value, _) => Some((fact, value)),
            _ => None,
        })
    }

    /// The verdict on an ordinal: "the third alert" needs at least three of them, or two earlier ones.
    fn judge_ordinal(&self, quantity: Quantity, noun: usize) -> Result<String, Reason> {
        let enough = self
            .counts(noun)
            .filter(|(fact, _)| fact.concepts & c::SIMILAR == 0)
            .find(|(_, value)| *value >= quantity.value - Decimal::ONE);
        enough.map(|(fact, _)| fact.path.clone()).ok_or(Reason::Absent)
    }

    /// The verdict on "no prior alerts": a count of such things must be zero. `None` if it is a comparison, or if the context
    /// has no such count.
    fn count_of_none(
        &self,
        zero: Quantity,
        noun: usize,
        figure: &Figure,
        around: &Surroundings,
    ) -> Option<Result<String, Reason>> {
        let described = self.concepts(figure.start, noun + 1) & (c::PRIOR | c::SIMILAR);
        let of: Vec<(&Fact, Decimal)> = self
            .counts(noun)
            .filter(|(fact, _)| fact.concepts & described != 0 && fact.severity.is_none() && fact.country.is_none())
            .collect();
        // "no earlier transaction was larger than" is a comparison, not a count.
        let compares = |token: &Token<'_>| {
            ["larger", "greater", "higher", "smaller", "lower", "exceeded"].contains(&token.lower.as_ref())
        };
        // Another figure may come before the noun ("no two prior alerts"). The words around this figure end there.
        let after_noun = noun..around.to.min(noun + 8).max(noun);
        if self.tokens[after_noun].iter().any(compares) {
            return None;
        }
        let names_severity =
            self.tokens[figure.start..around.to].iter().any(|token| SeverityLevel::of(&token.lower).is_some());
        if names_severity || of.is_empty() {
            return None;
        }
        let found = of.iter().find(|(_, value)| *value == zero.value);
        let other = || Reason::BelongsToAnother { path: of[0].0.path.clone() };
        Some(found.map(|(fact, _)| fact.path.clone()).ok_or_else(other))
    }

    fn judge_moment(
        &self,
        date: Option<&Date>,
        clock: Option<&TimeOfDay>,
        around: &Surroundings,
    ) -> Result<String, Reason> {
        let matches = |moment: &Moment| {
            date.is_none_or(|date| date.matches(moment)) && clock.is_none_or(|clock| clock.matches(moment))
        };
        let facts = || self.index.moments.iter().map(|at| &self.index.facts[*at]);
        let same = |fact: &&Fact| matches!(&fact.value, FactValue::Moment(moment) if matches(moment));
        let of_time = |fact: &&Fact| matches!(&fact.value, FactValue::Moment(moment) if clock.is_some_and(|clock| clock.matches(moment)));
        let agreeing = facts().filter(same).filter(|fact| self.agrees_on_moment(fact, around));
        if let Some(fact) = self.best(agreeing, around) {
            return Ok(fact.path.clone());
        }
        let other = facts().find(same).or_else(|| facts().find(of_time));
        Err(other.map_or(Reason::Absent, |fact| Reason::BelongsToAnother { path: fact.path.clone() }))
    }
}

fn is_negative(fact: &Fact) -> bool {
    matches!(fact.value, FactValue::Number(value, _) if value.is_sign_negative())
}

/// Whether a rounded value is within 5 % of the fact.
fn is_near(fact: &Fact, value: Decimal) -> bool {
    let FactValue::Number(known, _) = fact.value else { return false };
    known.abs().checked_sub(value.abs()).is_some_and(|off| off.abs() <= known.abs() / Decimal::from(20))
}
