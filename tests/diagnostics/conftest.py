"""A small game with findings of every shape, shared by the tests of this folder."""

from collections.abc import Callable

import pytest

from interpreter.diagnostics import Applicability, Diagnostic, Edit, Fix, Label, Position, Severity, Span

Place = Callable[..., Span]

FILES = {
    "rules/menace.rules": [
        "language 1",
        "",
        "table damage(target: Warrior, points: number)",
        "    | Orc | die |",
        "    | Elf | dodge |",
        "value dice(w: Warrior)",
    ],
    "rules/kinds.rules": ["language 1", "kind Warrior, 6 in the box"],
}


class Lines:
    """Files held in memory."""

    def __init__(self, files: dict[str, list[str]]) -> None:
        self.files = files

    def line_text(self, path: str, line: int) -> str | None:
        lines = self.files.get(path, [])
        return lines[line - 1] if 0 < line <= len(lines) else None


def span_at(line: int, column: int, length: int = 1, path: str = "rules/menace.rules", byte: int = 0) -> Span:
    """A stretch of one line."""
    return Span(path, Position(line, column, byte), Position(line, column + length, byte + length))


@pytest.fixture
def at() -> Place:
    return span_at


@pytest.fixture
def lines() -> type[Lines]:
    return Lines


@pytest.fixture
def sources() -> Lines:
    return Lines(FILES)


@pytest.fixture
def missing_row() -> Diagnostic:
    """An error with everything an error can have."""
    return Diagnostic(
        "D103",
        Severity.ERROR,
        "table `damage` has no row for a `Pussycat`",
        span_at(3, 1, 12, byte=12),
        "1 of 6 kinds falls through",
        labels=(Label(span_at(2, 6, 7, "rules/kinds.rules", byte=16), "`Warrior` is declared here"),),
        notes=("the rows are tried from the top",),
        help="add a last row `any`",
        fixes=(Fix("add a row `any`", (Edit(span_at(5, 20, 0, byte=100), "\n    | any | |"),), Applicability.MAYBE),),
    )


@pytest.fixture
def unused() -> Diagnostic:
    """A warning with nothing but a place."""
    return Diagnostic("D190", Severity.WARNING, "unused suppression of `D204`", span_at(6, 7, 4, byte=101))
