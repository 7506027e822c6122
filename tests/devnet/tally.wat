;; Counts all calls under "all", and each caller's under its account id. Counts are little-endian u64.
(module
  (import "env" "input" (func $input (param i64)))
  (import "env" "predecessor_account_id" (func $predecessor_account_id (param i64)))
  (import "env" "read_register" (func $read_register (param i64 i64)))
  (import "env" "storage_read" (func $storage_read (param i64 i64 i64) (result i64)))
  (import "env" "storage_write" (func $storage_write (param i64 i64 i64 i64 i64) (result i64)))
  (import "env" "promise_create"
    (func $promise_create (param i64 i64 i64 i64 i64 i64 i64 i64) (result i64)))
  (import "env" "promise_return" (func $promise_return (param i64)))
  (memory (export "memory") 1)
  (data (i32.const 0) "all")
  (data (i32.const 16) "tally")
  ;; 32: a zero deposit, u128; 64: the current count

  (func $add_one (param $key_length i64) (param $key i64)
    (i64.store (i32.const 64) (i64.const 0))
    (if (i64.eq (call $storage_read (local.get $key_length) (local.get $key) (i64.const 0)) (i64.const 1))
      (then (call $read_register (i64.const 0) (i64.const 64))))
    (i64.store (i32.const 64) (i64.add (i64.load (i32.const 64)) (i64.const 1)))
    (drop (call $storage_write
      (local.get $key_length) (local.get $key) (i64.const 8) (i64.const 64) (i64.const 2))))

  (func $tally (export "tally")
    (call $add_one (i64.const 3) (i64.const 0))
    (call $predecessor_account_id (i64.const 1))
    ;; a length of u64::MAX means "register number"
    (call $add_one (i64.const -1) (i64.const 1)))

  ;; Counts here, then at the account named by the input.
  (func (export "tally_both")
    (call $tally)
    (call $input (i64.const 3))
    (call $promise_return
      (call $promise_create
        (i64.const -1) (i64.const 3) (i64.const 5) (i64.const 16)
        (i64.const 0) (i64.const 0) (i64.const 32) (i64.const 5000000000000))))
)
