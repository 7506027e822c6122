//! Why the binary does not start or continue, in one sentence.

use std::process::Command;

use latchkey_devnet::{Chain, GENESIS_HEIGHT};
use near_primitives::transaction::{Transaction, TransactionV0};
use serde_json::json;

use crate::common::program::Program;
use crate::common::*;
use crate::{Folder, folder_text};

/// Writes to a chain's database behind its back.
fn tamper(folder: &Folder, table: &str, key: &[u8], value: &[u8]) {
    let database = redb::Database::open(folder.0.join("chain.redb")).unwrap();
    let write = database.begin_write().unwrap();
    if table == "meta" {
        let table = redb::TableDefinition::<&str, &[u8]>::new(table);
        let key = std::str::from_utf8(key).unwrap();
        write.open_table(table).unwrap().insert(key, value).unwrap();
    } else {
        let table = redb::TableDefinition::<&[u8], &[u8]>::new(table);
        write.open_table(table).unwrap().insert(key, value).unwrap();
    }
    write.commit().unwrap();
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
    assert_eq!(chain.head().height, GENESIS_HEIGHT);
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
}

#[test]
fn says_in_one_sentence_what_is_wrong_with_its_arguments() {
    let folder = Folder::new("arguments");
    std::fs::create_dir_all(&folder.0).unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        folder_text(&path).to_owned()
    };
    let not_wasm = file("text.wasm", b"not wasm");
    let no_init = file("empty.wasm", b"\0asm\x01\0\0\0");
    let folder_itself = folder_text(&folder.0).to_owned();
    let other_program = folder.0.join("other");
    std::fs::create_dir_all(&other_program).unwrap();
    std::fs::write(other_program.join("chain.redb"), b"something else").unwrap();
    let other_program = folder_text(&other_program).to_owned();
    let empty = folder.0.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    std::fs::write(empty.join("chain.redb"), b"").unwrap();
    let empty = folder_text(&empty).to_owned();
    for (arguments, reason) in [
        (
            vec!["--registry", &not_wasm],
            "text.wasm is not the registry contract, its init failed",
        ),
        (vec!["--registry", &no_init], "MethodNotFound"),
        (
            vec!["--registry", &folder_itself],
            "is a folder; name the .wasm file in it",
        ),
        (
            vec!["--no-registry", "--data", &not_wasm],
            "cannot be used: File exists",
        ),
        (
            vec!["--no-registry", "--data", &other_program],
            "its chain.redb is no chain that this version reads; --fresh begins a new one",
        ),
        (
            vec!["--no-registry", "--data", &empty],
            "its chain.redb is no chain that this version reads; --fresh begins a new one",
        ),
        (
            vec!["--no-registry", "--fund", "Bad Name=5"],
            "Bad Name is not an account id",
        ),
        (
            vec!["--no-registry", "--fund", "=5"],
            "is not an account id",
        ),
        (
            vec!["--no-registry", "--fund", "a.testnet"],
            "write it like alice.testnet=100",
        ),
        (
            vec!["--no-registry", "--fund", "a.testnet=some"],
            "a whole number of NEAR",
        ),
        (
            vec!["--no-registry", "--fund", "a.testnet=-1"],
            "a whole number of NEAR",
        ),
        (
            vec!["--no-registry", "--fund", "a.testnet=1000000000001"],
            "at most 1000000000000 NEAR",
        ),
        (
            vec!["--no-registry", "--fund", "system=5"],
            "no account can be named system",
        ),
        (
            vec!["--no-registry", "--protocol-version", "83"],
            "choose 84 to 88",
        ),
        (
            vec!["--no-registry", "--block-time", "1ms"],
            "blocks need at least 10ms",
        ),
        (
            vec!["--no-registry", "--block-time", "soon"],
            "write it like 600ms or 1s, or manual",
        ),
        (
            vec!["--no-registry", "--block-time", "18446744073709551615s"],
            "at least every 3600s; choose manual for none",
        ),
        (
            vec!["--no-registry", "--protocol-version", "new"],
            "the protocol version is a whole number",
        ),
        (
            vec!["--no-registry", "--fresh"],
            "were not provided: --data <DATA>",
        ),
        (vec!["--bogus"], "unexpected argument '--bogus' found"),
    ] {
        let said = Command::new(env!("CARGO_BIN_EXE_latchkey-devnet"))
            .args(["--port", "0"])
            .args(&arguments)
            .output()
            .unwrap();
        let text = String::from_utf8(said.stderr).unwrap();
        assert_eq!(said.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(said.stdout.is_empty(), "{arguments:?}");
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        assert!(text.starts_with("latchkey-devnet: "), "{text}");
        assert!(text.contains(reason), "{arguments:?}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn says_when_the_address_space_limit_is_too_low() {
    let limited = Command::new("sh")
        .args([
            "-c",
            "ulimit -v 16777216 && exec \"$0\" --port 0 --no-registry",
        ])
        .arg(env!("CARGO_BIN_EXE_latchkey-devnet"))
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(limited.stderr).unwrap(),
        "latchkey-devnet: the virtual machine reserves 125 GiB of address space, and this process \
         may have 16 GiB; lift the limit with ulimit -v unlimited\n"
    );
}

#[test]
fn a_folder_of_another_version_is_reported_and_left_alone() {
    let folder = Folder::new("version");
    let chain = Chain::open(folder.config()).unwrap();
    let head = chain.produce_blocks(3).unwrap();
    drop(chain);
    tamper(&folder, "meta", b"format", b"0");
    let (said, code) = Program::refusal(&["--data", folder_text(&folder.0)]);
    assert_eq!(code, Some(1));
    assert!(
        said.contains("no chain that this version reads; --fresh begins a new one"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
    tamper(&folder, "meta", b"format", b"1");
    assert_eq!(Chain::open(folder.config()).unwrap().head(), head);

    tamper(&folder, "meta", b"format", b"0");
    let program = Program::start(&["--data", folder_text(&folder.0), "--fresh"]);
    program.kill();
}

#[test]
fn a_chain_that_cannot_continue_exits_with_one_sentence() {
    let folder = Folder::new("corrupt");
    let chain = Chain::open(folder.config()).unwrap();
    let head = chain.head();
    drop(chain);
    tamper(&folder, "state", b"\0bob.testnet", b"no account");
    let mut program = Program::start(&["--data", folder_text(&folder.0), "--block-time", "20ms"]);
    let signed = latchkey_devnet::sign_transaction(
        &key(ALICE),
        Transaction::V0(TransactionV0 {
            signer_id: id(ALICE),
            public_key: key(ALICE).public_key(),
            nonce: 1,
            receiver_id: id(BOB),
            block_hash: head.hash,
            actions: vec![transfer(near(1))],
        }),
    );
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "broadcast_tx_async",
        "params": [base64_of(&signed)] });
    // The chain may exit before it answers.
    drop(ureq::post(&program.url).send_json(body));
    assert_eq!(program.child.wait().unwrap().code(), Some(1));
    let mut said = String::new();
    std::io::Read::read_to_string(&mut program.child.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("latchkey-devnet: no block can be made after block 10000"),
        "{said}"
    );
    assert!(said.contains("the state is inconsistent"), "{said}");
    assert!(said.ends_with("--fresh begins a new chain\n"), "{said}");
}
