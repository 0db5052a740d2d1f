"""The pages of lists: what they call wrong draws the code, what they call right is fine, in the reference's game."""

import re
from pathlib import Path

import pytest

from interpreter.diagnostics import all_codes, page
from interpreter.workspace import check_files

CODES = [code for code in all_codes() if code.startswith("D9")]
OF_SEVERAL = {"D907"}
"""Codes about lists together: a list alone does not draw them."""


def warbands() -> str:
    """The game that the language reference shows under `roster`."""
    reference = Path(__file__).parents[2] / "docs" / "language.md"
    section = reference.read_text(encoding="utf-8").split("\n## roster\n")[1]
    found = re.search(r"^```rules\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def findings(text: str, folder: Path) -> set[str]:
    (folder / "warbands.rules").write_text(warbands(), encoding="utf-8")
    path = folder / "list.yaml"
    path.write_text(text, encoding="utf-8")
    return {found.code for found in check_files([path]).diagnostics}


@pytest.mark.parametrize("code", [code for code in CODES if code not in OF_SEVERAL])
def test_a_list_is_refused_as_its_page_says(code: str, tmp_path: Path) -> None:
    found = page(code)
    assert found is not None
    wrong, right = re.findall(r"^```yaml\n(.*?)^```$", found.text, re.MULTILINE | re.DOTALL)
    assert code in findings(wrong, tmp_path)
    assert findings(right, tmp_path) == set()
