//! Prints the wordings of the corpus's true texts, for `crates/factcheck/src/licence/wordings/own.txt`.

use std::{collections::BTreeSet, io, io::Write};

use countersign_corpus::Corpus;
use countersign_factcheck::wordings;

fn main() -> io::Result<()> {
    let corpus = Corpus::build();
    let written = corpus.cases.iter().flat_map(|case| case.texts.iter().map(move |text| (case, text)));
    let paraphrased =
        corpus.paraphrases.iter().filter_map(|paraphrase| Some((corpus.cases.get(paraphrase.case)?, &paraphrase.text)));
    let known: BTreeSet<String> =
        written.chain(paraphrased).flat_map(|(case, text)| wordings(text, &case.facts)).collect();
    let mut out = io::stdout().lock();
    writeln!(out, "# The wordings of the corpus's true texts. Made by `make wordings`.")?;
    known.iter().try_for_each(|wording| writeln!(out, "{wording}"))
}
