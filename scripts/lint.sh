#!/usr/bin/env bash
# Checks formatting, lints and types. Changes nothing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

say "rustfmt"
cargo fmt --all --check
say "clippy"
cargo clippy --quiet --workspace --all-targets -- -D warnings
say "biome"
biome check --error-on-warnings .
say "prose"
node scripts/prose.mjs
say "audit"
node scripts/audit.mjs
scripts/deny.sh
say "types"
for project in ts react react/tsconfig.test.json react/vite/tsconfig.test.json react/wallet demo demo/app tests; do
  tsc --noEmit -p "$project"
done
