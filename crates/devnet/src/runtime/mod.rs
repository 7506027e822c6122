//! The rules of the chain: how a transaction becomes receipts and what a receipt does.
//!
//! `near-parameters` provides the numbers, `near-vm-runner` the machine, `near-primitives` the types.
//! This module is the runtime between them, which is not published.

mod access_keys;
mod actions;
mod apply;
mod delegate;
mod deterministic_accounts;
mod external;
mod fees;
mod function_call;
mod gas_keys;
mod global_contracts;
mod implicit_accounts;
mod inputs;
mod outcome;
mod receipts;
mod refunds;
mod universal_accounts;
mod validate;
mod verify;
mod view;
mod yields;

use std::sync::Arc;

use near_parameters::RuntimeConfig;
use near_primitives::account::AccessKey;
use near_primitives::account::id::AccountType;
use near_primitives::errors::IntegerOverflowError;
use near_primitives::hash::CryptoHash;
use near_primitives::types::{
    AccountId, Balance, BlockHeight, EpochHeight, Gas, Nonce, ProtocolVersion,
};
use near_primitives::version::ProtocolFeature;
use near_vm_runner::{ContractCode, FilesystemContractRuntimeCache, precompile_contract};

pub(crate) use access_keys::storage_usage as access_key_storage_usage;
pub(crate) use apply::execute_block;
pub(crate) use gas_keys::nonces as gas_key_nonces;
pub(crate) use verify::{Admission, check_transaction, verify_and_charge};
pub(crate) use view::{ViewCallError, call_view};

/// A failure of the chain itself. Errors of a transaction or contract are outcomes instead.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// A sum of gas or balance exceeds what a valid state can hold.
    #[error("a sum of gas or balance overflowed")]
    Overflow,
    /// The state lacks an entry that it must hold, or an entry does not decode.
    #[error("the state is inconsistent: {0}")]
    Corrupt(String),
    /// The virtual machine failed, not the contract in it.
    #[error("the virtual machine failed: {0}")]
    Machine(String),
}

impl From<IntegerOverflowError> for RuntimeError {
    fn from(_: IntegerOverflowError) -> Self {
        Self::Overflow
    }
}

/// What all blocks share: configuration and the store of compiled contracts.
pub(crate) struct Rules {
    /// The author of every block: the network's root account.
    pub(crate) author: AccountId,
    pub(crate) chain_id: String,
    pub(crate) protocol_version: ProtocolVersion,
    pub(crate) config: Arc<RuntimeConfig>,
    pub(crate) cache: FilesystemContractRuntimeCache,
    /// The lowest price of a gas.
    pub(crate) gas_price: Balance,
}

impl Rules {
    pub(crate) fn has(&self, feature: ProtocolFeature) -> bool {
        feature.enabled(self.protocol_version)
    }

    /// The kind of an account's id. A kind that the protocol does not have is a name like any other.
    pub(crate) fn account_type(&self, id: &AccountId) -> AccountType {
        let vm = &self.config.wasm_config;
        match id.get_account_type() {
            AccountType::EthImplicitAccount if !vm.eth_implicit_accounts => {
                AccountType::NamedAccount
            }
            AccountType::UniversalAccount if !vm.universal_accounts => AccountType::NamedAccount,
            other => other,
        }
    }
}

/// The block in execution.
pub(crate) struct BlockContext<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) height: BlockHeight,
    pub(crate) timestamp_nanos: u64,
    pub(crate) epoch_height: EpochHeight,
    pub(crate) random_value: CryptoHash,
    /// The price of a gas in this block.
    pub(crate) gas_price: Balance,
}

impl BlockContext<'_> {
    /// Compiles deployed code ahead of its first call. Code that does not compile deploys too; calling it
    /// fails.
    pub(crate) fn precompile(&self, code: &ContractCode) {
        let config = Arc::clone(&self.rules.config.wasm_config);
        if let Err(error) = precompile_contract(code, config, Some(&self.rules.cache)) {
            tracing::warn!(%error, "the compiled contract could not be kept");
        }
    }
}

/// The first nonce of a key added at `height`. Re-adding a deleted key cannot make its old
/// transactions valid again.
pub(crate) fn initial_nonce(height: BlockHeight) -> Nonce {
    height
        .saturating_sub(1)
        .saturating_mul(AccessKey::ACCESS_KEY_NONCE_RANGE_MULTIPLIER)
}

/// The first nonce that is too large at `height`.
pub(crate) fn nonce_upper_bound(height: BlockHeight) -> Nonce {
    height.saturating_mul(AccessKey::ACCESS_KEY_NONCE_RANGE_MULTIPLIER)
}

/// The cost of `gas` at `price`.
pub(crate) fn gas_to_balance(price: Balance, gas: Gas) -> Result<Balance, RuntimeError> {
    price
        .checked_mul(u128::from(gas.as_gas()))
        .ok_or(RuntimeError::Overflow)
}

pub(crate) fn add_balance(a: Balance, b: Balance) -> Result<Balance, RuntimeError> {
    a.checked_add(b).ok_or(RuntimeError::Overflow)
}

pub(crate) fn sub_balance(a: Balance, b: Balance) -> Result<Balance, RuntimeError> {
    a.checked_sub(b).ok_or(RuntimeError::Overflow)
}
