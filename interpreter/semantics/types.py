"""The types of the language, and the finite domains behind them.

Every value is a small whole number. A value of a *domain type* (enum, row, player, piece, space, direction) is the
index of a member of a finite domain, from 0; `none` is -1 and only fits where a type is optional. Sets, lists and maps
exist only over domains, so that they have a fixed size.
"""

from __future__ import annotations

from attrs import evolve, frozen

NONE = -1
"""How `none` is stored."""

NUMBER_LOW, NUMBER_HIGH = -1_000_000, 1_000_000
"""Bounds of a `number` declared without a range."""


@frozen
class Type:
    """Any type; `optional` says whether `none` fits too."""

    optional: bool = False

    def or_none(self) -> Type:
        return evolve(self, optional=True)

    def required(self) -> Type:
        return evolve(self, optional=False)


@frozen
class NumberType(Type):
    """A whole number; the bounds are for storage and option lists, not for comparing types."""

    low: int = NUMBER_LOW
    high: int = NUMBER_HIGH


@frozen
class HalvesType(Type):
    """A number that may end in a half, kept doubled; `halves of x` is that doubled number."""


@frozen
class FlagType(Type):
    """Yes (1) or no (0)."""


@frozen
class TextType(Type):
    """A printed text, by its number among the texts of the game: it is shown to people, rules do not look into it."""


@frozen
class DomainType(Type):
    """A finite domain, told by `name` among all domains of its class."""

    name: str = ""


@frozen
class EnumType(DomainType):
    """Members of an `enum`."""


@frozen
class RowType(DomainType):
    """Rows of a table that `makes` this type."""


@frozen
class PlayerType(DomainType):
    """Players; there is one domain of them, `Player`."""


@frozen
class PieceType(DomainType):
    """Pieces of a kind."""


@frozen
class SpaceType(DomainType):
    """Spaces of a board; `name` is the name of the space type (`Square`), not of the board."""


@frozen
class DirectionType(DomainType):
    """Directions of a board; `name` is the name of the board."""


@frozen
class LinkType(DomainType):
    """Links of a board (`link from a to b`); only good for reading an attribute."""


@frozen
class ZoneType(DomainType):
    """A zone; `name` is the kind it holds. Only good as a set of pieces or as a place."""


@frozen
class TrackType(Type):
    """A track named for `at`."""


@frozen
class SetType(Type):
    element: Type = Type()


@frozen
class ListType(Type):
    """An order of members of a domain, each at most once."""

    element: Type = Type()


@frozen
class MapType(Type):
    """One member of a domain for each of some members of another."""

    key: Type = Type()
    value: Type = Type()


@frozen
class NoneType(Type):
    """The type of `none` itself."""


@frozen
class ErrorType(Type):
    """The type of something already reported; fits everywhere, so that nothing is reported twice."""


NUMBER = NumberType()
HALVES = HalvesType()
FLAG = FlagType()
TEXT = TextType()
PLAYER = PlayerType(name="Player")
ERROR = ErrorType()
