//! Adds and deletes access keys, and refunds allowances.

use near_crypto::PublicKey;
use near_parameters::RuntimeFeesConfig;
use near_primitives::account::{AccessKey, AccessKeyPermission, Account, FunctionCallPermission};
use near_primitives::errors::ActionErrorKind;
use near_primitives::transaction::{AddKeyAction, DeleteKeyAction};
use near_primitives::types::{AccountId, Balance};

use super::outcome::ActionFailure;
use super::{BlockContext, RuntimeError, initial_nonce};
use crate::state::{StateUpdate, access_key_key};

/// The bytes that a key adds to its account's storage usage.
pub(crate) fn storage_usage(
    fees: &RuntimeFeesConfig,
    public_key: &PublicKey,
    access_key: &AccessKey,
) -> Result<u64, RuntimeError> {
    let length = borsh::object_length(public_key)
        .and_then(|key| Ok(key + borsh::object_length(access_key)?))
        .map_err(|error| RuntimeError::Corrupt(error.to_string()))?;
    Ok(length as u64 + fees.storage_usage_config.num_extra_bytes_record)
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
    access_key.nonce = initial_nonce(block.height);
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
) -> Result<(), ActionFailure> {
    let Some(access_key) = state.access_key(account_id, &action.public_key)? else {
        return Err(ActionFailure::from(
            ActionErrorKind::DeleteKeyDoesNotExist {
                account_id: account_id.clone(),
                public_key: Box::new(action.public_key.clone()),
            },
        ));
    };
    state.remove(&access_key_key(account_id, &action.public_key));
    let used = storage_usage(&block.rules.config.fees, &action.public_key, &access_key)?;
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
