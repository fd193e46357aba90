//! Stage 7, licence, rules on roles: a figure must be the one that the words call it. The words around a figure name a role
//! ("transactions in 24 hours", "in total", "the last prior alert"). The figure must equal the value that the record has for
//! that role (`case_figures.rs`). It is not enough that it occurs somewhere in the case.
//!
//! | file         | job                                                                                   |
//! |--------------|---------------------------------------------------------------------------------------|
//! | `counts.rs`  | transactions, alerts, rules, points, the edges of the band                            |
//! | `amounts.rs` | amounts of money and durations                                                        |
//! | `dates.rs`   | dates and details that belong to one event, or to one earlier alert                   |
//! | `earlier.rs` | what is on record about earlier transactions and alerts                               |
//! | `parties.rs` | who paid, raised, added or stated something                                           |
//! | `scope.rs`   | statements about all, about a part, about a sum, or about one element of a sequence   |
//! | `wording.rs` | words that are true of certain things only                                            |

mod amounts;
mod counts;
mod dates;
mod earlier;
mod parties;
mod scope;
mod wording;

use std::ops::Range;

use rust_decimal::Decimal;

use super::case_figures::SignalFigures;
use super::sentence::{IDIOM, Item, NamedSignal};
use super::vocabulary::{WordList, words};
use super::{ClaimKind, Reason, SMALL_NUMBERS, SentenceCheck, w};
use crate::calendar::{Date, Moment, TimeOfDay};
use crate::fact::SeverityLevel;
use crate::figure::{FigureValue, Unit};
use countersign_text::numbers::Quantity;

const HOUR_S: u64 = 3_600;
const DAY_S: u64 = 24 * HOUR_S;
/// No figure of a text has this value. If it is the only allowed value, [`SentenceCheck::must_be`] refuses every figure, for a
/// role without a value on record, instead of leaving the figure unchecked.
const NO_FIGURE: Decimal = Decimal::NEGATIVE_ONE;
/// Words for paying.
const PAYS: &WordList = words!["moved", "spent", "paid", "transferred", "withdrew", "bought", "purchased"];

/// A date, with the time of day if the text gives one.
#[derive(Clone, Copy)]
struct StatedDate {
    at: usize,
    date: Date,
    clock: Option<TimeOfDay>,
}

impl StatedDate {
    fn has_month(&self) -> bool {
        self.date.month.is_some()
    }

    fn is(&self, moment: Option<&Moment>) -> bool {
        moment.is_some_and(|moment| self.date.matches(moment) && self.clock.is_none_or(|clock| clock.matches(moment)))
    }
}

/// Whether a figure of the text equals a known value, rounded to the decimals that the text shows.
fn is_equal(stated: Quantity, known: Decimal) -> bool {
    let known = known.abs();
    known == stated.value || known.scale() > stated.decimals && known.round_dp(stated.decimals) == stated.value
}

/// Keeps letters and digits only, so that `chargebacks_30d` equals "chargebacks 30d".
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl SentenceCheck<'_> {
    pub(crate) fn check_roles(&mut self) {
        for at in 0..self.sentence.items.len() {
            let item = &self.sentence.items[at];
            if item.is_mark_or_article() {
                continue;
            }
            let clause = self.sentence.clause_of(at);
            match item.figure {
                Some(FigureValue::Number(stated, Unit::Count(noun))) => {
                    let topics = self.reader.tokens[*noun].sense.unwrap_or_default().topics;
                    self.check_count(at, &clause, *stated, topics);
                }
                Some(FigureValue::Number(stated, Unit::Bare)) => self.check_bare_number(at, &clause, *stated),
                Some(FigureValue::Number(stated, Unit::Points)) => self.check_points(at, &clause, *stated),
                Some(FigureValue::Number(stated, Unit::Seconds(unit))) => {
                    self.check_duration(at, &clause, *stated, *unit)
                }
                Some(FigureValue::Number(stated, Unit::Money(_) | Unit::Currency(_))) => {
                    self.check_money(at, &clause, *stated)
                }
                _ if item.claim.is_none() => {
                    self.check_small_count(at, &clause);
                    self.check_word(at, &clause);
                }
                _ => {}
            }
            match self.sentence.items[at].claim {
                Some((_, ClaimKind::Id | ClaimKind::Name)) => {
                    self.check_name(at, &clause);
                    self.check_currency(at, &clause);
                }
                Some((path, ClaimKind::Number | ClaimKind::Count)) => self.check_domain(at, path),
                Some((path, ClaimKind::Severity)) => self.check_severity(at, &clause, path),
                _ => {}
            }
        }
        self.check_dates();
        self.check_prior_alert();
        self.check_pronoun();
        self.check_basis();
        self.check_scope();
        self.check_earlier_events();
    }

    /// In "settled in KWD", a currency without an amount must be this transaction's, unless the words are about other
    /// transactions.
    fn check_currency(&mut self, at: usize, clause: &Range<usize>) {
        let stated = self.reader.text(&self.sentence.items[at]);
        let is_code = stated.len() == 3 && stated.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_other = self.sentence.acts(clause.clone()) & (w::PRIOR | w::OTHER) != 0
            || self.sentence.topics(clause.clone()) & w::BASELINE != 0;
        // Refuse "18 transactions in USD within 1 hour": counts include all currencies.
        let items = &self.sentence.items;
        let counted = at.checked_sub(3).filter(|_| items[at - 1].lower == "in");
        let is_counted = |count: usize| matches!(items[count].figure, Some(FigureValue::Number(_, Unit::Count(_))));
        if is_code && counted.is_some_and(|count| is_counted(count) && self.window(count, clause).is_some()) {
            return self.refuse(at, Reason::Unlicensed);
        }
        let Some(currency) = self.case.figures.currency.as_deref().filter(|_| is_code && !is_other) else { return };
        if self.reader.index.currencies.contains_key(stated) && stated != currency {
            self.contradict(at, "/transaction/amount/currency");
        }
    }

    /// The severity of an earlier alert may only be used in a statement about earlier alerts, or in a count: "two of
    /// HIGH severity".
    fn check_severity(&mut self, at: usize, clause: &Range<usize>, path: &str) {
        let items = &self.sentence.items;
        let is_earlier = path.starts_with("/correlation/") || path.starts_with("/timeline/");
        let (about, acts) = (self.sentence.topics(clause.clone()), self.sentence.acts(clause.clone()));
        let says_earlier = about & w::ALERT != 0 && acts & (w::PRIOR | w::LAST | w::SIMILAR) != 0;
        let is_number = |item: &Item<'_>| item.figure.is_some() || SMALL_NUMBERS.contains(&item.lower);
        let is_counted = items[..at].iter().rev().take(4).take_while(|item| item.mark.is_none()).any(is_number);
        if is_earlier && !says_earlier && !is_counted {
            return self.contradict(at, "/case/severity");
        }
        // Refuse "One of the prior alerts was of CRITICAL severity" if only the case itself has that severity.
        let count = self.level(&items[at]).and_then(|level| self.case.figures.prior_by_level[level as usize]);
        let is_of_prior_alerts = about & w::ALERT != 0 && acts & w::PRIOR != 0 && about & w::SCORE == 0;
        if is_of_prior_alerts && acts & (w::SIMILAR | w::NO | w::NOT) == 0 && count == Some(Decimal::ZERO) {
            self.contradict(at, "/correlation/prior_alerts_by_severity");
        }
    }

    /// The sentence must mention the part of the record that a figure belongs to.
    pub(crate) fn check_domain(&mut self, at: usize, path: &str) {
        const DOMAINS: [(&str, u64); 5] = [
            ("/correlation/", w::ALERT),
            ("/timeline/", w::ALERT | w::SCORE | w::TRANSACTION),
            ("/subject/", w::TRANSACTION | w::ACCOUNT | w::CUSTOMER | w::HISTORY | w::OPENING),
            ("/score/", w::SCORE | w::POINTS | w::BAND | w::SEVERITY | w::CAP),
            ("/baseline/", w::BASELINE | w::MEDIAN | w::TRANSACTION | w::AMOUNT | w::HISTORY),
        ];
        let about = self.sentence.topics(0..self.sentence.items.len());
        let is_spoken_of = |path: &str| {
            let domain = DOMAINS.iter().find(|(start, _)| path.starts_with(start));
            domain.is_none_or(|(_, topics)| about & topics != 0)
        };
        let is_scale = || self.sentence.has_word(0..self.sentence.items.len(), words!["scale"]);
        let Some(FigureValue::Number(stated, _)) = self.sentence.items[at].figure else { return };
        let is_another_fact = || self.reader.index.exactly(stated.value).any(|fact| is_spoken_of(&fact.path));
        if !is_spoken_of(path) && !is_scale() && !is_another_fact() {
            self.refuse(at, Reason::BelongsToAnother { path: path.to_owned() });
        }
    }

    /// Refuses a figure that equals none of the allowed values. If the record has no value for the role, the figure is
    /// not checked.
    pub(crate) fn must_be(&mut self, at: usize, stated: Quantity, allowed: &[Option<Decimal>]) {
        let mut known = allowed.iter().flatten().peekable();
        if known.peek().is_none() || known.any(|known| is_equal(stated, *known)) {
            return;
        }
        let path = self.sentence.items[at].path().unwrap_or_default().to_owned();
        self.refuse(at, Reason::BelongsToAnother { path });
    }

    /// The figures of the signals that a range of items names.
    pub(crate) fn named_signals(&self, range: &Range<usize>) -> impl Iterator<Item = &SignalFigures> {
        let items = &self.sentence.items[range.clone()];
        items.iter().filter_map(|item| match item.signal {
            Some(NamedSignal::Known(place)) => self.case.figures.signals.get(place),
            _ => None,
        })
    }

    /// The window (0 for an hour, 1 for a day) that a figure is counted over: the next one in its clause up to a comma, or else
    /// the previous one, or else the next one after the comma.
    pub(crate) fn window(&self, at: usize, clause: &Range<usize>) -> Option<usize> {
        let read = |item: &Item<'_>| match item.figure {
            Some(FigureValue::Number(stated, Unit::Seconds(unit))) => {
                match stated.value.checked_mul(Decimal::from(*unit))? {
                    seconds if seconds == Decimal::from(HOUR_S) => Some(0),
                    seconds if seconds == Decimal::from(DAY_S) && *unit == HOUR_S => Some(1),
                    _ => None,
                }
            }
            _ => None,
        };
        let items = &self.sentence.items;
        let is_counted = |item: &&Item<'_>| {
            matches!(item.figure, Some(FigureValue::Number(_, Unit::Count(_) | Unit::Money(_) | Unit::Currency(_))))
        };
        let next = || items[at + 1..clause.end].iter().take_while(|item| !is_counted(item));
        let before = || items[clause.start..at].iter().rev().take_while(|item| !is_counted(item)).find_map(read);
        let before_comma = next().take_while(|item| item.mark != Some(',')).find_map(read);
        before_comma.or_else(before).or_else(|| next().find_map(read))
    }

    /// Whether a figure is called a limit: "a threshold of 8", "the limits of 5 and 8", "against a limit of 5".
    pub(crate) fn is_limit(&self, at: usize, clause: &Range<usize>) -> bool {
        self.sentence.items[clause.start..at]
            .iter()
            .rev()
            .take(5)
            .any(|item| item.about(w::THRESHOLD) && item.claim.is_none())
    }

    /// The severity that an item claims.
    pub(crate) fn level(&self, item: &Item<'_>) -> Option<SeverityLevel> {
        item.claim.filter(|(_, kind)| *kind == ClaimKind::Severity)?;
        SeverityLevel::of(&self.reader.text(item).to_ascii_lowercase())
    }

    /// Whether an item is an idiom with one of these words.
    pub(crate) fn is_idiom(&self, item: &Item<'_>, words: &WordList) -> bool {
        item.lower == IDIOM && self.reader.has_word(item, words)
    }

    /// Checks that an id belongs to the thing that the words name, and that a merchant's name is the one on record.
    pub(crate) fn check_name(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, _)) = items[at].claim else { return };
        const IDS: [(u64, &str); 5] = [
            (w::ALERT, "/case/alert_id"),
            (w::INVESTIGATION, "/case/investigation_id"),
            (w::TRANSACTION, "/transaction/transaction_id"),
            (w::CUSTOMER, "/subject/user_id"),
            (w::RULES_VERSION, "rules_hash"),
        ];
        let before = items[clause.start..at].iter().rev().filter(|item| item.mark.is_none());
        let label = before.clone().take(3).find(|item| item.topics & !w::TIME != 0 && item.claim.is_none());
        let is_shared = self.case.has_shared_id && ["/case/alert_id", "/transaction/transaction_id"].contains(&path);
        let is_id = IDS.iter().any(|(_, known)| path.ends_with(known)) && !is_shared;
        if let (Some(label), true) = (label, is_id) {
            let called = IDS.iter().find(|(topic, _)| label.about(*topic));
            if called.is_some_and(|(_, known)| !path.ends_with(known)) {
                return self.contradict(at, path);
            }
        }
        let is_recorded = before.clone().take(2).map(|item| item.lower).eq(["as", "recorded"]);
        if is_id && is_recorded && path != "/transaction/transaction_id" {
            return self.contradict(at, path);
        }
        let is_merchant = before.take(2).any(|item| item.about(w::MERCHANT) && item.claim.is_none());
        let stated = self.reader.normalised(&items[at]);
        let is_own = |(topic, text): &(u64, String)| *topic == w::MERCHANT && text.starts_with(&stated);
        if is_merchant && !is_id && items[at].signal.is_none() && !self.case.texts.iter().any(is_own) {
            self.contradict(at, "/transaction/merchant");
        }
    }
}
