"""The architecture page names what is there: modules that exist, every stage, every dependency."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
_PATH = re.compile(r"`((?:interpreter|grammars|rules|boards|examples|tests|docs|benchmarks)/[\w./-]*)`")
_NAMED = sorted(set(_PATH.findall(_PAGE)))


def _table(heading: str) -> list[list[str]]:
    """The rows of the first table below a heading, without its head."""
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in _PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0].splitlines()
        if line.startswith("|")
    ]
    return rows[2:]


@pytest.mark.parametrize("name", _NAMED)
def test_what_the_page_names_is_there(name: str) -> None:
    assert (_ROOT / name).exists()


def test_every_stage_is_in_the_table_and_in_the_order_of_the_contracts() -> None:
    listed = [row[3].strip("`").removeprefix("interpreter/") for row in _table("The chain")]
    folders = {path.parent.name for path in (_ROOT / "interpreter").glob("*/__init__.py")}
    assert set(listed) == folders
    contracts = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    layers = [layer.split(" | ") for layer in reversed(contracts["contracts"][0]["layers"])]
    assert listed == [stage for layer in layers for stage in sorted(layer)]


def test_the_modules_to_begin_with_are_of_their_stage() -> None:
    for row in _table("The chain"):
        package = row[3].strip("`")
        of_grammar = {"grammars/rules.lark"} if package == "interpreter/syntax" else set()
        named = set(re.findall(r"`([^`]+)`", row[4])) - of_grammar
        assert [name for name in named if not name.startswith(f"{package}/")] == []


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [names for extra, names in project["optional-dependencies"].items() if extra != "dev"]
    needed = {re.split(r"[<>=!~ ]", name)[0] for names in (project["dependencies"], *extras) for name in names}
    assert {row[0] for row in _table("Dependencies")} == needed


def test_the_versions_that_were_tested_are_those_of_the_direct_dependencies() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    needed = {re.split(r"[<>=!~ ]", name)[0] for names in lists for name in names}
    lines = (_ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = [line.split("==") for line in lines if not line.startswith("#")]
    assert {name for name, _ in pinned} == needed
    assert pinned == sorted(pinned)
