//! A refusal leaves the whole state and every balance unchanged, apart from gas.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_contract_tests::{
    DEPARTURES, Edit, MAX_BLOCK_AGE, Method, Passkey, RELAYER, World, at_each_protocol,
};
use latchkey_devnet::{REGISTRY, development_key};
use latchkey_vrf::VrfKeypair;
use latchkey_webauthn::testing::{Attestation, SoftAuthenticator};
use near_crypto::{KeyType, SecretKey};
use near_primitives::account::AccessKey;
use near_primitives::action::{
    AddKeyAction, CreateAccountAction, DeleteAccountAction, TransferAction,
};
use near_primitives::transaction::Action;
use near_primitives::types::Balance;
use serde_json::json;

use crate::{ALICE, BOB, CAROL, ceremony, puppet, upgrade, with_alice};

at_each_protocol![
    every_affected_method_refuses_every_departure,
    nothing_is_verified_while_verification_is_off,
    an_account_registers_a_credential_once,
    an_attacker_who_takes_a_credential_id_first_keeps_no_account_out,
    an_account_registers_once,
    the_name_of_a_deleted_account_is_not_reassigned_s83,
    an_account_has_a_limited_number_of_authenticators,
    an_account_assigns_at_most_255_device_numbers,
    unsupported_names_and_keys_are_refused,
    only_the_account_itself_links_a_device,
    a_record_too_large_is_refused,
    a_forged_attestation_is_refused,
    a_stranger_s_vrf_key_and_a_forger_s_credential_are_refused,
    a_failed_account_creation_is_released_and_refunded,
    malformed_arguments_fail_with_a_message,
];

/// Departures that check_can_register_user cannot see: it accepts any user that the proof names and either
/// intent, and takes no derived key.
const UNSEEN_BY_THE_CHECK: [&str; 6] = [
    "another user",
    "an invalid account id",
    "an altered user",
    "the intent to link",
    "the intent to register",
    "a short derived key",
];

fn every_affected_method_refuses_every_departure(version: u32) {
    let world = with_alice(version);
    // Only a registry that lists hosts judges the top page.
    let host = json!({"origin": "https://host.example"});
    world.expect(REGISTRY, "add_allowed_host", &host);
    world.register(&Passkey::new(BOB));
    world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
    for departure in DEPARTURES.into_iter().flatten() {
        for method in Method::ALL {
            let Some(reason) = departure.reason(method) else {
                continue;
            };
            println!("{}: {}", method.name(), departure.name);
            let (signer, args) = ceremony(&world, method, departure.edit);
            world.expect_refused(signer, method, &args, reason);

            if method == Method::Authenticate {
                let view = world.view(method.name(), &args);
                assert_eq!(view.value, method.refusal());
                assert!(view.logs.concat().contains(reason), "{:?}", view.logs);
            } else if method != Method::RegisterExisting
                && !UNSEEN_BY_THE_CHECK.contains(&departure.name)
            {
                let check = world.view("check_can_register_user", &Passkey::check(&args));
                assert_eq!(check.value["verified"], false);
                assert!(check.logs.concat().contains(reason), "{:?}", check.logs);
            }
        }
    }
    assert!(!world.exists(CAROL));
    for method in Method::ALL {
        let (signer, args) = ceremony(&world, method, Edit::None);
        world.expect_verified(signer, method, &args);
    }
}

fn nothing_is_verified_while_verification_is_off(version: u32) {
    let world = with_alice(version);
    let settings = |enabled: bool| {
        json!({"settings":
            {"max_block_age": 20, "enabled": enabled, "max_authenticators_per_account": 10}})
    };
    world.expect(REGISTRY, "set_vrf_settings", &settings(false));
    for method in Method::ALL {
        let (signer, args) = ceremony(&world, method, Edit::None);
        world.expect_refused(signer, method, &args, "verification is switched off");
    }
    world.expect(REGISTRY, "set_vrf_settings", &settings(true));
    for method in Method::ALL {
        let (signer, args) = ceremony(&world, method, Edit::None);
        world.expect_verified(signer, method, &args);
    }
}

fn an_account_registers_a_credential_once(version: u32) {
    let world = with_alice(version);
    let again = Passkey::new(ALICE).linking(&world.chain.head(), 2, Edit::None);
    world.expect_refused(ALICE, Method::Link, &again, "already registered");
}

/// With attestation `none` nothing ties a credential id to its key, so an attacker who sees a registration can
/// send the id first, with another key and for another account.
fn an_attacker_who_takes_a_credential_id_first_keeps_no_account_out(version: u32) {
    let world = World::open(version);
    let alice = Passkey::new(ALICE);
    let mut squatter = Passkey::another(BOB, "squatter");
    let id = &alice.authenticator.credential_id;
    squatter.authenticator.credential_id.clone_from(id);
    world.register(&squatter);

    world.register(&alice);
    assert!(world.verifies(&alice) && world.verifies(&squatter));
    world.fund(BOB);
    world.link(&Passkey::another(BOB, "another"), 2);
    let taken = json!({"credential_id": alice.credential_id()});
    assert_eq!(world.expect(BOB, "remove_authenticator", &taken), true);
    assert!(world.verifies(&alice), "each account has its own");
    assert!(!world.verifies(&squatter));
}

fn an_account_registers_once(version: u32) {
    let world = with_alice(version);
    let other = Passkey::another(ALICE, "another").registration(&world.chain.head(), Edit::None);
    world.expect_refused(RELAYER, Method::Register, &other, "already registered");
}

/// Only the registry could create the account again, and its record shows that the name was assigned.
fn the_name_of_a_deleted_account_is_not_reassigned_s83(version: u32) {
    let world = with_alice(version);
    let deletion = Action::DeleteAccount(DeleteAccountAction {
        beneficiary_id: RELAYER.parse().unwrap(),
    });
    let deleted = world.run(world.sign_actions(ALICE, ALICE, vec![deletion]));
    deleted.result.unwrap();
    assert!(!world.exists(ALICE));
    let other = Passkey::another(ALICE, "another").registration(&world.chain.head(), Edit::None);
    world.expect_refused(RELAYER, Method::Register, &other, "already registered");
    assert_eq!(world.device_counter(ALICE), 1);
}

fn an_account_has_a_limited_number_of_authenticators(version: u32) {
    let world = with_alice(version);
    let settings =
        json!({"max_block_age": 20, "enabled": true, "max_authenticators_per_account": 2});
    world.expect(REGISTRY, "set_vrf_settings", &json!({"settings": settings}));
    world.link(&Passkey::another(ALICE, "second"), 2);
    let third = Passkey::another(ALICE, "third").linking(&world.chain.head(), 3, Edit::None);
    world.expect_refused(ALICE, Method::Link, &third, "most authenticators");
}

/// Starts from a record with 254 assigned numbers, as if most devices had been removed.
fn an_account_assigns_at_most_255_device_numbers(version: u32) {
    let mut entries = with_alice(version).registry_storage();
    // The counter follows the record's version and the status.
    entries.get_mut(&[b"a", ALICE.as_bytes()].concat()).unwrap()[2] = 254;
    let world = upgrade::world_with(version, &entries.into_iter().collect());
    upgrade::deploy(&world, version);

    world.link(&Passkey::another(ALICE, "second"), 255);
    assert_eq!(world.device_counter(ALICE), 255);
    for number in [0, 1, 255] {
        let another = Passkey::another(ALICE, "another");
        let args = another.linking(&world.chain.head(), number, Edit::None);
        world.expect_refused(ALICE, Method::Link, &args, "its 255 device numbers");
    }
}

fn unsupported_names_and_keys_are_refused(version: u32) {
    let world = World::open(version);
    let long = format!("{}.{REGISTRY}", "a".repeat(58 - REGISTRY.len()));
    for (account, reason) in [
        ("alice.testnet", "direct sub-account"),
        ("alice.bob.w3a-v1.testnet", "direct sub-account"),
        (REGISTRY, "direct sub-account"),
        (long.as_str(), "at most 58"),
    ] {
        let args = Passkey::new(account).registration(&world.chain.head(), Edit::None);
        world.expect_refused(RELAYER, Method::Register, &args, reason);
    }
    let secp256k1 = Edit::Sent(|args| {
        let key = SecretKey::from_seed(KeyType::SECP256K1, "key").public_key();
        args["new_public_key"] = json!(key.to_string());
    });
    let args = Passkey::new(ALICE).registration(&world.chain.head(), secp256k1);
    world.expect_refused(RELAYER, Method::Register, &args, "must be an ed25519 key");
}

fn only_the_account_itself_links_a_device(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    let args = second.linking(&world.chain.head(), 2, Edit::None);
    world.expect_refused("testnet", Method::Link, &args, "user_id is not the account");

    // In a call through a contract on Alice's account, the signer is another account.
    puppet::deploy(&world, ALICE, Method::Link.name());
    let args = second.linking(&world.chain.head(), 2, Edit::None);
    let (alice, state) = (world.balance(ALICE), world.storage_usage());
    let outcome = puppet::forward(&world, RELAYER, ALICE, &args);
    assert_eq!(outcome.result, Ok(Method::Link.refusal()));
    let log = outcome.logs.concat();
    assert!(log.contains("the account itself must sign"), "{log}");
    assert_eq!(world.storage_usage(), state);
    // The deposit goes back to the account that forwarded it.
    assert!(world.balance(ALICE) >= alice + Method::Link.deposit());
}

fn a_record_too_large_is_refused(version: u32) {
    let world = with_alice(version);
    let too_large = Edit::Sent(|args| {
        let origins: Vec<String> = (0..15)
            .map(|n| format!("https://{}{n}.wallet.example", "a".repeat(40)))
            .chain([Passkey::ORIGIN.to_owned()])
            .collect();
        args["authenticator_options"] = json!({"origin_policy": {"multiple": origins}});
    });
    let large = |mut passkey: Passkey| {
        passkey.authenticator.credential_id = vec![3; 1_023];
        passkey
    };
    let carol = large(Passkey::new(CAROL)).registration(&world.chain.head(), too_large);
    world.expect_refused(RELAYER, Method::Register, &carol, "larger than 2048 bytes");
    let second =
        large(Passkey::another(ALICE, "second")).linking(&world.chain.head(), 2, too_large);
    world.expect_refused(ALICE, Method::Link, &second, "larger than 2048 bytes");
}

fn a_forged_attestation_is_refused(version: u32) {
    let world = with_alice(version);
    let attested = Edit::Ceremony(|ceremony| ceremony.attestation = Attestation::PackedSelf);
    for method in [Method::Register, Method::Link] {
        let (signer, mut args) = ceremony(&world, method, attested);
        // An extra space does not change the meaning, but the signature does not cover it.
        let client_data = &mut args["webauthn_registration"]["response"]["clientDataJSON"];
        let mut bytes = URL_SAFE_NO_PAD
            .decode(client_data.as_str().unwrap())
            .unwrap();
        bytes.push(b' ');
        *client_data = json!(URL_SAFE_NO_PAD.encode(bytes));
        let reason = "attestation signature is wrong";
        world.expect_refused(signer, method, &args, reason);
    }
}

fn a_stranger_s_vrf_key_and_a_forger_s_credential_are_refused(version: u32) {
    let world = with_alice(version);
    let alice = Passkey::new(ALICE);
    let stranger = VrfKeypair::derive(&[9; 32]);
    let args = alice.authentication_by(&stranger, &world.chain.head(), Edit::None);
    let reason = "VRF key is not registered";
    world.expect_refused(RELAYER, Method::Authenticate, &args, reason);

    let mut forger = Passkey::with(ALICE, SoftAuthenticator::es256(b"forger"));
    let id = &alice.authenticator.credential_id;
    forger.authenticator.credential_id.clone_from(id);
    let args = forger.authentication(&world.chain.head(), Edit::None);
    let reason = "signature is wrong";
    world.expect_refused(RELAYER, Method::Authenticate, &args, reason);
}

/// The registry does not know that the account exists: the chain refuses, and the callback cleans up.
fn a_failed_account_creation_is_released_and_refunded(version: u32) {
    let world = World::open(version);
    let key = AddKeyAction {
        public_key: development_key("someone").public_key(),
        access_key: AccessKey::full_access(),
    };
    let actions = vec![
        Action::CreateAccount(CreateAccountAction {}),
        Action::Transfer(TransferAction {
            deposit: Balance::from_near(1),
        }),
        Action::AddKey(Box::new(key)),
    ];
    let made = world.run(world.sign_actions(REGISTRY, ALICE, actions));
    made.result.unwrap();
    let args = Passkey::new(ALICE).registration(&world.chain.head(), Edit::None);
    let reason = "did not create the account";
    world.expect_refused(RELAYER, Method::Register, &args, reason);
    // The chain's refund arrives before the callback returns the deposit, so the registry needs no tokens
    // of its own, however large the deposit.
    let deposit = 2 * world.balance(REGISTRY);
    world.expect_refused_with(RELAYER, Method::Register, &args, deposit, reason);
    assert_eq!(world.balance(ALICE), Balance::from_near(1).as_yoctonear());

    // Nothing stays reserved: the same credential registers under a free name.
    let authenticator = SoftAuthenticator::es256(ALICE.as_bytes());
    world.register(&Passkey::with(BOB, authenticator));
}

fn malformed_arguments_fail_with_a_message(version: u32) {
    let world = with_alice(version);
    let malformed: [(&str, &[Method], Edit); 8] = [
        (
            "missing field `vrf_data`",
            &Method::ALL,
            Edit::Sent(|args| drop(args.as_object_mut().unwrap().remove("vrf_data"))),
        ),
        (
            "missing field `block_height`",
            &Method::ALL,
            Edit::Sent(|args| {
                let vrf_data = args["vrf_data"].as_object_mut().unwrap();
                vrf_data.remove("block_height");
            }),
        ),
        (
            "base64url",
            &Method::ALL,
            Edit::Sent(|args| args["vrf_data"]["vrf_proof"] = json!("not/base64url=")),
        ),
        (
            "expected u8",
            &Method::ALL,
            Edit::Sent(|args| args["vrf_data"]["vrf_proof"] = json!([256])),
        ),
        (
            "invalid character 'N'",
            &[Method::Register],
            Edit::Sent(|args| args["new_account_id"] = json!("NOT AN ACCOUNT")),
        ),
        (
            "base58",
            &[Method::Register],
            Edit::Sent(|args| args["new_public_key"] = json!("ed25519:0")),
        ),
        (
            "only true",
            &[Method::Register, Method::Link],
            Edit::Sent(|args| {
                args["authenticator_options"]["origin_policy"] = json!({"single": false});
            }),
        ),
        (
            // serde's error for a second key in an enum's object.
            "expected value",
            &[Method::Register, Method::Link],
            Edit::Sent(|args| {
                args["authenticator_options"]["origin_policy"] =
                    json!({"single": true, "all_subdomains": true});
            }),
        ),
    ];
    for (expected, methods, edit) in malformed {
        for &method in methods {
            let (signer, args) = ceremony(&world, method, edit);
            let (before, state) = (world.balance(signer), world.snapshot(signer));
            let outcome = world.call(signer, method.name(), &args, method.deposit());
            let failure = outcome.result.unwrap_err();
            let means = "Failed to deserialize input from JSON";
            assert!(failure.contains(means), "{failure}");
            assert!(failure.contains(expected), "{expected}: {failure}");
            assert!(world.snapshot(signer) == state);
            assert_eq!(before - world.balance(signer), outcome.tokens_burnt);
        }
    }
}
