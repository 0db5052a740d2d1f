"""Nothing in the repository leads out of it: no download addresses, no paths of the machine it was written on."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_ADDRESS = re.compile(r"\b(?:https?|ftp|git\+\w+|file)://[^\s\"'`)>]*", re.IGNORECASE)
_SCHEMAS = ("json.schemastore.org", "docs.oasis-open.org", "raw.githubusercontent.com/oasis-tcs", "www.w3.org")
"""Addresses that are names of formats, not places to fetch something from."""
_MACHINE = re.compile(r"(?<![\w.])/(?:work|home|root|opt|Users|mnt|srv)/[\w.-]+")
_ITSELF = "tests/test_clean_text.py"


def _tracked() -> list[str]:
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=_ROOT, capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a checkout")
    return [name for name in listed.decode().split("\0") if name and (_ROOT / name).is_file()]


def _texts() -> list[tuple[str, str]]:
    found = []
    for name in _tracked():
        content = (_ROOT / name).read_bytes()
        if b"\0" not in content:
            found.append((name, content.decode("utf-8", "replace")))
    return found


def test_no_addresses() -> None:
    bad = [
        f"{name}: {match[0]}"
        for name, text in _texts()
        for match in _ADDRESS.finditer(text)
        if name != _ITSELF and not any(schema in match[0] for schema in _SCHEMAS)
    ]
    assert bad == []


def test_no_paths_of_a_machine() -> None:
    bad = [f"{name}: {match[0]}" for name, text in _texts() for match in _MACHINE.finditer(text) if name != _ITSELF]
    assert bad == []


def test_no_control_signs_and_no_tabs_in_rules() -> None:
    bad = [name for name, text in _texts() if name.endswith((".rules", ".lark", ".md", ".yaml")) and "\r" in text]
    assert bad == []
