//! What a user agrees to, as one text, and its SHA-256 digest of 32 bytes.
//!
//! A digest is bound into the VRF input and so into the passkey's challenge: an assertion made for one intent
//! approves no other. TypeScript computes the same digests from the model that it shows (`ts/src/intent`);
//! shared vectors and a property test hold the two equal. Source: `interop.md`, section 4.
//!
//! | intent | text |
//! |---|---|
//! | registration through the relay | `register:<account>:1` |
//! | registration of a device by the account itself | `device2-register:<account>:<n>` |
//! | registration of an existing passkey by the account itself | `register-existing:<account>:<n>` |
//! | a device-linking request | `linkdevice:<account>:<n>` |
//! | a login session | sorted JSON of `{kind: 'login_session', nearAccountId, rpId}` |
//! | transactions | sorted JSON of their receivers and actions (feature `transactions`) |
//! | a delegate action (NEP-366) | sorted JSON of `{kind: 'delegate', actions, receiverId}` and `validForBlocks` or `maxBlockHeight` (feature `transactions`) |
//! | several delegate actions | an array of those (feature `transactions`) |
//! | a NEP-413 message | sorted JSON of its fields (feature `transactions`) |
//! | several of these in one prompt | sorted JSON of `{kind: 'together', digests}` (feature `transactions`) |

#![forbid(unsafe_code)]

#[cfg(feature = "approval")]
pub mod approval;
mod canonical_json;
mod label;
#[cfg(feature = "transactions")]
mod message;
#[cfg(feature = "registration")]
pub mod registration;
#[cfg(feature = "transactions")]
mod together;
#[cfg(feature = "transactions")]
mod transactions;

pub use label::{
    device2_register_digest, link_device_digest, login_session_digest, register_digest,
    register_existing_digest,
};
#[cfg(feature = "transactions")]
pub use message::{nep413_digest, nep413_text};
#[cfg(feature = "transactions")]
pub use together::{together_digest, together_text};
#[cfg(feature = "transactions")]
pub use transactions::{
    DelegateEnd, DelegateRequest, delegates_digest, delegates_text, transactions_digest,
    transactions_text,
};

use sha2::{Digest, Sha256};

/// The SHA-256 digest of an intent's text, 32 bytes.
pub type IntentDigest = [u8; 32];

fn digest_of(text: &str) -> IntentDigest {
    Sha256::digest(text.as_bytes()).into()
}
