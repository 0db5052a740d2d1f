"""Every rule of a checklist is cited by a test that runs.

`tests/conformance/GAME.txt` lists the IDs of a game's checklist. A citation is an ID in the title of a `test` block of
the game's rules files, in a transcript's name, or in the docstring of a test function. That the cited tests fail when
the rule is broken is shown by `benchmarks/mutate.py`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LISTS = sorted((ROOT / "tests" / "conformance").glob("*.txt"))
ID = re.compile(r"\b[A-Z]{2}-[A-Z]?\d+\b")
TITLE = re.compile(r'^\s*test "([^"]*)"', re.MULTILINE)
DOCSTRING = re.compile(r'def test_[^\n]*\n\s+"""(.*?)"""', re.DOTALL)


def wanted(path: Path) -> list[str]:
    """The IDs of a list, in its order."""
    return [line.strip() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]


def cited(game: str) -> set[str]:
    """The IDs that tests of a game name."""
    texts = []
    for rules in [ROOT / "rules" / f"{game}.rules", *(ROOT / "rules" / game).glob("*.rules")]:
        if rules.exists():
            texts += TITLE.findall(rules.read_text())
    for transcript in (ROOT / "examples").rglob("*.test.yaml"):
        texts.append(transcript.name)
    for module in (ROOT / "tests").rglob("test_*.py"):
        texts += DOCSTRING.findall(module.read_text())
    return {found for text in texts for found in ID.findall(text)}


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_rule_has_a_test(path: Path) -> None:
    missing = [rule for rule in wanted(path) if rule not in cited(path.stem)]
    assert not missing, f"no test cites {', '.join(missing)}"


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_no_test_cites_what_the_checklist_lacks(path: Path) -> None:
    known = set(wanted(path))
    prefix = wanted(path)[0][:3]
    unknown = sorted(rule for rule in cited(path.stem) if rule.startswith(prefix) and rule not in known)
    assert not unknown, f"unknown IDs {', '.join(unknown)}"
