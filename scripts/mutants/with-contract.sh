#!/usr/bin/env bash
# Cargo's runner for the registry's mutants: builds the contract of the workspace that it is called in, then runs the tests $@.
set -euo pipefail
workspace="$(dirname "$(cargo locate-project --workspace --message-format plain)")"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
# A contract of an earlier mutant must not be tested for this one.
rm -f "$workspace/build/registry.wasm"
if ! bash "$workspace/scripts/build.sh" contract >"$log" 2>&1; then
  cat "$log"
  echo 'This mutant does not compile for the chain.'
  exit 1
fi
"$@"
