"""README and CONTRIBUTING name commands, options and files that exist, and the two commands that do everything run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.tools.cli.main import COMMANDS, command_parser

_ROOT = Path(__file__).parents[2]
_PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/diagnostics.md",
    "docs/language.md",
    "docs/architecture.md",
    "docs/odds.md",
    "docs/environments.md",
)
_COMMAND = re.compile(r"\bdsl ([a-z]+)((?: [^\n`|]*)?)")
_OPTION = re.compile(r"(?<!\S)(--[a-z][a-z-]*)")
_LINK = re.compile(r"\[[^\]]*\]\(([^)#]+)?(#[^)]*)?\)")
_FILE = re.compile(r"`((?:\.?[\w-]+/)+[\w.-]*|[\w-]+\.(?:sh|md|toml|txt|yaml))`")
_MADE_BY_THE_READER = {
    "treasure_dive.rules",
    "rules/NAME.rules",
    "rules/NAME",
    "boards/NAME",
    "tests/conformance/NAME.txt",
}
_SCRIPTS = ("play.sh", "test.sh", ".ci/run")


def _text(page: str) -> str:
    return (_ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", _PAGES)
def test_the_commands_exist_and_have_the_options_that_are_named(page: str) -> None:
    for name, rest in _COMMAND.findall(_text(page)):
        assert name in COMMANDS, f"dsl {name}"
        parser, _ = command_parser(name)
        known = parser.format_help()
        for option in _OPTION.findall(rest.split("  ")[0]):
            assert option in known, f"dsl {name} {option}"


@pytest.mark.parametrize("page", [*_PAGES, "CHANGELOG.md", "docs/sources.md", "docs/glossary.md"])
def test_the_files_that_are_named_exist(page: str) -> None:
    named = set(_FILE.findall(_text(page))) if page in ("README.md", "CONTRIBUTING.md", "docs/sources.md") else set()
    for name in named - _MADE_BY_THE_READER:
        assert (_ROOT / name).exists(), name
    folder = (_ROOT / page).parent
    for target, _ in _LINK.findall(_text(page)):
        assert not target or (folder / target).exists(), target


def test_links_within_the_reference_lead_somewhere() -> None:
    text = _text("docs/language.md")
    headings = re.findall(r"^## (.+)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    anchors = {"#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    assert [anchor for target, anchor in _LINK.findall(text) if not target and anchor not in anchors] == []


def test_the_program_of_the_readme_runs() -> None:
    program = re.search(r"```python\n(.*?)```", _text("README.md"), re.DOTALL)
    assert program is not None
    exec(compile(program[1], "README.md", "exec"), {})


def test_the_passage_of_the_readme_stands_in_the_rules() -> None:
    rules = _text("rules/hall.rules")
    for block in re.findall(r"^```\n(table .*?|variant .*?)^```$", _text("README.md"), re.MULTILINE | re.DOTALL):
        shown = [" ".join(line.split()) for line in block.splitlines() if line.strip() and "|--" not in line]
        there = {" ".join(line.partition("##")[0].split()) for line in rules.splitlines()}
        assert [line for line in shown if line not in there] == []


def test_the_table_of_the_readme_is_what_a_player_sees(tmp_path: Path) -> None:
    shown = re.search(r"^```\n(╭.*?)^```$", _text("README.md"), re.MULTILINE | re.DOTALL)
    assert shown is not None
    program = "from interpreter.tools.cli.main import entry; entry()"
    play = [sys.executable, "-c", program, "play", "hall", "--seed", "7"]
    path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH"))))
    seen = subprocess.run(
        play,
        cwd=tmp_path,
        input="6\n2\n",
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", "COLUMNS": "100", "NO_COLOR": "1"},
        check=False,
    ).stdout
    lines = [line for line in shown[1].splitlines() if "..." not in line and line != ">"]
    assert [line for line in lines if line.rstrip() not in seen] == []


@pytest.mark.parametrize("script", _SCRIPTS)
def test_a_script_is_executable_and_reads_as_a_script(script: str) -> None:
    path = _ROOT / script
    assert os.access(path, os.X_OK)
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    subprocess.run(["bash", "-n", str(path)], check=True)
