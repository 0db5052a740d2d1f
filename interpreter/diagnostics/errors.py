"""The exceptions of the embedding interface, told apart by who is wrong.

Inside the pipeline nobody raises on a mistake in the rules; only the outermost call does, once, with the whole list.
Invariant: every exception a caller can meet on purpose is a `DslError`; anything else is a fault of ours that escaped.
"""

from collections.abc import Iterable

from .diagnostic import Diagnostic, Severity

__all__ = ["AmbiguousChoice", "DslError", "IllegalChoice", "InternalError", "InvalidChoice", "RulesError"]

_SHOWN = 10
"""How many findings a rules error spells out; the rest are counted."""


class DslError(Exception):
    """Anything this package raises on purpose."""


class RulesError(DslError):
    """The rules file is wrong: carries every finding, errors and warnings, in reading order."""

    diagnostics: tuple[Diagnostic, ...]
    """All findings of the run that failed."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        errors = [diagnostic for diagnostic in self.diagnostics if diagnostic.severity is Severity.ERROR]
        shown = errors or list(self.diagnostics)
        lines = [_brief(diagnostic) for diagnostic in shown[:_SHOWN]]
        if len(shown) > _SHOWN:
            lines.append(f"... and {len(shown) - _SHOWN} more")
        return "\n".join(lines)


class InvalidChoice(DslError):  # noqa: N818 - the word of the table, without a suffix
    """The move is wrong: the text or value given is not a choice at all."""


class IllegalChoice(DslError):  # noqa: N818 - the word of the table, without a suffix
    """The move is wrong: a choice the game knows, but does not offer now."""


class AmbiguousChoice(DslError):  # noqa: N818 - the word of the table, without a suffix
    """The move is wrong: more than one of the offered options fits it."""


class InternalError(DslError):
    """We are wrong: a stage of this package broke its promise."""

    stage: str
    """The stage that failed, by the name of its folder; empty if not known."""

    def __init__(self, message: str, stage: str = "") -> None:
        self.stage = stage
        super().__init__(message, stage)

    def __str__(self) -> str:
        where = f" in {self.stage}" if self.stage else ""
        return f"internal error{where}: {self.args[0]}"


def _brief(diagnostic: Diagnostic) -> str:
    where = "" if diagnostic.span is None else f"{diagnostic.span}: "
    return f"{where}{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"
