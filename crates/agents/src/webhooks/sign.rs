//! Signatures by the Standard Webhooks scheme: HMAC-SHA256 over id, timestamp and body, so that a receiver can check who
//! sent a body, that it is unchanged, and how old it is.

use std::fmt;

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

const PREFIX: &str = "whsec_";
const KEY_BYTES_MIN: usize = 16;

/// A target's secret, ready to sign. `Debug` does not show it.
#[derive(Clone)]
pub struct WebhookKey(Hmac<Sha256>);

impl WebhookKey {
    /// Accepts `whsec_` and base64, as in the scheme, or any text that is long enough. Errors don't quote the secret.
    pub fn parse(secret: &str) -> Result<Self, &'static str> {
        let key = match secret.strip_prefix(PREFIX) {
            Some(encoded) => BASE64_STANDARD.decode(encoded).map_err(|_| "is not valid base64 after whsec_")?,
            None => secret.as_bytes().to_vec(),
        };
        if key.len() < KEY_BYTES_MIN {
            return Err("is shorter than 16 bytes");
        }
        Hmac::new_from_slice(&key).map(Self).map_err(|_| "can't be used as a key")
    }

    /// The value of `webhook-signature`.
    pub(super) fn sign(&self, id: &str, timestamp_s: i64, body: &[u8]) -> String {
        let signed = self.0.clone().chain_update(format!("{id}.{timestamp_s}.")).chain_update(body).finalize();
        format!("v1,{}", BASE64_STANDARD.encode(signed.into_bytes()))
    }
}

impl fmt::Debug for WebhookKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebhookKey([REDACTED])")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_scheme_has_its_documented_signature() {
        let key = WebhookKey::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature = key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn the_signature_covers_secret_id_timestamp_and_body() {
        let sign = |secret: &str, id: &str, at, body: &[u8]| WebhookKey::parse(secret).unwrap().sign(id, at, body);
        let all = [
            sign("0123456789abcdef", "a", 1, b"x"),
            sign("0123456789abcdeg", "a", 1, b"x"),
            sign("0123456789abcdef", "b", 1, b"x"),
            sign("0123456789abcdef", "a", 2, b"x"),
            sign("0123456789abcdef", "a", 1, b"y"),
        ];
        for (n, one) in all.iter().enumerate() {
            assert!(all[n + 1..].iter().all(|other| other != one), "{all:?}");
        }
        // The text and its base64 are the same key.
        assert_eq!(sign("whsec_MDEyMzQ1Njc4OWFiY2RlZg==", "a", 1, b"x"), all[0]);
    }

    #[test]
    fn an_invalid_secret_is_refused_and_not_shown() {
        for (secret, expected) in [
            ("", "is shorter than 16 bytes"),
            ("hunter2-hunter2", "is shorter than 16 bytes"),
            ("whsec_", "is shorter than 16 bytes"),
            ("whsec_aHVudGVyMg==", "is shorter than 16 bytes"),
            ("whsec_hunter2 hunter2 hunter2", "is not valid base64 after whsec_"),
        ] {
            assert_eq!(WebhookKey::parse(secret).unwrap_err(), expected, "{secret}");
        }
        assert_eq!(format!("{:?}", WebhookKey::parse("hunter2-hunter2-").unwrap()), "WebhookKey([REDACTED])");
    }
}
