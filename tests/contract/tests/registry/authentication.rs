//! verify_authentication_response: what it accepts and reports.

use latchkey_contract_tests::{
    Edit, MAX_BLOCK_AGE, Method, Passkey, RELAYER, World, at_each_protocol,
};
use latchkey_devnet::{Head, REGISTRY};
use latchkey_webauthn::testing::SoftAuthenticator;
use serde_json::{Value, json};

use crate::{ALICE, with_alice};

at_each_protocol![
    an_assertion_is_verified_by_either_vrf_key_s10,
    any_signature_counter_is_reported_s81,
    the_proof_binds_a_session_policy,
    single_device_passkeys_are_distinguished_from_synced_ones,
    a_challenge_is_accepted_only_within_the_window_s82,
    a_challenge_may_name_a_block_hash_that_no_block_has_s82,
    every_algorithm_is_verified,
];

const METHOD: &str = Method::Authenticate.name();

fn info(world: &World, passkey: &Passkey, edit: Edit) -> Value {
    let args = passkey.authentication(&world.chain.head(), edit);
    let answer = world.view(METHOD, &args);
    assert_eq!(answer.value["verified"], true, "{:?}", answer.logs);
    answer.value["authentication_info"].clone()
}

fn an_assertion_is_verified_by_either_vrf_key_s10(version: u32) {
    let world = with_alice(version);
    let alice = Passkey::new(ALICE);
    for key in [&alice.bootstrap, &alice.derived] {
        let args = alice.authentication_by(key, &world.chain.head(), Edit::None);
        let answer = world.view(METHOD, &args);
        let info = json!({
            "credential_id": alice.credential_id(),
            "new_counter": 0,
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
}

/// A view cannot store the counter, and W3C WebAuthn (section 7.2, step 22) lets the party that stores it
/// judge one that does not rise.
fn any_signature_counter_is_reported_s81(version: u32) {
    let world = with_alice(version);
    let alice = Passkey::new(ALICE);
    let rising = [
        (0, Edit::Ceremony(|ceremony| ceremony.sign_count = 0)),
        (41, Edit::Ceremony(|ceremony| ceremony.sign_count = 41)),
        (41, Edit::Ceremony(|ceremony| ceremony.sign_count = 41)),
        (7, Edit::Ceremony(|ceremony| ceremony.sign_count = 7)),
        (0, Edit::Ceremony(|ceremony| ceremony.sign_count = 0)),
        (
            u32::MAX,
            Edit::Ceremony(|ceremony| ceremony.sign_count = u32::MAX),
        ),
    ];
    for (counter, edit) in rising {
        assert_eq!(info(&world, &alice, edit)["new_counter"], counter);
    }
}

fn the_proof_binds_a_session_policy(version: u32) {
    let world = with_alice(version);
    let with_policy = Edit::Claim(|claim| claim.session_policy = Some([5; 32]));
    let args = Passkey::new(ALICE).authentication(&world.chain.head(), with_policy);
    world.expect_verified(RELAYER, Method::Authenticate, &args);
    for other in [json!(vec![6; 32]), Value::Null] {
        let mut args = args.clone();
        args["vrf_data"]["session_policy_digest_32"] = other;
        world.expect_refused(RELAYER, Method::Authenticate, &args, "does not follow");
    }
}

fn single_device_passkeys_are_distinguished_from_synced_ones(version: u32) {
    let world = with_alice(version);
    let edit = Edit::Ceremony(|ceremony| {
        ceremony.backup_eligible = false;
        ceremony.backup_state = false;
    });
    let answer = info(&world, &Passkey::new(ALICE), edit);
    assert_eq!(answer["credential_device_type"], "singleDevice");
    assert_eq!(answer["credential_backed_up"], false);
}

fn a_challenge_is_accepted_only_within_the_window_s82(version: u32) {
    let world = with_alice(version);
    world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
    let head = world.chain.head();
    let verified = |height: u64| {
        let args = Passkey::new(ALICE).authentication(&Head { height, ..head }, Edit::None);
        world.view(METHOD, &args).value["verified"].clone()
    };
    assert_eq!(verified(head.height - MAX_BLOCK_AGE - 1), false);
    assert_eq!(verified(head.height - MAX_BLOCK_AGE), true);
    assert_eq!(verified(head.height), true);
    assert_eq!(verified(head.height + 1), false);
}

/// A contract cannot read the hashes of past blocks.
fn a_challenge_may_name_a_block_hash_that_no_block_has_s82(version: u32) {
    let world = with_alice(version);
    let made_up = Edit::Claim(|claim| claim.block_hash = [9; 32]);
    info(&world, &Passkey::new(ALICE), made_up);
}

fn every_algorithm_is_verified(version: u32) {
    let world = World::open(version);
    for (name, authenticator) in [
        ("es256", SoftAuthenticator::es256(b"es256")),
        ("eddsa", SoftAuthenticator::ed25519(b"eddsa")),
        ("rs256", SoftAuthenticator::rs256(b"rs256")),
    ] {
        let passkey = Passkey::with(&format!("{name}.{REGISTRY}"), authenticator);
        world.register(&passkey);
        assert!(world.verifies(&passkey), "{name}");

        // Another key under the same credential id does not verify.
        let mut forger = Passkey::with(&passkey.account, SoftAuthenticator::es256(b"forger"));
        let id = &passkey.authenticator.credential_id;
        forger.authenticator.credential_id.clone_from(id);
        let forged = forger.authentication(&world.chain.head(), Edit::None);
        let reason = "signature is wrong";
        world.expect_refused(RELAYER, Method::Authenticate, &forged, reason);
    }
}
