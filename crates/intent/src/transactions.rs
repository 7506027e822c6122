//! The digest of transactions: an array of `{actions, receiverId}`, actions in the specification's `snake_case`.
//! That of a delegate (NEP-366): an object with `kind: 'delegate'`, so that neither text is ever the other's.

use latchkey_near_transaction::{AccessKey, AccessKeyPermission, Action, TransactionRequest};

use crate::canonical_json::Json;
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

/// The digest that approves `request` as a delegate that is good for `blocks` blocks after its challenge's.
#[must_use]
pub fn delegate_digest(request: &TransactionRequest, blocks: u64) -> IntentDigest {
    digest_of(&delegate_text(request, blocks))
}

/// The canonical JSON that [`delegate_digest`] hashes.
#[must_use]
pub fn delegate_text(request: &TransactionRequest, blocks: u64) -> String {
    let mut entries = transaction_entries(request);
    entries.push(("kind", Json::text("delegate")));
    entries.push(("validForBlocks", Json::Integer(blocks)));
    Json::object(entries).to_string()
}

fn transaction(transaction: &TransactionRequest) -> Json<'_> {
    Json::object(transaction_entries(transaction))
}

fn transaction_entries(transaction: &TransactionRequest) -> Vec<(&'static str, Json<'_>)> {
    vec![
        ("receiverId", Json::text(transaction.receiver_id.as_str())),
        (
            "actions",
            Json::Array(transaction.actions.iter().map(action).collect()),
        ),
    ]
}

fn action(action: &Action) -> Json<'_> {
    match action {
        Action::CreateAccount => typed("CreateAccount", Vec::new()),
        Action::DeployContract { code } => {
            typed("DeployContract", vec![("code", Json::Bytes(code))])
        }
        Action::FunctionCall {
            method_name,
            args,
            gas,
            deposit,
        } => typed(
            "FunctionCall",
            vec![
                ("method_name", Json::text(method_name)),
                ("args", Json::text(args)),
                ("gas", Json::text(gas.to_string())),
                ("deposit", Json::text(deposit.to_string())),
            ],
        ),
        Action::Transfer { amount } => typed(
            "Transfer",
            vec![("deposit", Json::text(amount.to_string()))],
        ),
        Action::Stake { stake, public_key } => typed(
            "Stake",
            vec![
                ("stake", Json::text(stake.to_string())),
                ("public_key", Json::text(public_key.to_string())),
            ],
        ),
        Action::AddKey {
            public_key,
            access_key,
        } => typed(
            "AddKey",
            vec![
                ("public_key", Json::text(public_key.to_string())),
                (
                    "access_key",
                    Json::text(access_key_json(access_key).to_string()),
                ),
            ],
        ),
        Action::DeleteKey { public_key } => typed(
            "DeleteKey",
            vec![("public_key", Json::text(public_key.to_string()))],
        ),
        Action::DeleteAccount { beneficiary_id } => typed(
            "DeleteAccount",
            vec![("beneficiary_id", Json::text(beneficiary_id.as_str()))],
        ),
    }
}

fn typed<'a>(action_type: &'static str, mut fields: Vec<(&'static str, Json<'a>)>) -> Json<'a> {
    fields.push(("action_type", Json::text(action_type)));
    Json::object(fields)
}

fn access_key_json(access_key: &AccessKey) -> Json<'_> {
    let permission = match &access_key.permission {
        AccessKeyPermission::FullAccess => Json::text("FullAccess"),
        AccessKeyPermission::FunctionCall(bounds) => {
            let allowance = bounds
                .allowance
                .map_or(Json::Null, |allowance| Json::text(allowance.to_string()));
            let method_names = bounds.method_names.iter().map(Json::text).collect();
            Json::object(vec![(
                "FunctionCall",
                Json::object(vec![
                    ("allowance", allowance),
                    ("receiver_id", Json::text(bounds.receiver_id.as_str())),
                    ("method_names", Json::Array(method_names)),
                ]),
            )])
        }
    };
    Json::object(vec![
        ("nonce", Json::Integer(access_key.nonce)),
        ("permission", permission),
    ])
}
