//! The chain as one node sees it, and its blocks as that node shows them.

use near_crypto::{KeyType, Signature};
use near_primitives::types::{AccountId, BlockHeight};
use near_primitives::views::{BlockHeaderView, BlockView};

use crate::block::Block;
use crate::storage::{Storage, StorageError};

/// The chain as one node sees it.
#[derive(Debug, Clone)]
pub(crate) struct Sight {
    /// `optimistic`: the newest block that the node has.
    pub(crate) head: Block,
    /// `near-final`: the newest block with a successor at the next height.
    pub(crate) near_final: Block,
    /// `final`: the newest block with two successors at the next two heights.
    pub(crate) finalized: Block,
}

impl Sight {
    /// A sight in which every block is final.
    pub(crate) fn all_final(head: Block) -> Self {
        Self {
            near_final: head.clone(),
            finalized: head.clone(),
            head,
        }
    }

    /// What a node knows whose newest block is `head`. The block at `floor` counts as final.
    pub(crate) fn from(
        storage: &Storage,
        head: Block,
        floor: BlockHeight,
    ) -> Result<Self, StorageError> {
        let mut near_final = None;
        let mut block = head.clone();
        // Whether the block above `block` has the next height.
        let mut has_successor = false;
        let finalized = loop {
            let previous = match storage.height_of(&block.prev_hash)? {
                Some(height) if block.height > floor && height >= floor => {
                    storage.block_at(height)?
                }
                _ => None,
            };
            let Some(previous) = previous else {
                break block;
            };
            let consecutive = previous.height + 1 == block.height;
            if consecutive && near_final.is_none() {
                near_final = Some(previous.clone());
            }
            if consecutive && has_successor {
                break previous;
            }
            has_successor = consecutive;
            block = previous;
        };
        Ok(Self {
            head,
            near_final: near_final.unwrap_or_else(|| finalized.clone()),
            finalized,
        })
    }

    /// A block as the RPC method `block` returns it, with the blocks that are final for this node. The chain has
    /// no chunks.
    pub(crate) fn view(
        &self,
        block: &Block,
        author: AccountId,
        prev_height: Option<BlockHeight>,
    ) -> BlockView {
        BlockView {
            author,
            header: BlockHeaderView {
                height: block.height,
                prev_height,
                epoch_id: block.epoch_id,
                next_epoch_id: block.epoch_id,
                hash: block.hash,
                prev_hash: block.prev_hash,
                prev_state_root: block.state_digest,
                timestamp: block.timestamp_nanos,
                timestamp_nanosec: block.timestamp_nanos,
                random_value: block.random_value,
                gas_price: block.gas_price,
                block_ordinal: Some(block.ordinal),
                total_supply: block.total_supply,
                last_final_block: self.finalized.hash,
                last_ds_final_block: self.near_final.hash,
                latest_protocol_version: block.protocol_version,
                signature: Signature::empty(KeyType::ED25519),
                ..BlockHeaderView::default()
            },
            chunks: vec![],
        }
    }
}
