//! Further devices of an account, their removal, and the linking mapping, on the chain's VM.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_contract_tests::{
    DEPOSIT, Edit, MAX_BLOCK_AGE, PROTOCOL_VERSIONS, Passkey, STORAGE_BYTE_COST, World,
};
use latchkey_devnet::{REGISTRY, development_key};
use latchkey_webauthn::testing::SoftAuthenticator;
use proptest::prelude::*;
use serde_json::{Value, json};

const ALICE: &str = "alice.w3a-v1.testnet";
const BOB: &str = "bob.w3a-v1.testnet";
const LINK: &str = "link_device_register_user";

/// A world where Alice is registered, with the means to buy gas.
fn with_alice(version: u32) -> World {
    let world = World::open(version);
    world.register(&Passkey::new(ALICE));
    world.fund(ALICE);
    world
}

/// Another passkey of an account.
fn another(account: &str, seed: &str) -> Passkey {
    let mut passkey = Passkey::with(account, SoftAuthenticator::es256(seed.as_bytes()));
    passkey.bootstrap = latchkey_vrf::VrfKeypair::derive(&[seed.len() as u8; 32]);
    passkey
}

fn credential_id(passkey: &Passkey) -> String {
    URL_SAFE_NO_PAD.encode(&passkey.authenticator.credential_id)
}

fn counter(world: &World, account: &str) -> Value {
    world
        .view("get_device_counter", &json!({"account_id": account}))
        .value
}

fn credentials(world: &World, account: &str) -> Value {
    world
        .view(
            "get_credential_ids_by_account",
            &json!({"account_id": account}),
        )
        .value
}

/// The device was refused for this reason, which changed nothing and cost the account its gas
/// alone.
#[track_caller]
fn assert_refused(world: &World, account: &str, args: &Value, reason: &str, row: &str) {
    let (before, state) = (world.balance(account), world.snapshot(account));
    let outcome = world.call(account, LINK, args, DEPOSIT);
    assert_eq!(
        outcome.result.unwrap(),
        json!({"verified": false, "registration_info": null}),
        "{row}"
    );
    let log = outcome.logs.concat();
    assert!(log.contains(reason), "{row}: the log says '{log}'");
    assert!(world.snapshot(account) == state, "{row}: the state changed");
    assert_eq!(
        before - world.balance(account),
        outcome.tokens_burnt,
        "{row}: the deposit came back"
    );
}

#[test]
fn registers_the_second_device_and_charges_its_storage() {
    for version in PROTOCOL_VERSIONS {
        let world = with_alice(version);
        let second = another(ALICE, "second");
        let (balance, stored) = (world.balance(ALICE), world.storage_usage());

        let args = second.linking(&world.chain.head(), 2, Edit::None);
        let outcome = world.call(ALICE, LINK, &args, DEPOSIT);

        assert_eq!(
            outcome.result.unwrap()["registration_info"]["credential_id"],
            credential_id(&second)
        );
        let cost = u128::from(world.storage_usage() - stored) * STORAGE_BYTE_COST;
        assert_eq!(balance - world.balance(ALICE), cost + outcome.tokens_burnt);
        assert_eq!(counter(&world, ALICE), 2);
        let records = world
            .view("get_authenticators_by_user", &json!({"user_id": ALICE}))
            .value;
        assert_eq!(records[1][1]["device_number"], 2);
        assert_eq!(
            records[1][1]["near_public_key"],
            development_key(ALICE).public_key().to_string()
        );

        // Each device signs with its own VRF keys.
        let signed = second.authentication_by(&second.bootstrap, &world.chain.head(), Edit::None);
        assert_eq!(
            world.view("verify_authentication_response", &signed).value["verified"],
            true
        );
        let first = Passkey::new(ALICE);
        let mixed = first.authentication_by(&second.bootstrap, &world.chain.head(), Edit::None);
        assert_eq!(
            world.view("verify_authentication_response", &mixed).value["verified"],
            false
        );
    }
}

#[test]
fn an_account_of_another_making_joins_as_device_1() {
    let world = World::open(88);
    let passkey = Passkey::new("testnet");
    let args = passkey.linking(&world.chain.head(), 1, Edit::None);
    let check = world.view("check_can_register_user", &Passkey::check(&args));
    assert_eq!(
        check.value,
        json!({"verified": true, "user_exists": false}),
        "{:?}",
        check.logs
    );
    let outcome = world.call("testnet", LINK, &args, DEPOSIT);
    assert_eq!(
        outcome.result.unwrap()["verified"],
        true,
        "{:?}",
        outcome.logs
    );
    assert_eq!(counter(&world, "testnet"), 1);
    let signed = passkey.authentication(&world.chain.head(), Edit::None);
    assert_eq!(
        world.view("verify_authentication_response", &signed).value["verified"],
        true
    );
}

#[test]
fn refuses_a_device_that_does_not_fit() {
    for version in PROTOCOL_VERSIONS {
        let world = with_alice(version);
        world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
        let second = another(ALICE, "second");
        let refused: [(&str, &str, u8, Edit); 8] = [
            (
                "the first number again",
                "intent digest is not",
                1,
                Edit::None,
            ),
            ("a number too high", "intent digest is not", 3, Edit::None),
            (
                "old block",
                "too old",
                2,
                Edit::Claim(|claim| claim.block_height -= MAX_BLOCK_AGE + 1),
            ),
            (
                "another user",
                "user_id is not",
                2,
                Edit::Claim(|claim| claim.user_id = BOB.to_owned()),
            ),
            (
                "wrong challenge",
                "challenge",
                2,
                Edit::Ceremony(|ceremony| ceremony.challenge[0] ^= 1),
            ),
            (
                "wrong origin",
                "origin",
                2,
                Edit::Ceremony(|ceremony| ceremony.origin.push_str(".evil")),
            ),
            (
                "missing UP",
                "not present",
                2,
                Edit::Ceremony(|ceremony| ceremony.user_present = false),
            ),
            (
                "missing UV",
                "not verified",
                2,
                Edit::Ceremony(|ceremony| ceremony.user_verified = false),
            ),
        ];
        for (row, reason, number, edit) in refused {
            assert_refused(
                &world,
                ALICE,
                &second.linking(&world.chain.head(), number, edit),
                reason,
                row,
            );
        }
        let first = Passkey::new(ALICE).linking(&world.chain.head(), 2, Edit::None);
        assert_refused(
            &world,
            ALICE,
            &first,
            "already registered",
            "the first device's credential",
        );
        let foreign = second.linking(&world.chain.head(), 2, Edit::None);
        assert_refused(
            &world,
            "testnet",
            &foreign,
            "user_id is not",
            "another account's device",
        );
        let state = world.snapshot(ALICE);
        let outcome = world.call(
            ALICE,
            LINK,
            &second.linking(&world.chain.head(), 2, Edit::None),
            1,
        );
        assert!(
            outcome.logs.concat().contains("deposit does not cover"),
            "{:?}",
            outcome.logs
        );
        assert!(world.snapshot(ALICE) == state);
    }
}

#[test]
fn enforces_the_limit_and_never_gives_a_number_twice() {
    let world = with_alice(88);
    let settings =
        json!({"max_block_age": 20, "enabled": true, "max_authenticators_per_account": 2});
    world
        .call(
            REGISTRY,
            "set_vrf_settings",
            &json!({"settings": settings}),
            0,
        )
        .result
        .unwrap();
    let link = |seed: &str, number: u8| {
        let args = another(ALICE, seed).linking(&world.chain.head(), number, Edit::None);
        world.call(ALICE, LINK, &args, DEPOSIT).result.unwrap()["verified"].clone()
    };
    assert_eq!(link("second", 2), true);
    let third = another(ALICE, "third").linking(&world.chain.head(), 3, Edit::None);
    assert_refused(
        &world,
        ALICE,
        &third,
        "most authenticators",
        "one above the limit",
    );
    let id = credential_id(&another(ALICE, "second"));
    assert_eq!(
        world
            .call(
                ALICE,
                "remove_authenticator",
                &json!({"credential_id": id}),
                0
            )
            .result
            .unwrap(),
        true
    );
    assert_eq!(counter(&world, ALICE), 2);
    assert_eq!(link("third", 2), false);
    assert_eq!(link("third", 3), true);
}

#[test]
fn removes_an_authenticator_and_returns_what_it_cost() {
    for version in PROTOCOL_VERSIONS {
        let world = with_alice(version);
        let (first, second) = (Passkey::new(ALICE), another(ALICE, "second"));
        let stored = world.storage_usage();
        let args = second.linking(&world.chain.head(), 2, Edit::None);
        world.call(ALICE, LINK, &args, DEPOSIT).result.unwrap();
        let cost = u128::from(world.storage_usage() - stored) * STORAGE_BYTE_COST;
        let remove = |account: &str, passkey: &Passkey| {
            world.call(
                account,
                "remove_authenticator",
                &json!({"credential_id": credential_id(passkey)}),
                0,
            )
        };

        assert_eq!(
            remove("testnet", &first).result.unwrap(),
            false,
            "another account's"
        );
        let balance = world.balance(ALICE);
        let outcome = remove(ALICE, &second);
        assert_eq!(outcome.result.unwrap(), true);
        assert_eq!(world.balance(ALICE) + outcome.tokens_burnt, balance + cost);
        assert_eq!(world.storage_usage(), stored);
        assert_eq!(credentials(&world, ALICE), json!([credential_id(&first)]));
        let signed = second.authentication(&world.chain.head(), Edit::None);
        assert_eq!(
            world.view("verify_authentication_response", &signed).value["verified"],
            false
        );
        assert_eq!(
            remove(ALICE, &second).result.unwrap(),
            false,
            "removed already"
        );

        let failure = remove(ALICE, &first).result.unwrap_err();
        assert!(failure.contains("last authenticator"), "{failure}");
        assert_eq!(credentials(&world, ALICE), json!([credential_id(&first)]));

        // The credential is free again.
        let args = second.linking(&world.chain.head(), 3, Edit::None);
        assert_eq!(
            world.call(ALICE, LINK, &args, DEPOSIT).result.unwrap()["verified"],
            true
        );
    }
}

/// Sends a mapping; its transaction is open until the mapping's time is over.
fn store_mapping(world: &World, account: &str, key: &str) {
    let args = json!({"device_public_key": key, "target_account_id": account});
    world
        .chain
        .submit(world.sign(account, "store_device_linking_mapping", &args, 0))
        .unwrap();
    world.chain.settle().unwrap();
}

#[test]
fn a_mapping_is_shown_for_200_blocks_and_leaves_nothing() {
    for version in PROTOCOL_VERSIONS {
        let world = with_alice(version);
        let key = development_key("device 2").public_key().to_string();
        let view = || {
            world
                .view(
                    "get_device_linking_account",
                    &json!({"device_public_key": key}),
                )
                .value
        };
        assert_eq!(view(), Value::Null);
        let stored = world.storage_usage();
        store_mapping(&world, ALICE, &key);
        assert_eq!(view(), json!([ALICE, 1]));
        assert!(world.storage_usage() > stored);
        world.chain.produce_blocks(150).unwrap();
        assert_eq!(view(), json!([ALICE, 1]));
        world.chain.produce_blocks(60).unwrap();
        assert_eq!(view(), Value::Null);
        assert_eq!(
            world.storage_usage(),
            stored,
            "the chain's own call removed it"
        );
    }
}

#[test]
fn a_mapping_belongs_to_its_account() {
    let world = with_alice(88);
    world.register(&Passkey::new(BOB));
    world.fund(BOB);
    let key = development_key("device 2").public_key().to_string();
    let of_key = json!({"device_public_key": key});
    let call =
        |account: &str, method: &str, args: &Value| world.call(account, method, args, 0).result;
    let mapping = |target: &str| json!({"device_public_key": key, "target_account_id": target});
    let store = "store_device_linking_mapping";

    assert!(
        call(BOB, store, &mapping(ALICE))
            .unwrap_err()
            .contains("must be the caller")
    );
    assert!(
        call("testnet", store, &mapping("testnet"))
            .unwrap_err()
            .contains("no registered device")
    );
    store_mapping(&world, ALICE, &key);
    assert!(
        call(BOB, store, &mapping(BOB))
            .unwrap_err()
            .contains("linked to another account")
    );
    assert!(
        call(BOB, "cleanup_device_linking", &of_key)
            .unwrap_err()
            .contains("only the linked account")
    );
    assert_eq!(
        world.view("get_device_linking_account", &of_key).value,
        json!([ALICE, 1])
    );

    assert_eq!(
        call(ALICE, "cleanup_device_linking", &of_key),
        Ok(json!(true))
    );
    assert_eq!(
        call(ALICE, "cleanup_device_linking", &of_key),
        Ok(json!(false))
    );
    assert_eq!(
        world.view("get_device_linking_account", &of_key).value,
        Value::Null
    );

    // The expiry of the removed mapping does not take the next one with it.
    world.chain.produce_blocks(100).unwrap();
    store_mapping(&world, BOB, &key);
    world.chain.produce_blocks(150).unwrap();
    assert_eq!(
        world.view("get_device_linking_account", &of_key).value,
        json!([BOB, 1])
    );
}

/// One step of a random history of two accounts and three authenticators.
#[derive(Debug, Clone, Copy)]
enum Step {
    Link {
        account: usize,
        authenticator: usize,
    },
    Remove {
        account: usize,
        authenticator: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    (any::<bool>(), 0..2_usize, 0..3_usize).prop_map(|(link, account, authenticator)| {
        if link {
            Step::Link {
                account,
                authenticator,
            }
        } else {
            Step::Remove {
                account,
                authenticator,
            }
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 6,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_history_keeps_counters_credentials_and_money_consistent(
        steps in proptest::collection::vec(step(), 12..20),
    ) {
        const ACCOUNTS: [&str; 2] = ["testnet", "relayer.testnet"];
        let world = World::open(88);
        let passkey = |account: usize, authenticator: usize| {
            another(ACCOUNTS[account], &format!("authenticator {authenticator}"))
        };
        // What the registry holds beyond the price of its storage: no step may change it.
        let surplus = || {
            world.balance(REGISTRY) - u128::from(world.storage_usage()) * STORAGE_BYTE_COST
        };
        let at_first = surplus();
        let mut held: [Vec<usize>; 2] = Default::default();
        let mut counters = [0_u8; 2];
        for step in steps {
            match step {
                Step::Link { account, authenticator } => {
                    let number = counters[account] + 1;
                    let args = passkey(account, authenticator)
                        .linking(&world.chain.head(), number, Edit::None);
                    let outcome = world.call(ACCOUNTS[account], LINK, &args, DEPOSIT);
                    let is_free = held.iter().all(|held| !held.contains(&authenticator));
                    prop_assert_eq!(outcome.result.unwrap()["verified"].clone(), json!(is_free));
                    if is_free {
                        held[account].push(authenticator);
                        counters[account] = number;
                    }
                }
                Step::Remove { account, authenticator } => {
                    let id = credential_id(&passkey(account, authenticator));
                    let args = json!({"credential_id": id});
                    let outcome = world.call(ACCOUNTS[account], "remove_authenticator", &args, 0);
                    let is_held = held[account].contains(&authenticator);
                    if is_held && held[account].len() == 1 {
                        prop_assert!(outcome.result.unwrap_err().contains("last authenticator"));
                    } else {
                        prop_assert_eq!(outcome.result.unwrap(), json!(is_held));
                        held[account].retain(|kept| *kept != authenticator);
                    }
                }
            }
            for (account, name) in ACCOUNTS.iter().enumerate() {
                let ids: Vec<String> = held[account]
                    .iter()
                    .map(|authenticator| credential_id(&passkey(account, *authenticator)))
                    .collect();
                prop_assert_eq!(credentials(&world, name), json!(ids));
                prop_assert_eq!(counter(&world, name), json!(counters[account]));
            }
            prop_assert_eq!(surplus(), at_first);
        }
    }
}
