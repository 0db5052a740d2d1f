"""Spans, the collector and the exceptions."""

import pickle
from collections.abc import Callable

import pytest

from interpreter.diagnostics import (
    AmbiguousChoice,
    Diagnostic,
    Diagnostics,
    DslError,
    IllegalChoice,
    InternalError,
    InvalidChoice,
    Position,
    RulesError,
    Severity,
    Span,
)

Place = Callable[..., Span]


def test_a_span_reads_as_path_line_and_column(at: Place) -> None:
    assert str(at(3, 7)) == "rules/menace.rules:3:7"


def test_merging_covers_both_in_either_order(at: Place) -> None:
    first, second = at(1, 3, 2, byte=2), at(2, 1, 4, byte=20)
    whole = Span(first.path, first.start, second.end)
    assert first.merge(second) == whole == second.merge(first)


def test_merging_with_another_file_changes_nothing(at: Place) -> None:
    span = at(1, 3)
    assert span.merge(at(9, 9, path="other.rules")) == span


def test_positions_follow_reading_order() -> None:
    assert Position(1, 9, 8) < Position(2, 1, 10) < Position(2, 2, 11)


def test_findings_are_read_by_file_place_and_code(at: Place) -> None:
    sink = Diagnostics()
    sink.error("D204", "d", at(2, 5, path="b.rules"))
    sink.warning("D205", "c", at(2, 1, path="b.rules"))
    sink.error("D201", "b", at(2, 1, path="b.rules"))
    sink.error("D201", "a", at(9, 9, path="a.rules"))
    sink.error("D101", "first", None)
    assert [diagnostic.message for diagnostic in sink] == ["first", "a", "b", "c", "d"]


def test_a_repeat_is_dropped_and_the_first_stays(at: Place) -> None:
    sink = Diagnostics()
    sink.error("D204", "no row", at(1, 1), "first")
    sink.error("D204", "no row", at(1, 1), "second")
    sink.error("D204", "no row", at(1, 2))
    sink.error("D204", "no column", at(1, 1))
    assert len(sink) == 3
    assert next(iter(sink)).label == "first"


def test_errors_and_warnings_are_told_apart(at: Place) -> None:
    sink = Diagnostics()
    sink.warning("D190", "unused", at(1, 1))
    assert not sink.has_errors
    sink.extend([Diagnostic("D204", Severity.ERROR, "no row", at(2, 1))])
    assert sink.has_errors
    assert [diagnostic.code for diagnostic in sink.errors] == ["D204"]
    assert [diagnostic.code for diagnostic in sink.warnings] == ["D190"]


def test_a_collector_can_be_extended_by_itself(at: Place) -> None:
    sink = Diagnostics()
    sink.error("D204", "no row", at(1, 1))
    sink.extend(sink)
    assert len(sink) == 1


def test_a_rules_error_carries_all_and_says_the_errors(missing_row: Diagnostic, unused: Diagnostic) -> None:
    error = RulesError([missing_row, unused])
    assert error.diagnostics == (missing_row, unused)
    assert str(error) == "rules/menace.rules:3:1: error[D103]: table `damage` has no row for a `Pussycat`"


def test_a_rules_error_counts_what_it_does_not_show(at: Place) -> None:
    error = RulesError(Diagnostic("D110", Severity.ERROR, "odd", at(line, 1)) for line in range(1, 13))
    assert str(error).splitlines()[-1] == "... and 2 more"
    assert len(str(error).splitlines()) == 11


def test_an_internal_error_names_its_stage() -> None:
    error = InternalError("no such slot", stage="ir")
    assert error.stage == "ir"
    assert str(error) == "internal error in ir: no such slot"


@pytest.mark.parametrize(
    "error",
    [
        RulesError([Diagnostic("D110", Severity.ERROR, "odd", None)]),
        InternalError("no such slot", stage="ir"),
        InvalidChoice("`jump` is no option"),
        IllegalChoice("`jump` is not offered now"),
        AmbiguousChoice("`move` fits two options"),
    ],
)
def test_exceptions_survive_another_process(error: DslError) -> None:
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, DslError)
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
