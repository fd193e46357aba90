//! Tests what keys say about their values.

use super::*;

fn check(parent: &str, keys: &[&str], expected: KeyMeaning) {
    let parent = (!parent.is_empty()).then(|| FieldKey::read(parent));
    for key in keys {
        assert_eq!(FieldKey::read(key).meaning(parent.as_ref()), expected, "{key} in {parent:?}");
    }
}

#[test]
fn a_key_is_split_into_words_however_they_are_joined() {
    for (key, expected) in [
        ("cardholder_name", "cardholder_name"),
        ("customerName", "customer_name"),
        ("userID", "user_id"),
        ("IBANNumber", "iban_number"),
        ("source-of-funds", "source_of_funds"),
        ("address.line1", "address_line"),
        ("phone2", "phone"),
        ("SSN", "ssn"),
        ("", ""),
    ] {
        assert_eq!(FieldKey::read(key).joined(), expected, "{key}");
    }
}

#[test]
fn only_keys_made_of_known_words_pass() {
    let allowed = |key: &&str| FieldKey::read(key).is_allowed(key);
    for key in [
        "memo",
        "description",
        "purpose",
        "reference",
        "source_of_funds",
        "status",
        "count_1h",
        "sum24h",
        "merchantName",
        "card.brand",
        "account_age_days",
        "ratio_to_median",
        "installments",
        "note",
        "chargebacks_30d",
    ] {
        assert!(allowed(&key), "{key}");
    }
    for key in [
        "",
        "nombre",
        "kundenname",
        "maria",
        "Maria Gonzalez",
        "memo_maria",
        "ann@firm.org",
        "4111111111111111",
        "count_4111111111111111",
        "мемо",
        "memo: Maria",
        "xyz",
    ] {
        assert!(!allowed(&key), "{key}");
    }
}

#[test]
fn values_that_identify_a_person_are_removed() {
    let keys = [
        "name",
        "customerName",
        "cardholder_name",
        "first-name",
        "lastName",
        "full_name",
        "surname",
        "customername",
        "user_name",
        "alias",
        "beneficiary_name",
        "account_name",
        "merchant_contact_name",
        "email",
        "emailAddress",
        "e_mail",
        "customer.email",
        "phone",
        "phone_number",
        "mobileNo",
        "tel",
        "address",
        "billing_address",
        "shippingAddress",
        "street",
        "zip_code",
        "postcode",
        "dob",
        "date_of_birth",
        "birthDate",
        "dateofbirth",
        "ssn",
        "customer_ssn",
        "national_id",
        "passport_no",
        "tax_id",
        "driver_license_number",
        "id_number",
        "cvv",
        "cvv2",
        "pin",
        "password",
        "token",
        "sort_code",
    ];
    check("", &keys, KeyMeaning::Removed);
    check("customer", &["name", "email"], KeyMeaning::Removed);
}

#[test]
fn accounts_and_cards_are_removed_but_not_their_attributes() {
    let keys = [
        "iban",
        "acct_no",
        "accountNumber",
        "account",
        "card",
        "card_number",
        "pan",
        "from_account",
        "toAccount",
        "card_last4",
    ];
    for key in keys {
        assert!(matches!(FieldKey::read(key).meaning(None), KeyMeaning::Account | KeyMeaning::Removed), "{key}");
    }
    check("card", &["number", "last4", "id"], KeyMeaning::Account);
    let about = [
        "account_age_days",
        "card_brand",
        "card_present",
        "account_type",
        "email_domain",
        "phone_verified",
        "last_login_at",
        "ip_country",
    ];
    check("", &about, KeyMeaning::Plain);
}

#[test]
fn people_and_devices_are_masked() {
    check(
        "",
        &["user_id", "userId", "customer_id", "customer-number", "uid", "userid", "clientRef"],
        KeyMeaning::PersonId,
    );
    check("customer", &["id", "number"], KeyMeaning::PersonId);
    check("", &["customer", "beneficiary", "payee"], KeyMeaning::Person);
    let devices =
        ["ip", "ip_address", "clientIp", "ipv4", "device_fingerprint", "deviceId", "imei", "mac_address", "ipaddress"];
    check("", &devices, KeyMeaning::Network);
    check("device", &["id", "hash"], KeyMeaning::Network);
}

#[test]
fn names_of_things_are_kept() {
    check("", &["merchant_name", "country_name", "ruleName", "bank_name", "product-name"], KeyMeaning::Plain);
    check("rule_flags", &["name", "weight", "message"], KeyMeaning::Plain);
    check("merchant", &["name", "category"], KeyMeaning::Plain);
    check(
        "",
        &["memo", "note", "count_1h", "status", "customer_segment", "terminal", "direction", "speed_kmh"],
        KeyMeaning::Plain,
    );
}
