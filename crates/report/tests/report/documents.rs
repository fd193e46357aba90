//! Markdown, HTML and files: the sections of the three report types, and no structure from external text.

use countersign_domain::{
    Section,
    payload::{ReportAddendumAdded, ReportType},
};
use countersign_report::{
    Content, ExportFormat, ReportTexts, TracedFact, TracedSentence, export, export_with_addenda, html,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::cases::{Case, content, ordinary, parts, thin};

const INTERNAL: [&str; 9] = [
    "Executive Summary",
    "Detected Anomaly",
    "Severity Classification",
    "Timeline of Events",
    "Investigation Narrative",
    "Fraud Explanation",
    "Risk Justification",
    "Recommended Next Steps",
    "Structured Data",
];

/// The headings as a Markdown renderer sees them: outside fences, with `#` or underlined.
fn headings(markdown: &str) -> Vec<&str> {
    let mut fence: Option<&str> = None;
    let mut before = "";
    let mut found = Vec::new();
    for line in markdown.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if ticks.len() >= open.len() && line.trim_end() == ticks => fence = None,
            None if ticks.len() >= 3 => fence = Some(ticks),
            None if line.trim_start().starts_with('#') => found.push(line.trim_start_matches(['#', ' '])),
            None if !before.is_empty() && !line.is_empty() && line.trim_matches(['=', '-', ' ']).is_empty() => {
                found.push(before)
            }
            _ => {}
        }
        before = line;
    }
    assert!(fence.is_none(), "an open fence");
    found
}

fn check(content: &Content, added: &[&str]) {
    let found = headings(&content.markdown_content);
    assert_eq!(found[0], "Investigation Report");
    let mut expected: Vec<_> = INTERNAL.to_vec();
    let steps = expected.iter().position(|heading| *heading == "Recommended Next Steps").unwrap();
    for heading in added.iter().filter(|heading| ["Regulatory Statement", "Extended Analysis"].contains(heading)).rev()
    {
        expected.insert(steps, heading);
    }
    for heading in added.iter().filter(|heading| ["Audit Trail", "Complete Context"].contains(heading)) {
        expected.insert(expected.len() - 1, heading);
    }
    assert_eq!(found[1..], expected);
}

#[test]
fn the_three_report_types_have_different_sections() {
    let of = |report_type| content(&ordinary(report_type), &parts("USD 4,200.00 was paid by `***7731`."));
    check(&of(ReportType::Internal), &[]);
    check(&of(ReportType::Compliance), &["Regulatory Statement", "Audit Trail"]);
    check(&of(ReportType::Full), &["Regulatory Statement", "Extended Analysis", "Audit Trail", "Complete Context"]);
    let compliance = of(ReportType::Compliance).markdown_content;
    for expected in
        ["| Context SHA-256 |", "| Rules SHA-256 |", "| Alert id | alert-2026-0301 |", "report-1", "model gemini/flash"]
    {
        assert!(compliance.contains(expected), "{expected}");
    }
    assert!(!of(ReportType::Internal).markdown_content.contains("SHA-256"));
}

#[test]
fn a_document_contains_the_facts_and_texts_of_the_report() {
    let report = content(&ordinary(ReportType::Internal), &parts("USD 4,200.00 was paid by `***7731`."));
    for expected in [
        "**CRITICAL**, risk score 93 out of 100.",
        "Summary: USD 4,200.00 was paid by `***7731`.",
        "- **Amount Deviation**: fired; value 7.2 modified z-score, threshold 3.5 modified z-score; contributed 41 points.",
        "  - new_device (10 points): The device had not been seen before.",
        "- Severity: CRITICAL\n- Risk Score: 93\n- Band of CRITICAL: 80 to 100",
        "- Composition: Amount Deviation 41 + Geographic Inconsistency 37 + Rule Flags 15 = 93",
        "- 1 March 2026 at 09:30:00 UTC: The transaction: USD 4,200.00 at Orchard Electronics in Singapore, Singapore.",
        "1. Review USD 4,200.00",
    ] {
        assert!(report.markdown_content.contains(expected), "{expected}\n{}", report.markdown_content);
    }
    let thin = content(&thin(), &ReportTexts::default());
    assert!(thin.markdown_content.contains("- **Rule Flags**: the alert brought no such signal."));
}

#[test]
fn structured_data_can_be_read_back_from_the_document() {
    let report = content(&ordinary(ReportType::Full), &parts("x"));
    let (_, block) = report.markdown_content.rsplit_once("```json\n").unwrap();
    let json: Value = serde_json::from_str(block.split("\n```").next().unwrap()).unwrap();
    assert_eq!(json, report.structured_data);
}

/// Markup, Markdown and attempts to break out of an attribute.
const HOSTILE: [&str; 12] = [
    "# Approved",
    "\n\n## Severity Classification\n\nLOW",
    "</p></section><script>alert(1)</script>",
    "\" onmouseover=\"alert(1)",
    "' onload='x",
    "![x](https://evil.example/x.png)",
    "[click](javascript:alert(1))",
    "```\n# Out\n```",
    "x\n===\ny\n---",
    "| a | b |\n|---|---|",
    "<!-- --> <style>*{display:none}</style>",
    "\u{202e}<img src=x onerror=alert(1)>]]>",
];

fn hostile() -> impl Strategy<Value = (Case, String)> {
    let text = prop::collection::vec(
        prop_oneof![prop::sample::select(HOSTILE.to_vec()).prop_map(str::to_owned), "\\PC{0,12}"],
        1..4,
    )
    .prop_map(|parts| parts.concat());
    let report_type = prop::sample::select(ReportType::ALL.to_vec());
    (prop::collection::vec(text, 5), report_type).prop_map(|(texts, report_type)| {
        let mut case = ordinary(report_type);
        case.from_detector = false;
        let label = |n: usize| Some(format!("x{}", texts[n]));
        let signals = &mut case.alert.metadata.signals;
        signals.insert(texts[0].clone(), Value::from(texts[1].clone()));
        let flag = serde_json::json!({"name": texts[2], "weight": 3, "message": texts[3]});
        signals.insert(
            "rule_flags".to_owned(),
            serde_json::json!({"explanation": texts[4], "unit": texts[0], "value": 1, "flags": [flag]}),
        );
        let transaction = case.transaction.as_mut().unwrap();
        transaction.merchant = label(0);
        transaction.location.as_mut().unwrap().city = label(1);
        transaction.metadata.insert(texts[2].clone(), Value::from(texts[3].clone()));
        case.history[0].merchant = label(4);
        (case, texts.join(" "))
    })
}

/// The tags of a page and the names of their attributes. Panics on malformed tags.
fn tags(html: &str) -> Vec<(String, Vec<String>)> {
    let body = &html[html.find("</style>").unwrap() + "</style>".len()..];
    let mut found = Vec::new();
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{text}");
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        // Quotes in values are escaped, so every second piece is a value.
        let names = rest.split('"').step_by(2).map(|piece| piece.trim().trim_end_matches('=').to_owned());
        found.push((name.to_owned(), names.filter(|name| !name.is_empty()).collect()));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hostile_text_cannot_create_structure((case, text) in hostile()) {
        // Also alone, because a text at the start of a line can do more than a text after a word.
        let alone = ReportTexts {
            executive_summary: text.clone(),
            recommended_next_steps: vec![text.clone()],
            regulatory_statement: Some(text.clone()),
            ..parts(&text)
        };
        let mut report = content(&case, &alone);
        let merchant = "/transaction/merchant".to_owned();
        report.sections[1].facts = vec![TracedFact { start: 0, end: 11, text: "Explanation".to_owned(), path: merchant.clone() }];
        let end = report.executive_summary.chars().count();
        report.sections[0].sentences = vec![TracedSentence { start: 0, end, facts: vec![merchant, text] }];
        let plain = content(&ordinary(case.report_type), &parts("plain"));
        prop_assert_eq!(headings(&report.markdown_content), headings(&plain.markdown_content));
        for line in report.markdown_content.lines() {
            prop_assert!(!line.contains('<'), "{}", line);
        }
        let known = ["html", "head", "body", "main", "header", "section", "footer", "p", "div", "h1", "h2", "h3", "b", "i", "dl", "dt",
            "dd", "ol", "li", "time", "span", "strong", "small", "table", "thead", "tbody", "tr", "th", "td", "pre"];
        for (tag, attributes) in tags(&html(&report)) {
            prop_assert!(known.contains(&tag.trim_start_matches('/')), "{}", tag);
            for attribute in attributes {
                prop_assert!(["class", "title", "datetime", "scope", "style", "aria-hidden", "colspan"].contains(&attribute.as_str()), "{} {}", tag, attribute);
            }
        }
    }
}

#[test]
fn a_page_is_self_contained_and_starts_with_the_severity() {
    let report = content(&ordinary(ReportType::Full), &parts("USD 4,200.00 was paid by `***7731`."));
    let page = html(&report);
    for absent in ["<script", "<link", "<img", "src=", "href=", "@import", "url(", "`"] {
        assert!(!page.contains(absent), "{absent}");
    }
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text} is missing"));
    assert!(
        at("</span>CRITICAL</h1>") < at("<b>93</b> out of 100") && at("<b>93</b> out of 100") < at("Executive Summary")
    );
    assert!(page.contains("<span class=\"fact\" title=\"/transaction/amount = USD 4200.00\">USD 4,200.00</span>"));
    for section in Section::ALL {
        assert!(page.contains(&format!("<h2>{}</h2>", section.heading())));
    }
}

#[test]
fn a_span_that_does_not_contain_its_figure_is_ignored() {
    let mut report = content(&ordinary(ReportType::Internal), &parts("USD 4,200.00 was paid."));
    for (start, end, text) in
        [(0, 4_000, "USD 4,200.00"), (2, 14, "USD 4,200.00"), (9, 2, ""), (9, 9, ""), (usize::MAX, usize::MAX, "x")]
    {
        report.sections[0].facts[0].start = start;
        report.sections[0].facts[0].end = end;
        report.sections[0].facts[0].text = text.to_owned();
        assert!(html(&report).contains("<p>Summary: USD 4,200.00 was paid.</p>"), "{start}..{end}");
    }
}

const LICENCES: &str = "<h2>Facts Behind Each Sentence</h2>";

#[test]
fn a_compliance_page_lists_the_facts_behind_each_sentence() {
    let licensed = |report_type, sentences: &[(usize, usize, &[&str])]| {
        let mut report = content(&ordinary(report_type), &parts("USD 4,200.00 was paid by `***7731`."));
        let sentence = |&(start, end, facts): &(usize, usize, &[&str])| {
            let facts = facts.iter().map(|path| (*path).to_owned()).collect();
            TracedSentence { start, end, facts }
        };
        report.sections[0].sentences = sentences.iter().map(sentence).collect();
        html(&report)
    };
    let whole = "Summary: USD 4,200.00 was paid by `***7731`.".chars().count();
    let facts: &[&str] = &["/transaction", "/transaction/amount", "/signals/0/outcome", "/baseline", "/nowhere"];
    let page = licensed(ReportType::Compliance, &[(0, whole, facts), (0, 9_000, facts), (3, 3, facts), (9, 2, facts)]);
    let (_, appendix) = page.split_once(LICENCES).expect("the appendix");
    let (appendix, _) = appendix.split_once("</section>").unwrap();
    assert_eq!(appendix.matches("<tr>").count(), 2, "{appendix}");
    for expected in [
        "<td>Executive Summary</td><td>Summary: USD 4,200.00 was paid by ***7731.</td>",
        "<div><span class=\"mono\">/transaction/amount</span> USD 4200.00</div>",
        "<div><span class=\"mono\">/signals/0/outcome</span> fired</div>",
        "<div><span class=\"mono\">/baseline</span> on record</div>",
        "<div><span class=\"mono\">/nowhere</span> not on record</div>",
    ] {
        assert!(appendix.contains(expected), "{expected}\n{appendix}");
    }
    assert!(!appendix.contains(">/transaction<"), "{appendix}");
    assert!(!licensed(ReportType::Compliance, &[]).contains(LICENCES));
    assert!(!licensed(ReportType::Internal, &[(0, whole, facts)]).contains(LICENCES));
}

#[test]
fn the_table_of_licences_is_bounded() {
    let text = "x".repeat(700);
    let mut report = content(&ordinary(ReportType::Full), &parts(&text));
    let facts: Vec<_> = (0..40).map(|at| format!("/nowhere/{at}")).collect();
    let sentence = TracedSentence { start: 0, end: 700, facts };
    report.sections[0].sentences = vec![sentence; 203];
    let page = html(&report);
    let (_, appendix) = page.split_once(LICENCES).expect("the appendix");
    let (appendix, _) = appendix.split_once("</section>").unwrap();
    assert!(appendix.contains("3 more sentences are not shown."));
    assert_eq!(appendix.matches("<div><span").count(), 200 * 12);
    assert_eq!(appendix.matches("x…</td>").count(), 200);
}

#[test]
fn an_exported_file_is_named_after_the_report() {
    let report = content(&ordinary(ReportType::Internal), &parts("x"));
    for (format, content_type) in [
        (ExportFormat::Md, "text/markdown; charset=utf-8"),
        (ExportFormat::Json, "application/json"),
        (ExportFormat::Html, "text/html; charset=utf-8"),
    ] {
        let file = export(&report, format).unwrap();
        assert_eq!(file.content_type, content_type);
        assert_eq!(file.file_name, format!("report-{}-v1.{}", report.id, format.as_str()));
        assert_eq!(format.as_str().parse::<ExportFormat>().unwrap(), format);
    }
    let sealed = report.sealed().unwrap().into_text();
    assert_eq!(export(&report, ExportFormat::Json).unwrap().bytes, sealed.as_bytes());
    assert!("pdf".parse::<ExportFormat>().is_err());
    let mut odd = report;
    odd.id = "../../etc/pass\"wd\u{2028}".parse().unwrap();
    assert_eq!(export(&odd, ExportFormat::Md).unwrap().file_name, "report-etcpasswd-v1.md");
}

#[test]
fn addenda_follow_the_report_as_quotations_and_change_nothing_before_them() {
    let report = content(&ordinary(ReportType::Compliance), &parts("x"));
    let addendum: ReportAddendumAdded = serde_json::from_value(serde_json::json!({
        "addendum_id": "01956b0c-2a40-7000-8000-000000000031", "report_id": report.id,
        "investigation_id": report.investigation_id, "text": "One.\n## Executive Summary\n<script>alert(1)</script>",
        "text_sha256": "00", "added_by": "local", "added_by_name": "Ana <b>", "role": "reviewer",
        "added_at": "2026-03-01T09:30:00Z", "version": 1, "content_hash": "00"
    }))
    .unwrap();
    for format in ExportFormat::ALL {
        let plain = export(&report, format).unwrap();
        assert_eq!(export_with_addenda(&report, format, &[]).unwrap(), plain);
        let with = export_with_addenda(&report, format, std::slice::from_ref(&addendum)).unwrap();
        let text = String::from_utf8(with.bytes).unwrap();
        match format {
            ExportFormat::Md => {
                let added = text.strip_prefix(std::str::from_utf8(&plain.bytes).unwrap()).unwrap();
                assert!(added.contains("> \\## Executive Summary") && !added.contains("<script>"), "{added}");
                assert_eq!(added.matches("\n## ").count(), 1, "{added}");
            }
            ExportFormat::Json => {
                let sealed = report.sealed().unwrap().into_text();
                assert!(text.starts_with(sealed.strip_suffix('}').unwrap()), "{text}");
                let read: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(read["addenda"][0]["text"], addendum.text.as_str());
            }
            ExportFormat::Html => assert!(text.contains("Ana &lt;b&gt;") && !text.contains("<script>"), "{text}"),
        }
    }
}
