//! Derives NEAR keys, VRF seeds and encryption keys from a passkey's PRF outputs.
//!
//! Everything is deterministic except the random nonce of [`EncryptionKey::seal`], so the passkey alone rebuilds
//! every key. Secrets live in [`zeroize::Zeroizing`]; no error carries a byte of its input.
//! Source: `interop.md`, sections 3 and 14; HKDF is RFC 5869 with SHA-256, the AEAD is RFC 8439.

#![forbid(unsafe_code)]

mod derive;
mod prf;
mod private_key;
mod seal;

pub use derive::{
    derive_near_encryption_key, derive_near_key, derive_passkey_account_key,
    derive_shamir_aead_key, derive_vrf_encryption_key, derive_vrf_seed, implicit_account_id,
    is_implicit_account_id,
};
pub use prf::{PRF_OUTPUT_LENGTH, PrfError, PrfOutput};
pub use private_key::{PrivateKey, PrivateKeyError};
pub use seal::{EncryptedPrivateKey, EncryptionKey, NONCE_LENGTH, SealError, Sealed, TAG_LENGTH};
