//! Contracts for steps that no key can take.

use latchkey_contract_tests::{DEPOSIT, Outcome, World};
use near_primitives::action::{Action, FunctionCallAction};
use near_primitives::types::{Balance, Gas};
use serde_json::Value;

/// A contract whose one method passes its input and deposit to a method of the registry.
fn forwarder(method: &str) -> String {
    let length = method.len();
    format!(
        r#"(module
  (import "env" "input" (func $input (param i64)))
  (import "env" "attached_deposit" (func $attached_deposit (param i64)))
  (import "env" "promise_create"
    (func $promise_create (param i64 i64 i64 i64 i64 i64 i64 i64) (result i64)))
  (import "env" "promise_return" (func $promise_return (param i64)))
  (memory (export "memory") 1)
  (data (i32.const 0) "w3a-v1.testnet")
  (data (i32.const 16) "{method}")
  (func (export "forward")
    (call $input (i64.const 0))
    (call $attached_deposit (i64.const 64))
    ;; A length of -1 means the register of that number.
    (call $promise_return (call $promise_create
      (i64.const 14) (i64.const 0) (i64.const {length}) (i64.const 16) (i64.const -1) (i64.const 0)
      (i64.const 64) (i64.const 50000000000000)))))"#
    )
}

/// Deploys the contract that calls `method` to an account.
pub(crate) fn deploy(world: &World, account: &str, method: &str) {
    let code = wat::parse_str(forwarder(method)).unwrap();
    let deployed = world.run(world.sign_deployment(account, code, &[]));
    deployed.result.unwrap();
}

/// Lets `signer` call the registry through the contract on `account`.
pub(crate) fn forward(world: &World, signer: &str, account: &str, args: &Value) -> Outcome {
    let call = FunctionCallAction {
        method_name: "forward".to_owned(),
        args: args.to_string().into_bytes(),
        gas: Gas::from_teragas(80),
        deposit: Balance::from_yoctonear(DEPOSIT),
    };
    let actions = vec![Action::FunctionCall(Box::new(call))];
    world.run(world.sign_actions(signer, account, actions))
}

/// A contract whose method `fill` stores these entries.
pub(crate) fn filler(entries: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let mut data = String::new();
    let mut writes = String::new();
    let mut offset = 0;
    let mut place = |bytes: &[u8]| {
        let at = offset;
        offset += bytes.len();
        let text: String = bytes.iter().map(|byte| format!("\\{byte:02x}")).collect();
        data += &format!("(data (i32.const {at}) \"{text}\")\n");
        format!("(i64.const {}) (i64.const {at})", bytes.len())
    };
    for (key, value) in entries {
        let (key, value) = (place(key), place(value));
        writes += &format!("(drop (call $write {key} {value} (i64.const 0)))\n");
    }
    let module = format!(
        r#"(module
          (import "env" "storage_write" (func $write (param i64 i64 i64 i64 i64) (result i64)))
          (memory (export "memory") 4)
          {data}
          (func (export "fill") {writes}))"#
    );
    wat::parse_str(module).unwrap()
}
