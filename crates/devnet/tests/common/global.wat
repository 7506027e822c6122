;; Makes the actions of global contracts from inside a contract:
;;
;; - `publish` deploys its input as this account's global contract, `publish_by_hash` under its hash
;; - `adopt` makes this account use the global contract of the account that its input names
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
)
