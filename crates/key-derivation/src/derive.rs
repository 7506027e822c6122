//! The derivation table: HKDF-SHA256 with 32 bytes of output.

use hkdf::Hkdf;
use sha2::Sha256;
use zeroize::Zeroizing;

use crate::{EncryptionKey, PrfOutput, PrivateKey};

#[cfg(test)]
mod tests;

const NEAR_SEED_INFO: &[u8] = b"ed25519-signing-key-dual-prf-v1";
const NEAR_ENCRYPTION_INFO: &[u8] = b"chacha20poly1305-encryption-key-v1";
const VRF_SEED_INFO: &[u8] = b"vrf-keypair-derivation-v1";
const VRF_ENCRYPTION_INFO: &[u8] = b"vrf-chacha20-key";
const SHAMIR_AEAD_INFO: &[u8] = b"shamir3pass-kek-to-aead-key-v1";

/// Hex digits of an ed25519 public key.
const IMPLICIT_ACCOUNT_ID_LENGTH: usize = 64;

/// Stands in the table where a named account's id stands, for an account of the passkey alone: its id follows from the
/// derived key, so it cannot go into the derivation. No account id has a slash. Source: `interop.md`, section 14.
const PASSKEY_ACCOUNT: &str = "passkey-account/v1";

/// The text that stands for the account in the table: an implicit account's id (64 lower-case hex digits) is not known
/// before its key, so [`PASSKEY_ACCOUNT`] stands for every one of them.
fn subject(account: &str) -> &str {
    if is_implicit_account_id(account) {
        PASSKEY_ACCOUNT
    } else {
        account
    }
}

/// Whether the account's id is an ed25519 public key: 64 lower-case hex digits. Here it is one that a passkey alone makes.
#[must_use]
pub fn is_implicit_account_id(account: &str) -> bool {
    account.len() == IMPLICIT_ACCOUNT_ID_LENGTH
        && account
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The id of the implicit account of an ed25519 public key: its 64 lower-case hex digits.
#[must_use]
pub fn implicit_account_id(public_key: &[u8; 32]) -> String {
    hex::encode(public_key)
}

/// Derives the NEAR ed25519 key of the account that the passkey alone makes, from `PRF.second`; its id is the
/// [`implicit_account_id`] of the public key. With that id, [`derive_near_key`] derives it again.
#[must_use]
pub fn derive_passkey_account_key(prf_second: &PrfOutput) -> PrivateKey {
    derive_near_key(PASSKEY_ACCOUNT, prf_second)
}

/// Derives the account's NEAR ed25519 key from `PRF.second`.
#[must_use]
pub fn derive_near_key(account: &str, prf_second: &PrfOutput) -> PrivateKey {
    let salt = format!("near-key-derivation:{}", subject(account));
    PrivateKey::from_seed(&derive(
        prf_second.as_bytes(),
        Some(salt.as_bytes()),
        NEAR_SEED_INFO,
    ))
}

/// Derives the key that encrypts the account's NEAR private key at rest, from `PRF.first`.
#[must_use]
pub fn derive_near_encryption_key(account: &str, prf_first: &PrfOutput) -> EncryptionKey {
    let salt = format!("chacha20poly1305-salt:{}", subject(account));
    EncryptionKey::new(derive(
        prf_first.as_bytes(),
        Some(salt.as_bytes()),
        NEAR_ENCRYPTION_INFO,
    ))
}

/// Derives the 32-byte seed of the account's VRF keypair from `PRF.first`.
#[must_use]
pub fn derive_vrf_seed(account: &str, prf_first: &PrfOutput) -> Zeroizing<[u8; 32]> {
    derive(
        prf_first.as_bytes(),
        Some(subject(account).as_bytes()),
        VRF_SEED_INFO,
    )
}

/// Derives the key that encrypts the VRF keypair at rest, from `PRF.first`.
#[must_use]
pub fn derive_vrf_encryption_key(prf_first: &PrfOutput) -> EncryptionKey {
    EncryptionKey::new(derive(prf_first.as_bytes(), None, VRF_ENCRYPTION_INFO))
}

/// Derives the key that encrypts the VRF keypair under the server lock, from the Shamir key-encryption key.
///
/// `kek` is the group element as minimal big-endian bytes.
#[must_use]
pub fn derive_shamir_aead_key(kek: &[u8]) -> EncryptionKey {
    EncryptionKey::new(derive(kek, None, SHAMIR_AEAD_INFO))
}

fn derive(input: &[u8], salt: Option<&[u8]>, info: &[u8]) -> Zeroizing<[u8; 32]> {
    let mut output = Zeroizing::new([0; 32]);
    // `expand` fails only beyond HKDF's limit of 255 blocks.
    let expanded = Hkdf::<Sha256>::new(salt, input).expand(info, output.as_mut());
    debug_assert!(expanded.is_ok());
    output
}
