//! Fills the gaps of templates with names from the lists and with unlisted ones, such as names made from the halves of two
//! listed names.

use countersign_inspect::training::names::list;
use countersign_text::calendar::WEEKDAYS;
use countersign_text::hash::SplitMix64;

use super::parts::{
    COMPANY_WORDS, ENGLISH_STREETS, LEGAL_FORMS, REGIONS, STEM_ENDINGS, STEMS, STREET_ENDINGS, STREETS_BEFORE,
    SYLLABLES, SYNTHETIC_STREETS, TITLES, TOWN_ENDINGS, TOWN_STARTS,
};

pub(crate) struct Filler {
    chance: SplitMix64,
    first: Vec<String>,
    last: Vec<String>,
    cities: Vec<String>,
    countries: Vec<String>,
    nations: Vec<String>,
    jobs: Vec<String>,
    job_words: Vec<String>,
    orgs: Vec<String>,
    endings: Vec<String>,
    things: Vec<String>,
}

type Filling = (String, Option<&'static str>);

impl Filler {
    pub(crate) fn new(chance: SplitMix64) -> Self {
        let endings = STREET_ENDINGS.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace);
        Self {
            chance,
            first: list("first"),
            last: list("last"),
            cities: list("cities"),
            countries: list("countries"),
            nations: list("nations"),
            jobs: list("jobs"),
            job_words: list("job_words"),
            orgs: list("orgs"),
            endings: endings.map(str::to_owned).collect(),
            things: list("things"),
        }
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.chance.below(n)
    }

    pub(crate) fn fill(&mut self, gap: &str) -> Filling {
        let kind = |r#type: &'static str| Some(r#type);
        match gap {
            "person" => (self.person(), kind("PERSON")),
            "first" => (self.first(), kind("PERSON")),
            "last" => (self.last(), kind("PERSON")),
            "title" => (self.one(&TITLES), kind("TITLE")),
            "city" => (self.city(), kind("LOCATION")),
            "country" => (self.country(), kind("LOCATION")),
            "address" => (self.address(), kind("ADDRESS")),
            "block" => (self.block(""), kind("ADDRESS")),
            "block>" => (self.block("> "), kind("ADDRESS")),
            "block?" => (self.block("??? "), kind("ADDRESS")),
            "pieces" => (self.pieces(), kind("ADDRESS")),
            "street" => (self.street(), kind("ADDRESS")),
            "number5" => (self.digits(5), kind("ADDRESS")),
            "org" => (self.org(), kind("ORGANIZATION")),
            "job" => (self.job(true), kind("TITLE")),
            "joblow" => (self.job(false), kind("TITLE")),
            "nation" => (self.nation(""), kind("NRP")),
            "nations" => (self.nation("s"), kind("NRP")),
            "date" => (self.date(), kind("DATE_TIME")),
            "year" => ((1900 + self.below(126)).to_string(), kind("DATE_TIME")),
            "weekday" => (self.one(&WEEKDAYS), kind("DATE_TIME")),
            "age" => ((1 + self.below(99)).to_string(), kind("AGE")),
            "zip" => (self.zip(), kind("ZIP_CODE")),
            "phone" => (format!("{} {} {}", self.digits(4), self.digits(3), self.digits(3)), None),
            "thing" => (self.of(|f| &f.things), None),
            "card" => (self.digits(16), None),
            "iban" => (format!("GB{}ABCD{}", self.digits(2), self.digits(14)), None),
            "ssn" => (format!("{}-{}-{}", self.digits(3), self.digits(2), self.digits(4)), None),
            "email" => (format!("{}{}@example.org", self.first(), self.last()), None),
            "url" => (format!("https://www.{}.com/", self.made_up()), None),
            other => (other.to_owned(), None),
        }
    }

    fn one(&mut self, items: &[&str]) -> String {
        let n = self.below(items.len());
        items.get(n).map(|item| (*item).to_owned()).unwrap_or_default()
    }

    fn of(&mut self, list: impl Fn(&Self) -> &Vec<String>) -> String {
        let length = list(self).len();
        let n = self.below(length);
        list(self).get(n).cloned().unwrap_or_default()
    }

    /// Combines the first half of one name with the second half of another that is nearby in the list, and so usually
    /// of the same language.
    fn spliced(&mut self, list: impl Fn(&Self) -> &Vec<String>) -> String {
        let length = list(self).len();
        let n = self.below(length);
        let m = (n + 1 + self.below(40)) % length.max(1);
        let half = |name: &str, second: bool| -> String {
            let letters: Vec<char> = name.chars().collect();
            let middle = letters.len() / 2;
            if second { letters[middle..].iter().collect() } else { letters[..middle].iter().collect() }
        };
        let names = list(self);
        let (Some(a), Some(b)) = (names.get(n), names.get(m)) else { return String::new() };
        let joint = format!("{}{}", half(a, false), half(b, true).to_lowercase());
        if joint.contains(' ') || joint.len() < 3 { a.clone() } else { joint }
    }

    fn first(&mut self) -> String {
        if self.below(100) < 30 { self.spliced(|f| &f.first) } else { self.of(|f| &f.first) }
    }

    fn last(&mut self) -> String {
        if self.below(100) < 40 { self.spliced(|f| &f.last) } else { self.of(|f| &f.last) }
    }

    fn person(&mut self) -> String {
        let (first, last) = (self.first(), self.last());
        let initial = char::from(b'A' + self.below(26) as u8);
        match self.below(100) {
            0..14 => format!("{first} {initial}. {last}"),
            14..24 => format!("{first} {initial} {last}"),
            24..27 => format!("{first} {last} {}", self.one(&["II", "III", "Jr.", "MD", "PhD", "DDS"])),
            27..31 => {
                format!("{first} {} {last}", self.one(&["van", "von", "de", "van der", "da", "dos", "del", "al"]))
            }
            31..34 => format!("{first}-{} {last}", self.first()),
            34..37 => format!("{first} {last}-{}", self.last()),
            37..40 => format!("{first} {} {last}", self.first()),
            _ => format!("{first} {last}"),
        }
    }

    fn city(&mut self) -> String {
        let city = match self.below(100) {
            0..30 => self.of(|f| &f.cities),
            30..55 => self.spliced(|f| &f.cities),
            55..68 => format!("{}{}", self.last(), self.one(&TOWN_ENDINGS)),
            68..78 => format!("{} {}", self.one(&TOWN_STARTS), self.first()),
            78..84 => format!(
                "{} {} {}",
                self.of(|f| &f.cities),
                self.one(&["de", "nad", "am", "di", "del", "sur"]),
                self.spliced(|f| &f.cities)
            ),
            84..90 => format!(
                "{} {}",
                self.spliced(|f| &f.cities),
                self.one(&["Beach", "Town", "Green", "Park", "Bay", "V", "Hill", "Falls"])
            ),
            _ => self.spliced(|f| &f.last),
        };
        if self.below(100) < 22 { city.to_uppercase() } else { city }
    }

    fn country(&mut self) -> String {
        match self.below(100) {
            0..4 => "Cyprus (Greek)".to_owned(),
            4..7 => "Greenlander".to_owned(),
            _ => self.of(|f| &f.countries),
        }
    }

    fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'0' + self.below(10) as u8)).collect()
    }

    fn number(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        self.digits(count)
    }

    fn zip(&mut self) -> String {
        match self.below(10) {
            0..4 => self.digits(5),
            4..7 => self.digits(4),
            7 => format!("{}-{}", self.digits(4), self.digits(3)),
            8 => format!("{} {}", self.digits(3), self.digits(2)),
            _ => self.digits(3),
        }
    }

    /// A street with a house number before or after it.
    fn street(&mut self) -> String {
        let number = 1 + self.below(400);
        let name = if self.below(2) == 0 { self.last() } else { self.spliced(|f| &f.cities) };
        match self.below(100) {
            0..25 => format!("{number} {name} {}", self.one(&ENGLISH_STREETS)),
            25..32 => format!("{} {name} {}", self.digits(4), self.one(&ENGLISH_STREETS)),
            32..57 => {
                let ending = self.of(|f| &f.endings);
                format!("{name}{ending} {number}")
            }
            57..72 => format!("{} {name} {number}", self.one(&STREETS_BEFORE)),
            72..80 => format!("{number} {} {name}", self.one(&STREETS_BEFORE)),
            80..84 => format!("{name} {} {number}.", self.one(&["u.", "utca", "út", "tér", "krt.", "rkp."])),
            84..90 => format!("{} {name} {number}", self.first()),
            _ => format!("{name} {number}"),
        }
    }

    fn unit(&mut self) -> String {
        format!("{} {}", self.one(&["Apt.", "Suite"]), self.digits(3))
    }

    fn synthetic_street(&mut self) -> String {
        format!("{} {}", self.last(), self.one(&SYNTHETIC_STREETS))
    }

    fn address(&mut self) -> String {
        let building = {
            let n = 3 + self.below(3);
            self.digits(n)
        };
        let street = self.street();
        let (unit, city, country, zip) = (self.unit(), self.city(), self.country(), self.digits(5));
        let region = self.one(&REGIONS);
        match self.below(26) {
            0..2 => format!("{building} {street} {unit}\n{city}\n, {region}\n {country} {zip}"),
            2..4 => format!("{building} {street}\n {unit}\n {city}\n {country} {zip}"),
            4 => format!("{building} {street}\n {unit}\n {city}\n {country}"),
            5..7 => format!("{building} {street} {unit} {city} {country}"),
            7 => format!("{building} {street} {unit} {city} {region}"),
            8..10 => format!("{building} {street} {unit}, {city}, {country} {zip}"),
            10 => format!("{building} {street}, {city}, {country}"),
            11..13 => format!("{building} {street} {unit}\n{city}, {region} {zip}"),
            13 => format!("{building} {street}\n{city}, {region} {zip}"),
            14 => format!("{building} {street}\n{city}\n, {region}\n {zip}"),
            15..17 => format!("the corner of {street} and {}", self.synthetic_street()),
            17..19 => format!("{} and {street}", self.first()),
            19 => {
                format!("PSC {}, Box {}\nAPO {} {zip}", self.digits(4), self.digits(4), self.one(&["AA", "AE", "AP"]))
            }
            20 => {
                format!("Unit {} Box {}\nDPO {} {zip}", self.digits(4), self.digits(4), self.one(&["AA", "AE", "AP"]))
            }
            21 => format!(
                "{} {}\nFPO {} {zip}",
                self.one(&["USS", "USNV", "USCGC", "USNS"]),
                self.last(),
                self.one(&["AA", "AE", "AP"])
            ),
            22 => {
                format!("P.O. Box {} {}\n {unit}\n {city}\n {country} {zip}", self.number(4), self.synthetic_street())
            }
            23 => format!("{street} {}\n {unit}\n {city}\n {country} {zip}", self.synthetic_street()),
            24 => format!("{street}, {zip} {city}"),
            _ => format!("{street}, {city}, {region} {zip}"),
        }
    }

    fn block(&mut self, quote: &str) -> String {
        let building = {
            let n = 3 + self.below(3);
            self.digits(n)
        };
        let gap = if quote.is_empty() && self.below(3) == 0 { "\n" } else { "" };
        let (street, unit, city) = (self.street(), self.unit(), self.city());
        format!(
            "{building} {street}\n{quote} {unit}\n{quote} {city}\n{gap}{quote} {} {}",
            self.country(),
            self.digits(5)
        )
    }

    fn pieces(&mut self) -> String {
        let building = {
            let n = 3 + self.below(3);
            self.digits(n)
        };
        let street = self.street();
        match self.below(3) {
            0 => format!("{building} {street}"),
            _ => format!("{building} {street}, {}", self.city()),
        }
    }

    fn made_up(&mut self) -> String {
        let mut name = if self.below(2) == 0 {
            format!("{}{}", self.one(&SYLLABLES), self.one(&SYLLABLES))
        } else {
            format!("{}{}", self.one(&STEMS), self.one(&STEM_ENDINGS))
        };
        if let Some(start) = name.get_mut(..1) {
            start.make_ascii_uppercase();
        }
        name
    }

    fn capital(word: &str) -> String {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    }

    fn org(&mut self) -> String {
        let word = {
            let word = self.of(|f| &f.orgs);
            Self::capital(&word)
        };
        match self.below(100) {
            0..14 => format!("{}, {} and {}", self.last(), self.last(), self.last()),
            14..26 => format!("{}-{}", self.last(), self.last()),
            26..42 => format!("{} {}", self.last(), self.one(&LEGAL_FORMS)),
            42..62 => self.made_up(),
            62..70 => format!("{} {}", self.made_up(), self.one(&LEGAL_FORMS)),
            70..75 => format!("{} {}", self.one(&COMPANY_WORDS), self.one(&COMPANY_WORDS)),
            75..80 => format!("{} {} {word}", self.one(&COMPANY_WORDS), self.one(&COMPANY_WORDS)),
            80..84 => format!("{} {word}", Self::capital(&self.made_up())),
            84..88 => {
                let other = {
                    let other = self.of(|f| &f.orgs);
                    Self::capital(&other)
                };
                format!("{} {other} {word}", self.last())
            }
            88..94 => format!(
                "{word} {}",
                self.one(&["Group", "Partners", "Capital", "International", "Research", "Services"])
            ),
            94..97 => (0..2 + self.below(3)).map(|_| char::from(b'A' + self.below(26) as u8)).collect(),
            _ => word,
        }
    }

    fn job(&mut self, capital: bool) -> String {
        let head = self.of(|f| &f.jobs);
        let (a, b) = (self.of(|f| &f.job_words), self.of(|f| &f.job_words));
        let job = match self.below(10) {
            0..3 => head,
            3..8 => format!("{a} {head}"),
            8 => format!("{a} {b} {head}"),
            _ => format!("{a} and {b} {head}"),
        };
        if capital { Self::capital(&job) } else { job }
    }

    fn nation(&mut self, ending: &str) -> String {
        let nation = format!("{}{ending}", self.of(|f| &f.nations));
        if self.below(100) < 30 { nation.to_lowercase() } else { nation }
    }

    fn date(&mut self) -> String {
        let (year, month, day) = (1930 + self.below(95), 1 + self.below(12), 1 + self.below(28));
        match self.below(4) {
            0 => {
                format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02}", self.below(24), self.below(60), self.below(60))
            }
            1 => format!("{year}-{month:02}-{day:02}"),
            _ => format!("{month}/{day}/{year}"),
        }
    }
}
