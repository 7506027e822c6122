//! The chain's redb database: state, blocks, transactions, receipts, outcomes, and the transactions
//! and receipts that have not run. A chain without a data folder keeps the same tables in memory.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use borsh::{BorshDeserialize, BorshSerialize};
use near_primitives::hash::CryptoHash;
use near_primitives::receipt::Receipt;
use near_primitives::transaction::{ExecutionOutcome, SignedTransaction};
use near_primitives::types::{AccountId, BlockHeight};
use redb::backends::InMemoryBackend;
use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

use crate::block::Block;
use crate::state::{Changes, State, Value};

type Bytes = &'static [u8];
const STATE: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("state");
const BLOCKS: TableDefinition<'static, u64, Bytes> = TableDefinition::new("blocks");
const HEIGHTS: TableDefinition<'static, Bytes, u64> = TableDefinition::new("heights");
const TRANSACTIONS: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("transactions");
const OUTCOMES: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("outcomes");
const RECEIPTS: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("receipts");
const POOL: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("pool");
/// Maps each receipt that has not run to its transaction, with signer and receiver.
const ORIGINS: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("origins");
/// Key: account id, a zero byte, the height subtracted from the largest u64, the place in the block.
const HISTORY: TableDefinition<'static, Bytes, Bytes> = TableDefinition::new("history");
/// Key: the height, the id of an outcome in its block.
const BY_HEIGHT: TableDefinition<'static, Bytes, ()> = TableDefinition::new("outcomes by height");
const META: TableDefinition<'static, &'static str, Bytes> = TableDefinition::new("meta");

/// The database's file in the data folder.
pub(crate) const CHAIN_FILE: &str = "chain.redb";
/// The file of a chain whose genesis is not finished.
const GENESIS_FILE: &str = "genesis.redb";
const HEAD: &str = "head";
const IN_FLIGHT: &str = "receipts in flight";
const ON_THE_WAY: &str = "receipts on the way";
const FORMAT: &str = "format";
const FORMAT_VERSION: &[u8] = b"1";

/// Why the store could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// Another process has the database open.
    #[error("another process uses the data folder")]
    Locked,
    /// The file is no chain, or of a version that this program does not read.
    #[error("its chain.redb is no chain that this version reads; --fresh begins a new one")]
    Format,
    /// The database failed.
    #[error("the chain's database failed: {0}")]
    Database(String),
    /// Stored bytes do not decode.
    #[error("the chain's database holds damaged records: {0}")]
    Damaged(#[from] std::io::Error),
}

macro_rules! database_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for StorageError {
            fn from(error: $error) -> Self {
                Self::Database(error.to_string())
            }
        })*
    };
}
database_errors!(
    redb::TransactionError,
    redb::StorageError,
    redb::CommitError
);

impl From<redb::TableError> for StorageError {
    fn from(error: redb::TableError) -> Self {
        match error {
            redb::TableError::TableTypeMismatch { .. }
            | redb::TableError::TableIsMultimap(_)
            | redb::TableError::TypeDefinitionChanged { .. } => Self::Format,
            other => Self::Database(other.to_string()),
        }
    }
}

impl From<redb::DatabaseError> for StorageError {
    fn from(error: redb::DatabaseError) -> Self {
        match error {
            redb::DatabaseError::DatabaseAlreadyOpen => Self::Locked,
            redb::DatabaseError::UpgradeRequired(_) => Self::Format,
            redb::DatabaseError::Storage(redb::StorageError::Io(error))
                if error.kind() == std::io::ErrorKind::InvalidData =>
            {
                Self::Format
            }
            other => Self::Database(other.to_string()),
        }
    }
}

/// An execution outcome with its block.
#[derive(Debug, Clone, BorshSerialize, BorshDeserialize)]
pub(crate) struct StoredOutcome {
    pub(crate) height: BlockHeight,
    pub(crate) block_hash: CryptoHash,
    pub(crate) outcome: ExecutionOutcome,
}

/// The transaction that a receipt comes from.
#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Origin {
    id: CryptoHash,
    signer_id: AccountId,
    receiver_id: AccountId,
}

impl Origin {
    fn of(signed: &SignedTransaction) -> Self {
        Self {
            id: signed.get_hash(),
            signer_id: signed.transaction.signer_id().clone(),
            receiver_id: signed.transaction.receiver_id().clone(),
        }
    }
}

/// Everything that one block changes, written in one database transaction.
pub(crate) struct BlockCommit<'a> {
    pub(crate) block: &'a Block,
    pub(crate) changes: &'a Changes,
    pub(crate) accepted: &'a [SignedTransaction],
    pub(crate) outcomes: &'a [(CryptoHash, StoredOutcome)],
    pub(crate) receipts: &'a [Receipt],
    pub(crate) in_flight: &'a [Receipt],
    /// Receipts that arrive later, each with the ordinal of its block.
    pub(crate) on_the_way: &'a [(u64, Receipt)],
    /// Transactions that left the pool.
    pub(crate) unpooled: &'a [CryptoHash],
    /// Removes the blocks below this height.
    pub(crate) keep_from: BlockHeight,
    /// Removes the outcomes below this height, with their transactions and receipts.
    pub(crate) keep_outcomes_from: BlockHeight,
}

/// What an existing chain continues from.
pub(crate) struct Resumed {
    pub(crate) head: Block,
    pub(crate) state: State,
    pub(crate) in_flight: Vec<Receipt>,
    /// Receipts that arrive later, each with the ordinal of its block.
    pub(crate) on_the_way: Vec<(u64, Receipt)>,
    pub(crate) pool: Vec<SignedTransaction>,
}

/// The database.
pub(crate) struct Storage {
    database: Database,
    /// The folder of a chain whose genesis is not finished.
    unfinished: Option<PathBuf>,
}

impl Storage {
    /// Opens the chain in `folder`. If there is none, creates one under another file name, so that the
    /// next start does not take an interrupted genesis for a chain: see [`Storage::finish_genesis`].
    pub(crate) fn open(folder: &Path) -> Result<Self, StorageError> {
        let chain = folder.join(CHAIN_FILE);
        if chain.exists() {
            // `create` would turn an empty file into a new chain; `open` reports it as an error.
            return Self::prepare(Database::open(chain)?, None);
        }
        remove_unused(&folder.join(GENESIS_FILE))?;
        Self::prepare(
            Database::create(folder.join(GENESIS_FILE))?,
            Some(folder.to_owned()),
        )
    }

    pub(crate) fn in_memory() -> Result<Self, StorageError> {
        Self::prepare(
            Database::builder().create_with_backend(InMemoryBackend::new())?,
            None,
        )
    }

    /// Renames the file of a new chain to its final name.
    pub(crate) fn finish_genesis(&mut self) -> Result<(), StorageError> {
        if let Some(folder) = self.unfinished.take() {
            std::fs::rename(folder.join(GENESIS_FILE), folder.join(CHAIN_FILE))?;
            std::fs::File::open(folder)?.sync_all()?;
        }
        Ok(())
    }

    /// Removes the chain, and nothing else, from `folder`. Fails while another process has it open.
    pub(crate) fn wipe(folder: &Path) -> Result<(), StorageError> {
        remove_unused(&folder.join(CHAIN_FILE))
    }

    fn prepare(database: Database, unfinished: Option<PathBuf>) -> Result<Self, StorageError> {
        let write = database.begin_write()?;
        // Check before this program creates its own tables.
        let is_new = write.list_tables()?.next().is_none();
        {
            let mut meta = write.open_table(META)?;
            let format = meta
                .get(FORMAT)?
                .map(|format| format.value() == FORMAT_VERSION);
            match format {
                Some(true) => {}
                None if is_new => {
                    meta.insert(FORMAT, FORMAT_VERSION)?;
                }
                Some(false) | None => return Err(StorageError::Format),
            }
            write.open_table(STATE)?;
            write.open_table(BLOCKS)?;
            write.open_table(HEIGHTS)?;
            write.open_table(TRANSACTIONS)?;
            write.open_table(OUTCOMES)?;
            write.open_table(RECEIPTS)?;
            write.open_table(POOL)?;
            write.open_table(ORIGINS)?;
            write.open_table(HISTORY)?;
            write.open_table(BY_HEIGHT)?;
        }
        write.commit()?;
        Ok(Self {
            database,
            unfinished,
        })
    }

    /// Reads the chain of an earlier run; `None` for a new database.
    pub(crate) fn resume(&self) -> Result<Option<Resumed>, StorageError> {
        let read = self.database.begin_read()?;
        let meta = read.open_table(META)?;
        let Some(head) = meta.get(HEAD)? else {
            return Ok(None);
        };
        let head = Block::try_from_slice(head.value())?;
        let in_flight = match meta.get(IN_FLIGHT)? {
            Some(bytes) => Vec::try_from_slice(bytes.value())?,
            None => Vec::new(),
        };
        let on_the_way = match meta.get(ON_THE_WAY)? {
            Some(bytes) => Vec::try_from_slice(bytes.value())?,
            None => Vec::new(),
        };
        let mut entries = BTreeMap::new();
        for entry in read.open_table(STATE)?.iter()? {
            let (key, value) = entry?;
            entries.insert(key.value().to_vec(), Value::from(value.value()));
        }
        let mut pool = Vec::new();
        for entry in read.open_table(POOL)?.iter()? {
            pool.push(borsh::from_slice(entry?.1.value())?);
        }
        Ok(Some(Resumed {
            head,
            state: State::from_entries(entries),
            in_flight,
            on_the_way,
            pool,
        }))
    }

    /// Writes a block and its effects durably, in one database transaction.
    pub(crate) fn commit(&self, commit: &BlockCommit<'_>) -> Result<(), StorageError> {
        let write = self.database.begin_write()?;
        {
            let mut state = write.open_table(STATE)?;
            for (key, value) in commit.changes {
                match value {
                    Some(value) => drop(state.insert(key.as_slice(), &**value)?),
                    None => drop(state.remove(key.as_slice())?),
                }
            }
            let block = borsh::to_vec(commit.block)?;
            let mut blocks = write.open_table(BLOCKS)?;
            let mut heights = write.open_table(HEIGHTS)?;
            blocks.insert(commit.block.height, block.as_slice())?;
            heights.insert(commit.block.hash.as_bytes().as_slice(), commit.block.height)?;
            for old in blocks.extract_from_if(..commit.keep_from, |_, _| true)? {
                let old = Block::try_from_slice(old?.1.value())?;
                heights.remove(old.hash.as_bytes().as_slice())?;
            }
            let mut transactions = write.open_table(TRANSACTIONS)?;
            let mut history = write.open_table(HISTORY)?;
            for (place, signed) in commit.accepted.iter().enumerate() {
                let (id, bytes) = (signed.get_hash(), borsh::to_vec(signed)?);
                transactions.insert(id.as_bytes().as_slice(), bytes.as_slice())?;
                for account in [
                    signed.transaction.signer_id(),
                    signed.transaction.receiver_id(),
                ] {
                    let key = history_key(account, commit.block.height, place as u64);
                    history.insert(key.as_slice(), id.as_bytes().as_slice())?;
                }
            }
            let mut outcomes = write.open_table(OUTCOMES)?;
            let mut origins = write.open_table(ORIGINS)?;
            let accepted: HashMap<CryptoHash, &SignedTransaction> = commit
                .accepted
                .iter()
                .map(|signed| (signed.get_hash(), signed))
                .collect();
            for (place, (id, outcome)) in commit.outcomes.iter().enumerate() {
                outcomes.insert(id.as_bytes().as_slice(), borsh::to_vec(outcome)?.as_slice())?;
                let origin = match accepted.get(id) {
                    Some(signed) => Some(Origin::of(signed)),
                    None => origins
                        .remove(id.as_bytes().as_slice())?
                        .map(|bytes| Origin::try_from_slice(bytes.value()))
                        .transpose()?,
                };
                // A folder written before the table of origins existed has receipts without one.
                let Some(origin) = origin else { continue };
                for receipt_id in &outcome.outcome.receipt_ids {
                    let bytes = borsh::to_vec(&origin)?;
                    origins.insert(receipt_id.as_bytes().as_slice(), bytes.as_slice())?;
                }
                let executor = &outcome.outcome.executor_id;
                if *executor != origin.signer_id && *executor != origin.receiver_id {
                    let place = (commit.accepted.len() + place) as u64;
                    let key = history_key(executor, commit.block.height, place);
                    history.insert(key.as_slice(), origin.id.as_bytes().as_slice())?;
                }
            }
            let mut receipts = write.open_table(RECEIPTS)?;
            for receipt in commit.receipts {
                let bytes = borsh::to_vec(receipt)?;
                receipts.insert(receipt.receipt_id().as_bytes().as_slice(), bytes.as_slice())?;
            }
            let mut by_height = write.open_table(BY_HEIGHT)?;
            for (id, _) in commit.outcomes {
                by_height.insert(by_height_key(commit.block.height, id).as_slice(), ())?;
            }
            let oldest = by_height_key(commit.keep_outcomes_from, &CryptoHash::default());
            for old in by_height.extract_from_if(..oldest.as_slice(), |_, ()| true)? {
                let (key, _) = old?;
                if let Some((_, id)) = key.value().split_at_checked(size_of::<BlockHeight>()) {
                    outcomes.remove(id)?;
                    transactions.remove(id)?;
                    receipts.remove(id)?;
                }
            }
            let mut pool = write.open_table(POOL)?;
            for id in commit.unpooled {
                pool.remove(id.as_bytes().as_slice())?;
            }
            let mut meta = write.open_table(META)?;
            meta.insert(HEAD, block.as_slice())?;
            meta.insert(IN_FLIGHT, borsh::to_vec(commit.in_flight)?.as_slice())?;
            meta.insert(ON_THE_WAY, borsh::to_vec(commit.on_the_way)?.as_slice())?;
        }
        write.commit()?;
        Ok(())
    }

    /// Writes a pending transaction durably. The caller may acknowledge its hash afterwards.
    pub(crate) fn pool(&self, signed: &SignedTransaction) -> Result<(), StorageError> {
        let write = self.database.begin_write()?;
        write.open_table(POOL)?.insert(
            signed.get_hash().as_bytes().as_slice(),
            borsh::to_vec(signed)?.as_slice(),
        )?;
        write.commit()?;
        Ok(())
    }

    pub(crate) fn block_at(&self, height: BlockHeight) -> Result<Option<Block>, StorageError> {
        let blocks = self.database.begin_read()?.open_table(BLOCKS)?;
        let block = blocks
            .get(height)?
            .map(|bytes| Block::try_from_slice(bytes.value()));
        Ok(block.transpose()?)
    }

    /// The newest block at this height or below it.
    pub(crate) fn block_at_or_below(
        &self,
        height: BlockHeight,
    ) -> Result<Option<Block>, StorageError> {
        let blocks = self.database.begin_read()?.open_table(BLOCKS)?;
        let newest = blocks.range(..=height)?.next_back().transpose()?;
        let block = newest.map(|(_, bytes)| Block::try_from_slice(bytes.value()));
        Ok(block.transpose()?)
    }

    pub(crate) fn height_of(
        &self,
        block_hash: &CryptoHash,
    ) -> Result<Option<BlockHeight>, StorageError> {
        let heights = self.database.begin_read()?.open_table(HEIGHTS)?;
        let height = heights.get(block_hash.as_bytes().as_slice())?;
        Ok(height.map(|height| height.value()))
    }

    /// The oldest block at this height or above it.
    pub(crate) fn first_from(&self, height: BlockHeight) -> Result<Option<Block>, StorageError> {
        let blocks = self.database.begin_read()?.open_table(BLOCKS)?;
        let oldest = blocks.range(height..)?.next().transpose()?;
        let block = oldest.map(|(_, bytes)| Block::try_from_slice(bytes.value()));
        Ok(block.transpose()?)
    }

    pub(crate) fn transaction(
        &self,
        id: &CryptoHash,
    ) -> Result<Option<SignedTransaction>, StorageError> {
        self.record(TRANSACTIONS, id)
    }

    pub(crate) fn outcome(&self, id: &CryptoHash) -> Result<Option<StoredOutcome>, StorageError> {
        self.record(OUTCOMES, id)
    }

    pub(crate) fn receipt(&self, id: &CryptoHash) -> Result<Option<Receipt>, StorageError> {
        self.record(RECEIPTS, id)
    }

    /// The latest transactions that an account signed or received or whose receipts reached it, newest
    /// first.
    pub(crate) fn history(
        &self,
        account: &AccountId,
        limit: usize,
    ) -> Result<Vec<CryptoHash>, StorageError> {
        let history = self.database.begin_read()?.open_table(HISTORY)?;
        let from = history_key(account, u64::MAX, 0);
        let to = history_key(account, 0, u64::MAX);
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for entry in history.range(from.as_slice()..=to.as_slice())? {
            let id = CryptoHash::try_from_slice(entry?.1.value())?;
            // Several receipts of one transaction may have reached the account.
            if seen.insert(id) {
                found.push(id);
            }
            if found.len() == limit {
                break;
            }
        }
        Ok(found)
    }

    fn record<T: BorshDeserialize>(
        &self,
        table: TableDefinition<'static, Bytes, Bytes>,
        id: &CryptoHash,
    ) -> Result<Option<T>, StorageError> {
        let table = self.database.begin_read()?.open_table(table)?;
        let record = table
            .get(id.as_bytes().as_slice())?
            .map(|bytes| borsh::from_slice(bytes.value()));
        Ok(record.transpose()?)
    }
}

fn by_height_key(height: BlockHeight, id: &CryptoHash) -> Vec<u8> {
    let mut key = height.to_be_bytes().to_vec();
    key.extend(id.as_bytes());
    key
}

fn history_key(account: &AccountId, height: BlockHeight, place: u64) -> Vec<u8> {
    let mut key = account.as_bytes().to_vec();
    key.push(0);
    key.extend((u64::MAX - height).to_be_bytes());
    key.extend(place.to_be_bytes());
    key
}

/// Removes a database file unless another process uses it. The file need not be a database.
fn remove_unused(file: &Path) -> Result<(), StorageError> {
    if !file.exists() {
        return Ok(());
    }
    if let Err(redb::DatabaseError::DatabaseAlreadyOpen) = Database::open(file) {
        return Err(StorageError::Locked);
    }
    Ok(std::fs::remove_file(file)?)
}
