//! The accounts and the contract that a new chain starts with.

use std::path::PathBuf;

use near_crypto::{ED25519SecretKey, SecretKey};
use near_primitives::account::{AccessKey, Account, AccountContract};
use near_primitives::action::{DeployContractAction, FunctionCallAction};
use near_primitives::errors::TxExecutionError;
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::transaction::Action;
use near_primitives::types::{AccountId, Balance, BlockHeight, Gas};
use near_primitives::views::FinalExecutionStatus;

use crate::block::Block;
use crate::errors::ChainError;
use crate::ledger::{Ledger, digest, now_nanos};
use crate::network::Network;
use crate::runtime::{Rules, access_key_storage_usage};
use crate::state::{State, StateUpdate};
use crate::storage::{BlockCommit, Resumed, Storage};

/// The account that holds the registry contract.
pub const REGISTRY: &str = "w3a-v1.testnet";

/// The height of the first block, similar to the public networks' heights. A key's nonces start
/// near height × 10^6, which stays far below the largest integer that JavaScript holds exactly.
pub const GENESIS_HEIGHT: BlockHeight = 100_000_000;

/// The accounts and the contract of a new chain.
#[derive(Debug, Clone)]
pub struct Genesis {
    /// Accounts with their balances, each with a full-access key from [`development_key`].
    pub accounts: Vec<(AccountId, Balance)>,
    /// The registry contract to deploy to [`REGISTRY`] and initialise; `None` deploys none.
    pub registry: Option<RegistryGenesis>,
}

/// How a new chain deploys the registry contract.
#[derive(Debug, Clone)]
pub struct RegistryGenesis {
    /// The built contract.
    pub wasm: PathBuf,
    /// The `max_block_age` argument of its `init`; `None` uses the contract's default.
    pub max_block_age: Option<u64>,
}

impl Default for Genesis {
    /// `testnet`, `w3a-v1.testnet` and `relayer.testnet`, without the registry's contract.
    fn default() -> Self {
        let accounts = [
            ("testnet", 1_000_000_000),
            (REGISTRY, 1_000),
            ("relayer.testnet", 1_000_000),
        ];
        Self {
            accounts: accounts
                .into_iter()
                .filter_map(|(id, near)| Some((id.parse().ok()?, Balance::from_near(near))))
                .collect(),
            registry: None,
        }
    }
}

impl Genesis {
    /// Adds an account, or sets the balance of an existing one.
    #[must_use]
    pub fn with_account(mut self, id: AccountId, balance: Balance) -> Self {
        self.accounts.retain(|(known, _)| *known != id);
        self.accounts.push((id, balance));
        self
    }
}

/// The development key of an account: ed25519 with the seed SHA-256("latchkey-devnet:" + account id).
///
/// Anyone can compute it, so it protects nothing. Use it on local chains only.
#[must_use]
pub fn development_key(account_id: &str) -> SecretKey {
    let seed = hash(format!("latchkey-devnet:{account_id}").as_bytes()).0;
    let keypair = ed25519_dalek::SigningKey::from_bytes(&seed).to_keypair_bytes();
    SecretKey::ED25519(ED25519SecretKey(keypair))
}

/// Writes the genesis block, which holds the accounts, each with its development key.
pub(crate) fn genesis_ledger(
    rules: Rules,
    storage: Storage,
    genesis: &Genesis,
    network: Network,
    validity_blocks: u64,
) -> Result<Ledger, ChainError> {
    let mut state = State::default();
    let mut total_supply = Balance::ZERO;
    let mut update = StateUpdate::new(&state);
    let fees = &rules.config.fees;
    for (id, balance) in &genesis.accounts {
        if id.is_system() {
            return Err(ChainError::Genesis(format!(
                "no account can be named {id}, the sender of refunds"
            )));
        }
        let public_key = development_key(id.as_str()).public_key();
        let access_key = AccessKey::full_access();
        let bytes = fees.storage_usage_config.num_bytes_account
            + access_key_storage_usage(fees, &public_key, &access_key)?;
        let account = Account::new(*balance, Balance::ZERO, AccountContract::None, bytes);
        update.set_account(id, &account)?;
        update.set_access_key(id, &public_key, &access_key)?;
        total_supply = total_supply.checked_add(*balance).ok_or_else(|| {
            ChainError::Genesis("the balances add up to more than a chain holds".to_owned())
        })?;
    }
    update.commit();
    let changes = update.into_changes();
    let seed = hash(b"latchkey-devnet genesis");
    let block = Block {
        height: GENESIS_HEIGHT,
        hash: CryptoHash::default(),
        prev_hash: CryptoHash::default(),
        timestamp_nanos: now_nanos(),
        random_value: seed,
        state_digest: digest(seed, &changes)?,
        gas_price: rules.gas_price,
        gas_burnt: Gas::ZERO,
        total_supply,
        protocol_version: rules.protocol_version,
        epoch_id: CryptoHash::default(),
        ordinal: 1,
    };
    let block = Block {
        epoch_id: hash(&borsh::to_vec(&block)?),
        ..block
    }
    .sealed()?;
    storage.commit(&BlockCommit {
        block: &block,
        changes: &changes,
        accepted: &[],
        outcomes: &[],
        receipts: &[],
        in_flight: &[],
        on_the_way: &[],
        unpooled: &[],
        keep_from: 0,
        keep_outcomes_from: 0,
    })?;
    state.apply(&changes);
    Ok(Ledger::new(
        rules,
        storage,
        Resumed {
            head: block,
            state,
            in_flight: vec![],
            on_the_way: vec![],
            pool: vec![],
        },
        network,
        validity_blocks,
    ))
}

impl RegistryGenesis {
    /// The actions that deploy the contract and run its `init`.
    pub(crate) fn deployment(&self) -> Result<Vec<Action>, ChainError> {
        let code = std::fs::read(&self.wasm).map_err(|error| {
            let path = self.wasm.display();
            ChainError::Genesis(format!(
                "the registry contract {path} cannot be read ({error})"
            ))
        })?;
        let args = match self.max_block_age {
            Some(age) => format!(r#"{{"max_block_age":{age}}}"#),
            None => "{}".to_owned(),
        };
        let call = FunctionCallAction {
            method_name: "init".to_owned(),
            args: args.into_bytes(),
            gas: Gas::from_teragas(100),
            deposit: Balance::ZERO,
        };
        Ok(vec![
            Action::DeployContract(DeployContractAction { code }),
            Action::FunctionCall(Box::new(call)),
        ])
    }

    /// Checks how the deployment ended.
    pub(crate) fn check_deployed(&self, status: FinalExecutionStatus) -> Result<(), ChainError> {
        match status {
            FinalExecutionStatus::SuccessValue(_) => Ok(()),
            FinalExecutionStatus::Failure(TxExecutionError::ActionError(error)) => {
                let path = self.wasm.display();
                Err(ChainError::Genesis(format!(
                    "{path} is not the registry contract, its init failed: {}",
                    error.kind
                )))
            }
            status => Err(ChainError::Genesis(format!(
                "the registry's init failed: {status:?}"
            ))),
        }
    }
}
