//! Universal accounts (protocol 88): accounts whose id is a hash of their state init, which names their
//! code, first state and keys.
//!
//! A transfer creates one uninitialised, with a balance and nothing else. Its state init makes it an account
//! like any other. Anybody may send it, or the account itself: a key that the state init names signs that
//! transaction, the bootstrap, although the account does not have the key yet.

use near_parameters::vm::LimitConfig;
use near_primitives::account::{AccessKey, Account};
use near_primitives::action::UniversalStateInitAction;
use near_primitives::errors::{ActionErrorKind, ActionsValidationError, InvalidTxError};
use near_primitives::transaction::{NonceMode, Transaction};
use near_primitives::types::{AccountId, Balance, BlockHeight, Nonce};
use near_primitives::universal_state_init::UniversalStateInit;
use near_primitives::utils::derive_universal_account_id;
use near_primitives::version::ProtocolFeature;

use super::fees::TransactionCost;
use super::outcome::{ActionFailure, ActionResult, Execution};
use super::verify::{self, Admission};
use super::{
    BlockContext, Rules, RuntimeError, access_keys, deterministic_accounts, global_contracts,
    initial_nonce, validate,
};
use crate::state::StateUpdate;

/// Checks the action for `receiver`: the id is that of these bytes, and the bytes are a state init within
/// the limits; from protocol 88 in canonical borsh.
pub(crate) fn validate(
    rules: &Rules,
    limits: &LimitConfig,
    action: &UniversalStateInitAction,
    receiver: &AccountId,
) -> Result<(), ActionsValidationError> {
    use ActionsValidationError as E;
    let derived_id = derive_universal_account_id(&action.state_init);
    if derived_id != *receiver {
        return Err(E::InvalidUniversalStateInitReceiver {
            receiver_id: receiver.clone(),
            derived_id,
        });
    }
    let state_init = decode(rules, action).ok_or(E::MalformedUniversalStateInit)?;
    for (key, value) in state_init.data() {
        validate::within(key.len(), limits.max_length_storage_key)
            .map_err(|(length, limit)| E::UniversalStateInitKeyLengthExceeded { length, limit })?;
        validate::within(value.len(), limits.max_length_storage_value).map_err(
            |(length, limit)| E::UniversalStateInitValueLengthExceeded { length, limit },
        )?;
    }
    Ok(())
}

fn decode(rules: &Rules, action: &UniversalStateInitAction) -> Option<UniversalStateInit> {
    let mode = rules.config.wasm_config.state_init_decode_mode();
    UniversalStateInit::from_raw(&action.state_init, mode).ok()
}

/// An account without its state init, as a transfer to its id creates it.
pub(crate) fn uninitialised(block: &BlockContext<'_>, balance: Balance) -> Account {
    let bytes = block
        .rules
        .config
        .fees
        .storage_usage_config
        .num_bytes_account;
    Account::new_uninitialized(balance, bytes, initial_nonce(block.height))
}

/// Whether a transaction without an access key may run: it brings the state init that names its key to
/// its own uninitialised account.
pub(crate) fn is_bootstrap(rules: &Rules, account: &Account, transaction: &Transaction) -> bool {
    rules.has(ProtocolFeature::UniversalAccounts)
        && !account.is_initialized()
        && transaction.is_state_init_bootstrap()
}

/// Checks a bootstrap transaction and charges its account. Its nonce must be the account's plus one, and
/// is consumed even if the state init then fails, so that the same bytes never run twice.
pub(crate) fn charge_bootstrap(
    rules: &Rules,
    state: &mut StateUpdate<'_>,
    transaction: &Transaction,
    mut account: Account,
    cost: TransactionCost,
    height: Option<BlockHeight>,
) -> Result<Admission, InvalidTxError> {
    let signer_id = transaction.signer_id();
    let current = account.bootstrap_nonce().unwrap_or_default();
    verify::check_nonce(transaction, NonceMode::Strict, current, height)?;
    verify::take_cost(signer_id, &mut account, cost.total)?;
    verify::check_storage_stake(rules, signer_id, &account)?;
    account
        .set_bootstrap_nonce(transaction.nonce().nonce())
        .map_err(|error| RuntimeError::Corrupt(error.to_string()))?;
    state.set_account(signer_id, &account)?;
    Ok(Admission::Accepted(cost))
}

/// Gives the account what its state init names, unless it has that already. Keeps as much of the deposit
/// as the account lacks for its storage, nothing of it the second time; the rest goes back.
///
/// The actor stays the predecessor, so that no further action of the receipt acts as the account.
pub(crate) fn initialise(
    execution: &mut Execution<'_>,
    state: &mut StateUpdate<'_>,
    init: &UniversalStateInitAction,
    result: &mut ActionResult,
) -> Result<(), ActionFailure> {
    let block = execution.block;
    let rules = block.rules;
    let receipt = execution.receipt;
    result.created_account |= execution.account.is_none();
    let account = execution
        .account
        .get_or_insert_with(|| uninitialised(block, Balance::ZERO));
    let consumed = account.bootstrap_nonce();
    if let Some(consumed) = consumed {
        // `validate` has refused bytes that do not decode.
        let state_init = decode(rules, init).ok_or(ActionErrorKind::MalformedUniversalStateInit)?;
        account
            .initialize()
            .map_err(|error| RuntimeError::Corrupt(error.to_string()))?;
        // Above the bootstrap's own nonce, which would else run again with the key that it installs.
        let nonce = initial_nonce(block.height).max(consumed);
        install(
            rules,
            state,
            account,
            receipt.receiver_id(),
            &state_init,
            nonce,
        )?;
    }
    deterministic_accounts::settle_deposit(rules, account, receipt, init.deposit, result)
}

fn install(
    rules: &Rules,
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    state_init: &UniversalStateInit,
    nonce: Nonce,
) -> Result<(), ActionFailure> {
    if let Some(code) = state_init.code() {
        global_contracts::adopt(state, account, account_id, code)?;
    }
    deterministic_accounts::write_entries(rules, state, account, account_id, state_init.data())?;
    let access_key = AccessKey {
        nonce,
        ..AccessKey::full_access()
    };
    let mut usage = account.storage_usage();
    for handle in state_init.access_keys() {
        usage += access_keys::storage_usage(&rules.config.fees, handle.clone(), &access_key)?;
        state.set_access_key(account_id, handle.clone(), &access_key)?;
    }
    account.set_storage_usage(usage);
    Ok(())
}
