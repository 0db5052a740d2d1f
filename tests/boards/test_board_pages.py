"""Every page of a board code shows a wrong file that draws the code and a right one that draws nothing."""

import re

import pytest

from interpreter.boards import board_from_source
from interpreter.diagnostics import Diagnostics, all_codes, page
from interpreter.source import from_text

CODES = [code for code in all_codes() if code.startswith("D5")]


def codes_of(text: str) -> set[str]:
    sink = Diagnostics()
    board_from_source(from_text("board.yaml", text), sink)
    return {diagnostic.code for diagnostic in sink}


@pytest.mark.parametrize("code", CODES)
def test_examples_of_page(code: str) -> None:
    found = page(code)
    assert found is not None
    wrong, right = re.findall(r"```yaml\n(.*?)```", found.text, re.DOTALL)
    assert code in codes_of(wrong)
    assert codes_of(right) == set()


def test_all_reported_codes_have_a_page() -> None:
    from pathlib import Path

    import interpreter.boards
    import interpreter.source

    reported: set[str] = set()
    for package in (interpreter.boards, interpreter.source):
        for module in Path(package.__path__[0]).glob("*.py"):
            reported |= set(re.findall(r'"(D\d{3})"', module.read_text(encoding="utf-8")))
    assert reported <= set(all_codes())
    assert reported >= set(CODES)
