"""The operations that a program is made of: few, typed, on whole numbers only.

Two layers. A *function* has a structured body and cannot be interrupted. A *machine* is a graph of blocks; each block
has a structured body and ends in one terminator, and only a terminator can stop to ask a player. Machines keep all
that must survive such a stop in the state, so that nothing of a game ever hides in the host's stack.

Values are integers; yes/no is 1/0, none is -1, a set is a bit set. Lists exist only within one function call.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

BinaryOp = Literal["+", "-", "*", "div", "mod", "min", "max", "&", "|", "&~", "<<", ">>"]
CompareOp = Literal["=", "!=", "<", "<=", ">", ">="]

LIMIT = 2**62
"""Numbers lie between -LIMIT and LIMIT; a calculation that would leave this is a fault (D703), see `Binary.checked`."""

# ------------------------------------------------------------------------------------------------ expressions


@frozen
class Expr:
    """Has a value and no effect."""


@frozen
class Int(Expr):
    value: int


@frozen
class BlockNumber(Expr):
    """The number of a block, kept in a slot as a way back (`JumpSlot`): a constant that renumbering must follow."""

    block: int


@frozen
class Var(Expr):
    """A variable of the function; in a machine possibly placed into the state by `passes.place_locals`."""

    name: str


@frozen
class FrameVar(Expr):
    """A variable of a machine, read by a function; `passes.place_locals` makes it a `Load`."""

    name: str


@frozen
class FrameAt(Expr):
    """An element of an array of a machine (a list, a map); `passes.place_locals` makes it a `LoadAt`."""

    name: str
    index: Expr


@frozen
class Load(Expr):
    slot: int


@frozen
class LoadAt(Expr):
    """Slot `base + index`. `home`: a slot of the group that is meant, if a pass has moved `base` away from it."""

    base: int
    index: Expr
    home: int = field(default=-1, eq=False)


@frozen
class ArrayGet(Expr):
    """An element of a constant array of numbers."""

    array: str
    index: Expr


@frozen
class Binary(Expr):
    """`div` and `mod` round towards minus infinity; `&~` is difference of bit sets. `checked`: a result beyond `LIMIT`,
    or a set that is too wide, is a fault (`passes.guard` says where such a result cannot be excluded)."""

    op: BinaryOp
    left: Expr
    right: Expr
    checked: bool = field(default=False, eq=False)


@frozen
class Compare(Expr):
    op: CompareOp
    left: Expr
    right: Expr


@frozen
class And(Expr):
    left: Expr
    right: Expr


@frozen
class Or(Expr):
    left: Expr
    right: Expr


@frozen
class Not(Expr):
    inner: Expr


@frozen
class Pick(Expr):
    """`then` if `condition` else `otherwise`; only one of them is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class HasBit(Expr):
    """Bit `index` of a bit set."""

    set: Expr
    index: Expr


@frozen
class PopCount(Expr):
    set: Expr


@frozen
class InList(Expr):
    """Is the value in the list?"""

    list: str
    value: Expr


@frozen
class CallValue(Expr):
    function: str
    arguments: tuple[Expr, ...]


# ------------------------------------------------------------------------------------------------ statements


@frozen
class Stmt:
    """Does something."""


Body = tuple[Stmt, ...]


@frozen
class Assign(Stmt):
    var: str
    value: Expr


@frozen
class FrameAssign(Stmt):
    """A variable of a machine, set from a function or a block; `passes.place_locals` makes it a `Store`."""

    name: str
    value: Expr


@frozen
class FrameStoreAt(Stmt):
    """Sets an element of an array of a machine; `passes.place_locals` makes it a `StoreAt`."""

    name: str
    index: Expr
    value: Expr


@frozen
class Store(Stmt):
    slot: int
    value: Expr


@frozen
class StoreAt(Stmt):
    """Sets slot `base + index`; `home` as in `LoadAt`."""

    base: int
    index: Expr
    value: Expr
    home: int = field(default=-1, eq=False)


@frozen
class Fill(Stmt):
    """`count` slots from `base` get a constant."""

    base: int
    count: int
    value: int


@frozen
class If(Stmt):
    condition: Expr
    then: Body
    otherwise: Body = ()


@frozen
class ForRange(Stmt):
    """`var` from `low` to `high`, the latter not included."""

    var: str
    low: Expr
    high: Expr
    body: Body


@frozen
class ForRow(Stmt):
    """Over row `index` of a constant ragged array; with several `vars` each element is a tuple of that many."""

    vars: tuple[str, ...]
    array: str
    index: Expr
    body: Body


@frozen
class ForItems(Stmt):
    """Over a few values."""

    var: str
    items: tuple[Expr, ...]
    body: Body


@frozen
class ForBits(Stmt):
    """Over the members of a bit set, rising."""

    var: str
    set: Expr
    body: Body


@frozen
class ForList(Stmt):
    """Over a list as it stands when the loop begins."""

    var: str
    list: str
    body: Body


@frozen
class Forever(Stmt):
    """Until a `Break`; the backend bounds the number of turns (`api.FUEL`) and faults beyond."""

    body: Body
    span: int


@frozen
class Break(Stmt):
    """Leaves the innermost loop."""


@frozen
class Continue(Stmt):
    """Goes on with the innermost loop."""


@frozen
class Return(Stmt):
    value: Expr | None


@frozen
class CallEffect(Stmt):
    function: str
    arguments: tuple[Expr, ...]


@frozen
class NewList(Stmt):
    list: str


@frozen
class Push(Stmt):
    list: str
    value: Expr


@frozen
class Pop(Stmt):
    """Takes the last element off a list that is not empty."""

    list: str
    var: str


@frozen
class ReturnList(Stmt):
    list: str


@frozen
class IfEmpty(Stmt):
    list: str
    then: Body
    otherwise: Body = ()


@frozen
class Chance(Stmt):
    """`var` becomes one of 0..sides-1, each equally likely."""

    var: str
    sides: Expr


@frozen
class Check(Stmt):
    """A fault with a code unless the condition holds."""

    condition: Expr
    fault: str
    span: int


@frozen
class Mark(Stmt):
    """This place of the rules was used (coverage); left out when nobody watches."""

    span: int


@frozen
class Emit(Stmt):
    """An event happened (the log); left out when nobody watches. `event` indexes `Program.events`."""

    event: int
    arguments: tuple[Expr, ...]


# ------------------------------------------------------------------------------------------------ terminators


@frozen
class Terminator:
    """How a block of a machine ends."""


@frozen
class Jump(Terminator):
    target: int


@frozen
class Branch(Terminator):
    condition: Expr
    then: int
    otherwise: int


@frozen
class Ask(Terminator):
    """Works out the options of a decision. None: go on at `otherwise`. Else stop; a choice goes on at `resume`, with
    its code in the slot `program.CHOICE`. With `skip` a decision whose only option is to be done goes on at
    `otherwise`. An only option with a code in one of the ranges `alone` (first, after the last) is taken at once."""

    decision: int
    resume: int
    otherwise: int
    skip: bool = False
    alone: tuple[tuple[int, int], ...] = ()


@frozen
class JumpSlot(Terminator):
    """Goes on at the block whose number is in a slot (the end of a procedure)."""

    slot: int


@frozen
class Stop(Terminator):
    """The game is over."""


@frozen
class Block:
    body: Body
    end: Terminator
    label: str = ""
