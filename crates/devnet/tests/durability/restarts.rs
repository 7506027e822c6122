//! What a chain in a data folder keeps over a restart and a kill.

use std::process::Command;
use std::time::Duration;

use latchkey_devnet::{Chain, ChainConfig, GENESIS_HEIGHT, TransactionStatus, ViewError};
use near_primitives::transaction::{SignedTransaction, Transaction, TransactionV0};
use serde_json::json;

use crate::common::program::Program;
use crate::common::*;
use crate::{Folder, folder_text};

fn transfer_at(block_hash: &str, nonce: u64) -> SignedTransaction {
    latchkey_devnet::sign_transaction(
        &key(ALICE),
        Transaction::V0(TransactionV0 {
            signer_id: id(ALICE),
            public_key: key(ALICE).public_key(),
            nonce,
            receiver_id: id("testnet"),
            block_hash: block_hash.parse().unwrap(),
            actions: vec![transfer(near(1))],
        }),
    )
}

#[test]
fn a_reopened_chain_continues_where_it_stopped() {
    let folder = Folder::new("restart");
    let chain = Chain::open(folder.config()).unwrap();
    deploy_test_contract(&chain, ALICE);
    let outcome = run(&chain, BOB, ALICE, vec![call("set", b"kept")]);
    let waiting = chain
        .submit(sign(&chain, BOB, ALICE, vec![transfer(near(1))]))
        .unwrap();
    let (head, state) = (chain.head(), chain.state_root_dump());
    drop(chain);

    let chain = Chain::open(folder.config()).unwrap();
    assert_eq!(chain.head(), head);
    assert_eq!(chain.state_root_dump(), state);
    assert_eq!(
        chain.view_call(&id(ALICE), "get", b"").unwrap().result,
        b"kept"
    );
    let TransactionStatus::Included { outcome: found, .. } =
        chain.transaction_status(&outcome.transaction.hash).unwrap()
    else {
        panic!()
    };
    assert_eq!(*found, outcome);
    chain.settle().unwrap();
    assert!(matches!(
        chain.transaction_status(&waiting).unwrap(),
        TransactionStatus::Included { .. }
    ));
    assert!(chain.head().height > head.height);
}

#[test]
fn global_code_and_its_distribution_survive_a_restart() {
    let folder = Folder::new("global");
    let chain = Chain::open(folder.config()).unwrap();
    chain
        .submit(sign(
            &chain,
            ALICE,
            ALICE,
            vec![publish_by_account(test_contract())],
        ))
        .unwrap();
    // The deployment runs in this block, and its code is on the way.
    chain.produce_block().unwrap();
    drop(chain);

    let chain = Chain::open(folder.config()).unwrap();
    chain.settle().unwrap();
    value(&run(&chain, BOB, BOB, vec![adopt(by_account(ALICE))]));
    drop(chain);
    // The compiled code is only a cache.
    std::fs::remove_dir_all(folder.0.join("compiled-contracts")).unwrap();

    let chain = Chain::open(folder.config()).unwrap();
    value(&run(&chain, ALICE, BOB, vec![call("set", b"kept")]));
    assert_eq!(
        chain.view_call(&id(BOB), "get", b"").unwrap().result,
        b"kept"
    );
}

#[test]
fn contracts_run_without_the_store_of_compiled_contracts() {
    let folder = Folder::new("no-store");
    let chain = Chain::open(folder.config()).unwrap();
    std::fs::remove_dir_all(folder.0.join("compiled-contracts")).unwrap();
    deploy_test_contract(&chain, ALICE);
    value(&run(&chain, BOB, ALICE, vec![call("set", b"kept")]));
    assert_eq!(
        chain.view_call(&id(ALICE), "get", b"").unwrap().result,
        b"kept"
    );
}

#[test]
fn an_existing_chain_keeps_its_genesis() {
    let folder = Folder::new("genesis");
    drop(Chain::open(folder.config()).unwrap());
    let mut other = folder.config();
    other.genesis = other.genesis.with_account(id("late.testnet"), near(1));
    let chain = Chain::open(other).unwrap();
    assert!(matches!(
        chain.view_account(&id("late.testnet")),
        Err(ViewError::UnknownAccount)
    ));
}

#[test]
fn a_failed_genesis_is_not_taken_for_a_chain() {
    let folder = Folder::new("half-genesis");
    std::fs::create_dir_all(&folder.0).unwrap();
    let wasm = folder.0.join("empty.wasm");
    std::fs::write(&wasm, b"not wasm").unwrap();
    let mut first = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"));
    let data = folder_text(&folder.0);
    let first = first
        .args([
            "--port",
            "0",
            "--data",
            data,
            "--registry",
            folder_text(&wasm),
        ])
        .output()
        .unwrap();
    assert_eq!(first.status.code(), Some(1));
    assert!(!Chain::exists(&folder.0));
}

#[test]
fn a_failed_fresh_start_leaves_the_old_chain_alone() {
    let folder = Folder::new("fresh-refused");
    drop(Chain::open(folder.config()).unwrap());
    for flags in [["--registry", "no/such.wasm"], ["--protocol-version", "83"]] {
        let said = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"))
            .args(["--port", "0", "--fresh", "--data", folder_text(&folder.0)])
            .args(flags)
            .output()
            .unwrap();
        assert_eq!(said.status.code(), Some(1), "{flags:?}");
        assert!(Chain::exists(&folder.0), "{flags:?}");
    }
}

#[test]
fn fresh_starts_a_new_chain_and_leaves_other_files_alone() {
    let folder = Folder::new("fresh");
    let data = folder_text(&folder.0);
    let program = Program::start(&["--data", data, "--block-time", "manual"]);
    program.call("sandbox_fast_forward", &json!({ "delta_height": 5 }));
    program.kill();
    std::fs::write(folder.0.join("mine.txt"), b"mine").unwrap();
    let height = |program: &Program| {
        program.call("block", &json!({ "finality": "final" }))["result"]["header"]["height"].clone()
    };
    let program = Program::start(&["--data", data, "--block-time", "manual"]);
    assert_eq!(height(&program), GENESIS_HEIGHT + 5);
    program.kill();
    let program = Program::start(&["--data", data, "--block-time", "manual", "--fresh"]);
    assert_eq!(height(&program), GENESIS_HEIGHT);
    program.kill();
    assert!(folder.0.join("mine.txt").exists());
}

#[test]
fn a_kill_at_any_moment_loses_no_acknowledged_transaction() {
    let folder = Folder::new("kill");
    let data = folder_text(&folder.0);
    let mut acknowledged = Vec::new();
    let mut nonce = 0;
    for round in 0..8 {
        let program = Program::start(&["--data", data, "--block-time", "20ms"]);
        let block = program.call("block", &json!({ "finality": "final" }));
        let block_hash = block["result"]["header"]["hash"].as_str().unwrap();
        for position in 0..6 {
            nonce += 1;
            let signed = transfer_at(block_hash, nonce);
            // Acknowledged by its hash alone, or by an outcome.
            let (method, params) = if position % 2 == 0 {
                ("broadcast_tx_async", json!([base64_of(&signed)]))
            } else {
                let wait_until = "INCLUDED";
                (
                    "send_tx",
                    json!({ "signed_tx_base64": base64_of(&signed), "wait_until": wait_until }),
                )
            };
            let answer = program.call(method, &params);
            assert!(answer.get("result").is_some(), "{answer}");
            acknowledged.push(signed.get_hash());
        }
        std::thread::sleep(Duration::from_millis(round * 7));
        program.kill();
    }
    let chain = Chain::open(ChainConfig {
        data: Some(folder.0.clone()),
        ..ChainConfig::default()
    })
    .unwrap();
    chain.settle().unwrap();
    for id in &acknowledged {
        assert!(
            matches!(
                chain.transaction_status(id).unwrap(),
                TransactionStatus::Included { .. }
            ),
            "{id} is lost"
        );
    }
    assert_eq!(
        balance(&chain, "testnet"),
        near(1_000_000_000 + acknowledged.len() as u128)
    );
}
