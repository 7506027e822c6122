#!/usr/bin/env bash
# Checks formatting, lints and types, of Rust and of TypeScript at the same time. Changes nothing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

main() {
  local output rust verdict=0
  output="$(mktemp)"
  # Its output comes after the other one's, so that the two do not mix.
  check_rust >"$output" 2>&1 &
  rust=$!
  trap "kill $rust 2>/dev/null || true; rm -f '$output'" EXIT
  check_typescript
  wait "$rust" || verdict=$?
  cat "$output" >&2
  [ "$verdict" = 0 ] || die "The Rust code has findings, as the output above says."
}

check_rust() {
  say "rustfmt"
  cargo fmt --all --check
  say "clippy"
  cargo clippy --quiet --workspace --all-targets -- -D warnings
  scripts/deny.sh
}

check_typescript() {
  say "biome"
  biome check --error-on-warnings .
  say "audit"
  node scripts/audit.mjs
  say "types"
  local project
  for project in ts server react react/tsconfig.test.json react/vite/tsconfig.test.json react/wallet dev demo demo/app tests; do
    tsc --noEmit -p "$project"
  done
}

main "$@"
