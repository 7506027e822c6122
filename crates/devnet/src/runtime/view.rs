//! View calls, which run a contract method over a state that it cannot change.

use std::rc::Rc;
use std::sync::Arc;

use near_crypto::{KeyType, PublicKey};
use near_primitives::config::ViewConfig;
use near_primitives::errors::FunctionCallError;
use near_primitives::hash::CryptoHash;
use near_primitives::types::{AccountId, Balance};
use near_primitives::views::CallResult;
use near_vm_runner::logic::{ReturnData, VMContext};

use super::external::ContractHost;
use super::function_call::{AccountCode, chain_error, run};
use super::{BlockContext, RuntimeError};
use crate::state::StateUpdate;

/// Why a view call failed.
#[derive(Debug)]
pub(crate) enum ViewCallError {
    UnknownAccount,
    Contract {
        error: FunctionCallError,
        vm_error: String,
        logs: Vec<String>,
    },
    Fault(RuntimeError),
}

impl From<RuntimeError> for ViewCallError {
    fn from(error: RuntimeError) -> Self {
        Self::Fault(error)
    }
}

/// Calls `method` with the gas limit of view calls. The machine forbids writes.
pub(crate) fn call_view(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    account_id: &AccountId,
    method: &str,
    args: &[u8],
) -> Result<CallResult, ViewCallError> {
    let account = state
        .account(account_id)?
        .ok_or(ViewCallError::UnknownAccount)?;
    let contract = AccountCode::of(state, account_id, &account);
    let max_gas_burnt = block.rules.config.wasm_config.limit_config.max_gas_burnt;
    let no_key = borsh::to_vec(&PublicKey::empty(KeyType::ED25519))
        .map_err(|error| RuntimeError::Corrupt(error.to_string()))?;
    let context = VMContext {
        current_account_id: account_id.clone(),
        signer_account_id: account_id.clone(),
        signer_account_pk: no_key,
        predecessor_account_id: account_id.clone(),
        refund_to_account_id: account_id.clone(),
        input: Rc::from(args),
        promise_results: Arc::from([]),
        block_height: block.height,
        block_timestamp: block.timestamp_nanos,
        epoch_height: block.epoch_height,
        account_balance: account.amount(),
        account_locked_balance: account.locked(),
        storage_usage: account.storage_usage(),
        account_contract: account.contract().into_owned(),
        attached_deposit: Balance::ZERO,
        prepaid_gas: max_gas_burnt,
        random_seed: block.random_value.as_bytes().to_vec(),
        view_config: Some(ViewConfig { max_gas_burnt }),
        output_data_receivers: vec![],
    };
    let mut host = ContractHost::new(
        block.rules,
        state,
        account_id.clone(),
        CryptoHash::default(),
        block.height,
    );
    let outcome = run(block.rules, &contract, method, &mut host, &context)?;
    match outcome.aborted {
        Some(error) => Err(ViewCallError::Contract {
            vm_error: format!("wasm execution failed with error: {error:?}"),
            error: chain_error(error),
            logs: outcome.logs,
        }),
        None => Ok(CallResult {
            result: match outcome.return_data {
                ReturnData::Value(value) => value,
                ReturnData::ReceiptIndex(_) | ReturnData::None => vec![],
            },
            logs: outcome.logs,
        }),
    }
}
