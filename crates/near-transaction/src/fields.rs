//! The shapes in which TypeScript hands actions over, and the one place where they are checked.
//!
//! Every field is optional here, so that a missing one is named by the specification's text and not by a decoder's.

use serde::Deserialize;

use crate::{
    AccessKey, AccessKeyPermission, AccountId, Action, Balance, FunctionCallPermission, Gas,
    PublicKey, TransactionError, TransactionRequest, parse_account_id,
};

/// A transaction to sign, as it arrives.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TransactionRequestFields {
    /// The receiver's account id.
    pub receiver_id: Option<String>,
    /// The actions, in order.
    pub actions: Vec<ActionFields>,
}

/// An action, as it arrives: its type and the fields of any type.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the fields are those of `Action`")]
pub struct ActionFields {
    pub r#type: Option<String>,
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

/// An access key, as it arrives.
#[derive(Debug, Clone, Deserialize)]
pub struct AccessKeyFields {
    /// What the key may do.
    pub permission: PermissionFields,
}

/// What a key may do, as it arrives.
#[derive(Debug, Clone, Deserialize)]
pub enum PermissionFields {
    /// Everything.
    FullAccess,
    /// Call methods of one contract.
    FunctionCall(FunctionCallFields),
}

/// The bounds of a function-call key, as they arrive.
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
