"""A game as understood: names resolved, types known, options, variant and number of players chosen, patches applied.

Data only. `semantics.understand` builds it from syntax trees; `ir.lower` turns it into a program. Everything keeps the
span of the rules text it came from. Objects that are referred to from many places (variables, functions, locals, kinds,
zones) are compared by identity.
"""

from __future__ import annotations

from typing import Literal

from attrs import define, field, frozen

from interpreter.boards import Board
from interpreter.diagnostics import Span
from interpreter.semantics.types import DomainType, PlayerType, Type

Visibility = Literal["all", "owner", "nobody", "members"]
"""Who sees something; "members": the players of whom a field says that they belong to the member it is kept for."""


@frozen(kw_only=True)
class Understood:
    """Anything that came from a place in a file."""

    span: Span = field(eq=False, repr=False)


# ------------------------------------------------------------------------------------------- declared things


@frozen
class Shape:
    """Squares seen by somebody who stands at (0, 0) and looks up: so many to the right, so many ahead."""

    squares: frozenset[tuple[int, int]]


@define(eq=False, kw_only=True)
class EnumDomain:
    """An enum; `first` is the number of its first member (`number of x`), 0 when undeclared.

    `clockwise`: its members are ways, straight ahead first. `shapes`: what is drawn for each member, if anything is.
    """

    name: str
    members: tuple[str, ...]
    first: int
    span: Span
    doc: str = ""
    clockwise: bool = False
    shapes: tuple[Shape, ...] = ()


@define(eq=False, kw_only=True)
class Attribute:
    """A fixed figure of every member of a domain: a column of a table, an attribute of spaces, the rank of a card.

    `values[i]` belongs to member i; several members of a type in one cell are a bit set, a text its number among
    `Game.texts`.
    """

    name: str
    key: Type
    type: Type
    values: tuple[int, ...]
    span: Span | None = None


@define(eq=False, kw_only=True)
class Figure:
    """A fixed figure of every row for each member of a type: columns of a table that belong together.

    `values[i * size + j]` belongs to row i and member j, where the type has `size` members.
    """

    name: str
    key: Type
    by: Type
    type: Type
    values: tuple[int, ...]
    span: Span


@frozen(kw_only=True)
class RowTable:
    """A table whose rows are members of a type: those from `first`, `count` of them."""

    name: str
    first: int
    count: int
    span: Span
    doc: str = ""


@define(eq=False, kw_only=True)
class RowDomain:
    """A type whose members are the rows of a table, or of several in turn."""

    name: str
    tables: tuple[RowTable, ...]
    members: tuple[str, ...]
    attributes: dict[str, Attribute]
    functions: dict[str, Function]  # columns of values, relations or effects: one input, the row
    row_spans: tuple[Span, ...]
    span: Span
    doc: str = ""
    figures: dict[str, Figure] = field(factory=dict)  # columns that belong together


@define(eq=False, kw_only=True)
class Variable:
    """A piece of the state: a track, a `state`, or a field; one slot for each combination of its `keys`.

    `low..high` bound what is stored (for an optional domain type low is -1). A track clamps at its ends; any other
    variable that leaves its bounds is a fault. `visible` says who sees it; for "owner" the first key is a player or a
    piece with an owner; for "members" see `Visibility`. `start` is a constant or an expression without locals.
    """

    name: str
    keys: tuple[Type, ...]
    type: Type
    low: int
    high: int
    start: Expr
    span: Span
    is_track: bool = False
    visible: Visibility = "all"
    seen_through: Variable | None = None  # for "members": the field of players
    rolled: bool = False
    reset_by: Function | None = None
    silent: bool = False  # bookkeeping: changes are not told, the value is not shown at the table
    marks: dict[str, tuple[int, ...]] = field(factory=dict)
    doc: str = ""
    roster: Roster | None = None  # whose members or copies this keeps


@define(eq=False, kw_only=True)
class Roster:
    """Things of one type that each player lists before play.

    `members` keeps for each player the bit set of what is listed; `copies`, where a thing may be listed more than once,
    how many of each. A list says the fields of its player in `says`, which are none where there is no list. `muster` is
    the effect of the set-up that fills the rosters of players without a list and holds all against what they need.
    """

    name: str
    element: DomainType
    most: int
    members: Variable
    copies: Variable | None
    span: Span
    says: tuple[Variable, ...] = ()
    muster: Function
    filled: Muster | None = None  # the one statement of `muster`, once it is understood
    doc: str = ""


@define(eq=False, kw_only=True)
class Kind:
    """Pieces of one kind: ids 0..count-1. `attributes` holds `owner` where the pieces belong to players.

    `alike` says that pieces differ in nothing but their fields and place, so that options merge them.
    """

    name: str
    count: int
    attributes: dict[str, Attribute]
    fields: dict[str, Variable]
    named: Template | None
    named_local: Local | None  # the piece, inside `named`
    alike: bool
    span: Span
    doc: str = ""


@define(eq=False, kw_only=True)
class Zone:
    """A place off the board for pieces of a kind: one, or one for each member of a type."""

    name: str
    kind: Kind
    each_of: DomainType | None
    ordered: bool
    visible: Visibility
    at_most: int | None
    span: Span
    seen_through: Variable | None = None  # for "members": the field of players
    doc: str = ""

    @property
    def per_player(self) -> bool:
        """Whether there is one for each player."""
        return isinstance(self.each_of, PlayerType)


@define(eq=False, kw_only=True)
class BoardUse:
    """A board of this game, with its space type's name and the fields declared on its spaces."""

    name: str
    space: str
    board: Board
    attributes: dict[str, Attribute]
    span: Span
    doc: str = ""


@frozen(kw_only=True)
class Facing(Understood):
    """In which direction of a board the members of a type look; `local` is the member."""

    key: DomainType
    board: str
    local: Local
    direction: Expr


@frozen(kw_only=True)
class Marker(Understood):
    """Words that are shown at a piece while a condition holds; `local` is the piece."""

    kind: Kind
    local: Local
    text: Template
    condition: Expr


@define(eq=False, kw_only=True)
class OptionUse:
    """An option, with the value in force. Words are indexes into `words`; a flag is 0 or 1."""

    name: str
    type: Type
    words: tuple[str, ...]  # empty for numbers; ("no", "yes") for flags
    low: int
    high: int
    default: int
    value: int
    span: Span
    doc: str = ""


@define(eq=False, kw_only=True)
class VariantUse:
    name: str
    title: str
    is_scenario: bool
    active: bool
    span: Span
    doc: str = ""


# ------------------------------------------------------------------------------------------- locals and functions


@define(eq=False, kw_only=True)
class Local:
    """A name within a body: a parameter, a `let`, a loop's or quantifier's candidate, a binder."""

    name: str
    type: Type
    span: Span


@define(eq=False, kw_only=True)
class Function:
    """Anything with a body that can be named: a value, relation, table, effect or phase.

    Exactly one of the body forms is set: `lines` for values, `cases` for relations, `table` for lookup tables, `body`
    for effects and phases. `suspends` is true when the body can reach a decision.
    """

    name: str
    form: Literal["value", "relation", "table", "effect", "phase"]
    parameters: tuple[Local, ...]
    result: Type | None
    span: Span
    halves: bool = False
    lines: tuple[ValueLine, ...] = ()
    cases: tuple[RelationLine, ...] = ()
    table: LookupTable | None = None
    body: Block | None = None
    suspends: bool = False
    doc: str = ""


@frozen(kw_only=True)
class ValueLine(Understood):
    """One line of a value stack. `per` multiplies the amount by the size of a set, or, when the amount uses the
    candidate `per_local`, sums it over the set."""

    kind: Literal["start", "+", "-", "times", "divided by", "at least", "at most"]
    amount: Expr
    condition: Expr | None = None
    per: Expr | None = None
    rounded: Literal["up", "down"] | None = None
    reason: Template | None = None


@frozen(kw_only=True)
class RelationLine(Understood):
    kind: Literal["when", "unless"]
    condition: Expr
    reason: Template | None = None


@frozen(kw_only=True)
class LookupCell(Understood):
    """What a table gives at one place: a value, or effects."""

    value: Expr | None = None
    body: Block | None = None


@frozen(kw_only=True)
class LookupRow(Understood):
    """Row condition over the first input (None: any) and one cell for each column."""

    condition: Expr | None
    cells: tuple[LookupCell, ...]


@frozen(kw_only=True)
class LookupTable(Understood):
    """`columns` are conditions over the second input, one for each cell of a row (one None for a one-input table)."""

    match: Literal["first", "one"]
    columns: tuple[Expr | None, ...]
    rows: tuple[LookupRow, ...]


# ------------------------------------------------------------------------------------------- expressions


@frozen(kw_only=True)
class Expr(Understood):
    """Anything with a value of `type`."""

    type: Type


@frozen(kw_only=True)
class Const(Expr):
    """A number, flag, member of a domain (its index) or `none` (-1)."""

    value: int


@frozen(kw_only=True)
class LocalRef(Expr):
    local: Local


@frozen(kw_only=True)
class VariableRef(Expr):
    variable: Variable
    keys: tuple[Expr, ...] = ()


@frozen(kw_only=True)
class Current(Expr):
    """Something the engine keeps: the player to move, the number of the current round, the one winner (or none), the
    set of all winners, or whether the game has ended."""

    what: Literal["player", "round number", "winner", "winners", "finished"]


@frozen(kw_only=True)
class AttributeRef(Expr):
    attribute: Attribute
    subject: Expr


@frozen(kw_only=True)
class FigureRef(Expr):
    """A figure of a row for a member of another type."""

    figure: Figure
    subject: Expr
    member: Expr


@frozen(kw_only=True)
class LinkAttribute(Expr):
    """An attribute of the link from one space to another; a fault when there is none."""

    board: BoardUse
    attribute: str
    start: Expr
    end: Expr


@frozen(kw_only=True)
class Arithmetic(Expr):
    """Whole numbers; `div` and `mod` round towards minus infinity, by zero is a fault."""

    op: Literal["+", "-", "*", "div", "mod", "min", "max"]
    left: Expr
    right: Expr


@frozen(kw_only=True)
class Compare(Expr):
    """Of numbers or, for = and !=, of members of one domain (none included)."""

    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@frozen(kw_only=True)
class Logic(Expr):
    """Short-circuit."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr


@frozen(kw_only=True)
class Not(Expr):
    inner: Expr


@frozen(kw_only=True)
class Conditional(Expr):
    condition: Expr
    then: Expr
    otherwise: Expr


@frozen(kw_only=True)
class CallExpr(Expr):
    """A value, relation or table with its inputs."""

    function: Function
    arguments: tuple[Expr, ...]


@frozen(kw_only=True)
class DiceExpr(Expr):
    """The sum of some dice: chance. Only as the whole right side of a `let`, `set` or adjustment."""

    count: int
    faces: int


@frozen(kw_only=True)
class RolledDice:
    """Dice within an expression that is asked about, outside of any rules: `local` stands for their sum."""

    local: Local
    count: int
    faces: int


@frozen(kw_only=True)
class MapGet(Expr):
    """`aim(a)` of an assignment that was chosen."""

    local: Local
    key: Expr


# sets: `type` is a SetType (or ListType for runs and orders); members come in rising index, lists in their order


@frozen(kw_only=True)
class AllOf(Expr):
    """Every member of a domain."""


@frozen(kw_only=True)
class RangeSet(Expr):
    """The numbers low..high; when used in an option list the bounds of `type.element` limit it."""

    low: Expr
    high: Expr


@frozen(kw_only=True)
class ConstSet(Expr):
    """Members known beforehand: a region of a board, the directions of a board."""

    values: tuple[int, ...]


@frozen(kw_only=True)
class SetOf(Expr):
    """`{a, b}`."""

    items: tuple[Expr, ...]


@frozen(kw_only=True)
class ZoneSet(Expr):
    """The pieces in a zone (`owner` for a zone of each player); an ordered zone from its top down."""

    zone: Zone
    owner: Expr | None = None


@frozen(kw_only=True)
class BoxSet(Expr):
    """The pieces of a kind that are in the box."""

    kind: Kind


@frozen(kw_only=True)
class PiecesOn(Expr):
    """The pieces of a kind that stand on a set of spaces of a board, in the order of the spaces."""

    kind: Kind
    board: BoardUse
    spaces: Expr


@frozen(kw_only=True)
class SpacesOf(Expr):
    """The spaces of a board on which some pieces stand; those elsewhere have none."""

    kind: Kind
    board: BoardUse
    pieces: Expr


@frozen(kw_only=True)
class Union(Expr):
    """The members of two sets: those of the first in their order, then those that only the second has."""

    left: Expr
    right: Expr


@frozen(kw_only=True)
class Neighbours(Expr):
    """Spaces linked from a space, by one kind of link or by any."""

    board: BoardUse
    link: str | None
    space: Expr


@frozen(kw_only=True)
class NeighboursOfSet(Expr):
    """Spaces linked from some space of a set, by one kind of link or by any, in the order of the board."""

    board: BoardUse
    link: str | None
    spaces: Expr


@frozen(kw_only=True)
class Filter(Expr):
    """Members of `source` other than `excluded` (a member, or a set) for which `condition` holds of `local`."""

    local: Local
    source: Expr
    excluded: Expr | None = None
    condition: Expr | None = None


@frozen(kw_only=True)
class RunSet(Expr):
    """The spaces passed from `start` (not included) towards `direction` while `condition` holds of `local`."""

    board: BoardUse
    start: Expr
    direction: Expr
    local: Local
    condition: Expr


# over sets


@frozen(kw_only=True)
class Count(Expr):
    set: Expr


@frozen(kw_only=True)
class Exists(Expr):
    set: Expr


@frozen(kw_only=True)
class First(Expr):
    """The first member, or none."""

    set: Expr


@frozen(kw_only=True)
class Fold(Expr):
    """Sum (0 for nothing), or the highest or lowest (0 for nothing), of `body` over the set."""

    how: Literal["sum", "highest", "lowest"]
    local: Local
    set: Expr
    body: Expr


@frozen(kw_only=True)
class InSet(Expr):
    element: Expr
    set: Expr


# boards and pieces


@frozen(kw_only=True)
class Slide(Expr):
    """The last space reached from `start` towards `direction` while the next one satisfies `condition`."""

    board: BoardUse
    start: Expr
    direction: Expr
    local: Local
    condition: Expr


@frozen(kw_only=True)
class LineThrough(Expr):
    """Some straight line of `length` spaces that holds `through` satisfies `condition` everywhere."""

    board: BoardUse
    length: int
    through: Expr
    local: Local
    condition: Expr


@frozen(kw_only=True)
class Route(Expr):
    """Linked spaces of `through` lead from one of `start` to one of `goal` (both ends in `through`)."""

    board: BoardUse
    start: Expr
    goal: Expr
    through: Expr


@frozen(kw_only=True)
class NextSpace(Expr):
    """The space next to `space` towards `direction`, or none; none from none."""

    board: BoardUse
    space: Expr
    direction: Expr


@frozen(kw_only=True)
class Turned(Expr):
    """The direction that `way`, a member of a clockwise enum, lies in for one who faces `facing`; none from none."""

    board: BoardUse
    facing: Expr
    way: Expr
    step: int  # directions from one way to the next


@frozen(kw_only=True)
class Bearing(Expr):
    """The way in which `direction` lies for one who faces `facing`; none between two ways, and from none."""

    board: BoardUse
    facing: Expr
    direction: Expr
    step: int  # directions from one way to the next


@frozen(kw_only=True)
class Toward(Expr):
    """The direction in which `end` lies next to `start`, or none; none from none."""

    board: BoardUse
    start: Expr
    end: Expr


@frozen(kw_only=True)
class AreaSet(Expr):
    """The squares that a shape covers for one who stands on `space` and faces `facing`; none of them where one is
    none. They come row by row from the south, as seen from `space`."""

    board: BoardUse
    shapes: tuple[Shape, ...]
    shape: Expr
    space: Expr
    facing: Expr


@frozen(kw_only=True)
class Distance(Expr):
    """Fewest links between two spaces, by one kind of link or any; -1 when none leads there."""

    board: BoardUse
    link: str | None
    start: Expr
    end: Expr


@frozen(kw_only=True)
class PieceOn(Expr):
    """The piece of a kind on a space, or none."""

    kind: Kind
    space: Expr


@frozen(kw_only=True)
class IsKnown(Expr):
    """Whether a player may see which piece it is where it lies. No piece is known to nobody."""

    kind: Kind
    piece: Expr
    player: Expr


@frozen(kw_only=True)
class Empty(Expr):
    """No piece of any kind stands on the space."""

    board: BoardUse
    space: Expr


@frozen(kw_only=True)
class SpaceOf(Expr):
    """Where a piece stands on a board, or none."""

    kind: Kind
    board: BoardUse
    piece: Expr


@frozen(kw_only=True)
class Template(Understood):
    """Text with values in it: strings and expressions in turn."""

    parts: tuple[str | Expr, ...]


# ------------------------------------------------------------------------------------------- places


@frozen(kw_only=True)
class ZonePlace(Understood):
    zone: Zone
    owner: Expr | None = None


@frozen(kw_only=True)
class SpacePlace(Understood):
    board: BoardUse
    space: Expr


@frozen(kw_only=True)
class BoxPlace(Understood):
    """Back into the box."""


AnyPlace = ZonePlace | SpacePlace | BoxPlace


# ------------------------------------------------------------------------------------------- statements


@frozen(kw_only=True)
class Statement(Understood):
    """Anything that happens."""


@frozen(kw_only=True)
class Block(Understood):
    statements: tuple[Statement, ...]


@frozen(kw_only=True)
class SetLocal(Statement):
    """`let`, and later changes of a local."""

    local: Local
    value: Expr


@frozen(kw_only=True)
class SetVariable(Statement):
    """Stores into a variable, clamped for a track and checked for others; `adjusts` when written as `x + 1`.

    `value` is the new value: for an adjustment the sum of the variable and the amount.
    """

    variable: Variable
    keys: tuple[Expr, ...]
    value: Expr
    adjusts: bool = False


@frozen(kw_only=True)
class SetCurrent(Statement):
    """Tests only: whose turn it is, or which round."""

    what: Literal["player", "round number"]
    value: Expr


@frozen(kw_only=True)
class MovePiece(Statement):
    """One piece; nothing happens when it is none."""

    kind: Kind
    piece: Expr
    place: AnyPlace


@frozen(kw_only=True)
class MoveSet(Statement):
    kind: Kind
    set: Expr
    place: AnyPlace


@frozen(kw_only=True)
class Draw(Statement):
    """As many as there are, up to `count`, from the top of an ordered or face-down zone, else its first ones."""

    count: Expr
    source: ZonePlace
    place: AnyPlace


@frozen(kw_only=True)
class PlaceFromBox(Statement):
    """`count` pieces of the kind (of that owner) out of the box; a fault when the box has too few."""

    count: int
    kind: Kind
    owner: Expr | None
    place: AnyPlace


@frozen(kw_only=True)
class RollPieces(Statement):
    """Sets the rolled field of each piece of a set, in rising index, by chance."""

    kind: Kind
    variable: Variable
    set: Expr


@frozen(kw_only=True)
class ShuffleZone(Statement):
    zone: Zone
    owner: Expr | None


@frozen(kw_only=True)
class ShowFaces(Statement):
    """Tests only: exactly these faces lie in the zone, on the first pieces of the kind; the rest goes to the box."""

    zone: Zone
    owner: Expr | None
    variable: Variable
    faces: tuple[Expr, ...]


@frozen(kw_only=True)
class IfStatement(Statement):
    condition: Expr
    then: Block
    otherwise: Block | None


@frozen(kw_only=True)
class Loop(Statement):
    """`repeat`: until a condition (tested before each turn of the loop), some times, or until left."""

    until: Expr | None
    times: Expr | None
    body: Block


@frozen(kw_only=True)
class Leave(Statement):
    """Leaves the innermost `Loop`."""


@frozen(kw_only=True)
class ForEach(Statement):
    """The set is taken once, before the first."""

    local: Local
    set: Expr
    body: Block


@frozen(kw_only=True)
class EachPlayer(Statement):
    """Every player once, in turn order from `start`, as the current player; the current player is restored after."""

    start: Expr | None
    secretly: bool
    body: Block


@frozen(kw_only=True)
class Turns(Statement):
    """Players take turns from `start`; `next` gives whose turn follows the current player's, None the turn order."""

    start: Expr | None
    next: Expr | None = None
    body: Block


@frozen(kw_only=True)
class Rounds(Statement):
    times: Expr | None
    body: Block


@frozen(kw_only=True)
class Step(Statement):
    name: str
    body: Block


@frozen(kw_only=True)
class End(Statement):
    """Ends the game (scores decide), the enclosing phase or effect, the current turn of `turns`/`each player`, or the
    current round."""

    what: Literal["game", "phase", "turn", "round"]
    reason: Template | None


@frozen(kw_only=True)
class Wins(Statement):
    winners: Expr  # a player, or a set of players
    reason: Template | None


@frozen(kw_only=True)
class DrawGame(Statement):
    reason: Template | None


@frozen(kw_only=True)
class Say(Statement):
    text: Template


@frozen(kw_only=True)
class Reveal(Statement):
    """All slots of a secret variable (or the keyed ones) become visible to all until set again."""

    variable: Variable
    keys: tuple[Expr, ...]


@frozen(kw_only=True)
class RevealPieces(Statement):
    """Pieces that lie where not everybody may look are known to everybody, or to a player or players `whom`, until each
    moves to another place. `pieces` is one piece or a set."""

    kind: Kind
    pieces: Expr
    whom: Expr | None


@frozen(kw_only=True)
class RosterNeed(Understood):
    """What a roster must fulfil; with `local`, once for each member of `among`. `player` is whose roster it is."""

    local: Local | None
    among: Expr | None
    condition: Expr
    reason: Template | None = None


@frozen(kw_only=True)
class Muster(Statement):
    """Set-up only: the roster of each player without a list becomes `begins`, then every need is asked for each player.

    `amount` says of `local`, a member of `begins`, how many there are; None: one.
    """

    roster: Roster
    begins: Expr
    local: Local | None
    amount: Expr | None
    needs: tuple[RosterNeed, ...]


@frozen(kw_only=True)
class CallStatement(Statement):
    function: Function
    arguments: tuple[Expr, ...]


@frozen(kw_only=True)
class Nothing(Statement):
    pass


# ------------------------------------------------------------------------------------------- decisions


@frozen(kw_only=True)
class Binder(Understood):
    local: Local


@frozen(kw_only=True)
class BindOne(Binder):
    set: Expr


@frozen(kw_only=True)
class BindSome(Binder):
    """A subset, picked one at a time; `local` is a set. `low`/`high` None: no bound."""

    set: Expr
    low: Expr | None
    high: Expr | None
    such_that: Expr | None


@frozen(kw_only=True)
class BindOrder(Binder):
    """All of a set, in a chosen order; `local` is a list."""

    set: Expr
    such_that: Expr | None


@frozen(kw_only=True)
class BindAssign(Binder):
    """One of `set` (may depend on `each_local`) for each of `each`; `local` is a map."""

    each_local: Local
    each: Expr
    set: Expr
    such_that: Expr | None


@frozen(kw_only=True)
class Branch(Understood):
    label: Template
    binders: tuple[Binder, ...]
    guard: Expr | None
    body: Block


@frozen(kw_only=True)
class Choose(Statement):
    """One decision of `chooser`. With `may`, passing is an option; with `must` a single option is taken without asking.
    `otherwise` runs when nothing was or could be chosen; None means that the checker proved a choice to exist, or that
    nothing happens then (`may`, `must`). `secret` inside `each player secretly`."""

    may: bool
    must: bool
    chooser: Expr
    branches: tuple[Branch, ...]
    otherwise: Block | None
    secret: bool = False


# ------------------------------------------------------------------------------------------- the whole


@define(eq=False, kw_only=True)
class TestCase:
    """A `test` block: still syntax, because its options decide how the game is understood.

    `understand_test` (semantics) resolves its lines against a game understood with those options.
    """

    __test__ = False  # not a class of tests, in spite of its name

    title: str
    tree: object  # syntax.ast.TestDeclaration
    span: Span


@define(eq=False, kw_only=True)
class Game:
    """A whole game in one configuration."""

    title: str
    path: str
    language: int
    doc: str
    players: tuple[str, ...]  # names, in turn order
    player_numbers: tuple[int, ...]  # how many can play it, in any configuration; the default first
    options: dict[str, OptionUse]
    variants: dict[str, VariantUse]
    enums: dict[str, EnumDomain]
    rows: dict[str, RowDomain]
    kinds: dict[str, Kind]
    texts: tuple[str, ...]  # those printed in tables
    boards: dict[str, BoardUse]  # by name of the board
    zones: dict[str, Zone]
    rosters: dict[str, Roster]
    variables: tuple[Variable, ...]  # tracks, states and fields, in order of declaration
    functions: dict[str, Function]
    score: Function | None
    facings: tuple[Facing, ...]
    markers: tuple[Marker, ...]
    setup: tuple[Block, ...]
    play: Block | None
    tests: tuple[TestCase, ...]
    fingerprint: str  # of the sources, options, variant and number of players
    names: object = field(default=None, repr=False)  # semantics.symbols.Names, to understand more text against the game

    def space_board(self, space_type: str) -> BoardUse:
        """The board whose spaces have that type name."""
        return next(use for use in self.boards.values() if use.space == space_type)
