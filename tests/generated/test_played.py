"""Generated games, played: whatever is run, saved, taken back or looked at, it is one and the same game.

* Watched and unwatched, a game comes to the same states, options and results.
* Saved at any decision and resumed it is the same; a copy is independent; what is undone is as it was.
* With its declarations in another order, or with brackets around everything, it plays alike.
* What is hidden from a player may be anything, as far as the player can tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from games_of_text import DECISIONS, begun, faults_of, loaded, played
from hypothesis import event, given
from hypothesis import strategies as st
from strategies import CONSTRUCTS, Written, games

from interpreter.backends.api import Backend, Fault
from interpreter.diagnostics import RulesError
from interpreter.ir.invariants import check_program
from interpreter.runtime import Rules, Session
from interpreter.runtime.leak import shuffled_secrets
from interpreter.runtime.load import make_backend
from interpreter.runtime.saves import resume

SEEDS = st.integers(0, 3)
Trace = list[tuple[object, ...]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("played")


# ---------------------------------------------------------------------------------------------------- two ways to run


def unwatched(rules: Rules, seed: int, backend: Backend | None = None) -> Trace:
    """The states and options of a game on the bare backend; a fault ends it."""
    backend, random, found = backend or rules.backend, Random(seed), Trace()
    state = backend.new_state(seed)
    try:
        codes: Sequence[int] | None = backend.run(state)
        for _ in range(DECISIONS + 1):
            found.append((*state, "offers", *(codes or ())))
            if not codes:
                break
            codes = backend.apply(state, codes[random.randrange(len(codes))])
    except Fault as fault:
        found.append((fault.code,))
    return found


def watched(rules: Rules, seed: int) -> Trace:
    """The same in a session that listens to everything."""
    random, found = Random(seed), Trace()
    try:
        session = rules.start(seed)
        for _ in range(DECISIONS + 1):
            found.append((*session.state, "offers", *session.codes))
            if session.is_over:
                break
            session.apply(random.randrange(len(session.options)))
    except RulesError as error:
        found.append((faults_of(error),))
    return found


@given(written=games(), seed=SEEDS)
def test_watched_and_unwatched_it_is_the_same_game(folder: Path, written: Written, seed: int) -> None:
    rules = loaded(folder, written.plain())
    check_program(rules.program, "lowering")
    with_watcher, without = watched(rules, seed), unwatched(rules, seed)
    event(f"{min(len(without) // 10, 4)}0 decisions or more")
    assert with_watcher == without


# ---------------------------------------------------------------------------------------------------- sessions


@given(written=games(), seed=SEEDS)
def test_as_webassembly_it_is_the_same_game(folder: Path, written: Written, seed: int) -> None:
    rules = loaded(folder, written.plain())
    assert unwatched(rules, seed, make_backend("wasm", rules.program)) == unwatched(rules, seed)


def moment(session: Session) -> tuple[object, ...]:
    """All that can be seen of a session."""
    options = tuple((option.name, option.code) for option in session.options)
    return (tuple(session.state), session.hash(), session.player, session.prompt, options, session.log(None))


@given(written=games(), seed=SEEDS)
def test_saved_and_resumed_it_goes_on_from_there(folder: Path, written: Written, seed: int) -> None:
    session = begun(loaded(folder, written.plain()), seed)
    if session is None:
        return
    for number, now in enumerate(played(session, seed)):
        if number < 6 or number % 8 == 0:
            assert moment(resume(now.save(), rules=now.rules)) == moment(now)


@given(written=games(), seed=SEEDS)
def test_a_copy_goes_its_own_way(folder: Path, written: Written, seed: int) -> None:
    session = begun(loaded(folder, written.plain()), seed)
    if session is None:
        return
    for now in played(session, seed, 12):
        before, copy = moment(now), now.clone()
        assert moment(copy) == before
        for _ in played(copy, seed + 1, 3):
            assert moment(now) == before


@given(written=games(), seed=SEEDS)
def test_what_is_taken_back_is_as_it_was(folder: Path, written: Written, seed: int) -> None:
    session = begun(loaded(folder, written.plain()), seed)
    if session is None:
        return
    moments = [moment(now) for now in played(session, seed)]
    while session.can_undo:
        session.undo()
        assert moment(session) == moments[len(session.history.steps)]
    assert session.undo_barrier is not None


# ---------------------------------------------------------------------------------------------------- written otherwise


def told(rules: Rules, seed: int) -> Trace:
    """What players are offered and told, by name: the order of declarations is the order in the state."""
    found = Trace()
    session = begun(rules, seed)
    if session is None:
        return found
    for now in played(session, seed):
        names = tuple(option.name for option in now.options)
        found.append((now.player_name, now.prompt, names, now.log(None), tuple(now.scores)))
    found.append((None if session.outcome is None else session.outcome.text(rules.players),))
    return found


@given(written=games(), seed=SEEDS, order=st.randoms(use_true_random=False))
def test_in_another_order_it_is_the_same_game(folder: Path, written: Written, seed: int, order: Random) -> None:
    plain = told(loaded(folder, written.plain()), seed)
    assert told(loaded(folder, written.reordered(order)), seed) == plain


@given(written=games(), seed=SEEDS)
def test_with_brackets_it_is_the_same_game(folder: Path, written: Written, seed: int) -> None:
    plain = told(loaded(folder, written.plain()), seed)
    assert told(loaded(folder, written.bracketed()), seed) == plain


# ---------------------------------------------------------------------------------------------------- secrets


SECRET = [CONSTRUCTS[section] for section in ("secretly and reveal", "sides and teams", "Showing pieces")]


@given(written=st.one_of(SECRET), seed=SEEDS)
def test_what_is_hidden_may_be_anything(folder: Path, written: Written, seed: int) -> None:
    rules = loaded(folder, written.plain())
    session = begun(rules, seed)
    if session is None or not rules.sight.has_secrets:
        return
    random = Random(seed)
    for now in played(session, seed, 15):
        for viewer in (*range(len(rules.players)), None):
            other = shuffled_secrets(now, viewer, random)
            event(f"changed: {other.state[11:] != now.state[11:]}")
            assert other.view(viewer) == now.view(viewer)
            assert other.log(viewer) == now.log(viewer)
            if viewer is not None and now.player == viewer:
                assert other.prompt == now.prompt
                assert [option.name for option in other.options] == [option.name for option in now.options]
