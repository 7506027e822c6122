//! The digest of transactions: an array of `{actions, receiverId}`, actions in the specification's `snake_case`.

use latchkey_near_transaction::{AccessKey, AccessKeyPermission, Action, TransactionRequest};

use crate::json::Json;
use crate::{IntentDigest, digest_of};

#[cfg(test)]
mod tests;

/// The digest that approves `transactions`, in this order.
#[must_use]
pub fn transactions_digest(transactions: &[TransactionRequest]) -> IntentDigest {
    digest_of(&transactions_text(transactions))
}

/// The canonical JSON that [`transactions_digest`] hashes.
#[must_use]
pub fn transactions_text(transactions: &[TransactionRequest]) -> String {
    Json::Array(transactions.iter().map(transaction).collect()).to_string()
}

fn transaction(transaction: &TransactionRequest) -> Json<'_> {
    Json::object([
        ("receiverId", Json::text(transaction.receiver_id.as_str())),
        ("actions", Json::Array(transaction.actions.iter().map(action).collect())),
    ])
}

fn action(action: &Action) -> Json<'_> {
    match action {
        Action::CreateAccount => typed("CreateAccount", []),
        Action::DeployContract { code } => typed("DeployContract", [("code", Json::Bytes(code))]),
        Action::FunctionCall { method_name, args, gas, deposit } => typed("FunctionCall", [
            ("method_name", Json::text(method_name)),
            ("args", Json::text(args)),
            ("gas", Json::text(gas.to_string())),
            ("deposit", Json::text(deposit.to_string())),
        ]),
        Action::Transfer { amount } => typed("Transfer", [("deposit", Json::text(amount.to_string()))]),
        Action::Stake { stake, public_key } => typed("Stake", [
            ("stake", Json::text(stake.to_string())),
            ("public_key", Json::text(public_key.to_string())),
        ]),
        Action::AddKey { public_key, access_key } => typed("AddKey", [
            ("public_key", Json::text(public_key.to_string())),
            ("access_key", Json::text(access_key_json(access_key).to_string())),
        ]),
        Action::DeleteKey { public_key } => {
            typed("DeleteKey", [("public_key", Json::text(public_key.to_string()))])
        }
        Action::DeleteAccount { beneficiary_id } => {
            typed("DeleteAccount", [("beneficiary_id", Json::text(beneficiary_id.as_str()))])
        }
    }
}

fn typed<'a, const FIELDS: usize>(
    action_type: &'static str,
    fields: [(&'static str, Json<'a>); FIELDS],
) -> Json<'a> {
    Json::object([("action_type", Json::text(action_type))].into_iter().chain(fields))
}

fn access_key_json(access_key: &AccessKey) -> Json<'_> {
    let permission = match &access_key.permission {
        AccessKeyPermission::FullAccess => Json::text("FullAccess"),
        AccessKeyPermission::FunctionCall(bounds) => {
            let allowance = bounds.allowance.map_or(Json::Null, |allowance| Json::text(allowance.to_string()));
            let method_names = bounds.method_names.iter().map(Json::text).collect();
            Json::object([("FunctionCall", Json::object([
                ("allowance", allowance),
                ("receiver_id", Json::text(bounds.receiver_id.as_str())),
                ("method_names", Json::Array(method_names)),
            ]))])
        }
    };
    Json::object([("nonce", Json::Integer(access_key.nonce)), ("permission", permission)])
}
