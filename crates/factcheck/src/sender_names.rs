//! Stage 3, names: names that a sender gave to its signals, figures and units. A sender may call a figure `last_score` or
//! `six`. Where a text quotes such a name, the words in it lose their usual meaning.

use std::ops::Range;

use serde_json::{Map, Value};

use crate::fold::normalised;
use crate::lex::Token;
use crate::signal::Signals;

const SIGNALS_MAX: usize = 64;
const KEYS_MAX: usize = 64;
/// The maximum length of a name.
const NAME_TOKENS_MAX: usize = 24;

/// The names of every signal that a sender reported.
#[derive(Debug, Default)]
pub(crate) struct SenderNames {
    signals: Vec<SenderSignal>,
}

#[derive(Debug)]
struct SenderSignal {
    /// The signal's index in the context.
    at: usize,
    /// The signal's index in `Signals`.
    place: usize,
    name: String,
    unit: String,
    /// The names of its figures, each with the last part of the figure's path.
    keys: Vec<(String, String)>,
}

/// The places where a text quotes a sender's names, with the figures next to them.
#[derive(Debug, Default)]
pub(crate) struct QuotedNames {
    /// The tokens between the quotation marks, and the path of the name.
    pub(crate) names: Vec<(Range<usize>, String)>,
    /// The first token of a figure next to such a name, and the paths of the facts that it may state.
    pub(crate) figures: Vec<(usize, Vec<String>)>,
}

impl SenderNames {
    pub(crate) fn of(context: &Value, known: &mut Signals) -> Self {
        let reported = |signal: &&Value| signal.get("outcome").and_then(Value::as_str) == Some("reported");
        let text = |signal: &Value, key: &str| signal.get(key).and_then(Value::as_str).map(as_name).unwrap_or_default();
        let signals = context.get("signals").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let signals = signals.iter().enumerate().filter(|(_, signal)| reported(signal)).take(SIGNALS_MAX);
        let signals = signals.map(|(at, signal)| SenderSignal {
            at,
            place: known.add(signal.get("name").and_then(Value::as_str).unwrap_or_default()),
            name: text(signal, "name"),
            unit: text(signal, "unit"),
            keys: signal.get("details").and_then(Value::as_object).map(keys).unwrap_or_default(),
        });
        Self { signals: signals.collect() }
    }

    /// Finds quoted names in a text: after "signal", before "of" and a figure, or after "a value of 3 in". Their tokens
    /// lose their usual meaning.
    pub(crate) fn mark_quoted(&self, tokens: &mut [Token<'_>]) -> QuotedNames {
        let mut quoted = QuotedNames::default();
        if self.signals.is_empty() {
            return quoted;
        }
        // The last signal that the sentence named.
        let mut last: Option<(usize, &SenderSignal)> = None;
        let mut at = 0;
        while at < tokens.len() {
            let before = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at].lower.as_ref());
            let named_before = last.filter(|(sentence, _)| *sentence == tokens[at].sentence).map(|(_, signal)| signal);
            if let Some(signal) = named_before
                && tokens[at].is_figure()
                && before(1) == "of"
                && let field @ ("value" | "threshold") = before(2)
            {
                quoted.figures.push((at, vec![format!("/signals/{}/{field}", signal.at)]));
            }
            let Some(end) = closing(tokens, at) else {
                at += 1;
                continue;
            };
            let range = at + 1..end;
            let name = as_name(&tokens[range.clone()].iter().map(|token| token.text).collect::<String>());
            let is_figure = |at: usize| tokens.get(at).is_some_and(Token::is_figure);
            let mut named = None;
            let path = if before(1) == "signal" {
                named = self.signals.iter().find(|signal| signal.name == name);
                last = named.map(|signal| (tokens[at].sentence, signal)).or(last);
                named.map(|signal| format!("/signals/{}/name", signal.at))
            } else if before(1) == "in" && at >= 4 && is_figure(at - 2) && before(3) == "of" && before(4) == "value" {
                let mut signals =
                    self.reported(named_before).filter(|signal| signal.unit == name).map(|signal| signal.at).peekable();
                let path = signals.peek().map(|at| format!("/signals/{at}/unit"));
                quoted.figures.push((at - 2, signals.map(|at| format!("/signals/{at}/value")).collect()));
                path
            } else if tokens.get(end + 1).is_some_and(|token| token.is_word("of")) && is_figure(end + 2) {
                let paths = self.figures(&name, named_before);
                let path = paths.first().cloned();
                quoted.figures.push((end + 2, paths));
                path
            } else {
                None
            };
            if let Some(path) = path {
                tokens[range.clone()].iter_mut().for_each(Token::set_sender_name);
                if let Some(signal) = named {
                    tokens[range.start].set_signal(signal.place);
                }
                quoted.names.push((range, path));
            }
            at = end + 1;
        }
        quoted.figures.retain(|(_, paths)| !paths.is_empty());
        quoted
    }

    /// The signal `named`, or all signals if the sentence names none.
    fn reported<'a>(&'a self, named: Option<&'a SenderSignal>) -> impl Iterator<Item = &'a SenderSignal> {
        self.signals.iter().filter(move |signal| named.is_none_or(|named| named.at == signal.at))
    }

    /// The paths of the figures with this name.
    fn figures(&self, name: &str, named: Option<&SenderSignal>) -> Vec<String> {
        let paths = self.reported(named).flat_map(|signal| {
            let keys = signal.keys.iter().filter(|(key, _)| key == name);
            keys.map(|(_, path)| format!("/signals/{}/details/{path}", signal.at))
        });
        paths.collect()
    }
}

/// The end of the quotation that opens at a token. There must be no space inside the quotation marks.
fn closing(tokens: &[Token<'_>], at: usize) -> Option<usize> {
    let mark = ['"', '`'].into_iter().find(|mark| tokens[at].is_mark(*mark))?;
    let end = (at + 1..tokens.len()).take(NAME_TOKENS_MAX + 1).find(|at| tokens[*at].is_mark(mark))?;
    (end > at + 1 && tokens[at + 1].is_glued && tokens[end].is_glued).then_some(end)
}

/// Names and paths of numeric fields. The name of a field in a nested object starts with the outer key.
fn keys(details: &Map<String, Value>) -> Vec<(String, String)> {
    let outer = details.iter().filter(|(_, value)| value.is_number());
    let outer = outer.map(|(key, _)| (as_name(key), key.clone()));
    let inner = details.iter().filter_map(|(within, value)| Some((within, value.as_object()?)));
    let inner = inner.flat_map(|(within, fields)| {
        let fields = fields.iter().filter(|(_, value)| value.is_number());
        fields.map(move |(key, _)| (as_name(&format!("{within} {key}")), format!("{within}/{key}")))
    });
    let is_plain = |key: &String| !key.contains('~');
    outer.chain(inner).filter(|(name, path)| !name.is_empty() && is_plain(path)).take(KEYS_MAX).collect()
}

/// Normalises a name for comparisons: lower case, no spaces.
fn as_name(text: &str) -> String {
    normalised(&text.replace('_', " ")).replace(' ', "")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::{Facts, check};

    #[track_caller]
    fn refused(text: &str) -> Vec<String> {
        let reported = |name: &str, value: f64, unit: &str, details: serde_json::Value| json!({"name": name, "outcome": "reported", "value": value, "unit": unit, "details": details});
        let context = json!({
            "case": {"alert_id": "ext-9", "severity": "MEDIUM", "risk_score": 55, "source": "external"},
            "subject": {"user_id": "***", "transaction_count": 0},
            "signals": [
                reported("last_score", 31.5, "sum", json!({"not_fired": 12, "six": 70})),
                reported("mule_ring", 44.0, "percent", json!({"not_fired": 13, "six": 71})),
            ],
            "score": {"total": 55, "maximum": 100, "contributions": []},
        });
        check(text, &Facts::of(&context)).refused.iter().map(crate::Refused::describe).collect()
    }

    #[test]
    fn the_words_of_a_quoted_name_lose_their_meaning() {
        for text in [
            "The sender reported signal `last_score` with a value of 31.5 in \"sum\".",
            "The sender reported signal `last_score` with \"not fired\" of 12 and \"six\" of 70.",
            "The sender reported signal `mule_ring` with \"six\" of 71.",
        ] {
            assert_eq!(refused(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn a_figure_must_match_the_name_and_the_signal_next_to_it() {
        for text in [
            "The sender reported signal `last_score` with a value of 44 in \"sum\".",
            "The sender reported signal `last_score` with \"six\" of 71.",
            "The sender reported signal `last_score` with \"six\" of 12.",
            "The sender reported signal `mule_ring` with \"seven\" of 71.",
            "The sender did not report signal `last_score`.",
            "The sender reported \"six\" signals.",
        ] {
            assert_ne!(refused(text), [""; 0], "{text}");
        }
    }
}
