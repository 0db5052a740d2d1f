"""The place where findings gather.

No pass raises on a mistake in the rules: it reports here and goes on. The passes run in the order of the pipeline
and meet files in the order of includes, neither of which a reader cares about, so findings are sorted when they are
read. Invariant: each finding (code, place and message) is held once, and reading order does not depend on the order
of reporting, save for findings alike in place and code.
"""

from collections.abc import Iterable, Iterator

from .diagnostic import Diagnostic, Fix, Label, Severity
from .span import Span

__all__ = ["Diagnostics"]

_Place = tuple[str, int, int, str]


def _place(diagnostic: Diagnostic) -> _Place:
    """What findings are sorted by; those without a place come first."""
    span = diagnostic.span
    if span is None:
        return ("", 0, 0, diagnostic.code)
    return (span.path, span.start.line, span.start.column, diagnostic.code)


class Diagnostics:
    """An ordered collector of findings that drops exact repeats."""

    __slots__ = ("_found", "_seen")

    def __init__(self, found: Iterable[Diagnostic] = ()) -> None:
        self._found: list[Diagnostic] = []
        self._seen: set[tuple[str, Span | None, str]] = set()
        self.extend(found)

    def error(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,
        fixes: Iterable[Fix] = (),
    ) -> None:
        """Report that the rules cannot be played as written."""
        self.add(
            Diagnostic(code, Severity.ERROR, message, span, label, tuple(labels), tuple(notes), help, tuple(fixes))
        )

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None,
        label: str = "",
        *,
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,
        fixes: Iterable[Fix] = (),
    ) -> None:
        """Report that the rules probably do not say what they mean."""
        self.add(
            Diagnostic(code, Severity.WARNING, message, span, label, tuple(labels), tuple(notes), help, tuple(fixes))
        )

    def add(self, diagnostic: Diagnostic) -> None:
        """Report a finding made elsewhere; a repeat (same code, place and message) is dropped, the first one stays."""
        key = (diagnostic.code, diagnostic.span, diagnostic.message)
        if key not in self._seen:
            self._seen.add(key)
            self._found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Report several findings made elsewhere."""
        for diagnostic in tuple(diagnostics):
            self.add(diagnostic)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found, key=_place))

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return f"Diagnostics({len(self.errors)} errors, {len(self.warnings)} warnings)"

    @property
    def has_errors(self) -> bool:
        """Whether anything found makes the rules unplayable."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self._found)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors, in reading order."""
        return tuple(diagnostic for diagnostic in self if diagnostic.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings, in reading order."""
        return tuple(diagnostic for diagnostic in self if diagnostic.severity is Severity.WARNING)
