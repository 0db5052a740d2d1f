"""Whether rosters are mustered in time, and what they need is known by then.

`muster` belongs to the set-up: what stands before it sees rosters half filled, and what players brought is fixed once
play begins. A list is checked before the set-up, so what it needs may speak of figures, options, what the list says and
what is on it, not of what only the set-up decides.

Invariant: of each roster one thing is reported at most for each place.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics import Diagnostics, Label
from interpreter.semantics import walk
from interpreter.semantics.model import (
    BoxSet,
    CallStatement,
    Current,
    Empty,
    Expr,
    Function,
    Game,
    IsKnown,
    Muster,
    PieceOn,
    PiecesOn,
    Roster,
    SpaceOf,
    SpacesOf,
    Statement,
    Understood,
    VariableRef,
    ZoneSet,
)

__all__ = ["check_rosters"]


def check_rosters(game: Game, sink: Diagnostics) -> None:
    """Report rosters that are not mustered, or too late, and needs that ask what is not known yet."""
    for roster in game.rosters.values():
        if roster.filled is None:
            continue
        _check_mustered(game, roster, sink)
        _check_known(roster, roster.filled, sink)


# ------------------------------------------------------------------------------------------- when


def _check_mustered(game: Game, roster: Roster, sink: Diagnostics) -> None:
    mustered = False
    for statement in (statement for block in game.setup for statement in block.statements):
        if mustered:
            break
        called = walk.called_from([statement])
        mustered = roster.muster in called
        if not mustered:
            _check_not_read(statement, called, roster, sink)
    if not mustered:
        sink.error(
            "D321",
            f"roster `{roster.name}` is never mustered",
            roster.span,
            help=f"carry out `muster {roster.name}` in the set-up, once what lists may say is decided",
        )
    if game.play is not None:
        for call in _calls_in_play(game, roster.muster):
            sink.error(
                "D321",
                f"roster `{roster.name}` is mustered during play",
                call.span,
                labels=[Label(roster.span, f"roster `{roster.name}` is declared here")],
                help="what players bring is fixed when play begins: muster it in the set-up",
            )


def _check_not_read(statement: Statement, called: list[Function], roster: Roster, sink: Diagnostics) -> None:
    for root in (statement, *(body for function in called for body in walk.bodies(function))):
        for node in walk.find(root, VariableRef):
            if node.variable.roster is roster:
                sink.error(
                    "D321",
                    f"roster `{roster.name}` is read before it is mustered",
                    node.span,
                    help=f"carry out `muster {roster.name}` on a line before",
                )
                return


def _calls_in_play(game: Game, muster: Function) -> Iterator[CallStatement]:
    assert game.play is not None
    roots = [game.play, *(body for function in walk.called_from([game.play]) for body in walk.bodies(function))]
    for root in roots:
        for call in walk.find(root, CallStatement):
            if call.function is muster:
                yield call


# ------------------------------------------------------------------------------------------- what is known


def _check_known(roster: Roster, filled: Muster, sink: Diagnostics) -> None:
    parts: list[tuple[Understood, str, bool]] = [(filled.begins, "begins as", False)]
    if filled.amount is not None:
        parts.append((filled.amount, "begins as", False))
    parts += [(need, "needs", True) for need in filled.needs]
    for part, words, sees_rosters in parts:
        called = walk.called_from([part])
        for root in (part, *(body for function in called for body in walk.bodies(function))):
            unknown = next(_unknown(root, roster, sees_rosters), None)
            if unknown is None:
                continue
            sink.error(
                "D233",
                f"`{words}` is asked before the set-up, and this is not known then",
                unknown.span,
                help="use figures, options, what lists say and, behind `needs`, what is on them",
            )
            break


def _unknown(root: Understood, roster: Roster, sees_rosters: bool) -> Iterator[Expr]:
    """What is decided in the set-up or in play."""
    for node in walk.descend(root):
        match node:
            case VariableRef(variable=variable):
                if variable.roster is not None:
                    if not sees_rosters:
                        yield node
                elif variable not in roster.says:
                    yield node
            case Current(what=what):
                if what != "player":
                    yield node
            case ZoneSet() | BoxSet() | PiecesOn() | SpacesOf() | PieceOn() | Empty() | SpaceOf() | IsKnown():
                yield node
