# Sourced by the scripts beside it: makes the checkout's virtual environment once, and again when pyproject.toml changes.
prepare() { # prepare EXTRAS, e.g. prepare "" or prepare "[dev]"
    cd "$(dirname "${BASH_SOURCE[0]}")/.."
    python="${PYTHON:-python3}"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "AutoDream needs Python 3.11 or newer; set PYTHON to one." >&2
        exit 1
    }
    stamp=".venv/installed-$(cksum < pyproject.toml | cut -d' ' -f1)$1"
    if [ ! -e "$stamp" ]; then
        echo "Installing into .venv (once, about a minute) ..." >&2
        [ -x .venv/bin/python ] || "$python" -m venv .venv
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".$1"
        touch "$stamp"
    fi
}
