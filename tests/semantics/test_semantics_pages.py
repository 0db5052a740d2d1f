"""The pages of this stage's codes: what is wrong there finds the code, what is right finds nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_semantics_corpus import findings

from interpreter.diagnostics import all_codes, page

_BLOCK = re.compile(r"^```(rules|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_OTHERS = {"D210", "D220", "D221", "D222", "D240", "D250", "D260", "D261", "D262"}
"""Codes of other stages and of the checks that follow."""
CODES = [code for code in all_codes() if code[:2] in ("D2", "D8") and code not in _OTHERS]


def _blocks(code: str) -> tuple[str, str]:
    found = page(code)
    assert found is not None
    texts = [text for _, text in _BLOCK.findall(found.text)]
    assert len(texts) == 2
    return texts[0], texts[1]


def _codes(text: str, folder: Path) -> set[str]:
    path = folder / "page.rules"
    path.write_text(text, encoding="utf-8")
    return {diagnostic.code for diagnostic in findings(path)}


@pytest.mark.parametrize("code", CODES)
def test_wrong_and_right(code: str, tmp_path: Path) -> None:
    wrong, right = _blocks(code)
    if wrong.startswith("dsl "):
        return
    assert code in _codes(wrong, tmp_path)
    assert _codes(right, tmp_path) == set()
