#!/usr/bin/env bash
# Prepares a machine with Node and rustup. Each step checks first and does nothing if it is already done.
# Usage: scripts/setup.sh [build|tour|tests], each with all of the one before it:
#   build   what building and the demo need: npm packages, a WASM target, wasm-pack
#   tour    a Chromium
#   tests   Redis; in CI (CI is set) also Firefox and WebKitGTK
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

main() {
  local use=${1:-build}
  case "$use" in build | tour | tests) ;; *) die "Unknown use '$use'. The uses: build tour tests" ;; esac
  check_prerequisites
  wasm_target
  # Compiling takes the processors, and the rest mostly waits for downloads: so they run at the same time.
  wasm_tools &
  local tools=$!
  trap "kill $tools 2>/dev/null || true" EXIT
  node_packages
  [ "$use" = build ] || browser
  if [ "$use" = tests ]; then
    redis_server
    [ -z "${CI:-}" ] || other_engines
  fi
  wait "$tools" || die "The WASM tools could not be built, as the output above says."
  trap - EXIT
}

check_prerequisites() {
  command -v node >/dev/null || die "Node 20.19 or later is needed: https://nodejs.org"
  node -e 'const [a,b]=process.versions.node.split(".").map(Number); process.exit(a>20||(a===20&&b>=19)?0:1)' ||
    die "Node 20.19 or later is needed; this is $(node -v)."
  command -v rustup >/dev/null || die "rustup is needed: https://rustup.rs"
  command -v cc >/dev/null || apt_install gcc libc6-dev || die "A C compiler is needed (on macOS: xcode-select --install)."
}

# Installs npm packages if the lock file has changed since the last time. No package may run a script of its own: those
# that have one only check or link the binary that is a package too.
node_packages() {
  local stamp="$ROOT/node_modules/.latchkey-lock"
  cmp -s "$ROOT/package-lock.json" "$stamp" && return 0
  say "Installing npm packages"
  (cd "$ROOT" && PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm ci --ignore-scripts --no-progress --loglevel=error)
  cp "$ROOT/package-lock.json" "$stamp"
}

# Installs a standard library for WASM: rustup's, else one built from Debian's Rust.
wasm_target() {
  if has_wasm_std "" || has_wasm_std "$FALLBACK_TOOLCHAIN"; then return 0; fi
  say "Asking rustup for the target $WASM_TARGET"
  if run_for 180 rustup target add "$WASM_TARGET" >/dev/null 2>&1 && has_wasm_std ""; then return 0; fi
  say "rustup's server does not answer: building the target from Debian's Rust (about a minute)"
  debian_wasm_target || die "Could not set up a Rust toolchain for WASM. Run 'rustup target add $WASM_TARGET' where rustup's server can be reached."
}

# Like timeout(1), which macOS lacks.
run_for() {
  local seconds=$1; shift
  if command -v timeout >/dev/null; then timeout "$seconds" "$@"; else "$@"; fi
}

debian_wasm_target() {
  apt_install rustc-web cargo-web rust-web-src lld-22 || return 1
  local sysroot lib tools work
  sysroot="$(/usr/bin/rustc --print sysroot)"
  tools="$sysroot/lib/rustlib/$(uname -m)-unknown-linux-gnu/bin"
  lib="$sysroot/lib/rustlib/$WASM_TARGET/lib"
  as_root mkdir -p "$tools" "$lib"
  as_root ln -sf /usr/lib/llvm-22/bin/lld "$tools/rust-lld"
  if [ "$(cat "$lib/.latchkey-stamp" 2>/dev/null)" != "$(/usr/bin/rustc -V)" ]; then
    work="$(mktemp -d)"
    mkdir "$work/src" && : >"$work/src/lib.rs"
    cat >"$work/Cargo.toml" <<'TOML'
[package]
name = "latchkey-empty"
version = "0.0.0"
edition = "2021"
[profile.release]
opt-level = 3
codegen-units = 1
lto = "off"
TOML
    (cd "$work" && RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Cembed-bitcode=yes CARGO_TARGET_DIR="$work/target" \
      /usr/bin/cargo build --quiet --release -Zbuild-std=std,panic_abort,proc_macro,test --target "$WASM_TARGET") || return 1
    find "$work/target/$WASM_TARGET/release/deps" -name '*.rlib' ! -name '*latchkey_empty*' -print0 |
      xargs -0 -I{} bash -c 'if [ "$(id -u)" = 0 ]; then cp "$1" "$2"; else sudo cp "$1" "$2"; fi' _ {} "$lib/"
    /usr/bin/rustc -V | as_root tee "$lib/.latchkey-stamp" >/dev/null
    rm -rf "$work"
  fi
  rustup toolchain link "$FALLBACK_TOOLCHAIN" /usr
  has_wasm_std "$FALLBACK_TOOLCHAIN"
}

# Builds wasm-pack and the wasm-bindgen that matches the crate's version from source, once. Unoptimised: each runs for a
# second per module, and an optimised build takes more than twice as long.
wasm_tools() {
  mkdir -p "$TOOLS_DIR"
  export CARGO_PROFILE_DEV_DEBUG=0
  if ! "$TOOLS_DIR/bin/wasm-bindgen" --version 2>/dev/null | grep -qF "$WASM_BINDGEN_VERSION"; then
    say "Building wasm-bindgen $WASM_BINDGEN_VERSION (about a minute, once)"
    cargo install --quiet --debug --root "$TOOLS_DIR" wasm-bindgen-cli --version "$WASM_BINDGEN_VERSION" --no-default-features
  fi
  if ! "$TOOLS_DIR/bin/wasm-pack" --version 2>/dev/null | grep -qF "$WASM_PACK_VERSION"; then
    say "Building wasm-pack $WASM_PACK_VERSION (about a minute, once)"
    cargo install --quiet --debug --root "$TOOLS_DIR" wasm-pack --version "$WASM_PACK_VERSION" --locked
  fi
}

# Finds or installs a Chromium: the system's, Debian's, or Playwright's download.
browser() {
  chromium_path >/dev/null || may_install chromium
  if ! chromium_path >/dev/null; then
    say "Downloading Chromium"
    (cd "$ROOT" && npx playwright install chromium) ||
      die "There is no Chromium here, and none could be installed. Install one, or name it in CHROMIUM_PATH."
  fi
  # Only makes the tests faster: without it they run in the whole browser.
  chromium_path --headless-shell >/dev/null || may_install chromium-headless-shell
}

# Installs Debian packages where that is possible. In a subshell, because a failed installation exits.
may_install() { (apt_install "$@") || true; }

# Finds or installs the tests' other engines: the system's or Debian's. Without one, its tests are skipped.
other_engines() {
  other_engine firefox firefox-esr
  other_engine webkit webkit2gtk-driver libwebkit2gtk-4.1-0 xvfb
}

other_engine() {
  local engine=$1; shift
  node "$ROOT/scripts/$engine.mjs" >/dev/null && return 0
  may_install "$@"
  node "$ROOT/scripts/$engine.mjs" >/dev/null && return 0
  say "No $engine could be installed: its tests will be skipped."
}

# Finds or installs a redis-server, which the tests start themselves. Without one, those of relays that share it are skipped.
redis_server() {
  command -v redis-server >/dev/null && return 0
  may_install redis-server
  command -v redis-server >/dev/null && return 0
  say "No redis-server could be installed: the tests of relays that share a Redis will be skipped."
}

chromium_path() { node "$ROOT/scripts/chromium.mjs" "$@"; }

main "$@"
