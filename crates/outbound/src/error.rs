//! Errors of setup and of requests. Messages from outside are scrubbed before they get here, and no error contains a key.

use crate::address::NoPublicAddress;
use crate::scrub::scrub;
use std::error::Error;
use std::io;

/// A client or an endpoint can't be set up as configured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    #[error("the base URL of {name} {problem}")]
    BaseUrl { name: String, problem: &'static str },
    #[error("the key of {name} contains characters that are not allowed in a header")]
    Key { name: String },
    #[error("TLS can't be set up: {0}")]
    Tls(String),
}

/// A request got no response, or its body could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    #[error("no answer within {after_ms} ms")]
    Timeout { after_ms: u64 },
    #[error("connection failed: {0}")]
    Connection(String),
    /// The host resolves only to addresses that the [`AddressPolicy`](crate::AddressPolicy) refuses.
    #[error("the host has no public address")]
    PrivateAddress,
    #[error("the answer is larger than {bytes_max} bytes")]
    TooLarge { bytes_max: usize },
}

impl RequestError {
    /// From an error of the HTTP library, with its causes in one scrubbed message.
    pub(crate) fn from_connection(error: &dyn Error) -> Self {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            if is_refused_address(cause) {
                return Self::PrivateAddress;
            }
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::Connection(scrub(&text, None))
    }
}

/// Whether the cause is our own resolver's refusal, which the HTTP library passes on as an I/O error.
fn is_refused_address(cause: &(dyn Error + 'static)) -> bool {
    let inner = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.is_some_and(|inner| inner.is::<NoPublicAddress>())
}
