#!/usr/bin/env bash
# Fuzzes each decoder. Usage: scripts/fuzz.sh SECONDS [target]...
# Without nightly's sanitizers, so that the stable toolchain does.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"
seconds=${1:-20}; shift || true
if ! "$TOOLS_DIR/bin/cargo-fuzz" --version >/dev/null 2>&1; then
  say "Building cargo-fuzz (about two minutes, once)"
  cargo install --quiet --root "$TOOLS_DIR" cargo-fuzz --locked
fi
[ $# -gt 0 ] || set -- $(cargo-fuzz list)
for target in "$@"; do
  say "Fuzzing $target for $seconds s"
  RUSTC_BOOTSTRAP=1 cargo-fuzz run -s none "$target" -- -max_total_time="$seconds" -timeout=10 -max_len=65536 -verbosity=0
done
