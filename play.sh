#!/usr/bin/env bash
# Sets up everything that is needed in a folder of its own, then plays: ./play.sh [RULES and options of `dsl play`].
set -euo pipefail
cd "$(dirname "$0")"
. ./environment.sh
make_environment .
exec "$VENV/bin/dsl" play "${@:-hall}"
