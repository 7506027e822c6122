//! Delegate actions (NEP-366): actions that one account signs and another pays for.

use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::SigningKey;
use serde::Serialize;

use crate::{AccountId, Action, CryptoHash, Nonce, PublicKey, TransactionError, signature::sign};

/// 2^30 + 366, before the delegate's encoding where it is hashed (NEP-461): no delegate's hash is a transaction's.
pub(crate) const TAG: u32 = 1_073_742_190;

/// Actions that another account may bring to the chain. The order of the fields is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct DelegateAction {
    /// The account that signs, and that the actions come from.
    pub sender_id: AccountId,
    /// The account that the actions run on.
    pub receiver_id: AccountId,
    /// The actions, in order; the chain takes no delegate among them.
    pub actions: Vec<Action>,
    /// The key's nonce, above its last one.
    pub nonce: Nonce,
    /// The last block that may carry it.
    pub max_block_height: u64,
    /// The key that signs.
    pub public_key: PublicKey,
}

/// A delegate action with its signature, ready for a relayer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct SignedDelegate {
    /// The signed hash: SHA-256 of the tag and the delegate's borsh bytes, base58.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub hash: CryptoHash,
    /// The borsh encoding of delegate and signature.
    #[serde(with = "serde_bytes")]
    #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
    pub borsh_bytes: Vec<u8>,
    /// The last block that may carry it, a decimal string.
    #[serde(serialize_with = "crate::as_text")]
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub max_block_height: u64,
}

impl DelegateAction {
    /// Signs with `key`, which must be the one of the delegate's public key.
    ///
    /// # Errors
    /// [`TransactionError::KeyMismatch`] or [`TransactionError::Unencodable`].
    pub fn sign(&self, key: &SigningKey) -> Result<SignedDelegate, TransactionError> {
        if self.public_key != PublicKey::Ed25519(key.verifying_key().to_bytes()) {
            return Err(TransactionError::KeyMismatch);
        }
        let mut signed = sign(&(TAG, self), key)?;
        signed.borsh_bytes.drain(..size_of_val(&TAG));
        Ok(SignedDelegate {
            hash: signed.hash,
            borsh_bytes: signed.borsh_bytes,
            max_block_height: self.max_block_height,
        })
    }
}
