"""A program: what a backend needs to run one game in one configuration, and what a session needs to talk about it.

Data only. The state is a flat list of `Layout.size` whole numbers. All that is readable (names, labels, events) is
tables beside the code; nothing here refers back to the rules' syntax but for spans.
"""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from interpreter.diagnostics import Span
from interpreter.ir.code import Block, Body
from interpreter.semantics.types import Type

# the first slots of every state
PC, DECISION, CHOICE, STATUS, WINNERS, PLAYER, ROUND, RNG = 0, 1, 2, 3, 4, 5, 6, 7
"""Program counter; decision that waits (-1 none); code chosen; status; bit set of the winners; player to move; round;
the first of four words of chance."""
FIRST_FREE = 11

RUNNING, WON, DRAWN, ENDED = 0, 1, 2, 3
"""Values of the status slot: going on; somebody won; a draw; over, the scores decide."""


@frozen
class SlotGroup:
    """Consecutive slots of one meaning: slot `base + i` for the i-th combination of `keys` (last key fastest).

    `what`: "control", "chance", "variable", "revealed" (flags beside a secret variable), "place" (of a piece), "order"
    (of a zone: its length, then its pieces), "occupant" (of a space, -1 none), "cut" (the column and row at which a
    board without edges is cut open), "known" (of a hidden piece: a bit for each player who knows it, one more for
    everybody), "frame" (locals and return places).
    """

    name: str
    what: Literal["control", "chance", "variable", "revealed", "place", "order", "occupant", "cut", "known", "frame"]
    base: int
    count: int
    low: int
    high: int
    keys: tuple[Type, ...] = ()
    type: Type | None = None
    visible: Literal["all", "owner", "nobody", "members"] = "all"
    seen_by: int = -1  # for "members": the slot of the first player's field that tells to which member he belongs
    silent: bool = False  # bookkeeping of the rules, not told to players
    subject: str = ""  # the kind of a place group, the zone of an order group, the board of an occupant group
    kinds: tuple[tuple[str, int], ...] = ()  # of an occupant group: which kinds, and the number of the first of each
    doc: str = ""
    span: Span | None = None


@define
class Layout:
    size: int = FIRST_FREE
    groups: list[SlotGroup] = field(factory=list)

    def add(self, group: SlotGroup) -> SlotGroup:
        self.groups.append(group)
        self.size = max(self.size, group.base + group.count)
        return group

    def named(self, what: str, name: str) -> SlotGroup:
        return next(g for g in self.groups if g.what == what and g.name == name)


@frozen
class PlaceCode:
    """What a number in a place slot means: the box, a zone (of a player or another member), or a space of a board."""

    kind: Literal["box", "zone", "space"]
    name: str  # zone or board
    owner: int = -1
    space: int = -1
    visible: Literal["all", "owner", "nobody", "members"] = "all"
    seen_by: int = -1  # as in `SlotGroup`


@frozen
class Shown:
    """A value in a text: call `function` with the state and the binders `needs` (by position); show it as `type`."""

    function: str
    needs: tuple[int, ...]
    type: Type
    halves: bool = False


TextTemplate = tuple[str | Shown, ...]


@frozen
class BinderInfo:
    """A thing chosen within a branch. `form`: one thing, a subset, an order, an assignment.

    `size` is the size of the domain that codes run over; a one-binder of numbers starts at `first`.
    """

    name: str
    form: Literal["one", "some", "order", "assign"]
    type: Type
    size: int
    first: int = 0
    slot: int = -1  # where the value lies once chosen (a bit set, the first of a list, the first of a map)


@frozen
class BranchInfo:
    """One branch of a decision. Codes `base .. base + span - 1`: mixed radix over the leading one-binders."""

    label: TextTemplate
    binders: tuple[BinderInfo, ...]
    base: int
    radix: tuple[int, ...]
    span: Span
    conditions: tuple[Condition, ...] = ()


@frozen
class Condition:
    """A part of a guard or filter, for explaining why an option is missing: `function` of the binders `needs`."""

    function: str
    needs: tuple[int, ...]
    text: str
    span: Span


@frozen
class DecisionInfo:
    """A place where somebody decides.

    `form`: "choose" has branches, and with `may` a last code for passing. "pick" continues branch `branch` of decision
    `parent`: code i picks member i of the domain of its binder `binder`; code `size` is "done". `actor` and `options`
    are names of functions of the state; the latter returns the list of codes, in a fixed order.
    """

    form: Literal["choose", "pick"]
    actor: str
    options: str
    branches: tuple[BranchInfo, ...]
    span: Span
    where: str  # the phase, effect or step it stands in
    may: bool = False
    pass_code: int = -1
    secret: bool = False
    parent: int = -1
    branch: int = -1
    binder: int = -1


@frozen
class EventInfo:
    """A kind of event. `what`: "say", "win", "draw", "end", "move", "roll", "set", "reveal", "show", "phase",
    "choose".

    `text` is a template whose Shown parts read the event's arguments by position (`function` is empty).
    """

    what: str
    text: TextTemplate
    span: Span
    secret_of: tuple[int, ...] = ()  # arguments that are pieces or fields not everybody may see
    variable: str = ""


@frozen
class FunctionCode:
    name: str
    parameters: tuple[str, ...]
    body: Body
    returns: Literal["value", "list", "nothing"]
    title: str = ""  # what a reader calls it
    span: Span | None = None


@frozen
class Entry:
    """Where a phase begins: the block to start at, and (slot, number of a block) pairs that set its way back."""

    block: int
    stores: tuple[tuple[int, int], ...]


@frozen
class MarkerCode:
    """Words that are shown at a piece while `function` of the piece gives yes."""

    text: TextTemplate  # of one input, the piece
    function: str
    span: Span


@define
class Program:
    title: str
    fingerprint: str
    players: tuple[str, ...]
    layout: Layout
    arrays: dict[str, tuple[int, ...] | tuple[tuple[object, ...], ...]]
    functions: dict[str, FunctionCode]
    blocks: list[Block]
    decisions: list[DecisionInfo]
    events: list[EventInfo]
    spans: list[Span]  # by the numbers that Mark, Check and Forever carry
    places: dict[str, tuple[PlaceCode, ...]]  # by kind
    names: dict[str, tuple[str, ...] | TextTemplate]  # members of a domain by type name; a template of one input
    texts: tuple[str, ...]  # printed texts, by number
    start: int  # first block: set-up, then play
    entries: dict[str, Entry]  # by phase name
    score: str  # function of the state and a player, "" without scores
    score_halves: bool
    facings: dict[tuple[str, str], str] = field(factory=dict)  # by type and board a function of the member
    markers: dict[str, tuple[MarkerCode, ...]] = field(factory=dict)  # by kind
    initial: tuple[int, ...] = ()  # the slots before set-up, but for the generator's words
    digest: str = field(default="", init=False, eq=False)  # of all that it was made from, if it is kept; else empty


__all__ = [
    "CHOICE",
    "DECISION",
    "DRAWN",
    "ENDED",
    "FIRST_FREE",
    "PC",
    "PLAYER",
    "RNG",
    "ROUND",
    "RUNNING",
    "STATUS",
    "WINNERS",
    "WON",
    "BinderInfo",
    "BranchInfo",
    "Condition",
    "DecisionInfo",
    "Entry",
    "EventInfo",
    "FunctionCode",
    "Layout",
    "MarkerCode",
    "PlaceCode",
    "Program",
    "Shown",
    "SlotGroup",
    "TextTemplate",
]
