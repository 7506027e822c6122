//! The dialect of the other registry that testnet has, behind the feature `deployed-dialect`.
//!
//! It exists for the tests of client and relay, which must work with that registry too. Its requests and
//! answers differ from ours, and it protects less:
//!
//! - Byte fields are arrays of numbers; text ends the call.
//! - The origin policy is spelled `allSubdomains`. It is read leniently: another spelling sets no policy,
//!   and the answer is `verified: false`.
//! - It has no `get_registration_cost` and no allowed hosts, and `link_device_register_user` takes no
//!   deposit: the registry pays for its storage.
//! - An assertion's `credential_id` is an array of numbers, and every passkey is a `singleDevice` one.
//! - A record names no access key, and its transports may be null.
//! - `set_vrf_settings` takes `vrf_settings`, and `add_admin` takes `admin_id`.
//! - Every origin must be https.
//! - It keeps the deposit of a refused call, does not compare a registration's intent, and lets any
//!   account remove a linking's mapping.

/// Whether this build speaks the dialect.
pub(crate) const SPOKEN: bool = cfg!(feature = "deployed-dialect");

#[cfg(not(feature = "deployed-dialect"))]
pub(crate) use latchkey_webauthn::OriginPolicyOption;

#[cfg(feature = "deployed-dialect")]
pub(crate) use spoken::{OriginPolicyOption, null_if_empty};

#[cfg(feature = "deployed-dialect")]
mod spoken {
    use latchkey_webauthn::{Origin, OriginPolicy, Part, True, WebAuthnError};
    use serde::{Deserialize, Serialize, Serializer};

    /// Which origins may use a credential. Exactly one field counts.
    #[derive(Debug, Clone, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct OriginPolicyOption {
        single: Option<bool>,
        all_subdomains: Option<bool>,
        multiple: Option<Vec<Origin>>,
    }

    impl Default for OriginPolicyOption {
        fn default() -> Self {
            Self {
                single: None,
                all_subdomains: Some(true),
                multiple: None,
            }
        }
    }

    impl OriginPolicyOption {
        pub(crate) fn resolve(&self, origin: &Origin) -> Result<OriginPolicy, WebAuthnError> {
            match (self.single, self.all_subdomains, &self.multiple) {
                (Some(true), None, None) => Ok(OriginPolicy::Single(origin.clone())),
                (None, Some(true), None) => Ok(OriginPolicy::AllSubdomains(True)),
                (None, None, Some(origins)) => Ok(OriginPolicy::Multiple(origins.clone())),
                _ => Err(WebAuthnError::Malformed(Part::OriginPolicy)),
            }
        }
    }

    pub(crate) fn null_if_empty<S: Serializer>(
        texts: &[String],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        Some(texts)
            .filter(|texts| !texts.is_empty())
            .serialize(serializer)
    }
}
