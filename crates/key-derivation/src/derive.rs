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

/// Derives the account's NEAR ed25519 key from `PRF.second`.
#[must_use]
pub fn derive_near_key(account: &str, prf_second: &PrfOutput) -> PrivateKey {
    let salt = format!("near-key-derivation:{account}");
    PrivateKey::from_seed(&derive(
        prf_second.as_bytes(),
        Some(salt.as_bytes()),
        NEAR_SEED_INFO,
    ))
}

/// Derives the key that encrypts the account's NEAR private key at rest, from `PRF.first`.
#[must_use]
pub fn derive_near_encryption_key(account: &str, prf_first: &PrfOutput) -> EncryptionKey {
    let salt = format!("chacha20poly1305-salt:{account}");
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
        Some(account.as_bytes()),
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
