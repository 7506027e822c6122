//! The dialect of the other registry on testnet, as its build speaks it, and what our build reads of it.
// Specification: core 8

use latchkey_contract_tests::{DEPOSIT, Edit, Method, Passkey, RELAYER, World};
use latchkey_devnet::development_key;
use serde_json::{Value, json};

use crate::administration::assert_ends;
use crate::{ALICE, BOB};

const VERSION: u32 = 88;

/// The initial balance that the relay attaches, which goes to the account whole.
const BALANCE: u128 = DEPOSIT;

fn in_dialect(args: &mut Value) {
    args["authenticator_options"]["origin_policy"] = json!({"allSubdomains": true});
}

/// Alice in the dialect's world, with a synced passkey.
fn with_alice() -> World {
    let world = World::open_dialect(VERSION);
    let args = Passkey::new(ALICE).registration(&world.chain.head(), Edit::Sent(in_dialect));
    world.expect_verified(RELAYER, Method::Register, &args);
    world.fund(ALICE);
    world
}

fn check(world: &World, edit: Edit) -> Result<Value, String> {
    let args = Passkey::new(BOB).registration(&world.chain.head(), edit);
    let view = world.try_view("check_can_register_user", &Passkey::check(&args))?;
    Ok(view.value["verified"].clone())
}

#[test]
fn ours_reads_both_spellings() {
    let world = World::open(VERSION);
    assert_eq!(check(&world, Edit::None), Ok(json!(true)));
    assert_eq!(check(&world, Edit::Sent(in_dialect)), Ok(json!(true)));
}

#[test]
fn ours_names_its_interface() {
    let metadata = |world: &World| world.view("contract_source_metadata", &json!({})).value;
    let standards = metadata(&World::open(VERSION))["standards"].clone();
    let ours = json!({"standard": "latchkey-registry", "version": "2.1.0"});
    assert!(
        standards.as_array().unwrap().contains(&ours),
        "{standards:?}"
    );
    let theirs = metadata(&World::open_dialect(VERSION)).to_string();
    assert!(!theirs.contains("latchkey-registry"), "{theirs}");
}

#[test]
fn the_dialect_spells_the_policy_its_own_way() {
    let world = World::open_dialect(VERSION);
    assert_eq!(check(&world, Edit::Sent(in_dialect)), Ok(json!(true)));
    assert_eq!(check(&world, Edit::None), Ok(json!(false)));
}

#[test]
fn the_dialect_reads_no_text_as_bytes() {
    let world = World::open_dialect(VERSION);
    let as_text = Edit::Sent(|args| {
        in_dialect(args);
        args["vrf_data"]["public_key"] = json!("AAAA");
    });
    assert!(check(&world, as_text).is_err());
}

#[test]
fn the_dialect_takes_https_origins_only() {
    let world = World::open_dialect(VERSION);
    let mut passkey = Passkey::new(BOB);
    passkey.rp_id = "localhost".to_owned();
    passkey.origin = "http://localhost".to_owned();
    let verified = |world: &World| {
        let args = passkey.registration(&world.chain.head(), Edit::Sent(in_dialect));
        world
            .view("check_can_register_user", &Passkey::check(&args))
            .value["verified"]
            .clone()
    };
    assert_eq!(verified(&world), json!(false));
    assert_eq!(verified(&World::open(VERSION)), json!(true));
}

#[test]
fn the_dialect_lacks_methods_of_ours() {
    let world = World::open_dialect(VERSION);
    for method in ["get_registration_cost", "get_allowed_hosts"] {
        let failure = world.try_view(method, &json!({})).unwrap_err();
        assert!(failure.contains("MethodNotFound"), "{method}: {failure}");
        assert!(World::open(VERSION).try_view(method, &json!({})).is_ok());
    }
}

#[test]
fn the_dialect_registers_no_existing_passkey() {
    let world = World::open_dialect(VERSION);
    let args = Passkey::new("testnet").existing(&world.chain.head(), 1, Edit::None);
    let method = Method::RegisterExisting;
    let failure = world.call("testnet", method.name(), &args, method.deposit());
    let failure = failure.result.unwrap_err();
    assert!(failure.contains("MethodNotFound"), "{failure}");
}

#[test]
fn the_dialect_links_without_a_deposit_only() {
    let world = with_alice();
    let link = |deposit| {
        let second = Passkey::another(ALICE, "second");
        let args = second.linking(&world.chain.head(), 2, Edit::Sent(in_dialect));
        let outcome = world.call(ALICE, "link_device_register_user", &args, deposit);
        outcome.result.map(|answer| answer["verified"].clone())
    };
    assert!(link(1).unwrap_err().contains("accept deposit"));
    assert_eq!(link(0), Ok(json!(true)));
    assert_eq!(world.device_counter(ALICE), json!(2));
}

#[test]
fn the_dialect_gives_the_account_its_whole_balance() {
    assert!(with_alice().balance(ALICE) >= BALANCE);
}

#[test]
fn the_dialect_answers_an_assertion_in_its_own_shape() {
    let world = with_alice();
    let alice = Passkey::new(ALICE);
    let args = alice.authentication(&world.chain.head(), Edit::None);
    let info = world.view(Method::Authenticate.name(), &args).value["authentication_info"].clone();
    assert_eq!(
        info["credential_id"],
        json!(alice.authenticator.credential_id)
    );
    assert_eq!(info["credential_device_type"], "singleDevice");
}

#[test]
fn the_dialect_records_no_access_key_and_perhaps_no_transports() {
    let world = World::open_dialect(VERSION);
    let without_transports = Edit::Sent(|args| {
        in_dialect(args);
        let response = &mut args["webauthn_registration"]["response"];
        response.as_object_mut().unwrap().remove("transports");
    });
    let args = Passkey::new(ALICE).registration(&world.chain.head(), without_transports);
    world.expect_verified(RELAYER, Method::Register, &args);
    let records = world.view("get_authenticators_by_user", &json!({"user_id": ALICE}));
    let record = &records.value[0][1];
    assert_eq!(record["transports"], Value::Null);
    assert!(record.get("near_public_key").is_none(), "{record}");
    assert_eq!(record["device_number"], 1);
}

#[test]
fn the_dialect_names_admin_arguments_its_own_way() {
    let world = World::open_dialect(VERSION);
    let settings =
        json!({"max_block_age": 7, "enabled": true, "max_authenticators_per_account": 3});
    let owner = "w3a-v1.testnet";
    let ours = json!({ "settings": settings });
    assert_ends(&world, owner, "set_vrf_settings", &ours, "vrf_settings");
    let theirs = json!({ "vrf_settings": settings });
    world.expect(owner, "set_vrf_settings", &theirs);
    let stored = world.view("get_vrf_settings", &json!({})).value;
    assert_eq!(stored["max_block_age"], 7);
    let ours = json!({ "account_id": RELAYER });
    assert_ends(&world, owner, "add_admin", &ours, "admin_id");
    let theirs = json!({ "admin_id": RELAYER });
    assert_eq!(world.expect(owner, "add_admin", &theirs), json!(true));
}

#[test]
fn the_dialect_keeps_a_refused_deposit() {
    let world = World::open_dialect(VERSION);
    let spent = |edit| {
        let before = world.balance(RELAYER);
        let args = Passkey::new(BOB).registration(&world.chain.head(), edit);
        let outcome = world.call(RELAYER, Method::Register.name(), &args, DEPOSIT);
        assert_eq!(outcome.result, Ok(Method::Register.refusal()));
        before - world.balance(RELAYER) - outcome.tokens_burnt
    };
    assert_eq!(spent(Edit::None), DEPOSIT);
}

#[test]
fn the_dialect_does_not_compare_the_intent() {
    let other_intent = Edit::Claim(|claim| claim.intent = [9; 32]);
    let world = World::open_dialect(VERSION);
    let mut args = Passkey::new(BOB).registration(&world.chain.head(), other_intent);
    in_dialect(&mut args);
    world.expect_verified(RELAYER, Method::Register, &args);
}

#[test]
fn the_dialect_lets_anyone_clean_up_a_linking() {
    let world = with_alice();
    let device = development_key("device 2").public_key();
    world.store_mapping(ALICE, &device);
    let args = json!({"device_public_key": device.to_string()});
    assert_eq!(
        world.expect("testnet", "cleanup_device_linking", &args),
        json!(true)
    );
    assert_eq!(world.mapping(&device), Value::Null);
}
