//! Why a transaction cannot be made, signed or read.

use std::borrow::Cow;
use std::io;

use thiserror::Error;

/// Why a transaction cannot be made, signed or read. Holds names of fields, never a value of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TransactionError {
    /// A field that this type of action needs is absent or empty.
    #[error("{field} required for {action}")]
    MissingField {
        /// The action's type.
        action: &'static str,
        /// The field's name, in `snake_case` as in the digest's text.
        field: &'static str,
    },
    /// The arguments of a function call are no JSON text.
    #[error("FunctionCall action args must be valid JSON string")]
    InvalidArgs,
    /// A type that is not known here.
    #[error("Unsupported action type")]
    UnsupportedActionType,
    /// No transaction at all.
    #[error("No payloads provided for signing")]
    NoTransactions,
    /// A transaction without a receiver.
    #[error("receiver_id required for each transaction")]
    MissingReceiver,
    /// Not a whole number in decimal digits, or too large for its type.
    #[error(
        "{field} must be a whole number as a decimal string, without sign or leading zeros, within range"
    )]
    InvalidNumber {
        /// The field's name.
        field: &'static str,
    },
    /// Not `ed25519:` or `secp256k1:` and base58 of 32 or 64 bytes.
    #[error(
        "public_key must be ed25519: and base58 of 32 bytes, or secp256k1: and base58 of 64 bytes"
    )]
    InvalidPublicKey,
    /// Not an account id by the chain's rules.
    #[error("{field} is not a valid account id")]
    InvalidAccountId {
        /// The field's name.
        field: &'static str,
    },
    /// Not base58 of 32 bytes.
    #[error("block hash must be base58 of 32 bytes")]
    InvalidBlockHash,
    /// The hash of a global contract's code is not base58 of 32 bytes.
    #[error("contract_identifier must be base58 of 32 bytes, or an account id")]
    InvalidCodeHash,
    /// The entries of a first state are not in ascending order of their keys, each key once.
    #[error("state_init must name each key once, in ascending order")]
    UnsortedState,
    /// Another count of nonces than of transactions.
    #[error("one nonce is needed for each transaction")]
    NonceCount,
    /// The private key is not the one of the transaction's public key.
    #[error("private key does not belong to the public key of the transaction")]
    KeyMismatch,
    /// The value cannot be encoded (a length over 4 GiB).
    #[error("transaction cannot be encoded")]
    Unencodable,
    /// Not the borsh encoding of a signed transaction.
    #[error("not a borsh-encoded signed transaction")]
    Undecodable,
}

/// Why a relay does not accept the bytes of a signed delegate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DelegateError {
    /// Not the borsh encoding of a signed delegate, or larger than the chain accepts.
    #[error("signedDelegate is malformed: {0}.")]
    Malformed(Cow<'static, str>),
    /// The delegate holds an action that the chain accepts and the relay never pays for.
    #[error("This relay does not pay for {0}.")]
    Unsupported(&'static str),
}

impl From<io::Error> for DelegateError {
    fn from(error: io::Error) -> Self {
        error
            .downcast()
            .unwrap_or_else(|borsh| Self::Malformed(borsh.to_string().into()))
    }
}
