#!/usr/bin/env bash
# The checks, after setup and build. Usage: scripts/test.sh [lint|rust|js|e2e|firefox|webkit|packaging|size|security|pictures]...
# In CI (CI is set) all of them; else without the packages as published, the other engines and the pictures: few changes affect these.
# Packaging runs next to the parts after it: it uses one processor, as each of the other engines does.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

LOGS="$BUILD_DIR/test-logs"
# Where the parts share the builds of the demo app and of the tests' pages; a run starts without any.
export LATCHKEY_SITES="$BUILD_DIR/test-sites"
# The process of the part that runs next to the others, if any, and when it started.
BESIDE=""
BESIDE_STARTED=0
PASSED=0
TIMES=()
SLOWEST=20

main() {
  [ $# -gt 0 ] || set -- lint rust js e2e ${CI:+packaging firefox webkit} size security ${CI:+pictures}
  rm -rf "$LATCHKEY_SITES"
  mkdir -p "$LOGS" "$LATCHKEY_SITES"
  local part
  for part in "$@"; do
    case "$part" in
      packaging)
        say "== packaging, next to the parts after it"
        start_packaging ;;
      lint | rust | js | e2e | firefox | webkit | size | security | pictures)
        local started=$SECONDS
        say "== $part"
        "check_$part"
        TIMES+=("$((SECONDS - started)) $part")
        say "== $part: good, ${TIMES[-1]%% *} s" ;;
      *) die "Unknown part '$part'. The parts: lint rust js e2e firefox webkit packaging size security pictures" ;;
    esac
  done
  end_packaging
  printf '\n%6s s  in all\n' "$SECONDS"
  printf '%s\n' "${TIMES[@]}" | sort -rn | while read -r seconds name; do printf '%6s s  %s\n' "$seconds" "$name"; done
  node scripts/slowest.mjs "$LOGS" "$SLOWEST" "$@"
  echo "$PASSED passed, 0 failed"
}

check_lint() { scripts/lint.sh; }

check_rust() {
  scripts/build.sh contract-p256 contract-dialect
  rust_tests chain "${CHAIN_CRATES[@]}" --no-fail-fast
  rust_tests rust --workspace "${CHAIN_CRATES[@]/#-p/--exclude}" --no-fail-fast
  # The registry's suite names the protocol of each test: all of them ran, because none failed.
  cargo test --quiet "${CHAIN_CRATES[@]}" --test registry -- --list |
    sed -nE 's/.*::protocol_([0-9]+): test$/\1/p' | sort | uniq -c |
    while read -r tests protocol; do say "the registry: $tests tests at protocol $protocol"; done
  rust_tests corpus --manifest-path fuzz/Cargo.toml
}

# Runs cargo test with the options after $1, the log's name. The log names every test, the terminal only what failed.
rust_tests() {
  local log="$LOGS/$1.log"; shift
  cargo test "$@" 2>&1 | tee "$log" | grep -vE '^test .* ok$|^running [0-9]+ tests?$|^$'
  count "$(sed -nE 's/^test result: ok\. ([0-9]+) passed.*/\1/p' "$log" | paste -sd+ -)"
}

check_js() {
  scripts/build.sh contract-dialect contract-tokens contract-multisig
  vitest run --reporter=default --reporter=json --outputFile.json="$LOGS/js.json"
  count "$(json_number "$LOGS/js.json" numPassedTests)"
}

# Every screen and flow in a browser, on its own stack.
check_e2e() {
  scripts/build.sh contract-tokens
  PLAYWRIGHT_JSON_OUTPUT_NAME="$LOGS/e2e.json" playwright test --reporter=list,json
  count "$(json_number "$LOGS/e2e.json" stats.expected)"
}

check_firefox() { engine_tests firefox "Firefox" "firefox-esr, or name one in FIREFOX_PATH"; }

check_webkit() { engine_tests webkit "WebKitGTK" "webkit2gtk-driver, libwebkit2gtk-4.1-0 and xvfb"; }

# The demo in another engine, $1. Skipped if it is not installed, but never in a CI that can install it.
engine_tests() {
  local engine=$1 name=$2 packages=$3
  if ! node "scripts/$engine.mjs" >/dev/null; then
    if [ -n "${CI:-}" ] && command -v apt-get >/dev/null; then die "No $name here, and scripts/setup.sh tests installs it."; fi
    say "No $name here: skipped. Install $packages."
    return 0
  fi
  node --import tsx --test --test-concurrency=1 \
    --test-reporter=spec --test-reporter-destination=stdout \
    --test-reporter=tap --test-reporter-destination="$LOGS/$engine.tap" tests/"$engine"/*.test.ts
  count "$(sed -nE 's/^# pass ([0-9]+)$/\1/p' "$LOGS/$engine.tap")"
}

# The published tarballs work: their exports, types and contents. Its output goes to a log, which end_packaging prints.
start_packaging() {
  [ -z "$BESIDE" ] || die "packaging is named twice."
  BESIDE_STARTED=$SECONDS
  node tests/packaging/check.mjs >"$LOGS/packaging.log" 2>&1 &
  BESIDE=$!
  # If another part fails, this one ends with it.
  trap 'kill "$BESIDE" 2>/dev/null || true' EXIT
}

# Waits for packaging, if it was started, and fails if it failed. Its seconds include its wait for the last part.
end_packaging() {
  [ -n "$BESIDE" ] || return 0
  local verdict=0
  wait "$BESIDE" || verdict=$?
  trap - EXIT
  cat "$LOGS/packaging.log"
  [ "$verdict" = 0 ] || die "== packaging failed, as its output above says."
  TIMES+=("$((SECONDS - BESIDE_STARTED)) packaging, next to the parts after it")
  say "== packaging: good, ${TIMES[-1]%% *} s"
}

check_size() { node scripts/size.mjs; }

# Every line of SECURITY.md has an id, and the reports of the parts above show that the tests with that id passed.
check_security() { node scripts/security-ids.mjs "$LOGS"; }

# Takes a picture of every screen and checks each with axe-core.
check_pictures() { scripts/demo.sh --pictures --audited; }

# Adds $1, a sum such as 3+4, to the count of tests that passed.
count() { PASSED=$((PASSED + ${1:-0})); }

json_number() {
  node -e 'const [file, path] = process.argv.slice(1);
    console.log(path.split(".").reduce((value, key) => value[key], JSON.parse(require("node:fs").readFileSync(file, "utf8"))))' "$1" "$2"
}

main "$@"
