//! Transactions: as requested, as signed, as sent.

use borsh::{BorshDeserialize, BorshSerialize};
use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};

use crate::{
    AccountId, Action, ActionFields, CryptoHash, Nonce, PublicKey, Signature, TransactionError,
    parse_account_id, signature::sign,
};

/// A transaction to sign, without its signer, nonce and block.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify), serde(rename_all = "camelCase"))]
pub struct TransactionRequest {
    /// The receiver's account id.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// The actions, in order.
    pub actions: Vec<Action>,
}

/// A transaction to sign, as input.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TransactionRequestFields {
    /// The receiver's account id.
    pub receiver_id: Option<String>,
    /// The actions, in order.
    pub actions: Vec<ActionFields>,
}

impl TryFrom<TransactionRequestFields> for TransactionRequest {
    type Error = TransactionError;

    fn try_from(fields: TransactionRequestFields) -> Result<Self, Self::Error> {
        let receiver_id = fields
            .receiver_id
            .filter(|id| !id.is_empty())
            .ok_or(TransactionError::MissingReceiver)?;
        Ok(Self {
            receiver_id: parse_account_id(&receiver_id, "receiver_id")?,
            actions: fields
                .actions
                .into_iter()
                .map(Action::try_from)
                .collect::<Result<_, _>>()?,
        })
    }
}

/// A transaction as the chain knows it (version 0). The order of the fields is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct Transaction {
    /// The account that signs.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub signer_id: AccountId,
    /// The key that signs.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub public_key: PublicKey,
    /// The key's nonce, above its last one; a decimal string.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub nonce: Nonce,
    /// The account that the actions run on.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// A recent block, base58.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub block_hash: CryptoHash,
    /// The actions, in order.
    pub actions: Vec<Action>,
}

/// A transaction with its signature, ready to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify), tsify(missing_as_null))]
pub struct SignedTransaction {
    /// The transaction, to read.
    pub transaction: Transaction,
    /// Of the transaction's hash; `ed25519:` and base58 of 64 bytes.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub signature: Signature,
    /// The borsh encoding of transaction and signature: what `send_tx` takes, in base64.
    #[serde(with = "serde_bytes")]
    #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
    pub borsh_bytes: Vec<u8>,
    /// The transaction's id: SHA-256 of the unsigned transaction's borsh bytes, base58.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub hash: CryptoHash,
}

impl Transaction {
    /// Signs with `key`, which must be the one of the transaction's public key.
    ///
    /// # Errors
    /// [`TransactionError::KeyMismatch`] or [`TransactionError::Unencodable`].
    pub fn sign(self, key: &SigningKey) -> Result<SignedTransaction, TransactionError> {
        if self.public_key != PublicKey::Ed25519(key.verifying_key().to_bytes()) {
            return Err(TransactionError::KeyMismatch);
        }
        let signed = sign(&self, key)?;
        Ok(SignedTransaction {
            transaction: self,
            signature: signed.signature,
            borsh_bytes: signed.borsh_bytes,
            hash: signed.hash,
        })
    }
}

impl SignedTransaction {
    /// Reads the borsh encoding of a signed transaction; bytes after its end are refused.
    ///
    /// # Errors
    /// [`TransactionError::Undecodable`].
    pub fn from_borsh(bytes: &[u8]) -> Result<Self, TransactionError> {
        let undecodable = |_| TransactionError::Undecodable;
        let mut rest = bytes;
        let transaction = Transaction::deserialize(&mut rest).map_err(undecodable)?;
        let unsigned_length = bytes.len().saturating_sub(rest.len());
        let unsigned = bytes
            .get(..unsigned_length)
            .ok_or(TransactionError::Undecodable)?;
        let hash = CryptoHash::of(unsigned);
        let signature = Signature::try_from_slice(rest).map_err(undecodable)?;
        Ok(Self {
            transaction,
            signature,
            borsh_bytes: bytes.to_vec(),
            hash,
        })
    }
}
