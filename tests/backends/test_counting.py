"""Programs that count what is used: both backends count alike, and count what was played."""

from __future__ import annotations

from collections import Counter

import pytest
from attrs import evolve
from random_programs import random_machine

from interpreter.analysis.simulate.cards import card_types, columns
from interpreter.backends.api import State, draw
from interpreter.backends.conformance import Difference, compare_counts
from interpreter.backends.counted import SUMS, Uses, picks
from interpreter.backends.counting import Counters, counted, reached
from interpreter.backends.python import PythonBackend
from interpreter.backends.python.counting import PythonCounting
from interpreter.backends.wasm.counting import WasmCounting
from interpreter.ir.passes import run_passes
from interpreter.ir.program import STATUS, WINNERS, Program
from interpreter.runtime import load
from interpreter.runtime.rules import Rules

GAMES = ("hall", "kuhn_poker", "blackjack", "trading_race", "partners", "tic_tac_toe", "yacht", "rock_paper_scissors")


def counting(rules: Rules, *, leads: bool = True) -> tuple[Program, Counters]:
    arrays = sorted({array for column in columns(rules) for cell in column.cells for array, _ in cell.reads})
    return counted(rules.program, [each.cards for each in card_types(rules.game)], arrays, leads=leads)


def uses_of(counted_uses: tuple[int, ...], counter: int) -> Uses:
    return Uses(*counted_uses[SUMS * counter : SUMS * (counter + 1)])


@pytest.mark.parametrize(("name", "games"), [*((name, 12) for name in GAMES), ("lords_of_war", 4)])
def test_both_backends_count_alike(name: str, games: int) -> None:
    made, counters = counting(load(name))
    judge, other = (each(made, counters, leads=True) for each in (PythonCounting, WasmCounting))
    assert compare_counts(judge, other, games=games, limit=300) > 0


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_programs_by_chance_are_counted_alike(first: int) -> None:
    marks = 0
    for seed in range(first, first + 10):
        made, counters = counted(run_passes(random_machine(seed)))
        marks += len(counters.marks)
        judge, other = (each(made, counters, leads=True) for each in (PythonCounting, WasmCounting))
        compare_counts(judge, other, games=4, limit=40)
    assert marks


def test_a_backend_that_counts_otherwise_is_found() -> None:
    class Forgets(WasmCounting):
        def random_games(self, first_seed: int, games: int, limit: int):  # type: ignore[no-untyped-def]
            found = super().random_games(first_seed, games, limit)
            return evolve(found, uses=(found.uses[0] + 1, *found.uses[1:]))

    made, counters = counting(load("kuhn_poker"))
    with pytest.raises(Difference, match="uses"):
        compare_counts(PythonCounting(made, counters, leads=True), Forgets(made, counters, leads=True))


class Watcher:
    """What a run of the ordinary program marks, and the codes of the decisions taken without asking."""

    def __init__(self) -> None:
        self.marks: Counter[int] = Counter()

    def chance(self, state: State, sides: int) -> int:
        return draw(state, sides)

    def event(self, event: int, arguments: tuple[int, ...]) -> None:
        pass

    def mark(self, span: int) -> None:
        self.marks[span] += 1

    def taken(self, state: State, decision: int, code: int) -> None:
        pass


@pytest.mark.parametrize("name", ["kuhn_poker", "trading_race", "pig"])
def test_what_is_counted_is_what_the_ordinary_program_plays(name: str) -> None:
    """The same picks in the ordinary program lead to the same ends and, but for what the log tells, mark the same."""
    rules = load(name)
    made, counters = counting(rules)
    found = WasmCounting(made, counters, leads=True).random_games(40, 6, 500)
    backend, watcher = PythonBackend(rules.program), Watcher()
    for record in found.records:
        state, random, decisions = backend.new_state(record.seed), picks(record.seed), 0
        options = backend.run(state, watcher)
        while options is not None:
            decisions += 1
            options = backend.apply(state, options[random.below(len(options))], watcher)
        assert (decisions, state[STATUS], state[WINNERS]) == (record.decisions, record.status, record.winners)
        scores = tuple(
            backend.call(rules.program.score, state, player, watcher=watcher)
            for player in range(len(rules.players) if rules.program.score else 0)
        )
        assert scores == record.scores
    told = {span for span in watcher.marks if span not in counters.marks}
    assert not told
    times = {span: uses_of(found.uses, counter).times for span, counter in counters.marks.items()}
    differing = {span for span in times if times[span] != watcher.marks[span]}
    assert not {span for span in differing if times[span] > watcher.marks[span]}
    if name != "pig":
        assert not differing


def test_options_members_and_cards_are_counted_for_those_who_choose_them() -> None:
    rules = load("tic_tac_toe")
    made, counters = counting(rules)
    found = WasmCounting(made, counters, leads=True).random_games(0, 50, 100)
    moves = sum(record.decisions for record in found.records)
    assert uses_of(found.uses, counters.options[0, 0]).times == moves
    assert uses_of(found.uses, counters.offered[0, 0]).times == moves
    first = counters.members[0, 0, 0]
    squares = [uses_of(found.uses, first + square) for square in range(9)]
    assert sum(each.times for each in squares) == moves
    assert all(each.games == each.users <= 50 for each in squares)  # nobody marks a square twice
    assert sum(each.wins for each in squares) < sum(each.ended for each in squares)


def test_cards_of_a_table_are_counted_as_rows_and_as_pieces() -> None:
    rules = load("partners")
    made, counters = counting(rules)
    found = WasmCounting(made, counters, leads=True).random_games(0, 20, 200)
    played = [uses_of(found.uses, counters.chosen["Face"] + face).times for face in range(12)]
    assert sum(played) == 20 * 12


def test_who_is_ahead_is_asked_without_counting() -> None:
    rules = load("trading_race")
    for leads in (True, False):
        made, counters = counting(rules, leads=leads)
        found = WasmCounting(made, counters, leads=leads).random_games(0, 30, 500)
        assert any(record.changes for record in found.records) is leads
        assert any(record.ahead for record in found.records) is leads
        if leads:
            kept = found
        else:
            assert [evolve(record, changes=0, ahead=0) for record in kept.records] == list(found.records)
            assert kept.uses[: len(found.uses)] == found.uses


def test_a_game_beyond_the_limit_has_not_ended() -> None:
    made, counters = counting(load("hall"))
    found = WasmCounting(made, counters, leads=True).random_games(0, 3, 10)
    assert [(record.decisions, record.ended, record.scores) for record in found.records] == [(10, False, ())] * 3


def test_functions_that_only_show_are_not_reached() -> None:
    program = load("hall").program
    names = reached(program)
    assert "name of Dwarf" not in names and program.score in names
