//! The actions: the checked types, the input, and the check between.
//!
//! TypeScript's `Action` is typed from [`Action`]. Input is read as [`ActionFields`], where every field is optional, so
//! that the specification's text names a missing field, and not a decoder's.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::{Deserialize, Serialize};

use crate::global_contract::{
    DeterministicStateInit, GlobalContractDeployMode, GlobalContractIdentifier,
    GlobalContractIdentifierFields, StateInitFields,
};
use crate::universal_account::UniversalStateInit;
use crate::{
    AccessKey, AccessKeyFields, AccountId, Args, ArgsFields, Balance, Gas, PublicKey,
    TransactionError, parse_account_id,
};

/// One action of a transaction. The numbers are the chain's encoding, without delegates (8 and 14).
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize, Serialize)]
#[serde(tag = "type", rename_all_fields = "camelCase")]
#[borsh(use_discriminant = true)]
#[repr(u8)]
#[cfg_attr(feature = "ts", derive(tsify::Tsify))]
pub enum Action {
    /// Creates the receiver's account.
    CreateAccount = 0,
    /// Puts a contract on the account.
    DeployContract {
        /// The contract's WASM, at least one byte.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
        code: Vec<u8>,
    } = 1,
    /// Calls a method of a contract.
    FunctionCall {
        /// The method's name, not empty.
        method_name: String,
        /// The arguments: JSON text, sent as its UTF-8 bytes, or any other bytes.
        #[cfg_attr(feature = "ts", tsify(type = "string | Uint8Array"))]
        args: Args,
        /// Gas attached, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        gas: Gas,
        /// yoctoNEAR attached, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        deposit: Balance,
    } = 2,
    /// Sends tokens.
    Transfer {
        /// yoctoNEAR, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        amount: Balance,
    } = 3,
    /// Stakes tokens with a validator's key.
    Stake {
        /// yoctoNEAR, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        stake: Balance,
        /// The validator's key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
    } = 4,
    /// Gives a key access to the account.
    AddKey {
        /// The key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
        /// What it may do.
        access_key: AccessKey,
    } = 5,
    /// Removes a key from the account.
    DeleteKey {
        /// The key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
    } = 6,
    /// Deletes the account.
    DeleteAccount {
        /// The account that gets the remaining balance.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        beneficiary_id: AccountId,
    } = 7,
    /// Puts code on the chain for every account to use (NEP-591).
    DeployGlobalContract {
        /// The contract's WASM, at least one byte.
        #[serde(with = "serde_bytes")]
        #[cfg_attr(feature = "ts", tsify(type = "Uint8Array"))]
        code: Vec<u8>,
        /// How others name it.
        deploy_mode: GlobalContractDeployMode,
    } = 9,
    /// Makes the account run a global contract.
    UseGlobalContract {
        /// The contract.
        contract_identifier: GlobalContractIdentifier,
    } = 10,
    /// Creates the receiver, whose id the chain derives from this state (NEP-616), or pays its deposit if it is there.
    DeterministicStateInit {
        /// The account's first state.
        state_init: DeterministicStateInit,
        /// yoctoNEAR attached, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        deposit: Balance,
    } = 11,
    /// Pays into a gas key of the receiver, for the gas of what it signs (NEP-611); anybody may.
    TransferToGasKey {
        /// The gas key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
        /// yoctoNEAR, a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        deposit: Balance,
    } = 12,
    /// Takes back from a gas key of one's own account.
    WithdrawFromGasKey {
        /// The gas key.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        public_key: PublicKey,
        /// yoctoNEAR, at most the key's balance; a decimal string.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        amount: Balance,
    } = 13,
    /// Installs contract, storage and keys on the universal account `0u…` whose id is this state's hash.
    UniversalStateInit {
        /// The account's first state.
        state_init: UniversalStateInit,
        /// yoctoNEAR attached, a decimal string: what the storage needs stays, the rest comes back.
        #[cfg_attr(feature = "ts", tsify(type = "string"))]
        deposit: Balance,
    } = 15,
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
    pub args: Option<ArgsFields>,
    pub gas: Option<String>,
    pub deposit: Option<String>,
    pub amount: Option<String>,
    pub stake: Option<String>,
    pub public_key: Option<String>,
    pub access_key: Option<AccessKeyFields>,
    pub beneficiary_id: Option<String>,
    pub deploy_mode: Option<GlobalContractDeployMode>,
    pub contract_identifier: Option<GlobalContractIdentifierFields>,
    pub state_init: Option<StateInitFields>,
}

impl TryFrom<ActionFields> for Action {
    type Error = TransactionError;

    fn try_from(fields: ActionFields) -> Result<Self, Self::Error> {
        match fields.r#type.as_deref() {
            Some("CreateAccount") => Ok(Self::CreateAccount),
            Some("DeployContract") => Ok(Self::DeployContract {
                code: code(fields.code, "DeployContract")?,
            }),
            Some("FunctionCall") => function_call(fields),
            Some("Transfer") => transfer(fields),
            Some("Stake") => stake(fields),
            Some("AddKey") => add_key(fields),
            Some("DeleteKey") => delete_key(fields),
            Some("DeleteAccount") => delete_account(fields),
            Some("DeployGlobalContract") => deploy_global_contract(fields),
            Some("UseGlobalContract") => use_global_contract(fields),
            Some("DeterministicStateInit") => deterministic_state_init(fields),
            Some("TransferToGasKey") => transfer_to_gas_key(fields),
            Some("WithdrawFromGasKey") => withdraw_from_gas_key(fields),
            Some("UniversalStateInit") => universal_state_init(fields),
            _ => Err(TransactionError::UnsupportedActionType),
        }
    }
}

fn code(code: Option<Vec<u8>>, action: &'static str) -> Result<Vec<u8>, TransactionError> {
    code.filter(|code| !code.is_empty())
        .ok_or(missing(action, "code"))
}

fn function_call(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "FunctionCall";
    let method_name = required(fields.method_name, ACTION, "method_name")?;
    let args = match fields.args {
        Some(ArgsFields::Bytes(bytes)) => Some(Args::from_bytes(bytes)),
        Some(ArgsFields::Text(text)) if !text.is_empty() => {
            latchkey_json::validate(&text).map_err(|_| TransactionError::InvalidArgs)?;
            Some(Args::Json(text))
        }
        _ => None,
    };
    let args = args.ok_or(missing(ACTION, "args"))?;
    let gas = required(fields.gas, ACTION, "gas")?;
    Ok(Action::FunctionCall {
        method_name,
        args,
        gas: Gas::parse(&gas, "gas")?,
        deposit: balance(fields.deposit, ACTION, "deposit")?,
    })
}

fn transfer(fields: ActionFields) -> Result<Action, TransactionError> {
    // The specification's name for it: the digest's text, too, says `deposit`.
    Ok(Action::Transfer {
        amount: balance(fields.amount, "Transfer", "deposit")?,
    })
}

fn stake(fields: ActionFields) -> Result<Action, TransactionError> {
    let stake = balance(fields.stake, "Stake", "stake")?;
    Ok(Action::Stake {
        public_key: public_key(fields.public_key, "Stake")?,
        stake,
    })
}

fn add_key(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "AddKey";
    let public_key = public_key(fields.public_key, ACTION)?;
    let access_key = fields.access_key.ok_or(missing(ACTION, "access_key"))?;
    Ok(Action::AddKey {
        public_key,
        access_key: access_key.try_into()?,
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

fn deploy_global_contract(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "DeployGlobalContract";
    Ok(Action::DeployGlobalContract {
        code: code(fields.code, ACTION)?,
        deploy_mode: fields.deploy_mode.ok_or(missing(ACTION, "deploy_mode"))?,
    })
}

fn use_global_contract(fields: ActionFields) -> Result<Action, TransactionError> {
    let identifier = fields.contract_identifier;
    let identifier = identifier.ok_or(missing("UseGlobalContract", "contract_identifier"))?;
    Ok(Action::UseGlobalContract {
        contract_identifier: identifier.try_into()?,
    })
}

fn deterministic_state_init(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "DeterministicStateInit";
    let state_init = fields.state_init.ok_or(missing(ACTION, "state_init"))?;
    Ok(Action::DeterministicStateInit {
        state_init: state_init.try_into()?,
        deposit: balance(fields.deposit, ACTION, "deposit")?,
    })
}

fn transfer_to_gas_key(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "TransferToGasKey";
    Ok(Action::TransferToGasKey {
        public_key: public_key(fields.public_key, ACTION)?,
        deposit: balance(fields.deposit, ACTION, "deposit")?,
    })
}

fn withdraw_from_gas_key(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "WithdrawFromGasKey";
    Ok(Action::WithdrawFromGasKey {
        public_key: public_key(fields.public_key, ACTION)?,
        amount: balance(fields.amount, ACTION, "amount")?,
    })
}

fn universal_state_init(fields: ActionFields) -> Result<Action, TransactionError> {
    const ACTION: &str = "UniversalStateInit";
    let state_init = fields.state_init.ok_or(missing(ACTION, "state_init"))?;
    Ok(Action::UniversalStateInit {
        state_init: state_init.try_into()?,
        deposit: balance(fields.deposit, ACTION, "deposit")?,
    })
}

// Out of line, as `public_key` and `required` are: every action has its own call of them.
#[inline(never)]
fn balance(
    value: Option<String>,
    action: &'static str,
    field: &'static str,
) -> Result<Balance, TransactionError> {
    Balance::parse(&required(value, action, field)?, field)
}

#[inline(never)]
fn public_key(value: Option<String>, action: &'static str) -> Result<PublicKey, TransactionError> {
    required(value, action, "public_key")?.parse()
}

#[inline(never)]
pub(crate) fn required(
    value: Option<String>,
    action: &'static str,
    field: &'static str,
) -> Result<String, TransactionError> {
    value
        .filter(|value| !value.is_empty())
        .ok_or(missing(action, field))
}

pub(crate) const fn missing(action: &'static str, field: &'static str) -> TransactionError {
    TransactionError::MissingField { action, field }
}
