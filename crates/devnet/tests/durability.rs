//! What survives: a restart, a kill, and what the binary says when it cannot start.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod common;

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use base64::Engine;
use common::*;
use latchkey_devnet::{Chain, ChainConfig, TransactionStatus, ViewError};
use near_primitives::transaction::{SignedTransaction, TransactionV0};
use serde_json::{Value, json};

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!(
            "latchkey-devnet-test-{}-{name}",
            std::process::id()
        ));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn config(&self) -> ChainConfig {
        ChainConfig {
            data: Some(self.0.clone()),
            ..config()
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The binary, ended when the test is done with it.
struct Program {
    child: Child,
    url: String,
}

impl Program {
    fn command(arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"));
        command
            .args([
                "--port",
                "0",
                "--no-registry",
                "--fund",
                "alice.testnet=100",
            ])
            .args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(arguments: &[&str]) -> Self {
        let mut child = Self::command(arguments).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let url = line
            .trim()
            .strip_prefix("listening on ")
            .expect("an address")
            .to_owned();
        Self { child, url }
    }

    /// What it says when it cannot start, and its exit code.
    fn refusal(arguments: &[&str]) -> (String, Option<i32>) {
        let mut child = Self::command(arguments).spawn().unwrap();
        let status = child.wait().unwrap();
        let mut said = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        (said, status.code())
    }

    fn call(&self, method: &str, params: &Value) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        ureq::post(&self.url)
            .send_json(body)
            .unwrap()
            .body_mut()
            .read_json()
            .unwrap()
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn folder_text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn transfer_at(block_hash: &str, nonce: u64) -> SignedTransaction {
    latchkey_devnet::sign_transaction(
        &key(ALICE),
        TransactionV0 {
            signer_id: id(ALICE),
            public_key: key(ALICE).public_key(),
            nonce,
            receiver_id: id("testnet"),
            block_hash: block_hash.parse().unwrap(),
            actions: vec![transfer(near(1))],
        },
    )
}

fn base64_of(signed: &SignedTransaction) -> String {
    base64::engine::general_purpose::STANDARD.encode(borsh::to_vec(signed).unwrap())
}

#[test]
fn a_chain_goes_on_where_it_stopped() {
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
fn the_genesis_of_an_existing_chain_is_its_own() {
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
fn a_data_folder_serves_one_chain_at_a_time() {
    let folder = Folder::new("locked");
    let chain = Chain::open(folder.config()).unwrap();
    let second = Chain::open(folder.config())
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(
        second.contains("another process uses the data folder"),
        "{second}"
    );

    let data = folder_text(&folder.0);
    for arguments in [vec!["--data", data], vec!["--data", data, "--fresh"]] {
        let (said, code) = Program::refusal(&arguments);
        assert_eq!(code, Some(1));
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.contains("another process uses the data folder"),
            "{said}"
        );
    }
    assert_eq!(chain.head().height, latchkey_devnet::GENESIS_HEIGHT);
}

#[test]
fn says_in_one_sentence_why_it_cannot_start() {
    let running = Program::start(&[]);
    let port = running.url.rsplit(':').next().unwrap().to_owned();
    let mut taken = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"));
    let taken = taken
        .args(["--port", &port, "--no-registry"])
        .output()
        .unwrap();
    assert_eq!(taken.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(taken.stderr).unwrap(),
        format!(
            "latchkey-devnet: port {port} on 127.0.0.1 is taken by another program; choose another with --port\n"
        )
    );
    running.kill();

    let mut missing = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"));
    let missing = missing
        .args(["--port", "0", "--registry", "no/such.wasm"])
        .output()
        .unwrap();
    assert_eq!(missing.status.code(), Some(1));
    let said = String::from_utf8(missing.stderr).unwrap();
    assert!(
        said.starts_with("latchkey-devnet: the registry contract no/such.wasm does not exist"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1);

    let folder = Folder::new("not-a-contract");
    std::fs::create_dir_all(&folder.0).unwrap();
    let wasm = folder.0.join("empty.wasm");
    std::fs::write(&wasm, b"not wasm").unwrap();
    let mut broken = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"));
    let broken = broken
        .args(["--port", "0", "--registry", folder_text(&wasm)])
        .output()
        .unwrap();
    assert_eq!(broken.status.code(), Some(1));
    let said = String::from_utf8(broken.stderr).unwrap();
    assert!(
        said.contains("the genesis cannot be built: the registry's init failed"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}

#[test]
fn a_genesis_that_failed_is_not_taken_for_a_chain() {
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
fn ends_cleanly_when_asked_to() {
    let mut program = Program::start(&[]);
    let pid = program.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(program.child.wait().unwrap().code(), Some(0));
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
        program.call("block", &json!([null]))["result"]["header"]["height"].clone()
    };
    let program = Program::start(&["--data", data, "--block-time", "manual"]);
    assert_eq!(height(&program), latchkey_devnet::GENESIS_HEIGHT + 5);
    program.kill();
    let program = Program::start(&["--data", data, "--block-time", "manual", "--fresh"]);
    assert_eq!(height(&program), latchkey_devnet::GENESIS_HEIGHT);
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
