//! Adds and deletes access keys, and refunds allowances.

use near_crypto::{PublicKey, PublicKeyHandle};
use near_parameters::RuntimeFeesConfig;
use near_primitives::account::{AccessKey, AccessKeyPermission, Account, FunctionCallPermission};
use near_primitives::errors::ActionErrorKind;
use near_primitives::transaction::{AddKeyAction, DeleteKeyAction};
use near_primitives::trie_key::TrieKey;
use near_primitives::types::{AccountId, Balance};

use super::outcome::{ActionFailure, ActionResult};
use super::{BlockContext, RuntimeError, add_balance, gas_keys, initial_nonce};
use crate::state::StateUpdate;

/// The bytes that a key adds to its account's storage usage, with the lanes of a gas key.
pub(crate) fn storage_usage(
    fees: &RuntimeFeesConfig,
    key: impl Into<PublicKeyHandle>,
    access_key: &AccessKey,
) -> Result<u64, RuntimeError> {
    let key_length = key.into().trie_id_len() as u64;
    let value_length = borsh::object_length(access_key)
        .map_err(|error| RuntimeError::Corrupt(error.to_string()))? as u64;
    let lanes = match access_key.gas_key_info() {
        Some(info) => gas_keys::lanes_storage_usage(fees, key_length, info.num_nonces),
        None => 0,
    };
    Ok(key_length + value_length + fees.storage_usage_config.num_extra_bytes_record + lanes)
}

pub(crate) fn add(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    action: &AddKeyAction,
) -> Result<(), ActionFailure> {
    if state.access_key(account_id, &action.public_key)?.is_some() {
        return Err(ActionFailure::from(ActionErrorKind::AddKeyAlreadyExists {
            account_id: account_id.clone(),
            public_key: Box::new(action.public_key.clone()),
        }));
    }
    let mut access_key = action.access_key.clone();
    let nonce = initial_nonce(block.height);
    match access_key.gas_key_info() {
        Some(info) => {
            let lanes = info.num_nonces;
            gas_keys::open_lanes(state, account_id, &action.public_key, lanes, nonce)?;
            access_key.nonce = 0;
        }
        None => access_key.nonce = nonce,
    }
    state.set_access_key(account_id, &action.public_key, &access_key)?;
    let used = storage_usage(&block.rules.config.fees, &action.public_key, &access_key)?;
    account.set_storage_usage(account.storage_usage().saturating_add(used));
    Ok(())
}

pub(crate) fn delete(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    action: &DeleteKeyAction,
    result: &mut ActionResult,
) -> Result<(), ActionFailure> {
    let public_key = &action.public_key;
    let Some(access_key) = state.access_key(account_id, public_key)? else {
        return Err(ActionFailure::from(
            ActionErrorKind::DeleteKeyDoesNotExist {
                account_id: account_id.clone(),
                public_key: Box::new(public_key.clone()),
            },
        ));
    };
    if let Some(info) = access_key.gas_key_info() {
        let burnt = gas_keys::close(state, account_id, public_key, info)?;
        result.tokens_burnt = add_balance(result.tokens_burnt, burnt)?;
    }
    state.remove(&TrieKey::access_key(account_id.clone(), public_key));
    let used = storage_usage(&block.rules.config.fees, public_key, &access_key)?;
    account.set_storage_usage(account.storage_usage().saturating_sub(used));
    Ok(())
}

/// Adds refunded gas to the allowance of the key that bought it, if key and allowance still exist.
pub(crate) fn refund_allowance(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    public_key: &PublicKey,
    refund: Balance,
) -> Result<(), RuntimeError> {
    let Some(mut access_key) = state.access_key(account_id, public_key)? else {
        return Ok(());
    };
    if let AccessKeyPermission::FunctionCall(FunctionCallPermission {
        allowance: Some(allowance),
        ..
    }) = &mut access_key.permission
    {
        *allowance = allowance.saturating_add(refund);
        state.set_access_key(account_id, public_key, &access_key)?;
    }
    Ok(())
}
