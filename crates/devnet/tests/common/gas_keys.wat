;; Makes the actions of gas keys from inside a contract, for the key of 33 bytes that its input is:
;;
;; - `add` adds it to this account as a gas key with three lanes; `add_for_calls` with two lanes, for any
;;   method of this account
;; - `fill` sends it one NEAR
(module
  (import "env" "input" (func $input (param i64)))
  (import "env" "current_account_id" (func $current_account_id (param i64)))
  (import "env" "promise_batch_create" (func $promise_batch_create (param i64 i64) (result i64)))
  (import "env" "promise_return" (func $promise_return (param i64)))
  (import "env" "promise_batch_action_add_gas_key_with_full_access"
    (func $add_full (param i64 i64 i64 i64)))
  (import "env" "promise_batch_action_add_gas_key_with_function_call"
    (func $add_call (param i64 i64 i64 i64 i64 i64 i64 i64 i64)))
  (import "env" "promise_batch_action_transfer_to_gas_key"
    (func $fill (param i64 i64 i64 i64)))
  (memory (export "memory") 1)
  ;; 0: no allowance; 16: one NEAR, 10^24 yocto as a u128
  (data (i32.const 16) "\00\00\00\a1\ed\cc\ce\1b\c2\d3\00\00\00\00\00\00")

  ;; A promise to this account, with the input in register 0 and its name in register 1. A length of
  ;; u64::MAX means "register number".
  (func $promise_to_itself (result i64)
    (call $input (i64.const 0))
    (call $current_account_id (i64.const 1))
    (call $promise_batch_create (i64.const -1) (i64.const 1)))

  (func (export "add") (local $promise i64)
    (local.set $promise (call $promise_to_itself))
    (call $add_full (local.get $promise) (i64.const -1) (i64.const 0) (i64.const 3))
    (call $promise_return (local.get $promise)))

  (func (export "add_for_calls") (local $promise i64)
    (local.set $promise (call $promise_to_itself))
    (call $add_call
      (local.get $promise) (i64.const -1) (i64.const 0) (i64.const 2) (i64.const 0)
      (i64.const -1) (i64.const 1) (i64.const 0) (i64.const 0))
    (call $promise_return (local.get $promise)))

  (func (export "fill") (local $promise i64)
    (local.set $promise (call $promise_to_itself))
    (call $fill (local.get $promise) (i64.const -1) (i64.const 0) (i64.const 16))
    (call $promise_return (local.get $promise)))
)
