//! The transactions that wait for a block.

use std::collections::{BTreeMap, HashSet};

use near_crypto::PublicKey;
use near_primitives::hash::CryptoHash;
use near_primitives::transaction::SignedTransaction;
use near_primitives::types::{AccountId, Nonce};

/// The most bytes of pending transactions, as on a node.
const MAX_POOL_BYTES: usize = 100_000_000;

/// Pending transactions, ordered by nonce for each key.
#[derive(Default)]
pub(crate) struct Pool {
    by_key: BTreeMap<(AccountId, PublicKey), BTreeMap<(Nonce, CryptoHash), SignedTransaction>>,
    ids: HashSet<CryptoHash>,
    bytes: usize,
}

/// The size of a signed transaction on the wire, in bytes.
fn size_of(signed: &SignedTransaction) -> usize {
    usize::try_from(signed.get_size()).unwrap_or(usize::MAX)
}

impl Pool {
    pub(crate) fn contains(&self, signed: &SignedTransaction) -> bool {
        self.has(&signed.get_hash())
    }

    /// Like [`Pool::contains`], by the transaction's hash.
    pub(crate) fn has(&self, id: &CryptoHash) -> bool {
        self.ids.contains(id)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    pub(crate) fn has_room_for(&self, signed: &SignedTransaction) -> bool {
        self.bytes.saturating_add(size_of(signed)) <= MAX_POOL_BYTES
    }

    pub(crate) fn insert(&mut self, signed: SignedTransaction) {
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

    pub(crate) fn iter(&self) -> impl Iterator<Item = &SignedTransaction> {
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
