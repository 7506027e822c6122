//! The imports of the built contracts. On a network that does not know one of them, every call fails.

use std::collections::BTreeSet;

use latchkey_contract_tests::built_contract;
use wasmparser::{Parser, Payload};

/// Host functions of protocol 84. Add one only when every network of the registry knows it.
const OF_84: &[&str] = &[
    "attached_deposit",
    "block_index",
    "block_timestamp",
    "current_account_id",
    "ed25519_verify",
    "input",
    "log_utf8",
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

/// Host functions that protocol 85 added.
const OF_85: &[&str] = &["p256_verify"];

#[test]
fn the_contract_imports_only_functions_of_protocol_85() {
    assert_eq!(imports(85), [OF_84, OF_85].concat().into_iter().collect());
}

#[test]
fn the_contract_with_p256_imports_only_functions_of_protocol_84() {
    assert_eq!(imports(84), OF_84.iter().copied().collect());
}

/// The import names of the contract for a protocol version. Leaks them, which is fine in a short test.
fn imports(protocol_version: u32) -> BTreeSet<&'static str> {
    let wasm = std::fs::read(built_contract(protocol_version)).unwrap();
    let mut imports = BTreeSet::new();
    for payload in Parser::new(0).parse_all(wasm.leak()) {
        if let Payload::ImportSection(section) = payload.unwrap() {
            for import in section {
                let import = import.unwrap();
                assert_eq!(import.module, "env");
                imports.insert(import.name);
            }
        }
    }
    imports
}
