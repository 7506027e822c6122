//! The two lists of origins.
//!
//! - **Allowed origins** feed the wallet's `/.well-known/webauthn`. A listed origin can run a ceremony
//!   with the wallet's rpId and so obtain the keys, so list only origins trusted like the wallet
//!   itself. Browsers honour about five of its registrable domains.
//! - **Allowed hosts** may embed the wallet. That manifest never lists them. While the list is empty, the
//!   chain does not judge the page that embeds the wallet: the wallet's operator does.
//!
//! Every change needs 1 yoctoNEAR (`require.rs`), so that no app key of an admin can make it.

use latchkey_webauthn::Origin;
use near_sdk::{env, near};

use crate::require::require;
use crate::storage::{self, List};
use crate::{Registry, RegistryExt};

/// The maximum number of origins in a list.
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

    /// Adds an allowed origin; `false` if it is listed already. Admins only.
    #[payable]
    pub fn add_allowed_origin(&mut self, origin: String) -> bool {
        self.add(List::AllowedOrigins, &origin)
    }

    /// Removes an allowed origin; `false` if it is not listed. Admins only.
    #[payable]
    pub fn remove_allowed_origin(&mut self, origin: String) -> bool {
        self.remove(List::AllowedOrigins, &origin)
    }

    /// Replaces the allowed origins. Admins only.
    #[payable]
    pub fn set_allowed_origins(&mut self, origins: Vec<String>) -> bool {
        self.replace(List::AllowedOrigins, &origins)
    }
}

#[cfg(not(feature = "deployed-dialect"))]
#[near]
impl Registry {
    /// The allowed hosts, sorted.
    pub fn get_allowed_hosts(&self) -> Vec<String> {
        storage::list(List::AllowedHosts)
    }

    /// Adds an allowed host; `false` if it is listed already. Admins only.
    #[payable]
    pub fn add_allowed_host(&mut self, origin: String) -> bool {
        self.add(List::AllowedHosts, &origin)
    }

    /// Removes an allowed host; `false` if it is not listed. Admins only.
    #[payable]
    pub fn remove_allowed_host(&mut self, origin: String) -> bool {
        self.remove(List::AllowedHosts, &origin)
    }

    /// Replaces the allowed hosts. Admins only.
    #[payable]
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
        // Keep hostile lengths and control characters out of the error text.
        let shown: String = origin
            .chars()
            .take(100)
            .flat_map(char::escape_default)
            .collect();
        env::panic_str(&format!("not an origin: '{shown}'. {EXPECTED_FORM}"))
    })
}

/// The listed form of an origin: `scheme://host[:port]` in lower case, without a default port. `None`
/// unless the scheme is https, or http on localhost, `*.localhost` or 127.0.0.1. `None` also for a
/// path, a query, a wildcard or a host that is not a host name (RFC 1123, section 2.1).
fn canonical_origin(text: &str) -> Option<String> {
    // Browsers allow labels that host names do not.
    let is_host_label =
        |label: &str| !label.starts_with('-') && !label.ends_with('-') && !label.contains('_');
    Origin::parse(text)
        .ok()
        .filter(|origin| origin.host().split('.').all(is_host_label))
        .map(|origin| origin.as_str().to_owned())
}
