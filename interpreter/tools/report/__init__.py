"""How findings are shown: one module per output format, each with one function, `render`.

A caller picks a format by its name from `FORMATS` and gives every format the same arguments; each takes what it
needs. The module of a format is imported when it is first used. Invariant: a format is pure, it reads no settings
and writes nothing.
"""

from collections.abc import Sequence
from typing import Protocol

from interpreter.diagnostics import Diagnostic

from .places import Sources, shown_path

__all__ = ["FORMATS", "Renderer", "Sources", "in_short", "shown_path", "summary"]


class Renderer(Protocol):
    """One output format."""

    def __call__(
        self,
        diagnostics: Sequence[Diagnostic],
        sources: Sources,
        *,
        colour: bool = False,
        checked: Sequence[str] = (),
    ) -> str:
        """The whole report; `colour` is for terminals only, `checked` lists the files that were checked."""
        ...


def _text(
    diagnostics: Sequence[Diagnostic], sources: Sources, *, colour: bool = False, checked: Sequence[str] = ()
) -> str:
    from .text import render

    return render(diagnostics, sources, colour=colour)


def _concise(
    diagnostics: Sequence[Diagnostic], sources: Sources, *, colour: bool = False, checked: Sequence[str] = ()
) -> str:
    from .concise import render

    return render(diagnostics, sources)


def _json(
    diagnostics: Sequence[Diagnostic], sources: Sources, *, colour: bool = False, checked: Sequence[str] = ()
) -> str:
    from .json import render

    return render(diagnostics, sources)


def _github(
    diagnostics: Sequence[Diagnostic], sources: Sources, *, colour: bool = False, checked: Sequence[str] = ()
) -> str:
    from .github import render

    return render(diagnostics, sources)


def _sarif(
    diagnostics: Sequence[Diagnostic], sources: Sources, *, colour: bool = False, checked: Sequence[str] = ()
) -> str:
    from .sarif import render

    return render(diagnostics, sources)


def _junit(
    diagnostics: Sequence[Diagnostic], sources: Sources, *, colour: bool = False, checked: Sequence[str] = ()
) -> str:
    from .junit import render

    return render(diagnostics, sources, checked)


FORMATS: dict[str, Renderer] = {
    "text": _text,
    "concise": _concise,
    "json": _json,
    "github": _github,
    "sarif": _sarif,
    "junit": _junit,
}
"""The formats by the names of `--format`."""


def in_short(found: Diagnostic, help: str | None = None) -> str:
    """A finding without its place: the message, and a line for each note and for the help."""
    said = help if help is not None else found.help
    return "\n".join([found.message, *(f"note: {note}" for note in found.notes), *([f"help: {said}"] if said else [])])


def summary(errors: int, warnings: int, files: int) -> str:
    """The last line of a check, without a line end: "2 errors and 1 warning in 3 files"."""
    where = _counted(files, "file")
    found = [_counted(number, noun) for number, noun in ((errors, "error"), (warnings, "warning")) if number]
    return f"{' and '.join(found) or 'no findings'} in {where}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
