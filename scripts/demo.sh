#!/usr/bin/env bash
# Starts the whole stack, runs the tour, or takes the pictures of every screen.
# Usage: scripts/demo.sh [--fresh] [--same-origin] [--tour | --pictures [--webkit]]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

entry=demo/dev.ts
args=()
for arg in "$@"; do
  case "$arg" in
    --tour) entry=demo/tour.ts ;;
    --pictures) entry=demo/pictures.ts ;;
    # After --pictures.
    --webkit) entry=tests/webkit/pictures.ts ;;
    --fresh | --same-origin) args+=("$arg") ;;
    *) die "Unknown option '$arg'. The options: --fresh --same-origin --tour --pictures --webkit" ;;
  esac
done
exec node --import tsx "$entry" "${args[@]}"
