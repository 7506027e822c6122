//! The data behind the chain's lock: head, state, pending transactions and receipts in flight.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{SystemTime, UNIX_EPOCH};

use near_crypto::PublicKey;
use near_primitives::errors::InvalidTxError;
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::receipt::Receipt;
use near_primitives::transaction::SignedTransaction;
use near_primitives::types::{AccountId, BlockHeight, Nonce};

use crate::block::Block;
use crate::errors::ChainError;
use crate::runtime::{BlockContext, Rules, check_transaction, execute_block, verify_and_charge};
use crate::state::{Changes, State, StateUpdate};
use crate::storage::{BlockCommit, Storage, StoredOutcome};

/// Blocks with state changes that can be undone to view an earlier state.
const UNDO_BLOCKS: usize = 1_000;
/// Refused transactions whose reason the chain remembers.
const REFUSALS: usize = 10_000;

/// The most bytes of pending transactions, as on a node.
const MAX_POOL_BYTES: usize = 100_000_000;

/// The chain's data. Its methods expect the lock to be held.
pub(crate) struct Ledger {
    pub(crate) rules: Rules,
    pub(crate) storage: Storage,
    pub(crate) head: Block,
    pub(crate) state: State,
    in_flight: Vec<Receipt>,
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
    pub(crate) fn new(
        rules: Rules,
        storage: Storage,
        head: Block,
        state: State,
        in_flight: Vec<Receipt>,
        pool: Vec<SignedTransaction>,
        validity_blocks: u64,
    ) -> Self {
        let viewable_from = head.height;
        Self {
            rules,
            storage,
            head,
            state,
            in_flight,
            pool: pool.into_iter().collect(),
            refused: HashMap::new(),
            refused_order: VecDeque::new(),
            undo: VecDeque::new(),
            viewable_from,
            validity_blocks,
        }
    }

    /// Checks a transaction against the head and puts it into the pool. With `durably`, writes it to
    /// the database before returning, so that the caller can acknowledge its hash.
    pub(crate) fn submit(
        &mut self,
        signed: SignedTransaction,
        durably: bool,
    ) -> Result<CryptoHash, SubmitError> {
        let id = signed.get_hash();
        if self.pool.contains(&signed) {
            // The pending one may not be in the database yet.
            if durably {
                self.storage.pool(&signed)?;
            }
            return Ok(id);
        }
        if self.storage.outcome(&id)?.is_some() {
            return Ok(id);
        }
        check_transaction(&self.rules, &signed)?;
        self.check_block_hash(&signed)?;
        let mut scratch = StateUpdate::new(&self.state);
        verify_and_charge(
            &self.rules,
            &mut scratch,
            &signed.transaction,
            self.head.height,
        )?;
        if !self.pool.has_room_for(&signed) {
            // A node answers this when it is overloaded.
            return Err(InvalidTxError::ShardCongested {
                shard_id: 0,
                congestion_level: 1u8.into(),
            }
            .into());
        }
        if durably {
            self.storage.pool(&signed)?;
        }
        self.pool.insert(signed);
        Ok(id)
    }

    /// Rejects a transaction whose named block is unknown or more than `validity_blocks` old.
    fn check_block_hash(&self, signed: &SignedTransaction) -> Result<(), SubmitError> {
        let height = self.storage.height_of(signed.transaction.block_hash())?;
        let young = height.is_some_and(|height| self.head.height - height <= self.validity_blocks);
        if young {
            Ok(())
        } else {
            Err(InvalidTxError::Expired.into())
        }
    }

    /// Makes the next block: runs the pending transactions and the receipts in flight, and writes the
    /// results in one database transaction.
    pub(crate) fn produce_block(&mut self) -> Result<&Block, ChainError> {
        let height = self.head.height + 1;
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
            match self.check_block_hash(&signed) {
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
        };
        let mut update = StateUpdate::new(&self.state);
        let execution = execute_block(&block, &mut update, &valid, &self.in_flight)?;
        let changes = update.into_changes();
        let refused: HashMap<CryptoHash, InvalidTxError> =
            execution.refused.into_iter().chain(expired).collect();
        valid.retain(|signed| !refused.contains_key(&signed.get_hash()));

        let block = Block {
            height,
            hash: CryptoHash::default(),
            prev_hash: self.head.hash,
            timestamp_nanos,
            random_value,
            state_digest: digest(self.head.state_digest, &changes)?,
            gas_price: self.rules.gas_price,
            gas_burnt: execution.gas_burnt,
            total_supply: self.head.total_supply.saturating_sub(execution.burnt),
            protocol_version: self.rules.protocol_version,
            epoch_id: self.head.epoch_id,
            ordinal: self.head.ordinal + 1,
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
            in_flight: &execution.outgoing,
            unpooled: &unpooled,
            keep_from: height.saturating_sub(2 * self.validity_blocks),
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
        self.in_flight = execution.outgoing;
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
        if self.pool.ids.contains(id) {
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
        self.pool.ids.is_empty() && self.in_flight.is_empty()
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
    Storage(#[from] crate::storage::StorageError),
}

/// Pending transactions, ordered by nonce for each key.
#[derive(Default)]
struct Pool {
    by_key: BTreeMap<(AccountId, PublicKey), BTreeMap<(Nonce, CryptoHash), SignedTransaction>>,
    ids: HashSet<CryptoHash>,
    bytes: usize,
}

/// The size of a signed transaction on the wire, in bytes.
fn size_of(signed: &SignedTransaction) -> usize {
    usize::try_from(signed.get_size()).unwrap_or(usize::MAX)
}

impl Pool {
    fn contains(&self, signed: &SignedTransaction) -> bool {
        self.ids.contains(&signed.get_hash())
    }

    fn has_room_for(&self, signed: &SignedTransaction) -> bool {
        self.bytes.saturating_add(size_of(signed)) <= MAX_POOL_BYTES
    }

    fn insert(&mut self, signed: SignedTransaction) {
        let transaction = &signed.transaction;
        let key = (
            transaction.signer_id().clone(),
            transaction.public_key().clone(),
        );
        let order = (transaction.nonce().nonce(), signed.get_hash());
        self.ids.insert(signed.get_hash());
        self.bytes = self.bytes.saturating_add(size_of(&signed));
        self.by_key.entry(key).or_default().insert(order, signed);
    }

    fn iter(&self) -> impl Iterator<Item = &SignedTransaction> {
        self.by_key.values().flat_map(BTreeMap::values)
    }
}

impl FromIterator<SignedTransaction> for Pool {
    fn from_iter<I: IntoIterator<Item = SignedTransaction>>(transactions: I) -> Self {
        let mut pool = Self::default();
        for signed in transactions {
            pool.insert(signed);
        }
        pool
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
