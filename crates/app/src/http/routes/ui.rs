//! Serves the dashboard's files, which are embedded in the binary. They contain no data, so anonymous callers may read them; the
//! sign-in form is part of them.
//!
//! All pages are the same document, whose script reads the path. A build without the dashboard shows how to build it.

use std::borrow::Cow;

use axum::{
    extract::Path,
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
    response::{Html, IntoResponse, Response},
    routing::get,
};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use rust_embed::Embed;
use utoipa_axum::router::OpenApiRouter;

use super::documents::PAGE_POLICY;
use crate::http::edge::{
    App,
    compression::accepts,
    error::{ApiError, Result},
};

/// The paths that the page's script handles, besides `/`.
const PAGES: [&str; 7] =
    ["/agents", "/investigations", "/investigations/{id}", "/ledger", "/ledger/{id}", "/reports/{id}", "/settings"];

const INDEX: &str = "index.html";
const NO_DASHBOARD: &str = include_str!("no_dashboard.html");

/// Allows nothing inline, nothing from other origins, and no conversion of text into markup.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'";
const OPENER_POLICY: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
const PERMISSIONS: (HeaderName, HeaderValue) = (
    HeaderName::from_static("permissions-policy"),
    HeaderValue::from_static(
        "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), \
         screen-wake-lock=(), usb=(), xr-spatial-tracking=()",
    ),
);
/// The names of assets contain a hash of their content.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

#[derive(Embed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Dist;

/// The content codings in which files are built, smallest first, and the suffixes of those files.
const PACKED: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// A file of the dashboard.
struct DashboardFile {
    bytes: Cow<'static, [u8]>,
    sha256: [u8; 32],
}

fn built_file(name: &str) -> Option<DashboardFile> {
    Dist::get(name).map(|file| DashboardFile { bytes: file.data, sha256: file.metadata.sha256_hash() })
}

/// The routes besides the documented page at `/`.
pub(super) fn pages_and_assets() -> OpenApiRouter<App> {
    let others = OpenApiRouter::new().route("/assets/{*path}", get(asset)).route("/favicon.svg", get(icon));
    PAGES.into_iter().fold(others, |router, page| router.route(page, get(index)))
}

/// Open the dashboard
#[utoipa::path(get, path = "/", tag = "Documentation", responses(
    (status = 200, description = "A page. In a build without the dashboard, it says how to build it", content_type = "text/html", body = String),
    (status = 304, description = "The caller has the current page"),
))]
pub(super) async fn index(headers: HeaderMap) -> Response {
    page(built_file, &headers)
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Result<Response> {
    file(built_file, &format!("assets/{path}"), IMMUTABLE, &headers).ok_or_else(no_such_file)
}

async fn icon(headers: HeaderMap) -> Result<Response> {
    file(built_file, "favicon.svg", REVALIDATE, &headers).ok_or_else(no_such_file)
}

fn no_such_file() -> ApiError {
    ApiError::not_found("the dashboard has no such file")
}

fn page(files: impl Fn(&str) -> Option<DashboardFile>, request_headers: &HeaderMap) -> Response {
    match file(files, INDEX, REVALIDATE, request_headers) {
        Some(page) => ([(CONTENT_SECURITY_POLICY, POLICY)], [OPENER_POLICY, PERMISSIONS], page).into_response(),
        None => ([(CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(NO_DASHBOARD)).into_response(),
    }
}

/// The response with a file: compressed, plain, or without a body if the caller already has the file.
fn file(
    files: impl Fn(&str) -> Option<DashboardFile>,
    name: &str,
    caching: HeaderValue,
    request_headers: &HeaderMap,
) -> Option<Response> {
    let kind = content_type(name)?;
    let accepted = PACKED.into_iter().filter(|(coding, _)| accepts(request_headers, coding));
    let packed = accepted.filter_map(|(coding, suffix)| Some((coding, files(&format!("{name}{suffix}"))?))).next();
    let (coding, packed) = packed.unzip();
    let encoding = coding.map(|coding| [(CONTENT_ENCODING, HeaderValue::from_static(coding))]);
    let found = packed.or_else(|| files(name))?;
    let tag = entity_tag(&found.sha256);
    let is_known = request_headers.get_all(IF_NONE_MATCH).iter().any(|known| lists_tag(known, &tag));
    let headers = [(CACHE_CONTROL, caching), (ETAG, tag), (VARY, HeaderValue::from_static("accept-encoding"))];
    if is_known {
        return Some((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let body = match found.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    Some((headers, encoding, [(CONTENT_TYPE, kind)], body).into_response())
}

/// The types of files in the dashboard. Compressed variants can't be requested by name.
fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "css" => "text/css; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "js" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

/// The tag is derived from the bytes that are sent, so each variant of a file has its own.
fn entity_tag(sha256: &[u8; 32]) -> HeaderValue {
    let start = HEXLOWER.encode(&sha256[..16]);
    HeaderValue::from_str(&format!("\"{start}\"")).unwrap_or(const { HeaderValue::from_static("\"\"") })
}

/// Whether a value of `If-None-Match` lists this tag.
fn lists_tag(known: &HeaderValue, tag: &HeaderValue) -> bool {
    let tags = known.to_str().unwrap_or_default().split(',').map(str::trim);
    tags.map(|known| known.strip_prefix("W/").unwrap_or(known)).any(|known| known == "*" || known == tag)
}

#[cfg(test)]
mod tests {
    use axum::http::header::ACCEPT_ENCODING;
    use countersign_ledger::sha256;
    use http_body_util::BodyExt;

    use super::*;

    fn file_of(bytes: &'static [u8]) -> Option<DashboardFile> {
        Some(DashboardFile { bytes: bytes.into(), sha256: *sha256(bytes).as_bytes() })
    }

    fn files(name: &str) -> Option<DashboardFile> {
        match name {
            "index.html" => file_of(b"<!doctype html>plain"),
            "index.html.br" => file_of(b"squeezed"),
            "index.html.gz" => file_of(b"zipped"),
            "assets/only-plain.js" => file_of(b"plain"),
            _ => None,
        }
    }

    fn headers_of(headers: &[(HeaderName, &'static str)]) -> HeaderMap {
        headers.iter().map(|(name, value)| (name.clone(), HeaderValue::from_static(value))).collect()
    }

    fn header(response: &Response, name: HeaderName) -> &str {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    async fn body(response: Response) -> Bytes {
        response.into_body().collect().await.unwrap().to_bytes()
    }

    #[tokio::test]
    async fn brotli_is_sent_to_callers_that_accept_it_and_gzip_to_others() {
        for (accepted, encoding, expected) in [
            ("br", "br", "squeezed"),
            ("gzip, deflate, BR;q=0.5", "br", "squeezed"),
            ("gzip, br;q=0", "gzip", "zipped"),
            ("br;q=0.000, gzip", "gzip", "zipped"),
            ("gzip, brotli", "gzip", "zipped"),
            ("gzip;q=0, brotli", "", "<!doctype html>plain"),
            ("br;nonsense", "", "<!doctype html>plain"),
            ("", "", "<!doctype html>plain"),
        ] {
            let response = page(files, &headers_of(&[(ACCEPT_ENCODING, accepted)]));
            assert_eq!(header(&response, CONTENT_ENCODING), encoding, "{accepted}");
            assert_eq!(header(&response, VARY), "accept-encoding");
            assert_eq!(header(&response, CONTENT_TYPE), "text/html; charset=utf-8");
            assert_eq!(body(response).await, expected, "{accepted}");
        }
        let plain = file(files, "assets/only-plain.js", IMMUTABLE, &headers_of(&[(ACCEPT_ENCODING, "br")])).unwrap();
        assert_eq!((header(&plain, CONTENT_ENCODING), plain.status()), ("", StatusCode::OK));
    }

    #[tokio::test]
    async fn a_page_that_the_caller_has_is_not_sent_again() {
        let plain = page(files, &HeaderMap::new());
        assert_eq!(header(&plain, CACHE_CONTROL), "no-cache");
        let tag: &'static str = header(&plain, ETAG).to_owned().leak();
        assert_eq!(tag.len(), 34);
        let listed: &'static str = format!("\"old\", W/{tag}").leak();
        for known in [tag, listed, "*"] {
            let again = page(files, &headers_of(&[(IF_NONE_MATCH, known)]));
            assert_eq!((again.status(), header(&again, ETAG)), (StatusCode::NOT_MODIFIED, tag));
            assert_eq!(header(&again, CONTENT_SECURITY_POLICY), POLICY);
            assert!(body(again).await.is_empty());
        }
        assert_eq!(page(files, &headers_of(&[(IF_NONE_MATCH, "\"old\"")])).status(), StatusCode::OK);
        let other_form = headers_of(&[(IF_NONE_MATCH, tag), (ACCEPT_ENCODING, "br")]);
        assert_eq!(page(files, &other_form).status(), StatusCode::OK, "the compressed form has another tag");
    }

    #[test]
    fn the_page_runs_only_its_own_scripts() {
        let response = page(files, &HeaderMap::new());
        let policy = header(&response, CONTENT_SECURITY_POLICY);
        for rule in ["default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"] {
            assert!(policy.contains(rule), "{rule}");
        }
        assert!(!policy.contains("unsafe"));
        assert_eq!(header(&response, OPENER_POLICY.0), "same-origin");
        assert!(header(&response, PERMISSIONS.0).contains("camera=()"));
    }

    #[test]
    fn assets_are_cached_forever_and_unknown_ones_are_not_found() {
        let asset = file(files, "assets/only-plain.js", IMMUTABLE, &HeaderMap::new()).unwrap();
        assert_eq!(header(&asset, CACHE_CONTROL), "public, max-age=31536000, immutable");
        for name in ["assets/other.js", "index.html.br", "assets/only-plain", "", ".js", "assets/"] {
            assert!(file(files, name, IMMUTABLE, &HeaderMap::new()).is_none(), "{name}");
        }
    }

    #[test]
    fn every_kind_of_file_has_its_type() {
        for (name, kind) in [
            ("a.html", "text/html; charset=utf-8"),
            ("a-1b2c.js", "text/javascript; charset=utf-8"),
            ("a.b.css", "text/css; charset=utf-8"),
            ("a.svg", "image/svg+xml"),
            ("a.woff2", "font/woff2"),
            ("a.png", "image/png"),
            ("a.json", "application/json"),
            ("a.webmanifest", "application/manifest+json"),
            ("a.ico", "image/x-icon"),
        ] {
            let response = file(|_| file_of(b"x"), name, IMMUTABLE, &HeaderMap::new()).unwrap();
            assert_eq!(header(&response, CONTENT_TYPE), kind);
        }
    }

    #[tokio::test]
    async fn a_build_without_the_dashboard_says_how_to_build_it() {
        let response = page(|_| None, &HeaderMap::new());
        assert_eq!((response.status(), header(&response, CONTENT_SECURITY_POLICY)), (StatusCode::OK, PAGE_POLICY));
        let body = body(response).await;
        let text = std::str::from_utf8(&body).unwrap();
        assert!(text.contains("The dashboard is not part of this build") && text.contains("make run"));
        assert!(text.contains("make web") && !text.contains("<script"));
    }
}
