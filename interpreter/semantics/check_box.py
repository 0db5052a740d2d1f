"""Whether the box holds what the set-up takes out of it.

The set-up is carried out on paper: loops whose length is known before play count as often as they go round, called
effects are followed, of two branches only what both place counts, and everything that is not known counts as nothing.
So the number that comes out is the least that can be taken, for each kind and for each player it belongs to.

Invariant: what is reported fails in every game of this configuration. Once pieces may go back into the box, or leave
it by a move, nothing is said about their kind.
"""

from __future__ import annotations

from collections import Counter

from attrs import evolve, frozen

from interpreter.diagnostics import Diagnostics, Label
from interpreter.semantics import walk
from interpreter.semantics.known_values import Inputs, known_set, known_value
from interpreter.semantics.model import (
    Block,
    BoxPlace,
    CallStatement,
    Current,
    Draw,
    EachPlayer,
    End,
    Expr,
    ForEach,
    Game,
    IfStatement,
    Kind,
    Leave,
    Local,
    Loop,
    MovePiece,
    MoveSet,
    PlaceFromBox,
    Statement,
    Step,
    Understood,
)

__all__ = ["check_box"]

_MAX_DEPTH = 8
_MAX_STATEMENTS = 20_000


def check_box(game: Game, sink: Diagnostics) -> None:
    """Report a set-up that takes more pieces than there are."""
    called = walk.called_from(game.setup)
    roots: list[Understood] = [*game.setup, *(body for function in called for body in walk.bodies(function))]
    statements = [at for root in roots for at in walk.find(root, Statement)]
    if not any(isinstance(at, PlaceFromBox) for at in statements):
        return
    if any(
        isinstance(at, Leave | End) or (isinstance(at, Draw) and isinstance(at.place, BoxPlace)) for at in statements
    ):
        return
    moved = {at.kind for at in statements if isinstance(at, MovePiece | MoveSet)}
    count = _Count(game, sink, moved)
    for block in game.setup:
        count.block(block, _At(Inputs(game)), 0)


_Key = tuple[Kind, int | None]


@frozen
class _At:
    """Where the count stands: what is known, and who is the current player."""

    inputs: Inputs
    player: int | None = None


class _Count:
    def __init__(self, game: Game, sink: Diagnostics, left_out: set[Kind]) -> None:
        self.game = game
        self.sink = sink
        self.left_out = left_out
        self.taken: Counter[_Key] = Counter()
        self.steps = 0

    def block(self, block: Block, at: _At, depth: int) -> None:
        for statement in block.statements:
            self.steps += 1
            if self.steps > _MAX_STATEMENTS:
                return
            self._statement(statement, at, depth)

    def _statement(self, statement: Statement, at: _At, depth: int) -> None:
        match statement:
            case PlaceFromBox():
                self._place(statement, at)
            case IfStatement():
                self._if(statement, at, depth)
            case ForEach():
                for member in known_set(statement.set, at.inputs) or ():
                    self.block(statement.body, evolve(at, inputs=at.inputs.bind(statement.local, member)), depth)
            case Loop(times=times) if times is not None and statement.until is None:
                for _ in range(min(known_value(times, at.inputs) or 0, _MAX_STATEMENTS)):
                    self.block(statement.body, at, depth)
            case EachPlayer():
                for player in range(len(self.game.players)):
                    self.block(statement.body, evolve(at, player=player), depth)
            case Step():
                self.block(statement.body, at, depth)
            case CallStatement(function=function) if function.body is not None and depth < _MAX_DEPTH:
                inside: dict[Local, int] = {}
                for parameter, argument in zip(function.parameters, statement.arguments, strict=True):
                    value = self._player(argument, at)
                    if value is not None:
                        inside[parameter] = value
                self.block(function.body, evolve(at, inputs=Inputs(self.game, inside)), depth + 1)

    def _if(self, statement: IfStatement, at: _At, depth: int) -> None:
        holds = known_value(statement.condition, at.inputs)
        if holds is not None:
            block = statement.then if holds else statement.otherwise
            if block is not None:
                self.block(block, at, depth)
        elif statement.otherwise is not None:
            before = self.taken.copy()
            self.block(statement.then, at, depth)
            then, self.taken = self.taken, before
            self.block(statement.otherwise, at, depth)
            self.taken &= then

    def _player(self, expr: Expr, at: _At) -> int | None:
        if isinstance(expr, Current) and expr.what == "player":
            return at.player
        return known_value(expr, at.inputs)

    def _place(self, statement: PlaceFromBox, at: _At) -> None:
        kind = statement.kind
        if kind in self.left_out:
            return
        owner = None if statement.owner is None else self._player(statement.owner, at)
        kept: list[tuple[_Key, int, str]] = [((kind, None), kind.count, "")]
        if owner is not None and "owner" in kind.attributes:
            held = sum(1 for value in kind.attributes["owner"].values if value == owner)
            kept.insert(0, ((kind, owner), held, f" of {self.game.players[owner]}"))
        for key, held, whose in kept:
            self.taken[key] += statement.count
            if self.taken[key] > held and kind not in self.left_out:
                self.left_out.add(kind)
                self.sink.error(
                    "D250",
                    f"the set-up takes more than {held} `{kind.name}`{whose} out of the box",
                    statement.span,
                    "here the box is empty",
                    labels=[Label(kind.span, f"{kind.count} in all are declared here")],
                    help="declare more of them, or place fewer",
                )
