//! The eight actions and the two permissions of an access key: the checked types, the input, and the check between.
//!
//! TypeScript's `Action` is typed from [`Action`]. Input is read as [`ActionFields`], where every field is optional, so
//! that the specification's text names a missing field, and not a decoder's.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::{AccountId, Balance, Gas, PublicKey, TransactionError, parse_account_id};

/// One action of a transaction. The order of the variants is the chain's encoding.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum Action {
    /// Creates the receiver's account.
    CreateAccount,
    /// Puts a contract on the account.
    DeployContract {
        /// The contract's WASM, at least one byte.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
        code: Vec<u8>,
    },
    /// Calls a method of a contract.
    FunctionCall {
        /// The method's name, not empty.
        method_name: String,
        /// The arguments as JSON text, sent as its UTF-8 bytes.
        args: String,
        /// Gas attached, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        gas: Gas,
        /// yoctoNEAR attached, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        deposit: Balance,
    },
    /// Sends tokens.
    Transfer {
        /// yoctoNEAR, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        amount: Balance,
    },
    /// Stakes tokens with a validator's key.
    Stake {
        /// yoctoNEAR, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        stake: Balance,
        /// The validator's key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
    },
    /// Gives a key access to the account.
    AddKey {
        /// The key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
        /// What it may do.
        access_key: AccessKey,
    },
    /// Removes a key from the account.
    DeleteKey {
        /// The key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
    },
    /// Deletes the account.
    DeleteAccount {
        /// The account that gets the remaining balance.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        beneficiary_id: AccountId,
    },
}

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
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum AccessKeyPermission {
    /// Call methods of one contract, without a deposit.
    FunctionCall(FunctionCallPermission),
    /// Everything.
    FullAccess,
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

/// An action as input: its type and the fields of every type.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the fields are those of `Action`")]
pub struct ActionFields {
    pub r#type: Option<String>,
    #[serde(with = "serde_bytes")]
    pub code: Option<Vec<u8>>,
    pub method_name: Option<String>,
    pub args: Option<String>,
    pub gas: Option<String>,
    pub deposit: Option<String>,
    pub amount: Option<String>,
    pub stake: Option<String>,
    pub public_key: Option<String>,
    pub access_key: Option<AccessKeyFields>,
    pub beneficiary_id: Option<String>,
}

/// An access key as input.
#[derive(Debug, Clone, Deserialize)]
pub struct AccessKeyFields {
    /// What the key may do.
    pub permission: PermissionFields,
}

/// What a key may do, as input.
#[derive(Debug, Clone, Deserialize)]
pub enum PermissionFields {
    /// Everything.
    FullAccess,
    /// Call methods of one contract.
    FunctionCall(FunctionCallFields),
}

/// The bounds of a function-call key, as input.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(
    missing_docs,
    reason = "the fields are those of `FunctionCallPermission`"
)]
pub struct FunctionCallFields {
    pub allowance: Option<String>,
    pub receiver_id: Option<String>,
    pub method_names: Option<Vec<String>>,
}

impl TryFrom<ActionFields> for Action {
    type Error = TransactionError;

    fn try_from(fields: ActionFields) -> Result<Self, Self::Error> {
        match fields.r#type.as_deref() {
            Some("CreateAccount") => Ok(Self::CreateAccount),
            Some("DeployContract") => deploy_contract(fields),
            Some("FunctionCall") => function_call(fields),
            Some("Transfer") => transfer(fields),
            Some("Stake") => stake(fields),
            Some("AddKey") => add_key(fields),
            Some("DeleteKey") => delete_key(fields),
            Some("DeleteAccount") => delete_account(fields),
            _ => Err(TransactionError::UnsupportedActionType),
        }
    }
}

fn deploy_contract(fields: ActionFields) -> Result<Action, TransactionError> {
    let code = fields.code.filter(|code| !code.is_empty());
    let code = code.ok_or(TransactionError::MissingField {
        action: "DeployContract",
        field: "code",
    })?;
    Ok(Action::DeployContract { code })
}

fn function_call(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "FunctionCall";
    let method_name = required(fields.method_name, ACTION, "method_name")?;
    let args = required(fields.args, ACTION, "args")?;
    let gas = required(fields.gas, ACTION, "gas")?;
    let deposit = required(fields.deposit, ACTION, "deposit")?;
    latchkey_json::validate(&args).map_err(|_| TransactionError::InvalidArgs)?;
    Ok(Action::FunctionCall {
        method_name,
        args,
        gas: Gas::parse(&gas, "gas")?,
        deposit: Balance::parse(&deposit, "deposit")?,
    })
}

fn transfer(fields: ActionFields) -> Result<Action, TransactionError> {
    // The specification's name for it: the digest's text, too, says `deposit`.
    let amount = required(fields.amount, "Transfer", "deposit")?;
    Ok(Action::Transfer {
        amount: Balance::parse(&amount, "deposit")?,
    })
}

fn stake(fields: ActionFields) -> Result<Action, TransactionError> {
    let stake = required(fields.stake, "Stake", "stake")?;
    Ok(Action::Stake {
        public_key: public_key(fields.public_key, "Stake")?,
        stake: Balance::parse(&stake, "stake")?,
    })
}

fn add_key(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "AddKey";
    let public_key = public_key(fields.public_key, ACTION)?;
    let access_key = fields.access_key.ok_or(TransactionError::MissingField {
        action: ACTION,
        field: "access_key",
    })?;
    let permission = match access_key.permission {
        PermissionFields::FullAccess => AccessKeyPermission::FullAccess,
        PermissionFields::FunctionCall(bounds) => {
            AccessKeyPermission::FunctionCall(FunctionCallPermission {
                allowance: bounds
                    .allowance
                    .map(|allowance| Balance::parse(&allowance, "allowance"))
                    .transpose()?,
                receiver_id: parse_account_id(
                    &required(bounds.receiver_id, ACTION, "receiver_id")?,
                    "receiver_id",
                )?,
                // An absent list must not come to mean every method.
                method_names: bounds.method_names.ok_or(TransactionError::MissingField {
                    action: ACTION,
                    field: "method_names",
                })?,
            })
        }
    };
    Ok(Action::AddKey {
        public_key,
        access_key: AccessKey {
            nonce: 0,
            permission,
        },
    })
}

fn delete_key(fields: ActionFields) -> Result<Action, TransactionError> {
    Ok(Action::DeleteKey {
        public_key: public_key(fields.public_key, "DeleteKey")?,
    })
}

fn delete_account(fields: ActionFields) -> Result<Action, TransactionError> {
    let beneficiary_id = required(fields.beneficiary_id, "DeleteAccount", "beneficiary_id")?;
    let beneficiary_id: AccountId = parse_account_id(&beneficiary_id, "beneficiary_id")?;
    Ok(Action::DeleteAccount { beneficiary_id })
}

fn public_key(value: Option<String>, action: &'static str) -> Result<PublicKey, TransactionError> {
    required(value, action, "public_key")?.parse()
}

fn required(
    value: Option<String>,
    action: &'static str,
    field: &'static str,
) -> Result<String, TransactionError> {
    value
        .filter(|value| !value.is_empty())
        .ok_or(TransactionError::MissingField { action, field })
}
