#!/usr/bin/env bash
# Builds one part, or all of them in the order in which they need each other.
# Usage: scripts/build.sh [wasm|contract|contract-p256|contract-dialect|contract-tokens|contract-multisig|devnet|ts|react|dev|app]...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

# What each flag buys is measured in docs/maintainers/performance.md.
# The paths that panic messages carry are cut, so that a build is the same wherever it is made.
WORKER_RUSTFLAGS="-Ctarget-feature=+simd128,+bulk-memory --cfg curve25519_dalek_bits=\"32\"
  --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src/= --remap-path-prefix=$ROOT/="
WASM_FEATURES=(--enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals)
# Downloads are compressed: repeated code costs less than code shared through additional locals.
REPEATS_COMPRESS=(--skip-pass merge-similar-functions --skip-pass local-cse)

main() {
  [ $# -gt 0 ] || set -- wasm contract devnet ts react dev app
  local part devnet=""
  for part in "$@"; do
    case "$part" in
      # Nothing else here needs the chain, and linking a module leaves it a processor: so it is built next to the others.
      devnet)
        build_devnet &
        devnet=$! ;;
      wasm | contract | contract-p256 | contract-dialect | contract-tokens | contract-multisig | ts | react | dev | app) ;;
      *) die "Unknown part '$part'. The parts: wasm contract contract-p256 contract-dialect contract-tokens contract-multisig devnet ts react dev app" ;;
    esac
  done
  for part in "$@"; do
    [ "$part" = devnet ] || "build_$part"
  done
  [ -z "$devnet" ] || wait "$devnet" || die "The local chain could not be built, as the output above says."
}

# The modules: a crate each to wasm/* of the packages that use it. Two live in web workers, and the relay has its own and the VRF's.
build_wasm() {
  module signer signer-worker ts
  module vrf vrf-worker ts
  module relay relay-wasm server
  mkdir -p "$ROOT/server/wasm/vrf"
  cp "$ROOT"/ts/wasm/vrf/vrf* "$ROOT/server/wasm/vrf/"
}

module() {
  local name=$1 crate=$2 out="$ROOT/$3/wasm/$1" work="$BUILD_DIR/wasm/$1"
  say "Building the WASM module $name"
  CARGO_TARGET_DIR="$ROOT/target/wasm" RUSTFLAGS="$WORKER_RUSTFLAGS" with_wasm_toolchain \
    wasm-pack --quiet build "crates/$crate" --target web --profile wasm --mode no-install --no-pack --no-opt \
    --out-dir "$work" --out-name "$name"
  mkdir -p "$out"
  optimise "$work/${name}_bg.wasm" "$out/${name}_bg.wasm" \
    --enable-simd --enable-reference-types --enable-multivalue --strip-producers --strip-target-features \
    "${REPEATS_COMPRESS[@]}"
  cp "$work/$name.js" "$work/${name}_bg.wasm.d.ts" "$out/"
  cat scripts/wasm-platform.d.ts "$work/$name.d.ts" >"$out/$name.d.ts"
}

# wasm-opt -Oz from $1 to $2, skipped when $1 and this script are what they were the last time.
optimise() {
  local from=$1 to=$2; shift 2
  if [ "$to" -nt scripts/build.sh ] && cmp -s "$from" "$from.optimised"; then return 0; fi
  # Written under another name first, so that a concurrent reader of $to sees a whole file.
  wasm-opt -Oz --one-caller-inline-max-function-size 0 "${WASM_FEATURES[@]}" "$@" "$from" -o "$to.new"
  mv "$to.new" "$to"
  cp "$from" "$from.optimised"
}

# The registry: crates/registry-contract to build/registry.wasm, and to the package that carries it.
build_contract() {
  contract registry registry-contract
  mkdir -p "$ROOT/server/wasm"
  cp "$BUILD_DIR/registry.wasm" "$ROOT/server/wasm/"
}

# The registry for chains below protocol 85, which have no P-256 function, to build/registry-p256.wasm.
# Only tests need it, so it is built when it is asked for.
build_contract-p256() { contract registry-p256 registry-contract --features p256-wasm; }

# The registry in the dialect of the other one on testnet, to build/registry-dialect.wasm. Only tests need it.
build_contract-dialect() { contract registry-dialect registry-contract --features deployed-dialect; }

# Tokens by near-contract-standards to build/tokens.wasm, and NEAR as one to build/wnear.wasm. Only tests need them.
build_contract-tokens() {
  contract tokens test-tokens
  contract wnear test-wnear
}

# A wallet contract that resolves authorizations (NEP-641), to build/multisig.wasm. Only tests need it.
build_contract-multisig() { contract multisig test-multisig; }

contract() {
  local name=$1 crate=$2; shift 2
  say "Building the contract $name"
  mkdir -p "$BUILD_DIR"
  # A folder each: both builds bear one name, and would have each other made again. The first one's dependencies serve all.
  local folder="$ROOT/target/contract/$name"
  if [ ! -d "$folder" ] && [ -d "$ROOT/target/contract/registry" ]; then cp -a "$ROOT/target/contract/registry" "$folder"; fi
  CARGO_TARGET_DIR="$folder" RUSTFLAGS="--cfg near" with_wasm_toolchain \
    cargo build --quiet --release --target "$WASM_TARGET" -p "latchkey-$crate" "$@"
  optimise "$folder/$WASM_TARGET/release/latchkey_${crate//-/_}.wasm" "$BUILD_DIR/$name.wasm" \
    --strip-debug --strip-producers
}

# The local chain. Its NEAR VM takes some minutes the first time.
build_devnet() {
  say "Building the local chain (some minutes the first time)"
  cargo build --quiet "${CHAIN_CRATES[@]}" --bin latchkey-devnet
}

build_ts() {
  say "Building the packages latchkey and latchkey-server"
  node ts/build.mjs
  node server/build.mjs
}

build_react() {
  say "Building the package latchkey-react"
  node react/build.mjs
}

build_dev() {
  say "Building the package latchkey-dev"
  node dev/build.mjs
}

build_app() {
  say "Building the demo app"
  (cd demo/app && vite build --mode development --logLevel warn)
}

main "$@"
