//! Invariants after any sequence of transactions.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::*;
use latchkey_devnet::Chain;
use near_primitives::account::Account;
use near_primitives::deterministic_account_id::DeterministicAccountStateInit;
use near_primitives::transaction::{Action, SignedTransaction};
use near_primitives::universal_state_init::UniversalStateInit;
use proptest::prelude::*;

const NAMES: [&str; 4] = [ALICE, BOB, "sub.bob.testnet", "nobody.testnet"];

/// The name of the gas key of any account.
const GAS_KEY: &str = "a gas key";

/// The account with BOB's global contract and a state that costs 0.01 NEAR.
fn derived() -> DeterministicAccountStateInit {
    state_init(by_account(BOB), &[("k", &[7; 1_000])])
}

/// The universal account of the keys of ALICE and of BOB.
fn universal() -> UniversalStateInit {
    with_keys(&[key(ALICE), key(BOB)])
}

fn receiver(index: usize) -> String {
    match NAMES.get(index) {
        Some(name) => (*name).to_owned(),
        None if index == NAMES.len() => derived_name(&derived()),
        None => universal_name(&universal()),
    }
}

fn action() -> impl Strategy<Value = Action> {
    let amount = (0u128..60).prop_map(near);
    prop_oneof![
        amount.clone().prop_map(transfer),
        Just(create()),
        Just(deploy(test_contract())),
        Just(publish_by_hash(test_contract())),
        Just(publish_by_account(test_contract())),
        Just(adopt(by_hash(&test_contract()))),
        (0usize..4).prop_map(|name| adopt(by_account(NAMES[name]))),
        amount
            .clone()
            .prop_map(|deposit| state_init_action(&derived(), deposit)),
        amount
            .clone()
            .prop_map(|deposit| initialise_universal(&universal(), deposit)),
        (0usize..6).prop_map(|name| delete_account(&receiver(name))),
        (0usize..4).prop_map(|name| add_full_key(&key(NAMES[name]))),
        (0usize..4).prop_map(|name| delete_key(&key(NAMES[name]))),
        (1u16..4).prop_map(|lanes| add_gas_key(&key(GAS_KEY), lanes)),
        Just(delete_key(&key(GAS_KEY))),
        (0u128..4).prop_map(|amount| fill_gas_key(&key(GAS_KEY), near(amount))),
        (0u128..4).prop_map(|amount| withdraw(&key(GAS_KEY), near(amount))),
        (
            prop::sample::select(vec![
                "set",
                "echo",
                "fail",
                "call_then",
                "weights",
                "absent"
            ]),
            prop::sample::select(vec!["echo", "fail"]),
            1u64..200,
            amount
        )
            .prop_map(|(method, args, gas, deposit)| call_with(
                method,
                args.as_bytes(),
                gas,
                deposit
            )),
    ]
}

/// Checks the storage usage of each account.
fn check_storage(chain: &Chain) {
    let state = chain.state_root_dump();
    // Column 0 holds the accounts, 1 the code, 2 the keys, 9 the contracts' data.
    for (account_key, account) in state.iter().filter(|(key, _)| key[0] == 0) {
        let account: Account = borsh::from_slice(account).unwrap();
        let name = &account_key[1..];
        let below = |column: u8, separator: &'static [u8]| {
            let prefix = [&[column], name, separator].concat();
            state
                .iter()
                .filter(move |(key, _)| key.starts_with(&prefix))
                .map(move |(key, value)| {
                    (key.len() - 1 - name.len() - separator.len(), value.len())
                })
        };
        let code: usize = state.get(&[&[1], name].concat()).map_or(0, Vec::len);
        let keys: usize = below(2, &[2]).map(|(key, value)| key + value + 40).sum();
        let data: usize = below(9, b",").map(|(key, value)| key + value + 40).sum();
        let own = (100 + code + keys + data) as u64;
        let global = account.contract().identifier_storage_usage();
        assert_eq!(account.storage_usage(), own + global);
    }
}

/// Signs a transaction of the universal account to itself: with its key, or as its bootstrap.
fn sign_universal(chain: &Chain, mut actions: Vec<Action>) -> Option<SignedTransaction> {
    let name = universal_name(&universal());
    let account = chain.view_account(&id(&name)).ok()?;
    match account.bootstrap_nonce {
        None => chain.sign(&name, &key(ALICE), &name, actions).ok(),
        Some(nonce) => {
            actions.insert(0, initialise_universal(&universal(), near(0)));
            let key = key(ALICE);
            Some(sign_as(chain, &name, &key, &name, nonce + 1, actions))
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Only burning changes the supply, and every stored byte counts towards an account.
    #[test]
    fn tokens_and_bytes_add_up(
        version in 84u32..=88,
        steps in prop::collection::vec(
            (0usize..3, 0usize..6, prop::collection::vec(action(), 1..4), prop::option::of(0u16..3)),
            1..12,
        ),
    ) {
        let chain = open_at(version);
        deploy_test_contract(&chain, BOB);
        deployed(&chain, BOB, vec![publish_by_account(test_contract())]);
        if version >= 85 {
            for name in [ALICE, BOB] {
                let actions = vec![add_gas_key(&key(GAS_KEY), 2), fill_gas_key(&key(GAS_KEY), near(1))];
                value(&run(&chain, name, name, actions));
            }
        }
        for (signer, to, actions, lane) in steps {
            let to = receiver(to);
            let signed = match (NAMES.get(signer), lane) {
                // The third signer is the universal account, in a bootstrap or with its own key.
                (Some(&"sub.bob.testnet") | None, _) => sign_universal(&chain, actions),
                (Some(name), None) => chain.sign(name, &key(name), &to, actions).ok(),
                (Some(name), Some(lane)) => {
                    try_sign_on_lane(&chain, name, &key(GAS_KEY), lane, &to, actions)
                }
            };
            let Some(signed) = signed else {
                // The signer has no such key, or no such lane.
                continue;
            };
            // A refused transaction changes nothing; an accepted one may fail.
            drop(chain.run(signed));
            prop_assert_eq!(held(&chain), chain.total_supply());
            check_storage(&chain);
        }
    }
}
