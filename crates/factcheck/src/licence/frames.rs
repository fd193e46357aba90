//! Frames: what may stand together in one clause. A place, a merchant, a severity or a count is a fact of something; said of
//! anything else it is a lie made of true parts.

use std::ops::Range;

use super::sentence::{ARTICLES, AUXILIARY, IDIOM, Item};
use super::words::{Words, words};
use super::{Check, ClaimKind, Reason, w};

/// Things and people that a clause can be about, and that are never each other.
const ENTITIES: u64 = w::CUSTOMER
    | w::ACCOUNT
    | w::MERCHANT
    | w::ALERT
    | w::TRANSACTION
    | w::SIGNAL
    | w::RULE
    | w::DETECTOR
    | w::SENDER
    | w::INVESTIGATION
    | w::DEVICE
    | w::NETWORK
    | w::MEDIAN
    | w::SCORE
    | w::SEVERITY;

/// Past forms that carry a sentence without an ending that tells.
const IRREGULAR: &Words = words![
    "came", "stood", "lay", "sat", "took", "held", "kept", "gave", "led", "made", "found", "saw", "fell", "met",
    "drew", "ran", "put", "left", "read", "meant", "paid", "spent", "brought", "arose", "moved", "set", "hit", "began",
    "said", "belong", "cover", "mean", "give", "span", "add", "~",
];

impl Check<'_> {
    pub(crate) fn frames(&mut self) {
        self.finite();
        for at in 0..self.sentence.items.len() {
            if self.sentence.items[at].is_silent() {
                continue;
            }
            let clause = self.sentence.clause_of(at);
            self.possessed(at, &clause);
            self.identified(at, &clause);
            self.worded(at, &clause);
            if self.sentence.items[at].claim.is_some() {
                self.placed_claim(at, &clause);
                self.rated(at, &clause);
                self.counted_over(at, &clause);
                self.similar(at, &clause);
            } else {
                self.origin(at, &clause);
                self.made_what(at, &clause);
            }
        }
    }

    /// A statement has a verb that states; "Report the customer." and "Merchant: Porto." have none.
    fn finite(&mut self) {
        let states = |item: &Item<'_>| {
            item.is_any(AUXILIARY)
                || item.lower.ends_with("ed")
                || item.is_any(IRREGULAR) && (item.lower != IDIOM || item.is(w::VERB))
                || item.is(w::VERB) && item.lower.ends_with('s')
        };
        if !self.sentence.items.iter().skip(1).any(states) {
            self.refuse_all(Reason::Silent);
        }
    }

    /// The first thing that a clause speaks of.
    fn subject(&self, clause: &Range<usize>) -> Option<&Item<'_>> {
        let items = &self.sentence.items;
        let is_oblique = |place: usize| {
            let before = items[clause.start..place].iter().rev().find(|item| !item.is_any(ARTICLES));
            before.is_some_and(|before| {
                before.is_any(words!["on", "at", "in", "for", "with", "by", "of", "from", "to", "between", "against"])
            })
        };
        let names = |place: &usize| {
            let item = &items[*place];
            (item.topics & !w::TIME != 0 || item.signal.is_some()) && !item.is_possessive && item.mark.is_none()
                || item.is_any(words!["it", "which", "that", "this"])
                    && items.get(place + 1).is_none_or(|next| next.is(w::VERB))
        };
        clause.clone().filter(names).find(|place| !is_oblique(*place)).map(|place| &items[place])
    }

    /// Customers have histories and medians, the detector has signals; a merchant has nothing that is on record.
    fn possessed(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        if !item.is_possessive {
            return;
        }
        let owned = items[at + 1..clause.end]
            .iter()
            .take(4)
            .find(|item| item.topics & !w::TIME != 0 || item.is_any(words!["name", "activity"]));
        let of_customer = w::HISTORY
            | w::BASELINE
            | w::MEDIAN
            | w::RECORD
            | w::TRANSACTION
            | w::AMOUNT
            | w::RATE
            | w::ALERT
            | w::ACCOUNT
            | w::CURRENCY;
        let is_theirs = match owned {
            None => !item.about(w::CUSTOMER | w::ACCOUNT | w::MERCHANT | w::DETECTOR | w::SENDER),
            Some(owned) if item.about(w::CUSTOMER | w::ACCOUNT) => {
                (owned.about(of_customer) || owned.lower == "activity") && !owned.about(w::SCORE)
            }
            Some(owned) if item.about(w::MERCHANT) => owned.about(w::CATEGORY) || owned.lower == "name",
            Some(owned) if item.about(w::DETECTOR | w::SYSTEM) => owned.about(w::SIGNAL),
            Some(_) => true,
        };
        // "The score was the sender's."
        let is_senders = item.about(w::SENDER) && self.case.is_external;
        if !is_theirs && !is_senders {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// "The alert is the transaction": nothing is something else.
    fn identified(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        if !items[at].is_any(words!["was", "is", "were", "are"]) {
            return;
        }
        let is_entity = |item: &&Item<'_>| item.topics & ENTITIES != 0 && !item.is_possessive && item.claim.is_none();
        let before = items[clause.start..at].iter().rev().find(is_entity);
        let subject = self.subject(clause).filter(|subject| subject.start < items[at].start).filter(is_entity);
        let Some(left) = subject.or(before) else { return };
        let right = items[at + 1..clause.end.min(at + 4)]
            .iter()
            .take_while(|item| item.is_any(words!["a", "an", "the"]) || item.topics != 0)
            .find(|item| item.topics != 0 && item.claim.is_none());
        let Some(right) = right else { return };
        let (from, to) = (left.topics & ENTITIES, right.topics & ENTITIES);
        let is_reason = self.sentence.acts(clause.clone()) & w::BECAUSE != 0;
        let describes = left.lower == "matter"
            || right.about(w::CHANNEL)
            || right.is(w::VERB | w::HEAVIEST)
            || right.is_possessive
            || is_reason;
        if from != 0 && to != 0 && from & to == 0 && !describes {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Words that are only licensed beside certain others.
    fn worded(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        let next = items.get(at + 1);
        let follows = |topics: u64| next.is_some_and(|next| next.about(topics));
        let about = self.sentence.topics(clause.clone());
        let acts = self.sentence.acts(clause.clone());
        let has_path = |ends: &[&str]| {
            items[clause.clone()]
                .iter()
                .any(|item| item.path().is_some_and(|path| ends.iter().any(|end| path.ends_with(end))))
        };
        let holds = match item.lower {
            "same" => follows(w::CURRENCY | w::SEVERITY | w::CUSTOMER | w::INVESTIGATION),
            "maximum" => self.case.is_capped || self.sentence.has_word(clause.clone(), words!["scale", "out"]),
            "present" => acts & w::CARD != 0,
            // "the points of one signal were those of another".
            "those" => {
                next.is_none_or(|next| next.lower != "of") || items.get(at + 2).is_none_or(|of| of.signal.is_none())
            }
            "as" => !next.is_some_and(|next| next.is_any(AUXILIARY)),
            "per" => has_path(&["per_day"]),
            "one" if item.claim.is_none() => {
                let before = at.checked_sub(1).map_or("", |before| items[before].lower);
                let is_level = next.is_some_and(|next| next.lower == "of") && self.case.prior_by_severity.contains(&1);
                is_level
                    || ["this", "previous", "that", "each", "located", "the", "last", "first", "earlier"]
                        .contains(&before)
                    || before.is_empty()
            }
            "sum" | "sums" if about & w::SCORE != 0 => {
                about & w::POINTS != 0 && self.case.has_contributions && self.case.sum_is_total
            }
            "contribution" | "contributions" => self.case.has_contributions || acts & (w::NO | w::NOT | w::ABSENT) != 0,
            // "first seen" has a date, or is said to be missing.
            IDIOM if item.about(w::FIRST_SEEN) && item.is(w::VERB) => {
                acts & (w::NO | w::NOT | w::ABSENT) != 0
                    || items[clause.clone()]
                        .iter()
                        .any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Date))
            }
            _ if item.is(w::USUAL) && item.claim.is_none() => {
                follows(w::RATE | w::AMOUNT | w::MEDIAN | w::LOCATION)
                    || has_path(&["per_day", "median_amount"])
                    || acts & (w::UP | w::DOWN) != 0
            }
            "trip" | "journey" => self.sentence.items[clause.clone()].iter().all(|item| !item.about(w::CUSTOMER)),
            "customers" => at > 0 && items[at - 1].is_any(words!["all", "any"]),
            _ if item.about(w::MERCHANT) && item.claim.is_none() && at > 1 => {
                items[at - 2].lower != "of" || self.sentence.has_word(clause.clone(), words!["name"])
            }
            _ if item.is(w::LARGEST | w::SMALLEST) => !follows(w::SEVERITY | w::SCORE),
            _ if item.signal.is_some() => {
                !next.is_some_and(|next| next.about(w::RULE) && next.claim.is_none() && next.signal.is_none())
            }
            _ => true,
        };
        if !holds {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// Points come from signals, score and severity from the sender; nothing on record says where a customer or a card came from.
    fn origin(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let is_origin = items[at].is_any(words!["came", "come", "comes", "coming"])
            && items.get(at + 1).is_some_and(|next| next.lower == "from");
        if !is_origin {
            return;
        }
        let subject = self.sentence.topics(clause.start..at);
        let after = &items[at + 2..clause.end];
        let source = after
            .iter()
            .find(|item| item.topics != 0 || item.signal.is_some() || item.claim.is_some() || item.is(w::OUTSIDE));
        let is_points = subject & (w::POINTS | w::COMPOSITION | w::SCORE) != 0
            || items[clause.start..at].iter().any(|item| item.about(w::POINTS) || item.is_any(words!["part", "parts"]));
        let holds = match source {
            Some(source) if source.signal.is_some() || source.about(w::SIGNAL) => is_points,
            Some(source) if source.about(w::SENDER) || source.is(w::OUTSIDE) => {
                self.case.is_external && subject & (w::ALERT | w::SCORE | w::SEVERITY) != 0
            }
            Some(source) if source.about(w::DETECTOR) => !self.case.is_external && subject & (w::ALERT | w::SCORE) != 0,
            // "had come from four other countries".
            Some(source) => source.claim.is_some() && subject & w::TRANSACTION != 0 && source.country.is_none(),
            None => false,
        };
        if !holds {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// What a customer makes is a payment; it goes to nobody else on record, and nobody completes it.
    fn made_what(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let item = &items[at];
        if !item.is(w::MADE | w::RAISED | w::OPENED | w::FIRE | w::COMPLETE | w::CONTRIBUTE) {
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let has_money =
            items[clause.clone()].iter().any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Money));
        let after = &items[at + 1..clause.end];
        let goes_to = |topics: u64| {
            after.windows(3).any(|three| {
                three[0].lower == "to" && three[1..].iter().any(|item| item.about(topics) && item.claim.is_none())
            })
        };
        let is_apart = self.sentence.has_word(0..items.len(), words!["apart"])
            && self.sentence.topics(0..items.len()) & w::SIGNAL != 0;
        if item.is(w::MADE) && item.is(w::VERB) && !is_apart {
            let by_place = self.subject(clause).is_some_and(|subject| {
                subject.start < item.start && (subject.country.is_some() || subject.about(w::LOCATION))
            });
            let by_alert = self
                .subject(clause)
                .is_some_and(|subject| subject.start < item.start && subject.about(w::ALERT | w::RULE | w::SCORE));
            let is_passive =
                items[clause.start..at].iter().rev().take(3).any(|item| item.is_any(words!["was", "were", "been"]));
            if by_alert && about & w::TRANSACTION != 0 && !is_passive {
                return self.refuse(at, Reason::Unlicensed);
            }
            if by_place && about & w::TRANSACTION != 0 {
                return self.refuse(at, Reason::Unlicensed);
            }
            let is_comparison = about
                & (w::MEDIAN
                    | w::BASELINE
                    | w::HISTORY
                    | w::METHOD
                    | w::REPORT
                    | w::SCORE
                    | w::SEVERITY
                    | w::SIGNAL
                    | w::LOCATION
                    | w::COMPOSITION)
                != 0
                || items.iter().any(|item| item.path().is_some_and(|path| path.contains("distance")));
            let is_paid = about & (w::TRANSACTION | w::AMOUNT | w::FUNDS | w::CHANNEL) != 0
                || has_money
                || self.sentence.acts(clause.clone()) & w::CARD != 0;
            let travels = about & w::TRAVEL != 0 && about & (w::TRANSACTION | w::SIGNAL) == 0;
            if !(is_paid || is_comparison)
                || travels
                || goes_to(w::CUSTOMER | w::ACCOUNT)
                || about & w::ALERT != 0 && about & w::TRANSACTION == 0 && !is_comparison
            {
                self.refuse(at, Reason::Unlicensed);
            }
        }
        let is_active = item.is(w::MADE) && item.is(w::VERB) && item.is_any(words!["made", "paid", "spent", "bought"]);
        let by_thing =
            items[clause.start..at].last().is_some_and(|before| before.about(w::ACCOUNT) || before.is(w::CARD));
        if is_active && by_thing {
            self.refuse(at, Reason::Unlicensed);
        }
        if item.is(w::RAISED | w::OPENED) && item.is(w::VERB) {
            let beside = |word: &str, topics: u64, acts: u64| {
                after.windows(3).any(|three| {
                    three[0].lower == word
                        && three[1..].iter().any(|item| item.claim.is_none() && (item.about(topics) || item.is(acts)))
                })
            };
            let is_signal = items[clause.clone()].iter().any(|item| item.signal.is_some());
            if !is_signal && beside("with", w::RULE | w::CUSTOMER | w::TRANSACTION, w::CARD)
                || beside("by", 0, w::CARD | w::CASH)
                || beside("for", w::TRANSACTION, 0) && self.counts_transactions(clause)
            {
                self.refuse(at, Reason::Unlicensed);
            }
        }
        // Signals fire when the transaction is read; a date of their own is not on record.
        let has_date =
            items[clause.clone()].iter().any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Date));
        if item.is(w::FIRE) && has_date && about & w::SIGNAL != 0 && about & (w::ALERT | w::TRANSACTION) == 0 {
            self.refuse(at, Reason::Unlicensed);
        }
        if item.is(w::COMPLETE) {
            let is_by = after.iter().any(|item| item.is_any(words!["by", "with", "for", "from", "at"]));
            if is_by && item.is(w::VERB) {
                self.refuse(at, Reason::Unlicensed);
            }
        }
        if item.is(w::RAISED | w::OPENED)
            && item.is(w::VERB)
            && about & w::TRANSACTION == 0
            && about & (w::MERCHANT | w::CARD) != 0
        {
            self.refuse(at, Reason::Unlicensed);
        }
        if item.is(w::CONTRIBUTE) && item.is(w::VERB) {
            let to = after
                .iter()
                .position(|item| item.lower == "to")
                .and_then(|to| after[to + 1..].iter().find(|item| item.topics != 0));
            if to.is_some_and(|to| !to.about(w::SCORE | w::POINTS) && to.claim.is_none()) {
                self.refuse(at, Reason::Unlicensed);
            }
        }
    }

    /// A country, a city or a merchant is that of a transaction.
    fn placed_claim(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        let is_named = kind == ClaimKind::Name && items[at].country.is_none();
        let labelled =
            items[clause.start..at].iter().rev().take(4).any(|item| item.about(w::MERCHANT) && item.claim.is_none());
        let is_merchant = is_named && (path == "/transaction/merchant" || labelled && path.contains("/location/"));
        let is_city = is_named && path.contains("/location/") && !labelled;
        if items[at].country.is_none() && !is_city && !is_merchant {
            return;
        }
        // A category or a source of funds may be called like a city; its own label is checked elsewhere.
        let labels = w::MERCHANT | w::CATEGORY | w::SOURCE | w::DESTINATION | w::MEMO | w::LOCATION;
        let label =
            items[clause.start..at].iter().rev().take(5).find(|item| item.about(labels) && item.claim.is_none());
        let follows = items[at + 1..clause.end].iter().take(3).any(|item| item.lower == "as");
        if is_named
            && (follows || label.is_some_and(|label| label.about(w::CATEGORY | w::SOURCE | w::DESTINATION | w::MEMO)))
        {
            return;
        }
        let about = self.sentence.topics(clause.clone());
        let whole = self.sentence.topics(0..items.len());
        let acts = self.sentence.acts(clause.clone());
        // Travel, new and usual countries have checks of their own.
        let is_apart = self.sentence.has_word(0..items.len(), words!["apart"]) && whole & w::SIGNAL != 0;
        let is_excluded = items[clause.start..at].iter().rev().take(2).any(|item| item.is(w::NOT));
        if is_apart || is_excluded {
            return;
        }
        let is_travel = whole & w::TRAVEL != 0
            || items
                .iter()
                .any(|item| item.path().is_some_and(|path| path.contains("distance") || path.contains("speed")));
        let has_own_check = !is_merchant
            && (is_travel && acts & w::OPENED == 0 && about & (w::CUSTOMER | w::ALERT) == 0
                || self.sentence.acts(0..items.len()) & (w::NEW | w::FOREIGN | w::AMONG | w::HEAVIEST | w::USUAL) != 0
                    && whole & (w::SCORE | w::SEVERITY | w::DEVICE | w::MERCHANT) == 0
                    && acts & w::FIRE == 0
                || items.iter().any(|item| item.is(w::LARGEST) && item.lower == "busiest"));
        if has_own_check {
            return;
        }
        let others = w::ALERT
            | w::INVESTIGATION
            | w::ACCOUNT
            | w::DEVICE
            | w::NETWORK
            | w::DETECTOR
            | w::SENDER
            | w::SCORE
            | w::SEVERITY
            | w::MEDIAN
            | w::SIGNAL;
        let subject = self.subject(clause).map(|subject| (subject.topics, subject.signal.is_some(), subject.lower));
        let is_of_other = match subject {
            // "The customer made a payment in Lisbon."
            Some((topics, ..)) if topics & w::CUSTOMER != 0 => {
                acts & (w::MADE | w::RAISED) == 0 && about & w::FIRST_SEEN == 0
            }
            Some((topics, true, _)) => topics & w::TRANSACTION == 0,
            Some((topics, ..)) if topics & w::MERCHANT != 0 && !is_merchant => {
                about & w::TRANSACTION == 0 && acts & w::MADE == 0 && !self.is_two_predicates(clause)
            }
            Some((topics, ..)) if topics & w::ALERT != 0 => about & (w::TRANSACTION | w::CUSTOMER) == 0,
            Some((topics, ..)) if topics & w::ACCOUNT != 0 => acts & w::MADE == 0,
            Some((topics, ..)) => topics & others != 0 && topics & (w::TRANSACTION | w::AMOUNT) == 0,
            None => false,
        };
        if is_of_other {
            return self.refuse(at, Reason::Unlicensed);
        }
        let is_prior =
            acts & (w::PRIOR | w::LAST | w::FIRST | w::BEFORE) != 0 || about & (w::BASELINE | w::HISTORY) != 0;
        let of = |range: Range<usize>| {
            items[range]
                .iter()
                .filter_map(|item| item.claim)
                .filter(|(_, kind)| *kind == ClaimKind::Date)
                .map(|(path, _)| path)
                .collect::<Vec<&str>>()
        };
        let in_clause = of(clause.clone());
        // "Activity was first recorded on 4 January: USD 20 in Portugal."
        let dates = if in_clause.is_empty() && whole & (w::TRANSACTION | w::CUSTOMER) == 0 {
            of(0..items.len())
        } else {
            in_clause
        };
        let many = self.counts_transactions(clause);
        if is_merchant {
            // Only this transaction's merchant is on record.
            let is_this = !is_prior && !many && dates.iter().all(|date| self.case.is_day_of_transaction(date));
            let is_every = acts & w::ALL != 0;
            let before = items[..at].iter().rev().find(|item| item.mark.is_none());
            let is_joined = before.is_some_and(|before| {
                before.about(w::MERCHANT) || before.is_any(words!["at", "to", "was", "is", "as"])
            });
            // "Marina Jewellers was the merchant."
            let is_subject = at == clause.start || items[clause.start..at].iter().all(|item| item.mark.is_some());
            let is_called = is_subject
                && about & w::MERCHANT != 0
                && items[at + 1..clause.end].iter().any(|item| item.about(w::MERCHANT) && item.claim.is_none());
            if !is_joined && !is_called {
                return self.refuse(at, Reason::Unlicensed);
            }
            if !is_this
                || is_every
                || about & (w::ALERT | w::INVESTIGATION | w::DEVICE | w::MEDIAN) != 0 && about & w::TRANSACTION == 0
            {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        }
        let said = self.reader.spoken(&items[at]);
        let place = items[at].country.map_or(said, str::to_owned);
        // "No transaction had been recorded in Japan before."
        let is_new = self.case.new_country.as_deref() == Some(place.as_str());
        if is_new && acts & (w::NO | w::NOT) != 0 && acts & w::BEFORE != 0 {
            return;
        }
        if !is_new && acts & (w::NO | w::NOT) != 0 && acts & w::BEFORE != 0 && self.case.was_earlier(&place) {
            return self.contradict(at, "/baseline/countries");
        }
        let is_of_event = dates.iter().any(|date| self.case.was_on(date, &place));
        let is_here = self.case.is_here(&place);
        let was_earlier = self.case.was_earlier(&place);
        let holds = if is_prior {
            let is_route =
                self.case.route.as_ref().is_some_and(|(_, to)| *to == place) && self.is_of_this_one(at, clause);
            let is_denied = acts & w::NO != 0 && is_here && !was_earlier;
            was_earlier
                || is_here && about & w::BASELINE != 0 && self.is_two_predicates(clause)
                || is_of_event
                || is_route
                || is_denied
        } else if many {
            was_earlier
                && !items[clause.clone()].iter().any(|item| item.path().is_some_and(|path| path.contains("/details/")))
        } else if dates.is_empty() {
            is_here || self.is_of_timeline(clause) && was_earlier || self.is_of_this_one(at, clause)
        } else {
            is_of_event
        };
        if !holds {
            self.contradict(at, "/transaction/location");
        }
    }

    /// "It concerned the merchant X and took place in Y".
    fn is_two_predicates(&self, clause: &Range<usize>) -> bool {
        let verbs =
            self.sentence.items[clause.clone()].iter().filter(|item| item.is(w::VERB) && !item.is_any(AUXILIARY));
        verbs.count() > 1
    }

    fn is_of_timeline(&self, clause: &Range<usize>) -> bool {
        let is_event = |(path, kind): (&str, ClaimKind)| {
            path.starts_with("/timeline/") && matches!(kind, ClaimKind::Money | ClaimKind::Date)
        };
        self.sentence.items[clause.clone()].iter().any(|item| item.claim.is_some_and(is_event))
    }

    /// Whether a clause counts transactions.
    fn counts_transactions(&self, clause: &Range<usize>) -> bool {
        let items = &self.sentence.items;
        let is_count = |place: usize| items[place].claim.is_some_and(|(_, kind)| kind == ClaimKind::Count);
        let names = |place: usize| {
            items[place..clause.end.min(place + 4)].iter().any(|item| item.about(w::TRANSACTION | w::ALERT))
        };
        clause.clone().any(|place| is_count(place) && names(place))
    }

    /// "A previous transaction in X and this one in Y."
    fn is_of_this_one(&self, at: usize, clause: &Range<usize>) -> bool {
        let before = &self.sentence.items[clause.start..at];
        before.iter().any(|item| item.is(w::PRIOR)) && before.iter().rev().take(4).any(|item| item.lower == "this")
    }

    /// A score and a severity are the alert's; nobody is high risk.
    fn rated(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        let is_rating = kind == ClaimKind::Severity || ["/score/total", "/case/risk_score"].contains(&path);
        if !is_rating {
            return;
        }
        let acts = self.sentence.acts(clause.clone());
        let about = self.sentence.topics(clause.clone());
        let subject = self.subject(clause).map_or(0, |subject| subject.topics);
        let never = w::CUSTOMER | w::MERCHANT | w::ACCOUNT | w::CATEGORY | w::DEVICE | w::LOCATION;
        let raises = acts & (w::RAISED | w::STATE) != 0;
        let of_alerts = acts & w::PRIOR != 0 && about & w::ALERT != 0 && kind == ClaimKind::Severity;
        let is_persons = subject & never != 0 && subject & (w::ALERT | w::SCORE) == 0 && !raises && !of_alerts;
        let is_place = items[clause.clone()]
            .iter()
            .any(|item| item.country.is_some() || item.about(w::MERCHANT) && item.claim.is_some());
        let is_earlier =
            acts & w::PRIOR != 0 && about & w::TRANSACTION != 0 && about & w::ALERT == 0 && kind != ClaimKind::Severity;
        let of_prior = acts & w::PRIOR != 0
            && about & w::ALERT != 0
            && ["/score/total", "/case/risk_score"].contains(&path)
            && self.sentence.has_word(clause.clone(), words!["alerts"]);
        let is_other_day = kind != ClaimKind::Severity
            && items[clause.clone()].iter().filter_map(|item| item.claim).any(|(path, kind)| {
                kind == ClaimKind::Date && !self.case.is_day_of_alert(path) && !path.starts_with("/timeline")
            });
        if is_persons || is_place && about & w::TRANSACTION == 0 || is_earlier || of_prior || is_other_day {
            self.refuse(at, Reason::Unlicensed);
        }
    }

    /// A count belongs to its window, and a limit is no count.
    fn counted_over(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, kind)) = items[at].claim else { return };
        let acts = self.sentence.acts(clause.clone());
        let about = self.sentence.topics(clause.clone());
        if kind == ClaimKind::Money {
            let is_each = self.sentence.has_word(clause.clone(), words!["each", "every"])
                || acts & w::ALL != 0 && acts & (w::UP | w::DOWN) != 0;
            if is_each {
                self.refuse(at, Reason::Unlicensed);
            }
            return;
        }
        let spans = items[at + 1..clause.end]
            .iter()
            .any(|item| item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Duration));
        if path.ends_with("per_day") && spans {
            return self.contradict(at, path);
        }
        if path.ends_with("ratio_to_median") {
            if self.sentence.topics(clause.start..at) & w::MEDIAN != 0 {
                self.contradict(at, path);
            }
            return;
        }
        let subject = self.subject(clause).map_or(0, |subject| subject.topics);
        let of_customer =
            path.starts_with("/correlation/prior") || path.starts_with("/baseline") || path.starts_with("/subject");
        if of_customer
            && acts & w::NEED == 0
            && subject & (w::MERCHANT | w::DETECTOR | w::SENDER | w::RULE | w::SIGNAL) != 0
            && kind == ClaimKind::Count
            && subject & w::CUSTOMER == 0
        {
            return self.refuse(at, Reason::Unlicensed);
        }
        if path == "/subject/transaction_count" && subject & w::BASELINE != 0 {
            return self.contradict(at, path);
        }
        let is_age = path == "/subject/account_age_days";
        if is_age
            && (self.sentence.has_word(0..items.len(), words!["when"])
                || self.sentence.acts(at..clause.end) & w::FIRST != 0)
        {
            return self.refuse(at, Reason::Unlicensed);
        }
        let of_transactions = items[at].about(w::TRANSACTION)
            || items[at + 1..]
                .iter()
                .take(3)
                .take_while(|item| item.mark.is_none())
                .any(|item| item.about(w::TRANSACTION));
        if kind != ClaimKind::Count || !of_transactions {
            return;
        }
        let hours = self.sentence.has_word(at..clause.end, words!["hour", "hours"])
            || items[clause.clone()].iter().any(|item| {
                item.claim.is_some_and(|(_, kind)| kind == ClaimKind::Duration)
                    && self.reader.has_word(item, words!["hour", "hours", "h"])
            });
        let is_history =
            path.starts_with("/baseline") || path.starts_with("/subject") || path.ends_with("baseline/transactions");
        let is_limit = path.ends_with("_limit") || path.ends_with("/threshold") || path.ends_with("_needed");
        let is_called = about & (w::THRESHOLD | w::BOUNDS) != 0
            && items[..at].iter().rev().take(4).any(|item| item.about(w::THRESHOLD))
            || acts & w::NEED != 0;
        let is_also_count = self.reader.number(&items[at]).is_some_and(|number| self.case.counts.contains(&number));
        if is_history && hours || is_limit && !is_called && !is_also_count {
            self.contradict(at, path);
        }
    }

    /// Similar alerts are anybody's: not this customer's, not of a day, not at a place.
    fn similar(&mut self, at: usize, clause: &Range<usize>) {
        let items = &self.sentence.items;
        let Some((path, _)) = items[at].claim else { return };
        if path != "/correlation/similar_alerts" {
            return;
        }
        let of_anybody = |place: usize| place > 0 && items[place - 1].is_any(words!["any", "all"]);
        let is_persons = clause
            .clone()
            .any(|place| items[place].about(w::CUSTOMER | w::ACCOUNT | w::MERCHANT) && !of_anybody(place));
        let elsewhere = items[clause.clone()].iter().any(|item| {
            item.country.is_some()
                || item.claim.is_some_and(|(path, kind)| {
                    matches!(kind, ClaimKind::Date | ClaimKind::Duration | ClaimKind::Name)
                        || ["/score/total", "/case/risk_score"].contains(&path)
                })
        });
        let is_none = items[at].is(w::NO);
        if is_persons && !is_none || elsewhere {
            self.refuse(at, Reason::Unlicensed);
        }
    }
}
