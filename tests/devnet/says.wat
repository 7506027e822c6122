;; Says of itself as a token, and of authorizations (NEP-641), what it was told: what no honest contract says. Has 5 units for
;; everyone, and fails for storage.
(module
  (import "env" "input" (func $input (param i64)))
  (import "env" "storage_read" (func $storage_read (param i64 i64 i64) (result i64)))
  (import "env" "storage_write" (func $storage_write (param i64 i64 i64 i64 i64) (result i64)))
  (import "env" "value_return" (func $value_return (param i64 i64)))
  (memory (export "memory") 1)
  (data (i32.const 0) "metadata")
  (data (i32.const 16) "\"5\"")

  ;; a length of u64::MAX means "register number"
  (func (export "say")
    (call $input (i64.const 0))
    (drop (call $storage_write (i64.const 8) (i64.const 0) (i64.const -1) (i64.const 0) (i64.const 1))))

  (func (export "ft_metadata")
    (drop (call $storage_read (i64.const 8) (i64.const 0) (i64.const 0)))
    (call $value_return (i64.const -1) (i64.const 0)))

  (func (export "w_resolve_auth")
    (drop (call $storage_read (i64.const 8) (i64.const 0) (i64.const 0)))
    (call $value_return (i64.const -1) (i64.const 0)))

  (func (export "ft_balance_of") (call $value_return (i64.const 3) (i64.const 16)))

  (func (export "storage_balance_of") (unreachable))
)
