"""What a lowering keeps: program-wide tables, and per function the code written so far and where its locals are.

A local of the understood game is read in one of three ways. In the function that declares it, it is a variable (`Var`).
In a function made for a decision of a machine (its options, labels, conditions) it is a parameter, or else a variable
of the machine (`FrameVar`), which is thereby forced into the state. Within an unrolled condition it may stand for any
expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field, frozen

from interpreter.diagnostics import Span
from interpreter.ir import code as c
from interpreter.ir.from_semantics.layout import GameLayout
from interpreter.ir.program import DecisionInfo, Entry, EventInfo, FunctionCode
from interpreter.semantics import model
from interpreter.semantics.describe import domain_size
from interpreter.semantics.types import ListType, MapType, SetType, Type

SCORE = "score"
"""Name of the function that gives the score of a player."""

BY_SCORE = "winners by score"
"""Name of the function that makes the players with the highest score the winners."""


@frozen
class Printed:
    """A filter with what is printed of it worked out beforehand (`printed_sets`)."""

    members: tuple[int, ...]
    """The members that pass the printed part."""
    key: model.Expr | None
    """What a printed figure must equal, known only in play; None where there is no such part."""
    groups: tuple[tuple[int, ...], ...]
    """For each value of the key the members that have it."""
    rest: model.Filter
    """What is still to be asked of each member."""
    asked: tuple[model.Function, ...]
    """Values and relations that were asked beforehand; where somebody watches they count as used."""

    @property
    def is_constant(self) -> bool:
        """Whether nothing is left to ask."""
        return self.key is None and self.rest.condition is None and self.rest.excluded is None


@define
class Lowering:
    """Program-wide state of a lowering."""

    game: model.Game
    slots: GameLayout
    arrays: dict[str, tuple[int, ...] | tuple[tuple[object, ...], ...]] = field(factory=dict)
    functions: dict[str, FunctionCode] = field(factory=dict)
    blocks: list[c.Block] = field(factory=list)
    decisions: list[DecisionInfo] = field(factory=list)
    events: list[EventInfo] = field(factory=list)
    spans: list[Span] = field(factory=list)
    entries: dict[str, Entry] = field(factory=dict)
    forced: set[str] = field(factory=set)
    frame_arrays: dict[str, int] = field(factory=dict)
    machines: set[int] = field(factory=set)  # ids of functions lowered to machines
    enders: set[int] = field(factory=set)  # ids of functions that can end the game
    chosen: dict[tuple[int, int, int], model.Local] = field(factory=dict)  # by decision, first code, number of binder
    printed: dict[tuple[int, bool], tuple[model.Filter, Printed | None]] = field(factory=dict)  # by id of the filter
    _array_names: dict[object, str] = field(factory=dict)
    _function_names: dict[int, str] = field(factory=dict)
    _local_names: dict[int, str] = field(factory=dict)
    _locals_kept: list[model.Local] = field(factory=list)
    _used: dict[str, int] = field(factory=dict)
    _span_numbers: dict[Span, int] = field(factory=dict)
    _pending: list[model.Function] = field(factory=list)

    def unique(self, name: str) -> str:
        """A name not given before, readable."""
        count = self._used.get(name, 0)
        self._used[name] = count + 1
        return name if count == 0 else f"{name}.{count + 1}"

    def span(self, span: Span) -> int:
        """The number of a span."""
        number = self._span_numbers.get(span)
        if number is None:
            number = self._span_numbers[span] = len(self.spans)
            self.spans.append(span)
        return number

    def array(self, name: str, values: tuple[int, ...] | tuple[tuple[object, ...], ...]) -> str:
        """A constant array; equal arrays share a name."""
        known = self._array_names.get(values)
        if known is None:
            known = self._array_names[values] = self.unique(f"array {name}")
            self.arrays[known] = values
        return known

    def size(self, type_: Type) -> int:
        return domain_size(self.game, type_)

    def is_column(self, function: model.Function) -> bool:
        """Whether a function is a column of a table that makes a type."""
        return any(function in rows.functions.values() for rows in self.game.rows.values())

    def function_name(self, function: model.Function) -> str:
        """The program's name of a function; the first use orders it to be lowered."""
        name = self._function_names.get(id(function))
        if name is None:
            name = self._function_names[id(function)] = self.unique(f"{function.form} {function.name}")
            self._pending.append(function)
        return name

    def pending(self) -> Iterator[model.Function]:
        """Functions that were called and wait to be lowered, until none is left."""
        while self._pending:
            yield self._pending.pop(0)

    def machine_local(self, local: model.Local) -> str:
        """The program-wide name of a local of a machine."""
        name = self._local_names.get(id(local))
        if name is None:
            name = self._local_names[id(local)] = self.unique(local.name)
            self._locals_kept.append(local)  # so that its id stays its own
            if isinstance(local.type, ListType):
                self.frame_arrays[name] = self.size(local.type.element)
            elif isinstance(local.type, MapType):
                self.frame_arrays[name] = self.size(local.type.key)
        return name

    def name_of_local(self, local: model.Local) -> str | None:
        """The program-wide name of a local, if it has one."""
        return self._local_names.get(id(local))

    def event(self, event: EventInfo) -> int:
        self.events.append(event)
        return len(self.events) - 1

    def block(self, label: str) -> int:
        """The number of a new block, to be filled later."""
        self.blocks.append(c.Block((), c.Stop(), label))
        return len(self.blocks) - 1


@define
class LoopFrame:
    """A loop being written in a function, for leaving it from within inner loops."""

    kind: str  # "repeat", "turn", "round" or "inner" (not to be left by a statement)
    exit_var: str = ""
    before: c.Expr | None = None  # of an `each player`: who was to move
    passing: list[LoopFrame] = field(factory=list)  # outer loops that something inside wants to leave


@define
class Scope:
    """A function or a machine being written: `out` is the list that statements go to."""

    low: Lowering
    where: str
    machine: bool = False
    local_vars: dict[int, c.Expr] = field(factory=dict)  # by id of the local
    out: list[c.Stmt] = field(factory=list)
    loops: list[LoopFrame] = field(factory=list)
    restore_player: list[c.Expr] = field(factory=list)
    spaces: dict[str, tuple[str, c.Expr]] = field(factory=dict)  # by variable of a piece: its board and its space
    there: set[c.Expr] = field(factory=set)  # what is a member for certain, never none
    _used: dict[str, int] = field(factory=dict)
    _kept: list[model.Local] = field(factory=list)

    # ------------------------------------------------------------------ names

    def fresh(self, name: str) -> str:
        """A variable not used before: within the function, or program-wide for a machine."""
        if self.machine:
            return self.low.unique(name)
        count = self._used.get(name, 0)
        self._used[name] = count + 1
        return name if count == 0 else f"{name}.{count + 1}"

    def declare(self, local: model.Local) -> str:
        """Makes a variable of a local of this function."""
        known = self.local_vars.get(id(local))
        if isinstance(known, c.Var):
            return known.name
        name = self.low.machine_local(local) if self.machine else self.fresh(local.name)
        self.local_vars[id(local)] = c.Var(name)
        self._kept.append(local)
        return name

    def read(self, local: model.Local) -> c.Expr:
        known = self.local_vars.get(id(local))
        if known is not None:
            return known
        name = self.low.machine_local(local)
        if self.machine:
            return c.Var(name)
        self.low.forced.add(name)
        return c.FrameVar(name)

    @contextmanager
    def standing_for(self, local: model.Local, value: c.Expr) -> Iterator[None]:
        """Within, the local is read as `value`."""
        before = self.local_vars.get(id(local))
        self.local_vars[id(local)] = value
        self._kept.append(local)
        yield
        if before is None:
            del self.local_vars[id(local)]
        else:
            self.local_vars[id(local)] = before

    def keep(self, local: model.Local, value: c.Expr) -> None:
        """From now on the local is read as `value`."""
        self.local_vars[id(local)] = value
        self._kept.append(local)

    @contextmanager
    def standing_on(self, piece: str, board: str, space: c.Expr) -> Iterator[None]:
        """Within, it is known where a piece stands."""
        self.spaces[piece] = (board, space)
        is_new = space not in self.there
        if is_new:
            self.there.add(space)
        yield
        if is_new:
            self.there.discard(space)
        del self.spaces[piece]

    def may_be_none(self, type_: Type, value: c.Expr) -> bool:
        """Whether a value of a type may be none."""
        return type_.optional and value not in self.there

    # ------------------------------------------------------------------ code

    def emit(self, *statements: c.Stmt) -> None:
        self.out.extend(statements)

    @contextmanager
    def into(self, out: list[c.Stmt]) -> Iterator[list[c.Stmt]]:
        """Within, statements go to another list."""
        before, self.out = self.out, out
        yield out
        self.out = before

    def body(self, write: Callable[[], None]) -> c.Body:
        """What `write` emits, as a body."""
        with self.into([]) as out:
            write()
        return tuple(out)

    def assign(self, name: str, value: c.Expr) -> c.Var:
        """A fresh variable with a value."""
        var = self.fresh(name)
        self.emit(c.Assign(var, value))
        return c.Var(var)

    def atom(self, value: c.Expr, name: str = "t") -> c.Expr:
        """The value itself when reading it twice costs nothing, else a variable that holds it."""
        if isinstance(value, c.Int | c.Var | c.FrameVar):
            return value
        return self.assign(name, value)

    @contextmanager
    def loop(self, kind: str) -> Iterator[LoopFrame]:
        """A loop is being written; after it the caller emits `after_loop`."""
        frame = LoopFrame(kind)
        self.loops.append(frame)
        yield frame
        self.loops.pop()


def element(type_: Type) -> Type:
    """The type of the members of a set or list."""
    if isinstance(type_, SetType | ListType):
        return type_.element
    raise TypeError(f"not a set: {type_}")


__all__ = ["LoopFrame", "Lowering", "Printed", "Scope", "element"]
