//! Origins, rpIds and the policy that says which origin may use a credential.

use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{Part, WebAuthnError, limits};

const LOOPBACK: &str = "127.0.0.1";

/// A trustworthy web origin: `https://host[:port]`, or `http` on `localhost`, `*.localhost` or `127.0.0.1`.
///
/// Kept in its canonical form: lower case, no default port, no trailing slash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Origin(String);

impl Origin {
    /// Reads an origin of at most 300 bytes. Letters may be of either case; user names, paths, queries,
    /// empty labels and IP addresses other than 127.0.0.1 are refused.
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

    /// Whether pages of this origin can use passkeys: browsers want a domain name, so `127.0.0.1` may
    /// embed a wallet but not be one.
    #[must_use]
    pub fn can_use_passkeys(&self) -> bool {
        is_domain(self.host())
    }

    /// Whether this origin's host is the rpId or a subdomain of it, cut at a dot; any port.
    #[must_use]
    pub fn is_within(&self, rp_id: &RpId) -> bool {
        self.host()
            .strip_suffix(rp_id.as_str())
            .is_some_and(|subdomain| subdomain.is_empty() || subdomain.ends_with('.'))
    }
}

/// `scheme://authority`, cut in two.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    Some((scheme, rest.strip_prefix("//")?))
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Origin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(de::Error::custom)
    }
}

/// An rpId: a domain name, kept in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RpId(String);

impl RpId {
    /// Reads a domain name of at most 253 bytes.
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

/// Which origins may use a credential: the form that is stored.
///
/// JSON: `{"single": "https://a.example"}`, `{"all_subdomains": true}` or `{"multiple": ["https://…"]}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OriginPolicy {
    /// Exactly the origin of the registration.
    Single(Origin),
    /// The rpId's host or a subdomain of it, any port; an origin of the allowed list too.
    AllSubdomains(True),
    /// Exactly these origins.
    Multiple(Vec<Origin>),
}

/// Which origins may use a credential: the form that a registration asks for.
///
/// JSON: `{"single": true}`, `{"all_subdomains": true}` or `{"multiple": ["https://…"]}`; exactly one of
/// them, `false` and an empty list are refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OriginPolicyOption {
    /// Exactly the origin of the registration.
    Single(True),
    /// The rpId's host or a subdomain of it, any port; an origin of the allowed list too.
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
    /// The policy to check a registration against and to store, for a ceremony that ran at `origin`.
    ///
    /// # Errors
    /// [`WebAuthnError::Malformed`] or [`WebAuthnError::TooLarge`] for an empty or too long list.
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

/// The JSON value `true`, and no other.
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

/// A port in decimal, 1 to 65535, without leading zeros or a sign.
fn parse_port(text: &str) -> Result<u16, WebAuthnError> {
    if !text.starts_with(|first: char| matches!(first, '1'..='9')) {
        return Err(WebAuthnError::OriginInvalid);
    }
    text.parse().map_err(|_| WebAuthnError::OriginInvalid)
}

/// Whether `host` (lower case) is a domain name: labels of letters, digits, hyphens and underscores. An
/// internationalised name comes here in its `xn--` form. The last label is no number, so that an IPv4
/// address is none.
fn is_domain(host: &str) -> bool {
    let is_label = |label: &str| {
        let is_part = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_')
        };
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && label.bytes().all(is_part)
    };
    let ends_in_number = host
        .rsplit('.')
        .next()
        .is_some_and(|label| label.bytes().all(|byte| byte.is_ascii_digit()));
    host.len() <= limits::RP_ID && host.split('.').all(is_label) && !ends_in_number
}

fn is_localhost(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host == LOOPBACK
}
