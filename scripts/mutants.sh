#!/usr/bin/env bash
# Mutation testing: changes the code in one place at a time and asks the unit tests to fail.
# Usage: scripts/mutants.sh [PART]...   a folder or a file of ts/src or crates; without one, every part
#        scripts/mutants.sh --list      the parts
# MUTANTS_JOBS mutants run at the same time, 1 if unset. The reports are in build/mutants; docs/maintainers/mutants.md reads them.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

CARGO_MUTANTS_VERSION=27.1.0
REPORTS="$BUILD_DIR/mutants"
export MUTANTS_JOBS="${MUTANTS_JOBS:-1}"
export MUTANTS_NODE_MODULES="$ROOT/node_modules"
# The binding crates hold no logic, and the chain and its tokens serve tests alone.
PARTS=(
  ts/src/{intent,webauthn,confirm,near,flows/registration}
  crates/{intent,key-derivation,vrf,nep413,near-transaction,js-values,json,shamir3pass,webauthn,registry-contract}
)

main() {
  [ "${1:-}" != --list ] || { printf '%s\n' "${PARTS[@]}"; return; }
  [ $# -gt 0 ] || set -- "${PARTS[@]}"
  mkdir -p "$REPORTS"
  local part
  for part in "$@"; do
    [ -e "$part" ] || die "There is no '$part'. The parts: ${PARTS[*]}"
    case "$part" in
      ts/src/*) typescript "$part" ;;
      crates/registry-contract*) registry "$part" ;;
      crates/js-values*) js_values "$part" ;;
      crates/*) crate "$part" ;;
      *) die "'$part' is not in ts/src or crates." ;;
    esac
  done
}

# StrykerJS with the unit tests of the part's folder (scripts/mutants/stryker.config.mjs). Its packages are not part of
# every checkout: they have a lock file of their own, and their peer vitest is the root's.
typescript() {
  local tools="$ROOT/scripts/mutants"
  if ! cmp -s "$tools/package-lock.json" "$tools/node_modules/.lock"; then
    say "Installing StrykerJS"
    (cd "$tools" && npm ci --ignore-scripts --legacy-peer-deps --no-progress --loglevel=error)
    cp "$tools/package-lock.json" "$tools/node_modules/.lock"
  fi
  say "Mutants of $1"
  MUTANTS_PART="$1" "$tools/node_modules/.bin/stryker" run scripts/mutants/stryker.config.mjs
}

# cargo-mutants with the tests of the part's crate.
crate() {
  cargo_mutants "$1" --all-features
}

# cargo-mutants with the registry's tests on the chain's VM, at one protocol. Cargo's runner builds the mutated contract
# before the tests. Without cargo-mutants' baseline, which knows only the tests of the mutated crate.
registry() {
  say "The registry's tests without a mutant"
  scripts/build.sh contract
  cargo test --quiet "${CHAIN_CRATES[@]}" --test registry -- protocol_85
  with_runner with-contract.sh cargo_mutants "$1" --baseline skip --test-package latchkey-contract-tests --timeout 900 -- \
    --test registry -- protocol_85
  say "$(grep -l 'does not compile for the chain' "$REPORTS"/registry-contract/mutants.out/log/* | wc -l) of them count as caught because they do not compile"
}

# cargo-mutants with the tests of the crate and of the workers' modules, which are what its reader runs in.
js_values() {
  with_runner with-modules.sh cargo_mutants "$1" --timeout 150
}

# Runs the command after $1 with this file of scripts/mutants as what Cargo starts instead of the tests.
with_runner() {
  local host runner="$ROOT/scripts/mutants/$1"; shift
  host="$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z-' 'A-Z_')"
  export "CARGO_TARGET_${host}_RUNNER=$runner"
  "$@"
  unset "CARGO_TARGET_${host}_RUNNER"
}

# Mutants of crate or file $1, with the options after it. Each job builds in its own copy: with a folder for all, Cargo takes
# the test binary of another job's mutant for its own.
cargo_mutants() {
  local part=$1 name; shift
  if [ "$("$TOOLS_DIR/bin/cargo-mutants" mutants --version 2>/dev/null)" != "cargo-mutants $CARGO_MUTANTS_VERSION" ]; then
    say "Building cargo-mutants $CARGO_MUTANTS_VERSION (some minutes, once)"
    CARGO_PROFILE_DEV_DEBUG=0 cargo install --quiet --debug --root "$TOOLS_DIR" cargo-mutants --version "$CARGO_MUTANTS_VERSION" --locked
  fi
  name="$(cut -d/ -f2 <<<"$part")"
  say "Mutants of $part"
  # 2: mutants were missed, 3: a test took too long. Both are results to read.
  cargo mutants --package "latchkey-$name" --output "$REPORTS/$name" --jobs "$MUTANTS_JOBS" --no-shuffle --gitignore true \
    --file "$([ -d "$part" ] && echo "$part/src/**" || echo "$part")" \
    --exclude '**/tests.rs' --exclude '**/tests/**' --exclude '**/testing.rs' --exclude '**/fuzzing.rs' "$@" || [ $? -lt 4 ]
}

main "$@"
