//! Invariants of the registry's storage while no call is in progress.

use std::collections::{BTreeMap, BTreeSet};

use latchkey_contract_tests::{STORAGE_BYTE_COST, World};
use serde_json::{Value, json};

/// The blocks for which an expired mapping may stay until the chain's own call removes it.
const EXPIRY_SLACK: u64 = 10;

/// Checks that the maps mirror each other, that counters and limits hold, and that nothing is reserved.
/// `accounts` are all accounts that ever registered. Returns how much they have paid for links that
/// they do not have, in yoctoNEAR.
#[track_caller]
pub(crate) fn hold(world: &World, accounts: &[&str]) -> u128 {
    let storage = world.registry_storage();
    let entries = |prefix: u8| -> BTreeMap<&[u8], &[u8]> {
        storage
            .iter()
            .filter_map(|(key, value)| Some((key.strip_prefix(&[prefix])?, &value[..])))
            .collect()
    };

    let records = entries(b'a');
    let mut prepaid = 0;
    let links = entries(b'l');
    let notes = entries(b'k');
    for (id, record) in &records {
        let account = str::from_utf8(id).unwrap();
        assert!(accounts.contains(&account), "{account} never registered");
        // The status follows the record's version.
        assert_eq!(record[1], 1, "{account} is still reserved");
        check_devices(world, account);
        if !notes.contains_key(id) {
            prepaid += u128::from(link_bytes(id.len())) * STORAGE_BYTE_COST;
        }
    }

    assert!(
        entries(b'c').is_empty(),
        "only earlier versions noted credentials"
    );

    // Exactly one note per link, stored under the link's account.
    let height = world.chain.head().height;
    let mut noted = BTreeSet::new();
    for (key, link) in &links {
        let (account, end) = link[4..].split_at(link.len() - 12);
        assert_eq!(
            notes.get(account).map(|note| &note[4..]),
            Some(*key),
            "a link without its account's note"
        );
        assert!(
            records.contains_key(account),
            "a link of an unregistered account"
        );
        let expires_at = u64::from_le_bytes(end.try_into().unwrap());
        assert!(
            height < expires_at + EXPIRY_SLACK,
            "a link outlived its end"
        );
        noted.insert(account);
    }
    assert_eq!(notes.len(), noted.len(), "a note without a link");

    for list in ["get_allowed_origins", "get_allowed_hosts", "get_admins"] {
        let listed = world.view(list, &json!({})).value;
        let listed: Vec<String> = serde_json::from_value(listed).unwrap();
        assert!(listed.is_sorted_by(|a, b| a < b), "{listed:?}");
    }
    // The chain fails a receipt that leaves less than the storage cost; the registry decides who pays.
    assert!(world.surplus() >= prepaid);
    prepaid
}

/// Checks the account's device numbers, and that it holds each credential once.
fn check_devices(world: &World, account: &str) {
    let user = json!({"user_id": account});
    let pairs = world.view("get_authenticators_by_user", &user).value;
    let pairs: Vec<(String, Value)> = serde_json::from_value(pairs).unwrap();
    let numbers: Vec<u64> = pairs
        .iter()
        .map(|(_, record)| record["device_number"].as_u64().unwrap())
        .collect();
    let counter = world.device_counter(account).as_u64().unwrap();
    assert!(!numbers.is_empty(), "{account} has no device");
    assert!(numbers.is_sorted_by(|a, b| a < b), "{account}: {numbers:?}");
    assert!(
        numbers.iter().all(|number| *number <= counter),
        "{account}: {numbers:?}, counter {counter}"
    );
    let ids: BTreeSet<&String> = pairs.iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), pairs.len(), "{account} holds a credential twice");
}

/// The size of a link in storage: one entry under the device's key, and one under the account's id.
/// Repeated here on purpose, to check the contract's own sum.
const fn link_bytes(account_id: usize) -> u64 {
    const ENTRY: usize = 40;
    const KEY: usize = 33;
    let link = ENTRY + (1 + KEY) + (4 + account_id + 8);
    let note = ENTRY + (1 + account_id) + (4 + KEY);
    (link + note) as u64
}
