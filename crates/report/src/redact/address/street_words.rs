//! The words that reveal an address: for streets, houses and post-office boxes in about a dozen languages, in lower case without
//! accents.

/// Ordinary words, which are not part of a street's name.
pub(super) const SENTENCE_WORDS: &[&str] = &[
    "the",
    "in",
    "on",
    "of",
    "a",
    "an",
    "took",
    "was",
    "is",
    "are",
    "from",
    "at",
    "to",
    "and",
    "or",
    "for",
    "by",
    "per",
    "with",
    "items",
    "minutes",
    "hours",
    "days",
    "transactions",
    "payments",
    "km",
    "my",
    "our",
    "your",
    "this",
    "that",
    "no",
];

/// Words for a street that come after its name, and that are recognised in lower case too if a house number is nearby.
pub(super) const LOWER_CASE_SUFFIXES: &[&str] = &[
    "street",
    "road",
    "lane",
    "avenue",
    "crescent",
    "terrace",
    "gardens",
    "mews",
    "boulevard",
    "grove",
    "court",
    "drive",
    "close",
    "caddesi",
    "cad",
    "sokak",
    "sokagi",
    "sok",
    "bulvari",
    "mahallesi",
    "prospekt",
];

/// The words of `LOWER_CASE_SUFFIXES` that the house number follows: the Turkish ones, and `prospekt`.
pub(super) const NUMBER_AFTER_SUFFIX: &[&str] =
    &["caddesi", "cad", "sokak", "sokagi", "sok", "bulvari", "mahallesi", "prospekt"];

/// Words for a street that come before its name, and that are recognised in lower case too if a house number follows.
pub(super) const LOWER_CASE_PREFIXES: &[&str] = &[
    "calle", "avenida", "plaza", "paseo", "rue", "via", "viale", "piazza", "corso", "rua", "travessa", "praca", "pca",
    "ulica", "ul", "aleja", "plac", "jalan", "strada", "bul", "bulevar", "laan", "chemin", "quai", "impasse", "carrer",
    "camino", "estrada",
];

/// Words for a flat, a house or a post-office box that come before its number and are capitalised, even without a street.
pub(super) const UNITS: &[&str] = &[
    "apt",
    "apartment",
    "suite",
    "unit",
    "flat",
    "house",
    "casilla",
    "apto",
    "piso",
    "wohnung",
    "erf",
    "plot",
    "sector",
    "block",
    "postfach",
    "postbus",
    "apartado",
    "appartement",
];

/// Words that make the capitalised word before them a street, even without a number.
pub(super) const NAMED_STREETS: &[&str] = &[
    "street",
    "road",
    "lane",
    "avenue",
    "crescent",
    "cres",
    "terrace",
    "mews",
    "boulevard",
    "grove",
    "court",
    "close",
    "cottage",
    "heights",
    "drive",
];

/// Words in lower case that may stand between a street word and a house number: particles of names, and words for a number or a
/// unit.
pub(super) const LOWER_CASE_PARTS: &[&str] = &[
    "de", "la", "le", "les", "du", "des", "del", "della", "di", "da", "do", "dos", "das", "der", "den", "dem", "van",
    "von", "und", "y", "e", "n", "no", "nr", "numero", "st", "apt", "flat", "unit", "bis", "ter",
];

/// Words for a post-office box that count in lower case too if a number follows.
pub(super) const BOXES: &[&str] = &["postfach", "postbus", "apartado", "box", "bp"];

/// Words for a street that come before its name. Capitalised, they need no house number.
pub(super) const PREFIXES: &[&str] = &[
    "rue",
    "avenue",
    "boulevard",
    "bd",
    "chemin",
    "quai",
    "impasse",
    "allee",
    "calle",
    "avenida",
    "avda",
    "plaza",
    "paseo",
    "carrer",
    "camino",
    "carretera",
    "ronda",
    "via",
    "viale",
    "piazza",
    "corso",
    "vicolo",
    "largo",
    "rua",
    "travessa",
    "praca",
    "estrada",
    "alameda",
    "ul",
    "ulica",
    "aleja",
    "al",
    "plac",
    "osiedle",
    "os",
];

/// Words for a street that are not in `PREFIXES`. Most come after its name.
pub(super) const OTHER_STREET_WORDS: &[&str] = &[
    "street", "str", "road", "rd", "ave", "lane", "ln", "drive", "close", "court", "way", "terrace", "crescent",
    "square", "gardens", "mews", "place", "blvd", "highway", "hwy", "parkway", "grove", "row", "st", "weg", "platz",
    "gasse", "strasse", "straat", "cad", "cadde", "caddesi", "sokak", "sok",
];

/// Endings of compound street names: `Hauptstraße`, `Keizersgracht`.
pub(super) const STREET_ENDINGS: &[&str] = &[
    "strasse", "straat", "gracht", "laan", "allee", "gasse", "platz", "plein", "kade", "dijk", "singel", "damm",
    "ufer", "weg", "str", "gatan", "vagen", "gade", "vej", "veien", "gata",
];
