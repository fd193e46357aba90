//! Currencies as people write them: codes, signs and names. Stages 2 and 4 read amounts with them.

use countersign_domain::Currency;

/// Recognises common codes in any case and all other codes only in capitals, because `all`, `top` and `try` are words.
pub(crate) fn code(word: &str) -> Option<[u8; 3]> {
    const COMMON: [&[u8; 3]; 14] = [
        b"USD", b"EUR", b"GBP", b"JPY", b"CHF", b"CAD", b"AUD", b"NZD", b"INR", b"CNY", b"SEK", b"NOK", b"DKK", b"BRL",
    ];
    let code: [u8; 3] = word.as_bytes().try_into().ok()?;
    let in_capitals = code.map(|byte| byte.to_ascii_uppercase());
    let is_known = COMMON.contains(&&in_capitals) || code == in_capitals && is_code(word);
    is_known.then_some(in_capitals)
}

fn is_code(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_uppercase()) && word.parse::<Currency>().is_ok()
}

/// The currencies that a sign may stand for; `prefix` is the word right before it, such as `US` in `US$`.
pub(crate) fn sign(sign: char, prefix: &str) -> &'static [&'static str] {
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

pub(crate) fn is_sign(letter: char) -> bool {
    matches!(letter, '$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₦' | '₪' | '฿' | '₫' | '₱' | '₴' | '¢' | '₿')
}

/// The currencies that a name such as `dollars` may stand for. `adjective` is the word before it (`canadian`, or
/// empty). Both are in lower case.
pub(crate) fn name(adjective: &str, noun: &str) -> &'static [&'static str] {
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
