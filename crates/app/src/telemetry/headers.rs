//! The collector's headers: `name=value,name=value` with percent-encoded values, as in `OTEL_EXPORTER_OTLP_HEADERS`.

use percent_encoding::percent_decode_str;

/// `None` if the text is malformed. The values may be secrets, so there is no error that could quote one.
pub(super) fn parse(text: &str) -> Option<Vec<(String, String)>> {
    text.split(',').map(str::trim).filter(|pair| !pair.is_empty()).map(pair).collect()
}

fn pair(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let decoded = |text: &str| percent_decode_str(text.trim()).decode_utf8().ok().map(|text| text.into_owned());
    Some((decoded(name)?, decoded(value)?)).filter(|(name, _)| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str)]) {
        let pairs = parse(text).unwrap();
        let pairs: Vec<_> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(pairs, expected, "{text}");
    }

    #[test]
    fn pairs_are_split_trimmed_and_decoded() {
        check("", &[]);
        check("authorization=Bearer%20t0k%2Cen", &[("authorization", "Bearer t0k,en")]);
        check(" a = 1 , b=x=y ,, c=", &[("a", "1"), ("b", "x=y"), ("c", "")]);
        check("a=100%", &[("a", "100%")]);
    }

    #[test]
    fn text_that_is_not_a_pair_is_refused() {
        for text in ["token", "=x", " =x", "a=%ff", "a=1,token"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
