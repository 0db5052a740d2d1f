"""A game on the table while a test is read out: what every kind of test does with it.

Tests in rules files and played examples in files of their own say the same few things: this is given, these dice fall,
this is chosen, that is offered, so it stands. Here they are done. Play begins by itself when something first needs it.

Invariant: whatever does not hold raises `TestFailure` with the place and with what was found instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from interpreter.backends.api import Fault
from interpreter.diagnostics import AmbiguousChoice, DslError, RulesError, Span
from interpreter.ir.from_semantics.lower import PLAY, SET_UP
from interpreter.ir.program import PC
from interpreter.runtime.chance import Drawn, Scripted, ScriptedChanceError
from interpreter.runtime.choices import Choice, TooManyChoicesError
from interpreter.runtime.rules import Rosters, Rules
from interpreter.runtime.session import Session
from interpreter.runtime.snippets import run_block, source_text, value_of
from interpreter.semantics import model
from interpreter.semantics.types import DomainType, FlagType, NoneType

if TYPE_CHECKING:
    from interpreter.runtime.roster_lists import RosterSource

__all__ = ["Table", "TestFailure", "set_up"]

_SHOWN = 12
"""How many offered options a failure names."""


class TestFailure(Exception):  # noqa: N818 - a failed test is no error
    """A line of a test does not hold."""

    __test__ = False

    def __init__(self, code: str, message: str, span: Span, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.details = tuple(details)


def set_up(
    rules: Rules, seed: int = 0, marks: dict[int, int] | None = None, rosters: Rosters | None = None
) -> tuple[Session, bool]:
    """A session after the set-up, before play, and whether play is still to begin: a set-up that asks is part of it."""
    session = rules.start_at_set_up(seed, marks=marks, rosters=rosters)
    if SET_UP not in rules.program.functions:
        session.begin()
        return session, False
    session.call(SET_UP)
    session.state[PC] = rules.program.entries[PLAY].block
    return session, True


_TAKEN_APART = (model.Compare, model.Logic, model.InSet)
"""Conditions that are shown by their sides."""


def _is_in_words(negated: model.Expr, inner: model.Expr) -> bool:
    """Whether a `not` stands within the words of what it negates (`p1 is not empty`), not before them."""
    return negated.span == inner.span


@define
class Table:
    """A game on the table while a test is read out."""

    rules: Rules
    marks: dict[int, int] | None = None
    dice: Scripted = field(factory=lambda: Scripted([]), init=False)
    has_rolls: bool = field(default=False, init=False)
    has_begun: bool = field(default=False, init=False)
    _lists: dict[str, list[RosterSource]] = field(factory=dict, init=False)
    _refused: list[tuple[tuple[str, ...], Span]] = field(factory=list, init=False)
    _session: Session | None = field(default=None, init=False)
    _seed: int = field(default=0, init=False)

    @property
    def session(self) -> Session:
        """The game, set up when it is first needed."""
        if self._session is None:
            for _, span in self._refused[:1]:
                raise TestFailure("D606", "a list is refused in this test, so there is no game", span)
            self._session, waits = set_up(self.rules, self._seed, self.marks, self._lists)
            self.has_begun = not waits
            self._session.take_dice(self.dice)
        return self._session

    def seed(self, seed: int, span: Span) -> None:
        """Sets the seed; what dice are not given are drawn."""
        if self._session is not None:
            raise TestFailure("D606", "`seed` stands after the set-up was done", span)
        self._seed = seed
        self.dice.then = Drawn()

    def bring(self, player: int, source: RosterSource, fails: tuple[str, ...], span: Span) -> None:
        """A player brings a list; with `fails`, lists are refused for these reasons."""
        if self._session is not None:
            raise TestFailure("D606", "`roster` stands after the set-up was done", span)
        self._lists.setdefault(self.rules.players[player], []).append(source)
        if fails:
            self._refused.append((fails, span))

    def _hold_refused(self) -> None:
        """Holds what is said of wrong lists against the reasons that tests give."""
        wanted = [(reason, span) for reasons, span in self._refused for reason in reasons]
        try:
            set_up(self.rules, self._seed, self.marks, self._lists)
        except RulesError as error:
            said = [found.message for found in error.diagnostics]
        else:
            said = []
        for reason, span in wanted:
            if not any(reason in message for message in said):
                details = [f"refused: {message}" for message in said]
                message = f"the list is refused, but not for `{reason}`" if said else "the list is not refused"
                raise TestFailure("D611", message, span, details)
        besides = [message for message in said if not any(reason in message for reason, _ in wanted)]
        if besides:
            raise TestFailure("D611", f"the list is refused besides: {besides[0]}", wanted[0][1], besides[1:])

    def given(self, block: model.Block) -> None:
        """Changes the state."""
        session = self.session
        try:
            run_block(session, block)
        except Fault as fault:
            raise session.fault(fault) from None
        session.forget()

    def start(self, span: Span, phase: str | None = None) -> None:
        """Goes on with the play, or from a phase."""
        session = self.session
        if phase is not None:
            entry = self.rules.program.entries.get(phase)
            if entry is None:
                raise TestFailure("D606", f"play never comes to the phase `{phase}`", span)
            session.state[PC] = entry.block
            for slot, block in entry.stores:
                session.state[slot] = block
        elif self.has_begun:
            raise TestFailure("D606", "play has begun already", span)
        self.has_begun = True
        self._guarded(session.begin, span)

    def begin(self, span: Span) -> None:
        """Goes on with the play if it has not begun."""
        _ = self.session
        if not self.has_begun:
            self.start(span)

    def _guarded(self, act: Callable[[], None], span: Span) -> None:
        try:
            act()
        except ScriptedChanceError as error:
            raise TestFailure("D604", str(error), span) from None

    def asks(self, player: int | None, span: Span) -> None:
        """Holds who decides against who should."""
        self.begin(span)
        session = self.session
        if player is not None and not session.is_over and session.player != player:
            raise TestFailure(
                "D602", f"expected {self.rules.players[player]} to decide, found {session.player_name}", span
            )

    def choose(self, text: str, player: int | None, span: Span) -> None:
        """Takes a choice by its name."""
        self._choosing(lambda: self.session.choose(text), player, span)

    def take(self, find: Callable[[Session], Choice], player: int | None, span: Span) -> None:
        """Takes a choice that is found in the session."""
        self._choosing(lambda: self.session.take(find(self.session)), player, span)

    def _choosing(self, act: Callable[[], None], player: int | None, span: Span) -> None:
        self.asks(player, span)
        try:
            self._guarded(act, span)
        except RulesError:
            raise
        except DslError as error:
            raise TestFailure("D601", str(error), span, self._offered()) from None

    def _offered(self) -> list[str]:
        session = self.session
        if session.is_over:
            return []
        names = [option.name for option in session.options]
        more = [f"and {len(names) - _SHOWN} more"] if len(names) > _SHOWN else []
        return [f"{session.player_name} decides: {session.prompt}", *(f"  {name}" for name in names[:_SHOWN]), *more]

    def offers(self, how: str, texts: Sequence[str], span: Span) -> None:
        """Compares what is offered."""
        self.begin(span)
        session = self.session
        if session.is_halted:
            raise TestFailure("D604", "nothing is offered: the next roll has no result given", span)
        if how == "exactly":
            self._exactly([" ".join(text.split()) for text in texts], span)
            return
        for text in texts:
            offered = self.is_offered(text)
            if offered and how == "never":
                raise TestFailure("D605", f"`{text}` is offered", span, self._offered())
            if not offered and how == "also":
                raise TestFailure("D605", f"`{text}` is not offered", span, [*self._offered(), *self._why_not(text)])

    def is_offered(self, text: str) -> bool:
        """Whether a choice of that name can be taken."""
        session = self.session
        if session.is_over:
            return False
        try:
            session.find(text)
        except DslError as error:
            return isinstance(error, AmbiguousChoice)
        return True

    def _why_not(self, text: str) -> list[str]:
        try:
            return str(self.session.why_not(text)).splitlines()[1:]
        except (DslError, Fault):
            return []

    def _exactly(self, wanted: list[str], span: Span) -> None:
        session = self.session
        missing = [text for text in wanted if not self.is_offered(text)]
        steps = {option.name for option in session.options}
        if not missing and set(wanted) == steps:
            return
        try:
            whole = [] if session.is_over else list(session.choices())
        except TooManyChoicesError as error:
            raise TestFailure("D605", f"{error}: name some with `offers also`", span) from None
        meant: set[tuple[int, ...]] = set()
        for text in wanted:
            if text not in missing:
                meant.add(self.session.find(text).codes)
        extra = [choice.name for choice in whole if choice.codes not in meant and choice.name not in wanted]
        if missing or extra:
            details = [f"not offered: `{name}`" for name in missing[:_SHOWN]]
            details += [f"offered besides: `{name}`" for name in extra[:_SHOWN]]
            raise TestFailure("D605", "other options are offered", span, details)

    def all_offered(self) -> list[str]:
        """The names of all whole choices that can be taken now; the next picks where there are too many."""
        session = self.session
        if session.is_over:
            return []
        try:
            return list(dict.fromkeys(choice.name for choice in session.choices()))
        except TooManyChoicesError:
            return [option.name for option in session.options]

    def expect(
        self,
        condition: model.Expr,
        text: str,
        span: Span,
        parameters: tuple[model.Local, ...] = (),
        arguments: Sequence[int] = (),
    ) -> None:
        """Holds a condition against the state; `parameters` are names it may use, with their members."""
        session = self.session
        try:
            holds = value_of(session, condition, parameters, arguments, session.marker())
            if not holds:
                found = tuple(self._found(condition, text, parameters, arguments))
                raise TestFailure("D603", f"expected {text}", span, found)
        except Fault as fault:
            raise session.fault(fault) from None

    def _found(
        self, expr: model.Expr, text: str, parameters: tuple[model.Local, ...], arguments: Sequence[int]
    ) -> Iterator[str]:
        """What the sides of a comparison, or the parts of a condition, are."""
        match expr:
            case model.Compare(left=left, right=right):
                sides = [side for side in (left, right) if not isinstance(side, model.Const)]
            case model.Logic(left=left, right=right):
                yield from self._found(left, text, parameters, arguments)
                yield from self._found(right, text, parameters, arguments)
                return
            case model.Not(inner=inner) if isinstance(inner, _TAKEN_APART) or not _is_in_words(expr, inner):
                yield from self._found(inner, text, parameters, arguments)
                return
            case model.InSet(element=element):
                sides = [element]
            case _:
                sides = [] if isinstance(expr, model.Const) else [expr]
        for side in sides:
            shown = self._shown(side, parameters, arguments)
            said = self._written(side, text) or "it"
            yield f"{said} is {shown}" if not isinstance(side.type, FlagType) else f"{said}: {shown}"

    def _shown(self, expr: model.Expr, parameters: tuple[model.Local, ...], arguments: Sequence[int]) -> str:
        """What an expression is now, in words."""
        value = value_of(self.session, expr, parameters, arguments)
        halves = isinstance(expr, model.CallExpr) and expr.function.halves
        return self.session.names.value(expr.type, value, self.session.state, halves=halves)

    def _written(self, expr: model.Expr, text: str) -> str:
        """How an expression is written: in a file of the rules, or in a text that was read by itself."""
        span = expr.span
        if span.path.startswith("<"):
            return text[span.start.column - 1 : span.end.column - 1] if span.start.line == span.end.line == 1 else ""
        return source_text(self.rules, span)

    def as_it_is(
        self, expr: model.Expr, text: str, parameters: tuple[model.Local, ...], arguments: Sequence[int]
    ) -> str | None:
        """A condition that does not hold, written anew as it would; None where that cannot be told."""
        match expr:
            case model.Compare(left=left, right=right):
                side, other = (left, right) if not isinstance(left, model.Const) else (right, left)
                said, shown = self._written(side, text), self._shown(side, parameters, arguments)
                if not said or "½" in shown:
                    return None
                return f"{said} {'is' if isinstance(other.type, DomainType | NoneType) else '='} {shown}"
            case model.Logic(op="and", left=left, right=right):
                sides: list[str] = []
                for side in (left, right):
                    holds = value_of(self.session, side, parameters, arguments)
                    now = self._written(side, text) if holds else self.as_it_is(side, text, parameters, arguments)
                    if not now:
                        return None
                    sides.append(now)
                return " and ".join(sides)
            case model.Not(inner=inner):
                return None if _is_in_words(expr, inner) else self._written(inner, text) or None
            case model.Logic():
                return None
        said = self._written(expr, text)
        return f"not {said}" if isinstance(expr, model.Current | model.VariableRef | model.CallExpr) and said else None

    def finish(self, span: Span) -> None:
        """Ends the test: all given dice must have fallen, and wrong lists be refused."""
        if self._refused:
            self._hold_refused()
            return
        if self.has_rolls:
            self.begin(span)
        left = self.dice.left
        if left:
            rest = " ".join(str(face) for face in left)
            count = "1 roll was" if len(left) == 1 else f"{len(left)} rolls were"
            raise TestFailure("D604", f"{count} given but never asked for: {rest}", span)
