"""Exit codes, and what ends a command early.

One meaning for a code in every command, so that scripts need no table. A command that cannot go on raises `Usage`
(the caller is wrong) or lets a fault of ours escape; `main` turns both into a line on standard error and a code.

Invariant: no other module of the command line calls `sys.exit`.
"""

from __future__ import annotations

from types import TracebackType

from interpreter.diagnostics import InternalError

__all__ = ["FINDINGS", "FINE", "INTERRUPTED", "NO_TESTS", "WRONG", "UsageFault", "stage_of"]

FINE = 0
"""Nothing to complain about."""
FINDINGS = 1
"""Errors in rules, failed tests, files that are not formatted."""
WRONG = 2
"""Bad usage, unreadable input, or a fault of ours."""
NO_TESTS = 5
"""No tests were found."""
INTERRUPTED = 130
"""Ended by Ctrl-C."""

_TOOLS = ("tools", "workspace")
"""Stages that only call others: blamed only when nothing deeper is on the stack."""


class UsageFault(Exception):  # noqa: N818 - a fault of the caller
    """What the caller asked for cannot be done; the text says why, ready to be shown."""

    code: int
    """The exit code."""

    def __init__(self, message: str, code: int = WRONG) -> None:
        super().__init__(message)
        self.code = code


def stage_of(fault: BaseException) -> str:
    """The stage (folder of the package) that a fault of ours escaped from, or "" where none is on its stack."""
    if isinstance(fault, InternalError) and fault.stage:
        return fault.stage
    stages: list[str] = []
    trace: TracebackType | None = fault.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", ""))
        if module.startswith("interpreter."):
            stages.append(module.split(".")[1])
        trace = trace.tb_next
    inner = [stage for stage in stages if stage not in _TOOLS]
    return (inner or stages or [""])[-1]
