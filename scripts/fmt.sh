#!/usr/bin/env bash
# Formats every file.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"
cargo fmt --all
biome check --write --no-errors-on-unmatched .
