//! Blocks as the chain stores them and as the RPC shows them.

use borsh::{BorshDeserialize, BorshSerialize};
use near_crypto::{KeyType, Signature};
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::types::{AccountId, Balance, BlockHeight, Gas};
use near_primitives::views::{BlockHeaderView, BlockView};

use crate::network::Sight;

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

    /// The block as the RPC method `block` returns it, with the blocks that it makes final. The chain has
    /// no chunks.
    pub(crate) fn view(
        &self,
        author: AccountId,
        prev_height: Option<BlockHeight>,
        sight: &Sight,
    ) -> BlockView {
        BlockView {
            author,
            header: BlockHeaderView {
                height: self.height,
                prev_height,
                epoch_id: self.epoch_id,
                next_epoch_id: self.epoch_id,
                hash: self.hash,
                prev_hash: self.prev_hash,
                prev_state_root: self.state_digest,
                timestamp: self.timestamp_nanos,
                timestamp_nanosec: self.timestamp_nanos,
                random_value: self.random_value,
                gas_price: self.gas_price,
                block_ordinal: Some(self.ordinal),
                total_supply: self.total_supply,
                last_final_block: sight.finalized.hash,
                last_ds_final_block: sight.near_final.hash,
                latest_protocol_version: self.protocol_version,
                signature: Signature::empty(KeyType::ED25519),
                ..BlockHeaderView::default()
            },
            chunks: vec![],
        }
    }
}
