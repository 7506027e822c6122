#!/usr/bin/env bash
# Measures speed against peers, each ratio within one run. Usage: scripts/bench.sh [peers|criterion]...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"
[ $# -gt 0 ] || set -- peers criterion
for part in "$@"; do
  case "$part" in
    peers)
      for file in scripts/bench/*.mjs; do
        say "$(basename "$file" .mjs)"
        node "$file"
      done ;;
    criterion) cargo bench --quiet -p latchkey-near-transaction -p latchkey-key-derivation -p latchkey-vrf -p latchkey-shamir3pass ;;
    *) die "Unknown part '$part'. The parts: peers criterion" ;;
  esac
done
