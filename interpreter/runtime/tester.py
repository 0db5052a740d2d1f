"""Runs the tests that stand beside the rules.

A test is played like a game: the set-up, then its lines in order. Its options decide how the game is understood, so
each test has rules of its own, kept between tests of one configuration. Play begins with a `start` line, else by itself
before the first line that needs it: `choose`, `offers`, or an `expect` after `rolls`. Results of chance are given by
`rolls`; where they run out the game stands still and is looked at as it is, and none may be left over. A test with a
`seed` line draws what is not given.

Invariant: a test never raises for anything in the rules or in the test; what is wrong is in its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import define, field, frozen

from interpreter.backends.api import Fault
from interpreter.diagnostics import Diagnostic, Diagnostics, DslError, RulesError, Severity, Span
from interpreter.ir.from_semantics.lower import PLAY, SET_UP
from interpreter.ir.program import PC
from interpreter.runtime.chance import Drawn, Scripted, ScriptedChanceError
from interpreter.runtime.choices import TooManyChoicesError
from interpreter.runtime.load import configure, read_rules
from interpreter.runtime.rules import Configuration, Rules
from interpreter.runtime.session import Session
from interpreter.runtime.snippets import run_block, source_text, value_of
from interpreter.semantics import Project, UnderstoodTest, model, test_configuration, understand_test
from interpreter.semantics import test_model as lines
from interpreter.semantics.types import FlagType
from interpreter.source import Files

__all__ = ["Table", "TestFailure", "TestResult", "run_test", "run_tests", "set_up"]

_SHOWN = 12
"""How many offered options a failure names."""


@frozen
class TestResult:
    """What became of one test."""

    __test__ = False  # not a class of tests, in spite of its name

    title: str
    """The title of the test."""
    path: str
    """The file it stands in."""
    span: Span
    """Where the test stands, or the line that failed."""
    ok: bool
    """Whether it holds."""
    code: str = ""
    """The code of the failure, such as `D603`; empty where the rules themselves are wrong."""
    message: str = ""
    """What is wrong, in one line; empty when it holds."""
    details: tuple[str, ...] = ()
    """What was found, a line each."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """Findings that kept the test from being played, or a fault of the rules in it."""

    def as_diagnostic(self) -> Diagnostic:
        """The failure as a finding, for reports."""
        return Diagnostic(
            self.code or "D600", Severity.ERROR, f"test `{self.title}`: {self.message}", self.span, notes=self.details
        )


class TestFailure(Exception):  # noqa: N818 - a failed test is no error
    """A line of a test does not hold."""

    __test__ = False

    def __init__(self, code: str, message: str, span: Span, details: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.details = tuple(details)


def run_tests(
    rules: str | Path,
    *,
    wanted: Callable[[str], bool] | None = None,
    watch: Callable[[Rules, dict[int, int]], None] | None = None,
    files: Files | None = None,
) -> Iterator[TestResult]:
    """Runs the tests of a rules file whose titles are `wanted`; `watch` is given the counts of used lines of each."""
    project, files, path = read_rules(rules, files)
    for tree in project.tests:
        if wanted is None or wanted(tree.title):
            yield _run(project, files, path, model.TestCase(title=tree.title, tree=tree, span=tree.span), watch)


def _run(
    project: Project,
    files: Files,
    path: Path,
    test: model.TestCase,
    watch: Callable[[Rules, dict[int, int]], None] | None,
) -> TestResult:
    asked = test_configuration(test)
    configuration = Configuration(
        rules=project.path,
        players=asked.players,
        options=tuple(sorted(asked.options.items())),
        scenario=asked.scenario,
    )
    try:
        rules = configure(project, files, path, configuration)
    except RulesError as error:
        return _wrong(test, "the game cannot be played with these options", error)
    sink = Diagnostics()
    understood = understand_test(test, rules.game, sink)
    if understood is None or sink.has_errors:
        return _wrong(test, "the test cannot be read", RulesError(sink))
    marks: dict[int, int] | None = None if watch is None else {}
    result = run_test(rules, understood, marks=marks)
    if watch is not None and marks is not None:
        watch(rules, marks)
    return result


def _wrong(test: model.TestCase, message: str, error: RulesError) -> TestResult:
    first = next((found for found in error.diagnostics if found.severity is Severity.ERROR), None)
    span = first.span if first is not None and first.span is not None else test.span
    said = message if first is None else f"{message}: {first.message}"
    return TestResult(
        test.title, test.span.path, span, False, "D600", said, tuple(str(error).splitlines()), error.diagnostics
    )


def run_test(rules: Rules, test: UnderstoodTest, *, marks: dict[int, int] | None = None) -> TestResult:
    """Runs one test that was understood against these rules."""
    table = Table(rules, marks)
    try:
        for line in test.lines:
            _line(table, line, test)
        table.finish(test.span)
    except TestFailure as failure:
        return TestResult(
            test.title, test.span.path, failure.span, False, failure.code, failure.message, failure.details
        )
    except RulesError as error:
        first = error.diagnostics[0]
        return TestResult(
            test.title, test.span.path, first.span or test.span, False, first.code, first.message, first.notes,
            error.diagnostics,
        )  # fmt: skip
    return TestResult(test.title, test.span.path, test.span, True)


def _line(table: Table, line: lines.TestLine, test: UnderstoodTest) -> None:
    match line:
        case lines.Given(block=block):
            table.given(block)
        case lines.Seed(seed=seed):
            table.seed(seed, line.span)
        case lines.Rolls(results=results):
            table.dice.add(results)
            table.has_rolls = True
        case lines.Start(phase=phase):
            table.start(line.span, None if phase is None else phase.name)
        case lines.ChooseLine(text=text, player=player):
            table.choose(text, player, line.span)
        case lines.Offers(how=how, options=options):
            table.offers(how, options, line.span)
        case lines.Expect(condition=condition, text=text):
            if table.has_rolls:
                table.begin(line.span)
            table.expect(condition, text, line.span)


# ---------------------------------------------------------------------------------------------------- the table


def set_up(rules: Rules, seed: int = 0, marks: dict[int, int] | None = None) -> tuple[Session, bool]:
    """A session after the set-up, before play, and whether play is still to begin: a set-up that asks is part of it."""
    session = rules.start_at_set_up(seed, marks=marks)
    if SET_UP not in rules.program.functions:
        session.begin()
        return session, False
    session.call(SET_UP)
    session.state[PC] = rules.program.entries[PLAY].block
    return session, True


@define
class Table:
    """A game on the table while a test is read out."""

    rules: Rules
    marks: dict[int, int] | None = None
    dice: Scripted = field(factory=lambda: Scripted([]), init=False)
    has_rolls: bool = field(default=False, init=False)
    has_begun: bool = field(default=False, init=False)
    _session: Session | None = field(default=None, init=False)
    _seed: int = field(default=0, init=False)

    @property
    def session(self) -> Session:
        """The game, set up when it is first needed."""
        if self._session is None:
            self._session, waits = set_up(self.rules, self._seed, self.marks)
            self.has_begun = not waits
            self._session.take_dice(self.dice)
        return self._session

    def seed(self, seed: int, span: Span) -> None:
        """Sets the seed; what dice are not given are drawn."""
        if self._session is not None:
            raise TestFailure("D606", "`seed` stands after the set-up was done", span)
        self._seed = seed
        self.dice.then = Drawn()

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

    def choose(self, text: str, player: int | None, span: Span) -> None:
        """Takes a choice by its name."""
        self.begin(span)
        session = self.session
        if player is not None and not session.is_over and session.player != player:
            raise TestFailure(
                "D602", f"expected {self.rules.players[player]} to decide, found {session.player_name}", span
            )
        try:
            self._guarded(lambda: session.choose(text), span)
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
            offered = self._is_offered(text)
            if offered and how == "never":
                raise TestFailure("D605", f"`{text}` is offered", span, self._offered())
            if not offered and how == "also":
                raise TestFailure("D605", f"`{text}` is not offered", span, [*self._offered(), *self._why_not(text)])

    def _is_offered(self, text: str) -> bool:
        session = self.session
        if session.is_over:
            return False
        try:
            session.find(text)
        except DslError as error:
            return type(error).__name__ == "AmbiguousChoice"
        return True

    def _why_not(self, text: str) -> list[str]:
        try:
            return str(self.session.why_not(text)).splitlines()[1:]
        except (DslError, Fault):
            return []

    def _exactly(self, wanted: list[str], span: Span) -> None:
        session = self.session
        missing = [text for text in wanted if not self._is_offered(text)]
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

    def expect(self, condition: model.Expr, text: str, span: Span) -> None:
        """Holds a condition against the state."""
        session = self.session
        try:
            holds = value_of(session, condition)
            if not holds:
                raise TestFailure("D603", f"expected {text}", span, tuple(self._found(condition)))
        except Fault as fault:
            raise session.fault(fault) from None

    def _found(self, expr: model.Expr) -> Iterator[str]:
        """What the sides of a comparison, or the parts of a condition, are."""
        match expr:
            case model.Compare(left=left, right=right):
                sides = [side for side in (left, right) if not isinstance(side, model.Const)]
            case model.Logic(left=left, right=right):
                yield from self._found(left)
                yield from self._found(right)
                return
            case model.Not(inner=inner):
                yield from self._found(inner)
                return
            case model.InSet(element=element):
                sides = [element]
            case _:
                sides = [] if isinstance(expr, model.Const) else [expr]
        for side in sides:
            value = value_of(self.session, side)
            halves = isinstance(side, model.CallExpr) and side.function.halves
            shown = self.session.names.value(side.type, value, self.session.state, halves=halves)
            said = source_text(self.rules, side.span) or "it"
            yield f"{said} is {shown}" if not isinstance(side.type, FlagType) else f"{said}: {shown}"

    def finish(self, span: Span) -> None:
        """Ends the test: all given dice must have fallen."""
        if self.has_rolls:
            self.begin(span)
        left = self.dice.left
        if left:
            rest = " ".join(str(face) for face in left)
            count = "1 roll was" if len(left) == 1 else f"{len(left)} rolls were"
            raise TestFailure("D604", f"{count} given but never asked for: {rest}", span)
