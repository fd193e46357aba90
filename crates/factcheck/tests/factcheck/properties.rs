//! Random cases: facts are accepted in any format, one altered figure is refused, and so are two swapped figures.

use countersign_factcheck::{Checked, Facts, check_figures as check, country_name};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// The numbers of a case.
#[derive(Debug, Clone)]
struct Numbers {
    /// In cents, all distinct: amount, median, smallest, largest, total, difference.
    money: Vec<u64>,
    currency: &'static str,
    /// All distinct: earlier transactions, prior alerts, similar alerts, days of history, days of age, minutes.
    counts: Vec<u64>,
    /// All distinct, 1 to 49: contributions of three signals.
    points: Vec<u64>,
    score: u64,
    /// In tenths, all distinct: value, threshold, ratio, km, km/h, km/h threshold.
    tenths: Vec<u64>,
    /// Days after 2021-01-01, all distinct: account opened, first transaction, transaction.
    days: Vec<u64>,
    minute_of_day: u64,
    countries: Vec<&'static str>,
}

fn distinct(range: std::ops::Range<u64>, len: usize) -> impl Strategy<Value = Vec<u64>> {
    prop::collection::hash_set(range, len..=len).prop_map(|set| set.into_iter().collect::<Vec<_>>()).prop_shuffle()
}

fn numbers() -> impl Strategy<Value = Numbers> {
    let countries = prop::sample::subsequence(vec!["PT", "NG", "US", "BR", "DE", "JP", "GB", "CI", "AE", "KR"], 2);
    (
        distinct(100..90_000_000, 6),
        prop::sample::select(vec!["USD", "EUR", "GBP", "CHF"]),
        distinct(110..9_000, 6),
        distinct(1..50, 3),
        51_u64..60,
        distinct(1_000..900_000, 6),
        distinct(0..2_000, 3),
        0_u64..1_440,
        countries,
    )
        .prop_map(|(money, currency, counts, points, score, tenths, days, minute_of_day, countries)| Numbers {
            money,
            currency,
            counts,
            points,
            score,
            tenths,
            days,
            minute_of_day,
            countries,
        })
}

const MONTHS: [(&str, u64); 12] = [
    ("January", 31),
    ("February", 28),
    ("March", 31),
    ("April", 30),
    ("May", 31),
    ("June", 30),
    ("July", 31),
    ("August", 31),
    ("September", 30),
    ("October", 31),
    ("November", 30),
    ("December", 31),
];

/// Year, month (from 0) and day. February always has 28 days here, so that every date exists.
fn date(days: u64) -> (u64, usize, u64) {
    let (year, mut rest) = (2021 + days / 365, days % 365);
    for (month, (_, len)) in MONTHS.iter().enumerate() {
        if rest < *len {
            return (year, month, rest + 1);
        }
        rest -= len;
    }
    (year, 11, 31)
}

impl Numbers {
    fn money(&self, at: usize) -> Value {
        let cents = self.money[at];
        json!({"amount": format!("{}.{:02}", cents / 100, cents % 100), "currency": self.currency})
    }

    fn tenth(&self, at: usize) -> f64 {
        self.tenths[at] as f64 / 10.0
    }

    fn time(&self, at: usize) -> String {
        let (year, month, day) = date(self.days[at]);
        let minute = if at == 2 { self.minute_of_day } else { 0 };
        format!("{year:04}-{:02}-{day:02}T{:02}:{:02}:00.000000Z", month + 1, minute / 60, minute % 60)
    }

    fn context(&self) -> Value {
        let country = |at: usize| self.countries[at];
        json!({
            "case": {"severity": "MEDIUM", "risk_score": self.score, "alert_id": "al-77q", "alert_created_at": self.time(2)},
            "subject": {
                "user_id": "***9q4z", "account_opened_at": self.time(0), "account_age_days": self.counts[4],
                "transaction_count": self.counts[0], "first_transaction_at": self.time(1)
            },
            "transaction": {
                "amount": self.money(0), "occurred_at": self.time(2), "merchant": "Quiet Fern Books",
                "location": {"country": country(0), "country_name": country_name(country(0))}
            },
            "signals": [
                {"name": "amount_deviation", "outcome": "fired", "value": self.tenth(0), "threshold": self.tenth(1),
                 "unit": "modified z-score", "contribution": self.points[0]},
                {"name": "velocity_anomaly", "outcome": "fired", "contribution": self.points[1]},
                {"name": "geographic_inconsistency", "outcome": "fired", "value": self.tenth(4), "threshold": self.tenth(5),
                 "unit": "km/h", "contribution": self.points[2],
                 "details": {"distance_km": self.tenth(3), "minutes": self.counts[5]}}
            ],
            "score": {"total": self.score, "maximum": 100},
            "baseline": {
                "transactions": self.counts[0], "days": self.counts[3], "median_amount": self.money(1),
                "smallest_amount": self.money(2), "largest_amount": self.money(3), "total_amount": self.money(4),
                "difference_from_median": self.money(5), "ratio_to_median": self.tenth(2),
                "countries": [{"country": country(1), "country_name": country_name(country(1)), "transactions": self.counts[0]}]
            },
            "correlation": {"prior_alerts": self.counts[1], "similar_alerts": self.counts[2]}
        })
    }

    /// Sentences with one `{}` for a figure, each with the figure and the value of its fact.
    fn sentences(&self) -> Vec<(&'static str, Figure, Value)> {
        let money = |at: usize| (Figure::Money(self.money[at], self.currency), self.money(at));
        let count = |at: usize| (Figure::Count(self.counts[at]), json!(self.counts[at]));
        let points = |at: usize| (Figure::Count(self.points[at]), json!(self.points[at]));
        let tenth = |at: usize| (Figure::Tenths(self.tenths[at]), json!(self.tenth(at)));
        let day = |at: usize| (Figure::Day(self.days[at]), json!(self.time(at)));
        let rows = [
            ("The transaction amount was {}.", money(0)),
            ("The customer's median amount was {}.", money(1)),
            ("The smallest earlier amount was {}.", money(2)),
            ("At most, the largest earlier amount reached {} on record.", money(3)),
            ("Earlier transactions totalled {}.", money(4)),
            ("It exceeded the median by {}.", money(5)),
            ("The customer had {} earlier transactions.", count(0)),
            ("There were {} prior alerts for this customer.", count(1)),
            ("In all, {} similar alerts were on record.", count(2)),
            ("The history covered {} days.", count(3)),
            ("The account was {} days old.", count(4)),
            ("The two payments lay {} minutes apart.", count(5)),
            ("Amount deviation contributed {} points.", points(0)),
            ("The velocity anomaly contributed {} points to the score.", points(1)),
            ("The geographic inconsistency added {} points.", points(2)),
            ("The risk score was {} out of 100.", (Figure::Count(self.score), json!(self.score))),
            ("The case received a risk score of {}.", (Figure::Count(self.score), json!(self.score))),
            ("The amount deviation had a value of {}.", tenth(0)),
            ("Amount deviation was measured against a threshold of {}.", tenth(1)),
            ("It was {} times the median.", tenth(2)),
            ("The distance was {} km.", tenth(3)),
            ("The speed was {} km/h.", tenth(4)),
            ("The speed threshold was {} km/h.", tenth(5)),
            ("The account was opened on {}.", day(0)),
            ("The first transaction was made on {}.", day(1)),
            ("The transaction occurred on {}.", day(2)),
        ];
        rows.into_iter().map(|(sentence, (figure, value))| (sentence, figure, value)).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Figure {
    Money(u64, &'static str),
    Count(u64),
    Tenths(u64),
    Day(u64),
}

fn grouped(number: u64, separator: &str) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(separator)
}

impl Figure {
    /// The figure in one of several formats.
    fn written(self, format: usize) -> String {
        match self {
            Self::Money(cents, code) => {
                let (whole, rest) = (cents / 100, cents % 100);
                match format % 6 {
                    0 => format!("{code} {}.{rest:02}", grouped(whole, ",")),
                    1 => format!("{code} {whole}.{rest:02}"),
                    2 => format!("{}.{rest:02} {code}", grouped(whole, ",")),
                    3 => format!("**{code} {}.{rest:02}**", grouped(whole, "\u{a0}")),
                    4 => format!("{code}{whole}.{rest:02}"),
                    _ => format!("{code} {},{rest:02}", grouped(whole, ".")),
                }
            }
            Self::Count(number) => match format % 3 {
                0 => number.to_string(),
                1 => grouped(number, ","),
                _ => format!("**{number}**"),
            },
            Self::Tenths(tenths) => match format % 2 {
                0 => format!("{}.{}", tenths / 10, tenths % 10),
                _ => format!("{}.{}", grouped(tenths / 10, ","), tenths % 10),
            },
            Self::Day(days) => {
                let (year, month, day) = date(days);
                let name = MONTHS[month].0;
                match format % 4 {
                    0 => format!("{day} {name} {year}"),
                    1 => format!("{name} {day}, {year}"),
                    2 => format!("{year}-{:02}-{day:02}", month + 1),
                    _ => format!("{day:02}/{:02}/{year}", month + 1),
                }
            }
        }
    }

    fn altered(self, by: u64) -> Self {
        match self {
            Self::Money(cents, code) => Self::Money(cents + by, code),
            Self::Count(number) => Self::Count(number + by),
            Self::Tenths(tenths) => Self::Tenths(tenths + by),
            Self::Day(days) => Self::Day(days + by),
        }
    }

    /// Whether a fact of the case has this value, in any unit.
    fn is_known(self, numbers: &Numbers) -> bool {
        let all = numbers.sentences();
        let same = |other: &Figure| match (self, *other) {
            (Self::Money(a, _), Self::Money(b, _))
            | (Self::Tenths(a), Self::Tenths(b))
            | (Self::Count(a), Self::Count(b)) => a == b,
            (Self::Day(a), Self::Day(b)) => {
                let ((year, month, day), (other_year, other_month, other_day)) = (date(a), date(b));
                let swapped = (day as usize, month + 1) == (other_month + 1, other_day as usize);
                year == other_year && ((month, day) == (other_month, other_day) || swapped)
            }
            _ => false,
        };
        all.iter().any(|(_, figure, _)| same(figure)) || matches!(self, Self::Count(0..=100))
    }
}

fn refuses(checked: &Checked, text: &str, figure: &str) -> bool {
    let bare = figure.trim_matches('*');
    let start = text.find(bare).map(|byte| text[..byte].chars().count()).unwrap();
    let end = start + bare.chars().count();
    checked.refused.iter().any(|refused| refused.start < end && refused.end > start)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_fact_is_accepted_in_every_format_and_traced_to_itself(numbers in numbers(), format in 0_usize..60) {
        let context = numbers.context();
        let facts = Facts::of(&context);
        for (sentence, figure, value) in numbers.sentences() {
            let text = sentence.replace("{}", &figure.written(format));
            let checked = check(&text, &facts);
            prop_assert!(checked.refused.is_empty(), "{text}\n{:?}\n{context}", checked.refused);
            let equal = |path: &str| context.pointer(path) == Some(&value);
            prop_assert!(checked.claims.iter().any(|claim| equal(&claim.path)), "{text} {:?} {value}", checked.claims);
        }
    }

    #[test]
    fn one_altered_figure_is_refused(numbers in numbers(), format in 0_usize..60, by in 1_u64..40, which in any::<Index>()) {
        let facts = Facts::of(&numbers.context());
        let sentences = numbers.sentences();
        let (sentence, figure, _) = which.get(&sentences);
        let altered = figure.altered(by);
        prop_assume!(!altered.is_known(&numbers));
        let written = altered.written(format);
        let text: String = sentences
            .iter()
            .map(|(other, figure, _)| if other == sentence { other.replace("{}", &written) } else { other.replace("{}", &figure.written(format)) })
            .map(|sentence| sentence + " ")
            .collect();
        let checked = check(&text, &facts);
        prop_assert!(checked.refused.len() == 1, "{text}\n{:?}", checked.refused);
        let alone = sentence.replace("{}", &written);
        prop_assert!(refuses(&check(&alone, &facts), &alone, &written), "{alone}");
    }

    #[test]
    fn two_swapped_figures_are_refused(numbers in numbers(), format in 0_usize..60) {
        let facts = Facts::of(&numbers.context());
        let sentences = numbers.sentences();
        for (at, (first, a, _)) in sentences.iter().enumerate() {
            for (second, b, _) in &sentences[at + 1..] {
                // An ambiguous date may also match the other date.
                if std::mem::discriminant(a) != std::mem::discriminant(b) || a == b || matches!(a, Figure::Day(_)) && format % 4 == 3 {
                    continue;
                }
                for (sentence, figure) in [(first, b), (second, a)] {
                    let written = figure.written(format);
                    let text = sentence.replace("{}", &written);
                    prop_assert!(refuses(&check(&text, &facts), &text, &written), "{text}");
                }
            }
        }
    }

    #[test]
    fn a_country_that_the_case_does_not_name_is_refused(numbers in numbers()) {
        let facts = Facts::of(&numbers.context());
        for code in ["PT", "NG", "US", "BR", "DE", "JP", "GB", "CI", "AE", "KR"] {
            let name = country_name(code).unwrap();
            let known = numbers.countries.contains(&code);
            for text in [format!("It took place in {name}."), format!("It took place in {code}.")] {
                prop_assert_eq!(check(&text, &facts).refused.is_empty(), known, "{}", text);
            }
        }
    }
}
