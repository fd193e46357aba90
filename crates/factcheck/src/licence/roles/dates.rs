//! Stage 7, licence, rules on roles (`mod.rs` explains them): a date belongs to one event, and everything that a clause says
//! about an earlier alert belongs to one alert.

use std::ops::Range;

use super::{NO_FIGURE, StatedDate, is_equal};
use crate::fact::SeverityLevel;
use crate::figure::{FigureValue, Unit};
use crate::licence::case_figures::{CaseEvent, EventKind};
use crate::licence::vocabulary::words;
use crate::licence::{Reason, SentenceCheck, w};
use countersign_text::numbers::Quantity;

impl SentenceCheck<'_> {
    /// The dates in a range of items, each with the time of day right after it.
    pub(super) fn stated_dates(&self, range: Range<usize>) -> Vec<StatedDate> {
        let items = &self.sentence.items;
        let read = |at: usize| match items[at].figure? {
            FigureValue::Date(date) => {
                let next = items[at + 1..].iter().take(3).find(|item| item.figure.is_some() || item.claim.is_some());
                let clock = match next.and_then(|item| item.figure) {
                    Some(FigureValue::TimeOfDay(clock)) => Some(*clock),
                    _ => None,
                };
                Some(StatedDate { at, date: *date, clock })
            }
            FigureValue::Timestamp(date, clock) => Some(StatedDate { at, date: *date, clock: Some(*clock) }),
            _ => None,
        };
        range.filter_map(read).collect()
    }

    /// The amounts of money in a range of items, each with the index of its item.
    pub(super) fn stated_amounts(&self, range: Range<usize>) -> Vec<(usize, Quantity)> {
        let read = |at: usize| match self.sentence.items[at].figure? {
            FigureValue::Number(stated, Unit::Money(_) | Unit::Currency(_)) => Some((at, *stated)),
            _ => None,
        };
        range.filter_map(read).collect()
    }

    /// Checks what the sentence says about its dates. Also, a sentence or clause with one date and one amount must describe
    /// one event; if it names a country, that must be the event's too.
    pub(super) fn check_dates(&mut self) {
        let whole = 0..self.sentence.items.len();
        let dates = self.stated_dates(whole.clone());
        if dates.is_empty() {
            return;
        }
        let amounts = self.stated_amounts(whole.clone());
        self.check_dated_statement(&dates);
        if dates.len() == 1 && amounts.len() == 1 {
            return self.check_one_event(whole, dates[0], amounts[0]);
        }
        for clause in self.sentence.clauses.clone() {
            let (dates, amounts) = (self.stated_dates(clause.clone()), self.stated_amounts(clause.clone()));
            if let ([date], [amount]) = (&dates[..], &amounts[..]) {
                self.check_one_event(clause, *date, *amount);
            }
        }
    }

    /// Checks that one event has this date and amount, and the country that the range names.
    pub(super) fn check_one_event(&mut self, range: Range<usize>, date: StatedDate, (at, stated): (usize, Quantity)) {
        let about = self.sentence.topics(range.clone());
        let totals = words!["total", "totalled", "totaled", "range", "ranged", "against"];
        // A median, a limit or a total is not the amount of one event, and neither is an amount beside a span of time.
        let is_aggregate = about & (w::BASELINE | w::MEDIAN | w::THRESHOLD | w::HISTORY) != 0
            || self.sentence.has_word(range.clone(), totals)
            || self.window(at, &range).is_some();
        if is_aggregate {
            return;
        }
        let countries: Vec<&str> = self.sentence.items[range].iter().filter_map(|item| item.country).collect();
        let fits = |event: &CaseEvent| {
            event.amount.is_some_and(|amount| is_equal(stated, amount))
                && date.is(Some(&event.at))
                && countries.iter().all(|country| event.country.as_deref() == Some(*country))
        };
        // Without transactions on record there is nothing to compare with.
        let has_transactions = self.case.figures.events.iter().any(|event| event.kind != EventKind::PriorAlert);
        if has_transactions && !self.case.figures.events.iter().any(fits) {
            let path = self.sentence.items[at].path().unwrap_or_default().to_owned();
            self.refuse(at, Reason::BelongsToAnother { path });
        }
    }

    /// Checks a date, or a range of dates, against what the sentence says happened then:
    ///
    /// - "The baseline runs from 3 to 9 May": the dates of its first and last transactions.
    /// - "The largest (or smallest) earlier payment was made on 3 May": the date of such a payment.
    /// - "Activity was first recorded on 3 May": the date of the first transaction.
    /// - Any other sentence about the baseline, such as "The baseline covers 3 May": its first or last date, or the full date
    ///   of any event on record. A date without a month is not checked.
    /// - "The account was opened on 3 May", "an account since 3 May": the account's opening.
    /// - "The alert was raised on 3 May", "the investigation was opened on 3 May": that event's date.
    pub(super) fn check_dated_statement(&mut self, dates: &[StatedDate]) {
        let figures = &self.case.figures;
        let whole = 0..self.sentence.items.len();
        let (about, acts) = (self.sentence.topics(whole.clone()), self.sentence.acts(whole.clone()));
        // "The baseline runs from 3 to 9 May."
        if let [from, to] = dates
            && about & w::BASELINE != 0
            && self.sentence.items[from.at + 1..to.at].iter().any(|item| item.is_any(words!["to", "and", "until"]))
            && let Some((first, last)) = &figures.baseline_span
        {
            for (date, moment) in [(from, first), (to, last)] {
                if !date.is(Some(moment)) {
                    self.contradict(date.at, "/baseline/first_at");
                }
            }
            return;
        }
        let [date] = dates else { return };
        // "The largest earlier payment was made on 3 May."
        let amounts = self.stated_amounts(whole.clone());
        if acts & (w::LARGEST | w::SMALLEST) != 0 && about & (w::TRANSACTION | w::AMOUNT) != 0 && amounts.is_empty() {
            let extreme = if acts & w::LARGEST != 0 { figures.largest } else { figures.smallest };
            let fits = |event: &CaseEvent| {
                event.kind == EventKind::PriorTransaction
                    && extreme.is_some()
                    && event.amount == extreme
                    && date.is(Some(&event.at))
            };
            if !figures.events.iter().any(fits) {
                self.contradict(date.at, "/baseline/largest_amount");
            }
            return;
        }
        // "Activity was first recorded on 3 May." Only the first transaction has this date.
        let says_first_activity = self.sentence.has_word(whole.clone(), words!["activity"]) && acts & w::FIRST != 0;
        if says_first_activity || about & w::BASELINE != 0 && about & w::ALERT == 0 {
            let transactions = figures.events.iter().filter(|event| event.kind != EventKind::PriorAlert);
            let span = figures.baseline_span.map_or([None, None], |(first, last)| [Some(first), Some(last)]);
            let edges = [transactions.map(|event| event.at).next(), span[0], span[1].filter(|_| !says_first_activity)];
            let is_edge = edges.iter().any(|edge| date.is(edge.as_ref()));
            let is_event = !says_first_activity
                && figures.events.iter().any(|event| date.is(Some(&event.at)) && date.date.day.is_some());
            if !is_edge && !is_event && date.has_month() {
                self.contradict(date.at, "/baseline/first_at");
            }
            return;
        }
        // "The account was opened on 3 May" or "an account since 3 May".
        let since = date.at.checked_sub(1).is_some_and(|before| self.sentence.items[before].lower == "since");
        let is_account = about & w::ACCOUNT != 0
            && (acts & w::OPENED != 0 || since)
            && about & (w::INVESTIGATION | w::ALERT | w::TRANSACTION) == 0;
        let is_prior = acts & (w::PRIOR | w::LAST) != 0;
        // "The alert was raised on 3 May." A sentence about a payment or an earlier alert may give that event's date.
        let raises = acts & w::RAISED != 0 && !is_prior && about & (w::TRANSACTION | w::AMOUNT | w::ACCOUNT) == 0;
        let holds = if is_account {
            date.is(figures.account.as_ref())
        } else if raises && about & w::ALERT != 0 {
            // "The alert led to an investigation, opened on 3 May."
            let is_of_investigation = about & w::INVESTIGATION != 0 && date.is(figures.investigation.as_ref());
            date.is(figures.alert.as_ref()) || is_of_investigation
        } else if raises && about & w::INVESTIGATION != 0 {
            date.is(figures.investigation.as_ref().or(figures.alert.as_ref()))
        } else {
            true
        };
        if !holds {
            let path = self.sentence.items[date.at].path().unwrap_or_default().to_owned();
            self.refuse(date.at, Reason::BelongsToAnother { path });
        }
    }

    /// Checks what each clause says about earlier alerts:
    ///
    /// - "The highest score was 71": the highest (or lowest) score of an earlier alert.
    /// - "MEDIUM on 12 June and HIGH on 21 June": each date has its severity.
    /// - A score without a date: some earlier alert has it, and the severities that the clause names.
    /// - "The last alert was on 3 May": the date of the newest earlier alert.
    /// - A date with a severity or a score: all of them belong to the same earlier alert.
    pub(super) fn check_prior_alert(&mut self) {
        let whole = 0..self.sentence.items.len();
        if self.sentence.topics(whole.clone()) & w::ALERT == 0 || self.sentence.acts(whole) & (w::PRIOR | w::LAST) == 0
        {
            return;
        }
        for clause in self.sentence.clauses.clone() {
            let (about, acts) = (self.sentence.topics(clause.clone()), self.sentence.acts(clause.clone()));
            if about & w::ALERT == 0 || acts & (w::PRIOR | w::LAST) == 0 || acts & w::SIMILAR != 0 {
                continue;
            }
            let items = &self.sentence.items;
            let dates = self.stated_dates(clause.clone());
            let levels: Vec<SeverityLevel> = items[clause.clone()].iter().filter_map(|item| self.level(item)).collect();
            let scores: Vec<(usize, Quantity)> = clause.clone().filter_map(|at| self.stated_score(at)).collect();
            let is_many = items[clause.clone()]
                .iter()
                .any(|item| matches!(item.figure, Some(FigureValue::Number(_, Unit::Count(_)))));
            if acts & (w::LARGEST | w::SMALLEST) != 0
                && let [(at, stated)] = scores[..]
            {
                let known = self.case.figures.prior_alert_events().filter_map(|event| event.score);
                let extreme = if acts & w::LARGEST != 0 { known.max() } else { known.min() };
                // Without a score on record, the figure must be refused, not left unchecked.
                self.must_be(at, stated, &[Some(extreme.unwrap_or(NO_FIGURE))]);
                continue;
            }
            if dates.len() > 1 && dates.len() == levels.len() {
                self.check_alerts_in_a_row(&dates, &levels);
                continue;
            }
            let [date] = &dates[..] else {
                if dates.is_empty() && !scores.is_empty() && !is_many {
                    let fits = |event: &CaseEvent| Self::is_alert(event, None, &levels, &scores);
                    if !self.case.figures.prior_alert_events().any(fits) {
                        self.contradict(scores[0].0, "/timeline");
                    }
                }
                continue;
            };
            let figures = &self.case.figures;
            // "last on 3 May" must be the date of the newest earlier alert.
            let newest = figures.last_alert.or_else(|| figures.prior_alert_events().map(|event| event.at).next_back());
            if acts & w::LAST != 0 && !date.is(newest.as_ref()) {
                let at = date.at;
                self.contradict(at, "/correlation/last_alert_at");
                continue;
            }
            let fits = |event: &CaseEvent| Self::is_alert(event, Some(date), &levels, &scores);
            let is_newest = levels.is_empty() && scores.is_empty() && date.is(figures.last_alert.as_ref());
            if acts & w::PRIOR != 0
                && about & w::TRANSACTION == 0
                && !is_newest
                && !figures.prior_alert_events().any(fits)
            {
                let at = date.at;
                self.contradict(at, "/timeline");
            }
        }
    }

    /// Checks that each date has its severity: "one of MEDIUM severity on 12 June and one of HIGH severity on 21 June".
    fn check_alerts_in_a_row(&mut self, dates: &[StatedDate], levels: &[SeverityLevel]) {
        let fits = |(date, level): (&StatedDate, &SeverityLevel)| {
            self.case.figures.prior_alert_events().any(|event| Self::is_alert(event, Some(date), &[*level], &[]))
        };
        if let Some(at) = dates.iter().zip(levels).position(|pair| !fits(pair)) {
            self.contradict(dates[at].at, "/timeline");
        }
    }

    /// Whether an earlier alert has this date, these severities and these scores.
    pub(super) fn is_alert(
        event: &CaseEvent,
        date: Option<&StatedDate>,
        levels: &[SeverityLevel],
        scores: &[(usize, Quantity)],
    ) -> bool {
        date.is_none_or(|date| date.is(Some(&event.at)))
            && levels.iter().all(|level| event.level == Some(*level))
            && scores.iter().all(|(_, stated)| event.score.is_some_and(|score| is_equal(*stated, score)))
    }

    /// The number at `at`, if the words call it a score.
    pub(super) fn stated_score(&self, at: usize) -> Option<(usize, Quantity)> {
        let items = &self.sentence.items;
        match items[at].figure? {
            FigureValue::Number(stated, Unit::OutOf(_)) => Some((at, *stated)),
            FigureValue::Number(stated, Unit::Bare) => {
                let before = items[..at].iter().rev().take(3);
                before.clone().any(|item| item.about(w::SCORE)).then_some((at, *stated))
            }
            _ => None,
        }
    }
}
