//! Where customers live and travel to.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::chance::{pick, weighted};

#[derive(Debug, PartialEq)]
pub(super) struct City {
    pub(super) name: &'static str,
    pub(super) country: &'static str,
    pub(super) lat: f64,
    pub(super) lon: f64,
    pub(super) currency: &'static str,
    /// Roughly what goods worth one dollar cost there, in the local currency.
    pub(super) price_level: f64,
    /// Standard time. Summer time is ignored.
    pub(super) utc_hours: i64,
}

const EARTH_RADIUS_KM: f64 = 6371.0;
const FAR_KM: f64 = 3000.0;
/// A shorter trip is never impossible, however fast it is, because addresses are coarse.
const NEAR_KM: f64 = 900.0;

impl City {
    pub(super) fn distance_km(&self, other: &Self) -> f64 {
        let (lat, other_lat) = (self.lat.to_radians(), other.lat.to_radians());
        let (north, east) = (other_lat - lat, (other.lon - self.lon).to_radians());
        let half = (north / 2.0).sin().powi(2) + lat.cos() * other_lat.cos() * (east / 2.0).sin().powi(2);
        2.0 * EARTH_RADIUS_KM * half.sqrt().min(1.0).asin()
    }

    /// The local reporting threshold: a round sum worth about ten thousand dollars.
    pub(super) fn reporting_threshold(&self) -> f64 {
        10_f64.powf(4.0 + self.price_level.log10().round())
    }

    pub(super) fn any(rng: &mut ChaCha8Rng) -> &'static Self {
        pick(rng, &CITIES)
    }

    /// A destination for a trip: mostly near, sometimes anywhere.
    pub(super) fn pick_destination(&self, rng: &mut ChaCha8Rng) -> &'static Self {
        weighted(rng, &CITIES, |city| match self.distance_km(city) {
            km if km < 50.0 => 0.0,
            km if km < 2500.0 => 5.0,
            _ => 1.0,
        })
    }

    /// A city too far away to reach within hours.
    pub(super) fn far_away(&self, rng: &mut ChaCha8Rng) -> &'static Self {
        weighted(rng, &CITIES, |city| if self.distance_km(city) > FAR_KM { 1.0 } else { 0.0 })
    }

    /// A city that could be reached from here in `hours` only at a speed within `kmh`, if there is one.
    pub(super) fn reached_at(
        &self,
        kmh: &std::ops::Range<f64>,
        hours: f64,
        rng: &mut ChaCha8Rng,
    ) -> Option<&'static Self> {
        let is_fitting = |city: &Self| {
            let km = self.distance_km(city);
            km > NEAR_KM && kmh.contains(&(km / hours))
        };
        let fitting = CITIES.iter().filter(|city| is_fitting(city)).count();
        let chosen = (fitting > 0).then(|| rng.random_range(0..fitting))?;
        CITIES.iter().filter(|city| is_fitting(city)).nth(chosen)
    }

    pub(super) fn named(name: &str) -> Option<&'static Self> {
        CITIES.iter().find(|city| city.name == name)
    }
}

const fn city(
    name: &'static str,
    country: &'static str,
    lat: f64,
    lon: f64,
    currency: &'static str,
    price_level: f64,
    utc_hours: i64,
) -> City {
    City { name, country, lat, lon, currency, price_level, utc_hours }
}

pub(super) const CITIES: [City; 42] = [
    city("Lisbon", "PT", 38.7223, -9.1393, "EUR", 0.8, 0),
    city("Porto", "PT", 41.1579, -8.6291, "EUR", 0.75, 0),
    city("Madrid", "ES", 40.4168, -3.7038, "EUR", 0.85, 1),
    city("Barcelona", "ES", 41.3874, 2.1686, "EUR", 0.9, 1),
    city("Paris", "FR", 48.8566, 2.3522, "EUR", 1.0, 1),
    city("Lyon", "FR", 45.764, 4.8357, "EUR", 0.9, 1),
    city("Berlin", "DE", 52.52, 13.405, "EUR", 0.9, 1),
    city("Munich", "DE", 48.1351, 11.582, "EUR", 1.0, 1),
    city("Vienna", "AT", 48.2082, 16.3738, "EUR", 0.95, 1),
    city("Milan", "IT", 45.4642, 9.19, "EUR", 0.95, 1),
    city("Rome", "IT", 41.9028, 12.4964, "EUR", 0.9, 1),
    city("Amsterdam", "NL", 52.3676, 4.9041, "EUR", 1.0, 1),
    city("Dublin", "IE", 53.3498, -6.2603, "EUR", 1.0, 0),
    city("Athens", "GR", 37.9838, 23.7275, "EUR", 0.75, 2),
    city("Helsinki", "FI", 60.1699, 24.9384, "EUR", 1.0, 2),
    city("London", "GB", 51.5074, -0.1278, "GBP", 0.85, 0),
    city("Manchester", "GB", 53.4808, -2.2426, "GBP", 0.75, 0),
    city("Zurich", "CH", 47.3769, 8.5417, "CHF", 1.3, 1),
    city("Stockholm", "SE", 59.3293, 18.0686, "SEK", 10.0, 1),
    city("Oslo", "NO", 59.9139, 10.7522, "NOK", 11.5, 1),
    city("Copenhagen", "DK", 55.6761, 12.5683, "DKK", 7.5, 1),
    city("Warsaw", "PL", 52.2297, 21.0122, "PLN", 3.0, 1),
    city("Prague", "CZ", 50.0755, 14.4378, "CZK", 18.0, 1),
    city("Istanbul", "TR", 41.0082, 28.9784, "TRY", 25.0, 3),
    city("New York", "US", 40.7128, -74.006, "USD", 1.2, -5),
    city("Chicago", "US", 41.8781, -87.6298, "USD", 1.0, -6),
    city("Austin", "US", 30.2672, -97.7431, "USD", 1.0, -6),
    city("San Francisco", "US", 37.7749, -122.4194, "USD", 1.3, -8),
    city("Seattle", "US", 47.6062, -122.3321, "USD", 1.2, -8),
    city("Toronto", "CA", 43.6532, -79.3832, "CAD", 1.3, -5),
    city("Vancouver", "CA", 49.2827, -123.1207, "CAD", 1.35, -8),
    city("Mexico City", "MX", 19.4326, -99.1332, "MXN", 12.0, -6),
    city("Sao Paulo", "BR", -23.5505, -46.6333, "BRL", 3.5, -3),
    city("Buenos Aires", "AR", -34.6037, -58.3816, "ARS", 700.0, -3),
    city("Cape Town", "ZA", -33.9249, 18.4241, "ZAR", 11.0, 2),
    city("Nairobi", "KE", -1.2921, 36.8219, "KES", 80.0, 3),
    city("Dubai", "AE", 25.2048, 55.2708, "AED", 3.6, 4),
    city("Singapore", "SG", 1.3521, 103.8198, "SGD", 1.3, 8),
    city("Tokyo", "JP", 35.6762, 139.6503, "JPY", 120.0, 9),
    city("Seoul", "KR", 37.5665, 126.978, "KRW", 1100.0, 9),
    city("Sydney", "AU", -33.8688, 151.2093, "AUD", 1.4, 10),
    city("Kuwait City", "KW", 29.3759, 47.9774, "KWD", 0.3, 3),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_between_cities_are_right() {
        let named = |name| CITIES.iter().find(|city| city.name == name).unwrap();
        for (from, to, km) in [("Lisbon", "Porto", 274.0), ("London", "New York", 5570.0), ("Tokyo", "Sydney", 7822.0)]
        {
            let found = named(from).distance_km(named(to));
            assert!((found - km).abs() < km / 100.0, "{from} to {to}: {found}");
        }
    }

    #[test]
    fn every_city_has_a_valid_currency_and_another_city_out_of_reach() {
        for city in &CITIES {
            assert!(CITIES.iter().any(|other| city.distance_km(other) > 3000.0), "{}", city.name);
            assert!(city.currency.parse::<countersign_domain::Currency>().is_ok(), "{}", city.name);
        }
    }
}
