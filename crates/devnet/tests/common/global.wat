;; Makes the actions of global contracts and deterministic accounts from inside a contract:
;;
;; - `publish` deploys its input as this account's global contract, `publish_by_hash` under its hash
;; - `adopt` makes this account use the global contract of the account that its input names
;; - `spawn` initialises the deterministic account that its input names, with this account's global
;;   contract, "v" under "k" and one NEAR; `spawn_twice` sets the entry twice, and `spawn_wrong` sets it
;;   for an action that is not there
(module
  (import "env" "input" (func $input (param i64)))
  (import "env" "current_account_id" (func $current_account_id (param i64)))
  (import "env" "promise_batch_create" (func $promise_batch_create (param i64 i64) (result i64)))
  (import "env" "promise_return" (func $promise_return (param i64)))
  (import "env" "promise_batch_action_deploy_global_contract"
    (func $deploy_by_hash (param i64 i64 i64)))
  (import "env" "promise_batch_action_deploy_global_contract_by_account_id"
    (func $deploy_by_account (param i64 i64 i64)))
  (import "env" "promise_batch_action_use_global_contract_by_account_id"
    (func $use_by_account (param i64 i64 i64)))
  (import "env" "promise_batch_action_state_init_by_account_id"
    (func $state_init (param i64 i64 i64 i64) (result i64)))
  (import "env" "set_state_init_data_entry"
    (func $set_entry (param i64 i64 i64 i64 i64 i64)))
  (memory (export "memory") 1)
  (data (i32.const 0) "k")
  (data (i32.const 8) "v")
  ;; 16: one NEAR, 10^24 yocto as a u128
  (data (i32.const 16) "\00\00\00\a1\ed\cc\ce\1b\c2\d3\00\00\00\00\00\00")

  ;; A promise to this account, with the input in register 0. A length of u64::MAX means "register
  ;; number".
  (func $promise_to_itself (result i64)
    (call $input (i64.const 0))
    (call $current_account_id (i64.const 1))
    (call $promise_batch_create (i64.const -1) (i64.const 1)))

  (func (export "publish") (local $promise i64)
    (local.set $promise (call $promise_to_itself))
    (call $deploy_by_account (local.get $promise) (i64.const -1) (i64.const 0))
    (call $promise_return (local.get $promise)))

  (func (export "publish_by_hash") (local $promise i64)
    (local.set $promise (call $promise_to_itself))
    (call $deploy_by_hash (local.get $promise) (i64.const -1) (i64.const 0))
    (call $promise_return (local.get $promise)))

  (func (export "adopt") (local $promise i64)
    (local.set $promise (call $promise_to_itself))
    (call $use_by_account (local.get $promise) (i64.const -1) (i64.const 0))
    (call $promise_return (local.get $promise)))

  ;; Sets the entry for the given action after the one that initialises the account, `times` times.
  (func $spawn (param $further i64) (param $times i32) (local $promise i64) (local $action i64)
    (call $input (i64.const 0))
    (call $current_account_id (i64.const 1))
    (local.set $promise (call $promise_batch_create (i64.const -1) (i64.const 0)))
    (local.set $action
      (call $state_init (local.get $promise) (i64.const -1) (i64.const 1) (i64.const 16)))
    (loop $again
      (call $set_entry
        (local.get $promise) (i64.add (local.get $action) (local.get $further))
        (i64.const 1) (i64.const 0) (i64.const 1) (i64.const 8))
      (local.set $times (i32.sub (local.get $times) (i32.const 1)))
      (br_if $again (local.get $times)))
    (call $promise_return (local.get $promise)))

  (func (export "spawn") (call $spawn (i64.const 0) (i32.const 1)))
  (func (export "spawn_twice") (call $spawn (i64.const 0) (i32.const 2)))
  (func (export "spawn_wrong") (call $spawn (i64.const 1) (i32.const 1)))
)
