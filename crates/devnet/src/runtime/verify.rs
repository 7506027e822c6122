//! Checks whether a transaction may run: form, signature, nonce, key permission, balance.

use near_primitives::account::{AccessKey, AccessKeyPermission, Account, FunctionCallPermission};
use near_primitives::errors::{InvalidAccessKeyError, InvalidTxError};
use near_primitives::transaction::{
    Action, NonceMode, SignedTransaction, Transaction, ValidatedTransaction,
};
use near_primitives::types::{AccountId, Balance, BlockHeight, Nonce};

use super::fees::{TransactionCost, transaction_cost};
use super::{Rules, RuntimeError, gas_keys, nonce_upper_bound, universal_accounts, validate};
use crate::state::StateUpdate;

/// Accounts that use at most this many bytes need no balance for them (NEP-448).
const ZERO_BALANCE_ACCOUNT_STORAGE_LIMIT: u64 = 770;

/// Checks form, limits and signature, which need no state.
pub(crate) fn check_transaction(
    rules: &Rules,
    signed: &SignedTransaction,
) -> Result<(), InvalidTxError> {
    let transaction = &signed.transaction;
    validate::actions(rules, transaction.actions(), transaction.receiver_id())
        .map_err(InvalidTxError::ActionsValidation)?;
    ValidatedTransaction::new(&rules.config, signed.clone(), rules.protocol_version)
        .map(drop)
        .map_err(|(error, _)| error)
}

/// How the checks of a transaction against the state ended.
#[derive(Debug)]
pub(crate) enum Admission {
    /// It becomes a receipt.
    Accepted(TransactionCost),
    /// A gas key pays for the conversion, but its account cannot pay the deposits. There is an outcome and
    /// no receipt.
    DepositFailed(TransactionCost, InvalidTxError),
}

/// Checks a transaction against the state and charges it. Writes balances, allowance and nonce to
/// `state`, uncommitted. Without a height, leaves the upper bound of nonces unchecked.
pub(crate) fn verify_and_charge(
    rules: &Rules,
    state: &mut StateUpdate<'_>,
    transaction: &Transaction,
    gas_price: Balance,
    height: Option<BlockHeight>,
) -> Result<Admission, InvalidTxError> {
    let signer_id = transaction.signer_id();
    let public_key = transaction.public_key();
    let cost = transaction_cost(&rules.config, transaction, gas_price)
        .map_err(|_| InvalidTxError::CostOverflow)?;
    let mut account =
        state
            .account(signer_id)?
            .ok_or_else(|| InvalidTxError::SignerDoesNotExist {
                signer_id: signer_id.clone(),
            })?;
    let Some(mut access_key) = state.access_key(signer_id, public_key)? else {
        if universal_accounts::is_bootstrap(rules, &account, transaction) {
            return universal_accounts::charge_bootstrap(
                rules,
                state,
                transaction,
                account,
                cost,
                height,
            );
        }
        return Err(access_key_not_found(transaction));
    };
    if transaction.nonce().nonce_index().is_some() {
        return gas_keys::charge(rules, state, transaction, account, access_key, cost, height);
    }
    if let Some(info) = access_key.gas_key_info() {
        return Err(InvalidTxError::InvalidNonceIndex {
            tx_nonce_index: None,
            num_nonces: info.num_nonces,
        });
    }

    check_nonce(
        transaction,
        transaction.nonce_mode(),
        access_key.nonce,
        height,
    )?;
    take_cost(signer_id, &mut account, cost.total)?;
    take_allowance(transaction, &mut access_key, cost.total)?;
    check_storage_stake(rules, signer_id, &account)?;
    if let AccessKeyPermission::FunctionCall(permission) = &access_key.permission {
        check_permission(permission, transaction.receiver_id(), transaction.actions())
            .map_err(InvalidTxError::InvalidAccessKeyError)?;
    }

    access_key.nonce = transaction.nonce().nonce();
    state.set_account(signer_id, &account)?;
    state.set_access_key(signer_id, public_key, &access_key)?;
    Ok(Admission::Accepted(cost))
}

pub(crate) fn access_key_not_found(transaction: &Transaction) -> InvalidTxError {
    InvalidTxError::InvalidAccessKeyError(InvalidAccessKeyError::AccessKeyNotFound {
        account_id: transaction.signer_id().clone(),
        public_key: Box::new(transaction.public_key().clone()),
    })
}

/// Checks that a transaction's nonce follows `current`.
pub(crate) fn check_nonce(
    transaction: &Transaction,
    mode: NonceMode,
    current: Nonce,
    height: Option<BlockHeight>,
) -> Result<(), InvalidTxError> {
    let tx_nonce = transaction.nonce().nonce();
    let follows = match mode {
        NonceMode::Monotonic => tx_nonce > current,
        NonceMode::Strict => current.checked_add(1) == Some(tx_nonce),
    };
    if !follows {
        return Err(InvalidTxError::InvalidNonce {
            tx_nonce,
            ak_nonce: current,
        });
    }
    match height.map(nonce_upper_bound) {
        Some(upper_bound) if tx_nonce >= upper_bound => Err(InvalidTxError::NonceTooLarge {
            tx_nonce,
            upper_bound,
        }),
        _ => Ok(()),
    }
}

/// Takes the whole cost of a transaction from its signer's account.
pub(crate) fn take_cost(
    signer_id: &AccountId,
    account: &mut Account,
    cost: Balance,
) -> Result<(), InvalidTxError> {
    let balance = account.amount();
    let Some(left) = balance.checked_sub(cost) else {
        return Err(InvalidTxError::NotEnoughBalance {
            signer_id: signer_id.clone(),
            balance,
            cost,
        });
    };
    account.set_amount(left);
    Ok(())
}

fn take_allowance(
    transaction: &Transaction,
    access_key: &mut AccessKey,
    cost: Balance,
) -> Result<(), InvalidTxError> {
    if let AccessKeyPermission::FunctionCall(FunctionCallPermission {
        allowance: Some(allowance),
        ..
    }) = &mut access_key.permission
    {
        *allowance = allowance.checked_sub(cost).ok_or_else(|| {
            InvalidTxError::InvalidAccessKeyError(InvalidAccessKeyError::NotEnoughAllowance {
                account_id: transaction.signer_id().clone(),
                public_key: Box::new(transaction.public_key().clone()),
                allowance: *allowance,
                cost,
            })
        })?;
    }
    Ok(())
}

/// Checks that an account can pay for the bytes that it uses before its transaction runs.
pub(crate) fn check_storage_stake(
    rules: &Rules,
    signer_id: &AccountId,
    account: &Account,
) -> Result<(), InvalidTxError> {
    match missing_storage_stake(rules, account)? {
        None => Ok(()),
        Some(amount) => Err(InvalidTxError::LackBalanceForState {
            signer_id: signer_id.clone(),
            amount,
        }),
    }
}

/// Checks that a function-call key may sign `actions`: one call of an allowed method at its receiver,
/// without a deposit.
pub(crate) fn check_permission(
    permission: &FunctionCallPermission,
    receiver: &AccountId,
    actions: &[Action],
) -> Result<(), InvalidAccessKeyError> {
    let [Action::FunctionCall(call)] = actions else {
        return Err(InvalidAccessKeyError::RequiresFullAccess);
    };
    if !call.deposit.is_zero() {
        return Err(InvalidAccessKeyError::DepositWithFunctionCall);
    }
    if receiver.as_str() != permission.receiver_id {
        return Err(InvalidAccessKeyError::ReceiverMismatch {
            tx_receiver: receiver.clone(),
            ak_receiver: permission.receiver_id.clone(),
        });
    }
    if !permission.method_names.is_empty() && !permission.method_names.contains(&call.method_name) {
        return Err(InvalidAccessKeyError::MethodNameMismatch {
            method_name: call.method_name.clone(),
        });
    }
    Ok(())
}

/// How much more an account must hold to pay for the bytes it uses; `None` if it holds enough.
pub(crate) fn missing_storage_stake(
    rules: &Rules,
    account: &Account,
) -> Result<Option<Balance>, RuntimeError> {
    if account.storage_usage() <= ZERO_BALANCE_ACCOUNT_STORAGE_LIMIT {
        return Ok(None);
    }
    let required = rules
        .config
        .storage_amount_per_byte()
        .checked_mul(u128::from(account.storage_usage()))
        .ok_or(RuntimeError::Overflow)?;
    let available = super::add_balance(account.amount(), account.locked())?;
    Ok(required
        .checked_sub(available)
        .filter(|missing| !missing.is_zero()))
}

impl From<RuntimeError> for InvalidTxError {
    fn from(error: RuntimeError) -> Self {
        Self::StorageError(
            near_primitives::errors::StorageError::StorageInconsistentState(error.to_string()),
        )
    }
}
