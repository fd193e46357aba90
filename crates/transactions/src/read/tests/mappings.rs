//! Valid and invalid mappings.

use super::*;

fn check_refused(map: &str, reason: &str) {
    let error = Mapping::parse(map).unwrap_err().to_string();
    assert!(error.contains(reason), "{map}: {error}");
}

#[test]
fn an_invalid_mapping_is_refused() {
    for (map, reason) in [
        ("currency", "is not a pair"),
        ("a=b", "names no field; fields are transaction_id, user_id"),
        ("currency=", "is not a pair"),
        ("=amount", "given twice"),
        ("currency=DOLLAR", "currency: is not an ISO 4217"),
        ("timezone=Europe/Lisbon", "timezone: must be UTC or an offset"),
        ("channel=pigeon", "channel: must be card_present"),
        ("amount=5", "amount must be given in each row"),
        ("transaction_id=7", "transaction_id must be given in each row"),
        ("label=1", "label must be given in each row"),
        ("a=amount,b=amount", "amount is given twice"),
        ("a=user_id,b=card_number", "card_number is given twice"),
        ("a=amount,a=merchant", "column \"a\" is given twice"),
        ("currency=USD,currency=EUR", "currency is given twice"),
        ("metadata.=x", "names no field"),
    ] {
        check_refused(map, reason);
    }
    check_refused(&"a=amount,".repeat(10_000), "is longer than");
}

#[test]
fn an_empty_mapping_and_stray_commas_are_accepted() {
    assert_eq!(Mapping::parse("").unwrap(), Mapping::default());
    assert_eq!(Mapping::parse(" , ,").unwrap(), Mapping::default());
}

const FOREIGN: &str = "no,who,sum,when,note\n1,ann,5.00,2026-03-01T00:00:00Z,hello\n";
const FOREIGN_MAP: &str = "no=transaction_id,who=user_id,sum=amount,when=occurred_at,currency=EUR";

#[test]
fn columns_fill_the_fields_that_the_mapping_names() {
    let transaction =
        only(FOREIGN.as_bytes(), &format!("{FOREIGN_MAP}, note = metadata.memo , metadata.source=bank=a"));
    assert_eq!(transaction.transaction_id.as_str(), "1");
    assert_eq!(transaction.amount.to_string(), "EUR 5.00");
    assert_eq!(transaction.metadata["memo"], "hello");
    assert_eq!(transaction.metadata["source"], "bank=a");
}

#[test]
fn unmapped_columns_are_dropped() {
    assert!(only(FOREIGN.as_bytes(), FOREIGN_MAP).metadata.is_empty());
}

#[test]
fn a_column_name_may_contain_an_equals_sign() {
    let file = FOREIGN.replace("note", "a=b");
    assert_eq!(only(file.as_bytes(), &format!("{FOREIGN_MAP},a=b=merchant")).merchant.unwrap(), "hello");
}

#[test]
fn a_field_on_the_right_means_a_column_even_if_the_left_is_a_field_too() {
    let file = format!("{HEADER},merchant\n1,ann,5.00,USD,2026-03-01T00:00:00Z,books\n");
    let transaction = only(file.as_bytes(), "merchant=category");
    assert_eq!((transaction.merchant, transaction.category.as_deref()), (None, Some("books")));
}

#[test]
fn a_constant_is_for_rows_that_have_no_value_of_their_own() {
    let file = format!("{HEADER}\n1,ann,5.00,GBP,2026-03-01T00:00:00Z\n2,ann,5.00,,2026-03-01T00:00:00Z\n");
    let amounts: Vec<String> = read(file.as_bytes(), "currency=USD")
        .iter()
        .map(|row| row.result.as_ref().unwrap().amount.to_string())
        .collect();
    assert_eq!(amounts, ["GBP 5.00", "USD 5.00"]);
}

fn check_file(file: &str, map: &str, reason: &str) {
    let error = open(file.as_bytes(), map).err().unwrap();
    assert!(error.contains(reason), "{file:?} {map}: {error}");
}

#[test]
fn an_error_in_every_row_refuses_the_file() {
    check_file("", "", "the file is empty");
    check_file("\n \n", "", "the file is empty");
    check_file(FOREIGN, "", "no column contains transaction_id; name one with --map COLUMN=transaction_id");
    check_file(FOREIGN, "no=transaction_id,who=user_id,sum=amount,when=occurred_at", "--map currency=USD");
    check_file(FOREIGN, &format!("{FOREIGN_MAP},shop=merchant"), "there is no column \"shop\"");
    check_file(FOREIGN, &format!("{FOREIGN_MAP},merchant=category"), "there is no column \"merchant\"");
    check_file(&format!("{HEADER},x,x\n"), "x=merchant", "two columns have the name \"x\"");
    check_file(&format!("{HEADER},amount\n"), "", "two columns are mapped to amount");
    check_file("[\n{}\n]", "", "no column contains");
    check_file("\u{0}\u{1}", "", "no column contains transaction_id");
    assert!(open(b"\xff\xfea\0b\0", "").err().unwrap().contains("not UTF-8"));
}
