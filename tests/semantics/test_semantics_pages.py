"""The pages of this stage's codes: what is wrong there finds the code, what is right finds nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from test_semantics_corpus import findings

from interpreter import semantics
from interpreter.diagnostics import page

_BLOCK = re.compile(r"^```(rules|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STAGE = Path(semantics.__file__).parent
_TEXT = "".join(path.read_text(encoding="utf-8") for path in _STAGE.glob("*.py") if not path.name.startswith("check"))
CODES = sorted(set(re.findall(r'"(D[28]\d\d)"', _TEXT)))
"""The codes that this stage reports itself, without its checks."""


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
