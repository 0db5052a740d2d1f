"""More text understood against a game that is understood already: tests, and expressions from a command line.

Nothing here changes the game. Findings go to the sink of the caller, not to the one that the game was read with.

Invariant: an expression or test is given only when no error was reported for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import evolve

from interpreter.diagnostics import Diagnostics, Label, Span
from interpreter.semantics.configuration import Configuration, matching
from interpreter.semantics.functions import Functions
from interpreter.semantics.model import Block, Expr, Game, Local, RevealPieces, RolledDice, TestCase
from interpreter.semantics.scopes import Scope
from interpreter.semantics.statements import assigned_names
from interpreter.semantics.symbols import Names
from interpreter.semantics.test_model import (
    ChooseLine,
    Expect,
    Given,
    Offers,
    Rolls,
    RosterLine,
    Seed,
    Start,
    TestLine,
    UnderstoodTest,
)
from interpreter.semantics.types import PLAYER
from interpreter.semantics.walk import find, survey
from interpreter.source import from_text
from interpreter.syntax import ast, parse_effects, parse_snippet

__all__ = [
    "test_configuration",
    "understand_effects",
    "understand_expression",
    "understand_odds",
    "understand_test",
]


def _reader(game: Game, sink: Diagnostics) -> Functions:
    assert isinstance(game.names, Names), "a game made by `understand`"
    return Functions(evolve(game.names, sink=sink))


def understand_expression(
    text: str, game: Game, sink: Diagnostics, locals: Mapping[str, Local] | None = None
) -> Expr | None:
    """An expression in the words of a game, or None after a report. `locals` are names it may use besides."""
    before = len(sink.errors)
    node = parse_snippet(text, sink)
    if node is None:
        return None
    scope = Scope(locals=dict(locals or {}))
    found = _reader(game, sink).read(node, scope)
    return None if len(sink.errors) > before else found


def understand_odds(text: str, game: Game, sink: Diagnostics) -> tuple[Expr, tuple[RolledDice, ...]] | None:
    """An expression in which dice may be rolled anywhere, and its dice, or None after a report."""
    before = len(sink.errors)
    node = parse_snippet(text, sink)
    if node is None:
        return None
    reader = _reader(game, sink)
    reader.dice = []
    found = reader.read(node, Scope())
    return None if len(sink.errors) > before else (found, tuple(reader.dice))


def understand_effects(text: str, game: Game, sink: Diagnostics) -> Block | None:
    """Effects in one line, parted by commas, as in a cell of a table; or None after a report.

    They may say whose turn it is, as what a test gives may.
    """
    before = len(sink.errors)
    source = from_text("<effect>", text)
    nodes = parse_effects(source.text, source, 0, sink)
    if nodes is None:
        return None
    reader = _reader(game, sink)
    reader.in_test = True
    body = ast.Block(nodes, span=nodes[0].span)
    block = reader.block(body, Scope(assigned=assigned_names(body)))
    return None if len(sink.errors) > before else block


# ------------------------------------------------------------------------------------------- tests


def _tree(test: TestCase) -> ast.TestDeclaration:
    assert isinstance(test.tree, ast.TestDeclaration)
    return test.tree


def test_configuration(test: TestCase) -> Configuration:
    """The players, options and scenario that a test asks for."""
    players: int | None = None
    scenario: str | None = None
    options: dict[str, str | int | bool] = {}
    for line in _tree(test).lines:
        match line:
            case ast.TestPlayers(count=count):
                players = count
            case ast.TestScenario(name=name):
                scenario = name.text
            case ast.TestOptions(options=given):
                for name, value in given:
                    options[name.text] = value.text if isinstance(value, ast.Name) else value
    return Configuration(players=players, options=options, scenario=scenario)


test_configuration.__test__ = False  # type: ignore[attr-defined]  # not a test, in spite of its name


def understand_test(test: TestCase, game: Game, sink: Diagnostics) -> UnderstoodTest | None:
    """The lines of a test against the game in its configuration, or None after a report."""
    before = len(sink.errors)
    lines = tuple(_lines(_tree(test), game, _reader(game, sink)))
    if len(sink.errors) > before:
        return None
    return UnderstoodTest(title=test.title, lines=lines, span=test.span)


def _lines(tree: ast.TestDeclaration, game: Game, r: Functions) -> Iterator[TestLine]:
    r.in_test = True
    for line in tree.lines:
        span = line.span
        match line:
            case ast.TestGiven(body=body):
                block = _given(body, r)
                _shows_what_is_kept(block, game, r)
                yield Given(block=block, span=span)
            case ast.TestStart(phase=None):
                yield Start(phase=None, span=span)
            case ast.TestStart(phase=name) if name is not None:
                function = game.functions.get(name.text)
                if function is None or function.form != "phase":
                    phases = [known for known, one in game.functions.items() if one.form == "phase"]
                    r.unknown("phase", name.text, name.span, phases)
                    continue
                yield Start(phase=function, span=span)
            case ast.TestRoster(player=name, path=path, path_span=path_span, fails=fails):
                player = _player(name, game, r)
                found = r.names.files.resolve(r.names.folder, path, r.sink, path_span)
                if player is not None and found is not None:
                    yield RosterLine(player=player, path=_from_here(found), fails=fails, span=span)
            case ast.TestSeed(seed=seed):
                yield Seed(seed=seed, span=span)
            case ast.TestRolls(results=results):
                yield Rolls(results=results, span=span)
            case ast.TestChoose(option=option, by=by):
                yield ChooseLine(text=option.raw, player=_player(by, game, r), span=span)
            case ast.TestOffers(how=how, options=options):
                yield Offers(how=how, options=tuple(option.raw for option in options), span=span)
            case ast.TestExpect(condition=node):
                condition = r.condition(node, Scope())
                yield Expect(condition=condition, text=_written(node.span, r.names), span=span)


def _from_here(path: Path) -> Path:
    """A path as it is told to people: from the current folder, where it lies in it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _given(body: ast.Block, r: Functions) -> Block:
    return r.block(body, Scope(assigned=assigned_names(body)))


def _shows_what_is_kept(block: Block, game: Game, r: Functions) -> None:
    """What is known of pieces is kept only of kinds that the rules themselves reveal."""
    kept = {node.kind.name for node in survey(game).nodes if isinstance(node, RevealPieces)}
    for node in find(block, RevealPieces):
        if node.kind.name not in kept:
            label = Label(node.kind.span, f"`{node.kind.name}` is declared here")
            message = f"no rule reveals pieces `{node.kind.name}`, so what is known of them is not kept"
            r.error("D610", message, node.span, labels=(label,), help="remove the `reveal` from the test")


def _player(name: ast.Name | None, game: Game, r: Functions) -> int | None:
    if name is None:
        return None
    found = matching(name.text, game.players)
    if found is not None:
        return game.players.index(found)
    index = r.names.member(PLAYER, name.text)
    if index is None:
        r.unknown("player", name.text, name.span, game.players)
    return index


def _written(span: Span, names: Names) -> str:
    """The text of a place, on one line."""
    source = names.files.get(span.path)
    if source is None:
        return ""
    starts = source.line_starts
    first = starts[span.start.line - 1] + span.start.column - 1
    last = starts[span.end.line - 1] + span.end.column - 1
    return " ".join(source.text[first:last].split())
