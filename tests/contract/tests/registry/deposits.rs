//! The cost of a registration, to the yocto: the storage of its record and of one link.

use latchkey_contract_tests::{
    DEPOSIT, Edit, Method, Passkey, RELAYER, STORAGE_BYTE_COST, WANT_ONE_YOCTO, World,
    at_each_protocol,
};
use latchkey_devnet::{REGISTRY, development_key};
use near_primitives::action::{Action, CreateAccountAction, DeleteAccountAction, TransferAction};
use near_primitives::types::Balance;
use serde_json::{Value, json};

use crate::{ALICE, invariants, with_alice};

at_each_protocol![
    a_new_account_pays_for_its_record_and_for_one_link,
    a_further_device_pays_for_its_record,
    a_removal_refunds_the_cost_of_the_record,
    a_deposit_below_the_cost_is_refused_and_the_cost_is_enough,
    a_device_s_deposit_below_its_cost_is_refused_and_the_cost_is_enough,
    the_registration_cost_covers_the_largest_record,
    a_registry_without_its_own_tokens_serves_everyone,
    other_methods_accept_no_deposit,
    no_app_key_can_sign_what_wants_one_yocto_s76,
    the_deposit_of_a_deleted_caller_stays_with_the_registry,
];

fn cost(bytes: u64) -> u128 {
    u128::from(bytes) * STORAGE_BYTE_COST
}

fn a_new_account_pays_for_its_record_and_for_one_link(version: u32) {
    let world = World::open(version);
    let alice = Passkey::new(ALICE);
    let relayer = world.balance(RELAYER);
    let (surplus, stored) = (world.surplus(), world.storage_usage());

    let outcome = world.register(&alice);

    let charged = DEPOSIT - world.balance(ALICE);
    let prepaid = charged - cost(world.storage_usage() - stored);
    assert_eq!(
        relayer - world.balance(RELAYER),
        DEPOSIT + outcome.tokens_burnt,
        "the caller pays no more than the deposit"
    );
    if version >= 87 {
        assert_eq!(
            world.surplus() - surplus,
            prepaid,
            "the registry keeps no more"
        );
    } else {
        assert!(
            world.surplus() - surplus >= prepaid,
            "it gets a gas reward too"
        );
    }

    // The payment beyond the record is the cost of a link.
    world.fund(ALICE);
    let stored = world.storage_usage();
    world.store_mapping(ALICE, &development_key("device 2").public_key());
    assert_eq!(cost(world.storage_usage() - stored), prepaid);
}

fn a_further_device_pays_for_its_record(version: u32) {
    let world = with_alice(version);
    let (balance, stored) = (world.balance(ALICE), world.storage_usage());
    let outcome = world.link(&Passkey::another(ALICE, "second"), 2);
    let cost = cost(world.storage_usage() - stored);
    assert_eq!(balance - world.balance(ALICE), cost + outcome.tokens_burnt);
}

fn a_removal_refunds_the_cost_of_the_record(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    let stored = world.storage_usage();
    world.link(&second, 2);
    let cost = cost(world.storage_usage() - stored);

    let balance = world.balance(ALICE);
    let args = json!({"credential_id": second.credential_id()});
    let outcome = world.call(ALICE, "remove_authenticator", &args, 1);
    assert_eq!(outcome.result, Ok(json!(true)));
    // Beyond gas it costs the 1 yoctoNEAR that it wants.
    assert_eq!(
        world.balance(ALICE) + outcome.tokens_burnt + 1,
        balance + cost
    );
    assert_eq!(world.storage_usage(), stored);
}

/// The cost that the refusal of a 1-yocto deposit names.
fn needed(world: &World, signer: &str, method: Method, args: &Value) -> u128 {
    let outcome = world.call(signer, method.name(), args, 1);
    assert_eq!(outcome.result, Ok(method.refusal()));
    let log = outcome.logs.concat();
    let (_, rest) = log.split_once("storage: ").unwrap();
    let (needed, _) = rest.split_once(' ').unwrap();
    needed.parse().unwrap()
}

fn a_deposit_below_the_cost_is_refused_and_the_cost_is_enough(version: u32) {
    let world = World::open(version);
    let alice = Passkey::new(ALICE);
    let args = || alice.registration(&world.chain.head(), Edit::None);
    let needed = needed(&world, RELAYER, Method::Register, &args());

    // A deposit of exactly the cost creates an account without a balance.
    let reason = "deposit does not cover";
    world.expect_refused_with(RELAYER, Method::Register, &args(), needed - 1, reason);
    let outcome = world.call(RELAYER, Method::Register.name(), &args(), needed);
    assert_eq!(outcome.result.unwrap()["verified"], true);
    assert_eq!(world.balance(ALICE), 0);
}

fn a_device_s_deposit_below_its_cost_is_refused_and_the_cost_is_enough(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    let args = second.linking(&world.chain.head(), 2, Edit::None);
    let needed = needed(&world, ALICE, Method::Link, &args);
    let reason = "deposit does not cover";
    for deposit in [0, needed - 1] {
        world.expect_refused_with(ALICE, Method::Link, &args, deposit, reason);
    }
    let balance = world.balance(ALICE);
    let outcome = world.call(ALICE, Method::Link.name(), &args, needed);
    assert_eq!(outcome.result.unwrap()["verified"], true);
    assert_eq!(
        balance - world.balance(ALICE),
        needed + outcome.tokens_burnt
    );
}

fn the_registration_cost_covers_the_largest_record(version: u32) {
    let world = World::open(version);
    let answer = world.view("get_registration_cost", &json!({})).value;
    let cost: u128 = answer.as_str().unwrap().parse().unwrap();
    let name = format!("{}.{REGISTRY}", "a".repeat(57 - REGISTRY.len()));
    assert_eq!(name.len(), 58);
    let mut large = Passkey::new(&name);
    large.authenticator.credential_id = vec![3; 1_023];
    let many_origins = Edit::Sent(|args| {
        let origins: Vec<String> = (0..9)
            .map(|n| format!("https://{}{n}.wallet.example", "a".repeat(50)))
            .chain([
                format!("https://{}.wallet.example", "b".repeat(25)),
                Passkey::ORIGIN.to_owned(),
            ])
            .collect();
        args["authenticator_options"] = json!({"origin_policy": {"multiple": origins}});
    });
    let args = large.registration(&world.chain.head(), many_origins);
    let outcome = world.call(RELAYER, Method::Register.name(), &args, cost);
    assert_eq!(
        outcome.result.unwrap()["verified"],
        true,
        "{:?}",
        outcome.logs
    );
    // An existing account may have a name of 64 characters, which its record and its link hold three times.
    let longer_name = 3 * (64 - 58) * STORAGE_BYTE_COST;
    assert_eq!(world.balance(&name), longer_name, "what is left");

    let [_, callback, ..] = outcome.registry_gas[..] else {
        panic!("no callback")
    };
    let teragas = callback as f64 / 1e12;
    assert!(
        teragas < 5.0,
        "the callback has 10 Tgas, and took {teragas:.2}"
    );
}

/// No account can exhaust the registry for others, because each pays for its own storage.
fn a_registry_without_its_own_tokens_serves_everyone(version: u32) {
    const TENTH_OF_A_NEAR: u128 = DEPOSIT;
    let world = World::open(version);
    let deposit = Balance::from_yoctonear(world.surplus() - TENTH_OF_A_NEAR);
    let transfer = Action::Transfer(TransferAction { deposit });
    let sent = world.run(world.sign_actions(REGISTRY, RELAYER, vec![transfer]));
    sent.result.unwrap();
    let own = world.surplus();
    assert!(own <= TENTH_OF_A_NEAR);

    let accounts: Vec<String> = (0..15).map(|n| format!("a{n}.{REGISTRY}")).collect();
    for account in &accounts {
        world.register(&Passkey::new(account));
        world.fund(account);
        for device in ["one", "two"] {
            let key = development_key(&format!("{device} of {account}")).public_key();
            world.store_mapping(account, &key);
            assert_eq!(world.mapping(&key), json!([account, 1]));
        }
    }
    let ids: Vec<&str> = accounts.iter().map(String::as_str).collect();
    let prepaid = invariants::hold(&world, &ids);
    let left = world.surplus() - prepaid;
    if version >= 87 {
        assert_eq!(left, own + 30, "1 yoctoNEAR for each mapping");
    } else {
        assert!(left >= own, "with a gas reward");
    }
}

fn other_methods_accept_no_deposit(version: u32) {
    let world = World::open(version);
    for method in [
        "init",
        "set_greeting",
        "cleanup_device_linking",
        "on_link_expired",
        "on_account_created",
    ] {
        let called = world.call(REGISTRY, method, &json!({}), 1);
        let failure = called.result.unwrap_err();
        assert!(
            failure.contains("doesn't accept deposit"),
            "{method}: {failure}"
        );
    }
}

/// A function-call key can attach no deposit, so an app that holds one of an account, or of an admin, can
/// neither remove a device nor link one nor change the lists.
fn no_app_key_can_sign_what_wants_one_yocto_s76(version: u32) {
    let world = with_alice(version);
    let args = json!({
        "account_id": RELAYER,
        "credential_id": Passkey::new(ALICE).credential_id(),
        "device_public_key": development_key("device 2").public_key().to_string(),
        "new_owner": RELAYER,
        "origin": "https://a.example",
        "origins": [],
        "settings": {"max_block_age": 20, "enabled": false, "max_authenticators_per_account": 3},
        "target_account_id": ALICE,
    });
    for method in WANT_ONE_YOCTO {
        let of_account = ["store_device_linking_mapping", "remove_authenticator"];
        let caller = if of_account.contains(&method) {
            ALICE
        } else {
            REGISTRY
        };
        for deposit in [0, 2] {
            let state = world.snapshot(caller);
            let failure = world
                .call(caller, method, &args, deposit)
                .result
                .unwrap_err();
            assert!(
                failure.contains("exactly 1 yoctoNEAR"),
                "{method}: {failure}"
            );
            assert!(world.snapshot(caller) == state, "{method}");
        }
    }
}

/// The creation fails after the caller has deleted its account, so no one can take the deposit back.
fn the_deposit_of_a_deleted_caller_stays_with_the_registry(version: u32) {
    let world = World::open(version);
    let actions = vec![Action::CreateAccount(CreateAccountAction {})];
    let made = world.run(world.sign_actions(REGISTRY, ALICE, actions));
    made.result.unwrap();
    let (surplus, stored) = (world.surplus(), world.registry_storage());

    let args = Passkey::new(ALICE).registration(&world.chain.head(), Edit::None);
    let call = world.sign("testnet", Method::Register.name(), &args, DEPOSIT);
    let id = world.chain.submit(call).unwrap();
    // The deletion needs the next nonce, so the chain must have seen the call.
    world.chain.produce_block().unwrap();
    let deletion = Action::DeleteAccount(DeleteAccountAction {
        beneficiary_id: RELAYER.parse().unwrap(),
    });
    let deletion = world.sign_actions("testnet", "testnet", vec![deletion]);
    world.chain.submit(deletion).unwrap();
    world.chain.settle().unwrap();

    assert!(!world.exists("testnet"));
    assert_eq!(world.outcome(&id).result, Ok(Method::Register.refusal()));
    assert!(world.registry_storage() == stored, "nothing stays reserved");
    if version >= 87 {
        assert_eq!(world.surplus() - surplus, DEPOSIT);
    } else {
        assert!(
            world.surplus() - surplus >= DEPOSIT,
            "it gets a gas reward too"
        );
    }
}
