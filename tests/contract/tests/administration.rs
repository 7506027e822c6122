//! Greeting, owner, admins, settings and the two lists, on the chain's VM.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use latchkey_contract_tests::{MAX_BLOCK_AGE, PROTOCOL_VERSIONS, Passkey, RELAYER, World};
use latchkey_devnet::REGISTRY;
use near_primitives::action::{Action, DeployContractAction, FunctionCallAction};
use near_primitives::types::{Balance, Gas};
use serde_json::{Value, json};

/// Calls a method that must succeed.
#[track_caller]
fn call(world: &World, signer: &str, method: &str, args: Value) -> Value {
    world.call(signer, method, &args, 0).result.unwrap()
}

/// Calls a method that must end with a message and change nothing.
#[track_caller]
fn assert_ends(world: &World, signer: &str, method: &str, args: &Value, message: &str) {
    let state = world.snapshot(signer);
    let failure = world.call(signer, method, args, 0).result.unwrap_err();
    assert!(failure.contains(message), "{method} {args}: {failure}");
    assert!(
        world.snapshot(signer) == state,
        "{method} {args} changed the state"
    );
}

#[test]
fn anyone_sets_the_greeting() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        let greeting = || world.view("get_greeting", &json!({})).value;
        assert_eq!(greeting(), "Hello");
        call(
            &world,
            RELAYER,
            "set_greeting",
            json!({"greeting": "hi, \u{1f511}"}),
        );
        assert_eq!(greeting(), "hi, \u{1f511}");
        call(
            &world,
            RELAYER,
            "set_greeting",
            json!({"greeting": "x".repeat(280)}),
        );
        let long = json!({"greeting": "\u{e9}".repeat(141)});
        assert_ends(&world, RELAYER, "set_greeting", &long, "at most 280 bytes");
        assert_ends(
            &world,
            RELAYER,
            "set_greeting",
            &json!({"text": "hi"}),
            "missing field `greeting`",
        );
        assert_eq!(greeting(), "x".repeat(280));
    }
}

#[test]
fn no_method_but_a_registration_takes_a_deposit() {
    let world = World::open(88);
    let failure = world
        .call(RELAYER, "set_greeting", &json!({"greeting": "hi"}), 1)
        .result
        .unwrap_err();
    assert!(failure.contains("doesn't accept deposit"), "{failure}");
}

#[test]
fn is_set_up_once_and_by_its_own_account() {
    let world = World::open(88);
    assert_ends(
        &world,
        RELAYER,
        "init",
        &json!({"owner_id": RELAYER}),
        "private",
    );
    let again = world
        .call(REGISTRY, "init", &json!({}), 0)
        .result
        .unwrap_err();
    assert!(again.contains("already been initialized"), "{again}");
    assert_eq!(world.view("get_owner", &json!({})).value, REGISTRY);
}

#[test]
fn admins_alone_migrate_and_state_of_this_version_stays_as_it_is() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        world.register(&Passkey::new("alice.w3a-v1.testnet"));
        assert_ends(&world, RELAYER, "migrate", &json!({}), "only an admin");

        call(
            &world,
            REGISTRY,
            "add_admin",
            json!({"account_id": RELAYER}),
        );
        let state = world.snapshot(RELAYER);
        call(&world, RELAYER, "migrate", json!({}));
        assert!(world.snapshot(RELAYER) == state);
    }
}

#[test]
fn migrates_nothing_where_nothing_was_set_up() {
    let world = World::open(88);
    let wasm = concat!(env!("CARGO_MANIFEST_DIR"), "/../../build/registry.wasm");
    let deploy = Action::DeployContract(DeployContractAction {
        code: std::fs::read(wasm).unwrap(),
    });
    let migrate = Action::FunctionCall(Box::new(FunctionCallAction {
        method_name: "migrate".to_owned(),
        args: Vec::new(),
        gas: Gas::from_teragas(30),
        deposit: Balance::ZERO,
    }));
    let outcome = world.run(world.sign_actions("testnet", "testnet", vec![deploy, migrate]));
    let failure = outcome.result.unwrap_err();
    assert!(failure.contains("no state to migrate"), "{failure}");
}

#[test]
fn admins_alone_change_the_settings() {
    for version in PROTOCOL_VERSIONS {
        let world = World::open(version);
        let settings = |age: u64| json!({"max_block_age": age, "enabled": true, "max_authenticators_per_account": 10});
        assert_eq!(
            world.view("get_vrf_settings", &json!({})).value,
            settings(MAX_BLOCK_AGE)
        );
        let args = json!({"settings": settings(300)});
        assert_ends(&world, RELAYER, "set_vrf_settings", &args, "only an admin");
        call(&world, REGISTRY, "set_vrf_settings", args);
        assert_eq!(
            world.view("get_vrf_settings", &json!({})).value,
            settings(300)
        );
        let args = json!({"settings": settings(0)});
        assert_ends(
            &world,
            REGISTRY,
            "set_vrf_settings",
            &args,
            "max_block_age must be above 0",
        );
        let args = json!({"settings": {"max_block_age": 1}});
        assert_ends(
            &world,
            REGISTRY,
            "set_vrf_settings",
            &args,
            "missing field `enabled`",
        );
    }
}

#[test]
fn the_owner_names_admins_and_the_next_owner() {
    let world = World::open(88);
    let is_admin = |account: &str| {
        world
            .view("is_admin", &json!({"account_id": account}))
            .value
    };
    let relayer = json!({"account_id": RELAYER});
    assert_eq!(
        (is_admin(REGISTRY), is_admin(RELAYER)),
        (json!(true), json!(false))
    );
    assert_ends(&world, RELAYER, "add_admin", &relayer, "only the owner");
    assert_eq!(call(&world, REGISTRY, "add_admin", relayer.clone()), true);
    assert_eq!(call(&world, REGISTRY, "add_admin", relayer.clone()), false);
    assert_eq!(world.view("get_admins", &json!({})).value, json!([RELAYER]));

    // An admin keeps the lists but names nobody.
    call(
        &world,
        RELAYER,
        "add_allowed_origin",
        json!({"origin": "https://a.example"}),
    );
    assert_ends(
        &world,
        RELAYER,
        "add_admin",
        &json!({"account_id": "testnet"}),
        "only the owner",
    );
    assert_ends(
        &world,
        RELAYER,
        "transfer_ownership",
        &json!({"new_owner": RELAYER}),
        "only the owner",
    );
    assert_eq!(
        call(&world, REGISTRY, "remove_admin", relayer.clone()),
        true
    );
    assert_eq!(call(&world, REGISTRY, "remove_admin", relayer), false);
    assert_ends(
        &world,
        RELAYER,
        "set_allowed_origins",
        &json!({"origins": []}),
        "only an admin",
    );

    call(
        &world,
        REGISTRY,
        "transfer_ownership",
        json!({"new_owner": "testnet"}),
    );
    assert_eq!(world.view("get_owner", &json!({})).value, "testnet");
    assert_eq!(
        (is_admin(REGISTRY), is_admin("testnet")),
        (json!(false), json!(true))
    );
}

#[test]
fn lists_hold_canonical_origins() {
    for (noun, version) in [
        ("origin", PROTOCOL_VERSIONS[0]),
        ("host", PROTOCOL_VERSIONS[1]),
    ] {
        let world = World::open(version);
        let [add, remove] = ["add", "remove"].map(|verb| format!("{verb}_allowed_{noun}"));
        let [get, set] = ["get", "set"].map(|verb| format!("{verb}_allowed_{noun}s"));
        let listed = || world.view(&get, &json!({})).value;
        assert_eq!(listed(), json!([]));

        for (given, canonical) in [
            ("https://B.Example", "https://b.example"),
            ("https://a.example:8443", "https://a.example:8443"),
            ("https://c.example:443", "https://c.example"),
            (
                "https://xn--bcher-kva.example",
                "https://xn--bcher-kva.example",
            ),
            ("http://localhost:5173", "http://localhost:5173"),
            ("http://app.localhost", "http://app.localhost"),
            ("http://127.0.0.1:5173", "http://127.0.0.1:5173"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
        ] {
            let origin = json!({"origin": given});
            assert_eq!(
                call(&world, REGISTRY, &add, origin.clone()),
                true,
                "{given}"
            );
            assert_eq!(
                call(&world, REGISTRY, &add, json!({"origin": canonical})),
                false,
                "{given}"
            );
            assert_eq!(listed(), json!([canonical]), "{given}");
            assert_eq!(
                call(&world, REGISTRY, &remove, origin.clone()),
                true,
                "{given}"
            );
            assert_eq!(call(&world, REGISTRY, &remove, origin), false, "{given}");
        }

        let too_long = format!("https://{}.example", "a.".repeat(130));
        for refused in [
            "",
            "a.example",
            "https://",
            "ftp://a.example",
            "http://a.example",
            "http://127.0.0.2",
            "https://a.example/",
            "https://a.example/path",
            "https://a.example?q",
            "https://a.example#f",
            "https://*.example",
            "https://a b",
            "https://.a.example",
            "https://a.example.",
            "https://-a.example",
            "https://a-.example",
            "https://a.example-",
            "https://a..example",
            "https://a_b.example",
            "https://user@a.example",
            "https://a.example:0",
            "https://a.example:65536",
            "https://a.example:",
            "https://a.example:+1",
            "http://127.0.0.1.example",
            "http://localhost.example",
            "https://b\u{fc}cher.example",
            "null",
            too_long.as_str(),
        ] {
            assert_ends(
                &world,
                REGISTRY,
                &add,
                &json!({"origin": refused}),
                "not an origin",
            );
        }

        let origins =
            json!({"origins": ["https://b.example", "https://A.example", "https://b.example"]});
        assert_eq!(call(&world, REGISTRY, &set, origins.clone()), true);
        assert_eq!(listed(), json!(["https://a.example", "https://b.example"]));
        for (method, args) in [
            (&add, json!({"origin": "https://c.example"})),
            (&remove, json!({"origin": "https://a.example"})),
            (&set, origins),
        ] {
            assert_ends(&world, RELAYER, method, &args, "only an admin");
        }
        // One list says nothing about the other.
        let other = if noun == "origin" {
            "get_allowed_hosts"
        } else {
            "get_allowed_origins"
        };
        assert_eq!(world.view(other, &json!({})).value, json!([]));
    }
}

#[test]
fn a_list_holds_5000_origins_and_no_more() {
    let world = World::open(88);
    let origins = |count: usize| -> Vec<String> {
        (0..count)
            .map(|n| format!("https://a{n:05}.example"))
            .collect()
    };
    let replace = |count: usize| {
        let args = json!({"origins": origins(count)});
        world.run(world.sign_with_gas(REGISTRY, "set_allowed_origins", &args, 0, 300))
    };
    let outcome = replace(5_000);
    println!(
        "5000 origins burn {:.1} Tgas",
        outcome.gas_burnt as f64 / 1e12
    );
    assert_eq!(outcome.result.unwrap(), true);
    assert_eq!(
        world.view("get_allowed_origins", &json!({})).value,
        json!(origins(5_000))
    );
    let one_more = json!({"origin": "https://one-more.example"});
    assert_ends(
        &world,
        REGISTRY,
        "add_allowed_origin",
        &one_more,
        "at most 5000",
    );
    let failure = replace(5_001).result.unwrap_err();
    assert!(failure.contains("at most 5000"), "{failure}");
}
