//! Global contracts: code that one account deploys and others run.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::server::Server;
use common::*;
use latchkey_devnet::{Chain, NetworkSettings};
use near_primitives::errors::ActionsValidationError;
use near_primitives::hash::{CryptoHash, hash};
use near_primitives::types::Balance;
use serde_json::{Value, json};

/// The storage of an account with one full-access key, and of the entry of an empty value under "k".
const ACCOUNT: u64 = 182;
const ENTRY: u64 = 41;

/// A contract whose method `version` returns one character.
fn versioned(version: char) -> Vec<u8> {
    wat::parse_str(format!(
        r#"(module
          (import "env" "value_return" (func $value_return (param i64 i64)))
          (memory (export "memory") 1)
          (data (i32.const 0) "{version}")
          (func (export "version") (call $value_return (i64.const 1) (i64.const 0))))"#
    ))
    .unwrap()
}

/// What the chain burns for the storage of a global contract.
fn storage_price(code: &[u8]) -> Balance {
    Balance::from_yoctonear(100_000_000_000_000_000_000 * code.len() as u128)
}

fn storage_usage(chain: &Chain, account: &str) -> u64 {
    chain.view_account(&id(account)).unwrap().storage_usage
}

fn version_of(chain: &Chain, account: &str) -> Vec<u8> {
    let viewed = chain
        .view_call(&id(account), "version", b"")
        .unwrap()
        .result;
    let called = value(&run(chain, ALICE, account, vec![call("version", b"")]));
    assert_eq!(viewed, called);
    called
}

#[test]
fn code_under_its_hash_runs_at_every_account_that_uses_it() {
    for protocol in [84, 85, 86, 87, 88] {
        let chain = open_at(protocol);
        let code = test_contract();
        deployed(&chain, ALICE, vec![publish_by_hash(code.clone())]);
        for account in [BOB, "testnet"] {
            value(&run(&chain, account, account, vec![adopt(by_hash(&code))]));
        }

        let view = chain.view_account(&id(BOB)).unwrap();
        assert_eq!(view.global_contract_hash, Some(hash(&code)));
        assert_eq!(view.global_contract_account_id, None);
        assert_eq!(view.code_hash, CryptoHash::default());
        assert_eq!(view.storage_usage, ACCOUNT + 32);

        value(&run(&chain, ALICE, BOB, vec![call("set", b"bob's")]));
        let at = |account| chain.view_call(&id(account), "get", b"").unwrap().result;
        assert_eq!(at(BOB), b"bob's");
        assert_eq!(at("testnet"), b"");
        assert!(chain.view_call(&id(ALICE), "get", b"").is_err());
    }
}

#[test]
fn code_under_an_account_changes_for_its_users_when_the_owner_deploys_again() {
    let chain = open();
    deployed(&chain, ALICE, vec![publish_by_account(versioned('1'))]);
    value(&run(&chain, BOB, BOB, vec![adopt(by_account(ALICE))]));
    let view = chain.view_account(&id(BOB)).unwrap();
    assert_eq!(view.global_contract_account_id, Some(id(ALICE)));
    assert_eq!(view.global_contract_hash, None);
    assert_eq!(view.storage_usage, ACCOUNT + ALICE.len() as u64);
    assert_eq!(version_of(&chain, BOB), b"1");

    deployed(&chain, ALICE, vec![publish_by_account(versioned('2'))]);
    assert_eq!(version_of(&chain, BOB), b"2");
    assert_eq!(chain.view_account(&id(BOB)).unwrap(), {
        let mut after = view;
        after.amount = balance(&chain, BOB);
        after
    });
}

#[test]
fn the_last_of_two_deployments_in_one_receipt_stays() {
    let chain = open();
    let both = vec![
        publish_by_account(versioned('1')),
        publish_by_account(versioned('2')),
    ];
    deployed(&chain, ALICE, both);
    value(&run(&chain, BOB, BOB, vec![adopt(by_account(ALICE))]));
    assert_eq!(version_of(&chain, BOB), b"2");
}

#[test]
fn a_distribution_that_is_overtaken_does_not_bring_older_code_back() {
    // Before protocol 85, no refund makes `run` wait until the distribution arrives.
    let chain = open_at(84);
    let slow = NetworkSettings {
        receipt_blocks: 5,
        ..chain.network()
    };
    let fast = chain.network();
    chain.set_network(slow).unwrap();
    value(&run(
        &chain,
        ALICE,
        ALICE,
        vec![publish_by_account(versioned('1'))],
    ));
    chain.set_network(fast).unwrap();
    value(&run(
        &chain,
        ALICE,
        ALICE,
        vec![publish_by_account(versioned('2'))],
    ));
    chain.produce_block().unwrap();
    value(&run(&chain, BOB, BOB, vec![adopt(by_account(ALICE))]));
    assert_eq!(version_of(&chain, BOB), b"2");
    chain.produce_blocks(6).unwrap();
    assert_eq!(version_of(&chain, BOB), b"2");
}

#[test]
fn a_deployment_burns_its_fees_and_the_price_of_its_storage() {
    let chain = open();
    let supply = chain.total_supply();
    let code = test_contract();
    let outcome = run(&chain, ALICE, ALICE, vec![publish_by_hash(code.clone())]);
    let bytes = code.len() as u128;
    // Receipt and action, to send to oneself and to execute, at 0.0001 NEAR per Tgas.
    let gas = 2 * 108_059_500_000 + 2 * 184_765_750_000 + (6_812_999 + 70_000_000) * bytes;
    let fees = Balance::from_yoctonear(gas * 100_000_000);
    let cost = fees.checked_add(storage_price(&code)).unwrap();
    assert_eq!(burnt(&outcome), cost);
    assert_eq!(balance(&chain, ALICE), near(100).checked_sub(cost).unwrap());
    assert_eq!(chain.total_supply(), supply.checked_sub(cost).unwrap());
    // The deployer pays once and stores nothing itself.
    assert_eq!(storage_usage(&chain, ALICE), ACCOUNT);
}

#[test]
fn a_distribution_is_no_part_of_its_transaction() {
    // Before protocol 85, this transaction has no refund either.
    let chain = open_at(84);
    let outcome = run(&chain, ALICE, ALICE, vec![publish_by_hash(versioned('1'))]);
    assert_eq!(outcome.receipts_outcome.len(), 1);
    assert!(outcome.receipts_outcome[0].outcome.receipt_ids.is_empty());
    let code = by_hash(&versioned('1'));
    chain.settle().unwrap();
    value(&run(&chain, BOB, BOB, vec![adopt(code)]));
}

#[test]
fn using_a_contract_costs_by_the_length_of_its_identifier() {
    let chain = open();
    deployed(&chain, ALICE, vec![publish_by_account(versioned('1'))]);
    let outcome = run(&chain, BOB, BOB, vec![adopt(by_account(ALICE))]);
    let bytes = ALICE.len() as u128;
    let gas = 2 * 108_059_500_000 + 2 * 184_765_750_000 + (6_812_999 + 64_572_944) * bytes;
    assert_eq!(burnt(&outcome), Balance::from_yoctonear(gas * 100_000_000));
}

#[test]
fn a_failed_receipt_deploys_nothing_and_burns_only_its_gas() {
    let chain = open();
    let code = versioned('1');
    let outcome = run(
        &chain,
        ALICE,
        ALICE,
        vec![publish_by_hash(code.clone()), call("missing", b"")],
    );
    assert!(failure(&outcome).contains("CodeDoesNotExist"));
    assert!(burnt(&outcome) < storage_price(&code));
    let absent = failure(&run(&chain, BOB, BOB, vec![adopt(by_hash(&code))]));
    assert!(absent.contains("GlobalContractDoesNotExist"), "{absent}");
}

#[test]
fn code_arrives_a_block_after_its_deployment() {
    let chain = open();
    let code = versioned('1');
    let early = run(
        &chain,
        ALICE,
        ALICE,
        vec![publish_by_hash(code.clone()), adopt(by_hash(&code))],
    );
    let error = failure(&early);
    let expected = json!({ "ActionError": { "index": 1, "kind": {
        "GlobalContractDoesNotExist": { "identifier": { "hash": hash(&code).to_string() } },
    } } });
    assert_eq!(serde_json::from_str::<Value>(&error).unwrap(), expected);
}

#[test]
fn refuses_a_deployment_beyond_the_balance_and_one_for_another_account() {
    let chain = open();
    let code = vec![0; 1_100_000];
    let poor = failure(&run(
        &chain,
        ALICE,
        ALICE,
        vec![publish_by_hash(code.clone())],
    ));
    let expected = json!({ "ActionError": { "index": 0, "kind": { "LackBalanceForState": {
        "account_id": ALICE, "amount": storage_price(&code).as_yoctonear().to_string(),
    } } } });
    assert_eq!(serde_json::from_str::<Value>(&poor).unwrap(), expected);

    deployed(&chain, ALICE, vec![publish_by_account(versioned('1'))]);
    for action in [publish_by_hash(versioned('1')), adopt(by_account(ALICE))] {
        let foreign = failure(&run(&chain, ALICE, BOB, vec![action]));
        assert!(foreign.contains("ActorNoPermission"), "{foreign}");
    }
}

#[test]
fn the_limits_of_deployments_count_global_contracts() {
    let chain = open();
    assert_eq!(
        refused_actions(&chain, ALICE, vec![publish_by_hash(vec![0; 4_194_305])]),
        ActionsValidationError::ContractSizeExceeded {
            size: 4_194_305,
            limit: 4_194_304
        }
    );
    let mut many = vec![publish_by_hash(versioned('1')); 6];
    many.extend(vec![deploy(versioned('1')); 5]);
    assert_eq!(
        refused_actions(&chain, ALICE, many),
        ActionsValidationError::TotalNumberOfDeployActionsExceeded {
            number_of_deploy_actions: 11,
            limit: 10
        }
    );
}

#[test]
fn an_account_changes_between_its_own_code_and_a_global_contract() {
    let chain = open();
    let (own, global) = (test_contract(), versioned('1'));
    deployed(&chain, ALICE, vec![publish_by_account(global)]);
    deploy_test_contract(&chain, BOB);
    value(&run(&chain, ALICE, BOB, vec![call("set", b"")]));
    assert_eq!(
        storage_usage(&chain, BOB),
        ACCOUNT + ENTRY + own.len() as u64
    );

    value(&run(&chain, BOB, BOB, vec![adopt(by_account(ALICE))]));
    assert_eq!(
        storage_usage(&chain, BOB),
        ACCOUNT + ENTRY + ALICE.len() as u64
    );
    assert_eq!(version_of(&chain, BOB), b"1");

    value(&run(&chain, BOB, BOB, vec![deploy(own.clone())]));
    let view = chain.view_account(&id(BOB)).unwrap();
    assert_eq!(view.storage_usage, ACCOUNT + ENTRY + own.len() as u64);
    assert_eq!(view.code_hash, hash(&own));
    assert_eq!(view.global_contract_account_id, None);
}

#[test]
fn deleting_an_account_does_not_count_the_identifier_from_protocol_85() {
    for (protocol, deletes) in [(84, false), (85, true)] {
        let chain = open_at(protocol);
        let code = test_contract();
        deployed(&chain, ALICE, vec![publish_by_hash(code.clone())]);
        value(&run(&chain, BOB, BOB, vec![adopt(by_hash(&code))]));
        let rest = usize::try_from(10_000 - ACCOUNT - ENTRY).unwrap();
        value(&run(&chain, ALICE, BOB, vec![call("set", &vec![0; rest])]));
        assert_eq!(storage_usage(&chain, BOB), 10_032);
        let outcome = run(&chain, BOB, BOB, vec![delete_account(ALICE)]);
        if deletes {
            value(&outcome);
            assert!(chain.view_account(&id(BOB)).is_err());
        } else {
            assert!(failure(&outcome).contains("DeleteAccountWithLargeState"));
        }
    }
}

#[test]
fn a_deleted_owner_leaves_its_contract_to_the_users() {
    let chain = open();
    deployed(&chain, BOB, vec![publish_by_account(versioned('1'))]);
    value(&run(&chain, ALICE, ALICE, vec![adopt(by_account(BOB))]));
    value(&run(&chain, BOB, BOB, vec![delete_account(ALICE)]));
    assert_eq!(version_of(&chain, ALICE), b"1");
}

#[test]
fn a_contract_deploys_and_uses_global_contracts() {
    let chain = open();
    value(&run(&chain, BOB, BOB, vec![deploy(global_contract())]));
    let published = run(&chain, ALICE, BOB, vec![call("publish", &versioned('1'))]);
    value(&published);
    assert!(burnt(&published) > storage_price(&versioned('1')));
    value(&run(
        &chain,
        ALICE,
        BOB,
        vec![call("publish_by_hash", &versioned('2'))],
    ));
    value(&run(&chain, ALICE, ALICE, vec![adopt(by_account(BOB))]));
    assert_eq!(version_of(&chain, ALICE), b"1");
    value(&run(
        &chain,
        ALICE,
        ALICE,
        vec![adopt(by_hash(&versioned('2')))],
    ));
    assert_eq!(version_of(&chain, ALICE), b"2");

    value(&run(
        &chain,
        ALICE,
        BOB,
        vec![call("adopt", BOB.as_bytes())],
    ));
    assert_eq!(version_of(&chain, BOB), b"1");
}

#[test]
fn queries_show_global_code_by_hash_by_owner_and_at_its_users() {
    let server = Server::start();
    let chain = &server.chain;
    let code = versioned('1');
    let query = |params: Value| server.rpc("query", params).unwrap().json();
    let views = [
        json!({ "request_type": "view_global_contract_code", "finality": "optimistic",
            "code_hash": hash(&code).to_string() }),
        json!({ "request_type": "view_global_contract_code_by_account_id",
            "finality": "optimistic", "account_id": ALICE }),
    ];
    let identifiers = [
        json!({ "hash": hash(&code).to_string() }),
        json!({ "account_id": ALICE }),
    ];
    for (view, identifier) in views.iter().zip(&identifiers) {
        let absent = query(view.clone());
        assert_eq!(absent["error"]["cause"]["name"], "NO_GLOBAL_CONTRACT_CODE");
        assert_eq!(absent["error"]["cause"]["info"]["identifier"], *identifier);
    }

    let both = vec![
        publish_by_hash(code.clone()),
        publish_by_account(code.clone()),
    ];
    deployed(chain, ALICE, both);
    let before = chain.head().height;
    value(&run(chain, BOB, BOB, vec![adopt(by_account(ALICE))]));
    let own = json!({ "request_type": "view_code", "finality": "optimistic", "account_id": BOB });
    for view in views.iter().chain([&own]) {
        let found = query(view.clone());
        assert_eq!(found["result"]["hash"], hash(&code).to_string(), "{found}");
        assert_eq!(found["result"]["code_base64"], base64(&code), "{found}");
    }
    let account = query(
        json!({ "request_type": "view_account", "finality": "optimistic", "account_id": BOB }),
    );
    assert_eq!(account["result"]["global_contract_account_id"], ALICE);
    assert_eq!(
        account["result"]["code_hash"],
        CryptoHash::default().to_string()
    );

    let earlier =
        query(json!({ "request_type": "view_code", "block_id": before, "account_id": BOB }));
    assert_eq!(earlier["error"]["cause"]["name"], "NO_CONTRACT_CODE");
}

#[test]
fn the_pages_name_global_contracts() {
    let server = Server::start();
    let chain = &server.chain;
    let code = versioned('1');
    let published = run(chain, ALICE, ALICE, vec![publish_by_account(code.clone())]);
    value(&run(chain, BOB, BOB, vec![adopt(by_account(ALICE))]));
    let page = server
        .get(&format!("/transactions/{}", published.transaction.hash))
        .body;
    assert!(page.contains("as the account's global contract"), "{page}");
    let page = server.get(&format!("/address/{BOB}")).body;
    assert!(page.contains(&hash(&code).to_string()), "{page}");
    assert!(page.contains("the global contract of"), "{page}");
    assert!(page.contains("use global contract"), "{page}");
}
