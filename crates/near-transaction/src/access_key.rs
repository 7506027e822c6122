//! What a key may do on an account: the four permissions, their input, and the check between.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::action::{missing, required};
use crate::{AccountId, Balance, TransactionError, parse_account_id};

/// Most lanes of a gas key (near-primitives-core, `MAX_NONCES_FOR_GAS_KEY`).
const MAX_LANES: u16 = 1_024;

const ADD_KEY: &str = "AddKey";

/// A key's access to an account.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct AccessKey {
    /// Always 0 here: the chain sets it.
    #[serde(skip)]
    pub nonce: u64,
    /// What the key may do.
    pub permission: AccessKeyPermission,
}

/// What a key may do. The order of the variants is the chain's encoding.
///
/// A gas key (NEP-611, from protocol 85) pays for gas from a balance of its own, and has lanes: nonces side by side.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum AccessKeyPermission {
    /// Call methods of one contract, without a deposit.
    FunctionCall(FunctionCallPermission),
    /// Everything.
    FullAccess,
    /// As `FunctionCall`, with gas from the key's balance.
    GasKeyFunctionCall(GasKeyFunctionCallPermission),
    /// Everything, with gas from the key's balance.
    GasKeyFullAccess(GasKeyPermission),
}

/// The bounds of a function-call key.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct FunctionCallPermission {
    /// yoctoNEAR that it may spend on gas, a decimal string; null for no limit.
    #[cfg_attr(feature = "ts", tsify(type = "string | null"))]
    pub allowance: Option<Balance>,
    /// The contract.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// The methods; an empty list means every method.
    pub method_names: Vec<String>,
}

/// The lanes of a gas key.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct GasKeyPermission {
    /// Always 0 here: a new key is empty, and is filled by `TransferToGasKey`.
    #[serde(skip)]
    pub balance: Balance,
    /// The number of lanes, 1 to 1024. The account holds 83 bytes for each where the key is an ed25519 key.
    pub num_nonces: u16,
}

/// The lanes and the bounds of a gas key for calls.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub struct GasKeyFunctionCallPermission {
    /// Always 0 here, as of every new gas key.
    #[serde(skip)]
    pub balance: Balance,
    /// The number of lanes, 1 to 1024.
    pub num_nonces: u16,
    /// Always none here: the chain takes no allowance, since the balance is the limit.
    #[serde(skip)]
    pub allowance: Option<Balance>,
    /// The contract.
    #[cfg_attr(feature = "ts", tsify(type = "string"))]
    pub receiver_id: AccountId,
    /// The methods; an empty list means every method.
    pub method_names: Vec<String>,
}

/// An access key as input.
#[derive(Debug, Clone, Deserialize)]
pub struct AccessKeyFields {
    /// What the key may do.
    pub permission: PermissionFields,
}

/// What a key may do, as input.
#[derive(Debug, Clone, Deserialize)]
#[expect(
    missing_docs,
    reason = "the variants are those of `AccessKeyPermission`"
)]
pub enum PermissionFields {
    FullAccess,
    FunctionCall(BoundsFields),
    GasKeyFunctionCall(BoundsFields),
    GasKeyFullAccess(BoundsFields),
}

/// The bounds of a key, as input: the fields of every permission.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the fields are those of the permissions")]
pub struct BoundsFields {
    pub allowance: Option<String>,
    pub receiver_id: Option<String>,
    pub method_names: Option<Vec<String>>,
    pub num_nonces: Option<u16>,
}

impl TryFrom<AccessKeyFields> for AccessKey {
    type Error = TransactionError;

    fn try_from(AccessKeyFields { permission }: AccessKeyFields) -> Result<Self, Self::Error> {
        let permission = match permission {
            PermissionFields::FullAccess => AccessKeyPermission::FullAccess,
            PermissionFields::FunctionCall(bounds) => {
                AccessKeyPermission::FunctionCall(bounds.try_into()?)
            }
            PermissionFields::GasKeyFullAccess(bounds) => {
                AccessKeyPermission::GasKeyFullAccess(GasKeyPermission {
                    balance: Balance(0),
                    num_nonces: lanes(bounds.num_nonces)?,
                })
            }
            PermissionFields::GasKeyFunctionCall(bounds) => {
                let num_nonces = lanes(bounds.num_nonces)?;
                let FunctionCallPermission {
                    allowance,
                    receiver_id,
                    method_names,
                } = bounds.try_into()?;
                if allowance.is_some() {
                    return Err(TransactionError::GasKeyAllowance);
                }
                AccessKeyPermission::GasKeyFunctionCall(GasKeyFunctionCallPermission {
                    balance: Balance(0),
                    num_nonces,
                    allowance,
                    receiver_id,
                    method_names,
                })
            }
        };
        Ok(Self {
            nonce: 0,
            permission,
        })
    }
}

impl TryFrom<BoundsFields> for FunctionCallPermission {
    type Error = TransactionError;

    fn try_from(bounds: BoundsFields) -> Result<Self, Self::Error> {
        Ok(Self {
            allowance: bounds
                .allowance
                .map(|allowance| Balance::parse(&allowance, "allowance"))
                .transpose()?,
            receiver_id: parse_account_id(
                &required(bounds.receiver_id, ADD_KEY, "receiver_id")?,
                "receiver_id",
            )?,
            // An absent list must not come to mean every method.
            method_names: bounds
                .method_names
                .ok_or(missing(ADD_KEY, "method_names"))?,
        })
    }
}

fn lanes(num_nonces: Option<u16>) -> Result<u16, TransactionError> {
    num_nonces
        .filter(|lanes| (1..=MAX_LANES).contains(lanes))
        .ok_or(TransactionError::InvalidLaneCount)
}
