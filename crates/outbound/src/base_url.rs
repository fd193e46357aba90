//! Checks a configured base URL: HTTP or HTTPS, without credentials, query or fragment.

use crate::error::SetupError;
use hyper::Uri;

/// The base URL without its trailing slashes. `name` names the server in errors.
pub fn check_base_url<'a>(name: &str, url: &'a str) -> Result<&'a str, SetupError> {
    let refuse = |problem| Err(SetupError::BaseUrl { name: name.to_owned(), problem });
    let base = url.trim_end_matches('/');
    let Ok(uri) = base.parse::<Uri>() else { return refuse("is not a URL") };
    if !matches!(uri.scheme_str(), Some("http" | "https")) {
        return refuse("must begin with http:// or https://");
    }
    let Some(authority) = uri.authority().filter(|authority| !authority.host().is_empty()) else {
        return refuse("has no host");
    };
    if authority.as_str().contains('@') {
        return refuse("must not contain credentials");
    }
    if uri.query().is_some() || base.contains('#') {
        return refuse("must not contain a query or a fragment");
    }
    Ok(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, expected: Result<&str, &'static str>) {
        let expected = expected.map_err(|problem| SetupError::BaseUrl { name: "p".into(), problem });
        assert_eq!(check_base_url("p", url), expected, "{url}");
    }

    #[test]
    fn a_base_url_is_http_without_credentials() {
        check("https://api.groq.com/openai/v1/", Ok("https://api.groq.com/openai/v1"));
        check("http://localhost:11434/v1", Ok("http://localhost:11434/v1"));
        check("ftp://host/v1", Err("must begin with http:// or https://"));
        check("/v1", Err("must begin with http:// or https://"));
        check("https://user:pass@host/v1", Err("must not contain credentials"));
        check("https://host/v1?key=abc", Err("must not contain a query or a fragment"));
        check("https://ho st/", Err("is not a URL"));
    }
}
