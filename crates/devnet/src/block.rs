//! Blocks as the chain stores them.

use borsh::{BorshDeserialize, BorshSerialize};
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::types::{Balance, BlockHeight, Gas};

/// A block of the local chain.
#[derive(Debug, Clone, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) struct Block {
    pub(crate) height: BlockHeight,
    pub(crate) hash: CryptoHash,
    pub(crate) prev_hash: CryptoHash,
    pub(crate) timestamp_nanos: u64,
    pub(crate) random_value: CryptoHash,
    /// A running digest of every state change. The chain has no trie and so no Merkle root.
    pub(crate) state_digest: CryptoHash,
    pub(crate) gas_price: Balance,
    pub(crate) gas_burnt: Gas,
    pub(crate) total_supply: Balance,
    pub(crate) protocol_version: u32,
    /// The one epoch's id: the hash of the genesis block before it has this id.
    pub(crate) epoch_id: CryptoHash,
    pub(crate) ordinal: u64,
}

impl Block {
    /// Sets the hash: SHA-256 of the block's borsh bytes with an empty hash.
    pub(crate) fn sealed(mut self) -> std::io::Result<Self> {
        self.hash = CryptoHash::default();
        self.hash = hash(&borsh::to_vec(&self)?);
        Ok(self)
    }

    /// When the block was made.
    pub(crate) fn time(&self) -> Result<near_time::Utc, impl std::fmt::Display + use<>> {
        near_time::Utc::from_unix_timestamp_nanos(i128::from(self.timestamp_nanos))
    }
}
