//! Personal facts of invented people, planted in every field that outsiders can write, in many languages and
//! typographies. These facts must not appear in a context, in a prompt or anywhere in a stored report.

use countersign_domain::{Section, payload::ReportType};
use countersign_report::{
    Assembly, ExportFormat, SectionRecord, WrittenBy, assemble, compress, correct, expand, export, prompt, reword,
    supervisor_prompt, writer,
};
use serde_json::{Value, json};

use crate::cases::{Case, earlier, ordinary, read};

/// A fact, and its identifying parts in lower case, which must not appear in the output.
struct Fact {
    text: &'static str,
    parts: &'static [&'static str],
}

const fn fact(text: &'static str, parts: &'static [&'static str]) -> Fact {
    Fact { text, parts }
}

/// Kinds of facts in several languages.
const FACTS: &[Fact] = &[
    // Names
    fact("Maria Gonzalez", &["maria", "gonzalez"]),
    fact("Hans Müller", &["hans", "müller", "muller"]),
    fact("J. Smith", &["smith"]),
    fact("Jean-Pierre Lefèvre", &["pierre", "lefèvre", "lefevre"]),
    fact("Agnieszka Kowalska", &["agnieszka", "kowalska"]),
    fact("João Pereira da Silva", &["joão", "joao", "pereira", "silva"]),
    fact("Giulia Rossi", &["giulia", "rossi"]),
    fact("Jan de Vries", &["vries"]),
    fact("Мария Иванова", &["мария", "иванова"]),
    fact("山田太郎", &["山田", "太郎"]),
    fact("محمد علي", &["محمد", "علي"]),
    // Addresses
    fact("12 High Street, Leeds LS1 4AB", &["high street", "ls1", "4ab"]),
    fact("Hauptstraße 5, 10115 Berlin", &["hauptstra", "10115"]),
    fact("12 rue de la Paix, 75002 Paris", &["rue de", "75002"]),
    fact("Calle Mayor 14, 28013 Madrid", &["calle", "28013"]),
    fact("Via Roma 10, 00184 Roma", &["via roma", "00184"]),
    fact("Rua Augusta 24, 1100-048 Lisboa", &["augusta", "1100-048"]),
    fact("Keizersgracht 174, 1016 DW Amsterdam", &["keizersgracht", "1016"]),
    fact("ul. Marszałkowska 10, 00-590 Warszawa", &["marsza", "00-590"]),
    // Dates of birth
    fact("born 12.03.1985", &["12.03", "1985"]),
    fact("DOB: 1985-03-12", &["1985"]),
    fact("geb. am 12. März 1985", &["1985"]),
    fact("né le 12 mars 1985", &["1985"]),
    fact("nacida el 12 de marzo de 1985", &["1985"]),
    fact("nato il 12/03/1985", &["1985"]),
    fact("nascido em 12-03-1985", &["1985"]),
    fact("ur. 12.03.1985", &["1985"]),
    // Account numbers and identifiers
    fact("account no 1234567890", &["1234567890", "67890"]),
    fact("Konto-Nr. 48213377", &["48213377"]),
    fact("compte n° 00048213377", &["48213377"]),
    fact("cuenta 4821-3377-90", &["4821", "3377"]),
    fact("GB82 WEST 1234 5698 7654 32", &["5698", "7654"]),
    fact("4111 1111 1111 1111", &["1111"]),
    fact("536-90-4399", &["4399"]),
    fact("passport C01X00T47", &["c01x00t47"]),
    fact("maria.gonzalez@example.org", &["gonzalez", "example.org"]),
    fact("+49 30 901820 77", &["901820"]),
    fact("Kundenname: Xochitl Tlapanco", &["xochitl", "tlapanco"]),
];

type Write = fn(&str) -> String;

/// Ways to write a text so that a reader sees no difference.
const TYPOGRAPHIES: &[(&str, Write)] = &[
    ("plain", str::to_owned),
    ("capitals", |text| text.to_uppercase()),
    ("no-break spaces", |text| text.replace(' ', "\u{a0}")),
    ("zero-width spaces", |text| text.chars().flat_map(|letter| [letter, '\u{200b}']).collect()),
    ("soft hyphens", |text| text.chars().flat_map(|letter| [letter, '\u{ad}']).collect()),
    ("full width", |text| text.chars().map(full_width).collect()),
    ("en dashes", |text| text.replace('-', "–")),
    ("combining marks", |text| text.replace('ü', "u\u{308}").replace('è', "e\u{300}").replace('é', "e\u{301}")),
    ("homoglyphs", |text| {
        text.chars()
            .map(|letter| match letter {
                'a' => 'а',
                'e' => 'е',
                'o' => 'о',
                other => other,
            })
            .collect()
    }),
    ("mathematical digits", |text| {
        text.chars()
            .map(|letter| letter.to_digit(10).and_then(|digit| char::from_u32(0x1d7ce + digit)).unwrap_or(letter))
            .collect()
    }),
    ("Arabic digits", |text| {
        text.chars()
            .map(|letter| letter.to_digit(10).and_then(|digit| char::from_u32(0x660 + digit)).unwrap_or(letter))
            .collect()
    }),
    ("right-to-left marks", |text| format!("\u{202b}{text}\u{202c}")),
];

fn full_width(letter: char) -> char {
    match letter {
        '!'..='~' => char::from_u32(u32::from(letter) + 0xfee0).unwrap_or(letter),
        other => other,
    }
}

/// A way to put a text into a case.
type Plant = fn(&mut Case, &str);

fn metadata(case: &mut Case, key: &str, value: Value) {
    case.transaction.as_mut().unwrap().metadata.insert(key.to_owned(), value);
}

fn signal(case: &mut Case, name: &str, value: Value) {
    case.from_detector = false;
    case.alert.metadata.signals.insert(name.to_owned(), value);
}

const FIELDS: &[(&str, Plant)] = &[
    ("merchant", |case, text| case.transaction.as_mut().unwrap().merchant = Some(text.to_owned())),
    ("category", |case, text| case.transaction.as_mut().unwrap().category = Some(text.to_owned())),
    ("city", |case, text| {
        case.transaction.as_mut().unwrap().location.as_mut().unwrap().city = Some(text.to_owned());
    }),
    ("earlier merchant", |case, text| {
        let mut before = earlier(3, "user-7731");
        before.merchant = Some(text.to_owned());
        before.location.as_mut().unwrap().city = Some(text.to_owned());
        case.history = vec![before];
    }),
    ("memo", |case, text| metadata(case, "memo", json!(text))),
    ("note in a sentence", |case, text| metadata(case, "note", json!(format!("paid to {text}, thanks")))),
    ("description", |case, text| metadata(case, "description", json!(text))),
    ("nombre", |case, text| metadata(case, "nombre", json!(text))),
    ("kundenname", |case, text| metadata(case, "kundenname", json!(text))),
    ("a key", |case, text| metadata(case, text, json!("x"))),
    ("nested note", |case, text| metadata(case, "order", json!({"items": [{"note": text}]}))),
    ("source of funds", |case, text| metadata(case, "source_of_funds", json!(text))),
    ("reference", |case, text| metadata(case, "reference", json!(text))),
    ("merchant name", |case, text| metadata(case, "merchant_name", json!(text))),
    ("signal explanation", |case, text| signal(case, "velocity_anomaly", json!({"value": 3, "explanation": text}))),
    ("signal text", |case, text| signal(case, "unusual_device", json!(text))),
    ("signal details", |case, text| {
        signal(case, "amount_deviation", json!({"details": {"note": text}, "baseline": {"note": text}}))
    }),
    ("signal unit", |case, text| signal(case, "speed", json!({"value": 3, "unit": text}))),
    ("signal flags", |case, text| {
        signal(case, "rule_flags", json!({"flags": [{"name": text, "weight": 3, "message": text}]}));
    }),
    ("signal name", |case, text| signal(case, text, json!({"value": 3, "explanation": text}))),
    ("outside rule message", |case, text| signal(case, "chargebacks", json!({"message": text}))),
    ("alert metadata", |case, text| {
        case.alert.metadata.more.insert("explanation".to_owned(), json!(text));
        case.alert.metadata.more.insert(text.to_owned(), json!(text));
    }),
];

/// Ids: names and contacts must be masked, but numbers may stay.
const IDS: &[(&str, Plant)] = &[
    ("alert id", |case, text| case.alert.alert_id = text.parse().unwrap()),
    ("transaction id", |case, text| {
        case.transaction.as_mut().unwrap().transaction_id = text.parse().unwrap();
        case.alert.metadata.transaction_id = Some(text.parse().unwrap());
    }),
    ("rules hash", |case, text| {
        case.alert.metadata.more.insert("rules_hash".to_owned(), json!(text));
    }),
];

/// Everything that leaves the system: prompts, and the stored report in all formats.
fn outputs(case: &Case) -> String {
    let context = case.context();
    let mut out = serde_json::to_string(&context).unwrap();
    for section in Section::ALL {
        for asked in [
            prompt(section, &context, "m4rk", Some("Be clear.")),
            expand(section, &context, "m4rk", "Text.", 5),
            reword(section, &context, "m4rk", "{}"),
            compress(section, &context, "m4rk", "Text.", 5),
            correct(section, &context, "m4rk", "Text.", &["12 is no fact".to_owned()]),
        ] {
            // The user message contains the whole context.
            out.push_str(&asked.user);
        }
    }
    let sections = Section::ALL.map(|section| {
        let text = writer::Writer::of(&context).section(section);
        let record = SectionRecord {
            section,
            words: 0,
            written_by: WrittenBy::Builtin,
            model: None,
            template: "builtin-1".to_owned(),
            template_sha256: None,
            attempts: 0,
            refused: Vec::new(),
            facts: Vec::new(),
            sentences: Vec::new(),
        };
        (text, record)
    });
    let content = assemble(Assembly {
        revision: None,
        id: "r-1".parse().unwrap(),
        version: 1,
        regeneration_of: None,
        transaction_id: case.alert.metadata.transaction_id.clone(),
        fraud_detection_id: case.alert.alert_id.clone(),
        generated_at: crate::cases::at("2026-03-01T09:31:00Z"),
        context,
        sections: sections.into_iter().collect(),
    });
    let context_sha256 = content.context_sha256.clone();
    out.push_str(&supervisor_prompt(&content, "m4rk").user);
    for format in ExportFormat::ALL {
        out.push_str(&String::from_utf8(export(&content, format).unwrap().bytes).unwrap());
    }
    // A hash may contain any digits by chance.
    out.replace(&context_sha256, "")
}

/// The text as a reader sees it: in lower case, with escapes, invisible characters and disguises removed.
fn seen(text: &str) -> String {
    let shown: String = text
        .chars()
        .filter(|letter| !matches!(letter, '\\' | '\u{200b}' | '\u{ad}' | '\u{202b}' | '\u{202c}'))
        .map(|letter| match letter {
            '\u{a0}' => ' ',
            '–' => '-',
            'а' => 'a',
            'е' => 'e',
            'о' => 'o',
            '\u{660}'..='\u{669}' => char::from_digit(u32::from(letter) - 0x660, 10).unwrap(),
            '\u{1d7ce}'..='\u{1d7d7}' => char::from_digit(u32::from(letter) - 0x1d7ce, 10).unwrap(),
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap(),
            other => other,
        })
        .collect();
    shown.replace("u\u{308}", "ü").replace("e\u{300}", "è").to_lowercase()
}

/// The part of a fact that is in `out` but not in the output of an unchanged case.
fn leaked_part(fact: &Fact, out: &str, usual: &str) -> Option<String> {
    let part = fact.parts.iter().find(|part| out.contains(&seen(part)) && !usual.contains(&seen(part)))?;
    let at = out.find(&seen(part)).unwrap_or_default();
    let near: String = out[out.floor_char_boundary(at.saturating_sub(60))..].chars().take(120).collect();
    Some(format!("{}: {part:?} in …{near}…", fact.text))
}

/// Every fact in every field. Each round fills all fields with facts in different typographies and checks everything
/// that leaves the system.
#[test]
fn nothing_personal_reaches_a_model_or_a_stored_report() {
    let usual = seen(&outputs(&ordinary(ReportType::Full)));
    let (mut placements, mut found) = (0, Vec::new());
    for round in 0..FACTS.len() {
        let mut case = ordinary(ReportType::Full);
        let planted: Vec<_> = FIELDS
            .iter()
            .enumerate()
            .map(|(at, (field, plant))| {
                let fact = &FACTS[(at + round) % FACTS.len()];
                let (typography, write) = TYPOGRAPHIES[(at + 5 * round) % TYPOGRAPHIES.len()];
                plant(&mut case, &write(fact.text));
                (field, typography, fact)
            })
            .collect();
        let out = seen(&outputs(&case));
        placements += planted.len();
        found.extend(planted.iter().filter_map(|(field, typography, fact)| {
            leaked_part(fact, &out, &usual).map(|what| format!("perhaps {field}, {typography}: {what}"))
        }));
    }
    assert!(placements >= 200, "{placements}");
    assert!(found.is_empty(), "{} of {placements} got through:\n{}", found.len(), found.join("\n"));
}

/// Every fact in every typography, in fields that people fill in. Prompts and reports are made from the context only.
#[test]
fn no_typography_carries_a_fact_into_a_context() {
    let context = |case: &Case| seen(&serde_json::to_string(&case.context()).unwrap());
    let mut plain = ordinary(ReportType::Full);
    plain.history.truncate(1);
    let usual = context(&plain);
    let mut found = Vec::new();
    for (typography, write) in TYPOGRAPHIES {
        for fact in FACTS {
            let mut case = ordinary(ReportType::Full);
            case.history.truncate(1);
            metadata(&mut case, "memo", json!(write(fact.text)));
            case.transaction.as_mut().unwrap().merchant = Some(write(fact.text));
            found.extend(leaked_part(fact, &context(&case), &usual).map(|what| format!("{typography}: {what}")));
        }
    }
    assert!(found.is_empty(), "{} got through:\n{}", found.len(), found.join("\n"));
}

#[test]
fn no_personal_part_of_an_id_leaves_the_system() {
    let usual = seen(&outputs(&ordinary(ReportType::Full)));
    let names = [
        "Maria Gonzalez",
        "maria.gonzalez@example.org",
        "alert-Hans-Müller-7",
        "GB82WEST12345698765432",
        "Мария Иванова",
    ];
    let parts = ["maria", "gonzalez", "example.org", "müller", "5698", "мария", "иванова"];
    for (field, plant) in IDS {
        for name in names {
            let mut case = ordinary(ReportType::Full);
            plant(&mut case, name);
            let out = seen(&outputs(&case));
            for part in parts {
                assert!(!out.contains(part) || usual.contains(part), "{field}: {part} of {name}");
            }
        }
    }
}

#[test]
fn unknown_fields_are_withheld_and_counted() {
    let mut case = ordinary(ReportType::Full);
    case.transaction.as_mut().unwrap().metadata = read(json!({
        "memo": "two cameras", "nombre": "Ana", "kundenname": "Ana", "x9": {"deep": ["a", "b"]}, "status": "settled",
        "card": {"brand": "visa", "number": "4111111111111111"}
    }));
    case.alert.metadata.more.insert("operator".to_owned(), json!("Ana"));
    let context = case.context();
    // Three unknown keys, the card number, and the alert's own field.
    assert_eq!(context.metadata_withheld, 5);
    let shown = Value::Object(context.transaction.as_ref().unwrap().metadata.clone());
    assert_eq!(shown, json!({"memo": "two cameras", "status": "settled", "card": {"brand": "visa"}}));
    let out = outputs(&case);
    assert!(!out.contains("nombre") && !out.contains("kundenname"), "the key itself can identify the person");
    assert!(out.contains("| Metadata fields withheld | 5 |"));
    assert_eq!(countersign_report::structured_data(&context)["metadata_withheld"], json!(5));
}

#[test]
fn what_a_report_needs_is_not_withheld() {
    let mut case = ordinary(ReportType::Full);
    metadata(&mut case, "installments", json!(12));
    metadata(&mut case, "purpose", json!("camera equipment"));
    let context = case.context();
    let transaction = context.transaction.unwrap();
    assert_eq!(transaction.merchant.as_deref(), Some("Orchard Electronics"));
    assert_eq!(transaction.category.as_deref(), Some("electronics"));
    assert_eq!(transaction.location.unwrap().city.as_deref(), Some("Singapore"));
    assert_eq!(transaction.source_of_funds.as_deref(), Some("credit line"));
    assert_eq!(
        (&transaction.metadata["installments"], &transaction.metadata["purpose"]),
        (&json!(12), &json!("camera equipment"))
    );
    assert_eq!(context.metadata_withheld, 0);
}

#[test]
fn feedback_to_a_writer_is_masked_too() {
    let context = ordinary(ReportType::Full).context();
    let feedback = "Shorten the summary. Ask Maria Gonzalez, account no 1234567890, born 12.03.1985.";
    let asked = prompt(Section::ExecutiveSummary, &context, "m4rk", Some(feedback)).user;
    assert!(asked.contains("Shorten the summary."));
    for part in ["Maria", "Gonzalez", "1234567890", "1985"] {
        assert!(!asked.contains(part), "{part}");
    }
}
