//! Checks the limits on actions from any sender. Needs no state.

use near_parameters::vm::LimitConfig;
use near_primitives::account::id::AccountType;
use near_primitives::account::{AccessKey, AccessKeyPermission, FunctionCallPermission};
use near_primitives::action::StateInitCounts;
use near_primitives::action::delegate::VersionedDelegateActionRef;
use near_primitives::deterministic_account_id::DeterministicAccountStateInit;
use near_primitives::errors::{ActionsValidationError, ReceiptValidationError};
use near_primitives::receipt::{Receipt, VersionedReceiptEnum};
use near_primitives::transaction::Action;
use near_primitives::types::{AccountId, Gas};
use near_primitives::utils::derive_near_deterministic_account_id;
use near_primitives::version::ProtocolFeature;

use super::{Rules, fees, universal_accounts};

/// Checks the actions for `receiver` as the chain does before it accepts a transaction or a new receipt.
pub(crate) fn actions(
    rules: &Rules,
    actions: &[Action],
    receiver: &AccountId,
) -> Result<(), ActionsValidationError> {
    use ActionsValidationError as E;
    let limits = &rules.config.wasm_config.limit_config;
    if actions.len() as u64 > limits.max_actions_per_receipt {
        return Err(E::TotalNumberOfActionsExceeded {
            total_number_of_actions: actions.len() as u64,
            limit: limits.max_actions_per_receipt,
        });
    }
    // A contract's receipts meet only this check; `ValidatedTransaction` refuses the rest of a transaction.
    if !rules.has(ProtocolFeature::PostQuantumSignatures)
        && actions.iter().any(Action::post_quantum_signatures_required)
    {
        return Err(unsupported(rules, "PostQuantumSignatures"));
    }
    let deploys = actions
        .iter()
        .filter(|action| {
            matches!(
                action,
                Action::DeployContract(_) | Action::DeployGlobalContract(_)
            )
        })
        .count();
    if deploys as u64 > limits.max_deploy_actions_per_receipt {
        return Err(E::TotalNumberOfDeployActionsExceeded {
            number_of_deploy_actions: deploys as u64,
            limit: limits.max_deploy_actions_per_receipt,
        });
    }
    state_inits(limits, actions)?;
    let delegates = actions.iter().filter(|action| action.is_delegate()).count();
    if delegates > 1 {
        return Err(E::DelegateActionMustBeOnlyOne);
    }
    let before_last = actions.split_last().map_or(&[][..], |(_, before)| before);
    if before_last
        .iter()
        .any(|action| matches!(action, Action::DeleteAccount(_)))
    {
        return Err(E::DeleteActionMustBeFinal);
    }
    for action in actions {
        one(rules, limits, action, receiver)?;
    }
    let total_prepaid_gas = fees::prepaid_gas(actions).map_err(|_| E::IntegerOverflow)?;
    if total_prepaid_gas > limits.max_total_prepaid_gas {
        return Err(E::TotalPrepaidGasExceeded {
            total_prepaid_gas,
            limit: limits.max_total_prepaid_gas,
        });
    }
    Ok(())
}

/// Checks a receipt that a contract made.
pub(crate) fn new_receipt(rules: &Rules, receipt: &Receipt) -> Result<(), ReceiptValidationError> {
    use ReceiptValidationError as E;
    let receiver = receipt.receiver_id();
    let limits = &rules.config.wasm_config.limit_config;
    let size = borsh::object_length(receipt).unwrap_or(usize::MAX) as u64;
    if size > limits.max_receipt_size {
        return Err(E::ReceiptSizeExceeded {
            size,
            limit: limits.max_receipt_size,
        });
    }
    match receipt.versioned_receipt() {
        VersionedReceiptEnum::Action(receipt) | VersionedReceiptEnum::PromiseYield(receipt) => {
            let inputs = receipt.input_data_ids().len() as u64;
            if inputs > limits.max_number_input_data_dependencies {
                return Err(E::NumberInputDataDependenciesExceeded {
                    number_of_input_data_dependencies: inputs,
                    limit: limits.max_number_input_data_dependencies,
                });
            }
            actions(rules, receipt.actions(), receiver).map_err(E::ActionsValidation)
        }
        VersionedReceiptEnum::Data(data) | VersionedReceiptEnum::PromiseResume(data) => {
            let length = data.data.as_ref().map_or(0, Vec::len) as u64;
            if length > limits.max_length_returned_data {
                return Err(E::ReturnedValueLengthExceeded {
                    length,
                    limit: limits.max_length_returned_data,
                });
            }
            Ok(())
        }
        VersionedReceiptEnum::GlobalContractDistribution(_) => Ok(()),
    }
}

fn one(
    rules: &Rules,
    limits: &LimitConfig,
    action: &Action,
    receiver: &AccountId,
) -> Result<(), ActionsValidationError> {
    use ActionsValidationError as E;
    match action {
        Action::Transfer(_) => transfer(rules, receiver),
        Action::CreateAccount(_)
        | Action::DeleteKey(_)
        | Action::DeleteAccount(_)
        | Action::UseGlobalContract(_) => Ok(()),
        Action::DeployContract(deploy) => within(deploy.code.len(), limits.max_contract_size)
            .map_err(|(size, limit)| E::ContractSizeExceeded { size, limit }),
        Action::FunctionCall(call) => {
            if call.gas == Gas::ZERO {
                return Err(E::FunctionCallZeroAttachedGas);
            }
            if call.method_name.is_empty() && rules.has(ProtocolFeature::RejectEmptyMethodName) {
                return Err(E::FunctionCallEmptyMethodName);
            }
            within(call.method_name.len(), limits.max_length_method_name).map_err(
                |(length, limit)| E::FunctionCallMethodNameLengthExceeded { length, limit },
            )?;
            within(call.args.len(), limits.max_arguments_length)
                .map_err(|(length, limit)| E::FunctionCallArgumentsLengthExceeded { length, limit })
        }
        Action::Stake(stake) => {
            if near_crypto::key_conversion::is_valid_staking_key(&stake.public_key) {
                Ok(())
            } else {
                Err(E::UnsuitableStakingKey {
                    public_key: Box::new(stake.public_key.clone()),
                })
            }
        }
        Action::AddKey(add) => add_key(rules, limits, &add.access_key),
        Action::Delegate(signed) => delegate(rules, (&signed.delegate_action).into(), receiver),
        Action::DelegateV2(_) if rules.has(ProtocolFeature::RejectDelegateV2) => {
            Err(E::RemovedProtocolFeature {
                protocol_feature: "DelegateV2".to_owned(),
                version: rules.protocol_version,
            })
        }
        Action::DelegateV2(signed) => {
            require(rules, ProtocolFeature::DelegateV2, "DelegateV2")?;
            delegate(rules, (&signed.delegate_action).into(), receiver)
        }
        Action::DeployGlobalContract(deploy) => within(deploy.code.len(), limits.max_contract_size)
            .map_err(|(size, limit)| E::ContractSizeExceeded { size, limit }),
        Action::DeterministicStateInit(init) => state_init(limits, &init.state_init, receiver),
        Action::UniversalStateInit(init) => {
            require(
                rules,
                ProtocolFeature::UniversalAccounts,
                "UniversalAccounts",
            )?;
            universal_accounts::validate(rules, limits, init, receiver)
        }
        Action::TransferToGasKey(_) | Action::WithdrawFromGasKey(_) => {
            require(rules, ProtocolFeature::GasKeys, "GasKeys")
        }
    }
}

/// Checks the actions of a delegate action for their own receiver.
fn delegate(
    rules: &Rules,
    inner: VersionedDelegateActionRef<'_>,
    receiver: &AccountId,
) -> Result<(), ActionsValidationError> {
    let inner_actions = inner.get_actions();
    if rules.has(ProtocolFeature::RejectWithdrawFromGasKeyInDelegate)
        && inner_actions
            .iter()
            .any(|action| matches!(action, Action::WithdrawFromGasKey(_)))
    {
        return Err(ActionsValidationError::WithdrawFromGasKeyNotAllowedInDelegate);
    }
    // Before protocol 85, the inner actions are checked against the outer receiver.
    let receiver = if rules.has(ProtocolFeature::FixDelegatedDeterministicStateInit) {
        inner.receiver_id()
    } else {
        receiver
    };
    actions(rules, &inner_actions, receiver)
}

/// Limits what the state inits of one receipt hold together, because each is paid for.
fn state_inits(limits: &LimitConfig, actions: &[Action]) -> Result<(), ActionsValidationError> {
    use ActionsValidationError as E;
    let counts = actions
        .iter()
        .map(Action::state_init_counts)
        .fold(StateInitCounts::ZERO, StateInitCounts::saturating_add);
    if counts.keys > limits.max_universal_state_init_keys {
        return Err(E::TotalNumberOfStateInitKeysExceeded {
            number_of_keys: counts.keys,
            limit: limits.max_universal_state_init_keys,
        });
    }
    if counts.entries > limits.max_state_init_entries {
        return Err(E::TotalNumberOfStateInitEntriesExceeded {
            number_of_entries: counts.entries,
            limit: limits.max_state_init_entries,
        });
    }
    Ok(())
}

/// At protocol 87 only, a transfer to the id of a universal account is refused, so that none that paid no
/// creation arrives when they exist.
fn transfer(rules: &Rules, receiver: &AccountId) -> Result<(), ActionsValidationError> {
    let is_refused = rules.has(ProtocolFeature::RejectUniversalAccountTransfers)
        && !rules.has(ProtocolFeature::UniversalAccounts)
        && receiver.get_account_type() == AccountType::UniversalAccount;
    if is_refused {
        let account_id = receiver.clone();
        return Err(ActionsValidationError::TransferToUniversalAccountNotAllowed { account_id });
    }
    Ok(())
}

/// Checks the permission of a key that is added; a gas key comes with lanes and without a balance.
fn add_key(
    rules: &Rules,
    limits: &LimitConfig,
    access_key: &AccessKey,
) -> Result<(), ActionsValidationError> {
    use ActionsValidationError as E;
    let permission = access_key.permission.function_call_permission();
    if let Some(permission) = permission {
        function_call_permission(limits, permission)?;
    }
    let Some(info) = access_key.gas_key_info() else {
        return Ok(());
    };
    require(rules, ProtocolFeature::GasKeys, "GasKeys")?;
    if permission.is_some_and(|permission| permission.allowance.is_some()) {
        return Err(E::GasKeyFunctionCallAllowanceNotAllowed);
    }
    let limit = AccessKeyPermission::MAX_NONCES_FOR_GAS_KEY;
    if !(1..=limit).contains(&info.num_nonces) {
        return Err(E::GasKeyInvalidNumNonces {
            requested_nonces: info.num_nonces,
            limit,
        });
    }
    if !info.balance.is_zero() {
        return Err(E::AddGasKeyWithNonZeroBalance {
            balance: info.balance,
        });
    }
    Ok(())
}

fn function_call_permission(
    limits: &LimitConfig,
    permission: &FunctionCallPermission,
) -> Result<(), ActionsValidationError> {
    use ActionsValidationError as E;
    if permission.receiver_id.parse::<AccountId>().is_err() {
        let shown = permission
            .receiver_id
            .chars()
            .take(AccountId::MAX_LEN * 2)
            .collect();
        return Err(E::InvalidAccountId { account_id: shown });
    }
    for name in &permission.method_names {
        within(name.len(), limits.max_length_method_name)
            .map_err(|(length, limit)| E::AddKeyMethodNameLengthExceeded { length, limit })?;
    }
    // Each name counts with its terminating zero.
    let bytes = permission
        .method_names
        .iter()
        .map(|name| name.len() + 1)
        .sum();
    within(bytes, limits.max_number_bytes_method_names).map_err(|(total, limit)| {
        E::AddKeyMethodNamesNumberOfBytesExceeded {
            total_number_of_bytes: total,
            limit,
        }
    })
}

/// Refuses an action of a feature that the protocol does not have yet.
fn require(
    rules: &Rules,
    feature: ProtocolFeature,
    name: &str,
) -> Result<(), ActionsValidationError> {
    if rules.has(feature) {
        Ok(())
    } else {
        Err(unsupported(rules, name))
    }
}

fn unsupported(rules: &Rules, feature: &str) -> ActionsValidationError {
    ActionsValidationError::UnsupportedProtocolFeature {
        protocol_feature: feature.to_owned(),
        version: rules.protocol_version,
    }
}

fn state_init(
    limits: &LimitConfig,
    state_init: &DeterministicAccountStateInit,
    receiver: &AccountId,
) -> Result<(), ActionsValidationError> {
    use ActionsValidationError as E;
    let derived_id = derive_near_deterministic_account_id(state_init);
    if derived_id != *receiver {
        return Err(E::InvalidDeterministicStateInitReceiver {
            receiver_id: receiver.clone(),
            derived_id,
        });
    }
    for (key, value) in state_init.data() {
        within(key.len(), limits.max_length_storage_key).map_err(|(length, limit)| {
            E::DeterministicStateInitKeyLengthExceeded { length, limit }
        })?;
        within(value.len(), limits.max_length_storage_value).map_err(|(length, limit)| {
            E::DeterministicStateInitValueLengthExceeded { length, limit }
        })?;
    }
    Ok(())
}

/// Checks a length against its limit. Returns both if it is exceeded.
pub(crate) fn within(length: usize, limit: u64) -> Result<(), (u64, u64)> {
    let length = length as u64;
    if length > limit {
        Err((length, limit))
    } else {
        Ok(())
    }
}
