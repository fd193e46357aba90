use countersign_corpus::{Corpus, measure};
fn main() {
    let show: usize = std::env::args().nth(1).map_or(4, |n| n.parse().unwrap());
    let corpus = Corpus::build();
    let m = measure(&corpus, show, |_, _| {});
    for k in &m.kinds {
        println!(
            "{:38} {:10?} {:4} refused {:4} review {:3} noted {:3} APPROVED {:3} {:.1}% {}",
            k.kind,
            k.class,
            k.cases,
            k.refused,
            k.review,
            k.noted,
            k.approved,
            k.approved_percent(),
            if k.meets_aim() { "" } else { "<<<" }
        );
        for s in &k.shown {
            println!("      [{:?}] {}", s.section, s.said);
        }
    }
    println!("builtin {} of {} refused", m.builtin.refused, m.builtin.texts);
    for s in m.builtin.shown.iter().take(show * 3) {
        println!("      {}", s.said);
    }
    println!("paraphrases {} of {} refused", m.paraphrases.refused, m.paraphrases.texts);
    use std::collections::BTreeMap;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut tell = |text: &str, facts: &countersign_inspect::grounding::Facts, tag: &str| {
        let checked = countersign_inspect::grounding::check(text, facts);
        let letters: Vec<char> = text.chars().collect();
        for r in &checked.refused {
            let sentence = checked.sentences.iter().find(|s| s.start <= r.start && r.start < s.end);
            let said: String = sentence.map_or_else(String::new, |s| letters[s.start..s.end].iter().collect());
            let short: Vec<&str> =
                said.split(' ').map(|w| if w.contains(|c: char| c.is_ascii_digit()) { "#" } else { w }).collect();
            if r.describe().contains("nowhere") { println!("DBG {} | {}", r.describe(), said); } let why: String = r.describe().chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
            *seen.entry(format!("{tag} {why} || {}", short.join(" "))).or_default() += 1;
        }
    };
    for p in &corpus.paraphrases {
        tell(&p.text, &corpus.subjects[p.subject].facts, "P");
    }
    for s in &corpus.subjects {
        for section in countersign_domain::Section::ALL {
            tell(&countersign_report::writer::Writer::of(&s.context).section(section), &s.facts, "B");
        }
    }
    let mut all: Vec<_> = seen.into_iter().collect();
    all.sort_by_key(|w| std::cmp::Reverse(w.1));
    for (o, n) in all.iter().take(150) {
        println!("{n:4} {o}");
    }
}
