"""One game at the table: whose turn it is, what is shown to whom, what an answer does, and how it ends.

The talk goes in rounds. Bots choose at once. Before a person chooses, what happened since is told, the table is
shown, and the options are listed; between two people who may not see each other's secrets the device is handed on. An
answer is an option, several picks of one choice, or an order (`undo`, `why`, ...); an option of that name goes first.

Invariant: however the talk ends, by the end of the game, of the answers, or by Ctrl-C, the game stands at a decision
that a save can be taken at, and whatever is shown to a person is what that player may know.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Literal, TypeAlias

from attrs import define, field

from interpreter.diagnostics import DslError, RulesError
from interpreter.runtime import limits
from interpreter.runtime.options import Option
from interpreter.runtime.rosters import changes_of
from interpreter.runtime.session import Session
from interpreter.tools.play.answers import Answers
from interpreter.tools.play.bots import looks_ahead
from interpreter.tools.play.menu import Answer, Menu, filtered, menu_of, read_answer
from interpreter.tools.play.orders import Order, find_order
from interpreter.tools.play.screen import Screen
from interpreter.tools.play.seats import Choose, Seat, bot_of
from interpreter.tools.play.sheet import sheet_of
from interpreter.tools.play.tabletop import Tabletop
from interpreter.tools.report import in_short

__all__ = ["BadScript", "Ending", "Match", "tabletop"]

Ending: TypeAlias = Literal["over", "quit", "no more answers"]
"""How the talk ended."""


class BadScript(DslError):  # noqa: N818 - a fault of the caller
    """A line of a script is no option and no order."""


_NOTICED = 0.1
"""Seconds from which on it is told that a bot thought."""


def _ignore(text: str) -> None:
    """Nobody listens."""


def tabletop(session: Session, viewer: int | None) -> Tabletop:
    """The state of a session in front of a viewer."""
    rules = session.rules
    brought = changes_of(session)
    return Tabletop(rules.game, rules.program, rules.backend, rules.names, rules.sight, session.state, viewer, brought)


@define(eq=False)
class Match:
    """A game between seats."""

    session: Session
    seats: tuple[Seat, ...]
    screen: Screen
    answers: Answers
    show_sheets: bool = True
    """Whether the table is shown before a person's decision and at the end."""
    bots: dict[int, Choose] = field(init=False)
    viewer: int | None = field(init=False, default=None)
    """Who sits in front of the screen."""
    wants_sheet: bool = field(init=False, default=True)
    """Whether the table is to be shown before the next question."""
    remark: Callable[[str], None] = _ignore
    """Takes what is said beside the game: how long a bot thought that was told how far to look."""
    _told: dict[int | None, int] = field(factory=dict, init=False)
    _patient: set[int] = field(init=False)
    """Players of bots that may take their time."""
    _thought: dict[int, float] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        found = {seat.player: bot_of(seat) for seat in self.seats}
        self.bots = {player: bot for player, bot in found.items() if bot is not None}
        self._patient = {seat.player for seat in self.seats if looks_ahead(seat.sitter)}
        people = self.people
        if len(people) == 1:
            self.viewer = people[0]

    @property
    def people(self) -> list[int]:
        """The players that people decide for."""
        return [seat.player for seat in self.seats if seat.player not in self.bots]

    def play(self) -> Ending:
        """Plays on until the game is over or the answers end; raises `RulesError` where only bots go on without end."""
        unwatched = 0
        while not self.session.is_over:
            player = self.session.player
            if player is not None and player in self.bots:
                if unwatched >= limits.MAX_DECISIONS:
                    raise self.session.unending()
                unwatched += 1
                self.session.apply(self._thought_out(player))
                self.wants_sheet = True
                continue
            unwatched = 0
            self._tell_thought()
            if not self._hand_to(player):
                return "no more answers"
            ending = self._ask()
            if ending is not None:
                return ending
        self._tell_thought()
        self.tell_log()
        return "over"

    def _thought_out(self, player: int) -> Option:
        """What a bot chooses."""
        begin = time.perf_counter()
        option = self.bots[player](self.session)
        if player in self._patient:
            self._thought[player] = self._thought.get(player, 0.0) + time.perf_counter() - begin
        return option

    def _tell_thought(self) -> None:
        """Remarks how long bots thought since a person was asked last, where anybody can have noticed."""
        for player, seconds in self._thought.items():
            if seconds >= _NOTICED:
                self.remark(f"{self.session.rules.players[player]} thought for {seconds:.1f} s")
        self._thought.clear()

    def tell_log(self) -> None:
        """Tells what happened since the viewer last looked."""
        lines = self.session.log(self.viewer)
        fresh = list(lines[min(self._told.get(self.viewer, 0), len(lines)) :])
        outcome = self.session.outcome
        if outcome is not None and fresh and outcome.text(self.session.rules.players).startswith(fresh[-1]):
            fresh.pop()  # said again, with the scores, at the very end
        for line in condensed(fresh):
            self.screen.say(line)
        self._told[self.viewer] = len(lines)

    def show_table(self) -> None:
        """Shows the table as the viewer may see it."""
        self.screen.sheet(sheet_of(tabletop(self.session, self.viewer), self.screen.columns))
        self.wants_sheet = False

    # ------------------------------------------------------------------ asking

    def _hand_to(self, player: int | None) -> bool:
        """Puts the right person in front of the screen; False when there will be no more answers."""
        if player == self.viewer or len(self.people) < 2:
            return True
        if self.session.sight.has_secrets:
            if self.viewer is not None:
                self.screen.clear()
                self.answers.forget()
            self.screen.say(f"{self.session.player_name} decides: hand on the device")
            if self.answers.interactive and self.answers.read("Enter when nobody else looks ") is None:
                return False
        elif self.viewer is not None:  # nothing is secret: everybody has seen the log so far
            self.tell_log()
            self._told[player] = self._told[self.viewer]
        self.viewer = player
        self.wants_sheet = True
        return True

    def _ask(self) -> Ending | None:
        """Asks a person until the game has moved; tells how the talk ended, if it did."""
        session = self.session
        self.tell_log()
        menu = menu_of(session)
        if self.show_sheets and self.wants_sheet and not self._is_picking():
            self.show_table()
        self.screen.menu(self.prompt(), menu, range(len(menu.options)))
        while True:
            text = self.answers.read("> ")
            if text is None:
                return "no more answers"
            text = text.strip()
            if not text:
                continue
            if text.startswith("/"):
                self._filter(menu, text[1:])
                continue
            found = self._order(menu, text)
            if found is None:
                if self._choose(menu, text):
                    return None
                continue
            order, rest = found
            if order.name == "quit":
                return "quit"
            if self._carry_out(order, rest):
                return None

    def prompt(self) -> str:
        """What is asked, and of whom."""
        session = self.session
        who = session.player_name if len(session.rules.players) > 1 else ""
        if self._is_picking():
            done = any(option.is_done for option in session.options)
            several = "; several numbers at once pick those and finish" if done else ""
            said = f"{session.prompt} - pick{several}"
        else:
            said = f"{session.prompt} - choose" if session.prompt else "choose"
        return f"{who}: {said}" if who else said

    def _is_picking(self) -> bool:
        decision = self.session.decision
        return decision is not None and decision.form == "pick"

    def _filter(self, menu: Menu, text: str) -> None:
        shown = filtered(menu, text)
        if shown:
            self.screen.menu(f"{len(shown)} of {len(menu.options)} options", menu, shown)
        else:
            self.screen.say(f"no option holds `{text}`")

    def _order(self, menu: Menu, text: str) -> tuple[Order, str] | None:
        """The order in an answer, unless an option goes by that name."""
        if text.startswith(":"):
            text = text[1:].strip()
        elif any(option.name.casefold() == text.casefold() for option in menu.options):
            return None
        return find_order(text)

    def _carry_out(self, order: Order, rest: str) -> bool:
        """Does an order; tells whether the game has moved."""
        if order.needs_rest and not rest:
            self.screen.say(f"{order.name} {order.rest}: {order.summary}")
            return False
        before = len(self.session.history.steps)
        try:
            order.run(self, rest)
        except RulesError as fault:
            for found in fault.diagnostics[:3]:
                for line in in_short(found).splitlines():
                    self.screen.say(line)
        except DslError as fault:
            self.screen.say(str(fault))
        except OSError as fault:
            self.screen.say((fault.strerror or str(fault)).lower())
        moved = len(self.session.history.steps) != before
        if moved:
            self.wants_sheet = True
            for viewer in self._told:
                self._told[viewer] = min(self._told[viewer], len(self.session.log(viewer)))
        return moved

    # ------------------------------------------------------------------ choosing

    def _choose(self, menu: Menu, text: str) -> bool:
        """Takes what an answer chooses; tells whether the game has moved."""
        answer = read_answer(menu, text)
        if isinstance(answer, Answer):
            return self._take(answer.options)
        try:
            self.session.choose(text)
        except RulesError:
            raise
        except DslError as fault:
            # A whole name of several parts may fit where no single option does; else the menu knows better.
            message = str(fault) if "different choices" in str(fault) else answer.message
            if self.answers.where:
                raise BadScript(f"{self.answers.where}: {message}") from fault
            self.screen.say(message)
            return False
        self.wants_sheet = True
        return True

    def _take(self, options: tuple[Option, ...]) -> bool:
        session = self.session
        if len(options) > 1 and not self._is_picking():
            self.screen.say("one number at a time: this is one choice")
            return False
        start = session.state[:]
        for number, option in enumerate(options):
            same = next((each for each in session.options if _is_same(each, option)), None)
            if same is None:
                for _ in range(number):
                    session.undo()
                assert session.state == start
                self.screen.say(f"`{option.name}` cannot be picked together with the others")
                return False
            session.apply(same)
        if len(options) > 1 and self._is_picking():
            done = next((each for each in session.options if each.is_done), None)
            if done is not None and done.decision == options[-1].decision:
                session.apply(done)
        self.wants_sheet = True
        return True


def _is_same(first: Option, second: Option) -> bool:
    return first.decision == second.decision and first.code == second.code


def condensed(lines: Sequence[str]) -> Iterator[str]:
    """Lines of a log, one that comes several times in a row said once."""
    for line, same in groupby(lines):
        count = len(list(same))
        yield line if count == 1 else f"{line} ({count} times)"
