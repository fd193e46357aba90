//! Finds numbers that only a label identifies: accounts, cards, passports, licences, patients, and national ids without
//! a check digit.
//!
//! A number with such a label counts whether or not it is valid. Labels are nouns from some twenty languages; words for
//! "number", small words and a person's name may occur between a label and its value (see `label`).

use std::ops::Range;
use std::sync::LazyLock;

use super::label::{self, Gap};
use super::{calendar, hit, luhn, spellings};
use crate::context::{ahead, behind, char_before, joins, run};
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};
use crate::tokenize;

/// A kind of labelled number.
struct LabelledKind {
    r#type: &'static str,
    detector: &'static str,
    explanation: &'static str,
    score: f64,
    /// The minimum number of digits: the first applies if a word or a mark says "number", the second otherwise.
    digits_min: [usize; 2],
    digits_max: usize,
    letters: Letters,
}

#[derive(PartialEq)]
enum Letters {
    No,
    /// Capitals among the digits.
    Some,
    /// Letters anywhere and in either case, as in IBANs.
    Many,
}

/// Labels for account numbers, in any language.
#[rustfmt::skip]
const ACCOUNTS: &[&str] = &[
    "account", "bank account", "acct", "a/c", "konto", "kontonummer", "kontonr", "kto", "compte", "cuenta", "conto",
    "conto corrente", "conta", "conta corrente", "rekening", "rekeningnummer", "bankrekening", "konta", "rachunku",
    "rachunek", "tilinumero", "hesap", "счет", "счёт", "счета", "счёта", "рахунок", "рахунку", "účtu", "účet",
    "számlaszám", "账号", "账户", "帐号", "银行账号", "口座番号", "계좌번호",
];
/// Labels for bank codes; they need no word for "number".
#[rustfmt::skip]
const BANK_CODES: &[&str] = &["sort code", "routing", "aba routing", "blz", "bankleitzahl", "clabe", "cbu", "ifsc"];
#[rustfmt::skip]
const CARDS: &[&str] = &[
    "credit card", "debit card", "card number", "card no", "card #", "creditcard", "kreditkarte", "kreditkartennummer",
    "kartennummer", "debitkarte", "carte bancaire", "carte bleue", "carte de crédit", "tarjeta de crédito",
    "tarjeta de débito", "número de tarjeta", "carta di credito", "cartão de crédito", "numer karty",
    "karty kredytowej", "kredi kartı", "kort nummer", "kortnummer", "номер карты", "кредитная карта",
    "банковская карта", "номер картки", "信用卡", "银行卡号", "クレジットカード",
];
#[rustfmt::skip]
const PASSPORTS: &[&str] = &[
    "reisepass", "reisepassnummer", "passnummer", "pass-nr", "passeport", "pasaporte", "passaporto", "passaporte",
    "paspoort", "paspoortnummer", "paszport", "paszportu", "passnr", "pasnummer", "pasaport", "паспорт", "паспорта",
    "护照", "護照", "旅券番号", "パスポート", "여권번호", "여권", "cestovní pas", "passinumero", "διαβατηρίου",
];
#[rustfmt::skip]
const LICENCES: &[&str] = &[
    "führerschein", "führerscheinnummer", "fuehrerschein", "permis de conduire", "permiso de conducir",
    "licencia de conducir", "patente di guida", "carta de condução", "carteira de motorista", "cnh", "rijbewijs",
    "rijbewijsnummer", "prawo jazdy", "prawa jazdy", "körkort", "körkortsnummer", "kørekort", "førerkort", "ehliyet",
    "водительское удостоверение", "водійське посвідчення", "驾驶证", "驾照", "運転免許証", "운전면허",
];
#[rustfmt::skip]
const PATIENTS: &[&str] = &[
    "medical record", "mrn", "patient id", "patient number", "patient no", "patient #", "hospital number",
    "hospital no", "health card", "health insurance", "health plan", "insurance member", "insurance id",
    "insurance number", "insurance no", "member id", "policy number", "policy no", "insurance policy", "medicare",
    "medicaid", "patientennummer", "patienten-id", "patienten-nr", "versichertennummer", "versicherten-nr",
    "versichertennr", "krankenversicherungsnummer", "krankenversichertennummer", "numéro de patient",
    "dossier médical", "dossier patient", "numéro d'assuré", "número de paciente", "historia clínica",
    "tarjeta sanitaria", "número de afiliación", "tessera sanitaria", "cartella clinica", "número de utente",
    "número do utente", "cartão de saúde", "prontuário", "patiëntnummer", "polisnummer", "verzekerdennummer",
    "numer pacjenta", "patientnummer", "pasientnummer", "hasta no", "protokol no", "полис омс", "номер полиса",
    "медицинской карты", "病历号", "医保卡号", "診察券番号", "保険者番号",
];
#[rustfmt::skip]
const NATIONALS: &[&str] = &[
    "tfn", "tax file", "снилс", "инн", "іпн", "рнокпп", "sozialversicherungsnummer", "sv-nummer",
    "rentenversicherungsnummer", "sécurité sociale", "securite sociale", "seguridad social", "segurança social",
    "seguro social", "national id", "national identity", "identity card", "personalausweis", "personalausweisnummer",
    "ausweisnummer", "ausweis-nr", "carte d'identité", "carte d’identité", "carta d'identità", "carta d’identità",
    "documento de identidad", "cédula", "cedula", "dowód osobisty", "dowodu osobistego", "kimlik", "emirates id",
    "rodné číslo", "codul numeric personal", "cnp", "マイナンバー", "個人番号", "身份证", "身分證", "주민등록번호",
];

const GAP: Gap = Gap { bytes_max: 56, marks_max: 6, other_words_max: 3, across_lines: true };
const VALUE_BYTES_MAX: usize = 44;
const BEFORE_BYTES_MAX: usize = 24;

const ACCOUNT: LabelledKind = LabelledKind {
    r#type: "BANK_ACCOUNT",
    detector: "pii/bank_account",
    explanation: "a number after words for a bank account",
    score: 0.75,
    digits_min: [5, 8],
    digits_max: 26,
    letters: Letters::No,
};
const BANK_CODE: LabelledKind =
    LabelledKind { explanation: "a number after words for a bank code", digits_min: [6, 6], digits_max: 22, ..ACCOUNT };
const CARD: LabelledKind = LabelledKind {
    r#type: "CREDIT_CARD",
    detector: "pii/credit_card",
    explanation: "a number after words for a payment card, although its check digit is wrong",
    score: 0.6,
    digits_min: [13, 13],
    digits_max: 19,
    letters: Letters::No,
};
const IBAN: LabelledKind = LabelledKind {
    r#type: "IBAN",
    detector: "pii/iban",
    explanation: "a number after the word IBAN, although it fails the IBAN check",
    score: 0.6,
    digits_min: [8, 8],
    digits_max: 32,
    letters: Letters::Many,
};
const PASSPORT: LabelledKind = LabelledKind {
    r#type: "PASSPORT",
    detector: "pii/passport",
    explanation: "a number after a word for a passport",
    score: 0.8,
    digits_min: [5, 5],
    digits_max: 12,
    letters: Letters::Some,
};
const LICENCE: LabelledKind = LabelledKind {
    r#type: "US_DRIVER_LICENSE",
    detector: "pii/us_driver_license",
    explanation: "a number after words for a driving licence",
    digits_max: 16,
    ..PASSPORT
};
const PATIENT: LabelledKind = LabelledKind {
    r#type: "HEALTH_ID",
    detector: "pii/health_id",
    explanation: "a number after words for a patient or an insurance policy",
    digits_max: 20,
    ..PASSPORT
};
const NATIONAL: LabelledKind = LabelledKind {
    r#type: "NATIONAL_ID",
    detector: "pii/national_id",
    explanation: "a number after words for a national identity number",
    score: 0.75,
    digits_min: [6, 6],
    digits_max: 20,
    letters: Letters::Some,
};

pub(super) fn anchors() -> Vec<ScanAnchor> {
    type Verify = fn(&str, Range<usize>) -> Option<Hit>;
    let rows: [(&[&str], Verify); 8] = [
        (ACCOUNTS, |text, name| find(text, &name, &ACCOUNT)),
        (BANK_CODES, |text, name| find(text, &name, &BANK_CODE)),
        (CARDS, |text, name| find(text, &name, &CARD)),
        (&["iban"], |text, name| find(text, &name, &IBAN)),
        (PASSPORTS, |text, name| find(text, &name, &PASSPORT)),
        (LICENCES, |text, name| find(text, &name, &LICENCE)),
        (PATIENTS, |text, name| find(text, &name, &PATIENT)),
        (NATIONALS, |text, name| find(text, &name, &NATIONAL)),
    ];
    let spelt = |(names, check): (&'static [&'static str], Verify)| {
        names.iter().flat_map(|name| spellings(name)).map(move |name| (name, ScanCheck::Verify(check)))
    };
    rows.into_iter().flat_map(spelt).collect()
}

/// Whether a word, given by its hash, is part of a label. Labels are often capitalised before a number, but they are
/// not names.
pub(super) fn is_label_word(hash: u32) -> bool {
    static HASHES: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let tables = [ACCOUNTS, BANK_CODES, CARDS, PASSPORTS, LICENCES, PATIENTS, NATIONALS, label::NUMBER_WORDS];
        let words = tables.into_iter().flatten().flat_map(|label| label.split(' '));
        let mut hashes: Vec<u32> = words.map(tokenize::hash).collect();
        hashes.sort_unstable();
        hashes
    });
    HASHES.binary_search(&hash).is_ok()
}

fn find(text: &str, name: &Range<usize>, kind: &LabelledKind) -> Option<Hit> {
    if char_before(text, name.start).is_some_and(joins) {
        return None;
    }
    let name_end = name.end + compound(&text[name.end..])?;
    let start = label::over_gap(text, name_end, &GAP, |at| value(text, at, kind).is_some())?;
    let range = start..start + value(text, start, kind)?;
    let says_number = name_end > name.end
        || label::says_number(&text[name.start..start])
        || label::says_number(behind(text, name.start, BEFORE_BYTES_MAX));
    let written = text[range.clone()].as_bytes();
    let digits = written.iter().filter(|byte| byte.is_ascii_digit()).count();
    let least = kind.digits_min[usize::from(!says_number)];
    let is_valid_card = kind.r#type == "CREDIT_CARD" && luhn(written);
    if !(least..=kind.digits_max).contains(&digits) || is_valid_card || calendar::date(&text[range.clone()]).is_some() {
        return None;
    }
    Some(hit(kind.r#type, kind.detector, range, kind.score, kind.explanation.to_owned()))
}

/// The length of "nummer" or "-Nr" directly after a label; `None` if the label continues as a different word.
fn compound(rest: &str) -> Option<usize> {
    const ENDINGS: [&str; 8] = ["nummer", "-nummer", "nr", "-nr", "-number", "_number", "-no", "_no"];
    let length = ENDINGS
        .iter()
        .find(|ending| rest.get(..ending.len()).is_some_and(|start| start.eq_ignore_ascii_case(ending)))
        .map_or(0, |ending| ending.len());
    rest[length..].chars().next().is_none_or(|next| !joins(next) || next.is_ascii_digit()).then_some(length)
}

/// The length of the value at `at`: capitals and digits in groups. A dash, a slash or a full stop joins any groups; a
/// space joins groups of at least two digits, or a single capital followed by digits. In an IBAN, a space joins groups of
/// up to four capitals and digits.
fn value(text: &str, at: usize, kind: &LabelledKind) -> Option<usize> {
    let window = ahead(text, at, VALUE_BYTES_MAX);
    let bytes = window.as_bytes();
    let is_part = |byte: u8| byte.is_ascii_digit() || kind.letters != Letters::No && byte.is_ascii_alphanumeric();
    let group = |from: usize| run(bytes.get(from..).unwrap_or_default(), VALUE_BYTES_MAX, is_part);
    let mut end = group(0);
    let is_name = end > 2 && bytes[..end].iter().all(u8::is_ascii_alphabetic);
    if end == 0 || is_name {
        return None;
    }
    loop {
        let next = group(end + 1);
        let joined = bytes.get(end + 1..end + 1 + next).unwrap_or_default();
        let digits = joined.iter().all(u8::is_ascii_digit);
        let capitals = !joined.iter().any(u8::is_ascii_lowercase);
        let goes_on = match bytes.get(end) {
            _ if next == 0 => false,
            Some(b'-' | b'/' | b'.') => capitals || kind.letters == Letters::Many,
            Some(b' ') if kind.letters == Letters::Many => capitals && joined.len() <= 4,
            Some(b' ') => {
                let after = bytes.get(end + 1 + next);
                let counted = after.is_some_and(|byte| byte.is_ascii_alphabetic() || b":%".contains(byte));
                let digit_follows = bytes.get(end + 3).is_some_and(u8::is_ascii_digit);
                digits && next > 1 && !counted || next == 1 && capitals && !digits && digit_follows
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
        end += 1 + next;
    }
    let written = &bytes[..end];
    let ends = window[end..].chars().next().is_none_or(|next| !joins(next) && next != '_');
    let has_digits = written.iter().filter(|byte| byte.is_ascii_digit()).count() >= kind.digits_min[0];
    let is_word = written.iter().any(u8::is_ascii_lowercase) && kind.letters != Letters::Many;
    let formed = kind.letters != Letters::Many || is_iban(written);
    (ends && has_digits && !is_word && formed && end < VALUE_BYTES_MAX).then_some(end)
}

/// Two letters, two digits, and at least fifteen characters in total.
fn is_iban(written: &[u8]) -> bool {
    let signs = written.iter().filter(|byte| byte.is_ascii_alphanumeric()).count();
    matches!(written, [a, b, c, d, ..] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() && c.is_ascii_digit() && d.is_ascii_digit())
        && (15..=34).contains(&signs)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::check;

    #[test]
    fn a_number_labelled_as_an_account_is_an_account() {
        for (text, number) in [
            ("Account number 70412288 is closed.", "70412288"),
            ("acct # 662200119", "662200119"),
            ("Savings account: 000441209873", "000441209873"),
            ("The account number of Ruth Ames is 5540021.", "5540021"),
            ("Kontonummer 410553300", "410553300"),
            ("Konto-Nr.: 4105533", "4105533"),
            ("Numéro de compte 00041209873", "00041209873"),
            ("Número de cuenta 0081 0200 07 0001234567", "0081 0200 07 0001234567"),
            ("numero di conto 000000123456", "000000123456"),
            ("nr konta 1140 2004 0000 3002 0135", "1140 2004 0000 3002 0135"),
            ("rekeningnummer 12.34.56.789", "12.34.56.789"),
            ("Номер счёта 40817810099910004312", "40817810099910004312"),
            ("账号：6222020200112233", "6222020200112233"),
            ("sort code 40-11-62", "40-11-62"),
            ("routing number 011000015", "011000015"),
        ] {
            check(text, &[("BANK_ACCOUNT", number)]);
        }
    }

    #[test]
    fn a_number_labelled_as_a_card_or_an_iban_counts_even_if_its_check_fails() {
        check("Credit card no. 4012 8888 8888 1882 was refused", &[("CREDIT_CARD", "4012 8888 8888 1882")]);
        check("Kreditkartennummer: 4012888888881882", &[("CREDIT_CARD", "4012888888881882")]);
        check("IBAN DE11 2222 3333 4444 5555 66 (wrong)", &[("IBAN", "DE11 2222 3333 4444 5555 66")]);
        check("Your IBAN is gb00west12345698765432.", &[("IBAN", "gb00west12345698765432")]);
    }

    #[test]
    fn documents_and_patients_have_labels_in_many_languages() {
        for (text, found, number) in [
            ("Reisepass-Nr. K22P0714L", "PASSPORT", "K22P0714L"),
            ("Passeport n° 09XY77120", "PASSPORT", "09XY77120"),
            ("паспорт 4611 220934", "PASSPORT", "4611 220934"),
            ("护照号码：E88120047", "PASSPORT", "E88120047"),
            ("Führerscheinnummer N110KKL2I67", "US_DRIVER_LICENSE", "N110KKL2I67"),
            ("permis de conduire n° 880799210541", "US_DRIVER_LICENSE", "880799210541"),
            ("Medical record number MRN 00771204", "HEALTH_ID", "00771204"),
            ("Patient ID: 5520917", "HEALTH_ID", "5520917"),
            ("Versichertennummer A123456780", "HEALTH_ID", "A123456780"),
            ("Medicare number 9AB4-CD5-EF73", "HEALTH_ID", "9AB4-CD5-EF73"),
            ("TFN 865 414 088", "NATIONAL_ID", "865 414 088"),
            ("СНИЛС 087-654-303 00", "NATIONAL_ID", "087-654-303 00"),
            ("Sozialversicherungsnummer 12 190367 K 006", "NATIONAL_ID", "12 190367 K 006"),
        ] {
            check(text, &[(found, number)]);
        }
    }

    #[test]
    fn a_sentence_about_accounts_and_documents_is_not_a_number() {
        check(
            "Account managers met 12345678 clients. The account of 1984. An account from 2024-01-15. Accounts 12345678",
            &[],
        );
        check("An IBAN has up to 34 characters. Enter your card number, expiry date and CVV. Routing table 12", &[]);
        check("Passport control is on level 2. Patient 12, account balance 1234567.89, compte rendu 2024", &[]);
        check(
            "1234567890123456 is not a valid card number. Medicare paid 1234567 dollars. account code 536904399",
            &[],
        );
    }
}
