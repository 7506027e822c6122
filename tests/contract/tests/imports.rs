//! What the built contract asks of the chain. One import that a network does not know refuses every
//! call there.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeSet;
use std::path::Path;

use wasmparser::{Parser, Payload};

/// Host functions of protocol 85, the lowest version supported. A new one goes here only when every
/// network that the registry runs on knows it.
const ALLOWED: &[&str] = &[
    "attached_deposit",
    "block_index",
    "block_timestamp",
    "current_account_id",
    "ed25519_verify",
    "input",
    "log_utf8",
    "p256_verify",
    "panic_utf8",
    "predecessor_account_id",
    "promise_batch_action_add_key_with_full_access",
    "promise_batch_action_create_account",
    "promise_batch_action_function_call",
    "promise_batch_action_transfer",
    "promise_batch_create",
    "promise_batch_then",
    "promise_result",
    "promise_return",
    "promise_yield_create",
    "read_register",
    "register_len",
    "sha256",
    "signer_account_id",
    "signer_account_pk",
    "storage_has_key",
    "storage_read",
    "storage_remove",
    "storage_usage",
    "storage_write",
    "value_return",
];

#[test]
fn imports_nothing_that_protocol_85_lacks() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../build/registry.wasm");
    let wasm = std::fs::read(&path)
        .expect("build/registry.wasm: run 'bash scripts/build.sh contract' first");
    let mut imports = BTreeSet::new();
    for payload in Parser::new(0).parse_all(&wasm) {
        if let Payload::ImportSection(section) = payload.unwrap() {
            for import in section {
                let import = import.unwrap();
                assert_eq!(import.module, "env");
                imports.insert(import.name.to_owned());
            }
        }
    }
    println!("{} bytes, {} imports", wasm.len(), imports.len());
    assert_eq!(imports, ALLOWED.iter().map(ToString::to_string).collect());
}
