//! The data that receipts wait for: the results of the promises that they depend on.

use std::sync::Arc;

use near_primitives::hash::CryptoHash;
use near_primitives::receipt::{Receipt, ReceivedData, VersionedActionReceipt};
use near_primitives::trie_key::TrieKey;
use near_primitives::types::AccountId;
use near_vm_runner::logic::types::PromiseResult;

use super::RuntimeError;
use crate::state::StateUpdate;

/// Stores data until the receipt that waits for it runs. `None` means that the promise failed.
pub(crate) fn store(
    state: &mut StateUpdate<'_>,
    receiver_id: &AccountId,
    data_id: CryptoHash,
    data: Option<Vec<u8>>,
) -> Result<(), RuntimeError> {
    state.set(&received_key(receiver_id, data_id), &ReceivedData { data })
}

/// The data that a receipt needs and that has not arrived.
pub(crate) fn missing(
    state: &StateUpdate<'_>,
    receiver_id: &AccountId,
    receipt: &VersionedActionReceipt<'_>,
) -> Vec<CryptoHash> {
    let absent = |data_id: &CryptoHash| !state.contains(&received_key(receiver_id, *data_id));
    receipt
        .input_data_ids()
        .iter()
        .copied()
        .filter(absent)
        .collect()
}

/// Stores a receipt until its missing data arrives.
pub(crate) fn postpone(
    state: &mut StateUpdate<'_>,
    receipt: &Receipt,
    missing: &[CryptoHash],
) -> Result<(), RuntimeError> {
    let receiver_id = receipt.receiver_id();
    let receipt_id = *receipt.receipt_id();
    for data_id in missing {
        state.set(&postponed_id_key(receiver_id, *data_id), &receipt_id)?;
    }
    let count = u32::try_from(missing.len()).map_err(|_| RuntimeError::Overflow)?;
    state.set(&pending_key(receiver_id, receipt_id), &count)?;
    state.set(&postponed_key(receiver_id, receipt_id), receipt)
}

/// Takes the postponed receipt that was missing only `data_id`.
pub(crate) fn take_ready(
    state: &mut StateUpdate<'_>,
    receiver_id: &AccountId,
    data_id: CryptoHash,
) -> Result<Option<Receipt>, RuntimeError> {
    let waits_key = postponed_id_key(receiver_id, data_id);
    let Some(receipt_id) = state.take::<CryptoHash>(&waits_key)? else {
        return Ok(None);
    };
    let count_key = pending_key(receiver_id, receipt_id);
    let count: u32 = state.get(&count_key)?.unwrap_or_default();
    if count > 1 {
        state.set(&count_key, &(count - 1))?;
        return Ok(None);
    }
    state.remove(&count_key);
    state.take(&postponed_key(receiver_id, receipt_id))
}

/// Takes the data of a receipt that is about to run, in the form that its contract sees.
pub(crate) fn take_results(
    state: &mut StateUpdate<'_>,
    receiver_id: &AccountId,
    receipt: &VersionedActionReceipt<'_>,
) -> Result<Arc<[PromiseResult]>, RuntimeError> {
    let take = |data_id: &CryptoHash| {
        let received: ReceivedData = state
            .take(&received_key(receiver_id, *data_id))?
            .ok_or_else(|| RuntimeError::Corrupt("received data is missing".to_owned()))?;
        Ok(match received.data {
            Some(data) => PromiseResult::Successful(data.into()),
            None => PromiseResult::Failed,
        })
    };
    receipt.input_data_ids().iter().map(take).collect()
}

fn received_key(receiver_id: &AccountId, data_id: CryptoHash) -> TrieKey {
    TrieKey::ReceivedData {
        receiver_id: receiver_id.clone(),
        data_id,
    }
}

fn postponed_id_key(receiver_id: &AccountId, data_id: CryptoHash) -> TrieKey {
    TrieKey::PostponedReceiptId {
        receiver_id: receiver_id.clone(),
        data_id,
    }
}

fn pending_key(receiver_id: &AccountId, receipt_id: CryptoHash) -> TrieKey {
    TrieKey::PendingDataCount {
        receiver_id: receiver_id.clone(),
        receipt_id,
    }
}

fn postponed_key(receiver_id: &AccountId, receipt_id: CryptoHash) -> TrieKey {
    TrieKey::PostponedReceipt {
        receiver_id: receiver_id.clone(),
        receipt_id,
    }
}
