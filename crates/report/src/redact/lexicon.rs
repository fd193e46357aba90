//! Words that tell a shop from a person, forms of address, and labels before names. In small letters without accents.

use std::{collections::HashSet, sync::LazyLock};

/// Whether a word belongs to a business rather than to a person's name.
pub(super) fn is_shop_word(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| SHOP_WORDS.split_whitespace().collect());
    let ends_like_one = || SHOP_ENDINGS.iter().any(|ending| word.len() > ending.len() && word.ends_with(ending));
    WORDS.contains(word) || ends_like_one()
}

/// Whether these words, with single spaces between, are a well-known business that reads like a person.
pub(super) fn is_brand(name: &str) -> bool {
    static NAMES: LazyLock<HashSet<&str>> =
        LazyLock::new(|| BRANDS.split(',').map(str::trim).filter(|name| !name.is_empty()).collect());
    NAMES.contains(name)
}

/// `Stadtbäckerei`, `Buchhandlung`: the compounds of German and Dutch.
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
    minute last gutschein";

const BRANDS: &str = "
    marks spencer, marks and spencer, lidl, aldi, aldi nord, aldi sud, rewe, edeka, penny, netto, kaufland, dm, rossmann,
    douglas, saturn, media markt, karstadt, galeria, tchibo, zalando, zalando lounge, otto, ikea, obi, bauhaus, hornbach, albert heijn, jumbo,
    hema, etos, kruidvat, action, blokker, wehkamp, carrefour, leclerc, e leclerc, auchan, monoprix, franprix, fnac, darty,
    decathlon, leroy merlin, galeries lafayette, sephora, yves rocher, jean louis david, paul, mercadona, el corte ingles,
    dia, eroski, zara, mango, desigual, bershka, pull bear, massimo dutti, stradivarius, inditex, esselunga, conad, coop,
    autogrill, benetton, armani, giorgio armani, emporio armani, gucci, prada, versace, valentino, dolce gabbana, ferrari,
    ferrero, lavazza, illy, pingo doce, continente, biedronka, zabka, rossmann, allegro, orlen, tesco, sainsbury, sainsburys,
    sainsbury s, asda, morrisons, waitrose, john lewis, john lewis partners, harrods, selfridges, harvey nichols, fortnum mason,
    debenhams, boots, superdrug, wh smith, whsmith, w h smith, next, primark, new look, topshop, ted baker, paul smith,
    vivienne westwood, burberry, barbour, clarks, dr martens, dune, russell bromley, kurt geiger, jo malone, charlotte tilbury,
    molton brown, fred perry, ben sherman, greggs, costa, costa coffee, pret a manger, nando, nandos, wagamama, pizza express,
    wetherspoon, j d wetherspoon, jd wetherspoon, jd sports, jamie oliver, gordon ramsay, walmart, target, costco, kroger,
    safeway, publix, trader joe, trader joes, whole foods, albertsons, wegmans, macy, macys, nordstrom, kohl, kohls, jc penney,
    j c penney, bloomingdale, neiman marcus, saks, saks fifth avenue, tiffany, tiffany co, tiffany and co, barnes noble,
    best buy, home depot, lowe, lowes, ace hardware, dick, dicks, foot locker, gap, old navy, j crew, ann taylor, abercrombie fitch,
    hollister, ralph lauren, tommy hilfiger, calvin klein, michael kors, kate spade, marc jacobs, tory burch, vera wang, donna karan,
    hugo boss, jil sander, karl lagerfeld, louis vuitton, christian dior, dior, coco chanel, chanel, hermes, givenchy, balenciaga,
    yves saint laurent, saint laurent, jimmy choo, alexander mcqueen, stella mccartney, victoria secret, victorias secret,
    estee lauder, elizabeth arden, bobbi brown, levi, levis, levi strauss, lee, wrangler, nike, adidas, puma, reebok, new balance,
    wendy, wendys, mcdonald, mcdonalds, burger king, kfc, subway, starbucks, dunkin, domino, dominos, papa john, papa johns,
    little caesars, jack in the box, carl jr, arby, arbys, denny, dennys, ben jerry, ben and jerry, haagen dazs, baskin robbins,
    tim hortons, jack daniels, jim beam, johnnie walker, amazon, ebay, paypal, apple, google, microsoft, netflix, spotify, uber,
    lyft, bolt, airbnb, booking, expedia, ryanair, easyjet, lufthansa, british airways, air france, klm, delta, emirates, qantas,
    deutsche bahn, sncf, trenitalia, renfe, ns, shell, bp, total, esso, texaco, aral, repsol, eni, h m, c a, hm, ca, uniqlo,
    muji, aliexpress, alibaba, temu, shein, wise, revolut, n26, monzo, charles schwab, morgan stanley, goldman sachs, merrill lynch,
    jp morgan, j p morgan, jpmorgan, wells fargo, ernst young, johnson johnson, procter gamble, hewlett packard, mary kay,
    philip morris, dr oetker, dr pepper, peek cloppenburg, hunkemoller, van den borre, philips, bosch, siemens, miele, dyson,
    harley davidson, mercedes, mercedes benz, ford, toyota, honda, tesla, vodafone, orange, telekom, o2, movistar, hilton,
    marriott, ritz carlton, hyatt, ibis, novotel, mercure, holiday inn, sheraton, the hilton, four seasons, christian louboutin,
    bed bath beyond, seven eleven, eleven, circle k, western union, moneygram, coinbase, binance, kraken, bitstamp, steam, nintendo,
    sony, samsung, lego, hamleys, waterstones, thalia, hugendubel, mayersche, foyles, blackwell, penguin, swarovski, pandora";

/// Before a name. Those that are ordinary words too count only before a capital.
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

/// Before a colon and a name.
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
