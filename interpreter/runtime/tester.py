"""Runs the tests that stand beside the rules.

A test is played like a game: the set-up, then its lines in order. Its options decide how the game is understood, so
each test has rules of its own, kept between tests of one configuration. Play begins with a `start` line, else by itself
before the first line that needs it: `choose`, `offers`, or an `expect` after `rolls`. Results of chance are given by
`rolls`; where they run out the game stands still and is looked at as it is, and none may be left over. A test with a
`seed` line draws what is not given.

Invariant: a test never raises for anything in the rules or in the test; what is wrong is in its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import frozen

from interpreter.diagnostics import Diagnostic, Diagnostics, RulesError, Severity, Span
from interpreter.runtime.load import configure, read_rules
from interpreter.runtime.rules import Configuration, Rules
from interpreter.runtime.table import Table, TestFailure
from interpreter.runtime.transcripts import check_played, play_transcript, read_transcript, rules_of
from interpreter.semantics import Project, UnderstoodTest, model, test_configuration, understand_test
from interpreter.semantics import test_model as lines
from interpreter.source import Files, start_of

__all__ = ["TestResult", "check_transcript", "run_test", "run_tests", "run_transcript"]

_SAID_AS_THEY_ARE = ("D610", "D620")
"""Findings in a test that are told by their own code."""


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
        return _unreadable(test.title, test.span, "the game cannot be played with these options", error)
    sink = Diagnostics()
    understood = understand_test(test, rules.game, sink)
    if understood is None or sink.has_errors:
        return _unreadable(test.title, test.span, "the test cannot be read", RulesError(sink))
    marks: dict[int, int] | None = None if watch is None else {}
    result = run_test(rules, understood, marks=marks)
    if watch is not None and marks is not None:
        watch(rules, marks)
    return result


def _unreadable(title: str, span: Span, message: str, error: RulesError) -> TestResult:
    first = next((found for found in error.diagnostics if found.severity is Severity.ERROR), None)
    place = first.span if first is not None and first.span is not None else span
    said = message if first is None else f"{message}: {first.message}"
    details = tuple(str(error).splitlines())
    code = first.code if first is not None and first.code in _SAID_AS_THEY_ARE else "D600"
    return TestResult(title, span.path, place, False, code, said, details, error.diagnostics)


def run_test(rules: Rules, test: UnderstoodTest, *, marks: dict[int, int] | None = None) -> TestResult:
    """Runs one test that was understood against these rules."""
    table = Table(rules, marks)

    def play() -> None:
        for line in test.lines:
            _line(table, line, test)
        table.finish(test.span)

    return _result(test.title, test.span, play)


def _result(title: str, span: Span, play: Callable[[], None]) -> TestResult:
    """Plays a test, and says what became of it."""
    try:
        play()
    except TestFailure as failure:
        return TestResult(title, span.path, failure.span, False, failure.code, failure.message, failure.details)
    except RulesError as error:
        first = error.diagnostics[0]
        return TestResult(
            title, span.path, first.span or span, False, first.code, first.message, first.notes, error.diagnostics
        )
    return TestResult(title, span.path, span, True)


def _line(table: Table, line: lines.TestLine, test: UnderstoodTest) -> None:
    match line:
        case lines.Given(block=block):
            table.given(block)
        case lines.Seed(seed=seed):
            table.seed(seed, line.span)
        case lines.RosterLine(player=player, path=path, fails=fails):
            table.bring(player, path, fails, line.span)
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


# ---------------------------------------------------------------------------------------------------- played examples


def run_transcript(
    path: Path,
    *,
    watch: Callable[[Rules, dict[int, int]], None] | None = None,
    files: Files | None = None,
) -> TestResult:
    """Plays the example of a `*.test.yaml` file."""
    files = files if files is not None else Files(root=path.absolute().parent)
    sink = Diagnostics()
    transcript = read_transcript(path, sink, files)
    shown = files.shown(path)
    name = path.name.partition(".")[0]
    if transcript is None or sink.has_errors:
        return _unreadable(name, start_of(shown), "the example cannot be read", RulesError(sink))
    title = transcript.title or name
    try:
        rules = rules_of(transcript, path.absolute().parent)
    except RulesError as error:
        return _unreadable(title, transcript.game.span, "the game cannot be played with these options", error)
    marks: dict[int, int] | None = None if watch is None else {}
    source = files.get(shown)
    result = _result(title, transcript.game.span, lambda: play_transcript(transcript, rules, marks, source=source))
    if watch is not None and marks is not None:
        watch(rules, marks)
    return result


def check_transcript(path: Path, sink: Diagnostics, files: Files) -> None:
    """Reports what can be told about a played example without playing it: its shape, and the game it names."""
    transcript = read_transcript(path, sink, files)
    if transcript is None:
        return
    try:
        rules = rules_of(transcript, path.absolute().parent)
    except RulesError as error:
        for found in error.diagnostics:
            if found.span is None:
                sink.error(found.code, found.message, transcript.game.span, help=found.help)
            elif found.span.path == transcript.game.span.path:
                sink.add(found)
            else:
                sink.error("D620", f"game `{transcript.game.text}` has errors", transcript.game.span)
        return

    def report(failure: TestFailure) -> None:
        sink.error(failure.code, failure.message, failure.span, notes=failure.details)

    check_played(transcript, rules, files.get(files.shown(path)), report)
