//! The public keys that access keys and validators have, and the handles by which the chain stores them.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::TransactionError;

const ED25519: &str = "ed25519:";
const SECP256K1: &str = "secp256k1:";
const ML_DSA_65: &str = "ml-dsa-65:";
const ML_DSA_65_HASH: &str = "ml-dsa-65-hash:";

/// Bytes of an ML-DSA-65 public key (FIPS 204).
pub const ML_DSA_65_KEY_BYTES: usize = 1_952;

/// A public key; its text is the curve's name, a colon and base58 of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum PublicKey {
    /// 32 bytes (RFC 8032).
    Ed25519([u8; 32]),
    /// 64 bytes: both coordinates, without the leading `04`.
    Secp256k1([u8; 64]),
    /// 1,952 bytes (FIPS 204), from protocol 85.
    MlDsa65(Box<[u8; ML_DSA_65_KEY_BYTES]>),
}

/// A public key as the chain stores it, and as views and first states name it. An action needs the key itself.
///
/// The tags are the chain's: 2 is a whole ML-DSA-65 key, which no handle is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
#[borsh(use_discriminant = true)]
#[repr(u8)]
pub enum PublicKeyHandle {
    /// The key.
    Ed25519([u8; 32]) = 0,
    /// The key.
    Secp256k1([u8; 64]) = 1,
    /// SHA3-256 of the domain `near:ml-dsa-65-pubkey-hash:v1` and the key.
    MlDsa65([u8; 32]) = 3,
}

impl FromStr for PublicKey {
    type Err = TransactionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let key = if let Some(encoded) = text.strip_prefix(ED25519) {
            let mut key = [0; 32];
            decode(encoded, &mut key).then_some(Self::Ed25519(key))
        } else if let Some(encoded) = text.strip_prefix(SECP256K1) {
            let mut key = [0; 64];
            decode(encoded, &mut key).then_some(Self::Secp256k1(key))
        } else if let Some(encoded) = text.strip_prefix(ML_DSA_65) {
            let mut key = Box::new([0; ML_DSA_65_KEY_BYTES]);
            decode(encoded, key.as_mut_slice()).then_some(Self::MlDsa65(key))
        } else {
            None
        };
        key.ok_or(TransactionError::InvalidPublicKey)
    }
}

impl FromStr for PublicKeyHandle {
    type Err = TransactionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(encoded) = text.strip_prefix(ML_DSA_65_HASH) {
            let mut hash = [0; 32];
            return decode(encoded, &mut hash)
                .then_some(Self::MlDsa65(hash))
                .ok_or(TransactionError::InvalidHandle);
        }
        match text.parse() {
            Ok(PublicKey::Ed25519(key)) => Ok(Self::Ed25519(key)),
            Ok(PublicKey::Secp256k1(key)) => Ok(Self::Secp256k1(key)),
            _ => Err(TransactionError::InvalidHandle),
        }
    }
}

/// Whether the base58 text is of exactly as many bytes as there are, which it fills.
#[must_use]
fn decode(encoded: &str, bytes: &mut [u8]) -> bool {
    bs58::decode(encoded).onto(&mut *bytes) == Ok(bytes.len())
}

impl Display for PublicKey {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ed25519(bytes) => write_base58(out, ED25519, bytes),
            Self::Secp256k1(bytes) => write_base58(out, SECP256K1, bytes),
            Self::MlDsa65(bytes) => write_base58(out, ML_DSA_65, bytes.as_slice()),
        }
    }
}

impl Display for PublicKeyHandle {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ed25519(bytes) => write_base58(out, ED25519, bytes),
            Self::Secp256k1(bytes) => write_base58(out, SECP256K1, bytes),
            Self::MlDsa65(bytes) => write_base58(out, ML_DSA_65_HASH, bytes),
        }
    }
}

fn write_base58(out: &mut Formatter<'_>, name: &str, bytes: &[u8]) -> fmt::Result {
    out.write_str(name)?;
    out.write_str(&bs58::encode(bytes).into_string())
}
