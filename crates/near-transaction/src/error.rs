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
    /// Not the text of a public key.
    #[error(
        "public_key must be ed25519: and base58 of 32 bytes, secp256k1: and base58 of 64 bytes, or ml-dsa-65: and base58 of 1952 bytes"
    )]
    InvalidPublicKey,
    /// Not the text of a key as the chain stores it.
    #[error(
        "access_keys must be ed25519: and base58 of 32 bytes, secp256k1: and base58 of 64 bytes, or ml-dsa-65-hash: and base58 of 32 bytes"
    )]
    InvalidHandle,
    /// A gas key without lanes, or with more than the chain takes.
    #[error("num_nonces must be 1 to 1024")]
    InvalidLaneCount,
    /// A gas key with an allowance.
    #[error("a gas key has no allowance: its balance is its limit")]
    GasKeyAllowance,
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
    /// The keys of a first state are not in ascending order, each once.
    #[error(
        "access_keys must name each key once: ed25519, secp256k1, ml-dsa-65-hash, each in ascending order of its bytes"
    )]
    UnsortedKeys,
    /// A first state by NEP-616 that names keys.
    #[error("the state_init of DeterministicStateInit has no access_keys")]
    StateWithKeys,
    /// A delegate with a lane or a strict nonce.
    #[error("a delegate has neither a lane nor a strict nonce")]
    DelegateVersion,
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
