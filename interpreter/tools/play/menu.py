"""The menu of a decision: numbered options, grouped when there are many, and what a typed answer means.

Numbers belong to the options as listed, so a filter never renumbers. An answer is tried as a number, as several
numbers, as a whole name, as the beginning of one name only; the first reading that fits decides, and a name always
goes before a beginning.

Invariant: `read_answer` gives options of the menu or says why not; it never guesses between two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from interpreter.diagnostics import nearest
from interpreter.ir.program import Program
from interpreter.runtime.by_value import branch_name
from interpreter.runtime.options import Option

__all__ = ["Answer", "Menu", "Unclear", "menu_of", "read_answer"]

_MANY = 12
"""From so many options on they are grouped by branch."""
_LONGEST = 60
"""So much of an answer is said again."""
_NUMBERS = re.compile(r"\d+(?:[\s,]+\d+)*[\s,]*")


@frozen
class Menu:
    """The options of one decision as they are shown."""

    options: tuple[Option, ...]
    """The options in their order; the first has number 1."""
    groups: tuple[tuple[str, tuple[int, ...]], ...]
    """Headings with the positions of their options; one group without a heading when there are few."""


@frozen
class Answer:
    """What was chosen: options in order; more than one only for several picks at once."""

    options: tuple[Option, ...]


@frozen
class Unclear:
    """Why an answer does not choose, for people."""

    message: str


def menu_of(program: Program, options: Sequence[Option]) -> Menu:
    """The menu for the options of one decision."""
    every = tuple(range(len(options)))
    if len(options) < _MANY or not options:
        return Menu(tuple(options), (("", every),))
    by_branch: dict[int, list[int]] = {}
    for position, option in enumerate(options):
        by_branch.setdefault(option.branch, []).append(position)
    if len(by_branch) == 1:
        return Menu(tuple(options), (("", every),))
    decision = program.decisions[options[0].decision]
    groups = []
    for branch, positions in by_branch.items():
        known = 0 <= branch < len(decision.branches)
        heading = branch_name(decision.branches[branch]) if known and len(positions) > 1 else ""
        groups.append((heading, tuple(positions)))
    return Menu(tuple(options), tuple(groups))


def filtered(menu: Menu, text: str) -> tuple[int, ...]:
    """The positions of the options whose name holds all words of a text, in any case."""
    words = text.casefold().split()
    return tuple(
        position
        for position, option in enumerate(menu.options)
        if all(word in option.name.casefold() for word in words)
    )


def read_answer(menu: Menu, text: str) -> Answer | Unclear:
    """The options that a typed text chooses."""
    text = " ".join(text.split())
    told = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    exact = [option for option in menu.options if option.name == text]
    if exact:
        return Answer((exact[0],))
    if _NUMBERS.fullmatch(text):
        return _numbered(menu, [int(number) for number in re.findall(r"\d+", text)])
    plain = _plain(text)
    same = [option for option in menu.options if _plain(option.name) == plain]
    if len(same) == 1:
        return Answer((same[0],))
    begun = [option for option in menu.options if _plain(option.name).startswith(plain)]
    if len(begun) == 1 and plain:
        return Answer((begun[0],))
    if begun and plain:
        shown = ", ".join(f"`{option.name}`" for option in begun[:4])
        more = f" and {len(begun) - 4} more" if len(begun) > 4 else ""
        return Unclear(f"`{told}` begins {len(begun)} options: {shown}{more}")
    near = nearest(text, [option.name for option in menu.options])
    return Unclear(f"`{told}` is not an option" + (f"; did you mean `{near}`?" if near else ""))


def _numbered(menu: Menu, numbers: Sequence[int]) -> Answer | Unclear:
    count = len(menu.options)
    for number in numbers:
        if not 1 <= number <= count:
            return Unclear(f"no option has the number {number}; the numbers are 1 to {count}")
    if len(set(numbers)) < len(numbers):
        return Unclear("a number stands twice")
    return Answer(tuple(menu.options[number - 1] for number in numbers))


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())
