//! Texts of about a kilobyte, made from a seed: the same on every machine.

use countersign_text::hash::SplitMix64;

const SEED: u64 = 7;
const TEXT_BYTES: usize = 1000;
const ANSWER_WORDS: usize = 200;
const CONTEXT_WORDS: usize = 2000;

pub(crate) struct Texts {
    pub(crate) texts: Vec<String>,
    pub(crate) context: Option<String>,
}

impl Texts {
    pub(crate) fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }
}

/// Sentences with an identifier in about every third.
pub(crate) fn records(count: usize) -> Texts {
    let mut chance = Chance(SplitMix64(SEED));
    generate(count, || if chance.below(3) == 0 { chance.record() } else { chance.sentence() })
}

/// Sentences without identifiers.
pub(crate) fn prose(count: usize) -> Texts {
    let mut chance = Chance(SplitMix64(SEED));
    generate(count, || chance.sentence())
}

/// Only numbers: the most expensive input for a scanner that looks for numbers.
pub(crate) fn numbers(count: usize) -> Texts {
    let mut chance = Chance(SplitMix64(SEED));
    generate(count, || {
        let length = 1 + chance.below(16);
        let digits = chance.digits(length);
        format!("{digits} ")
    })
}

/// Answers of 200 words, with one context of 2,000 words for all.
pub(crate) fn grounded(count: usize) -> Texts {
    let mut chance = Chance(SplitMix64(SEED));
    let mut words = |least: usize| {
        let mut text = String::new();
        while text.split_whitespace().count() < least {
            text += &chance.sentence();
        }
        text
    };
    let context = words(CONTEXT_WORDS);
    Texts { texts: (0..count).map(|_| words(ANSWER_WORDS)).collect(), context: Some(context) }
}

fn generate(count: usize, mut sentence: impl FnMut() -> String) -> Texts {
    let mut text = || {
        let mut text = String::new();
        while text.len() < TEXT_BYTES {
            text += &sentence();
        }
        text
    };
    Texts { texts: (0..count).map(|_| text()).collect(), context: None }
}

const SUBJECTS: [&str; 12] = [
    "The committee",
    "Our new colleague",
    "A small bakery",
    "The report",
    "Every customer",
    "The river",
    "My neighbour",
    "The second release",
    "Nobody",
    "The library in Ghent",
    "A careful reader",
    "The museum",
];
const VERBS: [&str; 10] = [
    "opened",
    "described",
    "postponed",
    "repaired",
    "wanted to see",
    "asked about",
    "measured",
    "forgot",
    "paid for",
    "found",
];
const OBJECTS: [&str; 12] = [
    "the old bridge",
    "a longer table",
    "version 4.2 of the plan",
    "the meeting on Tuesday",
    "three boxes of pears",
    "the answer, e.g. the short one",
    "a room with a view",
    "the budget for 2024",
    "some well-kept gardens",
    "the question at 14:30",
    "two letters",
    "the price (12.50 each)",
];
const ENDS: [&str; 8] = [
    "before the rain came",
    "without a word",
    "because it was late",
    "in the spring",
    "as far as we know",
    "and went home",
    "for the first time",
    "after lunch",
];

/// A seeded generator, so that the texts are the same on every run.
struct Chance(SplitMix64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| char::from(b'0' + self.below(10) as u8)).collect()
    }

    fn sentence(&mut self) -> String {
        let (subject, verb) = (self.pick(&SUBJECTS), self.pick(&VERBS));
        format!("{subject} {verb} {} {}. ", self.pick(&OBJECTS), self.pick(&ENDS))
    }

    fn record(&mut self) -> String {
        match self.below(6) {
            0 => format!("Write to user{}@mail.example.org about it. ", self.digits(4)),
            1 => format!("My phone number is (415) 555-{} after six. ", self.digits(4)),
            2 => format!("Please charge the card {} today. ", self.card()),
            3 => format!("The refund goes to IBAN GB82 WEST 1234 5698 {} 32. ", self.digits(4)),
            4 => format!("My SSN is {}-{}-{}. ", 100 + self.below(565), 10 + self.below(89), 1000 + self.below(8999)),
            _ => format!("Read https://www.example.com/page/{} first. ", self.digits(6)),
        }
    }

    /// A 16-digit card number that passes the Luhn check.
    fn card(&mut self) -> String {
        let body = format!("4{}", self.digits(14));
        let sum: u32 = body
            .bytes()
            .zip(0..)
            .map(|(digit, place)| match u32::from(digit - b'0') << (1 - place % 2) {
                high @ 10.. => high - 9,
                low => low,
            })
            .sum();
        format!("{body}{}", (10 - sum % 10) % 10)
    }
}
