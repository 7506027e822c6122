//! Deterministic accounts: accounts whose id follows from their code and first state.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::server::Server;
use common::*;
use latchkey_devnet::{Chain, ViewError};
use near_crypto::{InMemorySigner, Signer};
use near_primitives::action::delegate::{DelegateAction, NonDelegateAction, SignedDelegateAction};
use near_primitives::deterministic_account_id::DeterministicAccountStateInit;
use near_primitives::errors::ActionsValidationError;
use near_primitives::transaction::Action;
use near_primitives::types::Balance;
use near_primitives::views::FinalExecutionOutcomeView;
use serde_json::json;

const RELAYER: &str = "relayer.testnet";
/// The storage of an account that uses ALICE's global contract, and what an entry adds to its key and
/// its value.
const ACCOUNT: u64 = 100 + ALICE.len() as u64;
const ENTRY: u64 = 40;
/// What creating an account burns at least, from protocol 85.
const CREATION: Balance = Balance::from_millinear(7);

/// A chain on which ALICE has deployed the test contract as its global contract.
fn open_with_contract(protocol: u32) -> Chain {
    let chain = open_at(protocol);
    deployed(&chain, ALICE, vec![publish_by_account(test_contract())]);
    chain
}

/// The account with ALICE's contract and "first" under "k".
fn first() -> DeterministicAccountStateInit {
    state_init(by_account(ALICE), &[("k", b"first")])
}

/// One whose storage costs more than an account without balance may use.
fn large() -> DeterministicAccountStateInit {
    state_init(by_account(ALICE), &[("k", &[7; 1_000])])
}

fn initialise(
    chain: &Chain,
    state_init: &DeterministicAccountStateInit,
    deposit: Balance,
) -> FinalExecutionOutcomeView {
    let outcome = run(
        chain,
        ALICE,
        &derived_name(state_init),
        vec![state_init_action(state_init, deposit)],
    );
    chain.settle().unwrap();
    outcome
}

fn stored(chain: &Chain, account: &str) -> Vec<u8> {
    chain.view_call(&id(account), "get", b"").unwrap().result
}

fn spent(chain: &Chain, before: Balance) -> Balance {
    before.checked_sub(balance(chain, ALICE)).unwrap()
}

#[test]
fn the_action_creates_the_account_with_its_code_and_state() {
    for protocol in [84, 85, 86, 87, 88] {
        let chain = open_with_contract(protocol);
        let account = derived_name(&first());
        value(&initialise(&chain, &first(), Balance::ZERO));
        let view = chain.view_account(&id(&account)).unwrap();
        assert_eq!(view.global_contract_account_id, Some(id(ALICE)));
        assert_eq!(view.amount, Balance::ZERO);
        assert_eq!(view.storage_usage, ACCOUNT + ENTRY + 6);
        assert_eq!(stored(&chain, &account), b"first");

        value(&run(&chain, ALICE, &account, vec![call("set", b"then")]));
        assert_eq!(stored(&chain, &account), b"then");
        // The action leaves an account that has code as it is.
        value(&initialise(&chain, &first(), Balance::ZERO));
        assert_eq!(stored(&chain, &account), b"then");
    }
}

#[test]
fn the_account_keeps_what_its_storage_costs_and_the_rest_goes_back() {
    let chain = open_with_contract(88);
    let supply = chain.total_supply();
    let before = balance(&chain, ALICE);
    let outcome = initialise(&chain, &large(), near(1));
    let bytes = u128::from(ACCOUNT + ENTRY + 1_001);
    let stake = Balance::from_yoctonear(bytes * 10_000_000_000_000_000_000);
    assert_eq!(balance(&chain, &derived_name(&large())), stake);
    let cost = burnt(&outcome);
    assert_eq!(spent(&chain, before), cost.checked_add(stake).unwrap());
    assert_eq!(chain.total_supply(), supply.checked_sub(cost).unwrap());

    let before = balance(&chain, ALICE);
    let again = initialise(&chain, &large(), near(1));
    assert_eq!(spent(&chain, before), burnt(&again));
    assert_eq!(balance(&chain, &derived_name(&large())), stake);
}

#[test]
fn a_deposit_that_does_not_pay_for_the_storage_goes_back() {
    let chain = open_with_contract(88);
    let before = balance(&chain, ALICE);
    let outcome = initialise(&chain, &large(), Balance::from_millinear(1));
    let error = failure(&outcome);
    assert!(error.contains("LackBalanceForState"), "{error}");
    assert_eq!(spent(&chain, before), burnt(&outcome));
    assert!(matches!(
        chain.view_account(&id(&derived_name(&large()))),
        Err(ViewError::UnknownAccount)
    ));
    // A transfer after it can pay.
    let actions = vec![
        state_init_action(&large(), Balance::ZERO),
        transfer(near(1)),
    ];
    value(&run(&chain, ALICE, &derived_name(&large()), actions));
    assert_eq!(balance(&chain, &derived_name(&large())), near(1));
}

#[test]
fn creating_the_account_burns_the_charge_for_accounts_once() {
    for (protocol, charge) in [(84, Balance::ZERO), (85, CREATION), (88, CREATION)] {
        let chain = open_with_contract(protocol);
        assert!(burnt(&initialise(&chain, &first(), Balance::ZERO)) > charge);
        assert!(burnt(&initialise(&chain, &first(), Balance::ZERO)) < CREATION);
        let sent = |chain| {
            run(
                chain,
                ALICE,
                &derived_name(&large()),
                vec![transfer(near(1))],
            )
        };
        assert!(burnt(&sent(&chain)) > charge);
        assert!(burnt(&sent(&chain)) < CREATION);
    }
}

#[test]
fn the_fee_counts_entries_and_their_bytes() {
    let chain = open_with_contract(88);
    value(&initialise(&chain, &first(), Balance::ZERO));
    // The account exists, so only gas is burnt.
    let outcome = initialise(&chain, &first(), Balance::ZERO);
    let receipt = 2 * 108_059_500_000;
    let action = 500_000_000_000 + 7_430_000_000_000 + (72_000_000 + 70_000_000) * 6;
    let entry = 200_000_000_000;
    assert_eq!(
        burnt(&outcome),
        Balance::from_yoctonear((receipt + action + entry) * 100_000_000)
    );
}

#[test]
fn a_transfer_alone_creates_the_account_for_a_later_action() {
    let chain = open_with_contract(88);
    let account = derived_name(&first());
    let two = vec![transfer(near(1)), transfer(near(1))];
    let not_alone = failure(&run(&chain, ALICE, &account, two));
    assert!(not_alone.contains("AccountDoesNotExist"), "{not_alone}");
    let created = failure(&run(&chain, ALICE, &account, vec![create()]));
    assert!(
        created.contains("OnlyImplicitAccountCreationAllowed"),
        "{created}"
    );

    value(&run(&chain, ALICE, &account, vec![transfer(near(2))]));
    let view = chain.view_account(&id(&account)).unwrap();
    assert_eq!(view.storage_usage, 100);
    assert_eq!(view.global_contract_account_id, None);
    let called = failure(&run(&chain, ALICE, &account, vec![call("get", b"")]));
    assert!(called.contains("CodeDoesNotExist"), "{called}");

    value(&initialise(&chain, &first(), near(1)));
    assert_eq!(stored(&chain, &account), b"first");
    assert_eq!(balance(&chain, &account), near(2));
}

#[test]
fn nobody_acts_as_the_account_that_they_initialise() {
    let chain = open_with_contract(88);
    let account = derived_name(&first());
    let key = near_crypto::SecretKey::from_random(near_crypto::KeyType::ED25519);
    for action in [
        add_full_key(&key),
        deploy(test_contract()),
        adopt(by_account(ALICE)),
        delete_account(ALICE),
    ] {
        let actions = vec![state_init_action(&first(), Balance::ZERO), action];
        let error = failure(&run(&chain, ALICE, &account, actions));
        assert!(error.contains("ActorNoPermission"), "{error}");
    }
    // Calls are anybody's, and a failed receipt created nothing.
    let actions = vec![state_init_action(&first(), Balance::ZERO), call("get", b"")];
    assert_eq!(value(&run(&chain, ALICE, &account, actions)), b"first");
}

#[test]
fn an_account_without_a_global_contract_is_not_created() {
    let chain = open();
    let outcome = initialise(&chain, &first(), near(1));
    let error = failure(&outcome);
    assert!(error.contains("GlobalContractDoesNotExist"), "{error}");
    assert!(chain.view_account(&id(&derived_name(&first()))).is_err());
}

#[test]
fn refuses_another_receiver_and_entries_beyond_the_limits() {
    let chain = open();
    let refuse = |state_init: &DeterministicAccountStateInit| {
        let action = state_init_action(state_init, Balance::ZERO);
        refused_actions(&chain, &derived_name(state_init), vec![action])
    };
    assert_eq!(
        refused_actions(
            &chain,
            BOB,
            vec![state_init_action(&first(), Balance::ZERO)]
        ),
        ActionsValidationError::InvalidDeterministicStateInitReceiver {
            receiver_id: id(BOB),
            derived_id: id(&derived_name(&first())),
        }
    );
    assert_eq!(
        refuse(&state_init(by_account(ALICE), &[(&"k".repeat(2_049), b"")])),
        ActionsValidationError::DeterministicStateInitKeyLengthExceeded {
            length: 2_049,
            limit: 2_048
        }
    );
    assert_eq!(
        refuse(&state_init(by_account(ALICE), &[("k", &[0; 4_194_305])])),
        ActionsValidationError::DeterministicStateInitValueLengthExceeded {
            length: 4_194_305,
            limit: 4_194_304
        }
    );
}

#[test]
fn more_than_1500_entries_in_a_receipt_are_refused_from_protocol_87() {
    let names: Vec<String> = (0..1_501).map(|index| format!("{index}")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &[][..])).collect();
    let many = state_init(by_account(ALICE), &entries);
    for protocol in [86, 87] {
        let chain = open_with_contract(protocol);
        let actions = vec![state_init_action(&many, near(1))];
        let signed = sign(&chain, ALICE, &derived_name(&many), actions.clone());
        if protocol == 86 {
            value(&chain.run(signed).unwrap());
        } else {
            assert_eq!(
                refused_actions(&chain, &derived_name(&many), actions),
                ActionsValidationError::TotalNumberOfStateInitEntriesExceeded {
                    number_of_entries: 1_501,
                    limit: 1_500
                }
            );
        }
    }
}

#[test]
fn a_contract_initialises_an_account() {
    let chain = open();
    value(&run(&chain, BOB, BOB, vec![deploy(global_contract())]));
    deployed(&chain, BOB, vec![publish_by_account(test_contract())]);
    let child = state_init(by_account(BOB), &[("k", b"v")]);
    let spawn = |method: &str| {
        let bob = balance(&chain, BOB);
        let outcome = run(
            &chain,
            ALICE,
            BOB,
            vec![call(method, derived_name(&child).as_bytes())],
        );
        chain.settle().unwrap();
        // The contract's deposit comes back: the storage is free, or the action failed.
        assert_eq!(balance(&chain, BOB), bob);
        outcome
    };
    for (method, error) in [
        ("spawn_twice", "Data entry for given key already exists"),
        (
            "spawn_wrong",
            "does not exist or has the wrong type of action",
        ),
    ] {
        let text = failure(&spawn(method));
        assert!(text.contains(error), "{text}");
    }
    value(&spawn("spawn"));
    assert_eq!(stored(&chain, &derived_name(&child)), b"v");

    let elsewhere = failure(&run(
        &chain,
        ALICE,
        BOB,
        vec![call("spawn", ALICE.as_bytes())],
    ));
    let error = "InvalidDeterministicStateInitReceiver";
    assert!(elsewhere.contains(error), "{elsewhere}");
}

#[test]
fn a_relayer_initialises_an_account_for_another_from_protocol_85() {
    for (protocol, accepted) in [(84, false), (85, true), (88, true)] {
        let chain = open_with_contract(protocol);
        let signer = Signer::InMemory(InMemorySigner {
            account_id: id(BOB),
            public_key: key(BOB).public_key(),
            secret_key: key(BOB),
        });
        let action = NonDelegateAction::try_from(state_init_action(&first(), near(1))).unwrap();
        let delegate = DelegateAction {
            sender_id: id(BOB),
            receiver_id: id(&derived_name(&first())),
            actions: vec![action],
            nonce: 1,
            max_block_height: chain.head().height + 100,
            public_key: key(BOB).public_key(),
        };
        let delegate: Action = SignedDelegateAction::sign(&signer, delegate).into();
        if accepted {
            let before = balance(&chain, BOB);
            value(&run(&chain, RELAYER, BOB, vec![delegate]));
            chain.settle().unwrap();
            assert_eq!(stored(&chain, &derived_name(&first())), b"first");
            // What the relayer deposited comes back to the account that asked.
            let after = before.checked_add(near(1)).unwrap();
            assert_eq!(balance(&chain, BOB), after);
        } else {
            assert_eq!(
                refused_actions(&chain, BOB, vec![delegate]),
                ActionsValidationError::InvalidDeterministicStateInitReceiver {
                    receiver_id: id(BOB),
                    derived_id: id(&derived_name(&first())),
                }
            );
        }
    }
}

#[test]
fn the_rpc_and_the_pages_show_the_action() {
    let server = Server::start();
    let chain = &server.chain;
    deployed(chain, ALICE, vec![publish_by_account(test_contract())]);
    let account = derived_name(&first());
    let signed = sign(
        chain,
        ALICE,
        &account,
        vec![state_init_action(&first(), near(1))],
    );
    let transaction = signed.get_hash();
    chain.run(signed).unwrap();
    let params = json!({ "tx_hash": transaction.to_string(), "sender_account_id": ALICE });
    let shown = server.rpc("tx", params).unwrap().json();
    assert_eq!(
        shown["result"]["transaction"]["actions"],
        json!([{ "DeterministicStateInit": {
            "code": { "account_id": ALICE },
            "data": { "aw==": "Zmlyc3Q=" },
            "deposit": near(1).as_yoctonear().to_string(),
        } }])
    );
    let page = server.get(&format!("/transactions/{transaction}")).body;
    assert!(
        page.contains("Initialise the account with the global contract of"),
        "{page}"
    );
    let page = server.get(&format!("/address/{account}")).body;
    assert!(page.contains("initialise"), "{page}");
    assert!(page.contains("the global contract of"), "{page}");
}
