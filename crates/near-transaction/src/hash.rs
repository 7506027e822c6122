//! SHA-256 hashes as the chain writes them.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use borsh::{BorshDeserialize, BorshSerialize};
use sha2::{Digest, Sha256};

use crate::TransactionError;

/// A SHA-256 hash of 32 bytes; its text is base58.
#[derive(Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct CryptoHash(pub [u8; 32]);

impl CryptoHash {
    /// Hashes `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

impl FromStr for CryptoHash {
    type Err = TransactionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut hash = [0; 32];
        match bs58::decode(text).onto(hash.as_mut_slice()) {
            Ok(32) => Ok(Self(hash)),
            _ => Err(TransactionError::InvalidBlockHash),
        }
    }
}

impl Display for CryptoHash {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        out.write_str(&bs58::encode(self.0).into_string())
    }
}
