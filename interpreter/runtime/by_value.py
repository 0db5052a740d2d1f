"""A choice told by its branch and what is chosen in it, instead of by its readable name.

    {option: {branch: "Put {p} on {s}", p: white pawn, s: a1}}

A name may be worded anew in a later version of the rules; the branch and the names of what is chosen in it change less.
What is chosen is told by name as well: one thing, or a list for a choice of several. The branch can be left out where
the rest leaves no doubt, and what is chosen where the branch does. `pass` and what has no branch is told by name.

Invariant: a choice is given only if exactly one of those offered is meant.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics import AmbiguousChoice, IllegalChoice, InvalidChoice, nearest
from interpreter.ir.program import BranchInfo, Shown
from interpreter.runtime.choices import Choice
from interpreter.runtime.names import bits, element_of
from interpreter.runtime.options import Values, branch_of, settled
from interpreter.runtime.session import Session
from interpreter.semantics.types import SetType, Type
from interpreter.source import YamlList, YamlMap, YamlNode, YamlScalar

__all__ = ["branch_name", "choice_by_value"]

_BRANCH = "branch"


def branch_name(branch: BranchInfo) -> str:
    """The label of a branch with the names of what is chosen in place of what was chosen."""
    said: list[str] = []
    for part in branch.label:
        if isinstance(part, Shown):
            names = [branch.binders[need].name for need in part.needs if need < len(branch.binders)]
            said.append("{" + ", ".join(names) + "}" if names else "...")
        else:
            said.append(part)
    return "".join(said)


def choice_by_value(session: Session, node: YamlMap) -> Choice:
    """The choice that is meant; raises `IllegalChoice`, `AmbiguousChoice` or `InvalidChoice`."""
    decision = session.decision
    if decision is None:
        raise IllegalChoice("the game is over, nothing is left to choose")
    program = session.rules.program
    branches = program.decisions[decision.parent].branches if decision.form == "pick" else decision.branches
    wanted = node.get(_BRANCH)
    meant = list(branches)
    if wanted is not None:
        text = wanted.text if isinstance(wanted, YamlScalar) else ""
        meant = [branch for branch in branches if _plain(text) in _names(branch)]
        if not meant:
            known = {name: branch_name(branch) for branch in branches for name in _names(branch)}
            near = nearest(text, known)
            listed = ", ".join(f"`{branch_name(branch)}`" for branch in branches)
            offer = f"there is {listed}" if near is None else f"did you mean `{known[near]}`?"
            raise InvalidChoice(f"no branch `{text}` here: {offer}")
    keys = [key for key in node.keys if key != _BRANCH]
    fitting = [branch for branch in meant if all(_binder(branch, key) is not None for key in keys)]
    if not fitting:
        chosen = sorted({binder.name for branch in meant for binder in branch.binders})
        odd = next((key for key in keys if not any(_binder(branch, key) is not None for branch in meant)), keys[0])
        has = f"chosen is {', '.join(f'`{name}`' for name in chosen)}" if chosen else "nothing is chosen"
        raise InvalidChoice(f"`{odd}` is not chosen here: {has}")
    found = [choice for choice in session.choices() if _is_meant(session, choice, fitting, node)]
    different = {(choice.options[-1].branch, choice.options[-1].values): choice for choice in found}
    if len(different) == 1:
        return next(iter(different.values()))
    if different:
        names = ", ".join(f"`{choice.name}`" for choice in list(different.values())[:3])
        raise AmbiguousChoice(f"{len(different)} different choices are meant: {names}")
    said = ", ".join(f"{entry.key} {_written(entry.value)}" for entry in node.entries)
    raise IllegalChoice(f"no choice with {said} is offered to {session.player_name}")


def _names(branch: BranchInfo) -> Iterator[str]:
    """How a branch may be called: by its label, or by the words of the label that never change."""
    yield _plain(branch_name(branch))
    yield _plain(" ".join(part for part in branch.label if isinstance(part, str)))


def _binder(branch: BranchInfo, key: str) -> int | None:
    return next((at for at, binder in enumerate(branch.binders) if _plain(binder.name) == _plain(key)), None)


def _is_meant(session: Session, choice: Choice, branches: list[BranchInfo], node: YamlMap) -> bool:
    option = choice.options[-1]
    if option.is_pass:
        return False
    branch = branch_of(session.rules.program, option)
    if not any(branch is each for each in branches):
        return False
    values = settled(branch, option.values)
    return all(
        _fits(session, branch, values, at, entry.value)
        for entry in node.entries
        if entry.key != _BRANCH and (at := _binder(branch, entry.key)) is not None
    )


def _fits(session: Session, branch: BranchInfo, values: Values, at: int, node: YamlNode) -> bool:
    """Whether what was chosen is what is wanted, by name; the order counts only where it was chosen."""
    value, type_ = values[at], branch.binders[at].type
    wanted = [_plain(text) for text in _items(node)]
    if isinstance(value, tuple):
        return [_called(session, element_of(type_), member) for member in value] == wanted
    if value is None:
        return False
    if isinstance(type_, SetType):
        return sorted(_called(session, type_.element, member) for member in bits(value)) == sorted(wanted)
    return wanted == [_called(session, type_, value)]


def _called(session: Session, type_: Type, value: int) -> str:
    return _plain(session.names.value(type_, value, session.state))


def _items(node: YamlNode) -> Iterator[str]:
    if isinstance(node, YamlScalar):
        if isinstance(node.value, bool):
            yield "yes" if node.value else "no"
        else:
            yield "none" if node.value is None else node.text
    elif isinstance(node, YamlList):
        for item in node.items:
            yield from _items(item)


def _written(node: YamlNode) -> str:
    return ", ".join(_items(node)) or "nothing"


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").split())
