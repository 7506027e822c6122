//! The chain as a library: open it, submit transactions, make blocks, read the state.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use near_crypto::{PublicKey, SecretKey};
use near_parameters::RuntimeConfigStore;
use near_primitives::errors::InvalidTxError;
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::{Action, SignedTransaction, Transaction, TransactionV0};
use near_primitives::types::{AccountId, Balance, BlockHeight, ProtocolVersion};
use near_primitives::version::{MIN_SUPPORTED_PROTOCOL_VERSION, PROTOCOL_VERSION};
use near_primitives::views::{
    AccessKeyView, AccountView, CallResult, FinalExecutionOutcomeView, TxExecutionStatus,
};
use tokio::sync::watch;

use crate::block::Block;
use crate::cache::CompiledContracts;
use crate::errors::{ChainError, RunError, SignError, ViewError};
use crate::genesis::{Genesis, REGISTRY, RegistryGenesis, development_key, genesis_ledger};
use crate::ledger::Ledger;
use crate::network::{Network, NetworkSettings, NetworkSettingsError, Nodes};
use crate::runtime::{BlockContext, Rules, ViewCallError, call_view};
use crate::state::StateUpdate;
use crate::status::{self, TransactionStatus};
use crate::storage::{CHAIN_FILE, Storage};

/// The gas price of every block: the public networks' usual 0.0001 NEAR per Tgas.
const GAS_PRICE: Balance = Balance::from_yoctonear(100_000_000);
/// The chain id, and the name of the root account.
const CHAIN_ID: &str = "testnet";
/// Address space in bytes: 125 GiB for the virtual machine, and some for the rest.
const ADDRESS_SPACE: u64 = 128 << 30;
/// Blocks after which `run` gives up on a transaction. A yield alone may wait 200.
const RUN_BLOCKS: u32 = 1_000;

/// How to open a chain.
#[derive(Debug, Clone)]
pub struct ChainConfig {
    /// The data folder; `None` keeps everything in memory.
    pub data: Option<PathBuf>,
    /// The protocol version whose rules and prices apply, 84 to 88.
    pub protocol_version: ProtocolVersion,
    /// The time between blocks; `None` makes blocks only on request.
    pub block_time: Option<Duration>,
    /// The accounts of a new chain. An existing data folder keeps its own.
    pub genesis: Genesis,
    /// Blocks for which a transaction stays valid after the block it names.
    pub transaction_validity_blocks: u64,
    /// How the nodes know and treat the chain.
    pub network: NetworkSettings,
}

impl Default for ChainConfig {
    /// In memory, at the newest protocol, with blocks only on request, the default genesis and one
    /// simple node.
    fn default() -> Self {
        Self {
            data: None,
            protocol_version: PROTOCOL_VERSION,
            block_time: None,
            genesis: Genesis::default(),
            transaction_validity_blocks: 86_400,
            network: NetworkSettings::simple(),
        }
    }
}

/// The newest block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    /// Its height.
    pub height: BlockHeight,
    /// Its hash.
    pub hash: CryptoHash,
    /// Its time, in nanoseconds since 1970.
    pub timestamp_nanos: u64,
}

/// A local NEAR chain. Clones share it.
#[derive(Clone)]
pub struct Chain {
    inner: Arc<Inner>,
}

struct Inner {
    opened: Instant,
    ledger: Mutex<Ledger>,
    nodes: Mutex<Nodes>,
    height: watch::Sender<BlockHeight>,
    /// Why the block timer stopped; `None` while it runs.
    stopped: watch::Sender<Option<String>>,
    _compiled: CompiledContracts,
}

impl Chain {
    /// Opens the chain in the data folder, or creates one with the genesis accounts.
    pub fn open(config: ChainConfig) -> Result<Self, ChainError> {
        Self::check_protocol_version(config.protocol_version)?;
        let network = Network::new(config.network)?;
        check_address_space()?;
        let (storage, compiled) = open_folder(config.data.as_deref())?;
        let runtime = RuntimeConfigStore::for_chain_id(CHAIN_ID)
            .get_config(config.protocol_version)
            .clone();
        let author = CHAIN_ID
            .parse()
            .map_err(|_| ChainError::Genesis("the chain id is no account id".to_owned()))?;
        let rules = Rules {
            author,
            chain_id: CHAIN_ID.to_owned(),
            protocol_version: config.protocol_version,
            config: runtime,
            cache: compiled.cache.clone(),
            gas_price: GAS_PRICE,
        };
        // Nothing goes wrong while the first blocks are made.
        let kind = Network::new(NetworkSettings::simple())?;
        let validity = config.transaction_validity_blocks;
        let resumed = storage.resume()?;
        let is_new = resumed.is_none();
        let ledger = match resumed {
            Some(old) => Ledger::new(rules, storage, old, kind, validity),
            None => genesis_ledger(rules, storage, &config.genesis, kind, validity)?,
        };
        let (height, _) = watch::channel(ledger.head.height);
        let inner = Arc::new(Inner {
            opened: Instant::now(),
            ledger: Mutex::new(ledger),
            nodes: Mutex::new(Nodes::of(&network)),
            height,
            stopped: watch::channel(None).0,
            _compiled: compiled,
        });
        let chain = Self { inner };
        if is_new {
            if let Some(registry) = &config.genesis.registry {
                chain.deploy_registry(registry)?;
                // Every node knows it before the first request.
                chain.produce_blocks(network.blocks_to_final())?;
            }
            chain.ledger().storage.finish_genesis()?;
        }
        chain.ledger().network = network;
        if let Some(block_time) = config.block_time {
            make_blocks(Arc::downgrade(&chain.inner), block_time);
        }
        Ok(chain)
    }

    /// Deploys the registry and runs its `init`, in a transaction like any other.
    fn deploy_registry(&self, registry: &RegistryGenesis) -> Result<(), ChainError> {
        let signed = self
            .sign(
                REGISTRY,
                &development_key(REGISTRY),
                REGISTRY,
                registry.deployment()?,
            )
            .map_err(|error| ChainError::Genesis(error.to_string()))?;
        let outcome = self.run(signed).map_err(|error| match error {
            RunError::Chain(error) => error,
            other => ChainError::Genesis(format!("the registry's init was refused: {other}")),
        })?;
        registry.check_deployed(outcome.status)
    }

    /// Rejects a protocol version whose rules this program does not have.
    pub fn check_protocol_version(version: ProtocolVersion) -> Result<(), ChainError> {
        if (MIN_SUPPORTED_PROTOCOL_VERSION..=PROTOCOL_VERSION).contains(&version) {
            Ok(())
        } else {
            Err(ChainError::ProtocolVersion(version))
        }
    }

    /// Removes the chain from a data folder and leaves everything else in it. Fails while another
    /// process has the chain open.
    pub fn wipe(folder: &Path) -> Result<(), ChainError> {
        Storage::wipe(folder).map_err(|error| ChainError::Folder {
            folder: folder.to_owned(),
            reason: error.to_string(),
        })
    }

    /// Whether a data folder holds a chain.
    #[must_use]
    pub fn exists(folder: &Path) -> bool {
        folder.join(CHAIN_FILE).exists()
    }

    pub(crate) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.inner.lock()
    }

    /// The nodes behind the port. The lock is held for moments only.
    pub(crate) fn nodes(&self) -> MutexGuard<'_, Nodes> {
        let nodes = self.inner.nodes.lock();
        nodes.unwrap_or_else(PoisonError::into_inner)
    }

    /// A receiver of the newest height, updated with each block.
    #[must_use]
    pub fn subscribe(&self) -> watch::Receiver<BlockHeight> {
        self.inner.height.subscribe()
    }

    /// Resolves when the block timer stops, with the reason.
    pub async fn stopped(&self) -> String {
        let mut stopped = self.inner.stopped.subscribe();
        match stopped.wait_for(Option::is_some).await {
            Ok(reason) => reason.clone().unwrap_or_default(),
            // The sender lives as long as this chain.
            Err(_) => std::future::pending().await,
        }
    }

    /// Makes one block.
    pub fn produce_block(&self) -> Result<Head, ChainError> {
        self.inner.produce_block()
    }

    /// Makes `count` blocks and returns the last.
    pub fn produce_blocks(&self, count: u64) -> Result<Head, ChainError> {
        for _ in 0..count {
            self.produce_block()?;
        }
        Ok(self.head())
    }

    /// How the nodes know and treat the chain.
    #[must_use]
    pub fn network(&self) -> NetworkSettings {
        self.ledger().network.settings.clone()
    }

    /// Replaces how the nodes know and treat the chain.
    pub fn set_network(&self, settings: NetworkSettings) -> Result<(), NetworkSettingsError> {
        let network = Network::new(settings)?;
        let mut ledger = self.ledger();
        *self.nodes() = Nodes::of(&network);
        ledger.network = network;
        Ok(())
    }

    /// The newest block. This chain never undoes one.
    #[must_use]
    pub fn head(&self) -> Head {
        head_of(&self.ledger().head)
    }

    /// The protocol version whose rules apply.
    #[must_use]
    pub fn protocol_version(&self) -> ProtocolVersion {
        self.ledger().rules.protocol_version
    }

    /// Checks a transaction against the head and writes it durably to the pool for the next block.
    pub fn submit(&self, signed: SignedTransaction) -> Result<CryptoHash, InvalidTxError> {
        self.submit_with(signed, true, 0)
    }

    /// Puts a transaction into the pool. Without `durably`, a process that dies before the next block
    /// loses it; callers that acknowledge nothing until that block pass `false`. The node that checks it
    /// lags so many heights.
    pub(crate) fn submit_with(
        &self,
        signed: SignedTransaction,
        durably: bool,
        lag: u64,
    ) -> Result<CryptoHash, InvalidTxError> {
        Ok(self.ledger().submit(signed, durably, lag)?)
    }

    /// Submits a transaction and makes blocks until its last receipt, including refunds, has run.
    pub fn run(&self, signed: SignedTransaction) -> Result<FinalExecutionOutcomeView, RunError> {
        let id = self.submit_with(signed, false, 0)?;
        for _ in 0..RUN_BLOCKS {
            match self.transaction_status(&id)? {
                TransactionStatus::Refused(error) => return Err(error.into()),
                TransactionStatus::Included {
                    reached: TxExecutionStatus::Final,
                    outcome,
                    ..
                } => return Ok(*outcome),
                _ => self.produce_block()?,
            };
        }
        Err(RunError::Unsettled(id))
    }

    /// Makes blocks until the pool is empty and no receipt is in flight. Yields may still be pending.
    pub fn settle(&self) -> Result<Head, ChainError> {
        while !self.ledger().is_idle() {
            self.produce_block()?;
        }
        Ok(self.head())
    }

    /// How far a transaction has progressed, as an up-to-date node knows it.
    pub fn transaction_status(&self, id: &CryptoHash) -> Result<TransactionStatus, ChainError> {
        let ledger = self.ledger();
        Ok(status::of(&ledger, id, &ledger.sight(0)?)?)
    }

    /// Builds and signs a transaction with the key's next nonce and the head's hash.
    pub fn sign(
        &self,
        signer_id: &str,
        secret_key: &SecretKey,
        receiver_id: &str,
        actions: Vec<Action>,
    ) -> Result<SignedTransaction, SignError> {
        let signer_id: AccountId = signer_id.parse().map_err(|_| SignError::AccountId)?;
        let receiver_id: AccountId = receiver_id.parse().map_err(|_| SignError::AccountId)?;
        let public_key = secret_key.public_key();
        let nonce = self.view_access_key(&signer_id, &public_key)?.nonce + 1;
        let block_hash = self.head().hash;
        Ok(sign_transaction(
            secret_key,
            TransactionV0 {
                signer_id,
                public_key,
                nonce,
                receiver_id,
                block_hash,
                actions,
            },
        ))
    }

    /// Calls a view method at the head.
    pub fn view_call(
        &self,
        contract: &AccountId,
        method: &str,
        args: &[u8],
    ) -> Result<CallResult, ViewError> {
        let ledger = self.ledger();
        let head = ledger.head.clone();
        view_call_at(&ledger, &head, contract, method, args)
    }

    /// An account at the head.
    pub fn view_account(&self, id: &AccountId) -> Result<AccountView, ViewError> {
        let ledger = self.ledger();
        let account = StateUpdate::new(&ledger.state)
            .account(id)?
            .ok_or(ViewError::UnknownAccount)?;
        Ok(account.into())
    }

    /// An access key at the head.
    pub fn view_access_key(
        &self,
        id: &AccountId,
        public_key: &PublicKey,
    ) -> Result<AccessKeyView, ViewError> {
        let ledger = self.ledger();
        let state = StateUpdate::new(&ledger.state);
        state.account(id)?.ok_or(ViewError::UnknownAccount)?;
        let access_key = state
            .access_key(id, public_key)?
            .ok_or(ViewError::UnknownAccessKey)?;
        Ok(access_key.into())
    }

    /// The whole state, from trie key to value, so that tests can compare before and after.
    #[must_use]
    pub fn state_root_dump(&self) -> BTreeMap<Vec<u8>, Vec<u8>> {
        self.ledger()
            .state
            .iter()
            .map(|(key, value)| (key.clone(), value.to_vec()))
            .collect()
    }

    /// How long the chain has been open.
    #[must_use]
    pub fn uptime(&self) -> Duration {
        self.inner.opened.elapsed()
    }

    /// The tokens in existence: the genesis balances less the tokens burnt.
    #[must_use]
    pub fn total_supply(&self) -> Balance {
        self.ledger().head.total_supply
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Ledger> {
        // The ledger changes only after the database has, so a panic under the lock leaves the last
        // committed block.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records that the timer makes no more blocks, and why.
    fn stop(&self, reason: &dyn std::fmt::Display) {
        let height = self.lock().head.height;
        let reason = format!("no block can be made after block {height}: {reason}");
        self.stopped.send_replace(Some(reason));
    }

    fn produce_block(&self) -> Result<Head, ChainError> {
        let mut ledger = self.lock();
        let head = head_of(ledger.produce_block()?);
        // Still under the lock, so that two blocks cannot publish their heights in reverse order.
        self.height.send_replace(head.height);
        Ok(head)
    }
}

/// Signs a transaction.
#[must_use]
pub fn sign_transaction(secret_key: &SecretKey, transaction: TransactionV0) -> SignedTransaction {
    let transaction = Transaction::V0(transaction);
    let (id, _) = transaction.get_hash_and_size();
    SignedTransaction::new(secret_key.sign(id.as_ref()), transaction)
}

pub(crate) fn view_call_at(
    ledger: &Ledger,
    block: &Block,
    contract: &AccountId,
    method: &str,
    args: &[u8],
) -> Result<CallResult, ViewError> {
    let mut state = ledger
        .state_at(block.height)
        .ok_or(ViewError::ForgottenState)?;
    let context = BlockContext {
        rules: &ledger.rules,
        height: block.height,
        timestamp_nanos: block.timestamp_nanos,
        epoch_height: 1,
        random_value: block.random_value,
        gas_price: block.gas_price,
    };
    call_view(&context, &mut state, contract, method, args).map_err(|error| match error {
        ViewCallError::UnknownAccount => ViewError::UnknownAccount,
        ViewCallError::NoCode => ViewError::NoContractCode,
        ViewCallError::Contract {
            error,
            vm_error,
            logs,
        } => ViewError::Contract {
            error: Box::new(error),
            vm_error,
            logs,
        },
        ViewCallError::Fault(error) => error.into(),
    })
}

fn head_of(block: &Block) -> Head {
    Head {
        height: block.height,
        hash: block.hash,
        timestamp_nanos: block.timestamp_nanos,
    }
}

/// Fails if the process may not reserve the address space that the virtual machine needs up front.
/// The machine does not use that memory, so a limit on resident memory does not matter.
fn check_address_space() -> Result<(), ChainError> {
    let limit = rustix::process::getrlimit(rustix::process::Resource::As).current;
    match limit {
        Some(bytes) if bytes < ADDRESS_SPACE => Err(ChainError::AddressSpace(bytes >> 30)),
        _ => Ok(()),
    }
}

fn open_folder(folder: Option<&Path>) -> Result<(Storage, CompiledContracts), ChainError> {
    let Some(folder) = folder else {
        let compiled = CompiledContracts::temporary().map_err(|error| ChainError::Folder {
            folder: std::env::temp_dir(),
            reason: error.to_string(),
        })?;
        return Ok((Storage::in_memory()?, compiled));
    };
    let unusable = |reason: String| ChainError::Folder {
        folder: folder.to_owned(),
        reason,
    };
    std::fs::create_dir_all(folder).map_err(|error| unusable(error.to_string()))?;
    let storage = Storage::open(folder).map_err(|error| unusable(error.to_string()))?;
    let compiled =
        CompiledContracts::in_folder(folder).map_err(|error| unusable(error.to_string()))?;
    Ok((storage, compiled))
}

/// Makes blocks at a fixed interval, in a thread that ends when the chain is dropped or a block fails.
fn make_blocks(chain: Weak<Inner>, block_time: Duration) {
    std::thread::spawn(move || {
        let _alarm = Alarm(Weak::clone(&chain));
        let mut next = Instant::now() + block_time;
        loop {
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
            let Some(inner) = chain.upgrade() else { return };
            if let Err(error) = inner.produce_block() {
                // The same block would fail again, and a database that failed once must be reopened.
                inner.stop(&error);
                return;
            }
            // After the machine was suspended, continue from now instead of catching up.
            next = (next + block_time).max(Instant::now());
        }
    });
}

/// Records that the chain has stopped when the thread that makes blocks panics.
struct Alarm(Weak<Inner>);

impl Drop for Alarm {
    fn drop(&mut self) {
        if let (true, Some(inner)) = (std::thread::panicking(), self.0.upgrade()) {
            inner.stop(&"the program failed, as said above");
        }
    }
}
