//! Whether a figure is a fact, and the one that its sentence names.

use rust_decimal::Decimal;

use super::Reason;
use super::calendar::{Clock, Date, Moment};
use super::clause::Around;
use super::concept::{self as c, stem};
use super::fact::{Class, Fact, FactWhat, Index, Level, Source};
use super::figure::{Figure, Unit, What};
use super::lex::Token;
use super::mention::Mentions;
use super::numeral::Quantity;

pub(super) struct Judge<'a> {
    pub(super) index: &'a Index,
    pub(super) tokens: &'a [Token],
    pub(super) mentions: &'a Mentions,
}

impl Judge<'_> {
    /// The path of the fact; `None` for what claims nothing here.
    pub(super) fn judge(&self, figure: &Figure, around: &Around, beside: Option<&Figure>) -> Option<Result<String, Reason>> {
        Some(match &figure.what {
            What::Unreadable => Err(Reason::Unreadable),
            What::Number(quantity, Unit::NoneOf(noun)) => return self.none(*quantity, *noun, figure, around),
            What::Number(quantity, Unit::Ordinal(noun)) => self.ordinal(*quantity, *noun),
            What::Number(quantity, unit) => self.number(figure, *quantity, *unit, around),
            What::Date(date) => self.moment(Some(date), None, around),
            What::Stamp(date, clock) => self.moment(Some(date), Some(clock), around),
            What::Clock(clock) => {
                let date = beside.and_then(|figure| if let What::Date(date) = &figure.what { Some(date) } else { None });
                self.moment(date, Some(clock), around)
            }
        })
    }

    fn number(&self, figure: &Figure, quantity: Quantity, unit: Unit, around: &Around) -> Result<String, Reason> {
        let candidates = self.candidates(figure, quantity, unit);
        let rank = |fact: &Fact| self.rank(fact, around);
        let fitting = candidates.iter().filter(|fact| self.fits(fact, quantity, unit) && self.agrees(fact, figure, unit, around));
        // The first of those that are as good as any.
        let best = fitting.min_by_key(|fact| std::cmp::Reverse(rank(fact)));
        if let Some(fact) = best {
            return Ok(fact.path.clone());
        }
        let exact = |fact: &&&Fact| fact.from != Source::Outside;
        let other = candidates.iter().find(exact).copied().or_else(|| self.index.exactly(quantity.value).next());
        Err(other.map_or(Reason::Absent, |fact| Reason::BelongsToAnother { path: fact.path.clone() }))
    }

    fn candidates(&self, figure: &Figure, quantity: Quantity, unit: Unit) -> Vec<&Fact> {
        let value = quantity.value;
        let mut found: Vec<&Fact> = Vec::new();
        if let Unit::Seconds(seconds) = unit {
            let Some(seconds) = value.checked_mul(Decimal::from(seconds)) else { return found };
            found.extend(self.index.lasting(seconds));
            if figure.hedged {
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
            if figure.hedged {
                let is_number = |fact: &&Fact| matches!(fact.what, FactWhat::Number(_, class) if class != Class::Count && class != Class::Points);
                found.extend(self.index.about(value, false).filter(is_number));
            }
        }
        found.retain(|fact| !figure.negative || is_negative(fact));
        found
    }

    /// Whether a figure with this unit can be this kind of fact at all.
    fn fits(&self, fact: &Fact, quantity: Quantity, unit: Unit) -> bool {
        let (value, class) = match fact.what {
            FactWhat::Moment(_) => return false,
            FactWhat::Money(_, code) => {
                return match unit {
                    Unit::Money(codes) => codes.iter().any(|known| known.as_bytes() == code),
                    Unit::Currency(known) => known == code,
                    unit => unit == Unit::Bare,
                };
            }
            FactWhat::Number(value, class) => (value, class),
        };
        match unit {
            Unit::Money(_) | Unit::Currency(_) | Unit::NoneOf(_) | Unit::Ordinal(_) => false,
            Unit::Percent => match class {
                Class::Percent => value.abs() == quantity.value || value.scale() > quantity.decimals,
                Class::Ratio => value.abs() == quantity.value / Decimal::ONE_HUNDRED,
                _ => false,
            },
            Unit::Times => class == Class::Ratio || class == Class::Count || fact.concepts & c::RATIO != 0,
            Unit::Seconds(seconds) => class == Class::Duration(seconds) || matches!(class, Class::Duration(_)) && value.fract().is_zero(),
            Unit::Km => class == Class::Km,
            Unit::Kmh => class == Class::Kmh,
            Unit::Points => class == Class::Points,
            Unit::OutOf(of) => class == Class::Points && fact.concepts & c::SCORE != 0 && self.is_maximum(of),
            Unit::Count(_) => matches!(class, Class::Count | Class::Measure),
            Unit::Bare => true,
        }
    }

    fn is_maximum(&self, of: Quantity) -> bool {
        let named = |fact: &Fact| fact.concepts & c::MAXIMUM != 0 && matches!(fact.what, FactWhat::Number(_, Class::Points));
        if self.index.known & c::MAXIMUM == 0 {
            return of.value == Decimal::ONE_HUNDRED;
        }
        self.index.exactly(of.value).any(named)
    }

    /// Whether the words around name this fact, or at least no other.
    fn agrees(&self, fact: &Fact, figure: &Figure, unit: Unit, around: &Around) -> bool {
        if fact.from == Source::Outside && !self.shares_stem(fact, around) {
            return false;
        }
        if !self.agrees_on_signal(fact, figure, around) {
            return false;
        }
        match unit {
            Unit::Count(noun) => self.agrees_on_count(fact, figure, noun, around),
            Unit::Seconds(_) => agrees_on_duration(fact, around),
            Unit::Times => around.naming == 0 || fact.concepts & around.naming != 0,
            Unit::Percent => true,
            _ => self.agrees_on_name(fact, unit, around),
        }
    }

    fn agrees_on_name(&self, fact: &Fact, unit: Unit, around: &Around) -> bool {
        let naming = match unit {
            Unit::OutOf(_) => 0,
            _ => around.naming,
        };
        if naming != 0 && fact.concepts & naming == 0 {
            return false;
        }
        let mentioned = around.mentioned | if around.mentioned & c::BEYOND != 0 { c::THRESHOLD } else { 0 };
        let special = fact.concepts & c::SPECIAL;
        let single = c::AMOUNT | c::VALUE | c::SPEED | c::DISTANCE;
        let is_labelled = around.before & single != 0
            || around.before & c::TRANSACTION != 0 && around.before & c::ONE != 0;
        if special != 0 && is_labelled && special & (mentioned | c::CONTRIBUTION) == 0 && mentioned & c::RANGE == 0 {
            return false;
        }
        // An earlier alert's score is called that.
        let earlier_score = fact.concepts & c::SCORE != 0 && fact.concepts & c::PRIOR != 0;
        if earlier_score && around.mentioned & (c::PRIOR | c::ALERT) == 0 {
            return false;
        }
        if unit == Unit::Bare { self.agrees_on_label(fact, around) } else { self.agrees_on_earlier(fact, unit, around) }
    }

    /// `an earlier payment of USD 300` is not this one.
    fn agrees_on_earlier(&self, fact: &Fact, unit: Unit, around: &Around) -> bool {
        let is_money = matches!(unit, Unit::Money(_) | Unit::Currency(_));
        let says_earlier = around.before & c::PRIOR != 0 && around.before & c::TRANSACTION != 0 && around.before & (c::ONE) != 0;
        let is_this = fact.path == "/transaction/amount";
        !(is_money && says_earlier && is_this && around.naming == 0)
    }

    /// A number without a unit needs a word in common with its fact, where the words say anything.
    fn agrees_on_label(&self, fact: &Fact, around: &Around) -> bool {
        let label = around.before & !(c::ONE | c::BEYOND | c::RANGE | c::PRIOR | c::BASELINE | c::FIRED);
        let is_money = matches!(fact.what, FactWhat::Money(..));
        if around.before & c::AMOUNT != 0 && is_money {
            return true;
        }
        label == 0 || fact.concepts & label != 0 || fact.signal.is_some_and(|signal| self.mentions.names(signal, around.clause, around.to)) || self.shares_stem(fact, around)
    }

    fn shares_stem(&self, fact: &Fact, around: &Around) -> bool {
        self.tokens[around.from..around.to]
            .iter()
            .filter(|token| token.lower.len() > 2)
            .any(|token| fact.stems.iter().any(|known| known == stem(&token.lower)))
    }

    /// A signal's points are that signal's.
    fn agrees_on_signal(&self, fact: &Fact, figure: &Figure, around: &Around) -> bool {
        let own = c::CONTRIBUTION | c::VALUE | c::THRESHOLD | c::WEIGHT;
        let Some(signal) = fact.signal.filter(|_| fact.concepts & own != 0) else {
            // The sum of all contributions is no single signal's.
            let is_sum = fact.concepts & c::CONTRIBUTION != 0 && fact.signal.is_none() && fact.concepts & c::TOTAL != 0;
            let one = self.mentions.named(figure, around);
            return !(is_sum && around.naming & c::CONTRIBUTION != 0 && around.naming & c::TOTAL == 0 && !one.is_empty());
        };
        let named = self.mentions.named(figure, around);
        named.is_empty() || named.contains(&signal)
    }

    fn agrees_on_count(&self, fact: &Fact, figure: &Figure, noun: usize, around: &Around) -> bool {
        const ANY: [&str; 8] = ["times", "occasions", "occurrences", "instances", "items", "cases", "entries", "records"];
        let word = self.tokens[noun].lower.as_str();
        let kind = c::of(word) & (c::NOUNS | c::VALUE);
        let is_measure = matches!(fact.what, FactWhat::Number(_, Class::Measure));
        let said = self.concepts(figure.start.saturating_sub(3).max(around.from), noun + 1);
        let same_thing = if kind == 0 {
            ANY.contains(&word) || fact.stems.iter().any(|known| known == stem(word))
        } else {
            fact.concepts & kind != 0
        };
        if !same_thing && !(is_measure && (fact.concepts & around.mentioned & !c::ONE != 0 || self.shares_stem(fact, around))) {
            return false;
        }
        let differs = |concept: u64| said & concept != 0 && fact.concepts & concept == 0;
        let similar = differs(c::SIMILAR) || fact.concepts & c::SIMILAR != 0 && around.mentioned & c::SIMILAR == 0;
        let prior = said & c::SIMILAR == 0 && differs(c::PRIOR) && fact.from == Source::Computed;
        !(similar || prior) && self.agrees_on_fired(fact, around) && self.agrees_on_parts(fact, figure, noun, around)
    }

    /// Of those that fired, or of all.
    fn agrees_on_fired(&self, fact: &Fact, around: &Around) -> bool {
        let negated = self.tokens[around.from..around.to].iter().any(|token| ["not", "no", "neither", "none", "clear"].contains(&token.lower.as_str()));
        let things = c::SIGNAL | c::RULE;
        if fact.concepts & things == 0 || around.mentioned & c::FIRED == 0 {
            return true;
        }
        if negated { fact.concepts & c::FIRED == 0 } else { fact.concepts & c::FIRED != 0 }
    }

    /// A count of one country, severity or window is called so.
    fn agrees_on_parts(&self, fact: &Fact, figure: &Figure, noun: usize, around: &Around) -> bool {
        let from = figure.start.saturating_sub(4).max(around.clause);
        let levels = |from: usize, to: usize| self.tokens[from..to].iter().filter_map(|token| Level::of(&token.lower));
        let level = levels(from, noun).last().or_else(|| levels(noun, around.to.min(noun + 5)).next());
        if fact.concepts & c::ALERT != 0 && fact.concepts & c::SIMILAR == 0 && level.is_some_and(|level| fact.severity != Some(level)) {
            return false;
        }
        if fact.severity.is_some() && level.is_none() {
            return false;
        }
        let countries = self.mentions.countries(around.from, around.to);
        if let Some(country) = fact.country
            && !countries.contains(&country)
        {
            return false;
        }
        let beside = self.mentions.country_after(noun + 1);
        if let Some(country) = beside
            && fact.concepts & c::TRANSACTION != 0
            && self.index.counted_countries.contains(country)
            && fact.country != Some(country)
        {
            return false;
        }
        self.agrees_on_window(fact, around)
    }

    fn agrees_on_window(&self, fact: &Fact, around: &Around) -> bool {
        let Some(said) = self.mentions.window(around) else { return true };
        let counted = self.index.counted_windows.get(&said).is_some_and(|nouns| nouns & fact.concepts != 0);
        match fact.window {
            Some(window) => window == said,
            None => fact.from == Source::Sentence || !counted,
        }
    }

    fn concepts(&self, from: usize, to: usize) -> u64 {
        self.tokens[from..to].iter().fold(0, |all, token| all | c::of(&token.lower))
    }

    /// How much the words around speak of this fact.
    fn rank(&self, fact: &Fact, around: &Around) -> (u32, u32, std::cmp::Reverse<Source>, u32) {
        let shared = (fact.concepts & around.mentioned & !c::ONE).count_ones();
        let named = (fact.concepts & around.naming).count_ones();
        let signal = fact.signal.map_or(0, |signal| u32::from(self.mentions.names(signal, around.from, around.to)));
        (named, shared + signal, std::cmp::Reverse(fact.from), u32::from(self.shares_stem(fact, around)))
    }

    fn counts<'b>(&'b self, noun: usize) -> impl Iterator<Item = (&'b Fact, Decimal)> {
        let kind = c::of(&self.tokens[noun].lower) & c::NOUNS;
        let facts = self.index.counts.iter().map(|at| &self.index.facts[*at]);
        facts.filter(move |fact| fact.concepts & kind != 0).filter_map(|fact| match fact.what {
            FactWhat::Number(value, _) => Some((fact, value)),
            _ => None,
        })
    }

    /// The third of at least three, or the next after two earlier ones.
    fn ordinal(&self, quantity: Quantity, noun: usize) -> Result<String, Reason> {
        let enough = self.counts(noun).find(|(_, value)| *value >= quantity.value - Decimal::ONE);
        enough.map(|(fact, _)| fact.path.clone()).ok_or(Reason::Absent)
    }

    fn none(&self, zero: Quantity, noun: usize, figure: &Figure, around: &Around) -> Option<Result<String, Reason>> {
        let described = self.concepts(figure.start, noun + 1) & (c::PRIOR | c::SIMILAR);
        let of: Vec<(&Fact, Decimal)> = self
            .counts(noun)
            .filter(|(fact, _)| fact.concepts & described != 0 && fact.severity.is_none() && fact.country.is_none())
            .collect();
        let level = self.tokens[figure.start..around.to].iter().any(|token| Level::of(&token.lower).is_some());
        if level || of.is_empty() {
            return None;
        }
        let found = of.iter().find(|(_, value)| *value == zero.value);
        let other = || Reason::BelongsToAnother { path: of[0].0.path.clone() };
        Some(found.map(|(fact, _)| fact.path.clone()).ok_or_else(other))
    }

    fn moment(&self, date: Option<&Date>, clock: Option<&Clock>, around: &Around) -> Result<String, Reason> {
        let matches = |moment: &Moment| {
            date.is_none_or(|date| date.matches(moment)) && clock.is_none_or(|clock| clock.matches(moment))
        };
        let facts = || self.index.moments.iter().map(|at| &self.index.facts[*at]);
        let same = |fact: &&Fact| matches!(&fact.what, FactWhat::Moment(moment) if matches(moment));
        let of_time = |fact: &&Fact| matches!(&fact.what, FactWhat::Moment(moment) if clock.is_some_and(|clock| clock.matches(moment)));
        let agreeing = facts().filter(same).filter(|fact| self.agrees_on_moment(fact, around));
        if let Some(fact) = agreeing.min_by_key(|fact| std::cmp::Reverse(self.rank(fact, around))) {
            return Ok(fact.path.clone());
        }
        let other = facts().find(same).or_else(|| facts().find(of_time));
        Err(other.map_or(Reason::Absent, |fact| Reason::BelongsToAnother { path: fact.path.clone() }))
    }

    fn agrees_on_moment(&self, fact: &Fact, around: &Around) -> bool {
        if fact.from == Source::Outside {
            return self.shares_stem(fact, around);
        }
        let said = if around.opens_sentence { around.mentioned } else { around.before };
        let (things, doings) = (said & c::DATED_THINGS, said & c::DATED_DOINGS);
        if said & c::FIRST != 0 && fact.concepts & c::FIRST == 0 && self.index.known & c::FIRST != 0 && !around.opens_sentence {
            return fact.concepts & c::ACCOUNT != 0;
        }
        if things != 0 {
            return fact.concepts & things != 0;
        }
        doings == 0 || fact.concepts & doings != 0
    }
}

fn agrees_on_duration(fact: &Fact, around: &Around) -> bool {
    let said = around.mentioned & (c::AGE | c::BASELINE);
    // The age of the account goes before the history that it has.
    let said = if said & c::AGE != 0 { c::AGE } else { said };
    fact.window.is_some() || fact.from == Source::Sentence || said == 0 || fact.concepts & said != 0 || fact.signal.is_some() && said != c::AGE
}

fn is_negative(fact: &Fact) -> bool {
    matches!(fact.what, FactWhat::Number(value, _) if value.is_sign_negative())
}

/// To fewer decimals is near, if not by more than a twentieth.
fn is_near(fact: &Fact, value: Decimal) -> bool {
    let FactWhat::Number(known, _) = fact.what else { return false };
    known.abs().checked_sub(value.abs()).is_some_and(|off| off.abs() <= known.abs() / Decimal::from(20))
}
