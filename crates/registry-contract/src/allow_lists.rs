//! The two lists of origins.
//!
//! - **Allowed origins** feed the wallet's `/.well-known/webauthn`. An origin there can run a
//!   ceremony with the wallet's rpId and so obtain the keys: only origins that are trusted like the
//!   wallet itself belong in it. Browsers honour about five registrable domains of it.
//! - **Allowed hosts** may embed the wallet. They never come into that manifest.

use latchkey_webauthn::Origin;
use near_sdk::{env, near};

use crate::require::require;
use crate::storage::{self, List};
use crate::{Registry, RegistryExt};

/// The longest origin, in characters.
const MAX_ORIGIN_LENGTH: usize = 255;
/// How many origins a list may have.
const MAX_ORIGINS: usize = 5_000;
const FULL: &str = "a list holds at most 5000 origins";
const EXPECTED_FORM: &str =
    "Expected https://host[:port], or http for localhost, *.localhost and 127.0.0.1";

#[near]
impl Registry {
    /// The allowed origins, sorted.
    pub fn get_allowed_origins(&self) -> Vec<String> {
        storage::list(List::AllowedOrigins)
    }

    /// Adds an allowed origin; `false` if it is there. For admins.
    pub fn add_allowed_origin(&mut self, origin: String) -> bool {
        self.add(List::AllowedOrigins, &origin)
    }

    /// Removes an allowed origin; `false` if it is not there. For admins.
    pub fn remove_allowed_origin(&mut self, origin: String) -> bool {
        self.remove(List::AllowedOrigins, &origin)
    }

    /// Replaces the allowed origins. For admins.
    pub fn set_allowed_origins(&mut self, origins: Vec<String>) -> bool {
        self.replace(List::AllowedOrigins, &origins)
    }

    /// The allowed hosts, sorted.
    pub fn get_allowed_hosts(&self) -> Vec<String> {
        storage::list(List::AllowedHosts)
    }

    /// Adds an allowed host; `false` if it is there. For admins.
    pub fn add_allowed_host(&mut self, origin: String) -> bool {
        self.add(List::AllowedHosts, &origin)
    }

    /// Removes an allowed host; `false` if it is not there. For admins.
    pub fn remove_allowed_host(&mut self, origin: String) -> bool {
        self.remove(List::AllowedHosts, &origin)
    }

    /// Replaces the allowed hosts. For admins.
    pub fn set_allowed_hosts(&mut self, origins: Vec<String>) -> bool {
        self.replace(List::AllowedHosts, &origins)
    }
}

impl Registry {
    fn add(&self, list: List, origin: &str) -> bool {
        self.assert_admin();
        storage::add_to_list(list, canonical_or_panic(origin), MAX_ORIGINS, FULL)
    }

    fn remove(&self, list: List, origin: &str) -> bool {
        self.assert_admin();
        storage::remove_from_list(list, &canonical_or_panic(origin))
    }

    fn replace(&self, list: List, origins: &[String]) -> bool {
        self.assert_admin();
        let mut origins: Vec<String> = origins
            .iter()
            .map(|origin| canonical_or_panic(origin))
            .collect();
        origins.sort_unstable();
        origins.dedup();
        require(origins.len() <= MAX_ORIGINS, FULL);
        storage::set_list(list, &origins);
        true
    }
}

fn canonical_or_panic(origin: &str) -> String {
    canonical_origin(origin).unwrap_or_else(|| {
        // A hostile length or control characters have no place in an error text.
        let shown: String = origin
            .chars()
            .take(100)
            .flat_map(char::escape_default)
            .collect();
        env::panic_str(&format!("not an origin: '{shown}'. {EXPECTED_FORM}"))
    })
}

/// An origin as it is listed: `scheme://host[:port]`, lower case, without a default port. `None`
/// for anything that is not https, nor http on localhost, `*.localhost` or 127.0.0.1, and for a
/// path, a query, a wildcard or a host that is no host name (RFC 1123, section 2.1).
fn canonical_origin(text: &str) -> Option<String> {
    // Domain names may have labels that host names may not.
    let is_host_label = |label: &str| !label.ends_with('-') && !label.contains('_');
    Some(text)
        .filter(|text| text.len() <= MAX_ORIGIN_LENGTH)
        .and_then(|text| Origin::parse(text).ok())
        .filter(|origin| origin.host().split('.').all(is_host_label))
        .map(|origin| origin.as_str().to_owned())
}
