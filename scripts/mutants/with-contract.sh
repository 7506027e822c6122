#!/usr/bin/env bash
# Cargo's runner for the registry's mutants: builds the contract of the copy that it is called in, then runs the tests $@.
set -euo pipefail
# Cargo runs a test in its package's folder.
cd "$(dirname "$(cargo locate-project --workspace --message-format plain)")"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
# The contract that was there before stands in no mutant's place.
rm -f build/registry.wasm
if ! CARGO_TARGET_DIR='' bash scripts/build.sh contract >"$log" 2>&1; then
  cat "$log"
  echo 'This mutant does not compile for the chain.'
  exit 1
fi
cd - >/dev/null
"$@"
