//! Prints the contract's size and the gas of every method at the lowest supported protocol and the
//! newest, in Tgas of a whole transaction with its callbacks: `scripts/bench.sh registry`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a tool for tests"
)]

use latchkey_contract_tests::{
    DEPOSIT, Edit, Method, Passkey, RELAYER, Settlers, World, built_contract,
};
use latchkey_devnet::{REGISTRY, development_key};
use latchkey_webauthn::testing::SoftAuthenticator;
use near_primitives::types::Gas;
use near_primitives::version::PROTOCOL_VERSION;
use serde_json::{Value, json};

const ALICE: &str = "alice.w3a-v1.testnet";
const TESTNET: &str = "testnet";

/// One line of the table: the call, and the gas that it burnt.
type Line = (String, u64);

fn main() {
    let versions = [85, PROTOCOL_VERSION];
    let [lowest, newest] = versions.map(measure);
    println!("| Tgas | protocol {} | {} |", versions[0], versions[1]);
    println!("|---|---|---|");
    for ((name, at_lowest), (_, at_newest)) in lowest.iter().zip(&newest) {
        let teragas = |gas: u64| gas as f64 / 1e12;
        let (at_lowest, at_newest) = (teragas(*at_lowest), teragas(*at_newest));
        println!("| {name} | {at_lowest:.2} | {at_newest:.2} |");
    }
    let bytes = std::fs::metadata(built_contract(PROTOCOL_VERSION));
    println!("\nbuild/registry.wasm: {} bytes", bytes.unwrap().len());
}

/// Calls every method once, in an order in which each one succeeds.
fn measure(version: u32) -> Vec<Line> {
    let world = World::open(version);
    let mut lines = Vec::new();
    let mut call = |name: &str, signer: &str, args: Value, deposit: u128, note: &str| {
        let outcome = world.call(signer, name, &args, deposit);
        let answer = outcome.result.unwrap();
        assert!(answer["verified"] != false, "{name}: {:?}", outcome.logs);
        lines.push((format!("`{name}`{note}"), outcome.gas_burnt));
    };
    let head = || world.chain.head();

    let create = Method::Register.name();
    let verify = Method::Authenticate.name();
    for (note, account, authenticator) in [
        (", ES256", ALICE, SoftAuthenticator::es256(ALICE.as_bytes())),
        (
            ", EdDSA",
            "eddsa.w3a-v1.testnet",
            SoftAuthenticator::ed25519(b"eddsa"),
        ),
        (
            ", RS256",
            "rs256.w3a-v1.testnet",
            SoftAuthenticator::rs256(b"rs256"),
        ),
    ] {
        let passkey = Passkey::with(account, authenticator);
        let args = passkey.registration(&head(), Edit::None);
        call(create, RELAYER, args, DEPOSIT, note);
        let args = passkey.authentication(&head(), Edit::None);
        call(verify, RELAYER, args, 0, note);
    }
    world.fund(ALICE);
    let second = Passkey::another(ALICE, "second");
    let args = second.linking(&head(), 2, Edit::None);
    let check = Passkey::check(&args);
    call("check_can_register_user", RELAYER, check, 0, "");
    call(Method::Link.name(), ALICE, args, DEPOSIT, "");
    let existing = Method::RegisterExisting.name();
    for (number, note, authenticator) in [
        (1, ", ES256", SoftAuthenticator::es256(b"existing 1")),
        (2, ", EdDSA", SoftAuthenticator::ed25519(b"existing 2")),
        (3, ", RS256", SoftAuthenticator::rs256(b"existing 3")),
    ] {
        let passkey = Passkey::with(TESTNET, authenticator);
        let args = passkey.existing(&head(), number, Edit::None);
        call(existing, TESTNET, args, DEPOSIT, note);
    }

    let of_key = |name: &str| development_key(name).public_key().to_string();
    let mapping =
        |name: &str| json!({"device_public_key": of_key(name), "target_account_id": ALICE});
    let store = "store_device_linking_mapping";
    call(store, ALICE, mapping("a"), 1, ", its expiry included");
    world.store_mapping(ALICE, &development_key("b").public_key());
    let key = json!({"device_public_key": of_key("b")});
    call("get_device_linking_account", RELAYER, key.clone(), 0, "");
    call("cleanup_device_linking", ALICE, key, 0, "");

    let account = json!({"account_id": ALICE});
    let user = json!({"user_id": ALICE});
    let credential = json!({"user_id": ALICE, "credential_id": second.credential_id()});
    let removed = json!({"credential_id": second.credential_id()});
    let origin = json!({"origin": "https://a.example"});
    let origins = json!({"origins": ["https://a.example", "https://b.example"]});
    let settings = json!({"settings":
        {"max_block_age": 20, "enabled": true, "max_authenticators_per_account": 10}});
    let relayer = json!({"account_id": RELAYER});
    for (name, signer, args) in [
        ("get_device_counter", RELAYER, account.clone()),
        ("get_credential_ids_by_account", RELAYER, account.clone()),
        ("get_authenticators_by_user", RELAYER, user),
        ("get_authenticator", RELAYER, credential),
        ("remove_authenticator", ALICE, removed),
        ("get_registration_cost", RELAYER, json!({})),
        ("add_allowed_origin", REGISTRY, origin.clone()),
        ("get_allowed_origins", RELAYER, json!({})),
        ("remove_allowed_origin", REGISTRY, origin.clone()),
        ("set_allowed_origins", REGISTRY, origins.clone()),
        ("add_allowed_host", REGISTRY, origin.clone()),
        ("get_allowed_hosts", RELAYER, json!({})),
        ("remove_allowed_host", REGISTRY, origin),
        ("set_allowed_hosts", REGISTRY, origins),
        ("add_admin", REGISTRY, relayer.clone()),
        ("get_admins", RELAYER, json!({})),
        ("is_admin", RELAYER, relayer.clone()),
        ("remove_admin", REGISTRY, relayer),
        ("get_owner", RELAYER, json!({})),
        ("set_vrf_settings", REGISTRY, settings),
        ("get_vrf_settings", RELAYER, json!({})),
        (
            "set_greeting",
            RELAYER,
            json!({"greeting": Settlers::GREETING}),
        ),
        ("get_greeting", RELAYER, json!({})),
        ("migrate", REGISTRY, json!({})),
        (
            "transfer_ownership",
            REGISTRY,
            json!({"new_owner": TESTNET}),
        ),
    ] {
        call(name, signer, args, world.wanted_deposit(name), "");
    }

    // A lookup reads the whole list, so measure a ceremony in a frame with a full list of usual entries.
    let hosts: Vec<String> = (0..5_000)
        .map(|n| format!("https://a{n:05}.example"))
        .collect();
    let args = json!({"origins": hosts});
    let gas = Gas::from_teragas(300);
    let listed = world.run(world.sign_with_gas(TESTNET, "set_allowed_hosts", &args, 1, gas));
    listed.result.unwrap();
    let embedded = Edit::Ceremony(|ceremony| {
        ceremony.cross_origin = Some(true);
        ceremony.top_origin = Some("https://a02500.example".to_owned());
    });
    let args = Passkey::new(ALICE).authentication(&head(), embedded);
    call(verify, RELAYER, args, 0, ", ES256, on one of 5000 hosts");
    lines.push((
        "`set_allowed_hosts`, 5000 of them".to_owned(),
        listed.gas_burnt,
    ));
    lines
}
