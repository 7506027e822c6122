//! Gas keys (NEP-611): access keys that pay for gas from a balance of their own, and whose transactions
//! follow one of several nonces, the key's lanes.
//!
//! All rules on who pays and on what a lane means are here:
//!
//! - A lane's transaction takes gas from the key and deposits from the account ([`charge`]).
//! - If the account cannot pay the deposits, the key still pays for the conversion and the lane advances.
//! - Unused gas goes back to the key while it is a gas key, else to the account ([`refund`]).
//! - A key is deleted with up to one NEAR, which burns ([`close`], [`burnt_with_account`]).

use near_crypto::PublicKey;
use near_parameters::RuntimeFeesConfig;
use near_primitives::account::{AccessKey, Account, GasKeyInfo};
use near_primitives::action::delegate::VersionedDelegateActionRef;
use near_primitives::action::{TransferToGasKeyAction, WithdrawFromGasKeyAction};
use near_primitives::errors::{
    ActionErrorKind, DepositCostFailureReason, InvalidAccessKeyError, InvalidTxError,
};
use near_primitives::transaction::Transaction;
use near_primitives::trie_key::TrieKey;
use near_primitives::types::{AccountId, Balance, BlockHeight, Nonce, NonceIndex};

use super::fees::TransactionCost;
use super::outcome::ActionFailure;
use super::verify::{self, Admission};
use super::{Rules, RuntimeError, add_balance, sub_balance};
use crate::state::StateUpdate;

/// The bytes that the lanes of a gas key add to its account's storage usage. Each is an entry of its own,
/// whose key is the access key's with the index of the lane.
pub(crate) fn lanes_storage_usage(
    fees: &RuntimeFeesConfig,
    key_length: u64,
    lanes: NonceIndex,
) -> u64 {
    let index_length = size_of::<NonceIndex>() as u64;
    let nonce_length = AccessKey::NONCE_VALUE_LEN as u64;
    let lane =
        key_length + index_length + nonce_length + fees.storage_usage_config.num_extra_bytes_record;
    u64::from(lanes) * lane
}

/// Gives each lane of a new gas key its first nonce.
pub(crate) fn open_lanes(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    public_key: &PublicKey,
    lanes: NonceIndex,
    nonce: Nonce,
) -> Result<(), RuntimeError> {
    (0..lanes).try_for_each(|lane| state.set_gas_key_nonce(account_id, public_key, lane, nonce))
}

/// Removes the lanes of a gas key that is being deleted. Returns its balance, which burns.
pub(crate) fn close(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    public_key: &PublicKey,
    info: &GasKeyInfo,
) -> Result<Balance, ActionFailure> {
    if info.balance > GasKeyInfo::MAX_BALANCE_TO_BURN {
        return Err(ActionFailure::from(ActionErrorKind::GasKeyBalanceTooHigh {
            account_id: account_id.clone(),
            public_key: Some(Box::new(public_key.clone())),
            balance: info.balance,
        }));
    }
    for lane in 0..info.num_nonces {
        state.remove(&TrieKey::gas_key_nonce(
            account_id.clone(),
            public_key,
            lane,
        ));
    }
    Ok(info.balance)
}

/// The balance of all gas keys of an account that is being deleted, which burns with it.
pub(crate) fn burnt_with_account(
    state: &StateUpdate<'_>,
    account_id: &AccountId,
) -> Result<Balance, ActionFailure> {
    let mut balance = Balance::ZERO;
    for (_, access_key) in state.access_keys(account_id)? {
        if let Some(info) = access_key.gas_key_info() {
            balance = add_balance(balance, info.balance)?;
        }
    }
    if balance > GasKeyInfo::MAX_BALANCE_TO_BURN {
        return Err(ActionFailure::from(ActionErrorKind::GasKeyBalanceTooHigh {
            account_id: account_id.clone(),
            public_key: None,
            balance,
        }));
    }
    Ok(balance)
}

/// Checks a transaction on a lane of `access_key` and charges it. Writes the lane's nonce and both
/// balances to `state`, uncommitted.
pub(crate) fn charge(
    rules: &Rules,
    state: &mut StateUpdate<'_>,
    transaction: &Transaction,
    mut account: Account,
    mut access_key: AccessKey,
    cost: TransactionCost,
    height: Option<BlockHeight>,
) -> Result<Admission, InvalidTxError> {
    let signer_id = transaction.signer_id();
    let public_key = transaction.public_key();
    let tx_nonce_index = transaction.nonce().nonce_index();
    let lane = tx_nonce_index.unwrap_or_default();
    // A node looks for the lane before it looks at the kind of the key.
    let Some(lane_nonce) = state.gas_key_nonce(signer_id, public_key, lane)? else {
        let num_nonces = access_key.gas_key_info().map_or(0, |info| info.num_nonces);
        return Err(InvalidTxError::InvalidNonceIndex {
            tx_nonce_index,
            num_nonces,
        });
    };
    let permission = access_key.permission.function_call_permission().cloned();
    let Some(info) = access_key.gas_key_info_mut() else {
        return Err(verify::access_key_not_found(transaction));
    };
    verify::check_nonce(transaction, transaction.nonce_mode(), lane_nonce, height)?;
    let Some(balance) = info.balance.checked_sub(cost.gas_cost) else {
        return Err(InvalidTxError::NotEnoughGasKeyBalance {
            signer_id: signer_id.clone(),
            balance: info.balance,
            cost: cost.gas_cost,
        });
    };
    if let Some(permission) = permission {
        verify::check_permission(
            &permission,
            transaction.receiver_id(),
            transaction.actions(),
        )
        .map_err(InvalidTxError::InvalidAccessKeyError)?;
    }

    let admission = match take_deposits(rules, signer_id, &mut account, cost.deposit_cost)? {
        None => {
            info.balance = balance;
            state.set_account(signer_id, &account)?;
            Admission::Accepted(cost)
        }
        Some(error) => {
            info.balance = sub_balance(info.balance, cost.burnt_amount)?;
            Admission::DepositFailed(cost, error)
        }
    };
    let nonce = transaction.nonce().nonce();
    state.set_gas_key_nonce(signer_id, public_key, lane, nonce)?;
    state.set_access_key(signer_id, public_key, &access_key)?;
    Ok(admission)
}

/// Takes the deposits of a transaction from the account, or says why the account cannot pay them.
fn take_deposits(
    rules: &Rules,
    signer_id: &AccountId,
    account: &mut Account,
    deposits: Balance,
) -> Result<Option<InvalidTxError>, RuntimeError> {
    let failed = |balance, cost, reason| {
        Ok(Some(InvalidTxError::NotEnoughBalanceForDeposit {
            signer_id: signer_id.clone(),
            balance,
            cost,
            reason,
        }))
    };
    let Some(left) = account.amount().checked_sub(deposits) else {
        let reason = DepositCostFailureReason::NotEnoughBalance;
        return failed(account.amount(), deposits, reason);
    };
    account.set_amount(left);
    match verify::missing_storage_stake(rules, account)? {
        None => Ok(None),
        Some(missing) => failed(left, missing, DepositCostFailureReason::LackBalanceForState),
    }
}

/// Adds a deposit to a gas key of the receiving account. Anybody may.
pub(crate) fn transfer(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    action: &TransferToGasKeyAction,
) -> Result<(), ActionFailure> {
    change_balance(state, account_id, &action.public_key, |balance| {
        Ok(add_balance(balance, action.deposit)?)
    })
}

/// Moves a part of a gas key's balance to its account.
pub(crate) fn withdraw(
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    action: &WithdrawFromGasKeyAction,
) -> Result<(), ActionFailure> {
    change_balance(state, account_id, &action.public_key, |balance| {
        balance.checked_sub(action.amount).ok_or_else(|| {
            ActionFailure::from(ActionErrorKind::InsufficientGasKeyBalance {
                account_id: account_id.clone(),
                public_key: Box::new(action.public_key.clone()),
                balance,
                required: action.amount,
            })
        })
    })?;
    account.set_amount(add_balance(account.amount(), action.amount)?);
    Ok(())
}

fn change_balance(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    public_key: &PublicKey,
    change: impl FnOnce(Balance) -> Result<Balance, ActionFailure>,
) -> Result<(), ActionFailure> {
    let mut access_key = state.access_key(account_id, public_key)?;
    let info = access_key.as_mut().and_then(AccessKey::gas_key_info_mut);
    let Some(info) = info else {
        return Err(ActionFailure::from(ActionErrorKind::GasKeyDoesNotExist {
            account_id: account_id.clone(),
            public_key: Box::new(public_key.clone()),
        }));
    };
    info.balance = change(info.balance)?;
    if let Some(access_key) = access_key {
        state.set_access_key(account_id, public_key, &access_key)?;
    }
    Ok(())
}

/// Gives unused gas back to the gas key that bought it. Returns whether there is such a key.
pub(crate) fn refund(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    public_key: &PublicKey,
    amount: Balance,
) -> Result<bool, ActionFailure> {
    let access_key = state.access_key(account_id, public_key)?;
    if access_key.is_none_or(|key| key.gas_key_info().is_none()) {
        return Ok(false);
    }
    change_balance(state, account_id, public_key, |balance| {
        Ok(add_balance(balance, amount)?)
    })?;
    Ok(true)
}

/// The nonces of a gas key's lanes, in order; `None` if there is no such gas key.
pub(crate) fn nonces(
    state: &StateUpdate<'_>,
    account_id: &AccountId,
    public_key: &PublicKey,
) -> Result<Option<Vec<Nonce>>, RuntimeError> {
    let access_key = state.access_key(account_id, public_key)?;
    let Some(info) = access_key.as_ref().and_then(AccessKey::gas_key_info) else {
        return Ok(None);
    };
    let nonce = |lane| {
        state
            .gas_key_nonce(account_id, public_key, lane)?
            .ok_or_else(|| RuntimeError::Corrupt("a gas key lacks a lane".to_owned()))
    };
    (0..info.num_nonces)
        .map(nonce)
        .collect::<Result<_, _>>()
        .map(Some)
}

/// The nonce that a delegate action by this key must exceed: the key's or, in version 2, that of a gas key's lane.
pub(crate) fn delegate_nonce(
    state: &StateUpdate<'_>,
    delegate: VersionedDelegateActionRef<'_>,
    access_key: &AccessKey,
) -> Result<Nonce, ActionFailure> {
    let refused = |error| Err(ActionErrorKind::DelegateActionAccessKeyError(error).into());
    match (delegate.nonce().nonce_index(), access_key.gas_key_info()) {
        (None, None) => Ok(access_key.nonce),
        (None, Some(_)) => refused(InvalidAccessKeyError::DelegateActionRequiresNonGasKey),
        (Some(_), None) => refused(InvalidAccessKeyError::DelegateActionRequiresGasKey),
        (Some(nonce_index), Some(info)) if nonce_index >= info.num_nonces => Err(
            ActionFailure::from(ActionErrorKind::DelegateActionInvalidNonceIndex {
                nonce_index,
                num_nonces: info.num_nonces,
            }),
        ),
        (Some(lane), Some(_)) => Ok(state
            .gas_key_nonce(delegate.sender_id(), delegate.public_key(), lane)?
            .ok_or_else(|| RuntimeError::Corrupt("a gas key lacks a lane".to_owned()))?),
    }
}
