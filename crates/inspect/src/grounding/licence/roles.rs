//! Roles: a figure is the one that its words call it. The words around a figure name a role ("transactions in 24 hours", "in
//! total", "the last prior alert"), and the figure must be equal to what the record has in that role, not merely occur
//! somewhere in the case.

use std::ops::Range;

use rust_decimal::Decimal;

use super::record::{Event, Happening, SignalRecord};
use super::sentence::{AUXILIARY, IDIOM, Item, Named};
use super::words::words;
use super::{Check, ClaimKind, Reason, w};
use crate::grounding::calendar::{Clock, Date, Moment};
use crate::grounding::fact::Level;
use crate::grounding::figure::{Unit, What};
use crate::grounding::lex::Kind;
use crate::grounding::numeral::Quantity;

const HOUR_S: u64 = 3_600;
const DAY_S: u64 = 24 * HOUR_S;
const PAYS: &[u64] = words!["moved", "spent", "paid", "transferred", "withdrew", "bought", "purchased"];

/// A day, and the time of day where the text gives one.
#[derive(Clone, Copy)]
struct Stated {
    at: usize,
    date: Date,
    clock: Option<Clock>,
}

impl Stated {
    /// A day, or a month; not a mere year.
    fn is_whole(&self) -> bool {
        self.date.month.is_some()
    }

    fn is(&self, moment: Option<&Moment>) -> bool {
        moment.is_some_and(|moment| self.date.matches(moment) && self.clock.is_none_or(|clock| clock.matches(moment)))
    }
}

/// Whether a figure of the text is this fact, to the decimals that the text shows.
fn is_equal(said: Quantity, known: Decimal) -> bool {
    let known = known.abs();
    known == said.value || known.scale() > said.decimals && known.round_dp(said.decimals) == said.value
}

/// Letters and digits alone: `chargebacks_30d` and "chargebacks 30d" are the same field.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

impl Check<'_> {
    pub(super) fn roles(&mut self) {
        for at in 0..self.sentence.items.len() {
            let clause = self.sentence.clause_of(at);
            let item = &self.sentence.items[at];
            match item.what {
                Some(What::Number(said, Unit::Count(noun))) => {
                    let topics = self.reader.tokens[*noun].word.unwrap_or_default().topics;
                    self.counted_role(at, &clause, *said, topics);
                }
                Some(What::Number(said, Unit::Bare)) => self.bare_role(at, &clause, *said),
                Some(What::Number(said, Unit::Points)) => self.points_role(at, &clause, *said),
                Some(What::Number(said, Unit::Seconds(unit))) => self.duration_role(at, &clause, *said, *unit),
                Some(What::Number(said, Unit::Money(_) | Unit::Currency(_))) => self.money_role(at, &clause, *said),
                _ if item.claim.is_none() && item.mark.is_none() => {
                    self.small_count(at, &clause);
                    self.wording(at, &clause);
                }
                _ => {}
            }
            match self.sentence.items[at].claim {
                Some((_, ClaimKind::Id | ClaimKind::Name)) => self.name_role(at, &clause),
                Some((path, ClaimKind::Number | ClaimKind::Count)) => self.domain(at, path),
                _ => {}
            }
        }
        self.dated();
        self.prior_alert();
        self.pronoun();
        self.basis();
    }

    /// A figure belongs to a part of the record that the sentence speaks of.
    fn domain(&mut self, at: usize, path: &str) {
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
        let Some(What::Number(said, _)) = self.sentence.items[at].what else { return };
        let is_another = || self.reader.index.exactly(said.value).any(|fact| is_spoken_of(&fact.path));
        if !is_spoken_of(path) && !is_scale() && !is_another() {
            self.refuse(at, Reason::BelongsToAnother { path: path.to_owned() });
        }
    }

    /// Refuses a figure that is none of the allowed ones. Without any the role says nothing.
    fn must_be(&mut self, at: usize, said: Quantity, allowed: &[Option<Decimal>]) {
        let mut known = allowed.iter().flatten().peekable();
        if known.peek().is_none() || known.any(|known| is_equal(said, *known)) {
            return;
        }
        let path = self.sentence.items[at].path().unwrap_or_default().to_owned();
        self.refuse(at, Reason::BelongsToAnother { path });
    }

    fn named_signals(&self, range: &Range<usize>) -> impl Iterator<Item = &SignalRecord> {
        let items = &self.sentence.items[range.clone()];
        items.iter().filter_map(|item| match item.signal {
            Some(Named::Known(place)) => self.case.record.signals.get(place),
            _ => None,
        })
    }

    /// The window of an hour or of a day that a figure is counted over: the next one in its clause, else the one before.
    fn window(&self, at: usize, clause: &Range<usize>) -> Option<usize> {
        let read = |item: &Item<'_>| match item.what {
            Some(What::Number(said, Unit::Seconds(unit))) => match said.value.checked_mul(Decimal::from(*unit))? {
                seconds if seconds == Decimal::from(HOUR_S) => Some(0),
                seconds if seconds == Decimal::from(DAY_S) && *unit == HOUR_S => Some(1),
                _ => None,
            },
            _ => None,
        };
        let items = &self.sentence.items;
        let is_counted = |item: &&Item<'_>| {
            matches!(item.what, Some(What::Number(_, Unit::Count(_) | Unit::Money(_) | Unit::Currency(_))))
        };
        let next = || items[at + 1..clause.end].iter().take_while(|item| !is_counted(item));
        let before = || items[clause.start..at].iter().rev().take_while(|item| !is_counted(item)).find_map(read);
        let beside = next().take_while(|item| item.mark != Some(',')).find_map(read);
        beside.or_else(before).or_else(|| next().find_map(read))
    }

    /// "a threshold of 8", "the limits of 5 and 8", "against a limit of 5".
    fn is_limit(&self, at: usize, clause: &Range<usize>) -> bool {
        self.sentence.items[clause.start..at]
            .iter()
            .rev()
            .take(5)
            .any(|item| item.about(w::THRESHOLD) && item.claim.is_none())
    }

    fn counted_role(&mut self, at: usize, clause: &Range<usize>, said: Quantity, noun: u64) {
        if noun & w::TRANSACTION != 0 {
            self.transactions_role(at, clause, said);
        } else if noun & w::ALERT != 0 {
            self.alerts_role(at, clause, said);
        } else if noun & w::RULE != 0 {
            self.rules_role(at, said.value);
        }
    }

    fn transactions_role(&mut self, at: usize, clause: &Range<usize>, said: Quantity) {
        let record = &self.case.record;
        let acts = self.sentence.acts(clause.clone());
        let about = self.sentence.topics(clause.clone());
        let items = &self.sentence.items;
        let before = at.checked_sub(1).map(|before| &items[before]);
        let mut allowed: Vec<Option<Decimal>> = Vec::new();
        let all = || record.signals.iter();
        let daily = words!["day", "daily"];
        let is_day = |item: &Item<'_>| {
            item.is_any(daily)
                || item.what.is_some()
                    && self.reader.has_word(item, daily)
                    && !self.reader.has_word(item, words!["days"])
        };
        let is_daily = self.reader.has_word(&items[at], daily) || items[at + 1..clause.end].iter().take(3).any(is_day);
        let window = self.window(at, clause);
        if is_daily || window.is_none() && about & w::RATE != 0 && acts & w::USUAL != 0 {
            allowed.extend(all().map(|signal| signal.per_day));
            return self.must_be(at, said, &allowed);
        }
        if let Some(window) = window {
            if !self.is_limit(at, clause) {
                allowed.extend(all().map(|signal| signal.counts[window]));
            } else {
                allowed.extend(all().map(|signal| signal.count_limits[window]));
                allowed.extend(all().map(|signal| signal.threshold.filter(|_| signal.window == Some(window))));
            }
            if allowed.iter().all(Option::is_none) {
                allowed.extend(all().map(|signal| signal.value.filter(|_| signal.window == Some(window))));
            }
            return self.must_be(at, said, &allowed);
        }
        if self.is_limit(at, clause) {
            allowed.extend(
                all().flat_map(|signal| signal.count_limits.into_iter().chain([signal.threshold, signal.needed])),
            );
            return self.must_be(at, said, &allowed);
        }
        if before.is_some_and(|before| before.is(w::NEED))
            || items[at + 1..clause.end].iter().take(3).any(|item| item.is(w::NEED))
        {
            allowed.extend(all().map(|signal| signal.needed));
            return self.must_be(at, said, &allowed);
        }
        let is_part =
            items[..at].iter().rev().take_while(|item| item.is_any(words!["of", "the"])).any(|item| item.lower == "of");
        if is_part && about & w::BASELINE != 0 {
            return self.must_be(at, said, &[record.baseline_count]);
        }
        if about & w::SAME_CURRENCY != 0 {
            allowed.push(record.baseline_count);
            allowed.extend(
                all()
                    .filter(|signal| signal.needed.is_some())
                    .flat_map(|signal| signal.history.iter().copied().map(Some)),
            );
            return self.must_be(at, said, &allowed);
        }
        if let Some(country) = self.counted_country(at, clause) {
            let count = record.countries.iter().find(|(known, _)| *known == country).map(|(_, count)| *count);
            return self.must_be(at, said, &[count]);
        }
        let of_signals: Vec<Option<Decimal>> = self
            .named_signals(clause)
            .flat_map(|signal| signal.history.iter().copied().chain(signal.counts.into_iter().flatten()))
            .map(Some)
            .collect();
        let days =
            items[clause.clone()].iter().any(|item| matches!(item.what, Some(What::Number(_, Unit::Seconds(DAY_S..)))));
        let is_compared = self.sentence.has_word(clause.clone(), words!["comparison"]);
        if is_compared && record.baseline_count.is_none() && of_signals.is_empty() {
            return self.refuse(at, Reason::Unlicensed);
        }
        let is_total = !self.moneys(clause.clone()).is_empty() && self.is_total(at, clause);
        let is_baseline = about & (w::BASELINE | w::MEDIAN) != 0 || is_compared || is_total;
        allowed.push(record.baseline_count);
        if !is_baseline || record.baseline_count.is_none() && about & w::SAME_CURRENCY == 0 {
            allowed.extend([record.history_count, record.other_currencies]);
            if of_signals.is_empty() {
                allowed.extend(all().flat_map(|signal| signal.history.iter().copied().map(Some)));
            }
        }
        if acts & w::PRIOR == 0 && !is_baseline && !days && about & (w::HISTORY | w::SAME_CURRENCY) == 0 {
            allowed.extend(all().flat_map(|signal| signal.counts));
        }
        allowed.extend(of_signals);
        self.must_be(at, said, &allowed);
    }

    /// "25 transactions in Portugal", "Portugal, with 25 transactions".
    fn counted_country(&self, at: usize, clause: &Range<usize>) -> Option<&'static str> {
        let items = &self.sentence.items;
        let after = items[at + 1..clause.end].iter().take(9).take_while(|item| item.mark.is_none());
        let is_passed =
            |item: &&Item<'_>| item.claim.is_none_or(|(_, kind)| matches!(kind, ClaimKind::Country | ClaimKind::Count));
        let after = after.take_while(is_passed).find_map(|item| item.country);
        let before = items[clause.start..at].iter().rev();
        let before = before
            .skip_while(|item| item.mark == Some(',') || item.lower == "with")
            .next()
            .and_then(|item| item.country);
        before.or(after)
    }

    fn alerts_role(&mut self, at: usize, clause: &Range<usize>, said: Quantity) {
        let record = &self.case.record;
        let items = &self.sentence.items;
        let is_similar = items[at].is(w::SIMILAR)
            || items[at.saturating_sub(2)..clause.end.min(at + 3)].iter().any(|item| item.is(w::SIMILAR))
            || self.sentence.has_word(0..items.len(), words!["customers"]);
        if is_similar {
            return self.must_be(at, said, &[record.similar_alerts]);
        }
        let level = items[at + 1..clause.end]
            .iter()
            .take_while(|item| item.mark.is_none())
            .take(3)
            .find_map(|item| self.level(item));
        let by_level = level.and_then(|level| record.prior_by_level[level as usize]);
        self.must_be(at, said, &[by_level.or(record.prior_alerts)]);
    }

    /// "two of CRITICAL severity and one with LOW severity", of earlier alerts.
    fn level_count(&mut self, at: usize, said: Decimal) -> bool {
        let items = &self.sentence.items;
        let (about, acts) = (self.sentence.topics(0..items.len()), self.sentence.acts(0..items.len()));
        let after =
            items[at + 1..].iter().skip_while(|item| item.is_any(words!["of", "with", "was", "were", "at"])).next();
        let Some(level) =
            after.filter(|_| about & w::ALERT != 0 && acts & w::PRIOR != 0).and_then(|item| self.level(item))
        else {
            return false;
        };
        self.must_be(at, Quantity { value: said, decimals: 0 }, &[self.case.record.prior_by_level[level as usize]]);
        true
    }

    fn level(&self, item: &Item<'_>) -> Option<Level> {
        item.claim.filter(|(_, kind)| *kind == ClaimKind::Severity)?;
        Level::of(&self.reader.text(item).to_ascii_lowercase())
    }

    /// "nine rules in force", "one of the nine rules held", "of the two rules that held".
    fn rules_role(&mut self, at: usize, said: Decimal) {
        let record = &self.case.record;
        let items = &self.sentence.items;
        let in_force = |item: &Item<'_>| self.is_idiom(item, words!["force"]);
        let is_held = items[at + 1..].iter().take(4).any(|item| item.is(w::HELD))
            || items[..at].iter().rev().take(4).any(|item| item.lower == "conditions");
        let is_part =
            items[..at].iter().rev().take_while(|item| item.is_any(words!["of", "the"])).any(|item| item.lower == "of");
        let that = items[at + 1..].iter().take(3).any(|item| item.is_any(words!["that", "which"]));
        let is_total = items[at + 1..].iter().take(3).any(in_force)
            || items[..at].iter().rev().take(3).any(in_force) && !is_held
            || is_part && !that
            || !is_held && self.sentence.acts(0..items.len()) & (w::HELD | w::EVEN | w::FIRE) == 0;
        let is_total = is_total && !self.sentence.has_word(0..items.len(), words!["conditions"]);
        let known = if is_total { record.rules_in_force } else { record.rules_held };
        self.must_be(at, Quantity { value: said, decimals: 0 }, &[known]);
    }

    /// A small number in words that no figure took: "one rule held".
    fn small_count(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some(number) = super::SMALL.iter().position(|word| *word == items[at].lower) else { return };
        let number = Decimal::from(number as u64);
        if self.level_count(at, number) {
            return;
        }
        let next = self.sentence.items[at + 1..clause.end].first();
        if next.is_some_and(|next| next.about(w::RULE) && next.claim.is_none()) {
            self.rules_role(at, number);
        }
    }

    fn bare_role(&mut self, at: usize, clause: &Range<usize>, said: Quantity) {
        if self.level_count(at, said.value) {
            return;
        }
        let record = &self.case.record;
        let items = &self.sentence.items;
        let whole = self.sentence.topics(0..items.len());
        let is_scores = whole & w::BAND != 0 || self.sentence.has_word(clause.clone(), words!["scores"]);
        // "from 60 to 79": both edges of the band.
        let is_to = |place: usize| items.get(place).is_some_and(|item| item.is_any(words!["to", "and"]));
        let bare =
            |place: usize| matches!(items.get(place).and_then(|item| item.what), Some(What::Number(_, Unit::Bare)));
        if let (true, Some((from, to))) = (is_scores, record.band) {
            if is_to(at + 1) && bare(at + 2) {
                self.must_be(at, said, &[Some(from)]);
            } else if at > 1 && is_to(at - 1) && bare(at - 2) {
                self.must_be(at, said, &[Some(to)]);
            }
            return;
        }
        if self.is_limit(at, clause)
            && let Some(window) = self.window(at, clause)
        {
            let own = |signal: &SignalRecord| signal.threshold.filter(|_| signal.window == Some(window));
            let allowed: Vec<_> =
                record.signals.iter().flat_map(|signal| [signal.count_limits[window], own(signal)]).collect();
            return self.must_be(at, said, &allowed);
        }
        let is_scale = items[clause.start..at].iter().any(|item| item.lower == "scale");
        if is_scale {
            return self.must_be(at, said, &[record.maximum]);
        }
        // "44 of the 50 baseline transactions".
        let is_part = items[at + 1..clause.end].first().is_some_and(|next| next.lower == "of")
            && items[at + 1..clause.end].iter().take(4).any(|item| item.about(w::TRANSACTION));
        if is_part {
            return self.transactions_role(at, clause, said);
        }
        let in_force = items[clause.start..at].iter().any(|item| self.is_idiom(item, words!["force"]));
        let is_named = at > 0 && items[at - 1].is_any(words!["was", "were", "numbered"]);
        if in_force && is_named {
            return self.rules_role(at, said.value);
        }
        // `"chargebacks 30d" of 4`: the sender's own field.
        if let Some(key) = self.quoted_before(at)
            && !self.reader.index.exactly(said.value).any(|fact| letters(&fact.path).ends_with(&key))
        {
            let path = items[at].path().unwrap_or_default();
            self.contradict(at, path);
        }
    }

    /// The words of a quotation that "of" joins to what follows.
    fn quoted_before(&self, at: usize) -> Option<String> {
        let start = self.sentence.items[at].start;
        let before = self.reader.tokens[..start].split_last().filter(|(of, _)| of.is_word("of"))?.1;
        let (close, inside) = before.split_last()?;
        let Kind::Mark(mark @ ('"' | '`')) = close.kind else { return None };
        let open = inside.iter().rposition(|token| token.is_mark(mark))?;
        Some(inside[open + 1..].iter().map(|token| letters(token.text)).collect())
    }

    fn points_role(&mut self, at: usize, clause: &Range<usize>, said: Quantity) {
        let sums = words!["sum", "summed", "sums", "total", "totalled", "totaled", "together"];
        let is_sum = self.sentence.has_word(clause.clone(), sums)
            || self.sentence.items[clause.clone()].iter().any(|item| self.is_idiom(item, words!["up"]));
        let items = &self.sentence.items;
        let to = items[at + 1..clause.end].first().is_some_and(|next| next.is_any(words!["to", "for", "from"]));
        let next = items[at + 1..clause.end].iter().take(4).find_map(|item| item.signal);
        if let (true, Some(Named::Known(place))) = (to, next) {
            let points = self.case.signals[place].points.map_or(Decimal::NEGATIVE_ONE, Decimal::from);
            return self.must_be(at, said, &[Some(points)]);
        }
        if is_sum && self.sentence.signals(clause.clone()).is_empty() && !self.is_within(at) {
            self.must_be(at, said, &[self.case.record.points]);
        }
    }

    /// "within 10 points of this score".
    fn is_within(&self, at: usize) -> bool {
        at > 0 && self.sentence.items[at - 1].is(w::INSIDE)
    }

    fn is_idiom(&self, item: &Item<'_>, words: &[u64]) -> bool {
        item.lower == IDIOM && self.reader.has_word(item, words)
    }

    fn duration_role(&mut self, at: usize, clause: &Range<usize>, said: Quantity, unit: u64) {
        let record = &self.case.record;
        let Some(seconds) = said.value.checked_mul(Decimal::from(unit)) else { return };
        let about = self.sentence.topics(clause.clone());
        let is_window = unit == HOUR_S && (said.value == Decimal::ONE || said.value == Decimal::from(24));
        let whole = self.sentence.topics(0..self.sentence.items.len());
        let is_travel = whole & w::TRAVEL != 0
            && self.sentence.items.iter().any(|item| item.path().is_some_and(|path| path.contains("distance")));
        if is_travel {
            let elapsed = record.signals.iter().find_map(|signal| signal.elapsed);
            let half = Decimal::from(unit) / Decimal::TWO;
            let is_near =
                |known: Decimal| (known - seconds).abs() <= half.min(known / Decimal::TEN).max(Decimal::from(60));
            if elapsed.is_some_and(|known| !is_near(known)) {
                let path = self.sentence.items[at].path().unwrap_or_default().to_owned();
                self.refuse(at, Reason::BelongsToAnother { path });
            }
            return;
        }
        let age = words!["existed", "exists", "open", "old", "age", "since", "opened"];
        let is_age = about & (w::ACCOUNT | w::OPENING) != 0 && self.sentence.has_word(clause.clone(), age);
        let is_previous = self.sentence.has_word(clause.clone(), words!["previous", "last"])
            && self.sentence.has_word(clause.clone(), words!["transaction", "payment", "purchase"])
            && about & (w::BASELINE | w::ALERT) == 0;
        if is_previous {
            let elapsed = record.signals.iter().find_map(|signal| signal.elapsed);
            let half = Decimal::from(unit) / Decimal::TWO;
            if !elapsed.is_some_and(|known| (known - seconds).abs() <= half) && !is_window {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        }
        let days = seconds.checked_div(Decimal::from(DAY_S));
        let (Some(days), false) = (days, is_window) else {
            // An account's age and a baseline's length are days.
            if is_age {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        };
        let quantity = Quantity { value: days.normalize(), decimals: said.decimals };
        if is_age {
            return self.must_be(at, quantity, &[Some(record.account_days.unwrap_or(Decimal::NEGATIVE_ONE))]);
        }
        let acts = self.sentence.acts(clause.clone());
        let is_history = about & (w::BASELINE | w::HISTORY) != 0
            || acts & w::PRIOR != 0 && about & w::TRANSACTION != 0 && about & w::ALERT == 0;
        if is_history
            && self.sentence.has_word(clause.clone(), words!["earlier", "baseline", "comparison", "prior", "history"])
        {
            let mut allowed = vec![record.baseline_days];
            allowed.extend(self.named_signals(clause).map(|signal| signal.days));
            self.must_be(at, quantity, &allowed);
        }
    }

    fn money_role(&mut self, at: usize, clause: &Range<usize>, said: Quantity) {
        let record = &self.case.record;
        let items = &self.sentence.items;
        if let Some(window) = self.window(at, clause) {
            let is_limit = self.is_limit(at, clause);
            let sums = |signal: &SignalRecord| if is_limit { signal.sum_limits[window] } else { signal.sums[window] };
            let mut allowed: Vec<_> = record.signals.iter().map(sums).collect();
            let unit_window = |signal: &&SignalRecord| signal.window == Some(window);
            let own = |signal: &SignalRecord| if is_limit { signal.threshold } else { signal.value };
            allowed.extend(record.signals.iter().filter(unit_window).map(own));
            return self.must_be(at, said, &allowed);
        }
        let is_joined = |place: usize| items.get(place).is_some_and(|item| item.is_any(words!["to", "and"]));
        let is_money = |place: usize| {
            matches!(
                items.get(place).and_then(|item| item.what),
                Some(What::Number(_, Unit::Money(_) | Unit::Currency(_)))
            )
        };
        let starts = |place: usize| items[..place].last().is_some_and(|item| item.is_any(words!["from", "between"]));
        if starts(at) && is_joined(at + 1) && is_money(at + 2) {
            return self.must_be(at, said, &[record.smallest]);
        }
        if at > 1 && is_joined(at - 1) && is_money(at - 2) && starts(at - 2) {
            return self.must_be(at, said, &[record.largest]);
        }
        if self.is_total(at, clause) && !starts(at) {
            if self.sentence.has_word(clause.clone(), words!["hour", "hours"]) {
                return self.refuse(at, Reason::Unlicensed);
            }
            return self.must_be(at, said, &[record.total]);
        }
        // "a card-present payment of USD 40": earlier payments have no channel on record, and only this one was flagged.
        let is_of = at > 1 && items[at - 1].lower == "of" && items[at - 2].about(w::TRANSACTION);
        let is_this = self.sentence.acts(clause.start..at) & (w::CARD | w::CASH | w::WIRE | w::ONLINE) != 0
            || self.sentence.has_word(clause.clone(), words!["review", "flagged"]);
        if is_of && is_this {
            return self.must_be(at, said, &[record.amount]);
        }
        self.difference(at, clause, said);
    }

    /// Whether a clause speaks of a sum of several amounts.
    fn is_total(&self, at: usize, clause: &Range<usize>) -> bool {
        let totals = words!["total", "totalled", "totaled", "totalling", "totaling", "summed", "altogether"];
        let many = words!["transactions", "payments", "purchases", "transfers", "amounts"];
        let items = &self.sentence.items[clause.clone()];
        let amounts = || items.iter().any(|item| item.is_any(words!["amounted"]));
        self.sentence.has_word(clause.clone(), totals)
            || self.sentence.items[clause.start..at].iter().any(|item| self.is_idiom(item, words!["up"]))
            || amounts() && items.iter().any(|item| self.reader.has_word(item, many))
    }

    /// "stood USD 40 above the median", "exceeded the largest earlier amount by USD 40".
    fn difference(&mut self, at: usize, clause: &Range<usize>, said: Quantity) {
        let record = &self.case.record;
        let items = &self.sentence.items;
        let before = items[clause.start..at].last();
        let is_by = before.is_some_and(|before| before.lower == "by")
            && self.sentence.acts(clause.start..at) & (w::UP | w::DOWN) != 0;
        let is_above = items[at + 1..clause.end].first().is_some_and(|next| next.is(w::UP | w::DOWN))
            && !before.is_some_and(|before| before.is_any(words!["of", "at", "for", "to", "with", "by"]));
        if !is_by && !is_above {
            return;
        }
        let range = if is_by { clause.start..at } else { at + 1..clause.end };
        let acts = self.sentence.acts(range.clone());
        let reference = match acts {
            acts if acts & w::LARGEST != 0 => record.largest,
            acts if acts & w::SMALLEST != 0 => record.smallest,
            _ if self.sentence.topics(range) & w::MEDIAN != 0 => record.median,
            _ => return,
        };
        let difference = record.amount.zip(reference).and_then(|(amount, other)| amount.checked_sub(other));
        self.must_be(at, said, &[Some(difference.unwrap_or(Decimal::MAX))]);
    }

    /// Alert, investigation, transaction and customer have ids of their own; a merchant's name is the one on record.
    fn name_role(&mut self, at: usize, clause: &Range<usize>) {
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
        let is_id = IDS.iter().any(|(_, known)| path.ends_with(known));
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
        let said = self.reader.spoken(&items[at]);
        let is_own = |(topic, text): &(u64, String)| *topic == w::MERCHANT && text.starts_with(&said);
        if is_merchant && !is_id && items[at].signal.is_none() && !self.case.texts.iter().any(is_own) {
            self.contradict(at, "/transaction/merchant");
        }
    }

    fn stated_dates(&self, range: Range<usize>) -> Vec<Stated> {
        let items = &self.sentence.items;
        let read = |at: usize| match items[at].what? {
            What::Date(date) => {
                let beside = items[at + 1..].iter().take(3).find(|item| item.what.is_some() || item.claim.is_some());
                let clock = match beside.and_then(|item| item.what) {
                    Some(What::Clock(clock)) => Some(*clock),
                    _ => None,
                };
                Some(Stated { at, date: *date, clock })
            }
            What::Stamp(date, clock) => Some(Stated { at, date: *date, clock: Some(*clock) }),
            _ => None,
        };
        range.filter_map(read).collect()
    }

    fn moneys(&self, range: Range<usize>) -> Vec<(usize, Quantity)> {
        let read = |at: usize| match self.sentence.items[at].what? {
            What::Number(said, Unit::Money(_) | Unit::Currency(_)) => Some((at, *said)),
            _ => None,
        };
        range.filter_map(read).collect()
    }

    /// One date and one amount are of one event: the same moment, and the same country where one is named.
    fn dated(&mut self) {
        let whole = 0..self.sentence.items.len();
        let (dates, moneys) = (self.stated_dates(whole.clone()), self.moneys(whole.clone()));
        self.dated_acts(&dates);
        if dates.len() == 1 && moneys.len() == 1 {
            return self.one_event(whole, dates[0], moneys[0]);
        }
        for clause in self.sentence.clauses.clone() {
            let (dates, moneys) = (self.stated_dates(clause.clone()), self.moneys(clause.clone()));
            if let ([date], [money]) = (&dates[..], &moneys[..]) {
                self.one_event(clause, *date, *money);
            }
        }
    }

    fn one_event(&mut self, range: Range<usize>, date: Stated, (at, said): (usize, Quantity)) {
        let about = self.sentence.topics(range.clone());
        let totals = words!["total", "totalled", "totaled", "range", "ranged", "against"];
        let is_other = about & (w::BASELINE | w::MEDIAN | w::THRESHOLD | w::HISTORY) != 0
            || self.sentence.has_word(range.clone(), totals)
            || self.window(at, &range).is_some();
        if is_other {
            return;
        }
        let countries: Vec<&str> = self.sentence.items[range].iter().filter_map(|item| item.country).collect();
        let fits = |event: &Event| {
            event.amount.is_some_and(|amount| is_equal(said, amount))
                && date.is(Some(&event.at))
                && countries.iter().all(|country| event.country.as_deref() == Some(*country))
        };
        let is_known = self.case.record.events.iter().any(|event| event.happening != Happening::PriorAlert);
        if is_known && !self.case.record.events.iter().any(fits) {
            let path = self.sentence.items[at].path().unwrap_or_default().to_owned();
            self.refuse(at, Reason::BelongsToAnother { path });
        }
    }

    /// "opened the account on 3 May", "raised the alert on 3 May", "since 3 May", "from 3 to 9 May".
    fn dated_acts(&mut self, dates: &[Stated]) {
        let record = &self.case.record;
        let whole = 0..self.sentence.items.len();
        let (about, acts) = (self.sentence.topics(whole.clone()), self.sentence.acts(whole.clone()));
        if let [from, to] = dates
            && about & w::BASELINE != 0
            && self.sentence.items[from.at + 1..to.at].iter().any(|item| item.is_any(words!["to", "and", "until"]))
            && let Some((first, last)) = &record.baseline_span
        {
            for (date, moment) in [(from, first), (to, last)] {
                if !date.is(Some(moment)) {
                    self.contradict(date.at, "/baseline/first_at");
                }
            }
            return;
        }
        let [date] = dates else { return };
        let begins = self.sentence.has_word(whole.clone(), words!["activity"]) && acts & w::FIRST != 0;
        if begins || about & w::BASELINE != 0 && about & w::ALERT == 0 {
            let events = record.events.iter().filter(|event| event.happening != Happening::PriorAlert);
            let span = record.baseline_span.map_or([None, None], |(first, last)| [Some(first), Some(last)]);
            let edges = [events.map(|event| event.at).next(), span[0], span[1].filter(|_| !begins)];
            let is_edge = edges.iter().any(|edge| date.is(edge.as_ref()));
            let is_event =
                !begins && record.events.iter().any(|event| date.is(Some(&event.at)) && date.date.day.is_some());
            if !is_edge && !is_event && date.is_whole() {
                self.contradict(date.at, "/baseline/first_at");
            }
            return;
        }
        let since = date.at.checked_sub(1).is_some_and(|before| self.sentence.items[before].lower == "since");
        let is_account = about & w::ACCOUNT != 0
            && (acts & w::OPENED != 0 || since)
            && about & (w::INVESTIGATION | w::ALERT | w::TRANSACTION) == 0;
        let is_prior = acts & (w::PRIOR | w::LAST) != 0;
        let raises = acts & w::RAISED != 0 && !is_prior && about & (w::TRANSACTION | w::AMOUNT | w::ACCOUNT) == 0;
        let holds = if is_account {
            date.is(record.account.as_ref())
        } else if raises && about & w::ALERT != 0 {
            date.is(record.alert.as_ref()) || date.is(record.investigation.as_ref()) && about & w::INVESTIGATION != 0
        } else if raises && about & w::INVESTIGATION != 0 {
            date.is(record.investigation.as_ref().or(record.alert.as_ref()))
        } else {
            true
        };
        if !holds {
            let path = self.sentence.items[date.at].path().unwrap_or_default().to_owned();
            self.refuse(date.at, Reason::BelongsToAnother { path });
        }
    }

    /// What is said of an earlier alert is said of one and the same.
    fn prior_alert(&mut self) {
        for clause in self.sentence.clauses.clone() {
            let (about, acts) = (self.sentence.topics(clause.clone()), self.sentence.acts(clause.clone()));
            if about & w::ALERT == 0 || acts & (w::PRIOR | w::LAST) == 0 || acts & w::SIMILAR != 0 {
                continue;
            }
            let items = &self.sentence.items;
            let dates = self.stated_dates(clause.clone());
            let levels: Vec<Level> = items[clause.clone()].iter().filter_map(|item| self.level(item)).collect();
            let scores: Vec<(usize, Quantity)> = clause.clone().filter_map(|at| self.stated_score(at)).collect();
            let is_many =
                items[clause.clone()].iter().any(|item| matches!(item.what, Some(What::Number(_, Unit::Count(_)))));
            let [date] = &dates[..] else {
                if dates.is_empty() && !scores.is_empty() && !is_many {
                    let fits = |event: &Event| Self::is_alert(event, None, &levels, &scores);
                    if !self.case.record.prior_alert_events().any(fits) {
                        self.contradict(scores[0].0, "/timeline");
                    }
                }
                continue;
            };
            let record = &self.case.record;
            // "last on 3 May": the newest of them. "first" and "earliest": the oldest.
            let newest = record.last_alert.or_else(|| record.prior_alert_events().map(|event| event.at).next_back());
            if acts & w::LAST != 0 && !date.is(newest.as_ref()) {
                let at = date.at;
                self.contradict(at, "/correlation/last_alert_at");
                continue;
            }
            let fits = |event: &Event| Self::is_alert(event, Some(date), &levels, &scores);
            let is_newest = levels.is_empty() && scores.is_empty() && date.is(record.last_alert.as_ref());
            if acts & w::PRIOR != 0
                && about & w::TRANSACTION == 0
                && !is_newest
                && !record.prior_alert_events().any(fits)
            {
                let at = date.at;
                self.contradict(at, "/timeline");
            }
        }
    }

    fn is_alert(event: &Event, date: Option<&Stated>, levels: &[Level], scores: &[(usize, Quantity)]) -> bool {
        date.is_none_or(|date| date.is(Some(&event.at)))
            && levels.iter().all(|level| event.level == Some(*level))
            && scores.iter().all(|(_, said)| event.score.is_some_and(|score| is_equal(*said, score)))
    }

    /// A number that is called a score.
    fn stated_score(&self, at: usize) -> Option<(usize, Quantity)> {
        let items = &self.sentence.items;
        match items[at].what? {
            What::Number(said, Unit::OutOf(_)) => Some((at, *said)),
            What::Number(said, Unit::Bare) => {
                let before = items[..at].iter().rev().take(3);
                before.clone().any(|item| item.about(w::SCORE)).then_some((at, *said))
            }
            _ => None,
        }
    }

    /// "They were of HIGH severity", "That was the median": a pronoun names nothing that could be checked.
    fn pronoun(&mut self) {
        let items = &self.sentence.items;
        let Some(first) = items.iter().position(|item| item.mark.is_none()) else { return };
        let is_pronoun = items[first].is_any(words!["they", "both", "all", "these", "those", "it", "this", "that"])
            && items.get(first + 1).is_some_and(|next| next.is(w::VERB));
        let acts = self.sentence.acts(0..items.len());
        let mut last = items.iter().rev().filter(|item| item.mark.is_none());
        let is_ellipsis = last.next().is_some_and(|last| self.is_idiom(last, words!["well"]))
            && last.next().is_some_and(|verb| verb.is_any(&AUXILIARY));
        if is_ellipsis {
            return self.refuse(items.len() - 1, Reason::Unlicensed);
        }
        if !is_pronoun {
            return;
        }
        let is_many = items[first].is_any(words!["they", "both", "all", "these", "those"]);
        let claims = |wanted: ClaimKind| items.iter().any(|item| item.claim.is_some_and(|(_, kind)| kind == wanted));
        let denies = acts & (w::NOT | w::NO | w::NOTHING) != 0;
        let many_holds = !is_many
            || denies
            || !(claims(ClaimKind::Severity)
                || claims(ClaimKind::Country)
                || claims(ClaimKind::Name)
                || acts & (w::ENTER | w::CONTRIBUTE) != 0);
        let is_identity = !denies
            && items.get(first + 1).is_some_and(|verb| verb.is_any(words!["was", "is", "were", "are"]))
            && items[first + 2..].iter().take(3).any(|item| item.is(w::LARGEST | w::SMALLEST) || item.about(w::MEDIAN))
            && acts & (w::UP | w::DOWN) == 0;
        if !many_holds || is_identity {
            self.refuse(first, Reason::Unlicensed);
        }
    }

    /// An alert, a score or an assessment rests on signals that fired, and on nothing else.
    fn basis(&mut self) {
        let items = &self.sentence.items;
        for at in 0..items.len() {
            let is_basis = items[at].is_any(words!["rested", "rests", "based"])
                && items.get(at + 1).is_some_and(|next| next.lower == "on");
            let clause = self.sentence.clause_of(at);
            let subject = self.sentence.topics(clause.start..at);
            let rests = is_basis
                && subject & (w::ALERT | w::SCORE | w::SEVERITY | w::REPORT | w::INVESTIGATION) != 0
                && subject & w::HISTORY == 0;
            let is_raised = items[at].is(w::BECAUSE | w::LEAD)
                && items[at].claim.is_none()
                && self.sentence.acts(0..items.len()) & w::RAISED != 0
                && self.sentence.topics(0..items.len()) & w::ALERT != 0;
            if !rests && !is_raised {
                continue;
            }
            let denies = self.sentence.acts(0..items.len()) & (w::NO | w::NOT | w::NOTHING | w::CLEAR | w::ABSENT) != 0;
            let named = self.sentence.signals(if rests { at..clause.end } else { 0..items.len() });
            let fired = |named: &Named| matches!(named, Named::Known(place) if self.case.fired().any(|fired| fired == *place) || self.case.is_reported(*place));
            let rule = items[at..clause.end]
                .iter()
                .any(|item| item.about(w::RULE) || item.path().is_some_and(|path| path.contains("/flags/")));
            let speaks = self.sentence.topics(at..clause.end) & (w::SIGNAL | w::VALUE | w::POINTS) != 0;
            let holds = named.iter().all(fired) && (!rests || !named.is_empty() || rule || speaks);
            if !holds && !denies {
                return self.refuse(at, Reason::Unlicensed);
            }
        }
    }

    /// Words that are true of certain things only.
    fn wording(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        let about = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        let denies = acts & (w::NO | w::NOT | w::NOTHING | w::ABSENT) != 0;
        let next = items[at + 1..clause.end].iter().find(|item| item.topics & !w::TIME != 0 || item.claim.is_some());
        let scored = about & (w::SCORE | w::SEVERITY) != 0 || about & w::ALERT != 0 && acts & w::RAISED != 0;
        let has_country = || items[clause.clone()].iter().any(|item| item.country.is_some());
        let holds = match item.lower {
            // Only addresses, devices and funds are withheld.
            "withheld" => {
                about & (w::DEVICE | w::NETWORK | w::SOURCE | w::DESTINATION) != 0
                    || about & (w::ACCOUNT | w::MERCHANT | w::LOCATION | w::AMOUNT | w::SCORE) == 0
                        && acts & w::CARD == 0
            }
            "left" => {
                about & w::OUTCOME_OF_REVIEW == 0
                    && !items[at + 1..clause.end].first().is_some_and(|next| next.lower == "to")
                    || items[at + 1..clause.end].iter().any(|item| item.about(w::PERSON))
            }
            "received" => {
                self.is_passive(at, clause)
                    || items[clause.start..at].last().is_some_and(|before| before.lower == "as")
                    || next.is_some_and(|next| next.about(w::SCORE | w::SEVERITY))
            }
            "by" => !next.is_some_and(|next| next.about(w::MERCHANT)),
            "assigned" => about & (w::SCORE | w::SEVERITY | w::POINTS | w::INVESTIGATION) != 0,
            "scores" => self.is_band_of(clause),
            "one" if at > 0 && items[at - 1].lower == "this" => {
                let place = items[at + 1..clause.end].iter().take(2).find_map(|item| item.country);
                let is_end = |place: &str| self.case.route.as_ref().is_some_and(|(_, to)| to == place);
                place.is_none_or(|place| self.case.is_here(place) || is_end(place))
            }
            "maximum" if acts & w::REACHED != 0 => self.case.is_full_score() != denies,
            // Who gave the score: the detector its own, a sender that of an outside alert.
            _ if item.about(w::SENDER) && scored && !self.case.is_external => {
                about & w::TRANSACTION != 0 && about & (w::SCORE | w::SEVERITY) == 0 || denies
            }
            _ if item.about(w::LOCATION)
                && item.claim.is_none()
                && item.topics == w::LOCATION
                && !denies
                && acts & w::STATE != 0 =>
            {
                self.case.present & w::LOCATION != 0
                    || acts & (w::PRIOR | w::NEW | w::USUAL | w::OTHER) != 0
                    || about & (w::BASELINE | w::SIGNAL) != 0
            }
            _ if item.about(w::SENDER) && acts & w::OPENED != 0 => about & w::INVESTIGATION == 0,
            _ if item.about(w::DETECTOR) && scored && self.case.is_external => denies,
            IDIOM if self.is_idiom(item, words!["went"]) && item.is(w::VERB) && !item.is(w::COMPLETE) => {
                next.is_some_and(|next| next.about(w::MERCHANT))
            }
            IDIOM if self.is_idiom(item, words!["close"]) => self.case.is_too_fast,
            _ if item.is(w::FIT) && denies && about & w::TRAVEL != 0 => self.case.is_too_fast,
            _ if item.is(w::CONTRIBUTE) && item.is(w::VERB) => self.may_contribute(at, clause, denies),
            _ if item.is(w::MEASURE) && item.is(w::VERB) || item.is_any(words!["produced", "yielded", "returned"]) => {
                let compares = item.is_any(words!["compared", "compares"])
                    && (about & w::HISTORY != 0 || acts & w::PRIOR != 0)
                    && about & w::LOCATION == 0
                    && !has_country();
                self.has_result(clause, denies) && (denies || !compares || self.case.present & w::BASELINE != 0)
            }
            // "The score was not available": score and severity always are.
            _ if item.is(w::STATE | w::ABSENT) && denies && about & (w::SCORE | w::SEVERITY) != 0 => {
                let others = w::POINTS
                    | w::CAP
                    | w::COMPOSITION
                    | w::SIGNAL
                    | w::VALUE
                    | w::THRESHOLD
                    | w::RULE
                    | w::HISTORY
                    | w::EVIDENCE
                    | w::IMPACT
                    | w::BASELINE
                    | w::MEDIAN;
                about & others != 0
                    || items[clause.clone()].iter().any(|item| item.claim.is_some() || item.lower == "how")
            }
            _ if item.about(w::THRESHOLD) && acts & w::STATE != 0 && !denies && item.claim.is_none() => {
                self.sentence.signals(clause.clone()).iter().all(|named| self.has_threshold(*named))
            }
            _ if item.is(w::UP | w::DOWN)
                && items[at + 1..clause.end].iter().take(2).any(|item| item.about(w::BAND)) =>
            {
                !self.case.agrees_with_severity || denies
            }
            _ if item.is(w::MADE) && item.is_any(PAYS) => acts & w::PRIOR != 0 || self.may_have_paid(clause, acts),
            "all" | "every" if about & w::TRANSACTION != 0 => self.is_everywhere(clause),
            _ if item.is(w::OPENED) && about & w::ACCOUNT != 0 => !has_country(),
            _ if item.is(w::LARGEST | w::SMALLEST) => acts & w::SIMILAR == 0 && !self.is_multiple(clause),
            _ if item.is(w::LEAD) && about & w::INVESTIGATION != 0 && about & w::ALERT != 0 => acts & w::PRIOR == 0,
            _ if item.is(w::BECAUSE) && about & w::ALERT != 0 && acts & w::PRIOR != 0 => {
                acts & w::RAISED != 0 || self.sentence.topics(0..items.len()) & w::SCORE == 0
            }
            _ if matches!(item.signal, Some(Named::Missing))
                && acts & (w::INSIDE | w::CLEAR | w::FIRE | w::MEASURE) != 0 =>
            {
                denies && acts & w::INSIDE == 0
            }
            _ if item.lower.contains('_') && (about & w::RULE != 0 || acts & w::FIRE != 0) => {
                item.signal.is_some() || self.case.has_rule(item.lower)
            }
            _ if item.about(w::COMPOSITION) && item.is(w::VERB) || self.gives_score(at, clause) => {
                denies || self.case.explains_score()
            }
            _ if item.about(w::RULE) && item.claim.is_none() && acts & w::HELD != 0 => {
                self.case.signal("rule flags").is_some()
            }
            _ => true,
        };
        if !holds {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    fn is_passive(&self, at: usize, clause: &Range<usize>) -> bool {
        let before = self.sentence.items[clause.start..at].iter().rev().take(2);
        before.clone().any(|item| item.is_any(words!["was", "were", "been", "is", "are"]))
    }

    fn has_threshold(&self, named: Named) -> bool {
        matches!(named, Named::Known(place) if self.case.signals[place].has_threshold)
    }

    /// "contributed 44 points, which gave the risk score of 44".
    fn gives_score(&self, at: usize, clause: &Range<usize>) -> bool {
        let items = &self.sentence.items;
        let next = self.sentence.topics(at + 1..clause.end.min(at + 6));
        items[at].is(w::LEAD)
            && next & w::SCORE != 0
            && self.sentence.topics(0..items.len()) & (w::POINTS | w::SIGNAL | w::VALUE) != 0
            || items[at].is_any(words!["comes", "came"])
                && self.sentence.topics(clause.start..at) & w::SCORE != 0
                && next & w::SIGNAL != 0
    }

    /// "2.4 times the median": the multiple is that of the amount under review.
    fn is_multiple(&self, clause: &Range<usize>) -> bool {
        let is_times = |item: &Item<'_>| matches!(item.what, Some(What::Number(_, Unit::Times)));
        self.sentence.items[clause.clone()].iter().any(is_times)
    }

    /// Points come from signals.
    fn may_contribute(&self, at: usize, clause: &Range<usize>, denies: bool) -> bool {
        let never = w::ALERT
            | w::DEVICE
            | w::NETWORK
            | w::LOCATION
            | w::BASELINE
            | w::SENDER
            | w::CUSTOMER
            | w::MERCHANT
            | w::HISTORY
            | w::ACCOUNT
            | w::CATEGORY
            | w::CHANNEL
            | w::INVESTIGATION
            | w::PERSON
            | w::MEDIAN;
        let subject = &self.sentence.items[clause.start..at];
        let has_signal =
            subject.iter().any(|item| item.signal.is_some() || item.about(w::SIGNAL | w::POINTS | w::RULE | w::VALUE));
        denies || has_signal || !subject.iter().any(|item| item.about(never))
    }

    /// A signal without a result has measured nothing.
    fn has_result(&self, clause: &Range<usize>, denies: bool) -> bool {
        let named = self.sentence.signals(clause.clone());
        let [Named::Known(place)] = named[..] else { return true };
        denies || self.case.has_result(place)
    }

    /// "Scores below 60 belong to another severity": the case's own severity has the band alone.
    fn is_band_of(&self, clause: &Range<usize>) -> bool {
        let acts = self.sentence.acts(clause.clone());
        let items = &self.sentence.items[clause.clone()];
        let names_level = items.iter().any(|item| self.level(item).is_some());
        let is_beyond = acts & (w::UP | w::DOWN) != 0;
        let is_other = acts & w::OTHER != 0;
        !(names_level && is_beyond && !is_other || is_other && !is_beyond)
    }

    /// An attempted payment moved nothing.
    fn may_have_paid(&self, clause: &Range<usize>, acts: u64) -> bool {
        let attempted = self.case.status == super::case::Status::Attempted;
        let amount = self.case.record.amount;
        let is_amount =
            self.moneys(clause.clone()).iter().any(|(_, said)| amount.is_some_and(|amount| is_equal(*said, amount)));
        !attempted || !is_amount || acts & (w::ATTEMPT | w::NOT) != 0
    }

    /// "all took place in Portugal": the baseline has no other country.
    fn is_everywhere(&self, clause: &Range<usize>) -> bool {
        let items = &self.sentence.items[clause.clone()];
        let is_city =
            |item: &Item<'_>| item.country.is_none() && item.path().is_some_and(|path| path.contains("/location/"));
        let country = items.iter().find_map(|item| item.country);
        let record = &self.case.record;
        let is_only = |country: &str| matches!(&record.countries[..], [(known, count)] if known == country && Some(*count) == record.baseline_count);
        country.map_or(!items.iter().any(is_city), is_only)
    }
}
