//! A local NEAR chain: the NEAR virtual machine with its real gas, near-primitives' own types,
//! and the JSON-RPC of a node, with pages at `/transactions/{id}` and `/address/{account}`.
//!
//! [`Chain`] is the chain as a library: tests open one in memory, make blocks when they want and
//! look at everything. [`rpc::serve`] puts one behind HTTP; the binary `latchkey-devnet` does
//! that.
//!
//! What differs from a real network: one validator-less shard without chunks or Merkle proofs
//! (the gas for trie nodes is that of this chain's own state, so of fewer nodes than on a network
//! with millions of accounts); one epoch that never ends; every block is final at once, so
//! `final`, `near-final` and `optimistic` are the same block; the gas price never moves; gas
//! keys, global contracts, deterministic and universal accounts and Ethereum implicit accounts
//! are refused; batches of requests, which a node refuses, are answered.

mod block;
mod cache;
mod chain;
mod errors;
mod explorer;
mod genesis;
mod ledger;
pub mod rpc;
mod runtime;
mod state;
mod status;
mod storage;
mod trie;

pub use chain::{Chain, ChainConfig, Head, sign_transaction};
pub use errors::{ChainError, RunError, SignError, ViewError};
pub use genesis::{GENESIS_HEIGHT, Genesis, REGISTRY, RegistryGenesis, development_key};
pub use runtime::RuntimeError;
pub use status::TransactionStatus;
pub use storage::StorageError;
