//! The address of a Postgres database: a connection string as Postgres and its hosting services write it, and how the connection
//! is encrypted.

use std::{fmt, fs, path::Path, sync::Arc, time::Duration};

use rustls::{
    ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    },
    pki_types::{CertificateDer, ServerName, UnixTime, pem::PemObject},
};
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{Result, StoreError};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How soon a connection to a machine that has vanished is noticed.
const TCP_USER_TIMEOUT: Duration = Duration::from_secs(20);

/// Settings in the addresses that hosting services show, which are meant for other clients.
const IGNORED: [&str; 5] = ["pgbouncer", "connection_limit", "pool_timeout", "supa", "uselibpqcompat"];

/// The address of a database, without its password where it is shown.
#[derive(Clone)]
pub(crate) struct PostgresAddress {
    config: tokio_postgres::Config,
    encryption: Encryption,
    /// A PEM file with the certificates that the server's must be signed by.
    root_certificate: Option<String>,
}

/// The meaning of `sslmode`, as Postgres's own clients define it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encryption {
    None,
    /// Encrypted if the server can. Only on this machine is an unencrypted connection accepted without `sslmode`.
    Preferred,
    /// Encrypted. The certificate is checked only if root certificates are given.
    Required,
    /// The certificate must be signed by a root certificate.
    SignedCertificate,
    /// The certificate must also be for this host.
    ThisHost,
}

impl PostgresAddress {
    /// Reads a connection string. Errors never repeat it, because it contains the password.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let refuse = |why: &str| StoreError::Address(why.to_owned());
        let (base, query) = text.split_once('?').unwrap_or((text, ""));
        if !["postgres://", "postgresql://"].iter().any(|scheme| base.starts_with(scheme)) {
            return Err(refuse("it must begin with postgres:// or postgresql://"));
        }
        let (mut mode, mut root_certificate, mut kept) = (None, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match name {
                "sslmode" => mode = Some(value.to_owned()),
                "sslrootcert" => root_certificate = Some(decoded(value)),
                name if IGNORED.contains(&name) => {}
                _ => kept.push(pair),
            }
        }
        let rest = if kept.is_empty() { base.to_owned() } else { format!("{base}?{}", kept.join("&")) };
        let mut config: tokio_postgres::Config = rest.parse().map_err(|error: tokio_postgres::Error| {
            let cause = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            refuse(&cause)
        })?;
        if config.get_hosts().is_empty() {
            return Err(refuse("it names no host"));
        }
        let is_local = config.get_hosts().iter().all(is_local);
        let encryption = match mode.as_deref() {
            Some("disable") => Encryption::None,
            Some("allow" | "prefer") => Encryption::Preferred,
            Some("require") => Encryption::Required,
            Some("verify-ca") => Encryption::SignedCertificate,
            Some("verify-full") => Encryption::ThisHost,
            Some(_) => {
                return Err(refuse("sslmode must be disable, prefer, require, verify-ca or verify-full"));
            }
            None if is_local => Encryption::Preferred,
            None => Encryption::Required,
        };
        config.ssl_mode(match encryption {
            Encryption::None => SslMode::Disable,
            Encryption::Preferred => SslMode::Prefer,
            _ => SslMode::Require,
        });
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(TCP_USER_TIMEOUT);
        }
        if config.get_application_name().is_none() {
            config.application_name("countersign");
        }
        if config.get_target_session_attrs() == TargetSessionAttrs::Any && config.get_hosts().len() > 1 {
            // If several hosts are given, connect to the one that accepts writes.
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        Ok(Self { config, encryption, root_certificate })
    }

    pub(super) fn config(&self) -> &tokio_postgres::Config {
        &self.config
    }

    /// Whether the connection is encrypted without knowing to whom.
    pub(super) fn trusts_any_certificate(&self) -> bool {
        self.encryption == Encryption::Required && self.root_certificate.is_none()
    }

    /// How connections are encrypted, and which certificates are accepted.
    pub(super) fn tls(&self) -> Result<MakeRustlsConnect> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_safe_default_protocol_versions()
            .map_err(|error| StoreError::Address(error.to_string()))?;
        let must_check = matches!(self.encryption, Encryption::SignedCertificate | Encryption::ThisHost)
            || (self.encryption == Encryption::Required && self.root_certificate.is_some());
        let config = if !must_check {
            let accept = AcceptAny(provider.signature_verification_algorithms.supported_schemes());
            builder.dangerous().with_custom_certificate_verifier(Arc::new(accept)).with_no_client_auth()
        } else {
            let roots = self.roots()?;
            if self.encryption == Encryption::ThisHost {
                builder.with_root_certificates(roots).with_no_client_auth()
            } else {
                let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider)
                    .build()
                    .map_err(|error| StoreError::Address(error.to_string()))?;
                let verifier = Arc::new(AnyHost(chain));
                builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth()
            }
        };
        Ok(MakeRustlsConnect::new(config))
    }

    /// The given root certificates, or those that browsers trust.
    fn roots(&self) -> Result<RootCertStore> {
        let mut roots = RootCertStore::empty();
        let Some(path) = self.root_certificate.as_deref().filter(|path| *path != "system") else {
            roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
            return Ok(roots);
        };
        let pem = fs::read(Path::new(path)).map_err(StoreError::io(format!("{path} can't be read")))?;
        for certificate in CertificateDer::pem_slice_iter(&pem) {
            let added = certificate
                .map_err(|error| error.to_string())
                .and_then(|der| roots.add(der).map_err(|error| error.to_string()));
            added.map_err(|error| {
                StoreError::Address(format!("{path} has a certificate that can't be read: {error}"))
            })?;
        }
        if roots.is_empty() {
            return Err(StoreError::Address(format!("{path} has no certificate")));
        }
        Ok(roots)
    }
}

/// Host and database, without user and password.
impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hosts = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            #[cfg(unix)]
            Host::Unix(path) => path.display().to_string(),
        });
        write!(f, "postgres://{}/{}", hosts.collect::<Vec<_>>().join(","), self.config.get_dbname().unwrap_or(""))
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

fn decoded(value: &str) -> String {
    percent_encoding::percent_decode_str(value).decode_utf8_lossy().into_owned()
}

/// Accepts every certificate: `sslmode=require` protects against listeners, but not against somebody who answers in the server's
/// place.
#[derive(Debug)]
struct AcceptAny(Vec<SignatureScheme>);

impl ServerCertVerifier for AcceptAny {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.clone()
    }
}

/// Accepts a certificate of any host that a root certificate has signed (`verify-ca`).
#[derive(Debug)]
struct AnyHost(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyHost {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        use rustls::CertificateError::{NotValidForName, NotValidForNameContext};
        match self.0.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. })) => {
                Ok(ServerCertVerified::assertion())
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encryption(text: &str) -> Encryption {
        PostgresAddress::parse(text).unwrap().encryption
    }

    #[test]
    fn a_connection_leaves_this_machine_only_encrypted() {
        for local in ["localhost", "127.0.0.1", "[::1]"] {
            assert_eq!(encryption(&format!("postgres://me@{local}/db")), Encryption::Preferred);
        }
        assert_eq!(encryption("postgres://me@db.example.org/db"), Encryption::Required);
        assert_eq!(encryption("postgres://me@localhost,db.example.org/db"), Encryption::Required);
        assert_eq!(encryption("postgres://me@db.example.org/db?sslmode=disable"), Encryption::None);
        assert_eq!(encryption("postgresql://me@db.example.org/db?sslmode=verify-full"), Encryption::ThisHost);
    }

    #[test]
    fn supabases_pooled_address_is_understood() {
        let text = "postgresql://postgres.abcdefgh:hunter2@aws-0-eu-central-1.pooler.supabase.com:6543/postgres?pgbouncer=true";
        let address = PostgresAddress::parse(text).unwrap();
        assert_eq!(address.to_string(), "postgres://aws-0-eu-central-1.pooler.supabase.com/postgres");
        assert_eq!(address.config().get_ports(), [6543]);
        assert_eq!(address.config().get_user(), Some("postgres.abcdefgh"));
        assert!(address.trusts_any_certificate());
    }

    #[test]
    fn an_address_that_is_refused_does_not_repeat_its_password() {
        for text in [
            "mysql://me:hunter2@db/x",
            "postgres://me:hunter2@db:port/x",
            "postgres://me:hunter2@db/x?sslmode=never",
            "postgres://me:hunter2@db/x?colour=blue",
            "postgres://",
        ] {
            let error = PostgresAddress::parse(text).unwrap_err().to_string();
            assert!(error.starts_with("DATABASE_URL can't be used: ") && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn what_is_shown_of_an_address_has_no_password() {
        let address = PostgresAddress::parse("postgres://me:hunter2@a,b:5433/x?sslrootcert=%2Fetc%2Fca.pem").unwrap();
        assert_eq!(format!("{address} {address:?}"), "postgres://a,b/x postgres://a,b/x");
        assert_eq!(address.root_certificate.as_deref(), Some("/etc/ca.pem"));
    }
}
