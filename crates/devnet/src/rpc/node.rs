//! The node that a request meets: one of those behind the port.

use std::sync::MutexGuard;
use std::time::Duration;

use near_primitives::errors::InvalidTxError;
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::SignedTransaction;
use near_primitives::types::{BlockId, BlockReference, Finality};

use crate::block::Block;
use crate::chain::Chain;
use crate::errors::ChainError;
use crate::ledger::Ledger;
use crate::network::{NetworkSettings, RpcDialect};
use crate::sight::Sight;
use crate::status::{self, TransactionStatus};
use crate::storage::StorageError;

/// One of the nodes behind the port. It lags the chain by a fixed number of heights.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) chain: Chain,
    lag: u64,
    /// The form of its answers.
    pub(super) dialect: RpcDialect,
    /// Whether it answers in the simple way instead of a node's.
    pub(super) simple: bool,
    /// How long a look-up waits for its level.
    pub(super) patience: Duration,
    /// Whether a time-out names its cause.
    pub(super) timeout_causes: bool,
}

impl Node {
    /// Picks a node for a request, as a provider's balancer does.
    pub(super) fn pick(chain: &Chain) -> Self {
        let mut nodes = chain.nodes();
        let (lag, dialect, settings) = nodes.pick();
        Self::new(chain, lag, dialect, settings)
    }

    /// A newer node that does not lag.
    pub(super) fn at_head(chain: &Chain) -> Self {
        Self::new(chain, 0, RpcDialect::Newer, &chain.network())
    }

    fn new(chain: &Chain, lag: u64, dialect: RpcDialect, settings: &NetworkSettings) -> Self {
        Self {
            chain: chain.clone(),
            lag,
            dialect,
            simple: settings.simple,
            patience: Duration::from_millis(settings.patience_ms),
            timeout_causes: settings.timeout_causes && dialect == RpcDialect::Newer,
        }
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.chain.ledger()
    }

    /// What this node knows of a ledger.
    pub(super) fn sight(&self, ledger: &Ledger) -> Result<Sight, StorageError> {
        ledger.sight(self.lag)
    }

    /// Checks a transaction and puts it into the pool.
    pub(super) fn submit(
        &self,
        signed: SignedTransaction,
        durably: bool,
    ) -> Result<CryptoHash, InvalidTxError> {
        self.chain.submit_with(signed, durably, self.lag)
    }

    /// Checks a transaction and forgets it.
    pub(super) fn check(&self, signed: &SignedTransaction) -> Result<(), InvalidTxError> {
        Ok(self.ledger().check(signed, self.lag)?)
    }

    /// How far a transaction has progressed, as this node knows it.
    pub(super) fn transaction_status(
        &self,
        id: &CryptoHash,
    ) -> Result<TransactionStatus, ChainError> {
        let ledger = self.ledger();
        Ok(status::of(&ledger, id, &self.sight(&ledger)?)?)
    }

    /// Finds a block among those that this node has and remembers.
    pub(super) fn find_block(
        &self,
        ledger: &Ledger,
        reference: &BlockReference,
    ) -> Result<Option<Block>, StorageError> {
        let sight = self.sight(ledger)?;
        let height = match reference {
            BlockReference::Finality(Finality::None) => return Ok(Some(sight.head)),
            BlockReference::Finality(Finality::DoomSlug) => return Ok(Some(sight.near_final)),
            BlockReference::Finality(Finality::Final) => return Ok(Some(sight.finalized)),
            BlockReference::SyncCheckpoint(_) => return ledger.earliest(),
            BlockReference::BlockId(BlockId::Height(height)) => Some(*height),
            BlockReference::BlockId(BlockId::Hash(hash)) => ledger.storage.height_of(hash)?,
        };
        match height {
            Some(height) if height <= sight.head.height && height >= ledger.remembered_from() => {
                ledger.storage.block_at(height)
            }
            _ => Ok(None),
        }
    }
}
