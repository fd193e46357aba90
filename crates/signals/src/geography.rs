//! `geographic_inconsistency`: a trip faster than any airliner and, as a weaker flag, a country never seen before.
//!
//! A trip is measured from the previous located transaction by event time. It is impossible if it is both long and fast: short
//! trips are an effect of coarse addresses, and slow ones are flights. Card-not-present transactions are left out at both ends.

use countersign_domain::{Signal, Transaction, signal::DetectionOutcome, transaction::Channel};
use serde_json::{Map, Value, json};

use crate::{
    history::{Country, GeoPlace},
    settings::GeographySettings,
    snapshot::{CustomerSnapshot, MINUTE_MICROS},
    wording::{counted, duration, number, rounded},
};

const EARTH_RADIUS_KM: f64 = 6_371.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GeographyMeasurement {
    pub(crate) points: u8,
    finding: TravelFinding,
}

/// The result of the measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
enum TravelFinding {
    CardNotPresent,
    NoLocation,
    NothingBefore,
    Possible(MeasuredTrip),
    Impossible(MeasuredTrip),
    /// The trip was possible, but the country is new.
    NewCountry(MeasuredTrip),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct MeasuredTrip {
    from: Country,
    to: Country,
    distance_km: f64,
    minutes: u64,
    speed_kmh: f64,
}

impl GeographyMeasurement {
    pub(crate) fn measure(settings: &GeographySettings, tx: &Transaction, snapshot: &CustomerSnapshot) -> Self {
        let clear = |finding| Self { points: 0, finding };
        let Some(here) = snapshot.here else {
            let is_absent = tx.channel == Some(Channel::CardNotPresent);
            return clear(if is_absent { TravelFinding::CardNotPresent } else { TravelFinding::NoLocation });
        };
        let Some((from, from_at)) = snapshot.previous else { return clear(TravelFinding::NothingBefore) };
        let trip = MeasuredTrip::new(settings, from, here, snapshot.now.at_micros.saturating_sub(from_at));
        if trip.distance_km >= settings.distance_km_min && trip.speed_kmh >= settings.speed_kmh {
            let points = settings.points.points(trip.speed_kmh / settings.speed_kmh);
            return Self { points, finding: TravelFinding::Impossible(trip) };
        }
        match snapshot.is_new_country().filter(|_| snapshot.located >= settings.located_min) {
            Some(_) => Self { points: settings.new_country_points.min(100), finding: TravelFinding::NewCountry(trip) },
            None => clear(TravelFinding::Possible(trip)),
        }
    }

    pub(crate) fn outcome(&self) -> DetectionOutcome {
        match self.finding {
            TravelFinding::CardNotPresent | TravelFinding::NoLocation => DetectionOutcome::NotApplicable,
            TravelFinding::NothingBefore => DetectionOutcome::InsufficientHistory,
            TravelFinding::Possible(_) => DetectionOutcome::Clear,
            TravelFinding::Impossible(_) | TravelFinding::NewCountry(_) => DetectionOutcome::Fired,
        }
    }

    pub(crate) fn signal(&self, settings: &GeographySettings, snapshot: &CustomerSnapshot) -> Signal {
        let (value, threshold, unit) = match self.finding {
            TravelFinding::NewCountry(_) => (Some(1.0), 1.0, "countries not seen before"),
            TravelFinding::Possible(trip) | TravelFinding::Impossible(trip) => {
                (Some(rounded(trip.speed_kmh)), settings.speed_kmh, "km/h")
            }
            _ => (None, settings.speed_kmh, "km/h"),
        };
        Signal {
            outcome: self.outcome(),
            value,
            threshold: Some(threshold),
            unit: Some(unit.into()),
            contribution: self.points,
            explanation: self.explanation(settings, snapshot),
            baseline: Map::from_iter([("located_transactions".into(), json!(snapshot.located))]),
            details: self.details(settings, snapshot),
            flags: Vec::new(),
        }
    }

    fn details(&self, settings: &GeographySettings, snapshot: &CustomerSnapshot) -> Map<String, Value> {
        let trip = match self.finding {
            TravelFinding::Possible(trip) | TravelFinding::Impossible(trip) | TravelFinding::NewCountry(trip) => trip,
            _ => return Map::new(),
        };
        let mut map = trip.details();
        map.insert("distance_km_min".into(), json!(settings.distance_km_min));
        map.insert("is_new_country".into(), json!(snapshot.is_new_country().is_some()));
        if let TravelFinding::NewCountry(_) = self.finding {
            map.insert("countries_seen".into(), json!(snapshot.countries));
        }
        map
    }

    fn explanation(&self, settings: &GeographySettings, snapshot: &CustomerSnapshot) -> String {
        let limit = number(settings.speed_kmh);
        match self.finding {
            TravelFinding::CardNotPresent => "The card was not present, so travel was not measured.".into(),
            TravelFinding::NoLocation => {
                "The transaction carried no usable location, so travel was not measured.".into()
            }
            TravelFinding::NothingBefore => {
                "No earlier located transaction was on record, so travel could not be measured.".into()
            }
            TravelFinding::Impossible(trip) => format!(
                "The transaction took place in {}, {} km from the one before in {}, {} later; that trip needed {} km/h, \
                 against a limit of {limit} km/h.",
                trip.to,
                number(rounded(trip.distance_km)),
                trip.from,
                duration(trip.minutes),
                number(rounded(trip.speed_kmh)),
            ),
            TravelFinding::Possible(trip) => format!(
                "The transaction took place {} km from the one before, {} later; the speed of {} km/h stayed within what \
                 travel allowed.",
                number(rounded(trip.distance_km)),
                duration(trip.minutes),
                number(rounded(trip.speed_kmh)),
            ),
            TravelFinding::NewCountry(trip) => format!(
                "The transaction was the customer's first in {}; {} had taken place in {}.",
                trip.to,
                counted(snapshot.located, "earlier located transaction", "earlier located transactions"),
                counted(snapshot.countries, "other country", "other countries"),
            ),
        }
    }
}

impl MeasuredTrip {
    fn new(settings: &GeographySettings, from: GeoPlace, to: GeoPlace, micros: i64) -> Self {
        let minutes = micros.max(0) as f64 / MINUTE_MICROS as f64;
        let distance_km = distance_km(from, to);
        let speed_kmh = distance_km / (minutes.max(settings.minutes_min).max(f64::EPSILON) / 60.0);
        Self { from: from.country, to: to.country, distance_km, minutes: minutes as u64, speed_kmh }
    }

    fn details(&self) -> Map<String, Value> {
        Map::from_iter([
            ("distance_km".into(), json!(rounded(self.distance_km))),
            ("minutes".into(), json!(self.minutes)),
            ("elapsed".into(), json!(duration(self.minutes))),
            ("speed_kmh".into(), json!(rounded(self.speed_kmh))),
            ("from_country".into(), json!(self.from.to_string())),
            ("to_country".into(), json!(self.to.to_string())),
        ])
    }
}

/// The great-circle distance, by the haversine formula.
fn distance_km(from: GeoPlace, to: GeoPlace) -> f64 {
    let half = |a: f64, b: f64| ((b - a).to_radians() / 2.0).sin().powi(2);
    let across = from.lat.to_radians().cos() * to.lat.to_radians().cos();
    let chord = half(from.lat, to.lat) + across * half(from.lon, to.lon);
    2.0 * EARTH_RADIUS_KM * chord.clamp(0.0, 1.0).sqrt().asin()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{assess, at, tx};

    fn signal(earlier: &[Transaction], tx: &Transaction) -> Signal {
        let [_, _, (_, signal), _] = assess(tx, earlier).signals();
        signal
    }

    /// A trip along the equator, where one degree is 111.195 km.
    fn check(degrees: f64, minutes: i64, expected: (DetectionOutcome, u8, f64)) {
        let signal = signal(&[tx(-minutes, at(0.0, 0.0, "GA"))], &tx(0, at(0.0, degrees, "KE")));
        assert_eq!(
            (signal.outcome, signal.contribution),
            (expected.0, expected.1),
            "{degrees} degrees, {minutes} minutes"
        );
        // Places are stored to within 10 m.
        assert!((signal.value.unwrap() - expected.2).abs() < 1.5, "{:?} is not {}", signal.value, expected.2);
    }

    #[test]
    fn a_trip_must_be_long_and_fast_to_be_impossible() {
        check(9.0, 60, (DetectionOutcome::Fired, 40, 1_001.0));
        check(9.0, 61, (DetectionOutcome::Clear, 0, 984.0));
        check(90.0, 60, (DetectionOutcome::Fired, 60, 10_008.0));
        check(27.0, 60, (DetectionOutcome::Fired, 50, 3_002.0));
        check(4.5, 1, (DetectionOutcome::Fired, 60, 30_023.0));
        check(4.4, 1, (DetectionOutcome::Clear, 0, 29_356.0));
    }

    #[test]
    fn equal_times_count_as_a_minute() {
        check(4.5, 0, (DetectionOutcome::Fired, 60, 30_023.0));
        check(0.0, 0, (DetectionOutcome::Clear, 0, 0.0));
    }

    #[test]
    fn the_sentence_describes_the_trip() {
        let lisbon = tx(-42, at(38.7223, -9.1393, "PT"));
        let signal = signal(&[lisbon], &tx(0, at(1.3521, 103.8198, "SG")));
        assert_eq!(
            signal.explanation,
            "The transaction took place in SG, 11,879 km from the one before in PT, 42 minutes later; that trip needed \
             16,969 km/h, against a limit of 1,000 km/h."
        );
        assert_eq!((&signal.details["from_country"], &signal.details["to_country"]), (&json!("PT"), &json!("SG")));
        assert_eq!((&signal.details["distance_km"], &signal.details["minutes"]), (&json!(11_879.0), &json!(42)));
    }

    #[test]
    fn card_not_present_transactions_are_left_out_at_both_ends() {
        let mut absent = tx(-1, at(0.0, 0.0, "GA"));
        absent.channel = Some(Channel::CardNotPresent);
        let here = tx(0, at(0.0, 90.0, "KE"));
        assert_eq!(signal(std::slice::from_ref(&absent), &here).outcome, DetectionOutcome::InsufficientHistory);
        let found = signal(&[tx(-2, at(0.0, 90.0, "KE"))], &absent);
        assert_eq!(found.outcome, DetectionOutcome::NotApplicable);
        assert_eq!(found.explanation, "The card was not present, so travel was not measured.");
    }

    #[test]
    fn a_transaction_without_a_place_is_not_measured() {
        assert_eq!(signal(&[], &tx(0, json!({}))).outcome, DetectionOutcome::NotApplicable);
    }

    #[test]
    fn a_trip_starts_at_the_previous_transaction_by_time_not_by_arrival() {
        // Gabon an hour ago arrived after Kenya a minute ago.
        let earlier = [tx(-1, at(0.0, 90.0, "KE")), tx(-60, at(0.0, 0.0, "GA"))];
        assert_eq!(signal(&earlier, &tx(0, at(0.0, 90.0, "KE"))).outcome, DetectionOutcome::Clear);
    }

    #[test]
    fn a_new_country_is_a_weak_flag_that_needs_a_history() {
        let at_home =
            |count: i64| -> Vec<_> { (1..=count).map(|day| tx(-1_440 * day, at(38.7, -9.1, "PT"))).collect() };
        let abroad = tx(0, at(40.4, -3.7, "ES"));
        assert_eq!(signal(&at_home(4), &abroad).outcome, DetectionOutcome::Clear);
        let found = signal(&at_home(5), &abroad);
        assert_eq!((found.outcome, found.contribution), (DetectionOutcome::Fired, 15));
        assert_eq!(
            found.explanation,
            "The transaction was the customer's first in ES; 5 earlier located transactions had taken place in 1 other \
             country."
        );
        let mut been_there = at_home(5);
        been_there.push(tx(-5_000, at(41.0, 2.0, "ES")));
        assert_eq!(signal(&been_there, &abroad).outcome, DetectionOutcome::Clear);
    }
}
