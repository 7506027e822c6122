//! create_account_and_register_user and check_can_register_user: what they accept and store.
// Specification: core 3, core 7

use latchkey_contract_tests::{
    Edit, MAX_BLOCK_AGE, Method, Passkey, RELAYER, World, at_each_protocol,
};
use latchkey_devnet::{Head, REGISTRY};
use latchkey_webauthn::testing::{Attestation, SoftAuthenticator};
use near_primitives::views::AccessKeyPermissionView;
use serde_json::{Value, json};

use crate::{ALICE, BOB, CAROL};

at_each_protocol![
    an_account_has_exactly_its_key,
    views_show_a_registered_authenticator,
    each_preference_of_user_verification_is_kept,
    a_challenge_is_accepted_only_within_the_window,
    a_registration_can_be_checked_without_recording_it,
    a_development_host_registers,
    byte_fields_are_accepted_as_text_too,
    every_algorithm_and_attestation_registers,
    only_the_registry_calls_the_callback,
];

fn an_account_has_exactly_its_key(version: u32) {
    let world = World::open(version);
    let alice = Passkey::new(ALICE);
    world.register(&alice);
    assert_eq!(world.access_keys(ALICE), 1);
    let key = world
        .chain
        .view_access_key(&ALICE.parse().unwrap(), &alice.near_key())
        .unwrap();
    assert_eq!(key.permission, AccessKeyPermissionView::FullAccess);
}

fn views_show_a_registered_authenticator(version: u32) {
    let world = World::open(version);
    let alice = Passkey::new(ALICE);
    let credential_id = alice.credential_id();
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
    assert_eq!(world.credential_ids(ALICE), json!([credential_id]));
    assert_eq!(world.device_counter(ALICE), 1);
    assert_eq!(world.device_counter(BOB), 0);
    assert_eq!(world.credential_ids(BOB), json!([]));
}

fn each_preference_of_user_verification_is_kept(version: u32) {
    let world = World::open(version);
    for (account, preference) in [
        (ALICE, "required"),
        (BOB, "preferred"),
        (CAROL, "discouraged"),
    ] {
        let mut args = Passkey::new(account).registration(&world.chain.head(), Edit::None);
        args["authenticator_options"]["user_verification"] = json!(preference);
        world.expect_verified(RELAYER, Method::Register, &args);
        let of = json!({"user_id": account});
        let pairs = world.view("get_authenticators_by_user", &of).value;
        assert_eq!(pairs[0][1]["user_verification"], preference);
    }
}

fn a_challenge_is_accepted_only_within_the_window(version: u32) {
    let world = World::open(version);
    world.chain.produce_blocks(MAX_BLOCK_AGE + 5).unwrap();
    let alice = Passkey::new(ALICE);
    let head = world.chain.head();
    let check = |height: u64| {
        let head = Head { height, ..head };
        let args = Passkey::check(&alice.registration(&head, Edit::None));
        world.view("check_can_register_user", &args).value["verified"].clone()
    };
    assert_eq!(check(head.height - MAX_BLOCK_AGE - 1), false);
    assert_eq!(check(head.height - MAX_BLOCK_AGE), true);
    assert_eq!(check(head.height), true);
    assert_eq!(check(head.height + 1), false);
}

fn a_registration_can_be_checked_without_recording_it(version: u32) {
    let world = World::open(version);
    let check = |args: &Value| {
        world
            .view("check_can_register_user", &Passkey::check(args))
            .value
    };
    let fits = |user_exists: bool| json!({"verified": true, "user_exists": user_exists});
    let registration = |passkey: &Passkey| passkey.registration(&world.chain.head(), Edit::None);
    let alice = Passkey::new(ALICE);
    let other = Passkey::another(ALICE, "second");
    assert_eq!(check(&registration(&alice)), fits(false));
    world.register(&alice);
    // Now the credential and the name are taken.
    assert_eq!(
        check(&registration(&alice)),
        json!({"verified": false, "user_exists": true})
    );
    assert_eq!(check(&registration(&other)), fits(true));
    // Devices get the same answers, both those of an existing account and of a joining one.
    let head = world.chain.head();
    assert_eq!(check(&other.linking(&head, 2, Edit::None)), fits(true));
    let joiner = Passkey::new("testnet").linking(&head, 1, Edit::None);
    assert_eq!(check(&joiner), fits(false));
}

fn a_development_host_registers(version: u32) {
    let world = World::open(version);
    for (name, rp_id, origin) in [
        ("one", "localhost", "http://localhost:5173"),
        ("two", "wallet.localhost", "http://wallet.localhost:5174"),
        ("three", "Wallet.Example", "https://app.wallet.example:8443"),
    ] {
        let mut passkey = Passkey::new(&format!("{name}.{REGISTRY}"));
        rp_id.clone_into(&mut passkey.rp_id);
        origin.clone_into(&mut passkey.origin);
        // The authenticator hashes the rpId in the browser's lower case.
        let edit = Edit::Ceremony(|ceremony| ceremony.rp_id.make_ascii_lowercase());
        let args = passkey.registration(&world.chain.head(), edit);
        world.expect_verified(RELAYER, Method::Register, &args);
        let user = json!({"user_id": passkey.account});
        let records = world.view("get_authenticators_by_user", &user).value;
        assert_eq!(records[0][1]["expected_rp_id"], rp_id.to_lowercase());
        let signed = passkey.authentication(&world.chain.head(), edit);
        world.expect_verified(RELAYER, Method::Authenticate, &signed);
    }
}

fn byte_fields_are_accepted_as_text_too(version: u32) {
    use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
    fn to_text(bytes: &mut Value) {
        let raw: Vec<u8> = serde_json::from_value(bytes.clone()).unwrap();
        *bytes = json!(URL_SAFE_NO_PAD.encode(raw));
    }
    let world = World::open(version);
    let as_text = Edit::Sent(|args| {
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
    });
    let args = Passkey::new(ALICE).registration(&world.chain.head(), as_text);
    world.expect_verified(RELAYER, Method::Register, &args);
}

fn every_algorithm_and_attestation_registers(version: u32) {
    let world = World::open(version);
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
        world.expect_verified(RELAYER, Method::Register, &args);
    }
    let eddsa = SoftAuthenticator::ed25519(b"ed");
    world.register(&Passkey::with("eddsa.w3a-v1.testnet", eddsa));
    let rs256 = SoftAuthenticator::rs256(b"rs256");
    world.register(&Passkey::with("rsa.w3a-v1.testnet", rs256));
}

fn only_the_registry_calls_the_callback(version: u32) {
    let world = World::open(version);
    let deposit = Method::Register.deposit().to_string();
    let args = json!({"new_account_id": ALICE, "caller": RELAYER, "deposit": deposit});
    let called = world.call(RELAYER, "on_account_created", &args, 0);
    let failure = called.result.unwrap_err();
    assert!(failure.contains("private"), "{failure}");
}
