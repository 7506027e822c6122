//! Where everything lies in the contract's storage. Values are borsh.
//!
//! | key | value |
//! |---|---|
//! | `STATE` | [`Registry`](crate::Registry): state version, owner, settings, greeting |
//! | `a` + account id | [`Account`], behind its version |
//! | `c` + SHA-256 of the credential id | the account id that the credential belongs to |
//! | `l` + public key | a device key's [`Link`] |
//! | `k` + account id | the device key that is being linked to the account |
//! | `m` | the admins, sorted |
//! | `o` | the allowed origins, sorted |
//! | `h` | the allowed hosts, sorted |
//!
//! A list is one value: the views give it whole, and a search in it costs one read. Records carry a
//! version of their own: nothing lists the accounts, so an upgrade happens at the next write.
//!
//! # Who pays
//! An account pays for its record and its credentials when they are stored, by their bytes, and gets
//! back what a removal frees. With its first record it also pays for one [`Link`], so that linking a
//! device needs no deposit. The registry pays for the rest: state, lists, greeting, all of bounded
//! size. Nothing that anyone can do lets it hold less than its storage costs.
//!
//! # Versions of the state
//! 1. As above, without `k`: an account had any number of links, and none was paid for.
//! 2. One link an account. Accounts of version 1 have not paid for it, and the registry does: 0.003
//!    NEAR at most for each, while it links.

use near_sdk::borsh::{self, BorshDeserialize, BorshSerialize};
use near_sdk::{AccountId, AccountIdRef, NearToken, PublicKey, env};

use crate::record::{Account, Link};
use crate::require::require;

/// A list of names that admins keep: sorted, without duplicates.
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

/// The root state as it lies in storage, of whatever version.
pub(crate) fn state_bytes() -> Option<Vec<u8>> {
    env::storage_read(b"STATE")
}

/// Reads what is stored of an account, reserved or registered.
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

/// The account that a credential belongs to, or is reserved for.
pub(crate) fn credential_owner(credential_id: &[u8]) -> Option<AccountId> {
    read(&credential_key(credential_id))
}

/// Makes a credential known as the account's.
pub(crate) fn set_credential_owner(credential_id: &[u8], account: &AccountIdRef) {
    write(&credential_key(credential_id), &account.as_str());
}

/// Forgets a credential.
pub(crate) fn remove_credential(credential_id: &[u8]) {
    env::storage_remove(&credential_key(credential_id));
}

/// The account that a device's key is being linked to; perhaps no longer.
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

/// The device key that is being linked to the account; the latest one.
pub(crate) fn linking_key(account: &AccountIdRef) -> Option<PublicKey> {
    read(&linking_key_key(account))
}

/// Notes which device key is being linked to the account.
pub(crate) fn set_linking_key(account: &AccountIdRef, key: &PublicKey) {
    write(&linking_key_key(account), key);
}

/// Forgets which device key is being linked to the account.
pub(crate) fn remove_linking_key(account: &AccountIdRef) {
    env::storage_remove(&linking_key_key(account));
}

/// What storing so many bytes costs.
pub(crate) fn cost(bytes: u64) -> NearToken {
    env::storage_byte_cost().saturating_mul(u128::from(bytes))
}

/// Reads a list.
pub(crate) fn list(list: List) -> Vec<String> {
    read(list.key()).unwrap_or_default()
}

/// Whether a list has this entry.
pub(crate) fn list_contains(name: List, entry: &str) -> bool {
    position(&list(name), entry).is_ok()
}

/// Where a list has an entry, or else where it belongs.
fn position(entries: &[String], entry: &str) -> Result<usize, usize> {
    entries.binary_search_by(|listed| listed.as_str().cmp(entry))
}

/// Puts an entry into a list; `false` if it is there. The list may then have `limit` entries, or the
/// call ends with `full`.
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

/// Takes an entry out of a list; `false` if it is not there.
pub(crate) fn remove_from_list(name: List, entry: &str) -> bool {
    let mut entries = list(name);
    let Ok(at) = position(&entries, entry) else {
        return false;
    };
    entries.remove(at);
    set_list(name, &entries);
    true
}

/// Stores a list, which is sorted and without duplicates.
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

fn credential_key(credential_id: &[u8]) -> Vec<u8> {
    [b"c".as_slice(), &env::sha256_array(credential_id)].concat()
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

/// Reads a stored value, or ends the call: nothing but this contract writes here.
pub(crate) fn decode<T: BorshDeserialize>(value: &[u8]) -> T {
    borsh::from_slice(value)
        .unwrap_or_else(|_| env::panic_str("Cannot deserialize the contract state."))
}

fn write<T: BorshSerialize>(key: &[u8], value: &T) {
    let bytes = borsh::to_vec(value)
        .unwrap_or_else(|_| env::panic_str("Cannot serialize the contract state."));
    env::storage_write(key, &bytes);
}
