//! Top-level domains: those that make a bare name with a dot a web address.

/// Generic and country top-level domains. Rare generic ones are left out, as are those that are mainly file extensions.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "ac", "academy", "ad", "ae", "aero", "af", "ag", "agency", "ai", "al", "am", "ao", "app", "aq", "ar", "art",
    "as", "asia", "at", "au", "aw", "ax", "az", "ba", "bb", "bd", "be", "bf", "bg", "bh", "bi", "bio", "biz", "bj",
    "blog", "bm", "bn", "bo", "br", "bs", "bt", "bw", "by", "bz", "ca", "cat", "cc", "cd", "center", "cf", "cg",
    "ch", "ci", "ck", "cl", "cloud", "club", "cm", "cn", "co", "com", "company", "coop", "cr", "cu", "cv", "cw",
    "cx", "cy", "cz", "de", "design", "dev", "digital", "dj", "dk", "dm", "do", "dz", "ec", "edu", "education", "ee",
    "eg", "email", "er", "es", "et", "eu", "events", "fi", "finance", "fj", "fk", "fm", "fo", "foundation", "fr",
    "fun", "ga", "gd", "ge", "gf", "gg", "gh", "gi", "gl", "global", "gm", "gn", "gov", "gp", "gq", "gr", "group",
    "gt", "gu", "guru", "gw", "gy", "health", "hk", "hm", "hn", "hr", "ht", "hu", "id", "ie", "il", "im", "in",
    "info", "int", "io", "iq", "ir", "is", "it", "je", "jm", "jo", "jobs", "jp", "ke", "kg", "kh", "ki", "km", "kn",
    "kp", "kr", "kw", "ky", "kz", "la", "law", "lb", "lc", "li", "life", "link", "live", "lk", "lr", "ls", "lt",
    "ltd", "lu", "lv", "ly", "ma", "mc", "md", "me", "media", "mg", "mh", "mil", "mk", "ml", "mm", "mn", "mo",
    "mobi", "mp", "mq", "mr", "ms", "mt", "mu", "museum", "mv", "mw", "mx", "my", "mz", "na", "name", "nc", "ne",
    "net", "network", "news", "nf", "ng", "ni", "nl", "no", "np", "nr", "nu", "nz", "om", "one", "online", "org",
    "pa", "pe", "pf", "pg", "ph", "photos", "pk", "pl", "pm", "pn", "pr", "press", "pro", "ps", "pt", "pw", "py",
    "qa", "re", "ro", "rs", "ru", "rw", "sa", "sb", "sc", "school", "sd", "se", "services", "sg", "sh", "shop", "si",
    "site", "sk", "sl", "sm", "sn", "so", "social", "solutions", "space", "sr", "ss", "st", "store", "studio", "su",
    "sv", "sx", "sy", "systems", "sz", "tc", "td", "team", "tech", "tel", "tf", "tg", "th", "tj", "tk", "tl", "tm",
    "tn", "to", "today", "tools", "top", "tr", "travel", "tt", "tv", "tw", "tz", "ua", "ug", "uk", "us", "uy", "uz",
    "va", "vc", "ve", "vg", "vi", "vip", "vn", "vu", "website", "wf", "wiki", "work", "world", "ws", "xyz", "ye",
    "yt", "za", "zm", "zone", "zw",
];

/// Top-level domains that are also words or file extensions. A name that ends in one of them needs further evidence.
#[rustfmt::skip]
const AMBIGUOUS: &[&str] = &[
    "academy", "ad", "agency", "al", "am", "app", "art", "as", "at", "ba", "be", "bio", "blog", "by", "cat", "cc",
    "center", "cf", "cloud", "club", "company", "de", "design", "dev", "digital", "do", "ec", "education", "email",
    "er", "es", "et", "events", "finance", "foundation", "fun", "global", "group", "guru", "health", "id", "im",
    "in", "int", "is", "it", "jobs", "la", "law", "life", "link", "live", "ma", "md", "me", "media", "ml",
    "mm", "mo", "mr", "ms", "my", "na", "name", "ne", "network", "news", "no", "one", "online", "photos", "pl", "pm",
    "press", "pro", "ps", "py", "re", "rs", "school", "services", "sh", "shop", "site", "so", "social", "solutions",
    "space", "st", "store", "studio", "su", "systems", "team", "tech", "tel", "today", "to", "tools", "top",
    "travel", "us", "vi", "website", "wiki", "work", "world", "zone",
];

pub(super) const LENGTH_MAX: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Top {
    Unknown,
    Ambiguous,
    Clear,
}

/// What kind of top-level domain a lower-case label is.
pub(super) fn kind(label: &str) -> Top {
    match KNOWN.binary_search(&label) {
        Err(_) => Top::Unknown,
        Ok(_) if AMBIGUOUS.contains(&label) => Top::Ambiguous,
        Ok(_) => Top::Clear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_short_enough() {
        assert!(KNOWN.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(KNOWN.iter().all(|label| label.len() <= LENGTH_MAX));
        assert!(AMBIGUOUS.iter().all(|label| KNOWN.contains(label)));
    }

    #[test]
    fn file_extensions_and_words_are_not_clear() {
        assert_eq!(["com", "br", "io", "py", "is", "txt", "js"].map(kind).map(|top| top as u8), [2, 2, 2, 1, 1, 0, 0]);
    }
}
