//! Contracts, promises and view calls.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use common::*;
use latchkey_devnet::ViewError;
use near_primitives::types::Balance;
use near_primitives::views::{
    ActionView, FinalExecutionOutcomeView, FinalExecutionStatus, ReceiptEnumView, ReceiptView,
    TxExecutionStatus,
};

#[test]
fn deploys_a_contract_and_keeps_its_storage() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    value(&run(&chain, BOB, ALICE, vec![call("set", b"seven")]));
    assert_eq!(
        chain.view_call(&id(ALICE), "get", b"").unwrap().result,
        b"seven"
    );
    let account = chain.view_account(&id(ALICE)).unwrap();
    assert_eq!(
        account.code_hash,
        near_primitives::hash::hash(&test_contract())
    );
    // The account and its key, the code, and one entry of 1 + 5 + 40 bytes.
    assert_eq!(
        account.storage_usage,
        182 + test_contract().len() as u64 + 46
    );
}

#[test]
fn reports_logs_and_the_returned_value() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let outcome = run(&chain, ALICE, BOB, vec![call("echo", b"hi")]);
    assert_eq!(value(&outcome), b"hi");
    assert_eq!(outcome.receipts_outcome[0].outcome.logs, ["hello"]);
    assert_eq!(outcome.receipts_outcome[0].outcome.executor_id, id(BOB));
    let profile = outcome.receipts_outcome[0]
        .outcome
        .metadata
        .gas_profile
        .as_ref()
        .unwrap();
    assert!(
        profile
            .iter()
            .any(|cost| cost.cost == "LOG_BASE" && cost.gas_used.as_gas() > 0)
    );
}

#[test]
fn rolls_back_a_failed_call_and_returns_its_deposit() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let (alice, bob) = (balance(&chain, ALICE), balance(&chain, BOB));
    let outcome = run(
        &chain,
        ALICE,
        BOB,
        vec![call_with("fail", b"x", 50, near(7))],
    );
    assert_eq!(
        failure(&outcome),
        r#"{"ActionError":{"index":0,"kind":{"FunctionCallError":{"ExecutionError":"Smart contract panicked: boom"}}}}"#
    );
    assert_eq!(chain.view_call(&id(BOB), "get", b"").unwrap().result, b"");
    assert_eq!(balance(&chain, BOB), bob);
    assert_eq!(
        balance(&chain, ALICE),
        alice.checked_sub(burnt(&outcome)).unwrap()
    );
}

#[test]
fn a_failing_action_undoes_the_ones_before_it() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let outcome = run(
        &chain,
        ALICE,
        BOB,
        vec![transfer(near(3)), call("set", b"lost"), call("fail", b"x")],
    );
    assert!(failure(&outcome).contains(r#""index":2"#));
    assert_eq!(chain.view_call(&id(BOB), "get", b"").unwrap().result, b"");
    assert!(balance(&chain, BOB) < near(100));
}

#[test]
fn names_a_missing_method_and_missing_code() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let missing = failure(&run(&chain, ALICE, BOB, vec![call("nothing", b"")]));
    assert!(
        missing.contains(r#"{"MethodResolveError":"MethodNotFound"}"#),
        "{missing}"
    );
    let no_code = failure(&run(&chain, BOB, ALICE, vec![call("echo", b"")]));
    assert!(
        no_code.contains(
            r#"{"CompilationError":{"CodeDoesNotExist":{"account_id":"alice.testnet"}}}"#
        )
    );
}

#[test]
fn a_contract_that_does_not_compile_deploys_and_cannot_be_called() {
    let chain = open();
    value(&run(&chain, BOB, BOB, vec![deploy(b"not wasm".to_vec())]));
    let outcome = failure(&run(&chain, ALICE, BOB, vec![call("echo", b"")]));
    assert!(
        outcome.contains(r#"{"CompilationError":{"PrepareError":"#),
        "{outcome}"
    );
}

#[test]
fn stops_a_loop_at_the_attached_gas() {
    let chain = open();
    deploy_test_contract(&chain, BOB);
    let outcome = run(
        &chain,
        ALICE,
        BOB,
        vec![call_with("loop", b"", 10, Balance::ZERO)],
    );
    assert!(
        failure(&outcome).contains("Exceeded the prepaid gas."),
        "{}",
        failure(&outcome)
    );
    let gas = outcome.receipts_outcome[0].outcome.gas_burnt.as_teragas();
    assert!((10..=13).contains(&gas), "{gas}");
}

#[test]
fn a_returned_promise_answers_for_the_transaction() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    deploy_test_contract(&chain, BOB);
    let outcome = run(&chain, ALICE, ALICE, vec![call("call_bob", b"through")]);
    assert_eq!(value(&outcome), b"through");
    assert!(
        outcome
            .receipts_outcome
            .iter()
            .any(|receipt| receipt.outcome.executor_id == id(BOB))
    );
}

#[test]
fn a_callback_sees_the_result_of_a_success() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    deploy_test_contract(&chain, BOB);
    let outcome = run(&chain, ALICE, ALICE, vec![call("call_then", b"echo")]);
    assert_eq!(value(&outcome), b"ok:ok");
    assert_eq!(failures(&outcome), 0);
}

#[test]
fn a_callback_sees_a_failure_and_the_deposit_comes_back_to_the_contract() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    deploy_test_contract(&chain, BOB);
    let before = balance(&chain, ALICE);
    let bob = balance(&chain, BOB);
    let outcome = run(
        &chain,
        "relayer.testnet",
        ALICE,
        vec![call("call_then", b"fail")],
    );
    assert_eq!(value(&outcome), b"failed");
    assert_eq!(failures(&outcome), 1);
    assert_eq!(balance(&chain, ALICE), before);
    assert_eq!(balance(&chain, BOB), bob);
    let status = chain.transaction_status(&outcome.transaction.hash).unwrap();
    let latchkey_devnet::TransactionStatus::Included {
        reached, receipts, ..
    } = status
    else {
        panic!()
    };
    assert_eq!(reached, TxExecutionStatus::Final);
    assert!(receipts.iter().any(|receipt| {
        receipt.predecessor_id().is_system() && *receipt.receiver_id() == id(ALICE)
    }));
}

#[test]
fn shares_unused_gas_by_weight() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    deploy_test_contract(&chain, BOB);
    let outcome = run(
        &chain,
        BOB,
        ALICE,
        vec![call_with("weights", b"", 100, Balance::ZERO)],
    );
    let latchkey_devnet::TransactionStatus::Included { receipts, .. } =
        chain.transaction_status(&outcome.transaction.hash).unwrap()
    else {
        panic!()
    };
    let to_bob = receipts
        .into_iter()
        .filter(|receipt| *receipt.receiver_id() == id(BOB));
    let gas: Vec<u64> = to_bob
        .filter_map(|receipt| match ReceiptView::from(receipt).receipt {
            ReceiptEnumView::Action { actions, .. } => actions.into_iter().next(),
            _ => None,
        })
        .filter_map(|action| match action {
            ActionView::FunctionCall { gas, .. } => Some(gas.as_gas()),
            _ => None,
        })
        .collect();
    assert_eq!(gas.len(), 2);
    assert!(gas[0].abs_diff(gas[1] / 3) <= 1, "{gas:?}");
    assert!(gas[0] + gas[1] > 85_000_000_000_000);
}

#[test]
fn a_resumed_yield_runs_with_the_data_given() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    let waiting = chain
        .submit(sign(&chain, ALICE, ALICE, vec![call("wait", b"")]))
        .unwrap();
    chain.settle().unwrap();
    let resumed = run(&chain, BOB, ALICE, vec![call("resume", b"data")]);
    assert_eq!(value(&resumed), b"1");
    chain.settle().unwrap();
    assert_eq!(final_value(&chain, &waiting), b"ok:data");
    let again = run(&chain, BOB, ALICE, vec![call("resume", b"data")]);
    assert_eq!(value(&again), b"0");
}

#[test]
fn an_unresumed_yield_fails_after_200_blocks() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    let made = chain.head().height + 1;
    let outcome = run(&chain, ALICE, ALICE, vec![call("wait", b"")]);
    assert_eq!(value(&outcome), b"failed");
    assert!(
        (200..=205).contains(&(chain.head().height - made)),
        "{}",
        chain.head().height - made
    );
}

/// The trie nodes that a transaction's calls paid for.
fn trie_nodes(outcome: &FinalExecutionOutcomeView) -> u64 {
    let profiles = outcome
        .receipts_outcome
        .iter()
        .filter_map(|receipt| receipt.outcome.metadata.gas_profile.as_ref());
    let gas: u64 = profiles
        .flatten()
        .filter(|cost| cost.cost == "TOUCHING_TRIE_NODE" || cost.cost == "READ_CACHED_TRIE_NODE")
        .map(|cost| cost.gas_used.as_gas())
        .sum();
    assert_eq!(gas % 2_280_000_000, 0);
    gas / 2_280_000_000
}

#[test]
fn storage_calls_pay_for_the_trie_nodes_they_touch() {
    for version in [84, 88] {
        let chain = open_at(version);
        deploy_test_contract(&chain, ALICE);
        let nodes = |actions| trie_nodes(&run(&chain, BOB, ALICE, actions));
        // Keys start with their column: 0 for the three genesis accounts, alice and bob, 1 for code,
        // 2 for access keys. The lookup of the first key in column 9 visits the extension and the
        // branch that all columns share, and ends there.
        assert_eq!(nodes(vec![call("set", b"1")]), 2);
        // Now the key has a leaf, and the write reads its old value.
        assert_eq!(nodes(vec![call("set", b"2")]), 4);
        // Reads touch no trie node.
        assert_eq!(nodes(vec![call("get", b"")]), 0);
        // A key that this block wrote costs none.
        assert_eq!(
            nodes(vec![call("set", b"3"), call("set", b"4"), call("get", b"")]),
            4
        );
        assert_eq!(nodes(vec![call("echo", b"")]), 0);
    }
}

#[test]
fn view_calls_cannot_write_and_say_so() {
    let chain = open();
    deploy_test_contract(&chain, ALICE);
    let before = chain.state_root_dump();
    match chain.view_call(&id(ALICE), "set", b"x") {
        Err(ViewError::Contract { vm_error, .. }) => {
            assert!(vm_error.contains("ProhibitedInView"), "{vm_error}");
            assert!(vm_error.starts_with("wasm execution failed with error: "));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(chain.state_root_dump(), before);
    match chain.view_call(&id(BOB), "get", b"") {
        Err(ViewError::Contract { vm_error, .. }) => assert_eq!(
            vm_error,
            r#"wasm execution failed with error: CompilationError(CodeDoesNotExist { account_id: "bob.testnet" })"#
        ),
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        chain.view_call(&id("no.testnet"), "get", b""),
        Err(ViewError::UnknownAccount)
    ));
}

#[test]
fn runs_at_every_supported_protocol() {
    for version in 84..=88 {
        let chain = open_at(version);
        deploy_test_contract(&chain, ALICE);
        deploy_test_contract(&chain, BOB);
        let outcome = run(&chain, ALICE, ALICE, vec![call("call_then", b"echo")]);
        assert_eq!(value(&outcome), b"ok:ok", "protocol {version}");
    }
    assert!(
        latchkey_devnet::Chain::open(latchkey_devnet::ChainConfig {
            protocol_version: 83,
            ..config()
        })
        .is_err()
    );
}

fn final_value(chain: &latchkey_devnet::Chain, id: &near_primitives::hash::CryptoHash) -> Vec<u8> {
    match chain.transaction_status(id).unwrap() {
        latchkey_devnet::TransactionStatus::Included { outcome, .. } => match outcome.status {
            FinalExecutionStatus::SuccessValue(value) => value,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}
