"""Times what people wait for at the command line, beside a Python that does nothing.

    python benchmarks/speed.py [--json]

Whole processes are timed, the best of several. How fast games are played tells `dsl bench`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROCESSES = 5
"""How often a command is run; the quickest counts."""


def command_seconds(*arguments: str) -> float:
    """Wall time of a Python process, the best of several."""
    best = float("inf")
    for _ in range(PROCESSES):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False)
        best = min(best, time.perf_counter() - start)
    return best


def commands() -> dict[str, float]:
    """Seconds that the command line takes, and a Python that does nothing."""
    dsl = ("-c", "import sys; from interpreter.tools.cli.main import entry; sys.exit(entry())")
    return {
        "python -c pass": command_seconds("-c", "pass"),
        "dsl --help": command_seconds(*dsl, "--help"),
        "dsl check rules/hall.rules": command_seconds(*dsl, "check", "rules/hall.rules"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="machine readable")
    chosen = parser.parse_args()
    waits = commands()
    if chosen.json:
        print(json.dumps({"seconds": waits}, indent=2))
        return
    print("command line                    seconds")
    for command, seconds in waits.items():
        print(f"  {command:26} {seconds:10.3f}")


if __name__ == "__main__":
    main()
