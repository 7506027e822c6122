//! Promises that wait for their own contract: yield, resume, and the timeout after which a yield that
//! was not resumed runs with a failed result.

use near_primitives::hash::{CryptoHash, YieldId};
use near_primitives::receipt::{
    DataReceipt, PromiseYieldIndices, PromiseYieldTimeout, Receipt, ReceiptEnum, ReceiptV0,
};
use near_primitives::trie_key::TrieKey;
use near_primitives::types::{AccountId, BlockHeight};
use near_primitives::utils::create_receipt_id_from_receipt_id;

use super::RuntimeError;
use crate::state::StateUpdate;

fn receipt_key(account_id: &AccountId, data_id: CryptoHash) -> TrieKey {
    TrieKey::PromiseYieldReceipt {
        receiver_id: account_id.clone(),
        data_id,
    }
}

fn resumed_key(account_id: &AccountId, data_id: CryptoHash) -> TrieKey {
    TrieKey::PromiseYieldStatus {
        receiver_id: account_id.clone(),
        data_id,
    }
}

fn name_key(account_id: &AccountId, yield_id: YieldId) -> TrieKey {
    TrieKey::YieldIdToDataId {
        receiver_id: account_id.clone(),
        yield_id,
    }
}

fn named_key(account_id: &AccountId, data_id: CryptoHash) -> TrieKey {
    TrieKey::DataIdToYieldId {
        receiver_id: account_id.clone(),
        data_id,
    }
}

/// Whether a stored yield is still waiting for its data.
pub(crate) fn is_waiting(
    state: &StateUpdate<'_>,
    account_id: &AccountId,
    data_id: CryptoHash,
) -> bool {
    state.contains(&receipt_key(account_id, data_id))
        && !state.contains(&resumed_key(account_id, data_id))
}

/// Marks a yield as resumed, so that neither a second resume nor the timeout reaches it.
pub(crate) fn mark_resumed(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    data_id: CryptoHash,
) -> Result<(), RuntimeError> {
    state.set(&resumed_key(account_id, data_id), &true)
}

/// Gives a yield the name that the contract chose; `false` if the name is in use.
pub(crate) fn name(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    yield_id: YieldId,
    data_id: CryptoHash,
) -> Result<bool, RuntimeError> {
    let key = name_key(account_id, yield_id);
    if state.contains(&key) {
        return Ok(false);
    }
    state.set(&key, &data_id)?;
    state.set(&named_key(account_id, data_id), &yield_id.0)?;
    Ok(true)
}

/// The yield with a name.
pub(crate) fn named(
    state: &StateUpdate<'_>,
    account_id: &AccountId,
    yield_id: YieldId,
) -> Result<Option<CryptoHash>, RuntimeError> {
    state.get(&name_key(account_id, yield_id))
}

/// Stores a yielded receipt until its data arrives.
pub(crate) fn store(
    state: &mut StateUpdate<'_>,
    receipt: &Receipt,
    data_id: CryptoHash,
) -> Result<(), RuntimeError> {
    state.set(&receipt_key(receipt.receiver_id(), data_id), receipt)
}

/// Takes the receipt that waits for `data_id`, and removes its mark and its name.
pub(crate) fn take(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    data_id: CryptoHash,
) -> Result<Option<Receipt>, RuntimeError> {
    let receipt = state.take(&receipt_key(account_id, data_id))?;
    state.remove(&resumed_key(account_id, data_id));
    if let Some(yield_id) = state.take::<CryptoHash>(&named_key(account_id, data_id))? {
        state.remove(&name_key(account_id, YieldId(yield_id)));
    }
    Ok(receipt)
}

/// Queues the timeout of a new yield.
pub(crate) fn enqueue_timeout(
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    data_id: CryptoHash,
    expires_at: BlockHeight,
) -> Result<(), RuntimeError> {
    let mut indices: PromiseYieldIndices = state
        .get(&TrieKey::PromiseYieldIndices)?
        .unwrap_or_default();
    let timeout = PromiseYieldTimeout {
        account_id: account_id.clone(),
        data_id,
        expires_at,
    };
    state.set(
        &TrieKey::PromiseYieldTimeout {
            index: indices.next_available_index,
        },
        &timeout,
    )?;
    indices.next_available_index += 1;
    state.set(&TrieKey::PromiseYieldIndices, &indices)
}

/// Takes every timeout due at `height` off the queue and returns receipts that resume the yields still
/// waiting, without data.
pub(crate) fn take_due(
    state: &mut StateUpdate<'_>,
    height: BlockHeight,
) -> Result<Vec<Receipt>, RuntimeError> {
    let mut indices: PromiseYieldIndices = state
        .get(&TrieKey::PromiseYieldIndices)?
        .unwrap_or_default();
    let first_before = indices.first_index;
    let mut receipts = Vec::new();
    while indices.first_index < indices.next_available_index {
        let key = TrieKey::PromiseYieldTimeout {
            index: indices.first_index,
        };
        let timeout: PromiseYieldTimeout = state
            .get(&key)?
            .ok_or_else(|| RuntimeError::Corrupt("a yield timeout is missing".to_owned()))?;
        if timeout.expires_at > height {
            break;
        }
        state.remove(&key);
        indices.first_index += 1;
        let PromiseYieldTimeout {
            account_id,
            data_id,
            ..
        } = timeout;
        if !is_waiting(state, &account_id, data_id) {
            continue;
        }
        let Some(waiting) = state.get::<Receipt>(&receipt_key(&account_id, data_id))? else {
            continue;
        };
        mark_resumed(state, &account_id, data_id)?;
        receipts.push(Receipt::V0(ReceiptV0 {
            predecessor_id: account_id.clone(),
            receiver_id: account_id,
            receipt_id: create_receipt_id_from_receipt_id(waiting.receipt_id(), height, 0),
            receipt: ReceiptEnum::PromiseResume(DataReceipt {
                data_id,
                data: None,
            }),
        }));
    }
    if indices.first_index != first_before {
        state.set(&TrieKey::PromiseYieldIndices, &indices)?;
    }
    state.commit();
    Ok(receipts)
}
