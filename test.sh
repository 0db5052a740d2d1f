#!/usr/bin/env bash
# Sets up everything that is needed in a folder of its own, then runs every check there is.
# TEST_JOBS: how many processes run the tests (2). VENV: the folder of the environment (.venv).
set -euo pipefail
cd "$(dirname "$0")"
. ./environment.sh
make_environment '.[dev]'

bin="$VENV/bin"
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

step() {
    printf '\n== %s\n' "$*"
    "$bin/$1" "${@:2}"
}

step ruff format --check .
step ruff check .
step mypy
step lint-imports
step pytest -n "${TEST_JOBS:-2}" | tee "$logs/pytest"
step dsl check rules examples
step dsl fmt --check rules examples
step dsl test rules examples | tee "$logs/rules"

printf '\n== all checks passed\n'
printf 'pytest: %s\n' "$(tail -n 1 "$logs/pytest")"
printf 'dsl test: %s\n' "$(tail -n 1 "$logs/rules")"
