//! The values that cases are made of: cities, merchants, currencies and texts.

pub(super) struct City {
    pub(super) name: &'static str,
    pub(super) country: &'static str,
    pub(super) lat: f64,
    pub(super) lon: f64,
}

pub(super) const fn city(name: &'static str, country: &'static str, lat: f64, lon: f64) -> City {
    City { name, country, lat, lon }
}

pub(super) const CITIES: [City; 16] = [
    city("Porto", "PT", 41.15, -8.61),
    city("Lyon", "FR", 45.76, 4.84),
    city("Leeds", "GB", 53.80, -1.55),
    city("Hamburg", "DE", 53.55, 9.99),
    city("Osaka", "JP", 34.69, 135.50),
    city("Toronto", "CA", 43.65, -79.38),
    city("Nairobi", "KE", -1.29, 36.82),
    city("Bogota", "CO", 4.71, -74.07),
    city("Zurich", "CH", 47.38, 8.54),
    city("Denver", "US", 39.74, -104.99),
    city("Gdansk", "PL", 54.35, 18.65),
    city("Adelaide", "AU", -34.93, 138.60),
    city("Pune", "IN", 18.52, 73.86),
    city("Valencia", "ES", 39.47, -0.38),
    city("Antalya", "TR", 36.90, 30.70),
    city("Recife", "BR", -8.05, -34.88),
];

pub(super) const MERCHANTS: [(&str, &str); 14] = [
    ("Harbour Jewellers", "jewellery"),
    ("Northwind Electronics", "electronics"),
    ("Blue Lantern Travel", "travel"),
    ("Cobalt Cycles", "sporting goods"),
    ("Meridian Furniture", "furniture"),
    ("Orchard Pharmacy", "pharmacy"),
    ("Silverline Watches", "luxury goods"),
    ("Granite Tools", "hardware"),
    ("Lumen Cameras", "electronics"),
    ("Atlas Outfitters", "clothing"),
    ("Kestrel Games", "gaming"),
    ("Juniper Gift Cards", "gift cards"),
    ("Sable Audio", "electronics"),
    ("Quayside Grocers", "groceries"),
];

/// Everyday amounts in major units, by currency.
pub(super) const CURRENCIES: [(&str, i64); 8] =
    [("USD", 48), ("EUR", 37), ("GBP", 29), ("CHF", 64), ("JPY", 4_300), ("CAD", 55), ("AUD", 71), ("KWD", 14)];

pub(super) const MEMOS: [&str; 6] =
    ["invoice 2231", "holiday deposit", "order 88-104", "annual membership", "spare parts", "gift voucher"];

pub(super) const SOURCES: [&str; 4] = ["salary", "savings", "sale of a vehicle", "business income"];

pub(super) const DESTINATIONS: [&str; 4] = ["crypto exchange", "brokerage", "escrow service", "online wallet"];
