//! Currencies as people write them: codes, signs and names.

use countersign_domain::Currency;

/// A code in capitals, or a common one in small letters. `all`, `top` and `try` are words before they are currencies.
pub(super) fn code(word: &str) -> Option<Currency> {
    const COMMON: [&str; 14] =
        ["usd", "eur", "gbp", "jpy", "chf", "cad", "aud", "nzd", "inr", "cny", "sek", "nok", "dkk", "brl"];
    if word.len() != 3 {
        return None;
    }
    if word.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return word.parse().ok();
    }
    COMMON.iter().find(|known| word.eq_ignore_ascii_case(known)).and_then(|known| known.to_uppercase().parse().ok())
}

/// The currencies that a sign may stand for; `prefix` is the word right before it, such as `US` in `US$`.
pub(super) fn sign(sign: char, prefix: &str) -> &'static [&'static str] {
    match (sign, prefix) {
        ('$', "US" | "U.S" | "") => &["USD"],
        ('$', "C" | "CA" | "CAD") => &["CAD"],
        ('$', "A" | "AU") => &["AUD"],
        ('$', "NZ") => &["NZD"],
        ('$', "HK") => &["HKD"],
        ('$', "S" | "SG") => &["SGD"],
        ('$', "R") => &["BRL"],
        ('$', "MX") => &["MXN"],
        ('€', _) => &["EUR"],
        ('£', _) => &["GBP"],
        ('¥', _) => &["JPY", "CNY"],
        ('₹', _) => &["INR"],
        ('₩', _) => &["KRW"],
        ('₽', _) => &["RUB"],
        ('₺', _) => &["TRY"],
        ('₦', _) => &["NGN"],
        ('₪', _) => &["ILS"],
        ('฿', _) => &["THB"],
        ('₫', _) => &["VND"],
        ('₱', _) => &["PHP"],
        ('₴', _) => &["UAH"],
        _ => &[],
    }
}

pub(super) fn is_sign(letter: char) -> bool {
    matches!(letter, '$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₦' | '₪' | '฿' | '₫' | '₱' | '₴' | '¢' | '₿')
}

/// The currencies of a name such as `dollars`, after an adjective such as `canadian` or none. Small letters.
pub(super) fn name(adjective: &str, noun: &str) -> &'static [&'static str] {
    match (adjective, noun.strip_suffix('s').unwrap_or(noun)) {
        ("canadian", "dollar") => &["CAD"],
        ("australian", "dollar") => &["AUD"],
        ("singapore", "dollar") => &["SGD"],
        ("zealand", "dollar") => &["NZD"],
        ("kong", "dollar") => &["HKD"],
        (_, "dollar") => &["USD"],
        (_, "euro") => &["EUR"],
        (_, "pound") => &["GBP"],
        (_, "yen") => &["JPY"],
        (_, "yuan" | "renminbi") => &["CNY"],
        (_, "rupee") => &["INR"],
        (_, "franc") => &["CHF"],
        (_, "rea" | "real" | "reai") => &["BRL"],
        (_, "zloty" | "zlotie") => &["PLN"],
        (_, "krona" | "kronor") => &["SEK"],
        (_, "krone" | "kroner") => &["NOK", "DKK"],
        (_, "won") => &["KRW"],
        (_, "rand") => &["ZAR"],
        (_, "lira") => &["TRY"],
        (_, "naira") => &["NGN"],
        (_, "dirham") => &["AED"],
        (_, "riyal") => &["SAR"],
        (_, "shekel") => &["ILS"],
        (_, "baht") => &["THB"],
        (_, "ringgit") => &["MYR"],
        _ => &[],
    }
}
