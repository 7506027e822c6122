#!/usr/bin/env bash
# Starts the whole stack, or runs the tour. Usage: scripts/demo.sh [--fresh] [--same-origin] [--tour]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

entry=demo/dev.ts
args=()
for arg in "$@"; do
  case "$arg" in
    --tour) entry=demo/tour.ts ;;
    --fresh | --same-origin) args+=("$arg") ;;
    *) die "Unknown option '$arg'. The options: --fresh --same-origin --tour" ;;
  esac
done
exec node --import tsx "$entry" "${args[@]}"
