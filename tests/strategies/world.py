"""What a generated game has declared so far: all that a later line may name.

A strategy for a construct adds to the world what it declares; strategies of expressions and statements choose among
what is there. So nothing is named that is not declared, nothing has two meanings, and functions call only earlier
ones, which keeps calls from going in circles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from attrs import define, evolve, field, frozen

from strategies.source import Source

__all__ = [
    "Board", "Called", "Domain", "Feature", "Global", "Local", "Lookup", "Option", "Scope", "World", "Zone", "words",
]  # fmt: skip

NUMBER, FLAG = "number", "flag"
"""Types that are no domains; every other type is the name of one."""

Sort = Literal["enum", "row", "player", "piece", "space", "direction"]


@frozen
class Feature:
    """What each member of a domain has: a field, a printed figure, or a column that is worked out."""

    name: str
    type: str
    low: int = 0
    high: int = 0
    optional: bool = False
    key: str = ""
    """The domain for each of which it is kept besides, if any."""
    changes: bool = False
    """Whether it is a field."""
    secret: bool = False
    is_set: bool = False
    is_track: bool = False
    worked_out: bool = False
    """Whether it is a column of values or conditions."""
    marks: tuple[str, ...] = ()


@define(eq=False)
class Domain:
    """A type with members."""

    name: str
    sort: Sort
    members: tuple[str, ...]
    """As they are written; none for pieces."""
    size: int
    features: list[Feature] = field(factory=list)
    effects: list[str] = field(factory=list)
    """Columns of effects."""
    row: str = ""
    """Of pieces that stand for rows: the type of the row."""
    board: str = ""
    """Of spaces and directions."""
    is_open: bool = False
    """Of spaces of a board without edges: nothing is kept for each of them."""
    count: int = 0
    """Of pieces: so many for each owner, or in all."""
    owned: bool = False
    alone: bool = False
    """Whether there is one piece for certain, which may be named by its kind."""
    rolls: bool = False
    zones: list[Zone] = field(factory=list)
    standing: bool = False
    """Whether some of the pieces stand on a board."""
    clockwise: bool = False
    """Whether its members are ways."""
    drawn: bool = False
    """Whether its members are shapes."""
    is_public: bool = True
    """Whether no secret place holds any of the pieces."""


@frozen
class Zone:
    """A place off the board."""

    name: str
    kind: str
    of: str = ""
    """The type for each member of which there is one, if any."""
    ordered: bool = False
    secret: str = ""
    """`owner`, `nobody` or a field of players, where not all see it."""
    most: int = 0
    """How many it holds; 0 for any number."""

    @property
    def per_player(self) -> bool:
        """Whether there is one for each player."""
        return self.of == "Player"


@frozen
class Roster:
    """What each player lists before play."""

    name: str
    of: str
    """The type of what is listed."""
    copies: bool
    secret: bool


@frozen
class Global:
    """A state or a track."""

    name: str
    type: str
    low: int = 0
    high: int = 0
    optional: bool = False
    is_track: bool = False
    marks: tuple[str, ...] = ()
    counts: bool = False
    """Whether it counts the turns of a loop, so that nothing else may change it."""


@frozen
class Called:
    """A value, a relation, an effect, a phase or a lookup table; `inputs` are names and types."""

    name: str
    form: Literal["value", "relation", "effect", "phase", "gives", "does"]
    inputs: tuple[tuple[str, str], ...] = ()
    result: str = NUMBER
    halves: bool = False
    has_lines: bool = False


@frozen
class Lookup:
    """A lookup table as it can be patched: its name, the headings, and one row of it."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    makes: bool = False


@frozen
class Option:
    """An option."""

    name: str
    type: Literal["number", "flag", "word"]
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 0


@frozen
class Board:
    """A board."""

    name: str
    space: str
    regions: tuple[str, ...]
    links: tuple[str, ...]
    figures: tuple[str, ...] = ()
    """Numbers that links have."""


@frozen
class Local:
    """A name within a body; `is_set` where it is a set of a type."""

    name: str
    type: str
    is_set: bool = False
    changes: bool = False


@frozen
class Scope:
    """What an expression may use besides the world."""

    locals: tuple[Local, ...] = ()
    it: str = ""
    """The domain of the candidate."""
    careful: bool = True
    """Whether numbers of nothing are kept from being asked for."""
    open: bool = True
    """Whether it may read nothing that is secret."""
    calls: bool = True
    """Whether functions may be called."""
    columns: bool = True
    """Whether columns that are worked out may be asked for."""
    bare: bool = True
    """Whether a relation may be named alone, asked of the candidate."""
    figures_only: bool = False
    """Whether only printed figures and numbers may be read."""

    def plus(self, *locals: Local) -> Scope:
        """With more locals."""
        return evolve(self, locals=(*self.locals, *locals))

    def of(self, domain: str) -> Scope:
        """With a candidate."""
        return evolve(self, it=domain)


words: dict[str, tuple[str, ...]] = {
    "player": ("Ann", "Bob", "Cleo", "Player's Hand", "Dora"),
    "option": ("size", "long_game", "rule", "extra_round", "mild"),
    "word": ("quiet", "loud", "plain", "may_win", "odd", "even"),
    "enum": ("Mood", "Suit", "Way", "Sky", "Weather"),
    "shapes": ("Template", "Blast", "Footprint"),
    "shape": ("Cone", "Burst", "Bar", "clockwise_corner", "Dot"),
    "member": (
        "sad", "glad", "clubs", "hearts", "ahead", "left_side", "storm", "sun", "rain", "Old Gate", "at_rest", "frost",
        "mild wind", "spades", "fog", "King's Road", "red", "blue", "green", "grey", "low", "lower", "upper", "top_row",
    ),
    "kind": ("Pawn", "Die", "Card", "Coin", "War Cart"),
    "roster": ("band", "host", "muster_roll"),
    "zone": ("pool", "hand", "deck", "shelf", "pot", "yard", "aside"),
    "table": ("buildings", "goods", "powers", "harm", "reach", "prices"),
    "type": ("Building", "Good", "Power"),
    "column": ("cost", "worth", "unique", "home", "opened", "works", "weight", "power_of", "rating"),
    "row": ("Forge", "Bakery", "Guild Hall", "Mill", "Salt", "Iron", "Wool", "Wine"),
    "board": ("field", "stairs", "canvas", "land"),
    "space": ("Square", "Step", "Tile", "Town"),
    "region": ("coast", "inland", "far_side"),
    "town": ("Amber", "Birch", "Clover", "Dell"),
    "link": ("road", "sea"),
    "field": (
        "points", "colour", "coats", "ripe", "left_over", "entry", "tired", "stance", "brushes", "guess", "pips",
        "dream",
        "lamed", "may_pass", "weighed", "bonus",
    ),
    "state": ("stake", "doubled_by", "here", "late", "heap", "fee", "lit"),
    "track": ("gold", "depth", "lamps", "days", "fame"),
    "mark": ("gem", "bottom", "end_mark", "shop"),
    "value": ("total", "attack dice", "half_share", "bill", "thrown"),
    "relation": ("fresh", "may_climb", "lucky", "joined", "strong_side"),
    "effect": ("pay", "give a coin", "tidy", "wound", "dodge"),
    "phase": ("Evening", "Work", "Rest", "Market Day"),
    "step": ("Reaping", "Gleaning"),
    "input": ("p", "n", "w", "who", "amount", "target", "much"),
    "local": ("x", "y", "z", "chosen", "others", "far", "q", "each_one", "pick"),
    "variant": ("rich", "poor", "feast_day", "elven"),
    "scenario": ("siege", "feast"),
}  # fmt: skip
"""Names by noun."""


@define
class World:
    """Everything declared so far."""

    source: Source
    players: tuple[str, ...] = ()
    may_be_more: bool = False
    """Whether more than these may play."""
    more_players: str = ""
    """What stands behind `players` in a variant for more players, where there is to be one."""
    domains: dict[str, Domain] = field(factory=dict)
    zones: list[Zone] = field(factory=list)
    rosters: list[Roster] = field(factory=list)
    mustered: bool = False
    """Whether rosters are filled where something is being written."""
    globals: list[Global] = field(factory=list)
    callables: list[Called] = field(factory=list)
    lookups: list[Lookup] = field(factory=list)
    options: list[Option] = field(factory=list)
    boards: list[Board] = field(factory=list)
    variants: list[str] = field(factory=list)
    switches: list[str] = field(factory=list)
    """Variants that may be preset: those that do not go by the number of players."""
    tables: dict[str, str] = field(factory=dict)
    """Tables whose rows are members of a type, with the type."""
    globals_of_variants: list[Global] = field(factory=list)
    used: set[str] = field(factory=set)
    labels: int = 0
    occupied: set[str] = field(factory=set)
    """Spaces on which the set-up has put a piece."""
    parts: dict[str, str] = field(factory=dict)
    """Files besides the rules."""
    later: list[list[str]] = field(factory=list)
    """Declarations that were found to be needed while others were written."""

    def name(self, noun: str) -> str:
        """A name of that noun that nothing has yet."""
        left = [word for word in words[noun] if word.replace("_", " ") not in self.used]
        name = self.source.one(left) if left else f"{words[noun][0]}{len(self.used)}"
        self.used.add(name.replace("_", " "))
        return name

    def label(self) -> str:
        """A word that makes the words of an option differ from those of all others."""
        self.labels += 1
        return f"do {self.labels}"

    def somewhere(self, zone: Zone) -> str:
        """One place of a zone, as it is written."""
        if not zone.of:
            return zone.name
        return f"{'player' if zone.per_player else self.source.one(self.domains[zone.of].members)}.{zone.name}"

    # -- what there is

    def of_sort(self, *sorts: Sort) -> list[Domain]:
        """The domains of some sorts."""
        return [domain for domain in self.domains.values() if domain.sort in sorts]

    def callable(self, *forms: str) -> list[Called]:
        """The functions of some forms."""
        return [one for one in self.callables if one.form in forms]

    def board_of(self, domain: Domain) -> Board:
        """The board of spaces or directions."""
        return next(board for board in self.boards if board.name == domain.board)

    def features(self, wanted: Iterable[str], scope: Scope) -> list[tuple[Domain, Feature]]:
        """Features of some types that a scope may read."""
        types = set(wanted)
        return [
            (domain, feature)
            for domain in self.domains.values()
            for feature in domain.features
            if feature.type in types
            and not feature.is_set
            and not (feature.secret and scope.open)
            and not (domain.sort == "piece" and not domain.is_public and feature.changes and scope.open)
            and not (feature.worked_out and not scope.columns)
            and not (feature.changes and scope.figures_only)
        ]
