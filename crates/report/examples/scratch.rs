use std::collections::BTreeMap;
use countersign_domain::Section;
use countersign_inspect::grounding::{Facts, check};
use countersign_report::{testing, writer::Writer};
use proptest::{strategy::{Strategy, ValueTree}, test_runner::TestRunner};

fn main() {
    let n: usize = std::env::args().nth(1).map_or(300, |n| n.parse().unwrap());
    let mut runner = TestRunner::deterministic();
    let strategy = testing::contexts();
    let mut contexts = vec![testing::thinnest(), testing::ordinary(), testing::richest()];
    for _ in 0..n { contexts.push(strategy.new_tree(&mut runner).unwrap().current()); }
    let mut seen: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let (mut texts, mut bad) = (0, 0);
    for context in &contexts {
        let facts = Facts::of(&serde_json::to_value(context).unwrap());
        let writer = Writer::of(context);
        for section in Section::ALL {
            let text = writer.section(section);
            texts += 1;
            let checked = check(&text, &facts);
            if !checked.refused.is_empty() { bad += 1; }
            for refused in &checked.refused {
                if refused.describe().contains("heaviest") && std::env::var("DBG").is_ok() { println!("{}\n{}\n{}", refused.describe(), text, serde_json::to_string(&context.signals.iter().map(|s| (&s.name,&s.flags)).collect::<Vec<_>>()).unwrap()); std::process::exit(0) }
                let letters: Vec<char> = text.chars().collect();
                let sentence = checked.sentences.iter().find(|s| s.start <= refused.start && refused.start < s.end);
                let said: String = sentence.map_or_else(|| text.clone(), |s| letters[s.start..s.end].iter().collect());
                let key: String = format!("{} || {}", refused.describe(), said).chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
                let mut short = String::new();
                for w in said.split(' ') { if w.contains(|c: char| c.is_ascii_digit()) || w.starts_with('"') || w.starts_with('`') { short.push_str("# ") } else { short.push_str(w); short.push(' ') } }
                let k = format!("{} || {}", refused.describe().chars().take(50).filter(|c| !c.is_ascii_digit()).collect::<String>(), short);
                seen.entry(k).or_insert((0, key)).0 += 1;
            }
        }
    }
    println!("{bad} of {texts} texts refused");
    let mut all: Vec<_> = seen.into_iter().collect();
    all.sort_by_key(|(_, (n, _))| std::cmp::Reverse(*n));
    let max: usize = std::env::args().nth(2).map_or(60, |n| n.parse().unwrap());
    for (k, (n, _)) in all.iter().take(max) { println!("{n:5} {k}"); }
}
