(module
  (import "env" "input" (func $input (param i64)))
  (import "env" "read_register" (func $read_register (param i64 i64)))
  (import "env" "register_len" (func $register_len (param i64) (result i64)))
  (import "env" "storage_write" (func $storage_write (param i64 i64 i64 i64 i64) (result i64)))
  (import "env" "storage_read" (func $storage_read (param i64 i64 i64) (result i64)))
  (import "env" "value_return" (func $value_return (param i64 i64)))
  (import "env" "log_utf8" (func $log_utf8 (param i64 i64)))
  (import "env" "panic_utf8" (func $panic_utf8 (param i64 i64)))
  (import "env" "promise_create"
    (func $promise_create (param i64 i64 i64 i64 i64 i64 i64 i64) (result i64)))
  (import "env" "promise_then"
    (func $promise_then (param i64 i64 i64 i64 i64 i64 i64 i64 i64) (result i64)))
  (import "env" "promise_batch_create" (func $promise_batch_create (param i64 i64) (result i64)))
  (import "env" "promise_batch_action_function_call_weight"
    (func $call_weight (param i64 i64 i64 i64 i64 i64 i64 i64)))
  (import "env" "promise_return" (func $promise_return (param i64)))
  (import "env" "promise_result" (func $promise_result (param i64 i64) (result i64)))
  (import "env" "promise_yield_create"
    (func $promise_yield_create (param i64 i64 i64 i64 i64 i64 i64) (result i64)))
  (import "env" "promise_yield_resume"
    (func $promise_yield_resume (param i64 i64 i64 i64) (result i32)))
  (import "env" "current_account_id" (func $current_account_id (param i64)))
  (memory (export "memory") 1)
  (data (i32.const 0) "k")
  (data (i32.const 8) "d")
  (data (i32.const 16) "hello")
  (data (i32.const 32) "boom")
  (data (i32.const 48) "bob.testnet")
  (data (i32.const 64) "echo")
  (data (i32.const 80) "after")
  (data (i32.const 96) "failed")
  (data (i32.const 112) "ok:")
  ;; 128: one yocto as a u128; 160: no deposit
  (data (i32.const 128) "\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00")
  (data (i32.const 160) "\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00")

  (func (export "set")
    (call $input (i64.const 0))
    ;; a length of u64::MAX means "register number"
    (drop (call $storage_write (i64.const 1) (i64.const 0) (i64.const -1) (i64.const 0) (i64.const 1))))

  (func (export "get")
    (if (i64.eqz (call $storage_read (i64.const 1) (i64.const 0) (i64.const 0))) (then (return)))
    (call $value_return (i64.const -1) (i64.const 0)))

  (func (export "echo")
    (call $log_utf8 (i64.const 5) (i64.const 16))
    (call $input (i64.const 0))
    (call $value_return (i64.const -1) (i64.const 0)))

  (func (export "shout")
    (call $input (i64.const 0))
    (call $read_register (i64.const 0) (i64.const 1024))
    (call $log_utf8 (call $register_len (i64.const 0)) (i64.const 1024)))

  (func (export "fail")
    (call $input (i64.const 0))
    (drop (call $storage_write (i64.const 1) (i64.const 0) (i64.const -1) (i64.const 0) (i64.const 1)))
    (call $panic_utf8 (i64.const 4) (i64.const 32)))

  (func (export "call_bob")
    (call $input (i64.const 0))
    (call $promise_return
      (call $promise_create
        (i64.const 11) (i64.const 48) (i64.const 4) (i64.const 64)
        (i64.const -1) (i64.const 0) (i64.const 160) (i64.const 5000000000000))))

  (func (export "call_then") (local $promise i64)
    (call $input (i64.const 0))
    (call $current_account_id (i64.const 2))
    (local.set $promise
      (call $promise_create
        (i64.const 11) (i64.const 48) (i64.const -1) (i64.const 0)
        (i64.const 2) (i64.const 112) (i64.const 128) (i64.const 5000000000000)))
    (call $promise_return
      (call $promise_then
        (local.get $promise) (i64.const -1) (i64.const 2) (i64.const 5) (i64.const 80)
        (i64.const 0) (i64.const 0) (i64.const 160) (i64.const 5000000000000))))

  (func (export "after")
    (if (i64.eq (call $promise_result (i64.const 0) (i64.const 3)) (i64.const 1))
      (then
        (call $read_register (i64.const 3) (i64.const 1027))
        (memory.copy (i32.const 1024) (i32.const 112) (i32.const 3))
        (call $value_return
          (i64.add (i64.const 3) (call $register_len (i64.const 3))) (i64.const 1024)))
      (else (call $value_return (i64.const 6) (i64.const 96)))))

  (func (export "weights")
    (call $call_weight
      (call $promise_batch_create (i64.const 11) (i64.const 48))
      (i64.const 4) (i64.const 64) (i64.const 0) (i64.const 0) (i64.const 160) (i64.const 0) (i64.const 1))
    (call $call_weight
      (call $promise_batch_create (i64.const 11) (i64.const 48))
      (i64.const 4) (i64.const 64) (i64.const 0) (i64.const 0) (i64.const 160) (i64.const 0) (i64.const 3)))

  (func (export "wait") (local $promise i64)
    (local.set $promise
      (call $promise_yield_create
        (i64.const 5) (i64.const 80) (i64.const 0) (i64.const 0)
        (i64.const 10000000000000) (i64.const 0) (i64.const 4)))
    (drop (call $storage_write (i64.const 1) (i64.const 8) (i64.const -1) (i64.const 4) (i64.const 1)))
    (call $promise_return (local.get $promise)))

  (func (export "resume") (local $resumed i32)
    (call $input (i64.const 0))
    (call $read_register (i64.const 0) (i64.const 1024))
    (drop (call $storage_read (i64.const 1) (i64.const 8) (i64.const 4)))
    (call $read_register (i64.const 4) (i64.const 2048))
    (local.set $resumed
      (call $promise_yield_resume
        (i64.const 32) (i64.const 2048) (call $register_len (i64.const 0)) (i64.const 1024)))
    (i32.store8 (i32.const 512) (i32.add (local.get $resumed) (i32.const 48)))
    (call $value_return (i64.const 1) (i64.const 512)))

  (func (export "loop") (loop $again (br $again)))
)
