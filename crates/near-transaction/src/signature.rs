//! A transaction's signature.

use std::fmt::{self, Display, Formatter};

use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::{Signer, SigningKey};

use crate::{CryptoHash, TransactionError};

/// A signature; its text is the curve's name, a colon and base58 of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Signature {
    /// 64 bytes (RFC 8032): the only kind that is made here.
    Ed25519([u8; 64]),
    /// 65 bytes: r, s and the recovery id.
    Secp256k1([u8; 65]),
    /// 3,309 bytes (FIPS 204).
    MlDsa65(Box<[u8; 3_309]>),
}

impl Display for Signature {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (curve, bytes): (_, &[u8]) = match self {
            Self::Ed25519(bytes) => ("ed25519:", bytes),
            Self::Secp256k1(bytes) => ("secp256k1:", bytes),
            Self::MlDsa65(bytes) => ("ml-dsa-65:", bytes.as_slice()),
        };
        out.write_str(curve)?;
        out.write_str(&bs58::encode(bytes).into_string())
    }
}

/// A message in borsh with its signature behind it, as the chain reads both.
pub(crate) struct Signed {
    pub(crate) borsh_bytes: Vec<u8>,
    /// SHA-256 of the message's bytes: what is signed.
    pub(crate) hash: CryptoHash,
    pub(crate) signature: Signature,
}

/// Encodes a message, signs its hash and appends the signature.
pub(crate) fn sign(
    message: &impl BorshSerialize,
    key: &SigningKey,
) -> Result<Signed, TransactionError> {
    let mut borsh_bytes = borsh::to_vec(message).map_err(|_| TransactionError::Unencodable)?;
    let hash = CryptoHash::of(&borsh_bytes);
    let signature = Signature::Ed25519(key.sign(&hash.0).to_bytes());
    borsh::to_writer(&mut borsh_bytes, &signature).map_err(|_| TransactionError::Unencodable)?;
    Ok(Signed {
        borsh_bytes,
        hash,
        signature,
    })
}
