//! The chain as a library: open it, submit transactions, make blocks, read the state.

mod block_timer;
mod open;
mod sign;
mod views;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use near_primitives::errors::InvalidTxError;
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::SignedTransaction;
use near_primitives::types::{Balance, BlockHeight, ProtocolVersion};
use near_primitives::views::{FinalExecutionOutcomeView, TxExecutionStatus};
use tokio::sync::watch;

use crate::block::Block;
use crate::cache::CompiledContracts;
use crate::errors::{ChainError, RunError};
use crate::ledger::Ledger;
use crate::network::{Network, NetworkSettings, NetworkSettingsError, Nodes};
use crate::status::{self, TransactionStatus};

pub use open::ChainConfig;
pub use sign::sign_transaction;
pub(crate) use views::view_call_at;

/// Blocks after which `run` gives up on a transaction. A yield alone may wait 200.
const RUN_BLOCKS: u32 = 1_000;

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

fn head_of(block: &Block) -> Head {
    Head {
        height: block.height,
        hash: block.hash,
        timestamp_nanos: block.timestamp_nanos,
    }
}
