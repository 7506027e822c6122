//! The chain's state: a sorted map under NEAR's trie keys, and the overlay on which a block executes.
//!
//! Keys are the bytes of [`TrieKey`] and values are borsh, exactly as a NEAR node stores them. Only
//! the Merkle trie over them is missing.

use std::collections::BTreeMap;
use std::sync::Arc;

use borsh::{BorshDeserialize, BorshSerialize};
use near_crypto::PublicKeyHandle;
use near_primitives::account::{AccessKey, Account, AccountContract};
use near_primitives::action::GlobalContractIdentifier;
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::trie_key::{TrieKey, col, trie_key_parsers};
use near_primitives::types::{AccountId, Nonce, NonceIndex};

use crate::runtime::RuntimeError;
use crate::trie;

/// A stored value, shared between the state, overlays and the undo history.
pub(crate) type Value = Arc<[u8]>;

/// One block's state changes: the new value of each key, or `None` for a removed key.
pub(crate) type Changes = BTreeMap<Vec<u8>, Option<Value>>;

/// The committed state of the head.
#[derive(Debug, Default, Clone)]
pub(crate) struct State {
    entries: BTreeMap<Vec<u8>, Value>,
}

impl State {
    pub(crate) fn from_entries(entries: BTreeMap<Vec<u8>, Value>) -> Self {
        Self { entries }
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<&Value> {
        self.entries.get(key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Vec<u8>, &Value)> {
        self.entries.iter()
    }

    /// The first accounts in the order of their names.
    pub(crate) fn accounts(&self, limit: usize) -> Result<Vec<(AccountId, Account)>, RuntimeError> {
        let corrupt = |error: std::io::Error| RuntimeError::Corrupt(error.to_string());
        self.entries
            .range(vec![col::ACCOUNT]..)
            .take_while(|(key, _)| key.first() == Some(&col::ACCOUNT))
            .take(limit)
            .map(|(key, value)| {
                let id =
                    trie_key_parsers::parse_account_id_from_account_key(key).map_err(corrupt)?;
                Ok((id, Account::try_from_slice(value).map_err(corrupt)?))
            })
            .collect()
    }

    /// Applies a block's changes and returns the changes that undo them.
    pub(crate) fn apply(&mut self, changes: &Changes) -> Changes {
        changes
            .iter()
            .map(|(key, value)| {
                let before = match value {
                    Some(value) => self.entries.insert(key.clone(), Arc::clone(value)),
                    None => self.entries.remove(key),
                };
                (key.clone(), before)
            })
            .collect()
    }
}

/// An overlay over a [`State`] with two layers: the committed writes of the block's earlier receipts
/// and the uncommitted writes of the current one.
#[derive(Debug)]
pub(crate) struct StateUpdate<'a> {
    base: &'a State,
    committed: Changes,
    prospective: Changes,
}

impl<'a> StateUpdate<'a> {
    pub(crate) fn new(base: &'a State) -> Self {
        Self {
            base,
            committed: Changes::new(),
            prospective: Changes::new(),
        }
    }

    /// The state as it was before `undo` (newest first) was applied to `base`.
    pub(crate) fn rewound<'h>(base: &'a State, undo: impl Iterator<Item = &'h Changes>) -> Self {
        let mut update = Self::new(base);
        for changes in undo {
            update.committed.extend(changes.clone());
        }
        update
    }

    /// Keeps the writes since the last commit or rollback.
    pub(crate) fn commit(&mut self) {
        self.committed.append(&mut self.prospective);
    }

    /// Drops the writes since the last commit or rollback.
    pub(crate) fn rollback(&mut self) {
        self.prospective.clear();
    }

    /// Every committed change of the overlay.
    pub(crate) fn into_changes(self) -> Changes {
        self.committed
    }

    pub(crate) fn get_raw(&self, key: &[u8]) -> Option<&Value> {
        match self
            .prospective
            .get(key)
            .or_else(|| self.committed.get(key))
        {
            Some(value) => value.as_ref(),
            None => self.base.get(key),
        }
    }

    pub(crate) fn set_raw(&mut self, key: Vec<u8>, value: Option<Value>) {
        self.prospective.insert(key, value);
    }

    /// The trie nodes that a contract pays for when it looks up a key, as on a node: none for a key
    /// that this block wrote, else every node on the path.
    pub(crate) fn trie_nodes(&self, key: &[u8]) -> u64 {
        if self.has_written(key) {
            0
        } else {
            trie::nodes_visited(&self.base.entries, key)
        }
    }

    /// Whether this block has written or removed a key.
    pub(crate) fn has_written(&self, key: &[u8]) -> bool {
        self.prospective.contains_key(key) || self.committed.contains_key(key)
    }

    pub(crate) fn contains(&self, key: &TrieKey) -> bool {
        self.get_raw(&key.to_vec()).is_some()
    }

    /// Reads a borsh value. Bytes that do not decode mean a corrupt state.
    pub(crate) fn get<T: BorshDeserialize>(
        &self,
        key: &TrieKey,
    ) -> Result<Option<T>, RuntimeError> {
        self.get_raw(&key.to_vec())
            .map(|bytes| T::try_from_slice(bytes))
            .transpose()
            .map_err(|error| RuntimeError::Corrupt(error.to_string()))
    }

    pub(crate) fn set<T: BorshSerialize>(
        &mut self,
        key: &TrieKey,
        value: &T,
    ) -> Result<(), RuntimeError> {
        let bytes =
            borsh::to_vec(value).map_err(|error| RuntimeError::Corrupt(error.to_string()))?;
        self.set_raw(key.to_vec(), Some(bytes.into()));
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &TrieKey) {
        self.set_raw(key.to_vec(), None);
    }

    /// Reads a value and removes it.
    pub(crate) fn take<T: BorshDeserialize>(
        &mut self,
        key: &TrieKey,
    ) -> Result<Option<T>, RuntimeError> {
        let value = self.get(key)?;
        self.remove(key);
        Ok(value)
    }

    /// All entries whose key starts with `prefix`, in key order.
    pub(crate) fn with_prefix(&self, prefix: &[u8]) -> BTreeMap<Vec<u8>, Value> {
        let starts = |key: &&Vec<u8>| key.starts_with(prefix);
        let from = prefix.to_vec();
        let mut found: BTreeMap<Vec<u8>, Value> = self
            .base
            .entries
            .range(from.clone()..)
            .take_while(|(key, _)| starts(key))
            .map(|(key, value)| (key.clone(), Arc::clone(value)))
            .collect();
        for layer in [&self.committed, &self.prospective] {
            for (key, value) in layer
                .range(from.clone()..)
                .take_while(|(key, _)| starts(key))
            {
                match value {
                    Some(value) => found.insert(key.clone(), Arc::clone(value)),
                    None => found.remove(key),
                };
            }
        }
        found
    }

    pub(crate) fn remove_prefix(&mut self, prefix: &[u8]) {
        for key in self.with_prefix(prefix).into_keys() {
            self.set_raw(key, None);
        }
    }

    pub(crate) fn account(&self, id: &AccountId) -> Result<Option<Account>, RuntimeError> {
        self.get(&account_key(id))
    }

    pub(crate) fn set_account(
        &mut self,
        id: &AccountId,
        account: &Account,
    ) -> Result<(), RuntimeError> {
        self.set(&account_key(id), account)
    }

    pub(crate) fn access_key(
        &self,
        id: &AccountId,
        key: impl Into<PublicKeyHandle>,
    ) -> Result<Option<AccessKey>, RuntimeError> {
        self.get(&TrieKey::access_key(id.clone(), key))
    }

    pub(crate) fn set_access_key(
        &mut self,
        id: &AccountId,
        key: impl Into<PublicKeyHandle>,
        access_key: &AccessKey,
    ) -> Result<(), RuntimeError> {
        self.set(&TrieKey::access_key(id.clone(), key), access_key)
    }

    /// The nonce of one lane of a gas key.
    pub(crate) fn gas_key_nonce(
        &self,
        id: &AccountId,
        key: impl Into<PublicKeyHandle>,
        lane: NonceIndex,
    ) -> Result<Option<Nonce>, RuntimeError> {
        self.get(&TrieKey::gas_key_nonce(id.clone(), key, lane))
    }

    pub(crate) fn set_gas_key_nonce(
        &mut self,
        id: &AccountId,
        key: impl Into<PublicKeyHandle>,
        lane: NonceIndex,
        nonce: Nonce,
    ) -> Result<(), RuntimeError> {
        self.set(&TrieKey::gas_key_nonce(id.clone(), key, lane), &nonce)
    }

    /// The access keys of an account, sorted by key. The trie holds the lanes of gas keys between them.
    pub(crate) fn access_keys(
        &self,
        id: &AccountId,
    ) -> Result<Vec<(PublicKeyHandle, AccessKey)>, RuntimeError> {
        self.with_prefix(&trie_key_parsers::get_raw_prefix_for_access_keys(id))
            .into_iter()
            .filter_map(|(key, value)| access_key_entry(id, &key, &value).transpose())
            .collect::<Result<_, std::io::Error>>()
            .map_err(|error| RuntimeError::Corrupt(error.to_string()))
    }

    /// The contract code stored under an account.
    pub(crate) fn code(&self, id: &AccountId) -> Option<&Value> {
        self.get_raw(
            &TrieKey::ContractCode {
                account_id: id.clone(),
            }
            .to_vec(),
        )
    }

    /// The code of a global contract.
    pub(crate) fn global_code(&self, identifier: GlobalContractIdentifier) -> Option<&Value> {
        self.get_raw(&global_code_key(identifier).to_vec())
    }

    /// The code that an account runs, its own or a global contract's, and the hash of that code.
    pub(crate) fn contract(
        &self,
        id: &AccountId,
        account: &Account,
    ) -> Option<(CryptoHash, &Value)> {
        match account.contract().into_owned() {
            AccountContract::None => None,
            AccountContract::Local(hash) => Some((hash, self.code(id)?)),
            AccountContract::Global(hash) => {
                let code = self.global_code(GlobalContractIdentifier::CodeHash(hash))?;
                Some((hash, code))
            }
            AccountContract::GlobalByAccount(owner) => {
                let code = self.global_code(GlobalContractIdentifier::AccountId(owner))?;
                Some((hash(code), code))
            }
        }
    }
}

pub(crate) fn global_code_key(identifier: GlobalContractIdentifier) -> TrieKey {
    TrieKey::GlobalContractCode {
        identifier: identifier.into(),
    }
}

pub(crate) fn account_key(id: &AccountId) -> TrieKey {
    TrieKey::Account {
        account_id: id.clone(),
    }
}

/// Reads an entry below an account's keys; `None` for a lane of a gas key.
fn access_key_entry(
    id: &AccountId,
    key: &[u8],
    value: &[u8],
) -> std::io::Result<Option<(PublicKeyHandle, AccessKey)>> {
    let handle = trie_key_parsers::parse_key_handle_from_access_key_key(key, id)?;
    let lane = trie_key_parsers::parse_nonce_index_from_gas_key_key(key, id, &handle)?;
    match lane {
        Some(_) => Ok(None),
        None => Ok(Some((handle, AccessKey::try_from_slice(value)?))),
    }
}
