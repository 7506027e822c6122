//! Opens a chain: the data folder or memory, the rules, the genesis and the registry on it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use near_parameters::RuntimeConfigStore;
use near_primitives::types::{Balance, ProtocolVersion};
use near_primitives::version::{MIN_SUPPORTED_PROTOCOL_VERSION, PROTOCOL_VERSION};
use tokio::sync::watch;

use super::{Chain, Inner, block_timer};
use crate::cache::CompiledContracts;
use crate::errors::{ChainError, RunError};
use crate::genesis::{Genesis, REGISTRY, RegistryGenesis, development_key, genesis_ledger};
use crate::ledger::Ledger;
use crate::network::{Network, NetworkSettings, Nodes};
use crate::runtime::Rules;
use crate::storage::{CHAIN_FILE, Storage};

/// The gas price of every block: the public networks' usual 0.0001 NEAR per Tgas.
const GAS_PRICE: Balance = Balance::from_yoctonear(100_000_000);
/// The chain id, and the name of the root account.
const CHAIN_ID: &str = "testnet";
/// Address space in bytes: 125 GiB for the virtual machine, and some for the rest.
const ADDRESS_SPACE: u64 = 128 << 30;

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
            block_timer::make_blocks(Arc::downgrade(&chain.inner), block_time);
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
