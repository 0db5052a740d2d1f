#!/usr/bin/env bash
# Sets up everything that is needed in a folder of its own, then runs every check there is.
# TEST_JOBS: how many processes run the tests (2). VENV: the folder of the environment (.venv).
set -euo pipefail
cd "$(dirname "$0")"
. ./environment.sh
make_environment '.[dev]'

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=()
closing=()

# Runs one check, keeps its last line, and goes on when it fails.
step() {
    printf '\n== %s\n' "$*"
    "$VENV/bin/$1" "${@:2}" 2>&1 | tee "$log" || failed+=("$*")
    case "$1" in
        dsl | ruff) closing+=("$1 $2: $(tail -n 1 "$log")") ;;
        *) closing+=("$1: $(tail -n 1 "$log")") ;;
    esac
}

step ruff format --check .
step ruff check .
step mypy
step lint-imports
step pytest -n "${TEST_JOBS:-2}"
step dsl check rules examples
step dsl fmt --check rules examples
step dsl test rules examples

printf '\n== in short\n'
printf '%s\n' "${closing[@]}"
if [ "${#failed[@]}" -gt 0 ]; then
    printf 'FAILED: %s\n' "${failed[@]}"
    exit 1
fi
echo 'all checks passed'
