//! The mapping through which two devices find each other.
// Specification: core 7

use latchkey_contract_tests::{Passkey, World, at_each_protocol};
use latchkey_devnet::development_key;
use near_crypto::PublicKey;
use serde_json::{Value, json};

use crate::administration::assert_ends;
use crate::{ALICE, BOB, invariants, with_alice};

at_each_protocol![
    a_mapping_is_shown_for_200_blocks_and_leaves_no_trace,
    a_mapping_belongs_to_its_account_s69,
    an_account_has_one_mapping_at_a_time,
    an_old_expiry_leaves_a_new_mapping_alone,
    mappings_cost_the_registry_nothing,
    only_the_chain_calls_the_expiry,
];

fn key(name: &str) -> PublicKey {
    development_key(name).public_key()
}

/// The block at which the only mapping expires.
fn expiry(world: &World) -> u64 {
    let storage = world.registry_storage();
    let (_, link) = storage.iter().find(|(key, _)| key[0] == b'l').unwrap();
    u64::from_le_bytes(*link.last_chunk().unwrap())
}

fn clean_up(world: &World, account: &str, key: &PublicKey) -> Result<Value, String> {
    let args = json!({"device_public_key": key.to_string()});
    world
        .call(account, "cleanup_device_linking", &args, 0)
        .result
}

fn a_mapping_is_shown_for_200_blocks_and_leaves_no_trace(version: u32) {
    let world = with_alice(version);
    let device = key("device 2");
    assert_eq!(world.mapping(&device), Value::Null);
    let stored = world.storage_usage();
    world.store_mapping(ALICE, &device);
    assert_eq!(world.mapping(&device), json!([ALICE, 1]));
    let left = expiry(&world) - world.chain.head().height;
    assert_eq!(left, 199, "of 200 blocks, the call's own has passed");
    world.chain.produce_blocks(left - 1).unwrap();
    assert_eq!(world.mapping(&device), json!([ALICE, 1]));
    world.chain.produce_blocks(1).unwrap();
    assert_eq!(world.mapping(&device), Value::Null);
    world.chain.produce_blocks(10).unwrap();
    assert_eq!(
        world.storage_usage(),
        stored,
        "the chain's own call removed it"
    );
}

fn a_mapping_belongs_to_its_account_s69(version: u32) {
    let world = with_alice(version);
    world.register(&Passkey::new(BOB));
    world.fund(BOB);
    let device = key("device 2");
    let refuses = |account: &str, target: &str, key: &str, message: &str| {
        let args = json!({"device_public_key": key, "target_account_id": target});
        let state = world.snapshot(account);
        let called = world.call(account, "store_device_linking_mapping", &args, 1);
        let failure = called.result.unwrap_err();
        assert!(failure.contains(message), "{failure}");
        assert!(world.snapshot(account) == state);
    };
    let text = device.to_string();
    refuses(BOB, ALICE, &text, "must be the caller");
    refuses("testnet", "testnet", &text, "no registered device");
    let secp256k1 = near_crypto::SecretKey::from_seed(near_crypto::KeyType::SECP256K1, "device");
    let other_curve = secp256k1.public_key().to_string();
    refuses(ALICE, ALICE, &other_curve, "must be an ed25519 key");
    world.store_mapping(ALICE, &device);
    refuses(BOB, BOB, &text, "linked to another account");

    let failure = clean_up(&world, BOB, &device).unwrap_err();
    assert!(failure.contains("only the linked account"), "{failure}");
    assert_eq!(world.mapping(&device), json!([ALICE, 1]));
    assert_eq!(clean_up(&world, ALICE, &device), Ok(json!(true)));
    assert_eq!(clean_up(&world, ALICE, &device), Ok(json!(false)));
    assert_eq!(world.mapping(&device), Value::Null);
}

fn an_account_has_one_mapping_at_a_time(version: u32) {
    let world = with_alice(version);
    let stored = world.storage_usage();
    world.store_mapping(ALICE, &key("device 2"));
    let with_one = world.storage_usage();
    world.store_mapping(ALICE, &key("device 3"));
    assert_eq!(world.mapping(&key("device 2")), Value::Null);
    assert_eq!(world.mapping(&key("device 3")), json!([ALICE, 1]));
    assert_eq!(world.storage_usage(), with_one);
    assert_eq!(clean_up(&world, ALICE, &key("device 2")), Ok(json!(false)));
    assert_eq!(clean_up(&world, ALICE, &key("device 3")), Ok(json!(true)));
    assert_eq!(world.storage_usage(), stored);
}

/// Each mapping leaves an expiry behind, even if it is removed, replaced or stored again.
fn an_old_expiry_leaves_a_new_mapping_alone(version: u32) {
    let world = with_alice(version);
    world.register(&Passkey::new(BOB));
    world.fund(BOB);
    let (first, second) = (key("device 2"), key("device 3"));
    world.store_mapping(ALICE, &first);
    clean_up(&world, ALICE, &first).unwrap();
    world.chain.produce_blocks(50).unwrap();
    world.store_mapping(BOB, &first);
    world.store_mapping(ALICE, &second);
    world.chain.produce_blocks(50).unwrap();
    world.store_mapping(ALICE, &second);

    // The first mapping of each key expires here, the second stays.
    world.chain.produce_blocks(110).unwrap();
    assert_eq!(world.mapping(&first), json!([BOB, 1]));
    assert_eq!(world.mapping(&second), json!([ALICE, 1]));
    world.chain.produce_blocks(50).unwrap();
    assert_eq!(world.mapping(&first), Value::Null);
    assert_eq!(world.mapping(&second), json!([ALICE, 1]));
    world.chain.produce_blocks(50).unwrap();
    assert_eq!(world.mapping(&second), Value::Null);
    invariants::hold(&world, &[ALICE, BOB]);
}

/// Mappings never take more storage than their account paid for, however many it stores.
fn mappings_cost_the_registry_nothing(version: u32) {
    let world = World::open(version);
    let before = world.surplus();
    world.register(&Passkey::new(ALICE));
    world.fund(ALICE);
    for device in 0..20 {
        world.store_mapping(ALICE, &key(&format!("device {device}")));
        assert!(world.surplus() >= before);
    }
    if version >= 87 {
        assert_eq!(world.surplus(), before + 20, "1 yoctoNEAR for each");
    }
}

fn only_the_chain_calls_the_expiry(version: u32) {
    let world = with_alice(version);
    let device = key("device 2");
    world.store_mapping(ALICE, &device);
    let expires_at = expiry(&world);
    let args = json!({"device_public_key": device.to_string(), "expires_at": expires_at});
    for stranger in [ALICE, "testnet"] {
        assert_ends(&world, stranger, "on_link_expired", &args, "private");
    }
}
