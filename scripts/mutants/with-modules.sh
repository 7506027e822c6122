#!/usr/bin/env bash
# Cargo's runner for the mutants of js-values: runs the crate's tests $@, then builds the workers' modules of the workspace that it is
# called in and runs the tests of the modules in Node. The modules are hardly optimised: the tests ask what they answer.
set -euo pipefail
workspace="$(dirname "$(cargo locate-project --workspace --message-format plain)")"
source "$workspace/scripts/lib.sh"
cd "$workspace"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT

"$@"
if ! CARGO_TARGET_DIR=target/modules CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_DEV_OPT_LEVEL=1 \
  with_wasm_toolchain cargo build --quiet --target "$WASM_TARGET" -p latchkey-signer-worker -p latchkey-vrf-worker >"$log" 2>&1; then
  cat "$log"
  echo 'This mutant does not compile for WASM.'
  exit 1
fi
for module in signer vrf; do
  wasm-bindgen --target web --out-dir "ts/wasm/$module" --out-name "$module" \
    "target/modules/$WASM_TARGET/debug/latchkey_${module}_worker.wasm"
done
# The copy of the workspace has none.
ln -sfn "$MUTANTS_NODE_MODULES" node_modules
MUTANTS_PART=ts/src/workers vitest run --config scripts/mutants/vitest.config.ts .wasm.test
