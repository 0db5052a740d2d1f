"""Opens saves for commands, and says in one way what is wrong with one.

Invariant: a session that is given back stands where the save says.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from interpreter.diagnostics import RulesError
from interpreter.source import Files
from interpreter.tools.cli import streams
from interpreter.tools.cli.exits import FINDINGS, UsageFault

if TYPE_CHECKING:
    from interpreter.runtime import Session
    from interpreter.runtime.saves import Save

__all__ = ["open_save", "read_save_file", "rules_error_text"]


def read_save_file(path: str) -> Save:
    """The save in a file, not yet played."""
    from interpreter.runtime.saves import SaveError, read_save

    try:
        return read_save(path)
    except SaveError as fault:
        raise UsageFault(str(fault)) from fault


def open_save(path: str) -> Session:
    """The game of a save, ready to go on."""
    from interpreter.runtime.saves import DivergenceError, SaveError, resume

    save = read_save_file(path)
    try:
        return resume(save)
    except DivergenceError as fault:
        help = f"`dsl replay {path} --to {max(0, fault.divergence.number - 1)}` shows the game up to there"
        raise UsageFault(f"the rules have changed since: {fault}\nhelp: {help}", FINDINGS) from fault
    except SaveError as fault:
        raise UsageFault(str(fault)) from fault
    except RulesError as fault:
        raise UsageFault(f"the rules of this save cannot be loaded:\n{rules_error_text(fault)}", FINDINGS) from fault


def rules_error_text(fault: RulesError, files: Files | None = None) -> str:
    """The findings of an error as text; with the files of the game, the lines they speak of are shown."""
    from interpreter.tools.report import FORMATS

    colour = streams.has_colour("auto", sys.stderr)
    return FORMATS["text"](fault.diagnostics, files or Files(), colour=colour).rstrip("\n")
