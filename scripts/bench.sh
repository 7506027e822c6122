#!/usr/bin/env bash
# Measures speed. Usage: scripts/bench.sh [peers|chain|relay|relays|registry|frame|minute|criterion]...
# peers: our WASM against others, each ratio within one run; chain and relay: each on its own chain.
# The part relays runs only when it is named, because it also draws the plot of docs/guides/scaling.mdx.
# registry: the gas of each method, and the size; frame: the wallet frame's start and downloads.
# minute: from npm create to a payment, by the packages as tarballs.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

# Runs the bench $1; the other arguments are Node's options.
run() {
  local name=$1; shift
  say "$name"
  node "$@" "scripts/bench/$name.mjs"
}

[ $# -gt 0 ] || set -- peers chain relay registry frame minute criterion
for part in "$@"; do
  case "$part" in
    peers) run shamir-vrf; run signing ;;
    chain) run devnet --import tsx ;;
    relay) run relay --import tsx ;;
    relays) run relays --import tsx ;;
    registry) cargo run --quiet -p latchkey-contract-tests --example gas ;;
    frame) run frame --import tsx ;;
    minute) run minute --import tsx ;;
    criterion) cargo bench --quiet -p latchkey-near-transaction -p latchkey-key-derivation -p latchkey-vrf -p latchkey-shamir3pass ;;
    *) die "Unknown part '$part'. The parts: peers chain relay relays registry frame minute criterion" ;;
  esac
done
