//! The gas cost of actions, and the cost of a transaction to its signer.
//!
//! `near-parameters` holds the single prices. The sums are those of NEAR's runtime.

use near_crypto::{KeyType, PublicKey};
use near_parameters::{
    ActionCosts, RuntimeConfig, SignatureKind, gas_key_add_key_exec_fee, gas_key_add_key_send_fee,
    gas_key_transfer_exec_fee, gas_key_transfer_send_fee, transfer_exec_fee, transfer_send_fee,
    universal_state_init_content_terms, universal_state_init_size_terms,
};
use near_primitives::transaction::{Action, Transaction};
use near_primitives::types::{AccountId, Balance, Gas};
use near_primitives::universal_state_init::state_init_counts;

use super::delegate::delegate_of;
use super::{RuntimeError, add_balance, gas_to_balance};

/// The parts of a transaction's price.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TransactionCost {
    /// The gas burnt when the transaction becomes a receipt.
    pub(crate) gas_burnt: Gas,
    /// The tokens that this gas burns at the block's gas price.
    pub(crate) burnt_amount: Balance,
    /// The price at which the signer buys the rest of the gas.
    pub(crate) receipt_gas_price: Balance,
    /// All gas, burnt and bought.
    pub(crate) gas_cost: Balance,
    /// The deposits of all actions.
    pub(crate) deposit_cost: Balance,
    /// Everything that is paid up front: gas and deposits.
    pub(crate) total: Balance,
}

/// Prices a transaction. The signer buys the receipt's gas at `min_gas_purchase_price` or more (from
/// protocol 85); unburnt gas comes back as a refund.
pub(crate) fn transaction_cost(
    config: &RuntimeConfig,
    transaction: &Transaction,
    gas_price: Balance,
) -> Result<TransactionCost, RuntimeError> {
    let sender_is_receiver = transaction.signer_id() == transaction.receiver_id();
    let actions = transaction.actions();
    let gas_burnt = send_cost(config, ActionCosts::new_action_receipt, sender_is_receiver)
        .checked_add_result(send_fees(
            config,
            sender_is_receiver,
            actions,
            transaction.receiver_id(),
        )?)?
        .checked_add_result(signature_verification_fees(
            config,
            transaction.public_key(),
            actions,
        )?)?;
    let gas_bought = prepaid_gas(actions)?
        .checked_add_result(prepaid_send_fees(config, actions)?)?
        .checked_add_result(receipt_exec_fees(
            config,
            actions,
            transaction.receiver_id(),
        )?)?;

    let burnt_amount = gas_to_balance(gas_price, gas_burnt)?;
    let receipt_gas_price = gas_price.max(config.min_gas_purchase_price);
    let bought_amount = gas_to_balance(receipt_gas_price, gas_bought)?;
    let gas_cost = add_balance(burnt_amount, bought_amount)?;
    let deposit_cost = deposits(actions)?;
    Ok(TransactionCost {
        gas_burnt,
        burnt_amount,
        receipt_gas_price,
        gas_cost,
        deposit_cost,
        total: add_balance(gas_cost, deposit_cost)?,
    })
}

/// The gas to verify signatures beyond what every receipt pays for: the transaction's and those of its
/// delegate actions. Only ML-DSA-65 costs any.
fn signature_verification_fees(
    config: &RuntimeConfig,
    public_key: &PublicKey,
    actions: &[Action],
) -> Result<Gas, RuntimeError> {
    let fee = |public_key: &PublicKey| {
        let kind = match public_key.key_type() {
            KeyType::ED25519 => SignatureKind::Ed25519,
            KeyType::SECP256K1 => SignatureKind::Secp256k1,
            KeyType::MLDSA65 => SignatureKind::MlDsa65,
        };
        config.fees.signature_verification_costs[kind].gas
    };
    let of_delegates = sum(actions, |action| {
        Ok(delegate_of(action).map_or(Gas::ZERO, |delegate| fee(delegate.public_key())))
    })?;
    Ok(fee(public_key).checked_add_result(of_delegates)?)
}

/// The gas to send `actions` to `receiver`.
pub(crate) fn send_fees(
    config: &RuntimeConfig,
    sender_is_receiver: bool,
    actions: &[Action],
    receiver: &AccountId,
) -> Result<Gas, RuntimeError> {
    sum(actions, |action| {
        let cost = |cost| send_cost(config, cost, sender_is_receiver);
        if let Some(inner) = delegate_of(action) {
            let inner_fees = send_fees(
                config,
                sender_is_receiver,
                &inner.get_actions(),
                inner.receiver_id(),
            )?;
            return Ok(cost(ActionCosts::delegate).checked_add_result(inner_fees)?);
        }
        if let Action::Transfer(_) = action {
            let vm = &config.wasm_config;
            return Ok(transfer_send_fee(
                &config.fees,
                sender_is_receiver,
                vm.eth_implicit_accounts,
                vm.universal_accounts,
                receiver.get_account_type(),
            )
            .gas);
        }
        let fee = action_fee(action, cost)?;
        Ok(fee.checked_add_result(gas_key_send_fee(config, sender_is_receiver, action))?)
    })
}

/// The gas to execute one action, without its attached gas.
pub(crate) fn exec_fee(
    config: &RuntimeConfig,
    action: &Action,
    receiver: &AccountId,
) -> Result<Gas, RuntimeError> {
    if let Action::Transfer(_) = action {
        let vm = &config.wasm_config;
        return Ok(transfer_exec_fee(
            &config.fees,
            vm.eth_implicit_accounts,
            vm.universal_accounts,
            receiver.get_account_type(),
        )
        .gas);
    }
    let fee = action_fee(action, |cost| exec_cost(config, cost))?;
    Ok(fee.checked_add_result(gas_key_exec_fee(config, action, receiver))?)
}

/// What the balance and the lanes of a gas key add to the fee of sending an action.
fn gas_key_send_fee(config: &RuntimeConfig, sender_is_receiver: bool, action: &Action) -> Gas {
    let fees = &config.fees;
    let transfer = |public_key: &PublicKey| {
        gas_key_transfer_send_fee(fees, sender_is_receiver, public_key.trie_id_len()).total()
    };
    match action {
        Action::AddKey(add) if add.access_key.gas_key_info().is_some() => {
            gas_key_add_key_send_fee(fees, sender_is_receiver).gas
        }
        Action::TransferToGasKey(to) => transfer(&to.public_key).gas,
        Action::WithdrawFromGasKey(from) => transfer(&from.public_key).gas,
        _ => Gas::ZERO,
    }
}

/// What the balance and the lanes of a gas key add to the fee of executing an action.
fn gas_key_exec_fee(config: &RuntimeConfig, action: &Action, receiver: &AccountId) -> Gas {
    let fees = &config.fees;
    let transfer = |public_key: &PublicKey| {
        gas_key_transfer_exec_fee(fees, receiver.len(), public_key.trie_id_len()).total()
    };
    match action {
        Action::AddKey(add) => add.access_key.gas_key_info().map_or(Gas::ZERO, |info| {
            let key_length = add.public_key.trie_id_len();
            gas_key_add_key_exec_fee(fees, receiver.len(), key_length, info.num_nonces)
                .total()
                .gas
        }),
        Action::TransferToGasKey(to) => transfer(&to.public_key).gas,
        Action::WithdrawFromGasKey(from) => transfer(&from.public_key).gas,
        _ => Gas::ZERO,
    }
}

/// The gas to execute a receipt with `actions`, without attached gas: the fees of the receipt and of
/// each action, and for a delegate action also those of its inner receipt.
pub(crate) fn receipt_exec_fees(
    config: &RuntimeConfig,
    actions: &[Action],
    receiver: &AccountId,
) -> Result<Gas, RuntimeError> {
    let own = exec_cost(config, ActionCosts::new_action_receipt);
    let of_actions = sum(actions, |action| {
        let fee = exec_fee(config, action, receiver)?;
        let Some(inner) = delegate_of(action) else {
            return Ok(fee);
        };
        let inner_fees = receipt_exec_fees(config, &inner.get_actions(), inner.receiver_id())?;
        Ok(fee.checked_add_result(inner_fees)?)
    })?;
    Ok(own.checked_add_result(of_actions)?)
}

/// The gas that the signer buys so that a delegate action's receiver can send the inner receipt.
pub(crate) fn prepaid_send_fees(
    config: &RuntimeConfig,
    actions: &[Action],
) -> Result<Gas, RuntimeError> {
    sum(actions, |action| {
        let Some(inner) = delegate_of(action) else {
            return Ok(Gas::ZERO);
        };
        let sender_is_receiver = inner.sender_id() == inner.receiver_id();
        let fees = send_fees(
            config,
            sender_is_receiver,
            &inner.get_actions(),
            inner.receiver_id(),
        )?;
        let receipt = send_cost(config, ActionCosts::new_action_receipt, sender_is_receiver);
        Ok(fees.checked_add_result(receipt)?)
    })
}

/// The gas attached to function calls, including those inside a delegate action.
pub(crate) fn prepaid_gas(actions: &[Action]) -> Result<Gas, RuntimeError> {
    sum(actions, |action| match delegate_of(action) {
        Some(inner) => prepaid_gas(&inner.get_actions()),
        None => Ok(action.get_prepaid_gas()),
    })
}

/// The deposits of all actions, including those inside a delegate action.
pub(crate) fn deposits(actions: &[Action]) -> Result<Balance, RuntimeError> {
    actions.iter().try_fold(Balance::ZERO, |total, action| {
        let deposit = match delegate_of(action) {
            Some(inner) => deposits(&inner.get_actions())?,
            None => action.get_deposit_balance(),
        };
        add_balance(total, deposit)
    })
}

pub(crate) fn send_cost(
    config: &RuntimeConfig,
    cost: ActionCosts,
    sender_is_receiver: bool,
) -> Gas {
    config.fees.fee(cost).send_fee(sender_is_receiver).gas
}

pub(crate) fn exec_cost(config: &RuntimeConfig, cost: ActionCosts) -> Gas {
    config.fees.fee(cost).exec_fee().gas
}

/// The fee of an action as far as its send and execution fees have the same form.
fn action_fee(action: &Action, cost: impl Fn(ActionCosts) -> Gas) -> Result<Gas, RuntimeError> {
    let with_bytes = |base, per_byte, bytes: usize| {
        let of_bytes = cost(per_byte)
            .checked_mul(bytes as u64)
            .ok_or(RuntimeError::Overflow)?;
        Ok(cost(base).checked_add_result(of_bytes)?)
    };
    match action {
        Action::CreateAccount(_) => Ok(cost(ActionCosts::create_account)),
        Action::DeployContract(deploy) => with_bytes(
            ActionCosts::deploy_contract_base,
            ActionCosts::deploy_contract_byte,
            deploy.code.len(),
        ),
        Action::FunctionCall(call) => with_bytes(
            ActionCosts::function_call_base,
            ActionCosts::function_call_byte,
            call.method_name.len() + call.args.len(),
        ),
        Action::Stake(_) => Ok(cost(ActionCosts::stake)),
        Action::AddKey(add) => match add.access_key.permission.function_call_permission() {
            Some(permission) => with_bytes(
                ActionCosts::add_function_call_key_base,
                ActionCosts::add_function_call_key_byte,
                // Each name counts with its terminating zero.
                permission
                    .method_names
                    .iter()
                    .map(|name| name.len() + 1)
                    .sum(),
            ),
            None => Ok(cost(ActionCosts::add_full_access_key)),
        },
        Action::DeleteKey(_) => Ok(cost(ActionCosts::delete_key)),
        Action::DeleteAccount(_) => Ok(cost(ActionCosts::delete_account)),
        Action::Delegate(_) | Action::DelegateV2(_) => Ok(cost(ActionCosts::delegate)),
        Action::Transfer(_) => Ok(cost(ActionCosts::transfer)),
        Action::DeployGlobalContract(deploy) => with_bytes(
            ActionCosts::deploy_global_contract_base,
            ActionCosts::deploy_global_contract_byte,
            deploy.code.len(),
        ),
        Action::UseGlobalContract(adopt) => with_bytes(
            ActionCosts::use_global_contract_base,
            ActionCosts::use_global_contract_byte,
            adopt.contract_identifier.len(),
        ),
        Action::DeterministicStateInit(init) => {
            let of_bytes = with_bytes(
                ActionCosts::deterministic_state_init_base,
                ActionCosts::deterministic_state_init_byte,
                init.state_init.len_bytes(),
            )?;
            let of_entries = cost(ActionCosts::deterministic_state_init_entry)
                .checked_mul(init.state_init.data().len() as u64)
                .ok_or(RuntimeError::Overflow)?;
            Ok(of_bytes.checked_add_result(of_entries)?)
        }
        // All of their fee depends on the side.
        Action::TransferToGasKey(_) | Action::WithdrawFromGasKey(_) => Ok(Gas::ZERO),
        Action::UniversalStateInit(init) => {
            let counts = state_init_counts(&init.state_init);
            universal_state_init_size_terms(counts.num_bytes)
                .into_iter()
                .chain(universal_state_init_content_terms(counts))
                .try_fold(Gas::ZERO, |total, (of, units)| {
                    let fee = cost(of).checked_mul(units).ok_or(RuntimeError::Overflow)?;
                    Ok(total.checked_add_result(fee)?)
                })
        }
    }
}

fn sum(
    actions: &[Action],
    fee: impl Fn(&Action) -> Result<Gas, RuntimeError>,
) -> Result<Gas, RuntimeError> {
    actions.iter().try_fold(Gas::ZERO, |total, action| {
        Ok(total.checked_add_result(fee(action)?)?)
    })
}
