//! A transaction's signature.

use std::fmt::{self, Display, Formatter};

use borsh::{BorshDeserialize, BorshSerialize};

/// A signature; its text is the curve's name, a colon and base58 of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Signature {
    /// 64 bytes (RFC 8032): the only kind that is made here.
    Ed25519([u8; 64]),
    /// 65 bytes: r, s and the recovery id.
    Secp256k1([u8; 65]),
}

impl Display for Signature {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (curve, bytes): (_, &[u8]) = match self {
            Self::Ed25519(bytes) => ("ed25519:", bytes),
            Self::Secp256k1(bytes) => ("secp256k1:", bytes),
        };
        out.write_str(curve)?;
        out.write_str(&bs58::encode(bytes).into_string())
    }
}
