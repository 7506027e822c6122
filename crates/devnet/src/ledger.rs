//! The data behind the chain's lock: head, state, pending transactions and receipts in flight.

use std::collections::{HashMap, VecDeque};
use std::time::{SystemTime, UNIX_EPOCH};

use near_primitives::errors::InvalidTxError;
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::receipt::Receipt;
use near_primitives::transaction::SignedTransaction;
use near_primitives::types::{Balance, BlockHeight};
use near_primitives::version::ProtocolFeature;
use near_primitives::views::BlockView;

use crate::block::Block;
use crate::errors::ChainError;
use crate::network::Network;
use crate::pool::Pool;
use crate::runtime::{
    Admission, BlockContext, Rules, check_transaction, execute_block, verify_and_charge,
};
use crate::sight::Sight;
use crate::state::{Changes, State, StateUpdate};
use crate::storage::{BlockCommit, Resumed, Storage, StorageError, StoredOutcome};

/// Blocks with state changes that can be undone to view an earlier state.
const UNDO_BLOCKS: usize = 1_000;
/// Refused transactions whose reason the chain remembers.
const REFUSALS: usize = 10_000;

/// The chain's data. Its methods expect the lock to be held.
pub(crate) struct Ledger {
    pub(crate) rules: Rules,
    pub(crate) storage: Storage,
    pub(crate) head: Block,
    pub(crate) state: State,
    pub(crate) network: Network,
    /// The receipts that run in the next block.
    in_flight: Vec<Receipt>,
    /// Receipts that arrive later, each with the ordinal of its block.
    on_the_way: Vec<(u64, Receipt)>,
    pool: Pool,
    refused: HashMap<CryptoHash, InvalidTxError>,
    refused_order: VecDeque<CryptoHash>,
    /// The changes that undo the latest blocks that changed the state, newest first.
    undo: VecDeque<(BlockHeight, Changes)>,
    /// The lowest height whose state can be rebuilt.
    viewable_from: BlockHeight,
    validity_blocks: u64,
}

/// The status of a transaction that is not in a block.
pub(crate) enum Pending {
    Waiting,
    Refused(InvalidTxError),
    Unknown,
}

impl Ledger {
    /// The ledger that continues from a stored chain.
    pub(crate) fn new(
        rules: Rules,
        storage: Storage,
        resumed: Resumed,
        network: Network,
        validity_blocks: u64,
    ) -> Self {
        let Resumed {
            head,
            state,
            in_flight,
            on_the_way,
            pool,
        } = resumed;
        let viewable_from = head.height;
        Self {
            rules,
            storage,
            head,
            state,
            network,
            in_flight,
            on_the_way,
            pool: pool.into_iter().collect(),
            refused: HashMap::new(),
            refused_order: VecDeque::new(),
            undo: VecDeque::new(),
            viewable_from,
            validity_blocks,
        }
    }

    /// The lowest height that nodes remember.
    pub(crate) fn remembered_from(&self) -> BlockHeight {
        self.network.remembered_from(self.head.height)
    }

    /// The oldest block that nodes remember.
    pub(crate) fn earliest(&self) -> Result<Option<Block>, StorageError> {
        self.storage.first_from(self.remembered_from())
    }

    /// The highest price that a gas may get.
    pub(crate) fn highest_gas_price(&self) -> Balance {
        self.network.highest_price(self.rules.gas_price)
    }

    /// A block as the RPC method `block` returns it.
    pub(crate) fn view_of(&self, block: &Block) -> Result<BlockView, StorageError> {
        let sight = if self.network.settings.simple {
            Sight::all_final(block.clone())
        } else {
            Sight::from(&self.storage, block.clone(), 0)?
        };
        let prev_height = self.storage.height_of(&block.prev_hash)?;
        Ok(sight.view(block, self.rules.author.clone(), prev_height))
    }

    /// What a node that lags so many heights knows.
    pub(crate) fn sight(&self, lag: u64) -> Result<Sight, StorageError> {
        let height = self.head.height.saturating_sub(lag);
        let head = if height >= self.head.height {
            self.head.clone()
        } else {
            // Views need the state at the node's head.
            let height = height.max(self.viewable_from);
            let found = self.storage.block_at_or_below(height)?;
            found.unwrap_or_else(|| self.head.clone())
        };
        if self.network.settings.simple {
            return Ok(Sight::all_final(head));
        }
        Sight::from(&self.storage, head, self.viewable_from)
    }

    /// Checks a transaction as a node that lags so many heights does, and puts it into the pool. With
    /// `durably`, writes it to the database before returning, so that the caller can acknowledge its hash.
    pub(crate) fn submit(
        &mut self,
        signed: SignedTransaction,
        durably: bool,
        lag: u64,
    ) -> Result<CryptoHash, SubmitError> {
        let id = signed.get_hash();
        let is_in_block = self.storage.outcome(&id)?.is_some();
        let simple = self.network.settings.simple;
        if !simple || !(is_in_block || self.pool.contains(&signed)) {
            self.check(&signed, lag)?;
            if self.network.loses_transaction() {
                tracing::info!(transaction = %id, "lost on purpose");
                return Ok(id);
            }
        }
        if is_in_block {
            return Ok(id);
        }
        self.keep(signed, durably)
    }

    /// Puts a transaction into the pool unless it is there already.
    fn keep(
        &mut self,
        signed: SignedTransaction,
        durably: bool,
    ) -> Result<CryptoHash, SubmitError> {
        let id = signed.get_hash();
        let is_new = !self.pool.contains(&signed);
        if is_new && !self.pool.has_room_for(&signed) {
            // A node answers this when it is overloaded.
            return Err(InvalidTxError::ShardCongested {
                shard_id: 0,
                congestion_level: 1u8.into(),
            }
            .into());
        }
        // The pending one may not be in the database yet.
        if durably {
            self.storage.pool(&signed)?;
        }
        if is_new {
            self.pool.insert(signed);
        }
        Ok(id)
    }

    /// Checks a transaction as a node does before it forwards one: expiry, form and signature, then key,
    /// nonce and balance. A nonce that has passed is no error if the node knows the transaction.
    pub(crate) fn check(&self, signed: &SignedTransaction, lag: u64) -> Result<(), SubmitError> {
        let sight = self.sight(lag)?;
        let kind = self.network.settings.simple;
        if kind {
            check_transaction(&self.rules, signed)?;
            self.check_block_hash(signed, sight.head.height)?;
        } else {
            self.check_block_hash(signed, sight.head.height)?;
            check_transaction(&self.rules, signed)?;
        }
        let mut scratch = self.state_at(sight.head.height).ok_or_else(|| {
            StorageError::Database("the state of a node's head is not kept".to_owned())
        })?;
        // A node leaves the upper bound of nonces to those who make blocks.
        let bound = kind.then_some(sight.head.height);
        let (transaction, price) = (&signed.transaction, sight.head.gas_price);
        match verify_and_charge(&self.rules, &mut scratch, transaction, price, bound) {
            Err(InvalidTxError::InvalidNonce { .. })
                if self.includes(&signed.get_hash(), &sight)? =>
            {
                Ok(())
            }
            // A node does not forward what would only fail and cost gas.
            Ok(Admission::DepositFailed(_, error)) => Err(error.into()),
            checked => Ok(checked.map(drop)?),
        }
    }

    /// Whether a block that the node has includes the transaction.
    fn includes(&self, id: &CryptoHash, sight: &Sight) -> Result<bool, StorageError> {
        let outcome = self.storage.outcome(id)?;
        Ok(outcome.is_some_and(|outcome| outcome.height <= sight.head.height))
    }

    /// Rejects a transaction whose named block is not one of those up to `head`, or is more than
    /// `validity_blocks` below it.
    fn check_block_hash(
        &self,
        signed: &SignedTransaction,
        head: BlockHeight,
    ) -> Result<(), SubmitError> {
        let height = self.storage.height_of(signed.transaction.block_hash())?;
        let age = height.and_then(|height| head.checked_sub(height));
        if age.is_some_and(|age| age <= self.validity_blocks) {
            Ok(())
        } else {
            Err(InvalidTxError::Expired.into())
        }
    }

    /// Makes the next block: runs the pending transactions and the receipts in flight, and writes the
    /// results in one database transaction.
    pub(crate) fn produce_block(&mut self) -> Result<&Block, ChainError> {
        let height = self.network.next_height(self.head.height);
        let ordinal = self.head.ordinal + 1;
        let timestamp_nanos = now_nanos().max(self.head.timestamp_nanos + 1_000_000);
        let random_value = hash(&borsh::to_vec(&(
            self.head.random_value,
            self.head.hash,
            timestamp_nanos,
        ))?);
        // Pool and receipts stay in place until the block is written, so a failure loses nothing.
        let waiting: Vec<SignedTransaction> = self.pool.iter().cloned().collect();
        let unpooled: Vec<CryptoHash> = waiting.iter().map(SignedTransaction::get_hash).collect();
        let (mut valid, mut expired) = (Vec::new(), Vec::new());
        for signed in waiting {
            match self.check_block_hash(&signed, self.head.height) {
                Ok(()) => valid.push(signed),
                Err(SubmitError::Invalid(error)) => expired.push((signed.get_hash(), error)),
                Err(SubmitError::Storage(error)) => return Err(error.into()),
            }
        }

        let block = BlockContext {
            rules: &self.rules,
            height,
            timestamp_nanos,
            epoch_height: 1,
            random_value,
            gas_price: self.head.gas_price,
        };
        let mut update = StateUpdate::new(&self.state);
        let (arrived, mut on_the_way): (Vec<_>, Vec<_>) = self
            .on_the_way
            .iter()
            .cloned()
            .partition(|(due, _)| *due <= ordinal);
        let mut incoming: Vec<Receipt> = arrived.into_iter().map(|(_, receipt)| receipt).collect();
        incoming.extend_from_slice(&self.in_flight);
        let execution = execute_block(&block, &mut update, &valid, &incoming)?;
        let further = self.network.settings.receipt_blocks;
        let (in_flight, slow): (Vec<_>, Vec<_>) = execution
            .outgoing
            .into_iter()
            .partition(|receipt| further == 0 || receipt.predecessor_id() == receipt.receiver_id());
        on_the_way.extend(
            slow.into_iter()
                .map(|receipt| (ordinal + 1 + further, receipt)),
        );
        let changes = update.into_changes();
        let refused: HashMap<CryptoHash, InvalidTxError> =
            execution.refused.into_iter().chain(expired).collect();
        valid.retain(|signed| !refused.contains_key(&signed.get_hash()));

        // Before protocol 85, a receipt burns gas at the block's price even above the price that was paid.
        let gas_price = if self.rules.has(ProtocolFeature::AccountCostIncrease) {
            let lowest = self.rules.gas_price;
            self.network.next_price(self.head.gas_price, lowest)
        } else {
            self.head.gas_price
        };
        let block = Block {
            height,
            hash: CryptoHash::default(),
            prev_hash: self.head.hash,
            timestamp_nanos,
            random_value,
            state_digest: digest(self.head.state_digest, &changes)?,
            gas_price,
            gas_burnt: execution.gas_burnt,
            total_supply: self.head.total_supply.saturating_sub(execution.burnt),
            protocol_version: self.rules.protocol_version,
            epoch_id: self.head.epoch_id,
            ordinal,
        }
        .sealed()?;
        let outcomes: Vec<_> = execution
            .outcomes
            .into_iter()
            .map(|outcome| {
                let stored = StoredOutcome {
                    height,
                    block_hash: block.hash,
                    outcome: outcome.outcome,
                };
                (outcome.id, stored)
            })
            .collect();
        self.storage.commit(&BlockCommit {
            block: &block,
            changes: &changes,
            accepted: &valid,
            outcomes: &outcomes,
            receipts: &execution.made,
            in_flight: &in_flight,
            on_the_way: &on_the_way,
            unpooled: &unpooled,
            keep_from: height.saturating_sub(2 * self.validity_blocks),
            keep_outcomes_from: self.network.remembered_from(height),
        })?;

        if !changes.is_empty() {
            let undo = self.state.apply(&changes);
            self.undo.push_front((height, undo));
            if self.undo.len() > UNDO_BLOCKS
                && let Some((forgotten, _)) = self.undo.pop_back()
            {
                self.viewable_from = forgotten;
            }
        }
        self.in_flight = in_flight;
        self.on_the_way = on_the_way;
        self.pool = Pool::default();
        for (id, error) in refused {
            self.refuse(id, error);
        }
        self.head = block;
        Ok(&self.head)
    }

    fn refuse(&mut self, id: CryptoHash, error: InvalidTxError) {
        tracing::info!(transaction = %id, %error, "refused");
        self.refused.insert(id, error);
        self.refused_order.push_back(id);
        if self.refused_order.len() > REFUSALS
            && let Some(oldest) = self.refused_order.pop_front()
        {
            self.refused.remove(&oldest);
        }
    }

    /// Whether a transaction is pending, was refused, or is unknown.
    pub(crate) fn pending(&self, id: &CryptoHash) -> Pending {
        // A refused transaction may be pending again.
        if self.pool.has(id) {
            return Pending::Waiting;
        }
        self.refused
            .get(id)
            .cloned()
            .map_or(Pending::Unknown, Pending::Refused)
    }

    /// Blocks for which a transaction stays valid after the block it names.
    pub(crate) fn validity_blocks(&self) -> u64 {
        self.validity_blocks
    }

    /// Whether no transaction is pending and no receipt is in flight.
    pub(crate) fn is_idle(&self) -> bool {
        self.pool.is_empty() && self.in_flight.is_empty() && self.on_the_way.is_empty()
    }

    /// The state after the block at `height`, or `None` if it can no longer be rebuilt.
    pub(crate) fn state_at(&self, height: BlockHeight) -> Option<StateUpdate<'_>> {
        if height < self.viewable_from {
            return None;
        }
        let later = self
            .undo
            .iter()
            .take_while(|(changed, _)| *changed > height);
        Some(StateUpdate::rewound(
            &self.state,
            later.map(|(_, changes)| changes),
        ))
    }
}

/// Why the pool did not accept a transaction.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SubmitError {
    #[error(transparent)]
    Invalid(#[from] InvalidTxError),
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<SubmitError> for InvalidTxError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Invalid(error) => error,
            SubmitError::Storage(error) => Self::StorageError(
                near_primitives::errors::StorageError::StorageInconsistentState(error.to_string()),
            ),
        }
    }
}

/// Adds a block's changes to the running digest.
pub(crate) fn digest(before: CryptoHash, changes: &Changes) -> std::io::Result<CryptoHash> {
    if changes.is_empty() {
        return Ok(before);
    }
    let mut bytes = before.as_bytes().to_vec();
    for (key, value) in changes {
        borsh::to_writer(&mut bytes, &(key, value.as_deref().map(hash)))?;
    }
    Ok(hash(&bytes))
}

pub(crate) fn now_nanos() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| {
            u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
        })
}
