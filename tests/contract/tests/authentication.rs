//! verify_authentication_response on the chain's VM.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use latchkey_contract_tests::{
    DEPOSIT, Edit, MAX_BLOCK_AGE, PROTOCOL_VERSIONS, Passkey, RELAYER, World,
};
use latchkey_devnet::{Head, REGISTRY};
use latchkey_vrf::VrfKeypair;
use latchkey_webauthn::CeremonyType;
use latchkey_webauthn::testing::SoftAuthenticator;
use serde_json::{Value, json};

const ALICE: &str = "alice.w3a-v1.testnet";
const BOB: &str = "bob.w3a-v1.testnet";
const METHOD: &str = "verify_authentication_response";

/// Each way to break an honest assertion of Alice's, and what the registry says of it. Bob is
/// registered too.
const REFUSED: &[(&str, &str, Edit)] = &[
    (
        "old block",
        "too old",
        Edit::Claim(|claim| claim.block_height -= MAX_BLOCK_AGE + 1),
    ),
    (
        "future block",
        "in the future",
        Edit::Claim(|claim| claim.block_height += 1),
    ),
    (
        "proof for another user",
        "not registered for this account",
        Edit::Claim(|claim| claim.user_id = BOB.to_owned()),
    ),
    (
        "proof for no user",
        "not an account id",
        Edit::Claim(|claim| claim.user_id = "No Account".to_owned()),
    ),
    (
        "proof for another rp",
        "not the one of the registered",
        Edit::Claim(|claim| {
            claim.rp_id = "other.example".to_owned();
        }),
    ),
    (
        "proof for a parent domain",
        "not the one of the registered",
        Edit::Claim(|claim| {
            claim.rp_id = "example".to_owned();
        }),
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
        "not registered for this account",
        Edit::Sent(|args| args["vrf_data"]["user_id"] = json!(BOB)),
    ),
    (
        "other rp",
        "does not follow",
        Edit::Sent(|args| args["vrf_data"]["rp_id"] = json!("other.example")),
    ),
    (
        "other intent",
        "does not follow",
        Edit::Sent(|args| flip(&mut args["vrf_data"]["intent_digest_32"])),
    ),
    (
        "no intent",
        "intent_digest_32 is missing",
        Edit::Sent(|args| {
            args["vrf_data"]
                .as_object_mut()
                .unwrap()
                .remove("intent_digest_32");
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
        "wrong challenge",
        "challenge is not the expected",
        Edit::Ceremony(|ceremony| ceremony.challenge[0] ^= 1),
    ),
    (
        "wrong origin",
        "origin is not allowed",
        Edit::Ceremony(|ceremony| {
            ceremony.origin = "https://wallet.example.evil".to_owned();
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
        "a registration's type",
        "another ceremony",
        Edit::Ceremony(|ceremony| {
            ceremony.kind = Some(CeremonyType::Create);
        }),
    ),
    (
        "rp hash of another site",
        "of another rpId",
        Edit::Ceremony(|ceremony| ceremony.rp_id = "example".to_owned()),
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
        "backed up but not eligible",
        "not eligible for backup",
        Edit::Ceremony(|ceremony| {
            ceremony.backup_eligible = false;
        }),
    ),
    (
        "altered authenticator data",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(
                &mut args["webauthn_authentication"]["response"]["authenticatorData"],
                |bytes| bytes[36] ^= 1,
            );
        }),
    ),
    (
        "altered client data",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(
                &mut args["webauthn_authentication"]["response"]["clientDataJSON"],
                |bytes| bytes.push(b' '),
            );
        }),
    ),
    (
        "altered signature",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(
                &mut args["webauthn_authentication"]["response"]["signature"],
                |bytes| *bytes.last_mut().unwrap() ^= 1,
            );
        }),
    ),
    (
        "empty signature",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(
                &mut args["webauthn_authentication"]["response"]["signature"],
                Vec::clear,
            );
        }),
    ),
    (
        "zero signature",
        "signature is wrong",
        Edit::Sent(|args| {
            alter(
                &mut args["webauthn_authentication"]["response"]["signature"],
                |bytes| {
                    *bytes = vec![0x30, 6, 2, 1, 0, 2, 1, 0];
                },
            );
        }),
    ),
    (
        "unknown credential",
        "not registered for this account",
        Edit::Sent(|args| {
            args["webauthn_authentication"]["id"] = json!("AAAA");
            args["webauthn_authentication"]["rawId"] = json!("AAAA");
        }),
    ),
];

fn flip(bytes: &mut Value) {
    let byte = bytes[20].as_u64().unwrap();
    bytes[20] = json!(byte ^ 1);
}

fn alter(text: &mut Value, edit: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap();
    edit(&mut bytes);
    *text = json!(URL_SAFE_NO_PAD.encode(bytes));
}

#[track_caller]
fn assert_refused(world: &World, args: &Value, reason: &str, row: &str) {
    let answer = world.view(METHOD, args);
    assert_eq!(answer.value, json!({"verified": false}), "{row}");
    assert!(
        answer.logs.concat().contains(reason),
        "{row}: {:?}",
        answer.logs
    );
}

#[test]
fn verifies_an_assertion_by_either_vrf_key() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        let alice = Passkey::new(ALICE);
        world.register(&alice);
        for key in [&alice.bootstrap, &alice.derived] {
            let edit = Edit::Ceremony(|ceremony| ceremony.sign_count = 41);
            let answer = world.view(
                METHOD,
                &alice.authentication_by(key, &world.chain.head(), edit),
            );
            let info = json!({
                "credential_id": URL_SAFE_NO_PAD.encode(&alice.authenticator.credential_id),
                "new_counter": 41,
                "user_verified": true,
                "credential_device_type": "multiDevice",
                "credential_backed_up": true,
                "origin": Passkey::ORIGIN,
                "rp_id": Passkey::RP_ID,
            });
            assert_eq!(
                answer.value,
                json!({"verified": true, "authentication_info": info}),
                "{:?}",
                answer.logs
            );
        }
        let stranger = VrfKeypair::derive(&[9; 32]);
        let args = alice.authentication_by(&stranger, &world.chain.head(), Edit::None);
        assert_refused(
            &world,
            &args,
            "VRF key is not registered",
            "a stranger's VRF key",
        );
    }
}

#[test]
fn a_session_policy_is_bound_too() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    world.register(&alice);
    let with_policy = Edit::Claim(|claim| claim.session_policy = Some([5; 32]));
    let mut args = alice.authentication(&world.chain.head(), with_policy);
    assert_eq!(world.view(METHOD, &args).value["verified"], true);
    flip(&mut args["vrf_data"]["session_policy_digest_32"]);
    assert_refused(&world, &args, "does not follow", "another policy");
    args["vrf_data"]["session_policy_digest_32"] = Value::Null;
    assert_refused(&world, &args, "does not follow", "no policy");
}

#[test]
fn tells_a_passkey_of_one_device() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    world.register(&alice);
    let edit = Edit::Ceremony(|ceremony| {
        ceremony.backup_eligible = false;
        ceremony.backup_state = false;
    });
    let answer = world
        .view(METHOD, &alice.authentication(&world.chain.head(), edit))
        .value;
    assert_eq!(
        answer["authentication_info"]["credential_device_type"],
        "singleDevice"
    );
    assert_eq!(answer["authentication_info"]["credential_backed_up"], false);
}

#[test]
fn refuses_every_departure_from_an_honest_assertion() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        let alice = Passkey::new(ALICE);
        world.register(&alice);
        world.register(&Passkey::new(BOB));
        world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
        for (row, reason, edit) in REFUSED {
            assert_refused(
                &world,
                &alice.authentication(&world.chain.head(), *edit),
                reason,
                row,
            );
        }
        let honest = world.view(
            METHOD,
            &alice.authentication(&world.chain.head(), Edit::None),
        );
        assert_eq!(honest.value["verified"], true, "{:?}", honest.logs);
    }
}

#[test]
fn takes_a_challenge_within_the_window_alone() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    world.register(&alice);
    world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
    let head = world.chain.head();
    let verified = |height: u64| {
        let args = alice.authentication(&Head { height, ..head }, Edit::None);
        world.view(METHOD, &args).value["verified"].clone()
    };
    assert_eq!(verified(head.height - MAX_BLOCK_AGE - 1), false);
    assert_eq!(verified(head.height - MAX_BLOCK_AGE), true);
    assert_eq!(verified(head.height), true);
    assert_eq!(verified(head.height + 1), false);
}

#[test]
fn refuses_another_key_under_a_registered_credential_id() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    world.register(&alice);
    let mut forger = Passkey::new(ALICE);
    forger.authenticator = SoftAuthenticator::es256(b"forger");
    forger
        .authenticator
        .credential_id
        .clone_from(&alice.authenticator.credential_id);
    let args = forger.authentication(&world.chain.head(), Edit::None);
    assert_refused(&world, &args, "signature is wrong", "a forger's key");
}

#[test]
fn verifies_every_algorithm_in_both_versions() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        for (name, authenticator) in [
            ("es256", SoftAuthenticator::es256(b"es256")),
            ("eddsa", SoftAuthenticator::ed25519(b"eddsa")),
            ("rs256", SoftAuthenticator::rs256(b"rs256")),
        ] {
            let passkey = Passkey::with(&format!("{name}.{REGISTRY}"), authenticator);
            world.register(&passkey);
            let args = passkey.authentication(&world.chain.head(), Edit::None);
            let answer = world.view(METHOD, &args);
            assert_eq!(answer.value["verified"], true, "{name}: {:?}", answer.logs);
            let called = world.call(RELAYER, METHOD, &args, 0);
            assert_eq!(called.result.unwrap()["verified"], true);
            println!(
                "protocol {version}: verifying {name} burns {:.2} Tgas",
                called.gas_burnt as f64 / 1e12
            );
            let forged = passkey.authentication(
                &world.chain.head(),
                Edit::Sent(|args| {
                    let signature = &mut args["webauthn_authentication"]["response"]["signature"];
                    alter(signature, |bytes| *bytes.last_mut().unwrap() ^= 1);
                }),
            );
            assert_refused(&world, &forged, "signature is wrong", name);
        }
    }
}

#[test]
fn a_single_origin_policy_admits_no_subdomain() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    let args = alice.registration(
        &world.chain.head(),
        Edit::Sent(|args| {
            args["authenticator_options"] = json!({"origin_policy": {"single": true}})
        }),
    );
    world
        .call(RELAYER, "create_account_and_register_user", &args, DEPOSIT)
        .result
        .unwrap();
    let subdomain =
        Edit::Ceremony(|ceremony| ceremony.origin = "https://app.wallet.example".to_owned());
    let args = alice.authentication(&world.chain.head(), subdomain);
    assert_refused(&world, &args, "origin is not allowed", "a subdomain");

    // The default policy admits it, with any port.
    let bob = Passkey::new(BOB);
    world.register(&bob);
    let subdomain =
        Edit::Ceremony(|ceremony| ceremony.origin = "https://app.wallet.example:8443".to_owned());
    let answer = world.view(METHOD, &bob.authentication(&world.chain.head(), subdomain));
    assert_eq!(answer.value["verified"], true, "{:?}", answer.logs);
}

#[test]
fn verifies_nothing_while_it_is_switched_off() {
    let world = World::open(88);
    let alice = Passkey::new(ALICE);
    world.register(&alice);
    let settings =
        json!({"max_block_age": 20, "enabled": false, "max_authenticators_per_account": 10});
    world
        .call(
            REGISTRY,
            "set_vrf_settings",
            &json!({"settings": settings}),
            0,
        )
        .result
        .unwrap();
    let args = alice.authentication(&world.chain.head(), Edit::None);
    assert_refused(&world, &args, "switched off", "an honest assertion");
}
