//! Global contracts (NEP-591), and the accounts whose ids come from their first state (NEP-616).

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::action::missing;
use crate::{AccountId, CryptoHash, TransactionError, parse_account_id};

/// How other accounts name a global contract. The order of the variants is the chain's encoding.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize,
)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum GlobalContractDeployMode {
    /// By the hash of its code, which never changes.
    CodeHash,
    /// By the account that deployed it, which can change it for all of its users.
    AccountId,
}

/// A global contract. The order of the variants is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum GlobalContractIdentifier {
    /// SHA-256 of its code, base58 of 32 bytes.
    CodeHash(#[cfg_attr(feature = "ts", tsify(type = "string"))] CryptoHash),
    /// The account that deployed it.
    AccountId(#[cfg_attr(feature = "ts", tsify(type = "string"))] AccountId),
}

/// A global contract as input.
#[derive(Debug, Clone, Deserialize)]
#[expect(
    missing_docs,
    reason = "the variants are those of `GlobalContractIdentifier`"
)]
pub enum GlobalContractIdentifierFields {
    CodeHash(String),
    AccountId(String),
}

impl TryFrom<GlobalContractIdentifierFields> for GlobalContractIdentifier {
    type Error = TransactionError;

    fn try_from(fields: GlobalContractIdentifierFields) -> Result<Self, Self::Error> {
        match fields {
            GlobalContractIdentifierFields::CodeHash(hash) => hash
                .parse()
                .map(Self::CodeHash)
                .map_err(|_| TransactionError::InvalidCodeHash),
            GlobalContractIdentifierFields::AccountId(id) => {
                parse_account_id(&id, "contract_identifier").map(Self::AccountId)
            }
        }
    }
}

/// The first state of an account whose id the chain derives from it. The order of the variants is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum DeterministicStateInit {
    /// The only version.
    V1(StateInitV1),
}

/// A contract and its storage.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct StateInitV1 {
    /// The contract that the account runs.
    pub code: GlobalContractIdentifier,
    /// The entries of its storage, in ascending order of their keys, each key once.
    pub data: Vec<StateEntry>,
}

/// An entry of a contract's storage.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct StateEntry {
    /// May be empty.
    #[serde(with = "serde_bytes")]
    #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
    pub key: Vec<u8>,
    /// May be empty.
    #[serde(with = "serde_bytes")]
    #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
    pub value: Vec<u8>,
}

/// A first state as input.
#[derive(Debug, Clone, Deserialize)]
#[expect(
    missing_docs,
    reason = "the variants are those of `DeterministicStateInit`"
)]
pub enum StateInitFields {
    V1(StateInitV1Fields),
}

/// A contract, its storage and its keys, as input: the fields of both kinds of first state.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(
    missing_docs,
    reason = "the fields are those of `StateInitV1` and of `UniversalStateInitV1`"
)]
pub struct StateInitV1Fields {
    pub code: Option<GlobalContractIdentifierFields>,
    pub data: Vec<StateEntry>,
    pub access_keys: Option<Vec<String>>,
}

impl TryFrom<StateInitFields> for DeterministicStateInit {
    type Error = TransactionError;

    fn try_from(StateInitFields::V1(fields): StateInitFields) -> Result<Self, Self::Error> {
        const ACTION: &str = "DeterministicStateInit";
        let code = fields.code.ok_or(missing(ACTION, "code"))?;
        if fields.access_keys.is_some() {
            return Err(TransactionError::StateWithKeys);
        }
        Ok(Self::V1(StateInitV1 {
            code: code.try_into()?,
            data: in_order(fields.data)?,
        }))
    }
}

/// The entries of a storage, if they are in ascending order of their keys, each key once.
pub(crate) fn in_order(data: Vec<StateEntry>) -> Result<Vec<StateEntry>, TransactionError> {
    if data.is_sorted_by(|one, next| one.key < next.key) {
        Ok(data)
    } else {
        Err(TransactionError::UnsortedState)
    }
}
