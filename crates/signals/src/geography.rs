//! `geographic_inconsistency`: a trip that no airliner could have made, and, weaker, a country never seen before.
//!
//! A trip is measured from the located transaction before in event time. It is impossible if it is both long and fast: short
//! ones are coarse addresses, slow ones are flights. Transactions with the card not present are left out on both ends.

use countersign_domain::{Signal, Transaction, signal::Outcome, transaction::Channel};
use serde_json::{Map, Value, json};

use crate::{
    history::{Country, Place},
    picture::{MINUTE_MICROS, Picture},
    settings::GeographySettings,
    wording::{counted, duration, number, rounded},
};

const EARTH_RADIUS_KM: f64 = 6_371.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Geography {
    pub(crate) points: u8,
    finding: Finding,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Finding {
    CardNotPresent,
    NoLocation,
    NothingBefore,
    Possible(Trip),
    Impossible(Trip),
    /// By a trip that was possible.
    NewCountry(Trip),
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Trip {
    from: Country,
    to: Country,
    distance_km: f64,
    minutes: u64,
    speed_kmh: f64,
}

impl Geography {
    pub(crate) fn measure(settings: &GeographySettings, tx: &Transaction, picture: &Picture) -> Self {
        let clear = |finding| Self { points: 0, finding };
        let Some(here) = picture.here else {
            let is_absent = tx.channel == Some(Channel::CardNotPresent);
            return clear(if is_absent { Finding::CardNotPresent } else { Finding::NoLocation });
        };
        let Some((from, from_at)) = picture.previous else { return clear(Finding::NothingBefore) };
        let trip = Trip::new(settings, from, here, picture.now.at_micros.saturating_sub(from_at));
        if trip.distance_km >= settings.distance_km_min && trip.speed_kmh >= settings.speed_kmh {
            let points = settings.points.points(trip.speed_kmh / settings.speed_kmh);
            return Self { points, finding: Finding::Impossible(trip) };
        }
        match picture.is_new_country().filter(|_| picture.located >= settings.located_min) {
            Some(_) => Self { points: settings.new_country_points.min(100), finding: Finding::NewCountry(trip) },
            None => clear(Finding::Possible(trip)),
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match self.finding {
            Finding::CardNotPresent | Finding::NoLocation => Outcome::NotApplicable,
            Finding::NothingBefore => Outcome::InsufficientHistory,
            Finding::Possible(_) => Outcome::Clear,
            Finding::Impossible(_) | Finding::NewCountry(_) => Outcome::Fired,
        }
    }

    pub(crate) fn signal(&self, settings: &GeographySettings, picture: &Picture) -> Signal {
        let (value, threshold, unit) = match self.finding {
            Finding::NewCountry(_) => (Some(1.0), 1.0, "countries not seen before"),
            Finding::Possible(trip) | Finding::Impossible(trip) => {
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
            explanation: self.explanation(settings, picture),
            baseline: Map::from_iter([("located_transactions".into(), json!(picture.located))]),
            details: self.details(settings, picture),
            flags: Vec::new(),
        }
    }

    fn details(&self, settings: &GeographySettings, picture: &Picture) -> Map<String, Value> {
        let trip = match self.finding {
            Finding::Possible(trip) | Finding::Impossible(trip) | Finding::NewCountry(trip) => trip,
            _ => return Map::new(),
        };
        let mut map = trip.details();
        map.insert("distance_km_min".into(), json!(settings.distance_km_min));
        map.insert("is_new_country".into(), json!(picture.is_new_country().is_some()));
        if let Finding::NewCountry(_) = self.finding {
            map.insert("countries_seen".into(), json!(picture.countries));
        }
        map
    }

    fn explanation(&self, settings: &GeographySettings, picture: &Picture) -> String {
        let limit = number(settings.speed_kmh);
        match self.finding {
            Finding::CardNotPresent => "The card was not present, so travel was not measured.".into(),
            Finding::NoLocation => "The transaction carried no usable location, so travel was not measured.".into(),
            Finding::NothingBefore => {
                "No earlier located transaction was on record, so travel could not be measured.".into()
            }
            Finding::Impossible(trip) => format!(
                "The transaction took place in {}, {} km from the one before in {}, {} later; that trip needed {} km/h, \
                 against a limit of {limit} km/h.",
                trip.to,
                number(rounded(trip.distance_km)),
                trip.from,
                duration(trip.minutes),
                number(rounded(trip.speed_kmh)),
            ),
            Finding::Possible(trip) => format!(
                "The transaction took place {} km from the one before, {} later; the speed of {} km/h stayed within what \
                 travel allowed.",
                number(rounded(trip.distance_km)),
                duration(trip.minutes),
                number(rounded(trip.speed_kmh)),
            ),
            Finding::NewCountry(trip) => format!(
                "The transaction was the customer's first in {}; {} had taken place in {}.",
                trip.to,
                counted(picture.located, "earlier located transaction", "earlier located transactions"),
                counted(picture.countries, "other country", "other countries"),
            ),
        }
    }
}

impl Trip {
    fn new(settings: &GeographySettings, from: Place, to: Place, micros: i64) -> Self {
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

/// Along the great circle (haversine).
fn distance_km(from: Place, to: Place) -> f64 {
    let half = |a: f64, b: f64| ((b - a).to_radians() / 2.0).sin().powi(2);
    let across = from.lat.to_radians().cos() * to.lat.to_radians().cos();
    let chord = half(from.lat, to.lat) + across * half(from.lon, to.lon);
    2.0 * EARTH_RADIUS_KM * chord.clamp(0.0, 1.0).sqrt().asin()
}
