"""The menu of a decision: numbered options, grouped when there are many, and what a typed answer means.

Of many options those that say the same up to what was chosen last stand in one line, and what they begin with is said
once: `Lay Old Pike on: 4 b2, 5 c2`.

Numbers belong to the options as listed, so a filter never renumbers. An answer is tried as a number, as several
numbers, as a whole name, as the beginning of one name only; the first reading that fits decides, and a name always
goes before a beginning.

Invariant: `read_answer` gives options of the menu or says why not; it never guesses between two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import frozen

from interpreter.diagnostics import nearest
from interpreter.ir.program import Shown
from interpreter.runtime.by_value import branch_name
from interpreter.runtime.options import Option, branch_of
from interpreter.runtime.session import Session
from interpreter.semantics.types import NumberType

__all__ = ["Answer", "Line", "Menu", "Unclear", "filtered", "lines_of", "menu_of", "read_answer"]

_MANY = 12
"""From so many options on they are grouped by branch."""
_BETWEEN = " ,;"
"""What stands between a beginning and the rest, and says nothing without it."""
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
    beginnings: tuple[str, ...] = ()
    """For each option what its name has in common with those that differ in the last thing chosen, or ""; empty when
    there are few options."""


@frozen
class Line:
    """One line of a menu: an option, or several that begin alike."""

    beginning: str
    """What they begin with; "" for one option, which then has its whole name."""
    items: tuple[tuple[int, str], ...]
    """The options by position, each with the rest of its name."""


@frozen
class Answer:
    """What was chosen: options in order; more than one only for several picks at once."""

    options: tuple[Option, ...]


@frozen
class Unclear:
    """Why an answer does not choose, for people."""

    message: str


def menu_of(session: Session) -> Menu:
    """The menu for the decision that waits."""
    options = session.options
    every = tuple(range(len(options)))
    if len(options) < _MANY:
        return Menu(options, (("", every),))
    beginnings = tuple(_beginning(session, option) for option in options)
    by_branch: dict[int, list[int]] = {}
    for position, option in enumerate(options):
        by_branch.setdefault(option.branch, []).append(position)
    if len(by_branch) == 1:
        return Menu(options, (("", every),), beginnings)
    decision = session.rules.program.decisions[options[0].decision]
    groups = []
    for branch, positions in by_branch.items():
        known = 0 <= branch < len(decision.branches)
        heading = branch_name(decision.branches[branch]) if known and len(positions) > 1 else ""
        groups.append((heading, tuple(positions)))
    return Menu(options, tuple(groups), beginnings)


def _beginning(session: Session, option: Option) -> str:
    """The name of an option without the last thing chosen, where that stands at its end and is no number."""
    decision = session.rules.program.decisions[option.decision]
    if option.is_pass or decision.form == "pick":
        return ""
    branch = branch_of(session.rules.program, option)
    last = len(branch.binders) - 1
    if last < 1 or len(branch.radix) <= last or isinstance(branch.binders[last].type, NumberType):
        return ""
    *before, end = branch.label
    if not isinstance(end, Shown) or end.needs != (last,) or end.function:
        return ""
    if any(isinstance(part, Shown) and last in part.needs for part in before):
        return ""
    text = session.names.text(tuple(before), session.state, option.values)
    return text if text.strip(_BETWEEN) and option.name.startswith(text) else ""


def lines_of(menu: Menu, positions: Sequence[int]) -> list[Line]:
    """Options of a menu as lines, in their order."""
    return [line for _, alike in groupby(positions, lambda at: _kin(menu, at)) for line in _joined(menu, list(alike))]


def _kin(menu: Menu, position: int) -> tuple[object, ...]:
    """What options of one line have in common: the branch, and all that was chosen but the last."""
    option = menu.options[position]
    begun = menu.beginnings[position] if menu.beginnings else ""
    return (begun, option.branch, option.values[:-1]) if begun else (position,)


def _joined(menu: Menu, alike: Sequence[int]) -> Iterator[Line]:
    if len(alike) == 1:
        yield Line("", ((alike[0], menu.options[alike[0]].name),))
        return
    begun = menu.beginnings[alike[0]]
    yield Line(begun.rstrip(_BETWEEN), tuple((at, menu.options[at].name[len(begun) :].strip()) for at in alike))


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
