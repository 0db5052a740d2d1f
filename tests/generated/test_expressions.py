"""Every expression means what a plain reading of the reference says, in every state that games come through.

The reading (`plain_reading.py`) knows nothing of lowering, passes or generated code. Expressions are made over the
names of generated games, and read in the states of a game played by chance, secrets and all.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from games_of_text import begun, loaded, played
from hypothesis import event, given, note
from hypothesis import strategies as st
from plain_reading import Faulty, Reading, plain
from strategies.expressions import condition, member, number, set_of
from strategies.games import Written, games
from strategies.source import Source, plainly
from strategies.world import Scope

from interpreter.backends.api import Fault
from interpreter.runtime import Session
from interpreter.runtime.snippets import expression_of

SCOPE = Scope(careful=False, open=False)
STATES = 3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("expressions")


@st.composite
def asked(draw: st.DrawFn) -> tuple[Written, list[str]]:
    """A game, and expressions in its words."""
    written = draw(games())
    world = written.world
    world.source = source = Source(draw)
    texts = []
    for _ in range(6):
        match source.number(0, 3):
            case 0:
                texts.append(number(world, SCOPE, 3).text)
            case 1:
                texts.append(condition(world, SCOPE, 3).text)
            case 2:
                found = member(world, SCOPE, source.one(list(world.domains.values())), 3, optional=True)
                texts += [found.text] if found is not None else []
            case _:
                texts.append(set_of(world, SCOPE, source.one(list(world.domains)), 3).text)
    return written, [plainly(text) for text in texts]


def ours(session: Session, text: str) -> object:
    """What the plain reading says."""
    expr = expression_of(session.rules, text)
    try:
        return plain(session, expr, Reading(session).value(expr, {}))
    except Faulty as faulty:
        return faulty.code


def theirs(session: Session, text: str) -> object:
    """What the engine says."""
    try:
        return session.evaluate(text)
    except Fault as fault:
        return fault.code


@given(asked=asked(), seed=st.integers(0, 3))
def test_an_expression_means_what_the_reference_says(folder: Path, asked: tuple[Written, list[str]], seed: int) -> None:
    written, texts = asked
    rules = loaded(folder, written.plain())
    session = begun(rules, seed)
    if session is None:
        return
    for at, moment in enumerate(played(session, seed, 2 * STATES)):
        if at % 2:
            continue
        for text in texts:
            wanted = ours(moment, text)
            note(f"after {at} decisions: {text}")
            event("faulty" if isinstance(wanted, str) and wanted.startswith("D7") else "a value")
            assert theirs(moment, text) == wanted, text
