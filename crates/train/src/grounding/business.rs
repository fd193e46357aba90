//! Invented businesses as records, with faithful and unfaithful descriptions.

use countersign_text::hash::SplitMix64;

use super::corrupt::{lines, pick_one};

const REMARKS: &str = include_str!("../../texts/grounding_business.txt");
const INVENTED: &str = include_str!("../../texts/grounding_invented.txt");

pub(crate) struct DescribedBusiness {
    pub(crate) context: String,
    pub(crate) text: String,
    /// The byte ranges of the sentences that the record does not support.
    pub(crate) wrong: Vec<(usize, usize)>,
}

const FIRST: [&str; 16] = [
    "Golden", "Blue", "Sunny", "Old", "Royal", "Little", "Red", "Green", "Silver", "Harbor", "Corner", "Happy",
    "Lucky", "Urban", "Maple", "Desert",
];
const SECOND: [&str; 16] = [
    "Lantern", "Fork", "Garden", "Oven", "Table", "Door", "Spoon", "Barn", "Anchor", "Kettle", "Olive", "Pepper",
    "Cactus", "Bakery", "Grill", "Studio",
];
const CITIES: [(&str, &str); 10] = [
    ("Reno", "NV"),
    ("Tampa", "FL"),
    ("Tucson", "AZ"),
    ("Boise", "ID"),
    ("Nashville", "TN"),
    ("Goleta", "CA"),
    ("New Orleans", "LA"),
    ("Philadelphia", "PA"),
    ("Indianapolis", "IN"),
    ("Saint Louis", "MO"),
];
const KINDS: [&str; 12] = [
    "Restaurants, Mexican, Bars",
    "Restaurants, Italian, Pizza",
    "Sushi Bars, Japanese, Restaurants",
    "Coffee & Tea, Breakfast & Brunch, Restaurants",
    "Nail Salons, Beauty & Spas",
    "Auto Repair, Automotive",
    "American (New), Burgers, Nightlife",
    "Indian, Vegetarian, Restaurants",
    "Hotels, Event Planning & Services",
    "Seafood, Steakhouses, Restaurants",
    "Thai, Noodles, Restaurants",
    "Bakeries, Desserts, Food",
];
/// Field name, wording for yes, wording for no.
const ATTRIBUTES: [(&str, &str, &str); 8] = [
    ("OutdoorSeating", "outdoor seating", "no outdoor seating"),
    ("WiFi", "free WiFi", "no WiFi"),
    ("RestaurantsReservations", "reservations", "no reservations"),
    ("RestaurantsTakeOut", "takeout", "no takeout"),
    ("RestaurantsDelivery", "delivery", "no delivery"),
    ("RestaurantsGoodForGroups", "a setting that suits groups", "a setting that is not suited to groups"),
    ("HasTV", "televisions", "no televisions"),
    ("Music", "live music", "no music"),
];
const PARKING: [&str; 5] = ["garage", "street", "validated", "lot", "valet"];
const AMBIENCE: [&str; 6] = ["romantic", "casual", "classy", "trendy", "intimate", "touristy"];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

pub(crate) fn generate(count: usize, chance: &mut SplitMix64) -> Vec<DescribedBusiness> {
    (0..count).map(|_| described(chance)).collect()
}

struct Business {
    name: String,
    city: usize,
    kind: &'static str,
    stars: usize,
    opens: usize,
    closes: usize,
    closed: Option<usize>,
    attributes: Vec<Option<bool>>,
    parking: Vec<bool>,
    ambience: Vec<bool>,
    remarks: Vec<Vec<&'static str>>,
    number: usize,
}

fn described(chance: &mut SplitMix64) -> DescribedBusiness {
    let all = lines(REMARKS);
    let mut remarks: Vec<Vec<&str>> = all.iter().map(|line| line.split('\t').collect()).collect();
    chance.shuffle(&mut remarks);
    let business = Business {
        name: format!("{} {}", FIRST[chance.below(16)], SECOND[chance.below(16)]),
        city: chance.below(10),
        kind: KINDS[chance.below(12)],
        stars: 4 + chance.below(7),
        opens: 6 + chance.below(6),
        closes: 17 + chance.below(7),
        closed: (chance.below(3) == 0).then(|| chance.below(7)),
        attributes: ATTRIBUTES.iter().map(|_| [Some(true), Some(true), Some(false), None][chance.below(4)]).collect(),
        parking: PARKING.iter().map(|_| chance.below(3) == 0).collect(),
        ambience: AMBIENCE.iter().map(|_| chance.below(3) == 0).collect(),
        remarks,
        number: 100 + chance.below(8900),
    };
    let faults = if chance.below(100) < 60 { 1 + chance.below(3) } else { 0 };
    let (text, planted) = business.description(faults, chance);
    let place = |fault: &String| text.find(fault.as_str()).map(|at| (at, at + fault.len()));
    let wrong = planted.iter().filter_map(place).collect();
    DescribedBusiness { context: business.record(chance), text, wrong }
}

impl Business {
    /// Formats the business as JSON or as a printed Python dictionary, sometimes with an instruction before it.
    fn record(&self, chance: &mut SplitMix64) -> String {
        let python = chance.below(3) == 0;
        let (yes, no, none) = if python { ("True", "False", "None") } else { ("true", "false", "null") };
        let bool_of = |value: bool| if value { yes } else { no };
        let set = |names: &[&str], values: &[bool]| {
            let fields: Vec<String> =
                names.iter().zip(values).map(|(n, v)| format!("\"{n}\": {}", bool_of(*v))).collect();
            format!("{{{}}}", fields.join(", "))
        };
        let (city, state) = CITIES[self.city];
        let hours: Vec<String> = DAYS
            .iter()
            .enumerate()
            .filter(|(day, _)| self.closed != Some(*day))
            .map(|(_, day)| format!("\"{day}\": \"{}:0-{}:0\"", self.opens, self.closes))
            .collect();
        let attributes: Vec<String> = ATTRIBUTES
            .iter()
            .zip(&self.attributes)
            .map(|((field, ..), value)| match (*field, value) {
                ("WiFi", Some(true)) => "\"WiFi\": \"free\"".to_owned(),
                ("WiFi", Some(false)) => "\"WiFi\": \"no\"".to_owned(),
                (field, Some(value)) => format!("\"{field}\": {}", bool_of(*value)),
                (field, None) => format!("\"{field}\": {none}"),
            })
            .collect();
        let reviews: Vec<String> = (0..3)
            .map(|n| {
                let [_, one, _] = self.remark(n * 2);
                let [_, two, _] = self.remark(n * 2 + 1);
                format!("{{\"review_stars\": {}.0, \"review_date\": \"20{}-0{}-1{} 18:24:0{n}\", \"review_text\": \"{one} {two}\"}}", 1 + (self.number + n) % 5, 15 + n * 2, n + 3, n + 2)
            })
            .collect();
        let record = format!(
            "{{\"name\": \"{}\", \"address\": \"{} Main St\", \"city\": \"{city}\", \"state\": \"{state}\", \"categories\": \"{}\", \"hours\": {{{}}}, \"attributes\": {{\"BusinessParking\": {}, {}, \"Ambience\": {}}}, \"business_stars\": {}, \"review_info\": [{}]}}",
            self.name,
            self.number,
            self.kind,
            hours.join(", "),
            set(&PARKING, &self.parking),
            attributes.join(", "),
            set(&AMBIENCE, &self.ambience),
            self.stars as f32 / 2.0,
            reviews.join(", ")
        );
        let record = if python { record.replace('"', "'") } else { record };
        match chance.below(3) {
            0 => format!(
                "Write an objective overview of this local business from the structured data only.\nStructured data:\n{record}\nOverview:"
            ),
            _ => record,
        }
    }

    /// The sentiment, the customer's words, and the words with which a description may report them.
    fn remark(&self, n: usize) -> [&'static str; 3] {
        let of = |at: usize| self.remarks.get(n).and_then(|remark| remark.get(at)).copied().unwrap_or_default();
        [of(0), of(1), of(2)]
    }

    /// Returns the description, and those of its sentences that are unsupported.
    fn description(&self, faults: usize, chance: &mut SplitMix64) -> (String, Vec<String>) {
        let mut sentences = self.true_sentences(chance);
        if chance.below(3) == 0 {
            let skipped = 1 + chance.below(sentences.len() - 1);
            sentences.remove(skipped);
        }
        let mut planted = Vec::new();
        for _ in 0..faults {
            let Some(fault) = self.fault(chance) else { continue };
            let at = 1 + chance.below(sentences.len());
            sentences.insert(at, fault.clone());
            planted.push(fault);
        }
        let closing = match chance.below(4) {
            0 => format!(" Overall, {} offers a mixed experience based on the reviews.", self.name),
            1 => " Overall, customers have shared both praise and criticism.".to_owned(),
            _ => String::new(),
        };
        let opening = if chance.below(5) == 0 { "Sure! Here is an overview of the business:\n\n" } else { "" };
        (format!("{opening}{}{closing}", sentences.join(" ")), planted)
    }

    fn true_sentences(&self, chance: &mut SplitMix64) -> Vec<String> {
        let (city, state) = CITIES[self.city];
        let kind = self.kind.split(", ").nth(1).unwrap_or(self.kind).to_lowercase();
        let stars = self.stars as f32 / 2.0;
        let mut sentences = vec![match chance.below(3) {
            0 => format!(
                "{} is a {kind} establishment located at {} Main St in {city}, {state}.",
                self.name, self.number
            ),
            1 => format!("Located in {city}, {state}, {} is a popular place in the category of {kind}.", self.name),
            _ => format!("{} is a local business in {city} that falls under {kind}.", self.name),
        }];
        sentences.push(self.hours(self.opens, self.closes - 12, chance));
        let offered: Vec<&str> = self.attributes_with(Some(true)).map(|(_, yes, _)| yes).collect();
        if !offered.is_empty() {
            sentences.push(match chance.below(2) {
                0 => format!("It offers {}.", listed(&offered)),
                _ => format!("Amenities include {}.", listed(&offered)),
            });
        }
        let denied: Vec<&str> = self.attributes_with(Some(false)).map(|(_, _, no)| no).take(2).collect();
        if !denied.is_empty() && chance.below(2) == 0 {
            sentences.push(format!("However, it has {}.", listed(&denied)));
        }
        let parking: Vec<&str> =
            PARKING.iter().zip(&self.parking).filter(|(_, on)| **on).map(|(name, _)| *name).collect();
        if !parking.is_empty() && chance.below(2) == 0 {
            sentences.push(format!("Parking options include {}.", listed(&parking)));
        }
        let mood: Vec<&str> =
            AMBIENCE.iter().zip(&self.ambience).filter(|(_, on)| **on).map(|(name, _)| *name).collect();
        if !mood.is_empty() && chance.below(2) == 0 {
            sentences.push(format!("The ambience is described as {}.", listed(&mood)));
        }
        sentences.push(match chance.below(2) {
            0 => format!("The business has an overall rating of {stars} stars."),
            _ => format!("With {stars} stars, it has received varied feedback from customers."),
        });
        for n in 0..2 + chance.below(4) {
            sentences.push(self.remark_sentence(n, chance));
        }
        sentences
    }

    fn attributes_with(&self, value: Option<bool>) -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        ATTRIBUTES.iter().zip(&self.attributes).filter(move |(_, is)| **is == value).map(|(attribute, _)| *attribute)
    }

    fn hours(&self, opens: usize, closes: usize, chance: &mut SplitMix64) -> String {
        let days = match self.closed {
            Some(day) => format!("every day except {}", DAYS[day]),
            None => "seven days a week".to_owned(),
        };
        match chance.below(2) {
            0 => format!("It is open {days} from {opens} AM to {closes} PM."),
            _ => format!("The hours of operation are {opens}:00 AM to {closes}:00 PM, {days}."),
        }
    }

    fn remark_sentence(&self, n: usize, chance: &mut SplitMix64) -> String {
        let [sentiment, _, reported] = self.remark(n);
        let who = ["Customers", "One reviewer", "Some guests", "A visitor", "Reviewers"][chance.below(5)];
        match (sentiment, chance.below(2)) {
            ("+", 0) => format!("{who} praised {reported}."),
            ("+", _) => format!("{who} appreciated {reported}."),
            (_, 0) => format!("{who} complained about {reported}."),
            _ => format!("However, {} mentioned {reported}.", who.to_lowercase()),
        }
    }

    /// A statement that the record does not contain or contradicts.
    fn fault(&self, chance: &mut SplitMix64) -> Option<String> {
        let denied: Vec<&str> =
            self.attributes_with(Some(false)).chain(self.attributes_with(None)).map(|(_, yes, _)| yes).collect();
        let offered: Vec<&str> = self.attributes_with(Some(true)).map(|(_, _, no)| no).collect();
        let parking: Vec<&str> =
            PARKING.iter().zip(&self.parking).filter(|(_, on)| !**on).map(|(name, _)| *name).collect();
        let mood: Vec<&str> =
            AMBIENCE.iter().zip(&self.ambience).filter(|(_, on)| !**on).map(|(name, _)| *name).collect();
        Some(match chance.below(12) {
            0..=4 => pick_one(&lines(INVENTED), chance)?.to_owned(),
            5 | 6 => format!("It also provides {} for its guests.", pick_one(&denied, chance)?),
            7 => format!("It has {}.", pick_one(&offered, chance)?),
            8 => format!(
                "There is {} parking, and the atmosphere is {}.",
                pick_one(&parking, chance)?,
                pick_one(&mood, chance)?
            ),
            9 => self.hours(self.opens + 1, (self.closes - 12) % 11 + 1, chance),
            10 => format!("It has an average of {} stars.", (self.stars + 3) as f32 / 2.0),
            _ => self.remark_sentence(6 + chance.below(20), chance),
        })
    }
}

fn listed(items: &[&str]) -> String {
    match items {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
