//! Greeting, owner, admins and settings.

use latchkey_contract_tests::{MAX_BLOCK_AGE, RELAYER, World, at_each_protocol};
use latchkey_devnet::REGISTRY;
use serde_json::{Value, json};

at_each_protocol![
    anyone_can_set_the_greeting,
    only_its_own_account_sets_it_up_and_only_once,
    only_admins_change_the_settings,
    the_owner_appoints_admins_and_the_next_owner,
    there_are_100_admins_and_no_more,
];

/// Calls a method that must fail with a message and change nothing.
#[track_caller]
pub(crate) fn assert_ends(world: &World, signer: &str, method: &str, args: &Value, message: &str) {
    let state = world.snapshot(signer);
    let deposit = world.wanted_deposit(method);
    let failure = world
        .call(signer, method, args, deposit)
        .result
        .unwrap_err();
    assert!(failure.contains(message), "{method} {args}: {failure}");
    assert!(
        world.snapshot(signer) == state,
        "{method} {args} changed the state"
    );
}

fn anyone_can_set_the_greeting(version: u32) {
    let world = World::open(version);
    let greeting = || world.view("get_greeting", &json!({})).value;
    let set = |text: &str| world.expect(RELAYER, "set_greeting", &json!({"greeting": text}));
    assert_eq!(greeting(), "Hello");
    set("hi, \u{1f511}");
    assert_eq!(greeting(), "hi, \u{1f511}");
    set(&"x".repeat(280));
    let long = json!({"greeting": "\u{e9}".repeat(141)});
    assert_ends(&world, RELAYER, "set_greeting", &long, "at most 280 bytes");
    let other = json!({"text": "hi"});
    let message = "missing field `greeting`";
    assert_ends(&world, RELAYER, "set_greeting", &other, message);
    assert_eq!(greeting(), "x".repeat(280));
}

fn only_its_own_account_sets_it_up_and_only_once(version: u32) {
    let world = World::open(version);
    let args = json!({"owner_id": RELAYER});
    assert_ends(&world, RELAYER, "init", &args, "private");
    assert_ends(&world, REGISTRY, "init", &args, "already been initialized");
    assert_eq!(world.view("get_owner", &json!({})).value, REGISTRY);
}

fn only_admins_change_the_settings(version: u32) {
    let world = World::open(version);
    let settings = |age: u64, limit: u64| json!({"max_block_age": age, "enabled": true, "max_authenticators_per_account": limit});
    let shown = || world.view("get_vrf_settings", &json!({})).value;
    let set = "set_vrf_settings";
    assert_eq!(shown(), settings(MAX_BLOCK_AGE, 10));
    let args = json!({"settings": settings(300, 5)});
    assert_ends(&world, RELAYER, set, &args, "only an admin");
    world.expect(REGISTRY, set, &args);
    assert_eq!(shown(), settings(300, 5));
    for (settings, message) in [
        (settings(0, 10), "max_block_age must be above 0"),
        (
            settings(20, 0),
            "max_authenticators_per_account must be above 0",
        ),
        (json!({"max_block_age": 1}), "missing field `enabled`"),
    ] {
        assert_ends(
            &world,
            REGISTRY,
            set,
            &json!({"settings": settings}),
            message,
        );
    }
}

fn the_owner_appoints_admins_and_the_next_owner(version: u32) {
    let world = World::open(version);
    let is_admin = |account: &str| {
        let args = json!({"account_id": account});
        world.view("is_admin", &args).value == true
    };
    let relayer = json!({"account_id": RELAYER});
    assert_eq!((is_admin(REGISTRY), is_admin(RELAYER)), (true, false));
    assert_ends(&world, RELAYER, "add_admin", &relayer, "only the owner");
    assert_eq!(world.expect(REGISTRY, "add_admin", &relayer), true);
    assert_eq!(world.expect(REGISTRY, "add_admin", &relayer), false);
    assert_eq!(world.view("get_admins", &json!({})).value, json!([RELAYER]));

    // An admin maintains the lists but cannot appoint admins or the owner.
    let origin = json!({"origin": "https://a.example"});
    world.expect(RELAYER, "add_allowed_origin", &origin);
    for (method, args) in [
        ("add_admin", json!({"account_id": "testnet"})),
        ("remove_admin", relayer.clone()),
        ("transfer_ownership", json!({"new_owner": RELAYER})),
    ] {
        assert_ends(&world, RELAYER, method, &args, "only the owner");
    }
    assert_eq!(world.expect(REGISTRY, "remove_admin", &relayer), true);
    assert_eq!(world.expect(REGISTRY, "remove_admin", &relayer), false);
    let none = json!({"origins": []});
    assert_ends(
        &world,
        RELAYER,
        "set_allowed_origins",
        &none,
        "only an admin",
    );

    let testnet = json!({"new_owner": "testnet"});
    world.expect(REGISTRY, "transfer_ownership", &testnet);
    assert_eq!(world.view("get_owner", &json!({})).value, "testnet");
    assert_eq!((is_admin(REGISTRY), is_admin("testnet")), (false, true));
    assert_ends(&world, REGISTRY, "add_admin", &relayer, "only the owner");
}

fn there_are_100_admins_and_no_more(version: u32) {
    let world = World::open(version);
    for n in 0..100 {
        let args = json!({"account_id": format!("admin{n}.testnet")});
        assert_eq!(world.expect(REGISTRY, "add_admin", &args), true);
    }
    let args = json!({"account_id": RELAYER});
    assert_ends(&world, REGISTRY, "add_admin", &args, "100 admins already");
}
