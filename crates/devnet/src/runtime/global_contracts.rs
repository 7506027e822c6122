//! Global contracts (NEP-591): one deployment of code that many accounts run.

use std::sync::Arc;

use near_primitives::account::{Account, AccountContract};
use near_primitives::action::{
    DeployGlobalContractAction, GlobalContractDeployMode, GlobalContractIdentifier,
};
use near_primitives::errors::ActionErrorKind;
use near_primitives::hash::hash;
use near_primitives::receipt::{GlobalContractDistributionReceipt, Receipt};
use near_primitives::trie_key::TrieKey;
use near_primitives::types::{AccountId, ShardId};
use near_vm_runner::ContractCode;

use super::outcome::{ActionFailure, ActionResult};
use super::{BlockContext, RuntimeError, add_balance};
use crate::state::{StateUpdate, global_code_key};

/// Burns the price of the code's storage and sends the code to the chain's one shard, where accounts
/// find it from the next block on.
pub(crate) fn deploy(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    deploy: &DeployGlobalContractAction,
    result: &mut ActionResult,
) -> Result<(), ActionFailure> {
    let storage = &block.rules.config.fees.storage_usage_config;
    let price = storage
        .global_contract_storage_amount_per_byte
        .saturating_mul(deploy.code.len() as u128);
    let Some(left) = account.amount().checked_sub(price) else {
        return Err(ActionFailure::from(ActionErrorKind::LackBalanceForState {
            account_id: account_id.clone(),
            amount: price,
        }));
    };
    account.set_amount(left);
    result.tokens_burnt = add_balance(result.tokens_burnt, price)?;

    let id = match deploy.deploy_mode {
        GlobalContractDeployMode::CodeHash => {
            GlobalContractIdentifier::CodeHash(hash(&deploy.code))
        }
        GlobalContractDeployMode::AccountId => {
            GlobalContractIdentifier::AccountId(account_id.clone())
        }
    };
    let nonce_key = nonce_key(&id);
    let nonce = state.get(&nonce_key)?.unwrap_or(0u64) + 1;
    state.set(&nonce_key, &nonce)?;
    let code = Arc::clone(&deploy.code);
    let distribution =
        GlobalContractDistributionReceipt::new(id, ShardId::new(0), vec![], code, nonce);
    result
        .new_receipts
        .push(Receipt::new_global_contract_distribution(
            account_id.clone(),
            distribution,
        ));
    Ok(())
}

/// Stores distributed code, unless the same contract was deployed again since.
pub(crate) fn store(
    block: &BlockContext<'_>,
    state: &mut StateUpdate<'_>,
    distribution: &GlobalContractDistributionReceipt,
) -> Result<(), RuntimeError> {
    let newest: u64 = state
        .get(&nonce_key(distribution.id()))?
        .unwrap_or_default();
    if distribution.nonce() < newest {
        return Ok(());
    }
    let code = distribution.code();
    let key = global_code_key(distribution.id().clone());
    state.set_raw(key.to_vec(), Some(Arc::clone(code)));
    let code = ContractCode::new(code.to_vec(), None);
    block.precompile(&code);
    Ok(())
}

/// Makes the account run a global contract in place of its present code.
pub(crate) fn adopt(
    state: &mut StateUpdate<'_>,
    account: &mut Account,
    account_id: &AccountId,
    identifier: &GlobalContractIdentifier,
) -> Result<(), ActionFailure> {
    if !state.contains(&global_code_key(identifier.clone())) {
        return Err(ActionFailure::from(
            ActionErrorKind::GlobalContractDoesNotExist {
                identifier: identifier.clone(),
            },
        ));
    }
    let usage = account
        .storage_usage()
        .saturating_sub(contract_bytes(state, account, account_id))
        .saturating_add(identifier.len() as u64);
    if account.contract().is_local() {
        state.remove(&TrieKey::ContractCode {
            account_id: account_id.clone(),
        });
    }
    let contract = match identifier {
        GlobalContractIdentifier::CodeHash(hash) => AccountContract::Global(*hash),
        GlobalContractIdentifier::AccountId(owner) => {
            AccountContract::GlobalByAccount(owner.clone())
        }
    };
    account.set_storage_usage(usage);
    account.set_contract(contract).map_err(|_| {
        RuntimeError::Corrupt("an uninitialised account has no contract".to_owned())
    })?;
    Ok(())
}

/// The bytes that an account pays for its contract: its own code, or the identifier of a global one.
pub(crate) fn contract_bytes(
    state: &StateUpdate<'_>,
    account: &Account,
    account_id: &AccountId,
) -> u64 {
    let contract = account.contract();
    if contract.is_local() {
        state.code(account_id).map_or(0, |code| code.len()) as u64
    } else {
        contract.identifier_storage_usage()
    }
}

/// How often a contract was deployed, so that an older deployment never overwrites a newer one.
fn nonce_key(identifier: &GlobalContractIdentifier) -> TrieKey {
    TrieKey::GlobalContractNonce {
        identifier: identifier.clone().into(),
    }
}
