//! Deterministic accounts (NEP-616): accounts whose id is a hash of their code and first state.

use std::collections::BTreeMap;

use near_primitives::account::{Account, AccountContract};
use near_primitives::action::DeterministicStateInitAction;
use near_primitives::receipt::Receipt;
use near_primitives::trie_key::TrieKey;
use near_primitives::types::{AccountId, Balance};

use super::outcome::{ActionFailure, ActionResult, Execution};
use super::{Rules, RuntimeError, add_balance, global_contracts, sub_balance, verify};
use crate::state::StateUpdate;

/// Gives the account its code and first state, unless it has code already. Keeps as much of the deposit
/// as the account lacks for its storage; the rest goes back.
///
/// The actor stays the predecessor, so that no further action of the receipt acts as the account.
pub(crate) fn initialise(
    execution: &mut Execution<'_>,
    state: &mut StateUpdate<'_>,
    init: &DeterministicStateInitAction,
    result: &mut ActionResult,
) -> Result<(), ActionFailure> {
    let rules = execution.block.rules;
    let receipt = execution.receipt;
    result.created_account |= execution.account.is_none();
    let account = execution
        .account
        .get_or_insert_with(|| empty_account(rules, Balance::ZERO));
    if account.contract().is_none() {
        write_state(rules, state, account, receipt.receiver_id(), init)?;
    }

    settle_deposit(rules, account, receipt, init.deposit, result)
}

/// Keeps as much of a state init's deposit as the account lacks for its storage. The rest goes back.
pub(crate) fn settle_deposit(
    rules: &Rules,
    account: &mut Account,
    receipt: &Receipt,
    deposit: Balance,
    result: &mut ActionResult,
) -> Result<(), ActionFailure> {
    let missing = verify::missing_storage_stake(rules, account)?.unwrap_or(Balance::ZERO);
    let kept = missing.min(deposit);
    account.set_amount(add_balance(account.amount(), kept)?);
    refund(receipt, sub_balance(deposit, kept)?, result);
    Ok(())
}

/// Sends what a state init does not keep to the receipt's predecessor, or to the account it named.
pub(crate) fn refund(receipt: &Receipt, amount: Balance, result: &mut ActionResult) {
    if !amount.is_zero() {
        let refund = Receipt::new_balance_refund(receipt.balance_refund_receiver(), amount);
        result.new_receipts.push(refund);
    }
}

/// A deterministic account without code, as a transfer to its id creates it.
pub(crate) fn empty_account(rules: &Rules, balance: Balance) -> Account {
    let bytes = rules.config.fees.storage_usage_config.num_bytes_account;
    Account::new(balance, Balance::ZERO, AccountContract::None, bytes)
}

fn write_state(
    rules: &Rules,
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    init: &DeterministicStateInitAction,
) -> Result<(), ActionFailure> {
    let state_init = &init.state_init;
    global_contracts::adopt(state, account, account_id, state_init.code())?;
    write_entries(rules, state, account, account_id, state_init.data())?;
    Ok(())
}

/// Writes the first entries of an account's contract state.
pub(crate) fn write_entries(
    rules: &Rules,
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    entries: &BTreeMap<Vec<u8>, Vec<u8>>,
) -> Result<(), RuntimeError> {
    let extra = rules
        .config
        .fees
        .storage_usage_config
        .num_extra_bytes_record;
    let mut usage = account.storage_usage();
    for (key, value) in entries {
        usage = usage
            .checked_add((key.len() + value.len()) as u64)
            .and_then(|usage| usage.checked_add(extra))
            .ok_or(RuntimeError::Overflow)?;
        let key = TrieKey::ContractData {
            account_id: account_id.clone(),
            key: key.clone(),
        };
        state.set_raw(key.to_vec(), Some(value.as_slice().into()));
    }
    account.set_storage_usage(usage);
    Ok(())
}
