//! What a registration costs, to the yocto: the storage that it takes, and that of one link.

use latchkey_contract_tests::{
    DEPOSIT, Edit, Method, Passkey, RELAYER, STORAGE_BYTE_COST, World, at_each_protocol,
};
use latchkey_devnet::{REGISTRY, development_key};
use near_primitives::action::{Action, TransferAction};
use near_primitives::types::Balance;
use serde_json::json;

use crate::{ALICE, invariants, with_alice};

at_each_protocol![
    a_new_account_pays_for_its_record_and_for_one_link,
    a_further_device_pays_for_its_record,
    a_removal_returns_what_the_record_cost,
    a_deposit_below_the_cost_is_refused_and_the_cost_is_enough,
    a_device_s_deposit_below_its_cost_is_refused,
    the_registration_cost_covers_the_largest_record,
    a_registry_without_tokens_of_its_own_serves_everyone,
    no_method_but_a_registration_takes_a_deposit,
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

    // What was paid beyond the record is what a link takes.
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

fn a_removal_returns_what_the_record_cost(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    let stored = world.storage_usage();
    world.link(&second, 2);
    let cost = cost(world.storage_usage() - stored);

    let balance = world.balance(ALICE);
    let args = json!({"credential_id": second.credential_id()});
    let outcome = world.call(ALICE, "remove_authenticator", &args, 0);
    assert_eq!(outcome.result, Ok(json!(true)));
    assert_eq!(world.balance(ALICE) + outcome.tokens_burnt, balance + cost);
    assert_eq!(world.storage_usage(), stored);
}

fn a_deposit_below_the_cost_is_refused_and_the_cost_is_enough(version: u32) {
    let world = World::open(version);
    let alice = Passkey::new(ALICE);
    let args = || alice.registration(&world.chain.head(), Edit::None);
    let outcome = world.call(RELAYER, Method::Register.name(), &args(), 1);
    assert_eq!(outcome.result, Ok(Method::Register.refusal()));
    let log = outcome.logs.concat();
    let (_, rest) = log.split_once("storage: ").unwrap();
    let (needed, _) = rest.split_once(' ').unwrap();
    let needed: u128 = needed.parse().unwrap();

    // Exactly the cost makes an account with nothing on it.
    let reason = "deposit does not cover";
    world.expect_refused_with(RELAYER, Method::Register, &args(), needed - 1, reason);
    let outcome = world.call(RELAYER, Method::Register.name(), &args(), needed);
    assert_eq!(outcome.result.unwrap()["verified"], true);
    assert_eq!(world.balance(ALICE), 0);
}

fn a_device_s_deposit_below_its_cost_is_refused(version: u32) {
    let world = with_alice(version);
    let second = Passkey::another(ALICE, "second");
    let args = second.linking(&world.chain.head(), 2, Edit::None);
    let reason = "deposit does not cover";
    for deposit in [0, 1] {
        world.expect_refused_with(ALICE, Method::Link, &args, deposit, reason);
    }
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
            .map(|n| format!("https://{}{n}.wallet.example", "a".repeat(40)))
            .chain([Passkey::ORIGIN.to_owned()])
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
    let taken = cost - world.balance(&name);
    println!("the largest record costs {cost}, this one {taken}");
    assert!(taken > cost / 4 * 3, "{taken} of {cost}");

    let [_, callback, ..] = outcome.registry_gas[..] else {
        panic!("no callback")
    };
    let teragas = callback as f64 / 1e12;
    assert!(
        teragas < 5.0,
        "the callback has 10 Tgas, and took {teragas:.2}"
    );
}

/// Whatever accounts do, others find the registry able to serve them: each pays for its own storage.
fn a_registry_without_tokens_of_its_own_serves_everyone(version: u32) {
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
        assert_eq!(left, own);
    } else {
        assert!(left >= own, "with a gas reward");
    }
}

fn no_method_but_a_registration_takes_a_deposit(version: u32) {
    let world = World::open(version);
    let called = world.call(RELAYER, "set_greeting", &json!({"greeting": "hi"}), 1);
    let failure = called.result.unwrap_err();
    assert!(failure.contains("doesn't accept deposit"), "{failure}");
}
