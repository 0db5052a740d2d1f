"""What is offered at a decision is what the reference says, all of it and nothing else.

Each branch of a decision is worked out by trying everything: each thing, subset, order and assignment, `such that` and
the condition behind `when`. Branches over pieces are left out, since pieces that are alike are offered once; so are
branches that speak of a `let` or an input from outside, which the plain reading does not know.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from games_of_text import begun, loaded, played
from hypothesis import assume, event, given
from hypothesis import strategies as st
from plain_reading import Faulty, Reading, Value
from strategies import CONSTRUCTS, Written

from interpreter.diagnostics import RulesError
from interpreter.runtime import Session
from interpreter.runtime.choices import Choice, TooManyChoicesError
from interpreter.runtime.names import bits
from interpreter.runtime.options import Option, settled
from interpreter.semantics import model as m
from interpreter.semantics import walk
from interpreter.semantics.types import ListType, MapType, PieceType, SetType, Type

MOST = 400
"""Whole choices of a decision that are compared, at most."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("offered")


def parts(type: Type) -> list[Type]:
    match type:
        case SetType(element=element) | ListType(element=element):
            return [element]
        case MapType(key=key, value=value):
            return [key, value]
    return [type]


def stands_alone(branch: m.Branch) -> bool:
    """Whether a branch speaks of no local from outside and chooses no pieces."""
    used: set[int] = set()
    asked: list[m.Understood] = [*branch.binders, *([branch.guard] if branch.guard is not None else [])]
    for node in asked:
        used |= {id(at.local) for at in walk.descend(node) if isinstance(at, m.LocalRef | m.MapGet)}
    bound = {id(binder.local) for binder in branch.binders}
    inner = {id(at.local) for node in asked for at in walk.descend(node) if isinstance(at, _BINDING)}
    inner |= {id(at.each_local) for node in asked for at in walk.find(node, m.BindAssign)}
    types = [part for binder in branch.binders for part in parts(binder.local.type)]
    return used <= bound | inner and not any(isinstance(type, PieceType) for type in types)


_BINDING = m.Filter | m.Fold | m.RunSet | m.Slide | m.LineThrough


def shown(value: Value) -> object:
    """A value that was chosen, as something that can be compared."""
    if isinstance(value, dict):
        return tuple(value[key] for key in sorted(value))
    return tuple(value) if isinstance(value, list) else value


def taken(session: Session, option: Option) -> tuple[object, ...]:
    """What the last option of a whole choice has chosen, in the same form."""
    decision = session.rules.program.decisions[option.decision]
    choose = session.rules.program.decisions[decision.parent] if decision.form == "pick" else decision
    branch = choose.branches[option.branch]
    values = settled(branch, option.values)
    return tuple(
        tuple(bits(value)) if binder.form == "some" and isinstance(value, int) else value
        for binder, value in zip(branch.binders, values, strict=True)
    )


def can_be_taken(session: Session, choice: Choice) -> bool:
    """Whether a choice can be made to its end: too little to pick from for a later part is a fault (D714)."""
    copy = session.clone()
    try:
        for code in choice.codes:
            copy.apply(next(option for option in copy.options if option.code == code))
    except RulesError as error:
        return any(diagnostic.code != "D714" for diagnostic in error.diagnostics)
    return True


@given(written=CONSTRUCTS["What an option chooses"], seed=st.integers(0, 3))
def test_what_is_offered_is_what_the_reference_says(folder: Path, written: Written, seed: int) -> None:
    rules = loaded(folder, written.plain())
    session = begun(rules, seed)
    assume(session is not None)
    assert session is not None
    nodes = {node.span: node for node in walk.survey(rules.game).nodes if isinstance(node, m.Choose)}
    for now in played(session, seed, 15):
        decision = now.decision
        if decision is None or decision.form != "choose":
            continue
        node = nodes[decision.span]
        found: dict[int, list[tuple[object, ...]]] = {}
        try:
            whole = list(islice(now.choices(), MOST + 1))
            if len(whole) > MOST:
                continue
            for choice in whole:
                if choice.options[0].is_pass:
                    continue
                if None not in choice.options[-1].values or can_be_taken(now, choice):
                    found.setdefault(choice.options[0].branch, []).append(taken(now, choice.options[-1]))
        except TooManyChoicesError:
            continue
        for number, branch in enumerate(node.branches):
            if not stands_alone(branch):
                continue
            try:
                wanted = [tuple(shown(value) for value in values) for values in Reading(now).choices(branch)]
            except Faulty:
                continue
            event(f"{min(len(wanted), 3)} choices or more")
            assert sorted(found.get(number, []), key=repr) == sorted(wanted, key=repr), str(branch.span)
