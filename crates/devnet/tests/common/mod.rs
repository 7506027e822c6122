//! A chain in memory, and the small contract of the tests.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

pub(crate) mod program;
pub(crate) mod server;

use std::collections::BTreeMap;

use base64::Engine;
use latchkey_devnet::{Chain, ChainConfig, Genesis, RunError, development_key, sign_transaction};
use near_crypto::{InMemorySigner, SecretKey, Signer};
use near_primitives::account::{AccessKey, AccessKeyPermission, Account, FunctionCallPermission};
use near_primitives::action::delegate::{DelegateAction, NonDelegateAction, SignedDelegateAction};
use near_primitives::action::{
    AddKeyAction, CreateAccountAction, DeleteAccountAction, DeleteKeyAction, DeployContractAction,
    DeployGlobalContractAction, DeterministicStateInitAction, FunctionCallAction,
    GlobalContractDeployMode, GlobalContractIdentifier, TransferAction, TransferToGasKeyAction,
    UniversalStateInitAction, UseGlobalContractAction, WithdrawFromGasKeyAction,
};
use near_primitives::deterministic_account_id::{
    DeterministicAccountStateInit, DeterministicAccountStateInitV1,
};
use near_primitives::errors::{ActionsValidationError, InvalidTxError};
use near_primitives::hash::hash;
use near_primitives::transaction::{
    Action, NonceMode, SignedTransaction, Transaction, TransactionNonce, TransactionV0,
    TransactionV1,
};
use near_primitives::types::{AccountId, Balance, Gas, NonceIndex};
use near_primitives::universal_state_init::{
    RawStateInit, UniversalStateInit, UniversalStateInitV1,
};
use near_primitives::utils::{derive_near_deterministic_account_id, derive_universal_account_id};
use near_primitives::views::{
    ExecutionStatusView, FinalExecutionOutcomeView, FinalExecutionStatus,
};

pub(crate) const ALICE: &str = "alice.testnet";
pub(crate) const BOB: &str = "bob.testnet";

pub(crate) fn near(amount: u128) -> Balance {
    Balance::from_near(amount)
}

pub(crate) fn id(text: &str) -> AccountId {
    text.parse().unwrap()
}

pub(crate) fn genesis() -> Genesis {
    Genesis::default()
        .with_account(id(ALICE), near(100))
        .with_account(id(BOB), near(100))
}

pub(crate) fn config() -> ChainConfig {
    ChainConfig {
        genesis: genesis(),
        ..ChainConfig::default()
    }
}

pub(crate) fn open() -> Chain {
    Chain::open(config()).unwrap()
}

pub(crate) fn open_at(protocol_version: u32) -> Chain {
    Chain::open(ChainConfig {
        protocol_version,
        ..config()
    })
    .unwrap()
}

pub(crate) fn key(account: &str) -> SecretKey {
    development_key(account)
}

pub(crate) fn sign(
    chain: &Chain,
    signer: &str,
    receiver: &str,
    actions: Vec<Action>,
) -> SignedTransaction {
    chain.sign(signer, &key(signer), receiver, actions).unwrap()
}

/// Signs a transaction whose every field the test chooses.
pub(crate) fn sign_as(
    chain: &Chain,
    signer: &str,
    key: &SecretKey,
    receiver: &str,
    nonce: u64,
    actions: Vec<Action>,
) -> SignedTransaction {
    let block_hash = chain.head().hash;
    let (signer_id, receiver_id) = (id(signer), id(receiver));
    sign_transaction(
        key,
        Transaction::V0(TransactionV0 {
            signer_id,
            public_key: key.public_key(),
            nonce,
            receiver_id,
            block_hash,
            actions,
        }),
    )
}

/// Signs a transaction of version 1.
pub(crate) fn sign_v1(
    chain: &Chain,
    signer: &str,
    key: &SecretKey,
    receiver: &str,
    (nonce, nonce_mode): (TransactionNonce, NonceMode),
    actions: Vec<Action>,
) -> SignedTransaction {
    sign_transaction(
        key,
        Transaction::V1(TransactionV1 {
            signer_id: id(signer),
            public_key: key.public_key(),
            nonce,
            receiver_id: id(receiver),
            block_hash: chain.head().hash,
            actions,
            nonce_mode,
        }),
    )
}

/// Why the chain refuses a transaction.
pub(crate) fn refused(chain: &Chain, signed: SignedTransaction) -> InvalidTxError {
    match chain.run(signed) {
        Err(RunError::Invalid(error)) => error,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn run(
    chain: &Chain,
    signer: &str,
    receiver: &str,
    actions: Vec<Action>,
) -> FinalExecutionOutcomeView {
    chain.run(sign(chain, signer, receiver, actions)).unwrap()
}

/// The sum of all balances, stakes and gas keys' balances on a chain.
pub(crate) fn held(chain: &Chain) -> Balance {
    let mut sum = Balance::ZERO;
    let mut add = |balance| sum = sum.checked_add(balance).unwrap();
    for (key, value) in chain.state_root_dump() {
        match key.first() {
            // Column 0 holds the accounts.
            Some(0) => {
                let account: Account = borsh::from_slice(&value).unwrap();
                add(account.amount());
                add(account.locked());
            }
            // Column 2 holds the keys, and the lanes of gas keys, which are nonces of 8 bytes.
            Some(2) if value.len() > 8 => {
                let access_key: AccessKey = borsh::from_slice(&value).unwrap();
                if let Some(info) = access_key.gas_key_info() {
                    add(info.balance);
                }
            }
            _ => {}
        }
    }
    sum
}

pub(crate) fn balance(chain: &Chain, account: &str) -> Balance {
    chain.view_account(&id(account)).unwrap().amount
}

pub(crate) fn value(outcome: &FinalExecutionOutcomeView) -> Vec<u8> {
    match &outcome.status {
        FinalExecutionStatus::SuccessValue(value) => value.clone(),
        other => panic!("not a success: {other:?}"),
    }
}

/// The transaction's failure as the JSON text that clients see.
pub(crate) fn failure(outcome: &FinalExecutionOutcomeView) -> String {
    match &outcome.status {
        FinalExecutionStatus::Failure(error) => serde_json::to_string(error).unwrap(),
        other => panic!("not a failure: {other:?}"),
    }
}

pub(crate) fn burnt(outcome: &FinalExecutionOutcomeView) -> Balance {
    outcome
        .receipts_outcome
        .iter()
        .map(|receipt| receipt.outcome.tokens_burnt)
        .fold(
            outcome.transaction_outcome.outcome.tokens_burnt,
            |sum, next| sum.checked_add(next).unwrap(),
        )
}

pub(crate) fn failures(outcome: &FinalExecutionOutcomeView) -> usize {
    outcome
        .receipts_outcome
        .iter()
        .filter(|receipt| matches!(receipt.outcome.status, ExecutionStatusView::Failure(_)))
        .count()
}

pub(crate) fn transfer(amount: Balance) -> Action {
    Action::Transfer(TransferAction { deposit: amount })
}

pub(crate) fn create() -> Action {
    Action::CreateAccount(CreateAccountAction {})
}

pub(crate) fn deploy(code: Vec<u8>) -> Action {
    Action::DeployContract(DeployContractAction { code })
}

pub(crate) fn call(method: &str, args: &[u8]) -> Action {
    call_with(method, args, 50, Balance::ZERO)
}

pub(crate) fn call_with(method: &str, args: &[u8], teragas: u64, deposit: Balance) -> Action {
    Action::FunctionCall(Box::new(FunctionCallAction {
        method_name: method.to_owned(),
        args: args.to_vec(),
        gas: Gas::from_teragas(teragas),
        deposit,
    }))
}

pub(crate) fn add_full_key(key: &SecretKey) -> Action {
    let access_key = AccessKey::full_access();
    Action::AddKey(Box::new(AddKeyAction {
        public_key: key.public_key(),
        access_key,
    }))
}

pub(crate) fn add_call_key(
    key: &SecretKey,
    receiver: &str,
    methods: &[&str],
    allowance: Option<Balance>,
) -> Action {
    let permission = AccessKeyPermission::FunctionCall(FunctionCallPermission {
        allowance,
        receiver_id: receiver.to_owned(),
        method_names: methods.iter().map(|method| (*method).to_owned()).collect(),
    });
    let access_key = AccessKey {
        nonce: 0,
        permission,
    };
    Action::AddKey(Box::new(AddKeyAction {
        public_key: key.public_key(),
        access_key,
    }))
}

pub(crate) fn delete_key(key: &SecretKey) -> Action {
    Action::DeleteKey(Box::new(DeleteKeyAction {
        public_key: key.public_key(),
    }))
}

pub(crate) fn add_gas_key(key: &SecretKey, lanes: NonceIndex) -> Action {
    Action::AddKey(Box::new(AddKeyAction {
        public_key: key.public_key(),
        access_key: AccessKey::gas_key_full_access(lanes),
    }))
}

/// Sends NEAR to a gas key of the receiver.
pub(crate) fn fill_gas_key(key: &SecretKey, deposit: Balance) -> Action {
    Action::TransferToGasKey(Box::new(TransferToGasKeyAction {
        public_key: key.public_key(),
        deposit,
    }))
}

/// Moves NEAR from a gas key to its account.
pub(crate) fn withdraw(key: &SecretKey, amount: Balance) -> Action {
    Action::WithdrawFromGasKey(Box::new(WithdrawFromGasKeyAction {
        public_key: key.public_key(),
        amount,
    }))
}

/// Signs on a lane of a gas key with the lane's next nonce; `None` without that lane.
pub(crate) fn try_sign_on_lane(
    chain: &Chain,
    signer: &str,
    key: &SecretKey,
    lane: NonceIndex,
    receiver: &str,
    actions: Vec<Action>,
) -> Option<SignedTransaction> {
    let nonces = chain.view_gas_key_nonces(&id(signer), &key.public_key());
    let nonce = nonces.ok()?.get(usize::from(lane))? + 1;
    let nonce = TransactionNonce::from_nonce_and_index(nonce, lane);
    let nonce = (nonce, NonceMode::Monotonic);
    Some(sign_v1(chain, signer, key, receiver, nonce, actions))
}

/// A delegate action that ALICE signs with `key`, for a relayer to send to ALICE.
pub(crate) fn delegate(
    chain: &Chain,
    key: &SecretKey,
    nonce: u64,
    receiver: &str,
    actions: Vec<Action>,
) -> Action {
    let inner = DelegateAction {
        sender_id: id(ALICE),
        receiver_id: id(receiver),
        actions: actions
            .into_iter()
            .map(|action| NonDelegateAction::try_from(action).unwrap())
            .collect(),
        nonce,
        max_block_height: chain.head().height + 100,
        public_key: key.public_key(),
    };
    let signer = Signer::InMemory(InMemorySigner {
        account_id: id(ALICE),
        public_key: key.public_key(),
        secret_key: key.clone(),
    });
    SignedDelegateAction::sign(&signer, inner).into()
}

pub(crate) fn delete_account(beneficiary: &str) -> Action {
    Action::DeleteAccount(DeleteAccountAction {
        beneficiary_id: id(beneficiary),
    })
}

pub(crate) fn base64_of(signed: &SignedTransaction) -> String {
    base64(&borsh::to_vec(signed).unwrap())
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

pub(crate) fn deploy_test_contract(chain: &Chain, account: &str) {
    value(&run(chain, account, account, vec![deploy(test_contract())]));
}

pub(crate) fn publish(code: Vec<u8>, deploy_mode: GlobalContractDeployMode) -> Action {
    Action::DeployGlobalContract(DeployGlobalContractAction {
        code: code.into(),
        deploy_mode,
    })
}

pub(crate) fn publish_by_hash(code: Vec<u8>) -> Action {
    publish(code, GlobalContractDeployMode::CodeHash)
}

pub(crate) fn publish_by_account(code: Vec<u8>) -> Action {
    publish(code, GlobalContractDeployMode::AccountId)
}

pub(crate) fn adopt(contract_identifier: GlobalContractIdentifier) -> Action {
    Action::UseGlobalContract(Box::new(UseGlobalContractAction {
        contract_identifier,
    }))
}

pub(crate) fn by_hash(code: &[u8]) -> GlobalContractIdentifier {
    GlobalContractIdentifier::CodeHash(hash(code))
}

pub(crate) fn by_account(owner: &str) -> GlobalContractIdentifier {
    GlobalContractIdentifier::AccountId(id(owner))
}

/// Deploys global contracts and waits for their distribution, for which no transaction's level waits.
pub(crate) fn deployed(chain: &Chain, account: &str, actions: Vec<Action>) {
    value(&run(chain, account, account, actions));
    chain.settle().unwrap();
}

/// A contract that makes the actions of global contracts and deterministic accounts.
pub(crate) fn global_contract() -> Vec<u8> {
    wat::parse_str(include_str!("global.wat")).unwrap()
}

pub(crate) fn state_init(
    code: GlobalContractIdentifier,
    data: &[(&str, &[u8])],
) -> DeterministicAccountStateInit {
    let data = data
        .iter()
        .map(|(key, value)| (key.as_bytes().to_vec(), value.to_vec()))
        .collect();
    DeterministicAccountStateInit::V1(DeterministicAccountStateInitV1 { code, data })
}

/// The id of the account with this code and first state.
pub(crate) fn derived_name(state_init: &DeterministicAccountStateInit) -> String {
    derive_near_deterministic_account_id(state_init).to_string()
}

pub(crate) fn state_init_action(
    state_init: &DeterministicAccountStateInit,
    deposit: Balance,
) -> Action {
    Action::DeterministicStateInit(Box::new(DeterministicStateInitAction {
        state_init: state_init.clone(),
        deposit,
    }))
}

/// The state init of a universal account with these full-access keys and nothing else.
pub(crate) fn with_keys<'a>(keys: impl IntoIterator<Item = &'a SecretKey>) -> UniversalStateInit {
    UniversalStateInit::V1(UniversalStateInitV1 {
        code: None,
        data: BTreeMap::new(),
        access_keys: keys
            .into_iter()
            .map(|key| key.public_key().into())
            .collect(),
    })
}

/// The id of the universal account with this state init.
pub(crate) fn universal_name(state_init: &UniversalStateInit) -> String {
    derive_universal_account_id(&state_init.to_raw()).to_string()
}

pub(crate) fn initialise_universal(state_init: &UniversalStateInit, deposit: Balance) -> Action {
    universal_state_init(state_init.to_raw(), deposit)
}

pub(crate) fn universal_state_init(state_init: RawStateInit, deposit: Balance) -> Action {
    Action::UniversalStateInit(Box::new(UniversalStateInitAction {
        state_init,
        deposit,
    }))
}

/// Why the chain refuses actions of ALICE.
pub(crate) fn refused_actions(
    chain: &Chain,
    receiver: &str,
    actions: Vec<Action>,
) -> ActionsValidationError {
    match chain.run(sign(chain, ALICE, receiver, actions)) {
        Err(RunError::Invalid(InvalidTxError::ActionsValidation(error))) => error,
        other => panic!("{other:?}"),
    }
}

/// A contract in WebAssembly text, so that the tests need no toolchain:
///
/// - `set` stores its input under "k"; `get` returns it; `echo` returns its input and logs "hello"
/// - `shout` logs its input
/// - `fail` stores and then panics
/// - `call_bob` calls `echo` of bob.testnet and returns the promise
/// - `call_then` calls the method named by the input (`echo` or `fail`) of bob.testnet with a
///   deposit of one yocto and then its own `after`, which returns "ok:" + result or "failed"
/// - `weights` calls `echo` of bob.testnet twice, with weights 1 and 3 and no fixed gas
/// - `wait` yields with `after` as the callback and stores the data id under "d"; `resume` resumes
///   it with the input; without that it expires after 200 blocks
pub(crate) fn test_contract() -> Vec<u8> {
    wat::parse_str(include_str!("contract.wat")).unwrap()
}
