//! Runs a contract method inside a receipt.

use std::rc::Rc;
use std::sync::Arc;

use near_primitives::account::Account;
use near_primitives::action::FunctionCallAction;
use near_primitives::errors::{
    ActionErrorKind, CompilationError, FunctionCallError, MethodResolveError, PrepareError,
};
use near_primitives::hash::CryptoHash;
use near_primitives::types::AccountId;
use near_primitives::utils::{create_action_hash_from_receipt_id, create_random_seed};
use near_vm_runner::logic::errors as machine;
use near_vm_runner::logic::{External, VMContext, VMOutcome};
use near_vm_runner::{Contract, ContractCode, ContractRuntimeCache};

use super::external::ContractHost;
use super::outcome::{ActionFailure, ActionResult, Execution};
use super::{Rules, RuntimeError, validate, yields};
use crate::state::{StateUpdate, Value};

/// Runs one function call action and keeps its receipts if it succeeds.
pub(crate) fn apply(
    execution: &mut Execution<'_>,
    state: &mut StateUpdate<'_>,
    index: usize,
    call: &FunctionCallAction,
    result: &mut ActionResult,
) -> Result<(), ActionFailure> {
    let block = execution.block;
    let receipt = execution.receipt;
    let origin = execution.actions;
    let account_id = receipt.receiver_id();
    let Some(account) = &mut execution.account else {
        return Err(ActionErrorKind::AccountDoesNotExist {
            account_id: account_id.clone(),
        }
        .into());
    };
    let action_hash = create_action_hash_from_receipt_id(receipt.receipt_id(), block.height, index);
    // Receipts that wait for this one get the last action's value only.
    let is_last = index + 1 == origin.actions().len();
    let outputs = if is_last {
        origin.output_data_receivers()
    } else {
        &[]
    };
    let predecessor_id = receipt.predecessor_id();
    let context = VMContext {
        current_account_id: account_id.clone(),
        signer_account_id: origin.signer_id().clone(),
        signer_account_pk: borsh::to_vec(origin.signer_public_key())
            .map_err(|error| RuntimeError::Corrupt(error.to_string()))?,
        predecessor_account_id: predecessor_id.clone(),
        refund_to_account_id: origin
            .refund_to()
            .as_ref()
            .unwrap_or(predecessor_id)
            .clone(),
        input: Rc::from(call.args.as_slice()),
        promise_results: Arc::clone(&execution.promise_results),
        block_height: block.height,
        block_timestamp: block.timestamp_nanos,
        epoch_height: block.epoch_height,
        account_balance: account.amount(),
        account_locked_balance: account.locked(),
        storage_usage: account.storage_usage(),
        account_contract: account.contract().into_owned(),
        attached_deposit: call.deposit,
        prepaid_gas: call.gas,
        random_seed: create_random_seed(action_hash, block.random_value),
        view_config: None,
        output_data_receivers: outputs
            .iter()
            .map(|output| output.receiver_id.clone())
            .collect(),
    };
    let contract = AccountCode::of(state, account_id, account);
    let mut host = ContractHost::new(
        block.rules,
        state,
        account_id.clone(),
        action_hash,
        block.height,
    );
    let outcome = run(
        block.rules,
        &contract,
        &call.method_name,
        &mut host,
        &context,
    )?;
    let mut receipts = host.receipts;

    result.gas_burnt = result.gas_burnt.checked_add_result(outcome.burnt_gas)?;
    result.gas_burnt_for_function_call = result
        .gas_burnt_for_function_call
        .checked_add_result(outcome.burnt_gas)?;
    result.gas_used = result.gas_used.checked_add_result(outcome.used_gas)?;
    result.compute_usage = result.compute_usage.saturating_add(outcome.compute_usage);
    result.logs.extend(outcome.logs);
    result.profile.merge(&outcome.profile);
    if let Some(error) = outcome.aborted {
        return Err(ActionErrorKind::FunctionCallError(chain_error(error)).into());
    }

    let unused = call.gas.saturating_sub(outcome.used_gas);
    result.gas_used = result
        .gas_used
        .checked_add_result(receipts.distribute_gas(unused))?;
    let expires_at = block.height
        + block
            .rules
            .config
            .wasm_config
            .limit_config
            .yield_timeout_length_in_blocks;
    for data_id in receipts.yields() {
        yields::enqueue_timeout(state, account_id, data_id, expires_at)?;
    }
    let new_receipts = receipts.into_receipts(account_id, origin);
    for receipt in &new_receipts {
        validate::new_receipt(block.rules, receipt)
            .map_err(ActionErrorKind::NewReceiptValidationError)?;
    }
    // The returned index counts this call's receipts; the result's counts those of all actions.
    let offset = result.new_receipts.len() as u64;
    result.return_data = Some(match outcome.return_data {
        near_vm_runner::logic::ReturnData::ReceiptIndex(index) => {
            near_vm_runner::logic::ReturnData::ReceiptIndex(index + offset)
        }
        other => other,
    });
    result.new_receipts.extend(new_receipts);
    result.subsidized = super::add_balance(result.subsidized, outcome.subsidized_amount)?;
    account.set_amount(outcome.balance);
    account.set_storage_usage(outcome.storage_usage);
    Ok(())
}

/// An account's code, for the virtual machine.
pub(crate) struct AccountCode {
    account_id: AccountId,
    contract: Option<(CryptoHash, Value)>,
}

impl AccountCode {
    pub(crate) fn of(state: &StateUpdate<'_>, account_id: &AccountId, account: &Account) -> Self {
        let contract = state.contract(account_id, account);
        Self {
            account_id: account_id.clone(),
            contract: contract.map(|(hash, code)| (hash, code.clone())),
        }
    }

    pub(crate) fn exists(&self) -> bool {
        self.contract.is_some()
    }
}

impl Contract for AccountCode {
    fn hash(&self) -> CryptoHash {
        self.contract
            .as_ref()
            .map(|(hash, _)| *hash)
            .unwrap_or_default()
    }

    fn get_code(&self) -> Option<Arc<ContractCode>> {
        let (hash, code) = self.contract.as_ref()?;
        Some(Arc::new(ContractCode::new(code.to_vec(), Some(*hash))))
    }
}

/// Runs `method` on the virtual machine. The outcome holds the contract's errors.
pub(crate) fn run(
    rules: &Rules,
    contract: &AccountCode,
    method: &str,
    host: &mut (dyn External + Send),
    context: &VMContext,
) -> Result<VMOutcome, RuntimeError> {
    if !contract.exists() {
        let account_id = contract.account_id.as_str().into();
        let missing = machine::CompilationError::CodeDoesNotExist { account_id };
        return Ok(VMOutcome::nop_outcome(
            machine::FunctionCallError::CompilationError(missing),
        ));
    }
    let mut attempt = |cache: Option<&dyn ContractRuntimeCache>| {
        let config = Arc::clone(&rules.config.wasm_config);
        let max_gas = context
            .view_config
            .as_ref()
            .map_or(config.limit_config.max_gas_burnt, |view| view.max_gas_burnt);
        let gas_counter = near_vm_runner::logic::GasCounter::new(
            config.ext_costs.clone(),
            max_gas,
            config.regular_op_cost,
            context.prepaid_gas,
            context.is_view(),
        );
        let prepared = near_vm_runner::prepare(contract, config, cache, gas_counter, method);
        near_vm_runner::run(prepared, host, context, Arc::clone(&rules.config.fees))
    };
    match attempt(Some(&rules.cache)) {
        Ok(outcome) => Ok(outcome),
        // The store only saves time, and it fails before the contract has any effect.
        Err(machine::VMRunnerError::CacheError(error)) => {
            tracing::warn!(%error, "compiled contracts cannot be kept; compiling again");
            attempt(None).or_else(after_fault)
        }
        Err(error) => after_fault(error),
    }
}

/// Decides what a failure of the machine means. A failure that concerns this contract fails the call
/// only, so that one contract cannot stop the chain.
fn after_fault(error: machine::VMRunnerError) -> Result<VMOutcome, RuntimeError> {
    use machine::VMRunnerError as E;
    match error {
        E::ExternalError(_) | E::InconsistentStateError(_) => {
            Err(RuntimeError::Machine(format!("{error:?}")))
        }
        E::LoadingError(msg) => Ok(failed_call(msg)),
        E::CacheError(_)
        | E::Nondeterministic(_)
        | E::WasmUnknownError { .. }
        | E::ContractCodeNotPresent => {
            tracing::error!(%error, "the virtual machine gave up on a call");
            Ok(failed_call(error.to_string()))
        }
    }
}

fn failed_call(msg: String) -> VMOutcome {
    VMOutcome::nop_outcome(machine::FunctionCallError::LoadingError { msg })
}

/// The machine's error as the chain reports it: typed where a caller can act on it, else as text.
pub(crate) fn chain_error(error: machine::FunctionCallError) -> FunctionCallError {
    use machine::FunctionCallError as M;
    match error {
        M::CompilationError(machine::CompilationError::CodeDoesNotExist { account_id }) => {
            match account_id.parse() {
                Ok(account_id) => {
                    FunctionCallError::CompilationError(CompilationError::CodeDoesNotExist {
                        account_id,
                    })
                }
                Err(_) => FunctionCallError::ExecutionError(account_id.into()),
            }
        }
        M::CompilationError(machine::CompilationError::PrepareError(error)) => {
            FunctionCallError::CompilationError(CompilationError::PrepareError(prepare_error(
                &error,
            )))
        }
        M::CompilationError(
            machine::CompilationError::WasmerCompileError { msg }
            | machine::CompilationError::WasmtimeCompileError { msg },
        ) => FunctionCallError::CompilationError(CompilationError::WasmerCompileError { msg }),
        M::MethodResolveError(error) => FunctionCallError::MethodResolveError(match error {
            machine::MethodResolveError::MethodEmptyName => MethodResolveError::MethodEmptyName,
            machine::MethodResolveError::MethodNotFound => MethodResolveError::MethodNotFound,
            machine::MethodResolveError::MethodInvalidSignature => {
                MethodResolveError::MethodInvalidSignature
            }
        }),
        other => FunctionCallError::ExecutionError(other.to_string()),
    }
}

/// Converts by way of borsh, because both crates number the variants alike.
fn prepare_error(error: &machine::PrepareError) -> PrepareError {
    borsh::to_vec(error)
        .and_then(|bytes| borsh::from_slice(&bytes))
        .unwrap_or(PrepareError::Instantiate)
}

#[cfg(test)]
mod tests;
