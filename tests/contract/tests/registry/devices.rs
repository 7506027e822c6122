//! link_device_register_user and remove_authenticator, for an account's further devices.
// Specification: core 4

use latchkey_contract_tests::{Edit, Method, Outcome, Passkey, RELAYER, World, at_each_protocol};
use latchkey_devnet::{REGISTRY, development_key};
use near_crypto::{KeyType, SecretKey};
use near_primitives::account::AccessKey;
use near_primitives::action::AddKeyAction;
use near_primitives::transaction::Action;
use serde_json::{Value, json};

use crate::{ALICE, with_alice};

at_each_protocol![
    a_second_device_is_registered_next_to_the_first,
    an_existing_account_joins_as_device_1,
    the_signing_key_is_recorded,
    a_device_number_is_never_reused,
    an_account_removes_its_authenticators_except_the_last,
];

fn remove(world: &World, account: &str, passkey: &Passkey) -> Result<Value, String> {
    let args = json!({"credential_id": passkey.credential_id()});
    world.call(account, "remove_authenticator", &args, 1).result
}

fn a_second_device_is_registered_next_to_the_first(version: u32) {
    let world = with_alice(version);
    let (first, second) = (Passkey::new(ALICE), Passkey::another(ALICE, "second"));
    let outcome = world.link(&second, 2);
    let info = &outcome.result.unwrap()["registration_info"];
    assert_eq!(info["credential_id"], second.credential_id());
    assert_eq!(world.device_counter(ALICE), 2);
    let user = json!({"user_id": ALICE});
    let records = world.view("get_authenticators_by_user", &user).value;
    assert_eq!(records[1][1]["device_number"], 2);
    let key = development_key(ALICE).public_key().to_string();
    assert_eq!(records[1][1]["near_public_key"], key);

    // Each device has its own VRF keys.
    let verified = |passkey: &Passkey| {
        let args = passkey.authentication_by(&second.bootstrap, &world.chain.head(), Edit::None);
        world.view(Method::Authenticate.name(), &args).value["verified"] == true
    };
    assert!(verified(&second));
    assert!(!verified(&first));
}

fn an_existing_account_joins_as_device_1(version: u32) {
    let world = World::open(version);
    let passkey = Passkey::new("testnet");
    world.link(&passkey, 1);
    assert_eq!(world.device_counter("testnet"), 1);
    assert!(world.verifies(&passkey));
    world.link(&Passkey::another("testnet", "second"), 2);
    assert_eq!(world.device_counter("testnet"), 2);
}

/// Links Alice's second device in a call signed with another key of hers.
fn link_by(world: &World, device: &SecretKey) -> Outcome {
    let add_key = AddKeyAction {
        public_key: device.public_key(),
        access_key: AccessKey::full_access(),
    };
    let added = world.sign_actions(ALICE, ALICE, vec![Action::AddKey(Box::new(add_key))]);
    world.run(added).result.unwrap();
    let args = Passkey::another(ALICE, "second").linking(&world.chain.head(), 2, Edit::None);
    let call = world.sign(ALICE, Method::Link.name(), &args, Method::Link.deposit());
    let actions = call.transaction.actions().to_vec();
    let signed = world.chain.sign(ALICE, device, REGISTRY, actions);
    world.run(signed.unwrap())
}

/// The record holds the key that signed the call, on either curve.
fn the_signing_key_is_recorded(version: u32) {
    let world = with_alice(version);
    let device = SecretKey::from_seed(KeyType::SECP256K1, "device 2");
    let outcome = link_by(&world, &device);
    assert_eq!(outcome.result.unwrap()["verified"], true);
    let user = json!({"user_id": ALICE});
    let records = world.view("get_authenticators_by_user", &user).value;
    assert_eq!(
        records[1][1]["near_public_key"],
        device.public_key().to_string()
    );
}

/// Protocol 87 added post-quantum keys, which are as large as a record.
#[test]
fn a_key_too_large_to_record_is_refused() {
    let world = with_alice(88);
    let stored = world.storage_usage();
    let outcome = link_by(&world, &SecretKey::from_seed(KeyType::MLDSA65, "device 2"));
    assert_eq!(outcome.result, Ok(Method::Link.refusal()));
    let log = outcome.logs.concat();
    assert!(log.contains("must be an ed25519 or secp256k1 key"), "{log}");
    assert_eq!(world.storage_usage(), stored);
}

fn a_device_number_is_never_reused(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    world.link(&second, 2);
    assert_eq!(remove(&world, ALICE, &second), Ok(json!(true)));
    assert_eq!(world.device_counter(ALICE), 2);
    // The credential is free again, but the number is not.
    let again = second.linking(&world.chain.head(), 2, Edit::None);
    world.expect_refused(ALICE, Method::Link, &again, "intent digest is not");
    world.link(&second, 3);
}

fn an_account_removes_its_authenticators_except_the_last(version: u32) {
    let world = with_alice(version);
    let (first, second) = (Passkey::new(ALICE), Passkey::another(ALICE, "second"));
    world.link(&second, 2);
    for stranger in ["testnet", RELAYER] {
        assert_eq!(remove(&world, stranger, &first), Ok(json!(false)));
    }
    assert_eq!(remove(&world, ALICE, &first), Ok(json!(true)));
    assert_eq!(remove(&world, ALICE, &first), Ok(json!(false)));
    assert_eq!(world.credential_ids(ALICE), json!([second.credential_id()]));
    assert!(!world.verifies(&first));
    assert!(world.verifies(&second));

    let failure = remove(&world, ALICE, &second).unwrap_err();
    assert!(failure.contains("last authenticator"), "{failure}");
    assert!(world.verifies(&second));
}
