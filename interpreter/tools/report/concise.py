"""One finding, one line: `path:line:column: error[D204]: message`.

For grep, for editors, and for the problem matcher of a code host. Invariant: exactly one line a finding, whatever
the message holds.
"""

from collections.abc import Sequence

from interpreter.diagnostics import Diagnostic

from .places import Sources, shown_path

__all__ = ["render"]


def render(diagnostics: Sequence[Diagnostic], sources: Sources) -> str:
    """All findings; `sources` is not needed."""
    return "".join(_line(diagnostic) + "\n" for diagnostic in diagnostics)


def _line(diagnostic: Diagnostic) -> str:
    message = " ".join(diagnostic.message.split())
    said = f"{diagnostic.severity.value}[{diagnostic.code}]: {message}"
    span = diagnostic.span
    if span is None:
        return said
    return f"{shown_path(span.path)}:{span.start.line}:{span.start.column}: {said}"
