"""Every bound of a running game in one place, and what is said when the rules go past one.

A rules file may be wrong, or come from a stranger. So nothing that it does may hang, grow without end or end in a
traceback: each bound has a number here and a code with a page, and a fault that a backend reports becomes a finding at
the line of the rules that caused it, with all that is needed to see it again.

Invariant: whatever the rules do, a session answers within these bounds or raises `RulesError`.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.backends.api import FUEL, WORK, Fault
from interpreter.boards.plane import GAP
from interpreter.diagnostics import Diagnostic, RulesError, Severity, Span, page
from interpreter.ir.program import Program

__all__ = [
    "CHOICE_STEPS",
    "FUEL",
    "MAX_CONDITIONS",
    "MAX_DECISIONS",
    "MAX_OPTIONS",
    "MAX_SAVE_BYTES",
    "fault_error",
    "too_many_decisions",
    "too_many_options",
]

MAX_OPTIONS = 10_000
"""Options of one decision (D720)."""
MAX_DECISIONS = 100_000
"""Decisions of one game that nobody watches (D721)."""
CHOICE_STEPS = 20_000
"""Steps of the search for the picks that a readable name stands for, and of the listing of all such names."""
MAX_CONDITIONS = 20_000
"""Combinations of members tried when somebody asks why an option is missing."""
MAX_SAVE_BYTES = 64 * 1024 * 1024
"""Largest save that is read."""

_SHOWN_DECISIONS = 12
"""How many of the last decisions a fault names."""

_MESSAGES = {
    "D701": "the game goes on without ever asking anybody",
    "D702": "this loop does not end",
    "D703": "the calculation has no result",
    "D704": "calls are nested too deep",
    "D705": "something is asked of nothing",
    "D706": "no row of the table fits",
    "D707": "too much has to be worked out here",
    "D710": "the value is out of its range",
    "D711": "the space is already taken",
    "D717": "the pieces lie too far apart for this board",
    "D718": "nothing stops this slide or run on a board without edges",
    "D712": "too few pieces are left in the box",
    "D713": "no link leads from the one space to the other",
    "D714": "nothing can be chosen here",
    "D715": "nobody's turn is next",
    "D716": "the zone is full",
    "D719": "a roster does not fulfil what is needed",
    "D720": f"more than {MAX_OPTIONS} options at once",
    "D721": f"no end after {MAX_DECISIONS} decisions",
}
_LABELS = {
    "D701": f"given up after {FUEL} steps",
    "D702": f"given up after {FUEL} turns of the loop",
    "D707": f"more than {WORK} steps between two decisions",
}


_HELP = {
    "D717": f"they leave less than {GAP} columns or rows free around them; give the open grid another size, or offer"
    " only spaces near the others",
    "D718": "let it stop beside a piece, or after some steps",
}


def fault_error(
    fault: Fault, program: Program, *, configuration: str, seed: int | None, decisions: Sequence[str]
) -> RulesError:
    """The error for a fault that a backend reported: one finding, at the line of the rules it came from."""
    span = program.spans[fault.span] if 0 <= fault.span < len(program.spans) else None
    return RulesError([_finding(fault.code, span, configuration, seed, decisions)])


def too_many_options(
    count: int, span: Span, *, configuration: str, seed: int | None, decisions: Sequence[str]
) -> RulesError:
    """The error for a decision with more options than `MAX_OPTIONS`."""
    finding = _finding("D720", span, configuration, seed, decisions, label=f"{count} options")
    return RulesError([finding])


def too_many_decisions(
    span: Span | None, *, configuration: str, seed: int | None, decisions: Sequence[str]
) -> RulesError:
    """The error for a game that goes on past `MAX_DECISIONS` with nobody watching."""
    return RulesError([_finding("D721", span, configuration, seed, decisions, label="still to be decided")])


def _finding(
    code: str, span: Span | None, configuration: str, seed: int | None, decisions: Sequence[str], label: str = ""
) -> Diagnostic:
    found = page(code)
    message = _MESSAGES.get(code) or (found.title if found is not None else "the rules cannot go on here")
    notes = [f"seen with {configuration}" + ("" if seed is None else f", seed {seed}")]
    if decisions:
        last = [f"`{name}`" for name in decisions[-_SHOWN_DECISIONS:]]
        more = len(decisions) - len(last)
        notes.append(f"after {', '.join(last)}" + (f" (and {more} decisions before)" if more else ""))
    else:
        notes.append("before the first decision")
    label = label or _LABELS.get(code, "")
    return Diagnostic(code, Severity.ERROR, message, span, label, notes=tuple(notes), help=_HELP.get(code))
