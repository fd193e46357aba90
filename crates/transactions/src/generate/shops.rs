//! What is bought, where and for how much. Shops' names are combined from words and stand for no real shop.

use countersign_domain::transaction::Channel;
use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use super::chance::{pick, weighted};

#[derive(Debug, PartialEq)]
pub(super) struct ShopCategory {
    pub(super) name: &'static str,
    /// The median price in dollars.
    pub(super) median: f64,
    pub(super) spread: f64,
    /// How often it is chosen, relative to the others.
    weight: f64,
    /// The share of purchases made remotely, 0 to 1.
    online: f64,
    nouns: &'static [&'static str],
}

#[derive(Debug, Clone)]
pub(super) struct Shop {
    pub(super) name: String,
    pub(super) category: &'static ShopCategory,
}

const fn category(
    name: &'static str,
    (median, spread): (f64, f64),
    weight: f64,
    online: f64,
    nouns: &'static [&'static str],
) -> ShopCategory {
    ShopCategory { name, median, spread, weight, online, nouns }
}

const CATEGORIES: [ShopCategory; 13] = [
    category("groceries", (38.0, 0.6), 30.0, 0.10, &["Market", "Grocers", "Greens", "Pantry"]),
    category("restaurants", (27.0, 0.5), 18.0, 0.12, &["Kitchen", "Table", "Bistro", "Noodles"]),
    category("cafes", (6.5, 0.35), 12.0, 0.0, &["Coffee", "Bakery", "Roasters"]),
    category("fuel", (52.0, 0.3), 7.0, 0.0, &["Fuel", "Service Station"]),
    category("transport", (9.0, 0.7), 9.0, 0.5, &["Transit", "Cabs", "Rail"]),
    category("clothing", (64.0, 0.7), 5.0, 0.45, &["Outfitters", "Tailors", "Shoes"]),
    category("pharmacy", (18.0, 0.6), 5.0, 0.1, &["Pharmacy", "Apothecary"]),
    category("entertainment", (22.0, 0.6), 5.0, 0.6, &["Cinema", "Games", "Stage"]),
    category("home", (75.0, 0.8), 3.0, 0.35, &["Furnishings", "Hardware", "Lamps"]),
    category("online_retail", (34.0, 0.8), 8.0, 1.0, &["Parcel", "Depot Online", "Mail Order"]),
    category("utilities", (85.0, 0.4), 3.0, 1.0, &["Energy", "Water", "Telecom"]),
    category("electronics", (140.0, 0.9), 1.5, 0.5, &["Electronics", "Computers", "Audio"]),
    category("travel", (180.0, 0.7), 1.5, 0.9, &["Airways", "Hotels", "Journeys"]),
];

/// What thieves buy, because it can be resold.
const RESALABLE: [ShopCategory; 4] = [
    category("electronics", (620.0, 0.5), 4.0, 1.0, &["Electronics", "Computers", "Phones"]),
    category("gift_cards", (250.0, 0.4), 3.0, 1.0, &["Gift Cards", "Vouchers"]),
    category("jewellery", (900.0, 0.5), 2.0, 0.8, &["Jewellers", "Watches"]),
    category("travel", (700.0, 0.5), 1.0, 1.0, &["Airways", "Last Minute"]),
];

pub(super) static CASH: ShopCategory = category("cash", (90.0, 0.5), 0.0, 0.0, &["Cash Point", "Savings Bank ATM"]);
pub(super) static TRANSFER: ShopCategory = category("transfer", (160.0, 1.0), 0.0, 1.0, &["Transfer"]);

const FIRST_WORDS: [&str; 40] = [
    "Harbour",
    "Linden",
    "Old Mill",
    "Kestrel",
    "Saffron",
    "Northgate",
    "Blue Door",
    "Juniper",
    "Copper Lane",
    "Wren & Co",
    "Maple Row",
    "Lantern",
    "Tidewater",
    "Quarry",
    "Fennel",
    "Orchard",
    "Bellweather",
    "Foxglove",
    "Granite",
    "Halcyon",
    "Ivory Gate",
    "Kiln",
    "Larkspur",
    "Meridian",
    "Nettle",
    "Oakhaven",
    "Pebble",
    "Quillon",
    "Rookery",
    "Sable",
    "Thistle",
    "Umber",
    "Velvet Fox",
    "Willow Bend",
    "Yarrow",
    "Zephyr",
    "Ash & Ember",
    "Brindle",
    "Cinder",
    "Dovetail",
];

impl ShopCategory {
    pub(super) fn usual(rng: &mut ChaCha8Rng) -> &'static Self {
        weighted(rng, &CATEGORIES, |category| category.weight)
    }

    pub(super) fn resalable(rng: &mut ChaCha8Rng) -> &'static Self {
        weighted(rng, &RESALABLE, |category| category.weight)
    }

    /// A category for large but honest purchases.
    pub(super) fn of_large_things(rng: &mut ChaCha8Rng) -> &'static Self {
        weighted(rng, &CATEGORIES, |category| if category.median > 60.0 { 1.0 } else { 0.0 })
    }

    pub(super) fn shop(&'static self, rng: &mut ChaCha8Rng) -> Shop {
        let name = format!("{} {}", pick(rng, &FIRST_WORDS), pick(rng, self.nouns));
        Shop { name, category: self }
    }

    pub(super) fn channel(&self, rng: &mut ChaCha8Rng) -> Channel {
        match self.name {
            "cash" => Channel::Atm,
            "transfer" => Channel::Transfer,
            _ if rng.random_bool(self.online) => Channel::CardNotPresent,
            _ => Channel::CardPresent,
        }
    }
}
