//! Texts that must be masked, and texts that must be kept.

use super::*;

fn check(field_kind: FieldKind, rows: &[(&str, &str)]) {
    let wrong: Vec<_> = rows
        .iter()
        .map(|(text, expected)| (*text, masked(text, None, field_kind, 256), *expected))
        .filter(|(_, found, expected)| found != expected)
        .collect();
    assert!(wrong.is_empty(), "text, found, expected: {wrong:#?}");
}

fn check_kept(field_kind: FieldKind, texts: &[&str]) {
    let rows: Vec<_> = texts.iter().map(|text| (*text, *text)).collect();
    check(field_kind, &rows);
}

fn check_names(field_kind: FieldKind, texts: &[&str]) {
    let rows: Vec<_> = texts.iter().map(|text| (*text, "[NAME]")).collect();
    check(field_kind, &rows);
}

#[test]
fn merchants_that_read_like_a_persons_name_are_masked() {
    check_names(
        FieldKind::Merchant,
        &[
            "Maria Gonzalez",
            "J. Smith",
            "Hans Müller",
            "Hans Mueller",
            "MARIA GONZALEZ",
            "maria gonzalez",
            "María González",
            "Gonzalez, Maria",
            "John Smith",
            "Anna-Lena Schmidt",
            "Jean Dupont",
            "Jean-Pierre Lefèvre",
            "Giulia Rossi",
            "João da Silva",
            "Ana Pereira",
            "Jan de Vries",
            "Piotr Kowalski",
            "Agnieszka Nowak",
            "Mohammed Al-Farsi",
            "Nguyen Van Anh",
            "Priya Sharma",
            "Olga Ivanova",
            "Lars Eriksson",
            "Xochitl Tlapanco",
            "Mark Baker",
            "Dr. Weber",
            "Mrs Dalloway",
            "Herr Schneider",
            "R. Okonkwo",
            "MariaGonzalez",
            "Maria_Gonzalez",
            "maria.gonzalez",
            "mariagonzalez",
            "Maria",
            "Gonzalez",
            "Wei Zhang",
            "Fatima Zahra",
        ],
    );
}

#[test]
fn ordinary_shops_stay_readable() {
    check_kept(
        FieldKind::Merchant,
        &[
            "Corner Bakery",
            "Corner Shop",
            "Lidl",
            "Harrods",
            "Marks & Spencer",
            "Café Central",
            "Orchard Electronics",
            "Wren & Co Bakery",
            "Albert Heijn",
            "Carrefour Market",
            "Deutsche Bahn",
            "Zalando",
            "Zalando Lounge",
            "H&M",
            "C&A",
            "McDonald's",
            "Wendy's",
            "Trader Joe's",
            "Macy's",
            "Sainsbury's",
            "John Lewis",
            "Tiffany & Co.",
            "Calvin Klein",
            "Louis Vuitton",
            "Hugo Boss",
            "El Corte Inglés",
            "Mercadona",
            "Biedronka",
            "Starbucks Coffee",
            "Shell Service Station",
            "Amazon",
            "Amazon Marketplace",
            "PayPal",
            "Netflix",
            "Uber Eats",
            "British Airways",
            "Blue Door Bistro",
            "Old Mill Kitchen",
            "Velvet Fox Depot Online",
            "Kestrel Noodles",
            "Saffron Bistro",
            "Juniper Roasters",
            "Quillon Apothecary",
            "Ash & Ember Gift Cards",
            "Savings Bank ATM",
            "Stadtbäckerei",
            "Apotheke am Markt",
            "Boulangerie Centrale",
            "Farmacia Central",
            "Restaurante El Faro",
            "Müller Drogerie",
            "7-Eleven",
            "Best Buy",
            "Home Depot",
            "Whole Foods Market",
            "Tesco Express",
            "Crypto Exchange",
            "Western Union",
            "Thalia Buchhandlung",
            "IKEA",
            "ALDI SUED GmbH",
            "Foo GmbH",
            "Luxury Watches",
        ],
    );
}

#[test]
fn a_persons_name_within_a_shops_name_is_masked() {
    check(
        FieldKind::Merchant,
        &[
            ("Maria Gonzalez Bakery", "[NAME] Bakery"),
            ("J. Gonzalez Plumbing", "[NAME] Plumbing"),
            ("PAYPAL *maria.gonzalez", "PAYPAL *[NAME]"),
            ("Bakery, Hauptstraße 5, 10115 Berlin", "[ADDRESS]"),
            ("Maria's Kitchen", "[NAME]'s Kitchen"),
            ("Joe's Diner", "[NAME]'s Diner"),
            ("Oyelaran GmbH", "[NAME] GmbH"),
            ("Shop 1234567890", "Shop [NUMBER]"),
            ("ann@firm.org", "[EMAIL]"),
        ],
    );
}

#[test]
fn towns_are_kept_and_people_are_masked() {
    check_kept(
        FieldKind::City,
        &[
            "Lisbon",
            "Singapore",
            "São Paulo",
            "New York",
            "San Francisco",
            "Los Angeles",
            "Paris",
            "Berlin",
            "Zürich",
            "Kraków",
            "Florence",
            "Sofia",
            "Santiago",
            "Buenos Aires",
            "Rio de Janeiro",
            "The Hague",
            "Mexico City",
            "Braga",
            "Santa Maria",
        ],
    );
    check(
        FieldKind::City,
        &[
            ("Maria Gonzalez", "[CITY]"),
            ("Hans Müller", "[CITY]"),
            ("João Pereira da Silva", "[CITY]"),
            ("Jan de Vries", "[CITY]"),
            ("Hauptstraße 5, 10115 Berlin", "[CITY]"),
            ("ann@firm.org", "[CITY]"),
            ("Oyelaran", "[CITY]"),
            ("Porto (Nomvula)", "[CITY]"),
            ("Alderney Crescent", "[CITY]"),
        ],
    );
}

#[test]
fn prose_that_identifies_no_one_is_kept() {
    check_kept(
        FieldKind::Prose,
        &[
            "rent for March",
            "two cameras",
            "thanks!",
            "dinner on Friday",
            "my half of the tickets",
            "garden tools",
            "deposit for the boat",
            "invoice 2231",
            "electronics",
            "gift_cards",
            "online_retail",
            "salary",
            "crypto exchange",
            "fourteen in an hour",
            "USD 4,200.00 was 52.5 times the median of USD 80.00.",
            "The card was used in Lisbon and Singapore within two hours.",
            "Two transactions took place within one hour.",
            "The device had not been seen before.",
            "It was night at the location.",
            "High.",
            "credit line",
            "two lenses",
            "5732",
            "savings account",
            "transactions in 1 h",
            "modified z-score",
            "At night.",
            "One rule held.",
        ],
    );
}

#[test]
fn personal_data_in_prose_is_masked() {
    check(
        FieldKind::Prose,
        &[
            ("rent from Maria Gonzalez", "rent from [NAME]"),
            ("gift for Maria", "gift for [NAME]"),
            ("gift for maria gonzalez", "gift for [NAME]"),
            ("present pour Inès Dubois", "present pour [NAME]"),
            ("kundenname: xochitl tlapanco", "kundenname: [NAME]"),
            ("nombre=Xochitl, memo", "nombre=[NAME], memo"),
            ("an Frau Schneider", "an [NAME]"),
            ("M a r i a", "[TEXT]"),
            ("Maria%20Gonzalez", "[TEXT]"),
            ("привет Мария Иванова", "[NAME]"),
            ("山田太郎 paid", "[TEXT] paid"),
            ("1985年3月12日", "[TEXT]"),
            ("born 12.03.1985", "born [DATE_OF_BIRTH]"),
            ("she is 41 years old", "she is [AGE] years old"),
            ("JAN DE VRIES", "[NAME]"),
            ("account no 1234567890", "account no [BANK_ACCOUNT]"),
            ("call +44 20 7946 0958", "call [PHONE]"),
            ("Ｍａｒｉａ Gοnzаlez", "[NAME]"),
        ],
    );
}

#[test]
fn ids_are_kept_apart_from_names_and_contacts() {
    check_kept(
        FieldKind::Id,
        &[
            "tx-1",
            "alert-2026-0301",
            "ext-1",
            "0190ce6a-0000-7000-8000-000000000001",
            "order_99-1845",
            "core:7731/x",
            "pi_3MtwBwLkdIwHu7ix28a3tqPC",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        ],
    );
    check(
        FieldKind::Id,
        &[
            ("alert-maria-gonzalez-7", "alert-[NAME]-7"),
            ("ann@firm.org", "[EMAIL]"),
            ("Maria Gonzalez", "[NAME]"),
            ("Мaria-7", "[NAME]-7"),
        ],
    );
}
