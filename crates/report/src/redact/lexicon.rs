//! Word lists: words of shops, ordinary words of ten languages, brands, towns, titles, and labels before names. All are in lower
//! case without accents.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use super::token::plain;

/// What this crate's own lists say about a word. `WordLists` has the inspectors' lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct OwnLists {
    /// An ordinary word, which identifies no one.
    pub(super) is_ordinary: bool,
    /// A word of businesses' names.
    pub(super) is_shop: bool,
    /// An ordinary word that is also a first name: "Grace".
    pub(super) is_first_name: bool,
    /// An ordinary word that is also a last name: "Park".
    pub(super) is_last_name: bool,
}

/// Looks a word up in all lists at once.
pub(super) fn own_lists(word: &str) -> OwnLists {
    static WORDS: LazyLock<HashMap<&str, OwnLists>> = LazyLock::new(|| {
        let mut words: HashMap<&str, OwnLists> = HashMap::new();
        let (first, last) = WORD_NAMES.split_once("\n-\n").unwrap_or((WORD_NAMES, ""));
        entries(ORDINARY).for_each(|word| words.entry(word).or_default().is_ordinary = true);
        SHOP_WORDS.split_whitespace().for_each(|word| words.entry(word).or_default().is_shop = true);
        entries(first).for_each(|word| words.entry(word).or_default().is_first_name = true);
        entries(last).for_each(|word| words.entry(word).or_default().is_last_name = true);
        words
    });
    if let Some(found) = WORDS.get(word) {
        return *found;
    }
    let is_shop = SHOP_ENDINGS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending));
    OwnLists { is_shop, ..OwnLists::default() }
}

/// Whether this is the name of a well-known business. Words are separated by single spaces.
pub(super) fn is_brand(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&str>> =
        LazyLock::new(|| BRANDS.split(',').map(str::trim).filter(|name| !name.is_empty()).collect());
    NAMES.contains(name)
}

/// Whether this is the full name of a town, region or country, however its words are joined.
pub(super) fn is_town(name: &str) -> bool {
    static TOWNS: LazyLock<HashSet<String>> = LazyLock::new(|| entries(TOWNS_TEXT).map(town_key).collect());
    TOWNS.contains(&town_key(name))
}

/// The words in lower case without accents, joined by single spaces.
fn town_key(name: &str) -> String {
    let plain = plain(name);
    let words: Vec<&str> =
        plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The words of a list. Lines that start with `#` are comments.
fn entries(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace)
}

const BRANDS: &str = include_str!("lists/brands.txt");
const ORDINARY: &str = include_str!("lists/words.txt");
const TOWNS_TEXT: &str = include_str!("lists/towns.txt");
const WORD_NAMES: &str = include_str!("lists/word_names.txt");

/// Endings of German and Dutch compounds: `Stadtbäckerei`, `Buchhandlung`.
const SHOP_ENDINGS: &[&str] = &[
    "markt",
    "apotheke",
    "backerei",
    "baeckerei",
    "metzgerei",
    "handlung",
    "geschaft",
    "laden",
    "werke",
    "kasse",
    "verlag",
    "gasthof",
    "winkel",
    "bakkerij",
    "slagerij",
    "haus",
    "huis",
    "shop",
    "store",
    "mart",
    "bank",
    "hotel",
    "verein",
];

const SHOP_WORDS: &str = "
    ab ag as bhd bv co company corp corporation cv doo eg enterprise enterprises ev foundation gbr gmbh group grupo groupe
    gruppe gruppo holding holdings inc incorporated kft kg kgaa lda limited llc llp ltd ltda mbh nv ohg oy oyj partners plc
    pte pty pvt sa sarl sas sasu sdn se sl slu sp spa spolka spzoo sro srl ug und sons brothers bros associates
    agency airline airlines airport airways amusement antiques apartments apothecary apparel appliances arcade art arts
    atelier atm audio auto autos autohaus bagels bakers bakery bank banking banque banca banco bar barber barbers bazaar
    beauty beer bicycles bikes bistro bistrot blumen book books bookshop bookstore boots boulangerie boutique brasserie
    brewery brewing broadband building buchladen burger burgers burrito butcher butchers cab cabs cabinet cafe cafes cafeteria
    cakes camera cameras candles capital cards care carpets carwash cash casino catering cellar center centre ceramics chemist
    chemists chicken church cinema cinemas cleaners cleaning clinic clothes clothing club coffee college comics computer
    computers confectionery construction consulting convenience cosmetics courier creamery credit cuisine curry cycles dairy
    dating deli delicatessen delivery dental dentist department depot design diner direct discount distillery donuts donation
    drogerie drugs drugstore drycleaners electric electrical electricity electronics elektro emporium energy engineering
    entertainment epicerie equipment espresso estate eats exchange express fabrics factory farm farmacia farmacias farms fashion
    ferry finance fish fitness fleurs florist florists flowers food foods footwear friseur fruit fuel fund furnishings furniture
    gallery game games gaming garage garden gardens gas gasthaus gelateria gelato gift gifts glass golf goods grand green
    greengrocer greens grill grocer grocers groceries grocery guesthouse gym gymnasium hair hairdresser hardware health healthcare
    herbs hobby home homes hospital hostel hostal hotel hotels house ice import imports inn insurance international internet
    jewelers jewellers jewellery jewelry journeys juice kebab keller kiosk kitchen konditorei lab labs lamps laundry leather
    library libreria librairie lieferservice liquor loan loans locksmith lodge logistics lounge lunch machines magazine mail mall
    marche marches mart market marketing marketplace markets markt medical media mercado mercato metro metzgerei mini mobile
    mobility money motel motor motors museum music nails national network noodle noodles nursery office online opera optical
    optician opticians optik optique order organics outdoor outdoors outfitters outlet paint panaderia panetteria pantry paper
    parcel park parking partners party pastry patisserie payments pets petrol petroleum pharma pharmacie pharmacy phone phones
    photo photography pizza pizzeria place plants plumbing point pool post power press print printing products properties
    property pub radio rail railway railways ramen realty records recreation recycling refund rental rentals repair repairs
    restaurant restaurante restaurants retail rideshare ristorante roasters roastery salon sandwich sandwiches savings school
    seafood security service services shack shirts shoe shoes shop shopping shops sklep sneakers snacks soap software solutions
    spa spices sport sports stage station stationers stationery steakhouse stores store storage street studio studios subscription
    sugar supermarche supermarkt supermarket supermarkets supermercado supermercati supplies supply surf sushi sweets system
    systems table tabac tacos tailor tailors takeaway tavern taverna taxi taxis tea teahouse technologies technology telecom
    telecoms theater theatre tickets tienda tiles tire tires tobacco tools tours toy toys trade traders trading trains transfer
    transit transport travel trattoria travels trust tv union university utilities vape vending ventures veterinary video vintage
    vouchers wash watches water wear web wellness wholesale wine winery wines wireless wood works workshop world yoga zoo
    haus hof bahnhof backerei baeckerei apotheke lebensmittel getranke drogeriemarkt tankstelle werkstatt reisen versicherung
    magasin boucherie fromagerie poissonnerie garagiste cordonnerie carniceria pescaderia fruteria ferreteria peluqueria zapateria
    papeleria gasolinera ristorante gastronomia macelleria gioielleria abbigliamento farmacista padaria pastelaria talho loja
    bakkerij slagerij apotheek winkel kapper kroeg piekarnia apteka restauracja kawiarnia ksiegarnia kwiaciarnia
    old new blue red golden silver royal north south east west central corner little big best first super mega city town
    mill door lane row gate fox bend harbour harbor linden kestrel saffron northgate juniper maple lantern tidewater quarry
    fennel orchard bellweather foxglove granite halcyon ivory kiln larkspur meridian nettle oakhaven pebble quillon rookery sable
    thistle umber velvet willow yarrow zephyr ash ember brindle cinder dovetail wren copper
    minute last gutschein northwind cobalt silverline lumen atlas quayside riverside lakeside seaside hillside parkside bayside
    waterfront uptown downtown midtown northside southside eastside westside hilltop evergreen horizon zenith vertex apex
    pinnacle quantum fusion prime elite urban coastal onyx crimson azure stellar lunar solar polaris arctic alpine nordic
    pacific atlantic borealis titanium platinum emporium gourmet artisan heritage imperial majestic regal sterling universal
    interflora everyday";

/// Titles and forms of address before a name. They count only before a capitalised word.
pub(super) const TITLES: &[&str] = &[
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "dr",
    "prof",
    "sir",
    "dame",
    "herr",
    "herrn",
    "frau",
    "hr",
    "fr",
    "sr",
    "sra",
    "srta",
    "senor",
    "senora",
    "senorita",
    "don",
    "dona",
    "mme",
    "mlle",
    "monsieur",
    "madame",
    "mademoiselle",
    "sig",
    "signor",
    "signora",
    "signore",
    "senhor",
    "senhora",
    "dhr",
    "mevr",
    "mevrouw",
    "meneer",
    "heer",
    "pan",
    "pani",
    "panu",
    "pana",
];

/// Labels before a colon and a name.
pub(super) const NAME_LABELS: &[&str] = &[
    "name",
    "names",
    "nombre",
    "nombres",
    "apellido",
    "apellidos",
    "nom",
    "prenom",
    "nome",
    "cognome",
    "sobrenome",
    "apelido",
    "naam",
    "achternaam",
    "voornaam",
    "imie",
    "nazwisko",
    "inhaber",
    "titulaire",
    "titular",
    "intestatario",
    "rekeninghouder",
    "posiadacz",
    "cardholder",
    "holder",
    "beneficiary",
    "beneficiario",
    "beneficiaire",
    "begunstigter",
    "begunstigde",
    "empfanger",
    "absender",
    "destinataire",
    "destinatario",
    "ordenante",
    "mittente",
    "ontvanger",
    "odbiorca",
    "nadawca",
    "payee",
    "payer",
    "recipient",
    "sender",
    "kunde",
    "kundin",
    "cliente",
    "client",
    "customer",
    "klant",
    "klient",
    "owner",
    "contact",
    "kontakt",
    "auftraggeber",
    "zahler",
    "proprietaire",
    "propietario",
    "debtor",
    "creditor",
];
/// Words directly before a name: `paid to …`, `Miete von …`.
pub(super) const CUES: &[&str] = &[
    "to",
    "from",
    "for",
    "with",
    "by",
    "of",
    "and",
    "beneficiary",
    "payee",
    "recipient",
    "sender",
    "owner",
    "doctor",
    "landlord",
    "landlady",
    "tenant",
    "lawyer",
    "cleaner",
    "nanny",
    "tutor",
    "mum",
    "mom",
    "dad",
    "mama",
    "papa",
    "friend",
    "son",
    "daughter",
    "brother",
    "sister",
    "uncle",
    "aunt",
    "wife",
    "husband",
    "colleague",
    "neighbour",
    "neighbor",
    "dear",
    "hi",
    "hello",
    "thanks",
    "thank",
    "thx",
    "love",
    "re",
    "an",
    "von",
    "fur",
    "fuer",
    "mit",
    "empfanger",
    "vermieter",
    "mieter",
    "nachbar",
    "oma",
    "opa",
    "pour",
    "chez",
    "avec",
    "beneficiaire",
    "proprietaire",
    "locataire",
    "para",
    "con",
    "beneficiario",
    "destinatario",
    "casero",
    "per",
    "inquilino",
    "com",
    "senhorio",
    "voor",
    "met",
    "aan",
    "ontvanger",
    "huisbaas",
    "dla",
    "od",
    "odbiorca",
    "nadawca",
    "alici",
    "gonderen",
    "till",
    "fran",
    "mottagare",
];

pub(super) const NAME_LABEL_ENDINGS: &[&str] = &["name", "inhaber", "naam"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brands_are_written_as_they_are_looked_up() {
        for brand in BRANDS.split(',').map(str::trim) {
            assert!(is_brand(brand), "{brand}");
            assert!(
                brand.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b' '),
                "{brand}"
            );
        }
    }
}
