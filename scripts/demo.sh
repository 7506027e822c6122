#!/usr/bin/env bash
# Starts the whole stack, runs the tour, or takes the pictures of every screen.
# Usage: scripts/demo.sh [--fresh] [--same-origin] [--host ORIGIN]... [--phone [--name NAME]] [--tour | --pictures [--phones] [--audited] [--languages] | --pictures --webkit]
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$ROOT"

entry=demo/dev.ts
args=()
while [ $# -gt 0 ]; do
  case "$1" in
    --tour) entry=demo/tour.ts ;;
    --pictures)
      entry=demo/pictures.ts
      scripts/build.sh contract-tokens
      ;;
    # After --pictures.
    --webkit) entry=tests/webkit/pictures.ts ;;
    --fresh | --same-origin | --host=* | --phone | --name=* | --phones | --audited | --languages) args+=("$1") ;;
    --host)
      args+=("--host=${2:?--host takes an origin, such as http://localhost:5180}")
      shift
      ;;
    --name)
      args+=("--name=${2:?--name takes the name by which a phone finds this machine, such as my-mac.local}")
      shift
      ;;
    *) die "Unknown option '$1'. The options: --fresh --same-origin --host ORIGIN --phone --name NAME --tour --pictures --phones --audited --languages --webkit" ;;
  esac
  shift
done
exec node --import tsx "$entry" "${args[@]}"
