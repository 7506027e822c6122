//! Delegate actions (NEP-366): the relayer pays, the sender's key authorises. Those of version 2, at protocols 85 and 86,
//! may name a lane of a gas key, which pays for nothing.

use near_primitives::action::delegate::{
    VersionedDelegateActionRef, VersionedSignedDelegateActionRef,
};
use near_primitives::errors::{ActionErrorKind, InvalidAccessKeyError};
use near_primitives::hash::CryptoHash;
use near_primitives::receipt::{
    ActionReceipt, Receipt, ReceiptEnum, ReceiptV0, VersionedActionReceipt,
};
use near_primitives::transaction::Action;
use near_primitives::types::AccountId;

use super::outcome::{ActionFailure, ActionResult};
use super::verify::check_permission;
use super::{BlockContext, fees, gas_keys, nonce_upper_bound};
use crate::state::StateUpdate;

/// Checks the sender's signature and key, and makes the receipt that the sender requested.
pub(crate) fn apply(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    origin: &VersionedActionReceipt<'_>,
    sender_id: &AccountId,
    signed: VersionedSignedDelegateActionRef<'_>,
    result: &mut ActionResult,
) -> Result<(), ActionFailure> {
    let delegate = signed.delegate_action();
    if !signed.verify() {
        return Err(ActionErrorKind::DelegateActionInvalidSignature.into());
    }
    if block.height > delegate.max_block_height() {
        return Err(ActionErrorKind::DelegateActionExpired.into());
    }
    if delegate.sender_id() != sender_id {
        return Err(ActionFailure::from(
            ActionErrorKind::DelegateActionSenderDoesNotMatchTxReceiver {
                sender_id: delegate.sender_id().clone(),
                receiver_id: sender_id.clone(),
            },
        ));
    }
    use_key(block, state, delegate)?;

    let config = &block.rules.config;
    let actions = delegate.get_actions();
    // The relayer bought this gas. The gas for the inner receipt is used here but not burnt; the gas
    // to send it burns now.
    let inner_gas = fees::receipt_exec_fees(config, &actions, delegate.receiver_id())?
        .checked_add_result(fees::prepaid_gas(&actions)?)?;
    let send_gas = fees::prepaid_send_fees(config, origin.actions())?;
    result.gas_used = result
        .gas_used
        .checked_add_result(inner_gas)?
        .checked_add_result(send_gas)?;
    result.gas_burnt = result.gas_burnt.checked_add_result(send_gas)?;
    result.new_receipts.push(Receipt::V0(ReceiptV0 {
        predecessor_id: sender_id.clone(),
        receiver_id: delegate.receiver_id().clone(),
        receipt_id: CryptoHash::default(),
        receipt: ReceiptEnum::Action(ActionReceipt {
            signer_id: origin.signer_id().clone(),
            signer_public_key: origin.signer_public_key().clone(),
            gas_price: origin.gas_price(),
            output_data_receivers: vec![],
            input_data_ids: vec![],
            actions,
        }),
    }));
    Ok(())
}

/// The delegate action in an action.
pub(crate) fn delegate_of(action: &Action) -> Option<VersionedDelegateActionRef<'_>> {
    match action {
        Action::Delegate(signed) => Some((&signed.delegate_action).into()),
        Action::DelegateV2(signed) => Some((&signed.delegate_action).into()),
        _ => None,
    }
}

/// Checks the sender's key, and spends its nonce or that of its lane.
fn use_key(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    delegate: VersionedDelegateActionRef<'_>,
) -> Result<(), ActionFailure> {
    let (sender_id, public_key) = (delegate.sender_id(), delegate.public_key());
    let Some(mut access_key) = state.access_key(sender_id, public_key)? else {
        let missing = InvalidAccessKeyError::AccessKeyNotFound {
            account_id: sender_id.clone(),
            public_key: Box::new(public_key.clone()),
        };
        return Err(ActionErrorKind::DelegateActionAccessKeyError(missing).into());
    };
    let ak_nonce = gas_keys::delegate_nonce(state, delegate, &access_key)?;
    let delegate_nonce = delegate.nonce().nonce();
    if delegate_nonce <= ak_nonce {
        return Err(ActionFailure::from(
            ActionErrorKind::DelegateActionInvalidNonce {
                delegate_nonce,
                ak_nonce,
            },
        ));
    }
    let upper_bound = nonce_upper_bound(block.height);
    if delegate_nonce >= upper_bound {
        return Err(ActionFailure::from(
            ActionErrorKind::DelegateActionNonceTooLarge {
                delegate_nonce,
                upper_bound,
            },
        ));
    }
    if let Some(permission) = access_key.permission.function_call_permission() {
        check_permission(permission, delegate.receiver_id(), &delegate.get_actions())
            .map_err(ActionErrorKind::DelegateActionAccessKeyError)?;
    }
    match delegate.nonce().nonce_index() {
        None => {
            access_key.nonce = delegate_nonce;
            state.set_access_key(sender_id, public_key, &access_key)?;
        }
        Some(lane) => state.set_gas_key_nonce(sender_id, public_key, lane, delegate_nonce)?,
    }
    Ok(())
}
