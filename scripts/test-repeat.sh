#!/usr/bin/env bash
# Runs parts of the tests repeatedly while two busy processes share the machine, and keeps the results of each run: its
# output, its reports and a trace of each failed browser test. Usage: scripts/test-repeat.sh [TIMES] [PART]...
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

KEPT="$BUILD_DIR/test-repeat"
BUSY=2

main() {
  local times=${1:-5}; shift || true
  [[ "$times" =~ ^[1-9][0-9]*$ ]] || die "Usage: scripts/test-repeat.sh [TIMES] [PART]..."
  [ $# -gt 0 ] || set -- e2e
  rm -rf "$KEPT"
  keep_busy
  local run failed=0 summary=()
  for run in $(seq "$times"); do
    local folder="$KEPT/$run" started=$SECONDS verdict=good
    mkdir -p "$folder"
    say "== run $run of $times"
    if ! LATCHKEY_TRACES="$folder/traces" scripts/test.sh "$@" 2>&1 | tee "$folder/output.log"; then
      verdict=failed; failed=$((failed + 1))
    fi
    cp -r "$BUILD_DIR/test-logs" "$folder/reports"
    summary+=("run $run: $verdict, $((SECONDS - started)) s")
    if [ "$verdict" = failed ]; then
      while read -r line; do summary+=("    $line"); done < <(failures_in "$folder")
    fi
  done
  printf '%s\n' "" "${summary[@]}" "$((times - failed)) of $times runs were good. Kept in ${KEPT#"$ROOT"/}/."
  [ "$failed" -eq 0 ]
}

# Starts processes that only use the processor, and ends them with this script.
keep_busy() {
  local pids=()
  for _ in $(seq "$BUSY"); do
    bash -c 'while :; do :; done' &
    pids+=($!)
  done
  # shellcheck disable=SC2064
  trap "kill ${pids[*]} 2>/dev/null || true" EXIT
}

# Lists the failures of the run in this folder, and where its traces are.
failures_in() {
  grep -hE '^ +[0-9]+\) \[|^ ?FAIL |^not ok |^test .* FAILED$' "$1/output.log" | sed -E 's/^ +//; s/ ─+$//' | sort -u | head -20
  find "$1/traces" -name trace.zip 2>/dev/null | sed "s#^$ROOT/##; s/^/trace: /"
}

main "$@"
