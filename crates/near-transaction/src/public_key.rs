//! The public keys that access keys and validators have.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use borsh::{BorshDeserialize, BorshSerialize};

use crate::TransactionError;

const ED25519: &str = "ed25519:";
const SECP256K1: &str = "secp256k1:";

/// A public key; its text is the curve's name, a colon and base58 of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum PublicKey {
    /// 32 bytes (RFC 8032).
    Ed25519([u8; 32]),
    /// 64 bytes: both coordinates, without the leading `04`.
    Secp256k1([u8; 64]),
}

impl FromStr for PublicKey {
    type Err = TransactionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(encoded) = text.strip_prefix(ED25519) {
            decode(encoded).map(Self::Ed25519)
        } else if let Some(encoded) = text.strip_prefix(SECP256K1) {
            decode(encoded).map(Self::Secp256k1)
        } else {
            Err(TransactionError::InvalidPublicKey)
        }
    }
}

fn decode<const LENGTH: usize>(encoded: &str) -> Result<[u8; LENGTH], TransactionError> {
    let mut bytes = [0; LENGTH];
    match bs58::decode(encoded).onto(&mut bytes) {
        Ok(length) if length == LENGTH => Ok(bytes),
        _ => Err(TransactionError::InvalidPublicKey),
    }
}

impl Display for PublicKey {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (curve, bytes): (_, &[u8]) = match self {
            Self::Ed25519(bytes) => (ED25519, bytes),
            Self::Secp256k1(bytes) => (SECP256K1, bytes),
        };
        out.write_str(curve)?;
        out.write_str(&bs58::encode(bytes).into_string())
    }
}
