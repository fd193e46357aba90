//! What the key of a field in open JSON says about its value: `customerName` is a person's name, `merchant_name` is not.
//!
//! Keys are read as words, however they are joined: snake, kebab, camel, dotted, prefixed. A key passes only if every word of it
//! is on the allow-list `KNOWN`; of those that pass, the other lists take out what is personal. In doubt the value goes: a
//! report does without a field more easily than a customer without privacy.

use std::{collections::HashMap, sync::LazyLock};

use countersign_domain::Currency;

use super::{lexicon::is_town, person::Setting, reference::is_harmless_word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Plain,
    /// Of a person: `***` and the last four characters.
    PersonId,
    /// A person, by name or id.
    Person,
    /// Network addresses and devices: `[REDACTED]`.
    Network,
    /// Removed, unless it is an object whose own keys say what it is made of.
    Account,
    /// Removed, whatever it holds.
    Removed,
}

/// A key, as words in lower case without digits.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    words: Vec<String>,
    /// The lists that one of the words is on, and those that all of them are on: a bit each.
    on_any: u32,
    on_all: u32,
}

/// Longer ones say nothing that their start doesn't.
const CHARS_MAX: usize = 256;

impl Key {
    pub(crate) fn read(key: &str) -> Self {
        let letters: Vec<char> = key.chars().take(CHARS_MAX).collect();
        let mut words = vec![String::new()];
        for (at, &letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| letters.get(at));
            let after = letters.get(at + 1);
            let starts_word = letter.is_uppercase()
                && before
                    .is_some_and(|before| before.is_lowercase() || after.is_some_and(|after| after.is_lowercase()));
            if starts_word || !letter.is_alphabetic() {
                words.push(String::new());
            }
            if letter.is_alphabetic()
                && let Some(word) = words.last_mut()
            {
                word.extend(letter.to_lowercase());
            }
        }
        words.retain(|word| !word.is_empty());
        let lists = || words.iter().map(|word| WORDS.get(word.as_str()).copied().unwrap_or_default());
        Self { on_any: lists().fold(0, |any, on| any | on), on_all: lists().fold(u32::MAX, |all, on| all & on), words }
    }

    /// Whether a report may show this key: all of its words are known, and its digits are too few to be anybody's number.
    /// `name` is the key as it was written.
    pub(crate) fn is_allowed(&self, name: &str) -> bool {
        const DIGITS_MAX: usize = 4;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-. ".contains(letter);
        let digits = name.bytes().filter(u8::is_ascii_digit).count();
        !self.words.is_empty() && self.is_all(List::Known) && digits <= DIGITS_MAX && name.chars().all(is_plain)
    }

    pub(crate) fn words_are(&self, wanted: impl Fn(&str) -> bool) -> bool {
        !self.words.is_empty() && self.words.iter().all(|word| wanted(word))
    }

    /// What its text is.
    pub(crate) fn setting(&self) -> Setting {
        if self.has(List::City) {
            Setting::City
        } else if self.has(List::Shop) {
            Setting::Merchant
        } else {
            Setting::Prose
        }
    }

    /// Whether a text can be a value of this key: some keys have closed lists of values, and anything else there is a mistake
    /// or a hiding-place.
    pub(crate) fn takes(&self, text: &str) -> bool {
        let is_letters = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphabetic());
        match self.words.last().map(String::as_str) {
            Some("currency" | "currencies") => text.to_ascii_uppercase().parse::<Currency>().is_ok(),
            Some("country" | "countries" | "jurisdiction") => {
                matches!(text.len(), 2 | 3) && is_letters(text) || is_town(text)
            }
            Some("mcc") => text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit()),
            Some("channel" | "channels" | "mode" | "scheme" | "direction") => words_of(text).all(is_harmless_word),
            Some("threshold" | "thresholds" | "limit" | "cutoff") => text.bytes().any(|byte| byte.is_ascii_digit()),
            _ => true,
        }
    }

    /// Digits before the point that a number under this key may have. A sum of money can be long; an account's number under
    /// any other key is not told from a count.
    pub(crate) fn digits_max(&self) -> usize {
        if self.has(List::Money) { 8 } else { 5 }
    }

    /// `source_of_funds`, however it was written.
    pub(crate) fn joined(&self) -> String {
        self.words.join("_")
    }

    pub(crate) fn spoken(&self) -> String {
        self.words.join(" ")
    }

    /// What this key means inside an object of that name.
    pub(crate) fn meaning(&self, parent: Option<&Key>) -> Meaning {
        let is_attribute = self.has(List::Attributes);
        let is_part = matches!(&self.words[..], [word] if PARTS.contains(&word.as_str()));
        let is_of_account = parent.is_some_and(|parent| parent.has(List::Account));
        if is_part && !is_of_account || self.has(List::Position) {
            return Meaning::Removed;
        }
        if self.is_name(parent) || self.has(List::Birth) || self.has(List::National) || self.has_pair(NATIONAL_PAIRS) {
            return Meaning::Removed;
        }
        let whole = self.words.concat();
        let holds = |parts: &[&str]| parts.iter().any(|part| whole.contains(part));
        if holds(NAME_INSIDE) || holds(REMOVED_INSIDE) && !is_attribute {
            return Meaning::Removed;
        }
        if is_attribute {
            return Meaning::Plain;
        }
        let is_number = self.is_all(List::Number);
        let is_devices = is_number && parent.is_some_and(|parent| parent.has(List::Devices));
        if is_devices || self.has(List::Network) || self.has_pair(DEVICE_PAIRS) || holds(NETWORK_INSIDE) {
            return Meaning::Network;
        }
        if self.has(List::Contact) || self.has(List::Secret) || self.has_pair(REMOVED_PAIRS) {
            return Meaning::Removed;
        }
        if self.has(List::Account) || is_number && parent.is_some_and(|parent| parent.has(List::Account)) {
            return Meaning::Account;
        }
        let of_person = self.has(List::Person) || is_number && parent.is_some_and(|parent| parent.has(List::Person));
        if of_person && self.has(List::Number) || self.has(List::PersonId) {
            return Meaning::PersonId;
        }
        if self.has(List::Person) && self.is_all(List::Person) {
            return Meaning::Person;
        }
        Meaning::Plain
    }

    /// Names are people's, unless the key (or, for a bare `name`, the object that it is in) names a thing.
    fn is_name(&self, parent: Option<&Key>) -> bool {
        if self.has(List::PersonName) {
            return true;
        }
        if !self.has(List::Names) {
            return false;
        }
        let is_bare = self.words.len() == 1;
        let owner = if is_bare { parent } else { Some(self) };
        owner.is_none_or(|owner| owner.has(List::Person) || owner.has(List::NameParts) || !owner.has(List::Things))
    }

    fn has(&self, list: List) -> bool {
        self.on_any & bit(list) != 0
    }

    fn is_all(&self, list: List) -> bool {
        self.on_all & bit(list) != 0
    }

    fn has_pair(&self, pairs: &[(&str, &[&str])]) -> bool {
        let has = |known: &&str| self.words.iter().any(|word| word == known);
        pairs.iter().any(|(first, seconds)| has(first) && seconds.iter().any(has))
    }
}

/// The words of a short text, whatever joins them.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Words that say something about a value.
#[derive(Debug, Clone, Copy)]
enum List {
    Account,
    Attributes,
    Birth,
    City,
    Contact,
    Devices,
    Known,
    Money,
    NameParts,
    Names,
    National,
    Network,
    Number,
    Person,
    PersonId,
    PersonName,
    Position,
    Secret,
    Shop,
    Things,
}

const LISTS: [(List, &str); 23] = [
    (List::Account, ACCOUNT),
    (List::Attributes, ATTRIBUTES),
    (List::Birth, BIRTH),
    (List::City, "city town region"),
    (List::Contact, CONTACT),
    (List::Devices, "device devices"),
    (List::Known, ATTRIBUTES),
    (List::Known, KNOWN),
    (List::Known, THINGS),
    (List::Money, "amount amounts sum balance turnover volume median average avg mean"),
    (List::NameParts, NAME_PARTS),
    (List::Names, "name names alias"),
    (List::National, NATIONAL),
    (List::Network, NETWORK),
    (List::Number, NUMBER),
    (List::Person, PERSON),
    (List::PersonId, PERSON_ID),
    (List::PersonName, PERSON_NAME),
    (List::Position, POSITION),
    (List::Secret, SECRET),
    (List::Shop, "merchant shop store company business vendor brand bank issuer"),
    (List::Known, "name"),
    (List::Things, THINGS),
];

/// The lists that a word is on. Every key is asked for nearly all of them.
static WORDS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for (list, on) in LISTS {
        for word in on.split_whitespace() {
            *words.entry(word).or_default() |= bit(list);
        }
    }
    words
});

const fn bit(list: List) -> u32 {
    1 << list as u32
}

/// Words that keys of payments and of fraud signals are made of, beside `ATTRIBUTES` and `THINGS`. A key made of other words is
/// withheld with its value.
const KNOWN: &str = "
    a above accounts account activity actual alerts amounts an anomaly approved attempt attempts auth
    authentication authorisation authorization bands baseline basket batch below between billing bin blocked
    bonus by card cards cash channels chargeback chargebacks checkout clear cleared client comment comments
    completed confidence contactless contribution conversion credit cross customer d data date debit decision
    declined declines delta description destination detail details detected deviation device devices direction
    dispute disputes duplicate duration elapsed email emulator error events expected expiry explanation external
    fail failed failures features fee fees fired first flagged foreign fraud from funds funding gateway geo gift
    group h high history hit hits hour hourly id import in inbound info initiated installments instalments
    international interval invoice ip jurisdiction kmh language large last late lat latency length list listed
    local located location locations log login logins lon long loss low m map matching mean measure measured
    medium memo merchants message minute mismatch mobile model month months multiple n narrative needed night no
    non normal not note notes now number observed odd of on online order origin original out outbound outcome
    over owner paid pass passed password past payment payments peak pending per percentile period phone place
    points pos prepaid previous price prior processor profile proxy purchase purchases purpose quantity range
    rank rapid reason reasons received recent recurring reference refund refunds relative remark remarks repeat
    reported requests result results retry retries reversal rolling round rules rule sanctions scale score
    scores screening seconds settled severity session settlement shipping short similar size small source
    sources speed spend spending spread standard stage start strong structuring subject success suspicious tail
    tax terminals test text threshold thresholds time timestamp times timezone to tor transaction transactions
    transfer transfers travel triggered turnover unit units unusual user usual utc value values variance vpn
    volume watch watchlist week weekly weeks weight weights with within without year years z zone hash minimum
    maximum counts are items";
const PERSON: &str = "
    user customer client member holder cardholder accountholder owner payer payee sender receiver recipient
    remitter originator beneficiary creditor debtor person individual applicant buyer purchaser employee contact
    spouse guardian nominee signatory counterparty consumer subscriber patient insured borrower passenger guest
    traveller traveler resident";
const PERSON_ID: &str = "uid userid customerid clientid memberid accountholderid cif";
const PERSON_NAME: &str = "
    firstname lastname surname forename fullname nickname middlename maidenname username initials familyname
    givenname";
/// `first_name`, `legal_name`: a person's, whatever else stands there.
const NAME_PARTS: &str = "first last full middle maiden family given legal display preferred";
/// Keys of one word whose values are a name or a date of birth together with those beside them.
const PARTS: &[&str] = &[
    "first", "last", "given", "family", "middle", "surname", "forename", "day", "month", "year", "age", "initial",
    "initials",
];
/// Where somebody is, to a few metres.
const POSITION: &str = "lat lon lng latitude longitude coordinates coords geohash gps geopoint";

/// What has a name and is no person.
const THINGS: &str = "
    merchant shop store company business vendor country city region state currency rule rules flag flags signal
    signals check checks product item items category brand bank issuer scheme network channel terminal file
    model feature field event list policy scenario campaign provider service system app application browser os
    platform program airline hotel venue alert reason code indicator indicators pattern detector queue team type
    class exchange asset instrument institution branch plan label tag metric currencies mcc";
const BIRTH: &str = "dob birth birthday birthdate birthplace born";
const NATIONAL: &str = "
    ssn sin nin nino nif nie dni cpf curp bsn pesel aadhaar aadhar passport passports tin itin personnummer";
const NATIONAL_PAIRS: &[(&str, &[&str])] = &[
    ("national", &["id", "identity", "insurance", "number", "no", "identifier"]),
    ("social", &["security", "insurance"]),
    ("tax", &["id", "number", "no", "code", "payer", "identifier", "file"]),
    ("government", &["id", "identifier"]),
    ("identity", &["card", "number", "no", "document"]),
    ("id", &["number", "no", "card", "document"]),
    ("personal", &["id", "number", "no", "code"]),
    ("driver", &["license", "licence", "id", "number", "no"]),
    ("drivers", &["license", "licence", "id", "number", "no"]),
    ("driving", &["license", "licence", "id", "number", "no"]),
    ("license", &["number", "no", "id", "plate"]),
    ("licence", &["number", "no", "id", "plate"]),
    ("document", &["number", "no", "id"]),
    ("voter", &["id", "number"]),
    ("residence", &["permit"]),
];
const CONTACT: &str = "
    login email emails mail mailbox phone phones telephone tel mobile cell cellphone fax msisdn whatsapp
    landline address addresses addr street postcode postal zip zipcode postalcode residence domicile apartment";
const SECRET: &str = "
    password passwd pwd passcode passphrase pin otp cvv cvc csc secret token credential credentials";
const REMOVED_PAIRS: &[(&str, &[&str])] = &[
    ("api", &["key"]),
    ("private", &["key"]),
    ("security", &["code", "answer", "question"]),
    ("sort", &["code"]),
    ("house", &["number", "no"]),
];
const NETWORK: &str = "ip ips ipv mac fingerprint fingerprints imei imsi idfa idfv gaid aaid udid";
const DEVICE_PAIRS: &[(&str, &[&str])] = &[
    ("device", &["id", "ids", "uuid", "guid", "token", "hash", "serial", "identifier", "print", "name"]),
    ("browser", &["id", "hash"]),
    ("hardware", &["id"]),
    ("advertising", &["id"]),
    ("serial", &["number", "no"]),
    ("remote", &["addr", "address"]),
];
const ACCOUNT: &str = "
    account accounts acct iban ibans bban pan card cards routing sortcode wallet creditcard debitcard";
const NUMBER: &str = "
    id ids identifier uuid guid number numbers no num nr ref reference key hash code four last";
/// What is said about an account, an address or a device without naming it.
const ATTRIBUTES: &str = "
    age days day type kind status brand present country countries city region opened currency balance scheme
    count counts total cutoff cut off limit tier level product verified verification valid validated score risk
    changed change match matched matches is has flag new seen created updated since at domain provider carrier
    version app method entry mode category class segment velocity distance km ratio average avg median sum
    amount min max hours minutes window known unknown trusted reputation frequency rate percent pct exists
    shared";
/// Joined without any sign, as in `customername`. Never ordinary words' parts.
const NAME_INSIDE: &[&str] = &[
    "firstname",
    "lastname",
    "fullname",
    "surname",
    "middlename",
    "maidenname",
    "familyname",
    "givenname",
    "customername",
    "holdername",
    "username",
    "clientname",
    "ownername",
    "payeename",
    "payername",
    "sendername",
    "recipientname",
    "receivername",
    "beneficiaryname",
    "dateofbirth",
    "birthdate",
    "birthday",
    "passport",
    "socialsecurity",
    "nationalid",
    "taxid",
    "nationalinsurance",
];
const REMOVED_INSIDE: &[&str] = &[
    "email",
    "phonenumber",
    "telephone",
    "cellphone",
    "mobilenumber",
    "accountnumber",
    "accountno",
    "acctno",
    "acctnum",
    "cardnumber",
    "cardno",
    "homeaddress",
    "streetaddress",
    "billingaddress",
    "shippingaddress",
    "postcode",
    "zipcode",
    "postalcode",
    "password",
];
const NETWORK_INSIDE: &[&str] = &["ipaddress", "ipaddr", "fingerprint", "deviceid"];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(parent: &str, keys: &[&str], expected: Meaning) {
        let parent = (!parent.is_empty()).then(|| Key::read(parent));
        for key in keys {
            assert_eq!(Key::read(key).meaning(parent.as_ref()), expected, "{key} in {parent:?}");
        }
    }

    #[test]
    fn a_key_is_read_as_words_however_they_are_joined() {
        for (key, expected) in [
            ("cardholder_name", "cardholder_name"),
            ("customerName", "customer_name"),
            ("userID", "user_id"),
            ("IBANNumber", "iban_number"),
            ("source-of-funds", "source_of_funds"),
            ("address.line1", "address_line"),
            ("phone2", "phone"),
            ("SSN", "ssn"),
            ("", ""),
        ] {
            assert_eq!(Key::read(key).joined(), expected, "{key}");
        }
    }

    #[test]
    fn only_keys_made_of_known_words_pass() {
        let allowed = |key: &&str| Key::read(key).is_allowed(key);
        for key in [
            "memo",
            "description",
            "purpose",
            "reference",
            "source_of_funds",
            "status",
            "count_1h",
            "sum24h",
            "merchantName",
            "card.brand",
            "account_age_days",
            "ratio_to_median",
            "installments",
            "note",
            "chargebacks_30d",
        ] {
            assert!(allowed(&key), "{key}");
        }
        for key in [
            "",
            "nombre",
            "kundenname",
            "maria",
            "Maria Gonzalez",
            "memo_maria",
            "ann@firm.org",
            "4111111111111111",
            "count_4111111111111111",
            "мемо",
            "memo: Maria",
            "xyz",
        ] {
            assert!(!allowed(&key), "{key}");
        }
    }

    #[test]
    fn what_says_who_somebody_is_is_removed() {
        let keys = [
            "name",
            "customerName",
            "cardholder_name",
            "first-name",
            "lastName",
            "full_name",
            "surname",
            "customername",
            "user_name",
            "alias",
            "beneficiary_name",
            "account_name",
            "merchant_contact_name",
            "email",
            "emailAddress",
            "e_mail",
            "customer.email",
            "phone",
            "phone_number",
            "mobileNo",
            "tel",
            "address",
            "billing_address",
            "shippingAddress",
            "street",
            "zip_code",
            "postcode",
            "dob",
            "date_of_birth",
            "birthDate",
            "dateofbirth",
            "ssn",
            "customer_ssn",
            "national_id",
            "passport_no",
            "tax_id",
            "driver_license_number",
            "id_number",
            "cvv",
            "cvv2",
            "pin",
            "password",
            "token",
            "sort_code",
        ];
        check("", &keys, Meaning::Removed);
        check("customer", &["name", "first", "email"][..1], Meaning::Removed);
    }

    #[test]
    fn accounts_and_cards_are_removed_but_not_what_is_said_about_them() {
        let keys = [
            "iban",
            "acct_no",
            "accountNumber",
            "account",
            "card",
            "card_number",
            "pan",
            "from_account",
            "toAccount",
            "card_last4",
        ];
        for key in keys {
            assert!(matches!(Key::read(key).meaning(None), Meaning::Account | Meaning::Removed), "{key}");
        }
        check("card", &["number", "last4", "id"], Meaning::Account);
        let about = [
            "account_age_days",
            "card_brand",
            "card_present",
            "account_type",
            "email_domain",
            "phone_verified",
            "last_login_at",
            "ip_country",
        ];
        check("", &about, Meaning::Plain);
    }

    #[test]
    fn people_and_devices_are_masked() {
        check(
            "",
            &["user_id", "userId", "customer_id", "customer-number", "uid", "userid", "clientRef"],
            Meaning::PersonId,
        );
        check("customer", &["id", "number"], Meaning::PersonId);
        check("", &["customer", "beneficiary", "payee"], Meaning::Person);
        let devices = [
            "ip",
            "ip_address",
            "clientIp",
            "ipv4",
            "device_fingerprint",
            "deviceId",
            "imei",
            "mac_address",
            "ipaddress",
        ];
        check("", &devices, Meaning::Network);
        check("device", &["id", "hash"], Meaning::Network);
    }

    #[test]
    fn names_of_things_stay() {
        check("", &["merchant_name", "country_name", "ruleName", "bank_name", "product-name"], Meaning::Plain);
        check("rule_flags", &["name", "weight", "message"], Meaning::Plain);
        check("merchant", &["name", "category"], Meaning::Plain);
        check(
            "",
            &["memo", "note", "count_1h", "status", "customer_segment", "terminal", "direction", "speed_kmh"],
            Meaning::Plain,
        );
    }
}
