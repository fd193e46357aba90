//! Finds keys that their issuer marks with a prefix, and JSON web tokens.

use std::ops::Range;

use super::{hit, looks_random};
use crate::context::{char_before, run};
use crate::finding::Hit;
use crate::scan::{ScanAnchor, ScanCheck};
use crate::window::OPEN_BYTES_MAX;

struct Issuer {
    prefix: &'static str,
    name: &'static str,
    /// The length of the whole key, including the prefix.
    bytes_min: usize,
    score: f64,
}

const fn issuer(prefix: &'static str, name: &'static str, bytes_min: usize, score: f64) -> Issuer {
    Issuer { prefix, name, bytes_min, score }
}

const ISSUERS: [Issuer; 69] = [
    issuer("sk-", "OpenAI or Anthropic", 23, 0.95),
    issuer("gsk_", "Groq", 40, 0.97),
    issuer("xai-", "xAI", 40, 0.97),
    issuer("pplx-", "Perplexity", 40, 0.97),
    issuer("r8_", "Replicate", 38, 0.95),
    issuer("nvapi-", "NVIDIA", 40, 0.97),
    issuer("lsv2_", "LangSmith", 40, 0.97),
    issuer("pcsk_", "Pinecone", 40, 0.97),
    issuer("tvly-", "Tavily", 30, 0.95),
    issuer("AIza", "Google", 39, 0.97),
    issuer("GOCSPX-", "Google", 28, 0.97),
    issuer("ya29.", "Google", 40, 0.95),
    issuer("hf_", "Hugging Face", 30, 0.95),
    issuer("ghp_", "GitHub", 36, 0.98),
    issuer("gho_", "GitHub", 36, 0.98),
    issuer("ghu_", "GitHub", 36, 0.98),
    issuer("ghs_", "GitHub", 36, 0.98),
    issuer("ghr_", "GitHub", 36, 0.98),
    issuer("github_pat_", "GitHub", 40, 0.98),
    issuer("glpat-", "GitLab", 26, 0.98),
    issuer("gldt-", "GitLab", 25, 0.97),
    issuer("glrt-", "GitLab", 25, 0.97),
    issuer("ATATT3", "Atlassian", 60, 0.97),
    issuer("ATBB", "Bitbucket", 36, 0.95),
    issuer("AKIA", "AWS", 20, 0.95),
    issuer("ASIA", "AWS", 20, 0.9),
    issuer("xoxb-", "Slack", 20, 0.97),
    issuer("xoxp-", "Slack", 20, 0.97),
    issuer("xoxa-", "Slack", 20, 0.97),
    issuer("xoxr-", "Slack", 20, 0.97),
    issuer("xoxs-", "Slack", 20, 0.97),
    issuer("xoxe-", "Slack", 20, 0.97),
    issuer("xapp-", "Slack", 30, 0.97),
    issuer("npm_", "npm", 40, 0.97),
    issuer("pypi-", "PyPI", 50, 0.97),
    issuer("rubygems_", "RubyGems", 50, 0.97),
    issuer("dckr_pat_", "Docker", 30, 0.97),
    issuer("sk_live_", "Stripe", 24, 0.98),
    issuer("rk_live_", "Stripe", 24, 0.98),
    issuer("sk_test_", "Stripe (test mode)", 24, 0.6),
    issuer("whsec_", "Stripe or Svix", 30, 0.95),
    issuer("sq0atp-", "Square", 28, 0.97),
    issuer("sq0csp-", "Square", 40, 0.97),
    issuer("EAAA", "Square", 60, 0.9),
    issuer("shpat_", "Shopify", 38, 0.98),
    issuer("shpss_", "Shopify", 38, 0.98),
    issuer("shpca_", "Shopify", 38, 0.98),
    issuer("SG.", "SendGrid", 60, 0.97),
    issuer("key-", "Mailgun", 36, 0.9),
    issuer("dop_v1_", "DigitalOcean", 60, 0.98),
    issuer("doo_v1_", "DigitalOcean", 60, 0.98),
    issuer("hvs.", "HashiCorp Vault", 28, 0.95),
    issuer("dapi", "Databricks", 36, 0.95),
    issuer("glsa_", "Grafana", 40, 0.97),
    issuer("glc_", "Grafana", 40, 0.97),
    issuer("NRAK-", "New Relic", 30, 0.97),
    issuer("sntrys_", "Sentry", 40, 0.97),
    issuer("PMAK-", "Postman", 40, 0.97),
    issuer("lin_api_", "Linear", 40, 0.97),
    issuer("secret_", "Notion", 46, 0.9),
    issuer("ntn_", "Notion", 40, 0.95),
    issuer("figd_", "Figma", 40, 0.97),
    issuer("sbp_", "Supabase", 40, 0.97),
    issuer("sb_secret_", "Supabase", 30, 0.97),
    issuer("pscale_tkn_", "PlanetScale", 40, 0.97),
    issuer("FLWSECK_", "Flutterwave", 40, 0.95),
    issuer("EZAK", "EasyPost", 50, 0.95),
    issuer("AGE-SECRET-KEY-1", "the encryption tool age", 70, 0.98),
    issuer("cs_", "Countersign", 40, 0.97),
];

const JWT_BYTES_MIN: usize = 40;

pub(super) fn anchors() -> Vec<ScanAnchor> {
    let mut anchors: Vec<ScanAnchor> =
        ISSUERS.iter().map(|issuer| (issuer.prefix.as_bytes().to_vec(), ScanCheck::Verify(prefixed))).collect();
    anchors.push((b"eyJ".to_vec(), ScanCheck::Verify(web_token)));
    anchors
}

fn prefixed(text: &str, anchor: Range<usize>) -> Option<Hit> {
    let prefix = &text[anchor.clone()];
    let issuer = ISSUERS.iter().find(|issuer| issuer.prefix == prefix)?;
    let has_dots = prefix.ends_with('.');
    let is_aws = issuer.name == "AWS";
    let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let starts =
        token_starts(text, anchor.start) || issuer.has_distinctive_prefix() && may_be_glued(text, anchor.start, is_aws);
    if !starts || (has_dots && text[..anchor.start].ends_with('.')) {
        return None;
    }
    let bytes_max = if token_starts(text, anchor.start) { OPEN_BYTES_MAX } else { GLUED_BYTES_MAX };
    let length = run(&text.as_bytes()[anchor.start..], bytes_max, |byte| match is_aws {
        true => is_upper(byte),
        false => is_token(byte) || (has_dots && byte == b'.'),
    });
    let key = text[anchor.start..anchor.start + length].trim_end_matches(['-', '_', '.']);
    let body = key.as_bytes().get(prefix.len()..)?;
    if key.len() < issuer.bytes_min || !looks_random(body) || (is_aws && key.len() != issuer.bytes_min) {
        return None;
    }
    let explanation = format!("a key prefix of {} and {} random characters", issuer.name, body.len());
    Some(hit("API_KEY", "pii/api_key", anchor.start..anchor.start + key.len(), issuer.score, explanation))
}

/// Matches three parts separated by dots; the first two are JSON in base64.
fn web_token(text: &str, anchor: Range<usize>) -> Option<Hit> {
    if &text[anchor.clone()] != "eyJ" || !token_starts(text, anchor.start) || text[..anchor.start].ends_with('.') {
        return None;
    }
    let length = run(&text.as_bytes()[anchor.start..], OPEN_BYTES_MAX, |byte| is_token(byte) || byte == b'.');
    let token = text[anchor.start..anchor.start + length].trim_end_matches('.');
    let mut parts = token.split('.');
    let (_, claims, signature) = (parts.next()?, parts.next()?, parts.next()?);
    if token.len() < JWT_BYTES_MIN || !claims.starts_with("eyJ") || !looks_random(token.as_bytes()) {
        return None;
    }
    let explanation =
        format!("three Base64 parts, the first two of them JSON, with a signature of {} characters", signature.len());
    Some(hit("JWT", "pii/jwt", anchor.start..anchor.start + token.len(), 0.95, explanation))
}

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

impl Issuer {
    /// Whether the prefix is unlikely to occur in other tokens by chance.
    fn has_distinctive_prefix(&self) -> bool {
        self.name == "AWS" || self.prefix.len() >= 4 && self.prefix.ends_with(['_', '-']) && self.score >= 0.97
    }
}

/// The maximum length of a key that may start inside another word.
const GLUED_BYTES_MAX: usize = 256;

/// Whether a key may start here although a word is attached before it: `tokenghp_…`. A key in capitals must not follow
/// another capital or digit.
fn may_be_glued(text: &str, at: usize, is_upper: bool) -> bool {
    !is_upper || char_before(text, at).is_none_or(|letter| !letter.is_ascii_uppercase() && !letter.is_ascii_digit())
}

/// Whether a token starts here. A key never starts inside another token; this also keeps the scan linear.
fn token_starts(text: &str, at: usize) -> bool {
    char_before(text, at).is_none_or(|letter| !letter.is_alphanumeric() && letter != '-' && letter != '_')
}

#[cfg(test)]
mod tests {
    use super::ISSUERS;
    use crate::pii::tests::check;

    const BODY: &str = "a1B2c3D4e5F6g7H8i9J0";

    #[test]
    fn a_key_of_every_issuer_is_found() {
        for issuer in &ISSUERS {
            let body = if issuer.name == "AWS" { "A1B2C3D4E5F6G7H8".to_string() } else { BODY.repeat(3) };
            let key = format!("{}{body}", issuer.prefix);
            check(&format!("use '{key}'."), &[("API_KEY", &key)]);
        }
    }

    #[test]
    fn a_key_attached_to_a_word_is_found() {
        for before in ["token", "x", "_", "-", "é", "号"] {
            check(&format!("Use {before}ghp_{}.", BODY.repeat(2)), &[("API_KEY", &format!("ghp_{}", BODY.repeat(2)))]);
            check(&format!("Use {before}AKIA4HVQ7RZ2MXP5L3WDx"), &[("API_KEY", "AKIA4HVQ7RZ2MXP5L3WD")]);
        }
        check("TAKIA4HVQ7RZ2MXP5L3WD AKIA4HVQ7RZ2MXP5L3WDX", &[]);
    }

    #[test]
    fn words_that_begin_like_a_key_are_not_keys() {
        check("task-a1B2c3D4e5F6g7H8i9J0 risk-based sk-learn-is-a-very-long-module-name-of-python", &[]);
        check("sk- and cs_ and gsk_", &[]);
        check("Asia and AKIA1234 and hf_hub_download and cs_CZ and ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", &[]);
    }

    #[test]
    fn a_key_with_dots_ends_before_the_full_stop() {
        let key = format!("SG.{BODY}.{}", BODY.repeat(2));
        check(&format!("Use {key}. Now."), &[("API_KEY", &key)]);
    }

    #[test]
    fn a_web_token_is_found() {
        let token = format!("eyJ{BODY}.eyJ{BODY}.{BODY}");
        check(&format!("Bearer {token}, ok"), &[("JWT", &token)]);
        check(&format!("eyJ{BODY}.{BODY}.{BODY}"), &[]);
        check("eyJ.eyJ.x", &[]);
    }
}
