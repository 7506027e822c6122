//! NEAR actions and transactions: borsh encoding, hash and signature.
//!
//! A value of a type here is valid by construction: TypeScript's input is read as loose fields
//! ([`ActionFields`], [`TransactionRequestFields`]) and parsed once into [`Action`] and [`TransactionRequest`].
//! Amounts, gas and nonces cross as decimal strings, since they do not fit a JavaScript number; bytes as
//! `Uint8Array`. The encoding is the chain's own (near-primitives 0.38, `Transaction` of versions 0 and 1).
//! The feature `ts` types the wire types for TypeScript.

#![forbid(unsafe_code)]

mod access_key;
mod action;
mod args;
mod decimal;
mod delegate;
mod error;
mod global_contract;
mod hash;
mod public_key;
mod received;
mod signature;
mod transaction;
mod universal_account;

use std::fmt::Display;

pub use access_key::{
    AccessKey, AccessKeyFields, AccessKeyPermission, BoundsFields, FunctionCallPermission,
    GasKeyFunctionCallPermission, GasKeyPermission, PermissionFields,
};
pub use action::{Action, ActionFields};
pub use args::{Args, ArgsFields};
pub use decimal::{Balance, Gas, Nonce};
pub use delegate::{DelegateAction, SignedDelegate};
pub use error::{DelegateError, TransactionError};
pub use global_contract::{
    DeterministicStateInit, GlobalContractDeployMode, GlobalContractIdentifier,
    GlobalContractIdentifierFields, StateEntry, StateInitFields, StateInitV1, StateInitV1Fields,
};
pub use hash::CryptoHash;
pub use near_account_id::AccountId;
pub use public_key::{ML_DSA_65_KEY_BYTES, PublicKey, PublicKeyHandle};
pub use received::{ActionKind, ReceivedAction, ReceivedDelegate, SignedCarrier};
pub use signature::Signature;
pub use transaction::{
    NonceMode, SignedTransaction, Transaction, TransactionRequest, TransactionRequestFields,
    Version1,
};
pub use universal_account::{UniversalStateInit, UniversalStateInitV1};

/// Reads an account id by the chain's rules: 2 to 64 characters, `a-z 0-9`, single `-`, `_` or `.` between them.
///
/// # Errors
/// [`TransactionError::InvalidAccountId`], naming `field`.
pub fn parse_account_id(text: &str, field: &'static str) -> Result<AccountId, TransactionError> {
    text.parse()
        .map_err(|_| TransactionError::InvalidAccountId { field })
}

/// Writes a value as its text, in serde.
fn as_text<S: serde::Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

macro_rules! serialized_as_text {
    ($($name:ty),*) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                as_text(self, serializer)
            }
        }
    )*};
}

serialized_as_text!(
    Balance,
    CryptoHash,
    Gas,
    Nonce,
    PublicKey,
    PublicKeyHandle,
    Signature
);
