;; `spawn` initialises the universal account of the state init that its input is, with one NEAR. It returns
;; the promise.
(module
  (import "env" "input" (func $input (param i64)))
  (import "env" "panic" (func $panic))
  (import "env" "promise_batch_create" (func $promise_batch_create (param i64 i64) (result i64)))
  (import "env" "promise_return" (func $promise_return (param i64)))
  (import "env" "universal_state_init_to_account_id"
    (func $account_id (param i64 i64 i64) (result i64)))
  (import "env" "promise_batch_action_universal_state_init"
    (func $state_init (param i64 i64 i64 i64)))
  (memory (export "memory") 1)
  ;; 0: one NEAR, 10^24 yocto as a u128
  (data (i32.const 0) "\00\00\00\a1\ed\cc\ce\1b\c2\d3\00\00\00\00\00\00")

  (func (export "spawn") (local $promise i64)
    (call $input (i64.const 0))
    ;; A length of u64::MAX means "register number".
    (if (i64.ne (call $account_id (i64.const -1) (i64.const 0) (i64.const 1)) (i64.const 0))
      (then (call $panic)))
    (local.set $promise (call $promise_batch_create (i64.const -1) (i64.const 1)))
    (call $state_init (local.get $promise) (i64.const -1) (i64.const 0) (i64.const 0))
    (call $promise_return (local.get $promise)))
)
