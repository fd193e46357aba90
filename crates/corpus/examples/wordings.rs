//! Prints the wordings of the corpus's true texts, for `crates/factcheck/src/licence/wordings/own.txt`.

use std::{collections::BTreeSet, io, io::Write};

use countersign_corpus::Corpus;
use countersign_factcheck::wordings;

fn main() -> io::Result<()> {
    let corpus = Corpus::build();
    let written = corpus.subjects.iter().flat_map(|subject| subject.texts.iter().map(move |text| (subject, text)));
    let said = corpus.paraphrases.iter().filter_map(|said| Some((corpus.subjects.get(said.subject)?, &said.text)));
    let known: BTreeSet<String> =
        written.chain(said).flat_map(|(subject, text)| wordings(text, &subject.facts)).collect();
    let mut out = io::stdout().lock();
    writeln!(out, "# The wordings of the corpus's true texts. Made by `make wordings`.")?;
    known.iter().try_for_each(|wording| writeln!(out, "{wording}"))
}
