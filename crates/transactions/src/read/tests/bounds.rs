//! Memory and time are bounded, whatever the bytes.

use proptest::prelude::*;

use super::*;

fn csv_row(id: u32) -> String {
    format!("{id},ann,5.00,USD,2026-03-01T00:00:00Z\n")
}

#[test]
fn a_line_that_is_too_long_invalidates_only_itself() {
    let long = "x".repeat(3 * RECORD_BYTES_MAX);
    let file = format!("{HEADER}\n{}{long}\n{}", csv_row(1), csv_row(3));
    let found: Vec<String> = read(file.as_bytes(), "").iter().map(outcome).collect();
    assert_eq!(found, ["1", "line 3: row: is longer than 1048576 bytes", "3"]);
    let file = format!("{{}}\n{long}\n{{}}\n");
    let lines: Vec<u64> = read(file.as_bytes(), "").iter().map(|row| row.line).collect();
    assert_eq!(lines, [1, 2, 3]);
}

#[test]
fn an_endless_quoted_field_invalidates_only_its_first_line() {
    let rows = RECORD_BYTES_MAX / csv_row(1).len() * 2;
    let file = format!("{HEADER}\n\"{}{}", csv_row(1), csv_row(2).repeat(rows));
    let found = read(file.as_bytes(), "");
    assert_eq!(outcome(&found[0]), "line 2: row: has a quoted field that does not end");
    assert_eq!(found.iter().filter(|row| row.result.is_ok()).count(), rows);
}

/// Each of these lines opens a quote if it is read from its start, and leaves one open if it is read within a quoted field.
/// Searching for the end from every line would take minutes.
#[test]
fn quotes_left_open_on_every_line_take_linear_time() {
    let file = format!("{HEADER}\n{}", "b\"b,\"c\n".repeat(50_000));
    assert_eq!(read(file.as_bytes(), "").len(), 50_000);
}

#[test]
fn columns_are_bounded() {
    let file = format!("{HEADER},{}\n", ",".repeat(COLUMNS_MAX));
    assert!(open(file.as_bytes(), "").err().unwrap().contains("too many columns"));
    let quoted = format!("{HEADER}\n\"\"{}\n{}", ",".repeat(COLUMNS_MAX), csv_row(1));
    let found: Vec<String> = read(quoted.as_bytes(), "").iter().map(outcome).collect();
    assert_eq!(found, ["line 2: row: has more than 1000 columns", "1"]);
}

/// Mostly rows that are nearly valid: random bytes are rejected too early.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop_oneof![
        4 => Just(csv_row(7).into_bytes()),
        2 => Just(br#"{"transaction_id":"1","user_id":"u","amount":{"amount":"5","currency":"USD"},"occurred_at":1325376018}"#.to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..20),
        2 => prop::sample::select(vec!["\"", "\"\"", "\n", "\r\n", ",", "{", "}", "\u{feff}", "\u{202e}", "5.00", " ", "\\"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

fn shown(rows: impl Iterator<Item = FileRow>) -> Vec<(u64, u64, String, Option<bool>)> {
    rows.map(|row| (row.line, row.last_line, outcome(&row), row.label)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), map in ".{0,40}") {
        let mapping = Mapping::parse(&map).unwrap_or_default();
        for format in [None, Some(FileFormat::Csv), Some(FileFormat::JsonLines)] {
            if let Ok(rows) = transactions(&bytes[..], format, &mapping) {
                rows.for_each(drop);
            }
        }
    }

    #[test]
    fn every_line_is_accounted_for_once(body in hostile()) {
        let lines: Vec<&[u8]> = body.split(|byte| *byte == b'\n').collect();
        let header = format!("{HEADER}\n");
        let file = [header.as_bytes(), &body].concat();
        for (format, bytes, first) in [(FileFormat::Csv, &file, 2), (FileFormat::JsonLines, &body, 1)] {
            // Text that looks like an array is refused as a whole.
            let Ok(rows) = transactions(&bytes[..], Some(format), &Mapping::default()) else { continue };
            let mut next = first;
            let blank = |line: u64| lines[(line - first) as usize].trim_ascii().is_empty();
            for row in rows {
                prop_assert!(row.line >= next && row.last_line >= row.line);
                prop_assert!((next..row.line).all(|line| blank(line) || (line == 1 && body.starts_with(b"\xef\xbb\xbf"))));
                next = row.last_line + 1;
            }
            let last = first + lines.len() as u64;
            prop_assert!((next..last).all(|line| blank(line) || (line == 1 && body.starts_with(b"\xef\xbb\xbf"))));
        }
    }

    #[test]
    fn the_sizes_of_reads_change_nothing(body in hostile(), sizes in prop::collection::vec(1_usize..40, 1..5)) {
        let file = [format!("{HEADER},label\n").as_bytes(), &body].concat();
        for bytes in [&file, &body] {
            let whole = transactions(&bytes[..], None, &Mapping::default());
            let trickled = Trickle { bytes, sizes: sizes.clone(), turn: 0 };
            let trickled = transactions(trickled, None, &Mapping::default());
            match (whole, trickled) {
                (Ok(whole), Ok(trickled)) => prop_assert_eq!(shown(whole), shown(trickled)),
                (whole, trickled) => {
                    prop_assert_eq!(whole.err().map(|e| e.to_string()), trickled.err().map(|e| e.to_string()));
                }
            }
        }
    }
}
