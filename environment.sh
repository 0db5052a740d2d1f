# Makes the Python environment that play.sh and test.sh work in; read by them, not run by itself.

VENV=${VENV:-.venv}

# The first Python that is new enough.
find_python() {
    local name
    for name in "${PYTHON:-}" python3 python3.11 python3.12 python3.13 python; do
        if [ -n "$name" ] && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            printf '%s\n' "$name"
            return
        fi
    done
    echo 'Python 3.11 or newer is needed; name it with PYTHON=...' >&2
    return 1
}

# Installs the project as it lies here, with what "$1" adds, unless that was done since its dependencies changed.
make_environment() {
    local done_file="$VENV/installed $1" python
    if [ -e "$done_file" ] && [ "$done_file" -nt pyproject.toml ] && [ "$done_file" -nt constraints.txt ]; then
        return
    fi
    python=$(find_python)
    [ -x "$VENV/bin/python" ] || "$python" -m venv "$VENV"
    echo "installing into $VENV ..." >&2
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable "$1"
    touch "$done_file"
}
