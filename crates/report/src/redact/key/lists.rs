//! Lists of the words in keys, by what a word says about the value.

use std::{collections::HashMap, sync::LazyLock};

/// A list of words that say something about a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeyList {
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

const LISTS: [(KeyList, &str); 23] = [
    (KeyList::Account, ACCOUNT),
    (KeyList::Attributes, ATTRIBUTES),
    (KeyList::Birth, BIRTH),
    (KeyList::City, "city town region"),
    (KeyList::Contact, CONTACT),
    (KeyList::Devices, "device devices"),
    (KeyList::Known, ATTRIBUTES),
    (KeyList::Known, KNOWN),
    (KeyList::Known, THINGS),
    (KeyList::Money, "amount amounts sum balance turnover volume median average avg mean"),
    (KeyList::NameParts, NAME_PARTS),
    (KeyList::Names, "name names alias"),
    (KeyList::National, NATIONAL),
    (KeyList::Network, NETWORK),
    (KeyList::Number, NUMBER),
    (KeyList::Person, PERSON),
    (KeyList::PersonId, PERSON_ID),
    (KeyList::PersonName, PERSON_NAME),
    (KeyList::Position, POSITION),
    (KeyList::Secret, SECRET),
    (KeyList::Shop, "merchant shop store company business vendor brand bank issuer"),
    (KeyList::Known, "name"),
    (KeyList::Things, THINGS),
];

/// The lists that a word is on, one bit each. One lookup per word is enough for all lists.
pub(super) static WORDS: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    for (list, listed) in LISTS {
        for word in listed.split_whitespace() {
            *words.entry(word).or_default() |= bit(list);
        }
    }
    words
});

pub(super) const fn bit(list: KeyList) -> u32 {
    1 << list as u32
}

/// Words that occur in the keys of payments and fraud signals, in addition to `ATTRIBUTES` and `THINGS`. A key with any other word
/// is withheld with its value.
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
/// `first_name`, `legal_name`: with one of these words, a name is always a person's.
const NAME_PARTS: &str = "first last full middle maiden family given legal display preferred";
/// Keys of a single word whose values make up a name or a date of birth together with neighbouring fields.
pub(super) const PARTS: &[&str] = &[
    "first", "last", "given", "family", "middle", "surname", "forename", "day", "month", "year", "age", "initial",
    "initials",
];
/// Words for a position that is precise to a few metres.
const POSITION: &str = "lat lon lng latitude longitude coordinates coords geohash gps geopoint";

/// Things that have a name but are not people.
const THINGS: &str = "
    merchant shop store company business vendor country city region state currency rule rules flag flags signal
    signals check checks product item items category brand bank issuer scheme network channel terminal file
    model feature field event list policy scenario campaign provider service system app application browser os
    platform program airline hotel venue alert reason code indicator indicators pattern detector queue team type
    class exchange asset instrument institution branch plan label tag metric currencies mcc";
const BIRTH: &str = "dob birth birthday birthdate birthplace born";
const NATIONAL: &str = "
    ssn sin nin nino nif nie dni cpf curp bsn pesel aadhaar aadhar passport passports tin itin personnummer";
pub(super) const NATIONAL_PAIRS: &[(&str, &[&str])] = &[
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
pub(super) const REMOVED_PAIRS: &[(&str, &[&str])] = &[
    ("api", &["key"]),
    ("private", &["key"]),
    ("security", &["code", "answer", "question"]),
    ("sort", &["code"]),
    ("house", &["number", "no"]),
];
const NETWORK: &str = "ip ips ipv mac fingerprint fingerprints imei imsi idfa idfv gaid aaid udid";
pub(super) const DEVICE_PAIRS: &[(&str, &[&str])] = &[
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
/// Words that describe an account, an address or a device without identifying it.
const ATTRIBUTES: &str = "
    age days day type kind status brand present country countries city region opened currency balance scheme
    count counts total cutoff cut off limit tier level product verified verification valid validated score risk
    changed change match matched matches is has flag new seen created updated since at domain provider carrier
    version app method entry mode category class segment velocity distance km ratio average avg median sum
    amount min max hours minutes window known unknown trusted reputation frequency rate percent pct exists
    shared";
/// Parts of keys whose words are joined without a separator, as in `customername`. None of them is part of an ordinary word.
pub(super) const NAME_INSIDE: &[&str] = &[
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
pub(super) const REMOVED_INSIDE: &[&str] = &[
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
pub(super) const NETWORK_INSIDE: &[&str] = &["ipaddress", "ipaddr", "fingerprint", "deviceid"];
