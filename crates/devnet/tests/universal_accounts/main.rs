//! Universal accounts: what a transfer creates, and the state init that makes it an account like any other.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod bootstrap;
#[path = "../common/mod.rs"]
mod common;
mod creation;
mod state_inits;

use std::collections::{BTreeMap, BTreeSet};

use common::server::Server;
use common::*;
use latchkey_devnet::{Chain, ViewError};
use near_crypto::{KeyType, SecretKey};
use near_primitives::account::AccountState;
use near_primitives::errors::{ActionsValidationError, InvalidTxError};
use near_primitives::transaction::{Action, NonceMode, SignedTransaction, TransactionNonce};
use near_primitives::types::Balance;
use near_primitives::universal_state_init::{
    RawStateInit, UniversalStateInit, UniversalStateInitV1,
};
use near_primitives::views::{AccountView, FinalExecutionOutcomeView};
use serde_json::{Value, json};

const RELAYER: &str = "relayer.testnet";
/// The price of a gas, in yocto.
const PRICE: u128 = 100_000_000;
/// The fee of a receipt, to send and again to execute, in gas.
const RECEIPT: u128 = 108_059_500_000;

fn yocto(amount: u128) -> Balance {
    Balance::from_yoctonear(amount)
}

fn plus(a: Balance, b: Balance) -> Balance {
    a.checked_add(b).unwrap()
}

fn minus(a: Balance, b: Balance) -> Balance {
    a.checked_sub(b).unwrap()
}

fn owner() -> SecretKey {
    key("an owner")
}

/// The state init whose only key is the owner's.
fn owned() -> UniversalStateInit {
    with_keys(&[owner()])
}

fn view(chain: &Chain, name: &str) -> AccountView {
    chain.view_account(&id(name)).unwrap()
}

/// Creates the account of the owner with this balance. Returns its id and its bootstrap nonce.
fn fund(chain: &Chain, amount: Balance) -> (String, u64) {
    let name = universal_name(&owned());
    value(&run(chain, ALICE, &name, vec![transfer(amount)]));
    let nonce = view(chain, &name).bootstrap_nonce.unwrap();
    (name, nonce)
}

/// Signs a transaction of the owner's account to itself.
fn sign_own(chain: &Chain, nonce: u64, actions: Vec<Action>) -> SignedTransaction {
    let name = universal_name(&owned());
    sign_as(chain, &name, &owner(), &name, nonce, actions)
}

fn is_initialised(chain: &Chain, name: &str) -> bool {
    view(chain, name).state.is_initialized()
}
