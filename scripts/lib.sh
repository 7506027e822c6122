# Shared by the scripts: paths, versions, messages and toolchains.
# Source it; it only defines functions and variables.

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
BUILD_DIR="$ROOT/build"
WASM_BINDGEN_VERSION=0.2.130
WASM_PACK_VERSION=0.15.1
WASM_TARGET=wasm32-unknown-unknown
# The crates with the NEAR VM. Always pass both to Cargo, so that it resolves one set of features and builds the VM once.
CHAIN_CRATES=(-p latchkey-devnet -p latchkey-contract-tests)

# Tools built from source are in the user's cache, by version, so that they outlive a clone.
TOOLS_DIR="${LATCHKEY_TOOLS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/latchkey/tools}/wasm-bindgen-$WASM_BINDGEN_VERSION-wasm-pack-$WASM_PACK_VERSION"
FALLBACK_TOOLCHAIN=debwasm
export PATH="$ROOT/node_modules/.bin:$TOOLS_DIR/bin:$PATH"

say() { printf '\033[1m[latchkey]\033[0m %s\n' "$*" >&2; }
die() { printf '\033[31m[latchkey]\033[0m %s\n' "$*" >&2; exit 1; }

# Does toolchain $1 (empty: the default one) carry a standard library for WASM?
has_wasm_std() {
  local sysroot
  sysroot="$(sysroot_of "$1")" || return 1
  compgen -G "$sysroot/lib/rustlib/$WASM_TARGET/lib/libstd-*.rlib" >/dev/null || return 1
  # A library that setup.sh built must match the installed compiler.
  local stamp="$sysroot/lib/rustlib/$WASM_TARGET/lib/.latchkey-stamp"
  [ ! -f "$stamp" ] || [ "$(cat "$stamp")" = "$("$sysroot/bin/rustc" -V)" ]
}

sysroot_of() {
  if [ -n "$1" ]; then RUSTUP_TOOLCHAIN="$1" rustc --print sysroot 2>/dev/null; else rustc --print sysroot 2>/dev/null; fi
}

# Prints the name of the toolchain that builds WASM, or nothing for the default one.
wasm_toolchain() {
  if has_wasm_std ""; then return 0; fi
  if has_wasm_std "$FALLBACK_TOOLCHAIN"; then echo "$FALLBACK_TOOLCHAIN"; return 0; fi
  die "No Rust toolchain here can build WASM. Run: npm run just -- setup"
}

# Runs a command with the toolchain that builds WASM.
with_wasm_toolchain() {
  local toolchain
  toolchain="$(wasm_toolchain)"
  if [ -n "$toolchain" ]; then RUSTUP_TOOLCHAIN="$toolchain" "$@"; else "$@"; fi
}

# Runs a command as root: directly, or with sudo if that needs no password.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo "$@"
  else die "This step needs root: run '$*' yourself, then start again."; fi
}

# Installs missing Debian packages.
apt_install() {
  command -v apt-get >/dev/null || return 1
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "Installing Debian packages: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 update -qq
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
