//! Upgrades a registry from an earlier version of the contract to this one.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_contract_tests::{
    Edit, Method, Passkey, RELAYER, Settlers, World, at_each_protocol, built_contract,
};
use latchkey_devnet::{REGISTRY, development_key};
use serde_json::{Value, json};

use crate::administration::assert_ends;
use crate::{ALICE, BOB, puppet, with_alice};

at_each_protocol![
    live_records_of_earlier_versions_serve_before_and_after_the_upgrade,
    live_records_of_the_first_release_serve_before_and_after_the_upgrade,
    one_transaction_deploys_and_migrates,
    a_mapping_of_version_1_is_replaced_and_leaves_no_trace,
    only_admins_migrate,
    state_of_this_version_stays_unchanged,
    state_of_a_later_version_is_refused,
    a_registry_that_was_never_set_up_is_not_migrated,
];

/// The state version of this contract, the first byte of its state.
const VERSION: u8 = 3;

/// An account's storage, as keys and values.
pub(crate) type Entries = Vec<(Vec<u8>, Vec<u8>)>;

/// The states that the last contracts of versions 1 and 2 wrote, and the contract of the first release
/// (`fixtures/README.md`).
const EARLIER: [&str; 3] = [
    include_str!("../../fixtures/state-v1.json"),
    include_str!("../../fixtures/state-v2.json"),
    include_str!("../../fixtures/state-v3.json"),
];
/// The state version of the first release.
const FIRST_RELEASE: u8 = 3;

/// The state that the first release wrote.
pub(crate) fn first_release() -> Entries {
    entries_of(EARLIER[2])
}

fn version_1() -> Entries {
    entries_of(EARLIER[0])
}

fn entries_of(text: &str) -> Entries {
    let entries: Vec<[String; 2]> = serde_json::from_str(text).unwrap();
    let bytes = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    entries
        .iter()
        .map(|[key, value]| (bytes(key), bytes(value)))
        .collect()
}

/// A chain whose registry account stores these entries, with the settlers' accounts.
pub(crate) fn world_with(version: u32, entries: &Entries) -> World {
    let world = World::without_registry(version, &[ALICE, BOB]);
    let fill = [("fill", &json!({}))];
    let filled = world.sign_deployment(REGISTRY, puppet::filler(entries), &fill);
    world.run(filled).result.unwrap();
    assert!(world.registry_storage().into_iter().eq(entries.clone()));
    world
}

fn code(version: u32) -> Vec<u8> {
    std::fs::read(built_contract(version)).unwrap()
}

/// Deploys this contract without a call.
pub(crate) fn deploy(world: &World, version: u32) {
    let deployed = world.sign_deployment(REGISTRY, code(version), &[]);
    world.run(deployed).result.unwrap();
}

/// Everything that the views show about the settlers.
fn shown(world: &World) -> Value {
    let accounts = [ALICE, BOB, "testnet"].map(|account| {
        let user = json!({"user_id": account});
        json!([
            world.view("get_authenticators_by_user", &user).value,
            world.credential_ids(account),
            world.device_counter(account),
        ])
    });
    let lists = [
        "get_owner",
        "get_admins",
        "get_allowed_origins",
        "get_allowed_hosts",
        "get_vrf_settings",
        "get_greeting",
    ]
    .map(|method| world.view(method, &json!({})).value);
    json!([accounts, lists])
}

fn all_verify(world: &World, settlers: &Settlers) -> bool {
    let Settlers {
        alice: [first, second],
        bob,
        joiner,
        ..
    } = settlers;
    [first, second, bob, joiner]
        .iter()
        .all(|passkey| world.verifies(passkey))
}

fn live_records_of_earlier_versions_serve_before_and_after_the_upgrade(version: u32) {
    for state in &EARLIER[..2] {
        records_serve_before_and_after_the_upgrade(version, &entries_of(state));
    }
}

fn live_records_of_the_first_release_serve_before_and_after_the_upgrade(version: u32) {
    let entries = first_release();
    assert_eq!(state_version_of(&entries), FIRST_RELEASE);
    records_serve_before_and_after_the_upgrade(version, &entries);
}

fn records_serve_before_and_after_the_upgrade(version: u32, entries: &Entries) {
    let settlers = Settlers::new();
    let mut left = entries.clone().into_iter().collect();
    let world = world_with(version, entries);
    deploy(&world, version);

    // The migration may follow later, because this contract reads the records of earlier versions.
    let before = shown(&world);
    assert_eq!(before[0][0][2], 2, "Alice has two devices");
    assert_eq!(before[1][5], Settlers::GREETING);
    assert!(all_verify(&world, &settlers));
    assert_eq!(world.mapping(&settlers.device_key), json!([ALICE, 2]));

    world.expect("testnet", "migrate", &json!({}));

    assert_eq!(shown(&world), before);
    assert!(all_verify(&world, &settlers));
    assert_eq!(world.mapping(&settlers.device_key), json!([ALICE, 2]));
    // Only the version changed.
    let set_version = |entries: &mut std::collections::BTreeMap<Vec<u8>, Vec<u8>>| {
        entries.get_mut(&b"STATE"[..]).unwrap()[0] = VERSION;
    };
    set_version(&mut left);
    assert_eq!(world.registry_storage(), left);
    world.expect("testnet", "migrate", &json!({}));
    assert_eq!(world.registry_storage(), left, "once is enough");

    // The accounts stay usable: add a device, remove one, and let the admin edit a list.
    let third = Passkey::another(ALICE, "the third");
    world.link(&third, 3);
    let first = json!({"credential_id": settlers.alice[0].credential_id()});
    let noted = credentials_noted(&world);
    let is_noted = state_version_of(entries) < 3;
    assert_eq!(
        noted,
        if is_noted { 4 } else { 0 },
        "by the earlier version"
    );
    assert_eq!(world.expect(ALICE, "remove_authenticator", &first), true);
    let left = noted.saturating_sub(1);
    assert_eq!(
        credentials_noted(&world),
        left,
        "a removal frees the note too"
    );
    assert!(world.verifies(&third) && !world.verifies(&settlers.alice[0]));
    let host = json!({"origin": "https://host.example"});
    assert_eq!(world.expect(RELAYER, "add_allowed_host", &host), true);
    world.register(&Passkey::new("new.w3a-v1.testnet"));
    // A name taken before the upgrade is still taken.
    let taken = Passkey::new(ALICE).registration(&world.chain.head(), Edit::None);
    world.expect_refused(RELAYER, Method::Register, &taken, "already registered");
}

/// The first byte of the root state.
fn state_version_of(entries: &Entries) -> u8 {
    let state = entries.iter().find(|(key, _)| key == b"STATE");
    state.unwrap().1[0]
}

/// How many credentials have an entry of their own, as until version 2.
fn credentials_noted(world: &World) -> usize {
    let storage = world.registry_storage();
    storage.keys().filter(|key| key.starts_with(b"c")).count()
}

fn one_transaction_deploys_and_migrates(version: u32) {
    // The caller is the contract's own account, so it must be an admin. Here it is the owner.
    let mut entries = version_1();
    for (key, value) in &mut entries {
        if key == b"STATE" {
            let owner = [&[7, 0, 0, 0][..], b"testnet"].concat();
            let rest = value[1..].strip_prefix(&owner[..]).unwrap();
            let owner = [&[14, 0, 0, 0][..], REGISTRY.as_bytes()].concat();
            *value = [&value[..1], &owner, rest].concat();
        }
    }
    let world = world_with(version, &entries);
    let migrate = [("migrate", &json!({}))];
    let deployed = world.sign_deployment(REGISTRY, code(version), &migrate);
    world.run(deployed).result.unwrap();
    assert_eq!(world.registry_storage()[&b"STATE"[..]][0], VERSION);
    assert!(all_verify(&world, &Settlers::new()));
}

/// Version 1 stored no note of the key that an account links, and allowed any number of keys.
fn a_mapping_of_version_1_is_replaced_and_leaves_no_trace(version: u32) {
    let device = Settlers::new().device_key;
    let without_mapping = left_by(version_1(), b'l');
    let upgraded = || {
        let world = world_with(version, &version_1());
        deploy(&world, version);
        world
    };

    // Stored again by its account, the mapping expires with the new one.
    let world = upgraded();
    world.store_mapping(ALICE, &device);
    assert_eq!(world.mapping(&device), json!([ALICE, 2]));
    world.chain.produce_blocks(210).unwrap();
    assert_eq!(world.registry_storage(), without_mapping);

    // Removed by its account.
    let world = upgraded();
    let key = json!({"device_public_key": device.to_string()});
    assert_eq!(world.expect(ALICE, "cleanup_device_linking", &key), true);
    assert_eq!(world.registry_storage(), without_mapping);

    // Removed while the account has another one, which stays.
    let world = upgraded();
    let [newer, newest] = ["newer", "newest"].map(|name| development_key(name).public_key());
    world.store_mapping(ALICE, &newer);
    assert_eq!(world.expect(ALICE, "cleanup_device_linking", &key), true);
    assert_eq!(world.mapping(&newer), json!([ALICE, 2]));
    world.store_mapping(ALICE, &newest);
    assert_eq!(world.mapping(&newer), Value::Null);
    world.chain.produce_blocks(210).unwrap();
    assert_eq!(world.registry_storage(), without_mapping);

    // Expired, although the chain's own call never ran: another account may link the key.
    let world = upgraded();
    world.chain.produce_blocks(250).unwrap();
    assert_eq!(world.mapping(&device), Value::Null);
    world.store_mapping(BOB, &device);
    assert_eq!(world.mapping(&device), json!([BOB, 1]));
    world.chain.produce_blocks(210).unwrap();
    assert_eq!(world.registry_storage(), without_mapping);
}

/// The entries of all other kinds.
fn left_by(entries: Entries, kind: u8) -> std::collections::BTreeMap<Vec<u8>, Vec<u8>> {
    entries
        .into_iter()
        .filter(|(key, _)| key.first() != Some(&kind))
        .collect()
}

fn only_admins_migrate(version: u32) {
    let world = world_with(version, &version_1());
    deploy(&world, version);
    for stranger in [ALICE, BOB, REGISTRY] {
        assert_ends(&world, stranger, "migrate", &json!({}), "only an admin");
    }
    // The relayer is an admin, so the owner is not needed.
    world.expect(RELAYER, "migrate", &json!({}));
    assert_eq!(world.registry_storage()[&b"STATE"[..]][0], VERSION);
}

fn state_of_this_version_stays_unchanged(version: u32) {
    let world = with_alice(version);
    assert_ends(&world, RELAYER, "migrate", &json!({}), "only an admin");
    let stored = world.registry_storage();
    assert_eq!(stored[&b"STATE"[..]][0], VERSION);
    world.expect(REGISTRY, "migrate", &json!({}));
    assert_eq!(world.registry_storage(), stored);
}

fn state_of_a_later_version_is_refused(version: u32) {
    for unknown in [0, VERSION + 1, u8::MAX] {
        let mut entries = version_1();
        for (key, value) in &mut entries {
            if key == b"STATE" {
                value[0] = unknown;
            }
        }
        let world = world_with(version, &entries);
        deploy(&world, version);
        let message = "a version that this contract does not know";
        assert_ends(&world, "testnet", "migrate", &json!({}), message);
    }
}

fn a_registry_that_was_never_set_up_is_not_migrated(version: u32) {
    let world = World::without_registry(version, &[]);
    let migrate = [("migrate", &json!({}))];
    let deployed = world.sign_deployment(REGISTRY, code(version), &migrate);
    let failure = world.run(deployed).result.unwrap_err();
    assert!(failure.contains("no state to migrate"), "{failure}");
}
