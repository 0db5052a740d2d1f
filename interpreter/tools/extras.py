"""Packages that only some commands need, and what is said when one is not there.

Invariant: a command that can do without a package never asks for it here.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from interpreter.tools.cli.exits import UsageFault

__all__ = ["needed"]


def needed(package: str, extra: str) -> ModuleType:
    """The package, imported; ends the command with the way to install it if it is not there."""
    try:
        return import_module(package)
    except ModuleNotFoundError as fault:
        if fault.name is None or fault.name.partition(".")[0] != package.partition(".")[0]:
            raise
        name = package.partition(".")[0]
        raise UsageFault(
            f"this needs the package `{name}`\nhelp: `pip install 'rulewright[{extra}]'` installs it"
        ) from None
