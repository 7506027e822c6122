//! Origins, rpIds and the policy on which origins may use a credential.

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Part, WebAuthnError, limits};

const LOOPBACK: &str = "127.0.0.1";

/// A trustworthy web origin: `https://host[:port]`, or `http` on `localhost`, `*.localhost` or `127.0.0.1`.
///
/// Stored as browsers serialise it (WHATWG URL): lower case, no default port, no trailing slash. The facade reads
/// origins the same way, in `ts/src/frame/origin.ts`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Origin(String);

impl Origin {
    /// Parses an origin of at most 255 bytes, in letters of either case. Refuses user names, paths,
    /// queries, and hosts that are neither a DNS name nor 127.0.0.1.
    ///
    /// # Errors
    /// [`WebAuthnError::OriginInvalid`].
    pub fn parse(text: &str) -> Result<Self, WebAuthnError> {
        const INVALID: WebAuthnError = WebAuthnError::OriginInvalid;
        if text.len() > limits::ORIGIN {
            return Err(INVALID);
        }
        let text = text.to_ascii_lowercase();
        let (scheme, authority) = split_scheme(&text).ok_or(INVALID)?;
        let (host, port) = match authority.split_once(':') {
            Some((host, port)) => (host, Some(parse_port(port)?)),
            None => (authority, None),
        };
        if !is_domain(host) && host != LOOPBACK {
            return Err(INVALID);
        }
        let default_port = match scheme {
            "https" => 443,
            "http" if is_localhost(host) => 80,
            _ => return Err(INVALID),
        };
        Ok(Self(match port {
            Some(port) if port != default_port => format!("{scheme}://{host}:{port}"),
            _ => format!("{scheme}://{host}"),
        }))
    }

    /// The canonical text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host, lower case.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = split_scheme(&self.0).map_or("", |(_, authority)| authority);
        authority
            .split_once(':')
            .map_or(authority, |(host, _)| host)
    }

    /// Whether pages of this origin can use passkeys. Browsers require a domain name, so `127.0.0.1` may
    /// embed a wallet but cannot host one.
    #[must_use]
    pub fn can_use_passkeys(&self) -> bool {
        is_domain(self.host())
    }

    /// Whether this origin's host is the rpId or a subdomain of it, on any port.
    #[must_use]
    pub fn is_within(&self, rp_id: &RpId) -> bool {
        self.host()
            .strip_suffix(rp_id.as_str())
            .is_some_and(|subdomain| subdomain.is_empty() || subdomain.ends_with('.'))
    }
}

/// Splits `scheme://authority`.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    Some((scheme, rest.strip_prefix("//")?))
}

impl<'de> Deserialize<'de> for Origin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// An rpId: a domain name in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RpId(String);

impl RpId {
    /// Parses a domain name of at most 253 bytes.
    ///
    /// # Errors
    /// [`WebAuthnError::RpIdInvalid`].
    pub fn parse(text: &str) -> Result<Self, WebAuthnError> {
        let text = text.to_ascii_lowercase();
        if is_domain(&text) {
            Ok(Self(text))
        } else {
            Err(WebAuthnError::RpIdInvalid)
        }
    }

    /// The domain name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Which origins may use a credential, in the stored form.
///
/// JSON: `{"single": "https://a.example"}`, `{"all_subdomains": true}` or `{"multiple": ["https://…"]}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OriginPolicy {
    /// Only the origin of the registration.
    Single(Origin),
    /// The rpId's host or a subdomain of it, any port; an origin of the allowed list too.
    AllSubdomains(True),
    /// Exactly these origins.
    Multiple(Vec<Origin>),
}

/// Which origins may use a credential, in the form that a registration sends.
///
/// JSON: exactly one of `{"single": true}`, `{"all_subdomains": true}` and `{"multiple": ["https://…"]}`.
/// `false` and an empty list are refused. `allSubdomains` is read too.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OriginPolicyOption {
    /// Only the origin of the registration.
    Single(True),
    /// The rpId's host or a subdomain of it, any port; an origin of the allowed list too.
    #[serde(alias = "allSubdomains")]
    AllSubdomains(True),
    /// Exactly these origins, 1 to 16.
    Multiple(Vec<Origin>),
}

impl Default for OriginPolicyOption {
    fn default() -> Self {
        Self::AllSubdomains(True)
    }
}

impl Default for OriginPolicy {
    fn default() -> Self {
        Self::AllSubdomains(True)
    }
}

impl OriginPolicyOption {
    /// The stored policy for a ceremony that ran at `origin`. The registration must satisfy it.
    ///
    /// # Errors
    /// [`WebAuthnError::Malformed`] for an empty list, [`WebAuthnError::TooLarge`] for one too long.
    pub fn resolve(&self, origin: &Origin) -> Result<OriginPolicy, WebAuthnError> {
        match self {
            Self::Single(True) => Ok(OriginPolicy::Single(origin.clone())),
            Self::AllSubdomains(True) => Ok(OriginPolicy::AllSubdomains(True)),
            Self::Multiple(origins) if origins.is_empty() => {
                Err(WebAuthnError::Malformed(Part::OriginPolicy))
            }
            Self::Multiple(origins) if origins.len() > limits::POLICY_ORIGINS => {
                Err(WebAuthnError::TooLarge(Part::OriginPolicy))
            }
            Self::Multiple(origins) => Ok(OriginPolicy::Multiple(origins.clone())),
        }
    }
}

impl OriginPolicy {
    /// Whether `origin` may use a credential of `rp_id`. `allowed` is the registry's list of origins.
    #[must_use]
    pub fn admits(&self, origin: &Origin, rp_id: &RpId, allowed: &[Origin]) -> bool {
        let is_listed = match self {
            Self::Single(registered) => origin == registered,
            Self::AllSubdomains(True) => origin.is_within(rp_id) || allowed.contains(origin),
            Self::Multiple(origins) => origins.contains(origin),
        };
        is_listed && origin.can_use_passkeys()
    }
}

/// The JSON value `true`; no other parses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct True;

impl Serialize for True {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bool(true)
    }
}

impl<'de> Deserialize<'de> for True {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if bool::deserialize(deserializer)? {
            Ok(Self)
        } else {
            Err(de::Error::custom("only true is accepted"))
        }
    }
}

/// A port in decimal digits, 1 to 65535. No page has port 0 (Fetch, section 2.9).
fn parse_port(text: &str) -> Result<u16, WebAuthnError> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(port) if is_decimal && port != 0 => Ok(port),
        _ => Err(WebAuthnError::OriginInvalid),
    }
}

/// Whether `host` (lower case) is a domain name: labels of letters, digits, hyphens and underscores, as browsers and
/// the DNS allow them. Internationalised names are in `xn--` form.
fn is_domain(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_part = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
        };
        (1..=63).contains(&label.len()) && label.bytes().all(is_part)
    };
    host.len() <= limits::RP_ID && host.split('.').all(is_label) && !ends_in_number(host)
}

/// Browsers take a host whose last label is a number for an IP address (WHATWG URL, section 3.5).
fn ends_in_number(host: &str) -> bool {
    let last = host.rsplit('.').next().unwrap_or_default();
    last.bytes().all(|byte| byte.is_ascii_digit())
        || last
            .strip_prefix("0x")
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_localhost(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host == LOOPBACK
}
