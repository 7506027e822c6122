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
use near_primitives::transaction::Action;
use near_primitives::types::Balance;
use proptest::prelude::*;

const NAMES: [&str; 4] = [ALICE, BOB, "sub.bob.testnet", "nobody.testnet"];

/// The account with BOB's global contract and a state that costs 0.01 NEAR.
fn derived() -> DeterministicAccountStateInit {
    state_init(by_account(BOB), &[("k", &[7; 1_000])])
}

fn receiver(index: usize) -> String {
    NAMES
        .get(index)
        .map_or_else(|| derived_name(&derived()), |name| (*name).to_owned())
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
        (0usize..4).prop_map(|name| delete_account(NAMES[name])),
        (0usize..4).prop_map(|name| add_full_key(&key(NAMES[name]))),
        (0usize..4).prop_map(|name| delete_key(&key(NAMES[name]))),
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

/// Sums the balances of all accounts and checks the storage usage of each.
fn held(chain: &Chain) -> Balance {
    let state = chain.state_root_dump();
    let mut sum = Balance::ZERO;
    // Column 0 holds the accounts, 1 the code, 2 the keys, 9 the contracts' data.
    for (account_key, account) in state.iter().filter(|(key, _)| key[0] == 0) {
        let account: Account = borsh::from_slice(account).unwrap();
        sum = sum
            .checked_add(account.amount())
            .unwrap()
            .checked_add(account.locked())
            .unwrap();
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
    sum
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Only burning changes the supply, and every stored byte counts towards an account.
    #[test]
    fn tokens_and_bytes_add_up(
        version in 84u32..=88,
        steps in prop::collection::vec(
            (0usize..2, 0usize..5, prop::collection::vec(action(), 1..4)),
            1..12,
        ),
    ) {
        let chain = open_at(version);
        deploy_test_contract(&chain, BOB);
        deployed(&chain, BOB, vec![publish_by_account(test_contract())]);
        for (signer, to, actions) in steps {
            let Ok(signed) = chain.sign(NAMES[signer], &key(NAMES[signer]), &receiver(to), actions) else {
                // The signer deleted its key or its account.
                continue;
            };
            // A refused transaction changes nothing; an accepted one may fail.
            drop(chain.run(signed));
            prop_assert_eq!(held(&chain), chain.total_supply());
        }
    }
}
