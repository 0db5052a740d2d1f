"""Findings silenced on purpose."""

from collections.abc import Callable

from interpreter.diagnostics import Applicability, Diagnostic, Severity, Span, suppress

Place = Callable[..., Span]
PATH = "rules/menace.rules"


def found(code: str, span: Span | None, severity: Severity = Severity.ERROR) -> Diagnostic:
    return Diagnostic(code, severity, "odd", span)


def test_a_finding_on_the_line_is_dropped(at: Place) -> None:
    lines = ["language 1", "table damage  # dsl: ignore[D204]"]
    assert suppress(PATH, lines, [found("D204", at(2, 7))]) == []


def test_several_codes_may_be_listed(at: Place) -> None:
    lines = ["table damage  # dsl: ignore[D204, D205]"]
    assert suppress(PATH, lines, [found("D204", at(1, 7)), found("D205", at(1, 1))]) == []


def test_other_codes_lines_files_and_placeless_findings_stay(at: Place) -> None:
    lines = ["table damage  # dsl: ignore[D204]", "table armour"]
    others = [
        found("D205", at(1, 7)),
        found("D204", at(2, 7)),
        found("D204", at(1, 7, path="other.rules")),
        found("D204", None),
    ]
    assert suppress(PATH, lines, [*others, found("D204", at(1, 7))]) == others


def test_an_unused_code_is_reported_where_it_stands(at: Place) -> None:
    lines = ["kind Älf  # dsl: ignore[D204, D205]  "]
    [unused] = suppress(PATH, lines, [found("D204", at(1, 6))])
    assert (unused.code, unused.severity, unused.message) == (
        "D190",
        Severity.WARNING,
        "unused suppression of `D205`",
    )
    assert unused.span is not None
    assert lines[0][unused.span.start.column - 1 : unused.span.end.column - 1] == "D205"
    assert lines[0].encode()[unused.span.start.byte : unused.span.end.byte] == b"D205"


def apply(text: str, diagnostics: list[Diagnostic]) -> str:
    """The text after the fixes."""
    raw = text.encode()
    edits = [edit for diagnostic in diagnostics for fix in diagnostic.fixes for edit in fix.edits]
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        raw = raw[: edit.span.start.byte] + edit.replacement.encode() + raw[edit.span.end.byte :]
    return raw.decode()


def test_the_fix_keeps_what_is_used(at: Place) -> None:
    text = "language 1\ntable damage  # dsl: ignore[D203, D204, D205]\n"
    unused = suppress(PATH, text.splitlines(keepends=True), [found("D204", at(2, 7))])
    assert [diagnostic.message for diagnostic in unused] == [
        "unused suppression of `D203`",
        "unused suppression of `D205`",
    ]
    assert apply(text, unused) == "language 1\ntable damage  # dsl: ignore[D204]\n"
    assert all(fix.applicability is Applicability.SAFE for diagnostic in unused for fix in diagnostic.fixes)


def test_the_fix_removes_a_comment_that_does_nothing() -> None:
    text = "Ä\ntable damage  # dsl: ignore[D203, D204]\nvalue x  # dsl: ignore[]\n"
    unused = suppress(PATH, text.splitlines(), [])
    assert [diagnostic.message for diagnostic in unused] == [
        "unused suppression of `D203`",
        "unused suppression of `D204`",
        "this suppression names no code",
    ]
    assert apply(text, unused) == "Ä\ntable damage\nvalue x\n"


def test_a_text_is_no_comment(at: Place) -> None:
    lines = ['log "write # dsl: ignore[D204]"', 'log "open # dsl: ignore[D204]']
    kept = [found("D204", at(1, 1)), found("D204", at(2, 1))]
    assert suppress(PATH, lines, kept) == kept


def test_a_comment_may_say_why_first(at: Place) -> None:
    lines = ["table damage  # the book leaves it open  # dsl: ignore[D204]"]
    assert suppress(PATH, lines, [found("D204", at(1, 7))]) == []


def test_nothing_is_called_unused_while_the_file_cannot_be_read(at: Place) -> None:
    lines = ["table damage  # dsl: ignore[D204]", "tabel"]
    broken = [found("D110", at(2, 1))]
    assert suppress(PATH, lines, broken) == broken


def test_the_report_on_unused_codes_can_be_silenced_too() -> None:
    assert suppress(PATH, ["table damage  # dsl: ignore[D204, D190]"], []) == []
    [unused] = suppress(PATH, ["table damage  # dsl: ignore[D190]"], [])
    assert unused.message == "unused suppression of `D190`"
