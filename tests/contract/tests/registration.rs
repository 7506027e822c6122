//! create_account_and_register_user and check_can_register_user on the chain's VM.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_contract_tests::{
    DEPOSIT, Edit, MAX_BLOCK_AGE, Outcome, PROTOCOL_VERSIONS, Passkey, RELAYER, STORAGE_BYTE_COST,
    World,
};
use latchkey_devnet::{REGISTRY, development_key};
use latchkey_webauthn::testing::{Attestation, SoftAuthenticator};
use near_primitives::account::AccessKey;
use near_primitives::action::{AddKeyAction, CreateAccountAction, TransferAction};
use near_primitives::transaction::Action;
use near_primitives::types::Balance;
use near_primitives::views::AccessKeyPermissionView;
use serde_json::{Value, json};

const ALICE: &str = "alice.w3a-v1.testnet";
const BOB: &str = "bob.w3a-v1.testnet";
const METHOD: &str = "create_account_and_register_user";
const TGAS: u64 = 1_000_000_000_000;

/// Each way to break an honest registration, and what the registry says of it.
const REFUSED: &[(&str, &str, Edit)] = &[
    (
        "old block",
        "too old",
        Edit::Claim(|claim| claim.block_height -= MAX_BLOCK_AGE + 1),
    ),
    (
        "future block",
        "in the future",
        Edit::Claim(|claim| claim.block_height += 10),
    ),
    (
        "proof for another user",
        "user_id is not the account",
        Edit::Claim(|claim| claim.user_id = BOB.to_owned()),
    ),
    (
        "proof for another rp",
        "origin is not allowed",
        Edit::Claim(|claim| claim.rp_id = "other.example".to_owned()),
    ),
    (
        "proof for a parent domain",
        "of another rpId",
        Edit::Claim(|claim| claim.rp_id = "example".to_owned()),
    ),
    (
        "proof for no rp",
        "not a domain name",
        Edit::Claim(|claim| claim.rp_id = "https://wallet.example".to_owned()),
    ),
    (
        "proof for another intent",
        "intent digest is not",
        Edit::Claim(|claim| claim.intent = [7; 32]),
    ),
    (
        "other block height",
        "does not follow",
        Edit::Sent(|args| {
            let height = args["vrf_data"]["block_height"].as_u64().unwrap();
            args["vrf_data"]["block_height"] = json!(height - 1);
        }),
    ),
    (
        "other block hash",
        "does not follow",
        Edit::Sent(|args| flip(&mut args["vrf_data"]["block_hash"])),
    ),
    (
        "other user",
        "user_id is not the account",
        Edit::Sent(|args| args["vrf_data"]["user_id"] = json!(BOB)),
    ),
    (
        "other rp",
        "does not follow",
        Edit::Sent(|args| args["vrf_data"]["rp_id"] = json!("other.example")),
    ),
    (
        "other intent",
        "intent digest is not",
        Edit::Sent(|args| flip(&mut args["vrf_data"]["intent_digest_32"])),
    ),
    (
        "no intent",
        "intent_digest_32 is missing",
        Edit::Sent(|args| {
            args["vrf_data"]["intent_digest_32"] = Value::Null;
        }),
    ),
    (
        "a session policy unproved",
        "does not follow",
        Edit::Sent(|args| {
            args["vrf_data"]["session_policy_digest_32"] = json!(vec![9; 32]);
        }),
    ),
    (
        "altered input",
        "does not follow",
        Edit::Sent(|args| flip(&mut args["vrf_data"]["vrf_input_data"])),
    ),
    (
        "altered proof",
        "VRF proof or its output",
        Edit::Sent(|args| flip(&mut args["vrf_data"]["vrf_proof"])),
    ),
    (
        "altered output",
        "VRF proof or its output",
        Edit::Sent(|args| flip(&mut args["vrf_data"]["vrf_output"])),
    ),
    (
        "other VRF key",
        "VRF proof or its output",
        Edit::Sent(|args| {
            args["vrf_data"]["public_key"] = args["deterministic_vrf_public_key"].clone();
        }),
    ),
    (
        "zero VRF key",
        "VRF proof or its output",
        Edit::Sent(|args| args["vrf_data"]["public_key"] = json!(vec![0; 32])),
    ),
    (
        "short proof",
        "vrf_proof must have 80",
        Edit::Sent(|args| args["vrf_data"]["vrf_proof"] = json!(vec![0; 79])),
    ),
    (
        "wrong challenge",
        "challenge is not the expected",
        Edit::Ceremony(|ceremony| ceremony.challenge[0] ^= 1),
    ),
    (
        "wrong origin",
        "origin is not allowed",
        Edit::Ceremony(|ceremony| {
            ceremony.origin = "https://evil-wallet.example".to_owned();
        }),
    ),
    (
        "http origin",
        "origin is not https",
        Edit::Ceremony(|ceremony| {
            ceremony.origin = "http://wallet.example".to_owned();
        }),
    ),
    (
        "a stranger's frame",
        "top origin is not allowed",
        Edit::Ceremony(|ceremony| {
            ceremony.cross_origin = Some(true);
            ceremony.top_origin = Some("https://evil.example".to_owned());
        }),
    ),
    (
        "an assertion's type",
        "another ceremony",
        Edit::Ceremony(|ceremony| {
            ceremony.kind = Some(latchkey_webauthn::CeremonyType::Get);
        }),
    ),
    (
        "rp hash of another site",
        "of another rpId",
        Edit::Ceremony(|ceremony| {
            ceremony.rp_id = "example".to_owned();
        }),
    ),
    (
        "missing UP",
        "user was not present",
        Edit::Ceremony(|ceremony| ceremony.user_present = false),
    ),
    (
        "missing UV",
        "user was not verified",
        Edit::Ceremony(|ceremony| ceremony.user_verified = false),
    ),
    (
        "other credential id",
        "ids differ",
        Edit::Sent(|args| {
            args["webauthn_registration"]["id"] = json!("AAAA");
            args["webauthn_registration"]["rawId"] = json!("AAAA");
        }),
    ),
];

fn flip(bytes: &mut Value) {
    let byte = bytes[20].as_u64().unwrap();
    bytes[20] = json!(byte ^ 1);
}

/// The registration was refused for this reason, changed nothing, and cost the caller its gas alone.
#[track_caller]
fn assert_refused(world: &World, args: &Value, reason: &str, row: &str) {
    assert_deposit_refused(world, args, DEPOSIT, reason, row);
}

#[track_caller]
fn assert_deposit_refused(world: &World, args: &Value, deposit: u128, reason: &str, row: &str) {
    let (before, state) = (world.balance(RELAYER), world.snapshot(RELAYER));
    let outcome = world.call(RELAYER, METHOD, args, deposit);
    let answer = json!({"verified": false, "registration_info": null});
    assert_eq!(refused(&outcome), answer, "{row}");
    let log = outcome.logs.concat();
    assert!(log.contains(reason), "{row}: the log says '{log}'");
    assert!(world.snapshot(RELAYER) == state, "{row}: the state changed");
    let paid = before - world.balance(RELAYER);
    assert_eq!(paid, outcome.tokens_burnt, "{row}: the deposit came back");
}

#[track_caller]
fn refused(outcome: &Outcome) -> Value {
    outcome.result.clone().unwrap()
}

#[test]
fn registers_an_account_with_exactly_its_key() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        let alice = Passkey::new(ALICE);
        let (relayer, registry, stored) = (
            world.balance(RELAYER),
            world.balance(REGISTRY),
            world.storage_usage(),
        );

        let outcome = world.register(&alice);

        let cost = u128::from(world.storage_usage() - stored) * STORAGE_BYTE_COST;
        assert_eq!(
            world.balance(ALICE),
            DEPOSIT - cost,
            "the account gets the deposit less the storage"
        );
        assert_eq!(
            relayer - world.balance(RELAYER),
            DEPOSIT + outcome.tokens_burnt,
            "the caller pays no more"
        );
        let kept = world.balance(REGISTRY) - registry;
        if version >= 87 {
            assert_eq!(kept, cost, "the registry keeps what the storage costs");
        } else {
            assert!(
                kept >= cost,
                "the registry keeps what the storage costs, and a gas reward"
            );
        }

        assert_eq!(world.access_keys(ALICE), 1);
        let key = world
            .chain
            .view_access_key(&ALICE.parse().unwrap(), &alice.near_key())
            .unwrap();
        assert_eq!(key.permission, AccessKeyPermissionView::FullAccess);

        println!(
            "protocol {version}: registration burns {:.2} Tgas in all; the record takes {} bytes",
            outcome.gas_burnt as f64 / TGAS as f64,
            world.storage_usage() - stored
        );
        assert!(outcome.gas_burnt < 50 * TGAS, "{} gas", outcome.gas_burnt);
    }
}

#[test]
fn shows_what_was_registered() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        let alice = Passkey::new(ALICE);
        let credential_id = URL_SAFE_NO_PAD.encode(&alice.authenticator.credential_id);
        let public_key = alice.authenticator.public_key().to_cbor();

        let outcome = world.register(&alice);

        let info = &outcome.result.unwrap()["registration_info"];
        assert_eq!(
            *info,
            json!({"credential_id": credential_id, "credential_public_key": public_key})
        );
        let user = json!({"user_id": ALICE});
        let pairs = world.view("get_authenticators_by_user", &user).value;
        let registered: u64 = pairs[0][1]["registered"].as_str().unwrap().parse().unwrap();
        assert!(registered <= world.chain.head().timestamp_nanos / 1_000_000);
        let record = json!({
            "credential_public_key": public_key,
            "transports": ["internal", "hybrid"],
            "registered": registered.to_string(),
            "expected_rp_id": Passkey::RP_ID,
            "origin_policy": {"all_subdomains": true},
            "user_verification": "preferred",
            "vrf_public_keys": [alice.bootstrap.public_key(), alice.derived.public_key()],
            "device_number": 1,
            "near_public_key": alice.near_key().to_string(),
        });
        assert_eq!(pairs, json!([[credential_id, record]]));
        let one = json!({"user_id": ALICE, "credential_id": credential_id});
        assert_eq!(world.view("get_authenticator", &one).value, record);
        let none = json!({"user_id": ALICE, "credential_id": "AAAA"});
        assert_eq!(world.view("get_authenticator", &none).value, Value::Null);
        let account = json!({"account_id": ALICE});
        assert_eq!(
            world.view("get_credential_ids_by_account", &account).value,
            json!([credential_id])
        );
        assert_eq!(world.view("get_device_counter", &account).value, 1);
        let stranger = json!({"account_id": BOB});
        assert_eq!(world.view("get_device_counter", &stranger).value, 0);
        assert_eq!(
            world.view("get_credential_ids_by_account", &stranger).value,
            json!([])
        );
    }
}

#[test]
fn refuses_whatever_was_not_agreed_to_here_and_now() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
        let alice = Passkey::new(ALICE);
        for (row, reason, edit) in REFUSED {
            let args = alice.registration(&world.chain.head(), *edit);
            // A view has no new_account_id: whoever the proof names is who would register.
            if !reason.contains("user_id") {
                let check = world.view("check_can_register_user", &Passkey::check(&args));
                assert_eq!(check.value["verified"], false, "{row}");
                assert!(
                    check.logs.concat().contains(reason),
                    "{row}: {:?}",
                    check.logs
                );
            }
            assert_refused(&world, &args, reason, row);
        }
        assert!(!world.exists(ALICE));
        world.register(&alice);
    }
}

#[test]
fn takes_a_challenge_within_the_window_alone() {
    let world = World::open(88);
    world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
    let alice = Passkey::new(ALICE);
    let head = world.chain.head();
    let check = |height: u64| {
        let head = latchkey_devnet::Head { height, ..head };
        let args = Passkey::check(&alice.registration(&head, Edit::None));
        world.view("check_can_register_user", &args).value["verified"].clone()
    };
    assert_eq!(check(head.height - MAX_BLOCK_AGE - 1), false);
    assert_eq!(check(head.height - MAX_BLOCK_AGE), true);
    assert_eq!(check(head.height), true);
    assert_eq!(check(head.height + 1), false);
}

#[test]
fn checks_a_registration_without_making_it() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    let check = |passkey: &Passkey| {
        let args = passkey.registration(&world.chain.head(), Edit::None);
        world
            .view("check_can_register_user", &Passkey::check(&args))
            .value
    };
    assert_eq!(
        check(&alice),
        json!({"verified": true, "user_exists": false})
    );
    world.register(&alice);
    // The credential is taken now, and so is the name.
    assert_eq!(
        check(&alice),
        json!({"verified": false, "user_exists": true})
    );
    let again = Passkey::with(ALICE, SoftAuthenticator::es256(b"another"));
    assert_eq!(
        check(&again),
        json!({"verified": true, "user_exists": true})
    );
}

#[test]
fn refuses_a_credential_twice() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        world.register(&Passkey::new(ALICE));
        let bob = Passkey::with(BOB, SoftAuthenticator::es256(ALICE.as_bytes()));
        let args = bob.registration(&world.chain.head(), Edit::None);
        assert_refused(&world, &args, "already registered", "duplicate credential");
        assert!(!world.exists(BOB));
    }
}

#[test]
fn refuses_an_account_that_is_registered() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        world.register(&Passkey::new(ALICE));
        let other = Passkey::with(ALICE, SoftAuthenticator::es256(b"another"));
        let args = other.registration(&world.chain.head(), Edit::None);
        assert_refused(&world, &args, "already registered", "existing account");
    }
}

/// The registry knows nothing of such an account: the chain refuses it, and the callback cleans up.
#[test]
fn returns_the_deposit_when_the_chain_does_not_create_the_account() {
    for version in PROTOCOL_VERSIONS {
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
        world
            .run(world.sign_actions(REGISTRY, ALICE, actions))
            .result
            .unwrap();
        let alice = Passkey::new(ALICE);
        let args = alice.registration(&world.chain.head(), Edit::None);
        let reason = "did not create the account";
        assert_refused(&world, &args, reason, "account on the chain");
        // The chain's refund is there before the callback sends it on: the registry needs no
        // tokens of its own for that, however large the deposit.
        let deposit = 2 * world.balance(REGISTRY);
        assert_deposit_refused(&world, &args, deposit, reason, "a large deposit");
        assert_eq!(world.balance(ALICE), Balance::from_near(1).as_yoctonear());

        // Nothing stays reserved: the same credential registers under a free name.
        world.register(&Passkey::with(
            BOB,
            SoftAuthenticator::es256(ALICE.as_bytes()),
        ));
    }
}

#[test]
fn of_two_registrations_in_flight_one_wins() {
    for version in PROTOCOL_VERSIONS {
        let same_account = (
            Passkey::new(ALICE),
            Passkey::with(ALICE, SoftAuthenticator::es256(b"second")),
        );
        let same_credential = (
            Passkey::new(ALICE),
            Passkey::with(BOB, SoftAuthenticator::es256(ALICE.as_bytes())),
        );
        for (first, second) in [same_account, same_credential] {
            let world = World::open(version);
            let payers = [RELAYER, "testnet"];
            let before = payers.map(|payer| world.balance(payer));
            let ids = [(&first, payers[0]), (&second, payers[1])].map(|(passkey, payer)| {
                let args = passkey.registration(&world.chain.head(), Edit::None);
                world
                    .chain
                    .submit(world.sign(payer, METHOD, &args, DEPOSIT))
                    .unwrap()
            });
            world.chain.settle().unwrap();

            let outcomes = ids.map(|id| world.outcome(&id));
            let verified = outcomes
                .each_ref()
                .map(|outcome| outcome.result.as_ref().unwrap()["verified"] == true);
            assert_eq!(verified.iter().filter(|verified| **verified).count(), 1);
            for ((payer, before), (outcome, verified)) in
                payers.iter().zip(before).zip(outcomes.iter().zip(verified))
            {
                let paid = if verified { DEPOSIT } else { 0 };
                assert_eq!(before - world.balance(payer), paid + outcome.tokens_burnt);
            }
            let accounts = [ALICE, BOB]
                .iter()
                .filter(|account| world.exists(account))
                .count();
            assert_eq!(accounts, 1, "one account");
            let winner = if verified[0] { &first } else { &second };
            let ids = world
                .view(
                    "get_credential_ids_by_account",
                    &json!({"account_id": winner.account}),
                )
                .value;
            assert_eq!(
                ids,
                json!([URL_SAFE_NO_PAD.encode(&winner.authenticator.credential_id)])
            );
        }
    }
}

#[test]
fn refuses_names_and_keys_that_it_cannot_serve() {
    let world = World::open(88);
    let long = format!("{}.{REGISTRY}", "a".repeat(58 - REGISTRY.len()));
    for (account, reason) in [
        ("alice.testnet", "direct sub-account"),
        ("alice.bob.w3a-v1.testnet", "direct sub-account"),
        (REGISTRY, "direct sub-account"),
        (long.as_str(), "at most 58"),
    ] {
        let args = Passkey::new(account).registration(&world.chain.head(), Edit::None);
        assert_refused(&world, &args, reason, account);
    }
    let alice = Passkey::new(ALICE);
    let args = alice.registration(
        &world.chain.head(),
        Edit::Sent(|args| {
            let key = near_crypto::SecretKey::from_seed(near_crypto::KeyType::SECP256K1, "key")
                .public_key();
            args["new_public_key"] = json!(key.to_string());
        }),
    );
    assert_refused(&world, &args, "ed25519", "a secp256k1 key");
    let args = alice.registration(
        &world.chain.head(),
        Edit::Sent(|args| {
            args["deterministic_vrf_public_key"] = json!(vec![1; 31]);
        }),
    );
    assert_refused(
        &world,
        &args,
        "deterministic_vrf_public_key must have 32",
        "a short key",
    );
}

#[test]
fn malformed_arguments_end_with_a_message_and_the_deposit_comes_back() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    let malformed: [(&str, Edit); 8] = [
        (
            "missing field `vrf_data`",
            Edit::Sent(|args| drop(args.as_object_mut().unwrap().remove("vrf_data"))),
        ),
        (
            "missing field `block_height`",
            Edit::Sent(|args| {
                args["vrf_data"]
                    .as_object_mut()
                    .unwrap()
                    .remove("block_height");
            }),
        ),
        (
            "base64url",
            Edit::Sent(|args| args["vrf_data"]["vrf_proof"] = json!("not/base64url=")),
        ),
        (
            "expected u8",
            Edit::Sent(|args| args["vrf_data"]["vrf_proof"] = json!([256])),
        ),
        (
            "invalid character 'N'",
            Edit::Sent(|args| args["new_account_id"] = json!("NOT AN ACCOUNT")),
        ),
        (
            "base58",
            Edit::Sent(|args| args["new_public_key"] = json!("ed25519:0")),
        ),
        (
            "only true",
            Edit::Sent(|args| {
                args["authenticator_options"]["origin_policy"] = json!({"single": false})
            }),
        ),
        (
            // serde's word for a second key in the object of an enum.
            "expected value",
            Edit::Sent(|args| {
                args["authenticator_options"]["origin_policy"] =
                    json!({"single": true, "all_subdomains": true});
            }),
        ),
    ];
    for (expected, edit) in malformed {
        let args = alice.registration(&world.chain.head(), edit);
        let (before, state) = (world.balance(RELAYER), world.snapshot(RELAYER));
        let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
        let failure = outcome.result.unwrap_err();
        assert!(
            failure.contains("Failed to deserialize input from JSON"),
            "{failure}"
        );
        assert!(failure.contains(expected), "{expected}: {failure}");
        assert!(world.snapshot(RELAYER) == state);
        assert_eq!(before - world.balance(RELAYER), outcome.tokens_burnt);
    }
}

#[test]
fn a_deposit_below_the_storage_cost_is_refused() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    let stored = world.storage_usage();
    let args = alice.registration(&world.chain.head(), Edit::None);
    let outcome = world.call(RELAYER, METHOD, &args, 1);
    assert_eq!(refused(&outcome)["verified"], false);
    let log = outcome.logs.concat();
    let needed = log
        .split("storage: ")
        .nth(1)
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .parse::<u128>()
        .unwrap();
    assert_eq!(world.storage_usage(), stored);

    // One yocto less is refused as well; exactly the cost makes an account with nothing on it.
    let args = alice.registration(&world.chain.head(), Edit::None);
    assert_eq!(
        refused(&world.call(RELAYER, METHOD, &args, needed - 1))["verified"],
        false
    );
    let args = alice.registration(&world.chain.head(), Edit::None);
    let outcome = world.call(RELAYER, METHOD, &args, needed);
    assert_eq!(refused(&outcome)["verified"], true, "{:?}", outcome.logs);
    assert_eq!(world.balance(ALICE), 0);
    assert_eq!(
        u128::from(world.storage_usage() - stored) * STORAGE_BYTE_COST,
        needed
    );
}

#[test]
fn the_registration_cost_covers_the_largest_record() {
    let world = World::open(88);
    let cost: u128 = world
        .view("get_registration_cost", &json!({}))
        .value
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let name = format!("{}.{REGISTRY}", "a".repeat(57 - REGISTRY.len()));
    assert_eq!(name.len(), 58);
    let mut large = Passkey::new(&name);
    large.authenticator.credential_id = vec![3; 1_023];
    let origins = |count: usize| -> Vec<String> {
        (0..count)
            .map(|n| format!("https://{}{n}.wallet.example", "a".repeat(40)))
            .collect()
    };
    let args_with = |count: usize| {
        let mut args = large.registration(&world.chain.head(), Edit::None);
        let mut listed = origins(count);
        listed.push(Passkey::ORIGIN.to_owned());
        args["authenticator_options"]["origin_policy"] = json!({"multiple": listed});
        args
    };
    assert_refused(
        &world,
        &args_with(15),
        "larger than 2048 bytes",
        "a record too large",
    );
    let stored = world.storage_usage();
    let outcome = world.call(RELAYER, METHOD, &args_with(9), cost);
    assert_eq!(refused(&outcome)["verified"], true, "{:?}", outcome.logs);
    let taken = u128::from(world.storage_usage() - stored) * STORAGE_BYTE_COST;
    println!("the largest record costs {cost}, this one {taken}");
    assert!(taken <= cost && taken > cost / 4 * 3, "{taken} of {cost}");

    assert!(outcome.gas_burnt < 50 * TGAS, "{} gas", outcome.gas_burnt);
    let [_, callback, ..] = outcome.registry_gas[..] else {
        panic!("no callback")
    };
    println!(
        "its callback burns {:.2} Tgas",
        callback as f64 / TGAS as f64
    );
    assert!(
        callback < 5 * TGAS,
        "the callback has 10 Tgas, and took {callback}"
    );
}

/// A reservation must never outlive its registration, wherever the gas runs out.
#[test]
fn registers_all_or_nothing_whatever_gas_is_attached() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        let mut ends = Vec::new();
        for teragas in (2..=40).step_by(2) {
            let alice = Passkey::new(&format!("alice{teragas}.{REGISTRY}"));
            let args = alice.registration(&world.chain.head(), Edit::None);
            let (before, state) = (world.balance(RELAYER), world.snapshot(RELAYER));
            let call = world.sign_with_gas(RELAYER, METHOD, &args, DEPOSIT, teragas);
            let outcome = world.run(call);
            let verified = outcome
                .result
                .as_ref()
                .is_ok_and(|answer| answer["verified"] == true);
            let paid = if verified { DEPOSIT } else { 0 };
            assert_eq!(
                before - world.balance(RELAYER),
                paid + outcome.tokens_burnt,
                "{teragas} Tgas"
            );
            assert_eq!(world.exists(&alice.account), verified, "{teragas} Tgas");
            assert_eq!(
                world.snapshot(RELAYER) == state,
                !verified,
                "{teragas} Tgas"
            );
            ends.push(verified);
        }
        assert_eq!((ends.first(), ends.last()), (Some(&false), Some(&true)));
        assert!(ends.is_sorted(), "more gas never hurts");
    }
}

#[test]
fn registers_on_a_development_host() {
    let world = World::open(88);
    for (name, rp_id, origin) in [
        ("one", "localhost", "http://localhost:5173"),
        ("two", "wallet.localhost", "http://wallet.localhost:5174"),
        ("three", "Wallet.Example", "https://app.wallet.example:8443"),
    ] {
        let mut passkey = Passkey::new(&format!("{name}.{REGISTRY}"));
        rp_id.clone_into(&mut passkey.rp_id);
        origin.clone_into(&mut passkey.origin);
        // The authenticator hashes the rpId as the browser has it: in lower case.
        let edit = Edit::Ceremony(|ceremony| ceremony.rp_id.make_ascii_lowercase());
        let args = passkey.registration(&world.chain.head(), edit);
        let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
        assert_eq!(
            refused(&outcome)["verified"],
            true,
            "{name}: {:?}",
            outcome.logs
        );
        let records = world
            .view(
                "get_authenticators_by_user",
                &json!({"user_id": passkey.account}),
            )
            .value;
        assert_eq!(records[0][1]["expected_rp_id"], rp_id.to_lowercase());
        let signed = passkey.authentication(&world.chain.head(), edit);
        let answer = world.view("verify_authentication_response", &signed);
        assert_eq!(answer.value["verified"], true, "{name}: {:?}", answer.logs);
    }
}

#[test]
fn takes_byte_fields_as_text_too() {
    let world = World::open(88);
    let args = Passkey::new(ALICE).registration(
        &world.chain.head(),
        Edit::Sent(|args| {
            for field in [
                "vrf_input_data",
                "vrf_output",
                "vrf_proof",
                "public_key",
                "block_hash",
                "intent_digest_32",
            ] {
                to_text(&mut args["vrf_data"][field]);
            }
            to_text(&mut args["deterministic_vrf_public_key"]);
        }),
    );
    let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
    assert_eq!(refused(&outcome)["verified"], true, "{:?}", outcome.logs);
}

fn to_text(bytes: &mut Value) {
    let raw: Vec<u8> = serde_json::from_value(bytes.clone()).unwrap();
    *bytes = json!(URL_SAFE_NO_PAD.encode(raw));
}

#[test]
fn registers_every_algorithm_and_attestation() {
    let world = World::open(88);
    let attested = [
        (
            "self",
            Edit::Ceremony(|ceremony| ceremony.attestation = Attestation::PackedSelf),
        ),
        (
            "certified",
            Edit::Ceremony(|ceremony| ceremony.attestation = Attestation::PackedCertified),
        ),
        (
            "u2f",
            Edit::Ceremony(|ceremony| ceremony.attestation = Attestation::FidoU2f),
        ),
    ];
    for (name, attest) in attested {
        let passkey = Passkey::new(&format!("{name}.{REGISTRY}"));
        let args = passkey.registration(&world.chain.head(), attest);
        let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
        assert_eq!(
            refused(&outcome)["verified"],
            true,
            "{name}: {:?}",
            outcome.logs
        );
    }
    world.register(&Passkey::with(
        "eddsa.w3a-v1.testnet",
        SoftAuthenticator::ed25519(b"ed"),
    ));
    world.register(&Passkey::with(
        "rsa.w3a-v1.testnet",
        SoftAuthenticator::rs256(b"rsa"),
    ));
}

#[test]
fn keeps_the_origin_policy_that_was_asked_for() {
    let world = World::open(88);
    let cases: [(&str, Edit, Value); 3] = [
        (
            "none",
            Edit::Sent(|args| args["authenticator_options"] = Value::Null),
            json!({"all_subdomains": true}),
        ),
        (
            "single",
            Edit::Sent(|args| {
                args["authenticator_options"] = json!({"origin_policy": {"single": true}})
            }),
            json!({"single": Passkey::ORIGIN}),
        ),
        (
            "multiple",
            Edit::Sent(|args| {
                let origins = ["https://App.example:443", Passkey::ORIGIN];
                args["authenticator_options"] = json!({"origin_policy": {"multiple": origins}});
            }),
            json!({"multiple": ["https://app.example", Passkey::ORIGIN]}),
        ),
    ];
    for (name, edit, policy) in cases {
        let passkey = Passkey::new(&format!("{name}.{REGISTRY}"));
        let args = passkey.registration(&world.chain.head(), edit);
        let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
        assert_eq!(
            refused(&outcome)["verified"],
            true,
            "{name}: {:?}",
            outcome.logs
        );
        let records = world
            .view(
                "get_authenticators_by_user",
                &json!({"user_id": passkey.account}),
            )
            .value;
        assert_eq!(records[0][1]["origin_policy"], policy, "{name}");
    }
    let foreign = Passkey::new(ALICE).registration(
        &world.chain.head(),
        Edit::Sent(|args| {
            args["authenticator_options"] =
                json!({"origin_policy": {"multiple": ["https://app.example"]}});
        }),
    );
    assert_refused(
        &world,
        &foreign,
        "origin is not allowed",
        "an origin that is not among those asked for",
    );
}

#[test]
fn an_allowed_origin_registers_too() {
    let world = World::open(88);
    let related = Edit::Ceremony(|ceremony| ceremony.origin = "https://related.example".to_owned());
    let alice = Passkey::new(ALICE);
    let args = alice.registration(&world.chain.head(), related);
    assert_refused(
        &world,
        &args,
        "origin is not allowed",
        "before it is listed",
    );
    world
        .call(
            REGISTRY,
            "add_allowed_origin",
            &json!({"origin": "https://related.example"}),
            0,
        )
        .result
        .unwrap();
    let args = alice.registration(&world.chain.head(), related);
    let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
    assert_eq!(refused(&outcome)["verified"], true, "{:?}", outcome.logs);
}

#[test]
fn a_listed_host_may_embed_the_ceremony() {
    let by_name = Edit::Ceremony(|ceremony| {
        ceremony.cross_origin = Some(true);
        ceremony.top_origin = Some("https://host.example".to_owned());
    });
    let by_address = Edit::Ceremony(|ceremony| {
        ceremony.cross_origin = Some(true);
        ceremony.top_origin = Some("http://127.0.0.1:5173".to_owned());
    });
    for (method, origin, embedded) in [
        ("add_allowed_host", "https://host.example", by_name),
        ("add_allowed_host", "http://127.0.0.1:5173", by_address),
        ("add_allowed_origin", "https://host.example", by_name),
    ] {
        let world = World::open(88);
        let alice = Passkey::new(ALICE);
        let args = alice.registration(&world.chain.head(), embedded);
        assert_refused(&world, &args, "top origin", "before it is listed");
        world
            .call(REGISTRY, method, &json!({"origin": origin}), 0)
            .result
            .unwrap();
        let args = alice.registration(&world.chain.head(), embedded);
        let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
        assert_eq!(refused(&outcome)["verified"], true, "{:?}", outcome.logs);
    }
}

/// A browser that does not name the page on top leaves it to the wallet to judge.
#[test]
fn an_unnamed_top_page_passes() {
    let world = World::open(88);
    let embedded = Edit::Ceremony(|ceremony| ceremony.cross_origin = Some(true));
    let args = Passkey::new(ALICE).registration(&world.chain.head(), embedded);
    let outcome = world.call(RELAYER, METHOD, &args, DEPOSIT);
    assert_eq!(refused(&outcome)["verified"], true, "{:?}", outcome.logs);
}

#[test]
fn the_callback_is_for_the_registry_alone() {
    let world = World::open(88);
    let args = json!({"new_account_id": ALICE, "caller": RELAYER, "deposit": DEPOSIT.to_string()});
    let failure = world
        .call(RELAYER, "on_account_created", &args, 0)
        .result
        .unwrap_err();
    assert!(failure.contains("private"), "{failure}");
}
