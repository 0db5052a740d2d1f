"""What other projects and code hosts take from this one: hooks, and the matcher of the concise format."""

from __future__ import annotations

import json
import re

from interpreter.diagnostics import Diagnostics
from interpreter.source import YamlList, YamlMap, from_text, load_yaml
from interpreter.tools.cli.main import COMMANDS

from .conftest import COIN, REPOSITORY


def test_the_problem_matcher_reads_the_concise_format(dsl, here) -> None:
    matchers = json.loads((REPOSITORY / "docs" / "ci" / "problem-matcher.json").read_text())["problemMatcher"]
    patterns = {matcher["severity"]: matcher["pattern"][0] for matcher in matchers}
    text = COIN.replace("player.won +1", "player.wno +1").replace(
        "        choose\n", "        choose  # dsl: ignore[D204]\n"
    )
    (here / "coin.rules").write_text(text)
    lines = dsl("check", "--format", "concise").out.splitlines()
    assert lines
    for line in lines:
        severity = "error" if ": error[" in line else "warning"
        found = re.fullmatch(patterns[severity]["regexp"], line)
        assert found is not None, line
        assert found[patterns[severity]["file"]] == "coin.rules"
        assert found[patterns[severity]["line"]].isdigit()


def test_the_hooks_call_commands_that_exist() -> None:
    sink = Diagnostics()
    name = ".pre-commit-hooks.yaml"
    hooks = load_yaml(from_text(name, (REPOSITORY / name).read_text()), sink)
    assert isinstance(hooks, YamlList) and len(sink) == 0
    for hook in hooks.items:
        assert isinstance(hook, YamlMap)
        entry = getattr(hook.get("entry"), "text", "").split()
        assert entry[0] == "dsl" and entry[1] in COMMANDS
        assert re.search(getattr(hook.get("files"), "text", "^$"), "rules/hall.rules")
