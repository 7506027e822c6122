//! A local NEAR chain: the NEAR virtual machine with real gas costs, the types of near-primitives
//! and the JSON-RPC of a node, with pages at `/transactions/{id}` and `/address/{account}`.
//!
//! [`Chain`] is the chain as a library: tests open one in memory, make blocks on demand and inspect
//! everything. [`rpc::serve`] serves one over HTTP, as the binary `latchkey-devnet` does.
//!
//! Differences from a real network:
//! - There is one shard, without validators, chunks or Merkle proofs. Gas for trie nodes follows from
//!   this chain's own state, which has fewer nodes than a network with millions of accounts.
//! - One epoch never ends, and blocks are never undone. [`NetworkSettings`] choose between one kind
//!   node, for which every block is final, and nodes that answer, lag and lose as those of a network.

mod block;
mod cache;
mod chain;
mod errors;
mod explorer;
mod genesis;
mod ledger;
mod network;
mod pool;
pub mod rpc;
mod runtime;
mod sight;
mod state;
mod status;
mod storage;
mod trie;

pub use chain::{Chain, ChainConfig, Head, sign_transaction};
pub use errors::{ChainError, RunError, SignError, ViewError};
pub use genesis::{GENESIS_HEIGHT, Genesis, REGISTRY, RegistryGenesis, development_key};
pub use network::{NetworkSettings, NetworkSettingsError, RpcDialect};
pub use runtime::RuntimeError;
pub use status::TransactionStatus;
pub use storage::StorageError;
