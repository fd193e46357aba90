//! Every type of finding: its name in plain words, its weight, and whether it identifies somebody by itself. This is the only place
//! that sets weights.
//!
//! | weight | status | what |
//! |---|---|---|
//! | 9 | Flagged | grants access, or identifies one person for life: cards, accounts, national ids, passports, keys, passwords |
//! | 8 | Flagged | threats, calls to self-harm, attacks on a group |
//! | 7 | Flagged | instruction override, exfiltration link, hidden or encoded text; sexual content; a contradicted claim; a driving licence |
//! | 6 | Warning | insults; a wrong number, name or date; a date of birth |
//! | 5 | Warning | one contact; role play, prompt extraction, forged delimiter; an unsupported sentence |
//! | 4 | Warning | network addresses, profanity |
//! | 0 | Safe | names, places, organisations, dates, web addresses: mentions, which by themselves identify nobody |
//!
//! A person's name with a street address, or with a birth date, weighs 5 together (`pii::combination`).

use crate::Kind;

pub(crate) struct Type {
    pub(crate) name: &'static str,
    pub(crate) weight: u8,
    pub(crate) identification: Identification,
    /// The type in words, with its article, as a sentence needs it.
    pub(crate) words: &'static str,
}

/// How far a finding identifies a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Identification {
    /// Identifies somebody, or grants access, by itself.
    Identifies,
    /// Identifies somebody only together with an identifier: the name on a card.
    WithAnother,
    /// Says something about somebody who is known from elsewhere.
    Describes,
    /// Not about a person.
    Other,
}

use Identification::{Describes, Identifies, Other, WithAnother};

const fn row(name: &'static str, weight: u8, identification: Identification, words: &'static str) -> Type {
    Type { name, weight, identification, words }
}

const PII: &[Type] = &[
    row("CREDIT_CARD", 9, Identifies, "a payment card number"),
    row("IBAN", 9, Identifies, "a bank account number"),
    row("US_SSN", 9, Identifies, "a US social security number"),
    row("US_ITIN", 9, Identifies, "a US taxpayer number"),
    row("UK_NINO", 9, Identifies, "a UK national insurance number"),
    row("UK_NHS", 9, Identifies, "a UK health service number"),
    row("IN_AADHAAR", 9, Identifies, "an Indian Aadhaar number"),
    row("IN_PAN", 9, Identifies, "an Indian tax number"),
    row("ES_DNI", 9, Identifies, "a Spanish identity number"),
    row("ES_NIE", 9, Identifies, "a Spanish foreigner's number"),
    row("DE_TAX_ID", 9, Identifies, "a German tax number"),
    row("CA_SIN", 9, Identifies, "a Canadian social insurance number"),
    row("BR_CPF", 9, Identifies, "a Brazilian taxpayer number"),
    row("AT_SVNR", 9, Identifies, "an Austrian social insurance number"),
    row("BE_NRN", 9, Identifies, "a Belgian national number"),
    row("CH_AHV", 9, Identifies, "a Swiss social insurance number"),
    row("CN_RID", 9, Identifies, "a Chinese identity number"),
    row("FI_HETU", 9, Identifies, "a Finnish identity code"),
    row("FR_NIR", 9, Identifies, "a French social security number"),
    row("IT_FISCAL_CODE", 9, Identifies, "an Italian fiscal code"),
    row("KR_RRN", 9, Identifies, "a Korean resident number"),
    row("MX_CURP", 9, Identifies, "a Mexican population number"),
    row("NL_BSN", 9, Identifies, "a Dutch citizen service number"),
    row("NO_FNR", 9, Identifies, "a Norwegian birth number"),
    row("PL_PESEL", 9, Identifies, "a Polish identity number"),
    row("PT_NIF", 9, Identifies, "a Portuguese tax number"),
    row("SE_PNR", 9, Identifies, "a Swedish personal number"),
    row("SG_NRIC", 9, Identifies, "a Singaporean identity number"),
    row("PASSPORT", 9, Identifies, "a passport number"),
    row("BANK_ACCOUNT", 9, Identifies, "a number of an account or a bank"),
    row("NATIONAL_ID", 9, Identifies, "a national identity number"),
    row("HEALTH_ID", 9, Identifies, "a number of a patient or an insurance"),
    row("US_DRIVER_LICENSE", 7, Identifies, "a driving licence number"),
    row("PRIVATE_KEY", 9, Identifies, "a private key"),
    row("API_KEY", 9, Identifies, "an access key"),
    row("JWT", 9, Identifies, "a signed token"),
    row("PASSWORD", 9, Identifies, "a password"),
    row("URL_CREDENTIALS", 9, Identifies, "a web address with a password"),
    row("CRYPTO", 5, Identifies, "a crypto address"),
    row("EMAIL", 5, Identifies, "an e-mail address"),
    row("PHONE", 5, Identifies, "a phone number"),
    row("DATE_OF_BIRTH", 6, Identifies, "a date of birth"),
    row("IP", 4, Identifies, "a network address"),
    row("MAC", 4, Identifies, "a device's address"),
    row("PERSON", 0, WithAnother, "a person's name"),
    row("ADDRESS", 0, WithAnother, "a street address"),
    row("LOCATION", 0, Describes, "a place"),
    row("ORGANIZATION", 0, Describes, "an organisation"),
    row("ZIP_CODE", 0, Describes, "a postal code"),
    row("DATE_TIME", 0, Describes, "a date or time"),
    row("AGE", 0, Describes, "an age"),
    row("TITLE", 0, Describes, "a title"),
    row("NRP", 0, Describes, "a nationality, religion or political group"),
    row("URL", 0, Describes, "a web address"),
];

const TOXICITY: &[Type] = &[
    row("THREAT", 8, Other, "a threat"),
    row("SELF_HARM", 8, Other, "a call to self-harm"),
    row("IDENTITY_ATTACK", 8, Other, "an attack on a group of people"),
    row("SEXUAL", 7, Other, "sexual content"),
    row("TOXIC", 7, Other, "hostile words"),
    row("INSULT", 6, Other, "an insult"),
    row("PROFANITY", 4, Other, "profanity"),
];

const INJECTION: &[Type] = &[
    row("INSTRUCTION_OVERRIDE", 7, Other, "an attempt to override instructions"),
    row("EXFILTRATION_LINK", 7, Other, "a link that carries data out"),
    row("HIDDEN_TEXT", 7, Other, "text hidden from readers"),
    row("ENCODED", 7, Other, "encoded instructions"),
    row("INJECTION", 7, Other, "an attempt to steer the model"),
    row("AUDITOR_INSTRUCTION", 7, Other, "an instruction to the auditor"),
    row("ROLE_PLAY", 5, Other, "an unrestricted role for the model"),
    row("PROMPT_EXTRACTION", 5, Other, "a request for hidden instructions"),
    row("DELIMITER_FORGING", 5, Other, "a forged delimiter"),
];

const GROUNDING: &[Type] = &[
    row("CONTRADICTED", 7, Other, "a claim that its source contradicts"),
    row("NUMBER", 6, Other, "a number that its source lacks"),
    row("NAME", 6, Other, "a name that its source lacks"),
    row("DATE", 6, Other, "a date that its source lacks"),
    row("UNSUPPORTED", 5, Other, "a statement that its source does not support"),
];

/// Unknown types get the weight of a contact: worth a look.
const UNKNOWN: Type = row("", 5, Other, "something risky");
const UNKNOWN_PII: Type = row("", 5, Identifies, "personal data");

pub(crate) fn of(kind: Kind, name: &str) -> &'static Type {
    let (rows, unknown) = match kind {
        Kind::Pii => (PII, &UNKNOWN_PII),
        Kind::Toxicity => (TOXICITY, &UNKNOWN),
        Kind::Injection => (INJECTION, &UNKNOWN),
        Kind::Grounding => (GROUNDING, &UNKNOWN),
    };
    rows.iter().find(|row| row.name == name).unwrap_or(unknown)
}

/// Whether findings of this type identify nobody by themselves.
pub(crate) fn is_mention_alone(kind: Kind, name: &str) -> bool {
    kind == Kind::Pii && of(kind, name).identification != Identifies
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_lists_every_type_with_its_weight() {
        let documented = include_str!("../../../docs/inspectors.md");
        for row in [PII, TOXICITY, INJECTION, GROUNDING].into_iter().flatten() {
            let line = format!("| `{}` | {} | {} |", row.name, row.words, row.weight);
            assert!(documented.contains(&line), "{line}");
        }
    }
}
