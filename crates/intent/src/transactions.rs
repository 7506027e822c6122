//! The digest of transactions: an array of `{actions, receiverId}`, actions in the specification's `snake_case`.
//! That of a delegate (NEP-366): an object with `kind: 'delegate'`, of several an array of those. A transaction has no
//! `kind`, so neither text is ever the other's. A lane and a strict nonce stand in the text where a transaction has them.

use std::fmt::Display;

use latchkey_near_transaction::{
    AccessKey, AccessKeyPermission, AccountId, Action, Args, DeterministicStateInit,
    GlobalContractDeployMode, GlobalContractIdentifier, NonceMode, StateEntry, TransactionRequest,
    UniversalStateInit,
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
        DelegateEnd::Height(height) => written("maxBlockHeight", height),
    });
    Json::object(entries)
}

fn transaction(transaction: &TransactionRequest) -> Json<'_> {
    Json::object(transaction_entries(transaction))
}

fn transaction_entries(transaction: &TransactionRequest) -> Vec<(&'static str, Json<'_>)> {
    let mut entries = vec![
        ("receiverId", Json::text(transaction.receiver_id.as_str())),
        (
            "actions",
            Json::Array(transaction.actions.iter().map(action).collect()),
        ),
    ];
    if let Some(lane) = transaction.lane {
        entries.push(("lane", Json::Integer(lane.into())));
    }
    if transaction.nonce_mode == NonceMode::Strict {
        entries.push(("nonceMode", Json::text("Strict")));
    }
    entries
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
                written("gas", gas),
                written("deposit", deposit),
            ],
        ),
        Action::Transfer { amount } => typed("Transfer", vec![written("deposit", amount)]),
        Action::Stake { stake, public_key } => typed(
            "Stake",
            vec![written("stake", stake), written("public_key", &public_key)],
        ),
        Action::AddKey {
            public_key,
            access_key,
        } => typed(
            "AddKey",
            vec![
                written("public_key", public_key),
                (
                    "access_key",
                    Json::text(access_key_json(access_key).to_string()),
                ),
            ],
        ),
        Action::DeleteKey { public_key } => {
            typed("DeleteKey", vec![written("public_key", public_key)])
        }
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
                written("deposit", deposit),
            ],
        ),
        Action::TransferToGasKey {
            public_key,
            deposit,
        } => typed(
            "TransferToGasKey",
            vec![
                written("public_key", public_key),
                written("deposit", deposit),
            ],
        ),
        Action::WithdrawFromGasKey { public_key, amount } => typed(
            "WithdrawFromGasKey",
            vec![written("public_key", public_key), written("amount", amount)],
        ),
        Action::UniversalStateInit {
            state_init,
            deposit,
        } => typed(
            "UniversalStateInit",
            vec![
                ("state_init", universal_state_init_json(state_init)),
                written("deposit", deposit),
            ],
        ),
    }
}

fn global_contract(identifier: &GlobalContractIdentifier) -> Json<'_> {
    Json::object(vec![match identifier {
        GlobalContractIdentifier::CodeHash(hash) => written("CodeHash", hash),
        GlobalContractIdentifier::AccountId(id) => ("AccountId", Json::text(id.as_str())),
    }])
}

fn state_init_json(DeterministicStateInit::V1(state): &DeterministicStateInit) -> Json<'_> {
    Json::object(vec![(
        "V1",
        Json::object(vec![
            ("code", global_contract(&state.code)),
            ("data", entries_json(&state.data)),
        ]),
    )])
}

fn universal_state_init_json(UniversalStateInit::V1(state): &UniversalStateInit) -> Json<'_> {
    let keys = state.access_keys.iter();
    Json::object(vec![(
        "V1",
        Json::object(vec![
            (
                "code",
                state.code.as_ref().map_or(Json::Null, global_contract),
            ),
            ("data", entries_json(&state.data)),
            (
                "access_keys",
                Json::Array(keys.map(|key| Json::text(key.to_string())).collect()),
            ),
        ]),
    )])
}

fn entries_json(data: &[StateEntry]) -> Json<'_> {
    Json::Array(data.iter().map(entry_json).collect())
}

fn entry_json(StateEntry { key, value }: &StateEntry) -> Json<'_> {
    Json::object(vec![
        ("key", Json::Bytes(key)),
        ("value", Json::Bytes(value)),
    ])
}

/// A value by its text. Out of line: every action has its own call of it.
#[inline(never)]
fn written(name: &'static str, value: &dyn Display) -> (&'static str, Json<'static>) {
    (name, Json::text(value.to_string()))
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
            let mut entries = callable(&bounds.receiver_id, &bounds.method_names);
            entries.push(("allowance", allowance));
            Json::object(vec![("FunctionCall", Json::object(entries))])
        }
        AccessKeyPermission::GasKeyFunctionCall(bounds) => {
            let mut entries = callable(&bounds.receiver_id, &bounds.method_names);
            entries.push(lanes(bounds.num_nonces));
            Json::object(vec![("GasKeyFunctionCall", Json::object(entries))])
        }
        AccessKeyPermission::GasKeyFullAccess(key) => {
            let entries = vec![lanes(key.num_nonces)];
            Json::object(vec![("GasKeyFullAccess", Json::object(entries))])
        }
    };
    Json::object(vec![
        ("nonce", Json::Integer(access_key.nonce)),
        ("permission", permission),
    ])
}

fn callable<'a>(
    receiver_id: &'a AccountId,
    method_names: &'a [String],
) -> Vec<(&'static str, Json<'a>)> {
    let method_names = method_names.iter().map(Json::text).collect();
    vec![
        ("receiver_id", Json::text(receiver_id.as_str())),
        ("method_names", Json::Array(method_names)),
    ]
}

fn lanes(num_nonces: u16) -> (&'static str, Json<'static>) {
    ("num_nonces", Json::Integer(num_nonces.into()))
}
