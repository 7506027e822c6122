//! The digest of transactions: an array of `{actions, receiverId}`, actions in the specification's `snake_case`.
//! That of a delegate (NEP-366): an object with `kind: 'delegate'`, of several an array of those. A transaction has no
//! `kind`, so neither text is ever the other's.

use latchkey_near_transaction::{
    AccessKey, AccessKeyPermission, Action, Args, DeterministicStateInit, GlobalContractDeployMode,
    GlobalContractIdentifier, StateEntry, TransactionRequest,
};

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

/// A transaction that is signed as a delegate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DelegateRequest {
    /// What it does.
    pub request: TransactionRequest,
    /// How long it is good.
    pub end: DelegateEnd,
}

/// The last block that may carry a delegate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelegateEnd {
    /// So many blocks after the challenge's.
    Blocks(u64),
    /// The block of this height.
    Height(u64),
}

/// The digest that approves `delegates`, in this order.
#[must_use]
pub fn delegates_digest(delegates: &[DelegateRequest]) -> IntentDigest {
    digest_of(&delegates_text(delegates))
}

/// The canonical JSON that [`delegates_digest`] hashes.
#[must_use]
pub fn delegates_text(delegates: &[DelegateRequest]) -> String {
    if let [one] = delegates {
        return delegate(one).to_string();
    }
    Json::Array(delegates.iter().map(delegate).collect()).to_string()
}

fn delegate(DelegateRequest { request, end }: &DelegateRequest) -> Json<'_> {
    let mut entries = transaction_entries(request);
    entries.push(("kind", Json::text("delegate")));
    entries.push(match end {
        DelegateEnd::Blocks(blocks) => ("validForBlocks", Json::Integer(*blocks)),
        DelegateEnd::Height(height) => ("maxBlockHeight", Json::text(height.to_string())),
    });
    Json::object(entries)
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
                ("args", args_json(args)),
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
        Action::DeployGlobalContract { code, deploy_mode } => typed(
            "DeployGlobalContract",
            vec![
                ("code", Json::Bytes(code)),
                (
                    "deploy_mode",
                    Json::text(match deploy_mode {
                        GlobalContractDeployMode::CodeHash => "CodeHash",
                        GlobalContractDeployMode::AccountId => "AccountId",
                    }),
                ),
            ],
        ),
        Action::UseGlobalContract {
            contract_identifier,
        } => typed(
            "UseGlobalContract",
            vec![("contract_identifier", global_contract(contract_identifier))],
        ),
        Action::DeterministicStateInit {
            state_init,
            deposit,
        } => typed(
            "DeterministicStateInit",
            vec![
                ("state_init", state_init_json(state_init)),
                ("deposit", Json::text(deposit.to_string())),
            ],
        ),
    }
}

fn global_contract(identifier: &GlobalContractIdentifier) -> Json<'_> {
    Json::object(vec![match identifier {
        GlobalContractIdentifier::CodeHash(hash) => ("CodeHash", Json::text(hash.to_string())),
        GlobalContractIdentifier::AccountId(id) => ("AccountId", Json::text(id.as_str())),
    }])
}

fn state_init_json(DeterministicStateInit::V1(state): &DeterministicStateInit) -> Json<'_> {
    Json::object(vec![(
        "V1",
        Json::object(vec![
            ("code", global_contract(&state.code)),
            (
                "data",
                Json::Array(state.data.iter().map(entry_json).collect()),
            ),
        ]),
    )])
}

fn entry_json(StateEntry { key, value }: &StateEntry) -> Json<'_> {
    Json::object(vec![
        ("key", Json::Bytes(key)),
        ("value", Json::Bytes(value)),
    ])
}

fn typed<'a>(action_type: &'static str, mut fields: Vec<(&'static str, Json<'a>)>) -> Json<'a> {
    fields.push(("action_type", Json::text(action_type)));
    Json::object(fields)
}

/// A text for JSON, an array of numbers for other bytes: no bytes have the text of JSON arguments.
fn args_json(args: &Args) -> Json<'_> {
    match args {
        Args::Json(text) => Json::text(text),
        Args::Bytes(bytes) => Json::Bytes(bytes),
    }
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
