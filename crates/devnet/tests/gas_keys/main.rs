//! Gas keys: their lanes, who pays for what, and what burns.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod balances;
#[path = "../common/mod.rs"]
mod common;
mod delegates;
mod keys;
mod lanes;

use common::server::Server;
use common::*;
use latchkey_devnet::Chain;
use near_crypto::SecretKey;
use near_primitives::account::{AccessKey, FunctionCallPermission};
use near_primitives::action::AddKeyAction;
use near_primitives::errors::{ActionsValidationError, InvalidTxError};
use near_primitives::transaction::{Action, NonceMode, SignedTransaction, TransactionNonce};
use near_primitives::types::{Balance, NonceIndex};
use near_primitives::views::{AccessKeyPermissionView, FinalExecutionOutcomeView};
use serde_json::json;

const RELAYER: &str = "relayer.testnet";
/// The price of a gas, in yocto.
const PRICE: u128 = 100_000_000;
/// The fee of a receipt, to send and again to execute, in gas.
const RECEIPT: u128 = 108_059_500_000;

fn gas_key() -> SecretKey {
    key("a gas key")
}

fn yocto(amount: u128) -> Balance {
    Balance::from_yoctonear(amount)
}

/// A gas key of ALICE with that many lanes and that balance.
fn add_filled(chain: &Chain, lanes: NonceIndex, balance: Balance) -> SecretKey {
    let key = gas_key();
    let actions = vec![add_gas_key(&key, lanes), fill_gas_key(&key, balance)];
    value(&run(chain, ALICE, ALICE, actions));
    key
}

/// A gas key that may call `methods` of a receiver.
fn add_gas_key_for(
    key: &SecretKey,
    lanes: NonceIndex,
    permission: FunctionCallPermission,
) -> Action {
    Action::AddKey(Box::new(AddKeyAction {
        public_key: key.public_key(),
        access_key: AccessKey::gas_key_function_call(lanes, permission),
    }))
}

fn calls_of(receiver: &str, methods: &[&str]) -> FunctionCallPermission {
    FunctionCallPermission {
        allowance: None,
        receiver_id: receiver.to_owned(),
        method_names: methods.iter().map(|method| (*method).to_owned()).collect(),
    }
}

/// What a gas key of ALICE holds.
fn key_balance(chain: &Chain, key: &SecretKey) -> Balance {
    let access_key = chain
        .view_access_key(&id(ALICE), &key.public_key())
        .unwrap();
    // The nonce of a gas key itself is unused.
    assert_eq!(access_key.nonce, 0);
    match access_key.permission {
        AccessKeyPermissionView::GasKeyFullAccess { balance, .. }
        | AccessKeyPermissionView::GasKeyFunctionCall { balance, .. } => balance,
        other => panic!("{other:?}"),
    }
}

fn lane_nonces(chain: &Chain, key: &SecretKey) -> Vec<u64> {
    chain
        .view_gas_key_nonces(&id(ALICE), &key.public_key())
        .unwrap()
}

fn sign_on_lane(
    chain: &Chain,
    key: &SecretKey,
    lane: NonceIndex,
    receiver: &str,
    actions: Vec<Action>,
) -> SignedTransaction {
    try_sign_on_lane(chain, ALICE, key, lane, receiver, actions).unwrap()
}

fn on_lane(
    chain: &Chain,
    key: &SecretKey,
    (nonce, lane): (u64, NonceIndex),
    mode: NonceMode,
    actions: Vec<Action>,
) -> SignedTransaction {
    let nonce = TransactionNonce::from_nonce_and_index(nonce, lane);
    sign_v1(chain, ALICE, key, BOB, (nonce, mode), actions)
}

fn run_on_lane(
    chain: &Chain,
    key: &SecretKey,
    lane: NonceIndex,
    receiver: &str,
    actions: Vec<Action>,
) -> FinalExecutionOutcomeView {
    chain
        .run(sign_on_lane(chain, key, lane, receiver, actions))
        .unwrap()
}

fn minus(a: Balance, b: Balance) -> Balance {
    a.checked_sub(b).unwrap()
}
