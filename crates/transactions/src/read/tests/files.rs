//! Formats, gzip, and the files of public data sets.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};

use super::*;

#[test]
fn the_format_follows_from_the_files_name() {
    for (name, expected) in [
        ("a.csv", Some(FileFormat::Csv)),
        ("A.TSV", Some(FileFormat::Csv)),
        ("a.b.csv.gz", Some(FileFormat::Csv)),
        ("a.jsonl", Some(FileFormat::JsonLines)),
        ("a.ndjson.gz", Some(FileFormat::JsonLines)),
        ("a.json", Some(FileFormat::JsonLines)),
        ("a.xlsx", None),
        ("csv", None),
        ("-", None),
        (".gz", None),
    ] {
        assert_eq!(FileFormat::of_name(name), expected, "{name}");
    }
}

fn gzipped(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

const TWO: &str = "transaction_id,user_id,amount,currency,occurred_at\n\
                   1,ann,5.00,USD,2026-03-01T00:00:00Z\n2,ann,5.00,USD,2026-03-01T00:00:00Z\n";

#[test]
fn gzip_is_unpacked() {
    let packed = gzipped(TWO);
    let rows = read(&packed, "");
    assert_eq!(rows.iter().map(outcome).collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!(rows[1].bytes_read, packed.len() as u64);
}

#[test]
fn a_broken_gzip_ends_with_one_error() {
    let many = TWO.to_owned() + &"3,ann,5.00,USD,2026-03-01T00:00:00Z\n".repeat(50_000);
    let mut packed = gzipped(&many);
    packed.truncate(packed.len() - 100);
    let rows = read(&packed, "");
    let errors: Vec<_> = rows.iter().filter(|row| row.result.is_err()).collect();
    assert_eq!(errors.len(), 1);
    assert!(outcome(errors[0]).contains("the file can't be read further"));
    assert!(rows.last().unwrap().result.is_err());
}

#[test]
fn the_handbooks_files_are_recognised_by_their_columns() {
    let file = "TRANSACTION_ID,TX_DATETIME,CUSTOMER_ID,TERMINAL_ID,TX_AMOUNT,TX_FRAUD,TX_FRAUD_SCENARIO\n\
                7,2018-04-01 00:00:31,596,3156,57.16,1,2\n8,2018-04-01 00:00:32,597,3157,57.16,0,0\n";
    assert!(open(file.as_bytes(), "").err().unwrap().contains("--map currency=USD"));
    let mut rows = open(file.as_bytes(), "currency=USD").unwrap();
    let [first, second]: [FileRow; 2] = rows.by_ref().collect::<Vec<_>>().try_into().unwrap();
    assert_eq!(rows.zoneless_times(), 2);
    assert_eq!((first.label, first.kind.as_deref()), (Some(true), Some("2")));
    assert_eq!((second.label, second.kind), (Some(false), None));
    let transaction = first.result.unwrap();
    assert_eq!(transaction.user_id.as_str(), "596");
    assert_eq!(transaction.merchant.as_deref(), Some("3156"));
    assert_eq!(transaction.occurred_at.to_string(), "2018-04-01T00:00:31.000000Z");
}

const SPARKOV: &str = ",trans_date_trans_time,cc_num,merchant,category,amt,first,last,gender,street,city,state,zip,lat,long,\
    city_pop,job,dob,trans_num,unix_time,merch_lat,merch_long,is_fraud\n\
    0,2020-06-21 12:14:25,4111111111111111,\"fraud_Kirlin, Sons\",personal_care,2.86,Jo,Doe,M,1 Green,Columbia,SC,29209,\
    33.9,-80.9,333497,Engineer,1968-03-19,2da90c,1371816865,33.5,-81.2,0\n";

#[test]
fn sparkovs_files_are_recognised_and_their_card_numbers_are_dropped() {
    let transaction = only(SPARKOV.as_bytes(), "currency=USD,timezone=UTC,country=US");
    // The first 12 digits of sha256("4111111111111111").
    assert_eq!(transaction.user_id.as_str(), "card-9bbef1947662");
    assert_eq!(transaction.merchant.as_deref(), Some("fraud_Kirlin, Sons"));
    let location = transaction.location.clone().unwrap();
    assert_eq!((location.lat, location.lon, location.city), (33.5, -81.2, None));
    let written = serde_json::to_string(&transaction).unwrap();
    for personal in ["4111111111111111", "Doe", "Green", "1968", "Engineer", "Columbia"] {
        assert!(!written.contains(personal), "{personal}");
    }
}

#[test]
fn a_place_without_its_country_is_kept_as_metadata() {
    let transaction = only(SPARKOV.as_bytes(), "currency=USD");
    assert_eq!(transaction.location, None);
    assert_eq!((&transaction.metadata["lat"], &transaction.metadata["lon"]), (&33.5.into(), &(-81.2).into()));
}

#[test]
fn a_json_array_is_refused_with_a_hint() {
    let error = transactions(&b" \n[{}]"[..], Some(FileFormat::JsonLines), &Mapping::default()).err().unwrap();
    assert!(error.to_string().contains("jq -c"));
}

#[test]
fn json_lines_are_transactions_as_the_api_takes_them() {
    let line = r#"{"transaction_id": "tx-1", "user_id": "u", "amount": {"amount": "1250.00", "currency": "USD"},
        "occurred_at": "2026-03-01T09:30:00Z", "merchant": "Caf\u00e9", "channel": "atm",
        "location": {"lat": 38.7, "lon": -9.1, "country": "PT", "city": "Lisbon"}, "ip_address": "192.0.2.1",
        "device_fingerprint": "d", "account_opened_at": "2020-01-01T00:00:00Z", "metadata": {"a": [1, {"b": null}]},
        "added_later": {"x": 1}, "is_fraud": true}"#
        .replace('\n', " ");
    let [row] = read(line.as_bytes(), "").try_into().unwrap();
    assert_eq!(row.label, Some(true));
    let expected: Transaction = serde_json::from_str(&line).unwrap();
    assert_eq!(row.result.unwrap(), expected);
}

#[test]
fn foreign_json_lines_are_mapped_by_their_paths() {
    let line = r#"{"id": 17, "customer": {"id": "ann", "card": {"brand": "v"}}, "total": 12.50, "at": 1325376018, "tags": [1]}"#;
    let map = "id=transaction_id,customer.id=user_id,total=amount,currency=EUR,at=occurred_at,\
               customer.card=metadata.card,tags=metadata.tags";
    let transaction = only(line.as_bytes(), map);
    assert_eq!((transaction.transaction_id.as_str(), transaction.user_id.as_str()), ("17", "ann"));
    assert_eq!(transaction.amount.to_string(), "EUR 12.50");
    assert_eq!(transaction.metadata["card"]["brand"], "v");
    assert_eq!(transaction.metadata["tags"][0], 1);
}
