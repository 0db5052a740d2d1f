"""A game in one configuration, ready to play: what `load` gives.

Everything that does not change while a game is played lives here and is shared by all its sessions: the understood
game, the program, the backend, names, and the pieces of rules text compiled later on (for `evaluate`, `why`, tests).
A backend needs the program alone, so what only people need is made when it is first asked for: random games begin
without the game as understood, which takes longer to get than thousands of them.

Invariant: the configuration kept here loads the same game again from the same files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from attrs import define, field, frozen

if TYPE_CHECKING:
    from interpreter.backends.api import Backend
    from interpreter.ir.needed import Needed
    from interpreter.ir.program import FunctionCode, Program
    from interpreter.runtime.chance import ChanceSource
    from interpreter.runtime.names import Names
    from interpreter.runtime.roster_lists import RosterSource
    from interpreter.runtime.session import Session
    from interpreter.runtime.sight import Sight
    from interpreter.runtime.wording import Wording
    from interpreter.semantics.model import Game
    from interpreter.source import Files

__all__ = ["Configuration", "OptionValue", "Rosters", "Rules", "options_in_force"]

OptionValue = int | bool | str
"""The value of an option as it is given: a number, yes or no, or a word."""


Rosters = Mapping[str, "RosterSource | Sequence[RosterSource]"]
"""By player, a list or several: paths of files, or what would stand in them."""


@frozen
class Configuration:
    """How a game was loaded; as data in saves."""

    rules: str
    """A path, or the name of a shipped game."""
    players: int | None = None
    """How many play; None for the default of the game."""
    options: tuple[tuple[str, OptionValue], ...] = ()
    """Options that were set, by name."""
    scenario: str | None = None
    """The scenario, if one was chosen."""
    addons: tuple[str, ...] = ()
    """Addons and mods, in the order in which they apply."""

    def text(self) -> str:
        """In words, for a message."""
        parts = [f"`{self.rules}`"]
        if self.scenario is not None:
            parts.append(f"scenario {self.scenario}")
        if self.players is not None:
            parts.append(f"{self.players} players")
        parts.extend(f"{name} = {_word(value)}" for name, value in self.options)
        parts.extend(f"with {addon}" for addon in self.addons)
        return ", ".join(parts)


@define(eq=False, repr=False, slots=False)
class Rules:
    """A game ready to play."""

    program: Program
    """What the backend runs."""
    backend: Backend
    """Runs it."""
    make_backend: Callable[[Program], Backend]
    """Makes a backend of the same sort for another program."""
    configuration: Configuration
    """How it was loaded."""
    options: Mapping[str, OptionValue]
    """Every option with the value in force."""
    understood: Callable[[], Game]
    """Gives the game as understood; asked once."""
    files: Files | None = None
    """The files that were read."""
    snippets: dict[str, object] = field(factory=dict, init=False)
    """Pieces of rules text compiled so far; kept by `runtime.snippets`."""
    snippet_functions: dict[str, FunctionCode] = field(factory=dict, init=False)
    """Functions that came with them."""
    snippet_arrays: dict[str, tuple[int, ...] | tuple[tuple[object, ...], ...]] = field(factory=dict, init=False)
    """Constant arrays that came with them."""

    @cached_property
    def game(self) -> Game:
        """The game as understood."""
        return self.understood()

    @cached_property
    def names(self) -> Names:
        """Numbers as words."""
        from interpreter.runtime.names import Names

        return Names(self.program, self.backend)

    @cached_property
    def sight(self) -> Sight:
        """Who sees what."""
        from interpreter.runtime.sight import Sight

        return Sight(self.program, self.game)

    @cached_property
    def wording(self) -> Wording:
        """Events as words."""
        from interpreter.runtime.wording import Wording

        return Wording(self.program, self.names, self.sight)

    @cached_property
    def needed(self) -> tuple[Needed, ...]:
        """What it takes to go on from each decision."""
        from interpreter.runtime.question import needed_by

        return needed_by(self.sight)

    def __repr__(self) -> str:
        return f"<Rules of {self.title}: {self.configuration.text()}>"

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.program.title

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, in turn order."""
        return self.program.players

    def start(
        self,
        seed: int = 0,
        *,
        chance: ChanceSource | None = None,
        marks: dict[int, int] | None = None,
        rosters: Rosters | None = None,
    ) -> Session:
        """A new game, run to its first decision.

        `chance` gives the dice instead; `marks` counts used lines; `rosters` are the lists that players bring, by
        name. Raises `RulesError` with all that is wrong with them.
        """
        session = self.start_at_set_up(seed, chance=chance, marks=marks, rosters=rosters)
        session.begin()
        return session

    def start_at_set_up(
        self,
        seed: int = 0,
        *,
        chance: ChanceSource | None = None,
        marks: dict[int, int] | None = None,
        rosters: Rosters | None = None,
    ) -> Session:
        """A game with everything in the box, before anything is done, but for the lists that players bring."""
        from interpreter.runtime.session import Session

        session = Session(self, self.backend.new_state(seed), seed=seed, chance=chance, marks=marks)
        if rosters:
            from interpreter.runtime.roster_lists import bring_lists

            bring_lists(session, rosters)
        return session


def options_in_force(game: Game) -> dict[str, OptionValue]:
    """Every option with its value: a number, yes or no, or a word."""
    values: dict[str, OptionValue] = {}
    for name, option in game.options.items():
        if option.words == ("no", "yes"):
            values[name] = bool(option.value)
        else:
            values[name] = option.words[option.value] if option.words else option.value
    return values


def _word(value: OptionValue) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
