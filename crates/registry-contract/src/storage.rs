//! The layout of the contract's storage. Values are borsh.
//!
//! | key | value |
//! |---|---|
//! | `STATE` | [`Registry`](crate::Registry): state version, owner, settings, greeting |
//! | `a` + account id | the record's version, then [`Account`] |
//! | `l` + public key | a device key's [`Link`] |
//! | `k` + account id | the device key that is being linked to the account |
//! | `m` | the admins, sorted |
//! | `o` | the allowed origins, sorted |
//! | `h` | the allowed hosts, sorted |
//!
//! A list is one value: the views return it whole, and a search costs one read. Records carry their own
//! version, because nothing lists the accounts: each record is upgraded at its next write.
//!
//! # Who pays
//! An account pays for the bytes of its record and its credentials when they are stored, and gets back
//! what a removal frees. With its first record it also pays for one [`Link`], so that linking a device
//! needs no deposit. The registry pays for the rest, all of bounded size: state, lists, greeting. No
//! call can make its balance fall below its storage cost.
//!
//! # Versions of the state
//! 1. As above, without `k`: an account had any number of links and paid for none.
//! 2. One link per account. For an account of version 1, which did not prepay, the registry pays at
//!    most 0.003 NEAR while it links.
//! 3. A credential belongs to its account alone. Until then one account had a credential id to itself, and an
//!    entry named that account: `c` + SHA-256 of the credential id. An attacker who saw a registration first could
//!    so take its id. Such an entry stays until its account removes the authenticator.

use near_sdk::borsh::{self, BorshDeserialize, BorshSerialize};
use near_sdk::{AccountId, AccountIdRef, NearToken, PublicKey, env};

use crate::record::{Account, Link};
use crate::require::require;

/// A list that the owner or the admins maintain: sorted, without duplicates.
#[derive(Debug, Clone, Copy)]
pub(crate) enum List {
    Admins,
    AllowedOrigins,
    AllowedHosts,
}

#[derive(BorshSerialize, BorshDeserialize)]
#[borsh(crate = "near_sdk::borsh")]
enum VersionedAccount {
    V1(Account),
}

/// The stored root state, of any version.
pub(crate) fn state_bytes() -> Option<Vec<u8>> {
    env::storage_read(b"STATE")
}

/// Reads an account's record, reserved or registered.
pub(crate) fn account(id: &AccountIdRef) -> Option<Account> {
    read(&account_key(id)).map(|VersionedAccount::V1(account)| account)
}

/// Stores an account's record.
pub(crate) fn set_account(id: &AccountIdRef, account: Account) {
    write(&account_key(id), &VersionedAccount::V1(account));
}

/// Removes an account's record.
pub(crate) fn remove_account(id: &AccountIdRef) {
    env::storage_remove(&account_key(id));
}

/// Removes the entry in which an earlier version noted the credential's account, if it names this one.
pub(crate) fn remove_old_credential(credential_id: &[u8], account: &AccountIdRef) {
    let key = [b"c".as_slice(), &env::sha256_array(credential_id)].concat();
    if read::<AccountId>(&key).is_some_and(|owner| owner == *account) {
        env::storage_remove(&key);
    }
}

/// A device key's link, which may have expired.
pub(crate) fn link(key: &PublicKey) -> Option<Link> {
    read(&link_key(key))
}

/// Stores a device key's link.
pub(crate) fn set_link(key: &PublicKey, link: &Link) {
    write(&link_key(key), link);
}

/// Removes a device key's link.
pub(crate) fn remove_link(key: &PublicKey) {
    env::storage_remove(&link_key(key));
}

/// The device key that is being linked to the account.
pub(crate) fn linking_key(account: &AccountIdRef) -> Option<PublicKey> {
    read(&linking_key_key(account))
}

/// Stores which device key is being linked to the account.
pub(crate) fn set_linking_key(account: &AccountIdRef, key: &PublicKey) {
    write(&linking_key_key(account), key);
}

/// Removes the note of the device key that is being linked to the account.
pub(crate) fn remove_linking_key(account: &AccountIdRef) {
    env::storage_remove(&linking_key_key(account));
}

/// The cost of storing this many bytes.
pub(crate) fn cost(bytes: u64) -> NearToken {
    env::storage_byte_cost().saturating_mul(u128::from(bytes))
}

/// Reads a list.
pub(crate) fn list(list: List) -> Vec<String> {
    read(list.key()).unwrap_or_default()
}

/// Whether a list has no entry.
pub(crate) fn list_is_empty(list: List) -> bool {
    !env::storage_has_key(list.key())
}

/// Whether a list has this entry.
pub(crate) fn list_contains(name: List, entry: &str) -> bool {
    position(&list(name), entry).is_ok()
}

/// The index of an entry, or else the index where it belongs.
fn position(entries: &[String], entry: &str) -> Result<usize, usize> {
    entries.binary_search_by(|listed| listed.as_str().cmp(entry))
}

/// Adds an entry to a list; `false` if it is listed already. Ends the call with `full` if the list has
/// `limit` entries already.
pub(crate) fn add_to_list(name: List, entry: String, limit: usize, full: &str) -> bool {
    let mut entries = list(name);
    let Err(at) = position(&entries, &entry) else {
        return false;
    };
    require(entries.len() < limit, full);
    entries.insert(at, entry);
    set_list(name, &entries);
    true
}

/// Removes an entry from a list; `false` if it is not listed.
pub(crate) fn remove_from_list(name: List, entry: &str) -> bool {
    let mut entries = list(name);
    let Ok(at) = position(&entries, entry) else {
        return false;
    };
    entries.remove(at);
    set_list(name, &entries);
    true
}

/// Stores a list, which must be sorted and without duplicates.
pub(crate) fn set_list(list: List, entries: &[String]) {
    if entries.is_empty() {
        env::storage_remove(list.key());
    } else {
        write(list.key(), &entries);
    }
}

impl List {
    const fn key(self) -> &'static [u8] {
        match self {
            Self::Admins => b"m",
            Self::AllowedOrigins => b"o",
            Self::AllowedHosts => b"h",
        }
    }
}

fn account_key(id: &AccountIdRef) -> Vec<u8> {
    [b"a", id.as_bytes()].concat()
}

fn link_key(key: &PublicKey) -> Vec<u8> {
    [b"l", key.as_bytes()].concat()
}

fn linking_key_key(account: &AccountIdRef) -> Vec<u8> {
    [b"k", account.as_bytes()].concat()
}

fn read<T: BorshDeserialize>(key: &[u8]) -> Option<T> {
    env::storage_read(key).map(|value| decode(&value))
}

/// Decodes a stored value, or ends the call. Only this contract writes its storage.
pub(crate) fn decode<T: BorshDeserialize>(value: &[u8]) -> T {
    borsh::from_slice(value)
        .unwrap_or_else(|_| env::panic_str("Cannot deserialize the contract state."))
}

fn write<T: BorshSerialize>(key: &[u8], value: &T) {
    let bytes = borsh::to_vec(value)
        .unwrap_or_else(|_| env::panic_str("Cannot serialize the contract state."));
    env::storage_write(key, &bytes);
}
