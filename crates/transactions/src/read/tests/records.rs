//! Valid and invalid records of both formats.

use super::*;

/// Checks the outcome of a CSV row with the usual columns and one more, `extra`.
fn check(extra: &str, row: &str, expected: &str) {
    let file = format!("{HEADER},{extra}\n{row}\n");
    let rows = read(file.as_bytes(), "");
    assert_eq!(rows.iter().map(outcome).collect::<Vec<_>>(), [expected], "{row}");
}

#[test]
fn bad_cells_are_refused_by_field_and_reason() {
    let time = "2026-03-01T00:00:00Z";
    for (row, expected) in [
        (format!("1,ann,5.00,USD,{time},x"), "1"),
        (format!(" 1 ,ann, 5.00 ,USD,{time},x"), "1"),
        (format!(",ann,5.00,USD,{time},x"), "line 2: transaction_id: is missing"),
        (format!("1,,5.00,USD,{time},x"), "line 2: user_id: is missing"),
        (format!("1,ann,,USD,{time},x"), "line 2: amount: is missing"),
        (format!("1,ann,5.00,,{time},x"), "line 2: currency: is missing"),
        (format!("1,ann,5.001,USD,{time},x"), "line 2: amount: has more decimals than USD allows (2)"),
        (format!("1,ann,5.5,JPY,{time},x"), "line 2: amount: has more decimals than JPY allows (0)"),
        (format!("1,ann,5.500,USD,{time},x"), "1"),
        (
            format!("1,ann,\"1,250.00\",USD,{time},x"),
            "line 2: amount: has separators; write it plainly, such as 1250.00",
        ),
        (format!("1,ann,-5,USD,{time},x"), "line 2: amount: is negative; amounts must be more than zero"),
        (format!("1,ann,0.00,USD,{time},x"), "line 2: amount: must be more than zero"),
        (format!("1,ann,$5,USD,{time},x"), "line 2: amount: must be decimal text such as \"1250.00\""),
        (format!("1,ann,5,usd,{time},x"), "line 2: currency: is not an ISO 4217 currency code such as USD"),
        (format!("1,ann,5,USD,{time}"), "line 2: row: has 5 columns where the header has 6"),
        (format!("1,ann,5,USD,{time},x,y"), "line 2: row: has 7 columns where the header has 6"),
        (format!("1,ann,5,USD,{time},\"x"), "line 2: row: has a quoted field that does not end"),
        (format!("1,a\u{7}n,5,USD,{time},x"), "line 2: user_id: contains a control character"),
        ("1,ann,5,USD,,x".to_owned(), "line 2: occurred_at: is missing"),
    ] {
        check("merchant", &row, expected);
    }
}

#[test]
fn bad_cells_of_further_columns_are_refused_too() {
    let row = |cell: &str| format!("1,ann,5.00,USD,2026-03-01T00:00:00Z,{cell}");
    check("channel", &row("ATM"), "1");
    check("channel", &row("pigeon"), "line 2: channel: must be card_present, card_not_present, transfer, atm or other");
    check("lat", &row("NaN"), "line 2: lat: must be a number from -90 to 90");
    check("location.lon", &row("181"), "line 2: lon: must be a number from -180 to 180");
    check("label", &row("maybe"), "line 2: label: must be 1 or 0, true or false, yes or no");
    check("timezone", &row("Mars"), "line 2: timezone: must be UTC or an offset such as +02:00");
    check("fraud_kind", &row(&"x".repeat(65)), "line 2: fraud_kind: is longer than 64 characters");
    check("merchant", &row(&"x".repeat(257)), "line 2: merchant: is longer than 256 characters");
    check("metadata.memo", &row(&"x".repeat(70_000)), "line 2: metadata: is larger than 65536 bytes");
    let card = "4111 1111-1111-111x";
    let file = format!("transaction_id,card_number,amount,currency,occurred_at\n1,{card},5,USD,1325376018\n");
    assert_eq!(outcome(&read(file.as_bytes(), "")[0]), "line 2: card_number: must be 8 to 19 digits");
}

#[test]
fn errors_do_not_quote_the_row() {
    let secret = "Jo 4111 1111 1111 1111";
    let cells = [secret, secret, secret, secret, secret, secret, secret, secret];
    let csv = format!("{HEADER},channel,lat,label\n{}\n", cells.join(","));
    let json = format!(
        "{}\n\"{secret}\"\n{{\"amount\": \"{secret}\"}}\n{{\"{secret}\n{{\"location\": [\"{secret}\"], \"a\": {secret}}}\n",
        r#"{"transaction_id":"1","user_id":"u","occurred_at":"Jo 4111 1111 1111 1111"}"#
    );
    for (file, format) in [(csv, FileFormat::Csv), (json, FileFormat::JsonLines)] {
        for row in transactions(file.as_bytes(), Some(format), &Mapping::default()).unwrap() {
            let error = row.result.unwrap_err().to_string();
            assert!(!error.contains("Jo") && !error.contains("4111"), "{error}");
        }
    }
}

/// Checks the outcomes of a CSV file's rows after the usual header.
fn check_lines(lines: &[u8], expected: &[&str]) {
    let file = [format!("{HEADER},merchant\r\n").as_bytes(), lines].concat();
    assert_eq!(read(&file, "").iter().map(outcome).collect::<Vec<_>>(), expected, "{}", lines.escape_ascii());
}

#[test]
fn a_bad_line_invalidates_only_itself() {
    let good = |id: &str| format!("{id},ann,5.00,USD,2026-03-01T00:00:00Z,shop\r\n");
    let file = |bad: &[u8]| [good("1").as_bytes(), bad, good("3").as_bytes()].concat();
    check_lines(&file(b"\xff\xfe,b,c\r\n"), &["1", "line 3: row: is not UTF-8 text", "3"]);
    check_lines(&file(b"2,ann\n"), &["1", "line 3: row: has 2 columns where the header has 6", "3"]);
    check_lines(&file(b"2,ann,\"5.00\n"), &["1", "line 3: row: has a quoted field that does not end", "3"]);
    check_lines(&file(b"\r\n   \n\n"), &["1", "3"]);
}

#[test]
fn a_quoted_field_may_contain_delimiters_quotes_and_line_breaks() {
    let file = format!(
        "{HEADER},metadata.memo\n1,\"ann\",5.00,USD,2026-03-01T00:00:00Z,\"a, \"\"b\"\"\r\nc\"\n\
         2,ann,5.00,USD,2026-03-01T00:00:00Z,\n"
    );
    let rows = read(file.as_bytes(), "");
    assert_eq!((rows[0].line, rows[0].last_line, rows[1].line), (2, 3, 4));
    assert_eq!(rows[0].result.as_ref().unwrap().metadata["memo"], "a, \"b\"\nc");
}

#[test]
fn a_row_inside_a_quoted_field_is_not_read() {
    let forged = "9,eve,9999.00,USD,2026-03-01T00:00:00Z,x";
    let file = format!("{HEADER},metadata.memo\n1,ann,5.00,USD,2026-03-01T00:00:00Z,\"hello\n{forged}\n\"\n");
    assert_eq!(read(file.as_bytes(), "").iter().map(outcome).collect::<Vec<_>>(), ["1"]);
}

#[test]
fn a_byte_order_mark_semicolons_and_a_missing_last_line_break_are_accepted() {
    let file = format!("\u{feff}{HEADER}\n1,ann,5.00,USD,2026-03-01T00:00:00Z").replace(',', ";");
    assert_eq!(outcome(&read(file.as_bytes(), "")[0]), "1");
    assert_eq!(outcome(&read(file.replace(';', "\t").as_bytes(), "")[0]), "1");
}

fn check_json(line: &str, expected: &str) {
    let rows = transactions(line.as_bytes(), Some(FileFormat::JsonLines), &Mapping::default()).unwrap();
    assert_eq!(rows.map(|row| outcome(&row)).collect::<Vec<_>>(), [expected], "{}", &line[..line.len().min(200)]);
}

#[test]
fn bad_json_rows_are_refused_by_field_and_reason() {
    let with = |field: &str| {
        format!(
            r#"{{"transaction_id":"1","user_id":"u","amount":{{"amount":"5","currency":"USD"}},"occurred_at":1325376018,{field}}}"#
        )
    };
    check_json(&with(r#""x":1"#), "1");
    check_json(&with(r#""merchant":null"#), "1");
    check_json(&with(r#""merchant":["a"]"#), "line 1: merchant: must be text or a number");
    check_json(&with(r#""merchant":{"a":1}"#), "1");
    check_json(&with(r#""amount":"1e3""#), "line 1: amount: must be decimal text such as \"1250.00\"");
    check_json(&with(r#""metadata":{"k":1e999}"#), "line 1: row: is not a JSON object");
    check_json(r#"{"transaction_id":"1"}"#, "line 1: user_id: is missing");
    check_json("{} {}", "line 1: row: is not JSON at column 4");
    check_json("17", "line 1: row: is not a JSON object");
    check_json("{\"a\"", "line 1: row: is not JSON at column 4");
    check_json(&with(&format!("\"a\":{}", "[".repeat(100_000))), "line 1: row: is not JSON at column 100107");
    let many: Vec<String> = (0..1001).map(|n| format!("\"f{n}\":1")).collect();
    check_json(&with(&many.join(",")), "line 1: row: has more than 1000 fields");
}
