"""The syntax tree of a rules file: what stands in the file, and where, with no meaning attached.

Every node is frozen and carries the span of the text it was read from. Names are in canonical form (`Name.text`: words
joined by one space, an underscore counts as a space), so that `may_reroll` and `may reroll` are one name. Comments are
not in the tree; documentation comments are attached to declarations as `doc` by `syntax.trivia`.

Invariant left by `syntax.parse`: a tree holds no error nodes; a declaration or statement that could not be read is left
out, and a diagnostic says so.
"""

from __future__ import annotations

from typing import Literal

from attrs import field, frozen

from interpreter.diagnostics import Span


@frozen(kw_only=True)
class Node:
    """Anything read from a file."""

    span: Span = field(eq=False, repr=False)


@frozen
class Name(Node):
    """A name of one or several words, canonical: `Market Square`, `may reroll`."""

    text: str


@frozen
class Text(Node):
    """Text between quotes; `parts` alternates literal strings and the expressions that stand in braces."""

    raw: str
    parts: tuple[str | Expr, ...]


# ---------------------------------------------------------------------------------------------- expressions


@frozen
class Expr(Node):
    """Anything with a value."""


@frozen
class NamedThing(Expr):
    """A name standing for a value: a local, a declared thing, a member of an enum, a space."""

    name: Name


@frozen
class Number(Expr):
    value: int


@frozen
class Flag(Expr):
    """`yes` or `no`."""

    value: bool


@frozen
class NoneThere(Expr):
    """`none`."""


@frozen
class Bracketed(Expr):
    """An expression in brackets, kept for the formatter and for exact spans."""

    inner: Expr


@frozen
class Member(Expr):
    """`base.name`: a field, an attribute, a zone of a player, a region of a board."""

    base: Expr
    name: Name


@frozen
class Apply(Expr):
    """`base(args)`: a value, relation, table, effect or built-in with arguments, or a field kept per something."""

    base: Expr
    args: tuple[Expr, ...]


@frozen
class OfCall(Expr):
    """`name of arg [by kind]`: a built-in or a value of one input, in words."""

    name: Name
    arg: Expr
    by: Name | None = None


@frozen
class PieceOn(Expr):
    """`Pawn on space`: the piece of that kind standing there, or none; of a set of spaces the pieces on them."""

    kind: Name
    space: Expr


@frozen
class Negate(Expr):
    inner: Expr


@frozen
class Arithmetic(Expr):
    op: Literal["+", "-", "*", "div", "mod"]
    left: Expr
    right: Expr


@frozen
class Compare(Expr):
    """A comparison of numbers, or `=`/`!=` of any two things."""

    op: Literal["=", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@frozen
class Is(Expr):
    """`left is [not] right`: equality, a flag, a predicate of one input, a kind's trait."""

    left: Expr
    right: Expr
    negated: bool


@frozen
class In(Expr):
    """`left [not] in domain`."""

    left: Expr
    domain: Expr
    negated: bool


@frozen
class AtMark(Expr):
    """`track at mark`: the marker stands on a step that carries the mark."""

    track: Expr
    mark: Name


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
class AnyInput(Node):
    """In a cell that conditions an input: `any`."""


@frozen
class AtLeastInput(Node):
    """In a cell that conditions an input: `5+`, this number or more."""

    low: int


@frozen
class RangeInput(Node):
    """In a cell that conditions an input: `2..4`, both included."""

    low: Expr
    high: Expr


@frozen
class Conditional(Expr):
    """`if condition then yes else no`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@frozen
class Dice(Expr):
    """`roll 2d6`: the sum of `count` dice with `faces` faces."""

    count: int
    faces: int


@frozen
class LinkBetween(Expr):
    """`link from a to b`."""

    start: Expr
    end: Expr


@frozen
class SetLiteral(Expr):
    """`{a, b}`."""

    items: tuple[Expr, ...]


@frozen
class Range(Expr):
    """`low..high`, both included."""

    low: Expr
    high: Expr


@frozen
class Things(Expr):
    """A set of things: `[binder in] base [except excluded] [where condition]`.

    Without a binder the candidate is called `it`, and its fields may be named alone in `condition`.
    """

    binder: Name | None
    base: Expr
    excluded: Expr | None = None
    condition: Expr | None = None


@frozen
class Also(Expr):
    """`left also right`: the members of both sets."""

    left: Expr
    right: Expr


@frozen
class OfFiltered(Expr):
    """`name of base [by kind] [except ...] where ...`: an aggregate over a filtered set, or a filtered call.

    `count of pool where c` counts; `neighbours of s where c` filters. Which of the two, the meaning of `name` decides.
    """

    name: Name
    base: Expr
    by: Name | None
    excluded: Expr | None
    condition: Expr | None


@frozen
class Aggregate(Expr):
    """`count of each x in S ...` (`of` is None), or `sum of E for each x in S ...`."""

    name: Name
    of: Expr | None
    things: Things


@frozen
class Some(Expr):
    things: Things


@frozen
class NoneOf(Expr):
    things: Things


@frozen
class Every(Expr):
    things: Things
    condition: Expr


@frozen
class Slide(Expr):
    """`slide from s to d while c`: the last space reached from `s` towards `d` while the next one satisfies `c`."""

    start: Expr
    direction: Expr
    condition: Expr


@frozen
class Run(Expr):
    """`run from s to d while c`: the spaces passed by such a slide, in order, `s` not included."""

    start: Expr
    direction: Expr
    condition: Expr


@frozen
class Line(Expr):
    """`line of n through s where c`: some straight line of n spaces that holds `s` has `c` on all of them."""

    length: Expr
    through: Expr
    condition: Expr


@frozen
class Route(Expr):
    """`route from A to B through S`: linked spaces of S lead from one of A to one of B."""

    start: Expr
    goal: Expr
    through: Things


# ---------------------------------------------------------------------------------------------- statements


@frozen
class Statement(Node):
    """Anything that happens."""


@frozen
class Block(Node):
    statements: tuple[Statement, ...]


@frozen
class Let(Statement):
    name: Name
    value: Expr


@frozen
class Set(Statement):
    target: Expr
    value: Expr


@frozen
class Adjust(Statement):
    """`target + amount` or `target - amount`."""

    target: Expr
    sign: Literal["+", "-"]
    amount: Expr


@frozen
class Move(Statement):
    """`move [every] things to place`; `things` is one piece or a set of pieces."""

    things: Things
    every: bool
    place: Expr


@frozen
class DrawSome(Statement):
    """`move count from source to place`."""

    count: Expr
    source: Expr
    place: Expr


@frozen
class Place(Statement):
    """`place [count] kind [of owner] on place`: out of the box."""

    count: int
    kind: Name
    owner: Expr | None
    place: Expr


@frozen
class Roll(Statement):
    things: Things


@frozen
class Shuffle(Statement):
    zone: Expr


@frozen
class Leave(Statement):
    """Leaves the innermost `repeat`."""


@frozen
class End(Statement):
    what: Literal["game", "phase", "turn", "round"]
    reason: Text | None


@frozen
class Wins(Statement):
    player: Expr
    reason: Text | None


@frozen
class DrawGame(Statement):
    reason: Text | None


@frozen
class Say(Statement):
    text: Text


@frozen
class Reveal(Statement):
    """`reveal things [to whom]`: a field, one piece or a set of pieces; without `to` everybody sees it."""

    things: Things
    whom: Things | None


@frozen
class Call(Statement):
    """An effect or phase carried out: a name, or an application."""

    callee: Expr


@frozen
class Nothing(Statement):
    """`nothing`."""


@frozen
class Shows(Statement):
    """Only in tests: `pool shows 1, 3, 3`: exactly these faces lie there; what else lay there goes back to the box."""

    zone: Expr
    faces: tuple[Expr, ...]


@frozen
class If(Statement):
    condition: Expr
    then: Block
    otherwise: Block | None  # an `else if` is a block of one `If`


@frozen
class Repeat(Statement):
    """`repeat`, `repeat until c` or `repeat n times`."""

    until: Expr | None
    times: Expr | None
    body: Block


@frozen
class ForEach(Statement):
    things: Things
    body: Block


@frozen
class EachPlayer(Statement):
    """`each player [secretly] [from p]`: every player once, in turn order, as `player`."""

    secretly: bool
    start: Expr | None
    body: Block


@frozen
class Turns(Statement):
    """`turns [from p] [then q]`: players take turns, as `player`, until the game ends; after each it is q's turn."""

    start: Expr | None
    next: Expr | None
    body: Block


@frozen
class Round(Statement):
    """`round [n times]`: the body again and again; the number of the round is `round number`."""

    times: Expr | None
    body: Block


@frozen
class Step(Statement):
    name: Name
    body: Block


# ---------------------------------------------------------------------------------------------- decisions


@frozen
class Binder(Node):
    """A thing chosen within an option."""

    name: Name


@frozen
class BindOne(Binder):
    things: Things


@frozen
class Quantity(Node):
    """How many of a set: `low`/`high` None mean no bound (`some` has low 1)."""

    kind: Literal["any", "some", "all", "order", "up to", "exactly", "at least", "between"]
    low: Expr | None
    high: Expr | None


@frozen
class BindSome(Binder):
    """`name from quantity of S [such that c]`: a subset, or with `order` all of S in an order."""

    quantity: Quantity
    things: Things
    such_that: Expr | None


@frozen
class BindAssign(Binder):
    """`name for each a in A from B [such that c]`: one of B for each of A; afterwards `name(a)`."""

    each: Things
    things: Things
    such_that: Expr | None


@frozen
class Branch(Node):
    label: Text
    binders: tuple[Binder, ...]
    guard: Expr | None
    body: Block | None


@frozen
class Choose(Statement):
    """`choose`, `may` or `must`: one decision; `otherwise` is what happens when nothing is or can be chosen."""

    word: Literal["choose", "may", "must"]
    chooser: Expr | None
    branches: tuple[Branch, ...]
    otherwise: Block | None


# ---------------------------------------------------------------------------------------------- declarations


@frozen(kw_only=True)
class Declaration(Node):
    doc: str = field(default="", eq=False)


@frozen
class Language(Declaration):
    version: int


@frozen
class PlayerCounts(Node):
    """Numbers of players, each `low..high`, as in `2`, `3..5` or `4, 6`; with the names of the players or none."""

    ranges: tuple[tuple[int, int], ...]
    names: tuple[Name, ...]


@frozen
class GameHead(Declaration):
    title: str
    players: PlayerCounts | None
    scored_by: Name | None


@frozen
class Include(Declaration):
    path: str


OptionValue = Name | int | bool


@frozen
class OptionDeclaration(Declaration):
    """`option name = default` with either whole numbers `low..high`, or `words` (the default first), or yes/no."""

    name: Name
    default: OptionValue
    low: int | None
    high: int | None
    words: tuple[Name, ...]


@frozen
class EnumDeclaration(Declaration):
    """`clockwise`: its members are ways, straight ahead first."""

    name: Name
    first: int | None
    members: tuple[Name, ...]
    clockwise: bool = False


@frozen
class DrawnRow(Node):
    """One line of a drawing; `squares` has one sign for each square, without the blanks between."""

    squares: str


@frozen
class Drawing(Declaration):
    """One shape: its name and its lines from the top."""

    name: Name
    rows: tuple[DrawnRow, ...]


@frozen
class ShapesDeclaration(Declaration):
    """`shapes name`: a type whose members are drawn."""

    name: Name
    drawings: tuple[Drawing, ...]


@frozen
class TypeRef(Node):
    """A type as written: a range, a name (`of` names the board of a direction or space), or a set."""

    kind: Literal["range", "name", "set"]
    name: Name | None
    of: Name | None
    low: Expr | None
    high: Expr | None
    optional: bool


@frozen
class FieldDeclaration(Declaration):
    name: Name
    type: TypeRef
    default: Expr | None
    rolled: bool
    seen_by: Name | None
    per: Name | None
    reset_by: Name | None
    silent: bool = False


@frozen
class Ahead(Node):
    """`ahead is north`: the direction in which a piece or player looks."""

    direction: Expr


@frozen
class Marker(Node):
    """`marked "lame" when ...`: words that are shown at a piece while a condition holds."""

    text: Text
    condition: Expr


@frozen
class KindDeclaration(Declaration):
    """`count` pieces in the box; for each player; or `copies` of each member of `each_of`."""

    name: Name
    count: Expr | None
    per_player: bool
    copies: Expr | None
    each_of: Name | None
    fields: tuple[FieldDeclaration, ...]
    named: Text | None
    shown: tuple[Ahead | Marker, ...] = ()


@frozen
class HasDeclaration(Declaration):
    """`each X has`: fields of spaces, players, pieces, members or rows."""

    owner: Name
    fields: tuple[FieldDeclaration, ...]
    shown: tuple[Ahead | Marker, ...] = ()


@frozen
class StateDeclaration(Declaration):
    field_: FieldDeclaration


@frozen
class BoardDeclaration(Declaration):
    """From a file, or of a family with a size."""

    name: Name
    space: Name
    path: str | None
    family: Name | None
    size: tuple[Expr, ...]
    path_span: Span | None = field(eq=False)


@frozen
class ZoneDeclaration(Declaration):
    name: Name
    each_of: Name | None
    kind: Name
    ordered: bool
    seen_by: Name | None
    at_most: Expr | None


@frozen
class RosterBegins(Node):
    """What is on a list that nobody wrote: a set, and how many of each."""

    things: Things
    amount: Expr | None


@frozen
class RosterNeed(Node):
    """What a list must fulfil, and what is said of one that does not."""

    condition: Expr
    reason: Text | None


@frozen
class RosterDeclaration(Declaration):
    """Things that each player lists before play."""

    name: Name
    each_of: Name
    source: Name
    seen_by: Name | None
    copies: Expr | None
    says: tuple[Name, ...]
    begins: tuple[RosterBegins, ...]
    needs: tuple[RosterNeed, ...]


@frozen
class Mark(Node):
    name: Name
    steps: tuple[int, ...]


@frozen
class TrackDeclaration(Declaration):
    name: Name
    each_of: Name | None
    low: Expr
    high: Expr
    start: Expr | None
    marks: tuple[Mark, ...]


@frozen
class Parameter(Node):
    name: Name
    type: TypeRef


@frozen
class Cell(Node):
    """One cell of a table as text, with its place; read further once its column's type is known."""

    text: str
    offset: int = field(default=0, eq=False, repr=False, kw_only=True)  # of the text in its file, in code points


@frozen
class Row(Node):
    cells: tuple[Cell, ...]
    doc: str = field(default="", eq=False, kw_only=True)


@frozen
class Figure(Node):
    """`name by type`: the columns headed by the members of a type are one figure with an input."""

    name: Name
    by: Name


@frozen
class TableDeclaration(Declaration):
    """`makes` names a type whose members are the rows; else `parameters` with a result type, or `does` (effects)."""

    name: Name
    makes: Name | None
    parameters: tuple[Parameter, ...]
    gives: TypeRef | None
    does: bool
    match: Literal["first", "one"] | None
    header: Row
    rows: tuple[Row, ...]
    figures: tuple[Figure, ...] = ()


@frozen
class ValueLine(Node):
    """One line of a value: `if`/`unless` in `condition` (already negated by `unless`), `per` counts or sums a set."""

    kind: Literal["start", "+", "-", "times", "divided by", "at least", "at most"]
    amount: Expr
    condition: Expr | None
    unless: bool
    per: Things | None
    rounded: Literal["up", "down"] | None
    reason: Text | None


@frozen
class ValueDeclaration(Declaration):
    name: Name
    parameters: tuple[Parameter, ...]
    halves: bool
    is_: Expr | None
    lines: tuple[ValueLine, ...]


@frozen
class RelationLine(Node):
    """`when c` (one of these must hold) or `unless c` (none of these may)."""

    kind: Literal["when", "unless"]
    condition: Expr
    reason: Text | None


@frozen
class RelationDeclaration(Declaration):
    name: Name
    parameters: tuple[Parameter, ...]
    is_: Expr | None
    lines: tuple[RelationLine, ...]


@frozen
class EffectDeclaration(Declaration):
    name: Name
    parameters: tuple[Parameter, ...]
    body: Block


@frozen
class PhaseDeclaration(Declaration):
    name: Name
    body: Block


@frozen
class SetupDeclaration(Declaration):
    body: Block


@frozen
class PlayDeclaration(Declaration):
    body: Block


# ---------------------------------------------------------------------------------------------- patches


@frozen
class Patch(Node):
    """One change that a variant or scenario makes."""


@frozen
class Excludes(Patch):
    name: Name
    unless: Expr | None


@frozen
class ForPlayers(Patch):
    """`players 3`: a variant is on when so many play, a scenario is for so many."""

    players: PlayerCounts


@frozen
class Preset(Patch):
    """`preset name = value`: an option, or a variant that is switched on or off; a name alone means yes."""

    name: Name
    value: OptionValue


@frozen
class Modify(Patch):
    name: Name
    value_lines: tuple[ValueLine, ...]
    relation_lines: tuple[RelationLine, ...]


@frozen
class Around(Patch):
    """`before`, `after` or `instead of` the set-up, the play, a phase or an effect (`target` None means `where`)."""

    how: Literal["before", "after", "instead of"]
    where: Literal["setup", "play", "named"]
    target: Name | None
    body: Block


@frozen
class ReplaceRows(Patch):
    name: Name
    header: Row
    rows: tuple[Row, ...]


@frozen
class ReplaceDeclared(Patch):
    """A declaration that takes the place of the one of its name."""

    declaration: Declaration


@frozen
class AddRows(Patch):
    name: Name
    header: Row
    rows: tuple[Row, ...]


@frozen
class Adds(Patch):
    declaration: Declaration


@frozen
class VariantDeclaration(Declaration):
    name: Name
    title: str
    patches: tuple[Patch, ...]
    is_scenario: bool


# ---------------------------------------------------------------------------------------------- tests


@frozen
class TestLine(Node):
    """One line of a test, done in order."""


@frozen
class TestPlayers(TestLine):
    count: int


@frozen
class TestOptions(TestLine):
    options: tuple[tuple[Name, OptionValue], ...]  # a name alone means yes


@frozen
class TestScenario(TestLine):
    name: Name


@frozen
class TestSeed(TestLine):
    seed: int


@frozen
class TestRoster(TestLine):
    """A player's list from a file; with `fails`, one that is refused for these reasons."""

    player: Name
    path: str
    fails: tuple[str, ...]
    path_span: Span = field(eq=False, repr=False)


@frozen
class TestGiven(TestLine):
    body: Block


@frozen
class TestStart(TestLine):
    phase: Name | None


@frozen
class TestRolls(TestLine):
    results: tuple[int, ...]


@frozen
class TestChoose(TestLine):
    option: Text
    by: Name | None


@frozen
class TestOffers(TestLine):
    how: Literal["exactly", "also", "never"]
    options: tuple[Text, ...]


@frozen
class TestExpect(TestLine):
    condition: Expr


@frozen
class TestDeclaration(Declaration):
    title: str
    lines: tuple[TestLine, ...]


@frozen
class File(Node):
    """One rules file."""

    path: str
    language: Language | None
    declarations: tuple[Declaration, ...]
    lost: frozenset[str] = field(default=frozenset(), eq=False, kw_only=True)
    """Names that stand in lines that could not be read: what they would have declared is not known to be missing."""
