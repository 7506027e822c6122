//! register_existing_passkey: an account records a passkey that it already has, by an assertion.
// Specification: core 4

use latchkey_contract_tests::{
    DEPOSIT, Edit, Method, Passkey, RELAYER, STORAGE_BYTE_COST, World, at_each_protocol,
};
use latchkey_devnet::{REGISTRY, development_key};
use latchkey_webauthn::testing::SoftAuthenticator;
use serde_json::{Value, json};

use crate::upgrade::{deploy, first_release, world_with};
use crate::{ALICE, BOB, invariants, puppet, with_alice};

at_each_protocol![
    an_implicit_account_registers_its_passkey_and_links_another,
    a_named_account_adds_an_existing_passkey,
    the_record_is_what_an_attestation_would_have_left,
    every_algorithm_registers,
    a_passkey_of_a_single_origin_serves_only_there,
    the_account_pays_the_storage_and_gets_the_rest_back,
    the_registration_cost_covers_the_longest_id,
    a_call_without_a_deposit_ends_s95,
    only_the_account_itself_registers_its_passkey_s95,
    another_account_s_assertion_is_refused_s95,
    an_assertion_serves_once_s95,
    a_credential_is_held_once,
    the_credential_id_is_the_account_s_word_s96,
    the_limit_of_authenticators_holds,
    a_registry_of_the_first_release_has_it_after_its_deployment,
];

const METHOD: Method = Method::RegisterExisting;

fn register(world: &World, passkey: &Passkey, number: u8) {
    let args = passkey.existing(&world.chain.head(), number, Edit::None);
    world.expect_verified(&passkey.account, METHOD, &args);
}

fn refuses(world: &World, signer: &str, args: &Value, reason: &str) {
    world.expect_refused(signer, METHOD, args, reason);
}

fn records(world: &World, account: &str) -> Value {
    world
        .view("get_authenticators_by_user", &json!({"user_id": account}))
        .value
}

fn an_implicit_account_registers_its_passkey_and_links_another(version: u32) {
    let world = World::open(version);
    let account = world.implicit("somebody");
    assert_eq!(account.len(), 64);
    let passkey = Passkey::new(&account);
    register(&world, &passkey, 1);
    assert!(world.verifies(&passkey));
    assert_eq!(
        world.credential_ids(&account),
        json!([passkey.credential_id()])
    );

    let second = Passkey::another(&account, "second");
    world.link(&second, 2);
    assert!(world.verifies(&second));
    world.store_mapping(&account, &development_key("device 3").public_key());
    invariants::hold(&world, &[&account]);
}

fn a_named_account_adds_an_existing_passkey(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    register(&world, &second, 2);
    assert!(world.verifies(&second) && world.verifies(&Passkey::new(ALICE)));
    assert_eq!(world.device_counter(ALICE), 2);

    // A name that is too long for a new passkey's user handle is in no handle here.
    let name = format!("{}.testnet", "a".repeat(56));
    let named = Passkey::new(&name);
    world.create_account("testnet", &name);
    let args = named.linking(&world.chain.head(), 1, Edit::None);
    world.expect_refused(&name, Method::Link, &args, "at most 58");
    register(&world, &named, 1);
    invariants::hold(&world, &[ALICE, &name]);
}

fn the_record_is_what_an_attestation_would_have_left(version: u32) {
    let records_by = |existing: bool| {
        let world = World::open(version);
        let passkey = Passkey::new("testnet");
        if existing {
            register(&world, &passkey, 1);
        } else {
            world.link(&passkey, 1);
        }
        let mut records = records(&world, "testnet");
        let vrf_public_keys = records[0][1]["vrf_public_keys"].take();
        records[0][1]["registered"].take();
        records[0][1]["transports"].take();
        (records, vrf_public_keys)
    };
    let (by_assertion, keys) = records_by(true);
    let (by_attestation, _) = records_by(false);
    assert_eq!(by_assertion, by_attestation);
    let derived = Passkey::new("testnet").derived.public_key();
    assert_eq!(keys, json!([derived, derived]));
}

fn every_algorithm_registers(version: u32) {
    let world = World::open(version);
    for (number, authenticator) in [
        (1, SoftAuthenticator::es256(b"es256")),
        (2, SoftAuthenticator::ed25519(b"ed25519")),
        (3, SoftAuthenticator::rs256(b"rs256")),
    ] {
        let passkey = Passkey::with("testnet", authenticator);
        register(&world, &passkey, number);
        assert!(world.verifies(&passkey));
    }
}

fn a_passkey_of_a_single_origin_serves_only_there(version: u32) {
    let world = World::open(version);
    let mut passkey = Passkey::new("testnet");
    let single = Edit::Sent(|args| {
        args["authenticator_options"] = json!({"origin_policy": {"single": true}});
    });
    let args = passkey.existing(&world.chain.head(), 1, single);
    world.expect_verified("testnet", METHOD, &args);
    assert!(world.verifies(&passkey));
    passkey.origin = "https://app.wallet.example".to_owned();
    assert!(!world.verifies(&passkey));
}

fn the_account_pays_the_storage_and_gets_the_rest_back(version: u32) {
    let world = World::open(version);
    let account = world.implicit("somebody");
    let passkey = Passkey::new(&account);
    let (balance, stored) = (world.balance(&account), world.storage_usage());
    let args = passkey.existing(&world.chain.head(), 1, Edit::None);

    let outcome = world.call(&account, METHOD.name(), &args, 1);
    let log = outcome.logs.concat();
    let (_, rest) = log.split_once("storage: ").unwrap();
    let needed: u128 = rest.split(' ').next().unwrap().parse().unwrap();
    assert_eq!(outcome.result, Ok(METHOD.refusal()));
    let too_little = (&args, needed - 1, "deposit does not cover");
    world.expect_refused_with(&account, METHOD, too_little.0, too_little.1, too_little.2);

    let refused = balance - world.balance(&account);
    let outcome = world.call(&account, METHOD.name(), &args, DEPOSIT);
    assert_eq!(outcome.result.unwrap()["verified"], true);
    let paid = balance - refused - world.balance(&account) - outcome.tokens_burnt;
    assert_eq!(paid, needed);
    println!("the first record of an implicit account costs {paid}");
    // The first record pays for one link too.
    let stored_cost = u128::from(world.storage_usage() - stored) * STORAGE_BYTE_COST;
    let with_record = world.storage_usage();
    world.store_mapping(&account, &development_key("device 2").public_key());
    let link_cost = u128::from(world.storage_usage() - with_record) * STORAGE_BYTE_COST;
    assert_eq!(paid, stored_cost + link_cost);
}

fn the_registration_cost_covers_the_longest_id(version: u32) {
    let world = World::open(version);
    let answer = world.view("get_registration_cost", &json!({})).value;
    let cost: u128 = answer.as_str().unwrap().parse().unwrap();
    let account = world.implicit("somebody");
    let mut large = Passkey::new(&account);
    large.authenticator.credential_id = vec![3; 1_023];
    let args = large.existing(&world.chain.head(), 1, Edit::None);
    let outcome = world.call(&account, METHOD.name(), &args, cost);
    assert_eq!(outcome.result.unwrap()["verified"], true);
}

/// A function-call key can attach nothing.
fn a_call_without_a_deposit_ends_s95(version: u32) {
    let world = World::open(version);
    let args = Passkey::new("testnet").existing(&world.chain.head(), 1, Edit::None);
    let state = world.snapshot("testnet");
    let failure = world.call("testnet", METHOD.name(), &args, 0).result;
    let failure = failure.unwrap_err();
    assert!(failure.contains("at least 1 yoctoNEAR"), "{failure}");
    assert!(world.snapshot("testnet") == state);
}

fn only_the_account_itself_registers_its_passkey_s95(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    let args = second.existing(&world.chain.head(), 2, Edit::None);
    refuses(&world, "testnet", &args, "user_id is not the account");

    // In a call through a contract on Alice's account, the signer is another account.
    puppet::deploy(&world, ALICE, METHOD.name());
    let args = second.existing(&world.chain.head(), 2, Edit::None);
    let stored = world.storage_usage();
    let outcome = puppet::forward(&world, RELAYER, ALICE, &args);
    assert_eq!(outcome.result, Ok(METHOD.refusal()));
    let log = outcome.logs.concat();
    assert!(log.contains("the account itself must sign"), "{log}");
    assert_eq!(world.storage_usage(), stored);
}

/// Alice has seen an assertion that Bob made for himself.
fn another_account_s_assertion_is_refused_s95(version: u32) {
    let world = with_alice(version);
    let bob = Passkey::new(BOB);
    let head = world.chain.head();
    let stolen = bob.existing(&head, 2, Edit::None);
    refuses(&world, ALICE, &stolen, "user_id is not the account");
    // With a proof of her own the challenge is another.
    let mut own_proof = Passkey::new(ALICE).existing(&head, 2, Edit::None);
    own_proof["webauthn_authentication"] = stolen["webauthn_authentication"].clone();
    own_proof["credential_public_key"] = stolen["credential_public_key"].clone();
    refuses(&world, ALICE, &own_proof, "challenge is not the expected");
    // An assertion of an ordinary transaction approves another intent.
    let mut other_intent = Passkey::new(ALICE).authentication(&head, Edit::None);
    for field in ["credential_public_key", "deterministic_vrf_public_key"] {
        other_intent[field] = own_proof[field].clone();
    }
    let reason = "intent digest is not the one of this operation";
    refuses(&world, ALICE, &other_intent, reason);
}

fn an_assertion_serves_once_s95(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    let args = second.existing(&world.chain.head(), 2, Edit::None);
    world.expect_verified(ALICE, METHOD, &args);
    let reason = "intent digest is not the one of this operation";
    refuses(&world, ALICE, &args, reason);
    // Nor after its device was removed.
    let removed = json!({"credential_id": second.credential_id()});
    assert_eq!(world.expect(ALICE, "remove_authenticator", &removed), true);
    refuses(&world, ALICE, &args, reason);
}

fn a_credential_is_held_once(version: u32) {
    let world = with_alice(version);
    let again = Passkey::new(ALICE).existing(&world.chain.head(), 2, Edit::None);
    refuses(&world, ALICE, &again, "already registered");
}

/// An assertion signs neither its credential id nor its public key.
fn the_credential_id_is_the_account_s_word_s96(version: u32) {
    let world = World::open(version);
    let other_id = Edit::Sent(|args| {
        args["webauthn_authentication"]["id"] = json!("AAAA");
        args["webauthn_authentication"]["rawId"] = json!("AAAA");
    });
    let args = Passkey::new("testnet").existing(&world.chain.head(), 1, other_id);
    world.expect_verified("testnet", METHOD, &args);
    assert_eq!(world.credential_ids("testnet"), json!(["AAAA"]));
    assert!(!world.verifies(&Passkey::new("testnet")));
}

fn the_limit_of_authenticators_holds(version: u32) {
    let world = with_alice(version);
    let settings =
        json!({"max_block_age": 20, "enabled": true, "max_authenticators_per_account": 2});
    world.expect(REGISTRY, "set_vrf_settings", &json!({"settings": settings}));
    register(&world, &Passkey::another(ALICE, "second"), 2);
    let third = Passkey::another(ALICE, "third").existing(&world.chain.head(), 3, Edit::None);
    refuses(&world, ALICE, &third, "most authenticators");
}

/// No record changes its form: the method needs the deployment alone, and `migrate` changes nothing.
fn a_registry_of_the_first_release_has_it_after_its_deployment(version: u32) {
    let entries = first_release();
    let world = world_with(version, &entries);
    deploy(&world, version);
    let account = world.implicit("somebody");
    let [newcomer, third] = [
        Passkey::new(&account),
        Passkey::another(ALICE, "an existing one"),
    ];
    register(&world, &newcomer, 1);
    register(&world, &third, 3);
    let stored = world.registry_storage();
    world.expect("testnet", "migrate", &json!({}));
    assert_eq!(world.registry_storage(), stored);
    assert!(world.verifies(&newcomer) && world.verifies(&third));
    let of = |id: &str| [b"a", id.as_bytes()].concat();
    for (key, value) in entries {
        if key != of(ALICE) {
            assert_eq!(stored[&key], value, "an entry of before");
        }
    }
}
