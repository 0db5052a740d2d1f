"""The engine knows no game: no word of a shipped or planned game stands in it, be it in a comment.

What is looked for are words that only a game would bring: names of peoples, places and buildings. Words that a rules
engine may need for itself (the `legend` of a map, `rank`, `unit`) are not listed. Pages of codes are documentation
and show examples from games; they are left out.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[1]
_WORDS = (
    "dwarf", "dwarves", "dwarven", "greyhawk", "orc", "orcs", "elf", "elves", "elven", "frostgrave", "furyondy",
    "goblin", "goblins", "tavern", "blacksmith", "gaming den", "throne room", "legend mode", "berserker", "berserkers",
    "lich", "warlord", "warband", "spearman", "pussycat", "hourglass", "hourglasses", "wizard", "apprentice",
    "treasure", "creature", "lair", "lairs", "yacht", "reversi", "blackjack", "hobgoblin", "troll", "dragon",
)  # fmt: skip
_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_FILES = sorted(
    path
    for folder in ("interpreter", "grammars")
    for path in (_ROOT / folder).rglob("*")
    if path.suffix in (".py", ".lark", ".md") and "pages" not in path.parts and "_data" not in path.parts
)
_SHOWN_IN_HELP = re.compile(r"^.*\bdsl \w+\b.*$", re.MULTILINE)
"""Examples in the help of commands name games that ship; they are text for people, like the pages."""


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.relative_to(_ROOT).as_posix())
def test_no_word_of_a_game(path: Path) -> None:
    text = _SHOWN_IN_HELP.sub("", path.read_text(encoding="utf-8"))
    found = [f"line {text.count(chr(10), 0, match.start()) + 1}: {match[0]}" for match in _WORD.finditer(text)]
    assert found == []


def test_there_are_files_to_look_at() -> None:
    assert len(_FILES) > 100
