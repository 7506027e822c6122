#!/usr/bin/env bash
# Cargo's runner for the registry's mutants: builds the contract of the workspace that it is called in, then runs the tests $@.
# Its crates are neither linked into one nor optimised: the tests ask what the contract does, and so a build takes 4 seconds.
set -euo pipefail
workspace="$(dirname "$(cargo locate-project --workspace --message-format plain)")"
source "$workspace/scripts/lib.sh"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT

export CARGO_TARGET_DIR="$workspace/target/contract/mutant"
built="$CARGO_TARGET_DIR/$WASM_TARGET/release/latchkey_registry_contract.wasm"
# A contract of an earlier mutant must not be tested for this one.
rm -f "$built" "$BUILD_DIR/registry.wasm"
if ! RUSTFLAGS="--cfg near" CARGO_INCREMENTAL=1 \
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
  with_wasm_toolchain cargo build --quiet --release --target "$WASM_TARGET" -p latchkey-registry-contract >"$log" 2>&1; then
  cat "$log"
  echo 'This mutant does not compile for the chain.'
  exit 1
fi
mkdir -p "$BUILD_DIR"
cp "$built" "$BUILD_DIR/registry.wasm"
"$@"
