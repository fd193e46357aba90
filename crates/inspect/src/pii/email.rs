//! Finds e-mail addresses.

use super::hit;
use super::top_level::{self, Top};
use crate::context::{ahead, behind, joins};
use crate::finding::Hit;

/// The longest local part that SMTP allows, in bytes.
const LOCAL_BYTES_MAX: usize = 64;
const DOMAIN_BYTES_MAX: usize = 128;
/// Endings of files and of system services; they are not top-level domains.
const FILES: [&str; 16] = [
    "service", "socket", "timer", "target", "png", "jpg", "jpeg", "gif", "svg", "webp", "bmp", "ico", "pdf", "css",
    "html", "json",
];
/// Top-level domains that lead nowhere, because they are reserved or because manuals use them as placeholders.
const NOWHERE: [&str; 6] = ["invalid", "test", "localhost", "local", "ext", "tld"];

/// `sign` is the offset of the `@`.
pub(super) fn at(text: &str, sign: usize) -> Option<Hit> {
    let local = local_part(behind(text, sign, LOCAL_BYTES_MAX));
    let domain = domain(ahead(text, sign + 1, DOMAIN_BYTES_MAX))?;
    if local.is_empty() || local.ends_with('.') {
        return None;
    }
    let top = domain.rsplit('.').next().unwrap_or_default();
    let score = match () {
        // The address of a repository, not of a person.
        () if local == "git" => 0.2,
        () if NOWHERE.contains(&top) => 0.4,
        // An image name such as `icon@2x.png`, for high-density screens.
        () if FILES.contains(&top) => 0.2,
        () => 0.95,
    };
    let range = sign - local.len()..sign + 1 + domain.len();
    Some(hit("EMAIL", "pii/email", range, score, "an @ sign between a local part and a domain name".into()))
}

fn local_part(before: &str) -> &str {
    let start = before
        .char_indices()
        .rev()
        .take_while(|&(_, letter)| joins(letter) || "._%+-'".contains(letter))
        .last()
        .map_or(before.len(), |(at, _)| at);
    before[start..].trim_start_matches(['.', '%', '+', '-', '\''])
}

fn domain(after: &str) -> Option<&str> {
    let end = after
        .char_indices()
        .find(|&(_, letter)| !(joins(letter) || letter == '.' || letter == '-'))
        .map_or(after.len(), |(at, _)| at);
    let name = after[..end].trim_end_matches(['.', '-']);
    let (labels, top) = name.rsplit_once('.')?;
    let top = without_next_word(top, &after[labels.len() + 1 + top.len()..]);
    let name = &after[..labels.len() + 1 + top.len()];
    let labelled = labels.split('.').all(|label| !label.is_empty());
    (labelled && top.chars().count() >= 2 && top.chars().all(char::is_alphabetic)).then_some(name)
}

/// Cuts off text that follows without a space: `firm.orgDear Ann`, `firm.orghttps://…`.
fn without_next_word<'a>(top: &'a str, rest: &str) -> &'a str {
    let capital = top.bytes().position(|byte| byte.is_ascii_uppercase()).filter(|&at| at > 0);
    let scheme = rest.starts_with("://").then(|| top.find("http")).flatten();
    let shorter = scheme.or(capital).map(|at| &top[..at]);
    shorter.filter(|top| top_level::kind(top) != Top::Unknown).unwrap_or(top)
}

#[cfg(test)]
mod tests {
    use crate::pii::tests::{check, check_uncertain};

    #[test]
    fn an_address_is_found_without_the_text_around_it() {
        check("ann@firm.org", &[("EMAIL", "ann@firm.org")]);
        check("<mailto:ann.lee+x@mail.firm.co.uk>.", &[("EMAIL", "ann.lee+x@mail.firm.co.uk")]);
        check(
            "Write to o'neil@firm.org, or 'bob@firm.org'.",
            &[("EMAIL", "o'neil@firm.org"), ("EMAIL", "bob@firm.org")],
        );
        check("größe@büro.de", &[("EMAIL", "größe@büro.de")]);
        check("请写信给ann@firm.org。谢谢", &[("EMAIL", "ann@firm.org")]);
        check(
            "ann@firm.orgDear Ann, bob@firm.orghttps://firm.org",
            &[("EMAIL", "ann@firm.org"), ("EMAIL", "bob@firm.org")],
        );
        check("a@b.io.", &[("EMAIL", "a@b.io")]);
    }

    #[test]
    fn an_at_sign_alone_is_not_an_address() {
        check("@ann met bob@home at 5@noon; pkg@1.2.3, a@.org, @firm.org, x.@firm.org", &[]);
    }

    #[test]
    fn a_repository_or_a_placeholder_is_not_a_person() {
        check_uncertain("as in user@domain.ext", &[("EMAIL", "user@domain.ext")]);
        check_uncertain("logo@2x.png", &[("EMAIL", "logo@2x.png")]);
        check_uncertain("git@github.com:org/repo", &[("EMAIL", "git@github.com")]);
    }
}
